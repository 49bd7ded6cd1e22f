//! The table of agents, and their syntax.
//!
//! An agent is a tree policy with playout policies (`uct(c=0.4) + ppaf(alpha=0.32, memorize)`) or a
//! whole search (`flat`). One table lists the parts and their parameters; parsing, errors, help and
//! the reference page are derived from it.

mod build;
mod chosen;
mod compiled;
mod networks;
mod page;
mod parameter;
mod part;
mod parts;
mod policy_file;
mod spec;
mod whole;

#[cfg(test)]
mod tests;

pub use chosen::Chosen;
pub use networks::{network_layers, new_learner, try_network};
pub use page::reference_page;
pub use parameter::{PartParameter, Value, ValueKind};
pub use part::{Named, Part, PartKind, Preset};
pub use parts::{SHARED, parts};
pub use policy_file::PolicyFile;
pub use spec::{AgentSpec, load_agent, unknown_agent};
