//! Several reasoners on the same random playouts, compared in full sets, not in counts.

use std::fmt;

use ludens_core::{Answer, Reasoner, Rng, Trouble};

/// What is compared, and on how many playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of random playouts.
    pub games: u32,
    /// A playout is cut off after this many joint moves.
    pub max_plies: u32,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether the facts of the states must be equal. Rules of the same game by different
    /// authors agree on moves and goals, not on facts.
    pub states: bool,
    /// Whether to also compare what play does not need: legal moves in terminal states and goals in
    /// nonterminal ones.
    pub everywhere: bool,
    /// No more states are compared once they have had this many facts in total: text is slow if states
    /// are large.
    pub max_facts: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            games: 10,
            max_plies: 1000,
            seed: 1,
            states: true,
            everywhere: true,
            max_facts: u64::MAX,
        }
    }
}

/// Counts of what was compared without a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Playouts.
    pub games: u32,
    /// Playouts that ended in a terminal state.
    pub finished: u32,
    /// States compared.
    pub states: u64,
    /// Legal moves compared.
    pub moves: u64,
    /// Facts of the states compared.
    pub facts: u64,
}

/// The aspect that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// The roles or their order.
    Roles,
    /// The facts of the state.
    State,
    /// The legal moves of a role.
    Legal(String),
    /// The goal values of a role.
    Goal(String),
    /// Whether the state is terminal.
    Terminal,
    /// The reference reported an error.
    FirstStopped,
    /// The other reasoner reported an error.
    SecondStopped,
}

/// The first difference between the reference and another reasoner, and the moves that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Which of the others differs, from 0.
    pub other: usize,
    /// Number of the playout, from 0.
    pub game: u32,
    /// The joint moves made so far.
    pub moves: Vec<Vec<String>>,
    /// What differs.
    pub aspect: Aspect,
    /// Items of the reference that the other reasoner lacks.
    pub missing: Vec<String>,
    /// Items of the other reasoner that the reference lacks.
    pub extra: Vec<String>,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Roles => f.write_str("roles"),
            Aspect::State => f.write_str("state"),
            Aspect::Legal(role) => write!(f, "legal moves of {role}"),
            Aspect::Goal(role) => write!(f, "goal of {role}"),
            Aspect::Terminal => f.write_str("terminal"),
            Aspect::FirstStopped => f.write_str("the reference gave up"),
            Aspect::SecondStopped => f.write_str("the other reasoner gave up"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} step {}: {}", self.game, self.moves.len(), self.aspect)?;
        for (label, list) in [("missing", &self.missing), ("extra", &self.extra)] {
            if !list.is_empty() {
                let more = if list.len() > 8 { " …" } else { "" };
                write!(f, "; {label} {}{more}", list[..list.len().min(8)].join(" "))?;
            }
        }
        if self.missing.is_empty() && self.extra.is_empty() {
            f.write_str("; the same, but in another order or number")?;
        }
        if !self.moves.is_empty() {
            let joints: Vec<_> = self.moves.iter().map(|joint| joint.join(", ")).collect();
            write!(f, "; after [{}]", joints.join("] ["))?;
        }
        Ok(())
    }
}

impl std::error::Error for Difference {}

/// Runs random playouts with two reasoners in lockstep; the first is assumed to be correct.
pub fn lockstep(
    first: &dyn Reasoner,
    second: &dyn Reasoner,
    options: &Options,
) -> Result<Counts, Difference> {
    lockstep_all(first, &[second], options)
}

/// Runs random playouts with a reference and any number of other reasoners in lockstep.
///
/// Each keeps its own state, and all make the same moves.
pub fn lockstep_all(
    reference: &dyn Reasoner,
    others: &[&dyn Reasoner],
    options: &Options,
) -> Result<Counts, Difference> {
    let mut run =
        Run { reference, others, options, counts: Counts::default(), game: 0, moves: Vec::new() };
    for (other, reasoner) in others.iter().enumerate() {
        run.same(other, Aspect::Roles, reference.roles(), reasoner.roles())?;
    }
    for game in 0..options.games {
        run.game = game;
        run.moves.clear();
        run.random_playout()?;
    }
    Ok(run.counts)
}

struct Run<'a> {
    reference: &'a dyn Reasoner,
    others: &'a [&'a dyn Reasoner],
    options: &'a Options,
    counts: Counts,
    game: u32,
    moves: Vec<Vec<String>>,
}

impl Run<'_> {
    fn random_playout(&mut self) -> Result<(), Difference> {
        let mut rng = Rng::stream(self.options.seed, &[u64::from(self.game)]);
        let mut state = self.of_reference(self.reference.initial())?;
        let mut others = self.of_others(|_, reasoner| reasoner.initial())?;
        loop {
            let answer = self.compare(&state, &others)?;
            let stuck = answer.legal.iter().any(Vec::is_empty);
            let is_cut = self.moves.len() as u32 == self.options.max_plies
                || self.counts.facts > self.options.max_facts;
            if answer.terminal || stuck || is_cut {
                self.counts.games += 1;
                self.counts.finished += u32::from(answer.terminal);
                return Ok(());
            }
            let choose = |legal: &Vec<String>| legal[rng.below(legal.len())].clone();
            let joint: Vec<String> = answer.legal.iter().map(choose).collect();
            state = self.of_reference(self.reference.next(&state, &joint))?;
            others = self.of_others(|other, reasoner| reasoner.next(&others[other], &joint))?;
            self.moves.push(joint);
        }
    }

    /// Compares everything about one state, and returns the answer of the reference.
    fn compare(&mut self, state: &[String], others: &[Vec<String>]) -> Result<Answer, Difference> {
        let expected = self.of_reference(self.reference.answer(state))?;
        for (other, other_state) in others.iter().enumerate() {
            if self.options.states {
                self.same(other, Aspect::State, state, other_state)?;
            }
            let found = self.others[other].answer(other_state);
            let found = found.map_err(|trouble| self.stopped(other, &trouble))?;
            self.compare_answers(other, &expected, &found)?;
        }
        self.counts.moves += expected.legal.iter().map(|legal| legal.len() as u64).sum::<u64>();
        self.counts.states += 1;
        self.counts.facts += state.len() as u64;
        Ok(expected)
    }

    fn compare_answers(
        &self,
        other: usize,
        expected: &Answer,
        found: &Answer,
    ) -> Result<(), Difference> {
        let text = |terminal: bool| vec![terminal.to_string()];
        self.same(other, Aspect::Terminal, &text(expected.terminal), &text(found.terminal))?;
        for (role_idx, role) in self.reference.roles().iter().enumerate() {
            if self.options.everywhere || !expected.terminal {
                let (left, right) = (&expected.legal[role_idx], &found.legal[role_idx]);
                self.same(other, Aspect::Legal(role.clone()), left, right)?;
            }
            if self.options.everywhere || expected.terminal {
                // A reasoner may give only the largest of several values.
                let largest = |goals: &[i64]| goals.iter().max().map(ToString::to_string);
                let left = Vec::from_iter(largest(&expected.goals[role_idx]));
                let right = Vec::from_iter(largest(&found.goals[role_idx]));
                self.same(other, Aspect::Goal(role.clone()), &left, &right)?;
            }
        }
        Ok(())
    }

    fn same(
        &self,
        other: usize,
        aspect: Aspect,
        left: &[String],
        right: &[String],
    ) -> Result<(), Difference> {
        if left == right {
            return Ok(());
        }
        let without = |list: &[String], other: &[String]| {
            list.iter().filter(|item| !other.contains(item)).cloned().collect()
        };
        Err(self.difference(other, aspect, without(left, right), without(right, left)))
    }

    fn difference(
        &self,
        other: usize,
        aspect: Aspect,
        missing: Vec<String>,
        extra: Vec<String>,
    ) -> Difference {
        Difference { other, game: self.game, moves: self.moves.clone(), aspect, missing, extra }
    }

    fn stopped(&self, other: usize, trouble: &Trouble) -> Difference {
        self.difference(other, Aspect::SecondStopped, Vec::new(), vec![trouble.to_string()])
    }

    fn of_reference<T>(&self, result: Result<T, Trouble>) -> Result<T, Difference> {
        result.map_err(|trouble| Difference {
            aspect: Aspect::FirstStopped,
            ..self.stopped(0, &trouble)
        })
    }

    fn of_others<T>(
        &self,
        query: impl Fn(usize, &dyn Reasoner) -> Result<T, Trouble>,
    ) -> Result<Vec<T>, Difference> {
        let results = self.others.iter().enumerate().map(|(other, reasoner)| {
            query(other, *reasoner).map_err(|trouble| self.stopped(other, &trouble))
        });
        results.collect()
    }
}
