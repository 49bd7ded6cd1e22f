//! Times as journals store them.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A time in milliseconds. Whole ones are whole numbers; clocks that are multiples of the time of a
/// random game need fractions as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Millis(pub Duration);

/// Nanoseconds in a millisecond.
const NANOS: u32 = 1_000_000;

impl Millis {
    /// Seconds, rounded up.
    pub fn seconds(self) -> u64 {
        self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0)
    }

    /// As text.
    pub fn shown(self) -> String {
        crate::units::format_duration(self.0)
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.subsec_nanos().is_multiple_of(NANOS) {
            serializer.serialize_u64(self.0.as_millis() as u64)
        } else {
            serializer.serialize_f64(self.0.as_nanos() as f64 / f64::from(NANOS))
        }
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let nanos = (f64::deserialize(deserializer)? * f64::from(NANOS)).round();
        Ok(Millis(Duration::from_nanos(nanos as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_were_written() {
        for (nanos, text) in [(0, "0"), (250_000_000, "250"), (312_457, "0.312457"), (1, "1e-6")] {
            let time = Millis(Duration::from_nanos(nanos));
            assert_eq!(serde_json::to_string(&time).unwrap(), text);
            assert_eq!(serde_json::from_str::<Millis>(text).unwrap(), time);
        }
        let long = Millis(Duration::from_nanos(86_400_000_000_123));
        let text = serde_json::to_string(&long).unwrap();
        assert_eq!(serde_json::from_str::<Millis>(&text).unwrap(), long);
        assert_eq!(
            [0, 1, 1_000_000_000].map(|n| Millis(Duration::from_nanos(n)).seconds()),
            [0, 1, 1]
        );
    }
}
