//! Properties that must hold for every text.

use std::sync::Arc;

use ludens_core::{Answer, Reasoner, Rng, Trouble};
use ludens_gdl::normalise::normalise;
use ludens_gdl::{Diagnostic, Rules, Source};

use super::Reached;
use crate::lockstep::{Aspect, Difference, Options, lockstep_all};

/// Loads rules into a reasoner, with limits that keep every text harmless.
pub type Loader = dyn Fn(&Rules) -> Result<Arc<dyn Reasoner>, Trouble> + Sync;

/// The number of joint moves made with each text.
const PLIES: usize = 4;

/// Parsing, checking and formatting: problems have positions in the text, and formatting preserves
/// the rules.
pub fn front_end(bytes: &[u8]) -> Result<Reached, String> {
    let (source, problems) = Source::from_bytes("fuzz", bytes);
    let text = &source.text;
    problems.iter().try_for_each(|problem| has_valid_position(&source, problem))?;
    let (rules, problems) = ludens_gdl::load(text);
    problems.iter().try_for_each(|problem| has_valid_position(&source, problem))?;
    if rules.is_none() && !problems.iter().any(|problem| problem.code.blocks_play()) {
        return Err("the text is refused without a reason".into());
    }
    ludens_gdl::check_text(text)
        .iter()
        .try_for_each(|problem| has_valid_position(&source, problem))?;
    formatting_preserves_rules(text)?;
    Ok(if rules.is_some() { Reached::Done } else { Reached::Refused })
}

fn has_valid_position(source: &Source, problem: &Diagnostic) -> Result<(), String> {
    let spans = problem.related.iter().map(|(span, _)| *span).chain([problem.span]);
    for span in spans {
        if source.text.get(span.range()).is_none() {
            return Err(format!("{} at {span:?}, which is outside of the text", problem.code));
        }
        let at = source.line_column(span.start);
        if at.line == 0 || at.column == 0 {
            return Err(format!("{} at {at:?}", problem.code));
        }
    }
    let empty = problem.message.is_empty();
    if empty { Err(format!("{} without a message", problem.code)) } else { Ok(()) }
}

fn formatting_preserves_rules(text: &str) -> Result<(), String> {
    let formatted = match ludens_gdl::format(text) {
        Ok(formatted) => formatted,
        Err(problems) if problems.is_empty() => {
            return Err("not formatted, without a reason".into());
        }
        Err(_) => return Ok(()),
    };
    let print = |text: &str| normalise(&ludens_gdl::parse(text).0).0.print();
    if print(&formatted) != print(text) {
        return Err("formatting changes the rules".into());
    }
    match ludens_gdl::format(&formatted) {
        Ok(again) if again == formatted => Ok(()),
        Ok(_) => Err("formatting is not idempotent".into()),
        Err(_) => Err("a formatted text cannot be formatted".into()),
    }
}

/// Loading and a few random moves: answers are complete and sorted, or an error gives the reason.
pub fn reasoner(bytes: &[u8], loader: &Loader) -> Result<Reached, String> {
    let (source, _) = Source::from_bytes("fuzz", bytes);
    let Some(rules) = ludens_gdl::load(&source.text).0 else {
        return Ok(Reached::Refused);
    };
    match loader(&rules).and_then(|reasoner| play(&*reasoner)) {
        Ok(verdict) => verdict.map(|()| Reached::Done),
        Err(Trouble::Rules(_) | Trouble::NegativeCycle) => Ok(Reached::Refused),
        Err(trouble) if trouble.is_exhausted() => Ok(Reached::GivenUp),
        Err(trouble) => Err(format!("trouble without a cause: {trouble}")),
    }
}

/// The result of comparing reasoners on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// The stage they reached.
    pub reached: Reached,
    /// The number of states compared.
    pub states: u64,
}

impl From<Reached> for Agreement {
    fn from(reached: Reached) -> Self {
        Agreement { reached, states: 0 }
    }
}

/// Loads the reasoners that are compared with the first one.
pub type LoadOthers<'a> = dyn Fn(&Rules) -> Result<Vec<Arc<dyn Reasoner>>, Trouble> + 'a;

/// Several reasoners on the same rules: all agree with the first, or one of them exhausts its limits.
pub fn agreement(
    bytes: &[u8],
    first: &Loader,
    others: &LoadOthers<'_>,
) -> Result<Agreement, String> {
    let (source, _) = Source::from_bytes("fuzz", bytes);
    let Some(rules) = ludens_gdl::load(&source.text).0 else {
        return Ok(Reached::Refused.into());
    };
    let (first, others) = match (first(&rules), others(&rules)) {
        (Ok(first), Ok(others)) => (first, others),
        (Err(trouble), _) | (_, Err(trouble)) if trouble.is_exhausted() => {
            return Ok(Reached::GivenUp.into());
        }
        // A reference that evaluates lazily detects a negative cycle only when it evaluates it; `auto` plays
        // such rules with the reference.
        (Err(_), _) | (_, Err(Trouble::NegativeCycle)) => return Ok(Reached::Refused.into()),
        (Ok(_), Err(trouble)) => return Err(format!("only the first loads: {trouble}")),
    };
    let others: Vec<&dyn Reasoner> = others.iter().map(|other| &**other).collect();
    let options = Options { games: 3, max_plies: 12, max_facts: 20_000, ..Options::default() };
    match lockstep_all(&*first, &others, &options) {
        Ok(counts) => Ok(Agreement { reached: Reached::Done, states: counts.states }),
        Err(difference) if is_given_up(&difference) => Ok(Reached::GivenUp.into()),
        Err(difference) => Err(format!("reasoner {}: {difference}", difference.other)),
    }
}

/// The first reasoner evaluates lazily, and may exhaust its limits after loading.
fn is_given_up(difference: &Difference) -> bool {
    difference.aspect == Aspect::FirstStopped
}

fn play(reasoner: &dyn Reasoner) -> Result<Result<(), String>, Trouble> {
    let mut rng = Rng::new(1);
    let mut facts = reasoner.initial()?;
    for _ in 0..PLIES {
        let answer = reasoner.answer(&facts)?;
        if let Err(what) = is_well_formed(reasoner, &facts, &answer) {
            return Ok(Err(what));
        }
        if answer.legal.iter().any(Vec::is_empty) {
            break;
        }
        let choose = |legal: &Vec<String>| legal[rng.below(legal.len())].clone();
        let joint: Vec<String> = answer.legal.iter().map(choose).collect();
        facts = reasoner.next(&facts, &joint)?;
    }
    Ok(Ok(()))
}

fn is_well_formed(
    reasoner: &dyn Reasoner,
    facts: &[String],
    answer: &Answer,
) -> Result<(), String> {
    let n_roles = reasoner.roles().len();
    if answer.legal.len() != n_roles || answer.goals.len() != n_roles {
        return Err("not one answer for each role".into());
    }
    let increasing = |list: &[String]| list.is_sorted_by(|a, b| a < b);
    if !increasing(facts) || !answer.legal.iter().all(|legal| increasing(legal)) {
        return Err("facts or moves are not sorted, or not all different".into());
    }
    Ok(())
}
