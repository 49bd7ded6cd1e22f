//! The declarations of `base` and `input`.

use std::collections::HashSet;

use ludens_core::{Budget, Reasoner, Trouble};
use ludens_gdl::Rules;

use ludens_catalog::ReasonerKind;

/// The facts and moves that the rules declare; `None` without declarations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Domain {
    /// Facts of `base`.
    pub base: Option<HashSet<String>>,
    /// Moves of `input`, by role.
    pub input: Option<HashSet<(String, String)>>,
}

impl Domain {
    /// The declarations of a text, computed by a reasoner.
    ///
    /// Reasoners compute states only, so two rules are added to the text, which make all declared
    /// terms part of the initial state.
    pub fn of(text: &str, budget: &Budget) -> Result<Self, Trouble> {
        let extended = format!(
            "{text}\n(<= (init (ludens_base ?fact)) (base ?fact))\n\
             (<= (init (ludens_input ?role ?move)) (input ?role ?move))\n"
        );
        let Some(rules) = ludens_gdl::load(&extended).0 else { return Ok(Domain::default()) };
        let declares = |relation| rules.rules.iter().any(|rule| rule.head.relation == relation);
        let (base, input) = (declares(rules.keywords.base), declares(rules.keywords.input));
        if !base && !input {
            return Ok(Domain::default());
        }
        let facts = initial(&rules, budget)?;
        let inner = |fact: &str, name: &str| {
            let inner = fact.strip_prefix(name)?.strip_suffix(')')?;
            Some(inner.to_owned())
        };
        let pair = |text: String| {
            let (role, mv) = text.split_once(' ')?;
            Some((role.to_owned(), mv.to_owned()))
        };
        let bases = || facts.iter().filter_map(|fact| inner(fact, "(ludens_base "));
        let inputs = || facts.iter().filter_map(|fact| pair(inner(fact, "(ludens_input ")?));
        Ok(Domain {
            base: base.then(|| bases().collect()),
            input: input.then(|| inputs().collect()),
        })
    }
}

fn initial(rules: &Rules, budget: &Budget) -> Result<Vec<String>, Trouble> {
    let game = ReasonerKind::Logic.load(rules, budget)?;
    let reasoner: &dyn Reasoner = &*game.reasoner();
    reasoner.initial()
}
