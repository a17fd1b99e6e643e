//! How the rules of a trait's methods are found where only the trait is known: the names and types on which an implementation
//! ([`crate::methods`]) and the trait ([`crate::traits`]) agree.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    ConstParam, Expr, GenericArgument, Generics, Ident, ImplItem, ImplItemFn, ItemImpl, Lit, Path,
    PathArguments, Type,
};

use crate::errors::Errors;
use crate::files::here;
use crate::for_all;
use crate::foreign;
use crate::operator::{self, Operator, is_number};
use crate::signature::{Function, Param, Passing, RECEIVER};

/// As many bits of a method's name are compared.
const DIGITS: u32 = 24;

/// As many parameters a method that is dispatched has at most, the receiver among them.
const MOST_PARAMETERS: usize = 8;

/// What stands for a trait in a bound: its name, and a tuple of the types that follow, `[(); N]` for a constant. `None` if others follow than
/// these.
pub(crate) fn trait_key(path: &Path, generics: &Generics) -> Option<TokenStream> {
    let last = path.segments.last()?;
    let name = hash(&last.ident.to_string());
    let types: Vec<Type> = match &last.arguments {
        PathArguments::None => Vec::new(),
        PathArguments::AngleBracketed(list) => {
            let types = list.args.iter().map(|arg| match arg {
                GenericArgument::Type(ty) => match constant(ty, generics) {
                    Some(param) => is_length(param).then(|| syn::parse_quote!([(); #ty])),
                    None => Some(ty.clone()),
                },
                GenericArgument::Const(Expr::Lit(literal)) => {
                    matches!(literal.lit, Lit::Int(_)).then(|| syn::parse_quote!([(); #literal]))
                }
                _ => None,
            });
            types.collect::<Option<_>>()?
        }
        PathArguments::Parenthesized(_) => return None,
    };
    Some(quote!(#name, (#(#types,)*)))
}

/// The constant of a block that reads like a type.
fn constant<'a>(ty: &Type, generics: &'a Generics) -> Option<&'a ConstParam> {
    let Type::Path(ty) = ty else { return None };
    let mut constants = generics.const_params();
    constants.find(|constant| ty.path.is_ident(&constant.ident))
}

/// Whether a constant is one that a type can have: the length of an array.
pub(crate) fn is_length(param: &ConstParam) -> bool {
    matches!(&param.ty, Type::Path(ty) if ty.path.is_ident("usize"))
}

/// A method whose name is the same type as that of one before it.
pub(crate) fn same_digits<'a>(names: impl Iterator<Item = &'a Ident>) -> Option<&'a Ident> {
    let mut seen = std::collections::HashSet::new();
    let mut names = names;
    names.find(|name| !seen.insert(digits(name)))
}

/// What is compared of a method's name.
fn digits(name: &Ident) -> u64 {
    hash(&name.to_string()) & ((1 << DIGITS) - 1)
}

/// A method's name as a type.
pub(crate) fn name_type(name: &Ident) -> TokenStream {
    let bits = digits(name);
    (0..DIGITS).fold(quote!(()), |rest, i| match bits >> i & 1 {
        0 => quote!((::coenzyme::__private::dispatch::Zero, #rest)),
        _ => quote!((::coenzyme::__private::dispatch::One, #rest)),
    })
}

/// FNV-1a, folded so that the low digits hold all of it.
pub(crate) fn hash(text: &str) -> u64 {
    let step = |h: u64, byte: u8| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let h = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    h ^ h >> 32
}

/// The types of a method, in the form in which its rules are called.
pub(crate) struct Form {
    /// A tuple of `By<X>`, `Shared<X>`, `SharedSelf`, …
    pub(crate) parameters: TokenStream,
    /// `Gives<O>`, or `Nothing`.
    pub(crate) output: TokenStream,
    /// What is passed by value.
    values: Vec<Type>,
    /// What is returned.
    returned: Option<Type>,
}

impl Form {
    /// Of a method, or of a function of a type that takes something; `None` if it cannot be called in this form.
    pub(crate) fn of(function: &Function, own: &Generics) -> Option<Self> {
        let (params, generics) = (&function.params, &function.generics);
        let plain = |p: &Param| !p.constant && p.callable.is_none() && p.view.is_none();
        let more = generics.params.len() > own.params.len();
        if more || params.len() > MOST_PARAMETERS || !params.iter().all(plain) {
            return None;
        }
        if params.is_empty() {
            return None;
        }
        let parameters = params.iter().map(|p| {
            let ty = &p.ty;
            let is_receiver = p.name == RECEIVER;
            let form = match p.passing {
                Passing::Value if is_receiver => quote!(BySelf),
                Passing::Shared if is_receiver => quote!(SharedSelf),
                Passing::Exclusive if is_receiver => quote!(ExclusiveSelf),
                Passing::Value => quote!(By<#ty>),
                Passing::Shared => quote!(Shared<#ty>),
                Passing::Exclusive => quote!(Exclusive<#ty>),
            };
            quote!(::coenzyme::__private::dispatch::#form)
        });
        let values = params.iter().filter(|p| p.passing == Passing::Value);
        let output = &function.output;
        let returned = !matches!(output, Type::Tuple(t) if t.elems.is_empty());
        Some(Self {
            parameters: quote!((#(#parameters,)*)),
            output: match returned {
                true => quote!(::coenzyme::__private::dispatch::Gives<#output>),
                false => quote!(::coenzyme::__private::dispatch::Nothing),
            },
            values: values.map(|p| p.ty.clone()).collect(),
            returned: returned.then(|| output.clone()),
        })
    }

    /// The rule of a method of `of`, in this form: that of `rule`.
    pub(crate) fn rule(
        &self,
        (generics, of): (&Generics, &Type),
        marker: &TokenStream,
        (rule, method): (&Type, &Option<TokenStream>),
    ) -> TokenStream {
        let Self {
            parameters,
            output,
            values,
            returned,
        } = self;
        let mut generics = generics.clone();
        let predicates = &mut generics.make_where_clause().predicates;
        // bounds with a lifetime may be wrong
        let d = quote!(::coenzyme::__private::dispatch);
        for ty in values {
            predicates.push(syn::parse_quote!(for<'__a> #ty: #d::Valued<'__a>));
        }
        if let Some(ty) = returned {
            predicates.push(syn::parse_quote!(for<'__a> #ty: #d::Returnable<'__a>));
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let forward_return = quote!(<#output as #d::Returned>::Forward<__W>);
        let reverse_return = quote!(<#output as #d::Returned>::Reverse<__W>);
        let forward = quote!(<#parameters as #d::Parameters<#of>>::Forward<'__p, '__s, __W>);
        let reverse = quote!(<#parameters as #d::Parameters<#of>>::Reverse<'__p, '__s, __W>);
        let marked = quote!(<#rule as ::core::default::Default>::default());
        quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            impl #impl_generics #d::MethodRule<#of, #parameters, #output> for #marker #where_clause {
                fn method() -> &'static str {
                    ::core::any::type_name_of_val(&#method)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn forward<'__p, '__s, const __W: usize>(
                    config: &::coenzyme::ForwardConfig,
                    args: #d::ForwardRefs<'_, '__p, '__s, #of, #parameters, __W>,
                ) -> ::coenzyme::ForwardOutcome<#forward_return, __W>
                where
                    #of: '__p + '__s,
                {
                    <#rule as ::coenzyme::ForwardRule<#forward_return, #forward, __W>>::forward(&#marked, config, args)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn augmented<'__p, '__s, const __W: usize>(
                    config: &::coenzyme::ReverseConfig,
                    tape: &mut ::coenzyme::Tape,
                    args: #d::ReverseRefs<'_, '__p, '__s, #of, #parameters, __W>,
                ) -> ::coenzyme::AugmentedOutcome<#reverse_return, (), __W>
                where
                    #of: '__p + '__s,
                {
                    <#rule as ::coenzyme::ReverseRule<#reverse_return, #reverse, __W>>::augmented_onto(&#marked, config, tape, args)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn reverse<'__p, '__s, const __W: usize>(
                    config: &::coenzyme::ReverseConfig,
                    dret: #d::CotangentOf<#output, __W>,
                    tape: &mut ::coenzyme::Tape,
                    args: #d::ReverseRefs<'_, '__p, '__s, #of, #parameters, __W>,
                ) -> #d::Gradients<'__p, '__s, #of, #parameters, __W>
                where
                    #of: '__p + '__s,
                {
                    <#rule as ::coenzyme::ReverseRule<#reverse_return, #reverse, __W>>::reverse_from(&#marked, config, dret, tape, args)
                }
            }
        }
    }
}

/// A method as a function that is told of which type it is, since no argument of a rule for all types tells: its parameters and
/// `PhantomData<fn() -> T>`. Gives the function with what makes it one, and the type of its rule.
pub(crate) fn told(function: &Function, name: Ident, of: &[Type]) -> (Function, TokenStream, Type) {
    let ty: Type = syn::parse_quote!(::core::marker::PhantomData<fn() -> (#(#of,)*)>);
    let last = format_ident!("of", span = Span::mixed_site());
    let told = with_last(function, name, &last, ty.clone());
    let inputs = inputs(function);
    let idents: Vec<Ident> = (0..inputs.len()).map(|i| format_ident!("a{i}")).collect();
    let (output, name) = (&told.output, &told.name);
    let (impl_generics, _, where_clause) = told.generics.split_for_impl();
    let call = function.call(idents.iter().map(ToTokens::to_token_stream));
    let marker = told.marker();
    let item = quote! {
        #[doc(hidden)]
        #[allow(non_snake_case, clippy::too_many_arguments)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn #name #impl_generics (#(#idents: #inputs,)* _: #ty) -> #output #where_clause {
            #call
        }
        #marker
    };
    let rule = syn::parse_quote!(::coenzyme::__private::dispatch::Given<#name, #ty>);
    (told, item, rule)
}

/// The types that tell the parameters of a block: its own, and `[(); N]` for a constant that only the trait names.
pub(crate) fn tells(block: &ItemImpl) -> Vec<Type> {
    let of_the_type = crate::methods::of_the_type(block);
    let is_open = |param: &&ConstParam| {
        let mut told = of_the_type.const_params();
        is_length(param) && told.all(|told| told.ident != param.ident)
    };
    let open = block.generics.const_params().filter(is_open);
    let open = open.map(|param| &param.ident);
    let open = open.map(|name| syn::parse_quote!([(); #name]));
    [(*block.self_ty).clone()].into_iter().chain(open).collect()
}

/// The types of a function's parameters, as they are written.
pub(crate) fn inputs(function: &Function) -> Vec<Type> {
    let inputs = function.params.iter().map(|p| {
        let ty = &p.ty;
        match p.passing {
            Passing::Value => ty.clone(),
            Passing::Shared => syn::parse_quote!(&#ty),
            Passing::Exclusive => syn::parse_quote!(&mut #ty),
        }
    });
    inputs.collect()
}

/// A function with one parameter more, which tells its type parameters.
pub(crate) fn with_last(function: &Function, name: Ident, last: &Ident, ty: Type) -> Function {
    let mut function = function.clone();
    function.path = None;
    function.name = name;
    function.tied = false;
    function.params.push(Param {
        name: last.clone(),
        pattern: None,
        passing: Passing::Value,
        ty,
        mutable: false,
        constant: true,
        callable: None,
        view: None,
    });
    function.own_args = function.generic_args();
    function
}

/// Whether an implementation says which methods it has: one of a trait, for a type of the user's, or of a trait that says how a stranger's type does.
pub(crate) fn has_table(block: &ItemImpl) -> bool {
    let is_operator = Operator::of(block).is_some() || operator::is_compound(block);
    let is_open = crate::several::leaves_open(block);
    let is_sayable = || !foreign::is_foreign(&block.self_ty) || here::path(block).is_some();
    key_of(block).is_some() && !is_operator && !is_open && is_sayable()
}

/// The key of the trait that a block implements.
fn key_of(block: &ItemImpl) -> Option<TokenStream> {
    let (path, _) = block.trait_.as_ref()?;
    match is_of_stranger(path) {
        true => None,
        false => trait_key(path, &block.generics),
    }
}

/// Whether a trait is written as one of a crate whose traits have no rules: `rand::distr::Distribution`, beside which a type may implement
/// another trait of that name.
fn is_of_stranger(path: &Path) -> bool {
    const CRATES: &[&str] = &[
        "alloc",
        "approx",
        "core",
        "nalgebra",
        "ndarray",
        "num_traits",
        "rand",
        "rand_distr",
        "serde",
        "simba",
        "std",
    ];
    let first = path.segments.first().filter(|_| path.segments.len() > 1);
    first.is_some_and(|first| CRATES.iter().any(|name| first.ident == name))
}

fn methods(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(method),
        _ => None,
    })
}

/// The rules of `#[inactive]` methods in the form, where they are known to have them: those of numbers.
pub(crate) fn inactive(block: &ItemImpl, markers: &mut Vec<(Ident, Ident)>) -> TokenStream {
    let is_inactive = |method: &&ImplItemFn| {
        let names = method.attrs.iter().map(|a| a.path().segments.last());
        names.flatten().any(|name| name.ident == "inactive")
    };
    let rules = methods(block).filter(is_inactive).filter_map(|method| {
        let (mut written, read) = (method.clone(), crate::differentiable::read_views);
        let (function, _) =
            crate::methods::as_function(block, &mut written, read, &mut Errors::default())?;
        let form = Form::of(&function, &block.generics)?;
        if !for_all::exists(&block.generics, &function.generics) {
            return None;
        }
        let mut values = form.values.iter().chain(&form.returned);
        let of_numbers = values.all(|ty| is_number(ty) || has_no_derivative(ty));
        if !of_numbers || function.params[0].passing == Passing::Value {
            return None;
        }
        let marker = &function.name;
        markers.push((method.sig.ident.clone(), marker.clone()));
        let of = (&block.generics, &*block.self_ty);
        let rule = syn::parse_quote!(#marker);
        Some(form.rule(of, &quote!(#marker), (&rule, &function.path)))
    });
    rules.collect()
}

/// `usize`, `bool`.
fn has_no_derivative(ty: &Type) -> bool {
    const NAMES: &[&str] = &[
        "bool", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32", "u64", "u8",
        "usize",
    ];
    matches!(ty, Type::Path(path) if NAMES.iter().any(|name| path.path.is_ident(name)))
}

/// The table of an implementation: its methods, and the markers of those that have rules in the form for all that the block is for. Of another
/// (refused, `#[skip]`ped, without derivative and of values of any type) a call through the trait is an error.
pub(crate) fn table(block: &ItemImpl, markers: &[(Ident, Ident)]) -> Option<TokenStream> {
    let key = key_of(block)?;
    let table = methods(block).fold(quote!(()), |rest, method| {
        let method = &method.sig.ident;
        let name = name_type(method);
        let marker = markers.iter().find(|(name, _)| name == method);
        let marker = match marker {
            Some((_, marker)) => marker.to_token_stream(),
            None => quote!(::coenzyme::__private::dispatch::Skipped),
        };
        quote!(::coenzyme::__private::dispatch::Entry<#name, #marker, #rest>)
    });
    let mut generics = block.generics.clone();
    let of_trait = match foreign::is_foreign(&block.self_ty) {
        true => here::path(block)?,
        false => {
            generics.params.push(syn::parse_quote!(__Here));
            quote!(__Here)
        }
    };
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let of = &block.self_ty;
    Some(quote! {
        #[doc(hidden)]
        impl #impl_generics ::coenzyme::__private::dispatch::Methods<#key, #of_trait> for #of #where_clause {
            type Table = #table;
        }
    })
}
