//! An experiment with a trained network, from the file to the findings.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::*;
use crate::reproduce::findings::StageMean;
use crate::reproduce::journal_status::JournalStatus;

/// Two cells that share a network; the second one is the network without search, in both roles.
const TINY: &str = "\
title = 'A tiny network'
paper = 'Nobody 2026, table 1'
kind = 'table'
games = 2
iterations = 4
reasoner = 'mixed'
game = 'tictactoe'
openings = 1

[networks.tiny]
game = 'tictactoe'
method = 'ggpzero'
network = 'ggpzero(depth=1)'
iterations = 2
simulations = 2

[[cells]]
name = 'search'
first = 'zero(file={tiny})'
second = 'random'

[[cells]]
name = 'alone'
first = 'nn(file={tiny})'
roles = ['xplayer', 'oplayer']
payoff = 0.5
";

fn parse(text: &str) -> Experiment {
    Experiment::parse("tiny", text, "tiny.toml").unwrap()
}

fn settings(folder: &Path) -> PlaySettings {
    let journal = folder.join("tiny.journal");
    PlaySettings { games: None, seed: 1, concurrency: Some(1), journal, commit: None }
}

/// What happened in a run.
#[derive(Default)]
struct Seen {
    n_trainings: usize,
    measured: Vec<(String, Measured)>,
}

/// Plays all cells; `meddle` sees every event.
fn play(
    experiment: &Experiment,
    settings: &PlaySettings,
    stop: &Stop,
    meddle: &mut (dyn FnMut(&Event<'_>) + Send),
) -> anyhow::Result<Seen> {
    let cells: Vec<&Cell> = experiment.cells.iter().collect();
    check(experiment, &cells)?;
    let mut seen = Seen::default();
    let mut events = |event: Event<'_>| {
        meddle(&event);
        match event {
            Event::Training { .. } => seen.n_trainings += 1,
            Event::CellEnded { cell, measured: Some(measured) } => {
                seen.measured.push((cell.name.clone(), measured.clone()));
            }
            _ => {}
        }
    };
    let cache = Cache::off();
    Run { settings, cache: &cache, stop, events: &mut events }.play(experiment, &cells)?;
    Ok(seen)
}

/// The folders of networks with the times of their files.
fn networks(settings: &PlaySettings) -> Vec<(String, SystemTime)> {
    let entries = fs::read_dir(settings.networks()).unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    let folder = |entry: fs::DirEntry| {
        let file = entry.path().join(crate::training::NETWORK_FILE);
        let name = entry.file_name().into_string().unwrap();
        (name, fs::metadata(file).unwrap().modified().unwrap())
    };
    folders.map(folder).collect()
}

#[test]
fn a_network_is_trained_once_and_an_interrupted_run_continues() {
    let folder = tempfile::tempdir().unwrap();
    let (experiment, settings) = (parse(TINY), settings(folder.path()));
    // The first run ends as soon as a game is in the journal.
    let stop = Stop::new();
    let mut raise = |event: &Event<'_>| {
        if let Event::GameEnded { .. } = event {
            stop.raise();
        }
    };
    play(&experiment, &settings, &stop, &mut raise).unwrap();
    let trained = networks(&settings);
    assert_eq!(trained.len(), 1);
    assert!(trained[0].0.starts_with("tiny-") && trained[0].0.ends_with("-2i"), "{trained:?}");
    let again = play(&experiment, &settings, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!((again.n_trainings, networks(&settings)), (0, trained), "nothing is trained twice");
    let games: Vec<_> = again.measured.iter().map(|(_, measured)| measured.games).collect();
    assert_eq!(games, [2, 2]);
    // Both payoffs of a game of tic-tac-toe add up to 1.
    assert_eq!(again.measured[1].1.score.to_bits(), 50f64.to_bits());
    let status = JournalStatus::read(&settings.journal).unwrap();
    let progress = status.progress(&experiment, folder.path());
    assert_eq!((progress.played, progress.games), (2, 4));
    let fresh = tempfile::tempdir().unwrap();
    let uninterrupted = play(&experiment, &self::settings(fresh.path()), &Stop::new(), &mut |_| {});
    let without_times = |seen: Seen| -> Vec<Measured> {
        let times = seen.measured.iter().map(|(_, measured)| &measured.training["tiny"]);
        assert!(times.into_iter().all(|time| time.games == 128), "two iterations of 64 games");
        let each = seen.measured.into_iter();
        each.map(|(_, ours)| Measured { training: BTreeMap::new(), ..ours }).collect()
    };
    assert_eq!(without_times(uninterrupted.unwrap()), without_times(again));
}

#[test]
fn half_a_training_is_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let (experiment, settings) = (parse(TINY), settings(folder.path()));
    let stop = Stop::new();
    let mut raise = |event: &Event<'_>| {
        if let Event::CellBegun { .. } = event {
            stop.raise();
        }
    };
    let stopped = play(&experiment, &settings, &stop, &mut raise).unwrap();
    assert!(stopped.measured.is_empty() && !settings.journal.exists());
    let [(part, _)] = &networks(&settings)[..] else { panic!("one network") };
    let checkpoint = settings.networks().join(part).join(crate::training::CHECKPOINT_FILE);
    fs::write(&checkpoint, "damaged").unwrap();
    let error = play(&experiment, &settings, &Stop::new(), &mut |_| {}).err().unwrap();
    let error = format!("{error:#}");
    assert!(error.starts_with("[networks.tiny]: cannot continue from "), "{error}");
    fs::remove_file(checkpoint).unwrap();
    // What remains has no checkpoint, so that it is trained from the beginning.
    play(&experiment, &settings, &Stop::new(), &mut |_| {}).unwrap();
    let [(name, _)] = &networks(&settings)[..] else { panic!("one network") };
    assert_eq!(&format!("{name}.part"), part);
    let longer = parse(&TINY.replace("iterations = 2", "iterations = 3"));
    play(&longer, &settings, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(networks(&settings).len(), 2, "another training is another network");
    let status = JournalStatus::read(&settings.journal).unwrap();
    assert_eq!(status.progress(&longer, folder.path()).games, 4, "and plays games of its own");
}

#[test]
fn a_longer_training_continues_a_shorter_one() {
    let trained = |lengths: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        for n in lengths {
            let name = format!("tiny{n}");
            let text = TINY
                .replace("tiny]", &format!("{name}]"))
                .replace("{tiny}", &format!("{{{name}}}"));
            let text = text.replace("iterations = 2", &format!("iterations = {n}"));
            play(&parse(&text), &settings, &Stop::new(), &mut |_| {}).unwrap();
        }
        let mut names: Vec<String> =
            networks(&settings).into_iter().map(|(name, _)| name).collect();
        names.sort();
        assert_eq!(names.len(), lengths.len(), "{names:?}");
        let folder = settings.networks().join(names.last().unwrap());
        let metrics = fs::read_to_string(folder.join(crate::training::METRICS_FILE)).unwrap();
        let n_lines = metrics.lines().count();
        (fs::read(folder.join(crate::training::NETWORK_FILE)).unwrap(), n_lines)
    };
    let ((alone, n_alone), (continued, n_continued)) = (trained(&[4]), trained(&[2, 4]));
    assert!(alone == continued, "the network is the same");
    assert_eq!(n_continued, n_alone + 1, "the metrics of the shorter one are kept");
    assert!(trained(&[1, 2, 4]).0 == alone);
}

#[test]
fn simulations_by_ply_are_measured_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 2\nreasoner = 'native'\ntime = '1ms'\n\
                [[cells]]\nname = 'a'\ngame = 'breakthrough(size=4)'\nfirst = 'uct'\nsecond = 'random'\n";
    let settings = settings(folder.path());
    let measured = |text: &str| {
        let mut seen = play(&parse(text), &settings, &Stop::new(), &mut |_| {}).unwrap();
        seen.measured.remove(0).1
    };
    let ours = measured(&format!("by_ply = true\n{text}"));
    let [first, second] = &ours.by_ply[..] else { panic!("two agents") };
    assert!(first[0].ply == 0 && first[0].decisions > 0 && second[0].decisions > 0, "{first:?}");
    let decisions = |stages: &[StageMean]| stages.iter().map(|s| s.decisions).sum::<u64>() as f64;
    let simulations = first.iter().map(|s| s.decisions as f64 * s.simulations).sum::<f64>();
    // Both are rounded to one decimal.
    assert!((simulations / decisions(first) - ours.simulations[0]).abs() < 0.2, "{ours:?}");
    // The same games, and so the same numbers but for these.
    assert_eq!(measured(text), Measured { by_ply: Vec::new(), ..ours });
}

#[test]
fn errors_are_found_before_the_first_game() {
    for (from, to, message, hint) in [
        (
            "[networks.tiny]\ngame = 'tictactoe'",
            "[networks.tiny]\ngame = 'nim'",
            "is for nim",
            "add a section",
        ),
        ("[networks.tiny]\ngame = 'tictactoe'", "[networks.tiny]\ngame = 'nimm'", "nimm", ""),
        ("'xplayer', 'oplayer'", "'xplayer'", "there is no second one", "add `second`"),
        (
            "'xplayer', 'oplayer'",
            "'xplayer', 'oplayr'",
            "no role `oplayr`",
            "did you mean `oplayer`?",
        ),
        ("payoff = 0.5", "second = 'random'", "but there is a second one", "leave out `second`"),
        ("zero(file={tiny})", "zero(fil={tiny})", "fil", ""),
    ] {
        assert!(TINY.contains(from), "{from}");
        let experiment = parse(&TINY.replace(from, to));
        let cells: Vec<&Cell> = experiment.cells.iter().collect();
        let error = check(&experiment, &cells).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.starts_with("the cell `") && text.contains(message), "{text}");
        let hinted = error.downcast_ref::<Hinted>().map_or("", Hinted::hint);
        assert!(hinted.contains(hint), "{text}: {hinted}");
    }
}
