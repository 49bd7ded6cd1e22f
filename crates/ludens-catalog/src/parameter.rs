//! Parameters of rules: the fact `(size 8)`, and the range of its number.

use std::ops::Range;

use ludens_gdl::tree::{Kind, NodeId, Tree, parse_rules_tree};

/// A number in the rules of a game that the user can set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Name of the parameter and of the unary relation that holds its value.
    pub name: String,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// The value in the text; `None` if the text has no such fact.
    pub default: Option<i64>,
    /// Its meaning.
    pub doc: String,
}

impl Parameter {
    /// Parses `size 2..8 (side length of the board)`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.trim().split_once(char::is_whitespace)?;
        let (range, doc) = rest.split_once('(').unwrap_or((rest, ")"));
        let (min, max) = range.trim().split_once("..")?;
        let (min, max) = (min.parse().ok()?, max.parse().ok()?);
        let doc = doc.trim().strip_suffix(')')?.trim().to_owned();
        let name = name.to_owned();
        (min <= max).then_some(Parameter { name, min, max, default: None, doc })
    }
}

/// The ground fact `(name number)` in a text: the span of its number, and the number.
pub(crate) fn find_number(text: &str, name: &str) -> Option<(Range<usize>, i64)> {
    let (tree, _) = parse_rules_tree(text);
    tree.roots.iter().find_map(|&root| number_of(text, &tree, root, name))
}

fn number_of(text: &str, tree: &Tree, root: NodeId, name: &str) -> Option<(Range<usize>, i64)> {
    let &[relation, value] = tree.children(root) else { return None };
    let word = |id: NodeId| {
        let node = tree.node(id);
        (node.kind == Kind::Atom).then(|| (node.span.range(), &text[node.span.range()]))
    };
    if !word(relation)?.1.eq_ignore_ascii_case(name) {
        return None;
    }
    let (place, number) = word(value)?;
    Some((place, number.parse().ok()?))
}

/// The text with the number of the fact `(name number)` replaced.
pub(crate) fn replace_number(text: &str, name: &str, number: i64) -> Option<String> {
    let (place, _) = find_number(text, name)?;
    let mut text = text.to_owned();
    text.replace_range(place, &number.to_string());
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let parameter = Parameter::parse("size 2..8 (side length (in cells))").unwrap();
        assert_eq!((parameter.name.as_str(), parameter.min, parameter.max), ("size", 2, 8));
        assert_eq!(parameter.doc, "side length (in cells)");
        assert_eq!(Parameter::parse("size 2..8").unwrap().doc, "");
        for invalid in
            ["", "size", "size 8..2 (x)", "size 2-8 (x)", "size 2..8 (x", "size a..b (x)"]
        {
            assert_eq!(Parameter::parse(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn only_the_fact_is_replaced() {
        let text = ";; (size 1)\n(sizes 3) (size ?x) (SIZE 4)\n(<= (p ?x) (size ?x))";
        let replaced = replace_number(text, "size", 12).unwrap();
        assert_eq!(replaced, text.replace("(SIZE 4)", "(SIZE 12)"));
        assert_eq!(find_number(text, "rows"), None);
    }
}
