//! `#[differentiable(expand)]`: the generated code as text that people read.
//!
//! A statement stands on a line, and what is longer than a line is broken after its commas. The text parses to the tokens that it was made from.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::spacing::Text;
use crate::signature::Function;

/// The longest line that is not broken, without what it is indented by.
const LINE: usize = 100;
/// The longest expression or list of fields that stands on a line with its braces.
const FIELDS: usize = 40;
const STEP: &str = "    ";

/// The constant `EXPANSION` of a function's marker.
pub(crate) fn constant(function: &Function, generated: &TokenStream) -> TokenStream {
    let (name, vis, text) = (&function.name, &function.vis, formatted(generated));
    quote::quote! {
        impl #name {
            /// The rules of the function in both modes, as they were generated.
            #vis const EXPANSION: &'static str = #text;
        }
    }
}

/// The text of items.
fn formatted(tokens: &TokenStream) -> String {
    let mut out = String::new();
    lines(tokens, "", &mut out);
    out
}

/// The statements, items, arms or fields of a block, each on its line.
fn lines(tokens: &TokenStream, indent: &str, out: &mut String) {
    let (mut line, mut so_far) = (Vec::new(), Text::default());
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        let ends = match &tree {
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' => true,
                // items are no list
                ',' => !so_far.is_in_angles() && !indent.is_empty(),
                _ => false,
            },
            TokenTree::Group(group) => {
                ends_line(group, &line) && trees.peek().is_none_or(begins_line)
            }
            _ => false,
        };
        match &tree {
            TokenTree::Punct(punct) => so_far.punct(punct, true),
            TokenTree::Group(_) => so_far.operand(""),
            word => so_far.word(&word.to_string()),
        }
        line.push(tree);
        if ends {
            put(&std::mem::take(&mut line), indent, out);
            so_far = Text::default();
        }
    }
    put(&line, indent, out);
}

/// Whether a line may end with a group: a block, or an attribute.
fn ends_line(group: &Group, before: &[TokenTree]) -> bool {
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::Bracket => {
            matches!(before, [TokenTree::Punct(hash)] if hash.as_char() == '#')
        }
        _ => false,
    }
}

/// Whether a statement may begin with this after a block.
fn begins_line(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Ident(ident) => *ident != "else" && *ident != "as",
        TokenTree::Punct(punct) => matches!(punct.as_char(), '#' | '*'),
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    }
}

fn put(line: &[TokenTree], indent: &str, out: &mut String) {
    if !line.is_empty() {
        let text = text(line, indent);
        out.push_str(&format!("{indent}{}\n", text.trim_end()));
    }
}

/// A statement, with what is long in it broken.
fn text(trees: &[TokenTree], indent: &str) -> String {
    joined(trees, &|group| grouped(group, indent))
}

/// On one line.
fn flat(trees: &[TokenTree]) -> String {
    joined(trees, &|group| {
        let (open, close) = delimiters(group);
        let inside: Vec<_> = group.stream().into_iter().collect();
        format!("{open}{}{close}", flat(&inside))
    })
}

fn joined(trees: &[TokenTree], grouped: &dyn Fn(&Group) -> String) -> String {
    let mut out = Text::default();
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) => out.word(&word.to_string()),
            TokenTree::Literal(word) => out.word(&word.to_string()),
            TokenTree::Punct(punct) => out.punct(punct, i + 1 == trees.len()),
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace && out.is_after_operand() {
                    out.text.push(' ');
                }
                out.operand(&grouped(group));
            }
        }
    }
    out.text
}

fn delimiters(group: &Group) -> (&'static str, &'static str) {
    match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

fn grouped(group: &Group, indent: &str) -> String {
    let (open, close) = delimiters(group);
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    if trees.is_empty() {
        return format!("{open}{close}");
    }
    if group.delimiter() == Delimiter::None {
        return text(&trees, indent);
    }
    let line = flat(&trees);
    let line = line.trim();
    let short = line.len() <= LINE;
    match group.delimiter() {
        Delimiter::Brace if line.len() <= FIELDS && !line.contains([';', '{']) => {
            return format!("{{ {line} }}");
        }
        Delimiter::Parenthesis | Delimiter::Bracket if short => {
            return format!("{open}{line}{close}");
        }
        _ => {}
    }
    let mut inside = String::new();
    lines(&group.stream(), &format!("{indent}{STEP}"), &mut inside);
    format!("{open}\n{inside}{indent}{close}")
}

#[cfg(test)]
mod tests;
