//! `#[differentiable(device)]`: a scalar function, printed as a C++ function template over its kind of number.
//!
//! Syntax is translated, not calculus: the device differentiates by evaluating the template on dual numbers. The text has places `${name}`
//! for what only the compiler knows, the full names of callees and the values of constants; `coenzyme-cuda` fills them in at run time.
//!
//! | module | idea |
//! |---|---|
//! | `types` | which parameters and results a device function has |
//! | `expr` | expressions |
//! | `stmt` | statements and blocks |
//! | `table` | methods of numbers |

mod expr;
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
    /// Names bound in the function, innermost last: in Rust and in C++.
    scope: Vec<(String, String)>,
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
