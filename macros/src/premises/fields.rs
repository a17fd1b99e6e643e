//! Asserts that an assignment to a field leaves the places that an `Index` of the type's own gives where they are.

use quote::quote_spanned;
use syn::Expr;
use syn::spanned::Spanned;

use super::places;

/// What is asserted where the place `assigned` is assigned: of each field on the way to it, that no `Index` of a type's own may read it.
pub(super) fn keep_places(assigned: &Expr) -> Option<Expr> {
    let mut fields = Vec::new();
    collect(&places::again(assigned)?, &mut fields);
    if fields.is_empty() {
        return None;
    }
    let asserted = fields.iter().map(|field| {
        let (of, at) = (&field.base, field.member.span());
        quote_spanned! {at=>
            places_stay((&&&&&&&field_of(&#of, &#field)).assigned());
        }
    });
    // what cannot be reached has types, and borrows nothing
    syn::parse2(quote_spanned! {assigned.span()=> {
        use ::coenzyme::__private::indexed::{
            ByArray as _, ByArrayBehind as _, ByNumber as _, ByNumberBehind as _, ByPair as _, ByPairBehind as _,
            NotIndexed as _, field_of, places_stay,
        };
        loop {
            break;
            #(#asserted)*
        }
    } })
    .ok()
}

/// The fields on the way to a place.
fn collect(place: &Expr, into: &mut Vec<syn::ExprField>) {
    match place {
        Expr::Field(field) => {
            collect(&field.base, into);
            into.push(field.clone());
        }
        Expr::Index(index) => collect(&index.expr, into),
        Expr::Paren(paren) => collect(&paren.expr, into),
        Expr::Group(group) => collect(&group.expr, into),
        Expr::Unary(unary) => collect(&unary.expr, into),
        _ => {}
    }
}
