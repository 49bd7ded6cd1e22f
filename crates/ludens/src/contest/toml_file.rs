//! Files in TOML, and what to do about slips in them.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use ludens_catalog::nearest;
use serde::de::DeserializeOwned;

use crate::failure::Hinted;

/// A file with its text, so that what is wrong in it can be told with its line.
pub struct Slip<'a> {
    /// The file, for messages.
    pub path: &'a Path,
    /// What stands in it.
    pub text: &'a str,
}

/// Reads a file. Unknown keys and words are answered with the nearest that would do.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> anyhow::Result<(String, T)> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let value = Slip { path, text: &text }.parse()?;
    Ok((text, value))
}

impl Slip<'_> {
    /// What the text means.
    fn parse<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        toml::from_str(self.text).map_err(|error| {
            let what = error.message().trim_end();
            let message = format!("{}: {what}", self.place(error.span()));
            match remedy(what) {
                Some(hint) => Hinted::new(message, hint).into(),
                None => anyhow::Error::msg(message),
            }
        })
    }

    /// The file, and the line in it.
    pub fn place(&self, span: Option<Range<usize>>) -> String {
        let before = span.and_then(|span| self.text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        format!("{}{line}", self.path.display())
    }
}

/// What to do about a slip. Messages name words in backquotes: the wrong one first, then those that
/// would do.
fn remedy(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let first = names.next()?;
    if message.starts_with("missing field ") {
        return Some(format!("add a line `{first} = …`"));
    }
    message.starts_with("unknown ").then_some(())?;
    let known: Vec<&str> = names.collect();
    Some(match nearest(first, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are: {}", known.join(", ")),
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
    fn slips_are_told_with_line_and_remedy() {
        for (text, message, hint) in [
            ("games = 1\nsede = 3", "a.toml, line 2: unknown field `sede`", "did you mean `seed`?"),
            ("games = 1\nxyz = 3", "line 2: unknown field `xyz`", "there are: games, seed"),
            ("seed = 1", "missing field `games`", "add a line `games = …`"),
            ("\ngames = 'x'", "a.toml, line 2: invalid type: string \"x\"", ""),
            ("games = 1\n\n= 2", "a.toml, line 3: ", ""),
        ] {
            let slip = Slip { path: Path::new("a.toml"), text };
            let error = slip.parse::<Small>().unwrap_err();
            let told = error.to_string();
            assert!(told.contains(message), "{told}");
            assert_eq!(error.downcast_ref::<Hinted>().map_or("", Hinted::hint), hint);
        }
    }
}
