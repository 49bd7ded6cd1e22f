//! Panics of agents and reasoners become incidents, which are texts.

use ludens_core::guard;

/// Runs something that may panic; the error is the message of the panic.
///
/// What it was changing may be left half-way: the caller must discard it.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    guard(run).map_err(|panicked| panicked.to_string())
}
