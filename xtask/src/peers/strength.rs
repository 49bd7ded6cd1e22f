//! Our agents against `OpenSpiel`'s tree search, with the same wall-clock time for every move.
//!
//! Seats alternate. Both programs follow every match, and all legal moves and results must agree;
//! otherwise the match does not count and the command ends. Finished matches are lines of a file, so the
//! command can be interrupted at any time and resumed.

mod bot;
mod duel;
mod lockstep;
mod notation;
mod scores;

use std::time::Duration;

use anyhow::{Context, Result};
use ludens_arena::stats::wilson;
use ludens_catalog::{AnyGame, load_agent, load_game};
use ludens_core::{Budget, Rng, Role};

use super::openspiel::OpenSpiel;
use super::report::floor_line;
use super::table::{PeerTable, StrengthEntry};
use super::{Args, find_openspiel};
use bot::Bot;
use duel::Duel;
pub use notation::Notation;
use scores::{MatchLine, Scores, Terms};

/// Plays the missing matches of all series and prints scores.
pub fn run(args: &Args, table: &PeerTable) -> Result<()> {
    let entries = args.chosen(&table.strengths, |entry| &entry.game)?;
    let openspiel = find_openspiel(table).context("there is no opponent")?;
    let mut verdicts = Vec::new();
    for entry in entries {
        let scores = play(entry, args, table, &openspiel).with_context(|| entry.game.clone())?;
        let (points, n_matches) = (scores.points(), scores.matches().len() as f64);
        let interval = wilson(points, n_matches);
        println!(
            "{}: {} scores {points} of {n_matches}, 95 % interval {:.1} % to {:.1} %",
            entry.game,
            entry.agent,
            100.0 * interval.low,
            100.0 * interval.high
        );
        println!("  {}", scores.efforts());
        let score = (n_matches > 0.0).then_some(points / n_matches);
        verdicts.push(floor_line(&entry.game, "score", score, entry.floor, 2));
    }
    println!("\nfloors\n{}", verdicts.join("\n"));
    Ok(())
}

/// Plays the matches of a series that are not yet in its file.
fn play(
    entry: &StrengthEntry,
    args: &Args,
    table: &PeerTable,
    openspiel: &OpenSpiel,
) -> Result<Scores> {
    let game = load_game(&entry.game, entry.reasoner, &Budget::unlimited())?.game;
    let mut scores = Scores::open(&entry.game, terms(entry, args, table), args.n_matches)?;
    if !args.json {
        eprintln!(
            "{}: {} matches in {}",
            entry.game,
            scores.matches().len(),
            scores.path().display()
        );
    }
    for number in scores.missing() {
        let line = play_one(&game, entry, number, &scores.terms, openspiel)?;
        if args.json {
            println!("{}", line.json()?);
        } else {
            eprintln!("{}: {line}", entry.game);
        }
        scores.add(line)?;
    }
    Ok(scores)
}

fn terms(entry: &StrengthEntry, args: &Args, table: &PeerTable) -> Terms {
    Terms {
        game: entry.game.clone(),
        agent: entry.agent.clone(),
        reasoner: entry.reasoner.to_string(),
        opponent: table.openspiel.package.clone(),
        exploration: table.openspiel.exploration,
        milliseconds: u64::try_from(args.time.as_millis()).unwrap_or(u64::MAX),
        seed: args.seed,
    }
}

fn play_one(
    game: &AnyGame,
    entry: &StrengthEntry,
    number: u32,
    terms: &Terms,
    openspiel: &OpenSpiel,
) -> Result<MatchLine> {
    let mut rng = Rng::stream(terms.seed, &[u64::from(number)]);
    // The other program has 32-bit seeds, which it increments.
    let their_seed = rng.below(1 << 30);
    let mut bot = Bot::start(openspiel, &entry.openspiel, their_seed, terms.exploration)?;
    let role = Role((number % 2) as u8);
    let played = game.with(Duel {
        bot: &mut bot,
        notation: entry.notation,
        agent: &load_agent(&entry.agent)?,
        role,
        time: Duration::from_millis(terms.milliseconds),
        seed: rng.next_u64(),
    })?;
    Ok(MatchLine { terms: terms.clone(), number, seat: role.index(), played })
}
