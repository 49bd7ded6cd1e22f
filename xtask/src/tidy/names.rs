//! Finds meaningless names, unfinished code and ignored tests.

use super::Finding;
use super::source::{has_word, lines};

/// Parts of names that have no meaning.
const MEANINGLESS_NAMES: [&str; 3] = ["Manager", "Helper", "Util"];

/// Files that may contain `unsafe`.
const UNSAFE_FILES: &[&str] = &[
    "crates/ludens-propnet/src/jit/memory.rs",
    "crates/ludens-propnet/src/lanes/plane.rs",
    "crates/ludens-propnet/src/lanes/random.rs",
    "crates/ludens-propnet/src/lanes/simulator.rs",
    "crates/ludens-propnet/src/lanes/transpose.rs",
];

/// Marks of unfinished code and ignored tests, each with the remedy.
const UNFINISHED: [(&str, &str); 4] = [
    ("todo!", "implement it, or remove the feature"),
    ("unimplemented!", "implement it, or remove the feature"),
    ("#[ignore", "make the test fast and reliable, or remove it"),
    ("dbg!", "remove it"),
];

/// The mark of notes, in two parts so that this line has none.
const NOTE: &str = concat!("FIX", "ME");

/// Checks a source for meaningless names and unfinished code.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for line in lines(path, text) {
        let mut find = |what: String, remedy: &str| {
            findings.push(Finding::new(path, line.number, what, remedy));
        };
        for (mark, remedy) in UNFINISHED {
            if has_word(&line.code, mark) {
                find(format!("`{mark}`"), remedy);
            }
        }
        if has_word(&line.code, "unsafe") && !UNSAFE_FILES.contains(&path) {
            find("`unsafe` outside of the files that may have it".into(), "write safe code");
        }
        if let Some(name) = defined_type(&line.code).filter(|name| is_meaningless(name)) {
            find(
                format!("the name `{name}` does not say what it is"),
                "name what it does or holds",
            );
        }
    }
    for (number, line) in (1..).zip(text.lines()) {
        if line.contains(NOTE) {
            findings.push(Finding::new(path, number, NOTE, "do it, or write an issue"));
        }
    }
    findings
}

/// Checks the name of a file.
pub fn check_file_name(path: &str) -> Option<Finding> {
    let stem = path.rsplit('/').next()?.split('.').next()?;
    let words: Vec<&str> = stem.split(['_', '-']).collect();
    let is_meaningless = words.iter().any(|word| {
        let word = word.trim_end_matches('s');
        MEANINGLESS_NAMES.iter().any(|name| name.eq_ignore_ascii_case(word))
    });
    is_meaningless.then(|| {
        let what = format!("the file name `{stem}` does not say what is in it");
        Finding::new(path, 0, what, "name the concept that the file contains")
    })
}

fn is_meaningless(name: &str) -> bool {
    MEANINGLESS_NAMES.iter().any(|part| name.contains(part))
}

/// The type that a line defines.
fn defined_type(code: &str) -> Option<&str> {
    let mut words =
        code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
    words.find(|word| ["struct", "enum", "trait", "type"].contains(word))?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        check("src/a.rs", text).into_iter().map(|f| format!("{} {}", f.line, f.what)).collect()
    }

    #[test]
    fn unfinished_code_is_found() {
        assert_eq!(found("fn a() {\n    todo!()\n}"), ["2 `todo!`"]);
        assert_eq!(found("#[ignore = \"slow\"]"), ["1 `#[ignore`"]);
        assert_eq!(found(&format!("// {NOTE} later")), [format!("1 {NOTE}")]);
        assert_eq!(found("// todo!() and unsafe\nlet a = \"todo!()\";"), Vec::<String>::new());
    }

    #[test]
    fn unsafe_code_is_found() {
        assert_eq!(found("unsafe { x() }").len(), 1);
        assert_eq!(found("#![deny(unsafe_code)]").len(), 0);
    }

    #[test]
    fn meaningless_names_are_found() {
        assert_eq!(found("pub struct GameManager;").len(), 1);
        assert_eq!(found("pub(crate) type Helper<T> = T;").len(), 1);
        assert_eq!(found("struct Game; // no Manager").len(), 0);
        assert!(check_file_name("crates/x/src/utils.rs").is_some());
        assert!(check_file_name("crates/x/src/test_helpers.rs").is_some());
        assert!(check_file_name("crates/x/src/utility.rs").is_none());
    }
}
