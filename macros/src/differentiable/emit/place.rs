//! Where generated code points: at the statement that it was generated for.

use std::cell::Cell;

use proc_macro2::{Span, TokenStream};

use crate::differentiable::ir::*;

thread_local! {
    static HERE: Cell<Option<Span>> = const { Cell::new(None) };
}

/// Until it is dropped, generated code points elsewhere.
pub(super) struct At(Option<Span>);

impl Drop for At {
    fn drop(&mut self) {
        HERE.set(self.0);
    }
}

/// Lets generated code point at `span`.
pub(super) fn at(span: Span) -> At {
    At(HERE.replace(Some(span)))
}

/// Where generated code points, with the hygiene of generated locals.
pub(super) fn here() -> Span {
    let generated = Span::mixed_site();
    HERE.get()
        .map_or(generated, |span| generated.located_at(span))
}

impl Program {
    /// Lets the code that is generated for a statement point at it.
    pub(super) fn at(&self, item: &Item) -> Option<At> {
        let span = match item {
            Item::Def(d) => self.defs[*d].name.span(),
            Item::Declare { root, .. } => self.roots[*root].name.span(),
            Item::Assign { place, value, .. } => match (first(&place.suffix), value) {
                (Some(span), _) => span,
                (None, Atom::Def(d)) => self.defs[*d].name.span(),
                (None, Atom::Const(expr)) => first(&expr.tokens)?,
                (None, Atom::Root(_)) => return None,
            },
            _ => return None,
        };
        Some(at(span))
    }
}

/// Where the first of some tokens stands.
fn first(tokens: &TokenStream) -> Option<Span> {
    tokens.clone().into_iter().next().map(|t| t.span())
}
