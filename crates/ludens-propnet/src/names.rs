//! Finds fluents and moves by text, in any spelling.

use ludens_core::Move;
use ludens_gdl::ast::Term;
use ludens_gdl::{Symbols, parse_term};
use rustc_hash::FxHashMap;

use crate::network::Network;

/// Maps texts to fluents and moves. `p` and `(p)` are the same, and case does not matter.
pub(crate) struct Names {
    fluents: FxHashMap<String, u32>,
    moves: FxHashMap<String, Move>,
}

impl Names {
    pub(crate) fn new(network: &Network) -> Self {
        let keys = |texts: &[String]| -> Vec<String> {
            texts.iter().map(|t| key(t).unwrap_or_default()).collect()
        };
        Names {
            fluents: keys(&network.fluents).into_iter().zip(0..).collect(),
            moves: keys(&network.moves).into_iter().zip((0..).map(Move)).collect(),
        }
    }

    pub(crate) fn fluent(&self, text: &str) -> Option<usize> {
        self.fluents.get(&key(text)?).map(|&fluent| fluent as usize)
    }

    pub(crate) fn find_move(&self, text: &str) -> Option<Move> {
        self.moves.get(&key(text)?).copied()
    }
}

/// The canonical text of a ground term.
fn key(text: &str) -> Option<String> {
    let (term, words) = parse_term(text)?;
    let mut out = String::new();
    write_key(&term, &words, &mut out).then_some(out)
}

fn write_key(term: &Term, words: &Symbols, out: &mut String) -> bool {
    match term {
        Term::Variable(_) => return false,
        Term::Constant(name) => out.push_str(words.text(name.symbol)),
        Term::Function { name, args, .. } if args.is_empty() => {
            out.push_str(words.text(name.symbol));
        }
        Term::Function { name, args, .. } => {
            out.push('(');
            out.push_str(words.text(name.symbol));
            for arg in args {
                out.push(' ');
                if !write_key(arg, words, out) {
                    return false;
                }
            }
            out.push(')');
        }
    }
    true
}
