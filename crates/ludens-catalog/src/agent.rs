//! The table of agents: who can play against the user.

use std::sync::Arc;

use ludens_core::{Game, Spec};
use ludens_search::{Agent, Flat, Random};

use crate::error::CatalogError;
use crate::nearest::nearest;

/// A kind of agent, for help texts and lookup.
pub struct AgentKind {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// Its parameters: name, default and meaning.
    pub parameters: &'static [(&'static str, &'static str, &'static str)],
    /// What it is, in one sentence.
    pub doc: &'static str,
    read: fn(&Spec) -> Result<AgentSpec, CatalogError>,
}

/// All agents.
pub const AGENTS: &[AgentKind] = &[
    AgentKind {
        name: "random",
        parameters: &[],
        doc: "Makes any legal move.",
        read: |_| Ok(AgentSpec::Random),
    },
    AgentKind {
        name: "flat",
        parameters: &[("c", "0.7", "how much it explores moves that did badly so far")],
        doc: "Tries moves in random playouts and makes the one tried most (UCB1 at the root).",
        read: |spec| Ok(AgentSpec::Flat { exploration: number(spec, "c", 0.7)? }),
    },
];

/// An agent that is chosen, but not yet told which game it is to play.
#[derive(Clone, PartialEq, Debug)]
pub enum AgentSpec {
    /// Any legal move.
    Random,
    /// Flat Monte Carlo.
    Flat {
        /// Weight of the exploration term.
        exploration: f64,
    },
}

impl AgentSpec {
    /// The agent for a game.
    pub fn build<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        match *self {
            AgentSpec::Random => Box::new(Random::new(game, seed)),
            AgentSpec::Flat { exploration } => Box::new(Flat::new(game, exploration, seed)),
        }
    }
}

/// Finds the agent that a text means, such as `random` or `flat(c=0.5)`.
pub fn load_agent(text: &str) -> Result<AgentSpec, CatalogError> {
    let spec =
        Spec::parse(text).map_err(|error| CatalogError::Spec { text: text.to_owned(), error })?;
    let Some(kind) = AGENTS.iter().find(|kind| kind.name == spec.name) else {
        return Err(unknown(&spec.name));
    };
    let known = |key: &str| kind.parameters.iter().any(|(name, ..)| *name == key);
    if let Some((key, _)) = spec.args.iter().find(|(key, _)| !known(key)) {
        let parameters = kind.parameters.iter();
        return Err(CatalogError::UnknownParameter {
            owner: spec.name.clone(),
            name: key.clone(),
            known: parameters.map(|(name, _, doc)| format!("{name} ({doc})")).collect(),
        });
    }
    (kind.read)(&spec)
}

fn unknown(name: &str) -> CatalogError {
    let names = || AGENTS.iter().map(|kind| kind.name);
    CatalogError::UnknownName {
        what: "agent",
        name: name.to_owned(),
        nearest: nearest(name, names()).map(str::to_owned),
        known: format!("the agents are: {}", names().collect::<Vec<_>>().join(", ")),
    }
}

fn number(spec: &Spec, key: &str, default: f64) -> Result<f64, CatalogError> {
    let Some((_, value)) = spec.args.iter().find(|(name, _)| name == key) else {
        return Ok(default);
    };
    let number = value.as_ref().and_then(|value| value.parse().ok());
    number.filter(|number: &f64| number.is_finite() && *number >= 0.0).ok_or_else(|| {
        CatalogError::BadValue {
            owner: spec.name.clone(),
            name: key.to_owned(),
            value: value.clone(),
            expected: "a number, 0 or more".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_read_with_their_parameters() {
        assert_eq!(load_agent("random").unwrap(), AgentSpec::Random);
        assert_eq!(load_agent("flat").unwrap(), AgentSpec::Flat { exploration: 0.7 });
        assert_eq!(load_agent("flat(c=1.5)").unwrap(), AgentSpec::Flat { exploration: 1.5 });
    }

    #[test]
    fn slips_are_answered() {
        let refused = |text| {
            let error = load_agent(text).unwrap_err();
            format!("{error}; {}", error.hint().unwrap())
        };
        assert_eq!(refused("falt"), "no agent is called `falt`; did you mean `flat`?");
        assert_eq!(refused("uct"), "no agent is called `uct`; the agents are: random, flat");
        assert_eq!(
            refused("flat(c=-1)"),
            "`c` of `flat` cannot be `-1`; `c` is a number, 0 or more"
        );
        assert_eq!(
            refused("random(c=1)"),
            "`random` has no parameter `c`; `random` has no parameters"
        );
    }

    #[test]
    fn the_defaults_in_the_table_are_those_in_the_code() {
        for kind in AGENTS {
            let args = kind.parameters.iter();
            let args = args.map(|(name, default, _)| format!("{name}={default}"));
            let full = format!("{}({})", kind.name, args.collect::<Vec<_>>().join(", "));
            assert_eq!(load_agent(kind.name).unwrap(), load_agent(&full).unwrap());
        }
    }
}
