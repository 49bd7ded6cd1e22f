//! Evaluations and batches of them.

use ludens_core::{Move, Outcomes, Playout};

/// The evaluation of a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation<'a> {
    /// The payoff of each role.
    pub payoffs: &'a [f32],
    /// Prior probabilities of the legal moves, role after role; empty if the evaluator gives none.
    pub priors: &'a [f32],
    /// The joint moves of a playout, if they were recorded.
    pub moves: &'a [Move],
    /// Whether the leaf is terminal.
    pub terminal: bool,
    /// The number of joint moves of the playout.
    pub plies: u32,
}

impl<'a> Evaluation<'a> {
    /// A value for each role, without a playout.
    pub fn of(payoffs: &'a [f32]) -> Self {
        Evaluation { payoffs, ..Evaluation::default() }
    }
}

/// Evaluations in the order in which they were ready. A reusable buffer.
#[derive(Clone, Default, Debug)]
pub struct Evaluated {
    outcomes: Outcomes,
    priors: Column<f32>,
    moves: Column<Move>,
}

impl Evaluated {
    /// Clears the buffer, keeping the allocations.
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.priors.clear();
        self.moves.clear();
    }

    /// How many evaluations there are.
    pub fn len(&self) -> usize {
        self.outcomes.tags.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.outcomes.tags.is_empty()
    }

    /// Their tags.
    pub fn tags(&self) -> &[u32] {
        &self.outcomes.tags
    }

    /// Adds an evaluation.
    pub fn add(&mut self, tag: u32, evaluation: &Evaluation<'_>) {
        let Evaluation { payoffs, priors, moves, terminal, plies } = *evaluation;
        let n_before = self.len();
        self.outcomes.add(tag, plies, terminal || plies > 0, payoffs);
        self.priors.set(n_before, priors);
        self.moves.set(n_before, moves);
    }

    /// Adds the result of a playout.
    pub(super) fn add_playout(&mut self, tag: u32, playout: &Playout) {
        let n_before = self.len();
        let Playout { payoffs, moves, plies, finished } = playout;
        self.outcomes.add(tag, *plies, *finished, payoffs.as_slice());
        self.moves.set(n_before, moves);
    }

    /// The buffer for the results of a stream of playouts.
    pub(super) fn outcomes(&mut self) -> &mut Outcomes {
        &mut self.outcomes
    }

    /// The evaluations with their tags.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, Evaluation<'_>)> {
        let Outcomes { tags, plies, finished, payoffs } = &self.outcomes;
        let n_roles = payoffs.len() / tags.len().max(1);
        let results = tags.iter().zip(plies).zip(finished);
        results.enumerate().map(move |(k, ((&tag, &plies), &finished))| {
            let evaluation = Evaluation {
                payoffs: &payoffs[k * n_roles..][..n_roles],
                priors: self.priors.get(k),
                moves: self.moves.get(k),
                // A finished playout without moves started in a terminal state.
                terminal: plies == 0 && finished,
                plies,
            };
            (tag, evaluation)
        })
    }
}

/// Lists of different lengths, one for each evaluation; empty unless set.
#[derive(Clone, Debug)]
struct Column<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Column<T> {
    fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    /// Sets the list with an index larger than all those set before.
    #[inline]
    fn set(&mut self, k: usize, items: &[T]) {
        if !items.is_empty() {
            self.ends.resize(k, self.items.len() as u32);
            self.items.extend_from_slice(items);
            self.ends.push(self.items.len() as u32);
        }
    }

    #[inline]
    fn get(&self, k: usize) -> &[T] {
        let Some(&end) = self.ends.get(k) else { return &[] };
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.items[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_keep_their_payoffs_moves_and_priors() {
        let mut evaluated = Evaluated::default();
        evaluated.add(7, &Evaluation::of(&[0.25, 0.75]));
        let moves = [Move(3), Move(4)];
        let playout = Playout {
            payoffs: vec![1.0, 0.0].into(),
            moves: moves.to_vec(),
            plies: 1,
            finished: true,
        };
        evaluated.add_playout(8, &playout);
        let priors = [0.5, 0.25, 0.25];
        evaluated.add(9, &Evaluation { priors: &priors, ..Evaluation::of(&[0.5, 0.5]) });
        assert_eq!((evaluated.tags(), evaluated.len()), (&[7, 8, 9][..], 3));
        assert!(!evaluated.is_empty());
        let (tags, found): (Vec<_>, Vec<_>) = evaluated.iter().unzip();
        let [first, second, third] = found[..] else { panic!("three evaluations") };
        assert_eq!(tags, [7, 8, 9]);
        let found = [first, second, third];
        assert_eq!(found.map(|e| e.payoffs), [&[0.25, 0.75], &[1.0, 0.0], &[0.5, 0.5]]);
        assert_eq!(found.map(|e| e.moves), [&[][..], &moves, &[]]);
        assert_eq!(found.map(|e| e.priors), [&[][..], &[], &priors]);
        assert!(found.iter().all(|e| !e.terminal));
        evaluated.clear();
        assert!(evaluated.is_empty());
        evaluated.add(1, &Evaluation { terminal: true, ..Evaluation::of(&[1.0]) });
        assert!(evaluated.iter().all(|(tag, e)| tag == 1 && e.terminal && e.priors.is_empty()));
    }

    #[test]
    fn only_a_playout_that_starts_in_a_terminal_state_proves_it() {
        for (plies, finished) in [(0, true), (0, false), (1, true), (1, false)] {
            let playout = Playout { plies, finished, ..Playout::default() };
            let mut evaluated = Evaluated::default();
            evaluated.add_playout(0, &playout);
            evaluated.outcomes().add(1, plies, finished, &[]);
            let proves = plies == 0 && finished;
            assert!(evaluated.iter().all(|(_, evaluation)| evaluation.terminal == proves));
            assert_eq!(evaluated.len(), 2);
        }
    }
}
