//! Whether players are there, before anything is played: matches with nobody would stay in the journal for good.

use std::time::Duration;

use ludens_protocol::{Address, AskError, Request, ask};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::failure::Hinted;

/// How long a player may take to say who it is. One that is busy with something else may answer later, and plays.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Asks all players at the same time who they are; an error if nobody listens where one should be.
pub(super) async fn reach(players: &[Address]) -> anyhow::Result<()> {
    let mut asked = JoinSet::new();
    for (idx, player) in players.iter().cloned().enumerate() {
        asked.spawn(async move { (!listens(&player).await).then_some(idx) });
    }
    let mut absent: Vec<usize> = asked.join_all().await.into_iter().flatten().collect();
    absent.sort_unstable();
    if absent.is_empty() {
        return Ok(());
    }
    let absent: Vec<String> = absent.iter().map(|&idx| players[idx].to_string()).collect();
    let message = format!("nobody listens on {}", absent.join(" and "));
    Err(Hinted::new(message, "`ludens player` starts one").into())
}

/// Whether somebody takes connections there, whatever is answered.
async fn listens(player: &Address) -> bool {
    if ask(player, Request::Info.to_string(), PATIENCE).await != Err(AskError::Connection) {
        return true;
    }
    // Somebody may be there who breaks connections.
    let place = (player.host.trim_matches(['[', ']']), player.port);
    timeout(CONNECT, TcpStream::connect(place)).await.is_ok_and(|stream| stream.is_ok())
}
