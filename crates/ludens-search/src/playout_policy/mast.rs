//! MAST, the move-average sampling technique (Finnsson and Björnsson 2008): a move is drawn with
//! probability proportional to exp(mean / τ), where the mean is taken over all simulations in which
//! its role played it, in the tree or in the playout.

use ludens_core::{Move, Rng, Role, Turn};

use super::sample::roulette;
use super::{PlayoutPolicy, Position};
use crate::counting::count;
use crate::episode::Episode;
use crate::tree::Tree;

/// Mean payoffs of moves.
#[derive(Clone, Debug)]
pub struct Mast {
    /// Temperature of the softmax over means (τ).
    pub temperature: f32,
    /// The fraction of what was learnt that is kept from one move of the match to the next.
    pub keep: f32,
    tables: Vec<Table>,
    weights: Vec<f32>,
}

/// Statistics of the moves of one role.
#[derive(Clone, Debug, Default)]
struct Table {
    /// How often each was played, and the sum of the payoffs.
    stats: Vec<(f32, f32)>,
    /// exp(mean / τ).
    weights: Vec<f32>,
}

/// The mean assumed for a move that was never played.
const UNSEEN: f32 = 0.5;

impl Mast {
    /// A policy that has learnt nothing.
    pub fn new(temperature: f32, keep: f32) -> Self {
        Mast { temperature, keep, tables: Vec::new(), weights: Vec::new() }
    }

    /// Mean payoff of a role in the simulations in which it played a move.
    pub fn mean(&self, role: Role, mv: Move) -> Option<f32> {
        let (plays, value) = *self.tables.get(role.index())?.stats.get(mv.index())?;
        (plays > 0.0).then(|| value / plays)
    }

    /// The weight with which a move is drawn.
    pub(super) fn weight(&self, role: Role, mv: Move) -> f32 {
        let weights = self.tables.get(role.index()).map_or(&[][..], |table| &table.weights);
        let unseen = || (UNSEEN / self.temperature).exp();
        weights.get(mv.index()).copied().unwrap_or_else(unseen)
    }

    fn add(&mut self, role: Role, mv: Move, payoff: f32) {
        let unseen = (UNSEEN / self.temperature).exp();
        if self.tables.len() <= role.index() {
            self.tables.resize(role.index() + 1, Table::default());
        }
        let table = &mut self.tables[role.index()];
        if table.stats.len() <= mv.index() {
            table.stats.resize(mv.index() + 1, (0.0, 0.0));
            table.weights.resize(mv.index() + 1, unseen);
        }
        let stats = &mut table.stats[mv.index()];
        count(stats, payoff);
        table.weights[mv.index()] = (stats.1 / stats.0 / self.temperature).exp();
    }

    /// Draws one of the legal moves.
    pub(super) fn draw(&mut self, role: Role, legal: &[Move], rng: &mut Rng) -> usize {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(legal.iter().map(|&mv| self.weight(role, mv)));
        let chosen = roulette(&weights, rng);
        self.weights = weights;
        chosen
    }
}

impl PlayoutPolicy for Mast {
    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        Some(self.draw(turn.role, turn.legal, rng))
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        episode.each_move(|role, mv, payoff| self.add(role, mv, payoff));
    }

    fn next_move(&mut self, _position: &Position<'_>) {
        let (keep, temperature) = (self.keep, self.temperature);
        if keep >= 1.0 {
            return;
        }
        for table in &mut self.tables {
            for (stats, weight) in table.stats.iter_mut().zip(&mut table.weights) {
                *stats = (stats.0 * keep, stats.1 * keep);
                let mean = if stats.0 > 0.0 { stats.1 / stats.0 } else { UNSEEN };
                *weight = (mean / temperature).exp();
            }
        }
    }

    fn new_game(&mut self) {
        self.tables.clear();
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.record_moves();
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.stats.capacity() * 12).sum()
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Mast::new(self.temperature, self.keep))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, joints, turn};
    use ludens_testkit::chi_square::chi_square;

    /// Two simulations: tree 2, 5 and playout 3, 4, 1 with payoffs 1 and 0; tree 2, 5 and playout 1 with
    /// payoffs 0.25 and 0.75.
    fn learnt(temperature: f32, keep: f32) -> Mast {
        let hand = HandTree::new();
        let mut mast = Mast::new(temperature, keep);
        mast.learn(&hand.episode(&joints(&[(3, 0), (0, 4), (1, 0)]), &[1.0, 0.0]));
        mast.learn(&hand.episode(&joints(&[(1, 0)]), &[0.25, 0.75]));
        mast
    }

    #[test]
    fn means_are_those_of_the_hand_computed_episodes() {
        let mast = learnt(1.0, 1.0);
        let means = |role, moves: &[u32]| -> Vec<_> {
            moves.iter().map(|&mv| mast.mean(Role(role), Move(mv))).collect()
        };
        // 1 and 2: (1 + 0.25) / 2; 3: 1. Role 0 has played neither 4 nor 5.
        let known = [Some(0.625), Some(0.625), Some(1.0), None, None];
        assert_eq!(means(0, &[1, 2, 3, 4, 5]), known);
        // 4: 0; 5: (0 + 0.75) / 2.
        assert_eq!(means(1, &[1, 4, 5, 6]), [None, Some(0.0), Some(0.375), None]);
    }

    #[test]
    fn moves_are_drawn_by_the_exponentials_of_their_means() {
        let legal = [1, 3, 9].map(Move);
        for temperature in [1.0f32, 0.25] {
            let mut mast = learnt(temperature, 1.0);
            let counts = draws(&mut mast, &turn(0, &legal, &[]), None);
            // The move 9 was never played, and has an assumed mean of 0.5.
            let weight = |mean: f32| f64::from(mean / temperature).exp();
            let fit = chi_square(&counts, &[weight(0.625), weight(1.0), weight(0.5), 0.0]);
            assert!(fit.fits(), "τ = {temperature}: {counts:?}, {fit:?}");
        }
    }

    #[test]
    fn all_moves_that_were_never_played_have_the_same_weight() {
        let mast = learnt(0.25, 1.0);
        // Role 1 has played 4 and 5, so that its table has a place for 2 but none for 9.
        for mv in [2, 9].map(Move) {
            assert!((mast.weight(Role(1), mv) - 2.0f32.exp()).abs() < 1e-5, "{mv:?}");
        }
    }

    #[test]
    fn means_stay_correct_after_more_plays_than_f32_can_count() {
        let (role, mv) = (Role(0), Move(3));
        let mut mast = Mast::new(1.0, 1.0);
        mast.add(role, mv, 1.0);
        // As many as the 24-bit significand of an f32 can count, half of them won.
        mast.tables[0].stats[mv.index()] = ((1 << 24) as f32, (1 << 23) as f32);
        for at in 0..1 << 20 {
            mast.add(role, mv, if at % 4 == 0 { 0.0 } else { 1.0 });
        }
        let mean = mast.mean(role, mv).expect("it was played");
        assert!((mean - 0.75).abs() < 0.01, "{mean}");
    }

    #[test]
    fn a_fraction_is_kept_between_moves_and_nothing_between_matches() {
        let mut mast = learnt(1.0, 0.5);
        mast.next_move(&String::new);
        assert_eq!(mast.mean(Role(0), Move(3)), Some(1.0));
        let hand = HandTree::new();
        mast.learn(&hand.episode(&joints(&[(3, 0)]), &[0.0, 1.0]));
        // Half a play with payoff 1, and one play with payoff 0.
        assert_eq!(mast.mean(Role(0), Move(3)), Some(0.5 / 1.5));
        mast.new_game();
        assert_eq!(mast.mean(Role(0), Move(3)), None);
        let mut half_kept = learnt(0.25, 0.5);
        half_kept.next_move(&String::new);
        let weight = half_kept.weight(Role(0), Move(3));
        assert!((weight - 4.0f32.exp()).abs() < 1e-4, "means and weights stay");
        let mut all_forgotten = learnt(1.0, 0.0);
        all_forgotten.next_move(&String::new);
        assert_eq!(all_forgotten.mean(Role(0), Move(3)), None);
        assert!((all_forgotten.weight(Role(0), Move(3)) - 0.5f32.exp()).abs() < 1e-6);
    }
}
