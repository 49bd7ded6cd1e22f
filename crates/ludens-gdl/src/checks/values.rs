//! Checks goal values and the nesting depth of statements.

use super::keyword::Keyword;
use super::outline::Outline;
use super::walk;
use crate::ast::{Formula, Sentence, Statement, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};

/// Statements with deeper nesting are reported.
const MAX_READABLE_DEPTH: usize = 16;

/// Reports invalid goal values and deep nesting.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    for statement in &outline.description.statements {
        if outline.keyword(&statement.head) == Some(Keyword::Goal) {
            check_goal(outline, &statement.head.args[1], problems);
        }
        check_depth(statement, problems);
    }
}

fn check_goal(outline: &Outline<'_>, value: &Term, problems: &mut Problems) {
    let is_valid = match value {
        Term::Variable(_) => true,
        Term::Constant(name) => is_goal_value(outline.slice(name.span)),
        Term::Function { .. } => false,
    };
    if !is_valid {
        let span = value.span();
        problems.add(Code::GoalValue, span, || {
            let word = outline.text.get(span.range()).unwrap_or_default();
            let message = format!("the goal value `{word}` is not a whole number from 0 to 100");
            Diagnostic::new(Code::GoalValue, span, message).hint("100 is a win and 0 a loss")
        });
    }
}

fn is_goal_value(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit()) && word.parse::<u64>().is_ok_and(|value| value <= 100)
}

fn check_depth(statement: &Statement, problems: &mut Problems) {
    let body = walk::body(statement).iter().map(formula_depth).max();
    let head = sentence_depth(&statement.head);
    let depth = body.map_or(head, |body| 1 + body.max(head));
    if depth > MAX_READABLE_DEPTH {
        let message = format!("this statement is nested {depth} parentheses deep");
        let problem = Diagnostic::new(Code::DeepNesting, statement.span, message);
        problems.push(problem.hint("give parts of it a relation of their own"));
    }
}

fn formula_depth(formula: &Formula) -> usize {
    match formula {
        Formula::Sentence(sentence) => sentence_depth(sentence),
        Formula::Not(inner, _) => 1 + formula_depth(inner),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            1 + parts.iter().map(formula_depth).max().unwrap_or(0)
        }
        Formula::Distinct(left, right, _) => 1 + term_depth(left).max(term_depth(right)),
    }
}

fn sentence_depth(sentence: &Sentence) -> usize {
    usize::from(sentence.parenthesised) + sentence.args.iter().map(term_depth).max().unwrap_or(0)
}

fn term_depth(term: &Term) -> usize {
    match term {
        Term::Function { args, .. } => 1 + args.iter().map(term_depth).max().unwrap_or(0),
        Term::Constant(_) | Term::Variable(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn goals_are_worth_0_to_100() {
        assert_eq!(
            shown("(goal r 101)\n(<= (goal r win) p)\n(goal r -1)\n(goal r (f 1))", "W0409"),
            "W0409 1:9 the goal value `101` is not a whole number from 0 to 100\n\
             W0409 2:13 the goal value `win` is not a whole number from 0 to 100\n\
             W0409 3:9 the goal value `-1` is not a whole number from 0 to 100\n\
             W0409 4:9 the goal value `(f 1)` is not a whole number from 0 to 100\n"
        );
        assert_eq!(shown("(goal r 0) (goal r 100) (<= (goal r ?v) (p ?v))", "W0409"), "");
    }

    #[test]
    fn statements_are_readable() {
        let nested = |n| format!("(p {}a{})", "(f ".repeat(n), ")".repeat(n));
        assert_eq!(
            shown(&nested(16), "W0407"),
            "W0407 1:1 this statement is nested 17 parentheses deep\n"
        );
        assert_eq!(shown(&nested(15), "W0407"), "");
    }
}
