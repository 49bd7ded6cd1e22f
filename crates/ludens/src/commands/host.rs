//! `ludens host`: runs matches between players over HTTP.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use ludens_catalog::{Cache, LoadedGame, ReasonerKind};
use ludens_protocol::{Address, Fault, Hosted, Played};
use serde_json::{Value, json};

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::units;

const EXAMPLES: &str = "\
Examples:
  ludens host tictactoe --players 127.0.0.1:9147 127.0.0.1:9148
  ludens host breakthrough --players localhost:9147 localhost:9148 --start-clock 10s --play-clock 2s --matches 10
  ludens host connectfour --players localhost:9147 localhost:9148 --scramble --records matches

Players take turns with the roles. A role called `random`, and roles beyond
the players that are given, get moves that are drawn. A player that is late (TO), cannot be reached (CE) or
answers with no legal move (IL) gets a drawn move too, and the match goes on.

Exit codes: 0 all is well, 1 a player failed, 2 wrong usage or unreadable input.";

/// Run matches between players over HTTP.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Host {
    /// A name of the library, a file, or `-`.
    game: String,

    /// Where players listen, such as `http://127.0.0.1:9147`.
    #[arg(long, value_name = "URL", num_args = 1.., required = true)]
    players: Vec<Address>,

    /// How long players may prepare themselves.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    start_clock: Duration,

    /// How long each move may take.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    play_clock: Duration,

    /// How much later answers may come.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    grace: Duration,

    /// Send rules and moves with other names.
    #[arg(long)]
    scramble: bool,

    /// How many matches, one after the other.
    #[arg(long, value_name = "N", default_value_t = 1)]
    matches: u32,

    /// What all random numbers are derived from.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Write a file for each match into this folder, as hosts of the competition do.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Plays all matches.
pub fn run(args: &Host, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut n_faults = 0;
    for number in 0..args.matches {
        let seats = args.seats(loaded.game.roles(), number as usize);
        let hosted = args.hosted(&loaded, &seats, number);
        let begun = SystemTime::now();
        let played = runtime.block_on(hosted.play(|_| {}));
        let played = played.with_context(|| format!("{} cannot go on", hosted.id))?;
        let record = args.record(&hosted, &played, begun);
        if let Some(folder) = &args.records {
            let path = folder.join(format!("{}.json", hosted.id));
            std::fs::write(&path, format!("{record:#}\n"))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        n_faults += faults(&played).count();
        if console.json {
            console.line(&record)?;
        } else {
            report(&hosted, &played, console)?;
        }
        console.flush()?;
    }
    Ok(if n_faults == 0 { Outcome::Fine } else { Outcome::Found })
}

impl Host {
    /// Who takes each role; players move on by one seat from match to match.
    fn seats(&self, roles: &[String], number: usize) -> Vec<Option<Address>> {
        let n_seats = roles.iter().filter(|role| *role != "random").count().max(1);
        let mut free = 0;
        let seat = |role: &String| {
            if role == "random" {
                return None;
            }
            let seat = (free + number) % n_seats;
            free += 1;
            self.players.get(seat).cloned()
        };
        roles.iter().map(seat).collect()
    }

    fn hosted(&self, loaded: &LoadedGame, seats: &[Option<Address>], number: u32) -> Hosted {
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = loaded.source.name.chars().map(fit).collect();
        Hosted {
            id: format!("{name}.{}.{number}", self.seed),
            rules: loaded.source.source.text.clone(),
            reasoner: loaded.game.reasoner(),
            players: seats.to_vec(),
            start_clock: self.start_clock,
            play_clock: self.play_clock,
            grace: self.grace,
            scramble: self.scramble,
            seed: self.seed.wrapping_add(u64::from(number)),
        }
    }

    /// The match in the form that hosts of the competition write.
    fn record(&self, hosted: &Hosted, played: &Played, begun: SystemTime) -> Value {
        let since = begun.duration_since(UNIX_EPOCH).unwrap_or_default();
        let states = played.states.iter().map(|facts| format!("( {} )", facts.join(" ")));
        let errors = played.faults.iter().map(|faults| faults.iter().map(Fault::code).collect());
        let names = hosted.players.iter().map(|player| match player {
            Some(player) => player.to_string(),
            None => "random".to_owned(),
        });
        json!({
            "matchId": hosted.id,
            "startTime": u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            "rulesheet": hosted.rules,
            "isCompleted": true,
            "isAborted": false,
            "states": states.collect::<Vec<_>>(),
            "moves": played.moves,
            "errors": errors.collect::<Vec<Vec<_>>>(),
            "goalValues": played.goals,
            "startClock": self.start_clock.as_secs(),
            "playClock": self.play_clock.as_secs(),
            "playerNamesFromHost": names.collect::<Vec<_>>(),
            "scrambled": self.scramble,
        })
    }
}

/// What players did wrong.
fn faults(played: &Played) -> impl Iterator<Item = &Fault> {
    played.faults.iter().flatten().filter(|fault| **fault != Fault::None)
}

/// Tells how a match ended.
fn report(hosted: &Hosted, played: &Played, console: &mut Console) -> anyhow::Result<()> {
    let roles = hosted.reasoner.roles();
    writeln!(console, "{}: {} steps", hosted.id, played.moves.len())?;
    for (idx, (role, player)) in roles.iter().zip(&hosted.players).enumerate() {
        let who = player.as_ref().map_or("nobody".to_owned(), Address::to_string);
        let goal = played.goals.get(idx).map_or("?".to_owned(), i64::to_string);
        let codes = played.faults.iter().filter_map(|faults| faults.get(idx));
        let codes: Vec<String> =
            codes.filter(|fault| **fault != Fault::None).map(Fault::code).collect();
        let errors =
            if codes.is_empty() { String::new() } else { format!("  {}", codes.join(", ")) };
        writeln!(console, "  {role} ({who}): {goal}{errors}")?;
    }
    Ok(())
}
