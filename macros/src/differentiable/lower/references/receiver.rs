//! What the arguments of a method call do to its receiver, which may have two names.

use proc_macro2::Ident;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall};

use crate::differentiable::ir::Base;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::receivers::{self, Change};

impl Lower<'_> {
    /// What the arguments of a call do to its receiver. While `let r = &mut p;` is in use Rust lets nothing touch `p`, so arguments of
    /// `r.moved(…)` that name `p` are accepted only if the method takes its receiver by value.
    pub(crate) fn change_of_receiver(&self, call: &ExprMethodCall) -> Change {
        match receivers::change(call) {
            Change::Surely => Change::Surely,
            change => match self
                .under_its_first_name(call)
                .map(|c| receivers::change(&c))
            {
                Some(Change::Surely) => Change::Surely,
                Some(Change::Perhaps) if change == Change::Nothing => Change::Surely,
                _ => change,
            },
        }
    }

    /// The call with the memory that a mutable reference leads to in the place of the reference: `p.moved(…)` for `r.moved(…)`.
    fn under_its_first_name(&self, call: &ExprMethodCall) -> Option<ExprMethodCall> {
        let mut first = FirstName {
            lower: self,
            found: false,
        };
        let mut call = call.clone();
        first.visit_expr_mut(&mut call.receiver);
        first.found.then_some(call)
    }

    /// The place that a name leads to, if it is a mutable reference.
    fn lent_place(&self, name: &Ident) -> Option<Expr> {
        let Binding::Alias {
            place,
            exclusive: true,
        } = self.lookup(&name.to_string())?
        else {
            return None;
        };
        let Base::Root(of) = place.base else {
            return None;
        };
        let is_of = |b: &Binding| matches!(b, Binding::Root(root) if *root == of);
        let mut names = self.scopes.iter().rev().flatten();
        let (name, _) = names.find(|(_, binding)| is_of(binding))?;
        let (name, suffix) = (quote::format_ident!("{name}"), &place.suffix);
        syn::parse2(quote!(#name #suffix)).ok()
    }
}

struct FirstName<'l, 'a> {
    lower: &'l Lower<'a>,
    found: bool,
}

impl VisitMut for FirstName<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let name = match expr {
            Expr::Path(path) => path.path.get_ident(),
            _ => return visit_mut::visit_expr_mut(self, expr),
        };
        if let Some(place) = name.and_then(|name| self.lower.lent_place(name)) {
            *expr = place;
            self.found = true;
        }
    }
}
