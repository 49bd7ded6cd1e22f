//! What is known of the payoff of the first role.

use ludens_core::Role;

/// Proven bounds on the payoff of the first role, which it maximises and the other role minimises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    /// It gets at least this.
    pub low: f32,
    /// It gets at most this.
    pub high: f32,
}

impl Bounds {
    /// A known payoff.
    pub const fn exactly(payoff: f32) -> Self {
        Bounds { low: payoff, high: payoff }
    }

    /// Whether the payoff is at least `goal`, if that is known.
    pub fn reach(self, goal: f32) -> Option<bool> {
        if self.low >= goal {
            return Some(true);
        }
        (self.high < goal).then_some(false)
    }

    /// Whether the payoff is known.
    pub fn are_exact(self) -> bool {
        self.low >= self.high
    }

    /// The bounds of a state in which a role decides between states with these bounds.
    pub fn of_choice(role: Role, children: impl Iterator<Item = Bounds>) -> Option<Bounds> {
        children.reduce(|a, b| match role {
            Role(0) => Bounds { low: a.low.max(b.low), high: a.high.max(b.high) },
            _ => Bounds { low: a.low.min(b.low), high: a.high.min(b.high) },
        })
    }

    /// What both bounds say together.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The next question: a payoff in the middle of the bounds, above the lower one. As answers are
    /// payoffs of terminal states, few questions are needed if there are few of those.
    pub fn question(self) -> f32 {
        let middle = self.low + (self.high - self.low) / 2.0;
        middle.max(self.low.next_up()).min(self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_answered_by_either_bound() {
        let bounds = Bounds { low: 0.25, high: 0.5 };
        let answers = [0.2, 0.25, 0.3, 0.5, 0.6].map(|goal| bounds.reach(goal));
        assert_eq!(answers, [Some(true), Some(true), None, None, Some(false)]);
    }

    #[test]
    fn a_question_never_has_a_known_answer() {
        for (low, high) in [(0.0, 1.0), (0.5, 1.0), (0.0, 0.01), (0.5, 0.5f32.next_up())] {
            let bounds = Bounds { low, high };
            assert_eq!(bounds.reach(bounds.question()), None, "{bounds:?}");
        }
    }

    #[test]
    fn the_first_role_maximises_and_the_other_one_minimises() {
        let children = [Bounds { low: 0.0, high: 0.5 }, Bounds { low: 0.25, high: 0.25 }];
        let of = |role| Bounds::of_choice(Role(role), children.into_iter()).unwrap();
        assert_eq!(of(0), Bounds { low: 0.25, high: 0.5 });
        assert_eq!(of(1), Bounds { low: 0.0, high: 0.25 });
        assert_eq!(Bounds::of_choice(Role(0), [].into_iter()), None);
    }
}
