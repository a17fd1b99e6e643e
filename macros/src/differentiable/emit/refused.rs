//! The rules of a function that was refused. They say to its callers that it has rules, so that one mistake is one error; they
//! are never run, because the error ends the compilation.

use proc_macro2::TokenStream;

use super::bounds::{self, Mode};
use crate::differentiable::ir::Program;
use crate::signature::Function;

/// `impl ForwardRule for f` and `impl ReverseRule for f` without bodies.
pub(in crate::differentiable) fn rules(function: &Function) -> TokenStream {
    let program = Program::default();
    let (name, handles) = (&function.name, bounds::handles(function));
    let forward = bounds::generics(function, &program, Mode::Forward);
    let (forward_generics, _, forward_where) = forward.split_for_impl();
    let reverse = bounds::generics(function, &program, Mode::Reverse);
    let (reverse_generics, _, reverse_where) = reverse.split_for_impl();
    code! {
        impl #forward_generics ::coenzyme::ForwardRule<__R, #handles, __W> for #name #forward_where {
            fn forward(
                &self,
                _: &::coenzyme::ForwardConfig,
                _: <#handles as ::coenzyme::Args<__W>>::Refs<'_>,
            ) -> ::coenzyme::ForwardOutcome<__R, __W> {
                ::core::unreachable!("the function was refused")
            }
        }

        impl #reverse_generics ::coenzyme::ReverseRule<__R, #handles, __W> for #name #reverse_where {
            type Tape = ();

            fn augmented_primal(
                &self,
                _: &::coenzyme::ReverseConfig,
                _: <#handles as ::coenzyme::Args<__W>>::Refs<'_>,
            ) -> ::coenzyme::AugmentedOutcome<__R, (), __W> {
                ::core::unreachable!("the function was refused")
            }
            fn reverse(
                &self,
                _: &::coenzyme::ReverseConfig,
                _: <__R as ::coenzyme::ReverseReturn<__W>>::Cotangent,
                (): (),
                _: <#handles as ::coenzyme::Args<__W>>::Refs<'_>,
            ) -> <#handles as ::coenzyme::Args<__W>>::Gradients {
                ::core::unreachable!("the function was refused")
            }
        }
    }
}
