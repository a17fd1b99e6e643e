//! References where none can be followed: inside the type of a parameter, as the value of a branch, in patterns of slices.

use proc_macro2::{Delimiter, TokenTree};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::reseated::selects_part;
use crate::differentiable::expand::slice_pattern::SlicePattern;
use crate::differentiable::ir::*;
use crate::differentiable::lower::values::types::is_active;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::ends::ends_of;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::tokens::tail::tail;
use crate::errors::Errors;
use crate::signature::Function;

/// Refuses references inside the types of active parameters: what they lead to has no shadow.
pub(crate) fn check_parameters(function: &Function, errors: &mut Errors) {
    struct Inner<'e>(&'e mut Errors);
    impl<'ast> Visit<'ast> for Inner<'_> {
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0.at(
                &reference.elem,
                "a reference inside the type of a parameter leads to no shadow: make it a parameter of its own, or mark this one `#[constant]`",
            );
        }
    }
    for param in function.params.iter().filter(|p| is_active(p)) {
        Inner(errors).visit_type(&param.ty);
    }
}

impl Lower<'_> {
    /// Whether the value of a branch is a reference to a slice; an error if so.
    pub(crate) fn refused_slice(&mut self, branch: &Expr) -> bool {
        let mut tails = Vec::new();
        ends_of(branch, &mut tails);
        let holds_slice = |e: &&Expr| match e {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|e| self.is_slice(e)),
            // what a branch gives has a size
            Expr::Unary(_) => false,
            e => self.is_slice(e),
        };
        let Some(slice) = tails.into_iter().find(holds_slice) else {
            return false;
        };
        self.errors.at(
            slice,
            "a slice that a branch chooses is bound to a name by itself, `let s = if … { &a[..] } else { &b[..] };`: here, put what is done with it into each branch, or copy with `to_vec`",
        );
        true
    }

    pub(crate) fn is_slice(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(reference) => match &*reference.expr {
                Expr::Index(index) => matches!(&*index.index, Expr::Range(_)),
                inner => self.is_slice(inner),
            },
            Expr::Path(_) => match simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Root(root)) => self.slices.contains(root),
                Some(Binding::View(view)) => view.indices().count() == 2,
                Some(Binding::Alias { place, .. }) => {
                    let suffix: Vec<TokenTree> = place.suffix.clone().into_iter().collect();
                    let part = |tree: &TokenTree| matches!(tree, TokenTree::Group(index) if index.delimiter() == Delimiter::Bracket && selects_part(&index.stream()));
                    matches!(suffix.last(), Some(TokenTree::Group(_))) && suffix.iter().any(part)
                        || place.suffix.is_empty()
                            && matches!(place.base, Base::Root(r) if self.slices.contains(&r))
                }
                _ => false,
            },
            Expr::Paren(paren) => self.is_slice(&paren.expr),
            Expr::Unary(unary) => self.is_slice(&unary.expr),
            _ => false,
        }
    }

    /// `match x { [] => a, [p] => b, [p, rest @ .., q] => c }` of a slice as tests of its length, and its entries by their indices.
    pub(crate) fn by_length(&self, of: &Expr, arms: &[(Pat, Expr)]) -> Option<Expr> {
        if !self.is_slice(of) && !self.is_view(of) {
            return None;
        }
        let ((pat, body), rest) = arms.split_first()?;
        let (pat, guard) = match pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pat => (pat, None),
        };
        let pattern = match pat {
            Pat::Wild(_) if guard.is_none() => return Some(body.clone()),
            Pat::Or(either) if bound_names(pat).is_empty() && guard.is_none() => {
                let each = either.cases.iter().map(|case| (case.clone(), body.clone()));
                let arms: Vec<_> = each.chain(rest.iter().cloned()).collect();
                return self.by_length(of, &arms);
            }
            pat => SlicePattern::of(pat)?,
        };
        let borrow = match of {
            Expr::Reference(r) => r.mutability.is_some(),
            of => self.is_mutable_reference(of),
        };
        let borrow = if borrow { quote!(&mut) } else { quote!(&) };
        let bindings = pattern.bindings(of, &borrow)?;
        let test = pattern.test(of);
        let body = tail(body);
        if rest.is_empty() || test.is_none() && guard.is_none() {
            return Some(syn::parse_quote!({ #(#bindings)* #body }));
        }
        let otherwise = match self.by_length(of, rest)? {
            block @ (Expr::Block(_) | Expr::If(_)) => block,
            value => {
                let value = tail(&value);
                syn::parse_quote!({ #value })
            }
        };
        let then = match guard {
            None => quote!({ #(#bindings)* #body }),
            Some(guard) => quote!({ #(#bindings)* if #guard { #body } else #otherwise }),
        };
        Some(match test {
            None => syn::parse_quote!(#then),
            Some(test) => syn::parse_quote!(if #test #then else #otherwise),
        })
    }

    fn is_view(&self, expr: &Expr) -> bool {
        simple_name(expr)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|b| matches!(b, Binding::View(_)))
    }

    /// Whether a pattern takes a slice apart, whose length is not known; an error if so.
    pub(crate) fn refused_slice_pattern<'p>(
        &mut self,
        scrutinee: &Expr,
        patterns: impl Iterator<Item = &'p Pat>,
    ) -> bool {
        struct Slices<'p>(Vec<&'p syn::PatSlice>);
        impl<'p> Visit<'p> for Slices<'p> {
            fn visit_pat_slice(&mut self, pat: &'p syn::PatSlice) {
                self.0.push(pat);
                visit::visit_pat_slice(self, pat);
            }
        }
        let mut found = Slices(Vec::new());
        let mut names = Vec::new();
        for pat in patterns {
            found.visit_pat(pat);
            names.extend(bound_names(pat));
        }
        let Some(first) = found.0.first() else {
            return false;
        };
        let refused = self.is_slice(scrutinee);
        if refused {
            self.errors.at(
                first,
                "a pattern of a slice is not supported on active memory: match on its length, and take the entries by their indices",
            );
            // one error is enough for the names that it binds
            self.complained.extend(names);
        }
        refused
    }
}
