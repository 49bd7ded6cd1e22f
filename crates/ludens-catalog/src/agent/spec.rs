//! An agent as text: `uct(c=0.4) + ppaf(alpha=0.32, memorize)`.

use std::fmt;
use std::str::FromStr;

use ludens_core::Spec;

use super::chosen::Chosen;
use super::part::{Make, Named, PartKind};
use crate::error::CatalogError;

/// The spec of an agent, not yet built for a game: a tree policy with a chain of playout policies and
/// perhaps an evaluator, or a whole search. As text it has only the parameters that are not default,
/// and equal agents have equal texts.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpec {
    /// A tree policy or a whole search.
    pub(super) first: Chosen,
    /// Playout policies, tried one after the other; empty for uniform playouts.
    pub(super) chain: Vec<Chosen>,
    /// The evaluator of leaves, besides playouts.
    pub(super) evaluator: Option<Chosen>,
}

/// An example of an agent.
const EXAMPLE: &str = "uct(c=0.4) + mast";

/// Parses an agent, such as `random` or `uct(c=0.5) + mast`, and reads the files that it names.
pub fn load_agent(text: &str) -> Result<AgentSpec, CatalogError> {
    let specs = Spec::parse_chain(text).map_err(|error| CatalogError::Spec {
        text: text.to_owned(),
        error,
        example: EXAMPLE,
    })?;
    let parts = specs.iter().enumerate().map(|(place, spec)| read(place, spec));
    compose(parts.collect::<Result<Vec<_>, _>>()?)
}

impl AgentSpec {
    /// Whether one of its parts has a flag of this name that is set.
    pub fn has_flag(&self, name: &str) -> bool {
        std::iter::once(&self.first).chain(&self.chain).any(|part| part.has_flag(name))
    }
}

impl AgentSpec {
    /// The same agent on this many threads, which share a tree, unless its text has a number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.first.default_threads(threads as u64);
        self
    }
}

impl FromStr for AgentSpec {
    type Err = CatalogError;

    fn from_str(text: &str) -> Result<Self, CatalogError> {
        load_agent(text)
    }
}

impl Default for AgentSpec {
    /// UCT with uniform playouts.
    fn default() -> Self {
        let uct = Named::find("uct").expect("the table has it");
        AgentSpec { first: Chosen::with_defaults(uct), chain: Vec::new(), evaluator: None }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(guided) = self.as_guided() {
            return write!(f, "{guided}");
        }
        write!(f, "{}", self.first)?;
        self.chain.iter().chain(&self.evaluator).try_for_each(|part| write!(f, " + {part}"))
    }
}

impl AgentSpec {
    /// Its evaluator, if that is a network.
    pub(super) fn network(&self) -> Option<&Chosen> {
        self.evaluator.as_ref().filter(|part| matches!(part.part.make, Make::Network))
    }

    /// Its evaluator, if that is an evaluation function.
    pub(super) fn heuristic(&self) -> Option<&Chosen> {
        self.evaluator.as_ref().filter(|part| matches!(part.part.make, Make::Heuristic))
    }

    /// Splits `guided` into `uct` and `heuristic`.
    fn split_guided(&mut self) {
        if matches!(self.first.part.make, Make::Guided) {
            let part = |named: Option<Named>| self.first.convert(named.expect("the table has it"));
            let (uct, heuristic) = (part(Named::find("uct")), part(Named::find_added("heuristic")));
            (self.first, self.evaluator) = (uct, Some(heuristic));
        }
    }

    /// The parts as `guided`, if they can be written so.
    fn as_guided(&self) -> Option<Chosen> {
        let heuristic = self.heuristic().filter(|_| self.chain.is_empty())?;
        let defaults = Chosen::with_defaults(Named::find("guided")?);
        let is_guided = self.first.part.name == "uct"
            && self.first.is_default("fpu")
            && self.first.same("c", &defaults);
        is_guided.then(|| {
            let mut guided = defaults;
            guided.copy_from(&self.first);
            guided.copy_from(heuristic);
            guided
        })
    }
}

fn read(place: usize, spec: &Spec) -> Result<Chosen, CatalogError> {
    let found = if place == 0 { Named::find(&spec.name) } else { Named::find_added(&spec.name) };
    Chosen::read(found.ok_or_else(|| unknown_agent(&spec.name))?, spec)
}

/// Combines parts; playout policies alone are added to `uct`.
fn compose(mut parts: Vec<Chosen>) -> Result<AgentSpec, CatalogError> {
    let mut agent = AgentSpec::default();
    if parts.first().is_some_and(|part| part.part.kind() != PartKind::Playout) {
        agent.first = parts.remove(0);
    }
    agent.split_guided();
    let first = &agent.first;
    if let (PartKind::Whole, Some(next)) = (first.part.kind(), parts.first()) {
        return Err(CatalogError::Composition {
            what: format!("nothing can be added to `{}`, such as `{next}`", first.part.name),
            hint: format!("`{}` is a whole search: write it alone", first.part.name),
        });
    }
    for part in parts {
        match part.part.kind() {
            PartKind::Playout => {}
            PartKind::Evaluator => {
                check_evaluator(&agent, &part)?;
                agent.evaluator = Some(part);
                continue;
            }
            _ => return Err(cannot_be_added(agent.chain.last().unwrap_or(&agent.first), &part)),
        }
        if let Some(before) = agent.chain.last().filter(|before| always_decides(before)) {
            return Err(never_used(before, &part));
        }
        agent.chain.push(part);
    }
    if let (Some(net), Some(policy)) = (agent.network(), agent.chain.first()) {
        return Err(CatalogError::Composition {
            what: format!("`{policy}` has no effect beside `{net}`"),
            hint: "a network evaluates leaves in place of playouts: leave out the playout policy"
                .into(),
        });
    }
    agent.chain.retain(|part| !matches!(part.part.make, Make::Uniform));
    Ok(agent)
}

fn always_decides(part: &Chosen) -> bool {
    matches!(part.part.make, Make::AlwaysDecides(_) | Make::Uniform)
}

/// An agent has one evaluator, and one that changes the formula of `uct` requires `uct`.
fn check_evaluator(agent: &AgentSpec, part: &Chosen) -> Result<(), CatalogError> {
    let (name, first) = (part.part.name, agent.first.part.name);
    if let Some(before) = &agent.evaluator {
        return Err(CatalogError::Composition {
            what: format!("`{part}` cannot be added: `{before}` already evaluates leaves"),
            hint: "an agent has one evaluator".into(),
        });
    }
    if matches!(part.part.make, Make::Network) {
        return Ok(());
    }
    if part.number("bias") > 0.0 && first != "uct" {
        return Err(CatalogError::Composition {
            what: format!("`bias` of `{name}` cannot be added to `{first}`"),
            hint: format!("progressive bias modifies `uct`: write `uct + {part}`"),
        });
    }
    Ok(())
}

fn cannot_be_added(before: &Chosen, part: &Chosen) -> CatalogError {
    let (name, kind) = (part.part.name, part.part.kind().name());
    CatalogError::Composition {
        what: format!(
            "`{part}` cannot be added to `{before}`: it is a {kind}, not a playout policy"
        ),
        hint: match part.part.kind() {
            PartKind::Tree => {
                format!("an agent has one tree policy, which comes first: `{name} + …`")
            }
            _ => format!("write `{name}` alone"),
        },
    }
}

fn never_used(before: &Chosen, part: &Chosen) -> CatalogError {
    CatalogError::Composition {
        what: format!("`{part}` would never be used: `{before}` before it always chooses a move"),
        hint: format!(
            "policies are tried in order; leave `{part}` out, or write it before `{before}`"
        ),
    }
}

/// The error for a name that is not in the table.
pub fn unknown_agent(name: &str) -> CatalogError {
    let names: Vec<_> = Named::all().map(|named| named.name()).collect();
    CatalogError::UnknownName {
        what: "agent",
        name: name.to_owned(),
        nearest: Named::nearest(name).map(str::to_owned),
        known: format!("`ludens agents` lists all agents: {}", names.join(", ")),
    }
}
