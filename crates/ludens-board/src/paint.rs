//! Terminal colours.

use crate::draw::Style;
use crate::glyph::Glyphs;

/// Codes for contents that are not named after colours.
const PALETTE: [&str; 10] = ["36", "33", "35", "32", "34", "31", "96", "93", "95", "92"];

/// Colours that contents may be named after.
const COLOURS: [(&str, &str); 8] = [
    ("red", "31"),
    ("green", "32"),
    ("yellow", "33"),
    ("blue", "34"),
    ("purple", "35"),
    ("magenta", "35"),
    ("cyan", "36"),
    ("orange", "93"),
];

/// How text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// The default colour.
    Default,
    /// Faint.
    Dim,
    /// In a colour, by its code.
    Colour(&'static str),
}

impl Ink {
    /// The colour that a content is named after, or one from the palette.
    pub fn of(content: &str, glyphs: &Glyphs) -> Ink {
        let named = COLOURS.iter().find(|(name, _)| {
            content.starts_with(name) || content.split(' ').any(|word| word == *name)
        });
        let own = PALETTE[glyphs.number(content) % PALETTE.len()];
        Ink::Colour(named.map_or(own, |(_, code)| code))
    }
}

/// Writes a text in a style.
pub(crate) fn paint(text: &str, ink: Ink, reversed: bool, style: Style) -> String {
    let code = match ink {
        Ink::Default => "",
        Ink::Dim => "2",
        Ink::Colour(code) => code,
    };
    let reverse = if reversed { "7" } else { "" };
    if style == Style::Plain || (code.is_empty() && !reversed) {
        return text.to_owned();
    }
    let both = if code.is_empty() || reverse.is_empty() { "" } else { ";" };
    format!("\x1b[{reverse}{both}{code}m{text}\x1b[0m")
}
