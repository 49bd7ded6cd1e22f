//! The symmetries of a game as text: for each what it maps to something else.

use std::sync::Arc;

use ludens_core::{Role, Symmetry};
use ludens_propnet::{Network, structure};

use super::Sink;

/// Prints the number of symmetries, and each of them.
pub(super) fn print(network: &Arc<Network>, print: &mut Sink<'_>) -> anyhow::Result<()> {
    let symmetries = structure(Arc::clone(network)).symmetries();
    let exchanges = |s: &&Symmetry| s.roles.entries().any(|(role, image)| role != *image);
    let n_exchanging = symmetries.iter().filter(exchanges).count();
    let n = symmetries.len();
    print(&format!("; {n} besides the identity, {n_exchanging} of them exchange roles"))?;
    for (i, symmetry) in symmetries.iter().enumerate() {
        print(&format!("; symmetry {}", i + 1))?;
        for line in lines(network, symmetry) {
            print(&line)?;
        }
    }
    Ok(())
}

fn lines<'a>(
    network: &'a Network,
    symmetry: &'a Symmetry,
) -> impl Iterator<Item = String> + use<'a> {
    let roles = symmetry.roles.entries().filter(|(role, image)| role != *image);
    let name = |role: Role| &network.roles[role.index()];
    let roles = roles.map(move |(role, &image)| format!("role {} → {}", name(role), name(image)));
    let facts = (0..).zip(&symmetry.facts).filter(|(fact, image)| fact != *image);
    let fact = |fact: u32| &network.fluents[fact as usize];
    let facts = facts.map(move |(from, &to)| format!("{} → {}", fact(from), fact(to)));
    let moves = network.does_of_roles().into_iter().zip(symmetry.moves.entries());
    let moves = moves.flat_map(move |(range, (role, images))| {
        let image = symmetry.roles[role];
        let pairs = network.does[range].iter().zip(images);
        let changed = pairs.filter(move |((_, m), to)| role != image || m != *to);
        let text = |m: ludens_core::Move| &network.moves[m.index()];
        let (from, to) = (name(role), name(image));
        changed.map(move |((_, m), &other)| {
            format!("(does {from} {}) → (does {to} {})", text(*m), text(other))
        })
    });
    roles.chain(facts).chain(moves)
}
