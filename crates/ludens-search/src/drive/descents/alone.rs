//! A descent by itself, as in the textbook.

use ludens_core::Game;

use super::Descents;
use crate::evaluator::Policies;
use crate::search::{End, Reached, Search};
use crate::tree::NodeId;

impl<S: Clone + Eq + std::hash::Hash + Send + Sync + 'static> Descents<S> {
    /// Makes a single descent. It shares no view and no move with others, so that the queues of a batch
    /// would only cost time: one instruction in twenty of a whole search with playouts.
    pub(super) fn descend_alone<G: Game<State = S>>(
        &mut self,
        search_idx: u32,
        search: &mut Search<G>,
        policies: &mut Policies<'_, G>,
    ) {
        let (visit, mut at) = (search.start_visit(), search.root());
        let end = loop {
            match search.select(visit, at, usize::MAX, policies.rng) {
                Reached::Inner(inner) => at = inner,
                Reached::Cycle(node) => break End::Leaf(node),
                Reached::Closed(node) if search.tree().is_proven(node) => break End::Proven(node),
                Reached::Closed(node) if !search.has_room() => break End::Leaf(node),
                Reached::Closed(node) => {
                    self.expand_one(search, node);
                    at = node;
                }
                Reached::Frontier(node) => match self.make_move(search, visit, node) {
                    Ok(known) if search.has_passed(visit, known) => break End::Leaf(known),
                    Ok(known) => at = known,
                    Err(End::Leaf(leaf)) if self.expands_leaves => {
                        self.expand_one(search, leaf);
                        let proven = search.tree().is_proven(leaf);
                        break if proven { End::Proven(leaf) } else { End::Leaf(leaf) };
                    }
                    Err(end) => break end,
                },
            }
        };
        self.ended.add(search, policies, (search_idx, visit), end);
    }

    fn expand_one<G: Game<State = S>>(&mut self, search: &mut Search<G>, node: NodeId) {
        search.game().look_many(&[search.state(node)], &mut self.views);
        search.expand_by(node, &self.views, 0);
    }

    /// Makes the move that a visit selected last at a node, and adds the position.
    fn make_move<G: Game<State = S>>(
        &mut self,
        search: &mut Search<G>,
        visit: u32,
        node: NodeId,
    ) -> Result<NodeId, End<S>> {
        let mut state = search.state(node).clone();
        let joint = &mut self.waiting.joints;
        search.append_joint(visit, joint);
        search.game().play(&mut state, joint);
        joint.clear();
        let hash = Search::<G>::hash(&state);
        search.add_child(visit, node, (state, hash))
    }
}
