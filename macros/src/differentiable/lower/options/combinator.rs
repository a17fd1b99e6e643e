//! Combinators of `Option`, as branches that end in `Some(…)` or `None`.
//!
//! ```text
//! // a.and_then(|v| if v > 0.0 { Some(v.ln()) } else { None }).unwrap_or(0.0)
//! let option = if a_is_there { let v = a; if v > 0.0 { Some(v.ln()) } else { None } } else { None };
//! if option_is_there { option } else { 0.0 }
//! ```

use syn::{Expr, ExprMethodCall};

use crate::differentiable::lower::Lower;
use crate::differentiable::syntax::ends::at_ends;
use crate::differentiable::syntax::options;
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::tail::tail;

/// The name of the local that an `Option` is bound to.
pub(crate) const OPTION: &str = "__option";

/// The name of what is in it.
pub(crate) const INSIDE: &str = "__inside";

/// The name of an element of a chain.
pub(crate) const ELEMENT: &str = "__element";

/// The name of what a closure gave.
pub(crate) const CALLED: &str = "__called";

impl Lower<'_> {
    /// As [`in_branches`](Self::in_branches), also of what is written out, and of what a differentiated call gives.
    pub(crate) fn branches(&self, option: &Expr) -> Option<Expr> {
        self.ended(option, true)
    }

    /// What combinators and searches make, in branches: a call by itself is asked where it stands.
    pub(crate) fn combination(&self, option: &Expr) -> Option<Expr> {
        self.ended(option, false)
    }

    /// Branches whose ends are written out; with `asks`, calls among them are asked.
    fn ended(&self, option: &Expr, asks: bool) -> Option<Expr> {
        if self.gives_option(option) {
            return Some(option.clone());
        }
        match option {
            Expr::Paren(paren) => self.ended(&paren.expr, asks),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
                let mut option = option.clone();
                let ends = at_ends(&mut option, &mut |end| {
                    *end = self.ended(end, asks).ok_or_else(|| Box::new(end.clone()))?;
                    Ok(())
                });
                ends.is_ok().then_some(option)
            }
            // of the type's own the name says nothing
            Expr::MethodCall(call) if self.is_own_method(call) => match asks {
                true => self.asked(option),
                false => None,
            },
            Expr::MethodCall(call) if self.copies_what_is_lent(call) => asks.then(|| found(option)),
            Expr::MethodCall(call) => (self.combined(call))
                .or_else(|| self.searched(call))
                .or_else(|| if asks { self.asked(option) } else { None }),
            Expr::Call(call) if self.option_closure(call).is_some() => {
                let (local, inside) = (name(CALLED), name(INSIDE));
                Some(syn::parse_quote!({
                    let #local = #call;
                    if let Some(#inside) = #local { Some(#inside) } else { None }
                }))
            }
            Expr::Call(_) if asks => self.asked(option),
            Expr::Path(_) if asks && self.is_inactive_local(option) => Some(found(option)),
            _ => None,
        }
    }

    /// Whether a call without derivative lends what `copied` or `cloned` make a value of: it is asked with its copy.
    fn copies_what_is_lent(&self, call: &ExprMethodCall) -> bool {
        let copies = call.args.is_empty() && (call.method == "copied" || call.method == "cloned");
        copies && !self.is_varied(&call.receiver) && self.may_be_outcome(&call.receiver)
    }

    /// Whether a name is that of a local without derivative.
    pub(crate) fn is_inactive_local(&self, name: &Expr) -> bool {
        self.is_local(name) && !self.is_option(name) && !self.is_varied(name)
    }

    /// What a call gives, asked for once.
    pub(crate) fn asked(&self, call: &Expr) -> Option<Expr> {
        if !self.is_varied(call) {
            return self.may_be_outcome(call).then(|| found(call));
        }
        let (inside, asks) = (name(INSIDE), self.may_be_outcome(call));
        (asks && !self.changes_arguments(call)).then(|| {
            let call = head(call);
            syn::parse_quote!(if let Some(#inside) = #call { Some(#inside) } else { None })
        })
    }

    /// A combinator of what is in branches.
    fn combined(&self, call: &ExprMethodCall) -> Option<Expr> {
        let (of, inside) = (&call.receiver, name(INSIDE));
        let none = || syn::parse_quote!(None);
        if self.is_computed_anyway(call) {
            return None;
        }
        match (call.method.to_string().as_str(), call.args.first()) {
            ("copied" | "cloned" | "ok", None) => self.branches(of),
            ("ok_or" | "ok_or_else" | "map_err", Some(_)) => self.branches(of),
            ("map", Some(f)) => {
                let value = applied(f, &[syn::parse_quote!(#inside)]);
                self.opened(of, syn::parse_quote!(Some(#value)), none())
            }
            ("inspect", Some(Expr::Closure(f))) => {
                let pat = f.inputs.first()?;
                let looked = tail(&f.body);
                self.opened(
                    of,
                    syn::parse_quote!({ { let #pat = &#inside; #looked; } Some(#inside) }),
                    none(),
                )
            }
            ("and_then", Some(Expr::Closure(f))) => {
                let (pat, then) = (f.inputs.first()?, tail(&self.branches(&f.body)?));
                self.opened(of, syn::parse_quote!({ let #pat = #inside; #then }), none())
            }
            ("and_then", Some(f @ Expr::Path(_))) => self.opened(
                of,
                syn::parse_quote!(match #f(#inside) { Some(#inside) => Some(#inside), None => None }),
                none(),
            ),
            ("and", Some(other)) => self.opened(of, self.branches(other)?, none()),
            ("filter", Some(f @ Expr::Closure(_))) => self.opened(
                of,
                syn::parse_quote!(if ::coenzyme::__private::keeps(&#inside, #f) { Some(#inside) } else { None }),
                none(),
            ),
            ("or", Some(other)) => self.either_of(of, self.branches(other)?),
            ("or_else", Some(Expr::Closure(f))) if asks_for_nothing(f) => {
                self.either_of(of, self.branches(&f.body)?)
            }
            ("xor", Some(other)) => {
                let (first, other) = (name("__first"), self.branches(other)?);
                let alone = self.opened(&other, none(), syn::parse_quote!(Some(#first)))?;
                self.opened(of, syn::parse_quote!({ let #first = #inside; #alone }), other)
            }
            ("flatten", None) => self.flat(of),
            ("replace", Some(next)) if self.is_option(of) => Some(syn::parse_quote!({
                let __first = #of;
                #of = Some(#next);
                if let Some(#inside) = __first { Some(#inside) } else { None }
            })),
            ("map_or", Some(default)) => {
                let absent = self.branches(default)?;
                self.mapped_or(call, absent)
            }
            ("map_or_else", Some(Expr::Closure(default))) if default.inputs.is_empty() => {
                let absent = self.branches(&default.body)?;
                self.mapped_or(call, absent)
            }
            _ => None,
        }
    }

    /// Whether a method computes an argument that changes a local whether or not it is needed, which a branch would not.
    pub(crate) fn is_computed_anyway(&self, call: &ExprMethodCall) -> bool {
        let changes =
            |arg: &Expr| !matches!(arg, Expr::Closure(_)) && !self.changed_in(arg).is_empty();
        call.args.iter().any(changes)
    }

    /// `o.map_or(absent, |v| …)`, both of them `Option`s.
    fn mapped_or(&self, call: &ExprMethodCall, absent: Expr) -> Option<Expr> {
        let Some(Expr::Closure(f)) = call.args.get(1) else {
            return None;
        };
        let (pat, inside) = (f.inputs.first()?, name(INSIDE));
        let then = tail(&self.branches(&f.body)?);
        let there = syn::parse_quote!({ let #pat = #inside; #then });
        self.opened(&call.receiver, there, absent)
    }

    /// What `there` makes of what is in the `Option` under its name, or `absent` if there is nothing.
    pub(crate) fn opened(&self, of: &Expr, there: Expr, absent: Expr) -> Option<Expr> {
        let inside = name(INSIDE);
        let opened = |of: &Expr| -> Expr {
            let (of, there, absent) = (head(of), tail(&there), tail(&absent));
            syn::parse_quote!(if let Some(#inside) = #of { #there } else { #absent })
        };
        match self.test_and_entry(of).is_some() {
            true => Some(opened(of)),
            false => {
                let (local, of) = (name(OPTION), self.branches(of)?);
                let opened = opened(&syn::parse_quote!(#local));
                Some(syn::parse_quote!({ let #local = #of; #opened }))
            }
        }
    }

    fn either_of(&self, of: &Expr, other: Expr) -> Option<Expr> {
        let inside = name(INSIDE);
        self.opened(of, syn::parse_quote!(Some(#inside)), other)
    }

    /// `Some(Some(x)).flatten()`
    fn flat(&self, of: &Expr) -> Option<Expr> {
        let mut of = of.clone();
        let ends = at_ends(&mut of, &mut |end| {
            let refused = Box::new(end.clone());
            *end = match self.written_out(end) {
                None if options::is_failure(end) => return Ok(()),
                None => return Err(refused),
                Some((test, inner)) => {
                    let (test, inner) = (head(&test), tail(&self.branches(&inner).ok_or(refused)?));
                    syn::parse_quote!(if #test { #inner } else { None })
                }
            };
            Ok(())
        });
        ends.is_ok().then_some(of)
    }
}

/// The branches of an `Option` or a `Result` without derivative.
fn found(option: &Expr) -> Expr {
    let option: Expr = match option {
        Expr::Path(_) => syn::parse_quote!(::core::clone::Clone::clone(&#option)),
        call => call.clone(),
    };
    syn::parse_quote!(
        if let Some(__found) = ::coenzyme::__private::found(#option) { Some(__found) } else { None }
    )
}

/// Whether a closure is told nothing about what is missing, or does not ask.
pub(crate) fn asks_for_nothing(f: &syn::ExprClosure) -> bool {
    f.inputs.iter().all(|pat| matches!(pat, syn::Pat::Wild(_)))
}

/// What a closure or a function gives for these values.
pub(crate) fn applied(f: &Expr, to: &[Expr]) -> Expr {
    match f {
        f @ Expr::Path(_) => syn::parse_quote!(#f(#(#to),*)),
        f => syn::parse_quote!((#f)(#(#to),*)),
    }
}

pub(crate) fn name(name: &str) -> syn::Ident {
    quote::format_ident!("{name}")
}
