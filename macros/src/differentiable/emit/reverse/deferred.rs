//! A value that is a sum, where rounds that run again add to it: a driver knows its cotangent before the value, so the forward sweep skips
//! such loops, and the reverse sweep adds up what it computes anyway.
//!
//! ```text
//! // let mut total = 0.0; for i in 0..n { total += f(x[i]); } total
//! let mut total = 0.0;
//! if config.needs_primal() && !__LATER { for i in 0..n { … } }
//! if __LATER { total_slot.push(tape, total); }
//! // backwards
//! let mut total = total_slot.sum_to_end(tape, __LATER);
//! for i in 0..n { let t = f(x[i]); if __LATER { total = total + t; } … }
//! ```

use proc_macro2::TokenStream;

use super::Reverse;
use crate::differentiable::emit::bounds;
use crate::differentiable::emit::names::slot;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// A statement that adds to a sum, in a round that runs again.
    pub(crate) fn added_later(&self, item: &Item) -> TokenStream {
        if !self.plan.adds_later(item) {
            return TokenStream::new();
        }
        match item {
            Item::Def(d) => {
                let def = &self.program.defs[*d];
                let (name, value) = (&def.name, self.program.def_value(*d));
                code!(let #name = #value;)
            }
            Item::Assign { place, op, value } => {
                let added = self.program.assign_primal(place, *op, value);
                code!(if __LATER { #added })
            }
            _ => TokenStream::new(),
        }
    }

    /// Whether a call in a round that runs again is asked for a value that is only added to that of the function.
    pub(crate) fn wants_value_later(&self) -> TokenStream {
        match self.plan.deferred {
            Some(_) => code!(__LATER),
            None => code!(false),
        }
    }

    /// At the end of the forward sweep: what the sum is without these loops.
    pub(crate) fn sum_so_far(&self) -> TokenStream {
        let Some(total) = self.plan.deferred else {
            return TokenStream::new();
        };
        let slot = slot(&self.program.roots[total].name);
        code!(if __LATER { #slot.push(tape, ::coenzyme::__private::copy(&result)); })
    }

    /// At the beginning of the reverse sweep the sum so far; at its end, the gradients with the sum if it is wanted.
    pub(crate) fn sum_to_end(&self) -> (TokenStream, TokenStream) {
        let gradients = code!(::coenzyme::__private::Swept::Gradients(swept));
        let Some(total) = self.plan.deferred else {
            return (TokenStream::new(), gradients);
        };
        let name = &self.program.roots[total].name;
        let slot = self.slot_of(name);
        self.state.borrow_mut().bound_roots.insert(total);
        let sum = code! {
            let mut #name = match __LATER {
                true => #slot.pop(tape),
                false => #slot.blank(),
            };
        };
        let swept = code! {
            match __LATER {
                true => ::coenzyme::__private::Swept::Both(#name, swept),
                false => #gradients,
            }
        };
        (sum, swept)
    }

    /// The method of the reverse rule that runs both sweeps, of which the second may add up the value.
    pub(crate) fn both(&self) -> TokenStream {
        let later = match self.plan.deferred {
            Some(_) => code!(__VALUE),
            None => code!(false),
        };
        let handles = bounds::handles(self.function);
        let output = &self.function.output;
        code! {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn both<const __VALUE: bool>(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <__R as ::coenzyme::ReverseReturn<__W>>::Cotangent,
                args: &mut #handles,
            ) -> <#output as ::coenzyme::Outcome>::Of<(
                <#handles as ::coenzyme::Args<__W>>::Gradients,
                ::core::option::Option<<#output as ::coenzyme::Outcome>::Value>,
            )> {
                ::coenzyme::__private::both::<_, __R, #handles, _, #later, __W>(self, config, dret, args)
            }
        }
    }
}
