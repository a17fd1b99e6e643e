//! The expressions of a block as the user wrote them: what a name stands in, apart from places.

use proc_macro2::{Ident, TokenStream};

use super::*;
use crate::differentiable::tokens::text::names;

/// What is done with each expression.
type Found<'a, 'f> = &'f mut dyn FnMut(&'a TokenStream);

impl Program {
    /// Whether an expression in a block names this.
    pub(crate) fn text_names(&self, block: &Block, name: &Ident) -> bool {
        let mut found = false;
        self.text(block, &mut |tokens| {
            found = found || names(tokens.clone(), name)
        });
        found
    }

    fn text<'a>(&'a self, block: &'a Block, found: Found<'a, '_>) {
        for item in &block.items {
            self.item_text(item, found);
        }
    }

    fn item_text<'a>(&'a self, item: &'a Item, found: Found<'a, '_>) {
        match item {
            Item::Verbatim(tokens) => found(tokens),
            Item::Def(d) => match &self.defs[*d].kind {
                DefKind::Pure(expr) | DefKind::Opaque(expr) => found(&expr.tokens),
                DefKind::Read(place) => found(&place.suffix),
                DefKind::Op { value, .. } | DefKind::Make { value, .. } => found(value),
                DefKind::Call(call) => call.text(found),
                DefKind::Version(_) | DefKind::Param(_) | DefKind::LoopVariable => {}
            },
            Item::Declare { init, .. } => match init {
                Init::Later => {}
                Init::Value(atom) => atom.text(found),
                Init::Inactive { expr, .. } => found(&expr.tokens),
                Init::Copy { tokens, .. } => found(tokens),
            },
            Item::Assign { place, value, .. }
            | Item::Fill { place, value }
            | Item::Push { place, value } => {
                found(&place.suffix);
                value.text(found);
            }
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                atom.text(found);
                for arm in arms {
                    found(&arm.pattern);
                    self.text(&arm.body, found);
                }
            }
            Item::Loop { iterable, body, .. } => {
                match iterable {
                    Iterable::Counted { range, .. } => {
                        range.range.text(found);
                        range.step.iter().for_each(|s| found(&s.tokens));
                    }
                    Iterable::While { condition } => found(condition),
                }
                self.text(body, found);
            }
            Item::Call(call) => call.text(found),
            Item::Reshape { .. } => {}
            Item::Copy { to: a, from: b } | Item::Exchange { a, b } => {
                found(&a.suffix);
                found(&b.suffix);
            }
            Item::Pop { place } => found(&place.suffix),
            Item::Swap { place, i, j } => [&place.suffix, i, j].into_iter().for_each(found),
        }
    }
}

impl Atom {
    fn text<'a>(&'a self, found: Found<'a, '_>) {
        if let Atom::Const(expr) = self {
            found(&expr.tokens);
        }
    }
}

impl Call {
    fn text<'a>(&'a self, found: Found<'a, '_>) {
        if let Callee::Method { receiver, .. } | Callee::Part { of: receiver, .. } = &self.callee {
            found(&receiver.suffix);
        }
        self.unpack.methods().into_iter().for_each(&mut *found);
        for arg in self.args.iter().flat_map(Arg::each) {
            match arg {
                Arg::Const(expr) => found(&expr.tokens),
                Arg::Value(atom) => atom.text(found),
                Arg::Whole { .. } | Arg::Closure { .. } => {}
                Arg::Shared(place) | Arg::Exclusive(place) => found(&place.suffix),
            }
        }
    }
}
