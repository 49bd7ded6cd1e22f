//! Pages and pictures of findings.

mod by_ply;
mod folder;
mod html;
mod markdown;
mod pictures;
mod texts;

pub use folder::{read_all, write_findings, write_index};
pub use html::page as html_page;
pub use texts::{HEAD, explanation, row};
