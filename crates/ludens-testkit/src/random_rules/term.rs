//! Random terms.

use ludens_core::Rng;

/// The constants of every random description.
pub(super) const CONSTANTS: [&str; 4] = ["a", "b", "c", "d"];

/// The relation that holds for each constant, and for nothing else.
pub(super) const DOMAIN: &str = "dom";

/// The relation that holds for each goal value.
pub(super) const VALUES: &str = "worth";

/// Names without arguments that may be written with parentheses.
const BARE: [&str; 4] = ["f3", "noop", "terminal", "a"];

/// Replaces each `_` of a template.
pub(super) fn fill(template: &str, mut argument: impl FnMut() -> String) -> String {
    let mut parts = template.split('_');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += &argument();
        text += part;
    }
    text
}

/// A random constant.
pub(super) fn constant(rng: &mut Rng) -> &'static str {
    CONSTANTS[rng.below(CONSTANTS.len())]
}

/// A constant, or sometimes a function of one or two.
pub(super) fn ground(rng: &mut Rng) -> String {
    match rng.below(10) {
        0 => format!("(g {})", constant(rng)),
        1 => format!("(h {} {})", constant(rng), constant(rng)),
        _ => constant(rng).to_owned(),
    }
}

/// A term over simple ones, nested up to `depth`; `k` occurs only in comparisons.
pub(super) fn nested(
    rng: &mut Rng,
    depth: usize,
    simple: &mut impl FnMut(&mut Rng) -> String,
) -> String {
    if depth == 0 || rng.below(2) == 0 {
        return simple(rng);
    }
    let name = ["g", "h", "k"][rng.below(3)];
    let arity = if name == "g" { 1 } else { 2 };
    let args: Vec<String> = (0..arity).map(|_| nested(rng, depth - 1, simple)).collect();
    format!("({name} {})", args.join(" "))
}

/// Puts parentheses around some names that have no arguments.
pub(super) fn with_parentheses(line: &str, rng: &mut Rng) -> String {
    if rng.below(4) > 0 {
        return line.to_owned();
    }
    let name = BARE[rng.below(BARE.len())];
    let mut out = String::with_capacity(line.len());
    for part in line.split_inclusive([' ', ')']) {
        let word = part.trim_end_matches([' ', ')']);
        if word == name {
            out.extend(["(", word, ")", &part[word.len()..]]);
        } else {
            out += part;
        }
    }
    out
}
