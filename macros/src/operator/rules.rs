//! What the rules of a function give at one point, in one direction.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// How a function takes its arguments.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Takes {
    Values,
    References,
}

/// The tangent of the function behind `marker` at `x0, x1, …`, where the tangents are `d0, d1, …`.
pub(super) fn push(marker: &Ident, arguments: usize, takes: Takes) -> TokenStream {
    let (at, along) = (numbered("x", arguments), numbered("d", arguments));
    let moving = at
        .iter()
        .map(|_| quote!(::coenzyme::BatchDuplicated<_, _, 1>));
    let pairs = at.iter().zip(&along).map(|(x, d)| match takes {
        Takes::Values => quote!(::core::clone::Clone::clone(#x), [#d]),
        Takes::References => quote!(#x, [&#d]),
    });
    quote! {
        let returned = ::coenzyme::__private::call_forward::<_, ::coenzyme::BatchDuplicated<_, _, 1>, (#(#moving,)*), _, 1>(
            &#marker {},
            &::coenzyme::ForwardConfig::new(false),
            (#(&mut ::coenzyme::BatchDuplicated::from_parts(#pairs),)*),
        );
        let (_, [tangent]) = ::coenzyme::BatchDuplicated::into_parts(returned);
        tangent
    }
}

/// The cotangents of the arguments of the function behind `marker` at `x0, x1, …`.
pub(super) fn pull(marker: &Ident, arguments: usize, takes: Takes) -> TokenStream {
    let (at, to) = (numbered("x", arguments), numbered("d", arguments));
    let (activity, shadows, args, gradients) = match takes {
        Takes::Values => (
            quote!(::coenzyme::Active<_>),
            quote!(),
            quote!(#(::coenzyme::Active(::core::clone::Clone::clone(#at)),)*),
            quote!(let (#([#to],)*) =),
        ),
        Takes::References => (
            quote!(::coenzyme::Duplicated<_, _>),
            quote!(#(let mut #to = ::coenzyme::make_zero(#at);)*),
            quote!(#(::coenzyme::Duplicated(#at, &mut #to),)*),
            quote!(let _ =),
        ),
    };
    let active: Vec<_> = at.iter().map(|_| &activity).collect();
    quote! {
        let config = ::coenzyme::ReverseConfig::new(false);
        #shadows
        let args = &mut (#args);
        let augmented = ::coenzyme::ReverseRule::<::coenzyme::Active<_>, (#(#active,)*), 1>::augmented_primal(
            &#marker {}, &config, ::coenzyme::Args::<1>::refs(args),
        );
        #gradients ::coenzyme::ReverseRule::<::coenzyme::Active<_>, (#(#active,)*), 1>::reverse(
            &#marker {}, &config, [::core::clone::Clone::clone(cotangent)], augmented.tape, ::coenzyme::Args::<1>::refs(args),
        );
        (#(#to,)*)
    }
}

fn numbered(name: &str, count: usize) -> Vec<Ident> {
    (0..count).map(|i| format_ident!("{name}{i}")).collect()
}
