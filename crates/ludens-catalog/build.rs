//! Embeds the library anew when a game is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=../../games");
}
