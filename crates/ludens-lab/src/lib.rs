//! The application as a library: sessions, contests, experiments, analysis, players and hosts, for the
//! command line, a server and other languages.
//!
//! It prints nothing, parses no arguments, and uses neither signals nor the panic hook. Settings are
//! plain data; a [`Stop`] ends work early, and [`Event`]s report progress to the caller.

pub mod accuracy;
pub mod analysis;
mod as_text;
mod board;
pub mod contest;
mod event;
mod hinted;
pub mod host;
pub mod initial_policy;
mod load;
mod load_once;
mod loads;
mod match_record;
mod natural_order;
mod player;
mod prepared_game;
pub mod reproduce;
mod session;
mod single_match;
pub mod speed;
mod stop;
pub mod study;
pub mod survey;
pub mod training;
pub mod units;

pub use board::Board;
pub use event::{Event, Events};
pub use hinted::Hinted;
pub use load::{LoadSettings, QUESTION_TIME, load_budget};
pub use loads::Loads;
pub use match_record::MatchRecord;
pub use player::{AgentPlayer, Preparation};
pub use prepared_game::PreparedGame;
pub use session::{
    AgentId, InputError, Position, Session, SessionError, Setup, ThinkSettings, Turn, Watch,
    normalised,
};
pub use single_match::{MatchResult, MatchSettings};
pub use stop::Stop;
