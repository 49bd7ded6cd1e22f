//! The folder with the entries, which are written atomically and limited in total size.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::entry::Key;

/// The file extension of an entry, and of one that is being written.
const ENTRY_EXTENSION: &str = "net";
const PARTIAL_EXTENSION: &str = "part";

/// A folder with entries.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The maximum total size of the entries; larger ones are not read either.
    max_bytes: u64,
}

impl Folder {
    const MAX_BYTES: u64 = 1 << 30;

    pub(super) fn new(path: PathBuf) -> Self {
        Folder { path, max_bytes: Self::MAX_BYTES }
    }

    fn entry(&self, key: &Key) -> PathBuf {
        self.path.join(format!("{}.{ENTRY_EXTENSION}", key.name()))
    }

    /// The bytes of an entry, whose time of use is updated.
    pub(super) fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let file = File::open(self.entry(key)).ok()?;
        let size = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
        if size > self.max_bytes {
            return None;
        }
        let mut bytes = Vec::with_capacity(size as usize);
        (&file).take(self.max_bytes).read_to_end(&mut bytes).ok()?;
        let _ = file.set_modified(SystemTime::now());
        Some(bytes)
    }

    /// Writes an entry, and evicts the least recently used ones beyond the maximum size. Errors
    /// are ignored: the network is built again next time.
    pub(super) fn write(&self, key: &Key, bytes: &[u8]) {
        if bytes.len() as u64 <= self.max_bytes && self.try_write(key, bytes).is_ok() {
            let _ = self.shrink();
        }
    }

    /// Readers see the old entry or the new one, since a file is renamed atomically.
    fn try_write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        let suffix = format!(".{PARTIAL_EXTENSION}");
        let mut part = tempfile::Builder::new().suffix(&suffix).tempfile_in(&self.path)?;
        part.write_all(bytes)?;
        part.persist(self.entry(key))?;
        Ok(())
    }

    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for file in fs::read_dir(&self.path)? {
            let file = file?;
            let data = file.metadata()?;
            if data.is_file() && is_entry(&file.path()) {
                files.push((data.modified()?, data.len(), file.path()));
            }
        }
        files.sort_unstable();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total <= self.max_bytes {
                break;
            }
            fs::remove_file(path)?;
            total -= size;
        }
        Ok(())
    }
}

/// Whether a file is an entry, or one that an interrupted writer left behind.
fn is_entry(path: &Path) -> bool {
    let is_ours = |extension| extension == ENTRY_EXTENSION || extension == PARTIAL_EXTENSION;
    path.extension().is_some_and(is_ours)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_least_recently_used_entries_are_evicted() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder { path: place.path().to_owned(), max_bytes: 250 };
        let keys = ["a", "b", "c"].map(Key::of);
        fs::write(place.path().join("stranger.txt"), [0; 1000]).unwrap();
        for (key, age) in keys.iter().zip([30, 20, 10]) {
            folder.write(key, &[7; 100]);
            if let Ok(file) = File::options().append(true).open(folder.entry(key)) {
                file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            }
        }
        let there = || keys.each_ref().map(|key| folder.entry(key).exists());
        assert_eq!(there(), [false, true, true], "the oldest is evicted");
        assert_eq!(folder.read(&keys[1]).unwrap(), [7; 100]);
        folder.write(&keys[0], &[7; 100]);
        assert_eq!(there(), [true, true, false], "the least recently used is evicted");
        folder.write(&keys[2], &[7; 251]);
        assert!(!there()[2], "too large to be cached");
        assert!(place.path().join("stranger.txt").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3, "no partial files are left");
    }
}
