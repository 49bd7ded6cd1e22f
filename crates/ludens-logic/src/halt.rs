//! Why an evaluation stops before its end.

use ludens_core::Trouble;

/// Why an evaluation stops before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The deadline has passed, or the caller asked to stop.
    Time,
    /// The memory allowed is used up.
    Memory,
    /// The steps allowed are used up.
    Steps,
    /// A term is nested too deeply, as happens when rules have infinitely many consequences.
    TooDeep,
    /// A relation depends on its own negation.
    Unstratified,
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Trouble {
        let what = match halt {
            Halt::Time => "the time allowed is used up",
            Halt::Memory => "the memory allowed is used up",
            Halt::Steps => "the steps allowed are used up",
            Halt::TooDeep => {
                let what = "a term is nested too deeply or too large; the rules seem to have infinitely many consequences";
                return Trouble::Unbounded(what.into());
            }
            Halt::Unstratified => return Trouble::NegativeCycle,
        };
        Trouble::Exhausted(what.into())
    }
}
