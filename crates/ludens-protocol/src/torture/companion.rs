//! Matches that are played over and over while the player is put through something else. Not one move
//! of them may be lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::game::Wording;
use super::play::{Course, Match};
use super::report::{Grade, Notes};
use super::subject::Subject;

/// How the matches went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Company {
    /// How many were played.
    pub matches: u32,
    /// How often a match could not begin because the player was busy. That is no fault as long as it
    /// begins later: one who plays a single match at a time may have been given another one.
    pub refused: u32,
    /// Moves, losses and times of all of them together.
    pub course: Course,
}

impl Company {
    /// Notes how they went.
    pub(super) fn settle(&self, notes: &mut Notes) {
        notes.observe(format!("{} matches meanwhile", self.matches));
        self.course.settle(notes);
        notes.demand(Grade::Required, self.matches > 0, || {
            "no match could begin: START was always refused".into()
        });
    }
}

/// Somebody who plays meanwhile.
pub struct Companion {
    enough: Arc<AtomicBool>,
    finished: Arc<AtomicU32>,
    playing: JoinHandle<Company>,
}

/// A breath between two moves, so that a player that answers at once is not flooded by this alone.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a player may be busy with something else.
const MAX_BUSY: Duration = Duration::from_secs(20);

impl Companion {
    /// Begins to play; returns when the first match has begun.
    pub async fn begin(subject: Arc<Subject>) -> Self {
        let (enough, finished) = (Arc::<AtomicBool>::default(), Arc::<AtomicU32>::default());
        let (begun, has_begun) = oneshot::channel();
        let (stop, count) = (Arc::clone(&enough), Arc::clone(&finished));
        let playing = tokio::spawn(async move { play(&subject, &stop, &count, begun).await });
        // Without a beginning there is an end, which tells why.
        let _ = has_begun.await;
        Companion { enough, finished, playing }
    }

    /// Whether a whole match is over, or there will be none.
    pub fn has_finished_one(&self) -> bool {
        self.finished.load(Ordering::Relaxed) > 0 || self.playing.is_finished()
    }

    /// Plays the present match to its end, and says how all went.
    pub async fn end(self) -> Company {
        self.enough.store(true, Ordering::Relaxed);
        self.playing.await.unwrap_or_default()
    }
}

async fn play(
    subject: &Subject,
    enough: &AtomicBool,
    finished: &AtomicU32,
    begun: oneshot::Sender<()>,
) -> Company {
    let (mut company, mut begun) = (Company::default(), Some(begun));
    let mut busy_since = Instant::now();
    while company.matches == 0 || !enough.load(Ordering::Relaxed) {
        let role = company.matches as usize % 2;
        let Some(mut game) = Match::start(subject, Wording::plain(), role).await else {
            company.refused += 1;
            if busy_since.elapsed() > MAX_BUSY {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Nobody waits after the first time.
        let _ = begun.take().map(|begun| begun.send(()));
        while !game.game.is_over() {
            game.step(false).await;
            tokio::time::sleep(PAUSE).await;
        }
        game.stop().await;
        let hopeless = game.course.lost.len() as u32 >= game.course.moves;
        company.matches += 1;
        company.course.add(game.course);
        finished.fetch_add(1, Ordering::Relaxed);
        if hopeless {
            break;
        }
        busy_since = Instant::now();
    }
    company
}
