//! One game from its beginning to its end.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Role, View};
use ludens_search::{Agent, Report, Watch};

use super::listing::natural_order;
use super::screen::{Advice, Screen};
use super::words::{self, Word};
use crate::Outcome;
use crate::analysis::{Insight, Limits, Live};
use crate::console::Console;
use crate::painter::Painter;

/// How a game is played.
pub struct Settings {
    /// The role of the user; `None` if the computer plays all.
    pub human: Option<Role>,
    /// How long the computer thinks about a move.
    pub time: Option<Duration>,
    /// How many playouts the computer makes for a move.
    pub iterations: Option<u64>,
    /// Whether what is typed has to be shown, since no terminal does it.
    pub echo: bool,
    /// What the game is called.
    pub title: String,
    /// What the computer's agent is called.
    pub opponent: String,
}

/// Who thinks.
pub struct Agents<G> {
    /// For the roles that the computer plays.
    pub opponent: Box<dyn Agent<G>>,
    /// For hints.
    pub adviser: Box<dyn Agent<G>>,
}

/// A game being played.
pub struct Session<'a, G: Game> {
    game: Arc<G>,
    agents: Agents<G>,
    settings: Settings,
    screen: Screen<'a>,
    input: &'a mut dyn BufRead,
    state: G::State,
    view: View,
    past: Vec<Past<G::State>>,
}

/// A state that was left.
struct Past<S> {
    state: S,
    /// Whether the user had a choice there.
    decided: bool,
}

/// What came of asking the user.
enum Reply {
    Move(Move),
    Undone,
    Quit,
}

impl<'a, G: Game> Session<'a, G> {
    /// A game about to begin.
    pub fn new(
        game: Arc<G>,
        agents: Agents<G>,
        settings: Settings,
        painter: &'a Painter,
        input: &'a mut dyn BufRead,
        console: &'a mut Console,
    ) -> Self {
        let screen = Screen { console, painter, roles: game.roles().to_vec() };
        let state = game.initial();
        Session {
            game,
            agents,
            settings,
            screen,
            input,
            state,
            view: View::default(),
            past: vec![],
        }
    }

    /// Plays to the end of the game, or of the input.
    pub fn run(mut self) -> anyhow::Result<Outcome> {
        self.screen.begin(&self.settings.title, self.settings.human, &self.settings.opponent)?;
        loop {
            self.game.look(&self.state, &mut self.view);
            self.show_state()?;
            if self.view.terminal {
                self.end()?;
                return Ok(Outcome::Fine);
            }
            if let Some((role, _)) = self.view.legal.entries().find(|(_, legal)| legal.is_empty()) {
                let role = &self.game.roles()[role.index()];
                self.screen.note(&format!("{role} has no legal move; the game cannot go on"))?;
                return Ok(Outcome::Found);
            }
            let own = match self.settings.human {
                None => None,
                Some(role) => match self.decide(role)? {
                    Reply::Move(m) => Some(m),
                    Reply::Undone => continue,
                    Reply::Quit => return Ok(Outcome::Fine),
                },
            };
            self.advance(own)?;
        }
    }

    fn show_state(&mut self) -> anyhow::Result<()> {
        let facts = self.game.facts(&self.state);
        let before = self.past.last().map(|past| self.game.facts(&past.state));
        Ok(self.screen.state(self.past.len(), before.as_deref(), &facts)?)
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let goal = |payoff: &f32| (payoff * 100.0).round() as i64;
        let goals: Vec<_> = self.view.payoffs.iter().map(goal).collect();
        Ok(self.screen.end(self.past.len(), &goals, self.settings.human)?)
    }

    /// Brings the moves of a role into the order of the list, which is the same for all reasoners.
    fn sort_moves(&mut self, role: Role) {
        let Session { game, view, .. } = self;
        view.legal[role].sort_by_cached_key(|&m| natural_order(&game.move_name(role, m)));
    }

    fn names(&self, role: Role) -> Vec<String> {
        self.view.legal[role].iter().map(|&m| self.game.move_name(role, m)).collect()
    }

    fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited();
        budget.iterations = self.settings.iterations;
        match self.settings.time {
            Some(time) => budget.with_time(time),
            None => budget,
        }
    }

    /// Makes the user's move and those of the computer, which does not know the user's.
    fn advance(&mut self, own: Option<Move>) -> anyhow::Result<()> {
        let human = self.settings.human;
        let others = |role: Role| human != Some(role);
        let thinks = self.view.legal.entries().any(|(role, l)| others(role) && l.len() > 1);
        let (report, thought) = if thinks { self.think()? } else { Default::default() };
        let choose = |(role, legal): (Role, &Vec<Move>)| match own {
            Some(m) if human == Some(role) => m,
            _ if legal.len() == 1 => legal[0],
            _ => report.best(role).expect("the agent has looked at every role's moves"),
        };
        let joint: Vec<_> = self.view.legal.entries().map(choose).collect();
        let roles = Role::all(joint.len());
        let names: Vec<_> =
            roles.zip(&joint).map(|(role, &m)| self.game.move_name(role, m)).collect();
        self.screen.played(self.past.len(), &names, &thought)?;
        let decided = human.is_some_and(|role| self.view.legal[role].len() > 1);
        self.past.push(Past { state: self.state.clone(), decided });
        self.game.play(&mut self.state, &joint);
        Ok(())
    }

    /// Lets the computer think, seen by whoever sits at the terminal, and tells what it thought of the
    /// roles that it plays.
    fn think(&mut self) -> anyhow::Result<(Report, Insight)> {
        // What was said before must not come out in the middle of the block.
        self.screen.console.flush()?;
        let (budget, human, game) = (self.budget(), self.settings.human, &self.game);
        let limits = Limits { iterations: self.settings.iterations, time: self.settings.time };
        let mut live = Live::new(limits, self.screen.console.json);
        let every = live.every();
        let names = |role: Role, m: Move| game.move_name(role, m);
        let insight = |report: &Report| Insight::new(report, game.roles(), &names).without(human);
        let look = &mut |report: &Report| {
            live.show(|| insight(report));
            ControlFlow::Continue(())
        };
        let report =
            self.agents.opponent.think(&self.state, &budget, &mut Watch::every(every, look));
        drop(live);
        let thought = insight(&report);
        Ok((report, thought))
    }

    /// Asks the user, unless there is only one move.
    fn decide(&mut self, role: Role) -> anyhow::Result<Reply> {
        self.sort_moves(role);
        let names = self.names(role);
        if let [only] = &names[..] {
            self.screen.note(&format!("{only} is your only move"))?;
            return Ok(Reply::Move(self.view.legal[role][0]));
        }
        let mut shown: Vec<_> = (0..names.len()).collect();
        let mut page = 0;
        self.screen.moves(&names, &shown, page)?;
        loop {
            self.screen.prompt(role)?;
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                self.screen.note("the input has ended, and so has the game")?;
                return Ok(Reply::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            if self.settings.echo {
                self.screen.echo(line.trim_end())?;
            }
            match words::read(&line, &names) {
                Word::Move(i) => return Ok(Reply::Move(self.view.legal[role][i])),
                Word::Quit => return Ok(Reply::Quit),
                Word::Undo if self.undo() => return Ok(Reply::Undone),
                Word::Filter(found) if !found.is_empty() => {
                    (shown, page) = (found, 0);
                    self.screen.moves(&names, &shown, page)?;
                }
                Word::Moves => {
                    (shown, page) = ((0..names.len()).collect(), 0);
                    self.screen.moves(&names, &shown, page)?;
                }
                Word::More => {
                    let n_pages = shown.len().div_ceil(super::listing::PAGE);
                    page = (page + 1) % n_pages.max(1);
                    self.screen.moves(&names, &shown, page)?;
                }
                other => self.answer(&other, role)?,
            }
        }
    }

    /// Answers what does not change the game.
    fn answer(&mut self, word: &Word, role: Role) -> anyhow::Result<()> {
        match word {
            Word::Hint => self.hint(role)?,
            Word::Facts => self.screen.facts(&self.game.facts(&self.state))?,
            Word::Board => self.show_state()?,
            Word::Help => self.screen.note(words::HELP.trim_end())?,
            Word::Undo => self.screen.note("there is nothing to take back")?,
            Word::NoSuchNumber => self.screen.note("no move has that number")?,
            Word::Filter(_) => {
                self.screen.note("no legal move contains that; `help` tells what you can type")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn hint(&mut self, role: Role) -> anyhow::Result<()> {
        let report = self.agents.adviser.think(&self.state, &self.budget(), &mut Watch::none());
        let advice: Vec<_> = report.moves[role]
            .iter()
            .take(3)
            .map(|stats| Advice {
                name: self.game.move_name(role, stats.mv),
                visits: stats.visits,
                value: (stats.mean * 1000.0).round() / 10.0,
            })
            .collect();
        Ok(self.screen.hint(&advice)?)
    }

    /// Goes back to the last state in which the user had a choice.
    fn undo(&mut self) -> bool {
        let Some(last) = self.past.iter().rposition(|past| past.decided) else { return false };
        self.past.truncate(last + 1);
        self.state = self.past.pop().expect("just found").state;
        true
    }
}
