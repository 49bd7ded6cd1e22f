//! Boards that are found in the rules of the library.

use std::path::Path;

use ludens_core::{Budget, Rng};
use ludens_learn::{Board, Encoder, Plane};
use ludens_propnet::PropGame;

#[test]
fn explore() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "kif"))
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let rules = ludens_gdl::load(&text).0.unwrap();
        let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(4));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(game) = PropGame::load(&rules, &budget) else {
            println!("{name}: not grounded");
            continue;
        };
        let encoder = Encoder::new(&game).unwrap();
        let t = std::time::Instant::now();
        let board = Board::find(&game, &encoder, &mut Rng::new(1));
        let took = t.elapsed();
        match board {
            None => println!("{name}: none {took:?}"),
            Some(b) => {
                b.check(encoder.n_inputs()).unwrap();
                let n_everywhere =
                    b.planes.iter().filter(|p| matches!(p, Plane::Everywhere(_))).count();
                let holes = b.existing().iter().filter(|e| !**e).count();
                let names: Vec<_> = b
                    .planes
                    .iter()
                    .filter_map(|p| match p {
                        Plane::Cells(c) => c
                            .iter()
                            .flatten()
                            .next()
                            .map(|i| encoder.names().facts[*i as usize].clone()),
                        _ => None,
                    })
                    .take(4)
                    .collect();
                println!(
                    "{name}: {}x{} {} cells planes, {n_everywhere} everywhere, {holes} holes {took:?} {names:?}",
                    b.columns,
                    b.rows,
                    b.planes.len() - n_everywhere
                );
            }
        }
    }
}
