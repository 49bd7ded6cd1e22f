//! How many facts of each line are missing, computed from all facts or from those that have changed.

use super::Lines;
use crate::inputs::Bits;

/// Inputs of a group: whether it has at least this many lines with one, and with two facts missing.
pub(super) const LIMITS: [[u16; 4]; 2] = [[1, 2, 3, 5], [1, 2, 4, 8]];

/// Counts the missing facts of all lines.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts {
    /// The number of facts of each line.
    lens: Vec<u16>,
    groups: Vec<u32>,
    n_groups: usize,
    /// What is added to which lines, fact after fact, and where the changes of each fact end.
    changes: Vec<(u32, u16)>,
    ends: Vec<u32>,
}

/// Added to the missing facts of a line that is blocked.
const BLOCKED: u16 = 1 << 8;

/// Lines of a group with one and with two missing facts, and all others.
pub(crate) type GroupCounts = [u16; 3];

/// The lines of the last position, from which those of the next one are computed.
#[derive(Clone, Debug)]
pub(crate) struct LineState {
    missing: Vec<u16>,
    groups: Vec<GroupCounts>,
    /// The inputs that are true.
    pub inputs: Bits,
}

/// The place of a line among [`GroupCounts`].
fn column(n_missing: u16) -> usize {
    usize::from(n_missing.wrapping_sub(1).min(2))
}

impl LineCounts {
    /// For the lines of a game with this many facts.
    pub(crate) fn new(lines: &Lines, n_facts: usize) -> Self {
        let mut of_facts: Vec<Vec<(u32, u16)>> = vec![Vec::new(); n_facts];
        for (i, line) in (0..).zip(&lines.lines) {
            for &fact in &line.facts {
                of_facts[fact as usize].push((i, 1u16.wrapping_neg()));
            }
            for &fact in &line.blockers {
                of_facts[fact as usize].push((i, BLOCKED));
            }
        }
        let ends = of_facts.iter().scan(0, |end, changes| {
            *end += changes.len() as u32;
            Some(*end)
        });
        LineCounts {
            lens: lines.lines.iter().map(|line| line.facts.len() as u16).collect(),
            groups: lines.lines.iter().map(|line| line.group).collect(),
            n_groups: lines.n_groups(),
            ends: ends.collect(),
            changes: of_facts.concat(),
        }
    }

    fn changes(&self, fact: usize) -> &[(u32, u16)] {
        let start = if fact == 0 { 0 } else { self.ends[fact - 1] };
        &self.changes[start as usize..self.ends[fact] as usize]
    }

    /// Appends the inputs that are true in a state with these facts; the first has the number `first`.
    pub(crate) fn append(
        &self,
        facts: &[u32],
        (missing, groups): (&mut Vec<u16>, &mut Vec<GroupCounts>),
        first: u32,
        out: &mut Vec<u32>,
    ) {
        missing.clone_from(&self.lens);
        for &fact in facts {
            for &(line, change) in self.changes(fact as usize) {
                missing[line as usize] = missing[line as usize].wrapping_add(change);
            }
        }
        groups.clear();
        groups.resize(self.n_groups, [0; 3]);
        let mut len = out.len();
        out.resize(len + missing.len(), 0);
        // Without branches: which lines are nearly complete is unpredictable.
        for (i, (&n, &group)) in (0..).zip(missing.iter().zip(&self.groups)) {
            let column = column(n);
            groups[group as usize][column] += 1;
            out[len] = first + 2 * i + column as u32;
            len += usize::from(column < 2);
        }
        out.truncate(len);
        let mut next = first + 2 * self.lens.len() as u32;
        for counts in groups {
            for (&n, limits) in counts.iter().zip(&LIMITS) {
                out.extend((next..).zip(limits).filter(|(_, limit)| n >= **limit).map(|(i, _)| i));
                next += limits.len() as u32;
            }
        }
    }

    /// The lines of a state without facts. Flips the inputs that are true then in `changed`; the state has none
    /// of them yet.
    pub(crate) fn empty_state(&self, changed: &mut Bits) -> LineState {
        let (mut missing, mut groups, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        self.append(&[], (&mut missing, &mut groups), 0, &mut inputs);
        inputs.iter().for_each(|&input| changed.flip(input as usize));
        let n_inputs = 2 * self.lens.len() + LIMITS.as_flattened().len() * self.n_groups;
        LineState { missing, groups, inputs: Bits::new(n_inputs) }
    }

    /// A fact has become true or false. Flips the inputs that have changed in `changed`, whose owner flips
    /// them in `state` when all facts have changed.
    pub(crate) fn change(
        &self,
        state: &mut LineState,
        fact: u32,
        is_true: bool,
        changed: &mut Bits,
    ) {
        for &(line, change) in self.changes(fact as usize) {
            let missing = &mut state.missing[line as usize];
            let change = if is_true { change } else { change.wrapping_neg() };
            let (from, to) = (column(*missing), column(missing.wrapping_add(change)));
            *missing = missing.wrapping_add(change);
            if from != to {
                let group = self.groups[line as usize] as usize;
                let counts = &mut state.groups[group];
                // A limit is crossed if it is the larger of the counts before and after.
                self.flip(line as usize, group, (from, counts[from]), changed);
                counts[from] -= 1;
                counts[to] += 1;
                self.flip(line as usize, group, (to, counts[to]), changed);
            }
        }
    }

    /// Flips the input of a line in a column, and that of its group with the limit `n`, if there is one.
    fn flip(&self, line: usize, group: usize, (column, n): (usize, u16), changed: &mut Bits) {
        let Some(limits) = LIMITS.get(column) else { return };
        changed.flip(2 * line + column);
        if let Some(place) = limits.iter().position(|&limit| limit == n) {
            let n_limits = limits.len();
            changed.flip(2 * self.lens.len() + n_limits * (LIMITS.len() * group + column) + place);
        }
    }
}
