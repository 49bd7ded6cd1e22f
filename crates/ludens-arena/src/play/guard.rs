//! Turns panics of agents and reasoners into messages for incidents.

use ludens_core::guard;

/// Calls a function that may panic; the error is the panic's message.
///
/// A panic may leave whatever the function was changing in an invalid state: the caller must drop it.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    guard(run).map_err(|panicked| panicked.to_string())
}
