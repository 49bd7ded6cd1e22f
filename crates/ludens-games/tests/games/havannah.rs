//! Havannah against a slow reference implementation, on boards of all sizes: a second check besides its
//! twin in the library, which detects structures only by the last stone.

use std::collections::BTreeSet;
use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View, WithGame};
use ludens_games::{havannah, with_game};

/// Column and row, from 1.
type Place = (i32, i32);

/// A winning structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Structure {
    Ring,
    Bridge,
    Fork,
}

/// The board as the rules describe it.
struct Plain {
    size: i32,
}

impl Plain {
    fn has(&self, (x, y): Place) -> bool {
        let last = 2 * self.size - 1;
        let sum = self.size + 1..3 * self.size;
        (1..=last).contains(&x) && (1..=last).contains(&y) && sum.contains(&(x + y))
    }

    fn places(&self) -> Vec<Place> {
        let range = 1..2 * self.size;
        let all = range.clone().flat_map(|x| range.clone().map(move |y| (x, y)));
        all.filter(|&place| self.has(place)).collect()
    }

    fn around((x, y): Place) -> [Place; 6] {
        [(x + 1, y), (x, y + 1), (x - 1, y + 1), (x - 1, y), (x, y - 1), (x + 1, y - 1)]
    }

    /// The sides of the board that a place is at, by number.
    fn sides(&self, (x, y): Place) -> Vec<usize> {
        let last = 2 * self.size - 1;
        let sum = x + y;
        let at =
            [y == 1, x == last, sum == 3 * self.size - 1, y == last, x == 1, sum == self.size + 1];
        (0..6).filter(|&side| at[side]).collect()
    }

    /// The group of a stone.
    fn group(start: Place, stones: &BTreeSet<Place>) -> BTreeSet<Place> {
        let (mut group, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(place) = open.pop() {
            let linked = Self::around(place).into_iter().filter(|next| stones.contains(next));
            open.extend(linked.filter(|&next| group.insert(next)));
        }
        group
    }

    /// Whether a path leads from a place to a side of the board without crossing stones.
    fn escapes(&self, start: Place, stones: &BTreeSet<Place>) -> bool {
        let (mut reached, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(place) = open.pop() {
            if !self.sides(place).is_empty() {
                return true;
            }
            let free = Self::around(place).into_iter().filter(|next| !stones.contains(next));
            open.extend(free.filter(|&next| reached.insert(next)));
        }
        false
    }

    /// The structures of a player's stones.
    fn structures(&self, stones: &BTreeSet<Place>) -> BTreeSet<Structure> {
        let mut found = BTreeSet::new();
        let mut rest = stones.clone();
        while let Some(stone) = rest.pop_first() {
            let group = Self::group(stone, stones);
            rest.retain(|stone| !group.contains(stone));
            let sides: Vec<Vec<usize>> = group.iter().map(|&stone| self.sides(stone)).collect();
            if sides.iter().filter(|sides| sides.len() == 2).count() >= 2 {
                found.insert(Structure::Bridge);
            }
            let edges: BTreeSet<_> = sides.iter().filter(|sides| sides.len() == 1).collect();
            if edges.len() >= 3 {
                found.insert(Structure::Fork);
            }
        }
        // A place is inside a ring if no path leads from it to a side around the other stones.
        let is_in = |place: Place| !self.escapes(place, stones);
        if self.places().into_iter().any(is_in) {
            found.insert(Structure::Ring);
        }
        found
    }
}

/// The place that a move names.
fn place_of(name: &str) -> Place {
    let words: Vec<&str> = name.trim_matches(['(', ')']).split(' ').collect();
    (words[1].parse().unwrap(), words[2].parse().unwrap())
}

/// Plays random games and returns the winning structures.
struct Compare {
    size: u32,
    games: u64,
}

impl WithGame for Compare {
    type Out = Vec<Structure>;

    fn call<G: Game>(self, game: Arc<G>) -> Vec<Structure> {
        let plain = Plain { size: self.size.cast_signed() };
        (0..self.games).flat_map(|number| play(&*game, &plain, number)).collect()
    }
}

fn play<G: Game>(game: &G, plain: &Plain, number: u64) -> BTreeSet<Structure> {
    let mut rng = Rng::stream(9, &[number]);
    let (mut state, mut view) = (game.initial(), View::default());
    let mut stones = [BTreeSet::new(), BTreeSet::new()];
    for ply in 0.. {
        let mover = ply % 2;
        game.look(&state, &mut view);
        assert!(!view.terminal);
        let legal = &view.legal[Role(mover as u8)];
        assert_eq!(legal.len() + stones[0].len() + stones[1].len(), plain.places().len());
        let m = legal[rng.below(legal.len())];
        let is_last = legal.len() == 1;
        let place = place_of(&game.move_name(Role(mover as u8), m));
        assert!(plain.has(place) && stones.iter().all(|stones| !stones.contains(&place)));
        stones[mover].insert(place);
        let mut joint = [view.legal[Role(1 - mover as u8)][0]; 2];
        joint[mover] = m;
        game.play(&mut state, &joint);
        game.look(&state, &mut view);
        let found = plain.structures(&stones[mover]);
        assert_eq!(view.terminal, is_last || !found.is_empty(), "{found:?} {:?}", stones[mover]);
        if view.terminal {
            let payoff = if found.is_empty() { 0.5 } else { 1.0 };
            assert!((view.payoffs[Role(mover as u8)] - payoff).abs() < f32::EPSILON);
            return found;
        }
    }
    unreachable!("the board is full at some time")
}

#[test]
fn random_games_agree_with_the_reference() {
    let mut found = Vec::new();
    for (size, games) in [
        (2, 40),
        (3, 200),
        (4, 100),
        (5, 30),
        (6, 8),
        (7, 4),
        (8, 2),
        (9, 1),
        (10, 1),
        (11, 1),
        (12, 1),
        (13, 1),
        (14, 1),
        (15, 1),
    ] {
        found
            .extend(with_game("havannah", size, Compare { size, games }).expect("it has the size"));
    }
    for structure in [Structure::Ring, Structure::Bridge, Structure::Fork] {
        let count = found.iter().filter(|&&other| other == structure).count();
        assert!(count >= 10, "{structure:?} occurred {count} times");
    }
}

/// The number of moves in the initial state.
struct FirstMoves;

impl WithGame for FirstMoves {
    type Out = usize;

    fn call<G: Game>(self, game: Arc<G>) -> usize {
        let mut view = View::default();
        game.look(&game.initial(), &mut view);
        view.legal[Role(0)].len()
    }
}

#[test]
fn boards_with_2_to_15_cells_along_a_side_begin_empty() {
    for size in 2..=15 {
        let moves = with_game("havannah", size, FirstMoves).expect("it has the size");
        assert_eq!(moves as u32, 3 * size * (size - 1) + 1, "{size}");
    }
    assert!([1, 16].iter().all(|&size| with_game("havannah", size, FirstMoves).is_none()));
}

/// Whether Red wins by the last of these stones, and not before; Blue plays elsewhere.
fn wins(size: u32, red: &[Place], blue: &[Place]) -> bool {
    let game = havannah::game(size);
    let (mut state, mut view) = (game.initial(), View::default());
    let name = |&(x, y): &Place| format!("(place {x} {y})");
    for (ply, stone) in red.iter().enumerate() {
        let m = game.parse_move(Role(0), &name(stone)).expect("the place is on the board");
        game.play(&mut state, &[m, game.noop()]);
        game.look(&state, &mut view);
        if ply + 1 == red.len() {
            return view.terminal && (view.payoffs[Role(0)] - 1.0).abs() < f32::EPSILON;
        }
        assert!(!view.terminal, "{:?}", game.facts(&state));
        let m = game.parse_move(Role(1), &name(&blue[ply])).expect("the place is on the board");
        game.play(&mut state, &[game.noop(), m]);
        game.look(&state, &mut view);
        assert!(!view.terminal, "{:?}", game.facts(&state));
    }
    false
}

#[test]
fn rings_around_any_cell_win() {
    let ring = [(5, 4), (4, 5), (3, 5), (3, 4), (4, 3), (5, 3)];
    let elsewhere = [(7, 1), (7, 2), (1, 6), (1, 5), (6, 1), (2, 6)];
    assert!(wins(4, &ring, &elsewhere), "around an empty cell");
    assert!(wins(4, &ring, &[(4, 4), (7, 2), (1, 6), (1, 5), (6, 1)]), "around Blue's stone");
    let filled = [&[(4, 4)], &ring[..]].concat();
    assert!(wins(4, &filled, &elsewhere), "around Red's own stone");
    assert!(!wins(4, &filled[..6], &elsewhere), "not all around");
}

#[test]
fn corners_belong_to_no_edge() {
    // The cells of a side of length 4 from corner to corner: a bridge, once both corners are held.
    let side = [(4, 1), (5, 1), (6, 1), (7, 1)];
    let elsewhere = [(1, 7), (3, 6), (1, 5), (4, 5), (5, 4)];
    assert!(wins(4, &side, &elsewhere));
    // From one edge to the next around the corner: two edges and a corner, which is no third edge.
    assert!(!wins(4, &[(6, 1), (7, 2), (7, 1)], &elsewhere));
    // Three edges, and on the way a corner's two neighbours.
    let fork = [(5, 1), (5, 2), (4, 3), (3, 3), (3, 4), (2, 4), (1, 5), (6, 2), (7, 2)];
    let far = [(1, 7), (3, 6), (4, 6), (4, 5), (5, 4), (2, 7), (6, 4), (6, 5)];
    assert!(wins(4, &fork, &far));
}

#[test]
fn impossible_states_are_rejected() {
    let game = havannah::game(4);
    let state = |facts: &[&str]| {
        let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
        game.parse_state(&facts)
    };
    assert!(state(&["(cell 4 4 red)", "(control blue)", "(last 4 4)"]).is_some());
    for facts in [
        &["(cell 4 4 red)", "(control red)", "(last 4 4)"][..],
        &["(cell 4 4 red)", "(control blue)"],
        &["(cell 4 4 red)", "(control blue)", "(last 4 5)"],
        &["(cell 4 4 red)", "(control blue)", "(last 4 4)", "(last 4 4)"],
        &["(cell 4 4 red)", "(cell 4 4 blue)", "(control red)", "(last 4 4)"],
        &["(cell 1 1 red)", "(control blue)", "(last 1 1)"],
    ] {
        assert!(state(facts).is_none(), "{facts:?}");
    }
    assert_eq!(game.parse_move(Role(0), "(place 1 1)"), None);
    assert_eq!(game.parse_move(Role(0), "(place 4 4)").map(|m| m < Move(37)), Some(true));
}
