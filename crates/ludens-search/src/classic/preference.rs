//! Which of two outcomes a role prefers, independently of the search order.
//!
//! Max-n values are not unique where a role is indifferent (Luckhardt and Irani, 1986; Sturtevant
//! and Korf, 2000), so ties are broken here in one fixed way, pessimistic for the others: of two
//! outcomes with the same own payoff, a role prefers the one that is worse for the first of the
//! other roles, then for the second, and so on.

use std::cmp::Ordering;

use ludens_core::Role;

/// Compares two outcomes for a role; `Greater` means that `a` is preferred.
pub(super) fn compare(role: Role, a: &[f32], b: &[f32]) -> Ordering {
    let own = a[role.index()].total_cmp(&b[role.index()]);
    own.then_with(|| {
        let mut others = b.iter().zip(a).map(|(b, a)| b.total_cmp(a)).enumerate();
        let decisive = others.find(|&(i, order)| i != role.index() && order.is_ne());
        decisive.map_or(Ordering::Equal, |(_, order)| order)
    })
}

/// Whether no outcome can be better for the role: its payoff is 1, and that of all others 0.
pub(super) fn is_unbeatable(role: Role, outcome: &[f32]) -> bool {
    let mut payoffs = outcome.iter().enumerate();
    payoffs.all(|(i, &payoff)| if i == role.index() { payoff >= 1.0 } else { payoff <= 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_maximises_its_payoff_and_then_minimises_the_others() {
        let by = |role: u8, a: [f32; 3], b: [f32; 3]| compare(Role(role), &a, &b);
        assert_eq!(by(1, [0.0, 0.5, 0.0], [0.0, 0.4, 0.0]), Ordering::Greater);
        assert_eq!(by(1, [0.0, 0.5, 0.9], [0.1, 0.5, 0.0]), Ordering::Greater);
        assert_eq!(by(1, [0.1, 0.5, 0.9], [0.1, 0.5, 0.0]), Ordering::Less);
        assert_eq!(by(2, [0.1, 0.5, 0.9], [0.1, 0.5, 0.9]), Ordering::Equal);
    }

    #[test]
    fn the_highest_payoff_against_the_lowest_is_unbeatable() {
        assert!(is_unbeatable(Role(1), &[0.0, 1.0]));
        assert!(!is_unbeatable(Role(1), &[0.1, 1.0]));
        assert!(is_unbeatable(Role(0), &[1.0]));
    }
}
