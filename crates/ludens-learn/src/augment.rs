//! Symmetries of a game as permutations of inputs and outputs, by which training samples are multiplied.

use ludens_core::{Game, Role, Symmetry};

use crate::encoder::Encoder;

/// A symmetry in the numbers of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permutation {
    /// The image of each fact, as inputs number them.
    pub facts: Vec<u32>,
    /// The image of each role.
    pub roles: Vec<usize>,
    /// For each role, the image of each move, as outputs of the role's image.
    pub moves: Vec<Vec<u32>>,
}

/// The symmetries of a game in the numbers of an encoder, without the identity.
pub fn permutations<G: Game>(game: &G, encoder: &Encoder) -> Vec<Permutation> {
    let symmetries = game.structure().map_or(Vec::new(), |rules| rules.symmetries());
    symmetries.iter().map(|symmetry| permutation(game, encoder, symmetry)).collect()
}

fn permutation<G: Game>(game: &G, encoder: &Encoder, symmetry: &Symmetry) -> Permutation {
    let vocabulary = game.vocabulary().expect("a game with an encoder has a vocabulary");
    let mut facts = vec![0; symmetry.facts.len()];
    for (fact, &image) in (0..).zip(&symmetry.facts) {
        facts[encoder.input(fact) as usize] = encoder.input(image);
    }
    let of_role = |role: Role| {
        let own = vocabulary.moves(role).unwrap_or(&[]);
        let mut moves = vec![0; own.len()];
        for (&m, &image) in own.iter().zip(&symmetry.moves[role]) {
            let output = encoder.output(symmetry.roles[role], image);
            moves[encoder.output(role, m) as usize] = output;
        }
        moves
    };
    Permutation {
        facts,
        roles: symmetry.roles.iter().map(|role| role.index()).collect(),
        moves: Role::all(symmetry.roles.n_roles()).map(of_role).collect(),
    }
}
