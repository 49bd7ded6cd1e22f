//! Each role of a match needs a player of its own, unless players are to share them.

use ludens_arena::schedule::{Pairing, Slot};
use ludens_protocol::{Address, player_of_several_roles};

use super::HostSettings;
use crate::hinted::Hinted;

/// Refuses matches in which a player has several roles, and players that are named twice.
pub(super) fn check_roles(host: &HostSettings, game: &str, slots: &[Slot]) -> Result<(), Hinted> {
    let players: Vec<Option<Address>> =
        host.players.iter().map(|player| Some(player.address.clone())).collect();
    if let Some(twice) = player_of_several_roles(&players) {
        let message = format!("{twice} is named twice: a player can have one role of a match");
        let hint = "start another player on another port, such as `ludens player --port 9148`";
        return Err(Hinted::new(message, hint));
    }
    if host.pairing == Pairing::Pairs {
        return Ok(());
    }
    for slot in slots {
        // The role that moves at random has a number beyond the players.
        let seated: Vec<_> =
            slot.seats.iter().map(|&seat| players.get(seat).cloned().flatten()).collect();
        if let Some(player) = player_of_several_roles(&seated) {
            let (n_roles, n_players) = (seated.iter().flatten().count(), host.players.len());
            let message = format!(
                "{player} would have several roles of a match: {game} needs {n_roles} players, not {n_players}"
            );
            let hint = "start a player for each role, such as `ludens player --port 9148`; with --pairs, one or \
                        two players share the roles, if they can play several matches at the same time";
            return Err(Hinted::new(message, hint));
        }
    }
    Ok(())
}
