//! How many tactical positions agents solve: positions of several games in which a win, or the only move that keeps the
//! value, shows within a few moves.
//!
//! Positions come after random moves, and all their moves are solved exactly (`ludens accuracy --tactics`).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use ludens_arena::clock::Allowance;
use ludens_arena::stats::wilson;
use ludens_catalog::{AgentSpec, Cache, load_agent};
use ludens_lab::accuracy::{Accuracy, Questions, Sample, draw, measure};
use ludens_lab::{LoadSettings, Stop};
use serde::Deserialize;

/// Options of the tactics suite.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this
    filter: Option<String>,
    /// The agents
    #[arg(long = "agents", num_args = 1.., default_values = ["uct", "uct(solver)", "uct(solver, decisive)"])]
    agents: Vec<String>,
    /// The seconds that agents have for a move
    #[arg(long, num_args = 1.., default_values_t = [0.1, 1.0])]
    seconds: Vec<f64>,
    /// The number of positions of each game
    #[arg(long, default_value_t = 20)]
    positions: usize,
    /// The minimum and the maximum number of moves within which the right move shows
    #[arg(long, num_args = 2, default_values_t = [3, 7])]
    plies: Vec<u32>,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many agents think in parallel
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// The games, and the range of random moves before their positions.
#[derive(Deserialize)]
struct Suite {
    games: BTreeMap<String, [usize; 2]>,
}

/// The states that may be searched to solve a position.
const BUDGET: u64 = 300_000;

/// The positions that an agent has solved, of all.
type Solved = (usize, usize);

/// Draws the positions of all games, and lets every agent move in them.
pub fn run(args: &Args) -> Result<()> {
    let suite: Suite = toml::from_str(include_str!("../data/tactics.toml"))?;
    let filter = args.filter.as_deref().unwrap_or("");
    let agents: Result<Vec<AgentSpec>> = args
        .agents
        .iter()
        .map(|text| load_agent(text).map_err(|error| anyhow!("{error}")))
        .collect();
    let agents = agents?;
    let mut all: BTreeMap<(String, u32), Solved> = BTreeMap::new();
    let mut totals: BTreeMap<String, Solved> = BTreeMap::new();
    for (name, &[first, last]) in suite.games.iter().filter(|(name, _)| name.contains(filter)) {
        let measured = args.measure(name, first..=last, &agents);
        let measured = measured.with_context(|| format!("in {name}"))?;
        for (key, accuracy) in measured {
            println!("{name:22} {key:40} {} of {}", accuracy.all.kept, accuracy.all.positions);
            add(totals.entry(key.clone()).or_default(), accuracy.all.kept, accuracy.all.positions);
            for (plies, share) in accuracy.by_plies {
                add(all.entry((key.clone(), plies)).or_default(), share.kept, share.positions);
            }
        }
    }
    ensure!(!totals.is_empty(), "no game of the suite has a name that contains `{filter}`");
    println!();
    for (key, (kept, n)) in totals {
        let interval = wilson(kept as f64, n as f64);
        let [share, low, high] =
            [kept as f64 / n as f64, interval.low, interval.high].map(|share| 100.0 * share);
        let by_plies = all.iter().filter(|((agent, _), _)| *agent == key);
        let by_plies = by_plies.map(|((_, plies), (kept, n))| format!("{plies}: {kept}/{n}"));
        let by_plies = by_plies.collect::<Vec<_>>().join(", ");
        println!(
            "{key:40} {kept} of {n}, {share:.1} % ({low:.1} – {high:.1}); by moves {by_plies}"
        );
    }
    Ok(())
}

fn add(sum: &mut Solved, kept: usize, n: usize) {
    *sum = (sum.0 + kept, sum.1 + n);
}

impl Args {
    /// The accuracy of each agent with each time.
    fn measure(
        &self,
        name: &str,
        plies: RangeInclusive<usize>,
        agents: &[AgentSpec],
    ) -> Result<Vec<(String, Accuracy)>> {
        let game = LoadSettings::default().load_game(name, &Cache::off(), &mut |_| {})?;
        let (stop, seed, threads) = (Stop::new(), self.seed, self.threads);
        let (positions, tactics) = (self.positions, Some(self.plies[0]..=self.plies[1]));
        let sample = Sample { positions, plies, seed, budget: BUDGET, tactics };
        let drawn = draw(&game, &sample, (threads, &stop), &mut |_| {})?;
        let mut measured = Vec::new();
        for &seconds in &self.seconds {
            let allowance = Allowance::of_time(Duration::from_secs_f64(seconds));
            let questions = Questions { agents, allowance, seed, threads, stop: &stop };
            let accuracies = measure(&game, &drawn.list, &questions, &mut |_| {})?;
            let keyed = |accuracy: Accuracy| (format!("{}, {seconds} s", accuracy.agent), accuracy);
            measured.extend(accuracies.into_iter().map(keyed));
        }
        Ok(measured)
    }
}
