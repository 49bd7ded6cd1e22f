//! More games for tests of searches: layers of states, a puzzle, two board games, and one with
//! cycles.

use std::sync::OnceLock;

use ludens_core::{Game, Move, Rng, Role, View};
use ludens_testkit::hash_game::Shape;

/// Shapes and seeds of random trees, small enough for a search without a table: one to four roles,
/// turn-taking and simultaneous, with and without a constant sum, with and without early ends.
pub fn shapes() -> impl Iterator<Item = (Shape, u64)> {
    let turns = [(1, 6), (2, 6), (3, 5), (4, 5)].map(|(roles, depth)| (roles, depth, false));
    let simultaneous = [(1, 5), (2, 3), (3, 2)].map(|(roles, depth)| (roles, depth, true));
    let kinds = turns.into_iter().chain(simultaneous);
    kinds.flat_map(|(n_roles, depth, simultaneous)| {
        (0..12).map(move |seed| {
            let (early_end, constant_sum) = (if seed % 2 == 0 { 0 } else { 4 }, seed % 4 < 2);
            let shape =
                Shape { n_roles, branching: 3, depth, early_end, simultaneous, constant_sum };
            (shape, seed)
        })
    })
}

/// Two roles move in turn through layers of a few states, so that most states have many
/// transpositions, as in real games and unlike in trees.
pub struct Layers {
    /// States in each layer.
    pub width: u64,
    /// Joint moves to the end.
    pub depth: u32,
    /// The seed of the successors and payoffs.
    pub seed: u64,
    /// Whether the payoffs of the two roles add up to 1.
    pub constant_sum: bool,
}

impl Game for Layers {
    type State = (u32, u64);

    fn roles(&self) -> &[String] {
        two_roles()
    }

    fn initial(&self) -> (u32, u64) {
        (0, 0)
    }

    fn look(&self, &(ply, at): &(u32, u64), view: &mut View) {
        view.clear(2);
        view.terminal = ply == self.depth;
        if !view.terminal {
            view.legal[Role((ply % 2) as u8)].extend((1..4).map(Move));
            view.legal[Role((1 - ply % 2) as u8)].push(Move(0));
            return;
        }
        let payoff = |role: u64| (Rng::mix(self.seed << 16 | at << 1 | role) % 101) as f32 / 100.0;
        view.pay(Role(0), payoff(0));
        view.pay(Role(1), if self.constant_sum { 1.0 - payoff(0) } else { payoff(1) });
    }

    fn play(&self, (ply, at): &mut (u32, u64), joint: &[Move]) {
        let m = u64::from(joint[(*ply % 2) as usize].0);
        *at = Rng::mix(self.seed << 32 | u64::from(*ply) << 16 | *at << 4 | m) % self.width;
        *ply += 1;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &(u32, u64)) -> Vec<String> {
        vec![format!("(at {} {})", state.0, state.1)]
    }
}

/// One role turns the wheels of a lock one after the other and is paid for each correct one.
pub struct Lock {
    wheel: u32,
    secret: Vec<u32>,
}

impl Lock {
    /// A lock with `wheel` positions on each wheel.
    pub fn new(wheel: u32, secret: &[u32]) -> Self {
        Lock { wheel, secret: secret.to_vec() }
    }
}

impl Game for Lock {
    type State = Vec<u32>;

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| vec!["thief".into()])
    }

    fn initial(&self) -> Vec<u32> {
        Vec::new()
    }

    fn look(&self, state: &Vec<u32>, view: &mut View) {
        view.clear(1);
        view.terminal = state.len() == self.secret.len();
        if view.terminal {
            let correct = state.iter().zip(&self.secret).filter(|(a, b)| a == b).count();
            view.pay(Role(0), correct as f32 / self.secret.len() as f32);
        } else {
            view.legal[Role(0)].extend((0..self.wheel).map(Move));
        }
    }

    fn play(&self, state: &mut Vec<u32>, joint: &[Move]) {
        state.push(joint[0].0);
    }

    /// The code includes the wheel, so that a policy learns each wheel separately.
    fn code(&self, state: &Vec<u32>, _role: Role, m: Move) -> u32 {
        state.len() as u32 * self.wheel + m.0
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Vec<u32>) -> Vec<String> {
        vec![format!("(turned {state:?})")]
    }
}

/// The two roles of the board games.
fn two_roles() -> &'static [String] {
    static ROLES: OnceLock<Vec<String>> = OnceLock::new();
    ROLES.get_or_init(|| vec!["white".into(), "black".into()])
}

fn pay(view: &mut View, winner: Option<usize>) {
    view.terminal = true;
    for role in Role::all(2) {
        let payoff = winner.map_or(0.5, |winner| if winner == role.index() { 1.0 } else { 0.0 });
        view.pay(role, payoff);
    }
}

/// Tic-tac-toe: bit sets of the nine cells, one for each role; `Move(9)` is the `noop`.
pub struct TicTacToe;

impl TicTacToe {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];
}

impl Game for TicTacToe {
    type State = [u16; 2];

    fn roles(&self) -> &[String] {
        two_roles()
    }

    fn initial(&self) -> [u16; 2] {
        [0; 2]
    }

    fn look(&self, state: &[u16; 2], view: &mut View) {
        view.clear(2);
        let won = |role: usize| Self::LINES.iter().any(|line| state[role] & line == *line);
        let taken = state[0] | state[1];
        if let Some(winner) = (0..2).find(|&role| won(role)) {
            return pay(view, Some(winner));
        }
        if taken == 0o777 {
            return pay(view, None);
        }
        let mover = taken.count_ones() as usize % 2;
        view.legal[Role(1 - mover as u8)].push(Move(9));
        view.legal[Role(mover as u8)].extend((0..9).filter(|c| taken >> c & 1 == 0).map(Move));
    }

    fn play(&self, state: &mut [u16; 2], joint: &[Move]) {
        for (cells, m) in state.iter_mut().zip(joint).filter(|(_, m)| m.0 < 9) {
            *cells |= 1 << m.0;
        }
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &[u16; 2]) -> Vec<String> {
        vec![format!("(cells {} {})", state[0], state[1])]
    }
}

/// Breakthrough on a board of any small size, one row of pawns each: forwards to an empty cell,
/// diagonally forwards also onto an enemy; the side that reaches the last row or takes all pawns wins.
/// A move is `1 + 3 · cell + direction`, and 0 is the `noop`.
pub struct Breakthrough {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// A position of [`Breakthrough`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pawns {
    cells: [u64; 2],
    mover: usize,
}

impl Breakthrough {
    /// Where a move of a role leads, if it stays on the board.
    fn target(&self, role: usize, cell: usize, direction: usize) -> Option<usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        let x = (x + direction).checked_sub(1).filter(|&x| x < self.width)?;
        let y = if role == 0 { y + 1 } else { y.checked_sub(1)? };
        (y < self.height).then_some(y * self.width + x)
    }

    fn is_legal(&self, state: &Pawns, cell: usize, direction: usize) -> bool {
        let (own, enemy) = (state.cells[state.mover], state.cells[1 - state.mover]);
        let Some(target) = self.target(state.mover, cell, direction) else { return false };
        let blocked = if direction == 1 { own | enemy } else { own };
        own >> cell & 1 == 1 && blocked >> target & 1 == 0
    }

    fn winner(&self, state: &Pawns) -> Option<usize> {
        let row = (1u64 << self.width) - 1;
        let goals = [row << (self.width * (self.height - 1)), row];
        (0..2).find(|&r| state.cells[r] & goals[r] != 0 || state.cells[1 - r] == 0)
    }
}

impl Game for Breakthrough {
    type State = Pawns;

    fn roles(&self) -> &[String] {
        two_roles()
    }

    fn initial(&self) -> Pawns {
        let row = (1u64 << self.width) - 1;
        Pawns { cells: [row, row << (self.width * (self.height - 1))], mover: 0 }
    }

    fn look(&self, state: &Pawns, view: &mut View) {
        view.clear(2);
        if let Some(winner) = self.winner(state) {
            return pay(view, Some(winner));
        }
        for cell in 0..self.width * self.height {
            let directions = (0..3).filter(|&direction| self.is_legal(state, cell, direction));
            let moves = directions.map(|direction| Move((1 + 3 * cell + direction) as u32));
            view.legal[Role(state.mover as u8)].extend(moves);
        }
        if view.legal[Role(state.mover as u8)].is_empty() {
            return pay(view, Some(1 - state.mover));
        }
        view.legal[Role(1 - state.mover as u8)].push(Move(0));
    }

    fn play(&self, state: &mut Pawns, joint: &[Move]) {
        let m = joint[state.mover].index() - 1;
        let target = self.target(state.mover, m / 3, m % 3).expect("the move is legal");
        state.cells[state.mover] ^= 1 << (m / 3) | 1 << target;
        state.cells[1 - state.mover] &= !(1 << target);
        state.mover = 1 - state.mover;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Pawns) -> Vec<String> {
        vec![format!("(pawns {} {} {})", state.cells[0], state.cells[1], state.mover)]
    }
}

/// One role walks around a ring of places for as long as it likes (move 0) or stops (move 1) and is
/// paid the payoff of the place, in hundredths. Play need not end, as it should.
pub struct Ring(pub Vec<u32>);

impl Game for Ring {
    type State = (usize, bool);

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| vec!["walker".into()])
    }

    fn initial(&self) -> (usize, bool) {
        (0, false)
    }

    fn look(&self, &(place, stopped): &(usize, bool), view: &mut View) {
        view.clear(1);
        view.terminal = stopped;
        if stopped {
            view.pay(Role(0), self.0[place] as f32 / 100.0);
        } else {
            view.legal[Role(0)].extend([Move(0), Move(1)]);
        }
    }

    fn play(&self, state: &mut (usize, bool), joint: &[Move]) {
        match joint[0].0 {
            0 => state.0 = (state.0 + 1) % self.0.len(),
            _ => state.1 = true,
        }
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &(usize, bool)) -> Vec<String> {
        vec![format!("(at {} {})", state.0, state.1)]
    }
}
