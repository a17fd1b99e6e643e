//! Small functions from arrays to arrays, run once for each lane: the shadows of an array lie one behind the other, so that the entries of
//! one lane are neighbours, and those of all lanes are not.
//!
//! ```text
//! // fn product(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4]
//! if __W > 1 {
//!     let mut value = None;
//!     let tangents = from_fn(|lane| { …; let (v, [d]) = forward::<1>(…).into_parts(); value = Some(v); d });
//!     return …;
//! }
//! ```

use proc_macro2::TokenStream;

use super::Forward;
use crate::differentiable::emit::bounds::{self, Mode};
use crate::differentiable::emit::names::{handle, local};
use crate::differentiable::ir::*;
use crate::signature::Passing;

impl Forward<'_> {
    /// The statement that does it, if the function is one of these.
    pub(super) fn lanewise(&self) -> Option<TokenStream> {
        if !self.is_lanewise() {
            return None;
        }
        let (config, output) = (&self.config, &self.function.output);
        let params = self.function.params.iter().enumerate();
        let (args, news): (Vec<_>, Vec<_>) = params
            .map(|(index, param)| {
                let (h, a) = (handle(index), local(&format!("a{index}")));
                let tr = bounds::argument_trait(param, Mode::Forward);
                let zero = local(&format!("zero{index}"));
                let new = code! {
                    let #a = <_ as #tr>::primal(&*#h);
                    let #zero = ::coenzyme::Tangent::zero_like(#a);
                    let tangent = <_ as #tr>::tangent(&*#h, lane).unwrap_or(&#zero);
                    let mut #a = ::coenzyme::BatchDuplicated::from_parts(#a, [tangent]);
                };
                (a, new)
            })
            .unzip();
        let types = args
            .iter()
            .map(|_| code!(::coenzyme::BatchDuplicated<_, _, 1>));
        Some(code! {
            if __W > 1 {
                let mut value = ::core::option::Option::None;
                let tangents: [#output; __W] = ::core::array::from_fn(|lane| {
                    #(#news)*
                    let both = <Self as ::coenzyme::ForwardRule<
                        ::coenzyme::BatchDuplicated<#output, #output, 1>, (#(#types,)*), 1,
                    >>::forward(self, &#config.with_needs_primal(true), (#(&mut #args,)*));
                    let (primal, [tangent]) = ::coenzyme::BatchDuplicated::into_parts(both);
                    value = ::core::option::Option::Some(primal);
                    tangent
                });
                let value = value.expect("there are lanes");
                let mut tangents = ::coenzyme::__private::lane_values(tangents);
                return <#output as ::coenzyme::Outcome>::wrap(
                    <__R as ::coenzyme::ForwardReturn<__W>>::forward(#config, || value, |lane| tangents(lane)),
                );
            }
        })
    }

    fn is_lanewise(&self) -> bool {
        let is_array = |ty: &syn::Type| matches!(ty, syn::Type::Array(_));
        let (mut arrays, mut fine) = (false, is_array(&self.function.output));
        for param in &self.function.params {
            let shared = param.passing == Passing::Shared;
            arrays |= shared;
            let of_array = !shared || is_array(&param.ty);
            fine &= !param.constant && param.passing != Passing::Exclusive && of_array;
        }
        let mut blocks = self.program.body.items.iter();
        let loops = blocks.any(|item| matches!(item, Item::Loop { .. }));
        fine && arrays && loops && self.program.is_cheap()
    }
}
