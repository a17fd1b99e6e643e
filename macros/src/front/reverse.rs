//! The function that `#[autodiff_reverse]` generates.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::forward::typed;
use super::model::{Activity, Front};
use crate::signature::Function;

/// ```text
/// fn df(x: &[f64], dx_0: &mut [f64], y: f64, dret: f64) -> (f64, f64) {
///     let mut args = (BatchDuplicated(x, [dx_0]), Active(y));
///     let (primal, tape) = …augmented_primal…;
///     let (_, dy) = …reverse…([dret], tape);
///     (primal, dy)
/// }
/// ```
pub(super) fn derivative(front: &Front, function: &Function) -> TokenStream {
    let (name, width, vis) = (&front.name, front.width, &function.vis);
    let mut params = Vec::new();
    let mut handles = Vec::new();
    let mut gradients = Vec::new();
    let mut types = Vec::new();
    let mut is_unsafe = false;
    for (i, (param, activity)) in function.params.iter().zip(&front.args).enumerate() {
        let (x, ty, inner, i) = (&param.name, typed(param), &param.ty, syn::Index::from(i));
        params.push(quote!(#x: #ty));
        handles.push(match activity {
            Activity::Active { .. } => {
                gradients.push(lanes(width, quote!(entries.#i)));
                types.push(if width == 1 {
                    quote!(#ty)
                } else {
                    quote!([#ty; #width])
                });
                quote!(::coenzyme::Active(#x))
            }
            Activity::Duplicated { only } => {
                is_unsafe |= only;
                let shadows: Vec<_> = (0..width).map(|l| format_ident!("d{x}_{l}")).collect();
                params.extend(shadows.iter().map(|s| quote!(#s: &mut #inner)));
                quote!(::coenzyme::BatchDuplicated(#x, [#(#shadows),*]))
            }
            _ => quote!(::coenzyme::Const(#x)),
        });
    }
    let output = &function.output;
    // the types of the handles are those of `args`
    let holes: Vec<_> = handles.iter().map(|_| quote!(_)).collect();
    let (activity, seed) = match front.ret {
        Some(Activity::Active { .. }) => {
            params.push(quote!(dret: #output));
            (quote!(::coenzyme::Active<#output>), quote!([dret; #width]))
        }
        _ => (quote!(::coenzyme::Const<#output>), quote!(())),
    };
    let call = call_rule(
        function,
        &handles,
        quote!({
            let config = ::coenzyme::ReverseConfig::new(true);
            let refs = ::coenzyme::Args::<#width>::refs(&mut args);
            let (primal, tape) = ::coenzyme::__private::call_held::<_, #activity, (#(#holes,)*), _, #width>(&callee, &config, refs);
            let refs = ::coenzyme::Args::<#width>::refs(&mut args);
            let entries = ::coenzyme::__private::call_held_reverse::<_, #activity, (#(#holes,)*), _, #width>(&callee, &config, #seed, tape, refs);
            (primal, entries)
        }),
    );
    // the primal first, then the gradients of values in the order of the arguments
    if !matches!(front.ret, None | Some(Activity::Active { only: true })) {
        gradients.insert(0, quote!(primal));
        types.insert(0, quote!(#output));
    }
    let (returned, result) = match (&types[..], &gradients[..]) {
        ([ty], [gradient]) => (quote!(#ty), quote!(#gradient)),
        _ => (quote!((#(#types),*)), quote!((#(#gradients),*))),
    };
    let (generics, where_clause) = (&function.generics, &function.generics.where_clause);
    let (keyword, doc) = match is_unsafe {
        true => (
            Some(quote!(unsafe)),
            Some(
                quote!(#[doc = "# Safety\nThe primal of an argument that is `DuplicatedOnly` must not be read afterwards."]),
            ),
        ),
        false => (None, None),
    };
    quote! {
        #doc
        #[allow(clippy::too_many_arguments, clippy::unused_unit)]
        #vis #keyword fn #name #generics (#(#params),*) -> #returned #where_clause {
            let (primal, entries) = #call;
            #result
        }
    }
}

/// `body` with the marker as `callee` and the annotated arguments as `args`.
pub(super) fn call_rule(
    function: &Function,
    handles: &[TokenStream],
    body: TokenStream,
) -> TokenStream {
    let name = &function.name;
    quote!({
        let callee = #name {};
        let mut args = (#(#handles,)*);
        #body
    })
}

/// One lane as itself.
fn lanes(width: usize, entry: TokenStream) -> TokenStream {
    match width {
        1 => quote!({
            let [only] = #entry;
            only
        }),
        _ => entry,
    }
}
