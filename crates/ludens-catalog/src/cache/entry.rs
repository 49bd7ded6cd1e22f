//! An entry of the cache: a header and a network.
//!
//! ```text
//! magic     8 bytes
//! key      32 bytes, of the text and the versions
//! length    8 bytes, of the body, little-endian
//! checksum 32 bytes, of the body
//! body      the network, as `codec` writes it
//! ```

use ludens_propnet::Network;

use super::{check, codec};

const MAGIC: &[u8; 8] = b"ludensN\n";

/// The format number, to be increased when the format changes, and the sources that turn texts into
/// networks. Entries of other versions have other names.
const VERSION: &str =
    concat!("format 1, crate ", env!("CARGO_PKG_VERSION"), ", makers ", env!("LUDENS_MAKERS"));

const HEAD: usize = MAGIC.len() + 32 + 8 + 32;

/// The key of an entry: a hash of the text and the version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// The key of the network of a text.
    pub(super) fn of(text: &str) -> Self {
        Key::of_version(VERSION, text)
    }

    fn of_version(version: &str, text: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(version.len() as u64).to_le_bytes());
        hasher.update(version.as_bytes());
        hasher.update(text.as_bytes());
        Key(hasher.finalize().into())
    }

    /// The key as a file name.
    pub(super) fn name(&self) -> String {
        blake3::Hash::from(self.0).to_hex().to_string()
    }
}

/// Writes an entry.
pub(super) fn encode(key: &Key, network: &Network) -> Vec<u8> {
    let body = codec::encode(network);
    let mut entry = Vec::with_capacity(HEAD + body.len());
    entry.extend_from_slice(MAGIC);
    entry.extend_from_slice(&key.0);
    entry.extend_from_slice(&(body.len() as u64).to_le_bytes());
    entry.extend_from_slice(blake3::hash(&body).as_bytes());
    entry.extend_from_slice(&body);
    entry
}

/// Decodes an entry; `None` if it is invalid in any respect, or if its network takes more than
/// `bytes` bytes.
pub(super) fn decode(entry: &[u8], key: &Key, bytes: usize) -> Option<Network> {
    let rest = entry.strip_prefix(MAGIC)?.strip_prefix(&key.0)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (checksum, body) = rest.split_first_chunk::<32>()?;
    let whole = u64::from_le_bytes(*length) == body.len() as u64;
    if !whole || blake3::hash(body) != *checksum {
        return None;
    }
    let network = codec::decode(body, bytes)?;
    check::is_sound(&network).then_some(network)
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use ludens_testkit::library::on_all_cores;

    use super::*;
    use crate::cache::tests::network;
    use crate::library::{Entry, find, library};

    #[test]
    fn every_game_of_the_library_survives_a_round_trip() {
        let survives = |entry: &Entry| {
            let (key, network) = (Key::of(entry.text), network(entry.text));
            decode(&encode(&key, &network), &key, usize::MAX) == Some(network)
        };
        let results = on_all_cores(library(), survives);
        for (entry, survived) in library().iter().zip(results) {
            assert!(survived, "{}", entry.name);
        }
    }

    #[test]
    fn damaged_entries_are_not_used() {
        let text = find("tictactoe").unwrap().text;
        let key = Key::of(text);
        let entry = encode(&key, &network(text));
        assert!(decode(&entry, &key, usize::MAX).is_some());
        for end in 0..entry.len() {
            assert_eq!(decode(&entry[..end], &key, usize::MAX), None, "cut after {end} bytes");
        }
        let mut damaged = entry.clone();
        for place in 0..entry.len() {
            for flip in [1, 0x10, 0x80] {
                damaged[place] ^= flip;
                assert_eq!(decode(&damaged, &key, usize::MAX), None, "byte {place}");
                damaged[place] ^= flip;
            }
        }
        damaged.push(0);
        assert_eq!(decode(&damaged, &key, usize::MAX), None, "trailing bytes");
    }

    #[test]
    fn other_versions_and_other_texts_are_not_used() {
        let text = find("tictactoe").unwrap().text;
        let (old, key) = (Key::of_version("format 0", text), Key::of(text));
        let network = network(text);
        let entry = encode(&old, &network);
        assert_eq!(decode(&entry, &old, usize::MAX), Some(network));
        assert_eq!(decode(&entry, &key, usize::MAX), None);
        assert_ne!(old.name(), key.name());
    }

    /// A forged body with a valid checksum.
    fn forged(key: &Key, body: &[u8]) -> Vec<u8> {
        let checksum = blake3::hash(body);
        let length = (body.len() as u64).to_le_bytes();
        [MAGIC, &key.0[..], &length, checksum.as_bytes(), body].concat()
    }

    /// Every network that passes can be encoded, decoded and evaluated.
    #[test]
    fn forged_entries_do_no_harm() {
        use ludens_core::Game;
        let text = find("blocker").unwrap().text;
        let (key, honest) = (Key::of(text), network(text));
        let body = codec::encode(&honest);
        let mut rng = Rng::new(7);
        let mut passed = 0;
        for _ in 0..3000 {
            let mut body = body.clone();
            for _ in 0..=rng.below(3) {
                let place = rng.below(body.len());
                body[place] = body[place].wrapping_add(1 + rng.below(255) as u8);
            }
            let Some(network) = decode(&forged(&key, &body), &key, 64 << 20) else { continue };
            passed += 1;
            assert_eq!(codec::decode(&codec::encode(&network), usize::MAX), Some(network.clone()));
            let game = ludens_propnet::PropGame::scalar(network.into());
            let mut view = ludens_core::View::default();
            game.look_all(&game.initial(), &mut view);
        }
        assert!(passed < 3000, "some damage is detected");
        for claim in [&[0xff; 9][..], &[1, 0xff, 0xff, 0xff, 0xff, 0x7f], &[0x80; 4], &[]] {
            assert_eq!(decode(&forged(&key, claim), &key, usize::MAX), None);
        }
    }
}
