//! Tokens as a person writes them: `x[i + 1].len()`, and paths from the root by their last name.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::differentiable::tokens::spacing::Text;

/// What is written for a name, if it is something else.
pub(crate) type Names<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The text of tokens, with spaces around operators of two operands and after commas.
pub(crate) fn tight(tokens: &TokenStream, names: Names<'_>) -> String {
    let trees = without_roots(tokens.clone());
    let mut out = Text::default();
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => put(&mut out, group, names),
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
pub(crate) fn bare(tokens: &TokenStream, names: Names<'_>) -> String {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            bare(&group.stream(), names)
        }
        _ => tight(tokens, names),
    }
}

/// A group: parentheses around a name or a place are left out.
fn put(out: &mut Text, group: &Group, names: Names<'_>) {
    let call = out.is_after_operand();
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
            out.operand(inside.trim_start_matches('*'));
        }
        Delimiter::Parenthesis => {
            let several = inside.matches(',').count() > 1;
            let shorter = inside.strip_suffix(',').filter(|_| several);
            out.operand(&format!("({})", shorter.unwrap_or(&inside)));
        }
        Delimiter::Bracket => out.operand(&format!("[{}]", bare(&group.stream(), names))),
        Delimiter::Brace => {
            let space = if call { " " } else { "" };
            out.operand(&format!("{space}{{ {inside} }}"));
        }
        Delimiter::None => out.operand(&inside),
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
