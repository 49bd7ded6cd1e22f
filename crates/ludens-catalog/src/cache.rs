//! Networks kept on disk, so that rules which take long to ground take long only once.
//!
//! An entry is data and nothing else. It is named by the text of the rules (after parameters were
//! put in) and the sources of all code that builds networks, it carries a checksum, and what it decodes
//! to is checked gate by gate: an entry that is damaged, old or forged is made anew, never
//! trusted. Whatever goes wrong with the cache itself is silent, as it only costs time.
//!
//! Networks that are grounded within [`WORTH_KEEPING`] are not kept, which is most of them: reading
//! a file would save nothing.

mod check;
mod codec;
mod entry;
mod folder;

use std::path::PathBuf;
use std::time::Duration;

use ludens_propnet::Network;

use entry::Key;
use folder::Folder;

/// Networks that took no longer than this are not kept.
pub const WORTH_KEEPING: Duration = Duration::from_millis(20);

/// The variable of the environment that names the folder, or is `off`.
const VARIABLE: &str = "LUDENS_CACHE";

/// Networks kept on disk.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<Folder>,
}

impl Cache {
    /// No cache: nothing is found and nothing is kept.
    pub fn off() -> Self {
        Cache { folder: None }
    }

    /// A cache in a folder, which is made when something is kept.
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

    /// The network of a text, if it is cached and fits into the bytes allowed.
    pub fn find(&self, text: &str, bytes: usize) -> Option<Network> {
        let (folder, key) = (self.folder.as_ref()?, Key::of(text));
        entry::decode(&folder.read(&key)?, &key, bytes)
    }

    /// Keeps the network of a text that took so long to ground.
    pub fn keep(&self, text: &str, network: &Network, time: Duration) {
        if let Some(folder) = self.folder.as_ref().filter(|_| time > WORTH_KEEPING) {
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
    fn what_took_long_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("deep/down"));
        let text = find("tictactoe").unwrap().text;
        let network = network(text);
        cache.keep(text, &network, WORTH_KEEPING);
        assert_eq!(cache.find(text, usize::MAX), None, "it did not take long");
        cache.keep(text, &network, 2 * WORTH_KEEPING);
        assert_eq!(cache.find(text, usize::MAX).as_ref(), Some(&network));
        assert_eq!(cache.find(text, 100), None, "it does not fit");
        assert_eq!(cache.find(&format!("{text} "), usize::MAX), None, "it is another text");
        assert_eq!(Cache::off().find(text, usize::MAX), None);
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_silent() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").unwrap();
        let text = find("tictactoe").unwrap().text;
        let cache = Cache::at(&file);
        cache.keep(text, &network(text), 2 * WORTH_KEEPING);
        assert_eq!(cache.find(text, usize::MAX), None);
        assert_eq!(std::fs::read(&file).unwrap(), b"in the way");
    }
}
