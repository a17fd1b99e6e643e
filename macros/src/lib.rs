//! The macros of `coenzyme`: use them through that crate, which documents them.

mod associated;
mod beside;
mod cfg;
mod conversion;
mod device;
mod differentiable;
mod dispatch;
mod driver;
mod easy;
mod errors;
mod files;
mod for_all;
mod foreign;
mod front;
#[cfg(test)]
mod fuzz;
mod general;
mod grouped;
mod inactive;
mod lender;
mod located;
mod marker;
mod methods;
mod operator;
mod own_type;
mod premises;
mod primitive;
mod several;
mod signature;
mod sole;
mod tangent;
mod told;
mod traits;
mod tried;

use proc_macro::TokenStream;
use syn::parse::{Parse, ParseStream};

use crate::files::edition;
use crate::files::source::ParsedOnce;

/// What an attribute stands on.
enum Marked {
    Function(syn::ItemFn),
    Methods(syn::ItemImpl),
    Trait(syn::ItemTrait),
}

impl Parse for Marked {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut item = input.parse()?;
        grouped::parenthesize(&mut item);
        match item {
            syn::Item::Fn(item) => Ok(Self::Function(item)),
            syn::Item::Impl(mut item) => {
                signature::ungroup_head(&mut item);
                Ok(Self::Methods(item))
            }
            syn::Item::Trait(item) => Ok(Self::Trait(item)),
            other => Err(syn::Error::new_spanned(
                other,
                "this attribute stands on a function, an `impl` block or a trait",
            )),
        }
    }
}

/// Declares a function whose derivative is its rules: see `coenzyme::primitive`.
#[proc_macro_attribute]
pub fn primitive(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = syn::parse_macro_input!(options as primitive::Options);
    if let Some(path) = &options.path {
        let carrier = syn::parse_macro_input!(item as primitive::Carrier);
        return edition::crates(primitive::expand_carrier(path, carrier)).into();
    }
    let expand = |marked| match marked {
        Marked::Function(item) => primitive::expand(item),
        Marked::Methods(item) => primitive::expand_impl(item),
        Marked::Trait(item) => traits::refused(&item),
    };
    edition::crates(cfg::each(syn::parse_macro_input!(item as Marked), expand)).into()
}

/// Generates the derivative of a function: see `coenzyme::differentiable`.
#[proc_macro_attribute]
pub fn differentiable(options: TokenStream, item: TokenStream) -> TokenStream {
    let _parsed = ParsedOnce::begin();
    let options = syn::parse_macro_input!(options as differentiable::Options);
    let expand = |marked| match marked {
        Marked::Function(item) => differentiable::expand(options.clone(), item),
        Marked::Methods(item) => differentiable::expand_impl(options.clone(), item),
        Marked::Trait(item) => differentiable::expand_trait(&options, item),
    };
    edition::crates(cfg::each(syn::parse_macro_input!(item as Marked), expand)).into()
}

/// Declares a function without derivative: see `coenzyme::inactive`.
#[proc_macro_attribute]
pub fn inactive(options: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse_macro_input!(options as syn::parse::Nothing);
    let expand = |marked| match marked {
        Marked::Function(item) => inactive::expand(item),
        Marked::Methods(item) => inactive::expand_impl(item),
        Marked::Trait(item) => traits::refused(&item),
    };
    edition::crates(cfg::each(syn::parse_macro_input!(item as Marked), expand)).into()
}

/// Gives a struct or an enum its tangent space: see `coenzyme::Tangent`.
#[proc_macro_derive(Tangent, attributes(tangent))]
pub fn tangent(item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::DeriveInput);
    edition::crates(tangent::expand(item)).into()
}

/// Both rules of a function from its partial derivatives: see `coenzyme::easy_rule`.
#[proc_macro]
pub fn easy_rule(input: TokenStream) -> TokenStream {
    let written = syn::parse_macro_input!(input as easy::Written);
    edition::crates(easy::expand(written)).into()
}

/// Drivers, each by a second name too, for a crate with checks.
macro_rules! drivers {
    ($($(#[$doc:meta])* $name:ident, $checked:ident: $($expand:ident)::+ of $written:ident;)+) => {$(
        $(#[$doc])*
        #[proc_macro]
        pub fn $name(input: TokenStream) -> TokenStream {
            let written = syn::parse_macro_input!(input as driver::$written);
            edition::crates(driver::$($expand)::+(written)).into()
        }

        /// The same, which asks whether to check what it computes.
        #[proc_macro]
        pub fn $checked(input: TokenStream) -> TokenStream {
            beside::with_checks(|| $name(input))
        }
    )+};
}

drivers! {
    /// One differentiated call: see `coenzyme::autodiff`.
    autodiff, autodiff_checked: autodiff of Autodiff;
    /// The gradient of a function that returns one number: see `coenzyme::gradient`.
    gradient, gradient_checked: gradient of Gradient;
    /// The product of a Hessian with a direction: see `coenzyme::hvp!`.
    hvp, hvp_checked: second::hvp of Gradient;
    /// The Hessian of a function that returns one number: see `coenzyme::hessian!`.
    hessian, hessian_checked: second::hessian of Gradient;
    /// The Jacobian of a function: see `coenzyme::jacobian!`.
    jacobian, jacobian_checked: first::jacobian of Gradient;
    /// The product of a Jacobian with a direction: see `coenzyme::jvp!`.
    jvp, jvp_checked: first::jvp of Gradient;
    /// The product of a cotangent with a Jacobian: see `coenzyme::vjp!`.
    vjp, vjp_checked: first::vjp of Gradient;
}

/// The derivative in forward mode under the name and with the signature of `std::autodiff`: see
/// `coenzyme::autodiff_forward`.
#[proc_macro_attribute]
pub fn autodiff_forward(request: TokenStream, item: TokenStream) -> TokenStream {
    let request = syn::parse_macro_input!(request as front::Request);
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    edition::crates(front::expand(request, front::FORWARD, item)).into()
}

/// The derivative in reverse mode under the name and with the signature of `std::autodiff`: see
/// `coenzyme::autodiff_reverse`.
#[proc_macro_attribute]
pub fn autodiff_reverse(request: TokenStream, item: TokenStream) -> TokenStream {
    let request = syn::parse_macro_input!(request as front::Request);
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    edition::crates(front::expand(request, front::REVERSE, item)).into()
}

/// `differentiable` and the attributes of `std::autodiff`, each by a second name, for a crate with `nalgebra`.
macro_rules! beside_nalgebra {
    ($($name:ident, $beside:ident;)+) => {$(
        /// The same beside the markers of `nalgebra`.
        #[proc_macro_attribute]
        pub fn $beside(options: TokenStream, item: TokenStream) -> TokenStream {
            beside::with_nalgebra(|| $name(options, item))
        }
    )+};
}

beside_nalgebra! {
    differentiable, differentiable_beside_nalgebra;
    autodiff_forward, autodiff_forward_beside_nalgebra;
    autodiff_reverse, autodiff_reverse_beside_nalgebra;
}
