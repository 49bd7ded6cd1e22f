//! The parts of an agent: tree policies, playout policies, evaluators, whole searches.

use ludens_search::{PlayoutPolicy, TreePolicy, Unvisited};

use super::chosen::Chosen;
use super::parameter::PartParameter;
use super::parts::{SHARED, parts};
use super::whole::Whole;
use crate::nearest::nearest;

/// A part of an agent.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Other names with the same meaning.
    pub aliases: &'static [&'static str],
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// The papers that describe it; may be empty.
    pub paper: &'static str,
    /// The parameters of this part alone.
    pub own: &'static [PartParameter],
    /// Names for the part with some parameters fixed.
    pub presets: &'static [Preset],
    /// Its kind, with its constructor.
    pub(super) make: Make,
}

/// A name for a part with some parameters fixed.
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// The papers that describe it.
    pub paper: &'static str,
    /// The fixed parameters, with their values.
    pub fixed: &'static [(&'static str, &'static str)],
}

/// The kind of a part, with its constructor.
#[derive(Clone, Copy)]
pub(super) enum Make {
    /// A tree policy; the second argument is how it handles unvisited moves.
    Tree(fn(&Chosen, Unvisited) -> Box<dyn TreePolicy>),
    /// `uct` and the evaluator `heuristic` under one name, with the parameters of both.
    Guided,
    /// A playout policy that may choose no move.
    MayAbstain(fn(&Chosen) -> Box<dyn PlayoutPolicy>),
    /// A playout policy that always chooses a move, so that policies after it are never used.
    AlwaysDecides(fn(&Chosen) -> Box<dyn PlayoutPolicy>),
    /// Uniformly random playouts.
    Uniform,
    /// An evaluation function for leaves and for the order of moves.
    Heuristic,
    /// A network in place of playouts, which also gives priors.
    Network,
    /// A whole search.
    Whole(Whole),
}

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// Selects moves in the tree.
    Tree,
    /// Chooses moves in playouts.
    Playout,
    /// Evaluates leaves, besides playouts.
    Evaluator,
    /// A search without policies.
    Whole,
}

impl PartKind {
    /// All kinds, in the order of the reference page.
    pub const ALL: [PartKind; 4] =
        [PartKind::Tree, PartKind::Playout, PartKind::Evaluator, PartKind::Whole];

    /// The kind in words.
    pub fn name(self) -> &'static str {
        match self {
            PartKind::Tree => "tree policy",
            PartKind::Playout => "playout policy",
            PartKind::Evaluator => "evaluator",
            PartKind::Whole => "whole search",
        }
    }

    /// The plural in words.
    pub fn plural(self) -> &'static str {
        match self {
            PartKind::Tree => "tree policies",
            PartKind::Playout => "playout policies",
            PartKind::Evaluator => "evaluators",
            PartKind::Whole => "whole searches",
        }
    }
}

impl Part {
    /// Its kind.
    pub fn kind(&self) -> PartKind {
        match self.make {
            Make::Tree(_) | Make::Guided => PartKind::Tree,
            Make::MayAbstain(_) | Make::AlwaysDecides(_) | Make::Uniform => PartKind::Playout,
            Make::Heuristic | Make::Network => PartKind::Evaluator,
            Make::Whole(_) => PartKind::Whole,
        }
    }

    /// Its own parameters, then those of all tree searches.
    pub fn parameters(&self) -> impl Iterator<Item = &'static PartParameter> + use<> {
        let shared = if self.kind() == PartKind::Tree { SHARED } else { &[] };
        self.own.iter().chain(shared)
    }
}

/// An entry of the table: a part or a preset.
#[derive(Clone, Copy)]
pub struct Named {
    /// The part.
    pub part: &'static Part,
    /// The preset, if it is one.
    pub preset: Option<&'static Preset>,
}

impl Named {
    /// All entries of the table, in order.
    pub fn all() -> impl Iterator<Item = Named> {
        parts().flat_map(|part| {
            let presets =
                part.presets.iter().map(move |preset| Named { part, preset: Some(preset) });
            std::iter::once(Named { part, preset: None }).chain(presets)
        })
    }

    /// The entry with a name, as the first part of an agent.
    pub fn find(name: &str) -> Option<Named> {
        Named::all().find(|named| !named.is_added() && named.is_called(name))
    }

    /// The entry with a name after a `+`: an evaluator may have the name of a whole search.
    pub fn find_added(name: &str) -> Option<Named> {
        let added = Named::all().find(|named| named.is_added() && named.is_called(name));
        added.or_else(|| Named::find(name))
    }

    /// All entries with a name, at any position in an agent.
    pub fn find_all(name: &str) -> impl Iterator<Item = Named> {
        Named::all().filter(move |named| named.is_called(name))
    }

    /// Whether it is never the first part.
    fn is_added(&self) -> bool {
        self.part.kind() == PartKind::Evaluator
    }

    fn is_called(&self, name: &str) -> bool {
        self.name() == name || self.aliases().contains(&name)
    }

    /// The shortest agent with this part, as text.
    pub fn shortest(&self) -> String {
        if self.is_added() { format!("uct + {}", self.name()) } else { self.name().to_owned() }
    }

    /// The name in the table that is closest to an unknown one.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names = parts().flat_map(|part| {
            let presets = part.presets.iter().map(|preset| preset.name);
            std::iter::once(part.name).chain(part.aliases.iter().copied()).chain(presets)
        });
        nearest(name, names)
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.preset.map_or(self.part.name, |preset| preset.name)
    }

    /// What it does, in one sentence.
    pub fn doc(&self) -> &'static str {
        self.preset.map_or(self.part.doc, |preset| preset.doc)
    }

    /// The papers that describe it; may be empty.
    pub fn paper(&self) -> &'static str {
        self.preset.map_or(self.part.paper, |preset| preset.paper)
    }

    /// Other names with the same meaning.
    pub fn aliases(&self) -> &'static [&'static str] {
        if self.preset.is_some() { &[] } else { self.part.aliases }
    }

    /// Names of the fixed parameters, and their values as text.
    pub fn fixed(&self) -> &'static [(&'static str, &'static str)] {
        self.preset.map_or(&[], |preset| preset.fixed)
    }

    /// The parameters that are not fixed.
    pub fn parameters(&self) -> impl Iterator<Item = &'static PartParameter> + use<> {
        let fixed = self.fixed();
        self.part.parameters().filter(move |p| fixed.iter().all(|(name, _)| *name != p.name))
    }

    /// Agents with this part, as text.
    pub fn examples(&self) -> Vec<String> {
        let name = self.name();
        let number = self
            .parameters()
            .find(|p| p.word.is_none() && self.part.own.iter().any(|own| own.name == p.name));
        let full = number.map_or(name.to_owned(), |p| format!("{name}({}={})", p.name, p.default));
        let mut examples = match self.part.kind() {
            PartKind::Tree => vec![name.to_owned(), full.clone(), format!("{full} + mast")],
            PartKind::Playout => {
                vec![name.to_owned(), format!("uct + {full}"), format!("rave + {full}")]
            }
            PartKind::Evaluator if matches!(self.part.make, Make::Network) => {
                vec![format!("puct + {name}"), self.shortest()]
            }
            PartKind::Evaluator => {
                vec![self.shortest(), format!("uct + {full}"), format!("uct + mast + {full}")]
            }
            PartKind::Whole => vec![name.to_owned(), full],
        };
        examples.dedup();
        examples
    }
}
