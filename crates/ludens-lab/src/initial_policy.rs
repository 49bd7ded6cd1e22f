//! Initial playout policies: learnt beforehand for every position with fewer than two moves, as in Cazenave
//! and Diemert 2017, section 4.3. The tree is discarded, the weights are kept in a file.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use ludens_catalog::{AgentSpec, LoadedGame, PolicyFile, WithGame};
use ludens_core::{Budget, Game, Move, Rng, Role, View};
use ludens_search::{InitialPolicy, Watch};
use serde::{Deserialize, Serialize};

use crate::contest::{fingerprint, plain};
use crate::event::{Event, Events};
use crate::hinted::Hinted;
use crate::stop::Stop;

/// More positions than this would take days.
const MAX_POSITIONS: usize = 10_000;

/// How an initial policy is learnt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialSettings {
    /// The agent that learns it.
    pub agent: String,
    /// The number of playouts for each position.
    pub playouts: u64,
}

/// Learns initial policies.
pub struct PolicyLearner<'a> {
    /// The agent, and its number of playouts.
    pub initial: &'a InitialSettings,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads learn.
    pub workers: usize,
    /// Stops it early.
    pub stop: &'a Stop,
}

impl PolicyLearner<'_> {
    /// The file of a game in a folder; its name depends on everything that the policy depends on.
    fn path(&self, game: &LoadedGame, folder: &Path) -> anyhow::Result<PathBuf> {
        let InitialSettings { agent, playouts } = self.initial;
        let agent: AgentSpec = agent.parse()?;
        let (source, kind, seed) = (&game.source, game.game.kind().name(), self.seed);
        let all = format!("{agent} {playouts} {seed} {kind} {}", source.source.text);
        let name = format!("{}-{playouts}-{}.json", plain(&source.name), &fingerprint(&all)[..8]);
        let path = folder.join(name);
        let hint = "choose a journal in a folder without blanks, brackets, `,`, `=` and `+`";
        check_name(&path, hint)?;
        Ok(path)
    }

    /// The file of a game in a folder, which is learnt if it does not exist; `None` if the flag is raised
    /// meanwhile.
    pub fn file(
        &self,
        game: &LoadedGame,
        folder: &Path,
        events: &mut Events<'_>,
    ) -> anyhow::Result<Option<PathBuf>> {
        let path = self.path(game, folder)?;
        if path.exists() {
            return Ok(Some(path));
        }
        let Some(file) = self.learn(game, events)? else { return Ok(None) };
        create(folder)?;
        file.write(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Some(path))
    }

    /// Learns the policy of a game; `None` if the flag is raised meanwhile.
    pub fn learn(
        &self,
        game: &LoadedGame,
        events: &mut Events<'_>,
    ) -> anyhow::Result<Option<PolicyFile>> {
        let agent: AgentSpec = self.initial.agent.parse()?;
        let learning = Run::new(self, &agent, &game.source.name, events);
        let policy = game.game.with(learning)?;
        Ok(policy
            .map(|policy| PolicyFile::new(&game.source.name, agent.has_flag("features"), policy)))
    }
}

/// Refuses file names that the text of an agent cannot contain.
pub fn check_name(path: &Path, hint: &str) -> anyhow::Result<()> {
    let text = path.to_string_lossy();
    if text.contains(|c: char| c.is_whitespace() || "(),=+".contains(c)) {
        let message = format!("`{text}` cannot be named in the text of an agent");
        return Err(Hinted::new(message, hint).into());
    }
    Ok(())
}

/// Creates the folder. What was learnt is large and can be learnt again, so version control ignores it.
pub(crate) fn create(folder: &Path) -> anyhow::Result<()> {
    let within = || format!("cannot write to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(within)?;
    std::fs::write(folder.join(".gitignore"), "*\n").with_context(within)
}

/// Learns with the game in its concrete type.
struct Run<'a, 'e> {
    learner: &'a PolicyLearner<'a>,
    agent: &'a AgentSpec,
    /// The game, for events.
    name: &'a str,
    events: Mutex<&'a mut Events<'e>>,
    /// The number of the next position.
    next: AtomicUsize,
    done: Mutex<InitialPolicy>,
}

impl<'a, 'e> Run<'a, 'e> {
    fn new(
        learner: &'a PolicyLearner<'a>,
        agent: &'a AgentSpec,
        name: &'a str,
        events: &'a mut Events<'e>,
    ) -> Self {
        let (events, next) = (Mutex::new(events), AtomicUsize::new(0));
        Run { learner, agent, name, events, next, done: Mutex::default() }
    }

    fn report(&self, position: usize, n_positions: usize) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        (events)(Event::Learning { game: self.name, position, n_positions });
    }

    /// Learns positions until none are left.
    fn learn<G: Game>(&self, game: &Arc<G>, states: &[G::State]) -> anyhow::Result<()> {
        let mut agent = self.agent.build(Arc::clone(game), 0);
        let budget = Budget::unlimited().with_iterations(self.learner.initial.playouts);
        while !self.learner.stop.is_raised() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(state) = states.get(number) else { break };
            self.report(number + 1, states.len());
            // Each position has its own random numbers, so that the result does not depend on threads.
            agent.begin(Rng::stream(self.learner.seed, &[number as u64]).next_u64());
            agent.think(state, &budget, &mut Watch::none());
            let weights = agent.searchers().first().and_then(|own| own.chain.learnt_weights());
            let Some(weights) = weights else {
                bail!("`{}` learns no initial weights", self.agent);
            };
            let position = game.facts(state).join(" ");
            self.done.lock().expect("no learner panicked").positions.insert(position, weights);
        }
        Ok(())
    }
}

impl WithGame for Run<'_, '_> {
    type Out = anyhow::Result<Option<InitialPolicy>>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let states = positions(&*game)?;
        let n_learners = self.learner.workers.clamp(1, states.len().max(1));
        std::thread::scope(|scope| {
            let learner = |_| scope.spawn(|| self.learn(&game, &states));
            let learners: Vec<_> = (0..n_learners).map(learner).collect();
            let mut learners = learners.into_iter();
            // A reasoner that gives up unwinds to the guard of the caller.
            learners.try_for_each(|learner| learner.join().unwrap_or_else(|p| resume_unwind(p)))
        })?;
        let policy = self.done.into_inner().expect("no learner panicked");
        Ok((!self.learner.stop.is_raised()).then_some(policy))
    }
}

/// The initial position and its successors, without terminal ones.
fn positions<G: Game>(game: &G) -> anyhow::Result<Vec<G::State>> {
    let (initial, mut view) = (game.initial(), View::default());
    game.look(&initial, &mut view);
    let joints = if view.terminal { Vec::new() } else { joint_moves(&view)? };
    let after = |joint: &Vec<Move>| {
        let mut state = initial.clone();
        game.play(&mut state, joint);
        state
    };
    let mut states = vec![initial.clone()];
    states.extend(joints.iter().map(after));
    let is_open = |state: &G::State| {
        let mut view = View::default();
        game.look(state, &mut view);
        !view.terminal
    };
    states.retain(is_open);
    Ok(states)
}

/// All joint moves.
fn joint_moves(view: &View) -> anyhow::Result<Vec<Vec<Move>>> {
    let mut joints: Vec<Vec<Move>> = vec![Vec::new()];
    for role in Role::all(view.legal.n_roles()) {
        let legal = &view.legal[role];
        if joints.len() * legal.len() > MAX_POSITIONS {
            bail!("there are more than {MAX_POSITIONS} positions after one move");
        }
        let grow = |joint: Vec<Move>| {
            legal.iter().map(move |&mv| joint.iter().copied().chain([mv]).collect::<Vec<Move>>())
        };
        joints = joints.into_iter().flat_map(grow).collect();
    }
    Ok(joints)
}

#[cfg(test)]
mod tests {
    use ludens_catalog::{ReasonerKind, load_game};

    use super::*;

    fn learnt(agent: &str, workers: usize) -> anyhow::Result<(String, PolicyFile)> {
        let folder = tempfile::tempdir().unwrap();
        let initial = InitialSettings { agent: agent.to_owned(), playouts: 30 };
        let learner = PolicyLearner { initial: &initial, seed: 3, workers, stop: &Stop::new() };
        let game = load_game("breakthrough(size=4)", ReasonerKind::Native, &Budget::unlimited());
        let path = learner.file(&game?, folder.path(), &mut |_| {})?.expect("it is not stopped");
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Ok((name, PolicyFile::read(path.to_str().unwrap())?))
    }

    #[test]
    fn a_policy_is_learnt_for_each_position_with_fewer_than_two_moves() {
        let (name, file) = learnt("uct(c=0.4, reuse=false) + ppaf(alpha=0.5)", 1).unwrap();
        assert!(name.starts_with("breakthrough-size-4-30-"), "{name}");
        assert!(file.features);
        let threads = learnt("uct(c=0.4, reuse=false) + ppaf(alpha=0.5)", 3).unwrap().1;
        assert_eq!(file, threads, "the number of threads does not matter");
        let positions = file.policy().positions;
        // Pawns face each other from the beginning: outer ones can take one, inner ones two.
        assert_eq!(positions.len(), 1 + 1 + 2 + 2 + 1);
        assert!(positions.values().all(|weights| weights.iter().any(|role| !role.is_empty())));
        let (other, plain) = learnt("ppa", 1).unwrap();
        assert!(!plain.features && other != name);
        assert!(learnt("ppa(features)", 1).unwrap().1.features);
    }

    #[test]
    fn agents_that_learn_no_weights_are_refused() {
        for agent in ["uct", "uct + mast", "random"] {
            let error = learnt(agent, 1).unwrap_err().to_string();
            assert!(error.ends_with("learns no initial weights"), "{error}");
        }
    }
}
