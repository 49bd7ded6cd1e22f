//! Findings as one self-contained HTML page.

use std::fmt::Write;

use super::pictures::pictures;
use super::texts::{HEAD, commands, common, differing, explanation, row};
use crate::reproduce::findings::{Finding, Findings};
use crate::reproduce::verdict::Verdict;

const STYLE: &str = "\
body { font-family: sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.25em 0.8em; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left; }
.agrees { color: #00694f; } .differs { color: #a04000; }
code { background: #f4f4f4; padding: 0 0.2em; } svg { max-width: 100%; height: auto; }
";

/// A page about some experiments.
pub fn page(all: &[Findings]) -> String {
    let title = match all {
        [one] => escaped(&one.about.title),
        _ => "Published experiments, played again".to_owned(),
    };
    let sections: String = all.iter().map(section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{sections}</body>\n</html>\n"
    )
}

fn section(findings: &Findings) -> String {
    let mut html = format!("<h1>{}</h1>\n", escaped(&findings.about.title));
    // Writing to a string cannot fail.
    let _ = writeln!(html, "<p><em>{}</em></p>", escaped(&findings.about.paper));
    html.push_str("<table>\n");
    let head = HEAD.map(|name| format!("<th>{name}</th>")).concat();
    let _ = writeln!(html, "<tr>{head}</tr>");
    findings.cells.iter().for_each(|finding| html.push_str(&table_row(finding)));
    let _ = writeln!(html, "</table>\n<p>{}</p>", escaped(&explanation(findings).join(" ")));
    for svg in pictures(findings) {
        html.push_str(&svg);
    }
    html.push_str("<ul>\n");
    for (name, value) in common(findings) {
        let _ = writeln!(html, "<li>{name}: <code>{}</code></li>", escaped(&value));
    }
    html.push_str("</ul>\n");
    html.push_str(&matches(findings));
    for command in commands(findings) {
        let _ = writeln!(html, "<p><code>{}</code></p>", escaped(&command));
    }
    html
}

/// The settings in which cells differ.
fn matches(findings: &Findings) -> String {
    let (names, rows) = differing(findings);
    if names.is_empty() {
        return String::new();
    }
    let mut html = format!("<table>\n<tr><th>cell</th><th>{}</th></tr>\n", names.join("</th><th>"));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        let _ = writeln!(html, "<tr><td>{}</td></tr>", cells.join("</td><td>"));
    }
    html.push_str("</table>\n");
    html
}

fn table_row(finding: &Finding) -> String {
    let class = match finding.verdict {
        Some(Verdict::Agrees) => " class=\"agrees\"",
        Some(Verdict::Higher | Verdict::Lower) => " class=\"differs\"",
        Some(Verdict::TooFewGames) | None => "",
    };
    let cells = row(finding).map(|cell| format!("<td>{}</td>", escaped(&cell)));
    format!("<tr{class}>{}</tr>\n", cells.concat())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    #[test]
    fn pages_have_tables_and_pictures() {
        let mut findings = made_up("ppafm/table2", &[95, 80]);
        findings.about.title = "a < b".to_owned();
        let html = page(&[findings, made_up("ppr/figure6", &[70, 70])]);
        assert!(html.contains("<h1>a &lt; b</h1>") && !html.contains("a < b"));
        assert!(
            html.contains("<tr class=\"agrees\"><td>atarigo</td><td>95.4 %</td><td>95.0 %</td>")
        );
        assert!(html.contains("<tr class=\"differs\"><td>breakthrough</td>"));
        assert_eq!((html.matches("<svg").count(), html.matches("</svg>").count()), (2, 2));
    }
}
