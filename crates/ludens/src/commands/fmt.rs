//! `ludens fmt`: formats rules.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use clap::Args;
use ludens_gdl::Source;
use ludens_gdl::source::MAX_SOURCE_BYTES;
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use crate::render::Renderer;

const EXAMPLES: &str = "\
Examples:
  ludens fmt my.kif
  ludens fmt --check games/*.kif       exit code 1 if a file would change
  ludens fmt - < my.kif > neat.kif";

/// Format rules, in place.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Fmt {
    /// Files with rules; `-` formats the standard input to the standard output.
    #[arg(required = true)]
    files: Vec<String>,

    /// Change nothing; name the files that would change, and exit with 1 if there are any.
    #[arg(long)]
    check: bool,

    /// Print to the standard output instead of changing files.
    #[arg(long, conflicts_with = "check")]
    stdout: bool,
}

#[derive(Serialize)]
struct Record<'a> {
    file: &'a str,
    /// Whether the layout differs.
    changed: bool,
    /// Whether the file was written.
    written: bool,
    /// The text, where it is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// The number of syntax errors, which prevent formatting.
    errors: usize,
}

/// Formats the files. An unreadable file ends the command; one with errors is reported and not changed.
pub fn run(args: &Fmt, console: &mut Console) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Fine;
    for file in &args.files {
        if format_file(args, file, console)? == Outcome::Found {
            outcome = Outcome::Found;
        }
    }
    Ok(outcome)
}

fn format_file(args: &Fmt, file: &str, console: &mut Console) -> anyhow::Result<Outcome> {
    let bytes = read(file).with_context(|| format!("cannot read {file}"))?;
    let (source, problems) = Source::from_bytes(file, &bytes);
    let formatted =
        if problems.is_empty() { ludens_gdl::format(&source.text) } else { Err(problems) };
    let text = match formatted {
        Ok(text) => text,
        Err(problems) => {
            let renderer = Renderer::new();
            for problem in &problems {
                anstream::eprintln!("{}", renderer.render(&source, problem));
            }
            let record =
                Record { file, changed: false, written: false, text: None, errors: problems.len() };
            if console.json {
                console.record("fmt", &record)?;
            }
            return Ok(Outcome::Found);
        }
    };
    let changed = text.as_bytes() != bytes;
    deliver(args, file, &text, changed, console)
}

fn deliver(
    args: &Fmt,
    file: &str,
    text: &str,
    changed: bool,
    console: &mut Console,
) -> anyhow::Result<Outcome> {
    let printed = !args.check && (args.stdout || file == "-");
    let written = changed && !args.check && !printed;
    if written {
        replace(Path::new(file), text).with_context(|| format!("cannot write {file}"))?;
    }
    if console.json {
        let text = printed.then_some(text);
        console.record("fmt", &Record { file, changed, written, text, errors: 0 })?;
    } else if printed {
        console.write_all(text.as_bytes())?;
    } else if changed {
        let verb = if args.check { "would change" } else { "formatted" };
        writeln!(console, "{verb} {file}")?;
    }
    Ok(if args.check && changed { Outcome::Found } else { Outcome::Fine })
}

/// Reads at most one byte more than the limit of rules, so that endless input is refused too.
fn read(file: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = MAX_SOURCE_BYTES as u64 + 1;
    if file == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Replaces the file atomically, by writing and renaming a temporary file in the same folder.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: its target is replaced.
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().set_permissions(std::fs::metadata(&path)?.permissions())?;
    beside.as_file().sync_all()?;
    beside.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
