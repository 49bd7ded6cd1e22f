//! The Game Description Language: text to syntax tree, diagnostics, and the normal form
//! that all reasoners share.
//!
//! ```
//! let (rules, problems) = ludens_gdl::load("(role you) (<= (legal you go) (not (true done)))");
//! assert!(problems.is_empty());
//! assert_eq!(rules.unwrap().print(), "(role you)\n(<= (legal you go) (not (true done)))\n");
//! ```

pub mod ast;
pub mod checks;
pub mod code;
pub mod depend;
pub mod diagnostic;
pub mod format;
pub mod graph;
pub mod lex;
pub mod normalise;
pub mod rules;
pub mod scramble;
pub mod source;
pub mod symbol;
pub mod tree;

pub use ast::Description;
pub use checks::{check, check_text};
pub use depend::Dependencies;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use format::format;
pub use rules::Rules;
pub use scramble::Scrambler;
pub use source::{LineColumn, Source, Span};
pub use symbol::{Symbol, Symbols};

/// Parses a text into statements, with all syntax errors.
pub fn parse(text: &str) -> (Description, Vec<Diagnostic>) {
    let (tree, mut problems) = tree::parse_rules_tree(text);
    let (description, more) = ast::read_description(text, &tree);
    problems.extend(more);
    (description, problems)
}

/// Loads a text as rules that can be played; `None` if a problem blocks play.
///
/// Only problems that block play are reported; [`check_text`] finds all of them.
pub fn load(text: &str) -> (Option<Rules>, Vec<Diagnostic>) {
    let (description, mut problems) = parse(text);
    let (rules, more) = normalise::normalise(&description);
    problems.extend(more);
    let complete = !problems.iter().any(|problem| problem.code.blocks_play());
    problems.extend(checks::check_playable(text, &description, complete));
    let playable = !problems.iter().any(|problem| problem.code.blocks_play());
    (playable.then_some(rules), problems)
}

/// Parses one term, such as a move or a fact, with the words it uses.
pub fn parse_term(text: &str) -> Option<(ast::Term, Symbols)> {
    let (tree, problems) = tree::parse_tree(text);
    let is_valid = problems.is_empty() && tree.roots.len() == 1;
    is_valid.then(|| ast::read_term(text, &tree, tree.roots[0])).flatten()
}
