//! Output shared by commands: progress, standings, analyses.

mod analysis;
mod block;
mod command_line;
mod events;
mod lines;
mod live;
mod progress;
mod sparkline;
mod standing;
mod table;

pub use analysis::{grouped, print_analysis, thoughts};
pub use block::Block;
pub use events::print_note;
pub use lines::play_in_lines;
pub use live::Live;
pub use progress::{CellProgress, ContestProgress, StatusLine, StepProgress};
pub use sparkline::sparkline;
pub use standing::{print_board, print_how_to_resume, print_location, print_standing};
