//! The root of a search: whether there is a decision, and of which role.

use ludens_core::{Payoffs, PerRole, Role, View};

use crate::agent::{MoveStats, Report};

/// The result of an iterative deepening search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    /// The depth to which all moves were searched.
    pub depth: u32,
    /// The value of the state for each role.
    pub payoffs: Payoffs,
    /// Whether the payoffs depend on terminal states alone, so that a deeper search would not
    /// change them.
    pub proven: bool,
}

impl Verdict {
    /// The payoffs, if they are proven.
    pub(super) fn proven_payoffs(&self) -> Option<Vec<f32>> {
        self.proven.then(|| self.payoffs.as_slice().to_vec())
    }
}

/// Whether play cannot continue: the state is terminal, or a role has no legal move, which broken
/// rules allow. Both count as the end, as they do in playouts.
pub(super) fn has_ended(view: &View) -> bool {
    view.is_over()
}

/// The roles that have a choice.
pub(super) fn deciders(view: &View) -> impl Iterator<Item = Role> {
    Role::all(view.legal.n_roles()).filter(|&role| view.legal[role].len() > 1)
}

/// The only role that has a choice, or the first role if none has; `None` if several have one.
pub(super) fn lone_decider(view: &View) -> Option<Role> {
    let mut deciders = deciders(view);
    let first = deciders.next().unwrap_or(Role(0));
    deciders.next().is_none().then_some(first)
}

/// The report if there is nothing to decide: play has ended, or every role has one move.
pub(super) fn nothing_to_decide(view: &View) -> Option<Report> {
    (has_ended(view) || deciders(view).next().is_none()).then(|| untried(view))
}

/// A report with the legal moves in their own order and without visits.
pub(super) fn untried(view: &View) -> Report {
    let list = |legal: &Vec<_>| {
        legal.iter().map(|&mv| MoveStats { mv, visits: 0, mean: 0.0 }).collect::<Vec<_>>()
    };
    let moves: Vec<_> = view.legal.iter().map(list).collect();
    Report { moves: PerRole::from(moves), ..Report::default() }
}
