//! Development tasks.

mod corpus;

use std::path::Path;

use anyhow::Result;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let filter = args.get(1).cloned().unwrap_or_default();
    corpus::run(Path::new("../shared/corpus"), &filter)
}
