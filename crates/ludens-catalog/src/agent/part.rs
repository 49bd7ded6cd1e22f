//! The parts that an agent's text is made of: tree policies, playout policies, evaluators, whole searches.

use ludens_search::{PlayoutPolicy, TreePolicy, Unvisited};

use super::chosen::Chosen;
use super::parameter::PartParameter;
use super::parts::{SHARED, parts};
use super::whole::Whole;
use crate::nearest::nearest;

/// A part that an agent's text can name.
pub struct Part {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Who described it; empty if nobody in particular.
    pub paper: &'static str,
    /// What may be chosen about this part alone.
    pub own: &'static [PartParameter],
    /// Names for the part with some parameters fixed.
    pub presets: &'static [Preset],
    /// What it is, and how it is made.
    pub(super) make: Make,
}

/// A name for a part with some parameters fixed.
pub struct Preset {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Who described it.
    pub paper: &'static str,
    /// The parameters that are fixed, and to what.
    pub fixed: &'static [(&'static str, &'static str)],
}

/// What a part is, and how it is made.
#[derive(Clone, Copy)]
pub(super) enum Make {
    /// A tree policy. Where it tries every move once, it does so in the given way.
    Tree(fn(&Chosen, Unvisited) -> Box<dyn TreePolicy>),
    /// `uct` and the evaluator `heuristic` under one name, with the parameters of both.
    Guided,
    /// A playout policy that may have no opinion.
    Opinion(fn(&Chosen) -> Box<dyn PlayoutPolicy>),
    /// A playout policy that always has one, so that nothing after it is ever asked.
    Decision(fn(&Chosen) -> Box<dyn PlayoutPolicy>),
    /// What playouts do without any policy.
    Uniform,
    /// An evaluation function for leaves and for the order of moves.
    Heuristic,
    /// A whole search.
    Whole(Whole),
}

/// What kind of part something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// How moves are chosen in the tree.
    Tree,
    /// How moves are chosen in playouts.
    Playout,
    /// What evaluates leaves, besides playouts.
    Evaluator,
    /// A search of its own.
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

    /// Several of the kind in words.
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
    /// What kind of part it is.
    pub fn kind(&self) -> PartKind {
        match self.make {
            Make::Tree(_) | Make::Guided => PartKind::Tree,
            Make::Opinion(_) | Make::Decision(_) | Make::Uniform => PartKind::Playout,
            Make::Heuristic => PartKind::Evaluator,
            Make::Whole(_) => PartKind::Whole,
        }
    }

    /// What may be chosen about it: its own parameters, then those of all tree searches.
    pub fn parameters(&self) -> impl Iterator<Item = &'static PartParameter> + use<> {
        let shared = if self.kind() == PartKind::Tree { SHARED } else { &[] };
        self.own.iter().chain(shared)
    }
}

/// A name of the table with what it means.
#[derive(Clone, Copy)]
pub struct Named {
    /// The part.
    pub part: &'static Part,
    /// What is fixed about it.
    pub preset: Option<&'static Preset>,
}

impl Named {
    /// Every name of the table that is no alias, in its order.
    pub fn all() -> impl Iterator<Item = Named> {
        parts().flat_map(|part| {
            let presets =
                part.presets.iter().map(move |preset| Named { part, preset: Some(preset) });
            std::iter::once(Named { part, preset: None }).chain(presets)
        })
    }

    /// What a name means as the first part of an agent.
    pub fn find(name: &str) -> Option<Named> {
        Named::all().find(|named| !named.is_added() && named.is_called(name))
    }

    /// What a name means behind a `+`: an evaluator may be called as a whole search is.
    pub fn find_added(name: &str) -> Option<Named> {
        let added = Named::all().find(|named| named.is_added() && named.is_called(name));
        added.or_else(|| Named::find(name))
    }

    /// Everything that has a name, wherever it stands in the text of an agent.
    pub fn find_all(name: &str) -> impl Iterator<Item = Named> {
        Named::all().filter(move |named| named.is_called(name))
    }

    /// Whether it never stands first.
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

    /// The name in the table that an unknown one was probably meant to be.
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

    /// Who described it; empty if nobody in particular.
    pub fn paper(&self) -> &'static str {
        self.preset.map_or(self.part.paper, |preset| preset.paper)
    }

    /// Other names that mean the same.
    pub fn aliases(&self) -> &'static [&'static str] {
        if self.preset.is_some() { &[] } else { self.part.aliases }
    }

    /// What is fixed about it: names of parameters, and their values as text.
    pub fn fixed(&self) -> &'static [(&'static str, &'static str)] {
        self.preset.map_or(&[], |preset| preset.fixed)
    }

    /// What may be chosen about it.
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
            PartKind::Evaluator => {
                vec![self.shortest(), format!("uct + {full}"), format!("uct + mast + {full}")]
            }
            PartKind::Whole => vec![name.to_owned(), full],
        };
        examples.dedup();
        examples
    }
}
