//! Events that concern the user in any command.

use ludens_lab::{Event, units};

/// Prints a note for a fallback to the reference reasoner.
pub fn print_note(event: &Event<'_>) {
    if let Event::NotGrounded { game, limits, trouble } = event {
        anstream::eprintln!(
            "\x1b[1;36mnote\x1b[0m: {game} could not be grounded within {} and {} ({trouble}); \
             using the reference reasoner (slower)",
            units::format_duration(limits.time),
            units::format_bytes(limits.bytes),
        );
    }
}
