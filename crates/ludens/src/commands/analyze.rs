//! `ludens analyze`: what a search thinks of positions, for people and for programs.

use std::cell::Cell;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use ludens_catalog::{AgentSpec, Cache, load_agent, split_terms};

use crate::Outcome;
use crate::analysis::{
    Answer, Defaults, Engine, Limits, Live, Setup, Shelf, Shelved, Study, Turn, Wishes, tell,
};
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::failure::Hinted;
use crate::units;

const EXAMPLES: &str = "\
Examples:
  ludens analyze breakthrough --iterations 10000
  ludens analyze tictactoe --moves '(mark 2 2)' '(mark 1 1)' --agent minimax
  ludens analyze rockpaperscissors --moves 'rock paper' --time 2s --json
  ludens analyze --stdin                         queries from the standard input
  ludens analyze hex --stdin --iterations 1000   the same, with a usual game and effort
  echo '{\"id\": 1, \"game\": \"hex\", \"moves\": [\"(place e 5)\"], \"maxVisits\": 1000}' |
      ludens analyze --stdin

In:   {\"id\":…, \"game\":…, \"moves\":[\"(mark 2 2)\", [\"noop\", \"(mark 1 1)\"], …],
       \"initialState\":[…], \"analyzeTurns\":[…], \"agent\":…, \"maxVisits\":…, \"maxTime\":…,
       \"reportDuringSearchEvery\":…, \"includePolicy\":…, \"includeBoard\":…, \"includeState\":…,
       \"topMoves\":…, \"seed\":…, \"priority\":…}
   or {\"id\":…, \"action\": \"query_version\" | \"terminate\" | \"terminate_all\" | \"clear_cache\"}
Out:  {\"id\":…, \"turnNumber\":…, \"isDuringSearch\":…, \"rootInfo\":{…}, \"moveInfos\":{…}, …}
   or {\"id\":…, \"error\":…, \"field\":…, \"hint\":…}, and on with the next line.

docs/analysis.md tells what all fields mean.";

/// Tell what a search thinks of a position, or answer queries about many, one JSON line each.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Analyze {
    /// A name of the library, or a file; with --stdin, the game of queries that name none.
    game: Option<String>,

    /// Answer queries from the standard input, a JSON line each.
    #[arg(long)]
    stdin: bool,

    /// The moves that were made, turn by turn: the move of the role that decides, or one move for
    /// each role.
    #[arg(long, value_name = "TURN", num_args = 1.., conflicts_with = "stdin")]
    moves: Vec<String>,

    /// Who thinks; `ludens agents` lists them.
    #[arg(long, default_value = "uct")]
    agent: String,

    /// How long to think about a position (1s, unless --iterations is given).
    #[arg(long, value_parser = units::duration)]
    time: Option<Duration>,

    /// How many playouts to make for a position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// Random numbers; the same seed and iterations give the same answer.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many moves of each role are listed.
    #[arg(long, value_name = "N", default_value_t = Wishes::TOP, conflicts_with = "stdin")]
    top: usize,

    /// How many queries are answered at the same time; as many as there are cores, if not given.
    #[arg(long, value_name = "N", requires = "stdin")]
    threads: Option<usize>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Tells about one position, or answers queries.
pub fn run(args: &Analyze, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let agent = load_agent(&args.agent)?;
    let second = args.iterations.is_none().then_some(Duration::from_secs(1));
    let limits = Limits { iterations: args.iterations, time: args.time.or(second) };
    if args.stdin {
        let defaults = Defaults { game: args.game.clone(), agent, limits, seed: args.seed };
        let engine = Engine::new(Shelf::new(args.reasoner, cache), defaults, console);
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        engine.run(&mut io::stdin().lock(), args.threads.unwrap_or_else(cores))?;
        return Ok(Outcome::Fine);
    }
    let Some(spec) = &args.game else {
        let hint = "name one, or give --stdin to answer queries from the standard input";
        return Err(Hinted::new("which game is to be analysed?", hint).into());
    };
    let game = Shelved::load(spec, args.reasoner, cache)?;
    analyse_once(args, (&game, &agent), limits, console)
}

fn analyse_once(
    args: &Analyze,
    (game, agent): (&Shelved, &AgentSpec),
    limits: Limits,
    console: &mut Console,
) -> anyhow::Result<Outcome> {
    let n_roles = game.loaded.game.roles().len();
    let turns = args.moves.iter().map(|text| turn(text, n_roles)).collect();
    let setup = Setup { initial: None, turns };
    let stop = Arc::new(AtomicBool::new(false));
    let mut live = Live::new(limits, console.json);
    let begun = Cell::new(Instant::now());
    let study = Study {
        setup: &setup,
        turn: setup.turns.len(),
        agent,
        seed: args.seed,
        budget: &|| {
            begun.set(Instant::now());
            limits.budget(&stop)
        },
        every: live.every(),
        watch: &mut |_, insight| {
            live.show(|| insight.clone());
            ControlFlow::Continue(())
        },
    };
    let studied = game.loaded.game.with(study);
    let time = begun.get().elapsed();
    drop(live);
    let (position, insight) = studied.map_err(crate::analysis::Slip::into_error)?;
    if console.json {
        let wishes = Wishes { top: args.top, policy: false, board: false, state: false };
        console.line(&Answer::new((&position, &insight), &wishes, time))?;
        return Ok(Outcome::Fine);
    }
    let (title, turn) = (game.title(), position.turn);
    let s = if turn == 1 { "" } else { "s" };
    writeln!(console, "\x1b[1m{title}\x1b[0m after {turn} move{s}, {agent} thinks")?;
    let painter = game.painter(console.is_coloured());
    let board = painter.draw(position.before.as_deref(), &position.facts);
    writeln!(console, "\n{}\n", board.trim_end())?;
    tell(&position, &insight, (args.top, time), console)?;
    Ok(Outcome::Fine)
}

/// A turn as it is written on the command line: as many terms as there are roles are a joint move.
fn turn(text: &str, n_roles: usize) -> Turn {
    match split_terms(&format!("({text})")) {
        Some(terms) if n_roles > 1 && terms.len() == n_roles => Turn::Joint(terms),
        _ => Turn::Mover(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_joint_moves_or_those_of_one_role() {
        let mover = |text: &str| Turn::Mover(text.to_owned());
        let joint = |texts: [&str; 2]| Turn::Joint(texts.map(String::from).to_vec());
        assert_eq!(turn("(mark 1 1)", 2), mover("(mark 1 1)"));
        assert_eq!(turn("mark 1 1", 2), mover("mark 1 1"));
        assert_eq!(turn("( Mark 1 1 ) noop", 2), joint(["(mark 1 1)", "noop"]));
        assert_eq!(turn("rock paper", 2), joint(["rock", "paper"]));
        assert_eq!(turn("rock", 1), mover("rock"));
        assert_eq!(turn("(mark 1", 2), mover("(mark 1"));
    }
}
