//! Fixed seats: the first agent has the same roles in every game.
//!
//! Without them agents take all seats in turn, which measures agents; asymmetric games and teams are also
//! measured role by role.

use ludens_catalog::nearest;

use crate::hinted::Hinted;

/// The agent in each role, if the first one has some of them and the second one all others.
pub fn fixed_seats(roles: &[String], of_first: &[String]) -> Result<Vec<usize>, Hinted> {
    if let Some(unknown) = of_first.iter().find(|name| !roles.contains(name)) {
        let hint = match nearest(unknown, roles.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("its roles are {}", roles.join(", ")),
        };
        return Err(Hinted::new(format!("the game has no role `{unknown}`"), hint));
    }
    Ok(roles.iter().map(|role| usize::from(!of_first.contains(role))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_agent_has_the_named_roles() {
        let roles = ["pacman", "blinky", "inky"].map(str::to_owned);
        let seats = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            fixed_seats(&roles, &names)
        };
        assert_eq!(seats(&["pacman"]), Ok(vec![0, 1, 1]));
        assert_eq!(seats(&["inky", "blinky"]), Ok(vec![1, 0, 0]));
        assert_eq!(seats(&["pacman", "blinky", "inky"]), Ok(vec![0, 0, 0]));
        let error = seats(&["blinki"]).unwrap_err();
        assert_eq!(error.to_string(), "the game has no role `blinki`");
        assert_eq!(error.hint(), "did you mean `blinky`?");
        assert_eq!(seats(&["x"]).unwrap_err().hint(), "its roles are pacman, blinky, inky");
    }
}
