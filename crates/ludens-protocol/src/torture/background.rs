//! Matches in the background of a trial. The player must not lose a move in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::game::Wording;
use super::play::{Match, MatchStats};
use super::report::Notes;
use super::subject::Subject;

/// The matches in the background of a trial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BackgroundMatches {
    /// The number of matches.
    pub matches: u32,
    /// How often START was refused because the player was busy. That is not a fault as long as a
    /// match starts later: a player with one match at a time may have another one.
    pub refused: u32,
    /// Statistics of all matches together.
    pub stats: MatchStats,
}

impl BackgroundMatches {
    /// Adds the matches to the notes.
    pub(super) fn report(&self, notes: &mut Notes) {
        notes.observe(format!("{} matches meanwhile", self.matches));
        self.stats.report(notes);
    }
}

/// Plays matches in the background.
pub struct BackgroundPlay {
    enough: Arc<AtomicBool>,
    finished: Arc<AtomicU32>,
    playing: JoinHandle<BackgroundMatches>,
}

/// A pause between moves, so that a player that answers at once is not flooded.
const PAUSE: Duration = Duration::from_millis(20);

impl BackgroundPlay {
    /// Starts to play, and returns when the first match has started; `None` if START is always refused.
    pub async fn begin(subject: Arc<Subject>) -> Option<Self> {
        let (enough, finished) = (Arc::<AtomicBool>::default(), Arc::<AtomicU32>::default());
        let (begun, has_begun) = oneshot::channel();
        let (stop, count) = (Arc::clone(&enough), Arc::clone(&finished));
        let playing = tokio::spawn(async move { play(&subject, &stop, &count, begun).await });
        has_begun.await.ok()?;
        Some(BackgroundPlay { enough, finished, playing })
    }

    /// Whether a match has ended, or none will.
    pub fn has_finished_one(&self) -> bool {
        self.finished.load(Ordering::Relaxed) > 0 || self.playing.is_finished()
    }

    /// Finishes the current match.
    pub async fn end(self) -> BackgroundMatches {
        self.enough.store(true, Ordering::Relaxed);
        self.playing.await.unwrap_or_default()
    }
}

async fn play(
    subject: &Subject,
    enough: &AtomicBool,
    finished: &AtomicU32,
    begun: oneshot::Sender<()>,
) -> BackgroundMatches {
    let (mut played, mut begun) = (BackgroundMatches::default(), Some(begun));
    let mut busy_since = Instant::now();
    while played.matches == 0 || !enough.load(Ordering::Relaxed) {
        let role = played.matches as usize % 2;
        let Some(mut game) = Match::start(subject, Wording::plain(), role).await else {
            played.refused += 1;
            if busy_since.elapsed() > subject.options.most_busy {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Only the first start is awaited.
        let _ = begun.take().map(|begun| begun.send(()));
        while !game.game.is_over() {
            game.step(false).await;
            tokio::time::sleep(PAUSE).await;
        }
        game.stop().await;
        let hopeless = game.stats.lost.len() as u32 >= game.stats.moves;
        played.matches += 1;
        played.stats.add(game.stats);
        finished.fetch_add(1, Ordering::Relaxed);
        if hopeless {
            break;
        }
        busy_since = Instant::now();
    }
    played
}
