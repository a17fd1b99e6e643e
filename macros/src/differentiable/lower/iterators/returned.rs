//! Loops over what a function without derivative returns. Whether that is a slice, a vector, a range or another iterator, its type alone tells.
//!
//! ```text
//! // for i in inside(n) { … }
//! let held = { use ::coenzyme::__private::{Iterated as _, NotIterated as _}; Returned::new(inside(n)).list() };
//! for k in 0..held.len() { let i = held[k]; … }
//! ```
//!
//! A range counts and does nothing else. Any other iterator may have effects between the rounds, or not end: all of it is had before the first
//! round only if the text of the function shows a chain over a range without effects, and the loop comes to its end.

use quote::{quote, quote_spanned};
use syn::Expr;

use crate::differentiable::expand::desugar;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// Makes a list of what a loop has in a local of its own, if that is an iterator; `to_the_end`: the loop runs through all of it.
    pub(crate) fn list_returned(&mut self, held: &Expr, to_the_end: bool) {
        let Some(name) = simple_name(held).filter(|name| desugar::held_name() == name) else {
            return;
        };
        let Some(Binding::Def(d)) = self.lookup(&name) else {
            return;
        };
        let d = *d;
        let def = &mut self.program.defs[d];
        let (DefKind::Pure(expr) | DefKind::Opaque(expr)) = &mut def.kind else {
            return;
        };
        if def.varied || !self.lists.insert(d) {
            return;
        }
        let of = &expr.tokens;
        let at = of.clone().into_iter().next();
        let at = at.map_or_else(proc_macro2::Span::call_site, |token| token.span());
        let list = match to_the_end && self.chains.contains(&d) {
            true => quote_spanned!(at=> list_to_the_end),
            false => quote_spanned!(at=> list),
        };
        expr.tokens = quote!({
            #[allow(unused_imports)]
            use ::coenzyme::__private::{Iterated as _, NotIterated as _};
            ::coenzyme::__private::Returned::new(#of).#list()
        });
    }
}
