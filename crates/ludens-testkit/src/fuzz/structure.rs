//! Mutations that keep parentheses balanced: they delete, duplicate, move and swap parts of rules.

use ludens_core::Rng;
use ludens_gdl::tree::{NodeId, Tree, parse_rules_tree};

/// Keywords and some other words.
const WORDS: [&str; 18] = [
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "not",
    "or", "distinct", "<=", "?x", "?y", "0", "foo",
];

/// Templates in which a part can be wrapped.
const WRAPPERS: [&str; 10] = [
    "(not _)",
    "(or _ _)",
    "(f _)",
    "(g _ _)",
    "(g a _)",
    "(true _)",
    "(_)",
    "(<= _ _)",
    "(distinct _ ?x)",
    "(not (distinct (f _) (f ?x)))",
];

/// Mutates one part of a text; parts may come from another text.
pub(super) fn mutate(text: &str, other: &str, rng: &mut Rng) -> String {
    let Some((start, end)) = random_part(text, rng) else {
        return text.to_owned();
    };
    let part = &text[start..end];
    let replacement = match rng.below(7) {
        0 => String::new(),
        1 => format!("{part} {part}"),
        2 => WORDS[rng.below(WORDS.len())].to_owned(),
        3 => WRAPPERS[rng.below(WRAPPERS.len())].replace('_', part),
        4 => random_part(other, rng).map_or_else(String::new, |(s, e)| other[s..e].to_owned()),
        5 => return exchange(text, (start, end), rng),
        _ => random_part(text, rng).map_or_else(String::new, |(s, e)| text[s..e].to_owned()),
    };
    format!("{}{replacement}{}", &text[..start], &text[end..])
}

/// Swaps a part with a random one that does not overlap it.
fn exchange(text: &str, (start, end): (usize, usize), rng: &mut Rng) -> String {
    match random_part(text, rng) {
        Some((s, e)) if e <= start => swap(text, (s, e), (start, end)),
        Some((s, e)) if end <= s => swap(text, (start, end), (s, e)),
        _ => text.to_owned(),
    }
}

fn swap(text: &str, left: (usize, usize), right: (usize, usize)) -> String {
    let (first, second) = (&text[left.0..left.1], &text[right.0..right.1]);
    let between = &text[left.1..right.0];
    format!("{}{second}{between}{first}{}", &text[..left.0], &text[right.1..])
}

/// The position of a random word or list: a walk down from a random statement.
fn random_part(text: &str, rng: &mut Rng) -> Option<(usize, usize)> {
    let (tree, _) = parse_rules_tree(text);
    let mut node = pick(&tree.roots, rng)?;
    while let Some(child) = pick(tree.children(node), rng) {
        if rng.below(4) == 0 {
            break;
        }
        node = child;
    }
    Some(span(&tree, node))
}

fn pick(nodes: &[NodeId], rng: &mut Rng) -> Option<NodeId> {
    (!nodes.is_empty()).then(|| nodes[rng.below(nodes.len())])
}

fn span(tree: &Tree, node: NodeId) -> (usize, usize) {
    let range = tree.node(node).span.range();
    (range.start, range.end)
}
