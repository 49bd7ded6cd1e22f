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

/// What a state is worth: a number of payoffs, and the distance to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Worth {
    payoffs: u32,
    distance: u32,
}

/// What is known about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// It is being searched: to meet it again now is a cycle.
    Open,
    /// Its worth depends on itself.
    Unknown,
    /// It is solved.
    Known(Worth),
}

/// All states solved so far.
pub(super) struct Memo<G: Game> {
    game: Arc<G>,
    entries: FxHashMap<Fingerprint, Entry>,
    payoffs: Vec<Payoffs>,
    numbers: FxHashMap<Vec<u32>, u32>,
    /// The states from the root to the one at hand, then memory for deeper ones. A stack of our
    /// own, since a line of play may be longer than the machine's stack is deep.
    frames: Vec<Frame<G>>,
    depth: usize,
    view: View,
}

/// A state whose moves are being tried.
struct Frame<G: Game> {
    state: Option<G::State>,
    key: Fingerprint,
    role: Role,
    joint: Vec<Move>,
    moves: Vec<Move>,
    next: usize,
    best: Option<Worth>,
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
    /// How large the table may become if the budget does not say.
    const MAX_BYTES: usize = 1 << 30;

    /// Nothing is solved yet.
    pub fn new(game: Arc<G>) -> Self {
        Memo {
            game,
            entries: FxHashMap::default(),
            payoffs: Vec::new(),
            numbers: FxHashMap::default(),
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
        // A search that stopped half-way leaves states open, which are not in any circle.
        for frame in &self.frames[..std::mem::take(&mut self.depth)] {
            self.entries.remove(&frame.key);
        }
        let states = meter.spent - before;
        solved.map(|solution| Solution { states, ..solution })
    }

    /// The number of a list of payoffs; few different ones occur in a game.
    fn number(&mut self, payoffs: &Payoffs) -> u32 {
        let bits: Vec<u32> = payoffs.iter().map(|payoff| payoff.to_bits()).collect();
        let fresh = self.payoffs.len() as u32;
        let number = *self.numbers.entry(bits).or_insert(fresh);
        if number == fresh {
            self.payoffs.push(payoffs.clone());
        }
        number
    }

    /// Compares two outcomes as a role sees them; `Greater` means that `a` is preferred.
    fn compare(&self, role: Role, a: Worth, b: Worth) -> Ordering {
        let payoffs = |worth: Worth| &self.payoffs[worth.payoffs as usize];
        if a.payoffs != b.payoffs {
            return compare(role, payoffs(a).as_slice(), payoffs(b).as_slice());
        }
        let hurries = payoffs(a)[role] >= 0.5;
        if hurries { b.distance.cmp(&a.distance) } else { a.distance.cmp(&b.distance) }
    }

    /// Whether nothing can be better: the role takes everything with its next move.
    fn is_final(&self, role: Role, worth: Worth) -> bool {
        let payoffs = &self.payoffs[worth.payoffs as usize];
        worth.distance == 1 && is_unbeatable(role, payoffs.as_slice())
    }
}

/// A search in progress.
struct Search<'a, 'b, G: Game> {
    memo: &'a mut Memo<G>,
    meter: &'a mut Meter<'b>,
    max_bytes: Option<usize>,
}

/// What comes of turning to a state: it is settled at once, or it was put on the stack.
enum Turn {
    Settled(Entry),
    Opened,
}

impl<G: Game> Search<'_, '_, G> {
    /// The solution of the root, all of whose moves are searched, also those that are not needed.
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
            if let Entry::Known(worth) = self.settle(next)? {
                known.push((mv, later(worth)));
            }
        }
        let has_unknown = known.len() < view.legal[role].len();
        known.sort_by(|a, b| self.memo.compare(role, b.1, a.1));
        let best = known.first().map(|(_, worth)| *worth);
        let best = best.filter(|best| !has_unknown || self.memo.is_final(role, *best));
        let Some(best) = best else { return Err(Unsolved::Cycle) };
        let choice = |&(mv, worth): &(Move, Worth)| {
            let payoffs = self.memo.payoffs[worth.payoffs as usize].clone();
            SolvedMove { mv, payoffs, distance: worth.distance }
        };
        let choices = known.iter().map(choice).collect();
        let payoffs = self.memo.payoffs[best.payoffs as usize].clone();
        let (distance, decider) = (best.distance, Some(role));
        Ok(Solution { payoffs, distance, decider, choices, states })
    }

    /// What is known about a state after everything below it was searched.
    fn settle(&mut self, state: G::State) -> Result<Entry, Unsolved> {
        let mut entry = match self.turn_to(state)? {
            Turn::Settled(entry) => return Ok(entry),
            Turn::Opened => None,
        };
        while self.memo.depth > 0 {
            if let Some(entry) = entry.take() {
                self.absorb(entry);
            }
            entry = match self.next_child() {
                Some(child) => match self.turn_to(child)? {
                    Turn::Settled(entry) => Some(entry),
                    Turn::Opened => None,
                },
                None => Some(self.close()),
            };
        }
        Ok(entry.expect("the last state closed was the one asked about"))
    }

    fn turn_to(&mut self, state: G::State) -> Result<Turn, Unsolved> {
        let key = Fingerprint::of(&state);
        match self.memo.entries.get(&key) {
            Some(Entry::Open | Entry::Unknown) => return Ok(Turn::Settled(Entry::Unknown)),
            Some(known) => return Ok(Turn::Settled(*known)),
            None => {}
        }
        self.meter.tick().map_err(|_| Unsolved::Budget)?;
        self.check_memory()?;
        let mut view = std::mem::take(&mut self.memo.view);
        self.memo.game.look(&state, &mut view);
        let turn = self.enter(state, key, &view);
        self.memo.view = view;
        turn
    }

    /// Takes up a state that was never seen before.
    fn enter(&mut self, state: G::State, key: Fingerprint, view: &View) -> Result<Turn, Unsolved> {
        if has_ended(view) {
            let worth = Worth { payoffs: self.memo.number(&view.payoffs), distance: 0 };
            self.memo.entries.insert(key, Entry::Known(worth));
            return Ok(Turn::Settled(Entry::Known(worth)));
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
        Ok(Turn::Opened)
    }

    /// The state after the next move to be tried in the state on top, if there is one.
    fn next_child(&mut self) -> Option<G::State> {
        let frame = &self.memo.frames[self.memo.depth - 1];
        if frame.best.is_some_and(|best| self.memo.is_final(frame.role, best)) {
            return None;
        }
        let mv = *frame.moves.get(frame.next)?;
        let frame = &mut self.memo.frames[self.memo.depth - 1];
        frame.next += 1;
        frame.joint[frame.role.index()] = mv;
        let mut child = frame.state.clone().expect("an open state is there");
        self.memo.game.play(&mut child, &frame.joint);
        Some(child)
    }

    /// The state on top learns what one of its moves leads to.
    fn absorb(&mut self, entry: Entry) {
        let top = self.memo.depth - 1;
        let Entry::Known(worth) = entry else {
            self.memo.frames[top].has_unknown = true;
            return;
        };
        let (worth, frame) = (later(worth), &self.memo.frames[top]);
        if frame.best.is_none_or(|best| self.memo.compare(frame.role, worth, best).is_gt()) {
            self.memo.frames[top].best = Some(worth);
        }
    }

    /// All that matters about the state on top is known: it leaves the stack.
    fn close(&mut self) -> Entry {
        self.memo.depth -= 1;
        let frame = &self.memo.frames[self.memo.depth];
        let sure = |best: &Worth| !frame.has_unknown || self.memo.is_final(frame.role, *best);
        let entry = frame.best.filter(sure).map_or(Entry::Unknown, Entry::Known);
        self.memo.entries.insert(frame.key, entry);
        entry
    }

    /// Refuses to let the table grow beyond what is allowed. While it grows, the old half lives on
    /// beside the new; what states on the stack hold on the heap is not counted.
    fn check_memory(&self) -> Result<(), Unsolved> {
        // A byte of the table's own for each place, and one place in eight stays free.
        const PLACE: usize = size_of::<(Fingerprint, Entry)>() + 1;
        let memo = &self.memo;
        let grows = memo.entries.len() == memo.entries.capacity();
        let places = memo.entries.capacity().max(1) * 8 / 7 * if grows { 3 } else { 1 };
        let bytes = places * PLACE + memo.frames.len() * size_of::<Frame<G>>();
        let limit = self.max_bytes.unwrap_or(Memo::<G>::MAX_BYTES);
        if bytes > limit { Err(Unsolved::Memory) } else { Ok(()) }
    }
}

/// The same outcome, seen one joint move earlier.
fn later(worth: Worth) -> Worth {
    Worth { distance: worth.distance.saturating_add(1), ..worth }
}
