//! Positions of random games, as the network sees them and in the words of the game.

use std::collections::BTreeSet;

use ludens_core::{Budget, Game, Move, PerRole, Rng, View};

use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::inputs::InputScratch;

/// Positions with what happened in them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Positions {
    /// As the encoder writes them.
    pub batch: Batch,
    /// The same with facts in place of inputs, as records have them.
    pub stored: Batch,
    /// The facts that hold in each position.
    pub facts: Vec<Vec<String>>,
    /// For each role, the names of its legal moves in each position.
    pub moves: Vec<Vec<Vec<String>>>,
    /// For each role, the place among its legal moves of the move that was made in each position.
    pub made: Vec<Vec<usize>>,
    /// The payoff of each role at the end of the game, position after position.
    pub payoffs: Vec<f32>,
}

/// The most games that are played, and the most joint moves of a game.
const MAX_GAMES: u64 = 200;
const MAX_PLIES: usize = 200;

/// The payoff of a game that was cut: as much as nothing is known.
const UNKNOWN: f32 = 0.5;

/// Random positions, and positions one joint move before the end, all different, at most `n` of each.
pub(super) fn gather<G: Game>(
    game: &G,
    encoder: &Encoder,
    n: usize,
    seed: u64,
    budget: &Budget,
) -> (Positions, Positions) {
    let n_roles = game.roles().len();
    let mut chosen = [Gathered::new(n_roles), Gathered::new(n_roles)];
    for number in 0..MAX_GAMES {
        if budget.is_over() || chosen.iter().all(|gathered| gathered.seen.len() >= n) {
            break;
        }
        let mut rng = Rng::stream(seed, &[number]);
        let (turns, end) = play(game, &mut rng);
        let Some(last) = turns.last() else { break };
        let payoffs = end.clone().unwrap_or(vec![UNKNOWN; n_roles]);
        let [any, endings] = &mut chosen;
        any.add(game, encoder, n, &turns[rng.below(turns.len())], &payoffs);
        if end.is_some() {
            endings.add(game, encoder, n, last, &payoffs);
        }
    }
    let [any, endings] = chosen;
    (any.positions, endings.positions)
}

/// A state, the legal moves in it, and the place of the move that each role made.
struct Turn<G: Game> {
    state: G::State,
    legal: PerRole<Vec<Move>>,
    made: Vec<usize>,
}

/// A random game with its payoffs; `None` if it was cut.
fn play<G: Game>(game: &G, rng: &mut Rng) -> (Vec<Turn<G>>, Option<Vec<f32>>) {
    let (mut state, mut view, mut turns) = (game.initial(), View::default(), Vec::new());
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            return (turns, Some(view.payoffs.as_slice().to_vec()));
        }
        if turns.len() == MAX_PLIES || view.legal.iter().any(Vec::is_empty) {
            return (turns, None);
        }
        let made: Vec<usize> = view.legal.iter().map(|legal| rng.below(legal.len())).collect();
        let joint: Vec<Move> = view.legal.iter().zip(&made).map(|(legal, &i)| legal[i]).collect();
        turns.push(Turn { state: state.clone(), legal: view.legal.clone(), made });
        game.play(&mut state, &joint);
    }
}

/// Positions that are gathered, and the inputs that were seen.
struct Gathered {
    positions: Positions,
    seen: BTreeSet<Vec<u32>>,
}

impl Gathered {
    fn new(n_roles: usize) -> Self {
        let positions = Positions {
            batch: Batch::new(n_roles),
            stored: Batch::new(n_roles),
            facts: Vec::new(),
            moves: vec![Vec::new(); n_roles],
            made: vec![Vec::new(); n_roles],
            payoffs: Vec::new(),
        };
        Gathered { positions, seen: BTreeSet::new() }
    }

    /// Adds a position that is not there yet: no network can learn two targets of one position by heart.
    fn add<G: Game>(
        &mut self,
        game: &G,
        encoder: &Encoder,
        n: usize,
        turn: &Turn<G>,
        payoffs: &[f32],
    ) {
        let vocabulary = game.vocabulary().expect("a game with an encoder has a vocabulary");
        let mut facts = Vec::new();
        vocabulary.fact_ids(&turn.state, &mut facts);
        if self.seen.len() >= n || !self.seen.insert(facts.clone()) {
            return;
        }
        let own = &mut self.positions;
        own.facts.push(facts.iter().map(|&fact| vocabulary.fact_name(fact)).collect());
        for ((role, legal), names) in turn.legal.entries().zip(&mut own.moves) {
            names.push(legal.iter().map(|&m| game.move_name(role, m)).collect());
        }
        own.made.iter_mut().zip(&turn.made).for_each(|(made, &place)| made.push(place));
        own.payoffs.extend_from_slice(payoffs);
        let position = (&turn.state, &turn.legal);
        let scratch = &mut InputScratch::default();
        encoder.encode(vocabulary, position, scratch, &mut own.batch);
        encoder.encode_facts(vocabulary, position, scratch, &mut own.stored);
    }
}
