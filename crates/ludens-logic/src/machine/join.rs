//! Generators: steps with several answers, for each of which the rest of the rule is run.

use super::{Frame, Machine, Run};
use crate::plan::{Fields, Source, Step, TruthScan};
use crate::store::Value;

impl Machine {
    /// Runs the rest of a rule for each answer of a step.
    pub(super) fn generate(&mut self, frame: &Frame<'_>, at: usize, step: &Step) -> Run<bool> {
        if at % 32 == 31 {
            return stacker::maybe_grow(64 << 10, 2 << 20, || self.generate_here(frame, at, step));
        }
        self.generate_here(frame, at, step)
    }

    fn generate_here(&mut self, frame: &Frame<'_>, at: usize, step: &Step) -> Run<bool> {
        match step {
            Step::EachTruth(scan) => self.each_truth(frame, at, scan),
            Step::EachFact { relation, index, key, outs } => {
                self.each_fact(frame, at, *relation, index.map(|i| (i, &key[..])), outs)
            }
            Step::Does(fields) => self.each(frame, at, self.does.len(), |machine, i| {
                let Machine { store, registers, does, .. } = machine;
                fields.fit(store, &mut registers[frame.base..], &[does[i].0, does[i].1])
            }),
            Step::AnyTruth(fields) => {
                self.each(frame, at, self.current.facts.len(), |machine, i| {
                    let Machine { store, registers, current, .. } = machine;
                    fields.fit(store, &mut registers[frame.base..], &current.facts[i..=i])
                })
            }
            Step::Call { call, key, .. } => self.each_answer(frame, at, *call, key),
            _ => unreachable!("all other steps are tests"),
        }
    }

    /// Runs the rest of the rule for each index for which `fits` succeeds and fills the registers.
    fn each(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        count: usize,
        mut fits: impl FnMut(&mut Machine, usize) -> bool,
    ) -> Run<bool> {
        let mut found = false;
        for i in 0..count {
            self.tick()?;
            if fits(self, i) && self.run(frame, at + 1)? {
                found = true;
                if at >= frame.cut {
                    break;
                }
            }
        }
        Ok(found)
    }

    fn each_truth(&mut self, frame: &Frame<'_>, at: usize, scan: &TruthScan) -> Run<bool> {
        let here = self.current.of(scan.functor).len();
        if here > 4
            && let Some((index, key)) = &scan.index
        {
            let Some(key) = self.find_all(frame, key) else { return Ok(false) };
            let group = self.current.group(&self.store, *index, &key);
            let Some(group) = group else { return Ok(false) };
            let count = self.current.members(*index, group).len();
            if count <= here {
                return self.each_member(frame, at, scan, (*index, group), count);
            }
        }
        self.each(frame, at, here, |machine, i| {
            let Machine { store, registers, current, .. } = machine;
            let fluent = current.of(scan.functor)[i];
            scan.fit(&scan.pattern, store, &mut registers[frame.base..], fluent)
        })
    }

    fn each_member(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        scan: &TruthScan,
        (index, group): (u32, u32),
        count: usize,
    ) -> Run<bool> {
        self.each(frame, at, count, |machine, i| {
            let Machine { store, registers, current, .. } = machine;
            let fluent = current.members(index, group)[i];
            current.holds(fluent)
                && scan.fit(&scan.rest, store, &mut registers[frame.base..], fluent)
        })
    }

    fn each_fact(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        relation: u32,
        index: Option<(u32, &[Source])>,
        outs: &Fields,
    ) -> Run<bool> {
        let relation = &frame.program.relations[relation as usize];
        let fits = |machine: &mut Machine, row: &[Value]| {
            let Machine { store, registers, .. } = machine;
            outs.fit(store, &mut registers[frame.base..], row)
        };
        let Some((index, key)) = index else {
            return self.each(frame, at, relation.len(), |machine, i| {
                fits(machine, relation.row(i as u32))
            });
        };
        let Some(key) = self.find_all(frame, key) else { return Ok(false) };
        let rows = relation.lookup(index, &key);
        self.each(frame, at, rows.len(), |machine, i| fits(machine, relation.row(rows[i])))
    }

    /// The first matching row of a static relation.
    #[inline]
    pub(super) fn first_row<'p>(
        &self,
        frame: &Frame<'p>,
        relation: u32,
        index: u32,
        key: &[Source],
    ) -> Option<&'p [Value]> {
        let relation = &frame.program.relations[relation as usize];
        let rows = match key {
            // The most common join by far: one bound column.
            [source] => relation.lookup(index, &[self.find(frame, source)?]),
            _ => relation.lookup(index, &self.find_all(frame, key)?),
        };
        rows.first().map(|&row| relation.row(row))
    }
}
