//! The states on the way from the root to the current one.

use crate::classic::fingerprint::Fingerprint;

/// A stack of states that knows which it holds.
pub(super) struct Path {
    states: Vec<Fingerprint>,
    /// How many states have these low bits: nearly always none, so that the stack is rarely searched.
    marks: Vec<u16>,
}

impl Path {
    const MARKS: usize = 1 << 12;

    /// An empty path.
    pub fn new() -> Self {
        Path { states: Vec::new(), marks: vec![0; Self::MARKS] }
    }

    /// Adds a state.
    pub fn push(&mut self, state: Fingerprint) {
        self.states.push(state);
        self.marks[state.low as usize % Self::MARKS] += 1;
    }

    /// Removes the last state.
    pub fn pop(&mut self) {
        if let Some(state) = self.states.pop() {
            self.marks[state.low as usize % Self::MARKS] -= 1;
        }
    }

    /// Whether a state is on the path.
    pub fn contains(&self, state: Fingerprint) -> bool {
        self.marks[state.low as usize % Self::MARKS] > 0 && self.states.contains(&state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_contains_what_was_pushed_and_not_popped() {
        let (a, b) = (Fingerprint::of(&1u64), Fingerprint { high: 7, ..Fingerprint::of(&1u64) });
        let mut path = Path::new();
        path.push(a);
        assert_eq!((path.contains(a), path.contains(b)), (true, false));
        path.push(b);
        path.pop();
        assert_eq!((path.contains(a), path.contains(b)), (true, false));
        path.pop();
        assert!(!path.contains(a));
    }
}
