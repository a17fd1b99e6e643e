//! The lifted primal: what the rules call by rule, it calls by the marker.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Ident};

use super::constants::Named;
use crate::signature::{Function, Passing};

/// Writes `Function::call(&g_of_any_order, (x,))` for `g_of_any_order(x)`.
pub(super) fn call_markers(body: &mut Block, named: &Named, function: &Function) {
    let exclusive = function
        .params
        .iter()
        .filter(|p| p.passing == Passing::Exclusive);
    let exclusive = exclusive.map(|p| p.name.to_string()).collect();
    let name = &function.name;
    CallMarkers {
        name,
        named,
        exclusive,
    }
    .visit_block_mut(body);
}

struct CallMarkers<'a> {
    name: &'a Ident,
    named: &'a Named,
    /// The parameters that are lent on, and not moved.
    exclusive: HashSet<String>,
}

impl CallMarkers<'_> {
    /// The marker that a name stands for.
    fn marker(&self, name: &Ident) -> Option<TokenStream> {
        match name == self.name {
            true => Some(quote!(&#name {})),
            false => self.named.is_callee(name).then(|| quote!(&#name)),
        }
    }
}

impl VisitMut for CallMarkers<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let alias = |expr: &Expr| match expr {
            Expr::Path(path) => path.path.get_ident().and_then(|name| self.marker(name)),
            _ => None,
        };
        if alias(expr).is_some() {
            return;
        }
        if let Expr::Call(call) = expr
            && let Some(alias) = alias(&call.func)
        {
            for arg in &mut call.args {
                let lent = match &*arg {
                    Expr::Path(path) => path
                        .path
                        .get_ident()
                        .filter(|n| self.exclusive.contains(&n.to_string())),
                    _ => None,
                };
                if let Some(lent) = lent {
                    *arg = syn::parse_quote!(&mut *#lent);
                }
                self.visit_expr_mut(arg);
            }
            let args = &call.args;
            let comma = (!args.is_empty() && !args.trailing_punct()).then(|| quote!(,));
            *expr = syn::parse_quote!(::coenzyme::Function::call(#alias, (#args #comma)));
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
