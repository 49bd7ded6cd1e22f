//! Ctrl-C as a flag: what is done is written down, then the program ends by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::Outcome;

/// The exit code of programs that the user has interrupted: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// The flag that Ctrl-C raises; from the first call on, the first Ctrl-C does nothing else, and the
/// second ends the program at once.
pub(super) fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let listen = || {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        // Where nobody can listen, Ctrl-C ends the program as usual, and the journal is still right.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        flag
    };
    Arc::clone(FLAG.get_or_init(listen))
}

/// Ends all games, as Ctrl-C does.
pub(super) fn end_games() {
    flag().store(true, Ordering::Relaxed);
}

/// Whether the user has ended the contest early.
pub fn is_interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}

/// How a command ends that plays games: one that the user has ended early leaves games to be played.
pub fn outcome() -> Outcome {
    if is_interrupted() { Outcome::Found } else { Outcome::Fine }
}
