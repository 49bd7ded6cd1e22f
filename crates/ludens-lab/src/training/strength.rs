//! Strength during training: matches of the network so far against fixed opponents.
//!
//! The learner plays one role, each in turn, and the opponent all others. The score is its mean payoff, so
//! that games with any number of roles have one. Games of a round share their opening, in which each role
//! makes two random moves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ludens_arena::clock::{Allowance, SystemClock};
use ludens_arena::play::Terms;
use ludens_arena::record::GameRecord;
use ludens_arena::runner::{AgentRunner, Scheduler};
use ludens_arena::schedule::Slot;
use ludens_arena::stats::{Interval, wilson};
use ludens_catalog::{AgentSpec, LoadedGame, WithGame, load_agent};
use ludens_core::{Game, Rng, View};
use ludens_learn::{Method, NetworkFile};
use serde::Serialize;

use super::timer::raised_after;
use crate::stop::Stop;

/// How often the strength is measured, and by how many games.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The number of games against each opponent; with 0 nothing is measured.
    pub games: usize,
    /// The largest share of the training time that all games may take together; `None` for no limit.
    pub max_share: Option<f64>,
    /// The training time between two measurements; by default an eighth, a quarter, a half and all of it.
    pub every: Option<Duration>,
}

impl Evaluation {
    /// No games.
    pub const OFF: Evaluation = Evaluation { games: 0, max_share: None, every: None };

    /// This many games, however long they take.
    pub fn of_games(games: usize) -> Self {
        Evaluation { games, ..Evaluation::OFF }
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation { games: 40, max_share: Some(0.05), every: None }
    }
}

/// The score against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// The opponent; `none` in games with one role.
    pub opponent: String,
    /// Its simulations of a move; `None` if it does not search.
    pub simulations: Option<u64>,
    /// The number of games.
    pub games: usize,
    /// The mean payoff.
    pub score: f64,
    /// The 95 % interval of the score.
    pub interval: Interval,
}

impl Strength {
    /// The opponent in words.
    pub fn name(&self) -> String {
        match self.simulations {
            Some(simulations) => format!("{} {simulations}", self.opponent),
            None => self.opponent.clone(),
        }
    }

    /// The opponent as part of a name of a plot.
    pub(super) fn tag(&self) -> String {
        self.name().replace(' ', "_")
    }
}

/// The simulations of a move of the learner.
const SIMULATIONS: u64 = 100;

/// The opponents, with their simulations of a move.
const OPPONENTS: [(&str, Option<u64>); 3] =
    [("random", None), ("uct", Some(100)), ("uct", Some(1000))];

/// The opponent in games with one role.
const NOBODY: [(&str, Option<u64>); 1] = [("none", None)];

/// Games that reach this number of joint moves are drawn.
const MAX_PLIES: usize = 1000;

/// Matches of a network.
pub(super) struct Matches<'a> {
    /// How the network was trained, which decides how it plays.
    pub method: Method,
    pub network: NetworkFile,
    /// The number of games against each opponent.
    pub games: usize,
    pub seed: u64,
    pub n_workers: usize,
    /// How long all games may take; those that are not finished then do not count.
    pub time: Option<Duration>,
    pub stop: &'a Stop,
}

impl Matches<'_> {
    /// Plays; opponents without a finished game are left out.
    pub fn play(self, game: &LoadedGame) -> anyhow::Result<Vec<Strength>> {
        game.game.with(self)
    }

    fn slots(&self, n_roles: usize, n_opponents: usize) -> Vec<Slot> {
        let games = (0..self.games).flat_map(|nth| (0..n_opponents).map(move |i| (nth, i)));
        let slot = |(index, (nth, opponent)): (usize, (usize, usize))| {
            let (round, own) = (nth / n_roles, nth % n_roles);
            let seat = |seat: usize| if seat == own { 0 } else { opponent + 1 };
            let (seats, seed) = ((0..n_roles).map(seat).collect(), self.round_seed(round));
            let (game, meeting, round_games) = (0, opponent, n_roles);
            Slot { index, game, meeting, round, round_games, seats, seed }
        };
        games.enumerate().map(slot).collect()
    }

    fn round_seed(&self, round: usize) -> u64 {
        Rng::stream(self.seed, &[round as u64]).next_u64() >> 11
    }
}

impl WithGame for Matches<'_> {
    type Out = anyhow::Result<Vec<Strength>>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let n_roles = game.roles().len();
        let opponents = if n_roles == 1 { &NOBODY[..] } else { &OPPONENTS };
        let slots = self.slots(n_roles, opponents.len());
        let network = Arc::new(self.network);
        let mut agents =
            vec![AgentSpec::with_network(self.method, "learner", network, SIMULATIONS)];
        if n_roles > 1 {
            for &(name, simulations) in opponents {
                let text =
                    simulations.map_or(name.to_owned(), |n| format!("{name}(iterations={n})"));
                agents.push(load_agent(&text)?);
            }
        }
        let names: Vec<String> = agents.iter().map(AgentSpec::to_string).collect();
        let make = |number: usize| agents[number].build(Arc::clone(&game), 0);
        let opening = opening(&*game, self.seed);
        let terms = Terms { opening, ply_limit: MAX_PLIES, ..Terms::new(Allowance::default()) };
        let runner = AgentRunner::in_turn(Arc::clone(&game), &terms, &make, &SystemClock);
        let mut games: BTreeMap<usize, GameRecord> = BTreeMap::new();
        raised_after(self.time, self.stop, |stop| {
            let (slots, workers) = (&slots[..], self.n_workers);
            let (names, sprt, lead, stop) = (&names[..], None, None, stop.flag());
            let scheduler = Scheduler { names, slots, workers, sprt, lead, stop };
            runner.run(&scheduler, &mut games, &mut ()).map(|_| ())
        })?;
        Ok(strengths(opponents, &games))
    }
}

/// The scores of all games with a result.
fn strengths(
    opponents: &[(&str, Option<u64>)],
    games: &BTreeMap<usize, GameRecord>,
) -> Vec<Strength> {
    let of_opponent = |(number, &(name, simulations)): (usize, &(&str, Option<u64>))| {
        let games = games.values().filter(|game| game.slot.meeting == number && game.is_valid());
        let payoffs: Vec<f64> = games.filter_map(|game| game.payoff_of(0)).collect();
        let (sum, n) = (payoffs.iter().sum::<f64>(), payoffs.len());
        (n > 0).then(|| Strength {
            opponent: name.to_owned(),
            simulations,
            games: n,
            score: sum / n as f64,
            interval: wilson(sum, n as f64),
        })
    };
    opponents.iter().enumerate().filter_map(of_opponent).collect()
}

/// The number of joint moves in which each role makes two moves of its own choice; none for one role, whose
/// problem might not be solvable then.
fn opening<G: Game>(game: &G, seed: u64) -> usize {
    let n_roles = game.roles().len();
    if n_roles == 1 {
        return 0;
    }
    let (mut state, mut view, mut rng) = (game.initial(), View::default(), Rng::new(seed));
    let mut n_choices = vec![0; n_roles];
    for ply in 0..2 * n_roles {
        game.look(&state, &mut view);
        if n_choices.iter().all(|&n| n >= 2)
            || view.terminal
            || view.legal.iter().any(Vec::is_empty)
        {
            return ply;
        }
        for (n, legal) in n_choices.iter_mut().zip(&view.legal) {
            *n += usize::from(legal.len() > 1);
        }
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
    }
    2 * n_roles
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog::{ReasonerKind, load_game, new_learner};
    use ludens_core::Budget;
    use ludens_learn::{Architecture, Learning};

    fn load(name: &str) -> LoadedGame {
        load_game(name, ReasonerKind::Mixed, &Budget::unlimited()).unwrap()
    }

    fn matches<'a>(game: &LoadedGame, games: usize, stop: &'a Stop) -> Matches<'a> {
        let learning =
            Learning { architecture: Architecture::Compact(vec![8]), ..Learning::default() };
        let learner = new_learner(&game.game, learning).unwrap();
        let network = NetworkFile::of("game", "untrained", &*learner);
        Matches { method: Method::Fast, network, games, seed: 1, n_workers: 2, time: None, stop }
    }

    #[test]
    fn seats_rotate_and_a_round_has_one_seed() {
        let (game, stop) = (load("tictactoe"), Stop::new());
        let slots = matches(&game, 6, &stop).slots(3, 2);
        let of_first: Vec<_> = slots.iter().filter(|slot| slot.meeting == 0).collect();
        let seats: Vec<_> = of_first.iter().map(|slot| slot.seats.clone()).collect();
        let round = [[0, 1, 1], [1, 0, 1], [1, 1, 0]];
        assert_eq!(seats, [round, round].concat());
        let seeds: Vec<_> = of_first.iter().map(|slot| slot.seed).collect();
        assert!(seeds[0] == seeds[2] && seeds[3] == seeds[5] && seeds[0] != seeds[3]);
        assert_eq!(slots[1].seats, [0, 2, 2], "opponents take turns");
    }

    /// Search with proven values loses no game of tic-tac-toe against random moves, even untrained.
    #[test]
    fn all_opponents_are_met_and_the_result_is_reproducible() {
        let (game, stop) = (load("tictactoe"), Stop::new());
        let [first, second] = [(); 2].map(|()| matches(&game, 6, &stop).play(&game).unwrap());
        assert_eq!(first, second);
        let met: Vec<_> = first.iter().map(|strength| (strength.name(), strength.games)).collect();
        let expected = ["random", "uct 100", "uct 1000"].map(|name| (name.to_owned(), 6));
        assert_eq!(met, expected);
        assert!(first[0].score > 0.5 && first[0].interval.contains(first[0].score), "{first:?}");
    }

    #[test]
    fn games_with_one_role_and_with_three_are_played() {
        let stop = Stop::new();
        for (name, n) in [("eight_puzzle", 1), ("pacman3p_6x6", 3), ("rockpaperscissors", 3)] {
            let game = load(name);
            let mut matches = matches(&game, 1, &stop);
            matches.time = Some(Duration::from_secs(20));
            let strengths = matches.play(&game).unwrap();
            assert_eq!(strengths.len(), n, "{name}: {strengths:?}");
        }
    }

    #[test]
    fn a_raised_flag_or_no_time_ends_the_games() {
        let (game, stop) = (load("tictactoe"), Stop::new());
        let mut late = matches(&game, 1000, &stop);
        late.time = Some(Duration::ZERO);
        assert_eq!(late.play(&game).unwrap(), []);
        stop.raise();
        assert_eq!(matches(&game, 1000, &stop).play(&game).unwrap(), []);
    }

    /// Two moves for each role: four turns of a game with turns, two of a simultaneous one.
    #[test]
    fn openings_have_two_moves_for_each_role() {
        struct Opening;
        impl WithGame for Opening {
            type Out = usize;

            fn call<G: Game>(self, game: Arc<G>) -> usize {
                opening(&*game, 1)
            }
        }
        for (name, plies) in
            [("tictactoe", 4), ("tron", 2), ("eight_puzzle", 0), ("chinesecheckers_3p", 6)]
        {
            assert_eq!(load(name).game.with(Opening), plies, "{name}");
        }
    }
}
