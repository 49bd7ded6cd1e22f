//! How rules become a game: grounding within limits, the cache, and the way out where rules
//! cannot be grounded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Trouble};
use ludens_gdl::Rules;
use ludens_propnet::Network;

use crate::cache::Cache;
use crate::reasoner::{AnyGame, Material, ReasonerKind};

/// What grounding may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundLimits {
    /// How long it may take.
    pub time: Duration,
    /// How many bytes it may hold.
    pub bytes: usize,
}

impl GroundLimits {
    /// As much as the budget for loading allows.
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
    /// How the rules are to be run.
    pub reasoner: ReasonerKind,
    /// What loading may cost in all.
    pub budget: Budget,
    /// What grounding may cost of that.
    pub ground: GroundLimits,
    /// Where networks are kept.
    pub cache: Cache,
}

/// What loading took, and how it went.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoadReport {
    /// How long the network took; `None` if there is none.
    pub ground: Option<Duration>,
    /// Whether the network came out of the cache.
    pub cached: bool,
    /// How long the game took after that.
    pub compile: Duration,
    /// Why grounding failed, if it was attempted without being requested.
    pub fallback: Option<Trouble>,
}

impl Loader {
    /// A loader without a cache. Grounding is limited by the budget alone, unless it is only
    /// tried: then by [`GroundLimits::default`] too.
    pub fn new(reasoner: ReasonerKind, budget: Budget) -> Self {
        let tried = reasoner == ReasonerKind::Auto;
        let ground = if tried { GroundLimits::default() } else { GroundLimits::NONE };
        Loader { reasoner, budget, ground, cache: Cache::off() }
    }

    /// Makes a game of rules; the cache, which goes by texts, is not asked.
    pub fn load_rules(&self, rules: &Rules) -> Result<(AnyGame, LoadReport), Trouble> {
        self.load(rules, None)
    }

    /// Makes a game of rules and the text they come from.
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

    /// The network of rules, out of the cache if their text is given and the network is there.
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

    /// What grounding may cost if it begins now.
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
