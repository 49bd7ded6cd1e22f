//! Counts of facts in 256 lanes are exact where the rules determine them, and agree with single playouts.

use std::sync::Arc;

use ludens_core::{Budget, Census, Game, Rng, RowGroups, View, Vocabulary};
use ludens_propnet::{Network, PropGame};
use ludens_testkit::z_test::Sample;

const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");
const CONNECTFOUR: &str = include_str!("../../../games/connectfour.kif");

fn network(text: &str) -> Arc<Network> {
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    Arc::new(Network::load(&rules, &Budget::unlimited()).expect("the rules are grounded"))
}

/// Groups of facts: those of two names, marks of a player, and each fact alone.
fn groups(network: &Network) -> RowGroups {
    let mut groups = RowGroups::default();
    let rows = || (0..).zip(&network.fluents);
    for part in ["(cell ", "(control ", " x)"] {
        groups.push(rows().filter(|(_, fact)| fact.contains(part)).map(|(row, _)| row));
    }
    for (row, _) in rows() {
        groups.push([row]);
    }
    groups
}

fn census<G: Game>(game: &Arc<G>, groups: &RowGroups, starts: &[&G::State]) -> Census {
    let mut census = Census::default();
    let mut simulator = Arc::clone(game).simulator();
    assert!(simulator.census(starts, groups, &mut Rng::new(5), &mut census));
    census
}

/// The reference, one playout after the other: the mean count of each group over the states of a
/// playout.
fn truth(game: &PropGame, groups: &RowGroups, n_playouts: usize) -> Vec<Sample> {
    let mut samples = vec![Sample::default(); groups.len()];
    let (mut rng, mut view) = (Rng::new(9), View::default());
    for _ in 0..n_playouts {
        let (mut state, mut counts, mut plies) = (game.initial(), vec![0u32; groups.len()], 0);
        loop {
            game.look(&state, &mut view);
            if view.terminal {
                break;
            }
            let mut rows = Vec::new();
            game.fact_ids(&state, &mut rows);
            for (count, group) in counts.iter_mut().zip(groups.iter()) {
                *count += group.iter().filter(|row| rows.contains(row)).count() as u32;
            }
            let joint = view.random_joint(&mut rng);
            game.play(&mut state, &joint);
            plies += 1;
        }
        for (sample, &count) in samples.iter_mut().zip(&counts) {
            sample.add(f64::from(count) / f64::from(plies));
        }
    }
    samples
}

fn check<G: Game>(game: &Arc<G>, network: &Arc<Network>) {
    let groups = groups(network);
    let initial = game.initial();
    let starts = vec![&initial; 600];
    let census = census(game, &groups, &starts);
    assert_eq!(census.plies.len(), starts.len());
    assert!(census.finished.iter().all(|&finished| finished));
    let n_cells = groups.iter().next().map_or(0, <[u32]>::len) as u32 / 3;
    let scalar = PropGame::scalar(Arc::clone(network));
    let truth = truth(&scalar, &groups, 600);
    let mut counted = vec![Sample::default(); groups.len()];
    for (counts, &plies) in census.counts.chunks(groups.len()).zip(&census.plies) {
        if network.fluents.iter().any(|fact| fact.contains(" b)")) {
            assert_eq!(counts[0], n_cells * plies, "every state has all cells");
        }
        assert_eq!(counts[1], plies, "one role has the turn");
        let cells = counts[3..].iter().zip(&network.fluents);
        let cells = cells.filter(|(_, fact)| fact.contains("(cell ")).map(|(count, _)| count);
        assert_eq!(cells.sum::<u32>(), counts[0], "a group counts what its facts count");
        for (sample, &count) in counted.iter_mut().zip(counts) {
            sample.add(f64::from(count) / f64::from(plies));
        }
    }
    for (group, (counted, truth)) in counted.iter().zip(&truth).enumerate() {
        assert!(counted.agrees(truth), "group {group}: {} and {}", counted.mean(), truth.mean());
    }
    assert!(census.most[3..].iter().all(|&most| most <= 1));
}

#[test]
fn lanes_count_like_single_playouts() {
    for text in [TICTACTOE, CONNECTFOUR] {
        let network = network(text);
        check(&Arc::new(PropGame::lanes(Arc::clone(&network))), &network);
        check(&Arc::new(PropGame::jit(Arc::clone(&network))), &network);
    }
}

#[test]
fn a_terminal_start_has_no_states() {
    let network = network(TICTACTOE);
    let game = Arc::new(PropGame::lanes(Arc::clone(&network)));
    let facts = ["(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 x)", "(control oplayer)"];
    let terminal = game.parse_state(&facts.map(String::from)).expect("facts make a state");
    let (initial, groups) = (game.initial(), groups(&network));
    let census = census(&game, &groups, &[&initial, &terminal, &initial]);
    assert_eq!((census.plies[1], census.finished[1]), (0, true));
    assert_eq!(census.payoffs[2..4], [1.0, 0.0]);
    assert!(census.counts[groups.len()..2 * groups.len()].iter().all(|&count| count == 0));
    assert!(census.plies[0] >= 5 && census.plies[2] >= 5);
}
