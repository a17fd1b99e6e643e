//! What the rules of a function give at one point, in one direction.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// How a function takes an argument.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Takes {
    Values,
    References,
    /// By value, and it carries no derivative.
    Constant,
}

/// The tangent of the function behind `marker` at `x0, x1, …`, where the tangents are `d0, d1, …`.
pub(super) fn push(marker: &Ident, takes: &[Takes]) -> TokenStream {
    let moving = takes.iter().map(|takes| match takes {
        Takes::Constant => quote!(::coenzyme::Const<_>),
        _ => quote!(::coenzyme::BatchDuplicated<_, _, 1>),
    });
    let handles = numbered(takes).map(|(takes, x, d)| match takes {
        Takes::Values => {
            quote!(::coenzyme::BatchDuplicated::from_parts(::core::clone::Clone::clone(#x), [#d]))
        }
        Takes::References => quote!(::coenzyme::BatchDuplicated::from_parts(#x, [&#d])),
        Takes::Constant => quote!(::coenzyme::Const(::core::clone::Clone::clone(#x))),
    });
    quote! {
        let returned = ::coenzyme::__private::call_forward::<_, ::coenzyme::BatchDuplicated<_, _, 1>, (#(#moving,)*), _, 1>(
            &#marker {},
            &::coenzyme::ForwardConfig::new(false),
            (#(&mut #handles,)*),
        );
        let (_, [tangent]) = ::coenzyme::BatchDuplicated::into_parts(returned);
        tangent
    }
}

/// The cotangents of the arguments of the function behind `marker` at `x0, x1, …`.
pub(super) fn pull(marker: &Ident, takes: &[Takes]) -> TokenStream {
    let active: Vec<_> = takes
        .iter()
        .map(|takes| match takes {
            Takes::Values => quote!(::coenzyme::Active<_>),
            Takes::References => quote!(::coenzyme::Duplicated<_, _>),
            Takes::Constant => quote!(::coenzyme::Const<_>),
        })
        .collect();
    let shadows = numbered(takes).map(|(takes, x, d)| match takes {
        Takes::Values => quote!(),
        Takes::References => quote!(let mut #d = ::coenzyme::make_zero(#x);),
        Takes::Constant => quote!(let #d = ::core::default::Default::default();),
    });
    let args = numbered(takes).map(|(takes, x, d)| match takes {
        Takes::Values => quote!(::coenzyme::Active(::core::clone::Clone::clone(#x))),
        Takes::References => quote!(::coenzyme::Duplicated(#x, &mut #d)),
        Takes::Constant => quote!(::coenzyme::Const(::core::clone::Clone::clone(#x))),
    });
    let gradients = numbered(takes).map(|(takes, _, d)| match takes {
        Takes::Values => quote!([#d]),
        _ => quote!(_),
    });
    let to = numbered(takes).map(|(_, _, d)| d);
    quote! {
        let config = ::coenzyme::ReverseConfig::new(false).with_inside();
        #(#shadows)*
        let args = &mut (#(#args,)*);
        let augmented = ::coenzyme::ReverseRule::<::coenzyme::Active<_>, (#(#active,)*), 1>::augmented_primal(
            &#marker {}, &config, ::coenzyme::Args::<1>::refs(args),
        );
        let (#(#gradients,)*) = ::coenzyme::ReverseRule::<::coenzyme::Active<_>, (#(#active,)*), 1>::reverse(
            &#marker {}, &config, [::core::clone::Clone::clone(cotangent)], augmented.tape, ::coenzyme::Args::<1>::refs(args),
        );
        (#(#to,)*)
    }
}

/// Each argument with its name and that of its derivative.
fn numbered(takes: &[Takes]) -> impl Iterator<Item = (Takes, Ident, Ident)> {
    let named =
        |(i, takes): (usize, &Takes)| (*takes, format_ident!("x{i}"), format_ident!("d{i}"));
    takes.iter().enumerate().map(named)
}
