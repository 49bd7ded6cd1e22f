//! PPA, playout policy adaptation (Cazenave 2015), with move features (PPAF, Cazenave 2016) and memory
//! from one move of the game to the next (PPAFM, Cazenave and Diemert 2017, algorithms 1 to 3 and 5).
//!
//! A move is drawn with probability in proportion to exp(k·weight\[code\]). After each simulation the
//! weights of a role that won are moved towards what it played: the code of the move gets +α, and the
//! code of every legal move −α times the probability with which it would have been drawn. For
//! payoffs between 0 and 1, α is multiplied by the role's payoff.

mod table;
mod trace;

use std::sync::Arc;

use ludens_core::{Move, Rng, Role, Turn};

pub use table::InitialPolicy;
use table::{Sum, Table};
use trace::Trace;

use super::sample::spin;
use super::{PlayoutPolicy, Position};
use crate::episode::{Episode, Path};
use crate::tree::{Needs, Tree};

/// A playout policy that is adapted to what wins.
#[derive(Clone, Debug)]
pub struct Ppa {
    /// Step of the adaptation (α).
    pub rate: f32,
    /// How much weights matter (k).
    pub sharpness: f32,
    /// Whether moves are known by the game's codes, not by their numbers.
    pub features: bool,
    /// Whether weights are kept from one move of the game to the next.
    pub memorize: bool,
    /// The weights with which a game begins; none are all zero.
    pub initial: Option<Arc<InitialPolicy>>,
    /// Weights by role.
    tables: Vec<Table>,
    traces: Vec<Trace>,
    weights: Vec<f32>,
    codes: Vec<u32>,
    /// The sum of the weights that were looked at last.
    sum: Sum,
    begun: bool,
}

impl Ppa {
    /// A policy without experience.
    pub fn new(rate: f32, sharpness: f32, features: bool, memorize: bool) -> Self {
        Ppa {
            rate,
            sharpness,
            features,
            memorize,
            initial: None,
            tables: Vec::new(),
            traces: Vec::new(),
            weights: Vec::new(),
            codes: Vec::new(),
            sum: Sum::default(),
            begun: false,
        }
    }

    /// Begins games with given weights.
    #[must_use]
    pub fn with_initial(mut self, initial: Arc<InitialPolicy>) -> Self {
        self.initial = Some(initial);
        self
    }

    /// The weight of a code.
    pub fn weight(&self, role: Role, code: u32) -> f32 {
        self.tables.get(role.index()).map_or(0.0, |table| table.weight(code))
    }

    /// The weights of each role that are not 0.
    pub fn learnt(&self) -> Vec<Vec<(u32, f32)>> {
        self.tables.iter().map(Table::learnt).collect()
    }

    fn table(&mut self, role: Role) -> &mut Table {
        if self.tables.len() <= role.index() {
            let sharpness = self.sharpness;
            self.tables.resize_with(role.index() + 1, || Table::new(sharpness));
        }
        &mut self.tables[role.index()]
    }

    fn trace(&mut self, game: usize) -> &mut Trace {
        if self.traces.len() <= game {
            self.traces.resize(game + 1, Trace::default());
        }
        &mut self.traces[game]
    }

    /// Puts the codes of the legal moves of a turn into its playout's trace.
    fn find_codes(&mut self, turn: &Turn<'_>) {
        let features = self.features;
        let codes = self.trace(turn.game).open();
        if features {
            turn.features.codes(turn.legal, codes);
        } else {
            codes.extend(turn.legal.iter().map(|mv| mv.0));
        }
    }

    /// Adapts the weights to what was chosen in the tree.
    fn adapt_to_tree(&mut self, episode: &Episode<'_>) {
        let tree = episode.tree;
        for (node, chosen) in episode.path.steps() {
            for (role, &edge) in Role::all(tree.n_roles()).zip(chosen) {
                let range = tree.range(node, role);
                let rate = self.rate * episode.payoffs[role.index()];
                if range.len() < 2 || rate <= 0.0 {
                    continue;
                }
                let place = edge as usize - range.start;
                let mut codes = std::mem::take(&mut self.codes);
                codes.clear();
                if self.features {
                    codes.extend_from_slice(tree.codes(range));
                } else {
                    codes.extend(tree.edges(node, role).iter().map(|edge| edge.mv.0));
                }
                self.table(role).adapt(&codes, place, rate, Sum::default());
                self.codes = codes;
            }
        }
    }

    /// Adapts the weights to what was chosen in the playout.
    fn adapt_to_playout(&mut self, episode: &Episode<'_>) {
        let trace = std::mem::take(self.trace(episode.game));
        for (role, codes, chosen, sum) in trace.decisions() {
            let rate = self.rate * episode.payoffs[role.index()];
            if rate > 0.0 {
                self.table(role).adapt(codes, chosen, rate, sum);
            }
        }
        *self.trace(episode.game) = trace;
    }
}

impl PlayoutPolicy for Ppa {
    fn begin(&mut self, _tree: &Tree, _path: &Path, game: usize) {
        self.trace(game).clear();
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        self.find_codes(turn);
        self.table(turn.role);
        let codes = self.traces[turn.game].open_codes();
        let (total, sum) = self.tables[turn.role.index()].exps(codes, &mut self.weights);
        self.sum = sum;
        Some(spin(&self.weights, total, rng))
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        if !asked {
            self.find_codes(turn);
            self.sum = Sum::default();
        }
        self.traces[turn.game].decide(turn.role, chosen, self.sum);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        // Probabilities are those before this simulation: changes are collected, then applied.
        self.adapt_to_tree(episode);
        self.adapt_to_playout(episode);
        self.tables.iter_mut().for_each(Table::apply);
    }

    fn next_move(&mut self, position: &Position<'_>) {
        if std::mem::replace(&mut self.begun, true) && self.memorize {
            return;
        }
        self.tables.iter_mut().for_each(Table::clear);
        let initial = self.initial.clone();
        let weights = initial.as_ref().and_then(|initial| initial.of(&position()));
        for (role_idx, weights) in weights.into_iter().flatten().enumerate() {
            self.table(Role(role_idx as u8)).load(weights);
        }
    }

    fn new_game(&mut self) {
        self.begun = false;
        self.tables.iter_mut().for_each(Table::clear);
    }

    fn needs(&self) -> Needs {
        Needs { codes: self.features, moves: true, amaf: false }
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    fn learnt_weights(&self) -> Option<Vec<Vec<(u32, f32)>>> {
        Some(self.learnt())
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        let fresh = Ppa::new(self.rate, self.sharpness, self.features, self.memorize);
        Box::new(Ppa { initial: self.initial.clone(), ..fresh })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, joints, turn};
    use ludens_core::Features;
    use ludens_testkit::chi_square::chi_square;

    /// A simulation in which role 0 chooses 2 of 1, 2, 3 in the tree, role 1 chooses 5 of 4, 5, and in the
    /// playout role 0 chooses one of 1 and 3.
    fn simulate(ppa: &mut Ppa, chosen: u32, payoffs: [f32; 2]) {
        let hand = HandTree::new(Needs { amaf: false, codes: true, moves: true });
        let legal = [1, 3].map(Move);
        ppa.begin(&hand.tree, &hand.path, 0);
        ppa.decided(&turn(0, &legal, &[]), usize::from(chosen == 3), false);
        ppa.learn(&hand.episode(&joints(&[(chosen, 0)]), &payoffs));
    }

    fn check(ppa: &Ppa, role: u8, expected: &[(u32, f32)]) {
        for &(code, weight) in expected {
            let found = ppa.weight(Role(role), code);
            assert!((found - weight).abs() < 2e-6, "{role} {code}: {found} is not {weight}");
        }
    }

    /// Both by the moves' numbers and by the codes that the tree keeps, which are the same here.
    fn policies() -> [Ppa; 2] {
        [false, true].map(|features| Ppa::new(0.32, 1.0, features, true))
    }

    #[test]
    fn one_adaptation_gives_the_hand_computed_weights() {
        for mut ppa in policies() {
            simulate(&mut ppa, 3, [1.0, 0.0]);
            // Tree: 0.32/3 from each, 0.32 to 2. Playout: 0.16 from 1 and 3, 0.32 to 3.
            check(&ppa, 0, &[(1, -0.266_667), (2, 0.213_333), (3, 0.053_333), (0, 0.0)]);
            // Role 1 has lost.
            check(&ppa, 1, &[(4, 0.0), (5, 0.0)]);
            assert_eq!(ppa.learnt().iter().map(Vec::len).collect::<Vec<_>>(), [3]);
        }
    }

    #[test]
    fn two_adaptations_give_the_hand_computed_weights() {
        for mut ppa in policies() {
            simulate(&mut ppa, 3, [1.0, 0.0]);
            simulate(&mut ppa, 1, [1.0, 0.0]);
            // exp: 0.765928, 1.237797, 1.054781. z = 3.058507 in the tree, 1.820710 in the playout.
            // 1: −0.266667 − 0.32·0.250426 + 0.32 − 0.32·0.420676 = −0.161419
            // 2:  0.213333 + 0.32 − 0.32·0.404706                 =  0.403827
            // 3:  0.053333 − 0.32·0.344868 − 0.32·0.579324        = −0.242408
            check(&ppa, 0, &[(1, -0.161_419), (2, 0.403_827), (3, -0.242_408)]);
        }
    }

    #[test]
    fn the_rate_is_multiplied_by_the_payoff() {
        for mut ppa in policies() {
            simulate(&mut ppa, 3, [0.25, 0.75]);
            // A quarter of the weights above for role 0; 0.32·0.75·(1 − 1/2) = 0.12 for role 1.
            check(&ppa, 0, &[(1, -0.066_667), (2, 0.053_333), (3, 0.013_333)]);
            check(&ppa, 1, &[(4, -0.12), (5, 0.12)]);
        }
    }

    /// Two moves share a code.
    struct Halves;

    impl Features for Halves {
        fn code(&self, m: Move) -> u32 {
            m.0 / 2
        }
    }

    #[test]
    fn moves_that_share_a_code_lose_together() {
        let hand = HandTree::new(Needs::default());
        let mut ppa = Ppa::new(0.3, 1.0, true, true);
        let (path, legal) = (Path::new(2), [14, 15, 4].map(Move));
        ppa.begin(&hand.tree, &path, 0);
        ppa.decided(&Turn { features: &Halves, ..turn(0, &legal, &[]) }, 0, false);
        let moves = joints(&[(14, 0)]);
        ppa.learn(&Episode { path: &path, ..hand.episode(&moves, &[1.0, 0.0]) });
        // Of three moves two have the code 7, of which one is chosen: it gains 0.3 and loses 0.2.
        check(&ppa, 0, &[(7, 0.1), (2, -0.1)]);
    }

    #[test]
    fn probabilities_of_the_adaptation_have_no_sharpness() {
        let mut ppa = Ppa::new(0.32, 2.5, false, true);
        simulate(&mut ppa, 3, [1.0, 0.0]);
        simulate(&mut ppa, 1, [1.0, 0.0]);
        check(&ppa, 0, &[(1, -0.161_419), (2, 0.403_827), (3, -0.242_408)]);
    }

    #[test]
    fn moves_are_drawn_by_the_exponentials_of_their_weights() {
        let legal = [2, 3, 1, 8].map(Move);
        for sharpness in [1.0, 2.5] {
            let mut ppa = Ppa::new(0.32, sharpness, false, true);
            (0..4).for_each(|_| simulate(&mut ppa, 3, [1.0, 0.0]));
            let weight = |mv: &Move| f64::from(sharpness * ppa.weight(Role(0), mv.0)).exp();
            let weights: Vec<f64> = legal.iter().map(weight).chain([0.0]).collect();
            let counts = draws(&mut ppa, &turn(0, &legal, &[]), None);
            let fit = chi_square(&counts, &weights);
            assert!(fit.fits(), "k = {sharpness}: {counts:?} are not {weights:?}: {fit:?}");
        }
    }

    #[test]
    fn memory_is_kept_from_move_to_move_if_wanted() {
        let weights = vec![vec![(1, 0.5)], vec![(4, -0.5)]];
        let initial = InitialPolicy { positions: [("start".to_owned(), weights)].into() };
        for memorize in [false, true] {
            let mut ppa = Ppa::new(0.32, 1.0, false, memorize).with_initial(initial.clone().into());
            ppa.next_move(&|| "start".to_owned());
            check(&ppa, 0, &[(1, 0.5), (2, 0.0)]);
            check(&ppa, 1, &[(4, -0.5)]);
            simulate(&mut ppa, 3, [1.0, 0.0]);
            let learnt = ppa.weight(Role(0), 2);
            assert!(learnt > 0.1);
            ppa.next_move(&|| "later".to_owned());
            let kept = if memorize { learnt } else { 0.0 };
            check(&ppa, 0, &[(2, kept)]);
            // Another game begins as the first one did.
            ppa.new_game();
            ppa.next_move(&|| "start".to_owned());
            check(&ppa, 0, &[(1, 0.5), (2, 0.0)]);
        }
    }
}
