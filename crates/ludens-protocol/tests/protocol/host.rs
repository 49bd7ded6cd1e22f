//! A host with good players and with bad ones.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::TcpListener as Socket;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use ludens_core::{Answer, Info, MoveText, Player, PlayerError, Reasoner, Setup, Trouble};
use ludens_gdl::Symbols;
use ludens_protocol::{
    Address, Fault, GivenUp, Hosted, MakePlayer, Matches, Played, RANDOM_ROLE, Request,
    ServerLimits, player_of_several_roles, serve,
};
use tokio::net::TcpListener;

use crate::torture::message;

/// All roles say `one` or `two`, three times.
pub(crate) struct ThreeSteps(Vec<String>);

impl Reasoner for ThreeSteps {
    fn roles(&self) -> &[String] {
        &self.0
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        Ok(vec![])
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let legal = vec![vec!["one".to_owned(), "two".to_owned()]; self.0.len()];
        let goals = (0..).zip(&self.0).map(|(goal, _)| vec![goal]).collect();
        Ok(Answer { terminal: facts.len() == 3, legal, goals })
    }

    fn spelling(&self, text: &str) -> Option<String> {
        Some(text.to_lowercase())
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        Ok([facts, &[moves.join(" ")]].concat())
    }
}

/// The same with changed answers about states.
struct Changed(ThreeSteps, fn(&[String], &mut Answer));

impl Reasoner for Changed {
    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        self.0.initial()
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let mut answer = self.0.answer(facts)?;
        self.1(facts, &mut answer);
        Ok(answer)
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        self.0.next(facts, moves)
    }
}

/// The last role has no legal move in the third step.
fn dead_end(facts: &[String], answer: &mut Answer) {
    if facts.len() == 2 {
        answer.legal.last_mut().expect("there is a role").clear();
    }
}

/// The last role has no goal value.
fn no_goal(_facts: &[String], answer: &mut Answer) {
    answer.goals.last_mut().expect("there is a role").clear();
}

/// Always makes the same move, and an illegal one if the last moves are not as expected.
struct Stubborn(&'static str, usize);

impl Player for Stubborn {
    fn info(&self) -> Info {
        Info { name: "stubborn".into() }
    }

    fn start(&mut self, _: &Setup, _: Instant) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], _: Instant) -> Result<MoveText, PlayerError> {
        let (expected, n_roles) = (self.1, last.len());
        self.1 += 1;
        if (expected == 0) == (n_roles == 0) { Ok(self.0.into()) } else { Ok("confused".into()) }
    }

    fn stop(&mut self, _: &[MoveText]) {}

    fn abort(&mut self) {}
}

/// Forwards all messages.
struct Scribe(mpsc::Sender<String>);

impl Scribe {
    fn note(&self, what: &str) {
        self.0.send(what.to_owned()).expect("the receiver exists");
    }
}

impl Player for Scribe {
    fn info(&self) -> Info {
        Info { name: "scribe".into() }
    }

    fn start(&mut self, setup: &Setup, _: Instant) -> Result<(), PlayerError> {
        self.note(&setup.role);
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], _: Instant) -> Result<MoveText, PlayerError> {
        self.note(&last.join(" "));
        Ok("TWO".into())
    }

    fn stop(&mut self, last: &[MoveText]) {
        self.note(&last.join(" "));
    }

    fn abort(&mut self) {}
}

pub(crate) async fn player(says: &'static str) -> Address {
    listening(1, Box::new(move || Box::new(Stubborn(says, 0)))).await
}

/// A player of several matches at the same time.
pub(crate) async fn listening(n_matches: usize, make: Box<MakePlayer>) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let matches = Arc::new(Matches::new("Tester", n_matches, make));
    tokio::spawn(serve(listener, matches, ServerLimits::default()));
    Address { host: "127.0.0.1".into(), port }
}

pub(crate) fn hosted(players: Vec<Option<Address>>, reasoner: Arc<dyn Reasoner>) -> Hosted {
    Hosted {
        id: "m".into(),
        rules: "( role r0 )".into(),
        symbols: Symbols::default(),
        reasoner,
        players,
        start_clock: Duration::from_millis(400),
        play_clock: Duration::from_millis(400),
        grace: Duration::ZERO,
        most_steps: 100,
        scramble: false,
        seed: 1,
    }
}

pub(crate) fn three_steps(n_roles: usize) -> ThreeSteps {
    ThreeSteps((0..n_roles).map(|idx| format!("r{idx}")).collect())
}

async fn play(players: Vec<Option<Address>>) -> Played {
    let hosted = hosted(players.clone(), Arc::new(three_steps(players.len())));
    let mut steps = 0;
    let played = hosted.play(|_| steps += 1).await.expect("the rules are sound");
    assert_eq!(steps, 3);
    played
}

#[tokio::test]
async fn a_match_is_hosted_from_beginning_to_end() {
    let players = vec![Some(player("two").await), Some(player("one").await), None];
    let played = play(players).await;
    assert_eq!((played.states.len(), played.moves.len(), played.faults.len()), (4, 3, 4));
    assert!(played.times.len() == 4 && played.times.is_sorted(), "{:?}", played.times);
    assert_eq!(played.goals, [0, 1, 2]);
    for moves in &played.moves {
        assert_eq!(moves[..2], ["two", "one"]);
        assert!(["one", "two"].contains(&moves[2].as_str()), "the third role moves at random");
    }
    assert!(played.faults.iter().flatten().all(|fault| *fault == Fault::None));
}

#[tokio::test]
async fn roles_and_moves_are_sent_as_the_rules_spell_them() {
    let (notes, received) = mpsc::channel();
    let make = move || -> Box<dyn Player> { Box::new(Scribe(notes.clone())) };
    let player = listening(1, Box::new(make)).await;
    let mut hosted = hosted(vec![Some(player)], Arc::new(three_steps(1)));
    for word in ["R0", "One", "Two"] {
        hosted.symbols.intern(word);
    }
    let played = hosted.play(|_| {}).await.expect("the rules are sound");
    assert_eq!(played.moves, [["two"], ["two"], ["two"]]);
    // STOP is answered before the player receives it.
    let received: Vec<String> = received.iter().take(5).collect();
    assert_eq!(received, ["R0", "", "Two", "Two", "Two"]);
}

#[tokio::test]
async fn one_player_may_have_two_addresses() {
    let here = listening(2, Box::new(|| Box::new(Stubborn("two", 0)))).await;
    let again = Address { host: "localhost".into(), ..here.clone() };
    let played = play(vec![Some(here), Some(again)]).await;
    assert!(played.faults.iter().flatten().all(|fault| *fault == Fault::None), "{played:?}");
}

#[tokio::test]
async fn a_role_without_a_move_ends_the_match_and_its_record_is_kept() {
    let players = vec![Some(player("two").await), Some(player("one").await)];
    let hosted = hosted(players, Arc::new(Changed(three_steps(2), dead_end)));
    let played = hosted.play(|_| {}).await.expect("dead ends are handled");
    assert_eq!(played.given_up, Some(GivenUp::NoMove("r1".into())));
    assert_eq!(played.moves, [["two", "one"], ["two", "one"]]);
    assert!(played.goals.is_empty());
    assert!(played.faults.iter().flatten().all(|fault| *fault == Fault::None));
}

#[tokio::test]
async fn a_match_that_is_too_long_is_aborted() {
    let players = vec![Some(player("two").await)];
    let hosted = Hosted { most_steps: 2, ..hosted(players, Arc::new(three_steps(1))) };
    let played = hosted.play(|_| {}).await.expect("the rules are sound");
    assert_eq!(played.given_up, Some(GivenUp::Steps(2)));
    assert_eq!((played.moves.len(), played.goals.len()), (2, 0));
}

#[tokio::test]
async fn a_role_without_a_goal_value_is_reported() {
    let players = vec![Some(player("two").await), None];
    let hosted = hosted(players, Arc::new(Changed(three_steps(2), no_goal)));
    let played = hosted.play(|_| {}).await.expect("the match has an end");
    assert!(played.goals.is_empty() && played.given_up.is_none());
    let flaw = "the rules give `r1` no goal value at the end";
    assert_eq!(played.flaw(), Some(flaw.to_owned()));
}

/// Accepts START; the socket stays as it is.
fn accept(socket: &Socket) {
    let (mut stream, _) = socket.accept().expect("there is a connection");
    assert!(matches!(message(&mut stream), Some(Request::Start { .. })));
    stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready").expect("it is read");
}

#[tokio::test]
async fn faults_are_recorded_and_the_match_continues() {
    // One player is silent after START, one is gone, and one makes illegal moves.
    let silent = Socket::bind("127.0.0.1:0").expect("a port is free");
    let gone = Socket::bind("127.0.0.1:0").expect("a port is free");
    let players = [&silent, &gone].map(|socket| {
        let port = socket.local_addr().expect("it has an address").port();
        Some(Address { host: "127.0.0.1".into(), port })
    });
    let silent = std::thread::spawn(move || (accept(&silent), silent));
    std::thread::spawn(move || accept(&gone));
    let [silent_player, gone_player] = players;
    let wrong = Some(player("( three )").await);
    let played = play(vec![silent_player, gone_player, wrong]).await;
    assert!(silent.join().is_ok(), "its socket is open until here");
    assert_eq!(played.faults[0], vec![Fault::None; 3]);
    for (faults, moves) in played.faults[1..].iter().zip(&played.moves) {
        let codes: Vec<String> = faults.iter().map(Fault::code).collect();
        assert_eq!(codes, ["TO", "CE", "IL ( three )"]);
        assert!(moves.iter().all(|mv| mv == "one" || mv == "two"), "{moves:?}");
    }
    assert_eq!(played.goals, [0, 1, 2]);
}

#[tokio::test]
async fn the_random_role_needs_no_player_and_is_never_asked() {
    let many = |facts: &[String], answer: &mut Answer| answer.terminal = facts.len() == 400;
    let game = Changed(ThreeSteps(vec!["r0".into(), RANDOM_ROLE.into()]), many);
    // Nobody listens at the address that is given for the random role.
    let gone = Address { host: "127.0.0.1".into(), port: 1 };
    let players = vec![Some(player("two").await), Some(gone)];
    let hosted = Hosted { most_steps: 400, ..hosted(players, Arc::new(game)) };
    let played = hosted.play(|_| {}).await.expect("the rules are sound");
    assert!(played.faults.iter().flatten().all(|fault| *fault == Fault::None), "{played:?}");
    let ones = played.moves.iter().filter(|joint| joint[1] == "one").count();
    // Five standard deviations: a false alarm has a probability below 10⁻⁶, and the seed is fixed.
    assert!((150..=250).contains(&ones), "{ones} of 400");
    assert_eq!(played.paces[1].asked, 0);
}

#[test]
fn a_player_of_several_roles_is_found() {
    let at = |port| Some(Address { host: "localhost".into(), port });
    assert_eq!(player_of_several_roles(&[at(1), None, at(2), None]), None);
    assert_eq!(player_of_several_roles(&[at(1), at(2), at(2)]), at(2).as_ref());
}

#[test]
fn random_tokens_depend_on_the_seed_and_the_rules() {
    let token = |seed, rules: &str, id: &str| {
        let (game, rules, id) = (Arc::new(three_steps(1)), rules.into(), id.into());
        Hosted { seed, rules, id, ..hosted(vec![None], game) }.random_token()
    };
    assert_eq!(token(1, "( role a )", "m"), token(1, "( role a )", "n"));
    let seeds = (0..100).map(|seed| token(seed, "( role a )", "m"));
    let tokens: BTreeSet<String> = seeds.chain([token(1, "( role b )", "m")]).collect();
    assert_eq!(tokens.len(), 101);
    assert!(tokens.iter().all(|t| t.len() == 32 && t.chars().all(|c| c.is_ascii_hexdigit())));
}
