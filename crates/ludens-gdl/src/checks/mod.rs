//! Static checks: violations of the specification, and probable mistakes.
//!
//! Each check is a file with one entry, `check`; all of them work on the statements as written, so
//! that every message can point at its position. They take time almost linear in the size of the
//! text.

mod dead;
mod dependence;
mod duplicates;
mod facts;
mod flow;
mod formulas;
pub(crate) mod key;
mod keyword;
mod names;
mod nearest;
mod outline;
mod parts;
mod placement;
mod recursion;
mod roles;
mod safety;
mod spelling;
mod stratified;
mod usage;
mod values;
mod walk;
mod wording;

use crate::ast::Description;
use crate::diagnostic::{Diagnostic, Problems};
use outline::Outline;

type Check = fn(&Outline<'_>, &mut Problems);

/// The checks for problems that block play; `load` runs no others.
const BLOCKING: &[Check] = &[parts::check_players, stratified::check];

const OTHERS: &[Check] = &[
    parts::check,
    placement::check,
    dependence::check,
    safety::check,
    recursion::check,
    formulas::check,
    values::check,
    duplicates::check,
    spelling::check,
    names::check,
    usage::check,
    dead::check,
    facts::check,
    roles::check,
];

/// All problems of the statements, in the order of the text; `text` is their source.
///
/// If part of the text could not be parsed, pass `complete = false`: then nothing is reported that
/// the missing part might resolve.
pub fn check(text: &str, description: &Description, complete: bool) -> Vec<Diagnostic> {
    let outline = Outline::new(text, description, complete);
    run(&outline, BLOCKING.iter().chain(OTHERS))
}

/// Only the problems that block play.
pub(crate) fn check_playable(
    text: &str,
    description: &Description,
    complete: bool,
) -> Vec<Diagnostic> {
    run(&Outline::new(text, description, complete), BLOCKING.iter())
}

/// All problems of a text, including syntax errors, in the order of the text.
///
/// ```
/// let problems = ludens_gdl::check_text("(role you) (legal you go) (<= terminal (treu over))");
/// assert!(problems.iter().any(|p| p.hint.as_deref() == Some("did you mean `true`?")));
/// ```
pub fn check_text(text: &str) -> Vec<Diagnostic> {
    let (description, mut problems) = crate::parse(text);
    let complete = !problems.iter().any(|problem| problem.code.blocks_play());
    problems.extend(crate::normalise::normalise(&description).1);
    problems.extend(check(text, &description, complete));
    problems.sort_by_key(|problem| problem.span.start);
    problems
}

fn run<'a>(outline: &Outline<'_>, checks: impl Iterator<Item = &'a Check>) -> Vec<Diagnostic> {
    let mut problems = Problems::default();
    checks.for_each(|check| check(outline, &mut problems));
    let mut problems = problems.finish();
    problems.sort_by_key(|problem| problem.span.start);
    problems
}

/// The problems of a text whose codes begin with one of `codes`, one per line.
#[cfg(test)]
pub(crate) fn shown(text: &str, codes: &str) -> String {
    let source = crate::Source::new("test", text);
    let line = |problem: Diagnostic| {
        let at = source.line_column(problem.span.start);
        format!("{} {}:{} {}\n", problem.code, at.line, at.column, problem.message)
    };
    selected(text, codes).map(line).collect()
}

/// Their hints, one per line.
#[cfg(test)]
fn hints(text: &str, codes: &str) -> String {
    selected(text, codes).map(|problem| problem.hint.unwrap_or_default() + "\n").collect()
}

#[cfg(test)]
fn selected(text: &str, codes: &str) -> impl Iterator<Item = Diagnostic> {
    let wanted = |problem: &Diagnostic| {
        codes.split_whitespace().any(|code| problem.code.id().starts_with(code))
    };
    check_text(text).into_iter().filter(wanted).collect::<Vec<_>>().into_iter()
}
