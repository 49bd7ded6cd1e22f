//! The contract of every game, checked on random playouts.
//!
//! The clauses are in `contract/clauses.rs`, one function each. A clause checks a guarantee of
//! [`Game`], nothing specific to one kind of game.

mod clauses;
mod simulate;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View};

pub(crate) use simulate::replay;

/// How thorough the check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of random playouts.
    pub games: u32,
    /// A playout that does not end within this many joint moves is a violation.
    pub max_plies: u32,
    /// The seed of the playouts.
    pub seed: u64,
    /// One state in this many is checked against all clauses, besides the first and the last; the
    /// others only against the clauses that playouts rely on.
    pub every: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { games: 10, max_plies: 10_000, seed: 1, every: 1 }
    }
}

/// Statistics of a check without violations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Playouts.
    pub games: u32,
    /// States checked against all clauses.
    pub checked: u64,
    /// Joint moves made.
    pub plies: u64,
    /// Joint moves of the shortest playout.
    pub shortest: u32,
    /// Joint moves of the longest playout.
    pub longest: u32,
    /// The largest number of legal moves of a role.
    pub branching: usize,
}

/// A violation, and how to reach the state where it occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// A description.
    pub what: String,
    /// Number of the playout, from 0.
    pub game: u32,
    /// The joint moves made so far.
    pub moves: Vec<Vec<String>>,
    /// The state's facts.
    pub facts: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.what)?;
        write!(f, "in random game {} after {} joint moves:", self.game, self.moves.len())?;
        self.moves.iter().try_for_each(|joint| write!(f, " ({})", joint.join(", ")))?;
        write!(f, "\nstate: {}", self.facts.join(" "))
    }
}

impl std::error::Error for Violation {}

/// Checks every guarantee of [`Game`] in the states of random playouts.
pub fn check_game<G: Game>(game: &Arc<G>, options: &Options) -> Result<Report, Violation> {
    let mut checker = Checker {
        game,
        options,
        report: Report { shortest: u32::MAX, ..Report::default() },
        moves: Vec::new(),
        before: None,
        facts_of: HashMap::new(),
        state_of: HashMap::new(),
    };
    for number in 0..options.games {
        checker.random_playout(number)?;
    }
    simulate::check_playouts(game, options)?;
    Ok(checker.report)
}

/// A game under check, and its states so far.
struct Checker<'a, G: Game> {
    game: &'a Arc<G>,
    options: &'a Options,
    report: Report,
    /// The joint moves of the current playout.
    moves: Vec<Vec<Move>>,
    /// The state checked last and its view, which evaluating other states must not change.
    before: Option<(G::State, View)>,
    facts_of: HashMap<G::State, Vec<String>>,
    state_of: HashMap<Vec<String>, G::State>,
}

impl<G: Game> Checker<'_, G> {
    fn random_playout(&mut self, number: u32) -> Result<(), Violation> {
        let mut rng = Rng::stream(self.options.seed, &[u64::from(number)]);
        let mut state = self.game.initial();
        self.moves.clear();
        loop {
            let mut view = View::default();
            self.game.look(&state, &mut view);
            self.visit(&state, &view).map_err(|what| self.violation(what, number, &state))?;
            if view.terminal {
                break;
            }
            let joint = random_joint(&view, &mut rng);
            let next = self.step(&state, &view, &joint);
            state = next.map_err(|what| self.violation(what, number, &state))?;
            self.moves.push(joint);
        }
        self.count_playout();
        Ok(())
    }

    fn visit(&mut self, state: &G::State, view: &View) -> Result<(), String> {
        self.check_basics(view)?;
        let ply = self.moves.len() as u32;
        if ply == self.options.max_plies && !view.terminal {
            return Err(format!("the game is not over after {ply} joint moves"));
        }
        if self.is_due(view) {
            self.report.checked += 1;
            self.check_state(state, view)?;
            self.before = Some((state.clone(), view.clone()));
        }
        Ok(())
    }

    fn is_due(&self, view: &View) -> bool {
        let ply = self.moves.len() as u32;
        view.terminal || ply.is_multiple_of(self.options.every.max(1))
    }

    fn step(&self, state: &G::State, view: &View, joint: &[Move]) -> Result<G::State, String> {
        let mut next = state.clone();
        self.game.play(&mut next, joint);
        if self.is_due(view) {
            self.check_play(state, view, joint, &next)?;
        }
        Ok(next)
    }

    fn count_playout(&mut self) {
        let plies = self.moves.len() as u32;
        let report = &mut self.report;
        report.games += 1;
        report.plies += u64::from(plies);
        report.shortest = report.shortest.min(plies);
        report.longest = report.longest.max(plies);
    }

    fn violation(&self, what: String, game: u32, state: &G::State) -> Violation {
        let moves = self.moves.iter().map(|joint| joint_names(&**self.game, joint)).collect();
        Violation { what, game, moves, facts: self.game.facts(state) }
    }
}

/// A joint move in which every role's legal moves have the same probability.
pub(crate) fn random_joint(view: &View, rng: &mut Rng) -> Vec<Move> {
    view.legal.iter().map(|legal| legal[rng.below(legal.len())]).collect()
}

/// The names of a joint move, in role order.
pub(crate) fn joint_names<G: Game>(game: &G, joint: &[Move]) -> Vec<String> {
    Role::all(joint.len()).zip(joint).map(|(role, &m)| game.move_name(role, m)).collect()
}
