//! Random bodies of rules.

use ludens_core::Rng;

use super::{CONSTANTS, Options};

const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];

/// Replaces each `_` of a template.
pub(super) fn fill(template: &str, mut argument: impl FnMut() -> String) -> String {
    let mut parts = template.split('_');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += &argument();
        text += part;
    }
    text
}

/// A rule for a head: some of `asked` hold, some of `negated` do not, some terms differ.
pub(super) fn rule(
    rng: &mut Rng,
    options: Options,
    head: &str,
    asked: &[String],
    negated: &[String],
) -> String {
    if options.unsafe_rules && rng.below(25) == 0 {
        return format!("(<= {})", fill(head, || CONSTANTS[rng.below(4)].to_owned()));
    }
    let mut body = Body { rng, options, bound: Vec::new() };
    let mut literals: Vec<String> =
        (0..=body.rng.below(3)).map(|_| body.positive(asked, negated)).collect();
    for _ in 0..body.rng.below(3) {
        let test = body.test(negated);
        // Order must not matter: what is tested may stand before what binds its variables.
        let at = body.rng.below(literals.len() + 1);
        literals.insert(at, test);
    }
    let head = fill(head, || body.safe_term());
    format!("(<= {head} {})", literals.join(" "))
}

struct Body<'r> {
    rng: &'r mut Rng,
    options: Options,
    /// Variables that a positive literal binds.
    bound: Vec<&'static str>,
}

impl Body<'_> {
    fn positive(&mut self, asked: &[String], negated: &[String]) -> String {
        let template = &asked[self.rng.below(asked.len())];
        // Terms must not grow from call to call: the recursion restriction of GDL.
        let recursive = !negated.contains(template);
        fill(template, || match self.rng.below(10) {
            0 | 1 => CONSTANTS[self.rng.below(4)].to_owned(),
            2 if !recursive => format!("(g {})", self.bind()),
            _ => self.bind().to_owned(),
        })
    }

    fn bind(&mut self) -> &'static str {
        let variable = VARIABLES[self.rng.below(VARIABLES.len())];
        self.bound.push(variable);
        variable
    }

    /// A literal that binds nothing.
    fn test(&mut self, negated: &[String]) -> String {
        match self.rng.below(8) {
            0 | 1 => format!("(distinct {} {})", self.safe_term(), self.safe_term()),
            2 => format!("(or {} {})", self.test(negated), self.sentence(negated)),
            3 if self.options.unsafe_rules => self.odd_test(negated),
            _ => format!("(not {})", self.sentence(negated)),
        }
    }

    fn odd_test(&mut self, negated: &[String]) -> String {
        match self.rng.below(3) {
            0 => format!("(not (not {}))", self.sentence(negated)),
            1 => format!("(not (distinct {} {}))", self.safe_term(), self.safe_term()),
            _ => format!("(not (or {} {}))", self.sentence(negated), self.test(negated)),
        }
    }

    fn sentence(&mut self, templates: &[String]) -> String {
        let template = &templates[self.rng.below(templates.len())];
        fill(template, || self.safe_term())
    }

    /// A constant or a bound variable; among rules that break the specification, any variable.
    fn safe_term(&mut self) -> String {
        if self.options.unsafe_rules && self.rng.below(12) == 0 {
            return VARIABLES[self.rng.below(VARIABLES.len())].to_owned();
        }
        if self.bound.is_empty() || self.rng.below(4) == 0 {
            return CONSTANTS[self.rng.below(4)].to_owned();
        }
        self.bound[self.rng.below(self.bound.len())].to_owned()
    }
}
