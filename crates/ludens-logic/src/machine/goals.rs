//! Tabling: goals are evaluated once, and those that depend on each other are completed together.

use super::{Frame, MAX_NESTING, Machine, Run, Sink};
use crate::halt::Halt;
use crate::plan::{Call, CallId, Program, Source, Step};
use crate::store::Value;
use crate::table::{Goal, Record, SuspendedRule, Table};

impl Machine {
    fn table(&mut self, goal: Goal) -> &mut Table {
        &mut self.tables[goal.lifetime as usize]
    }

    /// Evaluates a goal if it is new. The answers may be incomplete if the caller is a rule of an
    /// incomplete goal.
    pub(super) fn solve(&mut self, program: &Program, call: CallId, key: &[Value]) -> Run<Goal> {
        let lifetime = program.calls[call.0 as usize].lifetime;
        if let Some(index) = self.tables[lifetime as usize].find(call, key) {
            return Ok(Goal { lifetime, index });
        }
        let place = self.stack.len() as u32;
        let goal =
            Goal { lifetime, index: self.tables[lifetime as usize].insert(call, key, place) };
        self.stack.push(goal);
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Halt::Memory);
        }
        let result =
            stacker::maybe_grow(64 << 10, 2 << 20, || self.evaluate(program, call, key, goal));
        self.nesting -= 1;
        result.map(|()| goal)
    }

    fn evaluate(&mut self, program: &Program, call: CallId, key: &[Value], goal: Goal) -> Run<()> {
        let Call { plans, n_outs, .. } = &program.calls[call.0 as usize];
        let outer_low = std::mem::replace(&mut self.low, u32::MAX);
        for plan in 0..plans.len() {
            self.enter(program, call, plan, key, Sink::Goal(goal))?;
            if *n_outs == 0 && self.table(goal).record(goal.index).n_answers > 0 {
                break;
            }
        }
        let place = self.record(goal).place;
        loop {
            if self.low < place {
                // A rule run since this goal was called is suspended on an earlier goal, which will
                // complete this one too.
                self.table(goal).record_mut(goal.index).low = self.low;
                self.low = self.low.min(outer_low);
                return Ok(());
            }
            if !self.resume_suspended(program, place)? {
                break;
            }
        }
        self.finish(place);
        self.low = outer_low;
        Ok(())
    }

    pub(super) fn record(&self, goal: Goal) -> &Record {
        self.tables[goal.lifetime as usize].record(goal.index)
    }

    fn finish(&mut self, place: u32) {
        while self.stack.len() > place as usize {
            let goal = self.stack.pop().expect("the stack is longer than place");
            let record = self.table(goal).record_mut(goal.index);
            record.complete = true;
            record.suspended.clear();
        }
    }

    /// Resumes the rules suspended on one dirty goal at or above `place` with its new answers; false if
    /// there is no such goal.
    fn resume_suspended(&mut self, program: &Program, place: u32) -> Run<bool> {
        let Some(position) = self.dirty.iter().rposition(|&goal| self.record(goal).place >= place)
        else {
            return Ok(false);
        };
        let goal = self.dirty.swap_remove(position);
        self.table(goal).record_mut(goal.index).dirty = false;
        let mut at = 0;
        while at < self.record(goal).suspended.len() {
            self.resume(program, goal, at)?;
            at += 1;
        }
        Ok(true)
    }

    fn resume(&mut self, program: &Program, goal: Goal, at: usize) -> Run<()> {
        let n_answers = self.record(goal).n_answers;
        let record = self.table(goal).record_mut(goal.index);
        let entry = &mut record.suspended[at];
        let (from, owner) = (entry.seen, entry.owner);
        entry.seen = n_answers;
        if from == n_answers {
            return Ok(());
        }
        let SuspendedRule { call, plan, step, registers, .. } = entry.clone();
        let plan = &program.calls[call.0 as usize].plans[plan as usize];
        let base = self.registers.len();
        self.registers.extend_from_slice(&registers);
        let frame = Frame { program, call, plan, cut: plan.cut, base, sink: Sink::Goal(owner) };
        for answer in from..n_answers {
            self.tick()?;
            self.continue_with(&frame, step as usize, goal, answer)?;
        }
        self.registers.truncate(base);
        Ok(())
    }

    /// Runs the rest of a rule for each answer of a call, which is evaluated if it has no table.
    pub(super) fn each_answer(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        call: CallId,
        key: &[Source],
    ) -> Run<bool> {
        let start = self.push_key(frame, key)?;
        let key = self.pop_key(start);
        let goal = self.solve(frame.program, call, &key)?;
        let (complete, n_answers, low) = {
            let record = self.record(goal);
            (record.complete, record.n_answers, record.low)
        };
        if !complete {
            self.suspend(frame, at, goal, n_answers, low);
        }
        let mut found = false;
        for answer in 0..n_answers {
            self.tick()?;
            if self.continue_with(frame, at, goal, answer)? {
                found = true;
                if at >= frame.cut {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Suspends the rule until the goal has more answers.
    fn suspend(&mut self, frame: &Frame<'_>, at: usize, goal: Goal, seen: u32, low: u32) {
        let Sink::Goal(owner) = frame.sink else {
            unreachable!("only rules of incomplete goals can call incomplete goals");
        };
        self.low = self.low.min(low);
        let registers = self.registers[frame.base..frame.base + frame.plan.registers].into();
        let plans = &frame.program.calls[frame.call.0 as usize].plans;
        let plan = plans
            .iter()
            .position(|plan| std::ptr::eq(plan, frame.plan))
            .expect("the plan belongs to its call");
        let rule = SuspendedRule {
            call: frame.call,
            plan: plan as u32,
            step: at as u32,
            registers,
            owner,
            seen,
        };
        self.table(goal).record_mut(goal.index).suspended.push(rule);
    }

    /// Continues after a call with one of its answers.
    fn continue_with(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        goal: Goal,
        answer: u32,
    ) -> Run<bool> {
        let Step::Call { outs, .. } = &frame.plan.steps[at] else {
            unreachable!("only calls have answers");
        };
        let Machine { store, registers, tables, .. } = self;
        let record = tables[goal.lifetime as usize].record(goal.index);
        let fits = outs.fit(store, &mut registers[frame.base..], record.answer(answer));
        if fits { self.run(frame, at + 1) } else { Ok(false) }
    }
}
