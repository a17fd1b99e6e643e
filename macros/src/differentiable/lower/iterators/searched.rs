//! Searches in chains that may find nothing, as loops: `find_map`, `try_fold`, `fold` of an `Option`; `find`, `max_by`, `reduce` and the
//! like where the number of elements is not known before.
//!
//! ```text
//! // x.iter().find_map(|v| if *v > 1.0 { Some(v * v) } else { None })
//! let mut option = None;
//! for v in x.iter() { if *v > 1.0 { option = Some(v * v); break; } }
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprClosure, ExprMethodCall};

use crate::differentiable::lower::Lower;
use crate::differentiable::lower::options::combinator::{ELEMENT, INSIDE, OPTION, applied, name};
use crate::differentiable::resolve::varied;
use crate::differentiable::syntax::chains::{is_chain, of_unknown_length};
use crate::differentiable::syntax::ends::at_ends;
use crate::differentiable::syntax::names;
use crate::differentiable::tokens::head::head;

impl Lower<'_> {
    /// A search in a chain: `….find_map(f)`, `….try_fold(a, f)`.
    pub(crate) fn searched(&self, call: &ExprMethodCall) -> Option<Expr> {
        let chain = &call.receiver;
        if !is_chain(chain) && !self.is_chain_name(chain) {
            return None;
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &args[..]) {
            ("find_map", [Expr::Closure(f)]) => self.found(chain, f),
            ("try_fold", [start, Expr::Closure(f)]) => self.folded_while(chain, start, f),
            ("fold", [start, Expr::Closure(f)]) if self.gives_option(start) => {
                self.folded_option(chain, start, f)
            }
            (_, args) if is_uncounted(chain) => chosen(call, args),
            _ => None,
        }
    }

    fn found(&self, chain: &Expr, f: &ExprClosure) -> Option<Expr> {
        let (pat, end) = (f.inputs.first()?, self.branches(&f.body)?);
        let (local, inside, chain) = (name(OPTION), name(INSIDE), head(chain));
        let next = self.opened_with(&end, quote!({ #local = Some(#inside); break; }));
        Some(syn::parse_quote!({
            let mut #local = None;
            for #pat in #chain { #next }
            if let Some(#inside) = #local { Some(#inside) } else { None }
        }))
    }

    fn folded_while(&self, chain: &Expr, start: &Expr, f: &ExprClosure) -> Option<Expr> {
        let [acc, pat] = [f.inputs.first()?, f.inputs.get(1)?];
        let end = self.branches(&f.body)?;
        let (inside, chain) = (name(INSIDE), head(chain));
        let go_on = quote!({ __folded = #inside; });
        let next = self.opened_with(&end, go_on);
        Some(syn::parse_quote!({
            let (mut __folded, mut __whole) = (#start, true);
            for #pat in #chain { let #acc = __folded; #next else { __whole = false; break; } }
            if __whole { Some(__folded) } else { None }
        }))
    }

    /// A fold whose state is an `Option`.
    fn folded_option(&self, chain: &Expr, start: &Expr, f: &ExprClosure) -> Option<Expr> {
        let [acc, pat] = [f.inputs.first()?, f.inputs.get(1)?];
        let state = varied::bound_names(acc).into_iter().next();
        let (local, inside) = (name(OPTION), name(INSIDE));
        let same: Expr =
            syn::parse_quote!(if let Some(#inside) = #local { Some(#inside) } else { None });
        let mut body = (*f.body).clone();
        let _ = at_ends(&mut body, &mut |end| {
            if names::simple_name(end).is_some_and(|end| Some(end) == state) {
                *end = same.clone();
            }
            Ok(())
        });
        let (next, chain) = (self.branches(&body)?, head(chain));
        Some(syn::parse_quote!({
            let mut #local = #start;
            for #pat in #chain { let #acc = #local; #local = #next; }
            #same
        }))
    }

    /// `{ let option = …; if let Some(inside) = option … }` in tokens, to which an `else` may be added.
    fn opened_with(&self, option: &Expr, there: TokenStream) -> TokenStream {
        let (local, inside) = (name("__next"), name(INSIDE));
        quote!(let #local = #option; if let Some(#inside) = #local #there)
    }
}

/// Whether the number of elements of a chain is not known before it is run.
pub(crate) fn is_uncounted(chain: &Expr) -> bool {
    of_unknown_length(chain).is_some_and(|method| method != "chain" && method != "cycle")
}

/// Whether a function says which element of a chain it is, in the primal only.
pub(crate) fn is_position(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.leading_colon.is_some()
        && path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("position_of")))
}

/// The element that a search chooses.
fn chosen(call: &ExprMethodCall, args: &[&Expr]) -> Option<Expr> {
    let (chain, element, inside) = (&call.receiver, name(ELEMENT), name(INSIDE));
    let position = |find: &str, f: &Expr| {
        let find = name(find);
        element_at(
            chain,
            &syn::parse_quote!(::coenzyme::__private::#find(#chain, #f)),
        )
    };
    Some(match (call.method.to_string().as_str(), args) {
        ("find", [f]) => position("position_of", f),
        ("max_by", [f]) => position("position_of_max", f),
        ("min_by", [f]) => position("position_of_min", f),
        ("max_by_key", [f]) => position("position_of_max_by_key", f),
        ("min_by_key", [f]) => position("position_of_min_by_key", f),
        ("last", []) => folded(chain, &syn::parse_quote!(#element)),
        ("reduce", [f]) => {
            let elements = [syn::parse_quote!(#inside), syn::parse_quote!(#element)];
            folded(chain, &applied(f, &elements))
        }
        _ => return None,
    })
}

/// The element of this number, which is found by running the chain as it stands: its closures see what they saw.
fn element_at(chain: &Expr, which: &Expr) -> Expr {
    let (local, inside, element) = (name(OPTION), name(INSIDE), name(ELEMENT));
    let chain = head(chain);
    syn::parse_quote!({
        let mut #local = None;
        let __which = #which;
        if __which.is_some() {
            for #element in #chain.skip(__which.unwrap()) { #local = Some(#element); break; }
        }
        if let Some(#inside) = #local { Some(#inside) } else { None }
    })
}

/// The last of the values that begin as the first element and go on as `next`.
fn folded(chain: &Expr, next: &Expr) -> Expr {
    let (local, inside, element) = (name(OPTION), name(INSIDE), name(ELEMENT));
    let chain = head(chain);
    syn::parse_quote!({
        let mut #local = None;
        for #element in #chain {
            // the first element tells the type
            if #local.is_none() { #local = Some(#element); } else if let Some(#inside) = #local { #local = Some(#next); }
        }
        if let Some(#inside) = #local { Some(#inside) } else { None }
    })
}
