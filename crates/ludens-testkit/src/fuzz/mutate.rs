//! Random mutations of real texts.

use ludens_core::Rng;

use super::structure;

/// Bytes that are meaningful to the parser, and some that are invalid.
const TOKENS: [&[u8]; 18] = [
    b"(",
    b")",
    b"?",
    b";",
    b"\n",
    b" ",
    b"\0",
    b"\xff",
    b"\xc3",
    "ü".as_bytes(),
    b"<=",
    b"(not ",
    b"(or ",
    b"(distinct ",
    b"(true ",
    b"|",
    b"\"",
    b"\r",
];

/// Texts longer than this are truncated.
const MAX_BYTES: usize = 1 << 20;

/// The test case with this number, derived from the seeds.
pub fn case(seeds: &[String], seed: u64, number: u64) -> Vec<u8> {
    let mut rng = Rng::stream(seed, &[number]);
    let mut bytes = if seeds.is_empty() || rng.below(20) == 0 {
        extreme(&mut rng)
    } else {
        mutated(seeds, &mut rng)
    };
    bytes.truncate(MAX_BYTES);
    bytes
}

/// The mutant with this number: rules in which one to three parts are deleted, duplicated, swapped, replaced
/// by a keyword or by a part of these or other rules, or wrapped. Parentheses stay balanced, so that most
/// mutants can be played. The shorter of two seeds is mutated: more mutants of small games can be compared in
/// the same time, and a part that changes the meaning is found in them more often.
pub fn mutant(seeds: &[String], seed: u64, number: u64) -> String {
    let mut rng = Rng::stream(seed, &[number]);
    let mut draw = || &seeds[rng.below(seeds.len())];
    let (other, first, second) = (draw(), draw(), draw());
    let mut text = if first.len() <= second.len() { first } else { second }.clone();
    for _ in 0..=rng.below(3) {
        text = structure::mutate(&text, other, &mut rng);
    }
    text
}

fn mutated(seeds: &[String], rng: &mut Rng) -> Vec<u8> {
    let mut text = seeds[rng.below(seeds.len())].clone();
    // Mostly whole subtrees are mutated: texts that cannot be parsed do not reach later stages.
    if rng.below(4) > 0 {
        let other = &seeds[rng.below(seeds.len())];
        for _ in 0..=rng.below(6) {
            text = structure::mutate(&text, other, rng);
        }
    }
    let mut bytes = text.into_bytes();
    if rng.below(3) == 0 {
        for _ in 0..=rng.below(4) {
            change_bytes(&mut bytes, rng);
        }
    }
    bytes
}

fn change_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    let end = (at + rng.below(40)).min(bytes.len());
    match rng.below(6) {
        0 => drop(bytes.drain(at..end)),
        1 => drop(bytes.splice(at..at, TOKENS[rng.below(TOKENS.len())].iter().copied())),
        2 => bytes.truncate(at),
        3 => {
            let copied = bytes[at..end].repeat(1 + rng.below(200));
            bytes.splice(at..at, copied);
        }
        4 => bytes[at..end].fill(rng.next_u64() as u8),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
    }
}

/// Texts that mutations do not produce: very deep, very long, very wide.
fn extreme(rng: &mut Rng) -> Vec<u8> {
    let size = 1 << rng.below(17);
    let text = match rng.below(9) {
        0 => "(".repeat(size),
        1 => ")".repeat(size),
        2 => format!("{}{}", "(f ".repeat(size), ")".repeat(size)),
        3 => format!("(role r) (<= p {} q {})", "(not ".repeat(size), ")".repeat(size)),
        4 => format!("(role r) (<= p {})", "(or a b) ".repeat(size.min(1000))),
        5 => format!("(role r) (legal r {})", "x".repeat(size)),
        6 => format!("(role r) (<= (legal r m) (q {}))", numbered("?v", size)),
        7 => format!("(role r) (init (f {}))", numbered("c", size)),
        _ => return (0..size).map(|_| rng.next_u64() as u8).collect(),
    };
    text.into_bytes()
}

fn numbered(prefix: &str, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("{prefix}{number}")).collect();
    names.join(" ")
}
