//! Durations and sizes with units: `1.5s`, `200ms`, `2m`; `512M`, `2G`.

use std::str::FromStr;
use std::time::Duration;

use ludens_catalog::split_size;

/// Parses a duration; a bare number means seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    let seconds = number.parse::<f64>().map_err(|_| "expected a number, such as `1.5s`")? * scale;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a time cannot be that long or short".into())
}

/// Parses a duration above 0.
pub fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("expected a time above 0, such as `100ms` or `1.5s`".into()),
        time => Ok(time),
    }
}

/// Parses a whole number of at least 1.
pub fn positive<N: FromStr + From<u8> + PartialOrd>(text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| *number >= N::from(1));
    number.ok_or_else(|| format!("expected {POSITIVE}"))
}

/// The values that [`positive`] accepts, for messages.
pub const POSITIVE: &str = "a whole number of 1 or more";

/// Parses a size in bytes; a bare number means bytes, units are powers of 1024.
pub fn bytes(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let unknown = || {
        let unit = text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        format!("unknown unit `{unit}`; use K, M or G")
    };
    let (number, scale) = split_size(text).ok_or_else(unknown)?;
    let number = number.parse::<f64>().map_err(|_| "expected a number, such as `512M`")?;
    let size = number * scale as f64;
    if size < 0.0 {
        return Err("a size cannot be negative".into());
    }
    Ok(size as usize)
}

/// A duration as text: `30 s`, `1.5 s`, `200 ms`.
pub fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        format!("{} ms", rounded(seconds * 1e3))
    } else {
        format!("{} s", rounded(seconds))
    }
}

/// A size as text: `2 GiB`, `1.5 KiB`.
pub fn format_bytes(bytes: usize) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"];
    let scale = (0..units.len()).rev().find(|scale| bytes >> (10 * scale) > 0).unwrap_or(0);
    format!("{} {}", rounded(bytes as f64 / f64::from(1u32 << (10 * scale))), units[scale])
}

/// A duration in milliseconds, for tables and records.
pub fn milliseconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1e3)
}

/// Rounds to two decimal places.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    (text[..end].trim(), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed() {
        assert_eq!(duration("1.5s").unwrap(), Duration::from_millis(1500));
        assert_eq!(duration("200 ms").unwrap(), Duration::from_millis(200));
        assert_eq!(duration("2m").unwrap(), Duration::from_mins(2));
        assert_eq!(duration("3").unwrap(), Duration::from_secs(3));
        for text in ["", "s", "1x", "-1s", "1e300h", "NaN"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_and_durations_are_positive() {
        assert_eq!((positive::<u64>("3"), positive::<usize>("1")), (Ok(3), Ok(1)));
        assert_eq!(positive_duration("1ms").unwrap(), Duration::from_millis(1));
        for text in ["0", "-1", "x", "1.5", "99999999999999999999"] {
            assert!(positive::<u64>(text).unwrap_err().contains("1 or more"), "{text}");
        }
        for text in ["0", "0ms", "x"] {
            assert!(positive_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_parsed() {
        assert_eq!(bytes("512M").unwrap(), 512 << 20);
        assert_eq!(bytes("2GiB").unwrap(), 2 << 30);
        assert_eq!(bytes("1.5k").unwrap(), 1536);
        assert_eq!(bytes("7").unwrap(), 7);
        for text in ["", "G", "1x", "-1"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_and_sizes_are_written_with_units() {
        assert_eq!(format_duration(Duration::from_secs(30)), "30 s");
        assert_eq!(format_duration(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(format_duration(Duration::from_micros(12_340)), "12.34 ms");
        assert_eq!(format_bytes(2 << 30), "2 GiB");
        assert_eq!(format_bytes(1536), "1.5 KiB");
        assert_eq!(format_bytes(7), "7 bytes");
    }
}
