//! Macros that the primal runs, and the arguments of macros.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Token};

use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::methods::{macros, paths};
use crate::differentiable::syntax::vec_macro::VecMacro;
use crate::premises::Site;

impl Lower<'_> {
    pub(crate) fn macro_statement(&mut self, mac: &syn::Macro, ends: bool) {
        let name = paths::macro_name(&mac.path).unwrap_or_default();
        if !macros::is_verbatim_macro(&name) && !macros::is_diverging_macro(&name) {
            return self.unknown_macro(mac, &name, ends);
        }
        let mut mac = mac.clone();
        if let Some(tokens) = self.macro_arguments(&mac, true) {
            mac.tokens = tokens;
        }
        self.push(Item::Verbatim(quote!(#mac;)));
    }

    /// A macro of somebody else's, `should!(p > 0.0);`: in a closure, which changes no local and leaves nothing but itself, so that it is no
    /// part of what is differentiated. Of its arguments it gets values: `*&x` is no name that it could bind again.
    ///
    /// Without a `;` it may have a value, which is not known.
    fn unknown_macro(&mut self, mac: &syn::Macro, name: &str, ends: bool) {
        let parsed = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        // `set!(x = 1.0)` may bind a name, and so changes what follows
        let binds =
            |args: &Punctuated<Expr, _>| args.iter().any(|arg| matches!(arg, Expr::Assign(_)));
        let parsed = parsed.ok().filter(|args| ends && !binds(args));
        let writes = ["write", "writeln"].contains(&name);
        let (Some(args), false) = (parsed, writes) else {
            let name = mac.path.segments.last().map(|s| s.ident.to_string());
            let name = name.unwrap_or_default();
            self.errors.at(
                &mac.path,
                format!(
                    "the macro `{name}!` is not known: put it into a function marked `#[inactive]`"
                ),
            );
            return;
        };
        let mut given = Vec::new();
        for arg in &args {
            given.push(match arg {
                Expr::Lit(_) => quote!(#arg),
                arg => {
                    let value = self.live(arg);
                    quote!(*&(#value))
                }
            });
        }
        for name in captured_names(&args) {
            if self.lookup(&name).is_some() {
                let ident = quote::format_ident!("{name}");
                let value = self.live(&syn::parse_quote!(#ident));
                given.push(quote!(#ident = *&(#value)));
            }
        }
        let path = &mac.path;
        // the closure's type decides, and no name
        let site = Site::of(path.span());
        self.program.decisions.by_rule.insert(site);
        self.push(Item::Verbatim(quote! {
            ::coenzyme::__private::unchanging(|| {
                #path!(#(#given),*);
                ::coenzyme::__private::AMacroThatReturnsIsNotKnown
            });
        }));
    }

    /// The arguments of a macro with names replaced; names inside a format string become named arguments.
    pub(crate) fn macro_arguments(&mut self, mac: &syn::Macro, live: bool) -> Option<TokenStream> {
        if paths::is_vec(&mac.path) {
            return match mac.parse_body::<VecMacro>().ok()? {
                VecMacro::Repeat(value, n) => {
                    let (value, n) = (
                        self.substituted_tokens(&value, live),
                        self.substituted_tokens(&n, live),
                    );
                    Some(quote!(#value; #n))
                }
                VecMacro::List(list) => {
                    let list: Vec<_> = list
                        .iter()
                        .map(|e| self.substituted_tokens(e, live))
                        .collect();
                    Some(quote!(#(#list),*))
                }
            };
        }
        let args = mac
            .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
            .ok()?;
        let mut out: Vec<TokenStream> = Vec::new();
        for arg in &args {
            out.push(match arg {
                Expr::Assign(named) => {
                    let (name, value) = (&named.left, self.substituted_tokens(&named.right, live));
                    quote!(#name = #value)
                }
                arg => self.substituted_tokens(arg, live),
            });
        }
        let is_given = |name: &String| {
            let mut given = args.iter();
            given.any(|arg| matches!(arg, Expr::Assign(named) if is_name(&named.left, name)))
        };
        let captured = captured_names(&args).into_iter();
        let captured = captured.filter(|name| !is_given(name) && self.lookup(name).is_some());
        for name in captured.collect::<Vec<_>>() {
            let ident = quote::format_ident!("{name}");
            let value = self.substituted_tokens(&syn::parse_quote!(#ident), live);
            out.push(quote!(#ident = #value));
        }
        Some(quote!(#(#out),*))
    }

    fn substituted_tokens(&mut self, expr: &Expr, live: bool) -> TokenStream {
        if live {
            self.live(expr)
        } else {
            self.plain(expr).expr.tokens
        }
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// The names in `"{x} {y:.3}"` among the arguments of a macro.
fn captured_names(args: &Punctuated<Expr, Token![,]>) -> Vec<String> {
    let texts = args.iter().filter_map(|arg| match arg {
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    });
    texts.flat_map(|text| captured_in(&text)).collect()
}

/// The names in a text.
fn captured_in(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let text = format.replace("{{", "").replace("}}", "");
    for part in text.split('{').skip(1) {
        let name = part.split(['}', ':']).next().unwrap_or_default();
        if !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_numeric())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}

/// A part of `s![…]`: an index or a range, and the step.
pub(crate) struct SlicePart {
    pub(crate) range: Expr,
    pub(crate) step: Option<Expr>,
}

impl syn::parse::Parse for SlicePart {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let range = input.parse()?;
        let step = match input.parse::<Option<Token![;]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { range, step })
    }
}

impl quote::ToTokens for SlicePart {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let range = &self.range;
        let step = self.step.iter();
        tokens.extend(quote!(#range #(; #step)*));
    }
}

/// The parts of `s![a..b;step, i]`.
pub(crate) fn slice_parts(mac: &syn::Macro) -> Option<Punctuated<SlicePart, Token![,]>> {
    if paths::macro_name(&mac.path)? != "s" {
        return None;
    }
    mac.parse_body_with(Punctuated::parse_terminated).ok()
}
