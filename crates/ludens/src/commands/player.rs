//! `ludens player`: plays matches over HTTP.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use ludens_catalog::{Cache, load_agent};
use ludens_core::{Draft, Info, MoveText, Player as Plays, PlayerError, Setup};
use ludens_lab::{AgentPlayer, Loads, units};
use ludens_protocol::{Matches, ServerLimits, serve};
use tokio::net::TcpListener;

use crate::Outcome;
use crate::console::Console;

const EXAMPLES: &str = "\
Examples:
  ludens player
  ludens player --port 9148 --agent 'uct + ppaf(memorize)' --name Adapting
  ludens player --address 0.0.0.0 --matches 4
  ludens player --cors            for hosts that run in a browser
  curl 'http://127.0.0.1:9147/(INFO)'

A host of matches sends rules and moves to the port and gets moves back, as in the general game playing
competition: INFO, PREVIEW, START, PLAY, STOP and ABORT. Only programs on this machine can connect
unless another address is given. Ctrl-C ends it.";

/// Play matches over HTTP, as players of the competition do.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Player {
    /// The port; 0 for any free port.
    #[arg(long, default_value_t = 9147)]
    port: u16,

    /// The address to listen on; 0.0.0.0 is all of them, so that any machine can connect.
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,

    /// The agent that plays; `ludens agents` lists them.
    #[arg(long, value_name = "AGENT", default_value = "auto")]
    agent: String,

    /// The number of threads of a match, for agents that use threads and whose text has no number; one per core by
    /// default. Matches at the same time share the cores.
    #[arg(long, value_name = "N", value_parser = units::positive::<usize>)]
    threads: Option<usize>,

    /// The name of the player.
    #[arg(long, default_value = "Ludens", value_parser = name)]
    name: String,

    /// The maximum number of matches at the same time.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    matches: u16,

    /// The memory limit of loading rules, for all matches together; trees have their own limits.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    memory: usize,

    /// Does nothing while others think. Otherwise trees grow and networks go on learning.
    #[arg(long)]
    no_ponder: bool,

    /// Lets hosts that are web pages play: any page in a browser of this machine can then use the player.
    #[arg(long)]
    cors: bool,

    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The maximum number of open files and connections, if the system allows it.
const MAX_FILES: u64 = 8192;

/// Parses a name, which is sent between parentheses.
fn name(text: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if !text.is_empty() && text.chars().all(is_allowed) {
        return Ok(text.to_owned());
    }
    Err("a name has letters, digits, `-`, `_` and `.` only".into())
}

/// Listens until it is interrupted.
pub fn run(args: &Player, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let n_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let spec = load_agent(&args.agent)?.with_threads(args.threads.unwrap_or_else(n_cores));
    // Many connections must not delay a host, as far as the system allows it.
    let _ = rlimit::increase_nofile_limit(MAX_FILES);
    let address = SocketAddr::new(args.address, args.port);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            let hint = "another program may listen there; try another `--port`";
            anyhow!("{error} ({hint})").context(format!("cannot listen on {address}"))
        })?;
        let address = listener.local_addr().context("the port has no address")?;
        if console.json {
            let (name, agent) = (&args.name, spec.to_string());
            let record = serde_json::json!({ "kind": "listening", "address": address.to_string(),
                "name": name, "agent": agent });
            console.record("player", &record)?;
        } else {
            writeln!(console, "{} plays as `{spec}` on http://{address}", args.name)?;
        }
        console.flush()?;
        let (name, next, cache) = (args.name.clone(), AtomicU64::new(args.seed), cache.clone());
        let (loads, no_ponder) = (Loads::within(args.memory), args.no_ponder);
        let shared = loads.clone();
        let make = move || -> Box<dyn Plays> {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let mut player = AgentPlayer::new(&name, spec.clone(), seed).with_cache(cache.clone());
            if no_ponder {
                player = player.without_pondering();
            }
            Box::new(LoggingPlayer {
                player: player.with_loads(loads.clone()),
                role: String::new(),
            })
        };
        let (name, seed) = (args.name.clone(), args.seed);
        let reserve = move || -> Box<dyn Plays> {
            Box::new(AgentPlayer::fallback(&name, seed).with_loads(shared.clone()))
        };
        let matches = Matches::new(&args.name, usize::from(args.matches), Box::new(make));
        let matches = matches.with_reserve(Box::new(reserve)).on_refusal(|refusal| {
            // A log that cannot be written must not end the match.
            let _ = writeln!(anstream::stderr(), "{refusal}");
        });
        let limits = ServerLimits { cors: args.cors, ..ServerLimits::default() };
        match serve(listener, Arc::new(matches), limits).await {}
    })
}

/// A player that logs to the standard error.
struct LoggingPlayer {
    player: AgentPlayer,
    role: String,
}

impl LoggingPlayer {
    fn log(&self, what: &str) {
        // A log that cannot be written must not end the match.
        let _ = writeln!(anstream::stderr(), "{}: {what}", self.role);
    }
}

impl Plays for LoggingPlayer {
    fn info(&self) -> Info {
        self.player.info()
    }

    fn draft(&self) -> Draft {
        self.player.draft()
    }

    fn preview(&mut self, rules: &str, deadline: Instant) {
        self.player.preview(rules, deadline);
    }

    fn start(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError> {
        self.role.clone_from(&setup.role);
        let begun = self.player.start(setup, deadline);
        match (&begun, self.player.preparation()) {
            (Ok(()), Some(done)) => {
                let ground = done.load.ground.map_or(String::new(), |time| {
                    format!(", grounded in {:.3} s", time.as_secs_f64())
                });
                let fallback = done.load.fallback.as_ref().map_or(String::new(), |trouble| {
                    format!(" because grounding failed ({trouble})")
                });
                self.log(&format!(
                    "a match begins with the reasoner `{}`{fallback}{ground}; {} simulations before the first move",
                    done.reasoner.name(),
                    done.simulations
                ));
                for remark in &done.remarks {
                    self.log(remark);
                }
            }
            // A stopped player may report a timeout, which is expected.
            (Err(error), _) if !self.player.draft().is_stopped() => {
                self.log(&format!("a match is refused: {error}"));
            }
            (Err(_), _) | (Ok(()), None) => {}
        }
        begun
    }

    fn play(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError> {
        let chosen = self.player.play(last, deadline);
        if let Err(error) = &chosen
            && !self.player.draft().is_stopped()
        {
            self.log(&error.to_string());
        }
        chosen
    }

    fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        self.player.ponder(stop);
    }

    fn stop(&mut self, last: &[MoveText]) {
        self.player.stop(last);
        self.log("a match has ended");
    }

    fn abort(&mut self) {
        self.player.abort();
    }
}
