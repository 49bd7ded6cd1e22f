//! Sorts gates topologically and assigns their nodes.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::{Cell, Layout, MAX_HUBS, Phase, Regions, Segment};
use crate::net::{Gate, Net, Signal};
use crate::network::Network;
use crate::scalar::cone::block_of_gates;

/// A signal with fewer conjunctions as readers than this is no hub.
const MIN_HUB: u32 = 16;

const NONE: u32 = u32::MAX;

/// A gate without a node so far.
struct Draft<'a> {
    gate: u32,
    phase: Phase,
    cell: Cell<'a>,
}

/// Gates while they are sorted; `blocks`, `levels`, `uses` and `ids` have one entry for each gate.
pub(super) struct Sorter<'a> {
    network: &'a Network,
    net: &'a Net,
    drafts: Vec<Draft<'a>>,
    outputs: Vec<Cell<'a>>,
    regions: Regions,
    blocks: Vec<u32>,
    levels: Vec<u32>,
    /// The number of gates, loops and outputs that read it.
    uses: Vec<u32>,
    ids: Vec<u32>,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(network: &'a Network, phases: &[Option<Phase>]) -> Self {
        let net = &network.net;
        let n = net.gates.len();
        let mut sorter = Sorter {
            network,
            net,
            drafts: Vec::with_capacity(n),
            outputs: Vec::new(),
            regions: Regions::new(network),
            blocks: block_of_gates(net),
            levels: vec![0; n],
            uses: vec![0; n],
            ids: vec![NONE; n],
        };
        sorter.add_gates(phases);
        sorter.find_levels();
        sorter.add_outputs();
        sorter.move_gates_to_outputs();
        sorter.choose_hubs();
        sorter
    }

    /// Drafts each gate that is needed; inputs get their nodes at once.
    fn add_gates(&mut self, phases: &[Option<Phase>]) {
        let net = self.net;
        let mut definitions = vec![None; net.gates.len()];
        for (gate, definition) in net.blocks.iter().flat_map(|block| &block.loops) {
            definitions[*gate] = Some(definition);
        }
        for (i, gate) in net.gates.iter().enumerate() {
            let literals = match gate {
                Gate::Fluent(fluent) => {
                    self.ids[i] = fluent + self.regions.fluents.start as u32 * 64;
                    continue;
                }
                Gate::Does(does) => {
                    self.ids[i] = does + self.regions.does.start as u32 * 64;
                    continue;
                }
                Gate::Loop => definitions[i].map_or(&[][..], std::slice::from_ref),
                Gate::True | Gate::And(_) | Gate::Or(_) => gate.fan_in(),
            };
            let Some(phase) = phases[i] else { continue };
            for literal in literals {
                self.uses[literal.gate()] += 1;
            }
            let block = (self.blocks[i] != NONE).then_some(self.blocks[i]);
            let all = !matches!(gate, Gate::Or(_));
            let cell = Cell { all, literals, hubs: [None; MAX_HUBS], id: NONE, block };
            self.drafts.push(Draft { gate: i as u32, phase, cell });
        }
    }

    /// The level of a gate is above those it reads; the gates of a block are on one level.
    fn find_levels(&mut self) {
        let same_block =
            |a: &Draft<'_>, b: &Draft<'_>| a.cell.block.is_some() && a.cell.block == b.cell.block;
        for group in self.drafts.chunk_by(same_block) {
            let block = group[0].cell.block.unwrap_or(NONE - 1);
            let inputs = group.iter().flat_map(|draft| draft.cell.literals);
            let outside = inputs.filter(|input| self.blocks[input.gate()] != block);
            let level = 1 + outside.map(|input| self.levels[input.gate()]).max().unwrap_or(0);
            for draft in group {
                self.levels[draft.gate as usize] = level;
            }
        }
    }

    /// Adds a cell for each output.
    fn add_outputs(&mut self) {
        let (network, regions) = (self.network, &self.regions);
        let legal = network.legal.iter().zip(regions.legal.start * 64..);
        let next = network.next.iter().zip(regions.next.start * 64..);
        let goals = network.goals.iter().map(|goal| &goal.signal);
        let goals = goals.zip(regions.goals.start * 64..);
        let terminal = [(&network.terminal, regions.terminal.start * 64)];
        for (signal, id) in legal.chain(next).chain(goals).chain(terminal) {
            self.uses[signal.gate()] += 1;
            let literals = std::slice::from_ref(signal);
            let id = id as u32;
            self.outputs.push(Cell {
                all: true,
                literals,
                hubs: [None; MAX_HUBS],
                id,
                block: None,
            });
        }
    }

    /// Moves a gate that only one output reads to the output's node.
    fn move_gates_to_outputs(&mut self) {
        let mut draft_of = vec![NONE; self.net.gates.len()];
        for (i, draft) in self.drafts.iter().enumerate() {
            draft_of[draft.gate as usize] = i as u32;
        }
        for output in &mut self.outputs {
            let signal = output.literals[0];
            let gate = signal.gate();
            let free = self.blocks[gate] == NONE && self.uses[gate] == 1;
            if signal.is_negated() || !free || draft_of[gate] == NONE {
                continue;
            }
            *output = Cell { id: output.id, ..self.drafts[draft_of[gate] as usize].cell };
            self.uses[gate] = 0;
        }
        // Gates that have moved have no readers any more. All others have, or else they were not
        // needed.
        let uses = &self.uses;
        self.drafts.retain(|draft| uses[draft.gate as usize] > 0);
    }

    /// Chooses the hubs of each conjunction: its literals with the most readers, if these are many.
    fn choose_hubs(&mut self) {
        let mut readers = vec![0_u32; self.net.gates.len()];
        let cells = self.drafts.iter().map(|draft| &draft.cell).chain(&self.outputs);
        for cell in cells.filter(|cell| cell.all) {
            for literal in cell.literals {
                readers[literal.gate()] += 1;
            }
        }
        let cells = self.drafts.iter_mut().map(|draft| &mut draft.cell).chain(&mut self.outputs);
        for cell in cells.filter(|cell| cell.all) {
            let many = cell.literals.iter().filter(|l| readers[l.gate()] >= MIN_HUB);
            let mut hubs: SmallVec<[&Signal; 8]> = many.collect();
            hubs.sort_unstable_by_key(|l| (Reverse(readers[l.gate()]), **l));
            cell.hubs = std::array::from_fn(|i| hubs.get(i).copied().copied());
        }
    }

    /// Assigns a node to each gate: by phase and level, with the readers of a hub side by side.
    pub(super) fn assign_nodes(mut self) -> Layout<'a> {
        let levels = &self.levels;
        self.drafts.sort_by_cached_key(|draft| {
            let Draft { gate, phase, cell } = draft;
            // Within a block the topological order is kept.
            let hubs = if cell.block.is_none() { cell.hubs } else { [None; MAX_HUBS] };
            (*phase, levels[*gate as usize], cell.block, hubs, *gate)
        });
        let mut n_words = self.regions.terminal.end;
        let mut segments: Vec<Segment> = Vec::new();
        let together =
            |a: &Draft<'_>, b: &Draft<'_>| a.phase == b.phase && a.cell.block == b.cell.block;
        for group in self.drafts.chunk_by_mut(together) {
            let words = n_words..n_words + group.len().div_ceil(64);
            for (draft, id) in group.iter_mut().zip(words.start as u32 * 64..) {
                draft.cell.id = id;
                self.ids[draft.gate as usize] = id;
            }
            n_words = words.end;
            let (phase, block) = (group[0].phase, group[0].cell.block);
            segments.push(Segment { phase, words, block });
        }
        let cells = self.drafts.into_iter().map(|draft| draft.cell).chain(self.outputs).collect();
        let Sorter { ids, blocks, regions, .. } = self;
        Layout { cells, ids, blocks, segments, regions, n_words }
    }
}
