//! A board for any game, detected from its rules alone.
//!
//! A fluent such as `(cell 1 2 x)` describes a board if two of its arguments are ordered coordinates
//! and the others are contents. Names do not matter: the order of coordinates comes from integers,
//! from relations such as `succ`, or from the alphabet, so scrambled games are drawn too.
//!
//! ```
//! use ludens_board::{Layout, Style};
//!
//! let rules = "(role you) (n 1) (n 2) (n 3) (init (cell 2 3 x))
//!     (<= (init (cell ?x ?y b)) (n ?x) (n ?y) (distinct ?y 3))
//!     (init (cell 1 3 b)) (init (cell 3 3 b)) (init (control you))";
//! let rules = ludens_gdl::load(rules).0.unwrap();
//! let start = ["(cell 1 1 b)", "(cell 2 1 b)", "(cell 3 1 b)", "(cell 1 2 b)", "(cell 2 2 b)",
//!     "(cell 3 2 b)", "(cell 1 3 b)", "(cell 2 3 x)", "(cell 3 3 b)", "(control you)"];
//! let start = start.map(String::from).to_vec();
//!
//! let layout = Layout::detect(&rules, &[start.clone()], &[]).unwrap();
//! let lines = ["  ┌───────┐", "3 │ · x · │", "2 │ · · · │", "1 │ · · · │", "  └───────┘",
//!     "    1 2 3", "control you", ""];
//! assert_eq!(layout.draw(&start, Style::Plain), lines.join("\n"));
//! assert_eq!(layout.cells_of_term("(mark 2 3)"), [(1, 0)]);
//! ```

mod axis;
mod candidate;
mod chain;
mod coordinate;
mod detect;
mod domains;
mod draw;
mod edge;
mod empty;
mod extension;
mod fact;
mod fluent;
mod frame;
mod glyph;
mod grid;
mod hex;
mod hint;
mod layer;
mod layout;
mod legend;
mod net;
mod overlay;
mod paint;
mod possible;
mod sheet;
mod statics;
mod summary;

pub use draw::Style;
pub use grid::{Cell, Edge, Edges, Grid, Lean, Topology};
pub use layout::Layout;
pub use summary::draw_facts;
