//! Turns panics into values.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a function that may panic; the error is the panic's message.
///
/// A panic may leave whatever the function was changing in an invalid state: the caller must drop it.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = message(&*payload);
        // Dropping the payload may panic again.
        std::mem::forget(payload);
        text
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}
