//! Playouts with the evaluator that is faster for their number.

use std::sync::Arc;

use ludens_core::{Census, Chooser, Limit, Outcomes, Playout, Rng, RowGroups, Simulator, Tally};

use super::{MIN_LANE_PLAYOUTS, Mixed};
use crate::bits::Bits;
use crate::game::PropGame;
use crate::lanes::{Compiled, LaneSimulator, Plane};
use crate::scalar::ScalarPlayouts;

/// Few playouts one by one, many in parallel.
pub(super) struct MixedSimulator {
    engine: Arc<Mixed>,
    game: Arc<PropGame>,
    scalar: ScalarPlayouts,
    /// Compiled when many playouts are first requested.
    lanes: Option<LaneSimulator<Compiled>>,
    /// Starts whose playouts have not started yet.
    offered: Vec<(u32, Bits)>,
    /// The number of playouts in progress in the lanes.
    in_lanes: usize,
    limit: Limit,
}

impl MixedSimulator {
    /// Playouts of a game that `engine` evaluates.
    pub(super) fn new(engine: Arc<Mixed>, game: Arc<PropGame>) -> Self {
        let scalar = ScalarPlayouts::new(Arc::clone(&engine.scalar), Arc::clone(&game));
        let (lanes, offered, limit) = (None, Vec::new(), Limit::default());
        MixedSimulator { engine, game, scalar, lanes, offered, in_lanes: 0, limit }
    }

    fn scalar(&mut self) -> &mut dyn Simulator<PropGame> {
        &mut self.scalar
    }

    fn lanes(&mut self) -> &mut dyn Simulator<PropGame> {
        let (engine, game, limit) = (&self.engine, &self.game, self.limit);
        let compile =
            || LaneSimulator::new(Arc::clone(engine.lanes()), Arc::clone(game)).with_limit(limit);
        self.lanes.get_or_insert_with(compile)
    }

    /// Runs playouts from the offered starts one by one.
    fn advance_few(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        for (tag, start) in std::mem::take(&mut self.offered) {
            self.scalar().offer(tag, &start);
            self.scalar().advance(rng, out);
        }
    }
}

impl Simulator<PropGame> for MixedSimulator {
    fn lanes(&self) -> usize {
        Plane::LANES
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
        self.scalar().limit(limit);
        if self.lanes.is_some() {
            self.lanes().limit(limit);
        }
    }

    fn run(
        &mut self,
        starts: &[&Bits],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        if starts.len() < MIN_LANE_PLAYOUTS {
            self.scalar().run(starts, chooser, rng, out);
        } else {
            self.lanes().run(starts, chooser, rng, out);
        }
    }

    fn tally(&mut self, starts: &[&Bits], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        if starts.len() as u64 * playouts < MIN_LANE_PLAYOUTS as u64 {
            self.scalar().tally(starts, playouts, rng, out);
        } else {
            self.lanes().tally(starts, playouts, rng, out);
        }
    }

    fn census(
        &mut self,
        starts: &[&Bits],
        groups: &RowGroups,
        rng: &mut Rng,
        out: &mut Census,
    ) -> bool {
        starts.len() >= MIN_LANE_PLAYOUTS && self.lanes().census(starts, groups, rng, out)
    }

    fn room(&self) -> usize {
        let lanes = self.lanes.as_ref().map(|lanes| lanes as &dyn Simulator<PropGame>);
        lanes.map_or(2 * Plane::LANES, Simulator::room).saturating_sub(self.offered.len())
    }

    fn offer(&mut self, tag: u32, start: &Bits) {
        if self.in_lanes > 0 {
            self.in_lanes += 1;
            self.lanes().offer(tag, start);
        } else {
            self.offered.push((tag, start.clone()));
        }
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        if self.in_lanes == 0 && self.offered.len() < MIN_LANE_PLAYOUTS {
            return self.advance_few(rng, out);
        }
        for (tag, start) in std::mem::take(&mut self.offered) {
            self.in_lanes += 1;
            self.lanes().offer(tag, &start);
        }
        let before = out.tags.len();
        self.lanes().advance(rng, out);
        self.in_lanes -= out.tags.len() - before;
    }

    fn abandon(&mut self) {
        self.offered.clear();
        if std::mem::take(&mut self.in_lanes) > 0 {
            self.lanes().abandon();
        }
    }
}
