//! Finds the text of rules: by a name of the library, a name with parameters, a file, or `-` for
//! the standard input.

use std::io::Read;
use std::path::Path;

use ludens_core::Spec;
use ludens_gdl::source::MAX_SOURCE_BYTES;
use ludens_gdl::{Diagnostic, Source};

use crate::error::CatalogError;
use crate::header::Header;
use crate::library::{Entry, find, library};
use crate::native::NativeTwin;
use crate::nearest::nearest;
use crate::parameter::replace_number;

/// The text of a game with its metadata.
#[derive(Clone, Debug)]
pub struct LoadedSource {
    /// The game as the user named it, in canonical spelling.
    pub name: String,
    /// The text.
    pub source: Source,
    /// Its header.
    pub header: Header,
    /// Problems of its bytes.
    pub problems: Vec<Diagnostic>,
    /// The implementation of the game in Rust, if there is one.
    pub native: Option<NativeTwin>,
}

impl LoadedSource {
    /// How the board is drawn.
    pub fn hints(&self) -> &[String] {
        &self.header.board
    }

    /// Wraps bytes of unknown origin.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Self {
        let (source, problems) = Source::from_bytes(name, bytes);
        let header = Header::parse(&source.text).0;
        LoadedSource { name: name.to_owned(), source, header, problems, native: None }
    }
}

/// Loads the text of a spec or a path.
///
/// A name of the library takes precedence over a file of the same name; a text that contains a slash
/// or ends in `.kif`, `.gdl` or `.txt` is a file.
pub fn load_source(spec_or_path: &str) -> Result<LoadedSource, CatalogError> {
    if spec_or_path == "-" {
        return read("<stdin>", &mut std::io::stdin().lock());
    }
    if is_path(spec_or_path) {
        return read_file(spec_or_path);
    }
    let unreadable =
        |error| CatalogError::Spec { text: spec_or_path.to_owned(), error, example: "hex(size=5)" };
    match Spec::parse(spec_or_path) {
        Ok(spec) => match find(&spec.name) {
            Some(entry) => from_library(entry, &spec),
            None if Path::new(spec_or_path).is_file() => read_file(spec_or_path),
            None => Err(unknown(&spec.name)),
        },
        Err(_) if Path::new(spec_or_path).exists() => read_file(spec_or_path),
        Err(error) => Err(unreadable(error)),
    }
}

fn is_path(text: &str) -> bool {
    let extension = Path::new(text).extension();
    text.contains(['/', '\\'])
        || extension.is_some_and(|extension| ["kif", "gdl", "txt"].iter().any(|e| extension == *e))
}

fn unknown(name: &str) -> CatalogError {
    CatalogError::UnknownName {
        what: "game",
        name: name.to_owned(),
        nearest: nearest(name, library().iter().map(|entry| entry.name)).map(str::to_owned),
        known: "`ludens games` lists all games; a file is given by its path".into(),
    }
}

fn read_file(path: &str) -> Result<LoadedSource, CatalogError> {
    let unreadable = |error| CatalogError::Unreadable { path: path.to_owned(), error };
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(std::io::Error::other("it is a directory")));
    }
    read(path, &mut file)
}

/// Reads at most one byte more than the limit, so that endless input is refused too.
fn read(name: &str, from: &mut dyn Read) -> Result<LoadedSource, CatalogError> {
    let mut bytes = Vec::new();
    from.take(MAX_SOURCE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CatalogError::Unreadable { path: name.to_owned(), error })?;
    Ok(LoadedSource::from_bytes(name, &bytes))
}

fn from_library(entry: &Entry, spec: &Spec) -> Result<LoadedSource, CatalogError> {
    let mut text = entry.text.to_owned();
    for (key, value) in &spec.args {
        let number = parameter_value(entry, key, value.as_deref())?;
        text = replace_number(&text, key, number).unwrap_or(text);
    }
    let header = Header::parse(&text).0;
    let name = spec.to_string();
    let native = NativeTwin::of(entry.name, &header);
    let source = Source::new(&name, text);
    Ok(LoadedSource { source, name, header, problems: Vec::new(), native })
}

fn parameter_value(entry: &Entry, key: &str, value: Option<&str>) -> Result<i64, CatalogError> {
    let parameters = &entry.header.parameters;
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == key) else {
        return Err(CatalogError::UnknownParameter {
            owner: entry.name.to_owned(),
            name: key.to_owned(),
            nearest: nearest(key, parameters.iter().map(|p| p.name.as_str())).map(str::to_owned),
            known: parameters
                .iter()
                .map(|p| format!("{} {}..{} ({})", p.name, p.min, p.max, p.doc))
                .collect(),
        });
    };
    let number = value.and_then(|value| value.parse().ok());
    match number {
        Some(number) if (parameter.min..=parameter.max).contains(&number) => Ok(number),
        _ => {
            let mut error = CatalogError::out_of_range(entry.name, parameter, "");
            if let CatalogError::BadValue { value: given, .. } = &mut error {
                *given = value.map(str::to_owned);
            }
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = load_source(text).unwrap_err();
        format!("{error}\nhint: {}", error.hint().unwrap_or_default())
    }

    #[test]
    fn names_parameters_and_files_are_found() {
        assert_eq!(load_source("tictactoe").unwrap().source.text, find("tictactoe").unwrap().text);
        let hex = load_source(" hex( size = 4 )").unwrap();
        assert_eq!(hex.name, "hex(size=4)");
        assert_eq!(hex.header.parameters[0].default, Some(4));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/hex.kif");
        assert_eq!(load_source(path).unwrap().source.text, find("hex").unwrap().text);
    }

    #[test]
    fn mistakes_are_answered_with_a_hint() {
        assert_eq!(
            refused("tictacteo"),
            "no game is called `tictacteo`\nhint: did you mean `tictactoe`?"
        );
        assert_eq!(
            refused("backgammon(x=1)"),
            "no game is called `backgammon`\n\
             hint: `ludens games` lists all games; a file is given by its path"
        );
        assert_eq!(
            refused("hex(size=400)"),
            "`size` of `hex` cannot be `400`\nhint: `size` is a whole number from 2 to 19"
        );
        assert_eq!(
            refused("hex(size)"),
            "`size` of `hex` needs a value\nhint: `size` is a whole number from 2 to 19"
        );
        assert_eq!(
            refused("hex(side=4)"),
            "`hex` has no parameter `side`\n\
             hint: did you mean `size`? `hex` has the parameters: size 2..19 (side length of the board)"
        );
        assert_eq!(
            refused("tictactoe(size=4)"),
            "`tictactoe` has no parameter `size`\nhint: `tictactoe` has no parameters"
        );
        assert!(refused("hex(size=").starts_with("cannot read `hex(size=`: expected a value"));
        assert!(refused("./nowhere.kif").starts_with("cannot read ./nowhere.kif: "));
        assert!(refused("/").starts_with("cannot read /: "));
    }
}
