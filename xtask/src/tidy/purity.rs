//! Checks that kernels do no input, output or serialisation, and read no clock: they get a budget.

use super::Finding;
use super::source::{has_word, lines};

/// The crates that only compute.
const PURE: [&str; 7] = ["core", "gdl", "logic", "propnet", "games", "search", "board"];

/// Names that they must not use, each with the remedy.
const FORBIDDEN: [(&str, &str); 12] = [
    ("std::fs", RETURN),
    ("std::net", RETURN),
    ("std::process", RETURN),
    ("std::env", "take it as a parameter"),
    ("println!", RETURN),
    ("eprintln!", RETURN),
    ("print!", RETURN),
    ("eprint!", RETURN),
    ("serde", "define a format type in the surface"),
    ("Instant::now", CLOCK),
    ("SystemTime", CLOCK),
    ("RandomState", "take a `Rng`, or a hasher without a random state"),
];

const RETURN: &str = "return the value and let a surface (the command, the server) handle it";
const CLOCK: &str = "take a `Budget`";

/// The only file of a pure crate that reads the clock.
const CLOCK_FILE: &str = "crates/ludens-core/src/budget.rs";

/// Whether a crate only computes.
pub fn is_pure(krate: &str) -> bool {
    krate.strip_prefix("ludens-").is_some_and(|name| PURE.contains(&name))
}

/// Checks the sources of a pure crate; tests are exempt.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let krate = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next());
    if !krate.is_some_and(is_pure) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for line in lines(path, text).iter().filter(|line| !line.is_test) {
        for (word, remedy) in FORBIDDEN {
            let allowed = remedy == CLOCK && path == CLOCK_FILE;
            if !allowed && has_word(&line.code, word) {
                let what = format!("`{word}` in a crate that only computes");
                findings.push(Finding::new(path, line.number, what, remedy));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(path, text).len()
    }

    #[test]
    fn input_and_output_are_found() {
        let path = "crates/ludens-logic/src/game.rs";
        assert_eq!(count(path, "use std::fs::File;"), 1);
        assert_eq!(count(path, "println!(\"{x}\");\nlet t = std::time::Instant::now();"), 2);
        assert_eq!(count(path, "eprintln!()"), 1);
        assert_eq!(count(path, "// println!()\n#[cfg(test)]\nmod tests { println!() }"), 0);
    }

    #[test]
    fn surfaces_and_the_clock_itself_are_exempt() {
        assert_eq!(count("crates/ludens/src/main.rs", "println!()"), 0);
        assert_eq!(count(CLOCK_FILE, "Instant::now()"), 0);
        assert_eq!(count(CLOCK_FILE, "std::fs::read(x)"), 1);
    }
}
