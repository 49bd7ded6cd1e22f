//! Schedules: how self-play and training alternate.

/// How self-play and training alternate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// Rounds of moves in all games, then mini-batches until every position was used often enough
    /// ([`crate::Training::ratio`]).
    Rounds(usize),
    /// A whole game at every table, then mini-batches for each of them (Goldwaser and Thielscher 2020,
    /// algorithm 2, which has one table).
    PerGame {
        /// The mini-batches for a game.
        steps: u64,
        /// The number of newest positions from which they are drawn.
        buffer: usize,
    },
    /// A whole game at every table with the best network, then training of a new one that begins with its
    /// weights, then a match between them, which the new one must win (Gunawan et al. 2020).
    Gated(Gating),
}

/// Training and evaluation of a new network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gating {
    /// The iterations whose positions are used, the newest.
    pub n_recent: usize,
    /// How often every position is used on average in an iteration.
    pub epochs: f64,
    /// The minimum number of games of the match; it is raised until both networks have all roles equally often.
    pub n_games: usize,
    /// The joint moves at the beginning of these games that are sampled, so that games differ.
    pub sampled_plies: usize,
}

impl Schedule {
    /// Whether no game is in progress between two iterations. Then a checkpoint changes nothing.
    pub fn plays_whole_games(&self) -> bool {
        !matches!(self, Schedule::Rounds(_))
    }
}
