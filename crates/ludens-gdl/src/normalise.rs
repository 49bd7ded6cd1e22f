//! Normalises statements: expands disjunctions, pushes negations inwards, eliminates equalities by
//! substitution, and lets unsafe variables range over the constants.

mod alternatives;
mod equal;
mod renumber;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{self, Description, Statement};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::rules::{Atom, Keywords, Literal, Relation, RelationId, Rule, Rules, Term, Variable};
use crate::source::Span;
use crate::symbol::{Symbol, Symbols};
use alternatives::{MAX_ALTERNATIVES, Normal, alternatives, push_inwards};
use equal::{Part, Substitution, TooLarge, instance};
use renumber::renumber;

/// Name of the relation that holds for every constant. It cannot clash with a name in a text.
pub const CONSTANT_RELATION: &str = "(constant)";

/// Normalises a description.
pub fn normalise(description: &Description) -> (Rules, Vec<Diagnostic>) {
    let mut builder = Builder::new(description.symbols.clone());
    for statement in &description.statements {
        builder.statement(statement);
    }
    builder.finish()
}

struct Builder {
    symbols: Symbols,
    relations: Vec<Relation>,
    by_name: FxHashMap<Relation, RelationId>,
    keywords: Keywords,
    constant_relation: RelationId,
    constants: Vec<Symbol>,
    seen_constants: FxHashSet<Symbol>,
    rules: Vec<Rule>,
    problems: Problems,
}

impl Builder {
    fn new(mut symbols: Symbols) -> Self {
        let mut relations = Vec::new();
        let mut by_name = FxHashMap::default();
        let mut add = |name: &str, arity: u32| {
            let relation = Relation { name: symbols.intern(name), arity };
            let id = RelationId(relations.len() as u32);
            relations.push(relation);
            by_name.insert(relation, id);
            id
        };
        let keywords = Keywords {
            role: add("role", 1),
            init: add("init", 1),
            truth: add("true", 1),
            does: add("does", 2),
            next: add("next", 1),
            legal: add("legal", 2),
            goal: add("goal", 2),
            terminal: add("terminal", 0),
            base: add("base", 1),
            input: add("input", 2),
        };
        let constant_relation = add(CONSTANT_RELATION, 1);
        Builder {
            symbols,
            relations,
            by_name,
            keywords,
            constant_relation,
            constants: Vec::new(),
            seen_constants: FxHashSet::default(),
            rules: Vec::new(),
            problems: Problems::default(),
        }
    }

    fn finish(mut self) -> (Rules, Vec<Diagnostic>) {
        let constants = std::mem::take(&mut self.constants);
        if self.rules.iter().any(|rule| self.ranges_over_constants(rule)) {
            for &constant in &constants {
                let head =
                    Atom { relation: self.constant_relation, args: vec![Term::Constant(constant)] };
                self.rules.push(Rule {
                    head,
                    body: Vec::new(),
                    variables: Vec::new(),
                    span: Span::default(),
                });
            }
        }
        let rules = Rules {
            symbols: self.symbols,
            relations: self.relations,
            keywords: self.keywords,
            rules: self.rules,
            constants,
        };
        (rules, self.problems.finish())
    }

    fn ranges_over_constants(&self, rule: &Rule) -> bool {
        rule.body
            .iter()
            .any(|l| matches!(l, Literal::Positive(a) if a.relation == self.constant_relation))
    }

    fn statement(&mut self, statement: &Statement) {
        // Play determines `true` and `does`; rules that state them are ignored.
        let head =
            Relation { name: statement.head.name.symbol, arity: statement.head.args.len() as u32 };
        let keyword = self.by_name.get(&head);
        if keyword.is_some_and(|id| [self.keywords.truth, self.keywords.does].contains(id)) {
            return;
        }
        let body = statement.body.as_deref().unwrap_or_default();
        let normal = Normal::All(body.iter().map(|part| push_inwards(part, true)).collect());
        let Some(alternatives) = alternatives(&normal) else {
            let message = format!(
                "the disjunctions of this rule expand to more than {MAX_ALTERNATIVES} rules"
            );
            self.problems.push(
                Diagnostic::new(Code::TooManyRules, statement.span, message)
                    .hint("define the disjunctions by relations of their own"),
            );
            return;
        };
        for alternative in alternatives {
            self.alternative(statement, &alternative);
        }
    }

    fn alternative(&mut self, statement: &Statement, parts: &[&Normal<'_>]) {
        let mut scope = Scope::default();
        let head = self.sentence(&statement.head, &mut scope);
        let parts: Vec<Part<'_>> = parts.iter().map(|part| self.part(part, &mut scope)).collect();
        let solved = self.solve(&parts, &mut scope).and_then(|solution| match solution {
            Some(substitution) => Ok(Some(instance(&head, &parts, &substitution)?)),
            // Two terms that must be equal do not unify: the rule never fires.
            None => Ok(None),
        });
        match solved {
            Err(TooLarge) => self.reject_equalities(statement.span),
            Ok(None) => {}
            Ok(Some((head, body))) => {
                let rule = Rule { head, body, variables: scope.names, span: statement.span };
                self.rules.push(self.make_safe(renumber(rule)));
            }
        }
    }

    fn reject_equalities(&mut self, span: Span) {
        let message = "the equalities of this rule build terms that are too large";
        let hint = "write the terms directly instead of `(not (distinct …))`";
        self.problems.push(Diagnostic::new(Code::TooLargeTerm, span, message).hint(hint));
    }

    fn part<'a>(&mut self, part: &Normal<'a>, scope: &mut Scope) -> Part<'a> {
        match part {
            Normal::Sentence(sentence, true) => {
                Part::Literal(Literal::Positive(self.sentence(sentence, scope)))
            }
            Normal::Sentence(sentence, false) => {
                Part::Literal(Literal::Negative(self.sentence(sentence, scope)))
            }
            Normal::Distinct(left, right) => {
                Part::Literal(Literal::Distinct(self.term(left, scope), self.term(right, scope)))
            }
            Normal::Equal(left, right) => Part::Equal(left, right),
            Normal::All(_) | Normal::Any(_) => unreachable!("alternatives are flat"),
        }
    }

    /// Unifies the two sides of each equality; `None` if that is impossible.
    fn solve(
        &mut self,
        parts: &[Part<'_>],
        scope: &mut Scope,
    ) -> Result<Option<Substitution>, TooLarge> {
        let mut substitution = Substitution::default();
        for part in parts {
            if let Part::Equal(left, right) = part {
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                if !substitution.unify(&left, &right)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(substitution))
    }

    /// Makes variables that no positive literal binds range over all constants.
    fn make_safe(&self, mut rule: Rule) -> Rule {
        let mut bound = vec![false; rule.variables.len()];
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                atom.variables(&mut |v| bound[v.0 as usize] = true);
            }
        }
        for (index, bound) in bound.into_iter().enumerate() {
            if !bound {
                let args = vec![Term::Variable(Variable(index as u32))];
                rule.body.push(Literal::Positive(Atom { relation: self.constant_relation, args }));
            }
        }
        rule
    }

    fn relation(&mut self, name: Symbol, arity: usize) -> RelationId {
        let relation = Relation { name, arity: arity as u32 };
        *self.by_name.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            RelationId(self.relations.len() as u32 - 1)
        })
    }

    fn sentence(&mut self, sentence: &ast::Sentence, scope: &mut Scope) -> Atom {
        let relation = self.relation(sentence.name.symbol, sentence.args.len());
        Atom { relation, args: sentence.args.iter().map(|arg| self.term(arg, scope)).collect() }
    }

    fn term(&mut self, term: &ast::Term, scope: &mut Scope) -> Term {
        match term {
            ast::Term::Constant(name) => {
                if self.seen_constants.insert(name.symbol) {
                    self.constants.push(name.symbol);
                }
                Term::Constant(name.symbol)
            }
            ast::Term::Variable(name) => Term::Variable(scope.variable(name.symbol)),
            ast::Term::Function { name, args, .. } => {
                Term::Function(name.symbol, args.iter().map(|arg| self.term(arg, scope)).collect())
            }
        }
    }
}

/// The variables of one rule.
#[derive(Default)]
struct Scope {
    names: Vec<Symbol>,
    numbers: FxHashMap<Symbol, Variable>,
}

impl Scope {
    fn variable(&mut self, name: Symbol) -> Variable {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            Variable(self.names.len() as u32 - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::normalise;
    use crate::parse;

    fn normal(text: &str) -> String {
        normalise(&parse(text).0).0.print()
    }

    #[test]
    fn connectives_are_expanded() {
        assert_eq!(normal("(<= p (or a (not (or b c))))"), "(<= p a)\n(<= p (not b) (not c))\n");
        assert_eq!(normal("(<= p (not (not a)))"), "(<= p a)\n");
        assert_eq!(normal("(<= (p ?x) (q ?x) (or))"), "");
    }

    #[test]
    fn equalities_are_substituted() {
        assert_eq!(
            normal("(<= (p ?x) (q ?x ?y) (not (distinct ?x ?y)))"),
            "(<= (p ?y) (q ?y ?y))\n"
        );
        assert_eq!(normal("(<= p (q ?y) (not (distinct ?y 2)))"), "(<= p (q 2))\n");
        assert_eq!(normal("(<= p (not (distinct a b)))"), "");
        assert_eq!(normal("(<= p (not (distinct a a)))"), "p\n");
    }

    #[test]
    fn stated_facts_of_play_are_ignored() {
        assert_eq!(
            normal("(true p) (<= (does r a) (q b)) (true p q) (q c)"),
            "(true p q)\n(q c)\n"
        );
    }

    #[test]
    fn unsafe_variables_range_over_the_constants() {
        assert_eq!(
            normal("(<= (p ?x) (distinct ?x b)) (q a)"),
            "(<= (p ?x) (distinct ?x b) ((constant) ?x))\n(q a)\n((constant) b)\n((constant) a)\n"
        );
    }

    #[test]
    fn exponential_equalities_are_rejected() {
        let doubling = |i| format!("(not (distinct ?x{i} (f ?x{0} ?x{0})))", i + 1);
        let text = format!("(<= (p ?x0) {})", (0..60).map(doubling).collect::<String>());
        let problems = normalise(&parse(&text).0).1;
        assert!(problems.iter().any(|d| d.code == crate::Code::TooLargeTerm));
        let chain = |i| format!("(not (distinct ?x{i} (f ?x{})))", i + 1);
        let text = format!("(<= (p ?x0) {})", (0..10_000).map(chain).collect::<String>());
        assert!(!normalise(&parse(&text).0).1.is_empty());
        assert_eq!(normal("(<= (p ?x) (not (distinct ?x (f ?x))))"), "");
    }

    #[test]
    fn exponential_disjunctions_are_rejected() {
        let text = format!("(<= p {})", "(or a b)".repeat(20));
        let problems = normalise(&parse(&text).0).1;
        assert!(problems.iter().any(|d| d.code == crate::Code::TooManyRules));
    }
}
