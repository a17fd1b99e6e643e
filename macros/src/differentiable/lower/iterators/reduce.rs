//! What a chain of iterators ends in: a sum, a product, a fold, an effect.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprClosure, ExprMethodCall, GenericArgument, Pat};

use super::element::Element;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower, array, binding};
use crate::differentiable::syntax::{chains, names};
use crate::premises;

impl Lower<'_> {
    /// The value of a chain that ends in a reduction.
    pub(crate) fn iterator_value(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let name = call.method.to_string();
        let told = call.turbofish.as_ref().and_then(|told| told.args.first());
        let scalar = match told {
            Some(GenericArgument::Type(ty)) => ty.to_token_stream(),
            _ => self.scalar.to_token_stream(),
        };
        let (start, op): (TokenStream, syn::BinOp) = match name.as_str() {
            "sum" => (
                quote!(::coenzyme::__private::sums::zero::<#scalar, _>()),
                syn::parse_quote!(+),
            ),
            "product" => (
                quote!(::coenzyme::__private::sums::one::<#scalar>()),
                syn::parse_quote!(*),
            ),
            "fold" if call.args.len() == 2 => return self.fold(call),
            _ => return None,
        };
        if name == "sum" && self.is_returned(&call.receiver) {
            return Some(self.method_call(call, true, Unpack::Plain));
        }
        let seq = self.seq_to_its_end(&call.receiver)?;
        let start = ir::Expr {
            tokens: start,
            ..Default::default()
        };
        let start = Atom::Def(self.def(DefKind::Pure(start), false));
        let total = self.variable("total", start, true);
        self.changing(vec![total], |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                let value = this.element_value(element);
                this.update(place::whole(Base::Root(total)), &op, value);
            });
        });
        Some(Atom::Def(self.version(total)))
    }

    /// Whether something is what a function returned, which is no iterator: its `sum` is that of an array.
    fn is_returned(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_returned(&paren.expr),
            Expr::Call(call) => !chains::makes_iterator(&call.func),
            // a method of the user's
            Expr::MethodCall(call) => {
                !premises::is_known_method(&call.method.to_string(), call.args.len())
            }
            Expr::Path(_) => match names::simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Def(d)) => matches!(self.program.defs[*d].kind, DefKind::Call(_)),
                _ => false,
            },
            _ => false,
        }
    }

    fn fold(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let call = &array::with_pairs(call).unwrap_or_else(|| call.clone());
        let seq = self.seq_to_its_end(&call.receiver)?;
        let start = self.value(&call.args[0]);
        let start = match start {
            Atom::Const(expr) => {
                // the function tells the type of the number: `f64::max`, `|s: f64, x| …`
                let ty = match &call.args[1] {
                    Expr::Path(_) => Some(self.scalar.clone()),
                    Expr::Closure(f) => match f.inputs.first() {
                        Some(Pat::Type(typed)) => Some((*typed.ty).clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let expr = binding::annotated(ty.as_ref(), expr);
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            start => start,
        };
        let total = self.variable("total", start, true);
        if let Expr::Tuple(_) = &call.args[0] {
            self.note_type_of(Base::Root(total), &call.args[0]);
        }
        let f = call.args[1].clone();
        let mut changed = self.written_by(&f);
        changed.push(total);
        self.changing(changed, |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                let now = Atom::Def(this.version(total));
                let value = match &f {
                    Expr::Closure(f) => this.apply(f, vec![Element::Atom(now), element]),
                    Expr::Path(path) => {
                        let f: ExprClosure = syn::parse_quote!(|a, b| #path(a, b));
                        this.apply(&f, vec![Element::Atom(now), element])
                    }
                    other => {
                        this.errors.at(other, "fold with a closure or a function");
                        this.nothing()
                    }
                };
                this.set(place::whole(Base::Root(total)), value);
            });
        });
        Some(Atom::Def(self.version(total)))
    }

    /// `….for_each(|…| …)` as a statement.
    pub(crate) fn for_each(&mut self, call: &ExprMethodCall) -> bool {
        if call.method != "for_each" {
            return false;
        }
        let call = &array::with_pairs(call).unwrap_or_else(|| call.clone());
        let Some(Expr::Closure(f)) = call.args.first() else {
            return false;
        };
        let Some(seq) = self.seq_to_its_end(&call.receiver) else {
            return false;
        };
        let written = self.written_by(&f.body);
        self.changing(written, |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                drop(this.apply(f, vec![element]))
            });
        });
        true
    }
}
