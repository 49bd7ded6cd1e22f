//! Networks as bytes: variable-length numbers with seven bits per byte, lists prefixed by their length.
//!
//! Written by hand, since all input must be bounded and checked anyway, and there are only numbers,
//! texts and lists. Decoding never allocates more memory than allowed, whatever lengths the bytes
//! claim.

use ludens_core::{Move, Role};
use ludens_propnet::net::{Block, Gate, Net, Signal};
use ludens_propnet::{Goal, Network};

/// The bytes of a network.
pub(super) fn encode(network: &Network) -> Vec<u8> {
    // Destructured, so that a new field cannot be forgotten here.
    let Network { roles, fluents, moves, does, net, legal, next, goals, terminal, initial, rows } =
        network;
    let mut out = Writer(Vec::new());
    for texts in [roles, fluents, moves] {
        out.list(texts, |out, text| out.text(text));
    }
    out.list(does, |out, (role, m)| out.numbers([u64::from(role.0), u64::from(m.0)]));
    out.list(&net.gates, Writer::gate);
    out.list(&net.blocks, Writer::block);
    out.list(legal, |out, &signal| out.signal(signal));
    out.list(next, |out, &signal| out.signal(signal));
    out.list(goals, |out, goal| {
        out.numbers([u64::from(goal.role.0), goal.value.cast_unsigned()]);
        out.signal(goal.signal);
    });
    out.signal(*terminal);
    out.list(initial, |out, &fluent| out.number(u64::from(fluent)));
    out.list(rows, |out, row| out.list(row, |out, text| out.text(text)));
    out.0
}

/// Decodes a network of at most `memory` bytes. It is not yet validated.
pub(super) fn decode(bytes: &[u8], memory: usize) -> Option<Network> {
    let mut from = Reader { bytes, memory };
    let network = Network {
        roles: from.list(Reader::text)?,
        fluents: from.list(Reader::text)?,
        moves: from.list(Reader::text)?,
        does: from.list(|from| Some((from.role()?, Move(from.small()?))))?,
        net: Net { gates: from.list(Reader::gate)?, blocks: from.list(Reader::block)? },
        legal: from.list(Reader::signal)?,
        next: from.list(Reader::signal)?,
        goals: from.list(Reader::goal)?,
        terminal: from.signal()?,
        initial: from.list(Reader::small)?,
        rows: from.list(|from| from.list(Reader::text))?,
    };
    from.bytes.is_empty().then_some(network)
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn numbers<const N: usize>(&mut self, numbers: [u64; N]) {
        for number in numbers {
            self.number(number);
        }
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn signal(&mut self, signal: Signal) {
        self.number((signal.gate() as u64) << 1 | u64::from(signal.is_negated()));
    }

    fn gate(&mut self, gate: &Gate) {
        match gate {
            Gate::True => self.number(0),
            Gate::Fluent(i) => self.numbers([1, u64::from(*i)]),
            Gate::Does(i) => self.numbers([2, u64::from(*i)]),
            Gate::Loop => self.number(3),
            Gate::And(parts) | Gate::Or(parts) => {
                self.number(if matches!(gate, Gate::And(_)) { 4 } else { 5 });
                self.list(parts, |out, &part| out.signal(part));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.numbers([block.first as u64, block.end as u64]);
        self.list(&block.loops, |out, &(gate, definition)| {
            out.number(gate as u64);
            out.signal(definition);
        });
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// How many bytes may still be allocated.
    memory: usize,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            let part = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if part << shift >> shift != part {
                return None;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn role(&mut self) -> Option<Role> {
        Some(Role(self.number()?.try_into().ok()?))
    }

    /// The length of a list of `T`. Every item takes at least a byte, so no list is longer than
    /// the rest of the input.
    fn length<T>(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        let taken = length.checked_mul(size_of::<T>())?;
        self.memory = self.memory.checked_sub(taken)?;
        (length <= self.bytes.len()).then_some(length)
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.length::<T>()?;
        let mut items = Vec::with_capacity(length);
        for _ in 0..length {
            items.push(read(self)?);
        }
        Some(items)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.length::<u8>()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    fn signal(&mut self) -> Option<Signal> {
        let number = self.small()?;
        let signal = Signal::of(number as usize >> 1);
        Some(if number & 1 == 1 { !signal } else { signal })
    }

    fn gate(&mut self) -> Option<Gate> {
        Some(match self.number()? {
            0 => Gate::True,
            1 => Gate::Fluent(self.small()?),
            2 => Gate::Does(self.small()?),
            3 => Gate::Loop,
            4 => Gate::And(self.list(Self::signal)?.into()),
            5 => Gate::Or(self.list(Self::signal)?.into()),
            _ => return None,
        })
    }

    fn block(&mut self) -> Option<Block> {
        let (first, end) = (self.small()? as usize, self.small()? as usize);
        let loops = self.list(|from| Some((from.small()? as usize, from.signal()?)))?;
        Some(Block { first, end, loops })
    }

    fn goal(&mut self) -> Option<Goal> {
        let (role, value) = (self.role()?, self.number()?.cast_signed());
        Some(Goal { role, value, signal: self.signal()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_survive_a_round_trip() {
        for number in (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).chain([u64::MAX]) {
            let mut out = Writer(Vec::new());
            out.number(number);
            let mut from = Reader { bytes: &out.0, memory: 0 };
            assert_eq!((from.number(), from.bytes), (Some(number), &[][..]));
        }
        let too_large = [0xff; 9].iter().chain(&[2]).copied().collect::<Vec<u8>>();
        assert_eq!(Reader { bytes: &too_large, memory: 0 }.number(), None);
    }

    #[test]
    fn lengths_are_bounded_by_the_input_and_by_memory() {
        let list = |memory| Reader { bytes: &[3, 1, 2, 3], memory }.list(Reader::small);
        assert_eq!(list(12), Some(vec![1, 2, 3]));
        assert_eq!(list(11), None);
        let claim = [0xff, 0xff, 0xff, 0xff, 0x0f, 1];
        assert_eq!(Reader { bytes: &claim, memory: usize::MAX }.list(Reader::small), None);
    }
}
