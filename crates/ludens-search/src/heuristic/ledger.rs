//! What is kept of games that were won and lost, and the weights that follow from it
//! (Mańdziuk and Świechowski 2012, section 3.2).

use ludens_core::{PerRole, Rng, Role};

/// How many games were won and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// Won ones.
    pub wins: u32,
    /// Lost ones.
    pub losses: u32,
}

impl Decided {
    /// Both together.
    pub fn total(self) -> u32 {
        self.wins + self.losses
    }
}

/// What is kept of one element for one role.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// Averages over the states of games, summed up over games that were won, and lost.
    sums: [f64; 2],
    /// Games in which something was counted at all.
    seen: Decided,
}

/// What is kept of all games.
pub(super) struct Ledger {
    n_roles: usize,
    /// Payoffs above this are wins, those below are losses.
    midpoints: Vec<f32>,
    /// Games that each role has won and lost.
    pub decided: PerRole<Decided>,
    /// The most that was ever counted of each element.
    pub most: Vec<u32>,
    entries: Vec<Entry>,
    /// Some games, all with the same probability: what was counted, and what they were worth.
    sample: Vec<(Vec<f32>, Vec<f32>)>,
    /// How many games there were, and how many states in them.
    pub n_games: u64,
    n_states: u64,
}

/// How many games are kept whole.
const SAMPLE: usize = 256;

/// A weight that rests on so many games counts for half.
const HALF_TRUSTED: f64 = 4.0;

impl Ledger {
    /// Nothing is kept yet. For each role the least and the most that a game can be worth is known.
    pub fn new(ranges: impl Iterator<Item = (f32, f32)>) -> Self {
        let midpoints: Vec<f32> = ranges.map(|(least, most)| f32::midpoint(least, most)).collect();
        let n_roles = midpoints.len();
        Ledger {
            n_roles,
            midpoints,
            decided: PerRole::filled(n_roles, Decided::default()),
            most: Vec::new(),
            entries: Vec::new(),
            sample: Vec::new(),
            n_games: 0,
            n_states: 0,
        }
    }

    /// Whether a payoff is a win, or a loss.
    fn is_won(&self, role: Role, payoff: f32) -> Option<bool> {
        let midpoint = self.midpoints[role.index()];
        let close = (payoff - midpoint).abs() < f32::EPSILON;
        (!close).then_some(payoff > midpoint)
    }

    /// Keeps a game: the mean count of each element over its states, and what it was worth.
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
        self.keep_whole(averages, payoffs, rng);
    }

    fn keep_whole(&mut self, averages: &[f32], payoffs: &[f32], rng: &mut Rng) {
        let game = || (averages.to_vec(), payoffs.to_vec());
        if self.sample.len() < SAMPLE {
            self.sample.push(game());
        } else if let Some(place) = self.sample.get_mut(rng.below(self.n_games as usize)) {
            *place = game();
        }
    }

    /// How many joint moves a game took on average.
    pub fn mean_plies(&self) -> f64 {
        self.n_states as f64 / self.n_games.max(1) as f64
    }

    /// In how many games that a role has won and lost something was counted of an element.
    pub fn seen(&self, element: usize, role: Role) -> Decided {
        self.entries
            .get(element * self.n_roles + role.index())
            .map_or(Decided::default(), |e| e.seen)
    }

    /// The weight of an element for a role: C·(mean when won − mean when lost) / most, drawn towards 0 if
    /// it rests on few games. It rests on no more than twice the rarer outcome.
    pub fn weight(&self, element: usize, importance: f64, role: Role) -> f64 {
        let (decided, seen) = (self.decided[role], self.seen(element, role));
        let most = self.most.get(element).copied().unwrap_or(0);
        if decided.wins == 0 || decided.losses == 0 || most == 0 {
            return 0.0;
        }
        let Some(entry) = self.entries.get(element * self.n_roles + role.index()) else {
            return 0.0;
        };
        let [won, lost] = entry.sums;
        let difference = won / f64::from(decided.wins) - lost / f64::from(decided.losses);
        let rests_on = f64::from(seen.total().min(2 * decided.wins.min(decided.losses)));
        let trust = rests_on / (rests_on + HALF_TRUSTED);
        importance * trust * difference / f64::from(most)
    }

    /// Some of the games: what they were worth by the weights of a role, and whether they were won.
    pub fn judged(&self, weights: &[f64], role: Role) -> Vec<(f64, bool)> {
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
        // Won games had 4.5, 4.5 and (6 + 4 + 2 + 0) / 4 = 3 on average, lost ones 3 and 2; the most
        // was 6. So the averages are 4 and 2.5, and the weight would be 1.5 / 6.
        let mut ledger = Ledger::new([(0.0, 1.0), (0.0, 1.0)].into_iter());
        let mut rng = Rng::new(1);
        ledger.most = vec![6];
        for (average, payoff) in [(4.5, 1.0), (4.5, 1.0), (3.0, 1.0), (3.0, 0.0), (2.0, 0.0)] {
            ledger.keep(&[average], (&[payoff, 1.0 - payoff], 4), &mut rng);
        }
        ledger.keep(&[9.0], (&[0.5, 0.5], 4), &mut rng);
        let role = Role(0);
        assert_eq!(ledger.decided[role], Decided { wins: 3, losses: 2 });
        // It rests on 2·2 games, which is trusted to a half.
        assert!((ledger.weight(0, 1.0, role) - 0.5 * 1.5 / 6.0).abs() < 1e-9);
        assert!((ledger.weight(0, 0.2, role) - 0.1 * 1.5 / 6.0).abs() < 1e-9);
        assert!((ledger.weight(0, 1.0, Role(1)) + 0.5 * 1.5 / 6.0).abs() < 1e-9);
        assert!(ledger.weight(1, 1.0, role).abs() < 1e-9, "an element that was never met");
        assert_eq!(ledger.judged(&[2.0], role)[2], (6.0, true));
        assert_eq!(ledger.judged(&[2.0], role).len(), 5, "draws are left aside");
        assert!((ledger.mean_plies() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_follows_from_wins_alone() {
        let mut ledger = Ledger::new([(0.0, 1.0)].into_iter());
        ledger.most = vec![3];
        ledger.keep(&[2.0], (&[1.0], 5), &mut Rng::new(1));
        assert!(ledger.weight(0, 1.0, Role(0)).abs() < 1e-9);
    }
}
