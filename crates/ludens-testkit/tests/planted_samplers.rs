//! Tests of the tests: bugs planted in a simulator must be detected.

use std::collections::VecDeque;
use std::sync::Arc;

use ludens_core::{
    Budget, Chooser, Cut, Game, Limit, Outcomes, Playout, Rng, Simulator, StateFeatures, Tally,
    Turn, Uniform, View,
};
use ludens_propnet::{Network, PropGame};
use ludens_testkit::choice_rules;
use ludens_testkit::sampling::{
    Options, Summary, Way, check_decisions, check_simulator, some_starts,
};

/// A bug of a simulator.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Bug {
    None,
    /// The first move is chosen five per cent more often than others.
    FavoursFirst,
    /// Two roles use the same random number.
    SharesNumbers,
    /// Every second playout reuses the random numbers of the one before.
    RepeatsNumbers,
    /// An ending is credited to the start that was offered next.
    CreditsNeighbour,
    /// The last of several legal moves is never made.
    DropsLastMove,
    /// Playouts count one joint move more than they make.
    EndsLate,
    /// Playouts in progress are discarded when enough have ended, which are the long ones.
    LosesLong,
    /// One playout in a thousand is not reported.
    LosesSome,
    /// Playouts are cut off one joint move too late.
    CutsLate,
    /// Playouts that are cut off are worth nothing.
    CutsToNothing,
}

/// A simulator with eight lanes and a bug.
struct Planted<G: Game> {
    game: Arc<G>,
    bug: Bug,
    offered: VecDeque<(u32, G::State)>,
    last: Option<Rng>,
    reported: u32,
    limit: Limit,
}

const LANES: usize = 8;

impl<G: Game> Planted<G> {
    fn new(game: &Arc<G>, bug: Bug) -> Self {
        let game = Arc::clone(game);
        Planted {
            game,
            bug,
            offered: VecDeque::new(),
            last: None,
            reported: 0,
            limit: Limit::default(),
        }
    }

    fn choose(&self, turn: &Turn<'_>, chooser: &mut dyn Chooser, rng: &mut Rng) -> usize {
        let n = turn.legal.len();
        match self.bug {
            Bug::DropsLastMove if n > 1 => rng.below(n - 1),
            // Of n + n/20 tickets the first move has 1/20 more.
            Bug::FavoursFirst => (rng.below(20 * n + 1) / 20) % n,
            Bug::SharesNumbers => rng.clone().below(n),
            _ => chooser.choose(turn, rng),
        }
    }

    fn playout(&mut self, start: &G::State, chooser: &mut dyn Chooser, rng: &mut Rng) -> Playout {
        if self.bug == Bug::RepeatsNumbers {
            match self.last.take() {
                Some(last) => *rng = last,
                None => self.last = Some(rng.clone()),
            }
        }
        let (mut state, mut view) = (start.clone(), View::default());
        let mut playout = Playout::default();
        loop {
            self.game.look(&state, &mut view);
            let stuck = view.legal.iter().any(Vec::is_empty);
            let late = playout.plies == self.limit.plies + u32::from(self.bug == Bug::CutsLate);
            if view.terminal || stuck || late {
                playout.finished = view.terminal;
                if late && !view.terminal && self.bug != Bug::CutsToNothing {
                    self.limit.cut.judge(&*self.game, &state, &mut view);
                }
                playout.payoffs.clone_from(&view.payoffs);
                playout.plies += u32::from(self.bug == Bug::EndsLate);
                return playout;
            }
            let made = playout.moves.len();
            for (role, legal) in view.legal.entries() {
                let (history, n_roles) = (&playout.moves[..made], view.legal.n_roles());
                let features = &StateFeatures { game: &*self.game, state: &state, role };
                let turn = Turn { game: 0, role, legal, history, n_roles, features };
                let chosen = if legal.len() == 1 { 0 } else { self.choose(&turn, chooser, rng) };
                playout.moves.push(legal[chosen]);
            }
            rng.next_u64();
            self.game.play(&mut state, &playout.moves[made..]);
            playout.plies += 1;
        }
    }

    /// The bug of lanes that count playouts as they end, and stop at the requested number.
    fn shortest_first(&mut self, start: &G::State, playouts: u64, rng: &mut Rng, out: &mut Tally) {
        let mut lanes: Vec<(u32, Playout)> = Vec::new();
        for _ in 0..playouts {
            while lanes.len() < LANES {
                let playout = self.playout(start, &mut Uniform, rng);
                lanes.push((playout.plies, playout));
            }
            let (first, least) = lanes
                .iter()
                .enumerate()
                .map(|(i, (left, _))| (i, *left))
                .min_by_key(|l| l.1)
                .unwrap();
            for (left, _) in &mut lanes {
                *left -= least;
            }
            let (_, playout) = lanes.swap_remove(first);
            out.add(playout.payoffs.as_slice(), playout.plies, playout.finished);
        }
    }
}

impl<G: Game> Simulator<G> for Planted<G> {
    fn lanes(&self) -> usize {
        LANES
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        for start in starts {
            out.push(self.playout(start, chooser, rng));
        }
    }

    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        for (start, tally) in starts.iter().zip(out) {
            if self.bug == Bug::LosesLong {
                self.shortest_first(start, playouts, rng, tally);
                continue;
            }
            for _ in 0..playouts {
                let playout = self.playout(start, &mut Uniform, rng);
                tally.add(playout.payoffs.as_slice(), playout.plies, playout.finished);
            }
        }
    }

    fn room(&self) -> usize {
        LANES - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.offered.push_back((tag, start.clone()));
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let Some((mut tag, start)) = self.offered.pop_front() else {
            return;
        };
        let playout = self.playout(&start, &mut Uniform, rng);
        if let Some((next, _)) =
            self.offered.front_mut().filter(|_| self.bug == Bug::CreditsNeighbour)
        {
            std::mem::swap(&mut tag, next);
        }
        self.reported += 1;
        if self.bug == Bug::LosesSome && self.reported.is_multiple_of(1000) {
            return self.advance(rng, out);
        }
        out.add(tag, playout.plies, playout.finished, playout.payoffs.as_slice());
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}

fn load(text: &str) -> Arc<PropGame> {
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    let network = Network::load(&rules, &Budget::unlimited()).expect("the rules can be grounded");
    Arc::new(PropGame::scalar(Arc::new(network)))
}

/// The fault that the check finds, if any.
fn found(text: &str, bug: Bug, playouts: usize) -> Option<(Way, String)> {
    found_with(Limit::default(), text, bug, playouts)
}

/// The same with a limit of playouts.
fn found_with(limit: Limit, text: &str, bug: Bug, playouts: usize) -> Option<(Way, String)> {
    let game = load(text);
    let starts = some_starts(&*game, 4, 1);
    let options = Options { playouts, limit, ..Options::default() };
    let result = check_simulator(&*game, &mut Planted::new(&game, bug), &starts, &options);
    result.err().map(|fault| (fault.way, fault.what))
}

/// Groups of different lengths, with few moves in each.
fn groups() -> String {
    choice_rules::sparse(100, &[(2, 1), (1, 3), (2, 2), (3, 1)], 5)
}

#[test]
fn a_correct_simulator_passes() {
    for text in [choice_rules::alone(3), choice_rules::together(&[2, 3]), groups()] {
        assert_eq!(found(&text, Bug::None, 20_000), None);
    }
}

#[test]
fn a_slightly_favoured_move_is_detected() {
    for n in [2, 3, 5] {
        let (_, what) = found(&choice_rules::alone(n), Bug::FavoursFirst, 100_000).unwrap();
        assert!(what.starts_with("frequencies of endings"), "{what}");
    }
}

#[test]
fn dependent_roles_are_detected() {
    let text = choice_rules::together(&[3, 3]);
    assert!(found(&text, Bug::SharesNumbers, 2000).is_some());
}

#[test]
fn dependent_playouts_are_detected() {
    let (_, what) = found(&choice_rules::alone(4), Bug::RepeatsNumbers, 4000).unwrap();
    assert!(what.contains("of endings"), "{what}");
}

#[test]
fn a_missing_move_is_detected() {
    for n in [2, 7, 64, 300] {
        assert!(
            found(&choice_rules::alone(n), Bug::DropsLastMove, 40 * n.max(50)).is_some(),
            "{n}"
        );
    }
}

#[test]
fn wrong_tags_are_detected() {
    let (way, what) = found(&groups(), Bug::CreditsNeighbour, 500).unwrap();
    assert!(way == Way::Stream && what.contains("cannot happen"), "{what}");
}

#[test]
fn wrong_lengths_are_detected() {
    let (_, what) = found(&groups(), Bug::EndsLate, 10).unwrap();
    assert!(what.contains("cannot happen"), "{what}");
}

#[test]
fn wrong_cuts_are_detected() {
    for cut in [Cut::Nothing, Cut::Draw, Cut::Goal] {
        let limit = Limit { plies: 2, cut };
        assert_eq!(found_with(limit, &choice_rules::walk(7), Bug::None, 20_000), None);
        let (_, what) = found_with(limit, &choice_rules::walk(7), Bug::CutsLate, 10).unwrap();
        assert!(what.contains("cannot happen"), "{what}");
    }
    for cut in [Cut::Draw, Cut::Goal] {
        let limit = Limit { plies: 2, cut };
        let (_, what) = found_with(limit, &choice_rules::walk(7), Bug::CutsToNothing, 10).unwrap();
        assert!(what.contains("cannot happen"), "{what}");
    }
}

#[test]
fn lost_playouts_are_detected() {
    let (way, what) = found(&groups(), Bug::LosesLong, 2000).unwrap();
    assert!(way == Way::Tally && what.contains("standard deviations off"), "{what}");
    assert_eq!(found(&groups(), Bug::LosesSome, 1000).unwrap().0, Way::Stream);
}

#[test]
fn means_of_large_games_reveal_bugs() {
    let game = load(&groups());
    let start = game.initial();
    let summary = |bug| {
        let mut simulator = Planted::new(&game, bug);
        Summary::of_tallies(&mut simulator, &start, 8000, &mut Rng::new(3)).unwrap()
    };
    let mut correct = Planted::new(&game, Bug::None);
    let streamed =
        Summary::of_playouts(&mut correct, Way::Stream, &start, 8000, &mut Rng::new(4)).unwrap();
    assert!(streamed.agrees(&summary(Bug::None)).is_ok());
    for bug in [Bug::LosesLong, Bug::EndsLate, Bug::DropsLastMove] {
        assert!(streamed.agrees(&summary(bug)).is_err(), "{bug:?}");
    }
}

#[test]
fn moves_that_are_withheld_from_policies_are_detected() {
    let game = load(&groups());
    let starts = some_starts(&*game, 4, 1);
    let starts: Vec<_> = starts.iter().cycle().take(50).collect();
    let decisions = check_decisions(&*game, &mut Planted::new(&game, Bug::None), &starts, 1);
    assert!(decisions.unwrap() > 20);
    for bug in [Bug::FavoursFirst, Bug::EndsLate] {
        // The first bug does not call the policy at all.
        let result = check_decisions(&*game, &mut Planted::new(&game, bug), &starts, 1);
        assert!(result.is_err(), "{bug:?}");
    }
}
