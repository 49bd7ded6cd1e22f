//! SVG elements. The font is generic, so that plots look alike everywhere.

use std::fmt::Write;

/// Colours of series, in rotation.
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Colour of axes and grid lines.
pub(super) const FAINT: &str = "#d0d0d0";

/// Colour of text and published values.
pub(super) const DARK: &str = "#333333";

/// An SVG document under construction.
pub(super) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// The alignment of a text.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Svg { body: String::new(), width, height }
    }

    /// The complete document.
    pub(super) fn finish(self) -> String {
        let Svg { body, width, height } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        ));
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], colour: &str) {
        let points = joined(points);
        self.add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ));
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{DARK}\">{text}</text>"
        ));
    }

    /// A text rotated by 90°.
    pub(super) fn upright_text(&mut self, (x, y): (f64, f64), text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"{DARK}\">{text}</text>"
        ));
    }

    pub(super) fn title(&mut self, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"bold\" fill=\"{DARK}\">{text}</text>"
        ));
    }

    /// A filled mark, whose colour and shape depend on the series.
    pub(super) fn mark(&mut self, (x, y): (f64, f64), series: usize) {
        let colour = COLOURS[series % COLOURS.len()];
        match series % 3 {
            0 => self.add(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
            )),
            1 => self.polygon(
                &[(x - 4.0, y - 4.0), (x + 4.0, y - 4.0), (x + 4.0, y + 4.0), (x - 4.0, y + 4.0)],
                colour,
            ),
            _ => self.polygon(&[(x, y - 5.0), (x + 5.0, y + 4.0), (x - 5.0, y + 4.0)], colour),
        }
    }

    /// A hollow diamond: a published value.
    pub(super) fn diamond(&mut self, (x, y): (f64, f64), colour: &str) {
        let corners = [(x, y - 6.0), (x + 6.0, y), (x, y + 6.0), (x - 6.0, y)];
        let points = joined(&corners);
        self.add(format_args!(
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ));
    }

    fn polygon(&mut self, corners: &[(f64, f64)], colour: &str) {
        let points = joined(corners);
        self.add(format_args!("<polygon points=\"{points}\" fill=\"{colour}\"/>"));
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn joined(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// The text with special characters escaped and control characters replaced by spaces.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
