//! The host of a match: sends requests to all players at the same time and continues whatever they
//! answer.

mod played;
mod translator;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Reasoner, Rng, Trouble};
use ludens_gdl::{Scrambler, Symbols};
use tokio::task::JoinSet;

use crate::client::{Address, AskError, ask};
use crate::request::Request;

pub use played::{Fault, GivenUp, Played, ResponseTimes};
use translator::{Translator, shown};

/// A match to be hosted.
pub struct Hosted {
    /// Its id, which must be unique: players may serve other hosts, and records share a folder.
    pub id: String,
    /// The text of the rules.
    pub rules: String,
    /// How the rules spell their names. Players may compare them case-sensitively, so roles and moves
    /// are sent in that spelling.
    pub symbols: Symbols,
    /// The reasoner for the rules.
    pub reasoner: Arc<dyn Reasoner>,
    /// The player of each role; `None` for random moves.
    pub players: Vec<Option<Address>>,
    /// The start clock.
    pub start_clock: Duration,
    /// The play clock.
    pub play_clock: Duration,
    /// How late an answer may be.
    pub grace: Duration,
    /// A match that has not ended after this many steps is aborted.
    pub most_steps: usize,
    /// Whether players receive scrambled rules.
    pub scramble: bool,
    /// The seed of random moves and names.
    pub seed: u64,
}

/// The answer of a player and its response time; `None` for roles with random moves.
type Answered = Option<(Result<String, AskError>, Duration)>;

/// How long to wait for the answer to ABORT.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

/// A player, a request, and how long its answer may take.
type Question = (Address, Request, Duration);

impl Hosted {
    /// Plays the match until it ends or is aborted, and calls `step` after every step.
    pub async fn play(&self, mut step: impl FnMut(&Played)) -> Result<Played, Trouble> {
        let begun = Instant::now();
        let mut rng = Rng::new(self.seed);
        let mut words = Rng::stream(self.seed, &[1]);
        let scrambler = self.scramble.then(|| Scrambler::new(move |n| words.below(n)));
        let mut translator = Translator { symbols: &self.symbols, scrambler };
        let mut state = self.reasoner.initial()?;
        let paces = vec![ResponseTimes::default(); self.players.len()];
        let (states, times) = (vec![state.clone()], vec![begun.elapsed()]);
        let mut played = Played { states, times, paces, ..Played::default() };
        played.faults.push(self.start(&mut translator).await);
        let mut answer = self.reasoner.answer(&state)?;
        while !answer.terminal {
            played.given_up = self.reason_to_abort(&answer.legal, played.moves.len());
            if played.given_up.is_some() {
                self.abort().await;
                return Ok(played);
            }
            let last = played.moves.last().map_or(&[][..], Vec::as_slice);
            let answers = self.ask_all(&mut translator, last).await;
            for (pace, answer) in played.paces.iter_mut().zip(&answers) {
                if let Some((_, time)) = answer {
                    pace.add(*time);
                }
            }
            let (moves, faults) = self.decide(&answer.legal, answers, &translator, &mut rng);
            state = self.reasoner.next(&state, &moves)?;
            played.states.push(state.clone());
            played.times.push(begun.elapsed());
            played.moves.push(moves);
            played.faults.push(faults);
            step(&played);
            answer = self.reasoner.answer(&state)?;
        }
        let goals: Option<Vec<i64>> =
            answer.goals.iter().map(|goals| goals.last().copied()).collect();
        played.goals = goals.unwrap_or_default();
        let without_goal = answer.goals.iter().position(Vec::is_empty);
        played.without_goal =
            without_goal.map(|idx| self.symbols.spell(&self.reasoner.roles()[idx]));
        self.stop(&mut translator, played.moves.last().map_or(&[][..], Vec::as_slice)).await;
        Ok(played)
    }

    fn reason_to_abort(&self, legal: &[Vec<String>], n_steps: usize) -> Option<GivenUp> {
        let stuck = legal.iter().zip(self.reasoner.roles()).find(|(legal, _)| legal.is_empty());
        let stuck = stuck.map(|(_, role)| GivenUp::NoMove(self.symbols.spell(role)));
        stuck.or_else(|| (n_steps >= self.most_steps).then_some(GivenUp::Steps(self.most_steps)))
    }

    /// The match id for the player of a role. Messages do not name the role, and two addresses may
    /// belong to one player, so every role has its own id.
    fn id_of(&self, idx: usize) -> String {
        format!("{}.{idx}", self.id)
    }

    async fn start(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
    ) -> Vec<Fault> {
        let rules = translator.scramble(&self.rules);
        let roles = self.reasoner.roles();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Start {
                id: self.id_of(idx),
                role: translator.encode(&roles[idx]),
                rules: rules.clone(),
                start_clock: self.start_clock,
                play_clock: self.play_clock,
            };
            Some((player.clone()?, request, self.start_clock + self.grace))
        };
        let answers = ask_together(self.players.iter().enumerate().map(question).collect()).await;
        let fault = |answer: Answered| match answer {
            Some((Err(error), _)) => error.into(),
            _ => Fault::None,
        };
        answers.into_iter().map(fault).collect()
    }

    async fn ask_all(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
        last: &[String],
    ) -> Vec<Answered> {
        let last: Vec<String> = last.iter().map(|mv| translator.encode(mv)).collect();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Play { id: self.id_of(idx), last: last.clone() };
            Some((player.clone()?, request, self.play_clock + self.grace))
        };
        ask_together(self.players.iter().enumerate().map(question).collect()).await
    }

    /// The joint move: the answers that are legal, and random moves in place of others.
    fn decide(
        &self,
        legal: &[Vec<String>],
        answers: Vec<Answered>,
        translator: &Translator<'_, impl FnMut(usize) -> usize>,
        rng: &mut Rng,
    ) -> (Vec<String>, Vec<Fault>) {
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        for (legal, answer) in legal.iter().zip(answers) {
            // Drawn in any case, so that random moves do not depend on faults.
            let random = &legal[rng.below(legal.len())];
            let (mv, fault) = match answer {
                None => (random.clone(), Fault::None),
                Some((Err(error), _)) => (random.clone(), error.into()),
                Some((Ok(text), _)) => {
                    let text = translator.decode(&text);
                    let chosen = self.reasoner.spelling(&text).filter(|mv| legal.contains(mv));
                    match chosen {
                        Some(mv) => (mv, Fault::None),
                        None => (random.clone(), Fault::Illegal(shown(&text))),
                    }
                }
            };
            moves.push(mv);
            faults.push(fault);
        }
        (moves, faults)
    }

    /// Sends ABORT to all players.
    pub async fn abort(&self) {
        let question = |(idx, player): (usize, &Option<Address>)| {
            Some((player.clone()?, Request::Abort { id: self.id_of(idx) }, ABORT_TIMEOUT))
        };
        let _ = ask_together(self.players.iter().enumerate().map(question).collect()).await;
    }

    async fn stop(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
        last: &[String],
    ) {
        let last: Vec<String> = last.iter().map(|mv| translator.encode(mv)).collect();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Stop { id: self.id_of(idx), last: last.clone() };
            Some((player.clone()?, request, self.play_clock))
        };
        // The answers are ignored.
        let _ = ask_together(self.players.iter().enumerate().map(question).collect()).await;
    }
}

/// Sends requests to all players at the same time.
async fn ask_together(questions: Vec<Option<Question>>) -> Vec<Answered> {
    let mut answers: Vec<_> = questions.iter().map(|_| None).collect();
    let mut pending = JoinSet::new();
    for (idx, question) in questions.into_iter().enumerate() {
        let Some((player, request, patience)) = question else { continue };
        pending.spawn(async move {
            let begun = Instant::now();
            let answer = ask(&player, request.to_string(), patience).await;
            (idx, answer, begun.elapsed())
        });
    }
    while let Some(Ok((idx, answer, time))) = pending.join_next().await {
        answers[idx] = Some((answer, time));
    }
    answers
}
