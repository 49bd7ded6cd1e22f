//! Statements to the normal form: disjunctions written out, negations pushed inwards,
//! equalities substituted away, unsafe variables given the constants to range over.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{self, Description, Formula, Statement};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Atom, Keywords, Literal, Relation, RelationId, Rule, Rules, Term, Variable};
use crate::symbol::{Symbol, Symbols};

/// A rule whose disjunctions write out to more rules than this is refused.
const MAX_ALTERNATIVES: usize = 4096;

/// Name of the relation that holds for every constant. It cannot clash with a name in a text.
pub const CONSTANT_RELATION: &str = "(constant)";

/// Brings a description to normal form.
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
    problems: Vec<Diagnostic>,
}

/// A literal of one alternative before equalities are solved.
enum Part<'a> {
    Literal(Literal),
    Equal(&'a ast::Term, &'a ast::Term),
}

/// A formula with negations pushed inwards.
enum Normal<'a> {
    All(Vec<Normal<'a>>),
    Any(Vec<Normal<'a>>),
    Sentence(&'a ast::Sentence, bool),
    Distinct(&'a ast::Term, &'a ast::Term),
    Equal(&'a ast::Term, &'a ast::Term),
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
            problems: Vec::new(),
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
                    span: crate::Span::default(),
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
        (rules, self.problems)
    }

    fn ranges_over_constants(&self, rule: &Rule) -> bool {
        rule.body
            .iter()
            .any(|l| matches!(l, Literal::Positive(a) if a.relation == self.constant_relation))
    }

    fn statement(&mut self, statement: &Statement) {
        let body = statement.body.as_deref().unwrap_or_default();
        let normal = Normal::All(body.iter().map(|part| push_inwards(part, true)).collect());
        let Some(alternatives) = alternatives(&normal) else {
            let message = format!(
                "the disjunctions of this rule write out to more than {MAX_ALTERNATIVES} rules"
            );
            self.problems.push(
                Diagnostic::new(Code::TooManyRules, statement.span, message)
                    .hint("give the disjunctions a relation of their own"),
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
        let Some(substitution) = self.solve(&parts, &mut scope) else {
            return; // Two ground terms were asked to be equal and are not: the rule never fires.
        };
        let apply_atom = |atom: &Atom| Atom {
            relation: atom.relation,
            args: atom.args.iter().map(|arg| substitution.apply(arg)).collect(),
        };
        let body = parts.iter().filter_map(|part| match part {
            Part::Literal(Literal::Positive(atom)) => Some(Literal::Positive(apply_atom(atom))),
            Part::Literal(Literal::Negative(atom)) => Some(Literal::Negative(apply_atom(atom))),
            Part::Literal(Literal::Distinct(left, right)) => {
                Some(Literal::Distinct(substitution.apply(left), substitution.apply(right)))
            }
            Part::Equal(..) => None,
        });
        let rule = Rule {
            head: apply_atom(&head),
            body: body.collect(),
            variables: scope.names,
            span: statement.span,
        };
        self.rules.push(self.make_safe(renumber(rule)));
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

    /// Unifies the two sides of each equality.
    fn solve(&mut self, parts: &[Part<'_>], scope: &mut Scope) -> Option<Substitution> {
        let mut substitution = Substitution::default();
        for part in parts {
            if let Part::Equal(left, right) = part {
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                if !substitution.unify(&left, &right) {
                    return None;
                }
            }
        }
        Some(substitution)
    }

    /// Lets variables that no positive literal binds range over all constants.
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
}

impl Scope {
    fn variable(&mut self, name: Symbol) -> Variable {
        let found = self.names.iter().position(|&known| known == name);
        Variable(found.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }) as u32)
    }
}

fn push_inwards(formula: &Formula, positive: bool) -> Normal<'_> {
    match formula {
        Formula::Sentence(sentence) => Normal::Sentence(sentence, positive),
        Formula::Not(inner, _) => push_inwards(inner, !positive),
        Formula::Distinct(left, right, _) if positive => Normal::Distinct(left, right),
        Formula::Distinct(left, right, _) => Normal::Equal(left, right),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            let any = matches!(formula, Formula::Or(..)) == positive;
            let parts = parts.iter().map(|part| push_inwards(part, positive)).collect();
            if any { Normal::Any(parts) } else { Normal::All(parts) }
        }
    }
}

/// Disjunctive normal form, in the order of the text; `None` when it would be too large.
fn alternatives<'a, 'f>(normal: &'a Normal<'f>) -> Option<Vec<Vec<&'a Normal<'f>>>> {
    match normal {
        Normal::All(parts) => {
            let mut product = vec![Vec::new()];
            for part in parts {
                let choices = alternatives(part)?;
                if product.len() * choices.len() > MAX_ALTERNATIVES {
                    return None;
                }
                product = product
                    .iter()
                    .flat_map(|prefix| {
                        choices.iter().map(move |choice| [&prefix[..], &choice[..]].concat())
                    })
                    .collect();
            }
            Some(product)
        }
        Normal::Any(parts) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(alternatives(part)?);
                if sum.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            Some(sum)
        }
        leaf => Some(vec![vec![leaf]]),
    }
}

/// Bindings of variables found by unification.
#[derive(Default)]
struct Substitution {
    bindings: FxHashMap<Variable, Term>,
}

impl Substitution {
    fn apply(&self, term: &Term) -> Term {
        match term {
            Term::Constant(_) => term.clone(),
            Term::Variable(variable) => match self.bindings.get(variable) {
                Some(bound) => self.apply(bound),
                None => term.clone(),
            },
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| self.apply(arg)).collect())
            }
        }
    }

    fn unify(&mut self, left: &Term, right: &Term) -> bool {
        match (self.apply(left), self.apply(right)) {
            (left, right) if left == right => true,
            (Term::Variable(variable), other) | (other, Term::Variable(variable)) => {
                let mut occurs = false;
                other.variables(&mut |v| occurs |= v == variable);
                if !occurs {
                    self.bindings.insert(variable, other);
                }
                !occurs
            }
            (Term::Function(f, fs), Term::Function(g, gs)) if f == g && fs.len() == gs.len() => {
                fs.iter().zip(&gs).all(|(l, r)| self.unify(l, r))
            }
            _ => false,
        }
    }
}

/// Numbers the variables that are left from 0 in order of appearance.
fn renumber(rule: Rule) -> Rule {
    let mut order: Vec<Variable> = Vec::new();
    let mut note = |v: Variable| {
        if !order.contains(&v) {
            order.push(v);
        }
    };
    rule.head.variables(&mut note);
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.variables(&mut note),
            Literal::Distinct(left, right) => {
                left.variables(&mut note);
                right.variables(&mut note);
            }
        }
    }
    if order.len() == rule.variables.len()
        && order.iter().enumerate().all(|(i, v)| v.0 as usize == i)
    {
        return rule;
    }
    let names = order.iter().map(|v| rule.variables[v.0 as usize]).collect();
    let bindings = order
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, Term::Variable(Variable(new as u32))))
        .collect();
    let renaming = Renaming { bindings };
    Rule {
        head: renaming.atom(&rule.head),
        body: rule.body.iter().map(|literal| renaming.literal(literal)).collect(),
        variables: names,
        span: rule.span,
    }
}

/// A one-step replacement of variables: unlike a substitution it is not applied again to its result.
struct Renaming {
    bindings: FxHashMap<Variable, Term>,
}

impl Renaming {
    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Constant(_) => term.clone(),
            Term::Variable(variable) => self.bindings[variable].clone(),
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| self.term(arg)).collect())
            }
        }
    }

    fn atom(&self, atom: &Atom) -> Atom {
        Atom { relation: atom.relation, args: atom.args.iter().map(|arg| self.term(arg)).collect() }
    }

    fn literal(&self, literal: &Literal) -> Literal {
        match literal {
            Literal::Positive(atom) => Literal::Positive(self.atom(atom)),
            Literal::Negative(atom) => Literal::Negative(self.atom(atom)),
            Literal::Distinct(left, right) => Literal::Distinct(self.term(left), self.term(right)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    fn normal(text: &str) -> String {
        load(text).0.map(|rules| rules.print()).unwrap_or_default()
    }

    #[test]
    fn connectives_are_written_out() {
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
    fn unsafe_variables_range_over_the_constants() {
        assert_eq!(
            normal("(<= (p ?x) (distinct ?x b)) (q a)"),
            "(<= (p ?x) (distinct ?x b) ((constant) ?x))\n(q a)\n((constant) b)\n((constant) a)\n"
        );
    }

    #[test]
    fn exponential_disjunctions_are_refused() {
        let text = format!("(<= p {})", "(or a b)".repeat(20));
        assert!(load(&text).1.iter().any(|d| d.code == crate::Code::TooManyRules));
    }
}
