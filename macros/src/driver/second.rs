//! `hvp!` and `hessian!`: gradients at dual numbers.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, Ident};

use super::{Gradient, called, constant, driver, run};

/// `hvp!(f, Duplicated(&x, &v), Const(k))`:
///
/// ```text
/// match (along(&x, &v), Constant(k).fixed()) {
///     (a0, a1) => finished(&f {}, (a0.lend(), a1.lend()), Tangents)
/// }
/// ```
///
/// `hvp!(f, &x, &v, Const(k))` is the part of the first argument.
pub(crate) fn hvp(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        arguments,
    } = call;
    let function = function.of_any_order();
    let by_pairs = arguments.iter().any(|a| called(a, "Duplicated").is_some());
    let mut handles = Vec::new();
    let mut rest = arguments.iter();
    if !by_pairs {
        let (Some(point), Some(direction)) = (rest.next(), rest.next()) else {
            let message = "`hvp!` takes a point and a direction: `hvp!(f, &x, &v)`, then `Const(k)` for each further argument; or `Duplicated(&x, &v)` for each argument that takes part";
            return syn::Error::new(Span::call_site(), message).to_compile_error();
        };
        let (point, direction) = (typed(point), typed(direction));
        handles.push(quote!(::coenzyme::autodiff::second::along(#point, #direction)));
    }
    for argument in rest {
        if let Some(fixed) = constant(argument) {
            let fixed = typed(fixed);
            handles.push(quote!(::coenzyme::autodiff::second::Constant(#fixed).fixed()));
            continue;
        }
        match called(argument, "Duplicated").map(|call| call.args.iter().collect::<Vec<_>>()) {
            Some(pair) if pair.len() == 2 => {
                let (point, direction) = (typed(pair[0]), typed(pair[1]));
                handles.push(quote!(::coenzyme::autodiff::second::along(#point, #direction)));
            }
            _ => {
                let message = "write `Duplicated(&x, &v)` for an argument that moves along `v`, or `Const(x)`";
                return syn::Error::new_spanned(argument, message).to_compile_error();
            }
        }
    }
    let found = match by_pairs {
        true => quote!(Tangents),
        false => quote!(FirstTangents),
    };
    let names = names(handles.len());
    let call = finished(
        &function,
        &names,
        quote!(::coenzyme::autodiff::second::#found),
    );
    quote! {
        {
            #[allow(unused_imports)]
            use ::coenzyme::autodiff::second::{Lend as _, StaysAsItIs as _};
            match (#(#handles,)*) {
                (#(#names,)*) => #call,
            }
        }
    }
}

/// `hessian!(f, &x, Const(k))`:
///
/// ```text
/// match (&x, Constant(k)) {
///     (p0, p1) => {
///         let n = DualArg::numbers(&p0).len();
///         rows(n, |direction, rows| {
///             let mut direction = direction.iter().copied();
///             match (DualArg::along(&p0, &mut direction), p1.fixed()) {
///                 (a0, a1) => finished(&f {}, (a0.lend(), a1.lend()), Row(n, rows)),
///             }
///         })
///     }
/// }
/// ```
pub(crate) fn hessian(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        arguments,
    } = call;
    let function = function.of_any_order();
    let names = names(arguments.len());
    let (mut points, mut counts, mut handles) = (Vec::new(), Vec::new(), Vec::new());
    for (argument, name) in arguments.iter().zip(&names) {
        match constant(argument) {
            Some(fixed) => {
                let fixed = typed(fixed);
                points.push(quote!(::coenzyme::autodiff::second::Constant(#fixed)));
                handles.push(quote!(#name.fixed()));
            }
            None => {
                points.push(typed(argument));
                counts.push(quote!(::coenzyme::autodiff::second::DualArg::numbers(&#name).len()));
                // of the reference, where it is one
                handles.push(
                    quote!(::coenzyme::autodiff::second::DualArg::along(&#name, &mut direction)),
                );
            }
        }
    }
    let row = finished(
        &function,
        &names,
        quote!(::coenzyme::autodiff::second::Row(n, rows)),
    );
    quote! {
        {
            #[allow(unused_imports)]
            use ::coenzyme::autodiff::second::{Lend as _, StaysAsItIs as _};
            match (#(#points,)*) {
                (#(#names,)*) => {
                    let n = 0 #(+ #counts)*;
                    ::coenzyme::autodiff::second::rows(n, |direction, rows| {
                        let mut direction = direction.iter().copied();
                        match (#(#handles,)*) {
                            (#(#names,)*) => #row,
                        }
                    })
                }
            }
        }
    }
}

/// What is made of the gradient at dual arguments.
fn finished(function: &TokenStream, names: &[Ident], finish: TokenStream) -> TokenStream {
    let driver = driver("finished", quote!(::coenzyme::autodiff::second::finished));
    run(quote!(#driver(#function, (#(#names.lend(),)*), #finish)))
}

/// A literal with its type, which methods are looked for.
fn typed(argument: &Expr) -> TokenStream {
    match is_untyped_float(argument) {
        true => quote!((#argument as f64)),
        false => argument.to_token_stream(),
    }
}

fn is_untyped_float(argument: &Expr) -> bool {
    match argument {
        Expr::Lit(literal) => matches!(&literal.lit, syn::Lit::Float(f) if f.suffix().is_empty()),
        Expr::Unary(unary) => is_untyped_float(&unary.expr),
        _ => false,
    }
}

fn names(count: usize) -> Vec<Ident> {
    let name = |i| Ident::new(&format!("a{i}"), Span::mixed_site());
    (0..count).map(name).collect()
}
