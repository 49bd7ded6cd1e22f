//! Names in messages: as the rules spell them, or scrambled.

use ludens_gdl::{Scrambler, Symbols};

/// Translates between the reasoner's names and those that players see.
pub(super) struct Translator<'h, D> {
    pub(super) symbols: &'h Symbols,
    pub(super) scrambler: Option<Scrambler<D>>,
}

impl<D: FnMut(usize) -> usize> Translator<'_, D> {
    /// A role or a move as players see it.
    pub(super) fn encode(&mut self, term: &str) -> String {
        let term = self.symbols.spell(term);
        self.scramble(&term)
    }

    /// Text of the rules as players see it.
    pub(super) fn scramble(&mut self, text: &str) -> String {
        match &mut self.scrambler {
            Some(scrambler) => scrambler.scramble(text),
            None => text.to_owned(),
        }
    }

    /// The answer of a player, with the names of the rules.
    pub(super) fn decode(&self, text: &str) -> String {
        self.scrambler.as_ref().map_or_else(|| text.to_owned(), |words| words.unscramble(text))
    }
}

/// Longer answers are truncated.
const MAX_SHOWN: usize = 100;

/// An answer that is safe to print: without control characters, and not too long.
pub(crate) fn shown(answer: &str) -> String {
    let escaped = |c: char| {
        let harmless = c == ' ' || c.is_ascii_graphic();
        harmless
            .then_some(c)
            .into_iter()
            .chain((!harmless).then(|| c.escape_debug()).into_iter().flatten())
    };
    let mut letters = answer.chars().flat_map(escaped);
    let mut text: String = letters.by_ref().take(MAX_SHOWN).collect();
    if letters.next().is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_safe_to_print() {
        assert_eq!(shown("( mark 1 'é' )"), "( mark 1 'é' )");
        assert_eq!(shown("\u{1b}[31mred\n\u{7}\0"), r"\u{1b}[31mred\n\u{7}\0");
        assert_eq!(shown(&"y".repeat(100)), "y".repeat(100));
        assert_eq!(shown(&"y".repeat(900_000)), format!("{}…", "y".repeat(100)));
    }
}
