//! Plays random games and records statistics and problems.

use std::collections::HashSet;
use std::sync::Arc;

use ludens_catalog::{AnyGame, WithGame};
use ludens_core::{Budget, Game, Move, Panicked, Rng, Role, View, guard};

use super::{Domain, Finding, FindingKind, Options, RoleSurvey, Survey};

/// The maximum number of states kept as samples.
const MAX_SAMPLES: usize = 200;

/// Plays random games until the budget is used up; its iterations are games.
pub fn survey<G: Game>(game: &G, domain: &Domain, options: Options, budget: &Budget) -> Survey {
    let survey =
        Survey { roles: vec![RoleSurvey::default(); game.roles().len()], ..Survey::default() };
    let mut watcher = Watcher {
        game,
        domain,
        options,
        budget,
        rng: Rng::new(options.seed),
        view: View::default(),
        path: Vec::new(),
        fluents: HashSet::new(),
        survey,
    };
    while !budget.is_spent(watcher.survey.playouts) && !watcher.is_over() {
        // A reasoner that gives up in the middle of a game can only panic.
        if let Err(panicked) = guard(|| watcher.playout()) {
            watcher.give_up(&panicked);
            break;
        }
    }
    watcher.finish()
}

/// Plays random games of any type, as [`survey`] does, without the declarations of the rules.
pub fn survey_game(game: &AnyGame, options: Options, budget: &Budget) -> Survey {
    game.with(Surveying { options, budget })
}

struct Surveying<'a> {
    options: Options,
    budget: &'a Budget,
}

impl WithGame for Surveying<'_> {
    type Out = Survey;

    fn call<G: Game>(self, game: Arc<G>) -> Survey {
        survey(&*game, &Domain::default(), self.options, self.budget)
    }
}

struct Watcher<'a, G: Game> {
    game: &'a G,
    domain: &'a Domain,
    options: Options,
    budget: &'a Budget,
    rng: Rng,
    view: View,
    path: Vec<Vec<Move>>,
    fluents: HashSet<String>,
    survey: Survey,
}

impl<G: Game> Watcher<'_, G> {
    fn is_over(&self) -> bool {
        self.survey.playouts > 0 && self.budget.is_over()
    }

    fn playout(&mut self) {
        let mut state = self.game.initial();
        self.path.clear();
        self.survey.playouts += 1;
        loop {
            self.game.look(&state, &mut self.view);
            self.watch(&state);
            if self.view.terminal {
                return self.end();
            }
            let Some(joint) = self.choose() else { return };
            if self.path.len() as u32 >= self.options.max_plies {
                let message =
                    format!("a random game has not ended after {} moves", self.path.len());
                return self.find(FindingKind::TooLong, None, message);
            }
            if self.is_over() {
                return self.cut();
            }
            self.game.play(&mut state, &joint);
            self.path.push(joint);
        }
    }

    /// A game cut off by the time limit does not count as unfinished, unless it is the first.
    fn cut(&mut self) {
        if self.survey.playouts > 1 {
            self.survey.playouts -= 1;
        }
    }

    fn choose(&mut self) -> Option<Vec<Move>> {
        let stuck = self.view.legal.entries().find(|(_, legal)| legal.is_empty());
        if let Some((role, _)) = stuck {
            let message = format!("`{}` has no legal move", self.game.roles()[role.index()]);
            self.find(FindingKind::NoMove, Some(role), message);
            return None;
        }
        let choose = |legal: &Vec<Move>| legal[self.rng.below(legal.len())];
        Some(self.view.legal.iter().map(choose).collect())
    }

    fn watch(&mut self, state: &G::State) {
        if self.survey.playouts <= self.options.detailed {
            self.watch_facts(state);
        }
        if self.view.terminal {
            return;
        }
        let mut n_choosing = 0;
        for (legal, role) in self.view.legal.iter().zip(&mut self.survey.roles) {
            if legal.len() > 1 {
                role.choices.add(legal.len() as u64);
                n_choosing += 1;
            }
        }
        self.survey.simultaneous |= n_choosing > 1;
        if self.survey.playouts <= self.options.detailed {
            self.watch_moves();
        }
    }

    fn watch_facts(&mut self, state: &G::State) {
        let facts = self.game.facts(state);
        let outside = self
            .domain
            .base
            .as_ref()
            .and_then(|base| facts.iter().find(|fact| !base.contains(*fact)).cloned());
        if let Some(fact) = outside {
            self.find(
                FindingKind::OutsideBase,
                None,
                format!("`{fact}` is not declared by `base`"),
            );
        }
        self.fluents.extend(facts.iter().cloned());
        if self.survey.samples.len() < MAX_SAMPLES {
            self.survey.samples.push(facts);
        }
    }

    fn watch_moves(&mut self) {
        let Some(input) = &self.domain.input else { return };
        let mut outside = Vec::new();
        for (role, legal) in self.view.legal.entries() {
            let name = &self.game.roles()[role.index()];
            let moves = legal.iter().map(|&m| self.game.move_name(role, m));
            let mut undeclared = moves.filter(|m| !input.contains(&(name.clone(), m.clone())));
            if let Some(m) = undeclared.next() {
                outside.push((
                    role,
                    format!("`{m}` is legal for `{name}`, but not declared by `input`"),
                ));
            }
        }
        for (role, message) in outside {
            self.find(FindingKind::OutsideInput, Some(role), message);
        }
    }

    fn end(&mut self) {
        self.survey.finished += 1;
        self.survey.length.add(self.path.len() as u64);
        if self.path.is_empty() {
            let message = "the initial state is terminal".to_owned();
            self.find(FindingKind::EndsAtOnce, None, message);
        }
        for role in Role::all(self.game.roles().len()) {
            self.watch_goal(role);
        }
    }

    fn watch_goal(&mut self, role: Role) {
        let name = self.game.roles()[role.index()].clone();
        if !self.view.scored.contains(role) {
            let message = format!("`{name}` has no goal value at the end");
            return self.find(FindingKind::NoGoal, Some(role), message);
        }
        let goal = (self.view.payoffs[role] * 100.0).round() as i64;
        *self.survey.roles[role.index()].goals.entry(goal).or_default() += 1;
        if self.view.contested.contains(role) {
            let message =
                format!("`{name}` has several goal values at the end, the largest is {goal}");
            self.find(FindingKind::SeveralGoals, Some(role), message);
        }
        if !(0..=100).contains(&goal) {
            let message = format!("`{name}` has the goal value {goal}");
            self.find(FindingKind::GoalRange, Some(role), message);
        }
    }

    /// Records a problem; the first of its kind for a role, with the moves that led to it.
    fn find(&mut self, kind: FindingKind, role: Option<Role>, message: String) {
        let role_idx = role.map(Role::index);
        let findings = &mut self.survey.findings;
        if let Some(known) = findings.iter_mut().find(|f| f.kind == kind && f.role_idx == role_idx)
        {
            known.count += 1;
            return;
        }
        let names = |joint: &Vec<Move>| {
            let roles = Role::all(joint.len());
            roles.zip(joint).map(|(role, &m)| self.game.move_name(role, m)).collect()
        };
        let line = self.path.iter().map(names).collect();
        self.survey.findings.push(Finding { kind, role_idx, message, line, count: 1 });
    }

    fn give_up(&mut self, panicked: &Panicked) {
        let kind = match panicked {
            Panicked::GaveUp(trouble) => FindingKind::of_trouble(trouble),
            Panicked::Defect(_) => FindingKind::Exhausted,
        };
        self.find(kind, None, panicked.to_string());
    }

    fn finish(mut self) -> Survey {
        self.path.clear();
        let known = |finding: &Finding| finding.kind.cuts_games_short();
        if self.survey.finished == 0 && !self.survey.findings.iter().any(known) {
            let message = format!("none of {} random games ended", self.survey.playouts);
            self.find(FindingKind::NotShownToEnd, None, message);
        }
        for role in Role::all(self.game.roles().len()) {
            if self.survey.finished > 0 && self.survey.roles[role.index()].choices.count == 0 {
                let message = format!("`{}` never had a choice", self.game.roles()[role.index()]);
                self.find(FindingKind::NoInfluence, Some(role), message);
            }
        }
        self.survey.fluents = self.fluents.len();
        self.survey
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog::{ReasonerKind, WithGame};
    use std::sync::Arc;

    struct Run(u64);

    impl WithGame for Run {
        type Out = Survey;

        fn call<G: Game>(self, game: Arc<G>) -> Survey {
            let budget = Budget::unlimited().with_iterations(100);
            let options = Options { seed: self.0, ..Options::default() };
            survey(&*game, &Domain::default(), options, &budget)
        }
    }

    fn surveyed(name: &str, seed: u64) -> Survey {
        let loaded =
            ludens_catalog::load_game(name, ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        loaded.game.with(Run(seed))
    }

    #[test]
    fn random_games_show_what_a_game_is_like() {
        let survey = surveyed("tictactoe", 1);
        assert_eq!((survey.playouts, survey.finished), (100, 100));
        assert!(survey.length.min >= 5 && survey.length.max == 9);
        assert!((5.0..=9.0).contains(&survey.length.mean()));
        assert_eq!(survey.roles[0].choices.max, 9);
        assert!(!survey.simultaneous && survey.findings.is_empty());
        assert_eq!(survey.roles[0].goals.values().sum::<u64>(), 100);
        assert!(surveyed("rockpaperscissors", 1).simultaneous);
    }

    #[test]
    fn the_same_seed_shows_the_same() {
        assert_eq!(surveyed("tictactoe", 7), surveyed("tictactoe", 7));
        assert_ne!(surveyed("tictactoe", 7), surveyed("tictactoe", 8));
    }

    #[test]
    fn declared_facts_and_moves_are_found() {
        let text = ludens_catalog::find("tictactoe").unwrap().text;
        let domain = Domain::of(text, &Budget::unlimited()).unwrap();
        assert!(domain.base.unwrap().contains("(cell 1 1 b)"));
        assert!(domain.input.unwrap().contains(&("xplayer".into(), "(mark 1 1)".into())));
    }
}
