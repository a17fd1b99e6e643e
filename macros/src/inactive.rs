//! `#[inactive]`: a function without derivative. Whatever its types are, it may be declared: where they allow no rule, there is none, and a
//! call of it is the error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{FnArg, ItemFn, Signature, Type, Visibility, WherePredicate};

use crate::errors::Errors;
use crate::general::{Direction, GeneralRule};
use crate::signature::{Function, Passing};

/// Expands to the function, its marker, and two rules with zero derivatives:
///
/// ```text
/// fn f(y: &mut [f64], x: f64) -> f64 { … }
/// pub struct f {}
/// impl ForwardRule<R, (A0, A1), W> for f { … }
/// impl ReverseRule<R, (A0, A1), W> for f { … }
/// ```
pub(crate) fn expand(mut item: ItemFn) -> TokenStream {
    // without arguments there is nothing to differentiate, and no types that rules could be found by
    if item.sig.inputs.is_empty() && item.sig.generics.type_params().next().is_some() {
        let stub = Function::parse(&item.vis, &mut item.sig, &mut Errors::default()).stub();
        return quote!(#item #stub);
    }
    let mut errors = Errors::default();
    let function = read(&item.vis, &mut item.sig.clone(), &mut errors);
    let _ = Function::parse(&item.vis, &mut item.sig, &mut Errors::default());
    if !errors.is_empty() {
        return errors.into_tokens_with(&item, &function);
    }
    let (marker, rules) = (function.marker(), rules(&function));
    quote!(#item #marker #rules)
}

/// Expands to the block, and for every method its marker and two rules with zero derivatives.
pub(crate) fn expand_impl(item: syn::ItemImpl) -> TokenStream {
    crate::methods::expand(item, read, |function, _, _| rules(function))
}

/// Reads a signature, and rewrites it: types of which it says a trait get names.
pub(crate) fn read(vis: &Visibility, sig: &mut Signature, errors: &mut Errors) -> Function {
    let mut named = Vec::new();
    for (i, arg) in sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(arg) = arg
            && let Type::ImplTrait(implied) = &*arg.ty
        {
            let (name, bounds) = (format_ident!("__V{i}"), &implied.bounds);
            sig.generics.params.push(syn::parse_quote!(#name: #bounds));
            *arg.ty = syn::parse_quote!(#name);
            named.push(name.to_string());
        }
    }
    let mut function = crate::differentiable::read_views(vis, sig, errors);
    (function.own_args).retain(|arg| !named.contains(&arg.to_string()));
    function
}

/// What the rules ask of the types: of a value, that it can be copied; of what is written, that its shadow can be made zero. The lifetime puts the
/// question off to the call.
fn asked(function: &Function) -> impl Iterator<Item = WherePredicate> + '_ {
    let output = &function.output;
    let returned =
        syn::parse_quote!(for<'__a> #output: ::coenzyme::__private::dispatch::Returnable<'__a>);
    let params = function.params.iter().filter_map(|param| {
        let ty = &param.ty;
        match (param.passing, param.constant) {
            (Passing::Value, _) => {
                Some(syn::parse_quote!(for<'__a> #ty: ::coenzyme::__private::dispatch::Kept<'__a>))
            }
            (Passing::Exclusive, false) => Some(
                syn::parse_quote!(for<'__a> #ty: ::coenzyme::__private::dispatch::Shadowed<'__a>),
            ),
            _ => None,
        }
    });
    params.chain([returned])
}

/// The rules of a function without derivative, in both modes.
pub(crate) fn rules(function: &Function) -> TokenStream {
    let (forward, reverse) = (forward(function), reverse(function));
    quote!(#forward #reverse)
}

fn general(function: &Function, direction: Direction) -> GeneralRule {
    let mut rule = GeneralRule::new(function, direction);
    let predicates = &mut rule.generics.make_where_clause().predicates;
    predicates.extend(asked(function));
    rule
}

/// The rule of forward mode: the tangents of what the function writes and returns are zero.
///
/// ```text
/// fn forward(&self, config: &ForwardConfig, (a0, a1): (&mut A0, &mut A1)) -> ForwardOutcome<R, W> {
///     let returned = f(a0.primal_mut(), a1.primal().clone());
///     a0.assign(|_, _, tangent| Tangent::zero_out(tangent));
///     forward_without_tangent::<R, W>(config, returned)
/// }
/// ```
fn forward(function: &Function) -> TokenStream {
    let rule = general(function, Direction::Forward);
    let (impl_generics, _, where_clause) = rule.generics.split_for_impl();
    let (name, handles, receiver) = (&function.name, &rule.handles, rule.receiver());
    let (call, config) = (call(function, &rule), config());
    let written = written(function).map(|i| {
        let (a, ty) = (&rule.variables[i], &function.params[i].ty);
        quote! {
            ::coenzyme::ForwardArgMut::<#ty, __W>::assign(#a, |_, _, tangent| ::coenzyme::Tangent::zero_out(tangent));
        }
    });
    quote! {
        impl #impl_generics ::coenzyme::ForwardRule<__R, (#(#handles,)*), __W> for #name #where_clause {
            #[allow(unused_variables, clippy::let_unit_value)]
            fn forward(
                &self,
                #config: &::coenzyme::ForwardConfig,
                #receiver,
            ) -> ::coenzyme::ForwardOutcome<__R, __W> {
                let returned = #call;
                #(#written)*
                ::coenzyme::__private::forward_without_tangent::<__R, __W>(#config, returned)
            }
        }
    }
}

/// The rule of reverse mode: nothing flows back, and the cotangents of what the function wrote end here.
///
/// ```text
/// type Tape = ();
/// fn augmented_primal(&self, config: &ReverseConfig, (a0, a1): …) -> AugmentedOutcome<R, (), W> {
///     let returned = f(a0.primal_mut(), a1.primal().clone());
///     Outcome::map_value(returned, |value| R::augmented(config, value, ()))
/// }
/// fn reverse(…) -> (A0::Gradient, A1::Gradient) { (a0.consume(), a1.no_gradient()) }
/// ```
fn reverse(function: &Function) -> TokenStream {
    let rule = general(function, Direction::Reverse);
    let (impl_generics, _, where_clause) = rule.generics.split_for_impl();
    let (name, handles, receiver) = (&function.name, &rule.handles, rule.receiver());
    let output = &function.output;
    let (call, config) = (call(function, &rule), config());
    let gradients = function.params.iter().enumerate().map(|(i, param)| {
        let (a, ty) = (&rule.variables[i], &param.ty);
        match (param.constant, param.passing) {
            (true, _) => quote!(()),
            (false, Passing::Exclusive) => {
                quote!(::coenzyme::ReverseArgMut::<#ty, __W>::consume(#a))
            }
            (false, _) => quote!(::coenzyme::ReverseArg::<#ty, __W>::no_gradient(#a)),
        }
    });
    quote! {
        impl #impl_generics ::coenzyme::ReverseRule<__R, (#(#handles,)*), __W> for #name #where_clause {
            type Tape = ();

            #[allow(unused_variables, clippy::let_unit_value)]
            fn augmented_primal(
                &self,
                #config: &::coenzyme::ReverseConfig,
                #receiver,
            ) -> ::coenzyme::AugmentedOutcome<__R, (), __W> {
                let returned = #call;
                <#output as ::coenzyme::Outcome>::map_value(returned, |value| __R::augmented(#config, value, ()))
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn reverse(
                &self,
                _: &::coenzyme::ReverseConfig,
                _: __R::Cotangent,
                (): (),
                #receiver,
            ) -> (#(<#handles as ::coenzyme::Activity<__W>>::Gradient,)*) {
                (#(#gradients,)*)
            }
        }
    }
}

/// The configuration, under a name that does not hide a function `config` of the user's.
fn config() -> Ident {
    Ident::new("config", Span::mixed_site())
}

/// The call of the primal: `f(a0.primal_mut(), a1.primal().clone())`.
fn call(function: &Function, rule: &GeneralRule) -> TokenStream {
    let params = function.params.iter().enumerate();
    let args = params.map(|(i, param)| rule.primal(i, param));
    function.call(args)
}

/// The arguments that the function may write, and which may have shadows.
fn written(function: &Function) -> impl Iterator<Item = usize> + '_ {
    let params = function.params.iter().enumerate();
    params
        .filter(|(_, param)| param.passing == Passing::Exclusive && !param.constant)
        .map(|(i, _)| i)
}
