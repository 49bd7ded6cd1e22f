//! Tests of the tests: bugs planted in a reasoner and in a game must be detected.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use ludens_core::{
    Answer, Game, Move, Reasoner, Role, RoleSet, TextGame, Trouble, View, Vocabulary,
};
use ludens_testkit::contract::{self, check_game};
use ludens_testkit::hash_game::{HashGame, Shape, State};
use ludens_testkit::lockstep::{Aspect, Options, lockstep};

/// A bug of a reasoner.
#[derive(Clone, Copy, PartialEq)]
enum Bug {
    None,
    DropsMove,
    AddsMove,
    FlipsTerminalOnce,
    ChangesGoal,
    ChangesFact,
    GivesUp,
    SwapsRoles,
}

struct Broken {
    inner: TextGame<HashGame>,
    bug: Bug,
    roles: Vec<String>,
    n_queries: AtomicU32,
}

impl Broken {
    fn new(bug: Bug) -> Self {
        let inner = TextGame(Arc::new(HashGame::new(Shape::turn_taking(6), 3)));
        let mut roles = inner.roles().to_vec();
        if bug == Bug::SwapsRoles {
            roles.reverse();
        }
        Broken { inner, bug, roles, n_queries: AtomicU32::new(0) }
    }
}

impl Reasoner for Broken {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        self.inner.initial()
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let mut answer = self.inner.answer(facts)?;
        let query = self.n_queries.fetch_add(1, Ordering::Relaxed);
        let longest = answer.legal.iter_mut().max_by_key(|legal| legal.len());
        let longest = longest.expect("there are roles");
        match self.bug {
            Bug::DropsMove if longest.len() == 3 => drop(longest.pop()),
            Bug::AddsMove if query == 20 => longest.push("zzz".into()),
            Bug::FlipsTerminalOnce if query == 17 => answer.terminal = !answer.terminal,
            Bug::ChangesGoal if answer.terminal => answer.goals[1][0] += 1,
            Bug::GivesUp if query == 5 => return Err(Trouble::Exhausted("time".into())),
            _ => {}
        }
        Ok(answer)
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let mut next = self.inner.next(facts, moves)?;
        if self.bug == Bug::ChangesFact && next[0].ends_with("0)") {
            next.push("(zzz)".into());
        }
        Ok(next)
    }
}

/// The aspect in which the lockstep test detects a bug.
fn found(bug: Bug) -> Option<Aspect> {
    let options = Options { games: 20, ..Options::default() };
    lockstep(&Broken::new(Bug::None), &Broken::new(bug), &options).err().map(|d| d.aspect)
}

#[test]
fn lockstep_detects_every_planted_bug() {
    assert_eq!(found(Bug::None), None);
    assert_eq!(found(Bug::SwapsRoles), Some(Aspect::Roles));
    assert!(matches!(found(Bug::DropsMove), Some(Aspect::Legal(_))));
    assert!(matches!(found(Bug::AddsMove), Some(Aspect::Legal(_))));
    assert_eq!(found(Bug::FlipsTerminalOnce), Some(Aspect::Terminal));
    assert_eq!(found(Bug::ChangesGoal), Some(Aspect::Goal("r1".into())));
    assert_eq!(found(Bug::ChangesFact), Some(Aspect::State));
    assert_eq!(found(Bug::GivesUp), Some(Aspect::SecondStopped));
}

#[test]
fn a_difference_has_its_position() {
    let correct = Broken::new(Bug::None);
    let broken = Broken::new(Bug::AddsMove);
    let difference = lockstep(&correct, &broken, &Options::default()).unwrap_err();
    assert_eq!((difference.missing.len(), &difference.extra[..]), (0, &["zzz".to_owned()][..]));
    let text = difference.to_string();
    assert!(text.starts_with("game 2 step 6: legal moves of r1; extra zzz; after ["), "{text}");
}

#[test]
fn states_are_compared_only_if_requested() {
    let options = Options { states: false, ..Options::default() };
    let hidden = TextGame(Arc::new(HashGame::new(Shape::turn_taking(6), 3)));
    let counts = lockstep(&Broken::new(Bug::None), &hidden, &options).unwrap();
    assert_eq!((counts.games, counts.finished, counts.states), (10, 10, 70));
}

/// A bug of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum GameBug {
    ForgetsMoves,
    RepeatsMove,
    NoPayoff,
    PayoffTooHigh,
    TwoPayoffs,
    SameName,
    NeverEnds,
    LooksDifferentNextTime,
    ReadsOtherState,
    UnsortedFacts,
    LookAllDisagrees,
    ChangesByLooking,
    UnsortedVocabulary,
    OtherVocabulary,
    VocabularyWithoutMove,
}

struct BrokenGame {
    inner: HashGame,
    bug: GameBug,
    looks: AtomicU32,
    /// The facts seen so far, by number.
    seen: Mutex<Vec<String>>,
}

impl Vocabulary<State> for BrokenGame {
    fn n_facts(&self) -> Option<usize> {
        None
    }

    fn fact_ids(&self, state: &State, out: &mut Vec<u32>) {
        let mut seen = self.seen.lock().expect("no test panics with the lock");
        for fact in self.inner.facts(state) {
            let known = seen.iter().position(|other| *other == fact);
            out.push(known.unwrap_or(seen.len()) as u32);
            seen.push(fact);
        }
        out.sort_unstable();
        match self.bug {
            GameBug::UnsortedVocabulary => out.push(0),
            GameBug::OtherVocabulary => out.truncate(1),
            _ => {}
        }
    }

    fn fact_name(&self, fact: u32) -> String {
        let name = self.seen.lock().expect("no test panics with the lock")[fact as usize].clone();
        if self.bug == GameBug::OtherVocabulary { format!("({name})") } else { name }
    }

    fn moves(&self, _role: Role) -> Option<&[Move]> {
        (self.bug == GameBug::VocabularyWithoutMove).then_some(&[Move(0), Move(2)])
    }
}

impl Game for BrokenGame {
    type State = State;

    fn roles(&self) -> &[String] {
        self.inner.roles()
    }

    fn initial(&self) -> State {
        self.inner.initial()
    }

    fn look(&self, state: &State, view: &mut View) {
        self.inner.look(state, view);
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        match self.bug {
            GameBug::ForgetsMoves if *state != self.initial() => view.legal[Role(0)].clear(),
            GameBug::RepeatsMove => view.legal[Role(0)] = vec![Move(2), Move(2)],
            GameBug::NoPayoff if view.terminal => view.scored = RoleSet::default(),
            GameBug::PayoffTooHigh if view.terminal => view.payoffs[Role(1)] = 1.5,
            GameBug::TwoPayoffs if view.terminal => view.pay(Role(0), 2.0),
            GameBug::NeverEnds if view.terminal => {
                view.clear(2);
                view.legal.iter_mut().for_each(|legal| legal.push(Move(0)));
            }
            GameBug::LooksDifferentNextTime => view.legal[Role(0)].truncate(1 + looks as usize % 2),
            GameBug::ChangesByLooking if looks > 60 => view.payoffs[Role(0)] += 0.01,
            _ => {}
        }
    }

    fn look_all(&self, state: &State, view: &mut View) {
        self.look(state, view);
        if self.bug == GameBug::LookAllDisagrees {
            view.legal[Role(1)].reverse();
        }
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.inner.play(state, joint);
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        let same = self.bug == GameBug::SameName && m == Move(2);
        self.inner.move_name(role, if same { Move(1) } else { m })
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        self.inner.parse_move(role, text)
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts = self.inner.facts(state);
        if self.bug == GameBug::UnsortedFacts {
            facts.push("(a)".into());
        }
        facts
    }

    fn vocabulary(&self) -> Option<&dyn Vocabulary<State>> {
        Some(self)
    }

    fn parse_state(&self, facts: &[String]) -> Option<State> {
        let mut state = self.inner.parse_state(facts)?;
        if self.bug == GameBug::ReadsOtherState {
            self.inner.play(&mut state, &[Move(1), Move(0)]);
        }
        Some(state)
    }
}

fn violation(bug: GameBug) -> String {
    let shape = Shape { simultaneous: true, ..Shape::turn_taking(6) };
    let inner = HashGame::new(shape, 3);
    let game =
        Arc::new(BrokenGame { inner, bug, looks: AtomicU32::new(0), seen: Mutex::default() });
    let options = contract::Options { max_plies: 50, ..contract::Options::default() };
    check_game(&game, &options).expect_err(&format!("{bug:?} is not detected")).what
}

#[test]
fn the_contract_detects_every_bug() {
    let check = |bug, text: &str| {
        let what = violation(bug);
        assert!(what.contains(text), "{bug:?}: {what}");
    };
    check(GameBug::ForgetsMoves, "r0 has no legal move");
    check(GameBug::RepeatsMove, "r0 has a legal move twice");
    check(GameBug::NoPayoff, "r0 has no payoff");
    check(GameBug::PayoffTooHigh, "is not from 0 to 1");
    check(GameBug::TwoPayoffs, "r0 has several payoffs");
    check(GameBug::SameName, "which is read as");
    check(GameBug::NeverEnds, "not over after 50 joint moves");
    check(GameBug::LooksDifferentNextTime, "look");
    check(GameBug::ReadsOtherState, "read as another state");
    check(GameBug::UnsortedFacts, "not sorted");
    check(GameBug::LookAllDisagrees, "`look_all` says");
    check(GameBug::ChangesByLooking, "look");
    check(GameBug::UnsortedVocabulary, "numbers of facts are not increasing");
    check(GameBug::OtherVocabulary, "vocabulary has other facts");
    check(GameBug::VocabularyWithoutMove, "has no move `");
}
