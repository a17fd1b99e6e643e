//! How long memory is, as far as the text tells: whether a loop runs over all of it.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{BinOp, Expr as Syntax};

use crate::differentiable::ir::*;

/// The lengths of locals, by their names, as text. The names of values are unique and values never change, so equal text is an equal
/// length.
pub(crate) struct Lengths(HashMap<String, String>);

impl Lengths {
    /// Of memory that is made by these expressions.
    pub(crate) fn of(program: &Program, inits: &[(RootId, &Expr)]) -> Self {
        let lengths = inits.iter().filter_map(|(root, init)| {
            let length = repeated(&init.tokens)?;
            Some((program.roots[*root].name.to_string(), text(&length)))
        });
        Self(lengths.collect())
    }

    /// Whether a range is `0..n`, where `n` is the length of the memory.
    pub(crate) fn runs_over_all(&self, program: &Program, range: &Range, root: RootId) -> bool {
        let Atom::Const(range) = &range.range else {
            return false;
        };
        let Some(end) = end_from_zero(&range.tokens) else {
            return false;
        };
        let wanted = self.of_name(&program.roots[root].name.to_string());
        let value = range.uses.defs.iter().find_map(|d| {
            let def = &program.defs[*d];
            match &def.kind {
                DefKind::Pure(expr) if def.name == text(&end) => Some(expr),
                _ => None,
            }
        });
        text(&end) == wanted
            || value.is_some_and(|expr| {
                let lengths = self.of_expression(&expr.tokens);
                lengths.is_some_and(|lengths| lengths.iter().all(|l| *l == wanted))
            })
    }

    /// Whether a value depends on nothing but lengths.
    pub(crate) fn is_length(&self, def: &Def) -> bool {
        matches!(&def.kind, DefKind::Pure(expr) if self.of_expression(&expr.tokens).is_some())
    }

    /// The lengths of which a value is the smallest.
    fn of_expression(&self, tokens: &TokenStream) -> Option<Vec<String>> {
        let mut found = Vec::new();
        self.find(&syn::parse2(tokens.clone()).ok()?, &mut found)
            .then_some(found)
    }

    fn find(&self, expr: &Syntax, found: &mut Vec<String>) -> bool {
        match bare(expr) {
            Syntax::MethodCall(call) if call.method == "len" => {
                found.push(self.of_place(&call.receiver));
                true
            }
            Syntax::Call(call) => {
                let smallest = matches!(&*call.func, Syntax::Path(path)
                    if path.path.segments.last().is_some_and(|s| s.ident == "min"));
                smallest && call.args.iter().all(|arg| self.find(arg, found))
            }
            _ => false,
        }
    }

    fn of_place(&self, place: &Syntax) -> String {
        match bare(place) {
            Syntax::Path(path) => self.of_name(&text(&path.to_token_stream())),
            Syntax::Index(index) => match bare(&index.index) {
                Syntax::Range(syn::ExprRange {
                    start: None,
                    limits: syn::RangeLimits::HalfOpen(_),
                    end: Some(end),
                    ..
                }) => text(&bare(end).to_token_stream()),
                _ => text(&index.to_token_stream()) + ".len",
            },
            other => text(&other.to_token_stream()) + ".len",
        }
    }

    fn of_name(&self, name: &str) -> String {
        let known = self.0.get(name).cloned();
        known.unwrap_or_else(|| format!("{name}.len"))
    }
}

/// The end of a range from zero, if it can be said outside of the loops `inside`: the length of a part `[..n]` is `n`.
pub(crate) fn end_outside(program: &Program, range: &Range, inside: &[usize]) -> Option<Expr> {
    let Atom::Const(range) = &range.range else {
        return None;
    };
    let end: Syntax = syn::parse2(end_from_zero(&range.tokens)?).ok()?;
    let mut outside = Outside {
        program,
        inside,
        uses: Uses::default(),
    };
    let tokens = outside.said(&end)?;
    let uses = outside.uses;
    Some(Expr { tokens, uses })
}

/// Says a length where a loop begins.
struct Outside<'a> {
    program: &'a Program,
    inside: &'a [usize],
    uses: Uses,
}

impl Outside<'_> {
    fn said(&mut self, expr: &Syntax) -> Option<TokenStream> {
        match bare(expr) {
            Syntax::Lit(literal) => Some(literal.to_token_stream()),
            Syntax::Path(path) => self.named(path),
            Syntax::Binary(binary) => {
                let (left, right) = (self.said(&binary.left)?, self.said(&binary.right)?);
                // a loop without a round has not computed this
                let (total, or_none) = match binary.op {
                    BinOp::Add(_) => (quote!(wrapping_add), quote!()),
                    BinOp::Sub(_) => (quote!(wrapping_sub), quote!()),
                    BinOp::Mul(_) => (quote!(wrapping_mul), quote!()),
                    BinOp::Div(_) => (quote!(checked_div), quote!(.unwrap_or(0))),
                    BinOp::Rem(_) => (quote!(checked_rem), quote!(.unwrap_or(0))),
                    _ => return None,
                };
                Some(quote!(::core::primitive::usize::#total(#left, #right) #or_none))
            }
            Syntax::Call(call) => {
                let Syntax::Path(function) = &*call.func else {
                    return None;
                };
                let name = &function.path.segments.last()?.ident;
                let args = call.args.iter().map(|arg| self.said(arg));
                let args = args.collect::<Option<Vec<_>>>()?;
                (name == "min" || name == "max").then(|| quote!(#function(#(#args),*)))
            }
            Syntax::MethodCall(call) if call.method == "len" => self.length(&call.receiver),
            _ => None,
        }
    }

    /// A value from outside, or one that is computed from such values.
    fn named(&mut self, path: &syn::ExprPath) -> Option<TokenStream> {
        let Some(name) = path.path.get_ident() else {
            return Some(path.to_token_stream());
        };
        if self.program.roots.iter().any(|r| r.name == *name) {
            return None;
        }
        let mut defs = self.program.defs.iter().enumerate();
        let Some((id, def)) = defs.find(|(_, def)| def.name == *name) else {
            return Some(name.to_token_stream());
        };
        if !def.point.loops.starts_with(self.inside) {
            self.uses.defs.insert(id);
            return Some(name.to_token_stream());
        }
        match &def.kind {
            DefKind::Pure(value) => self.said(&syn::parse2(value.tokens.clone()).ok()?),
            _ => None,
        }
    }

    fn length(&mut self, of: &Syntax) -> Option<TokenStream> {
        match bare(of) {
            Syntax::Path(path) => {
                let name = path.path.get_ident()?;
                let mut roots = self.program.roots.iter();
                let root = roots.position(|r| r.name == *name)?;
                let param = matches!(self.program.roots[root].kind, RootKind::Param { .. });
                self.uses.lengths.insert(root);
                param.then(|| quote!(#name.len()))
            }
            Syntax::Index(index) => match bare(&index.index) {
                Syntax::Range(syn::ExprRange {
                    start: None,
                    limits: syn::RangeLimits::HalfOpen(_),
                    end: Some(end),
                    ..
                }) => self.said(end),
                Syntax::Range(syn::ExprRange {
                    start: None,
                    end: None,
                    ..
                }) => self.length(&index.expr),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Without parentheses, references and stars.
fn bare(expr: &Syntax) -> &Syntax {
    match expr {
        Syntax::Paren(inside) => bare(&inside.expr),
        Syntax::Reference(reference) => bare(&reference.expr),
        Syntax::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => bare(&unary.expr),
        expr => expr,
    }
}

fn text(tokens: &TokenStream) -> String {
    let text = match syn::parse2::<Syntax>(tokens.clone()) {
        Ok(expr) => bare(&expr).to_token_stream().to_string(),
        Err(_) => tokens.to_string(),
    };
    text.replace(' ', "")
}

/// `n` of `(0..n)`.
fn end_from_zero(tokens: &TokenStream) -> Option<TokenStream> {
    let range: Syntax = syn::parse2(tokens.clone()).ok()?;
    match bare(&range) {
        Syntax::Range(syn::ExprRange {
            start: Some(start),
            limits: syn::RangeLimits::HalfOpen(_),
            end: Some(end),
            ..
        }) => {
            let zero: Syntax = syn::parse_quote!(0);
            (**start == zero).then(|| end.to_token_stream())
        }
        _ => None,
    }
}

/// `n` of `vec![x; n]` or `[x; n]`.
fn repeated(tokens: &TokenStream) -> Option<TokenStream> {
    let group = tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    })?;
    let semicolon =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';');
    let length = group.into_iter().skip_while(|t| !semicolon(t)).skip(1);
    let length: TokenStream = length.collect();
    (!length.is_empty()).then_some(length)
}

#[cfg(test)]
mod tests;
