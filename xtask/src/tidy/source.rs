//! The code of a Rust source, without comments and string literals.

/// A line of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From 1.
    pub number: usize,
    /// The line without comments; string literals are empty.
    pub code: String,
    /// Whether it belongs to the tests at the end of the file.
    pub is_test: bool,
}

/// The lines of a source. String literals may span several lines, as may comments between `/*` and `*/`.
pub fn lines(path: &str, text: &str) -> Vec<Line> {
    let mut is_test = ["/tests/", "/benches/", "/examples/"].iter().any(|part| path.contains(part))
        || path.ends_with("/tests.rs");
    let mut state = State::Code;
    (1..)
        .zip(text.lines())
        .map(|(number, line)| {
            let code = strip(line, &mut state);
            is_test |= code.trim_start().starts_with("#[cfg(test)]");
            Line { number, code, is_test }
        })
        .collect()
}

/// Whether the code has the word, with no letter, digit or underscore beside it.
pub fn has_word(code: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back().is_some_and(is_word);
        let after = code[at + word.len()..].chars().next().is_some_and(is_word);
        let starts_word = word.chars().next().is_some_and(is_word);
        let ends_word = word.chars().next_back().is_some_and(is_word);
        !(before && starts_word || after && ends_word)
    })
}

/// The state of the scanner between two lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Text,
    RawText(usize),
    Comment,
}

fn strip(line: &str, state: &mut State) -> String {
    let mut code = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        rest = match *state {
            State::Code => code_part(rest, &mut code, state),
            State::Text => text_part(rest, state),
            State::RawText(hashes) => until(rest, &format!("\"{}", "#".repeat(hashes)), state),
            State::Comment => until(rest, "*/", state),
        };
    }
    code
}

fn until<'a>(rest: &'a str, end: &str, state: &mut State) -> &'a str {
    let Some(at) = rest.find(end) else {
        return "";
    };
    *state = State::Code;
    &rest[at + end.len()..]
}

fn text_part<'a>(rest: &'a str, state: &mut State) -> &'a str {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' if !escaped => {
                *state = State::Code;
                return &rest[at + 1..];
            }
            _ => escaped = c == '\\' && !escaped,
        }
    }
    ""
}

/// Scans one token of code, and returns the rest of the line.
fn code_part<'a>(rest: &'a str, code: &mut String, state: &mut State) -> &'a str {
    if rest.starts_with("//") {
        return "";
    }
    if let Some(after) = rest.strip_prefix("/*") {
        *state = State::Comment;
        return after;
    }
    if let Some(after) = rest.strip_prefix('"') {
        *state = State::Text;
        code.push_str("\"\"");
        return after;
    }
    for quote in ["'\"'", "'\\\"'", "b'\"'"] {
        if let Some(after) = rest.strip_prefix(quote) {
            return after;
        }
    }
    if let Some((hashes, after)) = raw_start(rest, code) {
        *state = State::RawText(hashes);
        return after;
    }
    let c = rest.chars().next().expect("the rest is not empty");
    code.push(c);
    &rest[c.len_utf8()..]
}

/// The start of a raw string literal: the number of `#`, and the rest after the quotation mark.
fn raw_start<'a>(rest: &'a str, code: &str) -> Option<(usize, &'a str)> {
    if code.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    Some((hashes, after[hashes..].strip_prefix('"')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        lines("src/x.rs", text).into_iter().map(|line| line.code).collect()
    }

    #[test]
    fn comments_and_string_literals_are_removed() {
        assert_eq!(code("let a = 1; // note"), ["let a = 1; "]);
        assert_eq!(code("f(\"a \\\" b\", x)"), ["f(\"\", x)"]);
        assert_eq!(code("a /* b\nc */ d"), ["a ", " d"]);
        assert_eq!(code("let q = '\"'; g()"), ["let q = ; g()"]);
        assert_eq!(code("x(r#\"a \" b\"#, y)"), ["x(, y)"]);
        assert_eq!(code("let t = \"one\ntwo\"; z"), ["let t = \"\"", "; z"]);
    }

    #[test]
    fn tests_are_recognised() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}";
        let tests: Vec<bool> = lines("src/x.rs", text).iter().map(|line| line.is_test).collect();
        assert_eq!(tests, [false, true, true, true, true]);
        assert!(lines("crates/x/tests/y.rs", "fn a() {}")[0].is_test);
        assert!(lines("crates/x/src/y/tests.rs", "fn a() {}")[0].is_test);
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("unsafe {", "unsafe") && has_word("x!(a)", "x!"));
        assert!(!has_word("unsafe_code", "unsafe") && !has_word("eprintln!(", "println!"));
    }
}
