//! LGRF-1, the last good reply with forgetting (Drake 2009; Baier and Drake 2010): the reply of a role to a
//! joint move in a simulation that it won is played again; its reply in a simulation that it lost is
//! forgotten.

use std::hash::BuildHasher;

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role, Turn};
use rustc_hash::FxBuildHasher;

use super::PlayoutPolicy;
use crate::episode::Episode;
use crate::tree::Tree;

/// Last good replies.
#[derive(Clone, Debug, Default)]
pub struct Lgrf {
    /// The reply of a role to a joint move, by the hash of the joint move.
    replies: HashMap<(u64, Role), Move, FxBuildHasher>,
}

/// A payoff above this is a win, and one below it a loss.
const EVEN: f32 = 0.5;

impl Lgrf {
    /// The reply of a role to a joint move.
    pub fn reply(&self, joint: &[Move], role: Role) -> Option<Move> {
        self.replies.get(&(FxBuildHasher.hash_one(joint), role)).copied()
    }
}

impl PlayoutPolicy for Lgrf {
    fn choose(
        &mut self,
        turn: &Turn<'_>,
        previous: Option<&[Move]>,
        _rng: &mut Rng,
    ) -> Option<usize> {
        let reply = self.reply(previous?, turn.role)?;
        turn.legal.iter().position(|&mv| mv == reply)
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        episode.each_pair(|previous, joint| {
            let Some(previous) = previous else { return };
            let before = FxBuildHasher.hash_one(previous);
            for (role, &mv) in Role::all(joint.len()).zip(joint) {
                let payoff = episode.payoffs[role.index()];
                let key = (before, role);
                if payoff > EVEN {
                    self.replies.insert(key, mv);
                } else if payoff < EVEN && self.replies.get(&key) == Some(&mv) {
                    self.replies.remove(&key);
                }
            }
        });
    }

    fn new_game(&mut self) {
        self.replies.clear();
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.record_moves();
    }

    fn bytes(&self) -> usize {
        self.replies.capacity() * (size_of::<((u64, Role), Move)>() + 1) * 8 / 7
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Lgrf::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, joints, turn};

    fn learn(lgrf: &mut Lgrf, playout: &[(u32, u32)], payoffs: [f32; 2]) {
        let hand = HandTree::new();
        lgrf.learn(&hand.episode(&joints(playout), &payoffs));
    }

    fn reply(lgrf: &Lgrf, before: (u32, u32), role: u8) -> Option<u32> {
        lgrf.reply(&joints(&[before]), Role(role)).map(|mv| mv.0)
    }

    #[test]
    fn replies_of_the_winner_are_stored_and_lost_ones_forgotten() {
        let mut lgrf = Lgrf::default();
        // Tree 2, 5; playout 3, 4, 1; role 0 wins.
        learn(&mut lgrf, &[(3, 0), (0, 4), (1, 0)], [1.0, 0.0]);
        assert_eq!(reply(&lgrf, (0, 5), 0), Some(3));
        assert_eq!(reply(&lgrf, (0, 4), 0), Some(1));
        assert_eq!(reply(&lgrf, (2, 0), 1), None);
        assert_eq!(reply(&lgrf, (3, 0), 1), None);
        // Tree 2, 5; playout 1; role 1 wins. Role 0 has not replied 3, and keeps this reply.
        learn(&mut lgrf, &[(1, 0)], [0.25, 0.75]);
        assert_eq!(reply(&lgrf, (2, 0), 1), Some(5));
        assert_eq!(reply(&lgrf, (0, 5), 0), Some(3));
        // Role 0 loses with 3, and forgets it; replies that it did not play now are kept.
        learn(&mut lgrf, &[(3, 0)], [0.0, 1.0]);
        assert_eq!(reply(&lgrf, (0, 5), 0), None);
        assert_eq!(reply(&lgrf, (0, 4), 0), Some(1));
        // A later win stores another reply, and the last one counts.
        learn(&mut lgrf, &[(1, 0)], [1.0, 0.0]);
        assert_eq!(reply(&lgrf, (0, 5), 0), Some(1));
        assert_eq!(reply(&lgrf, (2, 0), 1), None);
        learn(&mut lgrf, &[(2, 0)], [1.0, 0.0]);
        assert_eq!(reply(&lgrf, (0, 5), 0), Some(2));
    }

    #[test]
    fn a_draw_changes_nothing() {
        let mut lgrf = Lgrf::default();
        learn(&mut lgrf, &[(3, 0)], [1.0, 0.0]);
        learn(&mut lgrf, &[(3, 0), (0, 4)], [0.5, 0.5]);
        assert_eq!(reply(&lgrf, (0, 5), 0), Some(3));
        assert_eq!(reply(&lgrf, (3, 0), 1), None);
    }

    #[test]
    fn a_reply_is_played_where_it_is_legal() {
        let mut lgrf = Lgrf::default();
        learn(&mut lgrf, &[(3, 0)], [1.0, 0.0]);
        let after = joints(&[(0, 5)]);
        let (with, without) = ([1, 2, 3].map(Move), [1, 2].map(Move));
        let mut counts = |legal, role| draws(&mut lgrf, &turn(role, legal, &after), Some(&after));
        assert_eq!(counts(&with, 0), [0, 0, 60_000, 0]);
        // No opinion: not legal, or not this role's reply.
        assert_eq!(counts(&without, 0), [0, 0, 60_000]);
        assert_eq!(counts(&with, 1), [0, 0, 0, 60_000]);
        assert_eq!(draws(&mut lgrf, &turn(0, &with, &[]), None), [0, 0, 0, 60_000]);
        lgrf.new_game();
        assert_eq!(reply(&lgrf, (0, 5), 0), None);
    }
}
