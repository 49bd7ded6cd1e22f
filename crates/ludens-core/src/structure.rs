//! What ground rules show about a game beyond its facts and moves: symmetries, conjunctions, and the nodes
//! of their network. Learning uses it.

use crate::role::{Move, PerRole, Role};

/// A renaming of roles, facts and moves under which the rules stay the same: a reflection or rotation of a
/// board, an exchange of roles or of objects. It maps every state to one with the same future.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    /// The image of each role.
    pub roles: PerRole<Role>,
    /// The image of each fact.
    pub facts: Vec<u32>,
    /// For each role, the images of its moves, in the order of
    /// [`Vocabulary::moves`](crate::Vocabulary::moves); they are moves of the role's image.
    pub moves: PerRole<Vec<Move>>,
}

/// Facts that the rules require together, such as the cells of a line.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Conjunction {
    /// The alternatives to which it belongs: conjunctions of one disjunction have the same number.
    pub group: u32,
    /// The facts, in ascending order.
    pub facts: Vec<u32>,
}

/// An estimate of how near states are to a goal.
pub trait Guide: Send {
    /// How nearly the state with these facts fulfils the goal, from 0 to 1.
    fn nearness(&mut self, facts: &[u32]) -> f32;
}

/// What may still happen in a game of one role. States with the same facts have the same outlook.
pub trait Outlook: Send {
    /// Whether the best goal may still be reached from the state with these facts. `false` is certain.
    fn is_open(&mut self, facts: &[u32]) -> bool;

    /// Replaces `out` by moves of which one seems to be needed for the best goal, as few as possible; by none if
    /// nothing is known. For a state that is open, after [`Outlook::is_open`] of the same facts.
    fn needed(&mut self, facts: &[u32], out: &mut Vec<Move>);
}

/// The ground rules of a game.
pub trait Structure: Send + Sync {
    /// The symmetries of the rules, without the identity. If there are many, or if the search takes more
    /// work than it is worth, some are returned; the same rules always have the same.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// The conjunctions of at least `min_facts` facts on which goals and the end of the game depend.
    fn conjunctions(&self, min_facts: usize) -> Vec<Conjunction>;

    /// Symbols that a relation such as `succ` puts in a row, from the first one to the last.
    fn rows(&self) -> &[Vec<String>];

    /// How nearly states fulfil the best goal of a role; `None` if it has no goal.
    fn guide(&self, role: Role) -> Option<Box<dyn Guide>>;

    /// What may still happen; `None` in games of several roles, and where it takes too long to find out.
    fn outlook(&self) -> Option<Box<dyn Outlook>>;

    /// The facts that only count moves, in ascending order: they follow each other whatever is done, and nothing but
    /// the end of the game depends on them.
    fn counters(&self) -> Vec<u32>;

    /// The number of nodes of the network of the rules.
    fn n_nodes(&self) -> usize;

    /// Appends the nodes that are true in the state with these facts before any move is made, in
    /// ascending order.
    fn true_nodes(&self, facts: &[u32], out: &mut Vec<u32>);
}
