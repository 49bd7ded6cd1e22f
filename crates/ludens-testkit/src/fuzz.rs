//! Fuzzing: mutations of real rules, determined by a seed and a number.
//!
//! The targets return failures as values; a panic counts as a failure too. The runner keeps the
//! current input in a file, since a stack overflow cannot be caught.

mod mutate;
mod structure;
mod target;

use std::time::Duration;

use cpu_time::ThreadTime;
use ludens_core::guard;

pub use mutate::{case, mutant};
pub use target::{Agreement, Loader, agreement, front_end, reasoner};

/// The component under test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Parsing, checking and formatting of text.
    FrontEnd,
    /// Loading of rules, and a few moves.
    Reasoner,
}

/// The stage that a text reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reached {
    /// It cannot be parsed, or has no agreed meaning.
    Refused,
    /// It was parsed, and then exceeded its limits.
    GivenUp,
    /// All steps finished.
    Done,
}

/// A failure of a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// A description.
    pub what: String,
}

/// No text may take more CPU time than this; the limits under test are far below.
pub const MAX_TIME: Duration = Duration::from_secs(10);

/// Feeds one text to a target, and returns the stage it reached.
pub fn feed(target: Target, bytes: &[u8], loader: &Loader) -> Result<Reached, Failure> {
    guarded(bytes, || match target {
        Target::FrontEnd => front_end(bytes),
        Target::Reasoner => reasoner(bytes, loader),
    })
}

/// Runs work on a text that must neither panic nor take long.
pub fn guarded<T>(bytes: &[u8], work: impl FnOnce() -> Result<T, String>) -> Result<T, Failure> {
    let start = ThreadTime::now();
    let result = guard(work).unwrap_or_else(|panicked| Err(format!("panic: {panicked}")));
    let time = start.elapsed();
    let slow = || format!("{time:.1?} for {} bytes", bytes.len());
    let result = result.and_then(|reached| if time > MAX_TIME { Err(slow()) } else { Ok(reached) });
    result.map_err(|what| Failure { what })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_core::{Reasoner, Trouble};

    use super::*;
    use crate::naive::{Limits, Naive};

    const TEXT: &str = "(role you) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (legal you step) (true (at ?x)) (succ ?x ?y)) (goal you 100)
        (<= terminal (true (at 3))) ; done
        (<= (next (at ?y)) (does you step) (true (at ?x)) (succ ?x ?y) (not (true stop)))";

    fn load(rules: &ludens_gdl::Rules) -> Result<Arc<dyn Reasoner>, Trouble> {
        let limits = Limits { steps: 20_000, ..Limits::default() };
        Ok(Arc::new(Naive::with_limits(rules.clone(), limits)?))
    }

    #[test]
    fn cases_are_reproducible_and_differ() {
        let seeds = [TEXT.to_owned()];
        assert_eq!(case(&seeds, 1, 7), case(&seeds, 1, 7));
        let different: std::collections::HashSet<_> = (0..50).map(|n| case(&seeds, 1, n)).collect();
        assert!(different.len() > 40, "{}", different.len());
    }

    #[test]
    fn some_hundred_texts_cause_no_failure() {
        let seeds = [TEXT.to_owned()];
        let mut done = 0;
        for number in 0..150 {
            let bytes = case(&seeds, 5, number);
            for target in [Target::FrontEnd, Target::Reasoner] {
                let result = feed(target, &bytes, &load);
                let shown = String::from_utf8_lossy(&bytes);
                let reached = result.unwrap_or_else(|failure| panic!("{}: {shown}", failure.what));
                done += u32::from(reached == Reached::Done);
            }
        }
        assert!(done > 50, "only {done} texts passed all stages");
    }

    #[test]
    fn a_panic_is_a_failure() {
        let broken = |_: &ludens_gdl::Rules| -> Result<Arc<dyn Reasoner>, Trouble> {
            panic!("planted {}", "bug")
        };
        let failure = feed(Target::Reasoner, TEXT.as_bytes(), &broken).unwrap_err();
        assert_eq!(failure.what, "panic: planted bug");
    }

    #[test]
    fn reasoners_that_differ_are_detected() {
        let other = |_: &ludens_gdl::Rules| {
            let text = TEXT.replace("(init (at 1))", "(init (at 2))");
            load(&ludens_gdl::load(&text).0.expect("the text loads"))
        };
        let all = |others: &[&super::Loader]| {
            let load_others = |rules: &_| others.iter().map(|load| load(rules)).collect();
            super::agreement(TEXT.as_bytes(), &load, &load_others)
        };
        let agreed = all(&[&load, &load]).unwrap();
        assert!(agreed.reached == Reached::Done && agreed.states > 3, "{agreed:?}");
        let error = all(&[&load, &other]).unwrap_err();
        assert!(error.starts_with("reasoner 1: game 0 step 0: state"), "{error}");
    }
}
