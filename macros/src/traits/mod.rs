//! Attributes on traits: a method of the trait has rules where all that is known of a type is that it implements the trait.
//!
//! ```text
//! #[differentiable]
//! trait Kernel { fn eval(&self, r: f64) -> f64; fn twice(&self, r: f64) -> f64 { 2.0 * self.eval(r) } }
//!
//! // expands to
//! trait Kernel: MethodOf<KERNEL, EVAL, (SharedSelf, By<f64>), Gives<f64>, WithoutRules> + MethodOf<…, Kernel_twice__default> {
//!     …
//!     fn rule_of_eval(&self) -> Given<Kernel_eval__with, Kernel_eval__dispatched<Self>> where Self: Sized { Given::default() }
//! }
//! // what an implementation says of its method, as a rule for arguments in one form
//! struct Kernel_eval__dispatched<K>(PhantomData<fn() -> K>);
//! // the rule for all activities, told what to call
//! fn Kernel_eval__with<K: Kernel>(k: &K, r: f64, rule: impl Fn(&K, f64) -> f64) -> f64 { rule(k, r) }
//! ```

mod marker;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::{
    FnArg, GenericParam, Generics, Ident, ItemImpl, ItemTrait, TraitItem, TraitItemFn, Type,
};

use crate::differentiable::expand::own_calls;
use crate::differentiable::front::numbers;
use crate::dispatch::{
    Form, inputs, is_length, name_type, same_digits, told, trait_key, with_last,
};
use crate::errors::Errors;
use crate::located;
use crate::methods::{as_function, replaced};
use crate::signature::{Callable, Function, RECEIVER};

/// Expands a trait; `rules` gives what follows a function's marker.
pub(crate) fn expand(
    mut item: ItemTrait,
    rules: impl Fn(&Function, &syn::Block, &mut Errors) -> TokenStream,
) -> TokenStream {
    let name = &item.ident;
    let here = declared_here(&item);
    let Some(block) = any_type(&item) else {
        let mut errors = Errors::default();
        errors.at(&item.generics, "the parameters of a `#[differentiable]` trait are types and `usize` constants without defaults: write `#[differentiable]` before the implementations of another, and call their methods on the types themselves");
        let errors = errors.into_tokens();
        return quote!(#item #here #errors);
    };
    let names = item.items.iter().filter_map(|item| match item {
        TraitItem::Fn(method) => Some(&method.sig.ident),
        _ => None,
    });
    if let Some(method) = same_digits(names) {
        let mut errors = Errors::default();
        errors.at(method, "this name and that of another method of the trait have the same hash, by which methods are told apart: give it another name");
        let errors = errors.into_tokens();
        return quote!(#item #here #errors);
    }
    let is_value = item.supertraits.iter().any(is_value);
    let mut out = TokenStream::new();
    let mut finders: Vec<TraitItem> = Vec::new();
    let mut bounds: Vec<syn::TypeParamBound> = Vec::new();
    for method in &mut item.items {
        let TraitItem::Fn(method) = method else {
            continue;
        };
        if method.attrs.iter().any(|a| a.path().is_ident("skip")) {
            method.attrs.retain(|a| !a.path().is_ident("skip"));
            continue;
        }
        let inactive = crate::methods::take_inactive(&mut method.attrs);
        if method.sig.receiver().is_none() && !crate::told::signature_is_of_numbers(&method.sig) {
            strip(method);
            continue;
        }
        let Some(dispatched) = Dispatched::of(&block, &item.vis, (name, is_value), method) else {
            if method.sig.receiver().is_some() {
                let (stub, finder) = without_rules(&item.vis, name, method);
                out.extend(located::at(&method.sig.ident, stub));
                finders.push(located::node(&method.sig.ident, &finder));
            }
            strip(method);
            continue;
        };
        let mut errors = Errors::default();
        let at = &method.sig.ident;
        bounds.push(located::node(at, &dispatched.supertrait()));
        finders.push(located::node(at, &dispatched.finder()));
        out.extend(located::at(at, dispatched.marker()));
        out.extend(located::at(at, dispatched.with(&rules, &mut errors)));
        if let Some(body) = &dispatched.body {
            let default = match inactive {
                true => dispatched.default(body, &|f, _, _| crate::inactive::rules(f), &mut errors),
                false => dispatched.default(body, &rules, &mut errors),
            };
            out.extend(located::at(at, default));
        }
        out.extend(errors.into_tokens());
        strip(method);
    }
    item.items.extend(finders);
    item.supertraits.extend(bounds);
    if !item.supertraits.is_empty() {
        item.colon_token.get_or_insert_default();
    }
    quote!(#item #here #out)
}

/// The type by which implementations for types of other crates are this crate's, see [`crate::files::here`].
fn declared_here(item: &ItemTrait) -> TokenStream {
    let (name, vis) = (crate::files::here::name(&item.ident), &item.vis);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Debug)]
        #vis struct #name;
    }
}

/// `Value` as a supertrait.
fn is_value(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|s| s.ident == "Value")
        }
        _ => false,
    }
}

/// The marker of a method that is not dispatched, so that a call of it is one error.
fn without_rules(
    vis: &syn::Visibility,
    trait_name: &Ident,
    method: &TraitItemFn,
) -> (TokenStream, TraitItem) {
    let marker = format_ident!("{trait_name}_{}", method.sig.ident);
    let finder = format_ident!("rule_of_{}", method.sig.ident);
    let stub = quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        #vis struct #marker {}
        #[doc(hidden)]
        impl ::coenzyme::__private::Marker for #marker {}
    };
    let finder = syn::parse_quote! {
        #[doc(hidden)]
        fn #finder(&self) -> #marker
        where
            Self: ::core::marker::Sized,
        {
            #marker {}
        }
    };
    (stub, finder)
}

/// `impl<T, __K: Kernel<T>> Kernel<T> for __K {}`: the methods of whatever type has the trait.
fn any_type(item: &ItemTrait) -> Option<ItemImpl> {
    let mut generics = item.generics.clone();
    let names = generics.params.iter().map(|param| match param {
        GenericParam::Type(param) if param.default.is_none() => Some(param.ident.clone()),
        GenericParam::Const(param) if param.default.is_none() && is_length(param) => {
            Some(param.ident.clone())
        }
        _ => None,
    });
    let names = names.collect::<Option<Vec<_>>>()?;
    let name = &item.ident;
    let path: syn::Path = match names.is_empty() {
        true => syn::parse_quote!(#name),
        false => syn::parse_quote!(#name<#(#names),*>),
    };
    generics.params.push(syn::parse_quote!(__K: #path));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    Some(syn::parse_quote!(impl #impl_generics #path for __K #where_clause {}))
}

fn name_of(param: &GenericParam) -> Option<&Ident> {
    match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// Takes off a method what only this macro knows.
fn strip(method: &mut TraitItemFn) {
    for arg in &mut method.sig.inputs {
        if let FnArg::Typed(arg) = arg {
            arg.attrs.retain(|a| !a.path().is_ident("constant"));
        }
    }
    if let Some(body) = &mut method.default {
        crate::differentiable::strip(body);
    }
}

/// A method of a trait that has rules in the form in which they are dispatched.
struct Dispatched<'a> {
    /// The methods of whatever type has the trait, and is a value where this method asks for one.
    block: ItemImpl,
    trait_name: &'a Ident,
    /// The method as a function of a type `__K`.
    function: Function,
    body: Option<syn::Block>,
    name: Ident,
    form: Form,
}

impl<'a> Dispatched<'a> {
    fn of(
        block: &ItemImpl,
        vis: &syn::Visibility,
        (trait_name, is_value): (&'a Ident, bool),
        method: &TraitItemFn,
    ) -> Option<Self> {
        let empty = syn::parse_quote!({});
        let mut written = syn::ImplItemFn {
            attrs: Vec::new(),
            vis: vis.clone(),
            modifiers: syn::FnModifiers::default(),
            sig: method.sig.clone(),
            block: method.default.clone().unwrap_or(empty),
        };
        let of_trait = syn::parse_quote!(#trait_name);
        own_calls::written_out(&method.sig, Some(&of_trait), &mut written.block);
        let mut errors = Errors::default();
        let gives_itself = names(method.sig.output.to_token_stream(), "Self");
        let block = match gives_itself || !is_value && passes_values(&method.sig) {
            // a body would ask of the type what only a rule for one width can say
            true if method.default.is_some() => return None,
            true => of_values(block),
            false => block.clone(),
        };
        let (mut function, body) = as_function(
            &block,
            &mut written,
            crate::differentiable::read_views,
            &mut errors,
        )?;
        let form = Form::of(&function, &block.generics)?;
        // a bound of the trait cannot name what the trait declares, nor itself, `&dyn Kernel`; nor the type, if `dyn Kernel` is to remain one
        let (trait_, is_dyn) = (trait_name.to_string(), asks_size(&method.sig));
        let unknown = |ty: &Type| {
            let tokens = ty.to_token_stream();
            let names_self = names(tokens.clone(), "__K");
            names_self && (is_dyn || names_declared(ty)) || names(tokens, &trait_)
        };
        let mut params = function.params.iter().filter(|p| p.name != RECEIVER);
        if !errors.is_empty() || unknown(&function.output) || params.any(|p| unknown(&p.ty)) {
            return None;
        }
        // a bound that the trait has not would be asked of all implementations
        let mut bounded = block.generics.clone();
        numbers::bound(&mut bounded);
        function.bound_inside_of(&mut bounded);
        if !crate::for_all::exists(&block.generics, &bounded) {
            return None;
        }
        function.vis = vis.clone();
        Some(Self {
            block,
            trait_name,
            function,
            body: method.default.is_some().then_some(body),
            name: method.sig.ident.clone(),
            form,
        })
    }

    fn has_receiver(&self) -> bool {
        let params = &self.function.params;
        params.first().is_some_and(|first| first.name == RECEIVER)
    }

    fn named(&self, what: &str) -> Ident {
        format_ident!("{}_{}__{what}", self.trait_name, self.name)
    }

    /// The trait, with its parameters.
    fn path(&self) -> &syn::Path {
        let (path, _) = self.block.trait_.as_ref().expect("an implementation of it");
        path
    }

    /// The parameters of the trait: `T`, `N`.
    fn parameters(&self) -> Vec<&Ident> {
        let names = self.block.generics.params.iter().filter_map(name_of);
        names.filter(|name| *name != "__K").collect()
    }

    /// As they are declared: `T`, `const N: usize`.
    fn declared(&self) -> Vec<TokenStream> {
        let params = self.block.generics.params.iter();
        let params = params.filter_map(|param| match param {
            GenericParam::Type(param) if param.ident != "__K" => {
                Some(param.ident.to_token_stream())
            }
            GenericParam::Const(param) => Some(param.to_token_stream()),
            _ => None,
        });
        params.collect()
    }

    /// As types: `T`, `[(); N]`.
    fn as_types(&self) -> Vec<Type> {
        let constants: Vec<&Ident> = self
            .block
            .generics
            .const_params()
            .map(|p| &p.ident)
            .collect();
        let parameters = self.parameters().into_iter();
        let types = parameters.map(|name| match constants.contains(&name) {
            true => syn::parse_quote!([(); #name]),
            false => syn::parse_quote!(#name),
        });
        types.collect()
    }

    /// The generics of a rule: the lifetimes of its arguments, and the trait's.
    fn generics(&self, lifetimes: &[syn::Lifetime]) -> Generics {
        let mut generics = self.block.generics.clone();
        for lifetime in lifetimes.iter().rev() {
            generics.params.insert(0, syn::parse_quote!(#lifetime));
        }
        generics
    }

    /// The bound of the trait, in which `__K` is `Self`.
    fn supertrait(&self) -> syn::TypeParamBound {
        let bound = self.bound().into_token_stream();
        let bound = replaced(bound, "__K", &quote!(Self));
        syn::parse_quote!(#bound)
    }

    /// `MethodOf<KERNEL, EVAL, (SharedSelf, By<f64>), Gives<f64>, Kernel_eval__default>`.
    fn bound(&self) -> syn::TypeParamBound {
        let key = trait_key(self.path(), &self.block.generics).expect("parameters follow its name");
        let names = self.parameters();
        let name = name_type(&self.name);
        let Form {
            parameters, output, ..
        } = &self.form;
        let default = match &self.body {
            Some(_) => {
                let default = self.named("default");
                quote!(#default<#(#names),*>)
            }
            None => quote!(::coenzyme::__private::dispatch::WithoutRules),
        };
        let here = crate::files::here::name(self.trait_name);
        syn::parse_quote!(::coenzyme::__private::dispatch::MethodOf<#key, #name, #parameters, #output, #default, #here>)
    }

    /// The method, or the function, by which differentiated code finds the rules.
    fn finder(&self) -> TraitItem {
        let (finder, receiver) = match self.has_receiver() {
            true => (format_ident!("rule_of_{}", self.name), quote!(&self)),
            false => (crate::associated::finder_name(&self.name), quote!()),
        };
        let (with, dispatched) = (self.named("with"), self.named("dispatched"));
        let names = self.parameters();
        syn::parse_quote! {
            #[doc(hidden)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn #finder(#receiver) -> ::coenzyme::__private::dispatch::Given<#with, #dispatched<Self, #(#names),*>>
            where
                Self: ::core::marker::Sized,
            {
                ::coenzyme::__private::dispatch::Given::default()
            }
        }
    }

    /// How the method is called, where it is a parameter.
    fn callable(&self) -> Callable {
        Callable {
            inputs: inputs(&self.function),
            output: self.function.output.clone(),
            lend: TokenStream::new(),
            pointer: false,
            hidden: true,
        }
    }

    /// The rules for all activities: those of a function that is told what to call.
    fn with(
        &self,
        rules: &impl Fn(&Function, &syn::Block, &mut Errors) -> TokenStream,
        errors: &mut Errors,
    ) -> TokenStream {
        let dispatched = self.named("dispatched");
        let rule = format_ident!("rule", span = Span::mixed_site());
        let names = self.parameters();
        let ty = syn::parse_quote!(#dispatched<__K, #(#names),*>);
        let mut function = with_last(&self.function, self.named("with"), &rule, ty);
        // not a method: `self` would be another thing
        if self.has_receiver() {
            function.params[0].name = format_ident!("this");
        }
        let args = function.params.iter().map(|p| p.name.clone());
        let args: Vec<Ident> = args.take(self.function.params.len()).collect();
        let call = match self.callable().output {
            Type::Tuple(unit) if unit.elems.is_empty() => {
                syn::parse_quote!({ #rule(#(#args),*); })
            }
            _ => syn::parse_quote!({ #rule(#(#args),*) }),
        };
        function.params.last_mut().expect("the rule").callable = Some(self.callable());
        let inputs = self.callable().inputs;
        let (generics, _, where_clause) = self.block.generics.split_for_impl();
        let (output, name) = (function.output.clone(), function.name.clone());
        // the body is that of this signature
        function.written = syn::parse_quote! {
            fn #name #generics (#(#args: #inputs,)* #rule: impl ::core::ops::Fn(#(#inputs),*) -> #output) -> #output #where_clause
        };
        let marker = function.marker();
        let rules = rules(&function, &call, errors);
        let idents: Vec<Ident> = (0..inputs.len()).map(|i| format_ident!("a{i}")).collect();
        quote! {
            #[doc(hidden)]
            #[allow(non_snake_case)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn #name #generics (#(#idents: #inputs,)* f: impl ::core::ops::Fn(#(#inputs),*) -> #output) -> #output #where_clause {
                f(#(#idents),*)
            }
            #marker
            #rules
        }
    }

    /// The rules of the body in the trait.
    fn default(
        &self,
        body: &syn::Block,
        rules: &impl Fn(&Function, &syn::Block, &mut Errors) -> TokenStream,
        errors: &mut Errors,
    ) -> TokenStream {
        let of: Type = syn::parse_quote!(__K);
        let (names, declared, own) = (self.parameters(), self.declared(), self.as_types());
        let mut types = vec![of.clone()];
        types.extend(own.iter().cloned());
        let (function, item, rule) = told(&self.function, self.named("body"), &types);
        let rules = rules(&function, body, errors);
        let (vis, default) = (&self.function.vis, self.named("default"));
        let marker = quote!(#default<#(#names),*>);
        let rule = (&rule, &self.function.path);
        let rule = (self.form).rule((&self.block.generics, &of), &marker, rule);
        quote! {
            #item
            #rules
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #vis struct #default<#(#declared),*>(::core::marker::PhantomData<(#(#own,)*)>);
            #rule
        }
    }
}

/// The other attributes do not stand on a trait.
pub(crate) fn refused(item: &ItemTrait) -> TokenStream {
    let message = "this attribute stands on a function or on an `impl` block; a trait's methods are found by `#[differentiable]`";
    let error = syn::Error::new_spanned(&item.ident, message).to_compile_error();
    quote!(#item #error)
}

/// Whether a method takes or gives values of the type: `fn lerp(self, other: Self, t: f64) -> Self`.
fn passes_values(signature: &syn::Signature) -> bool {
    let by_value = |input: &FnArg| match input {
        FnArg::Receiver(receiver) => matches!(receiver.kind, syn::ReceiverKind::Value),
        FnArg::Typed(input) => names(input.ty.to_token_stream(), "Self"),
    };
    signature.inputs.iter().any(by_value)
}

/// `where Self: Sized`
fn asks_size(signature: &syn::Signature) -> bool {
    let clause = signature.generics.where_clause.to_token_stream();
    names(clause, "Self")
}

/// Rules of values: `impl<__K: Kernel> Kernel for __K where __K: Value {}`.
fn of_values(block: &ItemImpl) -> ItemImpl {
    let mut block = block.clone();
    let clause = block.generics.make_where_clause();
    let predicate = syn::parse_quote!(__K: ::coenzyme::Value);
    clause.predicates.push(predicate);
    block
}

/// Whether a type is, or has in it, what the trait declares: `__K::Output`.
fn names_declared(ty: &Type) -> bool {
    struct Declared(bool);
    impl<'ast> Visit<'ast> for Declared {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.0 |= path.segments.len() > 1 && path.segments[0].ident == "__K";
            visit::visit_path(self, path);
        }
        fn visit_qself(&mut self, _: &'ast syn::QSelf) {
            self.0 = true;
        }
    }
    let mut declared = Declared(false);
    declared.visit_type(ty);
    declared.0
}

/// Whether tokens name a type.
fn names(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}
