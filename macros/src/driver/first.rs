//! `jacobian!`, `jvp!` and `vjp!`: passes over functions of any arguments.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Expr;

use super::{Gradient, called, constant, driver, run, told};

/// `jacobian!(f, &x, y)`:
///
/// ```text
/// jacobian(
///     &mut (hold(annotate(&x)), hold(annotate(y))),
///     &f {},
///     |f, points| value(f, points),
///     |f, points, seeds| forward(f, points, seeds),
///     |f, points, seeds| reverse(f, points, seeds),
/// )
/// ```
pub(crate) fn jacobian(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        arguments,
    } = call;
    if arguments.is_empty() {
        let message = "`jacobian!` takes a function and its arguments: `jacobian!(f, &x)`, `Const(k)` for an argument that no derivative is taken of";
        return syn::Error::new(Span::call_site(), message).to_compile_error();
    }
    told(&function, &arguments, |arguments| {
        let points = points(arguments);
        let pass = |name| {
            let driver = of_any_arguments(name);
            run(quote!(#driver(f, points, seeds)))
        };
        let (forward, reverse) = (pass("forward"), pass("reverse"));
        quote! {
            ::coenzyme::autodiff::whole::jacobian(
                &mut #points,
                &#function,
                |f, points| ::coenzyme::autodiff::whole::value(f, points),
                |f, points, seeds| #forward,
                |f, points, seeds| #reverse,
            )
        }
    })
}

/// See [`driver`].
fn of_any_arguments(name: &str) -> TokenStream {
    let plain = format_ident!("{name}");
    driver(name, quote!(::coenzyme::autodiff::whole::#plain))
}

/// `vjp!(f, &x, y, seed)`: `vjp(&f {}, &mut (…), seed)`.
pub(crate) fn vjp(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        mut arguments,
    } = call;
    let seed = arguments.pop();
    let Some(seed) = seed.filter(|_| !arguments.is_empty()) else {
        let message = "`vjp!` takes the arguments and then the cotangent of the result: `vjp!(f, &x, &seed)`, `Const(k)` for an argument that no derivative is taken of";
        return syn::Error::new(Span::call_site(), message).to_compile_error();
    };
    told(&function, &arguments, |arguments| {
        let points = points(arguments);
        let driver = of_any_arguments("vjp");
        run(quote!(#driver(&#function, &mut #points, #seed)))
    })
}

/// The arguments, ready for many passes.
fn points(arguments: &[TokenStream]) -> TokenStream {
    quote! {
        (#(::coenzyme::autodiff::whole::Hold::hold(::coenzyme::GradientArg::annotate(#arguments)),)*)
    }
}

/// `jvp!(f, &x, &v, Const(k))`, or `jvp!(f, Duplicated(&x, &v), Const(k))`: `jvp(&f {}, (Duplicated(&x, &v), Const(k)))`.
pub(crate) fn jvp(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        arguments,
    } = call;
    let by_pairs = arguments.iter().any(|a| called(a, "Duplicated").is_some());
    let mut annotated = Vec::new();
    let mut rest = arguments.iter();
    if !by_pairs {
        let (Some(point), Some(direction)) = (rest.next(), rest.next()) else {
            let message = "`jvp!` takes a point and a direction: `jvp!(f, &x, &v)`, then `Const(k)` for each further argument; or `Duplicated(&x, &v)` for each argument that takes part";
            return syn::Error::new(Span::call_site(), message).to_compile_error();
        };
        annotated.push(quote!(::coenzyme::Duplicated(#point, #direction)));
    }
    for argument in rest {
        let pair = called(argument, "Duplicated").is_some_and(|call| call.args.len() == 2);
        if constant(argument).is_none() && !(by_pairs && pair) {
            let message = "write `Duplicated(&x, &v)` for each argument that moves along a direction, and `Const(x)` for each other";
            return syn::Error::new_spanned(argument, message).to_compile_error();
        }
        annotated.push(Expr::to_token_stream(argument));
    }
    let driver = of_any_arguments("jvp");
    run(quote!(#driver(&#function, (#(#annotated,)*))))
}
