//! Checks that players listen before any match is played: matches without them would stay in the journal.

use std::time::Duration;

use ludens_protocol::{Address, AskError, Request, ask};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::hinted::Hinted;

/// How long a player may take to answer `INFO`. A busy one may answer later and still play.
const INFO_TIMEOUT: Duration = Duration::from_secs(1);

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends INFO to all players at the same time; an error names the addresses that do not respond.
pub async fn reach(players: &[Address]) -> anyhow::Result<()> {
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
    let message = format!("no player listens on {}", absent.join(" and "));
    Err(Hinted::new(message, "`ludens player` starts one").into())
}

/// Whether connections are accepted, whatever the answer.
async fn listens(player: &Address) -> bool {
    if ask(player, Request::Info.to_string(), INFO_TIMEOUT).await != Err(AskError::Connection) {
        return true;
    }
    // A player may accept connections and break them.
    let place = (player.host.trim_matches(['[', ']']), player.port);
    timeout(CONNECT_TIMEOUT, TcpStream::connect(place)).await.is_ok_and(|stream| stream.is_ok())
}
