//! Interned ground terms: equal terms have equal numbers.
//!
//! A constant is a function without arguments, so there is one kind of term. One shared log numbers the
//! terms of all threads; each thread reads its own replica without locking, and updates it when it needs a
//! term that the replica lacks.

mod shared;

use std::cmp::Ordering;

use hashbrown::HashTable;
use ludens_core::Move;
use ludens_gdl::tree::MAX_DEPTH;
use ludens_gdl::{Symbol, Symbols};
use rustc_hash::FxHashMap;

use crate::halt::Halt;
use crate::hash::hash_from;
pub(crate) use shared::SharedStore;

/// Terms with more symbols than this when written out are rejected.
const MAX_SIZE: u32 = 100_000;

/// A ground term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

/// A function name with its arity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Functor(pub u32);

#[derive(Clone, Copy)]
struct Entry {
    functor: Functor,
    first: u32,
    arity: u16,
    depth: u16,
    /// The number of symbols of the term when written out.
    size: u32,
}

/// All ground terms seen so far, and which of them are moves.
#[derive(Clone, Default)]
pub struct Store {
    symbols: Symbols,
    functors: Vec<(Symbol, u32)>,
    functor_ids: FxHashMap<(Symbol, u32), Functor>,
    entries: Vec<Entry>,
    args: Vec<Value>,
    table: HashTable<Value>,
    moves: Vec<Value>,
    move_ids: FxHashMap<Value, Move>,
}

fn hash(functor: Functor, args: &[Value]) -> u64 {
    hash_from(functor.0, args.iter().copied())
}

impl Store {
    /// An empty store over these symbols.
    pub fn new(symbols: Symbols) -> Self {
        Store { symbols, ..Store::default() }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// An estimate of the memory held.
    pub fn bytes(&self) -> usize {
        // Entries, their slots in the hash table, and room that growing vectors reserve.
        self.entries.len() * (size_of::<Entry>() + 16) * 3 / 2 + self.args.len() * 6
    }

    /// The number of a function name with its arity, which is added if it is new.
    pub fn functor(&mut self, name: Symbol, arity: usize) -> Functor {
        let key = (name, arity as u32);
        *self.functor_ids.entry(key).or_insert_with(|| {
            self.functors.push(key);
            Functor(self.functors.len() as u32 - 1)
        })
    }

    /// The number of a function name with its arity, if it was seen before.
    pub fn functor_named(&self, name: Symbol, arity: usize) -> Option<Functor> {
        self.functor_ids.get(&(name, arity as u32)).copied()
    }

    /// Whether a term is this constant.
    pub fn is_constant(&self, value: Value, name: Symbol) -> bool {
        self.is_application(value, name, 0)
    }

    /// Whether a term is this function with this arity.
    pub fn is_application(&self, value: Value, name: Symbol, arity: usize) -> bool {
        self.functors[self.functor_of(value).0 as usize] == (name, arity as u32)
    }

    /// The function of a term.
    pub fn functor_of(&self, value: Value) -> Functor {
        self.entries[value.0 as usize].functor
    }

    pub(crate) fn name_of(&self, value: Value) -> Symbol {
        self.functors[self.functor_of(value).0 as usize].0
    }

    pub(crate) fn n_functors(&self) -> usize {
        self.functors.len()
    }

    /// The arguments of a term; none for a constant.
    pub fn args(&self, value: Value) -> &[Value] {
        let entry = self.entries[value.0 as usize];
        &self.args[entry.first as usize..entry.first as usize + entry.arity as usize]
    }

    /// The number of a term, if it was seen before.
    #[inline]
    pub fn find(&self, functor: Functor, args: &[Value]) -> Option<Value> {
        let same = |&value: &Value| {
            let entry = self.entries[value.0 as usize];
            let first = entry.first as usize;
            // A loop, because comparing short slices through the library costs a call.
            entry.functor == functor
                && self.args[first..first + args.len()].iter().zip(args).all(|(a, b)| a == b)
        };
        self.table.find(hash(functor, args), same).copied()
    }

    fn push(&mut self, functor: Functor, args: &[Value]) -> Value {
        let (depth, size) = (self.depth(args), self.size(args));
        let value = Value(self.entries.len() as u32);
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.entries.push(Entry { functor, first, arity: args.len() as u16, depth, size });
        let Store { table, entries, args: all, .. } = self;
        table.insert_unique(hash(functor, args), value, |&v| {
            let e = entries[v.0 as usize];
            hash(e.functor, &all[e.first as usize..e.first as usize + e.arity as usize])
        });
        value
    }

    fn depth(&self, args: &[Value]) -> u16 {
        args.iter().map(|arg| self.entries[arg.0 as usize].depth + 1).max().unwrap_or(0)
    }

    fn size(&self, args: &[Value]) -> u32 {
        let parts = args.iter().map(|arg| self.entries[arg.0 as usize].size);
        parts.fold(1, u32::saturating_add)
    }

    /// Adds a term without the shared log: only for the log itself and for its first replica.
    pub(crate) fn insert(&mut self, functor: Functor, args: &[Value]) -> Result<Value, Halt> {
        if let Some(value) = self.find(functor, args) {
            return Ok(value);
        }
        // Equal subterms are stored once, so a small term can be huge when it is written out.
        if self.depth(args) as usize >= MAX_DEPTH || self.size(args) > MAX_SIZE {
            return Err(Halt::TooDeep);
        }
        Ok(self.push(functor, args))
    }

    /// The number of a term, which is added if it is new; `None` if it is nested too deeply.
    pub fn intern(&mut self, functor: Functor, args: &[Value]) -> Option<Value> {
        self.insert(functor, args).ok()
    }

    fn insert_move(&mut self, term: Value) -> Move {
        *self.move_ids.entry(term).or_insert_with(|| {
            self.moves.push(term);
            Move(self.moves.len() as u32 - 1)
        })
    }

    /// The term of a move.
    pub(crate) fn move_term(&self, m: Move) -> Option<Value> {
        self.moves.get(m.index()).copied()
    }

    /// Copies the terms that another store has beyond this one; both must share a prefix.
    fn catch_up(&mut self, log: &Store) {
        if self.symbols.len() < log.symbols.len() {
            self.symbols = log.symbols.clone();
        }
        for &(name, arity) in &log.functors[self.functors.len()..] {
            self.functor(name, arity as usize);
        }
        for value in (self.len()..log.len()).map(|i| Value(i as u32)) {
            self.push(log.functor_of(value), log.args(value));
        }
        for &term in &log.moves[self.moves.len()..] {
            self.insert_move(term);
        }
    }

    /// An order of terms that depends only on the rules, not on the order in which terms were added.
    pub fn compare(&self, left: Value, right: Value) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let (a, b) = (self.entries[left.0 as usize], self.entries[right.0 as usize]);
        a.functor.cmp(&b.functor).then_with(|| {
            let pairs = self.args(left).iter().zip(self.args(right));
            pairs.map(|(&l, &r)| self.compare(l, r)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        })
    }

    /// A functor as text, `name/arity`.
    pub(crate) fn functor_text(&self, functor: Functor) -> String {
        let (name, arity) = self.functors[functor.0 as usize];
        format!("{}/{arity}", self.symbols.text(name))
    }

    /// The term as text, in lower case.
    pub fn text(&self, value: Value) -> String {
        let mut out = String::new();
        self.write(value, &mut out);
        out
    }

    fn write(&self, value: Value, out: &mut String) {
        let (name, arity) = self.functors[self.functor_of(value).0 as usize];
        if arity == 0 {
            let text = self.symbols.text(name);
            if self.symbols.is_parenthesised(name) {
                return out.extend(["(", text, ")"]);
            }
            return out.push_str(text);
        }
        out.push('(');
        out.push_str(self.symbols.text(name));
        for &arg in self.args(value) {
            out.push(' ');
            self.write(arg, out);
        }
        out.push(')');
    }

    /// The number of a ground term given as text, if it was seen before.
    pub fn read(&self, text: &str) -> Option<Value> {
        let (term, words) = ludens_gdl::parse_term(text)?;
        self.find_parsed(&term, &words)
    }

    fn find_parsed(&self, term: &ludens_gdl::ast::Term, words: &Symbols) -> Option<Value> {
        use ludens_gdl::ast::Term;
        let (name, args): (_, &[Term]) = match term {
            Term::Variable(_) => return None,
            Term::Constant(name) => (name, &[]),
            Term::Function { name, args, .. } => (name, args),
        };
        let symbol = self.symbols.find(words.text(name.symbol))?;
        let values: Option<Vec<_>> = args.iter().map(|arg| self.find_parsed(arg, words)).collect();
        self.find(self.functor_named(symbol, args.len())?, &values?)
    }

    /// Adds a parsed term, with its symbols.
    pub(crate) fn insert_parsed(
        &mut self,
        term: &ludens_gdl::ast::Term,
        words: &Symbols,
    ) -> Option<Value> {
        use ludens_gdl::ast::Term;
        match term {
            Term::Variable(_) => None,
            Term::Constant(name) => {
                let symbol = self.symbols.intern(words.spelling(name.symbol));
                let functor = self.functor(symbol, 0);
                self.insert(functor, &[]).ok()
            }
            Term::Function { name, args, .. } => {
                let symbol = self.symbols.intern(words.spelling(name.symbol));
                let values: Option<Vec<_>> =
                    args.iter().map(|arg| self.insert_parsed(arg, words)).collect();
                let functor = self.functor(symbol, args.len());
                self.insert(functor, &values?).ok()
            }
        }
    }
}
