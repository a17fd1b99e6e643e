//! Fields that borrow numbers, `struct Table<'a> { xs: &'a [f64] }`. A shadow owns its memory, so these have no derivative: they are marked,
//! `borrowed(&table.xs)`, as their type must say.
//!
//! ```text
//! // let Table { xs, gain } = self;
//! let Table { gain, .. } = self; let xs = self.xs;      // which is marked then
//! ```

use syn::{Expr, FieldPat, Pat, Stmt};

use super::ref_patterns::is_place;
use crate::differentiable::resolve::known_types::KnownTypes;

/// The mark of a field.
pub(super) fn marked(field: &Expr) -> Expr {
    syn::parse_quote!(::coenzyme::__private::borrowed(&#field))
}

/// The bindings of a pattern, those of the fields that borrow apart.
pub(super) fn apart(stmt: Stmt, types: &KnownTypes) -> Vec<Stmt> {
    let Stmt::Local(mut local) = stmt else {
        return vec![stmt];
    };
    let (Pat::Struct(pattern), Some(init)) = (&mut local.pat, &local.init) else {
        return vec![Stmt::Local(local)];
    };
    let place = match &*init.expr {
        Expr::Reference(lent) => &lent.expr,
        place => place,
    };
    let may_borrow = |field: &FieldPat| {
        let is_name = matches!(&*field.pat, Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none());
        is_name && types.borrows_as(&pattern.path, &field.member)
    };
    let (lent, rest): (Vec<_>, Vec<_>) = pattern.fields.iter().cloned().partition(may_borrow);
    if lent.is_empty() || init.diverge.is_some() || !is_place(place) {
        return vec![Stmt::Local(local)];
    }
    let bound = lent.iter().map(|field| {
        let (name, member) = (&field.pat, &field.member);
        syn::parse_quote!(let #name = #place.#member;)
    });
    let bound: Vec<Stmt> = bound.collect();
    pattern.fields = rest.into_iter().collect();
    pattern.rest.get_or_insert_with(|| syn::PatRest {
        attrs: Vec::new(),
        dot2_token: Default::default(),
    });
    let others = (!pattern.fields.is_empty()).then_some(Stmt::Local(local));
    others.into_iter().chain(bound).collect()
}
