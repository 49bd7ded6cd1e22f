//! Search algorithms.
//!
//! An [`Agent`] searches a state within a budget and reports, for every role at once, the visits and the
//! mean payoff of each move.
//!
//! ```
//! use std::sync::{Arc, OnceLock};
//! use ludens_core::{Budget, Game, Move, Role, View};
//! use ludens_search::{Agent, Flat, Watch};
//!
//! /// One role chooses a number from 0 to 4, and gets a quarter of it.
//! struct Choose;
//!
//! impl Game for Choose {
//!     type State = Option<u32>;
//!     fn roles(&self) -> &[String] {
//!         static ROLES: OnceLock<Vec<String>> = OnceLock::new();
//!         ROLES.get_or_init(|| vec!["you".into()])
//!     }
//!     fn initial(&self) -> Option<u32> {
//!         None
//!     }
//!     fn look(&self, state: &Option<u32>, view: &mut View) {
//!         view.clear(1);
//!         match state {
//!             None => view.legal[Role(0)].extend((0..=4).map(Move)),
//!             Some(chosen) => {
//!                 view.terminal = true;
//!                 view.pay(Role(0), *chosen as f32 / 4.0);
//!             }
//!         }
//!     }
//!     fn play(&self, state: &mut Option<u32>, joint: &[Move]) {
//!         *state = Some(joint[0].0);
//!     }
//!     fn move_name(&self, _role: Role, m: Move) -> String {
//!         m.0.to_string()
//!     }
//!     fn facts(&self, state: &Option<u32>) -> Vec<String> {
//!         state.iter().map(|chosen| format!("(chosen {chosen})")).collect()
//!     }
//! }
//!
//! let mut flat = Flat::new(Arc::new(Choose), 0.7, 1);
//! let budget = Budget::unlimited().with_iterations(200);
//! let report = flat.think(&None, &budget, &mut Watch::none());
//! assert_eq!(report.best(Role(0)), Some(Move(4)));
//! ```

mod agent;
mod amaf;
mod classic;
mod counting;
mod drive;
mod episode;
mod evaluator;
mod flat;
mod heuristic;
mod line;
mod mcts;
mod parallel;
mod playout_policy;
mod pool;
mod race;
mod random;
mod reuse;
mod search;
mod searcher;
mod solver_backup;
mod tree;
mod tree_policy;
mod watch;

pub use agent::{Agent, Line, MoveStats, Report};
pub use classic::{
    Endgame, EvenValue, Forced, ForcedSearch, MaxN, Minimax, Nested, Nrpa, NrpaOptions,
    OutOfStates, OutcomeSearch, Outcomes, Planner, PlayoutValue, Solution, SolvedMove, Solver,
    StateValue, Unsolved, Verdict, solve,
};
pub use drive::{Batch, Driver, Job, drive};
pub use episode::{Episode, Facts, Path};
pub use evaluator::{
    Demand, Evaluated, Evaluation, Evaluator, FnEvaluator, HeuristicLeaves, Leaf, LeafHeuristic,
    Playouts, Policies, Position as EvaluatedPosition, Value,
};
pub use flat::Flat;
pub use heuristic::{
    Construction, Counted, Decided, Greedy, Guidance, Guided, Heuristic, HeuristicFunction,
    HeuristicMinimax, Lesson, Object, Term,
};
pub use mcts::{MakeEvaluator, Mcts, usual_evaluator};
pub use parallel::{Parallel, Sharing};
pub use playout_policy::{
    Chain, Fast, InitialPolicy, Lgrf, Mast, Nast, Past, PlayoutPolicy, PoolRave, Position, Ppa, Ppr,
};
pub use pool::{Member, Pool, Pooling};
pub use race::{Candidate, Duel, Lead, Race, Score};
pub use random::Random;
pub use reuse::Kept;
pub use search::{Search, Settings};
pub use searcher::Searcher;
pub use tree::{Chosen, Edge, Node, NodeId, Tree};
pub use tree_policy::{
    Choice, ExploringPuct, FirstPlay, Grave, Growth, Gumbel, Improvement, ProgressiveBias, Puct,
    Rave, RootNoise, TreePolicy, Ucb, UcbTuned, Unpruning, Unvisited,
};
pub use watch::{Watch, Watcher};

#[cfg(test)]
mod testgames;
