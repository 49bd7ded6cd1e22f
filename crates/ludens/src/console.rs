//! The output: text, or JSON Lines.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use ludens_board::Style;
use serde::Serialize;

/// The standard output. Everything is written through it, so that a closed pipe is detected and colours
/// are used only as configured.
pub struct Console {
    out: AutoStream<io::Stdout>,
    /// Whether to print JSON Lines instead of text.
    pub json: bool,
}

/// A record preceded by the name of its format.
#[derive(Serialize)]
struct Line<'a, T> {
    schema: &'a str,
    #[serde(flatten)]
    record: &'a T,
}

impl Console {
    /// A console for the standard output.
    pub fn new(json: bool) -> Self {
        Console { out: AutoStream::auto(io::stdout()), json }
    }

    /// The style of boards: with colours if the output has them.
    pub fn board_style(&self) -> Style {
        if self.out.current_choice() == ColorChoice::Never { Style::Plain } else { Style::Ansi }
    }

    /// Prints a record of the format `ludens/<verb>/1`.
    pub fn record<T: Serialize>(&mut self, verb: &str, record: &T) -> io::Result<()> {
        let schema = format!("ludens/{verb}/1");
        self.line(&Line { schema: &schema, record })
    }

    /// Prints a value as one line of JSON.
    pub fn line<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        self.out.write_all(line.as_bytes())
    }

    /// Prints rows with aligned columns; the last column is not padded.
    pub fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<_> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
            }
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Flushes the output.
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
