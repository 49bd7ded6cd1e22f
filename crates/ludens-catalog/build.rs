//! Embeds the library again when a game is added or removed, and hashes the sources that build
//! networks, so that a network built by other sources is never read from a cache.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The crates that turn the text of rules into a network.
const NETWORK_SOURCES: [&str; 3] =
    ["../ludens-gdl/src", "../ludens-logic/src", "../ludens-propnet/src"];

fn main() {
    println!("cargo::rerun-if-changed=../../games");
    let mut hasher = DefaultHasher::new();
    for folder in NETWORK_SOURCES {
        println!("cargo::rerun-if-changed={folder}");
        // Without the sources, the version of the crate alone identifies the builder.
        let _ = hash_folder(Path::new(folder), &mut hasher);
    }
    println!("cargo::rustc-env=LUDENS_MAKERS={:016x}", hasher.finish());
}

/// Hashes all files of a folder, in the order of their names.
fn hash_folder(folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths {
        path.file_name().hash(hasher);
        if path.is_dir() {
            hash_folder(&path, hasher)?;
        } else {
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
