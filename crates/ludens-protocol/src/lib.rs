//! The General Game Playing protocol over HTTP: a host sends rules and moves to players, and players
//! answer with their moves.
//!
//! ```
//! use ludens_protocol::Request;
//!
//! let request: Request = "( PLAY match.1 ( ( mark 1 2 ) noop ) )".parse()?;
//! let Request::Play { id, last } = &request else { panic!("another request") };
//! assert_eq!((id.as_str(), last.len()), ("match.1", 2));
//! assert_eq!(request.to_string(), "( PLAY match.1 ( ( mark 1 2 ) noop ) )");
//! # Ok::<(), ludens_protocol::MessageError>(())
//! ```

mod client;
mod deadlines;
mod expression;
mod host;
mod info;
mod matches;
mod request;
mod server;
pub mod torture;

pub use client::{Address, AddressError, AskError, DEFAULT_PORT, ask};
pub use expression::{Expression, ExpressionError, MAX_DEPTH};
pub use host::{
    Fault, GivenUp, Hosted, Played, RANDOM_ROLE, ResponseTimes, player_of_several_roles,
};
pub use info::{PlayerInfo, Status};
pub use matches::{MakePlayer, Matches, Refusal, RefusalReason};
pub use request::{MAX_CLOCK, MessageError, Request};
pub use server::{ServerLimits, serve};
