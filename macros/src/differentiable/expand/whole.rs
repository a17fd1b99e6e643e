//! Patterns that name the whole value: `d @ p`.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMatch, Pat, Stmt};

use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::tokens::tail::tail;
use crate::differentiable::tokens::text::names;

/// Writes `p => { let d = x; … }` for the arm `d @ p => …` of a `match x`, and `{ let d = x; c }` for its guard.
pub(crate) fn named(branch: &mut ExprMatch) {
    let Expr::Path(syn::ExprPath { path: of, .. }) = &*branch.expr else {
        return;
    };
    for arm in &mut branch.arms {
        let (pat, guard) = match &mut arm.pat {
            Pat::Guard(guarded) => (&mut *guarded.pat, Some(&mut guarded.guard)),
            pat => (pat, None),
        };
        let Pat::Ident(name) = &*pat else { continue };
        let Some((_, inner)) = &name.subpat else {
            continue;
        };
        let (mutability, ident, body) = (&name.mutability, &name.ident, tail(&arm.body));
        let asked = guard
            .as_ref()
            .is_some_and(|guard| names(guard.to_token_stream(), ident));
        // what is matched has its name still, where the arm begins
        let hidden = bound_names(inner).iter().any(|bound| of.is_ident(bound));
        if name.by_ref.is_some() || hidden || asked && !is_of_a_number(inner) {
            continue;
        }
        *arm.body = syn::parse_quote!({ let #mutability #ident = #of; #body });
        if let Some(guard) = guard.filter(|_| asked) {
            let asked = tail(guard);
            **guard = syn::parse_quote!({ let #ident = #of; #asked });
        }
        *pat = (**inner).clone();
    }
}

/// `let P { z, .. } = p; let [a, b] = z;` for `let P { z: z @ [a, b], .. } = p;`.
pub(crate) fn of_parts(mut stmt: Stmt) -> Vec<Stmt> {
    let Stmt::Local(local) = &mut stmt else {
        return vec![stmt];
    };
    if local
        .init
        .as_ref()
        .is_none_or(|init| init.diverge.is_some())
    {
        return vec![stmt];
    }
    let mut parts = Parts(Vec::new());
    parts.visit_pat_mut(&mut local.pat);
    std::iter::once(stmt).chain(parts.0).collect()
}

/// Takes the patterns behind names apart.
struct Parts(Vec<Stmt>);

impl VisitMut for Parts {
    fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
        let whole = matches!(&name.subpat, Some((_, inner)) if !matches!(**inner, Pat::Rest(_)));
        if whole
            && name.by_ref.is_none()
            && let Some((_, inner)) = name.subpat.take()
        {
            let ident = &name.ident;
            let part = syn::parse_quote!(let #inner = #ident;);
            self.0.extend(of_parts(part));
        }
    }
}

/// Names what is matched on, where an arm names a number: `match x[0] { d @ 0.0..1.0 => … }`.
pub(crate) fn of_a_number(expr: &Expr) -> Option<Expr> {
    let Expr::Match(branch) = expr else {
        return None;
    };
    let names_a_number = |pat: &Pat| {
        let pat = match pat {
            Pat::Guard(guarded) => &*guarded.pat,
            pat => pat,
        };
        matches!(pat, Pat::Ident(name) if name.subpat.as_ref().is_some_and(|(_, inner)| is_of_a_number(inner)))
    };
    let named = matches!(&*branch.expr, Expr::Path(_));
    if named || !branch.arms.iter().any(|arm| names_a_number(&arm.pat)) {
        return None;
    }
    let (of, mut branch) = (&branch.expr, branch.clone());
    *branch.expr = syn::parse_quote!(__whole);
    Some(syn::parse_quote!({ let __whole = #of; #branch }))
}

fn is_of_a_number(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(_) | Pat::Range(_) => true,
        Pat::Or(either) => either.cases.iter().all(is_of_a_number),
        Pat::Paren(paren) => is_of_a_number(&paren.pat),
        _ => false,
    }
}
