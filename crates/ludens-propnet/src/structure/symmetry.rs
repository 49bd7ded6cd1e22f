//! Symmetries: automorphisms of the graph of the rules, by colour refinement and individualisation (`McKay`
//! and Piperno 2014, without their pruning).
//!
//! One chain of individualised vertices makes every colour unique. A random automorphism is found by
//! following that chain with other vertices of the same colours; products of automorphisms are
//! automorphisms again. Outcomes that are computed asymmetrically are compared in random games. The search is limited by work, not by time, so that a network always has the same
//! symmetries.

use ludens_core::{Move, PerRole, Rng, Role, Symmetry};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::outcomes::Outcomes;
use crate::network::Network;

/// More symmetries than this are not needed: samples are multiplied by each of them.
const MAX_SYMMETRIES: usize = 64;

/// The maximum number of visits of edges; a large game takes about two seconds for it.
const MAX_WORK: usize = 400_000_000;

/// After this many random automorphisms that were known, all are assumed to be known. Each was known by
/// chance with a probability of at most one half.
const MAX_KNOWN: usize = 8;

/// The symmetries of a network, without the identity: automorphisms of all its rules, and automorphisms of
/// the rules about moves that keep the outcomes of random games.
pub(super) fn find(network: &Network) -> Vec<Symmetry> {
    let (n_roles, n_facts) = (network.roles.len(), network.fluents.len());
    let mut group = Group::of_identity(n_roles + n_facts + network.does.len());
    add_automorphisms(&Graph::new(network), &mut group, |_| true);
    if group.members.len() < MAX_SYMMETRIES
        && let Some(mut outcomes) = Outcomes::complete(network, &mut Rng::new(2))
    {
        add_automorphisms(&Graph::of_moves(network), &mut group, |images| {
            outcomes.are_kept_by(&images[..n_roles], &facts_of(network, images))
        });
    }
    group.members[1..].iter().map(|images| symmetry(network, images)).collect()
}

/// Adds random automorphisms of a graph that are accepted.
fn add_automorphisms(graph: &Graph, group: &mut Group, mut accept: impl FnMut(&[u32]) -> bool) {
    let n_images = group.members[0].len();
    let mut search = Search { graph, work: 0, rng: Rng::new(1) };
    let Some(chain) = search.chain() else { return };
    let mut n_known = 0;
    while chain.len() > 1 && n_known < MAX_KNOWN && group.members.len() < MAX_SYMMETRIES {
        let Some(mut images) = search.automorphism(&chain) else { break };
        images.truncate(n_images);
        n_known += 1;
        if !group.known.contains(&images) && accept(&images) {
            group.add(images);
            n_known = 0;
        }
    }
}

/// Permutations that are closed under products, as far as there is room.
struct Group {
    members: Vec<Vec<u32>>,
    known: FxHashSet<Vec<u32>>,
}

impl Group {
    fn of_identity(n: usize) -> Self {
        let identity: Vec<u32> = (0..n as u32).collect();
        Group { members: vec![identity.clone()], known: FxHashSet::from_iter([identity]) }
    }

    /// Adds an element and its products.
    fn add(&mut self, element: Vec<u32>) {
        let mut pending = vec![element.clone()];
        let mut generators = vec![element];
        generators.extend(self.members[1..].iter().cloned());
        while let Some(element) = pending.pop() {
            if self.members.len() >= MAX_SYMMETRIES || !self.known.insert(element.clone()) {
                continue;
            }
            let product = |other: &Vec<u32>| element.iter().map(|&i| other[i as usize]).collect();
            pending.extend(generators.iter().map(product));
            self.members.push(element);
        }
    }
}

/// The images of facts.
fn facts_of(network: &Network, images: &[u32]) -> Vec<u32> {
    let (n_roles, n_facts) = (network.roles.len(), network.fluents.len());
    images[n_roles..][..n_facts].iter().map(|&fact| fact - n_roles as u32).collect()
}

/// The images of roles, facts and moves by name.
fn symmetry(network: &Network, images: &[u32]) -> Symmetry {
    let (n_roles, n_facts) = (network.roles.len(), network.fluents.len());
    let roles = images[..n_roles].iter().map(|&role| Role(role as u8)).collect::<Vec<_>>();
    let mut moves: PerRole<Vec<Move>> = PerRole::filled(n_roles, Vec::new());
    let does = images[n_roles + n_facts..].iter().map(|&does| does as usize - n_roles - n_facts);
    for (&(role, _), image) in network.does.iter().zip(does) {
        moves[role].push(network.does[image].1);
    }
    Symmetry { roles: PerRole::from(roles), facts: facts_of(network, images), moves }
}

struct Search<'a> {
    graph: &'a Graph,
    work: usize,
    rng: Rng,
}

/// Colours of all vertices: equal ones could not be told apart so far.
type Colours = Vec<u64>;

/// A step of the chain: the colours, and the vertex that gets a colour of its own next; the last step has
/// none.
struct Step {
    colours: Colours,
    /// The same, sorted, to compare with other chains.
    sorted: Vec<u64>,
    vertex: Option<usize>,
}

impl Search<'_> {
    /// The chain to unique colours; `None` if it takes too much work.
    fn chain(&mut self) -> Option<Vec<Step>> {
        let mut colours = self.refined(self.graph.kinds.clone())?;
        let mut chain = Vec::new();
        loop {
            let sorted = sorted(&colours);
            let vertex = first_shared(&colours, &sorted);
            chain.push(Step { colours: colours.clone(), sorted, vertex });
            let Some(vertex) = vertex else { return Some(chain) };
            colours[vertex] = individual(colours[vertex]);
            colours = self.refined(colours)?;
        }
    }

    /// A random automorphism, or `None` if none was found within the limit.
    fn automorphism(&mut self, chain: &[Step]) -> Option<Vec<u32>> {
        let start = chain[0].colours.clone();
        let leaf = self.follow(chain, start)?;
        let images = matched(&chain[chain.len() - 1].colours, &leaf)?;
        is_automorphism(self.graph, &images).then_some(images)
    }

    /// Colours at the end of a chain that has the colours of the given one, and chooses vertices at random.
    fn follow(&mut self, chain: &[Step], colours: Colours) -> Option<Colours> {
        let Some(vertex) = chain[0].vertex else { return Some(colours) };
        let wanted = chain[0].colours[vertex];
        let mut candidates: Vec<usize> =
            (0..colours.len()).filter(|&v| colours[v] == wanted).collect();
        while !candidates.is_empty() {
            let candidate = candidates.swap_remove(self.rng.below(candidates.len()));
            let mut next = colours.clone();
            next[candidate] = individual(wanted);
            let next = self.refined(next)?;
            if sorted(&next) == chain[1].sorted
                && let Some(leaf) = self.follow(&chain[1..], next)
            {
                return Some(leaf);
            }
        }
        None
    }

    /// Refines colours by those of the neighbours, until no more vertices can be told apart.
    fn refined(&mut self, mut colours: Colours) -> Option<Colours> {
        let mut n_colours = n_distinct(&colours);
        loop {
            self.work += self.graph.n_ends() + self.graph.len();
            if self.work > MAX_WORK {
                return None;
            }
            let next: Colours = (0..colours.len()).map(|v| self.next_colour(&colours, v)).collect();
            let n_next = n_distinct(&next);
            colours = next;
            if n_next == n_colours {
                return Some(colours);
            }
            n_colours = n_next;
        }
    }

    fn next_colour(&self, colours: &[u64], vertex: usize) -> u64 {
        let edges = self.graph.edges(vertex).iter();
        // The sum does not depend on the order of the edges.
        let sum = edges.fold(0u64, |sum, edge| {
            sum.wrapping_add(mixed(colours[edge.vertex as usize] ^ mixed(u64::from(edge.label))))
        });
        mixed(colours[vertex].wrapping_mul(3).wrapping_add(sum))
    }
}

/// A hash of a number (the finaliser of `SplitMix64`, Steele et al. 2014).
fn mixed(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The colour of a vertex that is told apart from others of its colour.
fn individual(colour: u64) -> u64 {
    mixed(!colour)
}

fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted
}

fn n_distinct(colours: &[u64]) -> usize {
    let mut sorted = sorted(colours);
    sorted.dedup();
    sorted.len()
}

/// The first vertex whose colour another vertex has too.
fn first_shared(colours: &[u64], sorted: &[u64]) -> Option<usize> {
    let is_shared = |colour: u64| {
        let first = sorted.partition_point(|&other| other < colour);
        sorted.get(first + 1) == Some(&colour)
    };
    colours.iter().position(|&colour| is_shared(colour))
}

/// The vertex of the second colours that has the colour of each vertex of the first.
fn matched(from: &[u64], to: &[u64]) -> Option<Vec<u32>> {
    let places: FxHashMap<u64, u32> = to.iter().copied().zip(0..).collect();
    from.iter().map(|colour| places.get(colour).copied()).collect()
}

/// Whether a map of vertices is one to one and keeps kinds and edges. Hashes may collide; this may not.
fn is_automorphism(graph: &Graph, images: &[u32]) -> bool {
    let mut hit = vec![false; images.len()];
    for &image in images {
        hit[image as usize] = true;
    }
    let mut mapped = Vec::new();
    hit.iter().all(|&hit| hit)
        && images.iter().enumerate().all(|(vertex, &image)| {
            mapped.clear();
            mapped.extend(graph.edges(vertex).iter().map(|&edge| {
                let vertex = images[edge.vertex as usize];
                super::graph::Edge { vertex, ..edge }
            }));
            mapped.sort_unstable();
            graph.kinds[vertex] == graph.kinds[image as usize]
                && mapped == graph.edges(image as usize)
        })
}
