//! Interned words.
//!
//! GDL constants are compared without regard to case, as the competition's game managers do; the
//! spelling seen first is kept for replies that must echo it.

use rustc_hash::{FxHashMap, FxHashSet};

/// A word of the description, equal for all spellings of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// All words seen so far.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    by_text: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
    spellings: Vec<Box<str>>,
    bare: FxHashSet<Symbol>,
    parenthesised: FxHashSet<Symbol>,
}

impl Symbols {
    /// The symbol of a word, a new one if needed.
    pub fn intern(&mut self, word: &str) -> Symbol {
        if let Some(symbol) = self.find(word) {
            return symbol;
        }
        let text: Box<str> = word.to_lowercase().into();
        let symbol = Symbol(self.texts.len() as u32);
        self.by_text.insert(text.clone(), symbol);
        self.texts.push(text);
        self.spellings.push(word.into());
        symbol
    }

    /// The symbol of a word that was seen before.
    pub fn find(&self, word: &str) -> Option<Symbol> {
        if word.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            return self.by_text.get(word.to_lowercase().as_str()).copied();
        }
        self.by_text.get(word).copied()
    }

    /// The word in lower case.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    /// The word as it was spelled when first seen.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        &self.spellings[symbol.0 as usize]
    }

    /// A term in lower case, with every word as it was spelled when first seen.
    pub fn spell(&self, term: &str) -> String {
        let mut out = String::with_capacity(term.len());
        for part in term.split_inclusive([' ', '(', ')']) {
            let word = part.trim_end_matches([' ', '(', ')']);
            out.push_str(self.find(word).map_or(word, |symbol| self.spelling(symbol)));
            out.push_str(&part[word.len()..]);
        }
        out
    }

    /// Records how a constant was written as a term: `p`, or `(p)`, which is the same.
    pub fn note_term(&mut self, symbol: Symbol, parenthesised: bool) {
        let seen = if parenthesised { &mut self.parenthesised } else { &mut self.bare };
        seen.insert(symbol);
    }

    /// Whether the description writes this constant as `(p)` throughout, so that output should too.
    pub fn is_parenthesised(&self, symbol: Symbol) -> bool {
        self.parenthesised.contains(&symbol) && !self.bare.contains(&symbol)
    }

    /// The number of different words.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_spelt_as_first_seen() {
        let mut symbols = Symbols::default();
        for word in ["Mark", "MARK", "noOp", "1"] {
            symbols.intern(word);
        }
        assert_eq!(symbols.spell("(mark 1 (noop) unknown)"), "(Mark 1 (noOp) unknown)");
        assert_eq!(symbols.spell("noop"), "noOp");
        assert_eq!(symbols.spell(""), "");
    }
}
