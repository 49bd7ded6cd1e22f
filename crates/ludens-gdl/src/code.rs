//! The table of all problems: identifier, severity and explanation of each.

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($name:ident $id:literal $severity:ident $play:ident $explanation:literal;)*) => {
        /// The kinds of problems that a description can have.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $explanation] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The identifier in messages and editors.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id,)* }
            }

            /// Whether the problem is an error or a warning.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// Whether rules with this problem have no agreed meaning and cannot be played. Other
            /// errors break the specification, but every engine plays such rules.
            pub fn blocks_play(self) -> bool {
                match self { $(Code::$name => codes!(@$play),)* }
            }

            /// A description of the problem in one or two sentences.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explanation,)* }
            }
        }
    };
    (@blocks) => { true };
    (@plays) => { false };
}

codes! {
    // The text.
    TooLarge "E0001" Error blocks "The text is larger than the limit for rules.";
    NotUtf8 "E0002" Error blocks "The text is not valid UTF-8.";
    ControlCharacter "E0003" Error blocks "A word contains a control character, such as NUL.";
    UnclosedParen "E0004" Error blocks "A parenthesis is opened and never closed.";
    ExtraParen "E0005" Error blocks "A closing parenthesis has no opening one.";
    EmptyList "E0006" Error blocks "Empty parentheses are used where a sentence or term is expected.";
    TooDeep "E0007" Error blocks "The text is nested more deeply than any game needs.";
    Malformed "E0008" Error blocks "A list does not begin with a name, or a rule lacks its head.";
    MisplacedConnective "E0009" Error blocks "A connective (`not`, `or`, `distinct`, `<=`) is used where a sentence or term is expected.";
    VariableSentence "E0010" Error blocks "A variable is used where a sentence is expected.";
    TooManyRules "E0011" Error blocks "Writing out the disjunctions of a rule gives too many rules.";
    TooLargeTerm "E0012" Error blocks "The equalities `(not (distinct …))` of a rule build a term that is too large.";

    // The game as a whole.
    NoRole "E0101" Error blocks "No `role` is stated, so the game has no players.";
    NoTerminal "E0102" Error plays "No rule defines when the game ends.";
    NoGoal "E0103" Error plays "No rule defines the payoffs.";
    NoLegal "E0104" Error plays "No rule defines the legal moves.";
    NoRules "W0105" Warning blocks "The text has no statements.";
    NoInit "W0106" Warning plays "No fact is true initially, and then no role can move.";
    NoNext "W0107" Warning plays "No rule defines the state after a move.";

    // Keywords.
    KeywordArity "E0201" Error plays "A keyword has a wrong number of arguments.";
    KeywordFunction "E0202" Error plays "A keyword is used as the name of a function.";
    ReservedHead "E0203" Error plays "`true` and `does` cannot be stated and are ignored, and `role` can be stated only as a plain fact.";
    OutputInBody "E0204" Error plays "`init`, `next`, `base` and `input` can only be stated, not used in a body.";
    StaticDependsOnState "E0205" Error plays "`init`, `base` and `input` must not depend on the state or on moves.";
    StateDependsOnMoves "W0206" Warning plays "`legal`, `goal` and `terminal` must not depend on the moves of the same turn.";
    KeywordConstant "W0207" Warning plays "A keyword is used as a constant.";

    // Meaning of rules.
    NegativeCycle "E0301" Error plays "A relation depends on its own negation, so that the rules have no unique meaning.";
    NegativeCycleByName "W0302" Warning plays "A relation depends on its own negation, though none of its rules depends on itself.";
    Recursion "W0303" Warning plays "An argument of a recursive sentence is unrestricted, so that the recursion need not end.";
    UnsafeVariable "E0304" Error plays "A variable of the head, of a negation or of `distinct` is not bound by a positive sentence of the body.";
    VariableInFact "E0305" Error plays "A fact contains a variable.";
    EmptyOr "E0306" Error plays "An `or` without alternatives is never true.";

    // Forms that are outside of the specification, or odd.
    NegatedFormula "W0401" Warning plays "`not` is applied to something other than a sentence.";
    NestedOr "W0402" Warning plays "An `or` is nested directly in an `or`, or has only one alternative.";
    AndFormula "W0403" Warning plays "`and` is not a keyword of GDL; the sentences of a body are joined without it.";
    EmptyBody "W0404" Warning plays "A rule has no conditions.";
    ZeroArity "W0405" Warning plays "A name without arguments is in parentheses.";
    ConstantDistinct "W0406" Warning plays "A `distinct` is always true or never true.";
    DeepNesting "W0407" Warning plays "A statement is nested too deeply to be readable.";
    Duplicate "W0408" Warning plays "A statement is repeated.";
    GoalValue "W0409" Warning plays "The value of a goal is not a whole number from 0 to 100.";
    WrappedRules "W0410" Warning plays "All rules are in one list, as in a START message; files have one statement after the other.";
    StatedDistinct "W0411" Warning plays "A `distinct` is stated as a fact; it holds anyway, and the statement is ignored.";

    // Names.
    Capitalisation "W0501" Warning plays "A word is written with different capital letters; programs disagree whether it is the same word.";
    UnusualCharacter "W0502" Warning plays "A word contains a character that other programs may not accept.";
    ArityDiffers "W0503" Warning plays "A name is used with different numbers of arguments.";
    SentenceAndFunction "W0504" Warning plays "A name is used for a relation and for a function.";
    UndefinedRelation "W0505" Warning plays "A relation is used and never stated, so that it is always false.";
    UnusedRelation "W0506" Warning plays "A relation is stated, but no keyword depends on it.";
    KeywordTypo "W0507" Warning plays "An unused or undefined name is one typo away from a keyword.";
    NeverFires "W0508" Warning plays "A rule can never fire, since a relation in its body can never hold.";
    UnstatedFact "W0509" Warning plays "A body uses a fact that no `init` or `next` gives, or a move that no `legal` allows.";

    // Roles.
    DuplicateRole "W0601" Warning plays "A role is stated twice.";
    RoleOrder "W0602" Warning plays "The roles are not stated next to each other; their order is that of joint moves.";
    UnknownRole "W0603" Warning plays "A name is used as a role but is not one.";
    IdleRole "W0604" Warning plays "A role has no legal move or no goal in any rule.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
