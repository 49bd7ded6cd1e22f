//! `ludens host`: runs matches between players over HTTP.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use ludens_arena::journal::Journal;
use ludens_arena::schedule::Pairing;
use ludens_catalog::{Cache, LoadedGame, ReasonerKind};
use ludens_protocol::{Fault, Hosted, Played};
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt;
use crate::report::{ContestProgress, print_standing};
use ludens_lab::contest::{DEFAULT_JOURNAL, Settings, VoidGames};
use ludens_lab::host::{Ended, HostSettings, NamedPlayer, Series, match_json, reach};
use ludens_lab::{Event, Hinted, units};

const EXAMPLES: &str = "\
Examples:
  ludens host tictactoe --players 127.0.0.1:9147 127.0.0.1:9148
  ludens host breakthrough --players localhost:9147 localhost:9148 --start-clock 10s --play-clock 2s --matches 10
  ludens host tictactoe connectfour_3p --players localhost:9147 localhost:9148 localhost:9149 --scramble
                                  a tournament: every group of players meets in every game
  ludens results ludens.journal   the standing

Players take the roles in turn; every role needs a player of its own, unless they share them with --pairs. A role
called `random` makes random moves, needs no player and is not ranked. A player that is late (TO), cannot be reached
(CE) or answers with an illegal move (IL) gets a random move too, and the match continues. A match that a player does
not start does not count: it answers START with `busy` for the whole start clock, or does not answer. Every match is
written to the journal as it ends, and the same command resumes with the missing ones.

Exit codes: 0 success, 1 a player failed or a match has no result, 2 wrong usage, unreadable input or no player listens.";

/// Run matches between players over HTTP.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Host {
    /// Names of the library, files, or `-`.
    #[arg(value_name = "GAME", num_args = 1.., required = true)]
    games: Vec<String>,

    /// The addresses of the players, such as `http://127.0.0.1:9147`; `NAME=URL` also gives a name, otherwise
    /// the player's own name is shown.
    #[arg(long, value_name = "URL", num_args = 1.., required = true)]
    players: Vec<NamedPlayer>,

    /// How long players may prepare.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    start_clock: Duration,

    /// How long each move may take.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::positive_duration)]
    play_clock: Duration,

    /// The grace period after the clocks.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    grace: Duration,

    /// The maximum number of steps of a match; longer ones are aborted.
    #[arg(long, value_name = "N", value_parser = units::positive::<usize>)]
    most_steps: Option<usize>,

    /// Send scrambled rules and moves.
    #[arg(long)]
    scramble: bool,

    /// How many matches each group of players has in each game.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::positive::<usize>)]
    matches: usize,

    /// Let every two players meet and share the roles, however many there are, and a single player have all of
    /// them; without it, as many players meet as a game has roles.
    #[arg(long)]
    pairs: bool,

    /// How many matches are played at the same time.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = units::positive::<usize>)]
    concurrency: usize,

    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The journal: a file with every match.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_JOURNAL)]
    journal: PathBuf,

    /// The name of the matches in the journal; by default one derived from the settings.
    #[arg(long)]
    name: Option<String>,

    /// Write a file for each match into this folder, as hosts of the competition do.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Plays all matches of all games. Errors in the settings are found before the first match begins.
pub fn run(args: &Host, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    if args.name.is_some() && args.games.len() > 1 {
        let message =
            format!("--name is for the matches of one game, and there are {}", args.games.len());
        return Err(Hinted::new(message, "leave it out: each game gets its own name").into());
    }
    let load = |game: &String| args.reasoner.load_game(game, ReasonerKind::Auto, cache);
    let games = args.games.iter().map(load).collect::<anyhow::Result<Vec<LoadedGame>>>()?;
    let settings = args.settings();
    let all = games.iter().map(|loaded| Series::new(&settings, loaded));
    let mut all = all.collect::<anyhow::Result<Vec<_>>>()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    args.check(&mut all, &runtime)?;
    let journal = Journal::open(&args.journal)?;
    for series in &all {
        series.experiment(&journal)?;
    }
    let mut n_faults = 0;
    for series in &all {
        if interrupt::stop().is_raised() {
            break;
        }
        n_faults += args.play(series, &journal, &runtime, console)?;
    }
    let fine = n_faults == 0 && !interrupt::stop().is_raised();
    Ok(if fine { Outcome::Fine } else { Outcome::Found })
}

impl Host {
    /// Checks the players, takes their names, and makes the folder of records, unless all matches were
    /// played before.
    fn check(&self, all: &mut [Series<'_>], runtime: &Runtime) -> anyhow::Result<()> {
        let played = all.iter().map(Series::was_played).collect::<anyhow::Result<Vec<bool>>>()?;
        if played.iter().all(|played| *played) {
            return all.iter_mut().try_for_each(Series::recall_names);
        }
        let stated = runtime.block_on(reach(&self.players))?;
        for series in all {
            series.name_players(&stated);
        }
        self.warn_of_fractions();
        let Some(folder) = &self.records else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))
    }

    /// Warns about clocks that other players may not understand.
    fn warn_of_fractions(&self) {
        if [self.start_clock, self.play_clock].iter().any(|clock| clock.subsec_nanos() > 0) {
            anstream::eprintln!(
                "\x1b[1;33mwarning\x1b[0m: clocks of the competition are whole seconds, and other players may \
                 not read fractions"
            );
        }
    }

    /// Plays the missing matches of a game, and prints the standing; returns the number of faults.
    fn play(
        &self,
        series: &Series<'_>,
        journal: &Journal,
        runtime: &Runtime,
        console: &mut Console,
    ) -> anyhow::Result<usize> {
        let (mut n_ended, mut n_faults) = (0, 0);
        let (stop, mut progress) = (interrupt::stop(), ContestProgress::new(&series.settings.game));
        let bar = progress.bar();
        let events = &mut |event: Event<'_>| progress.show(&event);
        let board = series.play((journal, runtime), stop, events, |ended| {
            n_ended += 1;
            n_faults += bar.suspend(|| self.print(&series.settings, ended, console))?;
            Ok(())
        })?;
        drop(progress);
        if console.json {
            return Ok(n_faults);
        }
        if n_ended == 0 && !stop.is_raised() {
            let n = series.n_matches();
            writeln!(console, "all {n} matches of `{}` were played before", series.name)?;
        }
        writeln!(console)?;
        let void = VoidGames::of(&series.games(journal)?);
        print_standing(&series.settings, &board, &void, None, console)?;
        Ok(n_faults)
    }

    fn settings(&self) -> HostSettings {
        HostSettings {
            players: self.players.clone(),
            start_clock: self.start_clock,
            play_clock: self.play_clock,
            grace: self.grace,
            most_steps: self.most_steps,
            scramble: self.scramble,
            matches: self.matches,
            pairing: if self.pairs { Pairing::Pairs } else { Pairing::RoundRobin },
            concurrency: self.concurrency,
            seed: self.seed,
            journal: self.journal.clone(),
            name: self.name.clone(),
            load: self.reasoner.settings(),
        }
    }

    /// Prints the result of a match; returns the number of faults.
    fn print(
        &self,
        settings: &Settings,
        ended: &Ended,
        console: &mut Console,
    ) -> anyhow::Result<usize> {
        let Ended { slot, hosted, begun, outcome } = ended;
        let played = match outcome {
            Ok(played) => played,
            Err(trouble) => {
                print_void(hosted, &trouble.to_string());
                return Ok(1);
            }
        };
        let flaw = played.flaw();
        if let Some(why) = &flaw {
            print_void(hosted, why);
        }
        let names = settings.seated(&slot.seats);
        let record = match_json(hosted, played, *begun, &names);
        if let Some(folder) = &self.records {
            let path = folder.join(format!("{}.json", hosted.id));
            std::fs::write(&path, format!("{record:#}\n"))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        if console.json {
            console.line(&record)?;
        } else {
            print_result(ended, played, &names, console)?;
        }
        console.flush()?;
        let faults = played.faults.iter().flatten();
        let n_faults = faults.filter(|fault| **fault != Fault::None).count();
        Ok(n_faults + usize::from(flaw.is_some()))
    }
}

/// Prints why a match has no result.
fn print_void(hosted: &Hosted, why: &str) {
    anstream::eprintln!("\x1b[1;31merror\x1b[0m: {} has no result: {why}", hosted.id);
}

/// Prints the result of a match.
fn print_result(
    ended: &Ended,
    played: &Played,
    names: &[String],
    console: &mut Console,
) -> anyhow::Result<()> {
    let hosted = &ended.hosted;
    writeln!(console, "{}: {} steps", hosted.id, played.moves.len())?;
    for (idx, (role, player)) in hosted.reasoner.roles().iter().zip(names).enumerate() {
        let role = hosted.symbols.spell(role);
        let goal = played.goals.get(idx).map_or("?".to_owned(), i64::to_string);
        let codes = played.faults.iter().filter_map(|faults| faults.get(idx));
        let codes: Vec<String> =
            codes.filter(|fault| **fault != Fault::None).map(Fault::code).collect();
        let errors =
            if codes.is_empty() { String::new() } else { format!("  {}", codes.join(", ")) };
        let longest = played.paces[idx].longest.as_secs_f64();
        writeln!(console, "  {role} ({player}): {goal}, longest answer {longest:.3} s{errors}")?;
    }
    Ok(())
}
