//! Combinators of `Option`, as branches that end in `Some(…)` or `None`.
//!
//! ```text
//! // a.and_then(|v| if v > 0.0 { Some(v.ln()) } else { None }).unwrap_or(0.0)
//! let option = if a_is_there { let v = a; if v > 0.0 { Some(v.ln()) } else { None } } else { None };
//! if option_is_there { option } else { 0.0 }
//! ```

use proc_macro2::TokenStream;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::closure::Ends;
use super::some::{NOT_KNOWN, at_ends};
use super::{Binding, Lower, plain};
use crate::differentiable::ir::*;
use crate::premises::Site;

/// The name of the local that an `Option` is bound to.
pub(super) const OPTION: &str = "__option";

/// The name of what is in it.
pub(super) const INSIDE: &str = "__inside";

/// The name of an element of a chain.
pub(super) const ELEMENT: &str = "__element";

/// The name of what a closure gave.
const CALLED: &str = "__called";

/// All names that are written here.
const NAMES: &[&str] = &[
    OPTION, INSIDE, "__first", "__next", "__folded", ELEMENT, CALLED,
];

/// Those that are assigned to.
const CHANGING: &[&str] = &["__folded", "__whole"];

impl Lower<'_> {
    /// An `Option` in branches whose ends are written out, if it is not written out as it stands.
    pub(super) fn in_branches(&mut self, option: &Expr) -> Option<Expr> {
        if self.written_out(option).is_some() {
            return None;
        }
        let branches = self.branches(option)?;
        self.varied
            .extend(NAMES.iter().map(|name| (*name).to_owned()));
        self.usage
            .whole
            .extend(CHANGING.iter().map(|name| (*name).to_owned()));
        Some(branches)
    }

    /// Lowers `of` with the local in the place of `option`, if that is an `Option` that combinators make.
    fn with_local<T>(&mut self, option: &Expr, of: impl FnOnce(&mut Self, Expr) -> T) -> Option<T> {
        let branches = self.in_branches(option)?;
        let local = name(OPTION);
        self.scopes.push(Default::default());
        self.let_option(&local, None, &branches);
        let value = of(self, syn::parse_quote!(#local));
        self.scopes.pop();
        Some(value)
    }

    /// The value of a method of such an `Option`.
    pub(super) fn of_combined(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        const METHODS: &[&str] = &[
            "unwrap",
            "expect",
            "unwrap_or",
            "unwrap_or_else",
            "unwrap_or_default",
            "map_or",
            "map_or_else",
        ];
        if self.is_option(&call.receiver) && call.method.to_string().starts_with("get_or_insert") {
            return self.got_or_inserted(call);
        }
        if !METHODS.iter().any(|m| call.method == m) {
            return None;
        }
        self.with_local(&call.receiver, |this, local| {
            let mut call = call.clone();
            *call.receiver = local;
            this.value(&Expr::MethodCall(call))
        })
    }

    /// The value of `o.get_or_insert(v)`, `o.get_or_insert_with(f)`.
    fn got_or_inserted(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let (option, at) = (&call.receiver, call.method.span());
        // a local that is an `Option` by what it was bound to: nothing is taken from the name
        self.program.decisions.by_rule.insert(Site::of(at));
        let first = match (call.method == "get_or_insert", call.args.first()?) {
            (true, value) => value,
            (false, Expr::Closure(f)) => &*f.body,
            _ => return None,
        };
        self.expression_statement(
            &syn::parse_quote!(if #option.is_none() { #option = Some(#first); }),
        );
        Some(self.value(&syn::parse_quote!(#option.unwrap())))
    }

    /// A `match` or `if let` of such an `Option`. Whether it is one.
    pub(super) fn branch_on_local(&mut self, branch: &Expr, into: Option<RootId>) -> bool {
        let of = match branch {
            Expr::Match(branch) => &branch.expr,
            Expr::If(branch) => match &*branch.cond {
                Expr::Let(condition) => &condition.expr,
                _ => return false,
            },
            _ => return false,
        };
        let branched = self.with_local(of, |this, local| {
            let mut branch = branch.clone();
            match &mut branch {
                Expr::Match(branch) => *branch.expr = local,
                Expr::If(branch) => {
                    if let Expr::Let(condition) = &mut *branch.cond {
                        *condition.expr = local;
                    }
                }
                _ => {}
            }
            this.branch(&branch, into);
        });
        branched.is_some()
    }

    /// The value of `o?`, of such an `Option`.
    pub(super) fn combined_questioned(
        &mut self,
        option: &Expr,
        methods: &TokenStream,
    ) -> Option<Atom> {
        // a closure is asked at its own ends
        if matches!(option, Expr::Call(_)) {
            return None;
        }
        self.with_local(option, |this, local| this.present(&local, methods))
    }

    /// As [`in_branches`](Self::in_branches), also of what is written out.
    pub(super) fn branches(&self, option: &Expr) -> Option<Expr> {
        if self.gives_option(option) {
            return Some(option.clone());
        }
        match option {
            Expr::Paren(paren) => self.branches(&paren.expr),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
                let mut option = option.clone();
                let ends = at_ends(&mut option, &mut |end| {
                    *end = self.branches(end).ok_or_else(|| Box::new(end.clone()))?;
                    Ok(())
                });
                ends.is_ok().then_some(option)
            }
            // whatever its name, the method is the type's own
            Expr::MethodCall(call) if self.is_surely_own(&call.receiver) => None,
            Expr::MethodCall(call) => self.combined(call).or_else(|| self.searched(call)),
            Expr::Call(call) if self.option_closure(call).is_some() => {
                let (local, inside) = (name(CALLED), name(INSIDE));
                Some(syn::parse_quote!({
                    let #local = #call;
                    if let Some(#inside) = #local { Some(#inside) } else { None }
                }))
            }
            _ => None,
        }
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
                let body = &f.body;
                self.opened(
                    of,
                    syn::parse_quote!({ { let #pat = &#inside; #body; } Some(#inside) }),
                    none(),
                )
            }
            ("and_then", Some(Expr::Closure(f))) => {
                let (pat, then) = (f.inputs.first()?, self.branches(&f.body)?);
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
            ("or_else", Some(Expr::Closure(f))) if f.inputs.is_empty() => {
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
    pub(super) fn is_computed_anyway(&self, call: &ExprMethodCall) -> bool {
        let changes =
            |arg: &Expr| !matches!(arg, Expr::Closure(_)) && !self.changed_in(arg).is_empty();
        call.args.iter().any(changes)
    }

    /// The closure that is called, if it gives an `Option`.
    fn option_closure(&self, call: &ExprCall) -> Option<syn::ExprClosure> {
        match self.lookup(&plain::simple_name(&call.func)?)? {
            Binding::Closure { closure, .. } if self.may_flag(closure) => Some(closure.clone()),
            _ => None,
        }
    }

    /// Whether the ends of a closure say whether there is a value: those of a `Result` where its error is not asked for.
    fn may_flag(&self, closure: &syn::ExprClosure) -> bool {
        gives_option(closure) || !self.fallible && gives(closure, |end| is_written(end, true))
    }

    /// `let called = f(x);` of such a closure. Whether it is one.
    pub(super) fn let_called(&mut self, local: &syn::Ident, init: &Expr) -> bool {
        let Expr::Call(call) = init else { return false };
        if local != CALLED {
            return false;
        }
        let Some(mut closure) = self.option_closure(call) else {
            return false;
        };
        if let Err(end) = self.flagged(&mut closure.body) {
            self.errors.at(end, NOT_KNOWN);
            self.bind(CALLED, Binding::Inactive);
            return true;
        }
        let [there, some] = ["there", "some"].map(|part| self.unbound(local, part));
        let kept = self.flag(&there.to_string());
        let value = self.closure_call_with(call, Ends::Flagged(kept), |called| {
            *called = closure;
            true
        });
        let Some(value) = value else { return false };
        self.bind(&there.to_string(), Binding::Root(kept));
        let value = match self.atom_base(value) {
            Base::Def(d) => Binding::Def(d),
            Base::Root(r) => Binding::Root(r),
        };
        self.bind(&some.to_string(), value);
        self.bind(CALLED, Binding::Optional { there, some });
        true
    }

    /// `o.map_or(absent, |v| …)`, both of them `Option`s.
    fn mapped_or(&self, call: &ExprMethodCall, absent: Expr) -> Option<Expr> {
        let Some(Expr::Closure(f)) = call.args.get(1) else {
            return None;
        };
        let (pat, then, inside) = (f.inputs.first()?, self.branches(&f.body)?, name(INSIDE));
        let there = syn::parse_quote!({ let #pat = #inside; #then });
        self.opened(&call.receiver, there, absent)
    }

    /// What `there` makes of what is in the `Option` under its name, or `absent` if there is nothing.
    pub(super) fn opened(&self, of: &Expr, there: Expr, absent: Expr) -> Option<Expr> {
        let inside = name(INSIDE);
        let opened = |of: &Expr| -> Expr {
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
                None if super::expr::is_failure(end) => return Ok(()),
                None => return Err(refused),
                Some((test, inner)) => {
                    let inner = self.branches(&inner).ok_or(refused)?;
                    syn::parse_quote!(if #test { #inner } else { None })
                }
            };
            Ok(())
        });
        ends.is_ok().then_some(of)
    }
}

/// What a closure or a function gives for these values.
pub(super) fn applied(f: &Expr, to: &[Expr]) -> Expr {
    match f {
        f @ Expr::Path(_) => syn::parse_quote!(#f(#(#to),*)),
        f => syn::parse_quote!((#f)(#(#to),*)),
    }
}

pub(super) fn name(name: &str) -> syn::Ident {
    quote::format_ident!("{name}")
}

/// Whether a closure gives an `Option`, and does not ask by `?`, which would leave the function around it.
pub(super) fn gives_option(closure: &syn::ExprClosure) -> bool {
    gives(closure, |end| {
        matches!(end, Expr::Path(_)) && super::option::is_none(end) || is_written(end, false)
    })
}

/// Whether an end of a closure is such a one, and no `?` is in it.
fn gives(closure: &syn::ExprClosure, is: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let _ = at_ends(&mut closure.body.clone(), &mut |end| {
        found |= is(end);
        Ok(())
    });
    found && !super::ways::asks(&closure.body)
}

/// `Some(x)`, and `Ok(x)` if it counts.
fn is_written(end: &Expr, results: bool) -> bool {
    matches!(end, Expr::Call(call) if super::some::is_some(call) || results && super::some::is_ok(call))
}

/// Whether an expression is `o.get_or_insert(v)` or the like, which gives a reference.
pub(super) fn inserts(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method.to_string().starts_with("get_or_insert"))
}
