//! The start of a match: a player that does not accept START does not play.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::sleep;

use super::played::Fault;
use crate::client::{Address, AskError, ask};

/// The pause before START is sent again to a player that refused it.
const RETRY_PAUSE: Duration = Duration::from_millis(250);

/// START for a player.
pub(super) struct Invitation {
    /// The index of its role.
    pub idx: usize,
    pub player: Address,
    pub message: String,
}

/// Sends START to all players at the same time; the result is the fault of each of `n_roles` roles.
pub(super) async fn invite(
    invitations: Vec<Invitation>,
    n_roles: usize,
    (clock, grace): (Duration, Duration),
) -> Vec<Fault> {
    let mut pending = JoinSet::new();
    for Invitation { idx, player, message } in invitations {
        pending.spawn(async move { (idx, insist(&player, &message, clock, grace).await) });
    }
    let mut faults = vec![Fault::None; n_roles];
    while let Some(Ok((idx, fault))) = pending.join_next().await {
        faults[idx] = fault;
    }
    faults
}

/// Sends START, and again within the clock while the player refuses it: it may still be leaving another
/// match.
async fn insist(player: &Address, message: &str, clock: Duration, grace: Duration) -> Fault {
    let begun = Instant::now();
    loop {
        let fault = fault_of(ask(player, message.to_owned(), clock + grace).await);
        let is_final = matches!(fault, Fault::None | Fault::Late);
        if is_final || begun.elapsed() + RETRY_PAUSE > clock {
            return fault;
        }
        sleep(RETRY_PAUSE).await;
    }
}

/// Any words but `busy` accept START, as hosts of the competition read them.
fn fault_of(answer: Result<String, AskError>) -> Fault {
    match answer {
        Err(error) => error.into(),
        Ok(text) if text.is_empty() || text.eq_ignore_ascii_case("busy") => Fault::Refused(text),
        Ok(_) => Fault::None,
    }
}
