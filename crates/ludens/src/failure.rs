//! Errors as text with a `hint:` line, and their exit codes.

use std::io;

use ludens_catalog::{CatalogError, ReasonerKind};
use ludens_core::{Panicked, guard_reasoner};

use crate::Outcome;
use crate::render::Renderer;
use ludens_lab::Hinted;

/// Whether the reader has closed the pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| cause.downcast_ref::<serde_json::Error>()?.io_error_kind())
    });
    kinds.into_iter().any(|kind| kind == io::ErrorKind::BrokenPipe)
}

/// Runs a command; a reasoner that gives up in the middle of a game is an error of the command.
pub fn caught(run: impl FnOnce() -> anyhow::Result<Outcome>) -> anyhow::Result<Outcome> {
    guard_reasoner(run).unwrap_or_else(|trouble| Err(Panicked::GaveUp(trouble).into()))
}

/// Prints an error, and returns the exit code: 1 for rules that cannot be played, else 2.
pub fn report(error: &anyhow::Error) -> u8 {
    let catalog = error.chain().find_map(|cause| cause.downcast_ref::<CatalogError>());
    if let Some(CatalogError::Rules { source, problems }) = catalog {
        let renderer = Renderer::new();
        for problem in problems.iter().filter(|p| p.is_error() || p.code.blocks_play()) {
            anstream::eprintln!("{}", renderer.render(source, problem));
        }
    }
    anstream::eprintln!("\x1b[1;31merror\x1b[0m: {error:#}");
    let hinted = error.chain().find_map(|cause| cause.downcast_ref::<Hinted>());
    let hint = hinted.map(|hinted| hinted.hint().to_owned()).or_else(|| catalog?.hint());
    if let Some(hint) = hint {
        anstream::eprintln!("\x1b[1;36mhint\x1b[0m: {hint}");
    }
    match catalog {
        _ if gave_up(error) => 1,
        // The requested reasoner does not have the game: wrong usage.
        Some(CatalogError::Reasoner { reasoner: ReasonerKind::Native, .. }) => 2,
        Some(CatalogError::Rules { .. } | CatalogError::Reasoner { .. }) => 1,
        _ => 2,
    }
}

fn gave_up(error: &anyhow::Error) -> bool {
    let caught = error.chain().find_map(|cause| cause.downcast_ref::<Panicked>());
    matches!(caught, Some(Panicked::GaveUp(_)))
}
