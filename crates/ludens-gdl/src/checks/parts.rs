//! Checks that the required keywords are stated.

use super::dead::Dead;
use super::keyword::Keyword;
use super::outline::Outline;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Reports what makes play impossible: no roles, or no rules.
pub(crate) fn check_players(outline: &Outline<'_>, problems: &mut Problems) {
    if !outline.complete {
        return;
    }
    if outline.description.statements.is_empty() {
        let hint = "write at least `role`, `legal`, `goal` and `terminal`";
        problems.push(missing(Code::NoRules, "the text contains no rules", hint));
    } else if !outline.is_stated(Keyword::Role) {
        let hint = "add a fact such as `(role white)` for each player";
        problems.push(missing(Code::NoRole, "no `role` is stated", hint));
    }
}

/// Reports other keywords that are missing.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    if !outline.complete || outline.description.statements.is_empty() {
        return;
    }
    for (keyword, code, hint) in [
        (Keyword::Terminal, Code::NoTerminal, "add a rule `(<= terminal …)` for the end"),
        (Keyword::Goal, Code::NoGoal, "add rules `(<= (goal player value) …)`"),
        (Keyword::Legal, Code::NoLegal, "add rules `(<= (legal player move) …)`"),
        (
            Keyword::Next,
            Code::NoNext,
            "add rules `(<= (next fact) …)`; facts do not persist by themselves",
        ),
    ] {
        if !outline.is_stated(keyword) {
            let message = format!("no `{}` is stated", keyword.name());
            problems.push(missing(code, &message, hint));
        }
    }
    if !outline.is_stated(Keyword::Init) && needs_initial_facts(outline) {
        let message = "no `init` is stated, and no role can move while no fact is true";
        problems.push(missing(
            Code::NoInit,
            message,
            "add facts `(init fact)` for the initial state",
        ));
    }
}

/// Whether no move is legal as long as no fact is true.
fn needs_initial_facts(outline: &Outline<'_>) -> bool {
    let (truth, legal) = (Keyword::True, Keyword::Legal);
    let (Some(truth), Some(legal)) = (outline.relation_of(truth), outline.relation_of(legal))
    else {
        return false;
    };
    outline.is_stated(Keyword::Legal) && Dead::given(outline, &[truth]).relations[legal as usize]
}

fn missing(code: Code, message: &str, hint: &str) -> Diagnostic {
    Diagnostic::new(code, Span::default(), message).hint(hint)
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn missing_keywords_are_reported() {
        assert_eq!(
            shown("(p a)", "E01 W01"),
            "E0101 1:1 no `role` is stated\n\
             E0102 1:1 no `terminal` is stated\n\
             E0103 1:1 no `goal` is stated\n\
             E0104 1:1 no `legal` is stated\n\
             W0107 1:1 no `next` is stated\n"
        );
        assert_eq!(shown("; nothing", "E W"), "W0105 1:1 the text contains no rules\n");
    }

    #[test]
    fn a_missing_init_matters_only_if_moves_need_it() {
        let text = "(role r) (goal r 1) (<= terminal (true x)) (next x)";
        let stuck = format!("{text} (<= (legal r m) (q y)) (<= (q ?x) (true ?x))");
        assert_eq!(
            shown(&stuck, "E01 W01"),
            "W0106 1:1 no `init` is stated, and no role can move while no fact is true\n"
        );
        let free = format!("{text} (<= (legal r m) (not (true y)))");
        assert_eq!(shown(&free, "E01 W01"), "");
    }

    #[test]
    fn nothing_is_missing_in_a_text_that_could_not_be_parsed() {
        assert_eq!(shown("(p a", "E W"), "E0004 1:1 this parenthesis is never closed\n");
    }
}
