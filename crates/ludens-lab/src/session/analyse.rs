//! One analysis of a position by a new agent.

use std::time::Instant;

use ludens_catalog::AgentSpec;
use ludens_core::{Move, View, guard};

use super::typed::{AnyPosition, Request};
use super::{InputError, MOVES, Session, SessionError, ThinkSettings, Watch};
use crate::analysis::{Analysis, MoveAnalysis, RoleAnalysis, joint_names, percent};

/// The maximum number of forced joint moves that are played to reach a choice.
const MAX_FORCED: usize = 1000;

impl Session {
    /// Searches the position with a new agent. If no role has a choice, the agent searches the position
    /// that the forced moves lead to.
    pub fn analyse(
        &self,
        (agent, seed): (&AgentSpec, u64),
        settings: &ThinkSettings,
        watch: &mut Watch<'_>,
    ) -> Result<Analysis, SessionError> {
        if let Some(role) = self.stuck_role() {
            return Err(stuck(role));
        }
        self.check_agent(agent)?;
        let mut position = guard(|| self.position.fork())?;
        let forced = self.play_forced(&mut *position)?;
        if let Some(goals) = goals(position.view()) {
            return Ok(self.ended(goals, &forced));
        }
        let roles = self.roles();
        let mut analysis = Analysis::default();
        let (agent, budget, begun) = guard(|| {
            let agent = position.add_agent(agent, seed);
            (agent, settings.budget(), Instant::now())
        })?;
        let mut request = Request {
            agent,
            budget,
            every: settings.every.unwrap_or(std::time::Duration::MAX),
            watch: &mut |report, names| {
                let analysis = Analysis::new(report, roles, names).preceded_by(&forced);
                watch(&analysis.after(begun.elapsed()))
            },
            done: &mut |report, names| {
                analysis = Analysis::new(report, roles, names).preceded_by(&forced);
            },
        };
        guard(|| position.think(&mut request))?;
        Ok(analysis.after(begun.elapsed()))
    }

    /// Plays joint moves while no role has a choice.
    fn play_forced(
        &self,
        position: &mut dyn AnyPosition,
    ) -> Result<Vec<Vec<String>>, SessionError> {
        let mut forced: Vec<Vec<Move>> = Vec::new();
        loop {
            let view = position.view();
            let stuck_role = view.legal.entries().find(|(_, legal)| legal.is_empty());
            if let Some((role, _)) = stuck_role.filter(|_| !view.terminal) {
                return Err(stuck(&self.roles()[role.index()]));
            }
            let decided = view.terminal || view.legal.iter().any(|legal| legal.len() > 1);
            if decided || forced.len() == MAX_FORCED {
                return Ok(joint_names(&forced, &|role, mv| position.move_name(role, mv)));
            }
            let joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
            guard(|| position.play(&joint))?;
            forced.push(joint);
        }
    }

    /// The analysis of a match that is over, or ends without any choice.
    fn ended(&self, goals: Vec<f64>, forced: &[Vec<String>]) -> Analysis {
        let role = |(name, &value): (&String, &f64)| RoleAnalysis {
            name: name.clone(),
            value: Some(value),
            ..RoleAnalysis::default()
        };
        let roles = self.roles().iter().zip(&goals).map(role).collect();
        Analysis { roles, proven: Some(goals), ..Analysis::default() }.preceded_by(forced)
    }
}

/// Broken rules may leave a role without a move.
fn stuck(role: &str) -> SessionError {
    InputError::of(MOVES, format!("`{role}` has no legal move; the game cannot continue")).into()
}

/// Payoffs in percent, if the match is over.
pub(super) fn goals(view: &View) -> Option<Vec<f64>> {
    let percent = |&payoff: &f32| percent(payoff.into());
    view.terminal.then(|| view.payoffs.iter().map(percent).collect())
}

impl Analysis {
    /// The analysis of a later position, as that of the position from which forced moves lead there.
    fn preceded_by(self, forced: &[Vec<String>]) -> Self {
        if forced.is_empty() {
            return self;
        }
        let line: Vec<_> = forced.iter().chain(self.best_line()).cloned().collect();
        let role = |(role_idx, role): (usize, RoleAnalysis)| {
            let only = MoveAnalysis::forced(forced[0][role_idx].clone(), role.value, line.clone());
            RoleAnalysis { n_legal: 1, moves: vec![only], ..role }
        };
        let roles = self.roles.into_iter().enumerate().map(role).collect();
        Analysis { roles, line: line.clone(), ..self }
    }
}
