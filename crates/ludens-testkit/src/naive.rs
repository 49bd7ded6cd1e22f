//! A minimal evaluator of rules, the oracle for small programs; far too slow for play.
//!
//! It shares only the normal form with the real reasoners: relations are plain sets of ground
//! atoms, and naive evaluation matches every rule with every combination of atoms until a fixpoint,
//! stratum by stratum.

mod fixpoint;
mod term;

use std::collections::BTreeSet;

use ludens_core::{Answer, Reasoner, Trouble};
use ludens_gdl::Rules;
use ludens_gdl::rules::RelationId;

use fixpoint::{Atoms, Strata};
use term::Ground;

/// Rules evaluated naively.
///
/// ```
/// use ludens_core::Reasoner;
/// use ludens_testkit::naive::Naive;
///
/// let text = "(role you) (init (at 1)) (succ 1 2) (succ 2 3) (<= terminal (true (at 3)))
///     (<= (legal you step) (true (at ?x)) (succ ?x ?y)) (goal you 100)
///     (<= (next (at ?y)) (does you step) (true (at ?x)) (succ ?x ?y))";
/// let game = Naive::new(ludens_gdl::load(text).0.unwrap()).unwrap();
/// let next = game.next(&game.initial().unwrap(), &["step".into()]).unwrap();
/// assert_eq!(next, ["(at 2)"]);
/// ```
pub struct Naive {
    rules: Rules,
    strata: Strata,
    roles: Vec<String>,
    initial: Vec<String>,
    limits: Limits,
}

/// The limits of one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The number of atoms that hold.
    pub atoms: usize,
    /// Attempts to match an atom with a literal.
    pub steps: u64,
    /// The depth of terms.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { atoms: 20_000, steps: 20_000_000, depth: 24 }
    }
}

impl Naive {
    /// Loads rules, and finds the roles and the initial state.
    pub fn new(rules: Rules) -> Result<Naive, Trouble> {
        Naive::with_limits(rules, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(rules: Rules, limits: Limits) -> Result<Naive, Trouble> {
        let strata = Strata::of(&rules)?;
        let mut naive = Naive { rules, strata, roles: Vec::new(), initial: Vec::new(), limits };
        let atoms = naive.consequences(&[], &[])?;
        naive.roles = naive.role_names(&atoms);
        naive.initial = naive.column(&atoms, naive.rules.keywords.init);
        if naive.roles.is_empty() {
            return Err(Trouble::Rules("the rules name no role".into()));
        }
        Ok(naive)
    }

    /// All consequences of a state and the moves made in it.
    fn consequences(&self, facts: &[Ground], does: &[(Ground, Ground)]) -> Result<Atoms, Trouble> {
        let keywords = &self.rules.keywords;
        let mut atoms = Atoms::default();
        for fact in facts {
            atoms.insert(keywords.truth, vec![fact.clone()]);
        }
        for (role, action) in does {
            atoms.insert(keywords.does, vec![role.clone(), action.clone()]);
        }
        self.strata.complete(&self.rules, &mut atoms, &self.limits)?;
        Ok(atoms)
    }

    /// Roles in the order of the text; derived ones come last.
    fn role_names(&self, atoms: &Atoms) -> Vec<String> {
        let role = self.rules.keywords.role;
        let facts = self.rules.rules.iter().filter(|rule| rule.head.relation == role);
        let stated = facts
            .filter(|rule| rule.body.is_empty())
            .filter_map(|rule| Ground::of(&self.rules, &rule.head.args[0]))
            .map(|term| term.text(&self.rules.symbols));
        let mut names = Vec::new();
        for name in stated.chain(self.column(atoms, role)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn parse_facts(facts: &[String]) -> Result<Vec<Ground>, Trouble> {
        let parse = |text: &String| Ground::parse(text).ok_or_else(|| Trouble::Fact(text.clone()));
        facts.iter().map(parse).collect()
    }

    fn parse_moves(&self, moves: &[String]) -> Result<Vec<(Ground, Ground)>, Trouble> {
        let (expected, found) = (self.roles.len(), moves.len());
        if expected != found {
            return Err(Trouble::MoveCount { expected, found });
        }
        let parse = |(role_idx, text): (usize, &String)| {
            let role = Ground::parse(&self.roles[role_idx]);
            let pair = role.zip(Ground::parse(text));
            pair.ok_or_else(|| Trouble::Move { role_idx, text: text.clone() })
        };
        moves.iter().enumerate().map(parse).collect()
    }

    fn goals_of_role(&self, atoms: &Atoms, role: &str) -> Vec<i64> {
        let values = self.of_role(atoms, self.rules.keywords.goal, role);
        let numbers: BTreeSet<i64> = values.iter().filter_map(|v| v.parse().ok()).collect();
        numbers.into_iter().collect()
    }

    fn text(&self, term: &Ground) -> String {
        term.text(&self.rules.symbols)
    }

    /// The second argument of the atoms whose first is this role.
    fn of_role(&self, atoms: &Atoms, relation: RelationId, role: &str) -> Vec<String> {
        let pairs = atoms.of(relation).filter(|args| self.text(&args[0]) == role);
        sorted(pairs.map(|args| self.text(&args[1])))
    }

    /// The first argument of the atoms.
    fn column(&self, atoms: &Atoms, relation: RelationId) -> Vec<String> {
        sorted(atoms.of(relation).map(|args| self.text(&args[0])))
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<BTreeSet<_>>().into_iter().collect()
}

impl Reasoner for Naive {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        Ok(self.initial.clone())
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let atoms = self.consequences(&Self::parse_facts(facts)?, &[])?;
        let keywords = &self.rules.keywords;
        let legal = |role: &String| self.of_role(&atoms, keywords.legal, role);
        Ok(Answer {
            terminal: atoms.of(keywords.terminal).next().is_some(),
            legal: self.roles.iter().map(legal).collect(),
            goals: self.roles.iter().map(|role| self.goals_of_role(&atoms, role)).collect(),
        })
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let atoms = self.consequences(&Self::parse_facts(facts)?, &self.parse_moves(moves)?)?;
        Ok(self.column(&atoms, self.rules.keywords.next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(text: &str) -> Result<Naive, Trouble> {
        Naive::new(ludens_gdl::load(text).0.unwrap())
    }

    fn legal(text: &str) -> Vec<String> {
        let game = naive(&format!("(role you) {text}")).unwrap();
        game.answer(&game.initial().unwrap()).unwrap().legal[0].clone()
    }

    #[test]
    fn recursion_negation_and_distinct_are_evaluated() {
        let closure = "(edge a b) (edge b c) (edge c a) (edge c d)
            (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))";
        let text = format!("{closure} (<= (legal you ?x) (path a ?x) (not (path ?x a)))");
        assert_eq!(legal(&text), ["d"]);
        let text = format!("{closure} (<= (legal you ?x) (path ?x ?x) (distinct ?x a))");
        assert_eq!(legal(&text), ["b", "c"]);
    }

    #[test]
    fn compound_terms_are_built_and_matched() {
        let text = "(list (cons a (cons b nil))) (<= (list ?t) (list (cons ?h ?t)))
            (<= (legal you ?h) (list (cons ?h ?t)))";
        assert_eq!(legal(text), ["a", "b"]);
    }

    #[test]
    fn unsafe_variables_range_over_all_constants() {
        assert_eq!(legal("(p a) (<= (legal you ?x) (not (p ?x)))"), ["you"]);
    }

    #[test]
    fn infinite_and_unstratified_rules_are_rejected() {
        let trouble = naive("(role you) (p a) (<= (p (f ?x)) (p ?x))").err().unwrap();
        assert_eq!(trouble.code(), "exhausted");
        let (description, _) = ludens_gdl::parse("(role you) (<= p (not q)) (<= q p)");
        let rules = ludens_gdl::normalise::normalise(&description).0;
        assert_eq!(Naive::new(rules).err().unwrap(), Trouble::NegativeCycle);
    }
}
