//! A part with the values of its parameters.

use std::fmt;
use std::sync::Arc;

use ludens_core::Spec;
use ludens_learn::{FileError, NetworkFile};
use ludens_search::{InitialPolicy, Unvisited};

use super::parameter::{PartParameter, Value, ValueKind};
use super::part::{Named, Part};
use super::policy_file::PolicyFile;
use crate::error::CatalogError;
use crate::nearest::nearest;

/// A part with the values of all its parameters.
#[derive(Clone)]
pub struct Chosen {
    /// The part.
    pub part: &'static Part,
    /// A value for each of its parameters, in their order.
    values: Vec<Value>,
}

impl Chosen {
    /// A part with default values.
    pub(super) fn with_defaults(named: Named) -> Self {
        let fixed = |p: &PartParameter| named.fixed().iter().find(|(name, _)| *name == p.name);
        let value = |p: &'static PartParameter| match fixed(p) {
            Some((_, text)) => p.read(Some(text)).expect("presets have valid values"),
            None => p.default_value(),
        };
        Chosen { part: named.part, values: named.part.parameters().map(value).collect() }
    }

    /// Reads a part with its arguments.
    pub(super) fn read(named: Named, spec: &Spec) -> Result<Self, CatalogError> {
        let mut choice = Chosen::with_defaults(named);
        for (i, (key, text)) in spec.args.iter().enumerate() {
            let Some(parameter) = named.parameters().find(|p| p.name == key) else {
                return Err(unknown_parameter(named, key));
            };
            if spec.args[..i].iter().any(|(before, _)| before == key) {
                let (owner, name) = (named.name().to_owned(), key.clone());
                return Err(CatalogError::GivenTwice { owner, name });
            }
            let value = parameter.read(text.as_deref());
            let place = choice.place(key);
            choice.values[place] = match (parameter.kind, text, value) {
                (_, _, Some(value)) => value,
                (ValueKind::PolicyFile, Some(path), None) => {
                    Value::PolicyFile(path.clone(), Arc::default())
                }
                (ValueKind::NetworkFile, Some(path), None) => {
                    Value::NetworkFile(path.clone(), Arc::new(read_network(path)?))
                }
                _ => return Err(bad_value(named, parameter, text.clone(), parameter.expected())),
            };
        }
        choice.read_files(named)?;
        Ok(choice)
    }

    /// Reads the files that parameters name, after all parameters are known.
    fn read_files(&mut self, named: Named) -> Result<(), CatalogError> {
        for (place, parameter) in self.part.parameters().enumerate() {
            let Value::PolicyFile(path, _) = &self.values[place] else { continue };
            let file = PolicyFile::read(path)?;
            if file.features != self.flag("features") {
                let how = if file.features { "with" } else { "without" };
                let expected =
                    format!("{}, and this one was learnt {how} features", parameter.expected());
                return Err(bad_value(named, parameter, Some(path.clone()), expected));
            }
            self.values[place] = Value::PolicyFile(path.clone(), Arc::new(file.policy()));
        }
        Ok(())
    }

    fn place(&self, name: &str) -> usize {
        let place = self.part.parameters().position(|parameter| parameter.name == name);
        place.expect("the part has this parameter")
    }

    fn value(&self, name: &str) -> &Value {
        &self.values[self.place(name)]
    }

    /// The value of a number; `None` if it is a word.
    pub(super) fn number_unless_word(&self, name: &str) -> Option<f64> {
        match *self.value(name) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The value of a number.
    pub(super) fn number(&self, name: &str) -> f64 {
        match *self.value(name) {
            Value::Number(number) => number,
            ref other => unreachable!("`{name}` is a number, not {other}"),
        }
    }

    /// The value of a number in single precision, for playout policies.
    pub(super) fn float(&self, name: &str) -> f32 {
        self.number(name) as f32
    }

    /// The value of a whole number.
    pub(super) fn whole(&self, name: &str) -> u64 {
        self.whole_unless_word(name).expect("it has no word in place of a number")
    }

    /// The value of a whole number; `None` if a word is given instead.
    pub(super) fn whole_unless_word(&self, name: &str) -> Option<u64> {
        match *self.value(name) {
            Value::Whole(number) | Value::Bytes(number) => Some(number),
            Value::Word(_) => None,
            ref other => unreachable!("`{name}` is a whole number, not {other}"),
        }
    }

    /// Whether it has a flag of this name that is set.
    pub(super) fn has_flag(&self, name: &str) -> bool {
        let named = self.part.parameters().zip(&self.values).find(|(p, _)| p.name == name);
        named.is_some_and(|(_, value)| *value == Value::Flag(true))
    }

    /// Whether a flag is set.
    pub(super) fn flag(&self, name: &str) -> bool {
        *self.value(name) == Value::Flag(true)
    }

    /// The value of a choice.
    pub(super) fn word(&self, name: &str) -> &'static str {
        match *self.value(name) {
            Value::Choice(word) => word,
            ref other => unreachable!("`{name}` is a choice, not {other}"),
        }
    }

    /// How unvisited moves are handled: with the given number as their score, or the default.
    pub(super) fn unvisited(&self, name: &str, default: Unvisited) -> Unvisited {
        self.number_unless_word(name).map_or(default, Unvisited::Worth)
    }

    /// Another part with the values of the parameters that both have.
    pub(super) fn convert(&self, named: Named) -> Chosen {
        let mut other = Chosen::with_defaults(named);
        other.copy_from(self);
        other
    }

    /// Copies the values of the parameters that another part has too.
    pub(super) fn copy_from(&mut self, other: &Chosen) {
        for (place, parameter) in self.part.parameters().enumerate() {
            if other.part.parameters().any(|p| p.name == parameter.name) {
                self.values[place] = other.value(parameter.name).clone();
            }
        }
    }

    /// Whether a parameter has the same value in another part.
    pub(super) fn same(&self, name: &str, other: &Chosen) -> bool {
        self.value(name) == other.value(name)
    }

    /// Whether a parameter has its default value.
    pub(super) fn is_default(&self, name: &str) -> bool {
        let defaults = Chosen::with_defaults(Named { part: self.part, preset: None });
        self.value(name) == defaults.value(name)
    }

    /// The part with a network in memory, under the name of a file.
    pub(super) fn with_network(named: Named, file: &str, network: Arc<NetworkFile>) -> Self {
        let mut choice = Chosen::with_defaults(named);
        let place = choice.place("file");
        choice.values[place] = Value::NetworkFile(file.to_owned(), network);
        choice
    }

    /// The part with a limit of iterations.
    pub(super) fn with_iterations(mut self, iterations: u64) -> Self {
        let place = self.place("iterations");
        self.values[place] = Value::Whole(iterations);
        self
    }

    /// Uses this many threads with one tree, if the part has threads and the text chose nothing else.
    pub(super) fn default_threads(&mut self, threads: u64) {
        let is_open =
            |name: &str| self.part.parameters().any(|p| p.name == name) && self.is_default(name);
        if threads <= 1 || !is_open("threads") {
            return;
        }
        if is_open("parallel") {
            let place = self.place("parallel");
            self.values[place] = Value::Choice("tree");
        }
        let place = self.place("threads");
        self.values[place] = Value::Whole(threads);
    }

    /// The network of a file, if one is named.
    pub(super) fn network(&self) -> Option<&Arc<NetworkFile>> {
        self.values.iter().find_map(|value| match value {
            Value::NetworkFile(_, network) => Some(network),
            _ => None,
        })
    }

    /// The policy of a file, if one is named.
    pub(super) fn policy(&self, name: &str) -> Option<Arc<InitialPolicy>> {
        match self.value(name) {
            Value::PolicyFile(_, policy) => Some(Arc::clone(policy)),
            _ => None,
        }
    }

    /// The most specific name for the values: that of the matching preset that fixes most of them,
    /// if it fixes any to other than the default.
    fn named(&self) -> Named {
        let defaults = Chosen::with_defaults(Named { part: self.part, preset: None });
        let presets =
            self.part.presets.iter().map(|preset| Named { part: self.part, preset: Some(preset) });
        let fitting = presets.filter(|named| {
            let with = Chosen::with_defaults(*named);
            let agrees = |(name, _): &(&str, &str)| self.value(name) == with.value(name);
            with != defaults && named.fixed().iter().all(agrees)
        });
        fitting
            .max_by_key(|named| named.fixed().len())
            .unwrap_or(Named { part: self.part, preset: None })
    }
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Self) -> bool {
        self.part.name == other.part.name && self.values == other.values
    }
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named();
        let defaults = Chosen::with_defaults(named);
        let changed = (self.part.parameters().zip(&self.values).zip(&defaults.values))
            .filter(|((_, value), default)| value != default)
            .map(|((parameter, value), _)| parameter.written(value));
        let changed: Vec<_> = changed.collect();
        match changed.len() {
            0 => f.write_str(named.name()),
            _ => write!(f, "{}({})", named.name(), changed.join(", ")),
        }
    }
}

fn read_network(path: &str) -> Result<NetworkFile, CatalogError> {
    NetworkFile::read(std::path::Path::new(path)).map_err(|error| {
        let error = match error {
            FileError::Io(error) => error,
            FileError::Invalid(why) => std::io::Error::other(why),
        };
        CatalogError::Unreadable { path: path.to_owned(), error }
    })
}

fn unknown_parameter(named: Named, name: &str) -> CatalogError {
    let parameters = || named.parameters();
    CatalogError::UnknownParameter {
        owner: named.name().to_owned(),
        name: name.to_owned(),
        nearest: nearest(name, parameters().map(|p| p.name)).map(str::to_owned),
        known: parameters().map(|p| format!("{} ({})", p.name, p.doc)).collect(),
    }
}

fn bad_value(
    named: Named,
    parameter: &PartParameter,
    value: Option<String>,
    expected: String,
) -> CatalogError {
    let (owner, name) = (named.name().to_owned(), parameter.name.to_owned());
    CatalogError::BadValue { owner, name, value, expected }
}
