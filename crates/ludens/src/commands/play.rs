//! `ludens play`: a person against the computer, or the computer against itself.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use ludens_arena::clock::Allowance;
use ludens_catalog::{AgentSpec, Cache, Named, PartKind, load_agent, nearest};
use ludens_core::Role;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::play::{Agents, Screen, Settings, TerminalMatch};
use crate::report::print_note;
use ludens_lab::{Event, Hinted, PreparedGame, Session, SessionError, units};

const EXAMPLES: &str = "\
Examples:
  ludens play tictactoe
  ludens play connectfour --role black --time 5s
  ludens play chess --against random
  ludens play breakthrough --against 'uct(c=0.6) + ppafm'
  ludens play othello --role none               the computer plays all roles
  ludens play tictactoe --role none --iterations 1000 --seed 7 --json

Type the number of a move, or the move itself (`mark 1 1` or `(mark 1 1)`), or a part of it to
see which moves contain it; `help` lists the commands.";

/// Play a game against the computer in the terminal.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    /// A name of the library, or a file.
    game: String,

    /// The role you play, or `none`; without it, the first one.
    #[arg(long)]
    role: Option<String>,

    /// The agent that plays the other roles.
    #[arg(long, value_name = "AGENT", default_value = "uct", long_help = agents_help())]
    against: String,

    /// The computer's time limit for a move (1s, unless --iterations is given).
    #[arg(long, value_parser = units::duration)]
    time: Option<Duration>,

    /// The computer's number of playouts for a move.
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,

    /// The seed of the computer's random numbers; the same seed and iterations give the same moves.
    #[arg(long)]
    seed: Option<u64>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

fn agents_help() -> String {
    let mut help =
        "The agent that plays the other roles: a tree policy, alone or with playout policies \
        (`uct(c=0.4) + mast`), or a whole search. `ludens agents` lists them.\n"
            .to_owned();
    for kind in PartKind::ALL {
        let names = Named::all().filter(|named| named.part.kind() == kind);
        let names: Vec<_> = names.map(|named| named.name()).collect();
        let _ = writeln!(help, "- {}: {}", kind.plural(), names.join(", "));
    }
    help
}

/// Plays one match.
pub fn run(args: &Play, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let agent = load_agent(&args.against)?;
    let (settings, events) = (args.reasoner.settings(), &mut |event: Event<'_>| print_note(&event));
    let game = PreparedGame::load(&args.game, &settings, cache, events)?;
    let second = args.iterations.is_none().then_some(Duration::from_secs(1));
    let settings = Settings {
        human: human_role(args.role.as_deref(), game.roles())?,
        allowance: Allowance {
            time: args.time.or(second),
            iterations: args.iterations,
            bytes: None,
        },
        echo: !io::stdin().is_terminal(),
        opponent: agent.to_string(),
    };
    let seed = args.seed.unwrap_or_else(any_seed);
    let mut session = Session::new(Arc::clone(&game)).map_err(SessionError::into_anyhow)?;
    let mut add = |agent| session.add_agent(agent, seed).map_err(SessionError::into_anyhow);
    let agents = Agents { opponent: add(&agent)?, adviser: add(&AgentSpec::default())? };
    let screen = Screen { console, board: game.board(), roles: game.roles().to_vec() };
    let mut input = io::stdin().lock();
    TerminalMatch::new(session, agents, settings, screen, &mut input).run()
}

fn human_role(wanted: Option<&str>, roles: &[String]) -> Result<Option<Role>, Hinted> {
    let Some(wanted) = wanted else { return Ok(Some(Role(0))) };
    let find = |wanted: &str| roles.iter().position(|role| role.eq_ignore_ascii_case(wanted));
    match find(wanted) {
        Some(role_idx) => Ok(Some(Role(role_idx as u8))),
        None if wanted == "none" => Ok(None),
        None => {
            let hint = match nearest(wanted, roles.iter().map(String::as_str)) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("the roles are: {}; or `none`", roles.join(", ")),
            };
            Err(Hinted::new(format!("the game has no role `{wanted}`"), hint))
        }
    }
}

fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64)
}
