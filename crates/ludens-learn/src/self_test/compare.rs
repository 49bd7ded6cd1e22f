//! What a network says, compared with what the game says.

use crate::encoder::Names;
use crate::gradient::Losses;
use crate::network::{Estimates, Network};

use super::SelfTestError;
use super::positions::Positions;

/// The roles, facts and moves of the game in words.
pub(super) struct Subject<'a> {
    pub roles: &'a [String],
    pub names: &'a Names,
}

/// The share of a loss that may be left when a batch is learnt by heart.
const LEFT: f64 = 0.1;

/// The largest mean squared error of a payoff that is reproduced.
const MAX_ERROR: f32 = 0.05;

/// The smallest mean probability of the moves that were learnt by heart.
const MIN_PROBABILITY: f32 = 0.6;

/// The hint of errors that only the program can have.
const REPORT: &str =
    "this is an error of the program: please report it with the game; --no-self-test trains anyway";

fn wrong(what: String, hint: &str) -> SelfTestError {
    SelfTestError { what, hint: hint.to_owned() }
}

impl Subject<'_> {
    /// Whether inputs and outputs are the facts and moves that their names say. Inputs may have more names
    /// than the game has facts.
    pub fn check_names(&self, positions: &Positions) -> Result<(), SelfTestError> {
        for (b, facts) in positions.facts.iter().enumerate() {
            let inputs = positions.stored.inputs.get(b);
            let named = |&input: &u32| self.names.facts.get(input as usize).map(String::as_str);
            let named: Vec<Option<&str>> = inputs.iter().map(named).collect();
            if let Some(fact) = facts.iter().find(|fact| !named.contains(&Some(fact.as_str()))) {
                let what = format!("the fact `{fact}` holds, but no input with its name is true");
                return Err(wrong(what, REPORT));
            }
        }
        for ((role, names), (moves, legal)) in self
            .roles
            .iter()
            .zip(&self.names.moves)
            .zip(positions.moves.iter().zip(&positions.batch.legal))
        {
            for (b, moves) in moves.iter().enumerate() {
                check_moves(role, names, moves, legal.get(b))?;
            }
        }
        Ok(())
    }

    /// Whether a network says something about every legal move, and about nothing else: probabilities of
    /// legal moves are all that there is, and their sum is 1.
    pub fn check_outputs(
        &self,
        network: &mut Network,
        positions: &Positions,
    ) -> Result<(), SelfTestError> {
        let mut estimates = Estimates::default();
        network.evaluate(&positions.batch, &mut estimates);
        if let Some(payoff) = estimates.payoffs.iter().find(|payoff| !(0.0..=1.0).contains(*payoff))
        {
            return Err(wrong(format!("the network estimates a payoff of {payoff}"), REPORT));
        }
        for ((role, priors), legal) in
            self.roles.iter().zip(&estimates.priors).zip(&positions.batch.legal)
        {
            if priors.len() != legal.n_items() {
                let (n, n_legal) = (priors.len(), legal.n_items());
                let what = format!("`{role}` has {n} priors for {n_legal} legal moves");
                return Err(wrong(what, REPORT));
            }
            for b in 0..legal.len() {
                let sum: f32 = priors[legal.range(b)].iter().sum();
                if !(0.999..=1.001).contains(&sum) {
                    let what = format!(
                        "the priors of `{role}` over its legal moves add up to {sum}, not to 1"
                    );
                    return Err(wrong(what, REPORT));
                }
            }
        }
        Ok(())
    }

    /// Whether losses fell to almost nothing while a batch was learnt by heart.
    pub fn check_fall(
        &self,
        first: Losses,
        last: Losses,
        n_steps: usize,
    ) -> Result<(), SelfTestError> {
        let floor = 0.01 * self.roles.len() as f64;
        for (what, first, last) in
            [("policy", first.policy, last.policy), ("payoffs", first.payoff, last.payoff)]
        {
            // A loss that is not a number is not small either.
            if !(0.0..=(first * LEFT).max(floor)).contains(&last) {
                let what = format!(
                    "a batch is not learnt by heart: the loss of the {what} is {last:.3} after {n_steps} \
                     steps, and was {first:.3} before"
                );
                let hint = "very deep or very narrow networks learn slowly: choose other layers, or train \
                            anyway with --no-self-test";
                return Err(wrong(what, hint));
            }
        }
        Ok(())
    }

    /// Whether each role has learnt its own payoff.
    pub fn check_payoffs(
        &self,
        network: &mut Network,
        positions: &Positions,
    ) -> Result<(), SelfTestError> {
        let mut estimates = Estimates::default();
        network.evaluate(&positions.batch, &mut estimates);
        let n_roles = self.roles.len();
        let n = positions.batch.len() as f32;
        let error = |role: usize, of: &dyn Fn(&[f32]) -> f32| {
            let estimates =
                estimates.payoffs.chunks_exact(n_roles).map(|estimates| estimates[role]);
            let wanted = positions.payoffs.chunks_exact(n_roles).map(of);
            estimates.zip(wanted).map(|(is, wanted)| (is - wanted).powi(2)).sum::<f32>() / n
        };
        for (role, name) in self.roles.iter().enumerate() {
            let own = error(role, &|payoffs| payoffs[role]);
            if own <= MAX_ERROR {
                continue;
            }
            let of_other =
                (0..n_roles).find(|&other| error(role, &|payoffs| payoffs[other]) <= MAX_ERROR);
            let what = if let Some(other) = of_other {
                format!("`{name}` learns the payoff of `{}` instead of its own", self.roles[other])
            } else if error(role, &|payoffs| 1.0 - payoffs[role]) <= MAX_ERROR {
                format!("`{name}` learns its payoff with the wrong sign: wins as losses")
            } else {
                format!(
                    "`{name}` does not learn its payoff: the squared error is {own:.3} after learning by heart"
                )
            };
            return Err(wrong(what, REPORT));
        }
        Ok(())
    }

    /// Whether the moves that were learnt are those that are likely now.
    pub fn check_policies(
        &self,
        network: &mut Network,
        positions: &Positions,
    ) -> Result<(), SelfTestError> {
        let mut estimates = Estimates::default();
        network.evaluate(&positions.batch, &mut estimates);
        for (role, name) in self.roles.iter().enumerate() {
            let (legal, priors) = (&positions.batch.legal[role], &estimates.priors[role]);
            // Where there is no choice, there is nothing to learn.
            let made = positions.made[role].iter().enumerate();
            let made = made.filter(|&(b, _)| legal.get(b).len() > 1);
            let likely: Vec<f32> = made.map(|(b, &place)| priors[legal.range(b)][place]).collect();
            let mean = likely.iter().sum::<f32>() / likely.len() as f32;
            if !likely.is_empty() && (mean.is_nan() || mean < MIN_PROBABILITY) {
                let what = format!(
                    "`{name}` does not learn the moves that it made: their mean probability is {mean:.2} \
                     after learning by heart, so that records have other moves than the game"
                );
                return Err(wrong(what, REPORT));
            }
        }
        Ok(())
    }
}

/// Whether each legal move has an output of its own with its name.
fn check_moves(
    role: &str,
    names: &[String],
    moves: &[String],
    outputs: &[u32],
) -> Result<(), SelfTestError> {
    if moves.len() != outputs.len() {
        let what =
            format!("`{role}` has {} outputs for {} legal moves", outputs.len(), moves.len());
        return Err(wrong(what, REPORT));
    }
    for (name, &output) in moves.iter().zip(outputs) {
        match names.get(output as usize) {
            Some(known) if known == name => {}
            Some(known) => {
                let what = format!("the move `{name}` of `{role}` has the output of `{known}`");
                return Err(wrong(what, REPORT));
            }
            None => {
                return Err(wrong(format!("the move `{name}` of `{role}` has no output"), REPORT));
            }
        }
    }
    Ok(())
}
