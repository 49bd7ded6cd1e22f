//! Ctrl-C raises a flag: finished games are in the journal, and the program ends in an orderly way.

use std::sync::OnceLock;

use crate::Outcome;
use ludens_lab::Stop;

/// The exit code of an interrupted program: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// The flag that Ctrl-C raises. From the first call on, the first Ctrl-C does nothing else, and the
/// second ends the program at once.
pub fn stop() -> &'static Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Stop::new();
        let raised = stop.clone();
        // Without a handler Ctrl-C ends the program as usual, and the journal is still correct.
        let _ = ctrlc::set_handler(move || {
            if raised.is_raised() {
                std::process::exit(INTERRUPTED);
            }
            raised.raise();
        });
        stop
    })
}

/// The outcome of a command that plays games: an interrupted one leaves games to be played.
pub fn outcome() -> Outcome {
    if stop().is_raised() { Outcome::Found } else { Outcome::Fine }
}
