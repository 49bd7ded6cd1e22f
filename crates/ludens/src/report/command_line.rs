//! The running command, quoted for a shell.

/// The command line, quoted for a shell where needed.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args().map(|word| quoted(&word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let harmless = |c: char| c.is_alphanumeric() || "-_=./:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_if_a_shell_would_split_them() {
        assert_eq!(quoted("--games"), "--games");
        assert_eq!(quoted("uct(c=0.4) + ppaf"), "'uct(c=0.4) + ppaf'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
