//! Ordered coordinates.
//!
//! The order of a set of symbols is that of integers, of a static relation such as `succ`, of numbers
//! after a common prefix, of the alphabet, or else the order of mention in the rules.

use std::collections::{BTreeSet, HashMap};

use ludens_gdl::Rules;

use crate::chain::Chain;
use crate::statics::Statics;

/// Gaps in a range are filled if at least this share of it is present.
const MIN_DENSITY: f64 = 0.6;

/// The minimum share of symbols with a number among numbered symbols.
const MIN_NUMBERED_SHARE: f64 = 0.8;

/// The origin of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OrderKind {
    /// Integers.
    Numbers,
    /// A static relation with two arguments.
    Chain,
    /// A common prefix and a number.
    Numbered,
    /// Single letters.
    Letters,
    /// The order of mention in the rules, which is not a true order.
    Listed,
}

/// Symbols in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    /// The symbols, from left to right or from bottom to top.
    pub symbols: Vec<String>,
    /// The origin of the order.
    pub kind: OrderKind,
}

impl Axis {
    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether the symbols have a true order.
    pub fn is_ordered(&self) -> bool {
        self.kind != OrderKind::Listed
    }
}

/// Everything in the rules that can order symbols.
pub(crate) struct Orders {
    chains: Vec<Chain>,
    mentioned: HashMap<String, usize>,
}

impl Orders {
    /// Collects the successor-like relations of the rules.
    pub fn of(rules: &Rules, statics: &Statics) -> Orders {
        let text = |symbol| rules.symbols.text(symbol).to_owned();
        let mentioned =
            rules.constants.iter().enumerate().map(|(at, symbol)| (text(*symbol), at)).collect();
        let pairs = |table: &crate::extension::Extension| {
            table.rows().iter().map(|row| (text(row[0]), text(row[1]))).collect()
        };
        let chains = statics.binary().map(|table| Chain::new(pairs(table))).collect();
        Orders { chains, mentioned }
    }

    /// Orders a set of symbols.
    pub fn axis(&self, set: &BTreeSet<String>) -> Axis {
        numbers(set, "")
            .map(|symbols| Axis { symbols, kind: OrderKind::Numbers })
            .or_else(|| self.chain(set))
            .or_else(|| numbered(set).map(|symbols| Axis { symbols, kind: OrderKind::Numbered }))
            .or_else(|| letters(set).map(|symbols| Axis { symbols, kind: OrderKind::Letters }))
            .unwrap_or_else(|| Axis { symbols: self.listed(set), kind: OrderKind::Listed })
    }

    /// Two symbols are not enough: `(opponent white black)` is not an order.
    fn chain(&self, set: &BTreeSet<String>) -> Option<Axis> {
        if set.len() < 3 {
            return None;
        }
        let whole = self.chains.iter().find_map(|chain| chain.whole(set, MIN_DENSITY));
        let part = || self.chains.iter().find_map(|chain| chain.part(set, &self.mentioned));
        let mut symbols = whole.or_else(part)?;
        let natural = numbered(set).or_else(|| letters(set));
        if natural.is_some_and(|natural| natural.iter().eq(symbols.iter().rev())) {
            symbols.reverse();
        }
        Some(Axis { symbols, kind: OrderKind::Chain })
    }

    fn listed(&self, set: &BTreeSet<String>) -> Vec<String> {
        let mut symbols: Vec<String> = set.iter().cloned().collect();
        symbols.sort_by_key(|s| self.mentioned.get(s).copied().unwrap_or(usize::MAX));
        if symbols.iter().all(|s| s.parse::<i64>().is_ok()) {
            symbols.sort_by_key(|s| s.parse::<i64>().unwrap_or(0));
        }
        symbols
    }
}

/// The symbols, each a prefix and an integer, ordered and without gaps.
fn numbers(set: &BTreeSet<String>, prefix: &str) -> Option<Vec<String>> {
    let parse = |s: &String| s.strip_prefix(prefix).and_then(|n| n.parse::<i64>().ok());
    let values: Option<Vec<i64>> = set.iter().map(parse).collect();
    let values = values?;
    let (least, most) = (*values.iter().min()?, *values.iter().max()?);
    let range = most.checked_sub(least)?.checked_add(1)?;
    if (values.len() as f64) < range as f64 * MIN_DENSITY {
        return None;
    }
    let mut named: Vec<(i64, String)> = values.into_iter().zip(set.iter().cloned()).collect();
    for missing in least..=most {
        if !named.iter().any(|(value, _)| *value == missing) {
            named.push((missing, format!("{prefix}{missing}")));
        }
    }
    named.sort();
    Some(named.into_iter().map(|(_, symbol)| symbol).collect())
}

/// Symbols such as `r1`, `r2`, `r10`; a few others may follow.
fn numbered(set: &BTreeSet<String>) -> Option<Vec<String>> {
    let first = set.first()?;
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        |s: &&String| s.strip_prefix(prefix).is_some_and(|n| n.parse::<u32>().is_ok());
    let (with, without): (BTreeSet<String>, BTreeSet<String>) =
        set.iter().cloned().partition(|s| is_numbered(&s));
    if prefix.is_empty() || (with.len() as f64) < set.len() as f64 * MIN_NUMBERED_SHARE {
        return None;
    }
    let mut symbols = numbers(&with, prefix)?;
    symbols.extend(without);
    Some(symbols)
}

/// Single letters that are close together in the alphabet.
fn letters(set: &BTreeSet<String>) -> Option<Vec<String>> {
    let letter = |s: &String| match s.as_bytes() {
        [b] if b.is_ascii_lowercase() => Some(*b),
        _ => None,
    };
    let found: Option<Vec<u8>> = set.iter().map(letter).collect();
    let found = found?;
    let (least, most) = (*found.first()?, *found.last()?);
    let dense = found.len() as f64 >= f64::from(most - least + 1) * MIN_DENSITY;
    dense.then(|| (least..=most).map(|b| char::from(b).to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(text: &str, set: &str) -> String {
        let rules = ludens_gdl::load(&format!("(role you) {text}")).0.unwrap();
        let orders = Orders::of(&rules, &Statics::of(&rules));
        let axis = orders.axis(&set.split(' ').map(str::to_owned).collect());
        format!("{:?} {}", axis.kind, axis.symbols.join(" "))
    }

    #[test]
    fn natural_orders_need_no_rules() {
        assert_eq!(axis("", "10 9 8 7"), "Numbers 7 8 9 10");
        assert_eq!(axis("", "r10 r8 r7"), "Numbered r7 r8 r9 r10");
        assert_eq!(axis("", "p1 p2 p3 p4 store"), "Numbered p1 p2 p3 p4 store");
        assert_eq!(axis("", "a c d"), "Letters a b c d");
        assert_eq!(axis("(p x) (p b) (p o)", "b o x"), "Listed x b o");
        assert_eq!(axis("", "0 50 100"), "Listed 0 50 100");
    }

    #[test]
    fn relations_of_the_rules_give_orders() {
        let succ = "(s kip lap) (s lap mog) (s mog nub) (s nub ort)";
        assert_eq!(axis(succ, "lap kip nub mog"), "Chain kip lap mog nub");
        assert_eq!(axis(succ, "kip lap nub"), "Chain kip lap mog nub");
        let both = "(n p q) (n q p) (n q r) (n r q)";
        assert_eq!(axis(both, "r q p"), "Chain p q r");
        let less = "(lt u v) (lt u w) (lt v w) (lt u x) (lt v x) (lt w x)";
        assert_eq!(axis(less, "x w v u"), "Chain u v w x");
        let circle = "(cw n e) (cw e s) (cw s w) (cw w n)";
        assert_eq!(axis(circle, "e n s w"), "Chain n e s w");
        assert_eq!(axis("(opponent white black)", "white black"), "Listed white black");
    }

    #[test]
    fn natural_order_decides_the_direction() {
        assert_eq!(axis("(before b a) (before c b)", "a b c"), "Chain a b c");
    }
}
