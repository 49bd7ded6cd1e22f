//! The game of all trials. Two roles say a word at the same time, four times, and every move repeats
//! the words of the previous step in role order: a player that missed or mixed up the last moves has
//! no legal move. There are three legal moves at every step, so that players think.

use ludens_core::Rng;
use ludens_gdl::Scrambler;

use crate::expression::Expression;

/// The number of steps of a match.
pub const STEPS: u32 = 4;

const ROLES: [&str; 2] = ["left", "right"];
const WORDS: [&str; 3] = ["paper", "stone", "blade"];
const SAY: &str = "say";

/// Names of the rules that are not keywords.
const NAMES: [&str; 11] =
    ["left", "right", "paper", "stone", "blade", "say", "said", "turn", "word", "beats", "follows"];

const RULES: &str = "\
( role left ) ( role right ) ( word paper ) ( word stone ) ( word blade )
( beats paper stone ) ( beats stone blade ) ( beats blade paper )
( follows 1 2 ) ( follows 2 3 ) ( follows 3 4 ) ( follows 4 5 )
( init ( said paper paper ) ) ( init ( turn 1 ) )
( base ( turn 1 ) ) ( <= ( base ( turn ?n ) ) ( follows ?m ?n ) )
( <= ( base ( said ?a ?b ) ) ( word ?a ) ( word ?b ) )
( <= ( input ?r ( say ?a ?b ?c ) ) ( role ?r ) ( word ?a ) ( word ?b ) ( word ?c ) )
( <= ( legal ?r ( say ?a ?b ?c ) ) ( role ?r ) ( true ( said ?a ?b ) ) ( word ?c ) )
( <= ( next ( said ?x ?y ) ) ( does left ( say ?a ?b ?x ) ) ( does right ( say ?a ?b ?y ) ) )
( <= ( next ( turn ?n ) ) ( true ( turn ?m ) ) ( follows ?m ?n ) )
( <= terminal ( true ( turn 5 ) ) )
( <= ( goal left 100 ) ( true ( said ?a ?b ) ) ( beats ?a ?b ) )
( <= ( goal left 0 ) ( true ( said ?a ?b ) ) ( beats ?b ?a ) )
( <= ( goal right 100 ) ( true ( said ?a ?b ) ) ( beats ?b ?a ) )
( <= ( goal right 0 ) ( true ( said ?a ?b ) ) ( beats ?a ?b ) )
( <= ( goal ?r 50 ) ( role ?r ) ( true ( said ?a ?a ) ) )";

/// The rules in a particular spelling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The text of the rules, without the enclosing parentheses.
    pub rules: String,
    /// The roles.
    pub roles: [String; 2],
    say: String,
    words: [String; 3],
    /// Whether answers must match the spelling of the rules.
    exact: bool,
}

impl Wording {
    /// All in lower case; answers may be in any case.
    pub fn plain() -> Self {
        Wording::of(str::to_owned, false)
    }

    /// Names are capitalised, and answers must be too.
    pub fn mixed() -> Self {
        Wording::of(capitals, true)
    }

    /// All in upper case, including keywords and variables.
    pub fn upper() -> Self {
        Wording::of(str::to_ascii_uppercase, false)
    }

    /// Scrambled names.
    pub fn scrambled(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut scrambler = Scrambler::new(move |n| rng.below(n));
        Wording::of(|text| scrambler.scramble(text), false)
    }

    fn of(mut spell: impl FnMut(&str) -> String, exact: bool) -> Self {
        Wording {
            rules: spell(RULES),
            roles: ROLES.map(&mut spell),
            say: spell(SAY),
            words: WORDS.map(&mut spell),
            exact,
        }
    }
}

/// The text with all names capitalised.
fn capitals(text: &str) -> String {
    let word = |word: &str| match word.chars().next().filter(|_| NAMES.contains(&word.trim())) {
        Some(first) => word.replacen(first, &first.to_ascii_uppercase().to_string(), 1),
        None => word.to_owned(),
    };
    text.split_inclusive([' ', '\n']).map(word).collect()
}

/// A match of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The spelling of its rules.
    pub wording: Wording,
    said: [usize; 2],
    step: u32,
}

impl Game {
    /// The initial state.
    pub fn new(wording: Wording) -> Self {
        Game { wording, said: [0, 0], step: 0 }
    }

    /// Whether the match has ended.
    pub fn is_over(&self) -> bool {
        self.step == STEPS
    }

    /// The legal move that says a word.
    pub fn move_of(&self, word: usize) -> String {
        let Wording { say, words, .. } = &self.wording;
        let [a, b] = self.said.map(|said| &words[said]);
        format!("( {say} {a} {b} {} )", words[word])
    }

    /// The word of an answer, if it is a legal move.
    pub fn understand(&self, answer: &str) -> Option<usize> {
        let (answer, _) = Expression::first(answer).ok()?;
        let answer = answer.to_string();
        let is_meant = |legal: &String| {
            *legal == answer || !self.wording.exact && legal.eq_ignore_ascii_case(&answer)
        };
        (0..WORDS.len()).find(|&word| is_meant(&self.move_of(word)))
    }

    /// Whether an answer would be a legal move in another spelling.
    pub fn is_misspelt(&self, answer: &str) -> bool {
        let lenient = Wording { exact: false, ..self.wording.clone() };
        let lenient = Game { wording: lenient, ..self.clone() };
        self.understand(answer).is_none() && lenient.understand(answer).is_some()
    }

    /// Makes a joint move and returns it as text.
    pub fn say(&mut self, words: [usize; 2]) -> [String; 2] {
        let moves = words.map(|word| self.move_of(word));
        (self.said, self.step) = (words, self.step + 1);
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_name_what_was_said() {
        let mut game = Game::new(Wording::plain());
        assert_eq!(game.move_of(1), "( say paper paper stone )");
        let moves = game.say([1, 2]);
        assert_eq!(moves, ["( say paper paper stone )", "( say paper paper blade )"]);
        assert_eq!(game.understand("(SAY stone blade paper) and more"), Some(0));
        assert_eq!(game.understand("( say blade stone paper )"), None);
        assert_eq!(game.understand("( say paper paper paper )"), None);
        for _ in 1..STEPS {
            assert!(!game.is_over());
            game.say([0, 0]);
        }
        assert!(game.is_over());
    }

    #[test]
    fn spelling_matters_where_it_is_tried() {
        let game = Game::new(Wording::mixed());
        assert!(game.wording.rules.starts_with("( role Left ) ( role Right ) ( Word Paper )"));
        assert_eq!(game.understand("( Say Paper Paper Blade )"), Some(2));
        assert_eq!(game.understand("( say paper paper blade )"), None);
        assert!(game.is_misspelt("( say paper paper blade )"));
        assert!(!game.is_misspelt("( say paper blade blade )"));
        let upper = Game::new(Wording::upper());
        assert_eq!(upper.move_of(0), "( SAY PAPER PAPER PAPER )");
        assert_eq!(upper.understand("( say paper paper stone )"), Some(1));
    }

    #[test]
    fn scrambled_rules_have_other_names() {
        let wording = Wording::scrambled(1);
        assert!(!wording.rules.contains("paper") && wording.rules.contains("legal"));
        let game = Game::new(wording);
        assert_eq!(game.understand(&game.move_of(2)), Some(2));
    }

    #[test]
    fn the_rules_are_sound_in_every_spelling() {
        for wording in [Wording::plain(), Wording::mixed(), Wording::upper(), Wording::scrambled(3)]
        {
            let problems = ludens_gdl::check_text(&wording.rules);
            assert!(problems.is_empty(), "{problems:?}\n{}", wording.rules);
        }
    }
}
