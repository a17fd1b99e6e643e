//! What a marker says of a call: how much it costs to run it again.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{PathSegment, Type};

use super::unmarked;
use crate::associated::finder_name;
use crate::differentiable::analyse::cost::{Cost, Method, Times};
use crate::differentiable::ir::Program;
use crate::signature::Function;

/// Levels of calls that are looked through.
const DEPTH: u32 = 4;

impl Program {
    /// `impl CallCost for f`, and the method of its reverse rule that says what a call costs. Without them a call is not run again.
    pub(crate) fn call_cost(&self, function: &Function) -> (TokenStream, TokenStream) {
        let found = self.cost().and_then(|cost| {
            let [asked, sum] = self.sum_of(&cost, function)?;
            Some((cost, asked, sum))
        });
        let Some((cost, asked, sum)) = found else {
            return Default::default();
        };
        let (marker, levels) = (&function.name, DEPTH);
        // a parameter of the function has a value where its types are known, not for its marker
        let of_constants = cost.names.iter().any(|name| self.constants.contains(name));
        let of_types = (cost.calls.iter()).any(|(path, _)| function.names_generics_in(path));
        if of_constants || of_types {
            let method = quote! {
                #[inline]
                fn call_cost(&self) -> u32 {
                    let depth = #levels;
                    #asked
                    #sum
                }
            };
            return (TokenStream::new(), method);
        }
        let known = quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all)]
            impl ::coenzyme::__private::CallCost for #marker {
                #[inline]
                fn cost_of_levels(&self, depth: u32) -> u32 {
                    #asked
                    #sum
                }
            }
        };
        let method = quote! {
            #[inline]
            fn call_cost(&self) -> u32 {
                ::coenzyme::__private::CallCost::cost_of_levels(self, #levels)
            }
        };
        (known, method)
    }

    /// How markers are asked, and the sum; `None` if the signature does not tell of which type a method is.
    fn sum_of(&self, cost: &Cost, function: &Function) -> Option<[TokenStream; 2]> {
        let finders: Option<Vec<_>> = cost.methods.iter().map(|m| finder(m, function)).collect();
        let finders = finders?;
        let operations = cost.operations;
        let counted = cost.counted.iter().map(Times::tokens);
        let calls = cost.calls.iter();
        let calls = calls.map(|(path, times)| code_of_call(&self.marker_told(path), times));
        let methods = finders.iter().zip(&cost.methods);
        let methods = methods
            .map(|((ty, finder), method)| code_of_call(&quote!(<#ty>::#finder()), &method.times));
        let sum = quote! {
            #operations #(.saturating_add(#counted))* #(.saturating_add(#calls))* #(.saturating_add(#methods))*
        };
        if !cost.has_calls() {
            return Some([TokenStream::new(), sum]);
        }
        // a type without such a method, or with several, has one whose cost is not known
        let names: BTreeMap<_, _> = (finders.into_iter())
            .map(|(_, finder)| (finder.to_string(), finder))
            .collect();
        let names: Vec<_> = names.into_values().collect();
        let unknown = unmarked::finds_nothing("__Unknown", &quote!(), &names, &quote!());
        let asked = quote! {
            #unknown
            use ::coenzyme::__private::{CallCost as _, UnknownCost as _};
            let Some(depth) = depth.checked_sub(1) else { return u32::MAX };
        };
        Some([asked, sum])
    }
}

/// The type that has a method, and what finds the marker there.
fn finder<'f>(method: &Method, function: &'f Function) -> Option<(&'f Type, Ident)> {
    let ty = &function.params[method.parameter].ty;
    let told = is_path(ty) && !function.names_generics_in(ty);
    told.then(|| (ty, finder_name(&method.name.unraw())))
}

/// Whether a type is a path without arguments: it means the same for the marker.
fn is_path(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let plain = |s: &PathSegment| s.arguments.is_none() && s.ident != "Self";
    path.qself.is_none() && path.path.segments.iter().all(plain)
}

/// `(&g {}).cost_of_levels(depth)`: that of the marker, if it has one, otherwise that of every reference.
fn code_of_call(marker: &TokenStream, times: &Times) -> TokenStream {
    let times = times.tokens();
    quote!((&#marker).cost_of_levels(depth).saturating_mul(#times))
}
