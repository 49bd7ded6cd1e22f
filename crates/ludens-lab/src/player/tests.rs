//! Players in matches.

use ludens_catalog::{Loader, find};
use ludens_core::Budget;

use super::*;

const CLOCK: Duration = Duration::from_millis(40);

fn player(agent: &str, seed: u64) -> AgentPlayer {
    AgentPlayer::new("tester", load_agent(agent).expect("there is one"), seed)
}

fn setup(rules: &str, role: &str) -> Setup {
    Setup { rules: rules.to_owned(), role: role.to_owned(), play_clock: CLOCK }
}

fn soon() -> Instant {
    Instant::now() + CLOCK
}

/// Plays a match as a host does; all moves must be legal. Returns those of the last step.
fn play_match(rules: &str, agents: &[&str]) -> Vec<MoveText> {
    let (rules_read, _) = ludens_gdl::load(rules);
    let loader = Loader::new(ReasonerKind::Logic, Budget::unlimited());
    let game = loader.load_rules(&rules_read.expect("they are sound")).expect("they load").0;
    let (roles, referee) = (game.roles().to_vec(), game.reasoner());
    let mut players: Vec<_> = (1..).zip(agents).map(|(seed, agent)| player(agent, seed)).collect();
    for (player, role) in players.iter_mut().zip(&roles) {
        player.start(&setup(rules, role), soon()).expect("the match begins");
        assert!(player.preparation().is_some());
    }
    let (mut state, mut last) = (referee.initial().expect("there is one"), Vec::new());
    loop {
        let answer = referee.answer(&state).expect("it is a state");
        if answer.terminal {
            for player in &mut players {
                player.stop(&last);
            }
            return last;
        }
        let moves = players.iter_mut().map(|player| player.play(&last, soon()));
        let moves: Vec<MoveText> = moves.collect::<Result<_, _>>().expect("all move");
        for (legal, chosen) in answer.legal.iter().zip(&moves) {
            assert!(legal.contains(&chosen.to_lowercase()), "{chosen} is none of {legal:?}");
        }
        state = referee.next(&state, &moves).expect("there is a next state");
        last = moves;
    }
}

fn rules(game: &str) -> String {
    find(game).expect("the library has it").text.to_owned()
}

#[test]
fn agents_play_matches_to_their_end() {
    play_match(&rules("tictactoe"), &["uct", "random"]);
    play_match(&rules("tictactoe"), &["minimax", "uct + ppaf(memorize)"]);
}

#[test]
fn moves_are_spelt_as_the_rules_spell_them() {
    let shouted = rules("tictactoe").to_uppercase();
    let last = play_match(&shouted, &["uct", "random"]);
    assert!(last.iter().all(|mv| mv.chars().all(|c| !c.is_ascii_lowercase())), "{last:?}");
}

#[test]
fn rules_are_loaded_without_a_start_clock() {
    let (mut player, rules) = (player("uct", 1), rules("tictactoe"));
    let patient = Setup { play_clock: Duration::from_mins(1), ..setup(&rules, "xplayer") };
    player.start(&patient, Instant::now()).expect("there is time when moves are made");
    assert!(player.play(&[], soon()).is_ok());
}

#[test]
fn a_reasoner_that_gives_up_is_an_error() {
    let endless = "(role x) (init (n z)) (<= (legal x ?x) (n ?x)) (<= (n ?x) (true (n ?x)))
        (<= (n (f ?x ?y)) (n ?x) (n ?y))";
    let mut player = AgentPlayer::fallback("tester", 1);
    let begun = player.start(&setup(endless, "x"), soon());
    let why = begun.expect_err("there are too many moves").to_string();
    assert!(why.contains("the reasoner gave up"), "{why}");
}

#[test]
fn invalid_messages_are_errors_and_the_match_continues() {
    let mut player = player("uct", 1);
    assert!(matches!(player.play(&[], soon()), Err(PlayerError::OutOfOrder(_))));
    let rules = rules("tictactoe");
    let unknown = player.start(&setup(&rules, "nobody"), soon());
    assert_eq!(unknown, Err(PlayerError::UnknownRole("nobody".into())));
    let broken = player.start(&setup("(role x) (<= (legal x ?m)", "x"), soon());
    assert!(matches!(broken, Err(PlayerError::Rules(_))), "{broken:?}");
    player.start(&setup(&rules, "XPLAYER"), soon()).expect("roles have any case");
    let first = player.play(&[], soon()).expect("there is a move");
    let too_few = player.play(std::slice::from_ref(&first), soon());
    assert_eq!(too_few, Err(PlayerError::Moves("1 moves for 2 roles".into())));
    let wrong = player.play(&[first.clone(), "(mark 7 7)".into()], soon());
    let why = "`(mark 7 7)` is not legal for `oplayer`";
    assert_eq!(wrong, Err(PlayerError::Moves(why.into())));
    let step = [first, "noop".into()];
    let second = player.play(&step, soon()).expect("the match continues");
    assert_eq!(player.draft().read().as_ref(), Some(&second), "the draft has the best move");
    assert_eq!(player.play(&step, soon()), Ok(second), "a repeated message gets the same answer");
    player.abort();
    assert!(matches!(player.play(&[], soon()), Err(PlayerError::OutOfOrder(_))));
}

/// Rules with hundreds of thousands of facts, which the reference reasoner need not list.
fn large_rules() -> String {
    let digits = (0..70).map(|i| format!("(digit {i})")).collect::<Vec<_>>().join(" ");
    format!(
        "(role x) (role y) {digits} (init start) (<= (legal x (go ?a)) (digit ?a)) (legal y noop)
        (<= (next (at ?a ?b ?c)) (does x (go ?a)) (digit ?b) (digit ?c))
        (<= terminal (true (at 69 0 0))) (goal x 50) (goal y 50)"
    )
}

#[test]
fn rules_that_are_grounded_too_late_take_over_in_the_match() {
    let (mut player, rules) = (player("random", 1), large_rules());
    // A tenth of a second is too short to ground them, by time and by memory.
    let hasty = Setup { play_clock: Duration::from_millis(200), ..setup(&rules, "x") };
    player.start(&hasty, Instant::now()).expect("the reference reasoner needs no grounding");
    let reasoner =
        |player: &AgentPlayer| player.preparation().expect("the match has begun").reasoner;
    assert_eq!(reasoner(&player), ReasonerKind::Logic);
    let first = player.play(&[], soon()).expect("there is a move");
    let joint = |of_x: &str| [of_x.to_owned(), "noop".to_owned()];
    assert!(player.play(&joint("(go 3)"), soon()).is_ok(), "after {first}");
    let (stop, began) = (Arc::new(AtomicBool::new(true)), Instant::now());
    while reasoner(&player) == ReasonerKind::Logic && began.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(10));
        player.ponder(&stop);
    }
    assert_ne!(reasoner(&player), ReasonerKind::Logic);
    // The new seat knows the position: after this move the match is over.
    let over = player.play(&joint("(go 69)"), soon());
    assert_eq!(over, Err(PlayerError::OutOfOrder("the match has ended")));
}
