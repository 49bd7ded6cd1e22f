//! Parsing, checking and formatting are robust against any text.

use ludens_gdl::diagnostic::MAX_PER_CODE;
use ludens_gdl::format::verify;
use ludens_gdl::{Code, Dependencies, Source, check_text, format, load};
use proptest::prelude::*;

/// Parses, checks, loads and formats a text, and checks what must hold for any text.
fn exercise(text: &str) {
    let problems = check_text(text);
    for problem in &problems {
        assert!(text.get(problem.span.range()).is_some(), "{problem:?} is outside of the text");
        assert!(!problem.message.is_empty() && !problem.message.ends_with('.'), "{problem:?}");
    }
    for code in Code::ALL {
        let count = problems.iter().filter(|problem| problem.code == *code).count();
        assert!(count <= MAX_PER_CODE + 1, "{count} times {code}");
    }
    let (rules, _) = load(text);
    let blocked = problems.iter().any(|problem| problem.code.blocks_play());
    assert_eq!(rules.is_none(), blocked, "load and check_text disagree: {problems:?}");
    if let Some(rules) = rules {
        let components = Dependencies::of(&rules).components().len();
        assert!(components <= rules.relations.len());
    }
    assert_eq!(verify(text), Ok(()));
}

/// Words and the gaps after them.
fn joined(parts: &[(String, String)]) -> String {
    parts.iter().flat_map(|(part, gap)| [part.as_str(), gap.as_str()]).collect()
}

/// One of the words between the bars.
fn one_of(words: &'static str) -> impl Strategy<Value = String> {
    let words: Vec<&str> = words.split('|').collect();
    prop::sample::select(words).prop_map(str::to_owned)
}

/// Pieces that are likely to form rules together.
fn piece() -> impl Strategy<Value = String> {
    let lists =
        "(|(|)|)|(<= |(not |(or |(and |(distinct |(true |(does |(role |(init |(next |(goal ";
    let words = "terminal|p|(p |(q |f|(f |?x|?X|?y|?|0|100|P|é|<=|not|or|distinct|()|(p)|(legal ";
    let gaps = "; c\n|;\n|\n|\n\n|\r\n|\r|\t| ";
    prop_oneof![one_of(lists), one_of(words), one_of(gaps)].prop_map(|word| word + " ")
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..60).prop_map(|pieces| pieces.concat())
}

/// Blanks and comments between words.
fn gap() -> impl Strategy<Value = String> {
    one_of(" | | | |\n|\n\n\n| ; why\n|\n  ; note\n|;\r\n|\t")
}

fn list(parts: impl Strategy<Value = Vec<(String, String)>>) -> impl Strategy<Value = String> {
    (gap(), parts).prop_map(|(first, parts)| {
        let inner = joined(&parts);
        format!("({first}{inner})")
    })
}

fn term() -> impl Strategy<Value = String> {
    one_of("a|b|?x|?y|?X|true|A").prop_recursive(2, 8, 3, |inner| {
        list(prop::collection::vec((inner, gap()), 0..3).prop_map(|mut parts| {
            parts.insert(0, ("f".into(), " ".into()));
            parts
        }))
    })
}

fn sentence() -> impl Strategy<Value = String> {
    let name = one_of("p|q|true|does|legal|goal|next|role|terminal|trve");
    (name, prop::collection::vec((term(), gap()), 0..3)).prop_flat_map(|(name, mut parts)| {
        parts.insert(0, (name, " ".to_owned()));
        list(Just(parts))
    })
}

fn formula() -> impl Strategy<Value = String> {
    let distinct = (term(), term()).prop_map(|(a, b)| format!("(distinct {a} {b})"));
    prop_oneof![4 => sentence(), 1 => distinct].prop_recursive(3, 12, 3, |inner| {
        let word = one_of("not|or|and|or");
        (word, prop::collection::vec((inner, gap()), 1..4)).prop_map(|(word, parts)| {
            let count = if word == "not" { 1 } else { parts.len() };
            format!("({word} {})", joined(&parts[..count]))
        })
    })
}

fn statement() -> impl Strategy<Value = String> {
    let rule =
        (sentence(), prop::collection::vec((formula(), gap()), 0..4)).prop_map(|(head, body)| {
            let body = joined(&body);
            format!("(<= {head} {body})")
        });
    prop_oneof![1 => sentence(), 2 => rule]
}

fn description() -> impl Strategy<Value = String> {
    prop::collection::vec((statement(), gap()), 0..8).prop_map(|statements| joined(&statements))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_parsed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (source, _) = Source::from_bytes("random", &bytes);
        exercise(&source.text);
    }

    #[test]
    fn any_text_is_parsed(text in "\\PC{0,80}") {
        exercise(&text);
    }

    #[test]
    fn any_sequence_of_words_is_parsed(text in soup()) {
        exercise(&text);
    }

    #[test]
    fn any_description_is_parsed_and_formatted(text in description()) {
        exercise(&text);
        prop_assert!(format(&text).is_ok(), "cannot be parsed: {text}");
    }

    #[test]
    fn damaged_descriptions_are_parsed(text in description(), at in any::<prop::sample::Index>(), with in piece()) {
        let offsets: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        if !offsets.is_empty() {
            let offset = offsets[at.index(offsets.len())];
            let mut damaged = text.clone();
            damaged.remove(offset);
            exercise(&damaged);
            damaged.insert_str(offset, &with);
            exercise(&damaged);
        }
    }
}

/// Texts that take very long if any algorithm is quadratic.
#[test]
fn large_texts_take_linear_time() {
    let many = |n: usize, part: &dyn Fn(usize) -> String| (0..n).map(part).collect::<String>();
    let n = 10_000;
    exercise(&many(n, &|i| format!("(succ {i} {})", i + 1)));
    exercise(&format!("(role r)(<= (p ?x) {})", many(n, &|i| format!("(q ?x{i} ?x)"))));
    exercise(&format!("(role r)(<= p {})", many(n, &|i| format!("(not (q ?x{i}))"))));
    exercise(&format!("(role r)(<= p (or {}))", many(n, &|i| format!("(q {i})"))));
    exercise(&format!("(role r){}(<= p{n} p0)", many(n, &|i| format!("(<= p{i} p{})", i + 1))));
    exercise(&many(n, &|i| format!("(<= p{i} (not p{}))", i + 1)));
    exercise(&format!(
        "(role r)(<= p {})",
        many(n, &|i| format!("(not (distinct ?x{i} (f ?x{})))", i + 1))
    ));
    exercise(&format!("(p {})", many(1000, &|i| format!("?x{i} "))));
    exercise(&format!(
        "(<= p {}{}{})",
        "(or a (and b ".repeat(100),
        many(n, &|i| format!("(q ?x{i})")),
        "))".repeat(100)
    ));
    exercise(&"(())".repeat(n));
}
