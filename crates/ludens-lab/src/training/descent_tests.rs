//! Training by Descent.

use std::sync::Arc;

use ludens_arena::clock::Allowance;
use ludens_catalog::{Cache, load_agent};
use ludens_learn::{Architecture, Method};

use super::tests::plain;
use super::*;
use crate::load::LoadSettings;
use crate::prepared_game::PreparedGame;
use crate::single_match::MatchSettings;

fn load(name: &str) -> Arc<PreparedGame> {
    PreparedGame::load(name, &LoadSettings::default(), &Cache::off(), &mut |_| {}).unwrap()
}

fn learning() -> Learning {
    let mut learning = Learning {
        architecture: Architecture::Compact(vec![32, 16]),
        n_groups: 2,
        games_per_group: 8,
        ..Method::Descent.settings()
    };
    learning.training.batch = 64;
    learning
}

fn train(game: &PreparedGame, folder: &Path, n: u64) -> anyhow::Result<Trained> {
    plain(learning(), n, folder, &Stop::new()).run(&game.loaded, &mut |_| {})
}

/// The goal values of a match with a few evaluations a move.
fn goals(game: &PreparedGame, agents: &[&str], seed: u64) -> Vec<f64> {
    let agents = agents.iter().map(|text| load_agent(text).unwrap()).collect();
    let settings = MatchSettings::new(agents, Allowance::of_iterations(30));
    let found = game.play_match(&MatchSettings { seed, ..settings }).unwrap();
    assert!(found.incidents.is_empty(), "{found:?}");
    found.goals
}

#[test]
fn a_network_for_tictactoe_never_loses_to_random_moves() {
    let (folder, game) = (tempfile::tempdir().unwrap(), load("tictactoe"));
    let trained = train(&game, folder.path(), 60).unwrap();
    assert!(trained.metrics.games > 0 && trained.metrics.policy_loss == Some(0.0), "{trained:?}");
    let agent = format!("descent(file={})", trained.file.display());
    let mut n_won = 0;
    for seed in 0..40 {
        let own = (seed % 2) as usize;
        let mut agents = ["random"; 2];
        agents[own] = &agent;
        let goal = goals(&game, &agents, seed)[own];
        assert!(goal >= 50.0, "match {seed} is lost");
        n_won += u64::from(goal > 99.0);
    }
    assert!(n_won >= 30, "{n_won} of 40");
}

#[test]
fn the_loss_falls() {
    let game = load("tictactoe");
    let mut learner = new_learner(&game.loaded.game, learning()).unwrap();
    let iterate = |i: u64| learner.iterate(i as f64 / 80.0, &Budget::unlimited());
    let losses: Vec<f64> =
        (0..80).map(iterate).filter_map(|i| i.losses).map(|losses| losses.payoff).collect();
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let (first, last) = (mean(&losses[..5]), mean(&losses[losses.len() - 5..]));
    assert!(last < 0.7 * first, "{first} {last}");
}

#[test]
fn three_roles_learn_and_play_in_turn() {
    let (folder, game) = (tempfile::tempdir().unwrap(), load("connectfour_3p"));
    let trained = train(&game, folder.path(), 30).unwrap();
    assert!(trained.metrics.games > 0 && trained.metrics.steps > 0, "{trained:?}");
    let agent = format!("descent(file={})", trained.file.display());
    assert_eq!(goals(&game, &[&agent, "random", &agent], 1).len(), 3);
}

#[test]
fn simultaneous_games_are_refused_with_the_reason() {
    let (folder, game) = (tempfile::tempdir().unwrap(), load("rockpaperscissors"));
    let error = train(&game, folder.path(), 1).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("rockpaperscissors cannot be learnt by Descent"), "{text}");
    assert!(text.contains("decide at once after 0 moves"), "{text}");
}

/// Without a file the agent learns in the start clock, and says why it cannot.
#[test]
fn the_agent_learns_in_the_start_clock() {
    let (turns, simultaneous) = (load("tictactoe"), load("rockpaperscissors"));
    for game in [&turns, &simultaneous] {
        let agents = vec![load_agent("descent").unwrap(), load_agent("random").unwrap()];
        let mut settings = MatchSettings::new(agents, Allowance::of_iterations(20));
        settings.terms.start = Some(Allowance::of_iterations(20_000));
        let found = game.play_match(&settings).unwrap();
        assert!(found.incidents.is_empty() && found.goals.len() == 2, "{found:?}");
    }
}
