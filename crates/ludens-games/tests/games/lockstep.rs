//! Every native game and its rules in the library play the same games: the same states, legal moves,
//! goals and ends, by text.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Role, TextGame, WithGame};
use ludens_games::{GAMES, with_game};
use ludens_propnet::PropGame;
use ludens_testkit::golden::{first_difference, same_perft};
use ludens_testkit::lockstep::{Counts, Options, lockstep};

/// The number of random games for each size of board; fewer on large boards, where the twin is slow.
const PLAN: &[(&str, &[(u32, u32)])] = &[
    ("atarigo", &[(3, 200), (4, 200), (5, 100), (6, 60), (7, 40), (8, 30)]),
    ("breakthrough", &[(4, 200), (5, 200), (6, 100), (7, 60), (8, 60)]),
    ("domineering", &[(2, 20), (3, 100), (4, 200), (5, 100), (6, 100), (7, 60), (8, 60)]),
    ("havannah", &[(2, 100), (3, 200), (4, 200), (5, 60), (6, 20), (8, 4), (10, 1), (15, 1)]),
    ("knightthrough", &[(4, 200), (5, 200), (6, 100), (7, 60), (8, 60)]),
    ("misere_breakthrough", &[(4, 200), (5, 100), (6, 60), (7, 40), (8, 40)]),
    ("misere_domineering", &[(2, 20), (3, 100), (4, 100), (5, 60), (6, 60), (7, 40), (8, 40)]),
    ("misere_knightthrough", &[(4, 200), (5, 100), (6, 60), (7, 40), (8, 40)]),
    ("nogo", &[(3, 200), (4, 200), (5, 100), (6, 60), (7, 40), (8, 30)]),
];

/// A file of the library.
fn library(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The size in a game's rules.
fn own_size(rules: &str) -> u32 {
    let (_, rest) = rules.split_once("\n(size ").expect("the rules have a size");
    rest.split_once(')').and_then(|(size, _)| size.parse().ok()).expect("the size is a number")
}

/// The twin of a game on a board of this size.
fn twin(name: &str, size: u32) -> Arc<PropGame> {
    let text = library(&format!("{name}.kif"));
    let fact = format!("\n(size {})", own_size(&text));
    let text = text.replace(&fact, &format!("\n(size {size})"));
    let rules = ludens_gdl::load(&text).0.expect("the rules load");
    let game = PropGame::load(&rules, &Budget::unlimited());
    Arc::new(game.unwrap_or_else(|trouble| panic!("{name} {size}: {trouble}")))
}

/// Compares a game with its twin.
struct Compare {
    name: &'static str,
    size: u32,
    games: u32,
}

impl WithGame for Compare {
    type Out = Counts;

    fn call<G: Game>(self, game: Arc<G>) -> Counts {
        let options = Options { games: self.games, ..Options::default() };
        let twin = TextGame(twin(self.name, self.size));
        let counts = lockstep(&twin, &TextGame(game), &options);
        counts.unwrap_or_else(|difference| panic!("{} {}: {difference}", self.name, self.size))
    }
}

/// Compares a game on all boards of the plan.
fn compare(name: &str) {
    let &(name, sizes) = PLAN.iter().find(|(other, _)| *other == name).expect("it has a plan");
    for &(size, games) in sizes {
        let counts = with_game(name, size, Compare { name, size, games }).expect("it has the size");
        assert_eq!((counts.games, counts.finished), (games, games), "{name} {size}");
    }
}

macro_rules! each_game {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            compare(stringify!($name));
        }
    )*
        #[test]
        fn all_games_are_tested() {
            let names: Vec<_> = GAMES.iter().map(|game| game.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

each_game! {
    atarigo
    breakthrough
    domineering
    havannah
    knightthrough
    misere_breakthrough
    misere_domineering
    misere_knightthrough
    nogo
}

/// The names of all facts, and of all moves of each role.
fn names<G: Game>(game: &G) -> (BTreeSet<String>, Vec<BTreeSet<String>>) {
    let vocabulary = game.vocabulary().expect("the game has a vocabulary");
    let n_facts = vocabulary.n_facts().expect("all facts are known") as u32;
    let moves = Role::all(game.roles().len()).map(|role| {
        let moves = vocabulary.moves(role).expect("all moves are known");
        moves.iter().map(|&m| game.move_name(role, m)).collect()
    });
    ((0..n_facts).map(|fact| vocabulary.fact_name(fact)).collect(), moves.collect())
}

/// Compares the vocabulary of a game with that of its twin.
struct CompareNames {
    name: &'static str,
    size: u32,
}

impl WithGame for CompareNames {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let (facts, moves) = names(&*game);
        let (twin_facts, twin_moves) = names(&*twin(self.name, self.size));
        assert_eq!(moves, twin_moves, "{}", self.name);
        let missing: Vec<_> = twin_facts.difference(&facts).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", self.name);
    }
}

#[test]
fn vocabularies_are_those_of_the_rules() {
    for game in GAMES {
        let (name, size) = (game.name, *game.size.range.start());
        with_game(name, size, CompareNames { name, size }).expect("it has the size");
    }
}

/// Compares perft counts.
struct Perft {
    name: &'static str,
}

impl WithGame for Perft {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let golden = library(&format!("{}.perft", self.name));
        let found = same_perft(&*game, &golden);
        assert_eq!(first_difference(&golden, &found), None, "{}", self.name);
    }
}

#[test]
fn perft_counts_are_equal() {
    for game in GAMES {
        let size = own_size(&library(&format!("{}.kif", game.name)));
        with_game(game.name, size, Perft { name: game.name }).expect("it has the size");
    }
}
