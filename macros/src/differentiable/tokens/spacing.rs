//! Where spaces stand between tokens.

use proc_macro2::{Punct, Spacing};

/// Words behind which an expression, a pattern or a type begins.
const KEYWORDS: [&str; 16] = [
    "as", "break", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move", "mut", "ref",
    "return", "where", "while",
];

/// A text that grows by tokens.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    before: Before,
    /// The last two words.
    words: [String; 2],
    /// How many `<` of types are open.
    angles: usize,
    /// Whether the inputs of a closure are open.
    inputs: bool,
}

/// What stands before a token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Before {
    #[default]
    Nothing,
    Word,
    Operand,
    /// The first of two signs that belong together.
    Joint,
    /// `::`.
    Colons,
    /// A word that is no operand.
    Keyword,
}

impl Text {
    pub(crate) fn is_after_operand(&self) -> bool {
        matches!(self.before, Before::Word | Before::Operand)
    }

    /// Whether the arguments of a type, or the parameters of an item, are open.
    pub(crate) fn is_in_angles(&self) -> bool {
        self.angles > 0
    }

    pub(crate) fn word(&mut self, word: &str) {
        if self.is_after_operand() || self.before == Before::Keyword {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.words = [std::mem::take(&mut self.words[1]), word.to_owned()];
        self.before = match KEYWORDS.contains(&word) {
            true => Before::Keyword,
            false => Before::Word,
        };
    }

    /// What stands in delimiters, with them.
    pub(crate) fn operand(&mut self, text: &str) {
        if self.before == Before::Keyword {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.before = Before::Operand;
    }

    /// A sign with its spaces, if more follows; the first of two that belong together decides for both.
    pub(crate) fn punct(&mut self, punct: &Punct, last: bool) {
        let c = punct.as_char();
        let joint = punct.spacing() == Spacing::Joint;
        if c == '<' && self.opens_angle() {
            self.angles += 1;
            self.put("<", Before::Nothing);
        } else if c == '>' && self.angles > 0 && self.before != Before::Joint {
            self.angles -= 1;
            self.put(">", Before::Operand);
        } else if c == '|'
            && (self.inputs || !self.is_after_operand() && self.before != Before::Joint)
        {
            let space = if self.before == Before::Keyword {
                " "
            } else {
                ""
            };
            self.inputs = !self.inputs;
            let after = if self.inputs { "" } else { " " };
            self.put(&format!("{space}|{after}"), Before::Nothing);
        } else {
            self.sign(c, joint, last);
        }
    }

    fn put(&mut self, text: &str, before: Before) {
        self.text.push_str(text);
        self.before = before;
    }

    /// Whether `<` is that of a type: it stands where an operand begins, or behind the name of a type or of an item that is declared.
    fn opens_angle(&self) -> bool {
        let [item, name] = &self.words;
        match self.before {
            Before::Nothing | Before::Colons => true,
            Before::Keyword => name == "impl" || name == "for",
            Before::Word => {
                name.starts_with(|c: char| c.is_uppercase() || c == '_') || item == "fn"
            }
            Before::Operand => false,
            Before::Joint => self.angles > 0 && self.text.ends_with('<'),
        }
    }

    fn sign(&mut self, c: char, joint: bool, last: bool) {
        if self.before == Before::Keyword && c != ';' && c != ',' {
            self.put(" ", Before::Nothing);
        }
        let after_operand = self.is_after_operand();
        let spaced = "+-*/%<>=|&^".contains(c);
        let second = self.before == Before::Joint;
        let (left, right) = match c {
            ',' | ';' => (false, !last),
            ':' => (false, after_operand && !joint),
            _ if spaced && second => (false, !joint),
            _ if spaced && after_operand => (true, !joint),
            _ => (false, false),
        };
        let space = |wanted| if wanted { " " } else { "" };
        let before = match (c, joint) {
            (':', false) if second => Before::Colons,
            (_, true) => Before::Joint,
            _ => Before::Nothing,
        };
        self.put(&format!("{}{c}{}", space(left), space(right)), before);
    }
}
