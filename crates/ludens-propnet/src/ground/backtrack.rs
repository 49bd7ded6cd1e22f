//! Runs one join with backtracking.

use ludens_gdl::rules::RelationId;
use ludens_logic::terms::Value;

use super::join::{Action, Each, Join, Source};
use super::limit::Stop;
use super::run::Grounder;
use super::table::NONE;
use super::values::{fill, fit_all, is_same};

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
            if !fit_all(&self.store, &mut self.registers, &start.patterns, tuple) {
                return Ok(());
            }
        }
        let mut at = 0;
        loop {
            let (goes_on, mut back) = self.forward(join, at)?;
            if goes_on {
                at += 1;
                continue;
            }
            loop {
                let Some(choice) = back else { return Ok(()) };
                let Action::Each(each) = &join.steps[choice].action else {
                    unreachable!("steps go back to choices");
                };
                if self.advance(join, each, choice)? {
                    at = choice + 1;
                    break;
                }
                back = join.steps[choice].back;
            }
        }
    }

    /// Takes a step; returns whether to continue, and the choice to backtrack to otherwise.
    fn forward(&mut self, join: &Join, at: usize) -> Result<(bool, Option<usize>), Stop> {
        if join.silent && at == join.settled && self.is_found(join) {
            return Ok((false, join.resume));
        }
        let Some(step) = join.steps.get(at) else {
            self.emit(join)?;
            return Ok((false, join.resume));
        };
        self.limits.step(&self.store)?;
        let goes_on = match &step.action {
            Action::Each(each) => {
                self.cursors[at] = self.first(each);
                self.advance(join, each, at)?
            }
            Action::Find { slot, relation, args, before_start } => {
                let row = self.find(*relation, args);
                self.chosen[*slot] = row;
                row != NONE && !(*before_start && self.is_start(join, row))
            }
            Action::Absent { relation, args } => self.find(*relation, args) == NONE,
            Action::Distinct(left, right) => !is_same(&self.store, &self.registers, left, right),
        };
        Ok((goes_on, step.back))
    }

    fn is_start(&self, join: &Join, row: u32) -> bool {
        join.start.as_ref().is_some_and(|start| self.chosen[start.slot] == row)
    }

    /// The first choice of a step.
    fn first(&mut self, each: &Each) -> u32 {
        match &each.index {
            None => 0,
            Some((index, sources)) => {
                if !fill(&mut self.head, &self.store, &self.registers, sources) {
                    return NONE;
                }
                self.tables[each.relation.0 as usize].first(&self.store, *index, &self.head)
            }
        }
    }

    /// Takes the next choice that matches.
    fn advance(&mut self, join: &Join, each: &Each, at: usize) -> Result<bool, Stop> {
        let table = &self.tables[each.relation.0 as usize];
        let start = join.start.as_ref().filter(|_| each.before_start);
        let barred = start.map_or(NONE, |start| self.chosen[start.slot]);
        let mut cursor = self.cursors[at];
        // Atoms found meanwhile become visible later, when they are joined themselves.
        while cursor != NONE {
            let row = match &each.index {
                None => match table.visible().get(cursor as usize) {
                    Some(&row) => row,
                    None => return Ok(false),
                },
                Some(_) => cursor,
            };
            cursor = match &each.index {
                None => cursor + 1,
                Some((index, _)) => table.next(*index, row),
            };
            self.limits.step(&self.store)?;
            let tuple = table.tuple(row);
            if row != barred && fit_all(&self.store, &mut self.registers, &each.patterns, tuple) {
                self.cursors[at] = cursor;
                self.chosen[each.slot] = row;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn find(&mut self, relation: RelationId, args: &[Source]) -> u32 {
        if !fill(&mut self.head, &self.store, &self.registers, args) {
            return NONE;
        }
        self.tables[relation.0 as usize].find_visible(&self.head).unwrap_or(NONE)
    }

    /// Whether the head of a rule is known to be possible.
    fn is_found(&mut self, join: &Join) -> bool {
        let table = &self.tables[join.head.0 as usize];
        fill(&mut self.head, &self.store, &self.registers, &join.head_args)
            && table.find(&self.head).is_some_and(|row| table.is_possible(row))
    }
}
