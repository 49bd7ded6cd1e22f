//! Ground terms, and matching of rules against them.

use std::sync::Arc;

use ludens_gdl::rules::{Term, Variable};
use ludens_gdl::{Rules, Symbols, ast};

/// A term without variables; a constant has no arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Ground {
    name: Arc<str>,
    args: Vec<Ground>,
}

/// The values of the variables of a rule.
pub(super) type Bindings = Vec<Option<Ground>>;

impl Ground {
    /// Parses a term.
    pub fn parse(text: &str) -> Option<Ground> {
        let (term, symbols) = ludens_gdl::parse_term(text)?;
        from_ast(&term, &symbols)
    }

    /// A term of the rules, if it has no variables.
    pub fn of(rules: &Rules, term: &Term) -> Option<Ground> {
        substitute(rules, term, &[])
    }

    /// The term as text. A constant has parentheses if the description always writes it with them.
    pub fn text(&self, symbols: &Symbols) -> String {
        if !self.args.is_empty() {
            let args: Vec<String> = self.args.iter().map(|arg| arg.text(symbols)).collect();
            return format!("({} {})", self.name, args.join(" "));
        }
        match symbols.find(&self.name) {
            Some(symbol) if symbols.is_parenthesised(symbol) => format!("({})", self.name),
            _ => self.name.to_string(),
        }
    }

    /// The nesting depth of the term; a constant has depth 1.
    pub fn depth(&self) -> usize {
        1 + self.args.iter().map(Ground::depth).max().unwrap_or(0)
    }
}

fn from_ast(term: &ast::Term, symbols: &Symbols) -> Option<Ground> {
    match term {
        ast::Term::Constant(name) => {
            Some(Ground { name: symbols.text(name.symbol).into(), args: Vec::new() })
        }
        ast::Term::Variable(_) => None,
        ast::Term::Function { name, args, .. } => {
            let args = args.iter().map(|arg| from_ast(arg, symbols)).collect::<Option<_>>()?;
            Some(Ground { name: symbols.text(name.symbol).into(), args })
        }
    }
}

/// The term with its variables replaced; `None` if one of them is unbound.
pub(super) fn substitute(
    rules: &Rules,
    term: &Term,
    bindings: &[Option<Ground>],
) -> Option<Ground> {
    match term {
        Term::Constant(name) => {
            Some(Ground { name: rules.symbols.text(*name).into(), args: Vec::new() })
        }
        Term::Variable(Variable(index)) => bindings.get(*index as usize)?.clone(),
        Term::Function(name, args) => {
            let args =
                args.iter().map(|arg| substitute(rules, arg, bindings)).collect::<Option<_>>()?;
            Some(Ground { name: rules.symbols.text(*name).into(), args })
        }
    }
}

/// Matches the terms of a rule with ground ones by binding variables; after a failure some bindings
/// remain.
pub(super) fn match_all(
    rules: &Rules,
    terms: &[Term],
    ground: &[Ground],
    bindings: &mut Bindings,
) -> bool {
    terms.len() == ground.len()
        && terms.iter().zip(ground).all(|(term, ground)| match_one(rules, term, ground, bindings))
}

fn match_one(rules: &Rules, term: &Term, ground: &Ground, bindings: &mut Bindings) -> bool {
    match term {
        Term::Constant(name) => {
            ground.args.is_empty() && *ground.name == *rules.symbols.text(*name)
        }
        Term::Variable(Variable(index)) => {
            let bound = bindings[*index as usize].get_or_insert_with(|| ground.clone());
            bound == ground
        }
        Term::Function(name, args) => {
            *ground.name == *rules.symbols.text(*name)
                && match_all(rules, args, &ground.args, bindings)
        }
    }
}
