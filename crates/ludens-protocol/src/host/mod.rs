//! The host of a match: sends requests to all players at the same time and continues whatever they
//! answer.

mod played;
mod start;
mod translator;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Reasoner, Rng, Trouble};
use ludens_gdl::{Scrambler, Symbols};
use tokio::task::JoinSet;

use crate::client::{Address, AskError, ask};
use crate::request::Request;

pub use played::{Fault, GivenUp, Played, ResponseTimes};
use start::{Invitation, invite};
use translator::Translator;
pub(crate) use translator::shown;

/// The role that no player has: the host makes its moves, each legal one with the same probability.
pub const RANDOM_ROLE: &str = "random";

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
    /// The player of each role; `None` for random moves. [`RANDOM_ROLE`] has random moves in any case.
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
        let faults = self.start(&mut translator).await;
        played.given_up = self.reason_not_to_begin(&faults);
        if played.given_up.is_some() {
            self.abort_but(&faults).await;
            played.faults.push(faults);
            return Ok(played);
        }
        played.faults.push(faults);
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

    /// The player of each role, with the index of the role; the random role has none.
    fn seats(&self) -> impl Iterator<Item = (usize, Option<&Address>)> {
        let roles = self.reasoner.roles().iter();
        let player = |(role, player): (&String, _)| if role == RANDOM_ROLE { None } else { player };
        roles.zip(self.players.iter().map(Option::as_ref)).map(player).enumerate()
    }

    async fn start(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
    ) -> Vec<Fault> {
        let rules = translator.scramble(&self.rules);
        let roles = self.reasoner.roles();
        let mut invitations = Vec::new();
        for (idx, player) in self.seats() {
            let Some(player) = player.cloned() else { continue };
            let request = Request::Start {
                id: self.id_of(idx),
                role: translator.encode(&roles[idx]),
                rules: rules.clone(),
                start_clock: self.start_clock,
                play_clock: self.play_clock,
            };
            invitations.push(Invitation { idx, player, message: request.to_string() });
        }
        invite(invitations, roles.len(), (self.start_clock, self.grace)).await
    }

    /// A match with a player that does not play is not begun: it would be one of random moves.
    fn reason_not_to_begin(&self, faults: &[Fault]) -> Option<GivenUp> {
        let (role, fault) =
            self.reasoner.roles().iter().zip(faults).find(|(_, fault)| **fault != Fault::None)?;
        Some(GivenUp::NotStarted { role: self.symbols.spell(role), fault: fault.clone() })
    }

    async fn ask_all(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
        last: &[String],
    ) -> Vec<Answered> {
        let last: Vec<String> = last.iter().map(|mv| translator.encode(mv)).collect();
        let request = |idx| Request::Play { id: self.id_of(idx), last: last.clone() };
        self.ask_players(request, self.play_clock + self.grace).await
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
        self.abort_but(&[]).await;
    }

    /// Sends ABORT to all players but those that refused to start: they may be in a match of another host.
    async fn abort_but(&self, faults: &[Fault]) {
        let refused = |idx| matches!(faults.get(idx), Some(Fault::Refused(_)));
        let question = |(idx, player): (usize, Option<&Address>)| {
            let player = player.filter(|_| !refused(idx))?;
            Some((player.clone(), Request::Abort { id: self.id_of(idx) }, ABORT_TIMEOUT))
        };
        let _ = ask_together(self.seats().map(question).collect()).await;
    }

    async fn stop(
        &self,
        translator: &mut Translator<'_, impl FnMut(usize) -> usize>,
        last: &[String],
    ) {
        let last: Vec<String> = last.iter().map(|mv| translator.encode(mv)).collect();
        let request = |idx| Request::Stop { id: self.id_of(idx), last: last.clone() };
        // The answers are ignored.
        let _ = self.ask_players(request, self.play_clock).await;
    }

    /// Sends the request for each role to its player.
    async fn ask_players(
        &self,
        request: impl Fn(usize) -> Request,
        patience: Duration,
    ) -> Vec<Answered> {
        let question = |(idx, player): (usize, Option<&Address>)| {
            Some((player?.clone(), request(idx), patience))
        };
        ask_together(self.seats().map(question).collect()).await
    }

    /// A text that identifies the match: 32 hexadecimal digits, the same for the same seed and rules, and
    /// unrelated to the random moves.
    pub fn random_token(&self) -> String {
        // Series of several games may have the same seeds.
        let rules = self.rules.bytes().fold(0, |hash, byte| Rng::mix(hash ^ u64::from(byte)));
        let mut rng = Rng::stream(self.seed, &[2, rules]);
        format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64())
    }
}

/// The first player with several roles of a match, whose players are given in role order.
pub fn player_of_several_roles(players: &[Option<Address>]) -> Option<&Address> {
    let players: Vec<&Address> = players.iter().flatten().collect();
    let is_again = |(at, player): (usize, &&Address)| players[..at].contains(player);
    players.iter().enumerate().find(|&seat| is_again(seat)).map(|(_, player)| *player)
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
