//! LGRF-1, the last good reply with forgetting (Drake 2009; Baier and Drake 2010): what a role replied to a
//! joint move in a simulation that it won is replied again; what it replied in one that it lost is
//! forgotten.

use std::hash::BuildHasher;

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role, Turn};
use rustc_hash::FxBuildHasher;

use super::PlayoutPolicy;
use crate::episode::Episode;
use crate::tree::Needs;

/// Last good replies.
#[derive(Clone, Debug, Default)]
pub struct Lgrf {
    /// The reply of a role to a joint move, which is known by its hash.
    replies: HashMap<(u64, Role), Move, FxBuildHasher>,
}

/// A payoff above this is a win, and one below it a loss.
const EVEN: f32 = 0.5;

impl Lgrf {
    /// What a role replies to a joint move.
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

    fn needs(&self) -> Needs {
        Needs { moves: true, ..Needs::default() }
    }

    fn bytes(&self) -> usize {
        self.replies.capacity() * (size_of::<((u64, Role), Move)>() + 1) * 8 / 7
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Lgrf::default())
    }
}
