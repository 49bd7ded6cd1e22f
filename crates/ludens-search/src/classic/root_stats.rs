//! Statistics of the root moves with which playouts start.

use ludens_core::{Move, PerRole, Role, View};

use crate::agent::{MoveStats, Report};

/// The root moves of all roles.
pub(super) struct RootStats(PerRole<Vec<RootMove>>);

#[derive(Clone, Copy)]
struct RootMove {
    mv: Move,
    visits: u64,
    sum: f64,
    best: f32,
}

impl RootStats {
    /// The legal moves of a state, without visits.
    pub fn new(view: &View) -> Self {
        let fresh = |&mv: &Move| RootMove { mv, visits: 0, sum: 0.0, best: f32::NEG_INFINITY };
        let list = |legal: &Vec<Move>| legal.iter().map(fresh).collect::<Vec<_>>();
        RootStats(PerRole::from(view.legal.iter().map(list).collect::<Vec<_>>()))
    }

    /// Records the payoff of a role in a playout that started with a move of the role.
    pub fn record(&mut self, role: Role, mv: Move, payoff: f32) {
        if let Some(root_move) = self.0[role].iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.visits += 1;
            root_move.sum += f64::from(payoff);
            root_move.best = root_move.best.max(payoff);
        }
    }

    /// The report for the one role of a puzzle: the move of the plan first, then by the payoff of
    /// the best playout.
    pub fn by_best(mut self, iterations: u64, planned: Option<Move>) -> Report {
        let is_planned = |root_move: &RootMove| Some(root_move.mv) == planned;
        for root_moves in &mut self.0 {
            root_moves
                .sort_by(|a, b| is_planned(b).cmp(&is_planned(a)).then(b.best.total_cmp(&a.best)));
        }
        Report { iterations, moves: self.stats(), ..Report::default() }
    }

    /// The report for several roles: by mean payoff. One virtual playout with payoff one half is
    /// added to each move, so that a single lucky playout does not decide.
    pub fn by_mean(mut self, iterations: u64) -> Report {
        let smoothed_mean =
            |root_move: &RootMove| (root_move.sum + 0.5) / (root_move.visits + 1) as f64;
        for root_moves in &mut self.0 {
            root_moves.sort_by(|a, b| smoothed_mean(b).total_cmp(&smoothed_mean(a)));
        }
        Report { iterations, moves: self.stats(), ..Report::default() }
    }

    fn stats(self) -> PerRole<Vec<MoveStats>> {
        let stats = |root_move: &RootMove| {
            let mean =
                if root_move.visits == 0 { 0.0 } else { root_move.sum / root_move.visits as f64 };
            MoveStats { mv: root_move.mv, visits: root_move.visits, mean }
        };
        let list = |root_moves: &Vec<RootMove>| root_moves.iter().map(stats).collect::<Vec<_>>();
        PerRole::from(self.0.iter().map(list).collect::<Vec<_>>())
    }
}
