//! Rules of games whose payoffs reveal the moves made, so that a sampler can be tested although it
//! reports only payoffs and lengths.

use std::fmt::Write;

use ludens_core::Rng;

/// Numbers of legal moves at which selection is likely to fail: one, primes, powers of two and their
/// neighbours, whole words of bits, and more than the payoffs of one role can distinguish.
pub const SIZES: [usize; 22] =
    [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 97, 101, 127, 128, 129, 300];

/// One role picks one of `n` moves, and the game is over. Its own payoff is the number of the
/// move modulo 101, that of a second role the rest.
pub fn alone(n: usize) -> String {
    let mut text = String::from(
        "(role chooser) (role witness) (init fresh)
(<= (legal chooser (pick ?m)) (true fresh) (value ?m ?low ?high))
(<= (legal witness noop) (true fresh))
(<= (next (picked ?m)) (does chooser (pick ?m)))
(<= terminal (true (picked ?m)))
(<= (goal chooser ?low) (true (picked ?m)) (value ?m ?low ?high))
(<= (goal witness ?high) (true (picked ?m)) (value ?m ?low ?high))\n",
    );
    for m in 0..n {
        line(&mut text, &format!("(value {m} {} {})", m % 101, m / 101));
    }
    text
}

/// As many roles as there are sizes pick simultaneously; the payoff of each is the number of its own
/// move, so that joint frequencies show whether the choices are independent.
pub fn together(sizes: &[usize]) -> String {
    let mut text = String::from(
        "(init fresh) (<= terminal (not (true fresh)))
(<= (legal ?r (pick ?m)) (true fresh) (can ?r ?m))
(<= (next (picked ?r ?m)) (does ?r (pick ?m)))
(<= (goal ?r ?m) (true (picked ?r ?m)))\n",
    );
    for (role_idx, &size) in sizes.iter().enumerate() {
        line(&mut text, &format!("(role r{role_idx})"));
        (0..size).for_each(|m| line(&mut text, &format!("(can r{role_idx} {m})")));
    }
    text
}

/// An umpire picks a group; after a number of forced moves that depends on the group, two roles pick
/// simultaneously, each from a few of `atoms` moves that also depend on the group. Payoffs encode
/// the group and the rank of each move among the legal ones. Lanes that start together have
/// different legal sets and different lengths.
pub fn sparse(atoms: usize, group_sizes: &[(usize, usize)], seed: u64) -> String {
    let mut text = String::from(
        "(role umpire) (role left) (role right) (init fresh)
(<= (legal umpire (call ?g)) (true fresh) (delay ?g ?d))
(<= (legal left noop) (true fresh)) (<= (legal right noop) (true fresh))
(<= (next (wait ?g ?d)) (does umpire (call ?g)) (delay ?g ?d))
(<= (next (wait ?g ?d)) (true (wait ?g ?e)) (before ?d ?e))
(<= (waiting ?g) (true (wait ?g ?e)) (before ?d ?e))
(<= (choosing ?g) (true (wait ?g ?d)) (not (waiting ?g)))
(<= (legal umpire noop) (not (true fresh)))
(<= (legal ?r noop) (waiting ?g) (player ?r)) (player left) (player right)
(<= (legal ?r (take ?m)) (choosing ?g) (rank ?g ?r ?m ?k))
(<= (next (taken ?r ?g ?k)) (choosing ?g) (does ?r (take ?m)) (rank ?g ?r ?m ?k))
(<= terminal (true (taken left ?g ?k)))
(<= (goal ?r ?k) (true (taken ?r ?g ?k)))
(<= (goal umpire ?g) (true (taken left ?g ?k)))\n",
    );
    let mut rng = Rng::new(seed);
    for (group, &(left, right)) in group_sizes.iter().enumerate() {
        line(&mut text, &format!("(delay {group} {group})"));
        if group > 0 {
            line(&mut text, &format!("(before {} {group})", group - 1));
        }
        for (role, size) in [("left", left), ("right", right)] {
            for (rank, m) in sample(atoms, size, &mut rng).into_iter().enumerate() {
                line(&mut text, &format!("(rank {group} {role} {m} {rank})"));
            }
        }
    }
    text
}

/// A role walks to the cell `end`, one to three steps at a time; one cell beyond it has no legal move, two
/// cells beyond is terminal as well. The walker has a goal in every state, a witness in some of them, and a
/// judge only in terminal ones, so that payoffs show what playouts that were cut off are worth.
pub fn walk(end: usize) -> String {
    let mut text = String::from(
        "(role walker) (role witness) (role judge) (init (at 0))
(<= (legal walker (go ?d)) (true (at ?p)) (way ?p ?d ?q))
(legal witness noop) (legal judge noop)
(<= (next (at ?q)) (true (at ?p)) (does walker (go ?d)) (way ?p ?d ?q))
(<= terminal (true (at ?p)) (end ?p))
(<= (goal walker ?p) (true (at ?p)))
(<= (goal witness 30) (true (at ?p)) (even ?p))
(<= (goal judge 70) (true (at ?p)) (end ?p))\n",
    );
    for p in 0..end {
        (1..=3).for_each(|d| line(&mut text, &format!("(way {p} {d} {})", p + d)));
    }
    line(&mut text, &format!("(end {end}) (end {})", end + 2));
    (0..=end + 2).step_by(2).for_each(|p| line(&mut text, &format!("(even {p})")));
    text
}

/// Some numbers below `atoms`, all different, in ascending order.
fn sample(atoms: usize, size: usize, rng: &mut Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..atoms).collect();
    for i in 0..size {
        numbers.swap(i, i + rng.below(atoms - i));
    }
    numbers.truncate(size);
    numbers.sort_unstable();
    numbers
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("strings can be written to");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_load_without_problems() {
        let texts = [alone(300), together(&[3, 5, 2]), sparse(200, &[(1, 2), (3, 4)], 1), walk(9)];
        for text in texts {
            let (rules, problems) = ludens_gdl::load(&text);
            assert!(rules.is_some() && problems.is_empty(), "{problems:?}\n{text}");
        }
    }

    #[test]
    fn samples_are_sorted_and_of_the_given_size() {
        let mut rng = Rng::new(1);
        for size in [0, 1, 7, 50] {
            let numbers = sample(50, size, &mut rng);
            assert!(numbers.len() == size && numbers.is_sorted_by(|a, b| a < b));
        }
    }
}
