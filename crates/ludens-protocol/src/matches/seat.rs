//! The thread of a player in one match.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

use ludens_core::{Draft, MoveText, Player, PlayerError, Setup, guard};
use tokio::sync::oneshot;

/// Whether a player is ready, as soon as it is known.
pub(super) type Ready = oneshot::Receiver<Result<(), PlayerError>>;

/// The move of a player, as soon as it is chosen.
pub(super) type Chosen = oneshot::Receiver<Result<MoveText, PlayerError>>;

/// A player on its own thread. Dropping it stops the player.
pub(super) struct Seat {
    commands: Sender<Command>,
    /// Ends pondering.
    called: Arc<AtomicBool>,
    /// Holds the player's best move so far.
    pub(super) draft: Draft,
}

/// A message to the thread.
enum Command {
    Start {
        setup: Setup,
        deadline: Instant,
        done: oneshot::Sender<Result<(), PlayerError>>,
    },
    Play {
        last: Vec<MoveText>,
        deadline: Instant,
        done: oneshot::Sender<Result<MoveText, PlayerError>>,
    },
    Stop {
        last: Vec<MoveText>,
    },
}

impl Seat {
    /// Starts the thread of a player and lets it prepare; `None` if there is no thread.
    pub(super) fn new(
        player: Box<dyn Player>,
        setup: &Setup,
        deadline: Instant,
    ) -> Option<(Self, Ready)> {
        let (commands, inbox) = channel();
        let (draft, called) = (player.draft(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&called);
        std::thread::Builder::new().spawn(move || run(player, &inbox, &flag)).ok()?;
        let (done, ready) = oneshot::channel();
        let seat = Seat { commands, called, draft };
        seat.send(Command::Start { setup: setup.clone(), deadline, done })?;
        Some((seat, ready))
    }

    /// Requests a move; `None` if the thread has ended.
    pub(super) fn play(&self, last: Vec<MoveText>, deadline: Instant) -> Option<Chosen> {
        let (done, chosen) = oneshot::channel();
        self.send(Command::Play { last, deadline, done })?;
        Some(chosen)
    }

    /// Notifies the player that the match has ended.
    pub(super) fn stop(&self, last: Vec<MoveText>) {
        // A thread that has ended needs no message.
        let _ = self.send(Command::Stop { last });
    }

    /// `None` if the thread has ended.
    fn send(&self, command: Command) -> Option<()> {
        self.commands.send(command).ok()?;
        self.called.store(true, Ordering::SeqCst);
        Some(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.draft.stop();
        self.called.store(true, Ordering::SeqCst);
    }
}

/// Executes commands until their sender is dropped, and lets the player ponder between them. After a panic
/// there is no answer, but the match continues.
fn run(mut player: Box<dyn Player>, inbox: &Receiver<Command>, called: &Arc<AtomicBool>) {
    let draft = player.draft();
    loop {
        // A command is sent, or the draft stopped, before the flag is set. So it is seen here, or the flag
        // ends pondering.
        called.store(false, Ordering::SeqCst);
        let mut command = inbox.try_recv().map_err(|error| error == TryRecvError::Empty);
        if command.as_ref().is_err_and(|&waits| waits) {
            if !draft.is_stopped() {
                let _ = guard(|| player.ponder(called));
            }
            command = inbox.recv().map_err(|_| false);
        }
        let Ok(command) = command else { return };
        let _ = guard(|| execute(&mut *player, command));
    }
}

fn execute(player: &mut dyn Player, command: Command) {
    // The receiver of an answer may have been dropped.
    match command {
        Command::Start { setup, deadline, done } => {
            let _ = done.send(player.start(&setup, deadline));
        }
        Command::Play { last, deadline, done } => {
            player.draft().take_up();
            let _ = done.send(player.play(&last, deadline));
        }
        Command::Stop { last } => player.stop(&last),
    }
}
