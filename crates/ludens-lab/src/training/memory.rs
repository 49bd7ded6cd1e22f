//! How a training divides its memory.

use ludens_learn::Learning;

use crate::hinted::Hinted;
use crate::units::format_bytes;

/// The part of the memory for the trees of self-play; the rest is for the replay buffer.
const TREES: usize = 4;

/// A buffer that grows holds up to this many times its contents.
const GROWTH: usize = 2;

/// The smallest tree of a game with which a search is worth its name.
const MIN_TREE: usize = 64 << 10;

/// Bounds the replay buffer and all trees of self-play together. The memory of the network itself and of its
/// gradients depends on its size alone, and is not included.
pub fn limit_memory(learning: &mut Learning, bytes: usize) -> Result<(), Hinted> {
    let n_games = (learning.n_groups * learning.games_per_group).max(1);
    let tree = bytes / TREES / n_games;
    if tree < MIN_TREE {
        let (given, least) = (format_bytes(bytes), MIN_TREE * n_games * TREES);
        let message =
            format!("{given} are too little for {n_games} games of self-play side by side");
        return Err(Hinted::new(message, format!("give at least {}", format_bytes(least))));
    }
    learning.self_play.tree_bytes = tree;
    learning.replay_bytes = (bytes - bytes / TREES) / GROWTH;
    Ok(())
}
