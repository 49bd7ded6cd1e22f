//! Checkpoints: everything from which a training continues, in one file.
//!
//! Large arrays are tensors of a safetensors file; the rest is JSON in its metadata. The trees of games in
//! progress are not saved: they are discarded whenever a checkpoint is made, so that a training that was
//! interrupted ends with the same network as one that was not.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Game, Rng};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::file::FileError;
use crate::learner::{AnyLearner, Iteration, Learner};
use crate::replay::Replay;
use crate::self_play::{Played, SavedTable};
use crate::trainer::Trainer;

/// The name of the format.
const SCHEMA: &str = "ludens/checkpoint/3";

/// The key of the header in the metadata.
const KEY: &str = "ludens";

/// What is not a large array.
#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    /// The settings on which the games in progress depend.
    settings: String,
    n_made: u64,
    /// The positions made in recent iterations.
    recent: Vec<u64>,
    played: Played,
    n_iterations: u64,
    playing: Duration,
    training: Duration,
    n_steps: u64,
    /// The state of the trainer's random numbers.
    rng: [u64; 4],
    replay_at: usize,
    /// How far playouts are trusted beside the network.
    evidence: Evidence,
    /// The games in progress of each group.
    groups: Vec<Vec<SavedTable>>,
}

/// What a checkpoint says besides weights and records.
pub(crate) struct Saved {
    /// The state of the training.
    pub state: Iteration,
    /// The positions made in each of the recent iterations.
    pub recent: Vec<u64>,
    /// How far playouts are trusted beside the network.
    pub evidence: Evidence,
    /// The games in progress of each group.
    pub groups: Vec<Vec<SavedTable>>,
}

/// Makes a checkpoint, and discards all trees.
pub(crate) fn save<G: Game>(learner: &mut Learner<G>) -> Result<Vec<u8>, FileError> {
    let seeds = learner.group_seeds();
    let groups = learner.groups.iter_mut().zip(seeds).map(|(group, seed)| group.save(seed));
    let groups = groups.collect();
    let evidence = learner.weighing.as_ref().map_or(Evidence::default(), |own| own.evidence);
    let saved = Saved { groups, recent: learner.recent.clone(), evidence, state: learner.state() };
    pack(settings(learner), saved, &learner.trainer, &learner.replay)
}

/// The contents of a checkpoint.
pub(crate) fn pack(
    settings: String,
    saved: Saved,
    trainer: &Trainer,
    replay: &Replay,
) -> Result<Vec<u8>, FileError> {
    let Saved { state, recent, evidence, groups } = saved;
    let header = Header {
        schema: SCHEMA.to_owned(),
        settings,
        n_made: state.n_made,
        recent,
        played: state.played,
        n_iterations: state.n_iterations,
        playing: state.playing,
        training: state.training,
        n_steps: trainer.n_steps(),
        rng: trainer.rng.state(),
        replay_at: replay.at,
        evidence,
        groups,
    };
    let floats = [
        ("weights", &trainer.weights.values),
        ("average", &trainer.average.values),
        ("adam.means", &trainer.adam.means),
        ("adam.squares", &trainer.adam.squares),
    ];
    let mut tensors: Vec<(&str, Dtype, usize, Vec<u8>)> = floats
        .iter()
        .map(|(name, values)| (*name, Dtype::F32, values.len(), bytes(values, f32::to_le_bytes)))
        .collect();
    let words = bytes(&replay.words, u16::to_le_bytes);
    tensors.push(("replay.words", Dtype::U16, replay.words.len(), words));
    let records: Vec<u64> =
        replay.records.iter().flat_map(|&(start, len)| [start as u64, u64::from(len)]).collect();
    let contents = bytes(&records, u64::to_le_bytes);
    tensors.push(("replay.records", Dtype::U64, records.len(), contents));
    let mut views = Vec::with_capacity(tensors.len());
    for (name, dtype, len, bytes) in &tensors {
        let view = TensorView::new(*dtype, vec![*len], bytes).map_err(|error| invalid(&error))?;
        views.push((*name, view));
    }
    let header = serde_json::to_string(&header).map_err(|error| invalid(&error))?;
    let metadata = HashMap::from([(KEY.to_owned(), header)]);
    safetensors::serialize(views, Some(metadata)).map_err(|error| invalid(&error))
}

/// Continues from a checkpoint. After an error the learner must not be used.
pub(crate) fn restore<G: Game>(learner: &mut Learner<G>, bytes: &[u8]) -> Result<(), FileError> {
    let (settings, replay_bytes) = (settings(learner), learner.settings.replay_bytes);
    let (saved, replay) = unpack(bytes, &settings, &mut learner.trainer, replay_bytes)?;
    let Saved { state, recent, evidence, groups } = saved;
    if let Some(weighing) = &mut learner.weighing {
        weighing.evidence = evidence;
    }
    learner.set_shares();
    (learner.replay, learner.recent) = (replay, recent);
    (learner.n_made, learner.played) = (state.n_made, state.played);
    learner.n_iterations = state.n_iterations;
    (learner.playing, learner.training) = (state.playing, state.training);
    let seeds = learner.group_seeds();
    if groups.len() != learner.groups.len() {
        return Err(damaged());
    }
    for ((group, saved), seed) in learner.groups.iter_mut().zip(groups).zip(seeds) {
        if !group.restore(saved, seed) {
            return Err(damaged());
        }
    }
    learner.publish();
    Ok(())
}

/// Reads a checkpoint that was made with these settings into a trainer. Returns the rest, and the replay
/// buffer. After an error the trainer must not be used.
pub(crate) fn unpack(
    bytes: &[u8],
    settings: &str,
    trainer: &mut Trainer,
    replay_bytes: usize,
) -> Result<(Saved, Replay), FileError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|_| damaged())?;
    let text = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
    let header: Header =
        serde_json::from_str(text.ok_or_else(damaged)?).map_err(|error| invalid(&error))?;
    if header.schema != SCHEMA {
        let why = format!("the format of the checkpoint is `{}`, not `{SCHEMA}`", header.schema);
        return Err(FileError::Invalid(why));
    }
    if header.settings != settings {
        let why = "the checkpoint was made with another network or other settings";
        return Err(FileError::Invalid(why.to_owned()));
    }
    let tensors = SafeTensors::deserialize(bytes).map_err(|_| damaged())?;
    let floats = |name: &str| numbers(&tensors, name, Dtype::F32, f32::from_le_bytes);
    let n = trainer.weights.values.len();
    let values = |name: &str| floats(name).filter(|values| values.len() == n).ok_or_else(damaged);
    let mut weights = (*trainer.weights).clone();
    weights.values = values("weights")?;
    Arc::make_mut(&mut trainer.average).values = values("average")?;
    trainer.adam.means = values("adam.means")?;
    trainer.adam.squares = values("adam.squares")?;
    trainer.weights = weights.into();
    trainer.n_steps = header.n_steps;
    trainer.adam.n_steps = header.n_steps;
    trainer.rng = Rng::from_state(header.rng);
    let words = numbers(&tensors, "replay.words", Dtype::U16, u16::from_le_bytes);
    let records = numbers(&tensors, "replay.records", Dtype::U64, u64::from_le_bytes);
    let (words, records) = words.zip(records).ok_or_else(damaged)?;
    let record = |pair: &[u64; 2]| Some((usize::try_from(pair[0]).ok()?, pair[1].try_into().ok()?));
    let records: Option<VecDeque<_>> = records.as_chunks().0.iter().map(record).collect();
    let at = header.replay_at;
    let replay = records.and_then(|records| Replay::restore(replay_bytes, words, at, records));
    let state = Iteration {
        n_iterations: header.n_iterations,
        played: header.played,
        n_made: header.n_made,
        n_steps: header.n_steps,
        playing: header.playing,
        training: header.training,
        share: header.evidence.share(),
        losses: None,
        gate: None,
    };
    let Header { recent, groups, evidence, .. } = header;
    let saved = Saved { state, recent, evidence, groups };
    Ok((saved, replay.ok_or_else(damaged)?))
}

fn damaged() -> FileError {
    FileError::Invalid("the checkpoint is damaged".to_owned())
}

/// Everything that a checkpoint depends on, as text. The number of threads does not matter.
fn settings<G: Game>(learner: &Learner<G>) -> String {
    let settings = crate::Learning { n_threads: 1, ..learner.settings.clone() };
    format!("{settings:?} {:?}", learner.trainer.weights.shape)
}

fn bytes<T: Copy, const N: usize>(values: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| to_bytes(value)).collect()
}

fn numbers<T, const N: usize>(
    tensors: &SafeTensors<'_>,
    name: &str,
    dtype: Dtype,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let tensor = tensors.tensor(name).ok().filter(|tensor| tensor.dtype() == dtype)?;
    Some(tensor.data().as_chunks().0.iter().map(|bytes| from_bytes(*bytes)).collect())
}

fn invalid(error: &dyn std::fmt::Display) -> FileError {
    FileError::Invalid(error.to_string())
}
