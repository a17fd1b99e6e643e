//! `?` on active values: behind a call, an `Option` that is written out, a parameter, a closure.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use crate::differentiable::expand::let_else::lends_an_entry;
use crate::differentiable::expand::outcome::{is_about_errors, leaving_both};
use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::closures::inline::Ends;
use crate::differentiable::methods::calls;
use crate::differentiable::syntax::ends::at_ends;
use crate::differentiable::syntax::options::{is_failure, is_success};

impl Lower<'_> {
    /// The value of `of?`.
    pub(crate) fn questioned(&mut self, of: &Expr, used: bool) -> Atom {
        let of_closure = matches!(of, Expr::Group(_)) || !self.fallible;
        if self.in_closure && of_closure {
            let written = match of {
                Expr::Group(group) => &group.expr,
                of => of,
            };
            self.errors.at(
                written,
                "`?` would leave this closure: write a function that returns the `Option` or the `Result`, and call it",
            );
            return self.nothing();
        }
        let (base, methods) = self.without_errors(of);
        if let Some(atom) = self.combined_questioned(base, &methods) {
            return atom;
        }
        match base {
            Expr::Paren(paren) if methods.is_empty() => self.questioned(&paren.expr, used),
            _ if is_failure(base) => {
                let failure = self.live(base);
                self.push(Item::Verbatim(
                    quote!(let _: ::core::convert::Infallible = #failure #methods ?;),
                ));
                self.diverged = true;
                self.nothing()
            }
            option if !self.is_outcome(option) && self.test_and_entry(option).is_some() => {
                self.present(option, &methods)
            }
            Expr::Call(call) if self.is_closure(&call.func) => {
                self.closure_questioned(call, base, &methods)
            }
            Expr::Call(call) => self.rule_call(call, used, Unpack::Question(methods)),
            Expr::MethodCall(call) if !calls::is_std_call(call) => {
                self.method_call(call, true, Unpack::Question(methods))
            }
            place if asks_an_option(of, place) && self.place(place).is_some() => {
                let absent = of_none(of, place);
                self.value(
                    &syn::parse_quote!(match #place { Some(__value) => __value, None => #absent }),
                )
            }
            other => {
                self.errors.at(
                    other,
                    "`?` on active values follows the call of a function that has rules: write `f(x)?`",
                );
                self.nothing()
            }
        }
    }

    /// What stands before `?` without the methods that say what an absence means, and these methods.
    fn without_errors<'e>(&mut self, of: &'e Expr) -> (&'e Expr, TokenStream) {
        let (mut base, mut about_errors) = (of, Vec::new());
        while let Expr::MethodCall(call) = base
            && is_about_errors(call)
        {
            about_errors.push(call);
            base = &call.receiver;
        }
        let mut methods = TokenStream::new();
        for call in about_errors.iter().rev() {
            let args = call.args.iter().map(|arg| self.live(arg));
            let (args, name, turbofish) = (args.collect::<Vec<_>>(), &call.method, &call.turbofish);
            methods.extend(quote!(.#name #turbofish(#(#args),*)));
        }
        (base, methods)
    }

    /// The value of an `Option` that is written out; the function ends here if there is none.
    pub(crate) fn present(&mut self, option: &Expr, methods: &TokenStream) -> Atom {
        match self.entry_present(option, methods) {
            Some(entry) => self.value(&entry),
            None => self.nothing(),
        }
    }

    /// As [`present`](Self::present), without reading the value.
    fn entry_present(&mut self, option: &Expr, methods: &TokenStream) -> Option<Expr> {
        let (test, entry) = self.test_and_entry(option)?;
        let there = self.live(&test);
        self.push(Item::Verbatim(quote! {
            if !(#there) {
                let _: ::core::convert::Infallible = ::core::option::Option::None #methods ?;
            }
        }));
        Some(entry)
    }

    /// `v.split_first()` of `let (a, rest) = v.split_first()?;`: a pair of references, each of which gets a name.
    pub(crate) fn pair_questioned(&mut self, init: &Expr) -> Option<Expr> {
        let Expr::Try(question) = init else {
            return None;
        };
        let (base, methods) = self.without_errors(&question.expr);
        let Expr::MethodCall(split) = base else {
            return None;
        };
        let splits = ["split_first", "split_last"]
            .iter()
            .any(|m| split.method == m);
        let inactive = lends_an_entry(base) && !self.is_varied(base) && !self.in_closure;
        (splits || inactive)
            .then(|| self.entry_present(base, &methods))
            .flatten()
    }

    /// The value of a closure that gives a `Result` or an `Option`, written out where it is called: `methods` say what an absence means.
    fn closure_questioned(
        &mut self,
        call: &syn::ExprCall,
        written: &Expr,
        methods: &TokenStream,
    ) -> Atom {
        let asked = |body: &mut Expr| {
            leaving_both(body);
            at_ends(body, &mut |end| {
                let leaves = is_failure(end) && methods.is_empty();
                if !is_success(end) && !leaves {
                    *end = syn::parse_quote!(#end #methods ?);
                }
                Ok(())
            })
        };
        let value = self.closure_call_with(call, Ends::Asked, |closure| {
            asked(&mut closure.body).is_ok()
        });
        value.unwrap_or_else(|| {
            self.errors
                .at(written, "this closure cannot be called here");
            self.nothing()
        })
    }
}

/// Whether what stands before `?` is a place, or says first what it means that there is nothing in it: `self.sigma.ok_or(e)`.
fn asks_an_option(of: &Expr, place: &Expr) -> bool {
    match of {
        Expr::MethodCall(call) if std::ptr::eq(&*call.receiver, place) => {
            call.method == "ok_or" || call.method == "ok_or_else"
        }
        Expr::MethodCall(call) if is_about_errors(call) => asks_an_option(&call.receiver, place),
        of => std::ptr::eq(of, place),
    }
}

/// What the function returns where a place holds nothing: `None.ok_or(e)?`.
fn of_none(of: &Expr, place: &Expr) -> Expr {
    fn with_none(of: &Expr, place: &Expr) -> Expr {
        match of {
            Expr::MethodCall(call) if !std::ptr::eq(of, place) => {
                let mut call = call.clone();
                *call.receiver = with_none(&call.receiver, place);
                Expr::MethodCall(call)
            }
            _ => syn::parse_quote!(None),
        }
    }
    match std::ptr::eq(of, place) {
        true => syn::parse_quote!(None),
        false => {
            let none = with_none(of, place);
            syn::parse_quote!(#none?)
        }
    }
}
