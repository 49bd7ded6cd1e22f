//! A network as a picture: its layers from left to right, a row for each role.

use std::fmt::Write as _;

use crate::shape::Shape;

/// More roles are not drawn, but counted.
const MAX_ROLES: usize = 8;

/// The distance between boxes, the width of a box, and the height of a row.
const STEP: f64 = 116.0;
const WIDTH: f64 = 64.0;
const ROW: f64 = 190.0;

/// The height of a box with one unit, and what doubling the units adds.
const UNIT: f64 = 20.0;
const DOUBLING: f64 = 8.0;

/// Consecutive layers of the same size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    name: String,
    n_layers: usize,
    units: usize,
}

impl Run {
    /// The name of the layer, or of the first and the last one.
    fn label(&self) -> String {
        let numbered = self.name.rsplit_once('.').map(|(kind, i)| (kind, i.parse::<usize>()));
        match numbered {
            Some((kind, Ok(first))) if self.n_layers > 1 => {
                format!("{kind}.{first}–{}", first + self.n_layers - 1)
            }
            _ => self.name.clone(),
        }
    }
}

impl Shape {
    /// An SVG picture; roles have these names.
    pub fn svg(&self, roles: &[String]) -> String {
        let (trunk, branches) = self.runs();
        let n_drawn = branches.len().min(MAX_ROLES);
        let columns = trunk.len() + branches.iter().map(|b| b.len() - 1).max().unwrap_or(0);
        let (width, height) = (columns as f64 * STEP + 40.0, n_drawn.max(1) as f64 * ROW + 50.0);
        let mut body = String::new();
        let middle = height / 2.0 - 10.0;
        for (i, run) in trunk.iter().enumerate() {
            add_run(&mut body, run, (column(i), middle), (i > 0).then(|| (column(i - 1), middle)));
        }
        for (role, branch) in branches.iter().take(n_drawn).enumerate() {
            let y = (role as f64 + 0.5) * ROW + 15.0;
            add_branch(&mut body, branch, trunk.len(), (middle, y));
            let name = roles.get(role).map_or("", String::as_str);
            add_text(&mut body, (column(trunk.len()) - 26.0, y - ROW / 2.0 + 14.0), "start", name);
        }
        if n_drawn < branches.len() {
            let more = format!("and {} more roles", branches.len() - n_drawn);
            add_text(&mut body, (width - 12.0, height - 12.0), "end", &more);
        }
        let parameters = format!("{} parameters", self.n_parameters());
        add_text(&mut body, (14.0, height - 12.0), "start", &parameters);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }

    /// The layers that all roles share, inputs first, and those of each role: hidden ones, policy, payoff.
    fn runs(&self) -> (Vec<Run>, Vec<Vec<Run>>) {
        let layers = self.layers();
        let own = |role: usize| format!("role.{role}.");
        let is_own = |name: &str| name.starts_with("role.");
        let shared = layers.iter().filter(|(name, ..)| !is_own(name));
        let inputs = [("inputs".to_owned(), self.n_inputs)];
        let trunk =
            joined(inputs.into_iter().chain(shared.map(|(name, _, to)| (name.clone(), *to))));
        let branch = |role: usize| {
            let of_role = layers
                .iter()
                .filter_map(|(name, _, to)| Some((name.strip_prefix(&own(role))?.to_owned(), *to)));
            joined(of_role)
        };
        (trunk, (0..self.branches.len()).map(branch).collect())
    }
}

/// Layers with those of the same kind and size put together.
fn joined(layers: impl Iterator<Item = (String, usize)>) -> Vec<Run> {
    let kind = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let is_numbered = |name: &str| name.ends_with(|c: char| c.is_ascii_digit());
    let mut runs: Vec<Run> = Vec::new();
    for (name, units) in layers {
        match runs.last_mut() {
            Some(last)
                if last.units == units
                    && is_numbered(&name)
                    && is_numbered(&last.name)
                    && kind(&last.name) == kind(&name) =>
            {
                last.n_layers += 1;
            }
            _ => runs.push(Run { name, n_layers: 1, units }),
        }
    }
    runs
}

/// The middle of a column.
fn column(i: usize) -> f64 {
    i as f64 * STEP + 20.0 + WIDTH / 2.0
}

/// The layers of a role: the hidden ones in a row, then the policy above the payoff.
fn add_branch(body: &mut String, branch: &[Run], first: usize, (trunk_y, y): (f64, f64)) {
    let (hidden, heads) = branch.split_at(branch.len().saturating_sub(2));
    let mut from = (column(first - 1), trunk_y);
    for (i, run) in hidden.iter().enumerate() {
        let at = (column(first + i), y);
        add_run(body, run, at, Some(from));
        from = at;
    }
    for (run, dy) in heads.iter().zip([-ROW / 5.0, ROW / 3.2]) {
        add_run(body, run, (column(first + hidden.len()), y + dy), Some(from));
    }
}

/// A box, with a line from another one.
fn add_run(body: &mut String, run: &Run, (x, y): (f64, f64), from: Option<(f64, f64)>) {
    if let Some((from_x, from_y)) = from {
        let (x1, x2) = (from_x + WIDTH / 2.0, x - WIDTH / 2.0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<line x1=\"{x1:.1}\" y1=\"{from_y:.1}\" x2=\"{x2:.1}\" y2=\"{y:.1}\" stroke=\"#999999\"/>"
        );
    }
    let height = UNIT + DOUBLING * (run.units.max(1) as f64).log2();
    let (left, top) = (x - WIDTH / 2.0, y - height / 2.0);
    let _ = writeln!(
        body,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{height:.1}\" rx=\"3\" \
         fill=\"#dcebf7\" stroke=\"#0072b2\"/>"
    );
    let units = match run.n_layers {
        1 => run.units.to_string(),
        n => format!("{n} × {}", run.units),
    };
    add_text(body, (x, y + 4.0), "middle", &units);
    add_text(body, (x, top + height + 14.0), "middle", &run.label());
}

fn add_text(body: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#333333\">{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use crate::architecture::Architecture;

    fn svg(network: &str, n_inputs: usize, n_moves: &[usize]) -> String {
        let shape = network.parse::<Architecture>().unwrap().shape(n_inputs, n_moves);
        shape.svg(&["x<o".to_owned(), "second".to_owned()])
    }

    #[test]
    fn every_layer_is_a_box() {
        let gaz = svg("gaz", 200, &[9, 130]);
        // The inputs, 200, 100, 50 and 50 units, 50 and 100 of the second role, and two heads for each role; the
        // last two of the trunk are one box.
        assert_eq!(gaz.matches("<rect x=").count(), 4 + 2 + 4, "{gaz}");
        for label in [
            ">2 × 50<",
            ">130<",
            ">trunk.0<",
            ">trunk.2–3<",
            ">policy<",
            ">x&lt;o<",
            ">89291 parameters<",
        ] {
            assert!(gaz.contains(label), "{label}");
        }
    }

    #[test]
    fn deep_networks_and_many_roles_stay_small() {
        let deep = svg("ggpzero(depth=1000)", 29, &[9]);
        assert!(deep.contains(">1000 × 29<") && deep.len() < 4000);
        let many = svg("compact", 29, &[3; 64]);
        assert!(many.contains(">and 56 more roles<") && many.len() < 12_000, "{}", many.len());
    }
}
