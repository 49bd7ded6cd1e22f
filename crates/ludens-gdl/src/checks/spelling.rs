//! Checks that words are written in one way, with characters that every program accepts.

use rustc_hash::FxHashSet;

use super::outline::Outline;
use super::walk;
use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Reports odd words.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let mut check = Check {
        outline,
        first: vec![None; outline.description.symbols.len()],
        reported: FxHashSet::default(),
        problems,
    };
    for (number, statement) in outline.description.statements.iter().enumerate() {
        walk::names(statement, &mut |name| {
            check.capitalisation(name, number);
            check.characters(name);
        });
    }
}

struct Check<'a, 'p> {
    outline: &'a Outline<'a>,
    /// Statement and position of each word's first occurrence.
    first: Vec<Option<(usize, Span)>>,
    reported: FxHashSet<(Code, u32)>,
    problems: &'p mut Problems,
}

impl Check<'_, '_> {
    fn capitalisation(&mut self, name: Name, statement: usize) {
        let word = self.outline.slice(name.span);
        let first = &mut self.first[name.symbol.0 as usize];
        let (at, span) = *first.get_or_insert((statement, name.span));
        // The same variable in another rule is another variable.
        if at != statement && word.starts_with('?') {
            *first = Some((statement, name.span));
            return;
        }
        let before = self.outline.slice(span);
        if word == before || !self.reported.insert((Code::Capitalisation, name.symbol.0)) {
            return;
        }
        self.problems.add(Code::Capitalisation, name.span, || {
            let message = format!("`{word}` is written `{before}` elsewhere");
            Diagnostic::new(Code::Capitalisation, name.span, message)
                .hint("they are the same word here, but not in all programs; write it in one way")
                .related(span, format!("written `{before}` here"))
        });
    }

    fn characters(&mut self, name: Name) {
        let word = self.outline.slice(name.span);
        let bare = word.strip_prefix('?').unwrap_or(word);
        let message = match bare.chars().find(|&c| !is_usual(c)) {
            None if !bare.is_empty() => return,
            None => "the variable `?` has no name".to_owned(),
            Some(c) if c.is_ascii_graphic() => format!("unusual character `{c}` in `{word}`"),
            Some(c) => format!("unusual character `{c}` (U+{:04X}) in `{word}`", c as u32),
        };
        if self.reported.insert((Code::UnusualCharacter, name.symbol.0)) {
            let problem = Diagnostic::new(Code::UnusualCharacter, name.span, message);
            self.problems
                .push(problem.hint("letters, digits, `_`, `-` and `+` are safe everywhere"));
        }
    }
}

/// Whether all known programs accept the character in a word.
fn is_usual(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+*/<>=.!".contains(c)
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn words_are_written_in_one_way() {
        assert_eq!(
            shown("(role Red)\n(<= (legal red m) (p ?X))\n(<= (p ?x) (q ?x ?X) (r RED))", "W0501"),
            "W0501 2:12 `red` is written `Red` elsewhere\n\
             W0501 3:18 `?X` is written `?x` elsewhere\n"
        );
        assert_eq!(shown("(role Red) (<= (p Red ?X) (q ?X)) (<= (p Red ?x) (q ?x))", "W0501"), "");
    }

    #[test]
    fn unusual_characters_are_reported_once() {
        assert_eq!(
            shown("(p a:b a:b)\n(p ?Ü)\n(p ?)", "W0502"),
            "W0502 1:4 unusual character `:` in `a:b`\n\
             W0502 2:4 unusual character `Ü` (U+00DC) in `?Ü`\n\
             W0502 3:4 the variable `?` has no name\n"
        );
        assert_eq!(shown("(p a-b +1 a_b <2 ?x)", "W0502"), "");
    }
}
