//! Parsing of facts such as `(cell 1 1 b)`.

/// A fact: a name and its arguments in lower case. Compound arguments remain text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    /// The outermost name.
    pub name: String,
    /// The arguments.
    pub args: Vec<String>,
}

impl Fact {
    /// Parses a fact; `None` if it is blank or its parentheses do not match.
    pub fn parse(text: &str) -> Option<Fact> {
        let text = text.trim().to_lowercase();
        let Some(inside) = text.strip_prefix('(') else {
            let plain = !text.is_empty() && !text.contains(['(', ')', ' ', '\t', '\n']);
            return plain.then_some(Fact { name: text, args: Vec::new() });
        };
        let mut words = split(inside.strip_suffix(')')?)?;
        if words.is_empty() || words[0].starts_with('(') {
            return None;
        }
        let name = words.remove(0);
        Some(Fact { name, args: words })
    }
}

/// Splits at white space outside parentheses.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 && c.is_whitespace() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    (depth == 0).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        Fact::parse(text).map(|fact| format!("{}[{}]", fact.name, fact.args.join("|")))
    }

    #[test]
    fn facts_are_parsed() {
        assert_eq!(shown("(Cell 1 (pos 2 3) b)").unwrap(), "cell[1|(pos 2 3)|b]");
        assert_eq!(shown(" done ").unwrap(), "done[]");
        assert_eq!(shown("(done)").unwrap(), "done[]");
    }

    #[test]
    fn malformed_text_is_not_a_fact() {
        for text in ["", "(", ")", "()", "(a (b)", "(a b))", "a b", "((a) b)", "(a)b)("] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
