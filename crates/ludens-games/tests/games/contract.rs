//! Every native game satisfies the contract of `Game`, on every size of board.

use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View, WithGame};
use ludens_games::{GAMES, NativeGame, with_game};
use ludens_testkit::contract::{Options, check_game};

/// Calls a visitor with each game on boards of all sizes.
fn on_all_sizes<V: WithGame>(visitor: impl Fn(&'static NativeGame, u32) -> V) {
    for game in GAMES {
        for size in game.size.range.clone() {
            with_game(game.name, size, visitor(game, size)).expect("the size is in its range");
        }
    }
}

struct Contract(&'static NativeGame, u32);

impl WithGame for Contract {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let options = Options { games: 4, max_plies: 1000, seed: 1, every: 5 };
        let report = check_game(&game, &options);
        report.unwrap_or_else(|violation| panic!("{} {}: {violation}", self.0.name, self.1));
    }
}

#[test]
fn games_satisfy_the_contract() {
    on_all_sizes(Contract);
}

/// Legal moves ascend, keys of several moves are those of single moves, and different moves have
/// different keys.
struct Codes(&'static NativeGame, u32);

impl WithGame for Codes {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let (mut rng, mut view) = (Rng::new(2), View::default());
        let mut keys = std::collections::BTreeMap::new();
        for _ in 0..3 {
            let mut state = game.initial();
            loop {
                game.look(&state, &mut view);
                if view.terminal {
                    break;
                }
                for (role, legal) in view.legal.entries() {
                    assert!(legal.is_sorted_by(|a, b| a < b), "{} {}", self.0.name, self.1);
                    let mut codes = Vec::new();
                    game.codes(&state, role, legal, &mut codes);
                    for (&m, code) in legal.iter().zip(codes) {
                        assert_eq!(code, game.code(&state, role, m));
                        let known = *keys.entry(code).or_insert(m);
                        assert_eq!(known, m, "{} {}: key {code}", self.0.name, self.1);
                    }
                }
                let choose = |legal: &Vec<Move>| legal[rng.below(legal.len())];
                let joint: Vec<Move> = view.legal.iter().map(choose).collect();
                game.play(&mut state, &joint);
            }
        }
    }
}

#[test]
fn moves_ascend_and_keys_are_consistent() {
    on_all_sizes(Codes);
}

/// Texts that are not moves or states.
struct Nonsense;

impl WithGame for Nonsense {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let facts = game.facts(&game.initial());
        let moves = ["", "(", "()", "pass", "(noop 1)", "(move 0 1 1 2)", "(move 1 1 1 1)"];
        let more = ["(play 1 99)", "(place 1 -1)", "(place 1 1 9 9)", "(place 99999999999 1)"];
        for role in Role::all(2) {
            for text in moves.into_iter().chain(more) {
                assert_eq!(game.parse_move(role, text), None, "{text}");
            }
            assert!(game.parse_move(role, " NoOp ").is_some());
        }
        let with = |fact: &str| [&facts[..], &[fact.to_owned()]].concat();
        for fact in ["(control nobody)", "(cell 1 1 nobody)", "(cell 99 1 white)", "x", "((", ""] {
            assert!(game.parse_state(&with(fact)).is_none(), "{fact}");
        }
        assert!(game.parse_state(&[]).is_none());
        assert!(game.parse_state(&facts).is_some_and(|state| state == game.initial()));
    }
}

#[test]
fn nonsense_is_rejected() {
    on_all_sizes(|_, _| Nonsense);
}

#[test]
fn unknown_names_and_sizes_are_rejected() {
    assert!(with_game("breakthru", 8, Nonsense).is_none());
    for game in GAMES {
        for size in [0, game.size.range.start() - 1, game.size.range.end() + 1, u32::MAX] {
            assert!(with_game(game.name, size, Nonsense).is_none(), "{} {size}", game.name);
        }
        assert!(game.size.range.contains(&game.size.default));
    }
    assert!(GAMES.is_sorted_by(|a, b| a.name < b.name));
}
