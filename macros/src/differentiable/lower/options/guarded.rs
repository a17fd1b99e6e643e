//! `match` on an `Option` that is written out, with guards: one test after the other.
//!
//! ```text
//! // match best { Some(b) if b > x => …, Some(b) => …, None => … }
//! if there { let some = best; let b = some; if b > x { … } else { let b = some; … } } else { … }
//! ```

use quote::quote;
use syn::{Expr, ExprMatch, Pat};

use crate::differentiable::lower::Lower;
use crate::differentiable::lower::control::matching::after_steps;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::options::{is_any_error, is_present};
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::tail::tail;
use crate::differentiable::tokens::text::names;

/// The name of what is there.
const SOME: &str = "__present";

impl Lower<'_> {
    /// The `match` as tests.
    pub(crate) fn by_presence(&mut self, branch: &ExprMatch) -> Option<Expr> {
        let (test, entry) = self.maybe_entry(&branch.expr)?;
        if let (true, Some(error)) = (self.is_option(&branch.expr), error_asked(branch)) {
            self.errors.at(error, ERROR_LOST);
            return Some(syn::parse_quote!({}));
        }
        let arms: Vec<Arm<'_>> = branch.arms.iter().map(arm).collect::<Option<_>>()?;
        let some = quote::format_ident!("{SOME}");
        let (there, absent) = (present(&arms, &some)?, absent(&arms)?);
        self.varied.insert(SOME.to_owned());
        let (test, (before, entry)) = (head(&test), after_steps(entry));
        Some(syn::parse_quote!(if #test { #(#before)* let #some = #entry; #there } else #absent))
    }
}

/// An arm: what it takes of a `Some`, its guard, its body.
struct Arm<'a> {
    fits: Fits<'a>,
    guard: Option<&'a Expr>,
    body: &'a Expr,
}

impl Arm<'_> {
    /// Whether the arm names something that it does not bind.
    fn means_another(&self, name: &str) -> bool {
        let binds =
            matches!(self.fits, Fits::Some(pat) if bound_names(pat).iter().any(|n| n == name));
        let (guard, body) = (self.guard, self.body);
        !binds && names(quote!(#guard #body), &quote::format_ident!("{name}"))
    }
}

enum Fits<'a> {
    Some(&'a Pat),
    None,
    Any,
}

fn arm(arm: &syn::Arm) -> Option<Arm<'_>> {
    let (pat, guard) = match &arm.pat {
        Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
        pat => (pat, None),
    };
    let fits = match pat {
        Pat::TupleStruct(some) if is_present(some) && always_fits(&some.elems[0]) => {
            Fits::Some(&some.elems[0])
        }
        Pat::Ident(name) if name.ident == "None" => Fits::None,
        Pat::Path(path) if path.path.is_ident("None") => Fits::None,
        Pat::TupleStruct(error) if is_any_error(error) => Fits::None,
        Pat::Wild(_) => Fits::Any,
        _ => return None,
    };
    Some(Arm {
        fits,
        guard,
        body: &arm.body,
    })
}

/// What is said of a pattern that asks for the error of a `Result` which is made here.
const ERROR_LOST: &str = "of a `Result` that is made here only whether there is a value is kept, and the value: match `Err(_)`, or make it in a function marked `#[differentiable]` and match on its call";

/// The pattern that asks for an error.
fn error_asked(branch: &ExprMatch) -> Option<&Pat> {
    let mut patterns = branch.arms.iter().map(|arm| match &arm.pat {
        Pat::Guard(guarded) => &*guarded.pat,
        pat => pat,
    });
    patterns.find(|pat| matches!(pat, Pat::TupleStruct(error) if error.path.is_ident("Err") && !is_any_error(error)))
}

/// Whether a pattern fits every value, as far as tokens tell.
pub(crate) fn always_fits(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(name) => name.subpat.is_none() && name.by_ref.is_none(),
        Pat::Wild(_) => true,
        Pat::Reference(reference) => always_fits(&reference.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(always_fits),
        _ => false,
    }
}

/// What the arms do if there is a value.
fn present(arms: &[Arm<'_>], some: &syn::Ident) -> Option<Expr> {
    let (arm, rest) = arms.split_first()?;
    let bind = match arm.fits {
        Fits::Some(pat) => quote!(let #pat = #some;),
        Fits::Any => quote!(),
        Fits::None => return present(rest, some),
    };
    let body = tail(arm.body);
    match arm.guard {
        None => syn::parse2(quote!({ #bind #body })).ok(),
        Some(guard) => {
            let guard = head(guard);
            // the names are bound for the guard, and so for the arms after it
            let otherwise = present(rest, some)?;
            if let Fits::Some(pat) = arm.fits
                && bound_names(pat)
                    .iter()
                    .any(|name| rest.iter().any(|arm| arm.means_another(name)))
            {
                return None;
            }
            syn::parse2(quote!({ #bind if #guard { #body } else #otherwise })).ok()
        }
    }
}

/// What the arms do if there is none.
fn absent(arms: &[Arm<'_>]) -> Option<Expr> {
    let (arm, rest) = arms.split_first()?;
    let body = tail(arm.body);
    match (&arm.fits, arm.guard) {
        (Fits::Some(_), _) => absent(rest),
        // `S { ..v } = ()` is an expression, and none where a block begins
        (_, None) => syn::parse2(quote!({ #body })).ok(),
        (_, Some(guard)) => {
            let (guard, otherwise) = (head(guard), absent(rest)?);
            syn::parse2(quote!({ if #guard { #body } else #otherwise })).ok()
        }
    }
}
