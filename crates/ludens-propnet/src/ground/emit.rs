//! Records instances as joins find them.

use ludens_gdl::rules::RelationId;
use ludens_logic::terms::Value;

use super::instances::{Instances, Lit};
use super::join::{Emitted, Join, Source};
use super::limit::{Stop, too_deep};
use super::run::Grounder;
use super::table::NONE;
use super::values::build;

impl Grounder<'_> {
    /// Records the instance that the registers hold.
    pub(super) fn emit(&mut self, join: &Join) -> Result<(), Stop> {
        let mut tuple = std::mem::take(&mut self.head);
        let built = self.build_all(&join.head_args, &mut tuple);
        let row = if built {
            let (row, is_new) = self.add_possible(join.head, &tuple);
            if join.silent && is_new {
                self.limits.count(self.program, join.head)?;
            }
            row
        } else {
            NONE
        };
        self.head = tuple;
        if !built {
            return Err(self.limits.too_deep(join.head));
        }
        if join.silent { Ok(()) } else { self.record(join, row) }
    }

    fn record(&mut self, join: &Join, row: u32) -> Result<(), Stop> {
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        for emitted in &join.emitted {
            match emitted {
                Emitted::Matched(slot, relation) => {
                    let atom = self.atom(*relation, self.chosen[*slot]);
                    body.push(Lit::new(atom, true));
                }
                Emitted::Negated(relation, args) => {
                    let mut tuple = std::mem::take(&mut self.head);
                    let built = self.build_all(args, &mut tuple);
                    let row = if built { self.intern(*relation, &tuple) } else { NONE };
                    self.head = tuple;
                    if !built {
                        return Err(Stop::Trouble(too_deep()));
                    }
                    let atom = self.atom(*relation, row);
                    body.push(Lit::new(atom, false));
                }
            }
        }
        body.sort_unstable();
        body.dedup();
        let head = self.atom(join.head, row);
        if join.unique {
            self.instances.push(head, &body);
        }
        if join.unique || self.instances.add(head, &body) {
            self.limits.add_bytes(Instances::bytes(body.len()));
            self.limits.add_conditions(body.len());
            self.limits.count(self.program, join.head)?;
        }
        self.body = body;
        Ok(())
    }

    /// The number of an atom in the instances.
    fn atom(&mut self, relation: RelationId, row: u32) -> u32 {
        let id = &mut self.tables[relation.0 as usize].ids[row as usize];
        if *id == NONE {
            *id = self.atoms.len() as u32;
            self.atoms.push((relation, row));
        }
        *id
    }

    /// Builds terms, new ones where needed; returns false if one is nested too deeply.
    fn build_all(&mut self, sources: &[Source], tuple: &mut Vec<Value>) -> bool {
        tuple.clear();
        for source in sources {
            match build(&mut self.store, &self.registers, source) {
                Some(value) => tuple.push(value),
                None => return false,
            }
        }
        true
    }
}
