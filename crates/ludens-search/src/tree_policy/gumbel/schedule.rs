//! Sequential halving (Karnin, Koren and Somekh 2013) as a schedule of visits.

/// For each simulation, how many visits the next move to be visited has: rounds in which all considered
/// moves get equally many visits, and after each of which the better half is kept. Two moves remain to the
/// end.
pub(super) fn halving(n_considered: usize, simulations: usize) -> Vec<u32> {
    if n_considered <= 1 {
        return (0..simulations as u32).collect();
    }
    let n_rounds = n_considered.next_power_of_two().ilog2() as usize;
    let (mut schedule, mut n_kept, mut visits) = (Vec::with_capacity(simulations), n_considered, 0);
    while schedule.len() < simulations {
        let n_each = (simulations / (n_rounds * n_kept)).max(1);
        for _ in 0..n_each {
            schedule.extend(std::iter::repeat_n(visits, n_kept));
            visits += 1;
        }
        n_kept = (n_kept / 2).max(2);
    }
    schedule.truncate(simulations);
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_about_equally_many_simulations() {
        assert_eq!(halving(1, 3), [0, 1, 2]);
        assert_eq!(halving(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(halving(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        // Too few simulations for all rounds: each move is visited once as long as they last.
        assert_eq!(halving(4, 3), [0, 0, 0]);
        assert_eq!(halving(16, 0), []);
    }
}
