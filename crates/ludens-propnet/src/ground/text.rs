//! A grounding as text: a game description without variables.

use super::{AtomId, GroundLiteral, Grounding};

impl Grounding {
    /// The grounded description, one statement per line: roles, the initial state, the facts that play
    /// needs and that always hold, and the rules. It is equivalent to the original rules.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let roles = self.roles.iter().map(|&role| format!("(role {})", self.store.text(role)));
        let init = self.initial.iter().map(|&f| format!("(init {})", self.store.text(f)));
        let rules = self.rules().map(|(head, body)| self.rule(head, body));
        roles.chain(init).chain(self.facts()).chain(rules)
    }

    /// The atoms that play needs and that always hold.
    fn facts(&self) -> impl Iterator<Item = String> + '_ {
        let k = &self.keywords;
        let needed = [k.next, k.legal, k.goal, k.terminal];
        let mut has_rule = vec![false; self.atoms.len()];
        self.rules().for_each(|(head, _)| has_rule[head.0 as usize] = true);
        let atoms = (0..self.atoms.len()).filter(move |&i| {
            let atom = &self.atoms[i];
            atom.possible && !has_rule[i] && needed.contains(&atom.relation)
        });
        atoms.map(|i| self.atom(AtomId(i as u32)))
    }

    fn rule(&self, head: AtomId, body: &[GroundLiteral]) -> String {
        if body.is_empty() {
            return self.atom(head);
        }
        let conditions = body.iter().map(|literal| {
            let atom = self.atom(literal.atom);
            if literal.positive { format!(" {atom}") } else { format!(" (not {atom})") }
        });
        format!("(<= {}{})", self.atom(head), conditions.collect::<String>())
    }

    fn atom(&self, atom: AtomId) -> String {
        let atom = &self.atoms[atom.0 as usize];
        let name = &self.names[atom.relation.0 as usize];
        if atom.args.is_empty() {
            return name.clone();
        }
        let args = atom.args.iter().map(|&arg| format!(" {}", self.store.text(arg)));
        format!("({name}{})", args.collect::<String>())
    }
}
