//! The live picture of a training.

use std::fmt::Write as _;

use ludens_lab::training::{Metrics, Strength};
use ludens_lab::units::format_bytes;

use super::strength::strength_line;
use crate::report::{Block, grouped, sparkline};

/// The widths of the bar and of the curves.
const BAR_WIDTH: usize = 30;
const CURVE_WIDTH: usize = 40;

/// Lines that are redrawn at a terminal. Elsewhere there is one line whenever the strength was measured.
pub(super) struct Picture {
    game: String,
    block: Block,
    is_silent: bool,
    policy: Vec<f64>,
    payoff: Vec<f64>,
    strength: Vec<Strength>,
}

impl Picture {
    /// A picture without anything yet; `silent` to draw nothing.
    pub fn new(game: &str, silent: bool) -> Self {
        Picture {
            game: game.to_owned(),
            block: Block::new(silent),
            is_silent: silent,
            policy: Vec::new(),
            payoff: Vec::new(),
            strength: Vec::new(),
        }
    }

    /// Draws the state of the training.
    pub fn show(&mut self, metrics: &Metrics) {
        self.add(metrics);
        if self.block.is_visible() {
            self.block.show(&self.text(metrics));
        } else if !self.is_silent && !metrics.strength.is_empty() {
            anstream::eprintln!("{} · {}", status(metrics), strength_line(&metrics.strength));
        }
    }

    fn add(&mut self, metrics: &Metrics) {
        self.policy.extend(metrics.policy_loss);
        self.payoff.extend(metrics.payoff_loss);
        if !metrics.strength.is_empty() {
            self.strength.clone_from(&metrics.strength);
        }
    }

    /// All lines, each with its end.
    fn text(&self, metrics: &Metrics) -> String {
        let progress = metrics.progress.clamp(0.0, 1.0);
        let full = (progress * BAR_WIDTH as f64).round() as usize;
        let bar = "█".repeat(full) + &"░".repeat(BAR_WIDTH - full);
        let mut out = format!("  {} {bar} {:.0} %", self.game, progress * 100.0);
        if progress > 0.0 {
            let left = metrics.seconds * (1.0 - progress) / progress;
            let _ = write!(out, "  {} left", minutes_and_seconds(left));
        }
        out.push('\n');
        for (name, losses) in [("policy", &self.policy), ("payoff", &self.payoff)] {
            let last = losses.last().map_or("–".to_owned(), |loss| format!("{loss:.3}"));
            let _ = writeln!(out, "  {name} loss {last:>6}  {}", sparkline(losses, CURVE_WIDTH));
        }
        let _ = writeln!(out, "  {}", speed(metrics));
        let _ = writeln!(out, "  {}", shares(metrics));
        let strength = if self.strength.is_empty() {
            "not measured yet".to_owned()
        } else {
            strength_line(&self.strength)
        };
        let _ = writeln!(out, "  strength {strength}");
        out
    }
}

fn speed(metrics: &Metrics) -> String {
    let per_core = metrics.evaluations_per_second / metrics.threads.max(1) as f64;
    format!(
        "{} games of {:.0} plies · {:.0} games/s · {} evaluations a core-second",
        grouped(metrics.games),
        metrics.plies,
        metrics.games_per_second,
        grouped(per_core as u64),
    )
}

fn shares(metrics: &Metrics) -> String {
    let playing = metrics.playing * 100.0;
    format!(
        "{playing:.0} % self-play, {:.0} % training · playouts weigh {:.0} % · {} steps · {}",
        100.0 - playing,
        metrics.playouts * 100.0,
        grouped(metrics.steps),
        format_bytes(metrics.bytes),
    )
}

fn minutes_and_seconds(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{}:{:02} min", seconds / 60, seconds % 60)
    }
}

/// The metrics in one line.
pub(super) fn status(metrics: &Metrics) -> String {
    let Metrics { progress, games, plies, steps, evaluations_per_second, .. } = metrics;
    let loss = |loss: Option<f64>| loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
    let playouts = match metrics.playouts {
        share if share > 0.0 => format!(" · playouts {:.0} %", share * 100.0),
        _ => String::new(),
    };
    let gate = metrics.gate.map_or(String::new(), |gate| {
        let decision = if gate.accepted { "accepted" } else { "rejected" };
        format!(" · new {:.3}, best {:.3}: {decision}", gate.new, gate.best)
    });
    format!(
        "{:.0} % · {games} games of {plies:.0} plies, {:.0}/s · {:.0}k evaluations/s · {steps} steps · \
         loss {} policy, {} payoff{playouts}{gate}",
        progress * 100.0,
        metrics.games_per_second,
        evaluations_per_second / 1000.0,
        loss(metrics.policy_loss),
        loss(metrics.payoff_loss),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_arena::stats::wilson;

    fn metrics(policy_loss: f64) -> Metrics {
        Metrics {
            seconds: 30.0,
            progress: 0.25,
            iterations: 9,
            games: 12_345,
            cut: 0,
            games_per_second: 411.5,
            plies: 33.6,
            positions: 400_000,
            steps: 3100,
            policy_loss: Some(policy_loss),
            payoff_loss: None,
            evaluations_per_second: 600_000.0,
            threads: 2,
            playing: 0.75,
            playouts: 0.5,
            bytes: 3 << 20,
            strength: Vec::new(),
            gate: None,
        }
    }

    #[test]
    fn the_picture_has_bar_losses_speed_and_strength() {
        let mut picture = Picture::new("hex", true);
        for loss in [3.0, 2.0] {
            picture.add(&metrics(loss));
        }
        let text = picture.text(&metrics(2.0));
        let expected = [
            "  hex ████████░░░░░░░░░░░░░░░░░░░░░░ 25 %  1:30 min left",
            "  policy loss  2.000  █▁",
            "  payoff loss      –  ",
            "  12,345 games of 34 plies · 412 games/s · 300,000 evaluations a core-second",
            "  75 % self-play, 25 % training · playouts weigh 50 % · 3,100 steps · 3 MiB",
            "  strength not measured yet",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let (opponent, interval) = ("random".to_owned(), wilson(8.0, 8.0));
        let strength = Strength { opponent, simulations: None, games: 8, score: 1.0, interval };
        picture.add(&Metrics { strength: vec![strength], ..metrics(1.0) });
        picture.add(&metrics(1.0));
        let text = picture.text(&metrics(1.0));
        assert!(text.ends_with("  strength random 100 % (68 to 100)\n"), "{text}");
    }
}
