//! Running rules step by step.

use super::{Frame, Machine, Run, Sink};
use crate::halt::Halt;
use crate::plan::{CallId, Program, Step};
use crate::store::Value;

impl Machine {
    /// Runs one rule of a call.
    pub(super) fn enter(
        &mut self,
        program: &Program,
        call: CallId,
        plan: usize,
        key: &[Value],
        sink: Sink,
    ) -> Run<bool> {
        let plan = &program.calls[call.0 as usize].plans[plan];
        let base = self.registers.len();
        self.registers.resize(base + plan.registers, Value(0));
        let cut = if sink == Sink::Exists { 0 } else { plan.cut };
        let frame = Frame { program, call, plan, cut, base, sink };
        let Machine { store, registers, .. } = self;
        for &(register, value) in &plan.constants {
            registers[base + register as usize] = value;
        }
        let fits = plan.ins.fit(store, &mut registers[base..], key);
        let found = fits && self.run(&frame, 0)?;
        self.registers.truncate(base);
        Ok(found)
    }

    /// Whether a call has an answer, evaluated without a table.
    pub(super) fn check(&mut self, program: &Program, call: CallId, key: &[Value]) -> Run<bool> {
        for plan in 0..program.calls[call.0 as usize].plans.len() {
            if self.enter(program, call, plan, key, Sink::Exists)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs a rule from a step on; true if it has an answer.
    pub(super) fn run(&mut self, frame: &Frame<'_>, first: usize) -> Run<bool> {
        let mut at = first;
        loop {
            let Some(step) = frame.plan.steps.get(at) else {
                return self.emit(frame).map(|()| true);
            };
            let succeeds = match step {
                Step::Fail => false,
                Step::Pass => true,
                Step::Distinct(left, right) => {
                    self.value(frame, left)? != self.value(frame, right)?
                }
                Step::HasTruth { term, positive } => {
                    let holds =
                        self.find(frame, term).is_some_and(|fluent| self.current.holds(fluent));
                    holds == *positive
                }
                Step::NotDoes { role, action } => {
                    let made = (self.find(frame, role), self.find(frame, action));
                    !self.does.iter().any(|&(r, a)| made == (Some(r), Some(a)))
                }
                Step::HasFact { relation, index, key, positive } => {
                    self.first_row(frame, *relation, *index, key).is_some() == *positive
                }
                Step::OneFact { relation, index, key, outs } => {
                    let row = self.first_row(frame, *relation, *index, key);
                    let Machine { store, registers, .. } = self;
                    row.is_some_and(|row| outs.fit(store, &mut registers[frame.base..], row))
                }
                Step::Check { call, key, positive } => {
                    let start = self.push_key(frame, key)?;
                    let key = self.pop_key(start);
                    self.check(frame.program, *call, &key)? == *positive
                }
                Step::NotCall { call, key } => {
                    let start = self.push_key(frame, key)?;
                    let key = self.pop_key(start);
                    let goal = self.solve(frame.program, *call, &key)?;
                    let record = self.record(goal);
                    if !record.complete && record.n_answers == 0 {
                        return Err(Halt::Unstratified);
                    }
                    record.n_answers == 0
                }
                generator => return self.generate(frame, at, generator),
            };
            if !succeeds {
                return Ok(false);
            }
            at += 1;
        }
    }

    fn emit(&mut self, frame: &Frame<'_>) -> Run<()> {
        if frame.sink == Sink::Exists {
            return Ok(());
        }
        let start = self.push_key(frame, &frame.plan.outs)?;
        match frame.sink {
            Sink::Exists => {}
            Sink::Collect => {
                let Machine { collected, scratch, .. } = self;
                collected.extend_from_slice(&scratch[start..]);
            }
            Sink::Goal(goal) => {
                let Machine { tables, scratch, dirty, .. } = self;
                let table = &mut tables[goal.lifetime as usize];
                if table.add(goal.index, &scratch[start..]) {
                    let record = table.record_mut(goal.index);
                    if !record.dirty && !record.suspended.is_empty() {
                        record.dirty = true;
                        dirty.push(goal);
                    }
                }
            }
        }
        self.scratch.truncate(start);
        Ok(())
    }
}
