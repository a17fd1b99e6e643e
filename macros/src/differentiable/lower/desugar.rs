//! Syntax that is short for other syntax, written out before anything looks at it.

use proc_macro2::Span;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Local, Pat};

use crate::differentiable::varied::bound_names;

/// The body with the long forms:
///
/// | short | long |
/// |---|---|
/// | `while let p = e { … }` | `loop { match e { p => { … } _ => break } }` |
/// | `let p = e else { … };` | `let x = match e { p => x, _ => { … } };` |
/// | `S { a: e, ..rest }` | `{ let a = e; let mut s = rest; s.a = a; s }` |
pub(super) fn desugared(body: &syn::Block) -> syn::Block {
    let mut body = body.clone();
    Desugar.visit_block_mut(&mut body);
    body
}

struct Desugar;

impl VisitMut for Desugar {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::While(l) => {
                if let Expr::Let(condition) = &*l.cond {
                    let (label, body) = (&l.label, &l.body);
                    let (pat, of) = (&condition.pat, &condition.expr);
                    *expr =
                        syn::parse_quote!(#label loop { match #of { #pat => #body _ => break } });
                }
            }
            Expr::Struct(structure) if structure.rest.is_some() => *expr = updated(structure),
            _ => {}
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let Some(init) = &mut local.init else { return };
        let Some((_, otherwise)) = init.diverge.take() else {
            return;
        };
        let pat = match &local.pat {
            Pat::Type(typed) => (*typed.pat).clone(),
            pat => pat.clone(),
        };
        let names: Vec<Ident> = bound_names(&pat)
            .iter()
            .map(|n| Ident::new(n, Span::call_site()))
            .collect();
        let value = match &names[..] {
            [name] => quote!(#name),
            names => quote!((#(#names,)*)),
        };
        let of = &init.expr;
        *init.expr = syn::parse_quote!(match #of { #pat => #value, _ => #otherwise });
        local.pat = syn::parse_quote!(#value);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `S { a: e, ..rest }` as a copy of `rest` with other fields.
fn updated(structure: &syn::ExprStruct) -> Expr {
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let whole = local("updated");
    let values: Vec<Ident> = (0..structure.fields.len())
        .map(|i| local(&format!("field{i}")))
        .collect();
    let members = structure.fields.iter().map(|f| &f.member);
    let fields = structure.fields.iter().map(|f| &f.expr);
    let rest = &structure.rest;
    syn::parse_quote!({
        #(let #values = #fields;)*
        let mut #whole = #rest;
        #(#whole.#members = #values;)*
        #whole
    })
}
