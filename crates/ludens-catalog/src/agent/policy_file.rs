//! Files with learnt policies: JSON with the weights of each role's move codes for some positions.
//!
//! ```json
//! {"schema": "ludens/policy/1", "game": "breakthrough", "features": true,
//!  "positions": {"(cellholds 1 1 white) …": [[[17, 0.25], [18, -1.5]], [[3, 0.125]]]}}
//! ```
//!
//! A position is its facts, sorted and joined by blanks; its value is a list for each role.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use ludens_core::RoleSet;
use ludens_search::InitialPolicy;
use serde::{Deserialize, Serialize};

use crate::error::CatalogError;

/// The name of the format.
const SCHEMA: &str = "ludens/policy/1";
/// Larger files are refused.
const MAX_BYTES: u64 = 1 << 28;
/// Policies allocate tables up to the largest code.
const MAX_CODE: u32 = 1 << 24;
/// Beyond this a move is practically certain or impossible, and exponentials overflow.
const MAX_WEIGHT: f32 = 40.0;

/// The weights of each role by code.
type Weights = Vec<Vec<(u32, f32)>>;

/// A learnt policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PolicyFile {
    /// The name of the format.
    schema: String,
    /// The game it was learnt in.
    pub game: String,
    /// Whether codes include features.
    pub features: bool,
    /// The weights by position.
    positions: BTreeMap<String, Weights>,
}

impl PolicyFile {
    /// A policy learnt in a game.
    pub fn new(game: &str, features: bool, policy: InitialPolicy) -> Self {
        let (schema, game) = (SCHEMA.to_owned(), game.to_owned());
        PolicyFile { schema, game, features, positions: policy.positions }
    }

    /// The number of positions with weights.
    pub fn n_positions(&self) -> usize {
        self.positions.len()
    }

    /// The weights.
    pub fn policy(self) -> InitialPolicy {
        InitialPolicy { positions: self.positions }
    }

    /// Reads a file; invalid policies are refused.
    pub fn read(path: &str) -> Result<Self, CatalogError> {
        let unreadable = |error| CatalogError::Unreadable { path: path.to_owned(), error };
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(unreadable(io::Error::other("it is too large for a learnt policy")));
        }
        Self::parse(&bytes).map_err(|why| unreadable(io::Error::other(why)))
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file: PolicyFile = serde_json::from_slice(bytes)
            .map_err(|error| format!("it is not a learnt policy: {error}"))?;
        if file.schema != SCHEMA {
            return Err(format!("its format is `{}`, not `{SCHEMA}`", file.schema));
        }
        file.positions.values().try_for_each(check)?;
        Ok(file)
    }

    /// Writes a file atomically.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        serde_json::to_writer(io::BufWriter::new(&mut file), self)?;
        file.persist(path)?;
        Ok(())
    }
}

fn check(weights: &Weights) -> Result<(), String> {
    if weights.len() > RoleSet::MAX_ROLES {
        return Err(format!("it has weights for {} roles", weights.len()));
    }
    for &(code, weight) in weights.iter().flatten() {
        if code >= MAX_CODE {
            return Err(format!("the code {code} is not below {MAX_CODE}"));
        }
        if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight) {
            return Err(format!("the weight {weight} is not from -{MAX_WEIGHT} to {MAX_WEIGHT}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        PolicyFile::parse(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn files_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.json");
        let weights = vec![vec![(7, 0.25), (9, -1.5)], vec![]];
        let policy = InitialPolicy { positions: BTreeMap::from([("(a 1) b".to_owned(), weights)]) };
        let file = PolicyFile::new("nim", true, policy.clone());
        file.write(&path).unwrap();
        let read = PolicyFile::read(path.to_str().unwrap()).unwrap();
        assert_eq!((&read, read.clone().policy()), (&file, policy));
    }

    #[test]
    fn invalid_policies_are_refused() {
        let with = |positions: &str| {
            format!(
                r#"{{"schema":"ludens/policy/1","game":"g","features":false,"positions":{positions}}}"#
            )
        };
        assert!(PolicyFile::parse(with("{}").as_bytes()).is_ok());
        assert!(refused("[]").starts_with("it is not a learnt policy: "));
        assert_eq!(
            refused(&with("{}").replace("policy/1", "policy/2")),
            "its format is `ludens/policy/2`, not `ludens/policy/1`"
        );
        assert_eq!(
            refused(&with(r#"{"p":[[[16777216,1.0]]]}"#)),
            "the code 16777216 is not below 16777216"
        );
        assert_eq!(refused(&with(r#"{"p":[[[1,41]]]}"#)), "the weight 41 is not from -40 to 40");
        let many = format!("{{\"p\":[{}]}}", ["[]"; 65].join(","));
        assert_eq!(refused(&with(&many)), "it has weights for 65 roles");
        assert!(refused(&with(r#"{"p":[[[-1,1]]]}"#)).contains("not a learnt policy"));
    }
}
