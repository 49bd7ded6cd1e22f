//! A network as nodes that tell each other when they change.
//!
//! Each node counts the literals it needs: a conjunction of `n` starts at `-n`, a disjunction at
//! -1, every literal that holds adds one, and the node holds as long as its count is not negative.
//! So a change is told by adding or subtracting one, and is news only if it crosses zero. Literals
//! that very many conjunctions read (whose turn it is) are not counted: a mask says for each word
//! of nodes which of them they allow.

use std::ops::Range;

use super::layout::{Cell, Layout, MAX_HUBS, Regions, Segment};
use crate::net::Signal;
use crate::network::Network;

/// How far a node is from holding.
pub type Count = i16;

/// Whom a node tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Where the nodes that read it begin in `Circuit::edges`.
    pub first: u32,
    /// Where the nodes that read its negation begin.
    pub negated: u32,
    /// Where they end.
    pub end: u32,
    /// One more than its place in `Circuit::bundles`, or 0.
    pub bundle: u32,
}

/// What few nodes have besides edges.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The words it allows, in `Circuit::wide`.
    pub wide: Range<usize>,
    /// The blocks that read it, in `Circuit::feeds`.
    pub feeds: Range<usize>,
}

/// Many edges at once: the nodes of a word that a node or its negation allows.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// The word.
    pub word: u32,
    /// Which hub of these nodes it is.
    pub place: u32,
    /// The nodes in it.
    pub mask: u64,
}

/// A literal from outside that a block reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feed {
    /// The block.
    pub block: u32,
    /// Whether it reads the negation.
    pub negated: bool,
}

/// The nodes of a network and who tells whom.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// What some of them have besides edges.
    pub bundles: Vec<Bundle>,
    /// The nodes told, by node: twice the node, and one more if it reads the negation.
    pub edges: Vec<u32>,
    /// The words told, by node.
    pub wide: Vec<Wide>,
    /// The blocks told, by node.
    pub feeds: Vec<Feed>,
    /// The order of settling.
    pub segments: Vec<Segment>,
    /// The loops of each block.
    pub loops: Vec<Vec<u32>>,
    /// Inputs and answers.
    pub regions: Regions,
    /// The counts when no node holds.
    pub counts: Vec<Count>,
    /// The masks when no node holds.
    pub allowed: Vec<[u64; MAX_HUBS]>,
}

/// A word with fewer readers of a hub than this is told node by node.
const MIN_WIDE: usize = 3;

impl Circuit {
    /// The circuit of a network; `None` if it is not fit for that.
    pub fn new(network: &Network) -> Option<Self> {
        Layout::new(network).map(|mut layout| Builder::new(&mut layout).finish(layout, network))
    }
}

/// An edge before edges are sorted: who tells, whether its negation is meant, whom it tells.
type Edge = (u32, bool, u32);

/// A conjunction that reads a hub.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reader {
    source: u32,
    word: u32,
    place: u32,
    cell: u32,
}

struct Builder {
    edges: Vec<Edge>,
    wide: Vec<(u32, Wide)>,
    feeds: Vec<(u32, Feed)>,
    counts: Vec<Count>,
    allowed: Vec<[u64; MAX_HUBS]>,
}

impl Builder {
    fn new(layout: &mut Layout<'_>) -> Self {
        let n = layout.n_words * 64;
        let (counts, allowed) = (vec![-1; n], vec![[u64::MAX; MAX_HUBS]; layout.n_words]);
        let (edges, wide, feeds) = (Vec::new(), Vec::new(), Vec::new());
        let mut builder = Builder { edges, wide, feeds, counts, allowed };
        builder.add_wide(&mut layout.cells, &layout.ids);
        layout.cells.iter().for_each(|cell| builder.add_edges(cell, layout));
        builder
    }

    /// Finds the words of hubs and takes those with too few readers from the cells.
    fn add_wide(&mut self, cells: &mut [Cell<'_>], ids: &[u32]) {
        let mut readers: Vec<Reader> = Vec::new();
        for (i, cell) in cells.iter().enumerate() {
            for (place, hub) in cell.hubs.iter().enumerate() {
                let reader = |hub: Signal| Reader {
                    source: ids[hub.gate()],
                    word: cell.id / 64,
                    place: place as u32,
                    cell: i as u32,
                };
                readers.extend(hub.map(reader));
            }
        }
        readers.sort_unstable();
        let key = |reader: &Reader| (reader.source, reader.word, reader.place);
        for group in readers.chunk_by(|a, b| key(a) == key(b)) {
            let Reader { source, word, place, .. } = group[0];
            if group.len() < MIN_WIDE {
                for reader in group {
                    cells[reader.cell as usize].hubs[place as usize] = None;
                }
                continue;
            }
            let mut mask = 0;
            for cell in group.iter().map(|reader| &cells[reader.cell as usize]) {
                let bit = 1 << (cell.id % 64);
                mask |= bit;
                if cell.hubs[place as usize].is_some_and(|hub| !hub.is_negated()) {
                    self.allowed[word as usize][place as usize] &= !bit;
                }
            }
            self.wide.push((source, Wide { word, place, mask }));
        }
    }

    fn add_edges(&mut self, cell: &Cell<'_>, layout: &Layout<'_>) {
        let ids = &layout.ids;
        let counted = || cell.literals.iter().filter(|&&l| !cell.hubs.contains(&Some(l)));
        let holding: Count = counted().map(|literal| Count::from(literal.is_negated())).sum();
        let needed: Count = if cell.all { counted().map(|_| 1).sum() } else { 1 };
        self.counts[cell.id as usize] = holding - needed;
        self.edges.extend(counted().map(|l| (ids[l.gate()], l.is_negated(), cell.id)));
        if let Some(block) = cell.block {
            let outside = cell.literals.iter().filter(|l| layout.blocks[l.gate()] != block);
            let feed = |negated| Feed { block, negated };
            self.feeds.extend(outside.map(|l| (ids[l.gate()], feed(l.is_negated()))));
        }
    }

    fn finish(mut self, layout: Layout<'_>, network: &Network) -> Circuit {
        self.edges.sort_unstable();
        self.wide.sort_by_key(|&(source, wide)| (source, wide.word));
        self.feeds.sort_by_key(|&(source, feed)| (source, feed.block, feed.negated));
        self.feeds.dedup();
        let (nodes, bundles) = self.nodes(layout.n_words * 64);
        let loops = network.net.blocks.iter().map(|block| {
            let ids = block.loops.iter().map(|&(gate, _)| layout.ids[gate]);
            ids.filter(|&id| id != u32::MAX).collect()
        });
        Circuit {
            nodes,
            bundles,
            edges: self
                .edges
                .into_iter()
                .map(|(_, negated, target)| 2 * target + u32::from(negated))
                .collect(),
            wide: self.wide.into_iter().map(|(_, wide)| wide).collect(),
            feeds: self.feeds.into_iter().map(|(_, feed)| feed).collect(),
            loops: loops.collect(),
            segments: layout.segments,
            regions: layout.regions,
            counts: self.counts,
            allowed: self.allowed,
        }
    }

    /// Each node's lists.
    fn nodes(&self, n: usize) -> (Vec<Node>, Vec<Bundle>) {
        let (mut edge, mut wide, mut feed) = (0, 0, 0);
        let mut bundles = Vec::new();
        let node = |id: u32| {
            let first = edge as u32;
            let negated = skip(&self.edges, &mut edge, |e| (e.0, e.1) == (id, false)).end as u32;
            let end = skip(&self.edges, &mut edge, |e| e.0 == id).end as u32;
            let wide = skip(&self.wide, &mut wide, |wide| wide.0 == id);
            let feeds = skip(&self.feeds, &mut feed, |feed| feed.0 == id);
            let bundle = if wide.is_empty() && feeds.is_empty() {
                0
            } else {
                bundles.push(Bundle { wide, feeds });
                bundles.len() as u32
            };
            Node { first, negated, end, bundle }
        };
        ((0..n as u32).map(node).collect(), bundles)
    }
}

/// Moves on over the items that fit, and returns where they are.
fn skip<T>(items: &[T], at: &mut usize, fits: impl Fn(&T) -> bool) -> Range<usize> {
    let start = *at;
    while items.get(*at).is_some_and(&fits) {
        *at += 1;
    }
    start..*at
}
