//! Random bodies of rules.

use ludens_core::Rng;

use super::Options;
use super::term::{self, DOMAIN, VALUES, constant, fill};

const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];

/// A rule for a head: some of `usable` hold, some of `negated` do not, some terms differ.
pub(super) fn rule(
    rng: &mut Rng,
    options: Options,
    head: &str,
    usable: &[String],
    negated: &[String],
) -> String {
    if options.unsafe_rules && rng.below(25) == 0 && !head.contains('?') {
        return format!("(<= {})", fill(head, || constant(rng).to_owned()));
    }
    let mut body = Body { rng, options, bound: Vec::new() };
    let mut literals: Vec<String> =
        (0..=body.rng.below(3)).map(|_| body.positive(usable, negated)).collect();
    let head = body.head(head, &mut literals);
    for _ in 0..body.rng.below(4) {
        let test = body.test(negated);
        // Order must not matter: a test may come before the literals that bind its variables.
        let at = body.rng.below(literals.len() + 1);
        literals.insert(at, test);
    }
    format!("(<= {head} {})", literals.join(" "))
}

struct Body<'r> {
    rng: &'r mut Rng,
    options: Options,
    /// Variables that a positive literal binds.
    bound: Vec<&'static str>,
}

impl Body<'_> {
    fn positive(&mut self, usable: &[String], negated: &[String]) -> String {
        let template = &usable[self.rng.below(usable.len())];
        // Terms must not grow from call to call: the recursion restriction of GDL.
        let recursive = !negated.contains(template);
        fill(template, || match self.rng.below(12) {
            0 | 1 => constant(self.rng).to_owned(),
            2 | 3 if !recursive => self.pattern(),
            _ => self.bind().to_owned(),
        })
    }

    /// A compound term with variables, some of them repeated.
    fn pattern(&mut self) -> String {
        let (first, second) = (self.bind(), self.bind());
        match self.rng.below(5) {
            0 => format!("(g {first})"),
            1 => format!("(h {first} {second})"),
            2 => format!("(h {first} {})", constant(self.rng)),
            3 => format!("(h {first} (g {second}))"),
            _ => format!("(h {first} {first})"),
        }
    }

    fn bind(&mut self) -> &'static str {
        let variable = VARIABLES[self.rng.below(VARIABLES.len())];
        self.bound.push(variable);
        variable
    }

    /// Fills a head. Compound terms in it contain only constants, so that terms do not grow from state
    /// to state; conditions are added for the variables that range over roles, values and constants.
    fn head(&mut self, template: &str, literals: &mut Vec<String>) -> String {
        if template.contains("?r") {
            literals.push("(role ?r)".to_owned());
            self.bound.push("?r");
        }
        if template.contains("?v") {
            literals.push(format!("({VALUES} ?v)"));
        }
        let is_nested = ["(g", "(h"].iter().any(|inner| template.contains(inner));
        if !is_nested && self.rng.below(3) > 0 {
            return fill(template, || self.safe_term());
        }
        literals.push(format!("({DOMAIN} ?i)"));
        self.bound.push("?i");
        let mut narrow = |rng: &mut Rng| match rng.below(2) {
            0 => constant(rng).to_owned(),
            _ => "?i".to_owned(),
        };
        let depth = usize::from(!is_nested);
        fill(template, || match self.rng.below(3) {
            0 => narrow(self.rng),
            _ => term::nested(self.rng, depth, &mut narrow),
        })
    }

    /// A literal that binds nothing.
    fn test(&mut self, negated: &[String]) -> String {
        match self.rng.below(9) {
            0 | 1 => self.distinct(),
            2 => format!("(or {} {})", self.test(negated), self.sentence(negated)),
            3 if self.options.unsafe_rules => self.odd_test(negated),
            4 => format!("(not {})", self.distinct()),
            _ => format!("(not {})", self.sentence(negated)),
        }
    }

    fn odd_test(&mut self, negated: &[String]) -> String {
        match self.rng.below(2) {
            0 => format!("(not (not {}))", self.sentence(negated)),
            _ => format!("(not (or {} {}))", self.sentence(negated), self.test(negated)),
        }
    }

    /// Two terms that must differ; often both compound with the same function, so that arguments decide.
    fn distinct(&mut self) -> String {
        let (left, right) = match self.rng.below(4) {
            0 => (self.safe_term(), self.safe_term()),
            1 => {
                let mut args: Vec<String> = (0..4).map(|_| self.test_term(1)).collect();
                // One equal pair of arguments leaves the decision to the other.
                if let equal @ 0..2 = self.rng.below(3) {
                    let copy = args[equal].clone();
                    args[equal + 2] = copy;
                }
                (format!("(h {} {})", args[0], args[1]), format!("(h {} {})", args[2], args[3]))
            }
            2 => (self.safe_term(), self.test_term(2)),
            _ => (self.test_term(2), self.test_term(2)),
        };
        format!("(distinct {left} {right})")
    }

    fn sentence(&mut self, templates: &[String]) -> String {
        let template = &templates[self.rng.below(templates.len())];
        fill(template, || match self.rng.below(5) {
            0 => self.test_term(1),
            _ => self.safe_term(),
        })
    }

    /// A term of constants and bound variables, compound or not.
    fn test_term(&mut self, depth: usize) -> String {
        let (options, bound) = (self.options, &self.bound);
        term::nested(self.rng, depth, &mut |rng| safe_term(rng, options, bound))
    }

    fn safe_term(&mut self) -> String {
        safe_term(self.rng, self.options, &self.bound)
    }
}

/// A constant or a bound variable; in rules that violate the specification, any variable.
fn safe_term(rng: &mut Rng, options: Options, bound: &[&'static str]) -> String {
    if options.unsafe_rules && rng.below(12) == 0 {
        return VARIABLES[rng.below(VARIABLES.len())].to_owned();
    }
    if bound.is_empty() || rng.below(4) == 0 {
        return constant(rng).to_owned();
    }
    bound[rng.below(bound.len())].to_owned()
}
