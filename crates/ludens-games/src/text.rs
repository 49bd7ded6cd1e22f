//! Moves and facts as text: terms without nested terms, such as `noop` or `(cell 1 2 white)`.

/// The words of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    /// The words of a text, if it is an atom or a term without nested terms.
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let inner = match text.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')')?,
            None if text.contains(char::is_whitespace) => return None,
            None => text,
        };
        let words: Vec<&str> = inner.split_whitespace().collect();
        (!words.is_empty() && !inner.contains(['(', ')'])).then_some(Words(words))
    }

    /// The other words, if the first is `name` and `N` words follow.
    pub fn after<const N: usize>(&self, name: &str) -> Option<[&'a str; N]> {
        let (first, rest) = self.0.split_first()?;
        first.eq_ignore_ascii_case(name).then(|| rest.try_into().ok()).flatten()
    }
}

/// The number of a word; `01` and `+1` are not numbers.
pub fn number(word: &str) -> Option<u32> {
    let number = word.parse().ok()?;
    (!word.starts_with('+') && (number == 0 || !word.starts_with('0'))).then_some(number)
}

/// The index of a role by its name.
pub fn role_idx(roles: [&str; 2], word: &str) -> Option<usize> {
    roles.iter().position(|role| role.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flat_terms_are_parsed() {
        let after = |text| Words::parse(text).and_then(|words| words.after::<2>("play"));
        assert_eq!(after("( PLAY 1  2 )"), Some(["1", "2"]));
        for text in ["play 1 2", "(play 1)", "(play (1) 2)", "(play 1 2", "()", "", "(plays 1 2)"] {
            assert_eq!(after(text), None, "{text}");
        }
        assert_eq!(Words::parse("noop").and_then(|words| words.after::<0>("noop")), Some([]));
    }

    #[test]
    fn numbers_have_one_spelling() {
        let read = ["7", "12", "0", "07", "+7", "-7", "x", ""].map(number);
        assert_eq!(read, [Some(7), Some(12), Some(0), None, None, None, None, None]);
    }
}
