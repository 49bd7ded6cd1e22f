//! A cache of networks on disk, so that rules that are slow to ground are grounded only once.
//!
//! An entry is data only. Its key is a hash of the text of the rules (after substitution of
//! parameters) and of the sources of all code that builds networks, it has a checksum, and the decoded
//! network is validated gate by gate: an entry that is damaged, old or forged is built again, never
//! trusted. Errors of the cache itself are ignored, as they only cost time.
//!
//! Networks that are grounded within [`MIN_GROUNDING_TIME`] are not cached, which is most of them:
//! reading a file would save nothing.

mod check;
mod codec;
mod entry;
mod folder;

use std::path::PathBuf;
use std::time::Duration;

use ludens_propnet::Network;

use entry::Key;
use folder::Folder;

/// Networks that took no longer than this to ground are not cached.
pub const MIN_GROUNDING_TIME: Duration = Duration::from_millis(20);

/// The environment variable with the folder, or `off`.
const VARIABLE: &str = "LUDENS_CACHE";

/// A cache of networks on disk.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<Folder>,
}

impl Cache {
    /// No cache.
    pub fn off() -> Self {
        Cache { folder: None }
    }

    /// A cache in a folder, which is created with the first entry.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Cache { folder: Some(Folder::new(folder.into())) }
    }

    /// The cache of the user: `$LUDENS_CACHE` (or none if that is `off`), else
    /// `$XDG_CACHE_HOME/ludens`, else `~/.cache/ludens`.
    pub fn of_user() -> Self {
        let path = |name: &str| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty());
            value.map(PathBuf::from)
        };
        match path(VARIABLE) {
            Some(folder) if folder.as_os_str() == "off" => Cache::off(),
            Some(folder) => Cache::at(folder),
            None => path("XDG_CACHE_HOME")
                .or_else(|| Some(path("HOME")?.join(".cache")))
                .map_or(Cache::off(), |folder| Cache::at(folder.join("ludens"))),
        }
    }

    /// The network of a text, if it is cached and has at most `bytes` bytes.
    pub fn find(&self, text: &str, bytes: usize) -> Option<Network> {
        let (folder, key) = (self.folder.as_ref()?, Key::of(text));
        entry::decode(&folder.read(&key)?, &key, bytes)
    }

    /// Adds the network of a text, unless `time`, its grounding time, was too short.
    pub fn keep(&self, text: &str, network: &Network, time: Duration) {
        if let Some(folder) = self.folder.as_ref().filter(|_| time > MIN_GROUNDING_TIME) {
            let key = Key::of(text);
            folder.write(&key, &entry::encode(&key, network));
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use super::*;
    use crate::library::find;

    pub(super) fn network(text: &str) -> Network {
        let rules = ludens_gdl::load(text).0.unwrap();
        Network::load(&rules, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn slow_networks_are_cached() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("deep/down"));
        let text = find("tictactoe").unwrap().text;
        let network = network(text);
        cache.keep(text, &network, MIN_GROUNDING_TIME);
        assert_eq!(cache.find(text, usize::MAX), None, "it did not take long");
        cache.keep(text, &network, 2 * MIN_GROUNDING_TIME);
        assert_eq!(cache.find(text, usize::MAX).as_ref(), Some(&network));
        assert_eq!(cache.find(text, 100), None, "it does not fit");
        assert_eq!(cache.find(&format!("{text} "), usize::MAX), None, "it is another text");
        assert_eq!(Cache::off().find(text, usize::MAX), None);
    }

    #[test]
    fn an_unusable_folder_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").unwrap();
        let text = find("tictactoe").unwrap().text;
        let cache = Cache::at(&file);
        cache.keep(text, &network(text), 2 * MIN_GROUNDING_TIME);
        assert_eq!(cache.find(text, usize::MAX), None);
        assert_eq!(std::fs::read(&file).unwrap(), b"in the way");
    }
}
