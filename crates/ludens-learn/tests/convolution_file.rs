//! Networks with convolutions in files: what `PyTorch` reads, and what is refused.

use ludens_core::Rng;
use ludens_learn::{
    Batch, Board, Convolutions, Estimates, FileError, Front, InputKind, Names, Network,
    NetworkFile, Plane, Shape, Weights,
};
use safetensors::SafeTensors;

/// A board of 3 x 2 cells with a hole; six facts on it and one beside it.
fn file() -> NetworkFile {
    let cells = |inputs: [i32; 6]| {
        Plane::Cells(inputs.into_iter().map(|input| u32::try_from(input).ok()).collect())
    };
    let planes =
        vec![cells([0, 1, -1, 2, 3, -1]), Plane::Everywhere(4), cells([-1, -1, -1, 5, -1, 6])];
    let board = Board { columns: 3, rows: 2, planes };
    let front = Front::Convolutions(Convolutions { board, filters: vec![5, 4] });
    let shape = Shape { front, ..Shape::shared(7, &[6], &[2, 3]) };
    let texts = |n: usize| (0..n).map(|i| format!("(t {i})")).collect::<Vec<_>>();
    let names = Names { facts: texts(7), moves: vec![texts(2), texts(3)] };
    let weights = Weights::random(&shape, 4.0, &mut Rng::new(9));
    NetworkFile::new("game", "by hand", (names, InputKind::Facts), weights)
}

/// The tensors of a file: shapes and numbers.
struct Tensors<'a>(SafeTensors<'a>);

impl Tensors<'_> {
    fn get(&self, name: &str) -> (Vec<usize>, Vec<f32>) {
        let tensor = self.0.tensor(name).unwrap();
        let numbers = tensor.data().as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        (tensor.shape().to_vec(), numbers.collect())
    }

    /// `relu(torch.nn.functional.conv2d(x, weight, bias, padding=1))` on 2 rows and 3 columns.
    fn conv2d(&self, name: &str, x: &[[[f32; 3]; 2]]) -> Vec<[[f32; 3]; 2]> {
        let (shape, weight) = self.get(&format!("{name}.weight"));
        let (_, bias) = self.get(&format!("{name}.bias"));
        assert_eq!(shape, [bias.len(), x.len(), 3, 3]);
        let mut out = vec![[[0.0; 3]; 2]; bias.len()];
        for (filter, out) in out.iter_mut().enumerate() {
            for (i, j) in (0..2_usize).flat_map(|i| (0..3_usize).map(move |j| (i, j))) {
                let mut sum = bias[filter];
                for (plane, cells) in x.iter().enumerate() {
                    for (k, l) in (0..3).flat_map(|k| (0..3).map(move |l| (k, l))) {
                        let row = (i + k).checked_sub(1).and_then(|row| cells.get(row));
                        let cell = (j + l).checked_sub(1).and_then(|column| row?.get(column));
                        let at = ((filter * x.len() + plane) * 3 + k) * 3 + l;
                        sum += weight[at] * cell.copied().unwrap_or(0.0);
                    }
                }
                out[i][j] = sum.max(0.0);
            }
        }
        out
    }

    /// `torch.nn.functional.linear`.
    fn linear(&self, name: &str, x: &[f32]) -> Vec<f32> {
        let (shape, weight) = self.get(&format!("{name}.weight"));
        let (_, bias) = self.get(&format!("{name}.bias"));
        assert_eq!(shape, [bias.len(), x.len()]);
        let rows = weight.chunks_exact(x.len()).zip(bias);
        rows.map(|(row, bias)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>() + bias).collect()
    }
}

#[test]
fn a_program_that_reads_the_tensors_as_pytorch_does_has_the_same_payoffs() {
    let file = file();
    let bytes = file.to_bytes().unwrap();
    let tensors = Tensors(SafeTensors::deserialize(&bytes).unwrap());
    // Facts 1, 4 and 5; the last plane is that of the cells that exist.
    let planes = [
        [[0.0, 1.0, 0.0], [0.0; 3]],
        [[1.0, 1.0, 0.0], [1.0; 3]],
        [[0.0; 3], [1.0, 0.0, 0.0]],
        [[1.0, 1.0, 0.0], [1.0; 3]],
    ];
    let x = tensors.conv2d("board.1", &tensors.conv2d("board.0", &planes));
    let x: Vec<f32> = x.into_iter().flatten().flatten().collect();
    let x: Vec<f32> = tensors.linear("trunk.0", &x).into_iter().map(|x| x.max(0.0)).collect();
    let mut batch = Batch::new(2);
    batch.inputs.push([1, 4, 5]);
    batch.legal.iter_mut().for_each(|lists| lists.push([0, 1]));
    let mut estimates = Estimates::default();
    Network::new(file.weights.clone()).evaluate(&batch, &mut estimates);
    for (role, payoff) in estimates.payoffs.iter().enumerate() {
        let score = tensors.linear(&format!("role.{role}.payoff"), &x)[0];
        assert!(score.abs() > 1e-4, "{score}");
        assert!((payoff - 1.0 / (1.0 + (-score).exp())).abs() < 1e-6, "{role}: {payoff}");
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let file = file();
    assert_eq!(NetworkFile::from_bytes(&file.to_bytes().unwrap()).unwrap(), file);
}

/// Files of networks without convolutions are those of earlier versions.
#[test]
fn files_without_convolutions_say_nothing_of_them() {
    let shape = Shape::shared(2, &[3], &[1]);
    assert_eq!(
        format!("{shape:?}"),
        "Shape { n_inputs: 2, trunk: [3], branches: [Branch { hidden: [], n_moves: 1 }] }"
    );
    let json = r#"{"n_inputs":2,"trunk":[3],"branches":[{"hidden":[],"n_moves":1}]}"#;
    assert_eq!(serde_json::to_string(&shape).unwrap(), json);
    assert_eq!(serde_json::from_str::<Shape>(json).unwrap(), shape);
    let shape = Shape { front: Front::NoBoard, ..shape };
    let json = serde_json::to_string(&shape).unwrap();
    assert_eq!(serde_json::from_str::<Shape>(&json).unwrap(), shape);
}

/// Why a file is refused whose convolutions were changed.
fn refused(change: impl Fn(&mut Convolutions)) -> String {
    let mut file = file();
    let Front::Convolutions(convolutions) = &mut file.header.shape.front else { unreachable!() };
    change(convolutions);
    match NetworkFile::from_bytes(&file.to_bytes().unwrap()).unwrap_err() {
        FileError::Invalid(why) => why,
        FileError::Io(error) => panic!("{error}"),
    }
}

#[test]
fn damaged_boards_are_refused_with_the_reason() {
    type Change = fn(&mut Convolutions);
    let changes: [(Change, &str); 11] = [
        (|c| c.board.columns = 0, "its board has 0 x 2 cells"),
        (|c| c.board.rows = usize::MAX, "its board has 3 x 18446744073709551615 cells"),
        (|c| c.board.columns = 2, "plane 0 has 6 cells on a board of 2 x 2"),
        (|c| c.board.planes[1] = Plane::Everywhere(3), "its planes show input 3 twice"),
        (|c| c.board.planes[1] = Plane::Everywhere(7), "plane 1 shows input 7"),
        (|c| drop(c.board.planes.remove(1)), "no plane shows its input 4"),
        (|c| c.board.planes.clear(), "no plane shows its input 0"),
        (|c| c.filters.clear(), "an empty layer"),
        (|c| c.filters[1] = 0, "an empty layer"),
        (|c| c.filters[1] = usize::MAX, "more than 1073741824 parameters"),
        (
            |c| c.filters[1] = 8,
            "its tensor `board.1.weight` is F32 [4, 5, 3, 3], not F32 [8, 5, 3, 3]",
        ),
    ];
    for (change, why) in changes {
        let found = refused(change);
        assert!(found.contains(why), "{found}");
    }
}
