//! The values of gates as bytes, with their negations beside them, so that a literal is one load.

use crate::net::Signal;

/// The last state, and the values derived from it.
#[derive(Clone, Debug)]
pub struct Values {
    /// Two for each gate: whether it holds, and whether it does not.
    bytes: Vec<u8>,
    /// The fluents that hold.
    pub state: Vec<u64>,
    /// Whether the gates of `look` are up to date.
    pub is_look_valid: bool,
    /// The work done so far, in units of reading a literal.
    pub work: u64,
}

impl Values {
    /// Only the constant holds.
    pub fn new(n_gates: usize, n_fluents: usize) -> Self {
        let bytes = [0, 1].repeat(n_gates);
        let state = vec![0; n_fluents.div_ceil(64)];
        let mut values = Values { bytes, state, is_look_valid: false, work: 0 };
        values.set(Signal::TRUE.gate(), true);
        values
    }

    /// Copies another one without allocating.
    pub fn copy_from(&mut self, other: &Values) {
        self.bytes.copy_from_slice(&other.bytes);
        self.state.copy_from_slice(&other.state);
        self.is_look_valid = other.is_look_valid;
        self.work = other.work;
    }

    /// Sets the value of a gate.
    pub fn set(&mut self, gate: usize, value: bool) {
        self.bytes[2 * gate] = u8::from(value);
        self.bytes[2 * gate + 1] = u8::from(!value);
    }

    /// The value of a signal.
    pub fn read(&self, signal: Signal) -> bool {
        self.bytes[signal.index()] != 0
    }

    /// Packs the values of some signals into bits.
    pub fn pack(&self, signals: &[Signal], bits: &mut [u64]) {
        for (word, signals) in bits.iter_mut().zip(signals.chunks(64)) {
            let values = signals.iter().enumerate();
            let bits = values.map(|(i, signal)| u64::from(self.bytes[signal.index()]) << i);
            *word = bits.fold(0, |word, bit| word | bit);
        }
    }
}

impl Signal {
    /// The index of its value.
    fn index(self) -> usize {
        2 * self.gate() + usize::from(self.is_negated())
    }
}
