//! Methods of numbers by their paths: called, `f64::sin(x)`, or passed to what calls them, `integrate(f64::sin, a, b)`.

use quote::format_ident;
use syn::{Expr, ExprCall, ExprClosure, Ident, Path};

use super::Lower;
use crate::differentiable::ir::Atom;
use crate::differentiable::table;

impl Lower<'_> {
    /// `f64` and `sin` of `f64::sin`: the type of a number, or one that may be, and a name.
    fn of_number<'p>(&self, path: &'p Path) -> Option<(&'p Ident, &'p Ident)> {
        let mut names = path.segments.iter().rev().map(|s| &s.ident);
        let (name, ty) = (names.next()?, names.next()?);
        let number = ["f64", "f32", "Float", "Real"].iter().any(|n| ty == n);
        (number || self.generics.type_params().any(|t| t.ident == *ty)).then_some((ty, name))
    }

    /// `f64::sin(x)`, `T::max(a, b)`: a method by its path.
    pub(super) fn associated(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let (ty, name) = self.of_number(&path.path)?;
        let (receiver, rest) = (call.args.first()?, call.args.iter().skip(1));
        if name == "from" {
            return Some(self.cast(receiver, &syn::parse_quote!(#ty)));
        }
        table::method(&name.to_string(), call.args.len() - 1)?;
        let as_method: Expr = syn::parse_quote!((#receiver).#name(#(#rest),*));
        Some(self.value(&as_method))
    }

    /// `|x| x.sin()` of `f64::sin`.
    pub(super) fn number_method(&self, path: &Expr) -> Option<ExprClosure> {
        let path = match path {
            Expr::Path(path) => path,
            Expr::Reference(lent) => return self.number_method(&lent.expr),
            _ => return None,
        };
        let (ty, name) = self.of_number(&path.path)?;
        let known = |others: &usize| table::method(&name.to_string(), *others).is_some();
        let others = (0..3).find(known)?;
        let rest: Vec<Ident> = (0..others).map(|i| format_ident!("__x{i}")).collect();
        Some(syn::parse_quote!(|__x: #ty, #(#rest: #ty),*| __x.#name(#(#rest),*)))
    }
}
