//! The composition root: the only crate that knows all games, reasoners and agents by name.
//!
//! ```
//! let entry = ludens_catalog::find("tictactoe").unwrap();
//! assert_eq!(entry.header.roles, ["xplayer", "oplayer"]);
//!
//! let source = ludens_catalog::load_source("hex(size=4)").unwrap();
//! assert!(source.source.text.contains("(size 4)"));
//!
//! let error = ludens_catalog::load_source("tictacto").unwrap_err();
//! assert_eq!(error.hint().unwrap(), "did you mean `tictactoe`?");
//! ```

mod agent;
mod as_text;
mod bytes;
mod cache;
mod error;
mod game;
mod header;
mod library;
mod loader;
mod native;
mod nearest;
mod parameter;
mod reasoner;
mod size;
mod source;
mod term;

pub use agent::{
    AgentSpec, Chosen, Named, Part, PartKind, PartParameter, PolicyFile, Preset, SHARED, Value,
    ValueKind, load_agent, network_layers, new_learner, parts, reference_page, try_network,
    unknown_agent,
};
pub use bytes::split_size;
pub use cache::Cache;
pub use error::CatalogError;
pub use game::{LoadedGame, load_game, load_text, read_rules};
pub use header::{Header, HeaderProblem};
pub use library::{Entry, find, library};
pub use loader::{GroundLimits, LoadReport, Loader};
pub use ludens_core::WithGame;
pub use native::{AnyNative, NativeTwin};
pub use nearest::nearest;
pub use parameter::Parameter;
pub use reasoner::{AnyGame, Material, ReasonerKind};
pub use size::NetworkSize;
pub use source::{LoadedSource, load_source};
pub use term::{canonical_term, split_terms};
