//! A visit: down the tree to a leaf, and up again with what the leaf was found to be worth.

use ludens_core::{Game, Move, Rng};

use super::{Search, Walked};
use crate::episode::{Episode, Path};
use crate::playout_policy::Chain;
use crate::tree::NodeId;

/// What going down the tree led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gathered {
    /// A leaf to be evaluated, under this ticket.
    Leaf(u32),
    /// A position whose value is known; the visit is counted already.
    Settled,
}

/// A visit under way.
pub(super) struct Ticket {
    pub(super) path: Path,
    /// The node; `None` if the tree has no room for the position.
    leaf: Option<NodeId>,
    /// Who asked; `None` if the ticket is free.
    owner: Option<u32>,
}

/// What an evaluation found out.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// What the leaf is worth to each role.
    pub payoffs: &'a [f32],
    /// The joint moves of the playout, if they were recorded.
    pub moves: &'a [Move],
    /// Whether the leaf is the end of the game.
    pub terminal: bool,
    /// How many joint moves the playout took.
    pub plies: u32,
    /// The number by which policies know the playout.
    pub game: usize,
}

/// Where a way through the tree ends.
pub(crate) enum End<S> {
    /// At a node whose value is known.
    Settled(NodeId),
    /// At a node that is to be evaluated.
    Leaf(NodeId),
    /// At a position for which the tree has no room.
    Outside(S),
}

impl<G: Game> Search<G> {
    /// Goes down the tree once.
    pub fn gather(&mut self, chain: &mut Chain, rng: &mut Rng) -> Gathered {
        let ticket = self.take_ticket();
        let end = self.descend(ticket, rng);
        if self.end_at(ticket, end, chain) { Gathered::Leaf(ticket) } else { Gathered::Settled }
    }

    /// A ticket for another visit.
    pub(crate) fn take_ticket(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            let path = Path::new(self.tree.n_roles());
            self.tickets.push(Ticket { path, leaf: None, owner: None });
            (self.tickets.len() - 1) as u32
        });
        let ticket = &mut self.tickets[number as usize];
        ticket.path.clear();
        ticket.owner = Some(self.owner);
        number
    }

    /// Nothing is under way any more. Tickets keep their memory.
    pub(super) fn free_tickets(&mut self) {
        self.tickets.iter_mut().for_each(|ticket| ticket.owner = None);
        self.outside.clear();
        self.free.clear();
        self.free.extend((0..self.tickets.len() as u32).rev());
    }

    fn descend(&mut self, ticket: u32, rng: &mut Rng) -> End<G::State> {
        let mut id = self.root;
        loop {
            match self.walk(ticket, id, usize::MAX, rng) {
                Walked::On(at) => id = at,
                Walked::Back(at) => return End::Leaf(at),
                Walked::Stopped(at) if self.tree.is_settled(at) => return End::Settled(at),
                Walked::Stopped(at) if !self.has_room() => return End::Leaf(at),
                Walked::Stopped(at) => {
                    self.expand(at);
                    id = at;
                }
                Walked::Out(at) => match self.follow(ticket, at) {
                    Ok(known) if self.has_met(ticket, known) => return End::Leaf(known),
                    Ok(known) => id = known,
                    Err(end) => return end,
                },
            }
        }
    }

    /// Whether a visit has been in a node before.
    pub(crate) fn has_met(&self, ticket: u32, node: NodeId) -> bool {
        self.tickets[ticket as usize].path.contains(node)
    }

    /// Appends the joint move that a visit made last.
    pub(crate) fn append_joint(&self, ticket: u32, joint: &mut Vec<Move>) {
        let (node, chosen) = self.tickets[ticket as usize].path.last().expect("a step was made");
        joint.extend(self.tree.chosen_moves(node, chosen));
    }

    /// Makes the joint move that a visit chose last, for the first time.
    fn follow(&mut self, ticket: u32, id: NodeId) -> Result<NodeId, End<G::State>> {
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        self.append_joint(ticket, &mut joint);
        let mut state = self.states[id.index()].clone();
        self.game.play(&mut state, &joint);
        self.joint = joint;
        let hash = Self::hash(&state);
        self.arrive(ticket, id, (state, hash))
    }

    /// Enters the position to which the last joint move of a visit led: the node, if it was known.
    pub(crate) fn arrive(
        &mut self,
        ticket: u32,
        from: NodeId,
        (state, hash): (G::State, u64),
    ) -> Result<NodeId, End<G::State>> {
        let (child, known) = if self.has_room() {
            self.find_or_insert(state, hash)
        } else {
            match self.find(&state, hash) {
                Some(known) => (known, true),
                None => return Err(End::Outside(state)),
            }
        };
        let (_, chosen) = self.tickets[ticket as usize].path.last().expect("a step was made");
        self.tree.link(from, chosen, child);
        if known { Ok(child) } else { Err(End::Leaf(child)) }
    }

    /// A visit is at its end; whether that is a leaf to be evaluated.
    pub(crate) fn end_at(&mut self, number: u32, end: End<G::State>, chain: &mut Chain) -> bool {
        let ticket = &mut self.tickets[number as usize];
        match end {
            End::Settled(id) => {
                self.count_settled(number, id, chain);
                return false;
            }
            End::Leaf(id) => ticket.leaf = Some(id),
            End::Outside(state) => {
                ticket.leaf = None;
                self.keep_outside(number, state);
            }
        }
        true
    }

    /// Keeps a position for which the tree has no room.
    #[cold]
    fn keep_outside(&mut self, number: u32, state: G::State) {
        self.outside.resize_with(self.tickets.len(), || None);
        self.outside[number as usize] = Some(state);
    }

    /// The position that a ticket asks about.
    pub fn leaf(&self, ticket: u32) -> &G::State {
        match self.tickets[ticket as usize].leaf {
            Some(id) => &self.states[id.index()],
            None => self.outside[ticket as usize].as_ref().expect("a ticket has a position"),
        }
    }

    /// The way to the position that a ticket asks about.
    pub fn path(&self, ticket: u32) -> &Path {
        &self.tickets[ticket as usize].path
    }

    /// Reads a little of what counting a visit would read, for its memory to be near soon.
    pub(crate) fn touch_path(&self, ticket: u32) -> u32 {
        let steps = self.tickets[ticket as usize].path.steps();
        steps.fold(0, |sum, (node, chosen)| sum ^ self.tree.touch_step(node, chosen))
    }

    /// Counts what a leaf was found to be worth.
    pub fn apply(&mut self, ticket: u32, evaluation: &Evaluation<'_>, chain: &mut Chain) {
        let number = ticket as usize;
        if let Some(leaf) = self.tickets[number].leaf.filter(|_| evaluation.terminal) {
            self.tree.settle(leaf, evaluation.payoffs);
        }
        self.back_up(number, evaluation, chain);
        self.hand_back(ticket);
    }

    fn hand_back(&mut self, ticket: u32) {
        self.free.push(ticket);
        self.tickets[ticket as usize].owner = None;
    }

    /// Counts a visit that led to a position whose value is known.
    fn count_settled(&mut self, number: u32, id: NodeId, chain: &mut Chain) {
        let mut payoffs = std::mem::take(&mut self.payoffs);
        payoffs.clear();
        payoffs.extend_from_slice(self.tree.settled(id).expect("the value is known"));
        chain.begin(&self.tree, &self.tickets[number as usize].path, 0);
        let evaluation =
            Evaluation { payoffs: &payoffs, moves: &[], terminal: false, plies: 0, game: 0 };
        self.back_up(number as usize, &evaluation, chain);
        self.payoffs = payoffs;
        self.hand_back(number);
    }

    fn back_up(&mut self, number: usize, evaluation: &Evaluation<'_>, chain: &mut Chain) {
        let full = self.policy.grows() && !self.has_room();
        let Ticket { path, .. } = &self.tickets[number];
        self.plies += path.len() as u64 + u64::from(evaluation.plies);
        for (node, chosen) in path.steps() {
            self.tree.end_visit(node, chosen, evaluation.payoffs);
        }
        let Evaluation { payoffs, moves, game, .. } = *evaluation;
        let (rules, states) = (&self.game, &self.states);
        let facts = &|id: NodeId, out: &mut Vec<u32>| {
            if let Some(vocabulary) = rules.vocabulary() {
                vocabulary.fact_ids(&states[id.index()], out);
            }
        };
        if let Some(mut amaf) = self.tree.amaf.take() {
            let episode = Episode { tree: &self.tree, path, game, moves, payoffs, facts };
            amaf.learn(&self.tree, &episode);
            self.tree.amaf = Some(amaf);
        }
        let episode = Episode { tree: &self.tree, path, game, moves, payoffs, facts };
        self.policy.learn(&episode, full);
        chain.learn(&episode);
        if self.settings.solver {
            crate::solver_backup::prove(&mut self.tree, &self.tickets[number].path);
        }
    }

    /// Visits that whoever is working on the search has under way are none any more.
    pub fn abandon(&mut self) {
        for (number, ticket) in self.tickets.iter_mut().enumerate() {
            if ticket.owner != Some(self.owner) {
                continue;
            }
            ticket.owner = None;
            for (node, chosen) in ticket.path.steps() {
                self.tree.cancel_visit(node, chosen);
            }
            self.free.push(number as u32);
        }
    }
}
