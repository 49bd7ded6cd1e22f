//! Trials begin on a player that is free, end their matches, and say so if they cannot run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens_core::{Player, Setup};
use ludens_protocol::torture::{Grade, Options, Outcome, Subject, TRIALS, Trial, Verdict};
use ludens_protocol::{Address, Request};

use crate::torture::{Listener, SMALL, complaints, simple, undergo, verdicts};

/// A good player of any number of matches, by their ids.
#[derive(Default)]
struct Good(HashMap<String, Listener>);

impl Good {
    fn answer(&mut self, request: Request) -> String {
        match request {
            Request::Info => "( ( name Good ) ( status available ) )".into(),
            Request::Preview { .. } => "ready".into(),
            Request::Start { id, .. } if self.0.contains_key(&id) => "busy".into(),
            Request::Start { id, role, rules, play_clock, .. } => {
                let (mut player, setup) = (Listener::default(), Setup { rules, role, play_clock });
                if player.start(&setup, Instant::now()).is_err() {
                    return "busy".into();
                }
                self.0.insert(id, player);
                "ready".into()
            }
            Request::Play { id, last } => match self.0.get_mut(&id) {
                Some(player) => player.play(&last, Instant::now()).expect("it moves"),
                None => "busy".into(),
            },
            Request::Stop { id, .. } | Request::Abort { id } => {
                if self.0.remove(&id).is_some() { "done" } else { "busy" }.into()
            }
        }
    }
}

/// Whether the simple server reads the messages of a trial: it knows one form of HTTP, and serves one
/// connection at a time.
fn is_simple(trial: &Trial) -> bool {
    !trial.accompanied && !["get", "options", "chunked", "heads", "memory"].contains(&trial.name)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_trial_ends_its_matches() {
    let good = Arc::new(Mutex::new(Good::default()));
    let shared = Arc::clone(&good);
    let player = simple(move |request| Some(shared.lock().unwrap().answer(request)));
    let subject = Subject::new(player, SMALL).await;
    for trial in TRIALS.iter().filter(|trial| is_simple(trial)) {
        let outcome = subject.undergo(trial).await;
        assert_ne!(outcome.verdict(), Verdict::Fail, "{outcome:#?}");
        assert!(!outcome.notes.prevented, "{outcome:#?}");
        let running: Vec<String> = good.lock().unwrap().0.keys().cloned().collect();
        assert!(running.is_empty(), "{} left {running:?}", trial.name);
    }
}

/// A player of one match at a time that leaves a match only after `n_infos` questions, or never answers STOP.
fn slow_to_leave(n_infos: u32, ignores_stop: bool) -> Address {
    let (mut good, mut left) = (Good::default(), 0);
    simple(move |request| {
        let is_busy = left > 0 || !good.0.is_empty();
        match request {
            Request::Info => {
                left = u32::saturating_sub(left, 1);
                let status = if is_busy { "busy" } else { "available" };
                Some(format!("( ( name Slow ) ( status {status} ) )"))
            }
            Request::Start { .. } if is_busy => Some("busy".into()),
            Request::Stop { .. } if ignores_stop => None,
            Request::Stop { .. } | Request::Abort { .. } => {
                left = n_infos;
                Some(good.answer(request))
            }
            _ => Some(good.answer(request)),
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_waits_until_the_match_of_an_earlier_one_is_over() {
    let outcomes = undergo(slow_to_leave(3, false), SMALL, &["match", "second-role"]).await;
    let passed = [("match", Verdict::Pass), ("second-role", Verdict::Pass)];
    assert_eq!(verdicts(&outcomes), passed, "{outcomes:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_whose_stop_has_no_answer_is_aborted() {
    let outcomes = undergo(slow_to_leave(1, true), SMALL, &["match", "second-role"]).await;
    let advised = [("match", Verdict::Advice), ("second-role", Verdict::Advice)];
    assert_eq!(verdicts(&outcomes), advised, "{outcomes:#?}");
    for outcome in &outcomes {
        assert_eq!(complaints(outcome, Grade::Advised), "STOP had no answer");
    }
}

fn assert_not_run(outcome: &Outcome, why: &str) {
    assert_eq!(outcome.verdict(), Verdict::NotMeasured, "{outcome:#?}");
    assert!(outcome.notes.prevented, "{outcome:#?}");
    assert!(outcome.sentence().contains(&format!("not run: {why}")), "{outcome:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn trials_do_not_run_while_the_player_is_in_a_match_of_others() {
    let starts = Arc::new(Mutex::new(0));
    let count = Arc::clone(&starts);
    let player = simple(move |request| {
        *count.lock().unwrap() += u32::from(matches!(request, Request::Start { .. }));
        Some("busy".into())
    });
    let options = Options { most_busy: Duration::ZERO, ..SMALL };
    for outcome in &undergo(player, options, &["match", "idle"]).await {
        assert_not_run(outcome, "INFO said `busy`");
    }
    assert_eq!(*starts.lock().unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn trials_of_matches_that_cannot_begin_do_not_run() {
    let player = || {
        simple(|request| Some(if request == Request::Info { "available" } else { "busy" }.into()))
    };
    let options = Options { most_busy: Duration::ZERO, ..SMALL };
    let names = ["match", "two-matches", "idle"];
    let outcomes = undergo(player(), options, &names).await;
    // Refusing a match without a reason is the fault that the first trial finds.
    assert_eq!(outcomes[0].verdict(), Verdict::Fail, "{outcomes:#?}");
    assert_not_run(&outcomes[1], "START was answered `busy`");
    assert_not_run(&outcomes[2], "START of a match was always refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_fails_the_trial_of_info_and_prevents_the_others() {
    let outcomes = undergo(simple(|_| None), SMALL, &["info", "match", "idle"]).await;
    assert_eq!(outcomes[0].verdict(), Verdict::Fail, "{outcomes:#?}");
    assert!(complaints(&outcomes[0], Grade::Required).contains("INFO had no answer"));
    for outcome in &outcomes[1..] {
        assert_not_run(outcome, "INFO had no answer");
    }
}
