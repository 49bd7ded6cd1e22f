//! How many games of one role an agent solves: those of the library and of the corpus, with the clocks of a match.
//!
//! A game is solved if its agent gets the highest goal of the rules. Some rules have no line to it, so that fewer than all
//! games can be solved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use ludens_arena::clock::Allowance;
use ludens_arena::play::Terms;
use ludens_catalog::{AgentSpec, Cache, WithGame, load_agent};
use ludens_core::{Game, Role};
use ludens_lab::{LoadSettings, MatchSettings, PreparedGame};
use ludens_testkit::library::side_by_side;

use crate::workspace;

/// Options of the puzzles.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this
    filter: Option<String>,
    /// The folder of the corpus; default `LUDENS_CORPUS`, or the one next to the project
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The agents
    #[arg(long = "agents", num_args = 1.., default_value = "planner")]
    agents: Vec<String>,
    /// The start clock in seconds
    #[arg(long, default_value_t = 10.0)]
    start_clock: f64,
    /// The play clock in seconds
    #[arg(long, default_value_t = 2.0)]
    play_clock: f64,
    /// How many matches run in parallel
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
}

/// Longer matches end without a result.
const MAX_PLIES: usize = 300;

/// What an agent got, and the highest goal of the rules.
struct Outcome {
    goal: f64,
    best: f64,
    plies: usize,
}

/// Plays every puzzle with every agent.
pub fn run(args: &Args) -> Result<()> {
    let filter = args.filter.as_deref().unwrap_or("");
    let mut paths = workspace::rules_below(&workspace::games())?;
    if let Some(corpus) = workspace::corpus(args.corpus.as_deref()) {
        paths.extend(workspace::rules_below(&corpus.join("games"))?);
    } else {
        println!("no corpus found: only games of the library");
    }
    paths.retain(|path| path.to_string_lossy().contains(filter));
    for text in &args.agents {
        let agent = load_agent(text).map_err(|error| anyhow!("{error}"))?;
        let outcomes = side_by_side(args.concurrency, &paths, |path| {
            let name =
                path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
            let outcome = play(path, &agent, args).unwrap_or_else(|error| {
                println!("{name:32} {error:#}");
                None
            });
            if let Some(Outcome { goal, best, plies }) = &outcome {
                let mark = if goal >= best { "solved" } else { "" };
                println!("{name:32} {goal:5.1} of {best:5.1} after {plies:3} moves  {mark}");
            }
            outcome
        });
        let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
        ensure!(!outcomes.is_empty(), "no game of one role has a name that contains `{filter}`");
        let n_solved = outcomes.iter().filter(|outcome| outcome.goal >= outcome.best).count();
        println!("`{agent}`: {n_solved} of {} games solved", outcomes.len());
    }
    Ok(())
}

/// Plays a game; `None` if it is not a puzzle.
fn play(path: &Path, agent: &AgentSpec, args: &Args) -> Result<Option<Outcome>> {
    let text = path.to_str().context("the path is not text")?;
    let game = PreparedGame::load(text, &LoadSettings::default(), &Cache::off(), &mut |_| {});
    let Ok(game) = game else { return Ok(None) };
    if game.roles().len() != 1 {
        return Ok(None);
    }
    let time = |seconds| Allowance::of_time(Duration::from_secs_f64(seconds));
    let mut settings = MatchSettings::new(vec![agent.clone()], time(args.play_clock));
    settings.terms =
        Terms { start: Some(time(args.start_clock)), ply_limit: MAX_PLIES, ..settings.terms };
    let result = game.play_match(&settings).map_err(|error| anyhow!("{error}"))?;
    let Some(&goal) = result.goals.first() else { return Ok(None) };
    let best = f64::from(game.loaded.game.with(BestGoal)) * 100.0;
    Ok(Some(Outcome { goal, best: best.round(), plies: result.moves.len() }))
}

/// The highest payoff of the only role.
struct BestGoal;

impl WithGame for BestGoal {
    type Out = f32;

    fn call<G: Game>(self, game: Arc<G>) -> f32 {
        game.payoff_range(Role(0)).1
    }
}
