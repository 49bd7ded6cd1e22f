//! The core types of Ludens. Every role moves at every turn, moves are small dense numbers,
//! payoffs are a vector; text appears only at the interfaces. No I/O, and no dependencies.
//!
//! ```
//! use ludens_core::{Game, Move, PerRole, Role, View};
//!
//! /// Two roles name a number at the same time; the higher one wins.
//! struct Higher;
//!
//! impl Game for Higher {
//!     type State = Option<(u32, u32)>;
//!     fn roles(&self) -> &[String] {
//!         static ROLES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
//!         ROLES.get_or_init(|| vec!["left".into(), "right".into()])
//!     }
//!     fn initial(&self) -> Self::State {
//!         None
//!     }
//!     fn look(&self, state: &Self::State, view: &mut View) {
//!         view.clear(2);
//!         match state {
//!             None => view.legal.iter_mut().for_each(|legal| legal.extend([Move(0), Move(1)])),
//!             Some((left, right)) => {
//!                 view.terminal = true;
//!                 view.pay(Role(0), if left > right { 1.0 } else { 0.0 });
//!                 view.pay(Role(1), if right > left { 1.0 } else { 0.0 });
//!             }
//!         }
//!     }
//!     fn play(&self, state: &mut Self::State, joint: &[Move]) {
//!         *state = Some((joint[0].0, joint[1].0));
//!     }
//!     fn move_name(&self, _role: Role, m: Move) -> String {
//!         m.0.to_string()
//!     }
//!     fn facts(&self, state: &Self::State) -> Vec<String> {
//!         state.iter().map(|(l, r)| format!("(named {l} {r})")).collect()
//!     }
//! }
//!
//! let (mut state, mut view) = (Higher.initial(), View::default());
//! Higher.play(&mut state, &[Move(1), Move(0)]);
//! Higher.look(&state, &mut view);
//! assert_eq!(view.payoffs, PerRole::from(vec![1.0, 0.0]));
//! ```

mod budget;
mod game;
mod guard;
mod player;
mod reason;
mod rng;
mod role;
mod simulate;
pub mod spec;
mod structure;
mod vocabulary;
mod with_game;

pub use budget::Budget;
pub use game::{Game, View, Views};
pub use guard::{Panicked, give_up, guard, guard_reasoner};
pub use player::{Draft, Info, MoveText, Player, PlayerError, Setup};
pub use reason::{Answer, Reasoner, TextGame, Trouble};
pub use rng::Rng;
pub use role::{Move, Payoffs, PerRole, Role, RoleSet};
pub use simulate::{
    Census, Chooser, Cut, DrawStats, Features, FixedWeights, Limit, Outcomes, Playout, RowGroups,
    ScalarSimulator, Simulator, StateFeatures, Tally, Turn, Uniform, WeightsVersion,
};
pub use spec::Spec;
pub use structure::{Conjunction, Guide, Outlook, Structure, Symmetry};
pub use vocabulary::Vocabulary;
pub use with_game::WithGame;
