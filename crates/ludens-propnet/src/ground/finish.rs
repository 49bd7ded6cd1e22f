//! Turns instances into the grounding: drops what play does not need, and inlines splits that did
//! not pay off.

use ludens_gdl::rules::RelationId;
use ludens_logic::Statics;
use ludens_logic::terms::Value;

use super::instances::{Instances, Lit};
use super::program::{Origin, Program};
use super::rows::rows;
use super::run::Grounder;
use super::table::NONE;
use super::{AtomId, GroundAtom, GroundLiteral, Grounding};

/// The static value of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Always,
    Never,
    Sometimes,
}

/// How the remaining rules use an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Usage {
    Unused,
    /// It occurs in conditions.
    Used,
    /// It is the head of a rule.
    Derived,
}

struct Finisher<'a> {
    program: &'a Program,
    instances: Instances,
    atoms: Vec<(RelationId, u32)>,
    truths: Vec<Truth>,
    /// The instances by head: the start of each atom's in `by_head`, and one more entry.
    starts: Vec<u32>,
    by_head: Vec<u32>,
    needed: Vec<bool>,
    /// The number of needed instances in which each atom occurs.
    uses: Vec<u32>,
}

/// Builds the grounding.
pub(super) fn finish(
    mut grounder: Grounder<'_>,
    program: &Program,
    statics: &Statics,
) -> Grounding {
    let mut instances = std::mem::take(&mut grounder.instances);
    instances.close();
    let atoms = std::mem::take(&mut grounder.atoms);
    let (starts, by_head) = group(&instances, atoms.len());
    let mut finisher = Finisher {
        program,
        truths: truths(&grounder, program, &atoms, &instances),
        needed: vec![false; atoms.len()],
        uses: vec![0; atoms.len()],
        instances,
        atoms,
        starts,
        by_head,
    };
    finisher.mark_needed();
    finisher.write(grounder, statics)
}

/// The instances sorted by head, stably.
fn group(instances: &Instances, n_atoms: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; n_atoms + 1];
    for i in 0..instances.len() {
        starts[instances.at(i).0 as usize + 1] += 1;
    }
    for i in 0..n_atoms {
        starts[i + 1] += starts[i];
    }
    let (mut at, mut by_head) = (starts.clone(), vec![0; instances.len()]);
    for i in 0..instances.len() {
        let slot = &mut at[instances.at(i).0 as usize];
        by_head[*slot as usize] = i as u32;
        *slot += 1;
    }
    (starts, by_head)
}

/// An atom that is not possible never holds; one without rules, or with a rule without conditions,
/// always holds.
fn truths(
    grounder: &Grounder<'_>,
    program: &Program,
    atoms: &[(RelationId, u32)],
    instances: &Instances,
) -> Vec<Truth> {
    let mut truths: Vec<Truth> = atoms.iter().map(|_| Truth::Always).collect();
    for i in 0..instances.len() {
        let (head, body) = instances.at(i);
        if !body.is_empty() && truths[head as usize] == Truth::Always {
            truths[head as usize] = Truth::Sometimes;
        }
    }
    for i in 0..instances.len() {
        let (head, body) = instances.at(i);
        if body.is_empty() {
            truths[head as usize] = Truth::Always;
        }
    }
    for (truth, &(relation, row)) in truths.iter_mut().zip(atoms) {
        if !grounder.tables[relation.0 as usize].is_possible(row) {
            *truth = Truth::Never;
        } else if relation == program.keywords.truth || relation == program.keywords.does {
            *truth = Truth::Sometimes;
        }
    }
    truths
}

impl Finisher<'_> {
    /// The instances with this head that can fire; only one without conditions if it always holds.
    fn rules_of(&self, atom: u32) -> impl Iterator<Item = usize> + '_ {
        let range = self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize;
        let always = self.truths[atom as usize] == Truth::Always;
        let all = self.by_head[range].iter().map(|&i| i as usize);
        let all = all.filter(move |&i| {
            let (_, body) = self.instances.at(i);
            if always { body.is_empty() } else { self.can_fire(body) }
        });
        all.take(if always { 1 } else { usize::MAX })
    }

    fn can_fire(&self, body: &[Lit]) -> bool {
        body.iter().all(|lit| {
            let never = if lit.is_positive() { Truth::Never } else { Truth::Always };
            self.truths[lit.atom() as usize] != never
        })
    }

    /// The conditions that do not always hold.
    fn conditions(&self, instance: usize) -> impl Iterator<Item = Lit> + '_ {
        let (_, body) = self.instances.at(instance);
        body.iter().copied().filter(|lit| self.truths[lit.atom() as usize] == Truth::Sometimes)
    }

    /// Marks the atoms on which play depends.
    fn mark_needed(&mut self) {
        let k = &self.program.keywords;
        let roots = [k.next, k.legal, k.goal, k.terminal];
        let is_root = |atom: &u32| roots.contains(&self.atoms[*atom as usize].0);
        let mut open: Vec<u32> = (0..self.atoms.len() as u32).filter(is_root).collect();
        for &atom in &open {
            self.needed[atom as usize] = true;
        }
        let mut found = Vec::new();
        while let Some(atom) = open.pop() {
            found.clear();
            for rule in self.rules_of(atom) {
                found.extend(self.conditions(rule).map(Lit::atom));
            }
            for &other in &found {
                self.uses[other as usize] += 1;
                if !std::mem::replace(&mut self.needed[other as usize], true) {
                    open.push(other);
                }
            }
        }
    }

    /// The only instance of a split-off atom, if it is better inlined.
    fn inlined(&self, atom: u32) -> Option<usize> {
        let (relation, _) = self.atoms[atom as usize];
        if self.program.relations[relation.0 as usize].origin != Origin::Part {
            return None;
        }
        let mut rules = self.rules_of(atom);
        let only = rules.next().filter(|_| rules.next().is_none())?;
        let short = self.uses[atom as usize] == 1 || self.conditions(only).nth(1).is_none();
        short.then_some(only)
    }

    /// Appends the conditions of an instance, with split-off atoms inlined.
    fn expand(&self, instance: usize, out: &mut Vec<Lit>) {
        let mut open = vec![instance];
        while let Some(instance) = open.pop() {
            for lit in self.conditions(instance) {
                match self.inlined(lit.atom()) {
                    Some(inner) if lit.is_positive() => open.push(inner),
                    _ => out.push(lit),
                }
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// The final rules: heads with the end of their conditions, and conditions.
    fn rules(&self) -> (Vec<(u32, u32)>, Vec<Lit>) {
        let (mut heads, mut conditions) = (Vec::new(), Vec::new());
        let mut body = Vec::new();
        for i in 0..self.instances.len() {
            let (head, raw) = self.instances.at(i);
            let fires = if self.truths[head as usize] == Truth::Always {
                self.rules_of(head).next() == Some(i)
            } else {
                self.can_fire(raw)
            };
            if fires && self.needed[head as usize] && self.inlined(head).is_none() {
                body.clear();
                self.expand(i, &mut body);
                conditions.extend_from_slice(&body);
                heads.push((head, conditions.len() as u32));
            }
        }
        (heads, conditions)
    }

    fn write(mut self, grounder: Grounder<'_>, statics: &Statics) -> Grounding {
        let (heads, conditions) = self.rules();
        (self.instances, self.by_head) = (Instances::default(), Vec::new());
        let mut usages = vec![Usage::Unused; self.atoms.len()];
        for lit in &conditions {
            usages[lit.atom() as usize] = Usage::Used;
        }
        for &(head, _) in &heads {
            usages[head as usize] = Usage::Derived;
        }
        let (atoms, numbers) = self.renumber(&grounder, &usages);
        let number = |atom: u32| AtomId(numbers[atom as usize]);
        let literal =
            |lit: &Lit| GroundLiteral { atom: number(lit.atom()), positive: lit.is_positive() };
        Grounding {
            heads: heads.iter().map(|&(head, end)| (number(head), end)).collect(),
            conditions: conditions.iter().map(literal).collect(),
            atoms,
            names: self.program.relations.iter().map(|r| r.name.clone()).collect(),
            keywords: self.program.keywords,
            rows: rows(statics, self.program.relations.len(), &grounder.store),
            store: grounder.store,
            roles: grounder.roles,
            initial: initial(statics, self.program.keywords.init),
        }
    }

    /// The atoms that remain, by relation, and the new number of each old one.
    fn renumber(&self, grounder: &Grounder<'_>, usages: &[Usage]) -> (Vec<GroundAtom>, Vec<u32>) {
        let keywords = self.program.keywords;
        let is_input = |r: RelationId| r == keywords.truth || r == keywords.does;
        let is_root = |r: RelationId| self.program.is_root(r) && r != keywords.init;
        let mut atoms = Vec::new();
        let mut numbers = vec![NONE; usages.len()];
        for (relation, table) in grounder.tables.iter().enumerate() {
            let relation = RelationId(relation as u32);
            for row in 0..table.len() as u32 {
                let old = table.ids[row as usize];
                let usage = usages.get(old as usize).copied().unwrap_or(Usage::Unused);
                let can_hold = table.is_possible(row);
                if usage == Usage::Unused && !(can_hold && is_root(relation)) {
                    continue;
                }
                // An atom all of whose rules have conditions that never hold cannot hold.
                let is_dead = usage != Usage::Derived
                    && !is_input(relation)
                    && self.truths.get(old as usize) == Some(&Truth::Sometimes);
                if let Some(number) = numbers.get_mut(old as usize) {
                    *number = atoms.len() as u32;
                }
                let args = table.tuple(row).to_vec();
                atoms.push(GroundAtom { relation, args, possible: can_hold && !is_dead });
            }
        }
        (atoms, numbers)
    }
}

fn initial(statics: &Statics, init: RelationId) -> Vec<Value> {
    let init = statics.tuples(init).into_iter().flatten();
    let mut initial: Vec<Value> = init.map(|tuple| tuple[0]).collect();
    initial.sort_unstable();
    initial
}
