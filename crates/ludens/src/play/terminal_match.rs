//! One match in the terminal, from its beginning to its end.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use ludens_arena::clock::Allowance;
use ludens_core::Role;

use super::screen::{Advice, Screen};
use super::user_command::{self, UserCommand};
use crate::Outcome;
use crate::report::Live;
use ludens_lab::analysis::Analysis;
use ludens_lab::{AgentId, Session, SessionError, ThinkSettings};

/// The maximum number of moves in a hint.
const MAX_ADVICE: usize = 3;

/// The settings of a match.
pub struct Settings {
    /// The role of the user; `None` if the computer plays all.
    pub human: Option<Role>,
    /// The limits of the computer's moves.
    pub allowance: Allowance,
    /// Whether to print the input, since no terminal does it.
    pub echo: bool,
    /// The name of the computer's agent.
    pub opponent: String,
}

/// The agents of a session.
#[derive(Clone, Copy)]
pub struct Agents {
    /// For the roles that the computer plays.
    pub opponent: AgentId,
    /// For hints.
    pub adviser: AgentId,
}

/// A match being played.
pub struct TerminalMatch<'a> {
    session: Session,
    agents: Agents,
    settings: Settings,
    screen: Screen<'a>,
    input: &'a mut dyn BufRead,
    /// For each joint move, whether the user had a choice.
    decided: Vec<bool>,
}

/// The user's answer to a request for a move.
enum Reply {
    Move(String),
    Undone,
    Quit,
}

impl<'a> TerminalMatch<'a> {
    /// A match about to begin.
    pub fn new(
        session: Session,
        agents: Agents,
        settings: Settings,
        screen: Screen<'a>,
        input: &'a mut dyn BufRead,
    ) -> Self {
        TerminalMatch { session, agents, settings, screen, input, decided: Vec::new() }
    }

    /// Plays to the end of the match, or of the input.
    pub fn run(mut self) -> anyhow::Result<Outcome> {
        let title = self.session.title();
        self.screen.begin(title, self.settings.human, &self.settings.opponent)?;
        loop {
            self.show_state()?;
            if let Some(goals) = self.session.goals() {
                self.screen.end(self.session.turn(), &goals, self.settings.human)?;
                return Ok(Outcome::Fine);
            }
            if let Some(role) = self.session.stuck_role() {
                self.screen.note(&format!("{role} has no legal move; the game cannot continue"))?;
                return Ok(Outcome::Found);
            }
            let own = match self.settings.human {
                None => None,
                Some(role) => match self.decide(role)? {
                    Reply::Move(text) => Some(text),
                    Reply::Undone => continue,
                    Reply::Quit => return Ok(Outcome::Fine),
                },
            };
            self.advance(own.as_deref())?;
        }
    }

    fn show_state(&mut self) -> anyhow::Result<()> {
        let position = self.session.position().map_err(SessionError::into_anyhow)?;
        Ok(self.screen.state(position.turn, position.before.as_deref(), &position.facts)?)
    }

    /// Plays the user's move and those of the computer, which does not know the user's.
    fn advance(&mut self, own: Option<&str>) -> anyhow::Result<()> {
        let (human, n_legal) = (self.settings.human.map(Role::index), self.session.n_legal());
        let choices = n_legal.iter().enumerate().filter(|(_, n_legal)| **n_legal > 1);
        let thinks = choices.clone().any(|(role, _)| human != Some(role));
        let decided = choices.clone().any(|(role, _)| human == Some(role));
        let analysis = if thinks { self.think()? } else { Analysis::default() };
        let choose = |(role, n_legal): (usize, &usize)| match own {
            Some(text) if human == Some(role) => text.to_owned(),
            _ if *n_legal == 1 => self.session.legal(role).remove(0),
            _ => analysis.roles[role].best().expect("the agent reports every role").to_owned(),
        };
        let joint: Vec<String> = n_legal.iter().enumerate().map(choose).collect();
        let shown = if thinks { analysis.without(self.settings.human) } else { analysis };
        self.screen.played(self.session.turn(), &joint, &shown)?;
        self.session.play(&joint).map_err(SessionError::into_anyhow)?;
        self.decided.push(decided);
        Ok(())
    }

    fn settings(&self) -> ThinkSettings {
        ThinkSettings::new(self.settings.allowance)
    }

    /// Runs the computer's search, with a live view at the terminal.
    fn think(&mut self) -> anyhow::Result<Analysis> {
        // Earlier output must not appear in the middle of the live view.
        self.screen.console.flush()?;
        let human = self.settings.human;
        let mut live = Live::new(self.settings.allowance, self.screen.console.json);
        let settings = ThinkSettings { every: live.every(), ..self.settings() };
        let watch = &mut |analysis: &Analysis| {
            live.show(|| analysis.clone().without(human));
            ControlFlow::Continue(())
        };
        let analysis = self.session.think(self.agents.opponent, &settings, watch);
        analysis.map_err(SessionError::into_anyhow)
    }

    /// Asks the user, unless there is only one move.
    fn decide(&mut self, role: Role) -> anyhow::Result<Reply> {
        let mut names = self.session.legal(role.index());
        if let [only] = &mut names[..] {
            self.screen.note(&format!("{only} is your only move"))?;
            return Ok(Reply::Move(std::mem::take(only)));
        }
        let mut shown: Vec<_> = (0..names.len()).collect();
        let mut page = 0;
        self.screen.moves(&names, &shown, page)?;
        loop {
            self.screen.prompt(role)?;
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                self.screen.note("end of the input; the game ends")?;
                return Ok(Reply::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            if self.settings.echo {
                self.screen.echo(line.trim_end())?;
            }
            match user_command::read(&line, &names) {
                UserCommand::Move(i) => return Ok(Reply::Move(names.swap_remove(i))),
                UserCommand::Quit => return Ok(Reply::Quit),
                UserCommand::Undo if self.undo() => return Ok(Reply::Undone),
                UserCommand::Filter(found) if !found.is_empty() => {
                    (shown, page) = (found, 0);
                    self.screen.moves(&names, &shown, page)?;
                }
                UserCommand::Moves => {
                    (shown, page) = ((0..names.len()).collect(), 0);
                    self.screen.moves(&names, &shown, page)?;
                }
                UserCommand::More => {
                    let n_pages = shown.len().div_ceil(super::listing::PAGE_SIZE);
                    page = (page + 1) % n_pages.max(1);
                    self.screen.moves(&names, &shown, page)?;
                }
                other => self.answer(&other, role)?,
            }
        }
    }

    /// Answers commands that do not change the match.
    fn answer(&mut self, command: &UserCommand, role: Role) -> anyhow::Result<()> {
        match command {
            UserCommand::Hint => self.hint(role)?,
            UserCommand::Facts => {
                let facts = self.session.facts().map_err(SessionError::into_anyhow)?;
                self.screen.facts(&facts)?;
            }
            UserCommand::Board => self.show_state()?,
            UserCommand::Help => self.screen.note(user_command::HELP.trim_end())?,
            UserCommand::Undo => self.screen.note("there is no move to undo")?,
            UserCommand::NoSuchNumber => self.screen.note("no move has that number")?,
            UserCommand::Filter(_) => {
                self.screen.note("no legal move contains that; `help` lists the commands")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn hint(&mut self, role: Role) -> anyhow::Result<()> {
        let (settings, watch) = (self.settings(), &mut |_: &Analysis| ControlFlow::Continue(()));
        let analysis = self.session.think(self.agents.adviser, &settings, watch);
        let analysis = analysis.map_err(SessionError::into_anyhow)?;
        let moves = analysis.roles[role.index()].moves.iter().take(MAX_ADVICE);
        let advice: Vec<_> = moves
            .map(|found| Advice {
                name: found.name.clone(),
                visits: found.visits,
                value: (found.mean * 1000.0).round() / 10.0,
            })
            .collect();
        Ok(self.screen.hint(&advice)?)
    }

    /// Returns to the last position in which the user had a choice.
    fn undo(&mut self) -> bool {
        let Some(last) = self.decided.iter().rposition(|decided| *decided) else { return false };
        while self.decided.len() > last {
            self.decided.pop();
            self.session.undo();
        }
        true
    }
}
