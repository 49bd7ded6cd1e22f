//! The layers of a network for a game, without training.

use anyhow::Context;
use ludens_catalog::{Cache, ReasonerKind, network_layers};

use super::{Dump, Sink};

/// The seed with which `ludens train` begins.
const SEED: u64 = 1;

/// Prints the table of layers, and writes the picture if one is wanted.
pub(super) fn print(args: &Dump, cache: &Cache, print: &mut Sink<'_>) -> anyhow::Result<()> {
    let loaded = args.ground.loader(ReasonerKind::Scalar, cache).load_game(&args.game)?;
    let layers = network_layers(&loaded.game, &args.network.clone().unwrap_or_default(), SEED)?;
    layers.to_string().lines().try_for_each(&mut *print)?;
    if let Some(path) = &args.svg {
        let picture = layers.svg(loaded.game.roles());
        std::fs::write(path, picture)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
