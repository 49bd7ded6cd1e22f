//! The depth-first search over states, each of which is searched once.

use std::cmp::Ordering;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Payoffs, Role, View};
use rustc_hash::FxHashMap;

use super::{Solution, SolvedMove, Unsolved};
use crate::classic::fingerprint::Fingerprint;
use crate::classic::meter::Meter;
use crate::classic::preference::{compare, is_unbeatable};
use crate::classic::root::{has_ended, lone_decider};

/// The value of a state: an index of payoffs, and the distance to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Value {
    payoffs: u32,
    distance: u32,
}

/// The status of a state in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// It is on the stack: to reach it again is a cycle.
    Open,
    /// Its value depends on a cycle.
    Unknown,
    /// It is solved.
    Known(Value),
}

/// All states solved so far.
pub(super) struct Memo<G: Game> {
    game: Arc<G>,
    entries: FxHashMap<Fingerprint, Entry>,
    payoffs: Vec<Payoffs>,
    payoff_numbers: FxHashMap<Vec<u32>, u32>,
    /// The states from the root to the current one, then unused frames. An explicit stack, since a
    /// line of play may be too long for recursion.
    frames: Vec<Frame<G>>,
    depth: usize,
    view: View,
}

/// A state whose moves are being searched.
struct Frame<G: Game> {
    state: Option<G::State>,
    key: Fingerprint,
    role: Role,
    joint: Vec<Move>,
    moves: Vec<Move>,
    next: usize,
    best: Option<Value>,
    /// Whether a move leads to an unknown state.
    has_unknown: bool,
}

impl<G: Game> Default for Frame<G> {
    fn default() -> Self {
        Frame {
            state: None,
            key: Fingerprint::default(),
            role: Role(0),
            joint: Vec::new(),
            moves: Vec::new(),
            next: 0,
            best: None,
            has_unknown: false,
        }
    }
}

impl<G: Game> Memo<G> {
    /// The memory limit if the budget has none.
    const MAX_BYTES: usize = 1 << 30;

    /// Nothing is solved yet.
    pub fn new(game: Arc<G>) -> Self {
        Memo {
            game,
            entries: FxHashMap::default(),
            payoffs: Vec::new(),
            payoff_numbers: FxHashMap::default(),
            frames: Vec::new(),
            depth: 0,
            view: View::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Memo::new(Arc::clone(&self.game));
    }

    /// Whether a state is already solved.
    pub fn knows(&self, state: &G::State) -> bool {
        matches!(self.entries.get(&Fingerprint::of(state)), Some(Entry::Known(_)))
    }

    /// Solves a state.
    pub fn solve(
        &mut self,
        state: &G::State,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Result<Solution, Unsolved> {
        let before = meter.spent;
        let mut search = Search { memo: self, meter, max_bytes: budget.bytes };
        let solved = search.root(state);
        // An interrupted search leaves states open that are not in any cycle.
        for frame in &self.frames[..std::mem::take(&mut self.depth)] {
            self.entries.remove(&frame.key);
        }
        let states = meter.spent - before;
        solved.map(|solution| Solution { states, ..solution })
    }

    /// Interns a list of payoffs; few different ones occur in a game.
    fn intern(&mut self, payoffs: &Payoffs) -> u32 {
        let bits: Vec<u32> = payoffs.iter().map(|payoff| payoff.to_bits()).collect();
        let fresh = self.payoffs.len() as u32;
        let number = *self.payoff_numbers.entry(bits).or_insert(fresh);
        if number == fresh {
            self.payoffs.push(payoffs.clone());
        }
        number
    }

    /// Compares two outcomes for a role; `Greater` means that `a` is preferred.
    fn compare(&self, role: Role, a: Value, b: Value) -> Ordering {
        let payoffs = |value: Value| &self.payoffs[value.payoffs as usize];
        if a.payoffs != b.payoffs {
            return compare(role, payoffs(a).as_slice(), payoffs(b).as_slice());
        }
        let prefers_short = payoffs(a)[role] >= 0.5;
        if prefers_short { b.distance.cmp(&a.distance) } else { a.distance.cmp(&b.distance) }
    }

    /// Whether nothing can be better: the role wins with its next move.
    fn is_immediate_win(&self, role: Role, value: Value) -> bool {
        let payoffs = &self.payoffs[value.payoffs as usize];
        value.distance == 1 && is_unbeatable(role, payoffs.as_slice())
    }
}

/// A search in progress.
struct Search<'a, 'b, G: Game> {
    memo: &'a mut Memo<G>,
    meter: &'a mut Meter<'b>,
    max_bytes: Option<usize>,
}

/// The effect of visiting a state: its entry is final, or it was pushed onto the stack.
enum Visit {
    Final(Entry),
    Pushed,
}

impl<G: Game> Search<'_, '_, G> {
    /// Solves the root, all of whose moves are searched, even after an immediate win.
    fn root(&mut self, state: &G::State) -> Result<Solution, Unsolved> {
        let mut view = View::default();
        self.memo.game.look(state, &mut view);
        let (payoffs, distance, states) = (view.payoffs.clone(), 0, 0);
        if has_ended(&view) {
            let (decider, choices) = (None, Vec::new());
            return Ok(Solution { payoffs, distance, decider, choices, states });
        }
        let role = lone_decider(&view).ok_or(Unsolved::Simultaneous)?;
        let mut known = Vec::new();
        for &mv in &view.legal[role] {
            let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
            joint[role.index()] = mv;
            let mut next = state.clone();
            self.memo.game.play(&mut next, &joint);
            if let Entry::Known(value) = self.evaluate(next)? {
                known.push((mv, from_parent(value)));
            }
        }
        let has_unknown = known.len() < view.legal[role].len();
        known.sort_by(|a, b| self.memo.compare(role, b.1, a.1));
        let best = known.first().map(|(_, value)| *value);
        let best = best.filter(|best| !has_unknown || self.memo.is_immediate_win(role, *best));
        let Some(best) = best else { return Err(Unsolved::Cycle) };
        let choice = |&(mv, value): &(Move, Value)| {
            let payoffs = self.memo.payoffs[value.payoffs as usize].clone();
            SolvedMove { mv, payoffs, distance: value.distance }
        };
        let choices = known.iter().map(choice).collect();
        let payoffs = self.memo.payoffs[best.payoffs as usize].clone();
        let (distance, decider) = (best.distance, Some(role));
        Ok(Solution { payoffs, distance, decider, choices, states })
    }

    /// Searches everything below a state and returns its entry.
    fn evaluate(&mut self, state: G::State) -> Result<Entry, Unsolved> {
        let mut entry = match self.visit(state)? {
            Visit::Final(entry) => return Ok(entry),
            Visit::Pushed => None,
        };
        while self.memo.depth > 0 {
            if let Some(entry) = entry.take() {
                self.back_up(entry);
            }
            entry = match self.next_child() {
                Some(child) => match self.visit(child)? {
                    Visit::Final(entry) => Some(entry),
                    Visit::Pushed => None,
                },
                None => Some(self.close()),
            };
        }
        Ok(entry.expect("the last state closed is the first one visited"))
    }

    fn visit(&mut self, state: G::State) -> Result<Visit, Unsolved> {
        let key = Fingerprint::of(&state);
        match self.memo.entries.get(&key) {
            Some(Entry::Open | Entry::Unknown) => return Ok(Visit::Final(Entry::Unknown)),
            Some(known) => return Ok(Visit::Final(*known)),
            None => {}
        }
        self.meter.tick().map_err(|_| Unsolved::Budget)?;
        self.check_memory()?;
        let mut view = std::mem::take(&mut self.memo.view);
        self.memo.game.look(&state, &mut view);
        let visit = self.open(state, key, &view);
        self.memo.view = view;
        visit
    }

    /// Adds a new state to the table, and to the stack unless it is terminal.
    fn open(&mut self, state: G::State, key: Fingerprint, view: &View) -> Result<Visit, Unsolved> {
        if has_ended(view) {
            let value = Value { payoffs: self.memo.intern(&view.payoffs), distance: 0 };
            self.memo.entries.insert(key, Entry::Known(value));
            return Ok(Visit::Final(Entry::Known(value)));
        }
        let role = lone_decider(view).ok_or(Unsolved::Simultaneous)?;
        if self.memo.frames.len() == self.memo.depth {
            self.memo.frames.push(Frame::default());
        }
        let frame = &mut self.memo.frames[self.memo.depth];
        frame.state = Some(state);
        (frame.key, frame.role, frame.next) = (key, role, 0);
        (frame.best, frame.has_unknown) = (None, false);
        frame.joint.clear();
        frame.joint.extend(view.legal.iter().map(|legal| legal[0]));
        frame.moves.clone_from(&view.legal[role]);
        self.memo.depth += 1;
        self.memo.entries.insert(key, Entry::Open);
        Ok(Visit::Pushed)
    }

    /// The successor for the next move of the state on top of the stack, if there is one.
    fn next_child(&mut self) -> Option<G::State> {
        let frame = &self.memo.frames[self.memo.depth - 1];
        if frame.best.is_some_and(|best| self.memo.is_immediate_win(frame.role, best)) {
            return None;
        }
        let mv = *frame.moves.get(frame.next)?;
        let frame = &mut self.memo.frames[self.memo.depth - 1];
        frame.next += 1;
        frame.joint[frame.role.index()] = mv;
        let mut child = frame.state.clone().expect("a frame on the stack has a state");
        self.memo.game.play(&mut child, &frame.joint);
        Some(child)
    }

    /// Backs up the entry of a child to the state on top of the stack.
    fn back_up(&mut self, entry: Entry) {
        let top = self.memo.depth - 1;
        let Entry::Known(value) = entry else {
            self.memo.frames[top].has_unknown = true;
            return;
        };
        let (value, frame) = (from_parent(value), &self.memo.frames[top]);
        if frame.best.is_none_or(|best| self.memo.compare(frame.role, value, best).is_gt()) {
            self.memo.frames[top].best = Some(value);
        }
    }

    /// Pops the state on top of the stack, whose value is now final.
    fn close(&mut self) -> Entry {
        self.memo.depth -= 1;
        let frame = &self.memo.frames[self.memo.depth];
        let is_exact =
            |best: &Value| !frame.has_unknown || self.memo.is_immediate_win(frame.role, *best);
        let entry = frame.best.filter(is_exact).map_or(Entry::Unknown, Entry::Known);
        self.memo.entries.insert(frame.key, entry);
        entry
    }

    /// Checks the memory limit. While the table grows, the old one is allocated beside the new one;
    /// what states on the stack hold on the heap is not counted.
    fn check_memory(&self) -> Result<(), Unsolved> {
        // The table has one control byte for each slot, and one slot in eight stays free.
        const SLOT: usize = size_of::<(Fingerprint, Entry)>() + 1;
        let memo = &self.memo;
        let grows = memo.entries.len() == memo.entries.capacity();
        let slots = memo.entries.capacity().max(1) * 8 / 7 * if grows { 3 } else { 1 };
        let bytes = slots * SLOT + memo.frames.len() * size_of::<Frame<G>>();
        let limit = self.max_bytes.unwrap_or(Memo::<G>::MAX_BYTES);
        if bytes > limit { Err(Unsolved::Memory) } else { Ok(()) }
    }
}

/// The same outcome as seen by the parent, one joint move earlier.
fn from_parent(value: Value) -> Value {
    Value { distance: value.distance.saturating_add(1), ..value }
}
