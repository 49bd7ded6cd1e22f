//! Tiny games whose best moves are known.

use std::sync::OnceLock;

use ludens_core::{Game, Move, Role, View};

/// Three roles bid 0, 1 or 2 at the same time. Role 0 wins with 2 whatever the others do;
/// role 1 wins if it bids 1; role 2 has only one bid.
pub struct Bid;

impl Game for Bid {
    type State = Option<[u32; 3]>;

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| ["a", "b", "c"].map(String::from).to_vec())
    }

    fn initial(&self) -> Self::State {
        None
    }

    fn look(&self, state: &Self::State, view: &mut View) {
        view.clear(3);
        view.terminal = state.is_some();
        let Some([a, b, _]) = state else {
            for (role_idx, legal) in view.legal.iter_mut().enumerate() {
                legal.extend((0..if role_idx == 2 { 1 } else { 3 }).map(Move));
            }
            return;
        };
        view.pay(Role(0), if *a == 2 { 1.0 } else { 0.0 });
        view.pay(Role(1), if *b == 1 { 1.0 } else { 0.3 });
        view.pay(Role(2), 0.5);
    }

    fn play(&self, state: &mut Self::State, joint: &[Move]) {
        *state = Some([joint[0].0, joint[1].0, joint[2].0]);
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Self::State) -> Vec<String> {
        state.iter().map(|[a, b, c]| format!("(bids {a} {b} {c})")).collect()
    }
}

/// Nim with one heap: two roles take 1 to 3 in turn, the other one has a `noop` (0); who takes
/// the last one wins.
pub struct Nim(pub u32);

impl Game for Nim {
    type State = (u32, usize);

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| ["first", "second"].map(String::from).to_vec())
    }

    fn initial(&self) -> Self::State {
        (self.0, 0)
    }

    fn look(&self, &(heap, mover): &Self::State, view: &mut View) {
        view.clear(2);
        view.terminal = heap == 0;
        if view.terminal {
            view.pay(Role(1 - mover as u8), 1.0);
            view.pay(Role(mover as u8), 0.0);
            return;
        }
        view.legal[Role(mover as u8)].extend((1..=heap.min(3)).map(Move));
        view.legal[Role(1 - mover as u8)].push(Move(0));
    }

    fn play(&self, (heap, mover): &mut Self::State, joint: &[Move]) {
        *heap -= joint[*mover].0;
        *mover = 1 - *mover;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Self::State) -> Vec<String> {
        vec![format!("(heap {} {})", state.0, state.1)]
    }
}
