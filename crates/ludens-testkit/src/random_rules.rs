//! Random small descriptions: stratified by construction, with recursion, negation, `distinct`, `or`, and
//! compound terms wherever GDL allows them; optionally with rules that violate the specification in the
//! ways that real games do.

use std::fmt::Write;

use ludens_core::Rng;

mod body;
mod term;

/// What the descriptions may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Variables that no positive sentence binds, empty bodies, double negations.
    pub unsafe_rules: bool,
}

/// A random description. All of them have the same roles, fluents and moves.
#[derive(Clone, Debug)]
pub struct RandomRules {
    /// The rules as text.
    pub text: String,
}

/// Sentences about the state; each `_` is an argument.
const FLUENTS: [&str; 5] = ["(f0 _)", "(f1 _ _)", "(f2 (g _))", "f3", "(f4 (h _ (g _)))"];

/// Moves.
const MOVES: [&str; 4] = ["(m0 _)", "(m1 _ _)", "noop", "(m2 (h _ _))"];

/// Relations that are stated as facts.
const FACTS: [&str; 4] = ["(s0 _)", "(s1 _ _)", "(s2 (g _) _)", "(s3 (h _ _))"];

/// The roles of every random game.
const ROLES: [&str; 2] = ["r0", "r1"];

/// Values of goals.
const GOALS: [u32; 4] = [0, 30, 50, 100];

impl RandomRules {
    /// Generates a random description.
    pub fn new(rng: &mut Rng, options: Options) -> RandomRules {
        let mut writer = Writer { rng, options, text: String::new() };
        writer.facts();
        let sources = writer.layers("t", 2, own(&FACTS));
        writer.init(&sources);
        let with_state = [sources, within("true", &FLUENTS), own(&["(true _)"])].concat();
        let with_state = writer.layers("v", 2, with_state);
        writer.outputs(&with_state);
        let with_moves = [with_state, moves_made()].concat();
        let with_moves = writer.layers("w", 1, with_moves);
        writer.rules(&within("next", &FLUENTS), 5, &with_moves, &with_moves);
        RandomRules { text: writer.text }
    }

    /// A random set of facts, sorted; usually unreachable.
    pub fn state(rng: &mut Rng) -> Vec<String> {
        let count = rng.below(9);
        let mut facts: Vec<_> = (0..count).map(|_| ground_one(rng, &FLUENTS)).collect();
        facts.sort();
        facts.dedup();
        facts
    }

    /// A random move for each role; it need not be legal.
    pub fn joint(rng: &mut Rng) -> Vec<String> {
        ROLES.iter().map(|_| ground_one(rng, &MOVES)).collect()
    }
}

fn ground_one(rng: &mut Rng, templates: &[&str]) -> String {
    let template = templates[rng.below(templates.len())];
    ground(rng, template)
}

/// Replaces each `_` by a ground term.
fn ground(rng: &mut Rng, template: &str) -> String {
    term::fill(template, || term::ground(rng))
}

fn own(templates: &[&str]) -> Vec<String> {
    templates.iter().map(ToString::to_string).collect()
}

fn within(keyword: &str, templates: &[&str]) -> Vec<String> {
    templates.iter().map(|template| format!("({keyword} {template})")).collect()
}

fn moves_made() -> Vec<String> {
    let mut made = own(&["(role _)", "(does _ _)"]);
    for role in ROLES {
        made.extend(within(&format!("does {role}"), &MOVES));
    }
    made.extend(within("does _", &MOVES));
    made
}

struct Writer<'r> {
    rng: &'r mut Rng,
    options: Options,
    text: String,
}

impl Writer<'_> {
    fn facts(&mut self) {
        for role in ROLES {
            self.line(&format!("(role {role})"));
        }
        for constant in term::CONSTANTS {
            self.line(&format!("({} {constant})", term::DOMAIN));
        }
        for value in GOALS {
            self.line(&format!("({} {value})", term::VALUES));
        }
        for template in FACTS {
            for _ in 0..2 + self.rng.below(4) {
                let fact = ground(self.rng, template);
                self.line(&fact);
            }
        }
    }

    /// Adds relations that depend on those below: in each layer two that may depend on each other. They
    /// are added to the sources of later rules.
    fn layers(&mut self, letter: &str, count: usize, mut sources: Vec<String>) -> Vec<String> {
        for layer in 0..count {
            let heads = [format!("({letter}{layer}a _)"), format!("({letter}{layer}b _ _)")];
            let usable = [&sources[..], &heads[..]].concat();
            let rules = 2 + self.rng.below(4);
            self.rules(&heads, rules, &usable, &sources);
            sources = usable;
        }
        sources
    }

    fn init(&mut self, sources: &[String]) {
        for _ in 0..=self.rng.below(4) {
            let fluent = ground_one(self.rng, &FLUENTS);
            self.line(&format!("(init {fluent})"));
        }
        self.rules(&within("init", &FLUENTS), 1, sources, sources);
    }

    fn outputs(&mut self, sources: &[String]) {
        for role in ROLES {
            if self.rng.below(4) > 0 {
                self.line(&format!("(legal {role} noop)"));
            }
            self.rules(&within(&format!("legal {role}"), &MOVES), 2, sources, sources);
            let value = GOALS[self.rng.below(GOALS.len())];
            self.rules(&[format!("(goal {role} {value})")], 2, sources, sources);
        }
        // Heads whose role, and perhaps value, is a variable.
        self.rules(&within("legal ?r", &MOVES), 1, sources, sources);
        self.rules(&own(&["(goal ?r 30)", "(goal ?r ?v)"]), 1, sources, sources);
        self.rules(&own(&["terminal"]), 1, sources, sources);
    }

    fn rules(&mut self, heads: &[String], count: usize, usable: &[String], negated: &[String]) {
        for _ in 0..count {
            let head = heads[self.rng.below(heads.len())].clone();
            let rule = body::rule(self.rng, self.options, &head, usable, negated);
            self.line(&rule);
        }
    }

    /// Adds a line; sometimes a name without arguments gets redundant parentheses.
    fn line(&mut self, line: &str) {
        let line = term::with_parentheses(line, self.rng);
        writeln!(self.text, "{line}").expect("strings can be written to");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_load_and_vary() {
        let mut texts = std::collections::HashSet::new();
        for seed in 0..200 {
            let options = Options { unsafe_rules: seed % 2 == 1 };
            let rules = RandomRules::new(&mut Rng::new(seed), options);
            let (loaded, problems) = ludens_gdl::load(&rules.text);
            assert!(loaded.is_some(), "{problems:?}\n{}", rules.text);
            texts.insert(rules.text);
        }
        assert_eq!(texts.len(), 200);
    }

    #[test]
    fn every_kind_of_formula_occurs() {
        let options = Options { unsafe_rules: true };
        let texts: String =
            (0..50).map(|seed| RandomRules::new(&mut Rng::new(seed), options).text).collect();
        for part in [
            "(not ",
            "(distinct ",
            "(distinct (g ",
            "(distinct (h ",
            "(distinct (k ",
            "(or ",
            "(not (not ",
            "(not (distinct ",
            "(not (distinct (h ",
            "(g (h ",
            "(g ?",
            "(h ?",
            "(<= (",
            "(f3)",
            "(noop)",
            "(goal ?r ?v)",
            "(legal ?r ",
        ] {
            assert!(texts.contains(part), "no {part}");
        }
    }
}
