//! Parses a tree of parentheses into statements.

use super::{Description, Formula, Name, Sentence, Statement, Term};
use crate::checks::key::Key;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;
use crate::symbol::Symbols;
use crate::tree::{Kind, NodeId, Tree};

/// Parses the statements of a tree; malformed statements are reported and skipped.
pub fn read_description(text: &str, tree: &Tree) -> (Description, Vec<Diagnostic>) {
    let mut reader = Reader::new(text, tree);
    let statements: Vec<_> = tree.roots.iter().filter_map(|&root| reader.statement(root)).collect();
    let mut problems = reader.problems.finish();
    // In a game a stated `distinct` is superfluous; where nothing else is stated, it is a mistake.
    if statements.is_empty() {
        for problem in problems.iter_mut().filter(|problem| problem.code == Code::StatedDistinct) {
            *problem = not_stated("distinct", problem.span);
        }
    }
    (Description { statements, symbols: reader.symbols }, problems)
}

/// Parses one node of a tree as a term.
pub fn read_term(text: &str, tree: &Tree, node: NodeId) -> Option<(Term, Symbols)> {
    let mut reader = Reader::new(text, tree);
    let term = reader.term(node)?;
    Some((term, reader.symbols))
}

/// The problem with a connective that is stated as if it were a fact.
fn not_stated(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::MisplacedConnective, span, format!("`{name}` cannot be stated"))
        .hint("only sentences can be facts; connectives belong in the body of a rule")
}

/// The connectives, which are not relations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connective {
    Arrow,
    Not,
    Or,
    And,
    Distinct,
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Tree,
    symbols: Symbols,
    problems: Problems,
    /// Whether the current statement only declares facts or moves.
    declares: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, tree: &'a Tree) -> Self {
        let (symbols, problems) = (Symbols::default(), Problems::default());
        Reader { text, tree, symbols, problems, declares: false }
    }
}

impl Reader<'_> {
    fn word(&self, id: NodeId) -> Option<&str> {
        let node = self.tree.node(id);
        (node.kind == Kind::Atom).then(|| &self.text[node.span.range()])
    }

    fn connective(&self, id: NodeId) -> Option<Connective> {
        match self.word(id)?.to_ascii_lowercase().as_str() {
            "<=" => Some(Connective::Arrow),
            "not" => Some(Connective::Not),
            "or" => Some(Connective::Or),
            "and" => Some(Connective::And),
            "distinct" => Some(Connective::Distinct),
            _ => None,
        }
    }

    /// The connective that a list begins with.
    fn list_connective(&self, id: NodeId) -> Option<Connective> {
        self.tree.children(id).first().and_then(|&first| self.connective(first))
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, hint: &str) {
        self.problems.push(Diagnostic::new(code, span, message).hint(hint));
    }

    fn name(&mut self, id: NodeId) -> Option<Name> {
        let span = self.tree.node(id).span;
        let Some(word) = self.word(id) else {
            self.report(
                Code::Malformed,
                span,
                "a list must begin with a name",
                "write the relation or function name after `(`",
            );
            return None;
        };
        if let Some(variable) = word.strip_prefix('?') {
            let message = format!("the variable `?{variable}` is used where a name is expected");
            self.report(
                Code::Malformed,
                span,
                message,
                "GDL has no variables for relations or functions",
            );
            return None;
        }
        Some(Name { symbol: self.symbols.intern(&self.text[span.range()]), span })
    }

    fn misplaced(&mut self, id: NodeId) {
        let span = self.tree.node(id).span;
        let message = format!("`{}` cannot be used here", &self.text[span.range()]);
        let hint = "connectives join sentences in the body of a rule; they are not names";
        self.report(Code::MisplacedConnective, span, message, hint);
    }

    /// Whether a statement only declares facts or moves, with `base` or `input`.
    fn is_declaration(&self, id: NodeId) -> bool {
        let head = match (self.list_connective(id), self.tree.children(id)) {
            (Some(Connective::Arrow), [_, head, ..]) => *head,
            _ => id,
        };
        let name = self.tree.children(head).first().and_then(|&name| self.word(name));
        name.is_some_and(|name| {
            ["base", "input"].iter().any(|word| name.eq_ignore_ascii_case(word))
        })
    }

    fn statement(&mut self, id: NodeId) -> Option<Statement> {
        let span = self.tree.node(id).span;
        self.declares = self.is_declaration(id);
        match self.list_connective(id) {
            Some(Connective::Arrow) => self.rule(id, span),
            Some(Connective::Distinct) if self.is_true_distinct(id) => {
                let message = "`distinct` holds implicitly and need not be stated";
                self.report(Code::StatedDistinct, span, message, "remove the statement");
                None
            }
            Some(_) => {
                let connective = self.tree.children(id)[0];
                let name = &self.text[self.tree.node(connective).span.range()];
                self.problems.push(not_stated(name, span));
                None
            }
            None => {
                let head = self.sentence(id)?;
                Some(Statement { head, body: None, span })
            }
        }
    }

    /// Whether a stated `distinct` is between two different ground terms.
    fn is_true_distinct(&mut self, id: NodeId) -> bool {
        let &[_, left, right] = self.tree.children(id) else { return false };
        let (Some(left), Some(right)) = (self.term(left), self.term(right)) else { return false };
        let mut is_ground = true;
        left.variables(&mut |_| is_ground = false);
        right.variables(&mut |_| is_ground = false);
        is_ground && Key::of_term(&left) != Key::of_term(&right)
    }

    fn rule(&mut self, id: NodeId, span: Span) -> Option<Statement> {
        let [_, head, body @ ..] = self.tree.children(id) else {
            self.report(Code::Malformed, span, "a rule without a head", "write `(<= head body…)`");
            return None;
        };
        if let Some(&bad) = self.tree.children(*head).first()
            && self.connective(bad).is_some()
        {
            self.misplaced(bad);
            return None;
        }
        let head = self.sentence(*head)?;
        // Parse the whole body, so that all its problems are reported.
        let formulas: Vec<_> = body.iter().map(|&part| self.formula(part)).collect();
        let body = formulas.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Statement { head, body: Some(body), span })
    }

    fn formula(&mut self, id: NodeId) -> Option<Formula> {
        let span = self.tree.node(id).span;
        let parts = self.tree.children(id).get(1..).unwrap_or_default();
        match self.list_connective(id) {
            None => self.sentence(id).map(Formula::Sentence),
            Some(Connective::Arrow) => {
                self.misplaced(self.tree.children(id)[0]);
                None
            }
            Some(Connective::Not) => {
                let &[part] = parts else {
                    self.report(
                        Code::Malformed,
                        span,
                        "`not` takes exactly one sentence",
                        "write `(not (sentence…))`",
                    );
                    return None;
                };
                Some(Formula::Not(Box::new(self.formula(part)?), span))
            }
            Some(Connective::Distinct) => {
                let &[left, right] = parts else {
                    self.report(
                        Code::Malformed,
                        span,
                        "`distinct` takes exactly two terms",
                        "write `(distinct ?a ?b)`",
                    );
                    return None;
                };
                let (left, right) = (self.term(left), self.term(right));
                Some(Formula::Distinct(left?, right?, span))
            }
            Some(connective) => {
                let formulas: Vec<_> = parts.iter().map(|&part| self.formula(part)).collect();
                let formulas = formulas.into_iter().collect::<Option<Vec<_>>>()?;
                Some(match connective {
                    Connective::Or => Formula::Or(formulas, span),
                    _ => Formula::And(formulas, span),
                })
            }
        }
    }

    fn sentence(&mut self, id: NodeId) -> Option<Sentence> {
        let span = self.tree.node(id).span;
        if self.connective(id).is_some() {
            self.misplaced(id);
            return None;
        }
        if let Some(word) = self.word(id) {
            if word.starts_with('?') {
                let message = format!("the variable `{word}` is used where a sentence is expected");
                self.report(
                    Code::VariableSentence,
                    span,
                    message,
                    "did you mean `(true …)` around it?",
                );
                return None;
            }
            let name = self.name(id)?;
            return Some(Sentence { name, args: Vec::new(), span, parenthesised: false });
        }
        let (&first, rest) = self.tree.children(id).split_first()?;
        let name = self.name(first);
        let args = self.terms(rest);
        Some(Sentence { name: name?, args: args?, span, parenthesised: true })
    }

    /// Records how a constant was written. Declarations do not count: moves and facts are printed as the
    /// other rules write them.
    fn note_term(&mut self, name: Name, parenthesised: bool) {
        if !self.declares {
            self.symbols.note_term(name.symbol, parenthesised);
        }
    }

    fn terms(&mut self, ids: &[NodeId]) -> Option<Vec<Term>> {
        let terms: Vec<_> = ids.iter().map(|&id| self.term(id)).collect();
        terms.into_iter().collect()
    }

    fn term(&mut self, id: NodeId) -> Option<Term> {
        let span = self.tree.node(id).span;
        if self.connective(id).is_some() {
            self.misplaced(id);
            return None;
        }
        if let Some(word) = self.word(id) {
            if let Some(variable) = word.strip_prefix('?') {
                // Variables are in the same table as constants; their question mark distinguishes them.
                let symbol = self.symbols.intern(&format!("?{variable}"));
                return Some(Term::Variable(Name { symbol, span }));
            }
            let name = self.name(id)?;
            self.note_term(name, false);
            return Some(Term::Constant(name));
        }
        let (&first, rest) = self.tree.children(id).split_first()?;
        if self.connective(first).is_some() {
            self.misplaced(first);
            return None;
        }
        let name = self.name(first);
        let args = self.terms(rest);
        let (name, args) = (name?, args?);
        // `(p)` and `p` are the same term.
        if args.is_empty() {
            self.note_term(name, true);
            return Some(Term::Constant(Name { symbol: name.symbol, span }));
        }
        Some(Term::Function { name, args, span })
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn a_stated_distinct_is_ignored_if_it_holds() {
        let codes = "W0411 E0009";
        let (description, _) = crate::parse("(distinct a b) (role r) (distinct (f a) (f b))");
        assert_eq!(description.statements.len(), 1);
        assert_eq!(
            shown("(distinct a b)\n(distinct (f a) (f b))\n(distinct a (a)) (role r)", codes),
            "W0411 1:1 `distinct` holds implicitly and need not be stated\n\
             W0411 2:1 `distinct` holds implicitly and need not be stated\n\
             E0009 3:1 `distinct` cannot be stated\n"
        );
        assert_eq!(shown("(distinct foo bar)", codes), "E0009 1:1 `distinct` cannot be stated\n");
        assert_eq!(
            shown("(distinct ?x b)\n(distinct a)\n(<= (distinct a b) p)", codes),
            "E0009 1:1 `distinct` cannot be stated\n\
             E0009 2:1 `distinct` cannot be stated\n\
             E0009 3:6 `distinct` cannot be used here\n"
        );
    }
    #[test]
    fn declarations_do_not_decide_how_constants_are_written() {
        let parenthesised = |text: &str| {
            let symbols = crate::parse(text).0.symbols;
            symbols.is_parenthesised(symbols.find("p").unwrap())
        };
        assert!(parenthesised("(base p) (init (p)) (<= q (true (p)))"));
        assert!(parenthesised("(<= (base p) (r p)) (init (p))"));
        assert!(!parenthesised("(base (p)) (init p)"));
        assert!(!parenthesised("(init (p)) (<= (next (p)) (true p))"));
    }
}
