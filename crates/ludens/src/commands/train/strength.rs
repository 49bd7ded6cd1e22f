//! The strength of a network as text.

use ludens_lab::training::{Measured, Strength};

/// Scores against all opponents in one line.
pub(super) fn strength_line(strength: &[Strength]) -> String {
    let one = |strength: &Strength| format!("{} {}", strength.name(), score(strength));
    strength.iter().map(one).collect::<Vec<_>>().join(" · ")
}

/// Scores after parts of the training, with a header.
pub(super) fn strength_table(measured: &[Measured]) -> Vec<Vec<String>> {
    // In a short time some opponents may not have been met.
    let mut names: Vec<String> = Vec::new();
    for strength in measured.iter().flat_map(|measured| &measured.strength) {
        if !names.contains(&strength.name()) {
            names.push(strength.name());
        }
    }
    let against = names.iter().map(|name| format!("AGAINST {}", name.to_uppercase()));
    let head = ["TIME".to_owned(), "GAMES".to_owned()].into_iter().chain(against).collect();
    let row = |measured: &Measured| {
        let find = |name: &String| {
            let found = measured.strength.iter().find(|strength| strength.name() == *name);
            found.map_or("–".to_owned(), |found| format!("{}, n = {}", score(found), found.games))
        };
        let time = [format!("{:.1} s", measured.seconds), measured.games.to_string()];
        time.into_iter().chain(names.iter().map(find)).collect()
    };
    std::iter::once(head).chain(measured.iter().map(row)).collect()
}

/// A score with its interval: `85 % (71 to 93)`.
fn score(strength: &Strength) -> String {
    let percent = |score: f64| (score * 100.0).round();
    let (low, high) = (percent(strength.interval.low), percent(strength.interval.high));
    format!("{} % ({low} to {high})", percent(strength.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_arena::stats::wilson;

    fn strength(opponent: &str, simulations: Option<u64>, points: f64) -> Strength {
        let (opponent, games) = (opponent.to_owned(), 20);
        let (score, interval) = (points / 20.0, wilson(points, 20.0));
        Strength { opponent, simulations, games, score, interval }
    }

    #[test]
    fn opponents_that_were_not_met_have_no_score() {
        let (random, uct) = (strength("random", None, 20.0), strength("uct", Some(100), 10.0));
        assert_eq!(
            strength_line(&[random.clone(), uct.clone()]),
            "random 100 % (84 to 100) · uct 100 50 % (30 to 70)"
        );
        let measured = |seconds, strength| Measured { seconds, games: 7, strength };
        let table = strength_table(&[
            measured(1.25, vec![random.clone()]),
            measured(9.0, vec![random, uct]),
        ]);
        assert_eq!(table[0], ["TIME", "GAMES", "AGAINST RANDOM", "AGAINST UCT 100"]);
        assert_eq!(table[1], ["1.2 s", "7", "100 % (84 to 100), n = 20", "–"]);
        assert_eq!(table[2][3], "50 % (30 to 70), n = 20");
    }
}
