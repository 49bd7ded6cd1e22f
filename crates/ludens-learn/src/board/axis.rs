//! Symbols that have an order, so that they may be coordinates.

use std::collections::BTreeSet;

/// Gaps in a range are filled if at least this share of it is present.
const MIN_DENSITY: f64 = 0.6;

/// The symbols in order, with those that fill gaps: integers, integers after a common prefix, letters, or a
/// stretch of one of the orders that the rules define. `None` if they have no order.
pub(super) fn ordered(symbols: &BTreeSet<&str>, orders: &[Vec<String>]) -> Option<Vec<String>> {
    let first = symbols.first()?;
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    numbered(symbols, "")
        .or_else(|| numbered(symbols, prefix))
        .or_else(|| letters(symbols))
        .or_else(|| orders.iter().find_map(|order| stretch(symbols, order)))
}

fn is_dense(n: usize, range: usize) -> bool {
    n as f64 >= range as f64 * MIN_DENSITY
}

/// Symbols that are a prefix and an integer.
fn numbered(symbols: &BTreeSet<&str>, prefix: &str) -> Option<Vec<String>> {
    let number = |symbol: &&str| symbol.strip_prefix(prefix)?.parse::<i64>().ok();
    let numbers: BTreeSet<i64> = symbols.iter().map(number).collect::<Option<_>>()?;
    let (least, most) = (*numbers.first()?, *numbers.last()?);
    let range = usize::try_from(most.checked_sub(least)?.checked_add(1)?).ok()?;
    if numbers.len() < symbols.len() || !is_dense(numbers.len(), range) {
        return None;
    }
    let named: Vec<String> = (least..=most).map(|n| format!("{prefix}{n}")).collect();
    symbols.iter().all(|symbol| named.iter().any(|name| name == symbol)).then_some(named)
}

/// Single letters that are close together in the alphabet.
fn letters(symbols: &BTreeSet<&str>) -> Option<Vec<String>> {
    let letter = |symbol: &&str| match symbol.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(*letter),
        _ => None,
    };
    let letters: Vec<u8> = symbols.iter().map(letter).collect::<Option<_>>()?;
    let (least, most) = (*letters.first()?, *letters.last()?);
    let dense = is_dense(letters.len(), usize::from(most - least) + 1);
    dense.then(|| (least..=most).map(|letter| char::from(letter).to_string()).collect())
}

/// The shortest stretch of an order that contains all symbols.
fn stretch(symbols: &BTreeSet<&str>, order: &[String]) -> Option<Vec<String>> {
    let is_symbol = |other: &String| symbols.contains(other.as_str());
    let (first, last) = (order.iter().position(is_symbol)?, order.iter().rposition(is_symbol)?);
    let stretch = &order[first..=last];
    let n = stretch.iter().filter(|other| is_symbol(other)).count();
    (n == symbols.len() && is_dense(n, stretch.len())).then(|| stretch.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_letters_and_orders_of_the_rules() {
        let order = ["kip", "lap", "mog", "nub"].map(str::to_owned).to_vec();
        let axis = |text: &str| {
            let ordered = ordered(&text.split(' ').collect(), std::slice::from_ref(&order));
            ordered.map_or_else(|| "none".to_owned(), |symbols| symbols.join(" "))
        };
        for (text, expected) in [
            ("10 9 8 7", "7 8 9 10"),
            ("-1 0 1", "-1 0 1"),
            ("1 2 4 5", "1 2 3 4 5"),
            ("r10 r8 r7", "r7 r8 r9 r10"),
            ("a c d", "a b c d"),
            ("nub lap mog", "lap mog nub"),
            ("nub kip", "none"),
            ("b o x", "none"),
            ("0 50 100", "none"),
            ("red blue", "none"),
            ("1 01 2", "none"),
            ("1 2 b", "none"),
            ("7", "7"),
        ] {
            assert_eq!(axis(text), expected, "{text}");
        }
        assert_eq!(ordered(&BTreeSet::new(), &[]), None);
    }
}
