//! Searches that choose moves.
//!
//! An [`Agent`] thinks about a state within a budget and reports, for every role at once,
//! how often each move was tried and what it was worth.
//!
//! ```
//! use std::sync::{Arc, OnceLock};
//! use ludens_core::{Budget, Game, Move, Role, View};
//! use ludens_search::{Agent, Flat};
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
//! let report = flat.think(&None, &Budget::unlimited().with_iterations(200));
//! assert_eq!(report.best(Role(0)), Some(Move(4)));
//! ```

mod agent;
mod flat;
mod random;

pub use agent::{Agent, MoveStats, Report};
pub use flat::Flat;
pub use random::Random;

#[cfg(test)]
mod testgames;
