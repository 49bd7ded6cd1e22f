//! Panics as values: the payload of a reasoner that gives up, and the one place that catches panics.
//!
//! The methods of [`Game`](crate::Game) cannot fail, since they run in the innermost loops. A reasoner
//! that exhausts its limits there unwinds with a typed payload ([`give_up`]), without invoking the panic
//! hook. [`guard`] wraps a match, a query or a call from another language, and turns every panic into a
//! [`Panicked`]. Nothing here replaces the panic hook, so that any number of matches can run in one
//! process.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::reason::Trouble;

/// The panic payload of a reasoner that has exhausted its limits.
struct GaveUp(Trouble);

/// A panic that [`guard`] has caught.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Panicked {
    /// A reasoner exhausted its limits; see [`give_up`].
    GaveUp(Trouble),
    /// A defect of the program, with its message.
    Defect(String),
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Panicked::GaveUp(trouble) => write!(f, "the reasoner gave up: {trouble}"),
            Panicked::Defect(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Panicked {}

/// Unwinds to the nearest guard because a reasoner cannot answer. The panic hook is not invoked: running
/// out of time or memory is not a defect, and the guard reports it.
pub fn give_up(trouble: Trouble) -> ! {
    resume_unwind(Box::new(GaveUp(trouble)))
}

/// Runs `work`, which may panic.
///
/// Data that it was modifying may be left inconsistent: the caller must discard it.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)
}

/// Runs `work`, in which a reasoner may give up; every other panic passes through.
pub fn guard_reasoner<T>(work: impl FnOnce() -> T) -> Result<T, Trouble> {
    let caught = catch_unwind(AssertUnwindSafe(work));
    caught.map_err(|payload| match payload.downcast::<GaveUp>() {
        Ok(gave_up) => gave_up.0,
        Err(payload) => resume_unwind(payload),
    })
}

fn panicked(payload: Box<dyn Any + Send>) -> Panicked {
    let payload = match payload.downcast::<GaveUp>() {
        Ok(gave_up) => return Panicked::GaveUp(gave_up.0),
        Err(payload) => payload,
    };
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    // Dropping an unknown payload may panic again.
    std::mem::forget(payload);
    Panicked::Defect(text.unwrap_or_else(|| "a panic without a message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exhausted() -> Trouble {
        Trouble::Exhausted("no time left".into())
    }

    #[test]
    fn panics_become_values() {
        assert_eq!(guard(|| 7), Ok(7));
        assert_eq!(guard(|| give_up(exhausted())), Err::<(), _>(Panicked::GaveUp(exhausted())));
        let defect = |text: &str| Err::<(), _>(Panicked::Defect(text.to_owned()));
        assert_eq!(guard(|| panic!("fixed text")), defect("fixed text"));
        assert_eq!(guard(|| panic!("text {}", 1)), defect("text 1"));
        let odd = guard(|| std::panic::panic_any(7));
        assert_eq!(odd, defect("a panic without a message"));
        let message = guard(|| -> () { give_up(exhausted()) }).unwrap_err().to_string();
        assert_eq!(message, "the reasoner gave up: no time left");
    }

    #[test]
    fn the_reasoner_guard_passes_other_panics_through() {
        assert_eq!(guard_reasoner(|| 7), Ok(7));
        assert_eq!(guard_reasoner(|| -> () { give_up(exhausted()) }), Err(exhausted()));
        let through = guard(|| guard_reasoner(|| panic!("a defect")));
        assert_eq!(through, Err::<Result<(), _>, _>(Panicked::Defect("a defect".into())));
    }

    #[test]
    fn a_payload_survives_a_thread() {
        let joined = std::thread::spawn(|| give_up(exhausted())).join();
        let passed = guard(|| joined.unwrap_or_else(|payload| resume_unwind(payload)));
        assert_eq!(passed, Err::<(), _>(Panicked::GaveUp(exhausted())));
    }
}
