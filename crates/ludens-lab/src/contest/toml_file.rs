//! TOML files, with errors that name the line and suggest a correction.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use ludens_catalog::nearest;
use serde::de::DeserializeOwned;

use crate::hinted::Hinted;

/// A file with its text, for messages that name a line.
pub(super) struct TomlFile<'a> {
    /// The file, for messages.
    pub path: &'a Path,
    /// Its content.
    pub text: &'a str,
}

/// Reads a file. Errors about unknown keys and words suggest the nearest known one.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> anyhow::Result<(String, T)> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let value = TomlFile { path, text: &text }.parse()?;
    Ok((text, value))
}

impl TomlFile<'_> {
    /// Parses the text.
    fn parse<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        toml::from_str(self.text).map_err(|error| {
            let what = error.message().trim_end();
            let message = format!("{}: {what}", self.place(error.span()));
            match hint(what) {
                Some(hint) => Hinted::new(message, hint).into(),
                None => anyhow::Error::msg(message),
            }
        })
    }

    /// The file and the line.
    pub(super) fn place(&self, span: Option<Range<usize>>) -> String {
        let before = span.and_then(|span| self.text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        format!("{}{line}", self.path.display())
    }
}

/// What to do about an error. Messages name words in backquotes: the wrong one first, then the known ones.
fn hint(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let first = names.next()?;
    if message.starts_with("missing field ") {
        return Some(format!("add a line `{first} = …`"));
    }
    message.starts_with("unknown ").then_some(())?;
    let known: Vec<&str> = names.collect();
    Some(match nearest(first, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("valid are: {}", known.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Small {
        #[expect(dead_code, reason = "only read")]
        games: u32,
        #[expect(dead_code, reason = "only read")]
        seed: Option<u32>,
    }

    #[test]
    fn errors_name_the_line_and_suggest_a_correction() {
        for (text, message, hint) in [
            ("games = 1\nsede = 3", "a.toml, line 2: unknown field `sede`", "did you mean `seed`?"),
            ("games = 1\nxyz = 3", "line 2: unknown field `xyz`", "valid are: games, seed"),
            ("seed = 1", "missing field `games`", "add a line `games = …`"),
            ("\ngames = 'x'", "a.toml, line 2: invalid type: string \"x\"", ""),
            ("games = 1\n\n= 2", "a.toml, line 3: ", ""),
        ] {
            let file = TomlFile { path: Path::new("a.toml"), text };
            let error = file.parse::<Small>().unwrap_err();
            let text = error.to_string();
            assert!(text.contains(message), "{text}");
            assert_eq!(error.downcast_ref::<Hinted>().map_or("", Hinted::hint), hint);
        }
    }
}
