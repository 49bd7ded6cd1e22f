//! Turns of a match.

use ludens_core::{Info, PlayerError};

use super::*;

/// Thinks until it is stopped.
#[derive(Default)]
struct Thinker(Draft);

impl Player for Thinker {
    fn info(&self) -> Info {
        Info { name: "thinker".into() }
    }

    fn draft(&self) -> Draft {
        self.0.clone()
    }

    fn start(&mut self, _setup: &Setup, _deadline: Instant) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], _deadline: Instant) -> Result<MoveText, PlayerError> {
        while !self.0.is_stopped() {
            std::thread::yield_now();
        }
        Ok(last.join(" "))
    }

    fn stop(&mut self, _last: &[MoveText]) {}

    fn abort(&mut self) {}
}

#[test]
fn a_repeated_message_belongs_to_the_same_turn() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("there is a runtime").block_on(async {
        let make = || -> Box<dyn Player> { Box::new(Thinker::default()) };
        let matches = Matches::new("thinkers", 1, Box::new(make));
        let (now, clock) = (Instant::now(), Duration::from_mins(10));
        let setup = Setup { rules: String::new(), role: String::new(), play_clock: clock };
        assert!(matches.enter("m", &setup, Deadlines::of(now, clock)).is_ok());
        let ask = |moves: &[&str]| {
            let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
            matches.turn("m", moves, now).expect("there is a match")
        };
        let (first, again, next) = (ask(&["a", "b"]), ask(&["a", "b"]), ask(&["b", "a"]));
        assert!(first.same_channel(&again));
        assert!(!first.same_channel(&next), "other moves are another turn");
        assert_eq!(matches.abort("m"), "aborted");
        for (mut turn, answer) in [(first, "a b"), (again, "a b"), (next, "b a")] {
            let answered = turn.wait_for(Option::is_some).await.expect("there is an answer");
            assert_eq!(answered.as_deref(), Some(answer));
        }
    });
}
