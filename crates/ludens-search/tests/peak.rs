//! Resident memory, as the operating system reports it, stays within the limit of a search. A separate process,
//! because the system reports memory for whole processes.

use std::sync::Arc;

use ludens_core::{Budget, Game};
use ludens_games::breakthrough;
use ludens_search::{Agent, Chain, Mcts, Ppa, Rave, Settings, Unvisited, Watch};

/// A field of `/proc/self/status` in kilobytes, on systems that have it.
fn kilobytes(name: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn peak_memory_is_within_the_limit() {
    const LIMIT: usize = 24 << 20;
    let game = Arc::new(breakthrough::game(8));
    let rave = Rave { equivalence: 130.0, exploration: 0.0, unvisited: Unvisited::First };
    let chain = Chain::new(vec![Box::new(Ppa::new(0.32, 1.0, true, true))]);
    let settings = Settings { max_bytes: LIMIT, ..Settings::default() };
    let mut mcts = Mcts::new(Arc::clone(&game), Box::new(rave), chain, settings, 64);
    mcts.begin(1);
    // Everything else is allocated before the tree grows.
    mcts.think(&game.initial(), &Budget::unlimited().with_iterations(200), &mut Watch::none());
    let Some(before) = kilobytes("VmRSS") else { return };
    let mut nodes = 0;
    loop {
        let report = mcts.think(
            &game.initial(),
            &Budget::unlimited().with_iterations(4000),
            &mut Watch::none(),
        );
        assert!(report.bytes as usize <= LIMIT + (1 << 20), "{} bytes", report.bytes);
        if report.nodes == nodes {
            break;
        }
        nodes = report.nodes;
    }
    let peak = kilobytes("VmHWM").expect("the system has reported memory before");
    let grown = peak.saturating_sub(before) << 10;
    assert!(grown <= LIMIT, "{grown} bytes more than before, {nodes} nodes");
    assert!(grown > LIMIT / 6, "only {grown} bytes are used of {LIMIT}");
}
