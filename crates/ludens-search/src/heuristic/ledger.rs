//! Statistics of won and lost games, and the weights of elements
//! (Mańdziuk and Świechowski 2012, section 3.2).

use ludens_core::{PerRole, Rng, Role};

/// The numbers of games won and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
}

impl Decided {
    /// The sum of both.
    pub fn total(self) -> u32 {
        self.wins + self.losses
    }
}

/// The statistics of one element for one role.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The mean counts per state, summed over the games that were won, and lost.
    sums: [f64; 2],
    /// The games in which the count was positive.
    seen: Decided,
}

/// The statistics of all games.
pub(super) struct Ledger {
    n_roles: usize,
    /// Payoffs above this are wins, those below are losses.
    midpoints: Vec<f32>,
    /// The games that each role has won and lost.
    pub decided: PerRole<Decided>,
    /// The maximum count of each element.
    pub max_counts: Vec<u32>,
    entries: Vec<Entry>,
    /// A uniform sample of games: their mean counts and payoffs.
    sample: Vec<(Vec<f32>, Vec<f32>)>,
    /// The number of games, and of the states in them.
    pub n_games: u64,
    n_states: u64,
}

/// The size of the sample.
const SAMPLE_SIZE: usize = 256;

/// Shrinkage: a weight from this many games counts for half.
const SHRINKAGE_GAMES: f64 = 4.0;

impl Ledger {
    /// Statistics without games yet, for the lowest and highest payoff of each role.
    pub fn new(ranges: impl Iterator<Item = (f32, f32)>) -> Self {
        let midpoints: Vec<f32> = ranges.map(|(low, high)| f32::midpoint(low, high)).collect();
        let n_roles = midpoints.len();
        Ledger {
            n_roles,
            midpoints,
            decided: PerRole::filled(n_roles, Decided::default()),
            max_counts: Vec::new(),
            entries: Vec::new(),
            sample: Vec::new(),
            n_games: 0,
            n_states: 0,
        }
    }

    /// Whether a payoff is a win or a loss; `None` for a draw.
    fn is_won(&self, role: Role, payoff: f32) -> Option<bool> {
        let midpoint = self.midpoints[role.index()];
        let is_draw = (payoff - midpoint).abs() < f32::EPSILON;
        (!is_draw).then_some(payoff > midpoint)
    }

    /// Adds a game: the mean count of each element over its states, its payoffs and its number of states.
    pub fn keep(&mut self, averages: &[f32], (payoffs, n_states): (&[f32], u32), rng: &mut Rng) {
        self.entries.resize(averages.len() * self.n_roles, Entry::default());
        for (role, &payoff) in Role::all(self.n_roles).zip(payoffs) {
            let Some(won) = self.is_won(role, payoff) else { continue };
            let decided = &mut self.decided[role];
            *(if won { &mut decided.wins } else { &mut decided.losses }) += 1;
            let entries = self.entries.iter_mut().skip(role.index()).step_by(self.n_roles);
            for (entry, &average) in entries.zip(averages).filter(|(_, average)| **average > 0.0) {
                entry.sums[usize::from(!won)] += f64::from(average);
                *(if won { &mut entry.seen.wins } else { &mut entry.seen.losses }) += 1;
            }
        }
        self.n_games += 1;
        self.n_states += u64::from(n_states);
        self.keep_in_sample(averages, payoffs, rng);
    }

    fn keep_in_sample(&mut self, averages: &[f32], payoffs: &[f32], rng: &mut Rng) {
        let game = || (averages.to_vec(), payoffs.to_vec());
        if self.sample.len() < SAMPLE_SIZE {
            self.sample.push(game());
        } else if let Some(place) = self.sample.get_mut(rng.below(self.n_games as usize)) {
            *place = game();
        }
    }

    /// The mean length of a game in joint moves.
    pub fn mean_plies(&self) -> f64 {
        self.n_states as f64 / self.n_games.max(1) as f64
    }

    /// The games that a role has won and lost in which the count of an element was positive.
    pub fn seen(&self, element: usize, role: Role) -> Decided {
        self.entries
            .get(element * self.n_roles + role.index())
            .map_or(Decided::default(), |e| e.seen)
    }

    /// The weight of an element for a role: C·(mean when won − mean when lost) / maximum, shrunk towards 0 if
    /// it depends on few games. At most twice the rarer outcome counts.
    pub fn weight(&self, element: usize, importance: f64, role: Role) -> f64 {
        let (decided, seen) = (self.decided[role], self.seen(element, role));
        let max_count = self.max_counts.get(element).copied().unwrap_or(0);
        if decided.wins == 0 || decided.losses == 0 || max_count == 0 {
            return 0.0;
        }
        let Some(entry) = self.entries.get(element * self.n_roles + role.index()) else {
            return 0.0;
        };
        let [won, lost] = entry.sums;
        let difference = won / f64::from(decided.wins) - lost / f64::from(decided.losses);
        let n_effective = f64::from(seen.total().min(2 * decided.wins.min(decided.losses)));
        let shrinkage = n_effective / (n_effective + SHRINKAGE_GAMES);
        importance * shrinkage * difference / f64::from(max_count)
    }

    /// The sampled games: their values by the weights of a role, and whether the role won.
    pub fn scored_games(&self, weights: &[f64], role: Role) -> Vec<(f64, bool)> {
        let games = self.sample.iter().filter_map(|(averages, payoffs)| {
            let value = averages.iter().zip(weights).map(|(&a, w)| f64::from(a) * w).sum();
            Some((value, self.is_won(role, payoffs[role.index()])?))
        });
        games.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_papers_example() {
        // Won games had mean counts of 4.5, 4.5 and (6 + 4 + 2 + 0) / 4 = 3, lost ones of 3 and 2; the
        // maximum was 6. So the means are 4 and 2.5, and the weight would be 1.5 / 6.
        let mut ledger = Ledger::new([(0.0, 1.0), (0.0, 1.0)].into_iter());
        let mut rng = Rng::new(1);
        ledger.max_counts = vec![6];
        for (average, payoff) in [(4.5, 1.0), (4.5, 1.0), (3.0, 1.0), (3.0, 0.0), (2.0, 0.0)] {
            ledger.keep(&[average], (&[payoff, 1.0 - payoff], 4), &mut rng);
        }
        ledger.keep(&[9.0], (&[0.5, 0.5], 4), &mut rng);
        let role = Role(0);
        assert_eq!(ledger.decided[role], Decided { wins: 3, losses: 2 });
        // It depends on 2·2 games, which count for half.
        assert!((ledger.weight(0, 1.0, role) - 0.5 * 1.5 / 6.0).abs() < 1e-9);
        assert!((ledger.weight(0, 0.2, role) - 0.1 * 1.5 / 6.0).abs() < 1e-9);
        assert!((ledger.weight(0, 1.0, Role(1)) + 0.5 * 1.5 / 6.0).abs() < 1e-9);
        assert!(ledger.weight(1, 1.0, role).abs() < 1e-9, "an element that never occurred");
        assert_eq!(ledger.scored_games(&[2.0], role)[2], (6.0, true));
        assert_eq!(ledger.scored_games(&[2.0], role).len(), 5, "draws are left out");
        assert!((ledger.mean_plies() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn wins_alone_give_no_weight() {
        let mut ledger = Ledger::new([(0.0, 1.0)].into_iter());
        ledger.max_counts = vec![3];
        ledger.keep(&[2.0], (&[1.0], 5), &mut Rng::new(1));
        assert!(ledger.weight(0, 1.0, Role(0)).abs() < 1e-9);
    }
}
