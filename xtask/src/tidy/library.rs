//! Checks the games of the library: header, formatting, golden files.

use ludens_gdl::Rules;
use ludens_gdl::rules::Term;
use ludens_testkit::playthrough::MAX_LINES;

use super::Finding;
use crate::workspace::File;

/// The required keys of the header of every game.
const KEYS: [&str; 6] = ["title", "description", "roles", "provenance", "tags", "version"];

/// The maximum size of all golden files together.
const MAX_BYTES: usize = 5 << 20;

/// Checks one game.
pub fn check(path: &str, text: &str, files: &[File]) -> Vec<Finding> {
    let mut findings = check_header(path, text);
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".kif");
    let remedy = format!("`cargo xtask bless {name}` writes it");
    for extension in ["perft", "play"] {
        let golden = format!("{}.{extension}", path.trim_end_matches(".kif"));
        if !files.iter().any(|file| file.path == golden) {
            findings.push(Finding::new(path, 0, format!("{golden} is missing"), remedy.as_str()));
        }
    }
    if ludens_gdl::format(text).is_ok_and(|formatted| formatted != text) {
        let remedy = format!("`ludens fmt {path}`");
        findings.push(Finding::new(path, 0, "the rules are not formatted", remedy));
    }
    findings
}

fn check_header(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for key in KEYS {
        if value(text, key).is_none_or(|(_, value)| value.is_empty()) {
            let remedy = format!("write `;;; {key}: …` at the top");
            findings.push(Finding::new(path, 1, format!("the header has no `{key}`"), remedy));
        }
    }
    let Some(rules) = ludens_gdl::load(text).0 else {
        findings.push(Finding::new(
            path,
            0,
            "the rules do not load",
            format!("`ludens check {path}`"),
        ));
        return findings;
    };
    if let Some((line, value)) = value(text, "roles") {
        let stated: Vec<&str> = value.split(',').map(str::trim).collect();
        let roles = roles(&rules);
        if stated != roles {
            let what = format!("the header names other roles than the rules, {}", roles.join(", "));
            findings.push(Finding::new(
                path,
                line,
                what,
                "write the roles in the order of the rules",
            ));
        }
    }
    findings
}

/// The line and the value of a key in the header.
fn value<'a>(text: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let header = (1..).zip(text.lines()).take_while(|(_, line)| line.starts_with(";;;"));
    let mut entries = header.filter_map(|(number, line)| {
        let (found, value) = line.strip_prefix(";;; ")?.split_once(':')?;
        Some((found, number, value.trim()))
    });
    let (_, number, value) = entries.find(|(found, ..)| *found == key)?;
    Some((number, value))
}

/// The roles of the rules, in order.
fn roles(rules: &Rules) -> Vec<&str> {
    let facts = rules.rules.iter().filter(|rule| rule.head.relation == rules.keywords.role);
    facts
        .filter_map(|rule| match rule.head.args.first()? {
            Term::Constant(name) => Some(rules.symbols.text(*name)),
            _ => None,
        })
        .collect()
}

/// Checks that golden files stay short enough to be reviewed.
pub fn check_totals(files: &[File]) -> Vec<Finding> {
    let is_golden = |file: &&File| {
        let extension = file.path.rsplit('.').next();
        file.path.starts_with("games/") && matches!(extension, Some("perft" | "play"))
    };
    let (mut findings, mut bytes) = (Vec::new(), 0);
    for file in files.iter().filter(is_golden) {
        let text = file.text.as_deref().unwrap_or_default();
        bytes += text.len();
        let lines = text.lines().count();
        if lines > MAX_LINES {
            let what = format!("{lines} lines are too many to review; the limit is {MAX_LINES}");
            findings.push(Finding::new(
                &file.path,
                0,
                what,
                "shorten the output of the golden file writer",
            ));
        }
    }
    if bytes > MAX_BYTES {
        let what = format!("golden files have {bytes} bytes together; the limit is {MAX_BYTES}");
        findings.push(Finding::new(
            "games",
            0,
            what,
            "shorten the output of the golden file writer",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = ";;; title: One\n;;; description: You go.\n;;; roles: you\n\
        ;;; provenance: Invented for a test.\n;;; tags: one-player\n;;; version: 1\n\n\
        (role you)\n(legal you go)\n(goal you 100)\n";

    fn files(paths: &[&str]) -> Vec<File> {
        paths.iter().map(|path| File { path: (*path).into(), text: None }).collect()
    }

    fn found(text: &str, golden: &[&str]) -> Vec<String> {
        check("games/one.kif", text, &files(golden)).into_iter().map(|f| f.what).collect()
    }

    #[test]
    fn headers_and_golden_files_are_checked() {
        let golden = ["games/one.perft", "games/one.play"];
        assert!(found(GAME, &golden).is_empty());
        assert_eq!(found(GAME, &golden[..1]), ["games/one.play is missing"]);
        let text = GAME.replace(";;; tags: one-player\n", "");
        assert_eq!(found(&text, &golden), ["the header has no `tags`"]);
        let text = GAME.replace("roles: you", "roles: me");
        assert_eq!(found(&text, &golden), ["the header names other roles than the rules, you"]);
        assert_eq!(
            found(&GAME.replace("(role you)", "(role you"), &golden),
            ["the rules do not load"]
        );
    }

    #[test]
    fn unformatted_rules_are_found() {
        let text = GAME.replace("(legal you go)", "(legal   you\n go)");
        let golden = ["games/one.perft", "games/one.play"];
        assert_eq!(found(&text, &golden), ["the rules are not formatted"]);
    }

    #[test]
    fn long_golden_files_are_found() {
        let text = Some("x\n".repeat(MAX_LINES + 1));
        let file = File { path: "games/one.play".into(), text };
        assert_eq!(check_totals(&[file]).len(), 1);
    }
}
