//! `#[differentiable(device)]`: a scalar function, printed as a C++ function template over its kind of number.
//!
//! Syntax is translated, not calculus: the device differentiates by evaluating the template on dual numbers. The text has places `${name}`
//! for what only the compiler knows, the full names of callees and the values of constants; `coenzyme-cuda` fills them in at run time.
//!
//! | module | idea |
//! |---|---|
//! | `types` | which parameters and results a device function has |
//! | `kinds` | which integers and flags an expression is of, as far as tokens say |
//! | `expr` | expressions |
//! | `stmt` | statements and blocks |
//! | `table` | methods of numbers |

mod expr;
mod kinds;
mod stmt;
mod table;
mod types;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, ItemFn};

use crate::errors::Errors;

/// The text as it grows, and what it refers to.
pub(super) struct Printer<'a> {
    errors: &'a mut Errors,
    /// Type parameters of the function: all are the kind of number.
    numbers: Vec<Ident>,
    /// Names bound in the function, innermost last.
    scope: Vec<Bound>,
    /// The kind of floating-point number that the function has.
    float: Option<&'static str>,
    /// Paths of other device functions, each with its place in the text.
    callees: Vec<(String, syn::Path)>,
    /// Paths of constants, each with its place.
    constants: Vec<(String, syn::Path)>,
    /// Inside a value: `return` would leave it and not the function.
    in_value: bool,
    /// How many loops there are around, inside the innermost value.
    loops: usize,
    /// Whether the function takes and returns numbers alone.
    scalar: bool,
}

/// A name that is bound.
struct Bound {
    rust: String,
    cpp: String,
    /// What it holds, if it is an integer or a flag, or an array of them, and that can be seen.
    kind: Option<&'static str>,
}

impl Printer<'_> {
    fn refuse(&mut self, at: impl quote::ToTokens, message: impl std::fmt::Display) -> String {
        self.errors.at(at, format!("not on a device: {message}"));
        String::from("0")
    }

    /// The place of a path in the text.
    fn place(list: &mut Vec<(String, syn::Path)>, path: &syn::Path) -> String {
        let name = quote!(#path).to_string().replace(' ', "");
        if !list.iter().any(|(known, _)| *known == name) {
            list.push((name.clone(), path.clone()));
        }
        format!("${{{name}}}")
    }
}

/// Implements `DeviceFunction` for the function's marker. What cannot be printed is an error on it.
pub(crate) fn expand(item: &ItemFn, errors: &mut Errors) -> TokenStream {
    let numbers = item.sig.generics.type_params().map(|p| p.ident.clone());
    let mut printer = Printer {
        errors,
        numbers: numbers.collect(),
        scope: Vec::new(),
        float: None,
        callees: Vec::new(),
        constants: Vec::new(),
        in_value: false,
        loops: 0,
        scalar: true,
    };
    let text = printer.function(item);
    let Printer {
        callees,
        constants,
        scalar,
        ..
    } = printer;
    let name = &item.sig.ident;
    let arity = item.sig.inputs.len();
    let (callee_names, callees): (Vec<_>, Vec<_>) = callees.into_iter().unzip();
    let (constant_names, constants): (Vec<_>, Vec<_>) = constants.into_iter().unzip();
    let scalar = scalar.then(|| quote!(impl ::coenzyme_cuda::ScalarFunction<#arity> for #name {}));
    quote! {
        impl ::coenzyme_cuda::DeviceFunction for #name {
            fn definition() -> ::coenzyme_cuda::Definition {
                ::coenzyme_cuda::Definition {
                    path: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)),
                    text: #text,
                    callees: ::std::vec![
                        #((#callee_names, <#callees as ::coenzyme_cuda::DeviceFunction>::definition as fn() -> _),)*
                    ],
                    constants: ::std::vec![
                        #((#constant_names, ::coenzyme_cuda::Constant::print(&#constants)),)*
                    ],
                }
            }
        }
        #scalar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function as it is printed.
    fn printed(function: ItemFn) -> String {
        let mut errors = Errors::default();
        expand(&function, &mut errors).to_string()
    }

    /// What another macro has passed on as one expression stays one, and two signs are not another operator.
    #[test]
    fn what_is_one_in_rust_is_one_in_cpp() {
        let text = printed(syn::parse_quote! { fn f(x: f64) -> f64 { - -x } });
        assert!(text.contains("return -(-x);"), "{text}");
        let sum: TokenStream = quote!(x + 1.0);
        let sum = proc_macro2::Group::new(proc_macro2::Delimiter::None, sum);
        let text = printed(syn::parse_quote! { fn f(x: f64) -> f64 { #sum * x } });
        assert!(text.contains("return (x + R(1.0)) * x;"), "{text}");
    }

    /// What is said of a function.
    fn refused(function: ItemFn) -> Vec<String> {
        let mut errors = Errors::default();
        expand(&function, &mut errors);
        let said = errors.into_tokens().to_string();
        let messages = said.split("not on a device: ").skip(1);
        messages
            .map(|m| m.split('"').next().unwrap_or(m).to_owned())
            .collect()
    }

    /// One error for one mistake, with what to write instead.
    #[test]
    fn what_cannot_be_printed_is_one_error() {
        macro_rules! refuses {
            ($($message:literal: $function:item)*) => {$(
                assert_eq!(refused(syn::parse_quote!($function)), [$message]);
            )*};
        }
        refuses! {
            "`[f64]`: use numbers, integers, `bool`, and arrays `[T; N]` of them":
            fn f(x: &[f64]) -> f64 { 0.0 }
            "a closure: write a function":
            fn f(x: f64) -> f64 { let g = |y: f64| y * x; x }
            "a tuple: use an array":
            fn f(x: f64) -> f64 { let s = (x, x); x }
            "a macro: nothing is printed or checked there":
            fn f(x: f64) -> f64 { assert!(x > 0.0); x }
            "`gamma`: use the methods of numbers that `coenzyme` differentiates, or write a function":
            fn f(x: f64) -> f64 { x.gamma() }
            "a loop over this: write a range, `for i in 0..n`":
            fn f(x: [f64; 3]) -> f64 { let mut s = 0.0; for y in x { s += y; } s }
            "this pattern: match an integer with numbers, ranges and `_`":
            fn f(x: f64, i: usize) -> f64 { match i { 0 => x, n => x } }
            "a `let` without a value: give it one":
            fn f(x: f64) -> f64 { let y; y = x; y }
            "`?`: a device function does not fail":
            fn f(x: f64) -> f64 { g(x)? }
            "leaving from inside a value: write a statement":
            fn f(x: f64) -> f64 { let y = if x > 0.0 { return x; } else { 1.0 }; y }
            "a call that changes a variable, beside others: bind its value by `let` before":
            fn f(x: f64) -> f64 { let mut s = x; next(&mut s) - x }
            "a call that changes a variable, beside others: bind its value by `let` before":
            fn f(x: f64) -> f64 { let mut s = x; g(-next(&mut s), s) }
            "a call that changes a variable, beside others: bind its value by `let` before":
            fn f(x: f64) -> f64 { let mut s = x; s * { s += 1.0; s } }
            "a shift of an integer whose type is not written: bind it with its type before, `let n: u32 = …`":
            fn f(x: f64) -> f64 { let n = 1; x * (n << 3) as f64 }
            "`f32` in a function of `f64`: a device computes in one kind of number":
            fn f(x: f64) -> f64 { (x as f32) as f64 }
            "an index that is changed: copy it, `let mut j = i`":
            fn f(x: f64) -> f64 { for mut i in 0..3 { i += 1; } x }
            "an assignment to a pattern: assign to one place at a time":
            fn f(mut x: f64, mut y: f64) -> f64 { [x, y] = [y, x]; x }
            "`&mut` that is neither an argument nor bound by `let` to a place":
            fn f(x: f64) -> f64 { let mut s = x; let r = if x > 0.0 { &mut s } else { s }; x }
            "a label: use a flag":
            fn f(x: f64) -> f64 { 'a: for _ in 0..3 { for _ in 0..3 { break 'a; } } x }
            "an integer beyond 2⁶³":
            fn f(x: f64) -> f64 { x * 18446744073709551615_u64 as f64 }
            "`unsafe`":
            fn f(x: f64) -> f64 { unsafe { g(x) } }
        }
    }

    #[test]
    fn every_mistake_is_reported_at_once() {
        let function = syn::parse_quote! {
            fn f(x: f64) -> f64 { let g = |y| y; let s = (x, x); x.gamma() }
        };
        assert_eq!(refused(function).len(), 3);
    }
}
