//! The moves that agents choose.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use ludens_arena::clock::{Pace, SystemClock};
use ludens_core::{Game, Rng, Role, WithGame};
use ludens_search::{Agent, Watch};

use super::file::replay;
use super::workers::in_order;
use super::{Accuracy, Questions, Share, SolvedPosition, Step};

/// Lets agents choose in a game of any type.
pub(super) struct Choosing<'a> {
    pub positions: &'a [SolvedPosition],
    pub questions: &'a Questions<'a>,
    pub show: &'a mut dyn FnMut(Step),
}

impl WithGame for Choosing<'_> {
    type Out = anyhow::Result<Vec<Accuracy>>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let Choosing { positions, questions, show } = self;
        let mut accuracies = Vec::new();
        let mut moved = 0;
        for spec in questions.agents {
            let worker = || {
                let (mut agent, game) = (spec.build(Arc::clone(&game), 0), Arc::clone(&game));
                move |number: usize| {
                    let position = positions.get(number)?;
                    Some(keeps_value(&*game, &mut *agent, position, (number, questions)))
                }
            };
            let mut answers = Vec::new();
            in_order(questions.threads.min(positions.len()), worker, |answer| {
                let Some(answer) = answer.filter(|_| !questions.stop.is_raised()) else {
                    return ControlFlow::Break(());
                };
                answers.push(answer);
                moved += 1;
                show(Step::Moved(moved));
                ControlFlow::Continue(())
            });
            if questions.stop.is_raised() {
                anyhow::bail!("interrupted");
            }
            let answers = answers.into_iter().collect::<anyhow::Result<Vec<bool>>>()?;
            accuracies.push(accuracy(spec.to_string(), positions, &answers));
        }
        Ok(accuracies)
    }
}

/// Whether the move that an agent chooses keeps the value. Each position is a new match with its own
/// seed, so that the answer depends neither on other positions nor on the thread.
fn keeps_value<G: Game>(
    game: &G,
    agent: &mut dyn Agent<G>,
    position: &SolvedPosition,
    (number, questions): (usize, &Questions<'_>),
) -> anyhow::Result<bool> {
    let state = replay(game, position)?;
    agent.begin(Rng::stream(questions.seed, &[number as u64]).next_u64());
    let flag = questions.stop.flag();
    let pace = Pace { allowance: questions.allowance, clock: &SystemClock, stop: Some(&flag) };
    let report = agent.think(&state, &pace.budget(), &mut Watch::none());
    let role_idx = game.roles().iter().position(|role| *role == position.role);
    let role = Role(role_idx.unwrap_or(0) as u8);
    let best = report.best(role);
    Ok(best.is_some_and(|mv| position.keeps_value(&game.move_name(role, mv))))
}

fn accuracy(agent: String, positions: &[SolvedPosition], answers: &[bool]) -> Accuracy {
    let answered = positions.iter().zip(answers);
    let quiet = answered.clone().filter(|(position, _)| position.quiet);
    let plies: BTreeSet<u32> = positions.iter().filter_map(|position| position.plies).collect();
    let of_plies = |plies| {
        let those = answered.clone().filter(move |(position, _)| position.plies == Some(plies));
        (plies, Share::of(those.map(|(_, &kept)| kept)))
    };
    Accuracy {
        agent,
        all: Share::of(answers.iter().copied()),
        quiet: Share::of(quiet.map(|(_, &kept)| kept)),
        by_plies: plies.into_iter().map(of_plies).collect(),
    }
}
