//! The games that come with Ludens, embedded in the program.

use std::sync::OnceLock;

use include_dir::{Dir, include_dir};

use crate::header::Header;

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// A game of the library.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name by which it is loaded.
    pub name: &'static str,
    /// The header of its file.
    pub header: Header,
    /// The rules, with the default of each parameter.
    pub text: &'static str,
}

/// All games, sorted by name.
pub fn library() -> &'static [Entry] {
    static LIBRARY: OnceLock<Vec<Entry>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut entries: Vec<_> = GAMES.files().filter_map(entry).collect();
        entries.sort_unstable_by_key(|entry| entry.name);
        entries
    })
}

/// The game with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    let games = library();
    games.binary_search_by_key(&name, |entry| entry.name).ok().map(|found| &games[found])
}

fn entry(file: &'static include_dir::File<'static>) -> Option<Entry> {
    let path = file.path();
    let name = path.file_stem()?.to_str()?;
    let text = file.contents_utf8()?;
    (path.extension()? == "kif").then(|| Entry { name, header: Header::parse(text).0, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_full_header() {
        assert!(!library().is_empty());
        for entry in library() {
            let (header, problems) = Header::parse(entry.text);
            assert_eq!(problems, [], "{}", entry.name);
            for (key, value) in [
                ("title", &header.title),
                ("description", &header.description),
                ("provenance", &header.provenance),
                ("version", &header.version),
            ] {
                assert!(!value.is_empty(), "{}: {key}", entry.name);
            }
            assert!(!header.roles.is_empty() && !header.tags.is_empty(), "{}", entry.name);
            for parameter in &header.parameters {
                let default = parameter.default.unwrap();
                assert!((parameter.min..=parameter.max).contains(&default), "{}", entry.name);
            }
        }
    }

    #[test]
    fn the_roles_of_the_header_are_those_of_the_rules() {
        for entry in library() {
            let (description, _) = ludens_gdl::parse(entry.text);
            let word = |symbol| description.symbols.text(symbol).to_owned();
            let facts = description.statements.iter().filter(|s| s.body.is_none());
            let roles: Vec<_> = facts
                .filter(|s| word(s.head.name.symbol) == "role")
                .filter_map(|s| match s.head.args.first() {
                    Some(ludens_gdl::ast::Term::Constant(name)) => Some(word(name.symbol)),
                    _ => None,
                })
                .collect();
            assert_eq!(roles, entry.header.roles, "{}", entry.name);
        }
    }

    #[test]
    fn games_are_found_by_name() {
        assert_eq!(find("tictactoe").unwrap().header.title, "Tic-tac-toe");
        assert!(find("tictacto").is_none());
    }
}
