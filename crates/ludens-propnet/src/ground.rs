//! Grounding: the atoms that can ever hold, and the rule instances that can ever fire.
//!
//! The possible atoms are the least fixpoint of the rules without their negative conditions, where
//! what can be next can be true and what can be legal can be done. It is computed by semi-naive
//! evaluation with a delta of one atom: each new atom is joined with those found before it, so that
//! every instance of a rule is found exactly once.
//!
//! Two transformations keep the grounding small. Conditions whose variables are used nowhere else
//! become a relation of their own (`split`), and a relation that would be huge is computed only for
//! the arguments that some rule demands (`demand`).

mod backtrack;
mod demand;
mod duplicates;
mod emit;
mod finish;
mod instances;
mod join;
mod limit;
mod order;
mod program;
mod rows;
mod run;
mod split;
mod starts;
mod table;
mod text;
mod values;

use ludens_core::{Budget, Trouble};
use ludens_gdl::Dependencies;
use ludens_gdl::rules::{Keywords, Literal, RelationId, Rules};
use ludens_logic::Statics;
use ludens_logic::terms::{Store, Value};

use limit::{Limits, Stop};
use program::Program;
use run::Grounder;

/// An atom of the grounding, numbered densely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

/// A condition of a ground rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether it must hold; otherwise it must not.
    pub positive: bool,
}

/// An atom: relation and arguments.
#[derive(Clone, Debug)]
pub struct GroundAtom {
    /// The relation; a new one if it was split off a rule.
    pub relation: RelationId,
    /// The arguments.
    pub args: Vec<Value>,
    /// Whether it can ever hold; one that cannot occurs only negated in rules.
    pub possible: bool,
}

/// A grounded description.
pub struct Grounding {
    /// The terms.
    pub store: Store,
    /// The atoms. One that can hold and has no rule always holds, except for fluents and moves.
    pub atoms: Vec<GroundAtom>,
    /// Heads of the ground rules, with the end of each rule's conditions in `conditions`.
    heads: Vec<(AtomId, u32)>,
    conditions: Vec<GroundLiteral>,
    /// The roles in order.
    pub roles: Vec<Value>,
    /// The fluents that hold initially.
    pub initial: Vec<Value>,
    /// Symbols that a static relation such as `succ` puts in a row.
    pub rows: Vec<Vec<String>>,
    /// The names of the relations.
    names: Vec<String>,
    keywords: Keywords,
}

/// The size of a grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of atoms.
    pub atoms: usize,
    /// The number of ground rules.
    pub rules: usize,
    /// The number of conditions of all ground rules.
    pub conditions: usize,
}

impl Grounding {
    /// The ground rules: head and conditions.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (AtomId, &[GroundLiteral])> {
        (0..self.heads.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.heads[i - 1].1 };
            let (head, end) = self.heads[i];
            (head, &self.conditions[start as usize..end as usize])
        })
    }

    /// Its size.
    pub fn size(&self) -> Size {
        Size { atoms: self.atoms.len(), rules: self.heads.len(), conditions: self.conditions.len() }
    }
}

/// Options of grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether conditions whose variables are used nowhere else become relations of their own.
    pub split: bool,
}

/// Grounds rules, with and without splitting, and keeps the smaller result.
pub fn ground(rules: &Rules, budget: &Budget) -> Result<Grounding, Trouble> {
    let source = Source::new(rules, budget)?;
    source.ground_smaller(budget)
}

/// Grounds rules with given options.
pub fn ground_as(rules: &Rules, options: Options, budget: &Budget) -> Result<Grounding, Trouble> {
    let source = Source::new(rules, budget)?;
    match source.ground(options, Effort::MAX, budget) {
        Ok((grounding, _)) => Ok(grounding),
        Err(Stop::Trouble(trouble)) => Err(trouble),
        Err(_) => Err(too_large()),
    }
}

/// The effort that one variant of grounding may take before the other is tried.
#[derive(Clone, Copy, Debug)]
struct Effort {
    steps: u64,
    conditions: usize,
}

impl Effort {
    /// Larger groundings are not useful.
    const MAX: Effort = Effort { steps: 4_000_000_000, conditions: 250_000_000 };

    /// The effort of the first attempt.
    const FIRST: Effort = Effort { steps: 100_000_000, ..Effort::MAX };
}

/// Groundings with more conditions than this are not compared with the other variant.
const MAX_COMPARED_CONDITIONS: usize = 100_000;

/// The input of both variants.
struct Source {
    statics: Statics,
    program: Program,
}

impl Source {
    fn new(rules: &Rules, budget: &Budget) -> Result<Self, Trouble> {
        let relevant = relevant_rules(rules);
        let rules = relevant.as_ref().unwrap_or(rules);
        let dependencies = Dependencies::of(rules);
        let statics = Statics::of(rules, &dependencies, budget)?;
        let init = rules.keywords.init;
        let has_init = rules.rules.iter().any(|rule| rule.head.relation == init);
        if has_init && statics.tuples(init).is_none() {
            return Err(Trouble::Exhausted("the initial state cannot be computed".into()));
        }
        let program = Program::new(rules, &dependencies, &statics);
        Ok(Source { statics, program })
    }

    /// The known or estimated number of atoms of each relation.
    fn sizes(&self, n_relations: usize) -> Vec<f64> {
        let size = |i: usize| {
            let is_part = i >= self.program.relations.len();
            let known = if is_part { None } else { self.statics.tuples(RelationId(i as u32)) };
            known.map_or(order::UNKNOWN_SIZE, |tuples| tuples.len() as f64)
        };
        (0..n_relations).map(size).collect()
    }

    /// Tries both variants with growing effort. Effort is counted in steps, so that the result does
    /// not depend on the clock.
    fn ground_smaller(&self, budget: &Budget) -> Result<Grounding, Trouble> {
        for effort in [Effort::FIRST, Effort::MAX] {
            for split in [true, false] {
                match self.ground(Options { split }, effort, budget) {
                    Ok((found, _)) if found.conditions.len() > MAX_COMPARED_CONDITIONS => {
                        return Ok(found);
                    }
                    Ok((found, spent)) => return Ok(self.compare(found, split, spent, budget)),
                    Err(Stop::Trouble(trouble)) => return Err(trouble),
                    Err(_) => {}
                }
            }
        }
        Err(too_large())
    }

    /// Tries the other variant too, unless it gets much larger.
    fn compare(&self, found: Grounding, split: bool, spent: Effort, budget: &Budget) -> Grounding {
        let steps = spent.steps * 4 + 10_000;
        let effort = Effort { steps, conditions: spent.conditions * 2 + 100 };
        match self.ground(Options { split: !split }, effort, budget) {
            Ok((other, _)) if other.conditions.len() < found.conditions.len() => other,
            _ => found,
        }
    }

    /// Grounds one variant. If relations explode, grounding restarts with these computed on demand.
    fn ground(
        &self,
        options: Options,
        effort: Effort,
        budget: &Budget,
    ) -> Result<(Grounding, Effort), Stop> {
        let base = split::prepare(&self.program, options.split);
        let sizes = self.sizes(base.relations.len());
        let mut demanded = vec![false; base.relations.len()];
        loop {
            let program = demand::restrict(&base, &sizes, &demanded);
            let can_demand = |relation| demand::can_demand(&base, &sizes, &demanded, relation);
            let limits = Limits::new(budget, effort, &can_demand);
            let mut grounder = Grounder::new(&program, &self.statics, limits);
            match grounder.run(&self.statics) {
                Ok(()) => {
                    let spent = grounder.spent();
                    return Ok((finish::finish(grounder, &program, &self.statics), spent));
                }
                Err(Stop::Exploded(relations)) => {
                    drop(grounder);
                    for relation in relations {
                        demanded[relation.0 as usize] = true;
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
    }
}

fn too_large() -> Trouble {
    Trouble::Exhausted("there are too many ground rules".into())
}

/// The rules on which play depends; `None` if all are needed.
fn relevant_rules(rules: &Rules) -> Option<Rules> {
    let mut rules_of = vec![Vec::new(); rules.relations.len()];
    for (i, rule) in rules.rules.iter().enumerate() {
        rules_of[rule.head.relation.0 as usize].push(i);
    }
    let k = &rules.keywords;
    let mut open = vec![k.role, k.init, k.next, k.legal, k.goal, k.terminal];
    let mut relevant = vec![false; rules.relations.len()];
    for relation in &open {
        relevant[relation.0 as usize] = true;
    }
    while let Some(relation) = open.pop() {
        for literal in rules_of[relation.0 as usize].iter().flat_map(|&i| &rules.rules[i].body) {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
            if !std::mem::replace(&mut relevant[atom.relation.0 as usize], true) {
                open.push(atom.relation);
            }
        }
    }
    let keep = |i: usize| relevant[rules.rules[i].head.relation.0 as usize];
    if (0..rules.rules.len()).all(keep) {
        return None;
    }
    let kept = (0..rules.rules.len()).filter(|&i| keep(i)).map(|i| rules.rules[i].clone());
    Some(Rules { rules: kept.collect(), ..rules.clone() })
}
