//! Statements, each with its tangents.

use proc_macro2::TokenStream;

use super::Forward;
use crate::differentiable::ir::*;

impl Forward<'_> {
    /// Statements, with parameters bound again after a call that got them as a whole.
    pub(super) fn block(&self, block: &Block) -> TokenStream {
        let item = |item: &Item| self.item(item);
        block.statements(self.program, item, |r| self.bind_root(r))
    }

    /// A block of its own.
    fn nested(&self, block: &Block) -> TokenStream {
        let again = block.bound_again(self.program, |r| self.bind_root(r));
        let body = self.block(block);
        code!(#again #body)
    }

    fn item(&self, item: &Item) -> TokenStream {
        let p = self.program;
        let _here = self.program.at(item);
        match item {
            Item::Verbatim(tokens) => tokens.clone(),
            Item::Reshape { .. } => TokenStream::new(),
            Item::Def(d) => self.def(*d),
            Item::Declare { root, init } => self.declare(&p.roots[*root], init),
            Item::Assign { place, op, value } => {
                let primal = p.assign_primal(place, *op, value);
                let tangents = self.assign(place, *op, value);
                // the tangents first: the place's own tokens may read what is assigned
                code!(#tangents #primal)
            }
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|a| self.nested(&a.body)).collect();
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let bound = iterable.bound_again(p, body, |r| self.bind_root(r));
                let iterable = bound.as_ref().unwrap_or(iterable);
                let (body, leave) = (self.nested(body), p.leave_primal(flags));
                p.loop_primal(iterable, code!(#body #leave))
            }
            Item::Call(call) => {
                let call = self.call(call);
                code!(#call;)
            }
            Item::Copy { to, from } => self.copy(to, from),
            Item::Fill { place, value } => self.fill(place, value),
            Item::Push { place, value } => self.push(place, value),
            Item::Pop { place } => self.pop(place),
            Item::Swap { place, i, j } => self.swap(place, i, j),
            Item::Exchange { a, b } => {
                let (x, y) = (p.place_value(a), p.place_value(b));
                let tangents = p.exchange_shadows(a.base, b.base);
                code!(::core::mem::swap(&mut #x, &mut #y); #tangents)
            }
        }
    }
}
