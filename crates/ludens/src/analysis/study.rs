//! An agent thinks about a position.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ludens_catalog::{AgentSpec, WithGame};
use ludens_core::{Budget, Game, Move, Role, View};

use super::insight::{Insight, MoveInsight, RoleInsight, in_words, percent};
use super::position::{MOVES, Setup};
use super::slip::Slip;

/// How many moves without any choice are made to come to one.
const FORCED: usize = 1000;

/// What is to be thought about, and how.
pub struct Study<'a> {
    /// Where the game began, and what was done in it.
    pub setup: &'a Setup,
    /// After so many turns.
    pub turn: usize,
    /// Who thinks.
    pub agent: &'a AgentSpec,
    /// Its random numbers.
    pub seed: u64,
    /// What thinking may cost; asked when it begins.
    pub budget: &'a dyn Fn() -> Budget,
    /// How often to look on.
    pub every: Duration,
    /// Looks on; `Break` ends the thinking.
    pub watch: &'a mut dyn FnMut(&Position, &Insight) -> ControlFlow<()>,
}

/// What can be seen of a position without thinking.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
    /// How many turns were made.
    pub turn: usize,
    /// What holds, and what held before the last move.
    pub facts: Vec<String>,
    /// What held before the last move.
    pub before: Option<Vec<String>>,
    /// How many legal moves each role has.
    pub legal: Vec<usize>,
    /// What each role has got, if the game is over.
    pub goals: Option<Vec<f64>>,
}

impl WithGame for Study<'_> {
    type Out = Result<(Position, Insight), Slip>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let reached = self.setup.reach(&*game, self.turn)?;
        let mut view = View::default();
        game.look(&reached.state, &mut view);
        let position = Position {
            roles: game.roles().to_vec(),
            turn: self.turn,
            facts: game.facts(&reached.state),
            before: reached.before,
            legal: view.legal.iter().map(Vec::len).collect(),
            goals: goals(&view),
        };
        let names = |role: Role, mv: Move| game.move_name(role, mv);
        // Where nobody has a choice there is nothing to search: what counts is where it leads.
        let (mut state, mut forced) = (reached.state, Vec::new());
        loop {
            refuse_stuck(game.roles(), &view)?;
            let decided = view.terminal || view.legal.iter().any(|legal| legal.len() > 1);
            if decided || forced.len() == FORCED {
                break;
            }
            let joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
            game.play(&mut state, &joint);
            forced.push(joint);
            game.look(&state, &mut view);
        }
        let way = in_words(&forced, &names);
        if let Some(goals) = goals(&view) {
            return Ok((position.clone(), ended(&position, goals, &way)));
        }
        let in_words = |report: &_| {
            let insight = Insight::new(report, game.roles(), &names);
            if way.is_empty() { insight } else { led_to(insight, &way) }
        };
        let watch = self.watch;
        let mut agent = self.agent.build(Arc::clone(&game), self.seed);
        let mut show = |report: &_| watch(&position, &in_words(report));
        let watch = &mut ludens_search::Watch::every(self.every, &mut show);
        let report = agent.think(&state, &(self.budget)(), watch);
        let insight = in_words(&report);
        Ok((position, insight))
    }
}

fn goals(view: &View) -> Option<Vec<f64>> {
    let percent = |&payoff: &f32| percent(payoff.into());
    view.terminal.then(|| view.payoffs.iter().map(percent).collect())
}

/// Broken rules may leave a role without a move.
fn refuse_stuck(roles: &[String], view: &View) -> Result<(), Slip> {
    let stuck = view.legal.entries().find(|(_, legal)| !view.terminal && legal.is_empty());
    stuck.map_or(Ok(()), |(role, _)| {
        let role = &roles[role.index()];
        Err(Slip::of(MOVES, format!("`{role}` has no legal move; the game cannot go on")))
    })
}

/// What is to be said of a game that is over, or comes to its end without any choice.
fn ended(position: &Position, goals: Vec<f64>, way: &[Vec<String>]) -> Insight {
    let role = |(name, &value): (&String, &f64)| RoleInsight {
        name: name.clone(),
        value: Some(value),
        ..RoleInsight::default()
    };
    let roles = position.roles.iter().zip(&goals).map(role).collect();
    let insight = Insight { roles, settled: Some(goals), ..Insight::default() };
    if way.is_empty() { insight } else { led_to(insight, way) }
}

/// What is thought of a later position, said of the one from which it is reached without any choice.
fn led_to(later: Insight, way: &[Vec<String>]) -> Insight {
    let line: Vec<_> = way.iter().chain(later.best_line()).cloned().collect();
    let role = |(role_idx, role): (usize, RoleInsight)| {
        let only = MoveInsight::forced(way[0][role_idx].clone(), role.value, line.clone());
        RoleInsight { n_legal: 1, moves: vec![only], ..role }
    };
    let roles = later.roles.into_iter().enumerate().map(role).collect();
    Insight { roles, line: line.clone(), ..later }
}
