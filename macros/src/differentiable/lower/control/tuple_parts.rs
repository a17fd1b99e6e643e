//! Names that a pattern gives to parts without derivative of a tuple that is made to be matched on: `(m, _) => m` of `match (mode, t)` is `_ => { let m = mode; m }`.

use syn::{Expr, ExprMatch, Pat};

use super::variant::is_name;
use crate::differentiable::lower::Lower;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// The `match` in which such names are locals, if there are any: the tuple is active as a whole.
    pub(crate) fn names_beside(&self, branch: &ExprMatch) -> Option<ExprMatch> {
        let Expr::Tuple(tuple) = &*branch.expr else {
            return None;
        };
        if !self.is_varied(&branch.expr) {
            return None;
        }
        let mut named = branch.clone();
        let mut found = false;
        for (at, part) in tuple.elems.iter().enumerate() {
            let Some(name) = simple_name(part).filter(|_| !self.is_varied(part)) else {
                continue;
            };
            for arm in &mut named.arms {
                let others = bound_names(&arm.pat);
                let Pat::Tuple(pats) = &mut arm.pat else {
                    continue;
                };
                let rest = pats
                    .elems
                    .iter()
                    .take(at)
                    .any(|p| matches!(p, Pat::Rest(_)));
                let Some(pat) = pats.elems.get_mut(at).filter(|pat| !rest && is_name(pat)) else {
                    continue;
                };
                let [own] = &bound_names(pat)[..] else {
                    continue;
                };
                if others.iter().any(|other| *other == name && other != own) {
                    continue;
                }
                let bound = std::mem::replace(pat, syn::parse_quote!(_));
                let body = &arm.body;
                *arm.body = syn::parse_quote!({ let #bound = #part; #body });
                found = true;
            }
        }
        found.then_some(named)
    }
}
