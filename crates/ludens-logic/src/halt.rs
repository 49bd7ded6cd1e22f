//! Why an evaluation is aborted.

use ludens_core::Trouble;

/// Why an evaluation is aborted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The deadline has passed, or the stop flag is set.
    Time,
    /// The memory limit is exceeded.
    Memory,
    /// The step limit is exceeded.
    Steps,
    /// A term is nested too deeply, as happens when rules have infinitely many consequences.
    TooDeep,
    /// A relation depends on its own negation.
    Unstratified,
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Trouble {
        let what = match halt {
            Halt::Time => "time limit exceeded",
            Halt::Memory => "memory limit exceeded",
            Halt::Steps => "step limit exceeded",
            Halt::TooDeep => {
                let what = "a term is nested too deeply or too large; the rules seem to have infinitely many consequences";
                return Trouble::Unbounded(what.into());
            }
            Halt::Unstratified => return Trouble::NegativeCycle,
        };
        Trouble::Exhausted(what.into())
    }
}
