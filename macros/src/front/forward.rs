//! The function that `#[autodiff_forward]` generates.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::model::{Activity, Front};
use crate::signature::{Function, Param, Passing};

/// ```text
/// fn df(x: &[f64], bx_0: &[f64], y: f64) -> (f64, f64) {
///     let mut a0 = BatchDuplicated(x, [bx_0]);
///     let mut a1 = Const(y);
///     …
/// }
/// ```
pub(super) fn derivative(front: &Front, function: &Function) -> TokenStream {
    let (name, width, vis) = (&front.name, front.width, &function.vis);
    let mut params = Vec::new();
    let mut handles = Vec::new();
    for (param, activity) in function.params.iter().zip(&front.args) {
        let (inputs, handle) = argument(param, activity, width);
        params.extend(inputs);
        handles.push(handle);
    }
    let output = &function.output;
    // the types of the handles are those of `args`
    let holes: Vec<_> = handles.iter().map(|_| quote!(_)).collect();
    let call = |returns: TokenStream, primal: bool| {
        super::reverse::call_rule(
            function,
            &handles,
            quote! {
                ::coenzyme::__private::call_forward::<_, #returns, (#(#holes,)*), _, #width>(
                    &callee, &::coenzyme::ForwardConfig::new(#primal), ::coenzyme::Args::<#width>::refs(&mut args),
                )
            },
        )
    };
    let (generics, where_clause) = (&function.generics, &function.generics.where_clause);
    let (returned, body) = returned(front, output, call);
    quote! {
        #[allow(clippy::too_many_arguments, clippy::unused_unit)]
        #vis fn #name #generics (#(#params),*) -> #returned #where_clause {
            #body
        }
    }
}

/// The parameters that an argument and its tangents come in by, and its handle.
fn argument(param: &Param, activity: &Activity, width: usize) -> (Vec<TokenStream>, TokenStream) {
    let (x, ty) = (&param.name, typed(param));
    let mut params = vec![quote!(#x: #ty)];
    let shadows: Vec<_> = (0..width).map(|l| format_ident!("b{x}_{l}")).collect();
    let handle = match activity {
        Activity::Const => quote!(::coenzyme::Const(#x)),
        Activity::Dualv => {
            let shadow = &shadows[0];
            params.push(quote!(#shadow: #ty));
            let chunks = match param.passing {
                Passing::Exclusive => quote!(chunks_exact_mut),
                _ => quote!(chunks_exact),
            };
            quote!({
                let mut lanes = #shadow.#chunks(#x.len());
                let lanes: [_; #width] =
                    ::core::array::from_fn(|_| lanes.next().expect("a shadow for each lane"));
                ::coenzyme::BatchDuplicated(#x, lanes)
            })
        }
        _ => {
            params.extend(shadows.iter().map(|s| quote!(#s: #ty)));
            quote!(::coenzyme::BatchDuplicated(#x, [#(#shadows),*]))
        }
    };
    (params, handle)
}

/// The type that is returned, and the call that gives it: `call` makes one for a return activity, with or without the primal.
fn returned(
    front: &Front,
    output: &syn::Type,
    call: impl Fn(TokenStream, bool) -> TokenStream,
) -> (TokenStream, TokenStream) {
    let width = front.width;
    match front.ret {
        None => {
            let call = call(quote!(::coenzyme::Const<()>), false);
            (quote!(()), quote!(#call;))
        }
        Some(Activity::Const) => {
            let call = call(quote!(::coenzyme::Const<#output>), true);
            (
                quote!(#output),
                quote!(#call.expect("a rule returns the primal when its configuration asks for it")),
            )
        }
        Some(Activity::Dual { only: true }) => {
            let call = call(
                quote!(::coenzyme::BatchDuplicatedNoNeed<#output, #output, #width>),
                false,
            );
            match width {
                1 => (quote!(#output), quote!({ let [tangent] = #call; tangent })),
                _ => (quote!([#output; #width]), call),
            }
        }
        Some(_) => {
            let call = call(
                quote!(::coenzyme::BatchDuplicated<#output, #output, #width>),
                true,
            );
            let tangents: Vec<_> = (0..width).map(|l| format_ident!("t{l}")).collect();
            let split = quote!(let (primal, [#(#tangents),*]) = #call.into_parts(););
            let all = width + 1;
            match width {
                1 => (quote!((#output, #output)), quote!(#split (primal, t0))),
                _ => (
                    quote!([#output; #all]),
                    quote!(#split [primal, #(#tangents),*]),
                ),
            }
        }
    }
}

/// The type of a parameter as it was written.
pub(super) fn typed(param: &Param) -> TokenStream {
    let ty = &param.ty;
    match param.passing {
        Passing::Value => quote!(#ty),
        Passing::Shared => quote!(&#ty),
        Passing::Exclusive => quote!(&mut #ty),
    }
}
