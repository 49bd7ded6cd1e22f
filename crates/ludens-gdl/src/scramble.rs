//! Scrambling of rules. The game managers of the competition replace the words of rules, so that
//! players cannot recognise a game by its names; moves are translated in both directions.

use rustc_hash::FxHashMap;

use crate::lex::{TokenKind, tokens};

/// Reserved words, which are not replaced.
const RESERVED: [&str; 16] = [
    "init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "random",
    "sees", "not", "or", "distinct", "_",
];

/// Replaces words consistently by others.
#[derive(Clone, Debug)]
pub struct Scrambler<D> {
    /// Draws a number below the given one.
    draw: D,
    /// The replacement of each word, by the word in lower case.
    forward: FxHashMap<String, String>,
    /// The original word of each replacement, in the spelling seen first.
    back: FxHashMap<String, String>,
}

impl<D: FnMut(usize) -> usize> Scrambler<D> {
    /// A scrambler that draws its words with `draw`.
    pub fn new(draw: D) -> Self {
        Scrambler { draw, forward: FxHashMap::default(), back: FxHashMap::default() }
    }

    /// Rules or moves with other words. Comments are dropped, and parts are separated by one blank.
    pub fn scramble(&mut self, text: &str) -> String {
        rewrite(text, |word| self.word(word))
    }

    /// Undoes the scrambling. Unknown words stay.
    pub fn unscramble(&self, text: &str) -> String {
        rewrite(text, |word| {
            let known = self.back.get(word.to_lowercase().as_str());
            known.map_or_else(|| word.to_owned(), String::clone)
        })
    }

    fn word(&mut self, word: &str) -> String {
        let (mark, name) = match word.strip_prefix('?') {
            Some(name) => ("?", name),
            None => ("", word),
        };
        let key = word.to_lowercase();
        if mark.is_empty() && (RESERVED.contains(&key.as_str()) || name.parse::<i32>().is_ok()) {
            return word.to_owned();
        }
        if let Some(known) = self.forward.get(&key) {
            return known.clone();
        }
        let mut made = format!("{mark}{}", self.make());
        while self.back.contains_key(&made) || RESERVED.contains(&made.as_str()) {
            made.push_str(&self.syllable());
        }
        self.forward.insert(key, made.clone());
        self.back.insert(made.clone(), word.to_owned());
        made
    }

    /// A pronounceable, meaningless word.
    fn make(&mut self) -> String {
        let n_syllables = 2 + (self.draw)(2);
        (0..n_syllables).map(|_| self.syllable()).collect()
    }

    fn syllable(&mut self) -> String {
        const FIRST: &[u8] = b"bdfgklmnprstvz";
        const SECOND: &[u8] = b"aeiou";
        let letters = [FIRST[(self.draw)(FIRST.len())], SECOND[(self.draw)(SECOND.len())]];
        letters.map(char::from).into_iter().collect()
    }
}

/// Rules or moves on one line, with the same words. Comments are dropped, and parts are separated
/// by one blank.
pub fn in_one_line(text: &str) -> String {
    rewrite(text, str::to_owned)
}

/// Replaces every word of a text.
fn rewrite(text: &str, mut replace: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for token in tokens(text) {
        let part = &text[token.span.range()];
        let part = match token.kind {
            TokenKind::Open | TokenKind::Close => part.to_owned(),
            TokenKind::Atom if part == "<=" => part.to_owned(),
            TokenKind::Atom => replace(part),
            TokenKind::Comment => continue,
        };
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws numbers that look random.
    fn scrambler() -> Scrambler<impl FnMut(usize) -> usize> {
        let mut state = 1u32;
        Scrambler::new(move |n| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % n
        })
    }

    #[test]
    fn words_are_replaced_and_keywords_and_numbers_stay() {
        let mut scrambler = scrambler();
        let text =
            "(role White) ; who\n(<= (legal ?p (mark 1 ?x)) (true (control ?P)) (not (true x)))";
        let other = scrambler.scramble(text);
        for gone in ["White", "who", "mark", "control", "?p", "?x", "?P"] {
            assert!(!other.contains(gone), "{gone} is still in {other}");
        }
        let shape =
            "( role W ) ( <= ( legal ?V ( W 1 ?V ) ) ( true ( W ?V ) ) ( not ( true W ) ) )";
        let same = |(a, b): (&str, &str)| match b {
            "W" => !a.starts_with('?'),
            "?V" => a.starts_with('?'),
            _ => a == b,
        };
        assert_eq!(other.split(' ').count(), shape.split(' ').count());
        assert!(other.split(' ').zip(shape.split(' ')).all(same), "{other}");
        let back = "( role White ) ( <= ( legal ?p ( mark 1 ?x ) ) ( true ( control ?p ) ) ( not ( true x ) ) )";
        assert_eq!(scrambler.unscramble(&other), back);
    }

    #[test]
    fn a_word_has_one_translation_in_any_case() {
        let mut scrambler = scrambler();
        let mark = scrambler.scramble("(Mark 1 2)");
        assert_eq!(scrambler.scramble("(MARK 1 2)"), mark);
        assert_eq!(scrambler.unscramble(&mark.to_uppercase()), "( Mark 1 2 )");
        assert_eq!(scrambler.unscramble("(unknown 3)"), "( unknown 3 )");
    }

    #[test]
    fn rules_in_one_line_have_no_comments() {
        let line = in_one_line("; who\n(role White)\n(<= (legal ?p\tGo)) ; the last line");
        assert_eq!(line, "( role White ) ( <= ( legal ?p Go ) )");
    }

    #[test]
    fn many_words_have_different_translations() {
        let mut scrambler = scrambler();
        let words: Vec<String> = (0..20_000).map(|i| format!("w{i}")).collect();
        let mut others: Vec<_> = words.iter().map(|word| scrambler.scramble(word)).collect();
        for (word, other) in words.iter().zip(&others) {
            assert_eq!(&scrambler.unscramble(other), word);
        }
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), words.len());
    }
}
