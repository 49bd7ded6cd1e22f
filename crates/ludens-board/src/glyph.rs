//! Short signs for the contents of cells.

use std::collections::{BTreeMap, BTreeSet};

/// The sign of an empty cell.
pub(crate) const EMPTY: &str = "·";

/// Numbers up to this length are their own signs.
const MAX_NUMBER_LENGTH: usize = 4;

/// Names with a common prefix of this length belong together.
const FAMILY_PREFIX: usize = 3;

/// With more three-letter contents than this, three letters count as short.
const MANY_THREE_LETTER_WORDS: usize = 8;

/// The signs of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glyphs {
    signs: BTreeMap<String, String>,
    /// Contents drawn as empty whose names do not mean empty.
    pub empty: Vec<String>,
}

impl Glyphs {
    /// Assigns each content its own sign: itself if it is short, else one or a few letters. Flags are
    /// names of fluents without content.
    pub fn new(contents: &BTreeSet<String>, flags: &BTreeSet<String>) -> Glyphs {
        let mut glyphs = Glyphs::default();
        glyphs.add(contents, flags);
        glyphs
    }

    /// Gives signs to contents that have none yet.
    pub fn add(&mut self, contents: &BTreeSet<String>, flags: &BTreeSet<String>) {
        let room = if contents.iter().filter(|c| c.len() == 3).count() > MANY_THREE_LETTER_WORDS {
            3
        } else {
            2
        };
        let is_short = |content: &String| is_short(content, room) && !flags.contains(content);
        let unknown = contents.iter().chain(flags).filter(|c| !self.signs.contains_key(*c));
        let (short, long): (BTreeSet<&String>, BTreeSet<&String>) =
            unknown.partition(|content| is_short(content));
        self.signs.extend(short.into_iter().map(|content| (content.clone(), content.clone())));
        let stems: Vec<Vec<char>> = long.iter().map(|content| letters(content)).collect();
        for (content, stem) in long.iter().zip(&stems) {
            let rivals: Vec<&Vec<char>> = stems
                .iter()
                .filter(|other| *other != stem && other.first() == stem.first())
                .collect();
            let taken = |sign: &String| self.signs.values().any(|other| other == sign);
            let proposals = proposals(content, stem, &rivals, flags.contains(*content));
            let sign = proposals.into_iter().find(|sign| !taken(sign));
            self.signs.insert((*content).clone(), sign.unwrap_or_else(|| (*content).clone()));
        }
    }

    /// The sign of a content; an unknown content is its own sign.
    pub fn sign<'a>(&'a self, content: &'a str) -> &'a str {
        self.signs.get(content).map_or(content, String::as_str)
    }

    /// A number for each content, stable within a game.
    pub fn number(&self, content: &str) -> usize {
        self.signs.keys().position(|known| known == content).unwrap_or(self.signs.len())
    }
}

/// A short word, or a number with at most one letter before it.
fn is_short(content: &str, room: usize) -> bool {
    let digits = content.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = content.len() - digits.len() <= 1 && digits.parse::<i64>().is_ok();
    !content.contains(' ')
        && content.chars().count() <= if number { MAX_NUMBER_LENGTH } else { room }
}

/// Letters and digits, without separators.
fn letters(content: &str) -> Vec<char> {
    content.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Possible signs for a content, best first.
fn proposals(content: &str, stem: &[char], rivals: &[&Vec<char>], flag: bool) -> Vec<String> {
    let first: String = stem.iter().take(1).collect();
    let nearest = rivals.iter().map(|other| shared(stem, other)).max().unwrap_or(0);
    let common = rivals.iter().map(|other| shared(stem, other)).min().unwrap_or(0);
    let mut signs = Vec::new();
    let initials = initials(content);
    if content.contains(' ') {
        signs.push(initials);
    } else if rivals.is_empty() {
        signs.push(first.clone());
    } else if initials.chars().count() > 1 {
        signs.push(initials);
    } else if flag && nearest >= FAMILY_PREFIX {
        signs.extend(stem.get(nearest).map(char::to_string));
    }
    let digits = stem.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    if (1..MAX_NUMBER_LENGTH).contains(&digits) {
        signs.push(stem.iter().take(1).chain(&stem[stem.len() - digits..]).collect());
    }
    let rest = stem.iter().skip(common.max(1)).chain(stem.iter().skip(1));
    signs.extend(rest.map(|c| format!("{first}{c}")));
    signs.extend((3..=stem.len()).map(|n| stem.iter().take(n).collect()));
    signs.extend((2..1000).map(|n| format!("{first}{n}")));
    signs
}

/// Length of the common prefix.
fn shared(a: &[char], b: &[char]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// First letters of the words, numbers whole: `white rook` is `wr`, `10 red` is `10r`.
fn initials(content: &str) -> String {
    let words = content.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let short = |word: &str| -> String {
        if word.parse::<i64>().is_ok() { word.to_owned() } else { word.chars().take(1).collect() }
    };
    words.map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(contents: &str) -> String {
        let contents: BTreeSet<String> = contents.split(',').map(str::to_owned).collect();
        let glyphs =
            Glyphs::new(&contents, &BTreeSet::from(["walleast", "wallwest"].map(String::from)));
        contents.iter().map(|c| glyphs.sign(c)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn signs_are_short_and_differ() {
        assert_eq!(signs("x,o,wp,128"), "128 o wp x");
        assert_eq!(signs("red,blue"), "b r");
        assert_eq!(signs("black,blue,red"), "ba bu r");
        assert_eq!(signs("blackking,blackknight,blackpawn"), "bk bn bp");
        assert_eq!(signs("white rook,black rook,1 red"), "1r br wr");
    }

    #[test]
    fn flags_are_one_letter_if_possible() {
        assert_eq!(signs("walleast,wallwest,red"), "r e w");
    }

    #[test]
    fn late_contents_get_free_signs() {
        let set = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<BTreeSet<_>>();
        let mut glyphs = Glyphs::new(&set(&["red", "green"]), &set(&[]));
        glyphs.add(&set(&["rook", "red", "()"]), &set(&[]));
        let signs = ["red", "green", "rook", "()"].map(|c| glyphs.sign(c).to_owned());
        assert_eq!(signs, ["r", "g", "ro", "()"]);
        assert_eq!(glyphs.sign("unheard"), "unheard");
    }
}
