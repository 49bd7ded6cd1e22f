//! The table of all problems: identifier, severity and explanation of each.

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($name:ident $id:literal $severity:ident $explanation:literal;)*) => {
        /// The kinds of problems that a description can have.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Code {
            $(#[doc = $explanation] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The identifier shown to people and editors.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id,)* }
            }

            /// Whether the problem is an error or a warning.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// What the problem is, in one or two sentences.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explanation,)* }
            }
        }
    };
}

codes! {
    TooLarge "E0001" Error "The text is larger than the limit for rules.";
    NotUtf8 "E0002" Error "The text is not valid UTF-8.";
    ControlCharacter "E0003" Error "A word contains a control character, such as NUL.";
    UnclosedParen "E0004" Error "A parenthesis is opened and never closed.";
    ExtraParen "E0005" Error "A closing parenthesis has no opening one.";
    EmptyList "E0006" Error "Empty parentheses stand where a sentence or term is expected.";
    TooDeep "E0007" Error "The text is nested more deeply than any game needs.";
    Malformed "E0008" Error "A list does not begin with a name, or a rule lacks its head.";
    MisplacedConnective "E0009" Error "A connective (`not`, `or`, `distinct`, `<=`) stands where a sentence or term is expected.";
    VariableSentence "E0010" Error "A variable stands where a sentence is expected.";
    TooManyRules "E0011" Error "Writing out the disjunctions of a rule gives too many rules.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
