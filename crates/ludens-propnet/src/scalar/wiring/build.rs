//! Builds a wiring from a layout.

use std::ops::Range;

use super::{Bundle, Count, Feed, Node, Wide, Wiring};
use crate::network::Network;
use crate::scalar::layout::{Cell, Layout, MAX_HUBS};

/// A word with fewer readers of a hub than this is notified node by node.
const MIN_WIDE: usize = 3;

/// Builds the wiring of a layout.
pub(super) fn build(mut layout: Layout<'_>, network: &Network) -> Wiring {
    let mut builder = Builder::new(layout.n_words);
    (0..MAX_HUBS).for_each(|hub| builder.add_wide(&mut layout.cells, &layout.ids, hub));
    layout.cells.iter().for_each(|cell| builder.add_edges(cell, &layout));
    builder.finish(layout, network)
}

/// A literal read by a node: twice the source, and one more if the negation is read.
#[derive(Clone, Copy)]
struct Edge {
    literal: u32,
    reader: u32,
}

/// The lists of a wiring before they are sorted, the rarer ones with their source.
struct Builder {
    edges: Vec<Edge>,
    wide: Vec<(u32, Wide)>,
    feeds: Vec<(u32, Feed)>,
    counts: Vec<Count>,
    allowed: Vec<[u64; MAX_HUBS]>,
}

impl Builder {
    fn new(n_words: usize) -> Self {
        let (counts, allowed) = (vec![-1; n_words * 64], vec![[u64::MAX; MAX_HUBS]; n_words]);
        let (edges, wide, feeds) = (Vec::new(), Vec::new(), Vec::new());
        Builder { edges, wide, feeds, counts, allowed }
    }

    /// Finds the words of hubs and removes hubs with too few readers from the cells.
    fn add_wide(&mut self, cells: &mut [Cell<'_>], ids: &[u32], hub: usize) {
        let hubs = cells.iter().zip(0..).filter_map(|(cell, i)| Some((cell.hubs[hub]?, i)));
        let readers: Vec<(u32, u32)> = hubs.map(|(signal, i)| (ids[signal.gate()], i)).collect();
        // Cells come in runs of ascending nodes, so that those of a word are side by side.
        let (_, readers) = sorted_by(&readers, self.counts.len(), |&(source, _)| source as usize);
        let word = |cell: u32| cells[cell as usize].id / 64;
        let together = |a: &(u32, u32), b: &(u32, u32)| (a.0, word(a.1)) == (b.0, word(b.1));
        let groups: Vec<&[(u32, u32)]> = readers.chunk_by(together).collect();
        for group in groups {
            let source = group[0].0;
            let readers = group.iter().map(|&(_, cell)| cell as usize);
            if group.len() < MIN_WIDE {
                readers.for_each(|cell| cells[cell].hubs[hub] = None);
            } else {
                let wide = self.allow(readers.map(|cell| &cells[cell]), hub);
                self.wide.push((source, wide));
            }
        }
    }

    /// Connects a hub with some cells of a word, which do not hold as long as the hub does not.
    fn allow<'a>(&mut self, cells: impl Iterator<Item = &'a Cell<'a>>, hub: usize) -> Wide {
        let mut wide = Wide { word: 0, hub: hub as u32, mask: 0 };
        for cell in cells {
            let bit = 1 << (cell.id % 64);
            wide.word = cell.id / 64;
            wide.mask |= bit;
            if cell.hubs[hub].is_some_and(|signal| !signal.is_negated()) {
                self.allowed[wide.word as usize][hub] &= !bit;
            }
        }
        wide
    }

    /// Connects a cell with everything it reads except its hubs.
    fn add_edges(&mut self, cell: &Cell<'_>, layout: &Layout<'_>) {
        let ids = &layout.ids;
        let counted = || cell.literals.iter().filter(|&&l| !cell.hubs.contains(&Some(l)));
        let holding: Count = counted().map(|literal| Count::from(literal.is_negated())).sum();
        let needed: Count = if cell.all { counted().map(|_| 1).sum() } else { 1 };
        self.counts[cell.id as usize] = holding - needed;
        self.edges.extend(counted().map(|l| Edge {
            literal: 2 * ids[l.gate()] + u32::from(l.is_negated()),
            reader: cell.id,
        }));
        if let Some(block) = cell.block {
            let outside = cell.literals.iter().filter(|l| layout.blocks[l.gate()] != block);
            let feed = |negated| Feed { block, negated };
            self.feeds.extend(outside.map(|l| (ids[l.gate()], feed(l.is_negated()))));
        }
    }

    fn finish(mut self, layout: Layout<'_>, network: &Network) -> Wiring {
        self.wide.sort_unstable_by_key(|&(source, wide)| (source, wide.word, wide.hub));
        self.feeds.sort_unstable_by_key(|&(source, feed)| (source, feed.block, feed.negated));
        self.feeds.dedup();
        let n_literals = 2 * self.counts.len();
        let (firsts, edges) = sorted_by(&self.edges, n_literals, |edge| edge.literal as usize);
        let (nodes, bundles) = self.nodes(&firsts);
        let loops = network.net.blocks.iter().map(|block| {
            let ids = block.loops.iter().map(|&(gate, _)| layout.ids[gate]);
            ids.filter(|&id| id != u32::MAX).collect()
        });
        Wiring {
            nodes,
            bundles,
            edges: edges.iter().map(|edge| 2 * edge.reader + edge.literal % 2).collect(),
            wide: self.wide.into_iter().map(|(_, wide)| wide).collect(),
            feeds: self.feeds.into_iter().map(|(_, feed)| feed).collect(),
            loops: loops.collect(),
            segments: layout.segments,
            regions: layout.regions,
            counts: self.counts,
            allowed: self.allowed,
        }
    }

    /// The fan-out of each node, given the start of the edges of each literal.
    fn nodes(&self, firsts: &[u32]) -> (Vec<Node>, Vec<Bundle>) {
        let (mut wide, mut feed) = (0, 0);
        let mut bundles = Vec::new();
        let node = |id: usize| {
            let wide = skip(&self.wide, &mut wide, |wide| wide.0 as usize == id);
            let feeds = skip(&self.feeds, &mut feed, |feed| feed.0 as usize == id);
            let bundle = if wide.is_empty() && feeds.is_empty() {
                0
            } else {
                bundles.push(Bundle { wide, feeds });
                bundles.len() as u32
            };
            let [first, negated, end] = [firsts[2 * id], firsts[2 * id + 1], firsts[2 * id + 2]];
            Node { first, negated, end, bundle }
        };
        ((0..self.counts.len()).map(node).collect(), bundles)
    }
}

/// Items sorted stably by a number below `n`; also the start of each number.
fn sorted_by<T: Copy>(items: &[T], n: usize, number: impl Fn(&T) -> usize) -> (Vec<u32>, Vec<T>) {
    let mut firsts = vec![0; n + 2];
    for item in items {
        firsts[number(item) + 2] += 1;
    }
    for i in 2..n + 2 {
        firsts[i] += firsts[i - 1];
    }
    let mut sorted = items.to_vec();
    for item in items {
        // The next entry is the start of this number; once its items are placed, it is the start
        // of the next number, as required.
        let position = &mut firsts[number(item) + 1];
        sorted[*position as usize] = *item;
        *position += 1;
    }
    (firsts, sorted)
}

/// Skips the items that match, and returns their range.
fn skip<T>(items: &[T], at: &mut usize, matches: impl Fn(&T) -> bool) -> Range<usize> {
    let start = *at;
    while items.get(*at).is_some_and(&matches) {
        *at += 1;
    }
    start..*at
}
