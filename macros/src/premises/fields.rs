//! Asserts that an assignment to a field leaves the places that an `Index` of the type's own gives where they are.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Member};

use super::places;
use crate::dispatch::hash;
use crate::files::own_lenders::OwnLenders;

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
    let beside = fields.iter().flat_map(beside_lenders);
    // what cannot be reached has types, and borrows nothing
    syn::parse2(quote_spanned! {assigned.span()=> {
        use ::coenzyme::__private::indexed::{
            ByArray as _, ByArrayBehind as _, ByNumber as _, ByNumberBehind as _, ByPair as _, ByPairBehind as _,
            NotIndexed as _, field_of, places_stay,
        };
        loop {
            break;
            #(#asserted)*
            #(#beside)*
        }
    } })
    .ok()
}

/// What is asserted of a field where methods of this crate lend parts by a field of its name: that they are of other types.
fn beside_lenders(assigned: &syn::ExprField) -> Vec<TokenStream> {
    let (of, name, at) = (&assigned.base, &assigned.member, assigned.member.span());
    let (near, field) = match name {
        Member::Named(name) => (name.clone(), name.unraw().to_string()),
        Member::Unnamed(index) => (Ident::new("tuple", at), index.index.to_string()),
    };
    let lenders = OwnLenders::of(&near);
    let by = lenders.choosing_by(&field).into_iter();
    by.map(|method| {
        let (method, field) = (hash(method), hash(&field));
        quote_spanned! {at=> {
            use ::coenzyme::__private::{Beside as _, NotBeside as _, field_beside, parts_stay};
            parts_stay((&&&field_beside::<_, _, #method, #field>(&#of, &#assigned)).assigned());
        } }
    })
    .collect()
}

/// States in the index that the place does not depend on numbers of `v` in `v[i]`; whether that can be asked.
pub(super) fn name_places(index: &mut syn::ExprIndex) -> bool {
    let (Some(of), at) = (places::again(&index.expr), &index.index) else {
        return false;
    };
    let span = index.expr.span();
    let asserted = syn::parse2(quote_spanned! {span=> {
        use ::coenzyme::__private::indexed::{ByNumbers as _, ByIntegers as _, indexed, place_stays};
        loop {
            break;
            place_stays((&&indexed(&#of)).chosen());
        }
        #at
    } });
    let Ok(asserted) = asserted else {
        return false;
    };
    *index.index = asserted;
    true
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
