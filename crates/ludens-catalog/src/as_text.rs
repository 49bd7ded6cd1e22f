//! Agents and reasoners are serialised as their texts.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::AgentSpec;
use crate::reasoner::ReasonerKind;

impl Serialize for AgentSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AgentSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for ReasonerKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ReasonerKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_and_reasoners_are_texts() {
        let agent: AgentSpec = serde_json::from_str("\"uct(c=0.50) + mast\"").unwrap();
        assert_eq!(serde_json::to_string(&agent).unwrap(), format!("\"{agent}\""));
        let reasoner: ReasonerKind = serde_json::from_str("\"native\"").unwrap();
        assert_eq!(reasoner, ReasonerKind::Native);
        assert_eq!(serde_json::to_string(&reasoner).unwrap(), "\"native\"");
        assert!(serde_json::from_str::<AgentSpec>("\"utc\"").is_err());
    }
}
