//! Positions of a game as inputs of a network.

use std::collections::HashMap;

use ludens_core::{Game, Move, PerRole, Role, Vocabulary};
use serde::{Deserialize, Serialize};

use crate::batch::{Batch, Lists};
use crate::inputs::{InputKind, InputScratch, Inputs};

/// The facts and moves of a game, in the order of a network's inputs and outputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Names {
    /// The facts.
    pub facts: Vec<String>,
    /// The moves of each role.
    pub moves: Vec<Vec<String>>,
}

/// Encodes the facts of a state as inputs, and moves as outputs of the policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoder {
    names: Names,
    inputs: Inputs,
    /// The input of each fact by its number.
    facts: Vec<u32>,
    /// For each role, the output of each move by its number.
    outputs: Vec<Vec<u32>>,
}

/// The output of a move that the role does not have.
const NONE: u32 = u32::MAX;

impl Encoder {
    /// The encoder of a game with its facts as inputs; `None` if its facts or moves are not known in advance.
    pub fn new<G: Game>(game: &G) -> Option<Self> {
        Encoder::with_inputs(game, InputKind::Facts)
    }

    /// The encoder of a game with these inputs.
    pub fn with_inputs<G: Game>(game: &G, inputs: InputKind) -> Option<Self> {
        let names = names(game)?;
        Encoder::with_names(game, names, inputs).ok()
    }

    /// The encoder of a game for a network with these inputs and outputs, or what the network lacks. The
    /// names count, not the order, which may differ between reasoners.
    pub fn with_names<G: Game>(game: &G, known: Names, inputs: InputKind) -> Result<Self, String> {
        let own = names(game).ok_or("its facts or moves are not known in advance")?;
        if own.moves.len() != known.moves.len() {
            let (n, n_known) = (own.moves.len(), known.moves.len());
            return Err(format!("it has {n} roles, and the network {n_known}"));
        }
        let facts = places(&own.facts, &known.facts).map_err(|name| missing("fact", name))?;
        if matches!(inputs, InputKind::Nodes(_)) && own.facts != known.facts {
            return Err("its facts are in another order than those of the network".to_owned());
        }
        let inputs = Inputs::new(game, inputs, known.facts.len())?;
        let vocabulary = game.vocabulary().ok_or("it has no vocabulary")?;
        let mut outputs = Vec::new();
        for (role, (own, known)) in
            Role::all(own.moves.len()).zip(own.moves.iter().zip(&known.moves))
        {
            let places = places(own, known).map_err(|name| missing("move", name))?;
            outputs.push(by_number(vocabulary.moves(role).unwrap_or(&[]), &places));
        }
        Ok(Encoder { names: known, inputs, facts, outputs })
    }

    /// The facts and moves of its inputs and outputs.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What its inputs are.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// What an input stands for.
    pub fn input_name(&self, input: usize) -> String {
        self.inputs.name(input, &self.names.facts)
    }

    /// The place of a fact among the names of facts.
    pub fn input(&self, fact: u32) -> u32 {
        self.facts[fact as usize]
    }

    /// The output of a move of a role.
    pub fn output(&self, role: Role, m: Move) -> u32 {
        self.outputs[role.index()][m.index()]
    }

    /// The number of moves of each role.
    pub fn n_moves(&self) -> Vec<usize> {
        self.names.moves.iter().map(Vec::len).collect()
    }

    /// Adds a position to a batch.
    pub fn encode<S>(
        &self,
        vocabulary: &dyn Vocabulary<S>,
        position: (&S, &PerRole<Vec<Move>>),
        scratch: &mut InputScratch,
        batch: &mut Batch,
    ) {
        self.read_facts(vocabulary, position.0, scratch);
        self.inputs.push(scratch, &mut batch.inputs);
        self.push_legal(position.1, &mut batch.legal);
    }

    /// Adds a position to a batch with its facts alone, from which inputs can be computed later.
    pub fn encode_facts<S>(
        &self,
        vocabulary: &dyn Vocabulary<S>,
        position: (&S, &PerRole<Vec<Move>>),
        scratch: &mut InputScratch,
        batch: &mut Batch,
    ) {
        self.read_facts(vocabulary, position.0, scratch);
        batch.inputs.push(scratch.facts.iter().copied());
        self.push_legal(position.1, &mut batch.legal);
    }

    /// Reads the facts of a state, in the order of the network's names.
    pub(crate) fn read_facts<S>(
        &self,
        vocabulary: &dyn Vocabulary<S>,
        state: &S,
        scratch: &mut InputScratch,
    ) {
        scratch.facts.clear();
        vocabulary.fact_ids(state, &mut scratch.facts);
        scratch.facts.iter_mut().for_each(|fact| *fact = self.facts[*fact as usize]);
    }

    /// Adds the legal moves of a position to the lists of each role.
    pub(crate) fn push_legal(&self, legal: &PerRole<Vec<Move>>, lists: &mut [Lists]) {
        for ((moves, outputs), lists) in legal.iter().zip(&self.outputs).zip(lists) {
            lists.push(moves.iter().map(|m| outputs[m.0 as usize]));
        }
    }
}

fn names<G: Game>(game: &G) -> Option<Names> {
    let vocabulary = game.vocabulary()?;
    let facts = (0..vocabulary.n_facts()? as u32).map(|fact| vocabulary.fact_name(fact)).collect();
    let of_role = |role| {
        let moves = vocabulary.moves(role)?;
        Some(moves.iter().map(|&m| game.move_name(role, m)).collect())
    };
    let moves = Role::all(game.roles().len()).map(of_role).collect::<Option<_>>()?;
    Some(Names { facts, moves })
}

/// The places of names in another list, or the first that is not there.
fn places<'a>(names: &'a [String], known: &[String]) -> Result<Vec<u32>, &'a str> {
    let places: HashMap<&str, u32> =
        known.iter().enumerate().map(|(place, name)| (name.as_str(), place as u32)).collect();
    names.iter().map(|name| places.get(name.as_str()).copied().ok_or(name.as_str())).collect()
}

fn missing(what: &str, name: &str) -> String {
    format!("it has the {what} `{name}`, which the network does not know")
}

/// The output of each move by its number.
fn by_number(moves: &[Move], places: &[u32]) -> Vec<u32> {
    let len = moves.iter().map(|m| m.index() + 1).max().unwrap_or(0);
    let mut outputs = vec![NONE; len];
    for (m, &place) in moves.iter().zip(places) {
        outputs[m.index()] = place;
    }
    outputs
}
