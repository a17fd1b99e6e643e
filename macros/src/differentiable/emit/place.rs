//! Where generated code points: at the statement that it was generated for.

use std::cell::Cell;

use proc_macro2::Span;

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
        let name = match item {
            Item::Def(d) => &self.defs[*d].name,
            Item::Declare { root, .. } => &self.roots[*root].name,
            _ => return None,
        };
        Some(at(name.span()))
    }
}
