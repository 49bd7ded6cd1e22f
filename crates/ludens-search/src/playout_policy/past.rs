//! PAST, the predicate-average sampling technique (Finnsson and Björnsson 2010): as MAST, but a move has a
//! mean for each fact that held when it was played. It is drawn with probability proportional to
//! exp(mean / τ), where the mean is the highest one for the facts that hold now.

use ludens_core::{Move, Rng, Role, Turn};

use super::sample::roulette;
use super::{PlayoutPolicy, Position};
use crate::counting::count;
use crate::episode::{Episode, Path};
use crate::tree::Tree;

/// Mean payoffs of pairs of a move and a fact.
#[derive(Clone, Debug)]
pub struct Past {
    /// Temperature of the softmax over means (τ).
    pub temperature: f32,
    /// The fraction of what was learnt that is kept from one move of the match to the next.
    pub keep: f32,
    /// The minimum number of times that a move must have been played while a fact held; other means are
    /// ignored.
    pub least: f32,
    /// By role.
    tables: Vec<Table>,
    /// By the number of the playout.
    traces: Vec<Trace>,
    weights: Vec<f32>,
    facts: Vec<u32>,
}

/// Statistics of the moves of one role: by move, then by fact, how often it was played while the fact held,
/// and the sum of the payoffs.
#[derive(Clone, Debug, Default)]
struct Table(Vec<Vec<(f32, f32)>>);

/// The decisions of a playout with the facts that held.
#[derive(Clone, Debug, Default)]
struct Trace {
    facts: Vec<u32>,
    decisions: Vec<Decision>,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    role: Role,
    mv: Move,
    /// The end of its facts.
    end: usize,
}

/// The mean assumed for a move that was never played while one of the facts held.
const UNSEEN: f32 = 0.5;

/// Stands for the facts of games that do not number theirs, in every state; the policy is then MAST.
const NO_FACTS: u32 = 0;

impl Table {
    fn add(&mut self, mv: Move, facts: &[u32], payoff: f32) {
        if self.0.len() <= mv.index() {
            self.0.resize(mv.index() + 1, Vec::new());
        }
        let of_move = &mut self.0[mv.index()];
        let n_facts = facts.iter().max().map_or(0, |&highest| highest as usize + 1);
        if of_move.len() < n_facts {
            of_move.resize(n_facts, (0.0, 0.0));
        }
        for &fact in facts {
            count(&mut of_move[fact as usize], payoff);
        }
    }

    /// The highest mean of a move over some facts.
    fn highest(&self, mv: Move, facts: &[u32], least: f32) -> Option<f32> {
        let of_move = self.0.get(mv.index())?;
        let known = facts.iter().filter_map(|&fact| of_move.get(fact as usize));
        let counted = known.filter(|(plays, _)| *plays > 0.0 && *plays >= least);
        counted.map(|(plays, sum)| sum / plays).reduce(f32::max)
    }
}

impl Trace {
    fn end(&self) -> usize {
        self.decisions.last().map_or(0, |decision| decision.end)
    }

    /// Appends the facts of a turn to those of the last decision.
    fn open(&mut self, turn: &Turn<'_>) {
        // Removes the facts of an unfinished decision, whose playout was abandoned.
        self.facts.truncate(self.end());
        turn.features.facts(&mut self.facts);
        if self.facts.len() == self.end() {
            self.facts.push(NO_FACTS);
        }
    }

    /// The facts of the next decision.
    fn open_facts(&self) -> &[u32] {
        &self.facts[self.end()..]
    }

    fn decide(&mut self, role: Role, mv: Move) {
        let end = self.facts.len();
        self.decisions.push(Decision { role, mv, end });
    }

    fn clear(&mut self) {
        self.facts.clear();
        self.decisions.clear();
    }
}

impl Past {
    /// A policy that has learnt nothing.
    pub fn new(temperature: f32, keep: f32, least: f32) -> Self {
        let (tables, traces, weights, facts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Past { temperature, keep, least, tables, traces, weights, facts }
    }

    /// The highest mean payoff of a role over some facts, each in the simulations in which it played the move
    /// while the fact held.
    pub fn highest(&self, role: Role, mv: Move, facts: &[u32]) -> Option<f32> {
        self.tables.get(role.index())?.highest(mv, facts, self.least)
    }

    fn trace(&mut self, game: usize) -> &mut Trace {
        if self.traces.len() <= game {
            self.traces.resize(game + 1, Trace::default());
        }
        &mut self.traces[game]
    }

    fn table(&mut self, role: Role) -> &mut Table {
        if self.tables.len() <= role.index() {
            self.tables.resize(role.index() + 1, Table::default());
        }
        &mut self.tables[role.index()]
    }

    /// Learns from the moves made in the tree.
    fn learn_path(&mut self, episode: &Episode<'_>) {
        let mut facts = std::mem::take(&mut self.facts);
        for (node, chosen) in episode.path.steps() {
            facts.clear();
            (episode.facts)(node, &mut facts);
            if facts.is_empty() {
                facts.push(NO_FACTS);
            }
            for (role, edge) in episode.tree.each_chosen(node, chosen) {
                if episode.tree.range(node, role).len() > 1 {
                    let (mv, payoff) = (episode.tree.mv(edge), episode.payoffs[role.index()]);
                    self.table(role).add(mv, &facts, payoff);
                }
            }
        }
        self.facts = facts;
    }
}

impl PlayoutPolicy for Past {
    fn begin(&mut self, _tree: &Tree, _path: &Path, game: usize) {
        self.trace(game).clear();
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        self.trace(turn.game).open(turn);
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let facts = self.traces[turn.game].open_facts();
        let mean = |&mv: &Move| self.highest(turn.role, mv, facts).unwrap_or(UNSEEN);
        weights.extend(turn.legal.iter().map(|mv| (mean(mv) / self.temperature).exp()));
        let chosen = roulette(&weights, rng);
        self.weights = weights;
        Some(chosen)
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        let trace = self.trace(turn.game);
        if !asked {
            trace.open(turn);
        }
        trace.decide(turn.role, turn.legal[chosen]);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        self.learn_path(episode);
        let mut trace = std::mem::take(self.trace(episode.game));
        let mut start = 0;
        for &Decision { role, mv, end } in &trace.decisions {
            let payoff = episode.payoffs[role.index()];
            self.table(role).add(mv, &trace.facts[start..end], payoff);
            start = end;
        }
        trace.clear();
        self.traces[episode.game] = trace;
    }

    fn next_move(&mut self, _position: &Position<'_>) {
        let keep = self.keep;
        if keep < 1.0 {
            let stats = self.tables.iter_mut().flat_map(|table| table.0.iter_mut().flatten());
            stats.for_each(|(plays, sum)| (*plays, *sum) = (*plays * keep, *sum * keep));
        }
    }

    fn new_game(&mut self) {
        self.tables.clear();
        self.traces.iter_mut().for_each(Trace::clear);
    }

    fn bytes(&self) -> usize {
        let moves = self.tables.iter().flat_map(|table| &table.0);
        moves.map(|facts| facts.capacity() * size_of::<(f32, f32)>() + size_of_val(facts)).sum()
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Past::new(self.temperature, self.keep, self.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, Held, draws, turn};
    use ludens_testkit::chi_square::chi_square;

    /// A decision of role 0 while some facts hold.
    fn held<'a>(legal: &'a [Move], facts: &'a Held<'a>) -> Turn<'a> {
        Turn { features: facts, ..turn(0, legal, &[]) }
    }

    /// Two simulations. In the tree role 0 plays 2 in the root, where the fact 10 holds, and role 1 plays 5
    /// below, where 11 holds. In the playout role 0 plays 1 while 3 and 4 hold, then 3 while 4 holds; the
    /// payoffs are 1 and 0. The second playout is 1 while 4 holds, with payoffs 0.25 and 0.75.
    fn learnt(keep: f32, least: f32) -> Past {
        let hand = HandTree::new();
        let mut past = Past::new(1.0, keep, least);
        let (legal, both, one) = ([1, 3].map(Move), Held(&[3, 4]), Held(&[4]));
        past.begin(&hand.tree, &hand.path, 0);
        past.decided(&held(&legal, &both), 0, false);
        past.decided(&held(&legal, &one), 1, false);
        past.learn(&hand.episode(&[], &[1.0, 0.0]));
        past.begin(&hand.tree, &hand.path, 0);
        past.decided(&held(&legal, &one), 0, false);
        past.learn(&hand.episode(&[], &[0.25, 0.75]));
        past
    }

    #[test]
    fn means_are_those_of_the_hand_computed_episodes() {
        let past = learnt(1.0, 1.0);
        let mean = |role, mv, facts: &[u32]| past.highest(Role(role), Move(mv), facts);
        // In the tree: (1 + 0.25) / 2 and (0 + 0.75) / 2.
        assert_eq!((mean(0, 2, &[10]), mean(1, 5, &[11])), (Some(0.625), Some(0.375)));
        assert_eq!((mean(0, 2, &[11]), mean(0, 5, &[11]), mean(1, 5, &[10])), (None, None, None));
        // 1 had payoff 1 with 3, and 1 and 0.25 with 4; the highest mean counts.
        assert_eq!((mean(0, 1, &[3]), mean(0, 1, &[4])), (Some(1.0), Some(0.625)));
        assert_eq!((mean(0, 1, &[3, 4]), mean(0, 1, &[4, 9])), (Some(1.0), Some(0.625)));
        assert_eq!((mean(0, 3, &[4]), mean(0, 3, &[3])), (Some(1.0), None));
        // A pair seen once is ignored if the minimum is two.
        let strict = learnt(1.0, 2.0);
        assert_eq!(strict.highest(Role(0), Move(1), &[3, 4]), Some(0.625));
        assert_eq!(strict.highest(Role(0), Move(3), &[4]), None);
    }

    #[test]
    fn moves_are_drawn_by_the_exponentials_of_their_highest_means() {
        let mut past = learnt(1.0, 1.0);
        let (legal, facts) = ([1, 3, 9].map(Move), Held(&[4]));
        let counts = draws(&mut past, &held(&legal, &facts), None);
        // The move 9 was never played, and has an assumed mean of 0.5.
        let weights = [0.625f64, 1.0, 0.5].map(f64::exp);
        let fit = chi_square(&counts, &[weights[0], weights[1], weights[2], 0.0]);
        assert!(fit.fits(), "{counts:?}, {fit:?}");
    }

    #[test]
    fn a_fraction_is_kept_between_moves_and_nothing_between_matches() {
        let mut past = learnt(0.5, 0.0);
        past.next_move(&String::new);
        let hand = HandTree::new();
        let (legal, facts) = ([1, 3].map(Move), Held(&[4]));
        past.begin(&hand.tree, &hand.path, 0);
        past.decided(&held(&legal, &facts), 1, false);
        past.learn(&hand.episode(&[], &[0.0, 1.0]));
        // Half a play with payoff 1, and one play with payoff 0.
        assert_eq!(past.highest(Role(0), Move(3), &[4]), Some(0.5 / 1.5));
        past.new_game();
        assert_eq!(past.highest(Role(0), Move(3), &[4]), None);
    }

    #[test]
    fn without_facts_it_is_mast() {
        let hand = HandTree::new();
        let mut past = Past::new(1.0, 1.0, 1.0);
        let legal = [1, 3].map(Move);
        past.begin(&hand.tree, &hand.path, 0);
        past.decided(&turn(0, &legal, &[]), 1, false);
        past.learn(&hand.episode(&[], &[1.0, 0.0]));
        assert_eq!(past.highest(Role(0), Move(3), &[NO_FACTS]), Some(1.0));
    }
}
