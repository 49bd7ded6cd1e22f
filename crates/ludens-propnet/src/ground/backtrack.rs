//! Executes a join plan with backtracking.

use ludens_gdl::rules::RelationId;
use ludens_logic::terms::Value;

use super::join::{Action, Join, Scan, Source};
use super::limit::Stop;
use super::run::Grounder;
use super::table::NONE;
use super::values::{is_same, lookup_all, match_all};

impl Grounder<'_> {
    /// Finds the instances of a rule from a new atom.
    pub(super) fn join(&mut self, join: &Join, row: Option<u32>) -> Result<(), Stop> {
        self.registers.resize(self.registers.len().max(join.n_registers), Value(0));
        self.chosen.resize(self.chosen.len().max(join.n_slots), NONE);
        self.cursors.resize(self.cursors.len().max(join.steps.len()), NONE);
        self.limits.step(&self.store)?;
        if let (Some(start), Some(row)) = (&join.start, row) {
            self.chosen[start.slot] = row;
            let tuple = self.tables[start.relation.0 as usize].tuple(row);
            if !match_all(&self.store, &mut self.registers, &start.patterns, tuple) {
                return Ok(());
            }
        }
        let mut at = 0;
        loop {
            let (succeeded, mut back) = self.forward(join, at)?;
            if succeeded {
                at += 1;
                continue;
            }
            loop {
                let Some(scan_step) = back else { return Ok(()) };
                let Action::Scan(scan) = &join.steps[scan_step].action else {
                    unreachable!("steps backtrack to scans");
                };
                if self.advance(join, scan, scan_step)? {
                    at = scan_step + 1;
                    break;
                }
                back = join.steps[scan_step].back;
            }
        }
    }

    /// Executes a step; returns whether it succeeded, and the scan to backtrack to otherwise.
    fn forward(&mut self, join: &Join, at: usize) -> Result<(bool, Option<usize>), Stop> {
        if join.silent && at == join.head_bound_at && self.head_is_possible(join) {
            return Ok((false, join.resume));
        }
        let Some(step) = join.steps.get(at) else {
            self.emit(join)?;
            return Ok((false, join.resume));
        };
        self.limits.step(&self.store)?;
        let succeeded = match &step.action {
            Action::Scan(scan) => {
                self.cursors[at] = self.first(scan);
                self.advance(join, scan, at)?
            }
            Action::Lookup { slot, relation, args, before_start } => {
                let row = self.find(*relation, args);
                self.chosen[*slot] = row;
                row != NONE && !(*before_start && self.is_start(join, row))
            }
            Action::Absent { relation, args } => self.find(*relation, args) == NONE,
            Action::Distinct(left, right) => !is_same(&self.store, &self.registers, left, right),
        };
        Ok((succeeded, step.back))
    }

    fn is_start(&self, join: &Join, row: u32) -> bool {
        join.start.as_ref().is_some_and(|start| self.chosen[start.slot] == row)
    }

    /// The first candidate of a scan.
    fn first(&mut self, scan: &Scan) -> u32 {
        match &scan.index {
            None => 0,
            Some((index, sources)) => {
                if !lookup_all(&mut self.head, &self.store, &self.registers, sources) {
                    return NONE;
                }
                self.tables[scan.relation.0 as usize].first(&self.store, *index, &self.head)
            }
        }
    }

    /// Moves a scan to its next match.
    fn advance(&mut self, join: &Join, scan: &Scan, at: usize) -> Result<bool, Stop> {
        let table = &self.tables[scan.relation.0 as usize];
        let start = join.start.as_ref().filter(|_| scan.before_start);
        let excluded = start.map_or(NONE, |start| self.chosen[start.slot]);
        let mut cursor = self.cursors[at];
        // Atoms found meanwhile become visible later, when they are joined themselves.
        while cursor != NONE {
            let row = match &scan.index {
                None => match table.visible().get(cursor as usize) {
                    Some(&row) => row,
                    None => return Ok(false),
                },
                Some(_) => cursor,
            };
            cursor = match &scan.index {
                None => cursor + 1,
                Some((index, _)) => table.next(*index, row),
            };
            self.limits.step(&self.store)?;
            let tuple = table.tuple(row);
            if row != excluded && match_all(&self.store, &mut self.registers, &scan.patterns, tuple)
            {
                self.cursors[at] = cursor;
                self.chosen[scan.slot] = row;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn find(&mut self, relation: RelationId, args: &[Source]) -> u32 {
        if !lookup_all(&mut self.head, &self.store, &self.registers, args) {
            return NONE;
        }
        self.tables[relation.0 as usize].find_visible(&self.head).unwrap_or(NONE)
    }

    /// Whether the head of the rule is already known to be possible.
    fn head_is_possible(&mut self, join: &Join) -> bool {
        let table = &self.tables[join.head.0 as usize];
        lookup_all(&mut self.head, &self.store, &self.registers, &join.head_args)
            && table.find(&self.head).is_some_and(|row| table.is_possible(row))
    }
}
