//! Loading rules: grounding within limits, the cache, and the fallback for rules that cannot be
//! grounded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Trouble};
use ludens_gdl::Rules;
use ludens_propnet::Network;

use crate::cache::Cache;
use crate::reasoner::{AnyGame, Material, ReasonerKind};

/// Limits of grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundLimits {
    /// The time limit.
    pub time: Duration,
    /// The memory limit in bytes.
    pub bytes: usize,
}

impl GroundLimits {
    /// No limits besides the budget of loading.
    pub const NONE: GroundLimits = GroundLimits { time: Duration::MAX, bytes: usize::MAX };
}

impl Default for GroundLimits {
    fn default() -> Self {
        GroundLimits { time: Duration::from_secs(30), bytes: 2 << 30 }
    }
}

/// How a game is loaded.
#[derive(Clone, Debug)]
pub struct Loader {
    /// The reasoner.
    pub reasoner: ReasonerKind,
    /// The budget of loading in total.
    pub budget: Budget,
    /// Additional limits of grounding.
    pub ground: GroundLimits,
    /// The cache of networks.
    pub cache: Cache,
}

/// Times and outcome of loading.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoadReport {
    /// Time to ground or read the network; `None` if there is none.
    pub ground: Option<Duration>,
    /// Whether the network was cached.
    pub cached: bool,
    /// Time to build the game after that.
    pub compile: Duration,
    /// Why grounding failed, if it was attempted without being requested.
    pub fallback: Option<Trouble>,
}

impl Loader {
    /// A loader without a cache. Grounding is limited by the budget alone, unless it has a
    /// fallback: then by [`GroundLimits::default`] too.
    pub fn new(reasoner: ReasonerKind, budget: Budget) -> Self {
        let has_fallback = reasoner == ReasonerKind::Auto;
        let ground = if has_fallback { GroundLimits::default() } else { GroundLimits::NONE };
        Loader { reasoner, budget, ground, cache: Cache::off() }
    }

    /// Builds a game from rules, without the cache, whose keys are texts.
    pub fn load_rules(&self, rules: &Rules) -> Result<(AnyGame, LoadReport), Trouble> {
        self.load(rules, None)
    }

    /// Builds a game from rules and their text.
    pub(crate) fn load(
        &self,
        rules: &Rules,
        text: Option<&str>,
    ) -> Result<(AnyGame, LoadReport), Trouble> {
        let mut report = LoadReport::default();
        let network = match self.reasoner {
            ReasonerKind::Auto => match self.network(rules, text, &mut report) {
                Ok(network) => Some(network),
                Err(trouble) => {
                    report.fallback = Some(trouble);
                    None
                }
            },
            kind if kind.is_ground() => Some(self.network(rules, text, &mut report)?),
            _ => None,
        };
        let begun = Instant::now();
        let game = self.reasoner.make(&Material { rules, network, budget: &self.budget })?;
        report.compile = begun.elapsed();
        Ok((game, report))
    }

    /// The network of rules, from the cache if their text is given and cached.
    pub fn network(
        &self,
        rules: &Rules,
        text: Option<&str>,
        report: &mut LoadReport,
    ) -> Result<Arc<Network>, Trouble> {
        let begun = Instant::now();
        let known = text.and_then(|text| self.cache.find(text, self.ground.bytes));
        report.cached = known.is_some();
        let network = match known {
            Some(network) => network,
            None => Network::load(rules, &self.ground_budget())?,
        };
        let time = begun.elapsed();
        report.ground = Some(time);
        if let Some(text) = text.filter(|_| !report.cached) {
            self.cache.keep(text, &network, time);
        }
        Ok(Arc::new(network))
    }

    /// The budget of grounding that begins now.
    pub fn ground_budget(&self) -> Budget {
        let mut budget = self.budget.clone();
        if let Some(deadline) = Instant::now().checked_add(self.ground.time) {
            budget.deadline = Some(budget.deadline.map_or(deadline, |own| own.min(deadline)));
        }
        budget.bytes =
            Some(budget.bytes.map_or(self.ground.bytes, |own| own.min(self.ground.bytes)));
        budget
    }
}
