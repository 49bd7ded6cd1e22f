//! What a network has learnt: its estimates on a position, the facts that it values most, and how well its
//! estimates agree with results.

use std::path::Path;
use std::sync::Arc;

use ludens_arena::stats::{Interval, wilson};
use ludens_catalog::{LoadedGame, WithGame};
use ludens_core::{Budget, Game, View};
use ludens_learn::{NetworkFile, Opinion, Probe, Sampled};
use serde::Serialize;

use crate::hinted::Hinted;

/// Reads a network; a damaged or foreign file is refused with the reason.
pub fn read_network(path: &Path) -> Result<NetworkFile, Hinted> {
    NetworkFile::read(path).map_err(|error| {
        let message = format!("cannot read the network {}: {error}", path.display());
        Hinted::new(message, "`ludens train` makes networks, named network.safetensors")
    })
}

/// What a network has learnt about its game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Study {
    /// Its estimates on a position, for each role; empty if the position is terminal.
    pub position: Vec<RoleOpinion>,
    /// The positions from which the values of facts are.
    pub n_positions: usize,
    /// The facts that change estimates, the most valued first.
    pub facts: Vec<FactValue>,
    /// Games that the network has played against itself, and of these those that were cut.
    pub games: usize,
    /// See `games`.
    pub cut: usize,
    /// Estimates against results, by estimate.
    pub calibration: Vec<Bin>,
}

/// What a network says about one role.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoleOpinion {
    /// The role.
    pub role: String,
    /// Its payoff.
    pub payoff: f32,
    /// Its moves with their probabilities, the most probable first.
    pub moves: Vec<(String, f32)>,
}

/// What a fact is worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactValue {
    /// The fact.
    pub fact: String,
    /// For each role, the mean change of the payoff when the fact holds.
    pub changes: Vec<f64>,
    /// In how many positions it held.
    pub n_true: usize,
}

/// Games with similar estimates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// The range of estimates.
    pub range: [f64; 2],
    /// The number of games.
    pub games: usize,
    /// The mean estimate, and the mean result.
    pub estimate: f64,
    /// See `estimate`.
    pub result: f64,
    /// The 95 % interval of the mean result.
    pub interval: Interval,
}

/// How a network is studied.
pub struct StudyOptions {
    /// The facts of the position to estimate; `None` for the initial position.
    pub position: Option<Vec<String>>,
    /// The games that it plays against itself.
    pub games: usize,
    /// The seed of these games.
    pub seed: u64,
    /// The time for them.
    pub budget: Budget,
}

/// The most evaluations for the values of facts.
const MAX_EVALUATIONS: usize = 400_000;

/// The fewest positions for them.
const MIN_POSITIONS: usize = 10;

/// Studies a network, which must fit the game.
pub fn study_network(
    file: &NetworkFile,
    game: &LoadedGame,
    options: &StudyOptions,
) -> anyhow::Result<Study> {
    game.game.with(Studying { file, options }).map_err(|why| {
        let name = &game.source.name;
        let message = format!("the network does not fit {name}: {why}");
        let hint = format!(
            "it was trained for {}; name that game, with a reasoner that grounds the rules",
            file.header.game
        );
        Hinted::new(message, hint).into()
    })
}

struct Studying<'a> {
    file: &'a NetworkFile,
    options: &'a StudyOptions,
}

impl WithGame for Studying<'_> {
    type Out = Result<Study, String>;

    fn call<G: Game>(self, game: Arc<G>) -> Result<Study, String> {
        let Studying { file, options } = self;
        let encoder = file.encoder(&*game)?;
        let mut probe = Probe::new(&*game, &encoder, &Arc::new(file.weights.clone()));
        let state = match &options.position {
            Some(facts) => game.parse_state(facts).ok_or("it does not have this position")?,
            None => game.initial(),
        };
        let mut view = View::default();
        game.look(&state, &mut view);
        // At the end of a game there is nothing to estimate.
        let opinion = if view.terminal { Opinion::default() } else { probe.opinion(&state) };
        let samples = probe.play(options.games, options.seed, &options.budget);
        let n_positions = (MAX_EVALUATIONS / encoder.n_inputs().max(1)).max(MIN_POSITIONS);
        let positions = &samples[..n_positions.min(samples.len())];
        let facts = probe.input_values(positions).into_iter().map(|value| FactValue {
            fact: encoder.input_name(value.input),
            changes: value.changes,
            n_true: value.n_true,
        });
        Ok(Study {
            position: opinions(game.roles(), opinion),
            n_positions: positions.len(),
            facts: facts.collect(),
            games: samples.len(),
            cut: samples.iter().filter(|sample| sample.result.is_none()).count(),
            calibration: calibration(&samples),
        })
    }
}

fn opinions(roles: &[String], opinion: Opinion) -> Vec<RoleOpinion> {
    let all = roles.iter().zip(opinion.payoffs).zip(opinion.moves);
    all.map(|((role, payoff), moves)| RoleOpinion { role: role.clone(), payoff, moves }).collect()
}

/// The number of bins.
const N_BINS: usize = 10;

/// Estimates against results. Each game counts once, with one position and one role in turn, so that the
/// observations are independent.
fn calibration(samples: &[Sampled]) -> Vec<Bin> {
    let mut bins = vec![(0usize, 0.0, 0.0); N_BINS];
    for (number, sample) in samples.iter().enumerate() {
        let Some(result) = &sample.result else { continue };
        let role = number % result.len();
        let (estimate, result) = (f64::from(sample.estimated[role]), f64::from(result[role]));
        let bin = &mut bins[((estimate * N_BINS as f64) as usize).min(N_BINS - 1)];
        *bin = (bin.0 + 1, bin.1 + estimate, bin.2 + result);
    }
    let bin = |(number, (games, estimates, results)): (usize, (usize, f64, f64))| {
        let mean = |sum: f64| sum / games.max(1) as f64;
        let end = |number: usize| number as f64 / N_BINS as f64;
        Bin {
            range: [end(number), end(number + 1)],
            games,
            estimate: mean(estimates),
            result: mean(results),
            interval: wilson(results, games as f64),
        }
    };
    bins.into_iter().enumerate().map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog::{ReasonerKind, load_game, new_learner};
    use ludens_learn::{Architecture, Learning};

    fn load(name: &str) -> LoadedGame {
        load_game(name, ReasonerKind::Mixed, &Budget::unlimited()).unwrap()
    }

    fn network(game: &LoadedGame) -> NetworkFile {
        let learning =
            Learning { architecture: Architecture::Compact(vec![8]), ..Learning::default() };
        let learner = new_learner(&game.game, learning).unwrap();
        NetworkFile::of(&game.source.name, "untrained", &*learner)
    }

    fn options(games: usize) -> StudyOptions {
        StudyOptions { position: None, games, seed: 1, budget: Budget::unlimited() }
    }

    #[test]
    fn an_untrained_network_says_that_all_is_even() {
        let game = load("tictactoe");
        let study = study_network(&network(&game), &game, &options(50)).unwrap();
        assert_eq!((study.games, study.cut, study.n_positions), (50, 0, 50));
        assert_eq!(study.position.len(), 2);
        assert_eq!((study.position[0].moves.len(), study.position[1].moves.len()), (9, 1));
        assert!((study.position[0].payoff - 0.5).abs() < 0.1);
        assert_eq!(study.calibration.iter().map(|bin| bin.games).sum::<usize>(), 50);
        assert!(study.calibration[4].games + study.calibration[5].games == 50, "{study:?}");
        assert!(study.facts.iter().all(|fact| fact.n_true > 0 && fact.n_true < 50));
        assert!(study.facts.iter().any(|fact| fact.fact.contains("cell")), "{study:?}");
    }

    #[test]
    fn a_network_of_another_game_is_refused() {
        let (tictactoe, nim) = (load("tictactoe"), load("nim"));
        let error = study_network(&network(&tictactoe), &nim, &options(1)).unwrap_err();
        assert!(error.to_string().contains("does not fit nim"), "{error}");
    }

    #[test]
    fn files_that_are_no_networks_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        assert!(read_network(&path).unwrap_err().to_string().contains("cannot read"));
        std::fs::write(&path, "x").unwrap();
        assert!(read_network(&path).unwrap_err().to_string().contains("damaged"));
        network(&load("nim")).write(&path).unwrap();
        assert_eq!(read_network(&path).unwrap().header.game, "nim");
    }

    /// One game each at 0.05, 0.95, 0.95 and 1, of which the last was cut.
    #[test]
    fn games_are_counted_by_their_estimates() {
        let sample = |estimate: f32, result: Option<f32>| Sampled {
            inputs: Vec::new(),
            estimated: vec![estimate],
            result: result.map(|result| vec![result]),
        };
        let samples = [
            sample(0.05, Some(0.0)),
            sample(0.95, Some(1.0)),
            sample(1.0, Some(0.5)),
            sample(1.0, None),
        ];
        let bins = calibration(&samples);
        let counts: Vec<_> = bins.iter().map(|bin| bin.games).collect();
        assert_eq!(counts, [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert!((bins[9].estimate - 0.975).abs() < 1e-6 && (bins[9].result - 0.75).abs() < 1e-9);
        assert_eq!(bins[9].interval, wilson(1.5, 2.0));
        assert_eq!(bins[3].interval, Interval::UNKNOWN);
    }
}
