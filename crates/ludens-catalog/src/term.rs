//! Ground terms as text in canonical form: `(cell 1 1 b)`.

use ludens_gdl::tree::{Kind, NodeId, Tree, parse_tree};

/// The term in lower case with single blanks; `None` if the text is not exactly one ground term.
///
/// ```
/// use ludens_catalog::canonical_term;
///
/// assert_eq!(canonical_term(" ( Mark 1\n 1 ) ").unwrap(), "(mark 1 1)");
/// assert_eq!(canonical_term("(noop)").unwrap(), "noop");
/// assert_eq!(canonical_term("(mark ?x 1)"), None);
/// assert_eq!(canonical_term("(mark 1 1"), None);
/// assert_eq!(canonical_term("((mark) 1 1)"), None);
/// ```
pub fn canonical_term(text: &str) -> Option<String> {
    let (tree, problems) = parse_tree(text);
    match tree.roots[..] {
        [root] if problems.is_empty() => printed(text, &tree, root),
        _ => None,
    }
}

/// The terms of a list `( term term … )`, each in canonical form; `None` if the text is not
/// such a list.
///
/// ```
/// use ludens_catalog::split_terms;
///
/// assert_eq!(split_terms("( ( Cell 1 b ) (noop) )").unwrap(), ["(cell 1 b)", "noop"]);
/// assert_eq!(split_terms("()").unwrap(), [""; 0]);
/// assert_eq!(split_terms("noop"), None);
/// assert_eq!(split_terms("(a) (b)"), None);
/// ```
pub fn split_terms(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (tree, problems) = parse_tree(inner);
    let terms = tree.roots.iter().map(|&root| printed(inner, &tree, root));
    if problems.is_empty() { terms.collect() } else { None }
}

fn printed(text: &str, tree: &Tree, root: NodeId) -> Option<String> {
    let mut out = String::new();
    print(text, tree, root, &mut out)?;
    Some(out)
}

fn print(text: &str, tree: &Tree, id: NodeId, out: &mut String) -> Option<()> {
    let node = tree.node(id);
    match (node.kind, tree.children(id)) {
        (Kind::Atom, _) => {
            let word = &text[node.span.range()];
            out.push_str(&word.to_lowercase());
            (!word.starts_with('?')).then_some(())
        }
        (Kind::List { .. }, [name, ..]) if tree.node(*name).kind != Kind::Atom => None,
        (Kind::List { .. }, []) => None,
        (Kind::List { .. }, [only]) => print(text, tree, *only, out),
        (Kind::List { .. }, children) => {
            for (i, &child) in children.iter().enumerate() {
                out.push(if i == 0 { '(' } else { ' ' });
                print(text, tree, child, out)?;
            }
            out.push(')');
            Some(())
        }
    }
}
