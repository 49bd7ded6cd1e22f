//! A crash of an agent is a result, and results are told in tables.

use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::thread;

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync;

/// Keeps panics of all threads but this one quiet, as long as it lives.
pub(super) struct Quiet {
    usual: Arc<Hook>,
}

/// Keeps panics of all threads but this one quiet: games run on the others, and what goes wrong in
/// them is written down.
pub(super) fn panics_of_other_threads() -> Quiet {
    let usual: Arc<Hook> = panic::take_hook().into();
    let (here, told) = (thread::current().id(), Arc::clone(&usual));
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == here {
            told(info);
        }
    }));
    Quiet { usual }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // In the middle of a panic hooks cannot be changed, and the program is about to end.
        if !thread::panicking() {
            let usual = Arc::clone(&self.usual);
            panic::set_hook(Box::new(move |info| usual(info)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const WORD: &str = "a panic on purpose";

    fn panic_elsewhere() {
        assert!(thread::spawn(|| panic!("{WORD}")).join().is_err());
    }

    #[test]
    fn panics_elsewhere_are_quiet_for_a_while() {
        let heard = Arc::new(AtomicUsize::new(0));
        let (usual, counter) = (panic::take_hook(), Arc::clone(&heard));
        panic::set_hook(Box::new(move |info| {
            // Other tests may panic at the same time.
            if info.payload_as_str() == Some(WORD) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }));
        let quiet = panics_of_other_threads();
        panic_elsewhere();
        let while_quiet = heard.load(Ordering::Relaxed);
        assert!(catch_unwind(|| panic!("{WORD}")).is_err());
        let here = heard.load(Ordering::Relaxed);
        drop(quiet);
        panic_elsewhere();
        let afterwards = heard.load(Ordering::Relaxed);
        panic::set_hook(usual);
        assert_eq!((while_quiet, here, afterwards), (0, 1, 2));
    }
}
