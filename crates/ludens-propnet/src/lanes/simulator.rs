//! The simulator of playouts in 256 lanes.

use std::sync::Arc;

use ludens_core::{Census, Chooser, Limit, Outcomes, Playout, Rng, RowGroups, Simulator, Tally};

use super::census::FactCounter;
use super::engine::{Code, LaneEngine};
use super::plane::Plane;
use super::play::Play;
use super::policy;
use super::random::PlaneRng;
use super::relay::Relay;
use super::stream::Stream;
use super::supply::Supply;
use crate::bits::Bits;
use crate::game::PropGame;

/// Runs 256 playouts in parallel.
pub struct LaneSimulator<C> {
    engine: Arc<LaneEngine<C>>,
    game: Arc<PropGame>,
    /// For tallies and for the stream; each is allocated on first use.
    tallying: Option<Play<C>>,
    streaming: Option<(Play<C>, Stream)>,
    limit: Limit,
}

/// With fewer playouts of a start, lanes have so many different starts that it is better to count
/// them one by one.
const MIN_RELAY_PLAYOUTS: u64 = 16;
/// A stream advances until this fraction of its playouts has ended, since entering and leaving it
/// at every step is expensive.
const STREAM_SHARE: usize = 16;

impl<C: Code> LaneSimulator<C> {
    /// Playouts of a game that `engine` evaluates.
    pub fn new(engine: Arc<LaneEngine<C>>, game: Arc<PropGame>) -> Self {
        LaneSimulator { engine, game, tallying: None, streaming: None, limit: Limit::default() }
    }

    /// Cuts off longer playouts.
    #[must_use]
    pub fn with_limit(mut self, limit: Limit) -> Self {
        self.set_limit(limit);
        self
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
        self.tallying.iter_mut().for_each(|play| play.limit(limit));
        self.streaming.iter_mut().for_each(|(play, _)| play.limit(limit));
    }

    fn stream(&mut self) -> &mut (Play<C>, Stream) {
        let (engine, limit) = (&self.engine, self.limit);
        self.streaming
            .get_or_insert_with(|| (Play::new(engine, limit), Stream::new(&engine.network)))
    }
}

/// Many playouts from each start.
fn tally_many<C: Code>(
    play: &mut Play<C>,
    relay: &mut Relay<'_>,
    starts: &[&Bits],
    random: &mut PlaneRng,
) {
    if play.judges_first() {
        for (i, starts) in starts.chunks(Plane::LANES).enumerate() {
            let ended = play.judge_states(starts);
            relay.finish_starts(i * Plane::LANES, starts.len(), &ended);
        }
    }
    play_while(play, relay, random, |_| true);
}

/// Few playouts from each start.
fn tally_few<C: Code>(
    play: &mut Play<C>,
    starts: &[&Bits],
    playouts: u64,
    random: &mut PlaneRng,
    out: &mut [Tally],
) {
    let mut stream = Stream::new(play.network());
    let mut outcomes = Outcomes::default();
    let mut offers = (0..starts.len()).flat_map(|start| (0..playouts).map(move |_| start));
    let n_roles = play.network().roles.len();
    for tally in out.iter_mut() {
        tally.payoffs.resize(n_roles, 0.0);
    }
    loop {
        for start in offers.by_ref().take(stream.room()) {
            stream.offer(start as u32, starts[start]);
        }
        if stream.under_way() == 0 {
            return;
        }
        play_while(play, &mut stream, random, |stream| stream.n_ended() < Plane::LANES / 4);
        stream.exchange(&mut outcomes);
        for (i, payoffs) in outcomes.payoffs.chunks(n_roles.max(1)).enumerate() {
            let tally = &mut out[outcomes.tags[i] as usize];
            tally.add(payoffs, outcomes.plies[i], outcomes.finished[i]);
        }
        outcomes.clear();
        stream.exchange(&mut outcomes);
    }
}

/// Plays while playouts are in progress and `keep_playing` returns true.
fn play_while<C: Code, S: Supply>(
    play: &mut Play<C>,
    supply: &mut S,
    random: &mut PlaneRng,
    keep_playing: impl Fn(&S) -> bool,
) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("popcnt") && has!("bmi1") {
            #[expect(unsafe_code, reason = "counting in planes takes half the time")]
            // SAFETY: the machine supports the instructions, as just checked.
            return unsafe { play_wide(play, supply, random, keep_playing) };
        }
    }
    play_portably(play, supply, random, keep_playing);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn play_wide<C: Code, S: Supply>(
    play: &mut Play<C>,
    supply: &mut S,
    random: &mut PlaneRng,
    keep_playing: impl Fn(&S) -> bool,
) {
    play_portably(play, supply, random, keep_playing);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn play_portably<C: Code, S: Supply>(
    play: &mut Play<C>,
    supply: &mut S,
    random: &mut PlaneRng,
    keep_playing: impl Fn(&S) -> bool,
) {
    while (!play.live.is_zero() || supply.has_more()) && keep_playing(supply) {
        play.step(supply, random);
    }
}

impl<C: Code> Simulator<PropGame> for LaneSimulator<C> {
    fn lanes(&self) -> usize {
        Plane::LANES
    }

    fn limit(&mut self, limit: Limit) {
        self.set_limit(limit);
    }

    fn run(
        &mut self,
        starts: &[&Bits],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        let features = || Arc::clone(self.game.features());
        policy::run(&self.engine, (&features, self.limit), starts, chooser, rng, out);
    }

    fn tally(&mut self, starts: &[&Bits], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        let mut random = PlaneRng::new(rng);
        let (engine, limit) = (&self.engine, self.limit);
        let play = self.tallying.get_or_insert_with(|| Play::new(engine, limit));
        if playouts < MIN_RELAY_PLAYOUTS && starts.len() > 1 {
            return tally_few(play, starts, playouts, &mut random, out);
        }
        let mut relay = Relay::new(&engine.network, starts, playouts, limit.cut);
        tally_many(play, &mut relay, starts, &mut random);
        relay.finish(engine.network.roles.len(), out);
    }

    fn census(
        &mut self,
        starts: &[&Bits],
        groups: &RowGroups,
        rng: &mut Rng,
        out: &mut Census,
    ) -> bool {
        let mut random = PlaneRng::new(rng);
        let (engine, limit) = (&self.engine, self.limit);
        let play = self.tallying.get_or_insert_with(|| Play::new(engine, limit));
        out.clear(groups.len());
        for starts in starts.chunks(Plane::LANES) {
            let (goals, n_roles) = (&engine.network.goals, engine.network.roles.len());
            let mut counter = FactCounter::new(goals, n_roles, groups, starts);
            counter.finish_starts(&play.judge_states(starts));
            play_while(play, &mut counter, &mut random, |_| true);
            counter.finish(out);
        }
        true
    }

    fn room(&self) -> usize {
        let streaming = self.streaming.as_ref();
        streaming.map_or(2 * Plane::LANES, |(_, stream)| stream.room())
    }

    fn offer(&mut self, tag: u32, start: &Bits) {
        self.stream().1.offer(tag, start);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let mut random = PlaneRng::new(rng);
        let (play, stream) = self.stream();
        let wanted = stream.under_way().div_ceil(STREAM_SHARE);
        stream.exchange(out);
        let enough = stream.n_ended() + wanted;
        play_while(play, stream, &mut random, |stream| stream.n_ended() < enough);
        stream.exchange(out);
    }

    fn abandon(&mut self) {
        if let Some((play, stream)) = &mut self.streaming {
            play.abandon();
            stream.abandon();
        }
    }
}
