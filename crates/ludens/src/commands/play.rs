//! `ludens play`: a person against the computer, or the computer against itself.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use ludens_catalog::{
    AgentSpec, Cache, LoadedGame, Named, PartKind, ReasonerKind, WithGame, load_agent, nearest,
};
use ludens_core::{Budget, Game, Role};
use ludens_lab::survey::Options;

use super::show::Surveying;
use crate::Outcome;
use crate::cli::{QUESTION_TIME, ReasonerArg};
use crate::console::Console;
use crate::failure::Hinted;
use crate::painter::Painter;
use crate::play::{Agents, Session, Settings};
use crate::units;

const EXAMPLES: &str = "\
Examples:
  ludens play tictactoe
  ludens play connectfour --role black --time 5s
  ludens play chess --against random
  ludens play breakthrough --against 'uct(c=0.6) + ppafm'
  ludens play othello --role none               the computer plays all roles
  ludens play tictactoe --role none --iterations 1000 --seed 7 --json

Type the number of a move, or the move itself (`mark 1 1` or `(mark 1 1)`), or a part of it to
see which moves contain it; `help` lists the other words.";

/// Play a game against the computer in the terminal.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    /// A name of the library, or a file.
    game: String,

    /// The role you play, or `none`; without it, the first one.
    #[arg(long)]
    role: Option<String>,

    /// Who plays the other roles.
    #[arg(long, value_name = "AGENT", default_value = "uct", long_help = agents_help())]
    against: String,

    /// How long the computer thinks about a move (1s, unless --iterations is given).
    #[arg(long, value_parser = units::duration)]
    time: Option<Duration>,

    /// How many playouts the computer makes for a move.
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,

    /// The computer's random numbers; the same seed and iterations give the same moves.
    #[arg(long)]
    seed: Option<u64>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

fn agents_help() -> String {
    let mut help = "Who plays the other roles: a tree policy, alone or with playout policies \
        (`uct(c=0.4) + mast`), or a whole search. `ludens agents` tells more.\n"
        .to_owned();
    for kind in PartKind::ALL {
        let names = Named::all().filter(|named| named.part.kind() == kind);
        let names: Vec<_> = names.map(|named| named.name()).collect();
        let _ = writeln!(help, "- {}: {}", kind.plural(), names.join(", "));
    }
    help
}

/// Plays one game.
pub fn run(args: &Play, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let agent = load_agent(&args.against)?;
    let mut loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    loaded.game = loaded.game.limited(QUESTION_TIME);
    let settings = Settings {
        human: human_role(args.role.as_deref(), loaded.game.roles())?,
        time: args.time.or((args.iterations.is_none()).then_some(Duration::from_secs(1))),
        iterations: args.iterations,
        echo: !io::stdin().is_terminal(),
        title: title(&loaded).to_owned(),
        opponent: agent.to_string(),
    };
    // A few random games show the painter what can stand on the board.
    let budget = Budget::unlimited().with_iterations(3).with_time(Duration::from_millis(500));
    let options = Options { max_plies: 200, ..Options::default() };
    let samples = loaded.game.with(Surveying { options, budget: &budget }).samples;
    let painter = Painter::new(&loaded, &samples, console.is_coloured());
    let seed = args.seed.unwrap_or_else(any_seed);
    loaded.game.with(Playing { settings, agent, painter: &painter, seed, console })
}

fn title(loaded: &LoadedGame) -> &str {
    let title = &loaded.source.header.title;
    if title.is_empty() { &loaded.source.name } else { title }
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

struct Playing<'a> {
    settings: Settings,
    agent: AgentSpec,
    painter: &'a Painter,
    seed: u64,
    console: &'a mut Console,
}

impl WithGame for Playing<'_> {
    type Out = anyhow::Result<Outcome>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let agents = Agents {
            opponent: self.agent.build(Arc::clone(&game), self.seed),
            adviser: AgentSpec::default().build(Arc::clone(&game), self.seed),
        };
        let mut input = io::stdin().lock();
        Session::new(game, agents, self.settings, self.painter, &mut input, self.console).run()
    }
}
