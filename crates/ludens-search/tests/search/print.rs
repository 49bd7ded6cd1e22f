//! A whole tree as text, so that trees can be compared and differences are readable.

use std::fmt::Write;

use ludens_core::{Game, Role};
use ludens_search::{NodeId, Search, Tree};

/// The whole tree of a search, node by node.
pub fn print<G: Game>(search: &Search<G>) -> String {
    let tree = search.tree();
    let nodes = (0..tree.n_nodes() as u32).map(NodeId);
    nodes.map(|id| node(search, id, &|child| format!("{}", child.0))).collect()
}

/// A node: its position, the statistics of each move, and the children by joint moves.
pub fn node<G: Game>(search: &Search<G>, id: NodeId, name: &dyn Fn(NodeId) -> String) -> String {
    let (tree, game) = (search.tree(), search.game());
    let facts = game.facts(search.state(id)).join(" ");
    let (visits, proven) = (tree.node(id).visits, tree.proven(id));
    let mut text = format!("{facts}: {visits} visits, proven {proven:?}\n");
    for role in Role::all(tree.n_roles()) {
        for place in tree.range(id, role) {
            let edge = tree.edge(place);
            let (mv, amaf) = (game.move_name(role, tree.mv(place)), tree.amaf(place));
            let codes = tree.codes(place..place + 1);
            let (visits, value, lost) = (edge.visits, edge.value, edge.is_lost());
            writeln!(text, "  {} {mv}: {visits} {value} {lost} {amaf:?} {codes:?}", role.0)
                .expect("strings can be written to");
        }
    }
    for (chosen, child) in children(tree, id) {
        let moves = Role::all(tree.n_roles()).zip(chosen);
        let names = moves.map(|(role, edge)| game.move_name(role, tree.mv(edge as usize)));
        let joint = names.collect::<Vec<_>>().join(" ");
        writeln!(text, "  {joint} -> {}", name(child)).expect("strings can be written to");
    }
    text
}

/// The joint moves of a node that have a child, as indices among all edges.
pub fn children(tree: &Tree, id: NodeId) -> Vec<(Vec<u32>, NodeId)> {
    if !tree.is_expanded(id) {
        return Vec::new();
    }
    let mut joints = vec![Vec::new()];
    for role in Role::all(tree.n_roles()) {
        let longer = |joint: &Vec<u32>| {
            let joint = joint.clone();
            tree.range(id, role).map(move |edge| [&joint[..], &[edge as u32]].concat())
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    let known = |joint: Vec<u32>| tree.child(id, &joint).map(|child| (joint, child));
    joints.into_iter().filter_map(known).collect()
}
