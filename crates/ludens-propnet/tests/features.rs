//! Derived features of moves are correct, and stay within their limits.

#[expect(
    dead_code,
    reason = "the tests of the scalar evaluator also use the reference values of gates"
)]
#[path = "scalar/random_network.rs"]
mod random_network;

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Rng, Role, View};
use ludens_propnet::features::{Limits, MoveFeatures, derive};
use ludens_propnet::{Network, PropGame};
use ludens_testkit::library::{Entry, check_every_game};
use ludens_testkit::random_rules::{self, RandomRules};
use random_network::NetworkWriter;

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");

fn network_of(text: &str, bytes: usize) -> Result<Arc<Network>, String> {
    let rules = ludens_gdl::load(text).0.ok_or("does not load")?;
    let budget = Budget::unlimited().with_bytes(bytes);
    Network::load(&rules, &budget).map(Arc::new).map_err(|trouble| trouble.to_string())
}

fn library_network(name: &str) -> Arc<Network> {
    let file = Path::new(LIBRARY).join(format!("{name}.kif"));
    network_of(&std::fs::read_to_string(file).unwrap(), 256 << 20).unwrap()
}

/// Role, move and fluents of all moves, as text.
fn table(network: &Network) -> Vec<(&str, &str, Vec<String>)> {
    let features = derive(network, &Limits::default());
    let row = |does: usize| {
        let (role, m) = network.does[does];
        let texts = (network.roles[role.index()].as_str(), network.moves[m.index()].as_str());
        (texts.0, texts.1, features.describe(network, does))
    };
    (0..network.does.len()).map(row).collect()
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<i32> {
    text.split([' ', '(', ')']).filter_map(|word| word.parse().ok()).collect()
}

/// Visits each state of some random playouts with its legal moves.
fn visit(
    game: &PropGame,
    n_playouts: u64,
    mut visitor: impl FnMut(&<PropGame as Game>::State, &View),
) {
    for seed in 0..n_playouts {
        let (mut rng, mut view, mut state) = (Rng::new(seed), View::default(), game.initial());
        loop {
            game.look(&state, &mut view);
            if view.is_over() {
                break;
            }
            visitor(&state, &view);
            let joint: Vec<_> = view.legal.iter().map(|own| own[rng.below(own.len())]).collect();
            game.play(&mut state, &joint);
        }
    }
}

#[test]
fn diagonal_moves_of_breakthrough_encode_captures_only() {
    let network = library_network("breakthrough");
    for (role, m, fluents) in table(&network) {
        let enemy = if role == "white" { "black" } else { "white" };
        let expected = match numbers(m)[..] {
            [x1, _, x2, y2] if x1 != x2 => vec![format!("(cellholds {x2} {y2} {enemy})")],
            _ => vec![],
        };
        assert_eq!(fluents, expected, "{role} {m}");
    }
    let game = PropGame::scalar(network);
    let (mut captures, mut plain) = (0, 0);
    visit(&game, 10, |state, view| {
        let facts = game.facts(state);
        for (role, &m) in view.legal.entries().flat_map(|(r, own)| own.iter().map(move |m| (r, m)))
        {
            let does = game.network.does.binary_search(&(role, m)).unwrap();
            let features = game.code(state, role, m) - game.features().codes_of(does).start;
            let name = game.move_name(role, m);
            let target = |&[_, _, x, y]: &[i32; 4]| format!("(cellholds {x} {y} ");
            let prefix = <[i32; 4]>::try_from(numbers(&name)).ok().as_ref().map(target);
            let is_capture = prefix.is_some_and(|p| facts.iter().any(|fact| fact.starts_with(&p)));
            assert_eq!(features, u32::from(is_capture), "{name} in {facts:?}");
            if is_capture { captures += 1 } else { plain += 1 }
        }
    });
    assert!(captures > 100 && plain > 100, "{captures} captures, {plain} others");
}

#[test]
fn moves_of_domineering_encode_the_cells_around_the_domino() {
    let network = library_network("domineering");
    for (role, m, mut fluents) in table(&network) {
        let [x1, y1, x2, y2] = numbers(m)[..] else {
            assert_eq!(fluents, [""; 0], "{role} {m}");
            continue;
        };
        let own = [(x1, y1), (x2, y2)];
        let beside = |&(x, y): &(i32, i32)| [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        let on_board = |(x, y): &(i32, i32)| (1..=8).contains(x) && (1..=8).contains(y);
        let around = own.iter().flat_map(beside).filter(|cell| !own.contains(cell));
        let mut around: Vec<String> =
            around.filter(on_board).map(|(x, y)| format!("(cell {x} {y} filled)")).collect();
        around.sort();
        fluents.sort();
        // Beside the edge a cell may be filled whenever the others are, and then it is not novel.
        assert!(fluents.iter().all(|fluent| around.contains(fluent)), "{role} {m}: {fluents:?}");
        assert!(fluents == around || around.len() < 6, "{role} {m}: {fluents:?}");
        assert!(fluents.len() >= 3, "{role} {m}: {fluents:?}");
    }
}

#[test]
fn moves_of_tictactoe_encode_own_marks_on_their_lines() {
    let network = library_network("tictactoe");
    for (role, m, fluents) in table(&network) {
        let [row, column] = numbers(m)[..] else {
            assert_eq!(fluents, [""; 0], "{role} {m}");
            continue;
        };
        let mark = if role == "xplayer" { "x" } else { "o" };
        let is_on_line = |x: i32, y: i32| {
            let diagonals = [x == y && row == column, x + y == 4 && row + column == 4];
            (x, y) != (row, column) && (x == row || y == column || diagonals.contains(&true))
        };
        let cells = (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y)));
        let lines = cells.filter(|&(x, y)| is_on_line(x, y));
        let mut expected: Vec<String> =
            lines.map(|(x, y)| format!("(cell {x} {y} {mark})")).collect();
        let mut fluents = fluents.clone();
        expected.sort();
        fluents.sort();
        assert_eq!(fluents, expected, "{role} {m}");
    }
    let n_codes = derive(&network, &Limits::default()).n_codes();
    assert_eq!(n_codes, 2 * (1 + 4 * (1 << 6) + 4 * (1 << 4) + (1 << 8)));
}

/// Checks that codes are dense, that moves have codes of their own, and that no limit is exceeded.
fn check_bounds(network: &Network, features: &MoveFeatures, limits: &Limits) -> Result<(), String> {
    let mut end = 0;
    for does in 0..network.does.len() {
        let (codes, fluents) = (features.codes_of(does), features.fluents(does));
        let max_fluents = limits.effect_fluents.max(limits.surrounding_fluents);
        if codes.start != end || codes.len() != 1 << fluents.len() || fluents.len() > max_fluents {
            return Err(format!("move {does} has the codes {codes:?} and the fluents {fluents:?}"));
        }
        end = codes.end;
    }
    let max_codes = limits.codes.max(network.does.len());
    if end as usize != features.n_codes() || features.n_codes() > max_codes {
        return Err(format!("{} codes, of which {end} are used", features.n_codes()));
    }
    Ok(())
}

#[test]
fn every_library_game_stays_within_the_limits() {
    check_every_game(Path::new(LIBRARY), |entry: &Entry| {
        let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
        let network = network_of(&text, 1 << 30)?;
        let limits = Limits { codes: network.does.len() * 3, ..Limits::default() };
        let features = derive(&network, &limits);
        check_codes(&network, &features, &mut Rng::new(1));
        check_bounds(&network, &features, &limits)
    });
}

/// A random state of a network, usually unreachable.
fn random_words(network: &Network, rng: &mut Rng) -> Vec<u64> {
    (0..network.fluents.len().div_ceil(64)).map(|_| rng.next_u64()).collect()
}

/// Checks that codes encode the values of the move's fluents and nothing else.
fn check_codes(network: &Network, features: &MoveFeatures, rng: &mut Rng) {
    let has_features = (0..network.does.len()).any(|does| !features.fluents(does).is_empty());
    let bit = |words: &[u64], fluent: &u32| words[*fluent as usize / 64] >> (fluent % 64) & 1;
    for does in 0..network.does.len() {
        let (one, other) = (random_words(network, rng), random_words(network, rng));
        let code = features.code(&one, does);
        assert!(features.codes_of(does).contains(&code));
        let alike = features.fluents(does).iter().all(|f| bit(&one, f) == bit(&other, f));
        assert_eq!(alike, code == features.code(&other, does));
        let (role, m) = network.does[does];
        let expected = if has_features { code } else { m.0 };
        assert_eq!(expected, features.code_of_move(&one, role, m));
    }
}

/// Derives twice; returns the number of moves with features.
fn check_all(network: &Network, rng: &mut Rng) -> usize {
    let limits = Limits::default();
    let features = derive(network, &limits);
    check_bounds(network, &features, &limits).unwrap();
    assert_eq!(features, derive(network, &limits));
    check_codes(network, &features, rng);
    (0..network.does.len()).filter(|&does| !features.fluents(does).is_empty()).count()
}

#[test]
fn codes_of_random_networks_encode_their_fluents() {
    let count = |seed| check_all(&NetworkWriter::write(seed), &mut Rng::new(seed));
    let n_moves: usize = (0..60).map(count).sum();
    assert!(n_moves > 10, "{n_moves} moves have features");
}

#[test]
fn random_rules_have_codes() {
    let mut loaded = 0;
    for seed in 0..60 {
        let mut rng = Rng::stream(31, &[seed]);
        let options = random_rules::Options { unsafe_rules: seed % 3 == 0 };
        let rules = RandomRules::new(&mut rng, options);
        if let Ok(network) = network_of(&rules.text, 1 << 20) {
            check_all(&network, &mut rng);
            loaded += 1;
        }
    }
    assert!(loaded > 40, "{loaded} random descriptions could be grounded");
}

#[test]
fn no_limits_no_features() {
    let network = library_network("breakthrough");
    let features = derive(&network, &Limits::NONE);
    assert_eq!(features.n_codes(), network.does.len());
    assert!((0..network.does.len()).all(|does| features.fluents(does).is_empty()));
}

#[test]
fn games_give_the_codes_of_their_features() {
    let game = PropGame::scalar(library_network("connectfour"));
    let mut seen = std::collections::BTreeSet::new();
    visit(&game, 5, |state, view| {
        for (role, legal) in view.legal.entries() {
            let mut codes = vec![7];
            game.codes(state, role, legal, &mut codes);
            let single = legal.iter().map(|&m| game.code(state, role, m));
            assert_eq!(codes, std::iter::once(7).chain(single).collect::<Vec<_>>());
            seen.extend(codes[1..].iter().map(|&code| (role, code)));
        }
    });
    let codes: std::collections::BTreeSet<u32> = seen.iter().map(|&(_, code)| code).collect();
    assert_eq!(codes.len(), seen.len(), "roles have codes of their own");
    assert!(codes.len() > 50, "{} codes", codes.len());
    assert!(codes.iter().all(|&code| (code as usize) < game.features().n_codes()));
    // A move that a role can never make must not cause a panic.
    let unknown = ludens_core::Move(u32::MAX);
    assert_eq!(game.code(&game.initial(), Role(1), unknown), 0);
}
