//! Checks that two programs that follow the same match agree on every state.

use std::fmt;

use ludens_core::{Game, Move, Role, View};

use super::bot::Look;
use super::notation::Notation;

/// A disagreement of the programs.
#[derive(Clone, PartialEq, Debug)]
pub enum Disagreement {
    /// One of their moves cannot be parsed.
    Unreadable(String),
    /// The state is terminal for only one of them.
    End {
        /// Whether it is terminal for us.
        ours: bool,
    },
    /// They disagree on the player to move.
    Turn {
        /// The role to move by our rules; `None` if several roles have a choice.
        ours: Option<usize>,
        /// And by theirs.
        theirs: Option<usize>,
    },
    /// Moves that are legal for only one of them.
    Legal {
        /// Legal only by our rules.
        ours: Vec<String>,
        /// Legal only by theirs, in our notation.
        theirs: Vec<String>,
    },
    /// They disagree on payoffs.
    Payoffs {
        /// By our rules.
        ours: Vec<f64>,
        /// By theirs, in our units.
        theirs: Vec<f64>,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Disagreement::Unreadable(text) => {
                write!(f, "OpenSpiel's move `{text}` cannot be parsed")
            }
            Disagreement::End { ours: true } => {
                write!(f, "the state is terminal only by our rules")
            }
            Disagreement::End { ours: false } => {
                write!(f, "the state is terminal only for OpenSpiel")
            }
            Disagreement::Turn { ours, theirs } => {
                write!(f, "it is player {ours:?}'s turn, but {theirs:?}'s for OpenSpiel")
            }
            Disagreement::Legal { ours, theirs } => {
                let (ours, theirs) = (ours.join(" "), theirs.join(" "));
                write!(f, "only ours are legal: {ours}; only OpenSpiel's: {theirs}")
            }
            Disagreement::Payoffs { ours, theirs } => {
                write!(f, "payoffs are {ours:?}, but {theirs:?} for OpenSpiel")
            }
        }
    }
}

impl std::error::Error for Disagreement {}

/// A state on which both programs agree.
#[derive(Clone, PartialEq, Debug)]
pub enum Agreed {
    /// It is terminal, with these payoffs.
    Over(Vec<f64>),
    /// The role to move, and each legal move with its name in the other program.
    Turn(Role, Vec<(Move, String)>),
}

/// Compares both on a state.
pub fn agree<G: Game>(
    game: &G,
    view: &View,
    look: &Look,
    notation: Notation,
) -> Result<Agreed, Disagreement> {
    if view.terminal != look.terminal {
        return Err(Disagreement::End { ours: view.terminal });
    }
    if view.terminal {
        return agree_payoffs(view, look).map(Agreed::Over);
    }
    let role = mover(game, view).filter(|role| look.player == Some(role.index()));
    let Some(role) = role else {
        let ours = mover(game, view).map(Role::index);
        return Err(Disagreement::Turn { ours, theirs: look.player });
    };
    agree_moves(game, role, &view.legal[role], look, notation)
        .map(|moves| Agreed::Turn(role, moves))
}

/// The role to move: the others can only pass. A role that must pass is recognised by the name of its
/// only move.
fn mover<G: Game>(game: &G, view: &View) -> Option<Role> {
    let decides = |role: &Role| match view.legal[*role][..] {
        [only] => game.move_name(*role, only) != "noop",
        _ => true,
    };
    let mut movers = Role::all(view.legal.as_slice().len()).filter(decides);
    movers.next().filter(|_| movers.next().is_none())
}

fn agree_payoffs(view: &View, look: &Look) -> Result<Vec<f64>, Disagreement> {
    let ours: Vec<f64> = view.payoffs.iter().map(|&payoff| f64::from(payoff)).collect();
    let theirs: Vec<f64> = look.returns.iter().map(|points| (points + 1.0) / 2.0).collect();
    if ours == theirs { Ok(ours) } else { Err(Disagreement::Payoffs { ours, theirs }) }
}

/// Compares sets of names: order and duplicates do not matter, and a move with two names is detected.
fn agree_moves<G: Game>(
    game: &G,
    role: Role,
    legal: &[Move],
    look: &Look,
    notation: Notation,
) -> Result<Vec<(Move, String)>, Disagreement> {
    let translate = |text: &String| match notation.ours(text) {
        Some(ours) => Ok((ours, text.clone())),
        None => Err(Disagreement::Unreadable(text.clone())),
    };
    let mut theirs = look.legal.iter().map(translate).collect::<Result<Vec<_>, _>>()?;
    let (mut pairs, mut only_ours) = (Vec::new(), Vec::new());
    for &mv in legal {
        let name = game.move_name(role, mv);
        match theirs.iter().position(|(ours, _)| *ours == name) {
            Some(i) => pairs.push((mv, theirs.swap_remove(i).1)),
            None => only_ours.push(name),
        }
    }
    if only_ours.is_empty() && theirs.is_empty() {
        return Ok(pairs);
    }
    let mut only_theirs: Vec<_> = theirs.into_iter().map(|(ours, _)| ours).collect();
    only_theirs.sort_unstable();
    Err(Disagreement::Legal { ours: only_ours, theirs: only_theirs })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_catalog::{ReasonerKind, WithGame, load_game};
    use ludens_core::Budget;

    use super::*;

    const SQUARES: Notation = Notation::Squares(8);
    const HEXAGON: Notation = Notation::Hexagon(3);

    struct Comparison<'a>(&'a Look, Notation);

    impl WithGame for Comparison<'_> {
        type Out = Result<Agreed, Disagreement>;

        fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
            let mut view = View::default();
            game.look(&game.initial(), &mut view);
            agree(&*game, &view, self.0, self.1)
        }
    }

    fn compared(spec: &str, look: &Look, notation: Notation) -> Result<Agreed, Disagreement> {
        let loaded = load_game(spec, ReasonerKind::Native, &Budget::unlimited()).unwrap();
        loaded.game.with(Comparison(look, notation))
    }

    fn look(legal: &str) -> Look {
        let legal = legal.split_whitespace().map(str::to_owned).collect();
        Look { player: Some(0), legal, terminal: false, returns: vec![0.0, 0.0] }
    }

    /// The moves as listed by the other program.
    fn breakthrough() -> Look {
        look(
            "a7a6 a7b6 b7a6 b7b6 b7c6 c7b6 c7c6 c7d6 d7c6 d7d6 d7e6 e7d6 e7e6 e7f6 f7e6 f7f6 f7g6 \
              g7f6 g7g6 g7h6 h7g6 h7h6",
        )
    }

    #[test]
    fn both_agree_on_the_initial_state() {
        let agreed = compared("breakthrough", &breakthrough(), SQUARES).unwrap();
        assert!(matches!(agreed, Agreed::Turn(Role(0), moves) if moves.len() == 22));
        let hexagon = "a1 b1 c1 a2 b2 c2 d2 a3 b3 c3 d3 e3 b4 c4 d4 e4 c5 d5 e5";
        let agreed = compared("havannah(size=3)", &look(hexagon), HEXAGON).unwrap();
        assert!(matches!(agreed, Agreed::Turn(Role(0), moves) if moves.len() == 19));
    }

    #[test]
    fn differences_are_detected() {
        let changed = |change: &dyn Fn(&mut Look)| {
            let mut look = breakthrough();
            change(&mut look);
            compared("breakthrough", &look, SQUARES).unwrap_err()
        };
        let missing = changed(&|look| look.legal.truncate(21));
        assert!(matches!(missing, Disagreement::Legal { ours, theirs }
            if ours == ["(move 8 2 8 3)"] && theirs.is_empty()));
        let doubled = changed(&|look| look.legal.push("a7a6".into()));
        assert!(
            matches!(doubled, Disagreement::Legal { theirs, .. } if theirs == ["(move 1 2 1 3)"])
        );
        let strange = changed(&|look| look.legal[0] = "pass".into());
        assert_eq!(strange, Disagreement::Unreadable("pass".into()));
        let turned = changed(&|look| look.player = Some(1));
        assert_eq!(turned, Disagreement::Turn { ours: Some(0), theirs: Some(1) });
        assert_eq!(changed(&|look| look.terminal = true), Disagreement::End { ours: false });
    }

    #[test]
    fn results_are_compared() {
        let mut view = View::default();
        view.clear(2);
        view.terminal = true;
        view.pay(Role(0), 1.0);
        view.pay(Role(1), 0.0);
        let result = |returns| Look { player: None, terminal: true, returns, ..look("") };
        assert_eq!(agree_payoffs(&view, &result(vec![1.0, -1.0])), Ok(vec![1.0, 0.0]));
        assert!(agree_payoffs(&view, &result(vec![0.0, 0.0])).is_err());
    }
}
