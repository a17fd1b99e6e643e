//! `#[differentiable(math = fast)]`: the functions of `coenzyme::fast` in the place of the methods of numbers.
//!
//! A pass from syntax to syntax, over all that the attribute expands to: the function and its derivatives compute the same. Which
//! type a method is called on the compiler knows, and not the macro, so the type decides:
//!
//! ```text
//! x.exp()
//! // becomes
//! match (&&receiver(&x)).exp() {     // of numbers and of pointers to them: `Some` of the fast function
//!     Some(y) => y,
//!     None => x.exp(),               // of anything else: what is written
//! }
//! ```

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident};

/// The methods that have a fast one.
const METHODS: &[&str] = &[
    "cos", "exp", "exp_m1", "ln", "ln_1p", "sin", "sin_cos", "tanh",
];
/// The operations whose derivative computes another of these functions.
const OPERATIONS: &[&str] = &["cos", "sin"];

/// Replaces the functions in everything that an attribute expands to.
pub(crate) fn fast(expansion: TokenStream) -> TokenStream {
    let mut file: syn::File = match syn::parse2(expansion.clone()) {
        Ok(file) => file,
        // what is refused already
        Err(_) => return expansion,
    };
    Fast::default().visit_file_mut(&mut file);
    file.into_token_stream()
}

#[derive(Default)]
struct Fast {
    /// The names of types that are parameters.
    generics: HashSet<Ident>,
}

fn is_fast(name: &Ident) -> bool {
    METHODS.iter().any(|known| name == known)
}

/// Errors belong to the method, hygiene and lints to the macro.
fn at(name: &Ident) -> Span {
    Span::mixed_site().located_at(name.span())
}

impl Fast {
    /// `receiver.name()`, by the type of the receiver.
    fn chosen(receiver: &Expr, name: &Ident) -> Expr {
        let span = at(name);
        let choose = |receiver: &TokenStream| {
            quote_spanned! {span=>
                match {
                    #[allow(unused_imports)]
                    use ::coenzyme::__private::{FastOfNumber as _, FastOfOther as _, FastOfPointer as _};
                    (&&::coenzyme::__private::fast_receiver(&#receiver)).#name()
                } {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => (#receiver).#name(),
                }
            }
        };
        let chosen = match is_place(receiver) {
            true => choose(&receiver.to_token_stream()),
            false => {
                let inner = choose(&quote_spanned!(span=> receiver));
                let outer = scrutinee(receiver);
                quote_spanned!(span=> match #outer { receiver => #inner })
            }
        };
        Expr::Verbatim(quote!((#chosen)))
    }

    /// `f64`, `f32`, a parameter or a trait of numbers before `::name`.
    fn of_numbers(&self, path: &syn::Path) -> Option<(Ident, Ident)> {
        let mut segments = path.segments.iter();
        let (Some(ty), Some(name), None) = (segments.next(), segments.next(), segments.next())
        else {
            return None;
        };
        let plain = path.segments.iter().all(|s| s.arguments.is_none());
        let known = ["f64", "f32", "Float", "Real"];
        let numbers = known.iter().any(|k| ty.ident == k)
            && !crate::files::own_names::is_item(&ty.ident)
            || self.generics.contains(&ty.ident);
        (plain && path.leading_colon.is_none() && numbers && is_fast(&name.ident))
            .then(|| (ty.ident.clone(), name.ident.clone()))
    }
}

impl VisitMut for Fast {
    fn visit_generics_mut(&mut self, generics: &mut syn::Generics) {
        let names = generics.type_params().map(|p| p.ident.clone());
        self.generics.extend(names);
        visit_mut::visit_generics_mut(self, generics);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::MethodCall(call) if call.args.is_empty() && is_fast(&call.method) => {
                *expr = Self::chosen(&call.receiver, &call.method);
            }
            Expr::Call(call) if call.args.len() == 1 => {
                let Expr::Path(path) = &*call.func else {
                    return;
                };
                if let Some((_, name)) = self.of_numbers(&path.path) {
                    *expr = Self::chosen(&call.args[0], &name);
                }
            }
            _ => {}
        }
    }

    /// `.map(f64::exp)`.
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        for arg in &mut call.args {
            let Expr::Path(path) = &*arg else { continue };
            let Some((ty, name)) = self.of_numbers(&path.path) else {
                continue;
            };
            if ["f64", "f32"].iter().any(|known| ty == known) {
                let fast = format_ident!("fast_{name}", span = name.span());
                *arg =
                    syn::parse_quote_spanned!(name.span()=> <#ty as ::coenzyme::fast::Fast>::#fast);
            }
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|s| &s.ident).collect();
        if let [of, ops, operation] = &names[..]
            && *of == "coenzyme"
            && *ops == "ops"
            && OPERATIONS.iter().any(|known| *operation == known)
        {
            let fast = format_ident!("fast_{operation}");
            path.segments[2].ident = fast;
        }
        visit_mut::visit_path_mut(self, path);
    }

    /// `vec![x.exp(); n]`, `assert!(x.exp() < 1.0, "…")`.
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let Ok(Arguments(mut list)) = syn::parse2(mac.tokens.clone()) else {
            return;
        };
        for (expr, _) in &mut list {
            self.visit_expr_mut(expr);
        }
        let tokens = list
            .iter()
            .map(|(expr, separator)| quote!(#expr #separator));
        mac.tokens = tokens.collect();
    }
}

/// Expressions, each with the comma or semicolon after it.
struct Arguments(Vec<(Expr, TokenStream)>);

impl syn::parse::Parse for Arguments {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let mut list = Vec::new();
        while !input.is_empty() {
            let expr = input.parse()?;
            let separator = match input.is_empty() {
                true => TokenStream::new(),
                false if input.peek(syn::Token![;]) => {
                    input.parse::<syn::Token![;]>()?.into_token_stream()
                }
                false => input.parse::<syn::Token![,]>()?.into_token_stream(),
            };
            list.push((expr, separator));
        }
        Ok(Self(list))
    }
}

/// An expression as `match` takes it: without parentheses, but for those around a struct.
fn scrutinee(expr: &Expr) -> &Expr {
    let is_brace = |tree: proc_macro2::TokenTree| matches!(tree, proc_macro2::TokenTree::Group(g) if g.delimiter() == proc_macro2::Delimiter::Brace);
    match expr {
        Expr::Paren(paren) if !paren.expr.to_token_stream().into_iter().any(is_brace) => {
            scrutinee(&paren.expr)
        }
        expr => expr,
    }
}

/// Whether an expression is memory, and naming it twice is naming it once.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        Expr::Index(index) => is_place(&index.expr) && is_index(&index.index),
        _ => false,
    }
}

/// Whether an index is arithmetic.
fn is_index(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Binary(binary) => is_index(&binary.left) && is_index(&binary.right),
        Expr::Cast(cast) => is_index(&cast.expr),
        Expr::Paren(paren) => is_index(&paren.expr),
        Expr::Group(group) => is_index(&group.expr),
        place => is_place(place),
    }
}
