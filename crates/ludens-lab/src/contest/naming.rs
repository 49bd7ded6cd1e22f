//! Stable names of contests and agents.

use std::hash::Hasher;

use fnv::FnvHasher;

/// Sixteen hexadecimal digits that identify a content: FNV-1a (Fowler, Noll and Vo 1991).
pub fn fingerprint(content: impl AsRef<[u8]>) -> String {
    let mut hasher = FnvHasher::default();
    hasher.write(content.as_ref());
    format!("{:016x}", hasher.finish())
}

/// A name that is safe in file names and on command lines; of a path, the last part.
pub fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let last = last.strip_suffix(".kif").unwrap_or(last);
    let keep = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let kept: String = last.chars().map(keep).collect();
    kept.trim_matches('-').to_owned()
}

/// The texts, with a number after each repetition.
pub fn distinct(texts: &[String]) -> Vec<String> {
    let name = |(at, text): (usize, &String)| {
        let before = texts[..at].iter().filter(|other| *other == text).count();
        if before == 0 { text.clone() } else { format!("{text} #{}", before + 1) }
    };
    texts.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_the_literature() {
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
        assert_eq!(fingerprint("foobar"), "85944171f73967e8");
    }

    #[test]
    fn names_are_plain_and_distinct() {
        assert_eq!(plain("hex(size=5)"), "hex-size-5");
        assert_eq!(plain("rules/my game.kif"), "my-game");
        assert_eq!(plain("<stdin>"), "stdin");
        let texts = ["uct", "flat", "uct", "uct"].map(str::to_owned);
        assert_eq!(distinct(&texts), ["uct", "flat", "uct #2", "uct #3"]);
    }
}
