//! The other side: who runs a match, asks all players at the same time, and goes on whatever they do.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Reasoner, Rng, Trouble};
use ludens_gdl::{Scrambler, Symbols};
use tokio::task::JoinSet;

use crate::client::{Address, AskError, ask};
use crate::request::Request;

/// A match to be played.
pub struct Hosted {
    /// Its name, which no other match should have: players may have other hosts, and records lie side by side.
    pub id: String,
    /// The rules as text.
    pub rules: String,
    /// How the rules spell their words. Players may compare them with regard to case, so that roles and moves
    /// go out as they stand in the rules.
    pub symbols: Symbols,
    /// Who knows what they mean.
    pub reasoner: Arc<dyn Reasoner>,
    /// Who plays each role; where nobody does, moves are drawn.
    pub players: Vec<Option<Address>>,
    /// How long players may prepare themselves.
    pub start_clock: Duration,
    /// How long each move may take.
    pub play_clock: Duration,
    /// How much later an answer may come.
    pub grace: Duration,
    /// A match that is not over after so many steps is given up.
    pub most_steps: usize,
    /// Whether players get the rules with other names.
    pub scramble: bool,
    /// What random numbers are derived from.
    pub seed: u64,
}

/// What a player did wrong in a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It did not answer in time.
    Late,
    /// It could not be reached.
    Connection,
    /// It answered with what is no legal move; of a long answer, its beginning, in letters that do no harm.
    Illegal(String),
}

impl Fault {
    /// As records of matches write it.
    pub fn code(&self) -> String {
        match self {
            Fault::None => String::new(),
            Fault::Late => "TO".into(),
            Fault::Connection => "CE".into(),
            Fault::Illegal(answer) => format!("IL {answer}"),
        }
    }
}

impl From<AskError> for Fault {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Late => Fault::Late,
            AskError::Connection => Fault::Connection,
        }
    }
}

/// A match that was played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The facts of each state, from the first on, as the reasoner writes them.
    pub states: Vec<Vec<String>>,
    /// When each of them was there, from the beginning of the match on.
    pub times: Vec<Duration>,
    /// The moves of all roles, step by step, as the reasoner writes them.
    pub moves: Vec<Vec<String>>,
    /// What players did wrong: before the first step, then in each.
    pub faults: Vec<Vec<Fault>>,
    /// What the end is worth to each role; empty if the rules do not say.
    pub goals: Vec<i64>,
    /// The first role to which the rules give no goal value at the end, if there is one.
    pub without_goal: Option<String>,
    /// Why the match was given up before its end, if it was.
    pub given_up: Option<GivenUp>,
    /// How long the player of each role took for its moves.
    pub paces: Vec<Pace>,
}

impl Played {
    /// Why there is no result, if there is none.
    pub fn flaw(&self) -> Option<String> {
        let given_up = self.given_up.as_ref().map(GivenUp::to_string);
        let goal = |role| format!("the rules give `{role}` no goal value at the end");
        given_up.or_else(|| self.without_goal.as_ref().map(goal))
    }
}

/// Why a match was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// A role has no legal move though the match is not over; rules should not allow that, but some do.
    NoMove(String),
    /// It has had so many steps, as many as it may have.
    Steps(usize),
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GivenUp::NoMove(role) => write!(f, "`{role}` has no legal move"),
            GivenUp::Steps(most) => write!(f, "not over after {most} steps"),
        }
    }
}

/// How long a player took for its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// How often it was asked for a move.
    pub asked: u64,
    /// How long it took in all.
    pub total: Duration,
    /// The longest time.
    pub longest: Duration,
}

impl Pace {
    fn add(&mut self, time: Duration) {
        self.asked += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }
}

/// What a player has answered, and when. Nobody is asked about roles whose moves are drawn.
type Answered = Option<(Result<String, AskError>, Duration)>;

/// How long a player may take to give up.
const ABORT_PATIENCE: Duration = Duration::from_secs(1);

/// What is asked of a player, and how long it may take.
type Question = (Address, Request, Duration);

impl Hosted {
    /// Plays the match to its end, unless it must be given up. `step` is told after every step.
    pub async fn play(&self, mut step: impl FnMut(&Played)) -> Result<Played, Trouble> {
        let begun = Instant::now();
        let mut rng = Rng::new(self.seed);
        let mut words = Rng::stream(self.seed, &[1]);
        let scrambler = self.scramble.then(|| Scrambler::new(move |n| words.below(n)));
        let mut tongue = Tongue { symbols: &self.symbols, scrambler };
        let mut state = self.reasoner.initial()?;
        let paces = vec![Pace::default(); self.players.len()];
        let (states, times) = (vec![state.clone()], vec![begun.elapsed()]);
        let mut played = Played { states, times, paces, ..Played::default() };
        played.faults.push(self.start(&mut tongue).await);
        let mut answer = self.reasoner.answer(&state)?;
        while !answer.terminal {
            played.given_up = self.reason_to_give_up(&answer.legal, played.moves.len());
            if played.given_up.is_some() {
                self.abort().await;
                return Ok(played);
            }
            let last = played.moves.last().map_or(&[][..], Vec::as_slice);
            let answers = self.ask_all(&mut tongue, last).await;
            for (pace, answer) in played.paces.iter_mut().zip(&answers) {
                if let Some((_, time)) = answer {
                    pace.add(*time);
                }
            }
            let (moves, faults) = self.settle(&answer.legal, answers, &tongue, &mut rng);
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
        let worthless = answer.goals.iter().position(Vec::is_empty);
        played.without_goal = worthless.map(|idx| self.symbols.spell(&self.reasoner.roles()[idx]));
        self.stop(&mut tongue, played.moves.last().map_or(&[][..], Vec::as_slice)).await;
        Ok(played)
    }

    fn reason_to_give_up(&self, legal: &[Vec<String>], n_steps: usize) -> Option<GivenUp> {
        let stuck = legal.iter().zip(self.reasoner.roles()).find(|(legal, _)| legal.is_empty());
        let stuck = stuck.map(|(_, role)| GivenUp::NoMove(self.symbols.spell(role)));
        stuck.or_else(|| (n_steps >= self.most_steps).then_some(GivenUp::Steps(self.most_steps)))
    }

    /// The name of the match for the player of a role. One that plays several roles takes them for
    /// different matches, because messages do not say which role they are for; and whether two addresses
    /// are those of one player cannot be known.
    fn id_of(&self, idx: usize) -> String {
        format!("{}.{idx}", self.id)
    }

    async fn start(&self, tongue: &mut Tongue<'_, impl FnMut(usize) -> usize>) -> Vec<Fault> {
        let rules = tongue.translate(&self.rules);
        let roles = self.reasoner.roles();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Start {
                id: self.id_of(idx),
                role: tongue.tell(&roles[idx]),
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
        tongue: &mut Tongue<'_, impl FnMut(usize) -> usize>,
        last: &[String],
    ) -> Vec<Answered> {
        let last: Vec<String> = last.iter().map(|mv| tongue.tell(mv)).collect();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Play { id: self.id_of(idx), last: last.clone() };
            Some((player.clone()?, request, self.play_clock + self.grace))
        };
        ask_together(self.players.iter().enumerate().map(question).collect()).await
    }

    /// The moves that are made: those of the players where they are legal, and drawn ones else.
    fn settle(
        &self,
        legal: &[Vec<String>],
        answers: Vec<Answered>,
        tongue: &Tongue<'_, impl FnMut(usize) -> usize>,
        rng: &mut Rng,
    ) -> (Vec<String>, Vec<Fault>) {
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        for (legal, answer) in legal.iter().zip(answers) {
            // Drawn in any case, so that the draws of a match do not depend on faults.
            let drawn = &legal[rng.below(legal.len())];
            let (mv, fault) = match answer {
                None => (drawn.clone(), Fault::None),
                Some((Err(error), _)) => (drawn.clone(), error.into()),
                Some((Ok(text), _)) => {
                    let text = tongue.hear(&text);
                    let meant = self.reasoner.spelling(&text).filter(|mv| legal.contains(mv));
                    match meant {
                        Some(mv) => (mv, Fault::None),
                        None => (drawn.clone(), Fault::Illegal(shown(&text))),
                    }
                }
            };
            moves.push(mv);
            faults.push(fault);
        }
        (moves, faults)
    }

    /// Tells all players that the match is given up.
    pub async fn abort(&self) {
        let question = |(idx, player): (usize, &Option<Address>)| {
            Some((player.clone()?, Request::Abort { id: self.id_of(idx) }, ABORT_PATIENCE))
        };
        let _ = ask_together(self.players.iter().enumerate().map(question).collect()).await;
    }

    async fn stop(&self, tongue: &mut Tongue<'_, impl FnMut(usize) -> usize>, last: &[String]) {
        let last: Vec<String> = last.iter().map(|mv| tongue.tell(mv)).collect();
        let question = |(idx, player): (usize, &Option<Address>)| {
            let request = Request::Stop { id: self.id_of(idx), last: last.clone() };
            Some((player.clone()?, request, self.play_clock))
        };
        // What is answered changes nothing any more.
        let _ = ask_together(self.players.iter().enumerate().map(question).collect()).await;
    }
}

/// How players are spoken to.
struct Tongue<'h, D> {
    symbols: &'h Symbols,
    scrambler: Option<Scrambler<D>>,
}

impl<D: FnMut(usize) -> usize> Tongue<'_, D> {
    /// A role or a move for players.
    fn tell(&mut self, term: &str) -> String {
        let term = self.symbols.spell(term);
        self.translate(&term)
    }

    /// A text of the rules for players.
    fn translate(&mut self, text: &str) -> String {
        match &mut self.scrambler {
            Some(scrambler) => scrambler.scramble(text),
            None => text.to_owned(),
        }
    }

    /// What a player said, in words of the rules.
    fn hear(&self, text: &str) -> String {
        self.scrambler.as_ref().map_or_else(|| text.to_owned(), |words| words.unscramble(text))
    }
}

/// Of an answer, so many letters are told.
const MAX_SHOWN: usize = 100;

/// An answer that anybody may look at: whoever answers may send what changes a terminal, or far too much.
fn shown(answer: &str) -> String {
    let escaped = |c: char| {
        let harmless = c == ' ' || c.is_ascii_graphic();
        harmless
            .then_some(c)
            .into_iter()
            .chain((!harmless).then(|| c.escape_debug()).into_iter().flatten())
    };
    let mut letters = answer.chars().flat_map(escaped);
    let mut text: String = letters.by_ref().take(MAX_SHOWN).collect();
    if letters.next().is_some() {
        text.push('…');
    }
    text
}

/// Asks all players at the same time; those who are not asked answer nothing.
async fn ask_together(questions: Vec<Option<Question>>) -> Vec<Answered> {
    let mut answers: Vec<_> = questions.iter().map(|_| None).collect();
    let mut under_way = JoinSet::new();
    for (idx, question) in questions.into_iter().enumerate() {
        let Some((player, request, patience)) = question else { continue };
        under_way.spawn(async move {
            let begun = Instant::now();
            let answer = ask(&player, request.to_string(), patience).await;
            (idx, answer, begun.elapsed())
        });
    }
    while let Some(Ok((idx, answer, time))) = under_way.join_next().await {
        answers[idx] = Some((answer, time));
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_without_harm() {
        assert_eq!(shown("( mark 1 'é' )"), "( mark 1 'é' )");
        assert_eq!(shown("\u{1b}[31mred\n\u{7}\0"), r"\u{1b}[31mred\n\u{7}\0");
        assert_eq!(shown(&"y".repeat(100)), "y".repeat(100));
        assert_eq!(shown(&"y".repeat(900_000)), format!("{}…", "y".repeat(100)));
    }
}
