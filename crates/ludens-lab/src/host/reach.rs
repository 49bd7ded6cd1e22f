//! Checks that players listen before any match is played: matches without them would stay in the journal.

use std::time::Duration;

use ludens_protocol::{Address, AskError, PlayerInfo, Request, ask};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::named_player::NamedPlayer;
use crate::hinted::Hinted;

/// How long a player may take to answer `INFO`. A busy one may answer later and still play.
const INFO_TIMEOUT: Duration = Duration::from_secs(1);

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends INFO to all players at the same time, and returns the name that each states, if it does; an error
/// names the addresses that do not respond.
pub async fn reach(players: &[NamedPlayer]) -> anyhow::Result<Vec<Option<String>>> {
    let mut asked = JoinSet::new();
    for (idx, player) in players.iter().cloned().enumerate() {
        asked.spawn(async move { (idx, stated_name(&player.address).await) });
    }
    let mut answers = asked.join_all().await;
    answers.sort_unstable_by_key(|(idx, _)| *idx);
    let absent = answers.iter().filter(|(_, answer)| answer.is_err());
    let absent: Vec<String> = absent.map(|(idx, _)| players[*idx].address.to_string()).collect();
    if absent.is_empty() {
        return Ok(answers.into_iter().map(|(_, name)| name.ok().flatten()).collect());
    }
    let message = format!("no player listens on {}", absent.join(" and "));
    Err(Hinted::new(message, "`ludens player` starts one").into())
}

/// Nobody listens.
struct Absent;

/// The name in the answer to INFO, if there is one.
async fn stated_name(player: &Address) -> Result<Option<String>, Absent> {
    match ask(player, Request::Info.to_string(), INFO_TIMEOUT).await {
        Ok(answer) => Ok(PlayerInfo::read(&answer).name),
        Err(AskError::Late) => Ok(None),
        Err(AskError::Connection) if listens(player).await => Ok(None),
        Err(AskError::Connection) => Err(Absent),
    }
}

/// Whether connections are accepted: a player may accept and break them.
async fn listens(player: &Address) -> bool {
    let place = (player.host.trim_matches(['[', ']']), player.port);
    timeout(CONNECT_TIMEOUT, TcpStream::connect(place)).await.is_ok_and(|stream| stream.is_ok())
}
