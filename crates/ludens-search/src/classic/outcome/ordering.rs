//! Move ordering: the sooner a good move is searched, the more is pruned.

use ludens_core::{Game, Move, Role};

use super::node::{Child, Ply};

/// How often a move has answered a question when it was asked (relative history; Winands, van der Werf,
/// van den Herik and Uiterwijk, 2006). The history belongs to the facts that a move makes true, such
/// as a piece on a cell, because the same move may do different things; it belongs to the move itself
/// where a game does not number facts.
///
/// Killer moves and moves from the table, added to this, made more states necessary in connect four.
#[derive(Default)]
pub(super) struct Ordering {
    history: [Vec<Record>; 2],
    before: Vec<u32>,
    after: Vec<u32>,
}

/// What is known of a fact.
#[derive(Clone, Copy)]
struct Record {
    answers: f32,
    questions: f32,
}

impl Default for Record {
    fn default() -> Self {
        Record { answers: 1.0, questions: 2.0 }
    }
}

impl Ordering {
    /// Sorts the successors of a state, the most promising first.
    pub fn sort<G: Game>(&mut self, game: &G, role: Role, parent: &G::State, here: &mut Ply<G>) {
        self.see_parent(game, parent);
        for child in here.children.iter_mut().filter(|child| child.is_open) {
            self.see_child(game, &here.states[child.place], child.mv);
            child.weight = self.after.iter().map(|&fact| self.share(role, fact)).sum();
        }
        here.children.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    }

    /// Records which of the successors that were asked answered the question.
    pub fn learn<G: Game>(
        &mut self,
        game: &G,
        (role, parent): (Role, &G::State),
        here: &Ply<G>,
        is_answer: impl Fn(&Child) -> bool,
    ) {
        self.see_parent(game, parent);
        for child in here.children.iter().filter(|child| child.was_asked) {
            self.see_child(game, &here.states[child.place], child.mv);
            let history = &mut self.history[role.index()];
            for &fact in &self.after {
                if history.len() <= fact as usize {
                    history.resize(fact as usize + 1, Record::default());
                }
                history[fact as usize].questions += 1.0;
                history[fact as usize].answers += if is_answer(child) { 1.0 } else { 0.0 };
            }
        }
    }

    fn share(&self, role: Role, fact: u32) -> f32 {
        let known = self.history[role.index()].get(fact as usize).copied();
        let Record { answers, questions } = known.unwrap_or_default();
        answers / questions
    }

    fn see_parent<G: Game>(&mut self, game: &G, parent: &G::State) {
        self.before.clear();
        if let Some(vocabulary) = game.vocabulary() {
            vocabulary.fact_ids(parent, &mut self.before);
        }
    }

    /// Finds the facts of a state that its parent does not have.
    fn see_child<G: Game>(&mut self, game: &G, state: &G::State, mv: Move) {
        self.after.clear();
        let Some(vocabulary) = game.vocabulary() else {
            self.after.push(mv.0);
            return;
        };
        vocabulary.fact_ids(state, &mut self.after);
        keep_new(&mut self.after, &self.before);
    }
}

/// Removes the old facts; both lists are ascending.
fn keep_new(facts: &mut Vec<u32>, old: &[u32]) {
    let mut old = old.iter().peekable();
    facts.retain(|fact| {
        while old.next_if(|&old| old < fact).is_some() {}
        old.peek() != Some(&fact)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_facts_are_those_that_the_parent_lacks() {
        let new = |mut facts: Vec<u32>, old: &[u32]| {
            keep_new(&mut facts, old);
            facts
        };
        assert_eq!(new(vec![1, 3, 4, 9], &[0, 3, 5, 9]), [1, 4]);
        assert_eq!(new(vec![2], &[]), [2]);
        assert_eq!(new(vec![], &[1]), [0; 0]);
    }

    #[test]
    fn what_answered_questions_comes_first() {
        use crate::testgames::Nim;
        let (mut ordering, mut here) = (Ordering::default(), Ply::<Nim>::default());
        let bounds = super::super::bounds::Bounds::exactly(0.0);
        for (place, mv) in (1..4).enumerate() {
            let state = (10 - mv, 1);
            let key = crate::classic::fingerprint::Fingerprint::of(&state);
            here.states.push(state);
            here.children.push(Child::new(Move(mv), place, key, bounds));
            here.children[place].was_asked = true;
        }
        let learnt = (Role(0), &(10, 0));
        ordering.learn(&Nim(10), learnt, &here, |child| child.mv == Move(3));
        ordering.sort(&Nim(10), Role(0), &(10, 0), &mut here);
        let order: Vec<u32> = here.children.iter().map(|child| child.mv.0).collect();
        assert_eq!(order, [3, 1, 2]);
    }
}
