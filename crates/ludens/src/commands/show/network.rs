//! What a network has learnt.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ludens_catalog::{Cache, ReasonerKind};
use ludens_core::Budget;
use ludens_lab::study::{Bin, FactValue, RoleOpinion, Study, StudyOptions};
use ludens_lab::study::{read_network, study_network};
use ludens_lab::{PreparedGame, QUESTION_TIME, SessionError, Setup};
use ludens_learn::{NetworkFile, Trials};
use serde::Serialize;

use super::Show;
use crate::Outcome;
use crate::commands::analyze::turn;
use crate::console::Console;

/// Games that the network plays against itself.
const GAMES: u64 = 1000;

/// The maximum number of moves and of facts of a role in the text.
const MAX_MOVES: usize = 6;
const MAX_FACTS: usize = 6;

/// A network as JSON.
#[derive(Serialize)]
struct Record<'a> {
    file: String,
    game: &'a str,
    training: &'a str,
    /// The weight of random playouts beside its values that results suggested.
    playouts: f32,
    /// Trial games against a search with playouts.
    trials: Trials,
    roles: &'a [String],
    layers: Vec<LayerRecord>,
    parameters: usize,
    #[serde(flatten)]
    study: &'a Study,
}

#[derive(Serialize)]
struct LayerRecord {
    name: String,
    inputs: usize,
    outputs: usize,
}

/// Prints what a network has learnt.
pub(super) fn print(
    args: &Show,
    path: &Path,
    cache: &Cache,
    console: &mut Console,
) -> anyhow::Result<Outcome> {
    let file = read_network(path)?;
    let spec = args.game.as_ref().unwrap_or(&file.header.game);
    let loaded = args.reasoner.load_game(spec, ReasonerKind::Mixed, cache)?;
    let prepared = PreparedGame::new(loaded, QUESTION_TIME);
    let turns = args.moves.iter().map(|text| turn(text, prepared.roles().len())).collect();
    let setup = Setup { initial: None, turns };
    let session = setup.session(Arc::clone(&prepared), setup.turns.len());
    let position = session.and_then(|session| session.position());
    let position = position.map_err(SessionError::into_anyhow)?;
    let options = StudyOptions {
        position: (!args.moves.is_empty()).then_some(position.facts),
        games: args.playouts.unwrap_or(GAMES) as usize,
        seed: args.seed,
        budget: Budget::unlimited().with_time(args.seconds),
    };
    let study = study_network(&file, &prepared.loaded, &options)?;
    if console.json {
        let shape = &file.header.shape;
        let layer = |(name, inputs, outputs)| LayerRecord { name, inputs, outputs };
        let record = Record {
            file: path.display().to_string(),
            game: &file.header.game,
            training: &file.header.training,
            playouts: file.header.playouts,
            trials: file.header.trials,
            roles: prepared.roles(),
            layers: shape.layers().into_iter().map(layer).collect(),
            parameters: shape.n_parameters(),
            study: &study,
        };
        console.record("network", &record)?;
        return Ok(Outcome::Fine);
    }
    print_header(&file, console)?;
    print_position(&study, position.turn, console)?;
    print_facts(prepared.roles(), &study, console)?;
    print_calibration(&study, console)?;
    Ok(Outcome::Fine)
}

fn print_header(file: &NetworkFile, console: &mut Console) -> anyhow::Result<()> {
    let header = &file.header;
    writeln!(console, "\x1b[1mNetwork for {}\x1b[0m\n", header.game)?;
    writeln!(console, "trained  {}", header.training)?;
    for remark in header.trials.remarks() {
        writeln!(console, "         {remark}")?;
    }
    writeln!(console, "inputs   {} facts", header.names.facts.len())?;
    let n_moves = header.names.moves.iter().map(|moves| moves.len().to_string());
    writeln!(console, "outputs  {} moves\n", n_moves.collect::<Vec<_>>().join(" + "))?;
    writeln!(console, "{}", header.shape)?;
    Ok(())
}

fn print_position(study: &Study, turn: usize, console: &mut Console) -> anyhow::Result<()> {
    let s = if turn == 1 { "" } else { "s" };
    writeln!(console, "\n\x1b[1mEstimates after {turn} move{s}\x1b[0m")?;
    if study.position.is_empty() {
        writeln!(console, "the game is over")?;
        return Ok(());
    }
    let head = ["ROLE", "PAYOFF", "MOVES"].map(str::to_owned).to_vec();
    let row = |opinion: &RoleOpinion| {
        let one = |(name, prior): &(String, f32)| format!("{name} {:.1} %", prior * 100.0);
        let mut moves: Vec<_> = opinion.moves.iter().take(MAX_MOVES).map(one).collect();
        if opinion.moves.len() > MAX_MOVES {
            moves.push("…".to_owned());
        }
        vec![opinion.role.clone(), percent(f64::from(opinion.payoff)), moves.join(", ")]
    };
    let rows = study.position.iter().map(row);
    console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
    Ok(())
}

/// The facts that change the estimate of each role most.
fn print_facts(roles: &[String], study: &Study, console: &mut Console) -> anyhow::Result<()> {
    let n = study.n_positions;
    writeln!(console, "\n\x1b[1mMost valued facts\x1b[0m")?;
    writeln!(
        console,
        "mean change of the payoff if the fact holds, in {n} positions of self-play"
    )?;
    let mut rows = vec![["ROLE", "FACT", "CHANGE", "HELD IN"].map(str::to_owned).to_vec()];
    for (role_idx, role) in roles.iter().enumerate() {
        let mut facts: Vec<&FactValue> = study.facts.iter().collect();
        let change = |fact: &FactValue| fact.changes[role_idx];
        facts.sort_by(|a, b| change(b).abs().total_cmp(&change(a).abs()));
        for fact in facts.into_iter().take(MAX_FACTS) {
            let held = format!("{:.0} %", 100.0 * fact.n_true as f64 / n.max(1) as f64);
            let change = format!("{:+.1}", change(fact) * 100.0);
            rows.push(vec![role.clone(), fact.fact.clone(), change, held]);
        }
    }
    console.table(&rows)?;
    Ok(())
}

fn print_calibration(study: &Study, console: &mut Console) -> anyhow::Result<()> {
    let cut = if study.cut > 0 { format!(", {} of them cut", study.cut) } else { String::new() };
    writeln!(console, "\n\x1b[1mCalibration\x1b[0m")?;
    writeln!(console, "{} games by priors alone{cut}; one position of each", study.games)?;
    let head = ["ESTIMATE", "GAMES", "MEAN", "RESULT", "95 % INTERVAL"];
    let row = |bin: &Bin| {
        let [low, high] = bin.range.map(|end| (end * 100.0).round());
        let (from, to) = (percent(bin.interval.low), percent(bin.interval.high));
        let range = format!("{low} to {high}");
        vec![
            range,
            bin.games.to_string(),
            percent(bin.estimate),
            percent(bin.result),
            format!("{from} to {to}"),
        ]
    };
    let rows = study.calibration.iter().filter(|bin| bin.games > 0).map(row);
    let head = head.map(str::to_owned).to_vec();
    console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
    Ok(())
}

/// A payoff in hundredths, as goals are.
fn percent(payoff: f64) -> String {
    format!("{:.1}", payoff * 100.0)
}
