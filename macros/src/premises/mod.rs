//! The law of names: what the compiler takes from a name is asserted where the name stands.
//!
//! The macro sees tokens. It takes `x.swap(i, j)` for the swap of slices, `x.len()` for a number without derivative, `Range` for a
//! type without one. Each is a *premise*, and each can be false: a type may have a `swap` of its own. So every differentiated
//! function gets a **witness**, a copy of its body that is compiled and never called, in which every name means what it means in
//! the function itself, and in which each premise is asserted by a bound:
//!
//! ```text
//! #[differentiable]
//! fn f(c: &Curve, x: &mut [f64]) -> f64 { x.swap(0, 1); c.position(x[0]) }
//!
//! const _: () = {
//!     fn witness(c: &Curve, x: &mut [f64]) -> f64 {
//!         (std_receiver(&x), x.swap(0, 1)).1;        // `x` is a type of the standard library
//!         inert((&c).position(x[0]))                 // `f64: Inert` does not hold: an error, and no derivative of zero
//!     }
//! };
//! ```

mod callees;
mod fields;
mod held;
mod names;
mod operands;
mod places;
mod receiver;
mod site;
#[cfg(test)]
mod suite;
mod types;
mod visit;

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{FnArg, Signature};

use crate::differentiable::OperandForm;
use crate::differentiable::front::numbers;
use callees::Callees;
pub(crate) use site::Site;

/// What the compiler has decided about a function.
#[derive(Default)]
pub(crate) struct Decisions {
    /// The names that derivatives flow through.
    pub(crate) varied: HashSet<String>,
    /// The method calls whose derivative is a rule of the receiver's type, whatever the method is called.
    pub(crate) by_rule: HashSet<Site>,
    /// The operators, and which of their operands were taken for references or for values without a word that tells.
    pub(crate) operands: HashMap<Site, [Option<OperandForm>; 2]>,
    /// Whether the callees are named by constants, and not by their functions.
    pub(crate) callees_are_constants: bool,
}

/// Whether a method of this name and number of arguments has a meaning, so that it is not taken for one of a user's own type.
pub(crate) fn is_known_method(name: &str, arguments: usize) -> bool {
    names::meaning(name, arguments).is_some()
}

/// What asserts the premises of a function.
#[derive(Default)]
pub(crate) struct Witness {
    /// Nothing if no premise was needed.
    pub(crate) tokens: TokenStream,
    /// Whether its marker is [`Callees`](callees), to be asked when a derivative begins.
    pub(crate) has_callees: bool,
}

/// The witness of the function of this marker.
pub(crate) fn witness(
    marker: &Ident,
    signature: &Signature,
    body: &syn::Block,
    decisions: &Decisions,
) -> Witness {
    let types = types::of_signature(signature);
    let mut body = body.clone();
    receiver::Renamed.visit_block_mut(&mut body);
    let mut assertions = visit::Assert::new(decisions, signature, &body);
    assertions.visit_block_mut(&mut body);
    if assertions.asserted == 0 && assertions.macros.is_empty() && types.is_empty() {
        return Witness::default();
    }
    let has_callees = assertions.callees.as_ref().is_some_and(Callees::is_any);
    let callees = assertions.callees.take().filter(|_| has_callees);
    let types = types.iter().map(types::asserted);
    let macros = assertions.macros.into_values();
    let assertions_of_operands = !decisions.operands.is_empty();
    crate::differentiable::strip(&mut body);
    let mut signature = signature.clone();
    signature.ident = Ident::new("witness", proc_macro2::Span::mixed_site());
    if assertions_of_operands {
        numbers::bound_values(&mut signature.generics);
    }
    signature.constness = None;
    signature.abi = None;
    for arg in &mut signature.inputs {
        if let FnArg::Typed(arg) = arg {
            arg.attrs.clear();
        }
    }
    let body = quote! {
        #(#[allow(unused_imports)] use #macros;)*
        #(#types)*
        #body
    };
    let witness = match callees {
        Some(callees) => callees.witness(marker, &signature, &body),
        None => quote!(#signature { #body }),
    };
    let tokens = quote! {
        #[doc(hidden)]
        #[allow(unused, dead_code, unreachable_code, unused_mut, deprecated, non_snake_case, clippy::all, clippy::pedantic)]
        const _: () = { #witness };
    };
    Witness {
        tokens,
        has_callees,
    }
}
