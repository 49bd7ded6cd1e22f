//! Collects single playouts from any interface of a simulator.

use ludens_core::{Game, Outcomes, Rng, Simulator, Tally, Uniform};

use super::{Fault, Way};
use crate::exact::Ending;

/// The endings of `playouts` playouts from each start, in the order in which they were requested.
pub fn gather<G: Game>(
    simulator: &mut dyn Simulator<G>,
    way: Way,
    starts: &[G::State],
    playouts: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<Ending>>, Fault> {
    let order: Vec<usize> = (0..playouts).flat_map(|_| 0..starts.len()).collect();
    let mut found = vec![Vec::with_capacity(playouts); starts.len()];
    if way == Way::Stream {
        stream(simulator, starts, &order, rng, &mut found)?;
        return Ok(found);
    }
    // More starts than lanes and not a multiple of them, so that lanes are refilled unevenly.
    for chunk in order.chunks(3 * simulator.lanes() + 7) {
        let states: Vec<&G::State> = chunk.iter().map(|&start| &starts[start]).collect();
        let endings = match way {
            Way::Run => run(simulator, &states, rng),
            _ => tally(simulator, &states, rng),
        };
        let endings = endings.map_err(|what| Fault { way, start: chunk[0], what })?;
        chunk.iter().zip(endings).for_each(|(&start, ending)| found[start].push(ending));
    }
    Ok(found)
}

fn run<G: Game>(
    simulator: &mut dyn Simulator<G>,
    states: &[&G::State],
    rng: &mut Rng,
) -> Result<Vec<Ending>, String> {
    let mut out = Vec::new();
    simulator.run(states, &mut Uniform, rng, &mut out);
    if out.len() != states.len() {
        return Err(format!("{} playouts for {} starts", out.len(), states.len()));
    }
    Ok(out.iter().map(|p| Ending::new(p.payoffs.as_slice(), p.plies, p.finished)).collect())
}

/// The endings of single playouts, from their tallies.
fn tally<G: Game>(
    simulator: &mut dyn Simulator<G>,
    states: &[&G::State],
    rng: &mut Rng,
) -> Result<Vec<Ending>, String> {
    let mut tallies = vec![Tally::default(); states.len()];
    simulator.tally(states, 1, rng, &mut tallies);
    let ending = |tally: &Tally| {
        if tally.playouts != 1 || tally.finished > 1 {
            return Err(format!("a tally of one playout says {tally:?}"));
        }
        let payoffs: Vec<f32> = tally.payoffs.iter().map(|&sum| sum as f32).collect();
        Ok(Ending::new(&payoffs, tally.plies as u32, tally.finished == 1))
    };
    tallies.iter().map(ending).collect()
}

/// Every playout has its own tag, so that endings can be sorted in the order in which playouts were
/// offered: short ones are returned first, which must not look like a dependence between playouts.
fn stream<G: Game>(
    simulator: &mut dyn Simulator<G>,
    starts: &[G::State],
    order: &[usize],
    rng: &mut Rng,
    found: &mut [Vec<Ending>],
) -> Result<(), Fault> {
    let at = |start, what| Fault { way: Way::Stream, start, what };
    let mut endings: Vec<Option<Ending>> = vec![None; order.len()];
    let (mut offered, mut in_progress) = (0, 0);
    let mut out = Outcomes::default();
    loop {
        while simulator.room() > 0 && offered < order.len() {
            simulator.offer(offered as u32, &starts[order[offered]]);
            offered += 1;
            in_progress += 1;
        }
        if in_progress == 0 {
            break;
        }
        out.clear();
        simulator.advance(rng, &mut out);
        store(&out, &mut endings[..offered]).map_err(|what| at(0, what))?;
        in_progress -= out.tags.len();
    }
    for (&start, ending) in order.iter().zip(endings) {
        found[start].push(ending.ok_or_else(|| at(start, "a playout never ends".into()))?);
    }
    Ok(())
}

/// Stores endings by tag.
fn store(out: &Outcomes, endings: &mut [Option<Ending>]) -> Result<(), String> {
    if out.tags.is_empty() {
        return Err("playouts are in progress, and none ends".into());
    }
    let n_roles = out.payoffs.len() / out.tags.len();
    let payoffs = out.payoffs.chunks(n_roles.max(1));
    for (i, (&tag, payoffs)) in out.tags.iter().zip(payoffs).enumerate() {
        let slot = endings.get_mut(tag as usize).ok_or(format!("tag was never offered: {tag}"))?;
        let ending = Ending::new(payoffs, out.plies[i], out.finished[i]);
        if slot.replace(ending).is_some() {
            return Err(format!("the playout with tag {tag} ends twice"));
        }
    }
    Ok(())
}
