//! Checks that library crates do not print, parse arguments, or change signal handlers and the panic hook:
//! several of their callers may run in one process.

use super::Finding;
use super::source::{has_word, lines};

/// The crate of the command line, in which only `lib.rs` is a library.
const COMMAND: &str = "ludens";

/// Names that library crates must not use, each with the remedy.
const FORBIDDEN: [(&str, &str); 14] = [
    ("println!", RETURN),
    ("eprintln!", RETURN),
    ("print!", RETURN),
    ("eprint!", RETURN),
    ("dbg!", RETURN),
    ("anstream", RETURN),
    ("stdout", RETURN),
    ("stderr", RETURN),
    ("clap", "take plain data, and let the command line convert its arguments"),
    ("ctrlc", STOP),
    ("tokio::signal", STOP),
    ("signal_hook", STOP),
    ("set_hook", GUARD),
    ("take_hook", GUARD),
];

const RETURN: &str = "return the value, or report an `Event`, and let the caller print it";
const STOP: &str = "take a `Stop`, and let the program raise it";
const GUARD: &str = "catch panics with `ludens_core::guard`";

/// External crates that only the command line uses.
pub const NOT_FOR_LIBRARIES: [&str; 5] =
    ["clap", "clap_complete", "ctrlc", "indicatif", "anstream"];

/// Whether a source belongs to a library.
fn is_library(path: &str) -> bool {
    let Some((krate, file)) = path.strip_prefix("crates/").and_then(|path| path.split_once('/'))
    else {
        return false;
    };
    file.starts_with("src/") && (krate != COMMAND || file == "src/lib.rs")
}

/// Checks the source of a library; tests are exempt.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    if !is_library(path) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for line in lines(path, text).iter().filter(|line| !line.is_test) {
        for (word, remedy) in FORBIDDEN {
            if has_word(&line.code, word) {
                let what = format!("`{word}` in a library");
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
    fn printing_hooks_and_arguments_are_found() {
        let path = "crates/ludens-lab/src/contest/mod.rs";
        assert_eq!(count(path, "println!(\"x\");\neprint!(\"y\");"), 2);
        assert_eq!(count(path, "std::panic::set_hook(h); panic::take_hook()"), 2);
        assert_eq!(count(path, "use clap::Args;\nctrlc::set_handler(f)"), 2);
        assert_eq!(count(path, "let out = std::io::stdout().lock();"), 1);
        assert_eq!(count(path, "tokio::signal::ctrl_c().await; let signal = !signal;"), 1);
        assert_eq!(count(path, "// println!()\n#[cfg(test)]\nmod tests { println!() }"), 0);
    }

    #[test]
    fn only_the_command_line_is_exempt() {
        assert_eq!(count("crates/ludens/src/main.rs", "println!()"), 0);
        assert_eq!(count("crates/ludens/src/lib.rs", "println!()"), 1);
        assert_eq!(count("crates/ludens-games/examples/speed.rs", "println!()"), 0);
        assert_eq!(count("xtask/src/main.rs", "println!()"), 0);
    }
}
