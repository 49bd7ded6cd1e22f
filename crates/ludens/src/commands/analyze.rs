//! `ludens analyze`: analysis of positions, as text or for programs.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludens_arena::clock::Allowance;
use ludens_catalog::{AgentSpec, Cache, load_agent, split_terms};

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::report::{Live, print_analysis, print_note};
use ludens_lab::analysis::{Analysis, Answer, AnswerOptions, Defaults, Engine, SharedGames};
use ludens_lab::{Hinted, PreparedGame, SessionError, Setup, ThinkSettings, Turn, units};

const EXAMPLES: &str = "\
Examples:
  ludens analyze breakthrough --iterations 10000
  ludens analyze tictactoe --moves '(mark 2 2)' '(mark 1 1)' --agent minimax
  ludens analyze rockpaperscissors --moves 'rock paper' --time 2s --json
  ludens analyze --stdin                         queries from the standard input
  ludens analyze hex --stdin --iterations 1000   the same, with a default game and limit
  echo '{\"id\": 1, \"game\": \"hex\", \"moves\": [\"(place e 5)\"], \"maxVisits\": 1000}' |
      ludens analyze --stdin

In:   {\"id\":…, \"game\":…, \"moves\":[\"(mark 2 2)\", [\"noop\", \"(mark 1 1)\"], …],
       \"initialState\":[…], \"analyzeTurns\":[…], \"agent\":…, \"maxVisits\":…, \"maxTime\":…,
       \"reportDuringSearchEvery\":…, \"includePolicy\":…, \"includeBoard\":…, \"includeState\":…,
       \"topMoves\":…, \"seed\":…, \"priority\":…}
   or {\"id\":…, \"action\": \"query_version\" | \"terminate\" | \"terminate_all\" | \"clear_cache\"}
Out:  {\"id\":…, \"turnNumber\":…, \"isDuringSearch\":…, \"rootInfo\":{…}, \"moveInfos\":{…}, …}
   or {\"id\":…, \"error\":…, \"field\":…, \"hint\":…}; then the next line is read.

docs/analysis.md explains all fields.";

/// Analyse a position, or answer queries about positions, one JSON line each.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Analyze {
    /// A name of the library, or a file; with --stdin, the default game of queries.
    game: Option<String>,

    /// Answer queries from the standard input, one JSON line each.
    #[arg(long)]
    stdin: bool,

    /// The moves that were made, turn by turn: the move of the role that decides, or one move for
    /// each role.
    #[arg(long, value_name = "TURN", num_args = 1.., conflicts_with = "stdin")]
    moves: Vec<String>,

    /// The agent; `ludens agents` lists them.
    #[arg(long, default_value = "uct")]
    agent: String,

    /// The time limit for a position (1s, unless --iterations is given).
    #[arg(long, value_parser = units::duration)]
    time: Option<Duration>,

    /// The number of playouts for a position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// The seed of random numbers; the same seed and iterations give the same answer.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many moves of each role are listed.
    #[arg(long, value_name = "N", default_value_t = AnswerOptions::DEFAULT_TOP, conflicts_with = "stdin")]
    top: usize,

    /// How many queries are answered at the same time; one per core by default.
    #[arg(long, value_name = "N", requires = "stdin")]
    threads: Option<usize>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Analyses one position, or answers queries.
pub fn run(args: &Analyze, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let agent = load_agent(&args.agent)?;
    let second = args.iterations.is_none().then_some(Duration::from_secs(1));
    let (iterations, time) = (args.iterations, args.time.or(second));
    let allowance = Allowance { iterations, time, bytes: None };
    let settings = args.reasoner.settings();
    if args.stdin {
        let defaults = Defaults { game: args.game.clone(), agent, allowance, seed: args.seed };
        let games = SharedGames::new(settings, cache, |event| print_note(&event));
        let engine = Engine::new(games, defaults, console);
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        engine.run(&mut io::stdin().lock(), args.threads.unwrap_or_else(cores))?;
        return Ok(Outcome::Fine);
    }
    let Some(spec) = &args.game else {
        let hint = "name one, or give --stdin to answer queries from the standard input";
        return Err(Hinted::new("no game is given", hint).into());
    };
    let game = PreparedGame::load(spec, &settings, cache, &mut |event| print_note(&event))?;
    analyse_once(args, (&game, &agent), allowance, console)
}

fn analyse_once(
    args: &Analyze,
    (game, agent): (&Arc<PreparedGame>, &AgentSpec),
    allowance: Allowance,
    console: &mut Console,
) -> anyhow::Result<Outcome> {
    let turns = args.moves.iter().map(|text| turn(text, game.roles().len())).collect();
    let setup = Setup { initial: None, turns };
    let session = setup.session(Arc::clone(game), setup.turns.len());
    let session = session.map_err(SessionError::into_anyhow)?;
    let position = session.position().map_err(SessionError::into_anyhow)?;
    let mut live = Live::new(allowance, console.json);
    let settings = ThinkSettings { every: live.every(), ..ThinkSettings::new(allowance) };
    let analysis = session.analyse((agent, args.seed), &settings, &mut |analysis: &Analysis| {
        live.show(|| analysis.clone());
        ControlFlow::Continue(())
    });
    drop(live);
    let analysis = analysis.map_err(SessionError::into_anyhow)?;
    if console.json {
        let options = AnswerOptions { top: args.top, policy: false, board: false, state: false };
        console.line(&Answer::new(&position, &analysis, &options))?;
        return Ok(Outcome::Fine);
    }
    let (title, turn) = (session.title(), position.turn);
    let s = if turn == 1 { "" } else { "s" };
    writeln!(console, "\x1b[1m{title}\x1b[0m after {turn} move{s}, analysed by {agent}")?;
    let board = session.draw(console.board_style()).map_err(SessionError::into_anyhow)?;
    writeln!(console, "\n{}\n", board.trim_end())?;
    print_analysis(&position, &analysis, args.top, console)?;
    Ok(Outcome::Fine)
}

/// Parses a turn of the command line: as many terms as there are roles are a joint move.
pub(super) fn turn(text: &str, n_roles: usize) -> Turn {
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
