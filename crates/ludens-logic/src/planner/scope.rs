//! The registers of the plan under construction: variables, constants, and fluents matched as a whole.

use ludens_gdl::rules::{Literal, Rule, Term};

use super::Planner;
use crate::order::Bound;
use crate::plan::{Fields, Pattern, Reg, Source};
use crate::store::{Store, Value};

/// The registers of the plan under construction.
pub(super) struct Scope {
    pub(super) registers: Vec<Option<Reg>>,
    pub(super) uses: Vec<u32>,
    pub(super) known_terms: Vec<(Term, Reg)>,
    pub(super) constants: Vec<(Reg, Value)>,
    pub(super) next: Reg,
}

impl Scope {
    pub(super) fn new(rule: &Rule) -> Self {
        Scope {
            registers: vec![None; rule.variables.len()],
            uses: count_uses(rule),
            known_terms: Vec::new(),
            constants: Vec::new(),
            next: 0,
        }
    }

    pub(super) fn fresh(&mut self) -> Reg {
        self.next += 1;
        self.next - 1
    }

    /// The register of a constant.
    pub(super) fn constant(&mut self, value: Value) -> Reg {
        let known = self.constants.iter().find(|(_, constant)| *constant == value);
        if let Some((register, _)) = known {
            return *register;
        }
        let register = self.fresh();
        self.constants.push((register, value));
        register
    }

    /// The pattern of a step; `begin` is the number of registers in use before it.
    pub(super) fn fields(&self, patterns: Vec<(u16, Pattern)>, begin: Reg) -> Fields {
        let is_constant = |r: Reg| self.constants.iter().any(|(register, _)| *register == r);
        Fields::new(patterns, |r| r < begin || is_constant(r))
    }

    pub(super) fn bound(&self) -> Bound {
        self.registers.iter().map(Option::is_some).collect()
    }
}

impl Planner<'_> {
    /// The value of a ground term of the rules.
    fn ground(&mut self, term: &Term) -> Value {
        ground_value(self.store, term)
    }

    /// The source of the value of a term.
    pub(super) fn source(&mut self, term: &Term, scope: &mut Scope) -> Source {
        if term.is_ground() {
            let value = self.ground(term);
            return Source::Register(scope.constant(value));
        }
        if let Some((_, register)) = scope.known_terms.iter().find(|(known, _)| known == term) {
            return Source::Register(*register);
        }
        match term {
            Term::Variable(v) => Source::Register(
                scope.registers[v.0 as usize]
                    .expect("every variable occurs in an earlier positive literal"),
            ),
            Term::Function(name, args) => {
                let functor = self.store.functor(*name, args.len());
                Source::Build(functor, args.iter().map(|arg| self.source(arg, scope)).collect())
            }
            Term::Constant(_) => unreachable!("constants are ground"),
        }
    }

    /// The patterns of terms that occur in given columns.
    pub(super) fn patterns<'t>(
        &mut self,
        terms: impl Iterator<Item = (&'t Term, u16)>,
        scope: &mut Scope,
    ) -> Vec<(u16, Pattern)> {
        terms.map(|(term, column)| (column, self.pattern(term, scope))).collect()
    }

    /// The pattern that a value must match to equal the term; free variables are bound.
    pub(super) fn pattern(&mut self, term: &Term, scope: &mut Scope) -> Pattern {
        if term.is_ground() {
            let value = self.ground(term);
            return Pattern::Register(scope.constant(value));
        }
        match term {
            Term::Variable(v) => match scope.registers[v.0 as usize] {
                Some(register) => Pattern::Register(register),
                None if scope.uses[v.0 as usize] == 1 => {
                    // The value is used nowhere else; the variable only counts as bound.
                    scope.registers[v.0 as usize] = Some(0);
                    Pattern::Skip
                }
                None => {
                    let register = scope.fresh();
                    scope.registers[v.0 as usize] = Some(register);
                    Pattern::Bind(register)
                }
            },
            Term::Function(name, args) => {
                let functor = self.store.functor(*name, args.len());
                Pattern::Apply(functor, args.iter().map(|arg| self.pattern(arg, scope)).collect())
            }
            Term::Constant(_) => unreachable!("constants are ground"),
        }
    }
}

/// The value of a ground term of the rules. Their depth is bounded by the parser.
pub fn ground_value(store: &mut Store, term: &Term) -> Value {
    let (name, args) = match term {
        Term::Constant(name) => (*name, &[][..]),
        Term::Function(name, args) => (*name, &args[..]),
        Term::Variable(_) => unreachable!("the term is ground"),
    };
    let values: Vec<Value> = args.iter().map(|arg| ground_value(store, arg)).collect();
    let functor = store.functor(name, values.len());
    store.insert(functor, &values).expect("the parser bounds the depth of terms")
}

fn for_each_term<'r>(rule: &'r Rule, visit: &mut impl FnMut(&'r Term)) {
    rule.head.args.iter().for_each(&mut *visit);
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.args.iter().for_each(&mut *visit);
            }
            Literal::Distinct(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }
}

fn count_uses(rule: &Rule) -> Vec<u32> {
    let mut uses = vec![0; rule.variables.len()];
    for_each_term(rule, &mut |term| term.variables(&mut |v| uses[v.0 as usize] += 1));
    uses
}

/// How often a term occurs as an argument in the head or the body of a rule.
pub(super) fn occurrences(counted: &Term, rule: &Rule) -> usize {
    let mut count = 0;
    for_each_term(rule, &mut |term| count += usize::from(term == counted));
    count
}
