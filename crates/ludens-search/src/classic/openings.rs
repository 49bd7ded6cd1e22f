//! How the first moves of playouts did.

use ludens_core::{Move, PerRole, Role, View};

use crate::agent::{MoveStats, Report};

/// The first moves of all roles at the root.
pub(super) struct Openings(PerRole<Vec<Opening>>);

#[derive(Clone, Copy)]
struct Opening {
    mv: Move,
    visits: u64,
    sum: f64,
    best: f32,
}

impl Openings {
    /// The legal moves of a state, none of them played yet.
    pub fn new(view: &View) -> Self {
        let fresh = |&mv: &Move| Opening { mv, visits: 0, sum: 0.0, best: f32::NEG_INFINITY };
        let list = |legal: &Vec<Move>| legal.iter().map(fresh).collect::<Vec<_>>();
        Openings(PerRole::from(view.legal.iter().map(list).collect::<Vec<_>>()))
    }

    /// A playout for a role began with a move and was worth a payoff to the role.
    pub fn learn(&mut self, role: Role, mv: Move, payoff: f32) {
        if let Some(opening) = self.0[role].iter_mut().find(|opening| opening.mv == mv) {
            opening.visits += 1;
            opening.sum += f64::from(payoff);
            opening.best = opening.best.max(payoff);
        }
    }

    /// The report for the one role of a puzzle: the move of the plan first, then those whose best
    /// playouts were best.
    pub fn by_best(mut self, iterations: u64, planned: Option<Move>) -> Report {
        let is_planned = |opening: &Opening| Some(opening.mv) == planned;
        for openings in &mut self.0 {
            openings
                .sort_by(|a, b| is_planned(b).cmp(&is_planned(a)).then(b.best.total_cmp(&a.best)));
        }
        Report { iterations, moves: self.stats(), ..Report::default() }
    }

    /// The report where others have a say: what did best on average comes first. One imagined
    /// playout worth one half is added to each move, so that a single lucky one does not decide.
    pub fn by_mean(mut self, iterations: u64) -> Report {
        let cautious = |opening: &Opening| (opening.sum + 0.5) / (opening.visits + 1) as f64;
        for openings in &mut self.0 {
            openings.sort_by(|a, b| cautious(b).total_cmp(&cautious(a)));
        }
        Report { iterations, moves: self.stats(), ..Report::default() }
    }

    fn stats(self) -> PerRole<Vec<MoveStats>> {
        let stats = |opening: &Opening| {
            let mean = if opening.visits == 0 { 0.0 } else { opening.sum / opening.visits as f64 };
            MoveStats { mv: opening.mv, visits: opening.visits, mean }
        };
        let list = |openings: &Vec<Opening>| openings.iter().map(stats).collect::<Vec<_>>();
        PerRole::from(self.0.iter().map(list).collect::<Vec<_>>())
    }
}
