//! Tokens as a person writes them: `x[i + 1].len()`, and paths from the root by their last name.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// What is written for a name, if it is something else.
pub(super) type Names<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The text of tokens, with spaces around operators of two operands and after commas.
pub(super) fn tight(tokens: &TokenStream, names: Names<'_>) -> String {
    let trees = without_roots(tokens.clone());
    let mut out = Text::default();
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => out.group(group, names),
            TokenTree::Punct(punct) => out.punct(punct, i + 1 == trees.len()),
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                out.word(&names(&text).unwrap_or(text));
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let number = text.strip_suffix("usize").unwrap_or(&text);
                out.word(number.trim_end_matches('_'));
            }
        }
    }
    out.text.trim().to_owned()
}

/// As [`tight`], without parentheses around all of it.
pub(super) fn bare(tokens: &TokenStream, names: Names<'_>) -> String {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            bare(&group.stream(), names)
        }
        _ => tight(tokens, names),
    }
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
    /// `::`, behind which `<` opens.
    Colons,
}

#[derive(Default)]
struct Text {
    text: String,
    before: Before,
    /// How many `<` are open.
    angles: usize,
}

impl Text {
    fn word(&mut self, word: &str) {
        if matches!(self.before, Before::Word | Before::Operand) {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.before = Before::Word;
    }

    fn group(&mut self, group: &Group, names: Names<'_>) {
        let call = matches!(self.before, Before::Word | Before::Operand);
        let inside = tight(&group.stream(), names);
        let trees: Vec<TokenTree> = group.stream().into_iter().collect();
        let plain = match &trees[..] {
            [TokenTree::Punct(star), TokenTree::Ident(_)] => star.as_char() == '*',
            [TokenTree::Ident(_) | TokenTree::Literal(_)] => true,
            [TokenTree::Group(inner)] => inner.delimiter() == Delimiter::Parenthesis,
            _ => false,
        };
        match group.delimiter() {
            Delimiter::Parenthesis if plain && !call => {
                self.text.push_str(inside.trim_start_matches('*'));
            }
            Delimiter::Parenthesis => {
                let several = inside.matches(',').count() > 1;
                let inside = inside.strip_suffix(',').filter(|_| several);
                let inside = inside.map_or_else(|| tight(&group.stream(), names), str::to_owned);
                self.text.push_str(&format!("({inside})"));
            }
            Delimiter::Bracket => {
                let inside = bare(&group.stream(), names);
                self.text.push_str(&format!("[{inside}]"));
            }
            Delimiter::Brace => {
                let space = if call { " " } else { "" };
                self.text.push_str(&format!("{space}{{ {inside} }}"));
            }
            Delimiter::None => self.text.push_str(&inside),
        }
        self.before = Before::Operand;
    }

    /// A sign with its spaces; the first of two that belong together decides for both.
    fn punct(&mut self, punct: &Punct, last: bool) {
        let c = punct.as_char();
        let joint = punct.spacing() == Spacing::Joint;
        let after_operand = matches!(self.before, Before::Word | Before::Operand);
        let opens = self.before != Before::Joint || self.text.ends_with('<');
        if c == '<' && !after_operand && opens && (self.angles > 0 || self.before != Before::Joint)
        {
            self.angles += 1;
        } else if c == '>' && self.angles > 0 {
            self.angles -= 1;
            self.text.push(c);
            self.before = Before::Operand;
            return;
        }
        let spaced = "+-*/%<>=|&^".contains(c);
        let second = self.before == Before::Joint;
        let (left, right) = match c {
            ',' | ';' => (false, !last),
            ':' => (false, after_operand && !joint),
            '<' if self.angles > 0 && !after_operand => (false, false),
            _ if spaced && second => (false, !joint),
            _ if spaced && after_operand => (true, !joint),
            _ => (false, false),
        };
        let space = |wanted| if wanted { " " } else { "" };
        self.text
            .push_str(&format!("{}{c}{}", space(left), space(right)));
        self.before = match (c, joint) {
            (':', false) if second => Before::Colons,
            (_, true) => Before::Joint,
            _ => Before::Nothing,
        };
    }
}

/// `::a::b::c` as `c`.
fn without_roots(tokens: TokenStream) -> Vec<TokenTree> {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut i = 0;
    while i < trees.len() {
        let after_name = match i.checked_sub(1).map(|before| &trees[before]) {
            Some(TokenTree::Ident(name)) => *name != "as",
            Some(TokenTree::Punct(angle)) => angle.as_char() == '>',
            _ => false,
        };
        if is_colons(&trees, i)
            && !after_name
            && matches!(trees.get(i + 2), Some(TokenTree::Ident(_)))
        {
            let mut end = i;
            while is_colons(&trees, end + 3)
                && matches!(trees.get(end + 5), Some(TokenTree::Ident(_)))
            {
                end += 3;
            }
            trees.drain(i..end + 2);
        }
        i += 1;
    }
    trees
}

fn is_colons(trees: &[TokenTree], at: usize) -> bool {
    let is = |i| matches!(trees.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    is(at) && is(at + 1)
}
