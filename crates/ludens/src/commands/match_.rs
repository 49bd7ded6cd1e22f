//! `ludens match`: compares agents, with confidence intervals.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludens_arena::clock::Allowance;
use ludens_arena::play::Terms;
use ludens_arena::stats::{EloScale, Sprt};
use ludens_catalog::{AgentSpec, Cache, load_agent};

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt::{self, outcome};
use crate::report::{
    ContestProgress, play_in_lines, print_how_to_resume, print_location, print_note, print_standing,
};
use ludens_lab::contest::{Contest, DEFAULT_JOURNAL, Summary, VoidGames};
use ludens_lab::units;

const EXAMPLES: &str = "\
Examples:
  ludens match breakthrough --agents ppafm uct --games 100 --iterations 10000
  ludens match breakthrough --agents ppafm uct --games 100 --iterations 10000 --reasoner native
  ludens match tictactoe --agents 'uct(c=0.4) + mast' flat random --games 50 --time 100ms
  ludens match hex --agents grave uct --games 2000 --iterations 1000 --sprt 0,50
  ludens match connectfour --agents uct rave --time 1s --start-time 5s
  ludens match babel --agents 'uct(batch=1)' --roles builder1,builder2,builder3 --time 0.5s
  ludens results                                the games so far

Every game is written to the journal as it ends. The same command resumes after an interruption,
and with more --games it adds to the existing ones. Games come in rounds, in which agents take
every seat with the same random opening. With --start-time or --start-iterations, agents prepare
for the game before its first move; most of them search the initial state and keep the tree.

Reproducible: the same seed gives the same games, whatever --concurrency is, if --iterations is given
and each thread plays one game at a time. On games that run from their rules, searches of many games
share one evaluator (--together). Searches that learn from playouts then make the same moves;
searches with uniform playouts share a random stream and are the same on average only.
--together 1 makes them reproducible too, and slower.";

/// Play agents against each other, and report their scores with confidence intervals.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Match {
    /// A name of the library, or a file.
    game: String,

    /// The agents, two or more; `ludens agents` lists them.
    #[arg(long, value_name = "AGENT", num_args = 1.., required = true)]
    agents: Vec<String>,

    /// The roles of the first agent in every game; the second one has all others. With all roles, one agent
    /// plays alone: the payoff of a team. By default agents take every seat.
    #[arg(long, value_name = "ROLE", value_delimiter = ',', conflicts_with = "sprt")]
    roles: Vec<String>,

    /// The number of games of each meeting of agents; with two agents, the total number.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,

    #[command(flatten)]
    allowance: AllowanceArgs,

    #[command(flatten)]
    start: StartArgs,

    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    concurrency: ConcurrencyArgs,

    /// Stop as soon as a sequential test decides whether the first agent is stronger than the second
    /// by elo0 or by elo1; alpha and beta, 0.05 each, are the error rates. Unless --together is
    /// given, games start only a little ahead of the first unfinished one.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// The number of random joint moves at the beginning, the same for all games of a round.
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    openings: usize,

    #[command(flatten)]
    journal: JournalArgs,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Limits of a move.
#[derive(Args, Clone, Copy)]
#[group(required = true, multiple = true)]
pub struct AllowanceArgs {
    /// The time limit of a move.
    #[arg(long, value_parser = units::positive_duration)]
    time: Option<Duration>,

    /// The maximum number of iterations of a move.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    iterations: Option<u64>,
}

/// Limits of preparation.
#[derive(Args, Clone, Copy)]
pub struct StartArgs {
    /// The time limit of preparation before the first move of a game.
    #[arg(long, value_name = "TIME", value_parser = units::positive_duration)]
    start_time: Option<Duration>,

    /// The maximum number of iterations of preparation before the first move of a game.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    start_iterations: Option<u64>,
}

impl StartArgs {
    fn allowance(self) -> Option<Allowance> {
        let StartArgs { start_time: time, start_iterations: iterations } = self;
        let any = time.is_some() || iterations.is_some();
        any.then_some(Allowance { time, iterations, bytes: None })
    }
}

/// How many games are played at the same time.
#[derive(Args, Clone, Copy)]
pub struct ConcurrencyArgs {
    /// The number of threads; all cores by default.
    #[arg(long, value_name = "K", value_parser = units::positive::<usize>)]
    pub concurrency: Option<usize>,

    /// The number of games that each thread plays at the same time; by default 128 if their searches
    /// can share an evaluator, and 1 otherwise.
    #[arg(long, value_name = "N", value_parser = units::positive::<usize>)]
    pub together: Option<usize>,
}

/// The journal.
#[derive(Args, Clone)]
pub struct JournalArgs {
    /// The journal: a file with every game.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_JOURNAL)]
    pub journal: PathBuf,

    /// The name of the match in the journal; by default one derived from its settings.
    #[arg(long)]
    pub name: Option<String>,
}

/// Parses the bounds of a sequential test.
fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let expected = "expected `elo0,elo1` or `elo0,elo1,alpha,beta`, such as `0,20,0.05,0.05`";
    let numbers = numbers.map_err(|_| expected.to_owned())?;
    let (bounds, [alpha, beta]) = match numbers[..] {
        [elo0, elo1] => ([elo0, elo1], [0.05; 2]),
        [elo0, elo1, alpha, beta] => ([elo0, elo1], [alpha, beta]),
        _ => return Err(expected.to_owned()),
    };
    Sprt::new(bounds, alpha, beta, EloScale::Logistic).map_err(|error| error.to_string())
}

impl Match {
    fn contest(&self) -> anyhow::Result<Contest> {
        let agents: Result<Vec<AgentSpec>, _> =
            self.agents.iter().map(|text| load_agent(text)).collect();
        let AllowanceArgs { time, iterations } = self.allowance;
        let allowance = Allowance { time, iterations, bytes: None };
        let mut contest = Contest::new(&self.game, agents?, allowance, self.games);
        let (start, opening) = (self.start.allowance(), self.openings);
        contest.terms = Terms { start, opening, ..contest.terms };
        let ConcurrencyArgs { concurrency, together } = self.concurrency;
        let JournalArgs { journal, name } = self.journal.clone();
        let roles = self.roles.clone();
        let (load, &Match { seed, sprt, .. }) = (self.reasoner.settings(), self);
        Ok(Contest { load, seed, concurrency, together, sprt, journal, name, roles, ..contest })
    }
}

/// Plays the missing games of the match.
pub fn run(args: &Match, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let contest = args.contest()?;
    let stop = interrupt::stop();
    let opened = contest.open(cache, &mut |event| print_note(&event))?;
    if console.json {
        let report = play_in_lines(&opened, stop, console)?;
        console.record("match", &Summary::new(&opened.name, &opened.settings, &report))?;
    } else {
        let mut progress = ContestProgress::new(&opened.settings.game);
        let report = opened.play(stop, &mut |event| progress.show(&event))?;
        drop(progress);
        let void = VoidGames::of(&opened.recorded_games()?);
        print_standing(&opened.settings, &report.board, &void, report.sprt.as_ref(), console)?;
        let (counted, journal) = (report.board.played(), contest.journal.display());
        let place = format!("{journal} as `{}`", opened.name);
        print_location(&place, opened.games_in_journal()?, counted, console)?;
        print_how_to_resume(report.missing, console)?;
    }
    Ok(outcome())
}
