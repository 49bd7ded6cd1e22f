//! An agent as text: `uct(c=0.4) + ppaf(alpha=0.32, memorize)`.

use std::fmt;
use std::str::FromStr;

use ludens_core::Spec;

use super::chosen::Chosen;
use super::part::{Make, Named, PartKind};
use crate::error::CatalogError;

/// An agent that is chosen, but not yet told which game it is to play: a tree policy with a chain
/// of playout policies, or a whole search. Written out, it has only the parameters that are not as
/// usual, and equal agents are written alike.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpec {
    /// A tree policy or a whole search.
    pub(super) first: Chosen,
    /// Playout policies, asked one after the other; none are uniform playouts.
    pub(super) chain: Vec<Chosen>,
}

/// What an agent looks like.
const EXAMPLE: &str = "uct(c=0.4) + mast";

/// Finds the agent that a text means, such as `random` or `uct(c=0.5) + mast`. Files that it names
/// are read.
pub fn load_agent(text: &str) -> Result<AgentSpec, CatalogError> {
    let specs = Spec::parse_chain(text).map_err(|error| CatalogError::Spec {
        text: text.to_owned(),
        error,
        example: EXAMPLE,
    })?;
    let parts = specs.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    compose(parts)
}

impl AgentSpec {
    /// Whether one of its parts has a flag of this name that is set.
    pub fn has_flag(&self, name: &str) -> bool {
        std::iter::once(&self.first).chain(&self.chain).any(|part| part.has_flag(name))
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
        AgentSpec { first: Chosen::usual(uct), chain: Vec::new() }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.chain.iter().try_for_each(|part| write!(f, " + {part}"))
    }
}

fn read(spec: &Spec) -> Result<Chosen, CatalogError> {
    let named = Named::find(&spec.name).ok_or_else(|| unknown_agent(&spec.name))?;
    Chosen::read(named, spec)
}

/// Puts parts together; playout policies alone sit on `uct`.
fn compose(mut parts: Vec<Chosen>) -> Result<AgentSpec, CatalogError> {
    let mut agent = AgentSpec::default();
    if parts.first().is_some_and(|part| part.part.kind() != PartKind::Playout) {
        agent.first = parts.remove(0);
    }
    let first = &agent.first;
    if let (PartKind::Whole, Some(next)) = (first.part.kind(), parts.first()) {
        return Err(CatalogError::Composition {
            what: format!("nothing can be added to `{}`, such as `{next}`", first.part.name),
            hint: format!("`{}` is a whole search: write it alone", first.part.name),
        });
    }
    for part in parts {
        if part.part.kind() != PartKind::Playout {
            return Err(not_a_playout_policy(agent.chain.last().unwrap_or(&agent.first), &part));
        }
        if let Some(before) = agent.chain.last().filter(|before| always_decides(before)) {
            return Err(never_asked(before, &part));
        }
        agent.chain.push(part);
    }
    agent.chain.retain(|part| !matches!(part.part.make, Make::Uniform));
    Ok(agent)
}

fn always_decides(part: &Chosen) -> bool {
    matches!(part.part.make, Make::Decision(_) | Make::Uniform)
}

fn not_a_playout_policy(before: &Chosen, part: &Chosen) -> CatalogError {
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

fn never_asked(before: &Chosen, part: &Chosen) -> CatalogError {
    CatalogError::Composition {
        what: format!("`{part}` would never be asked: `{before}` before it always has an opinion"),
        hint: format!(
            "policies are asked in their order; leave `{part}` out, or write it before `{before}`"
        ),
    }
}

/// Nothing in the table has this name.
pub fn unknown_agent(name: &str) -> CatalogError {
    let names: Vec<_> = Named::all().map(|named| named.name()).collect();
    CatalogError::UnknownName {
        what: "agent",
        name: name.to_owned(),
        nearest: Named::nearest(name).map(str::to_owned),
        known: format!("`ludens agents` tells what there is: {}", names.join(", ")),
    }
}
