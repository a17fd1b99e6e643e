//! The model of a function signature that all attribute macros share.

mod converted;
mod copied;
mod given_names;
mod implied;
mod lifetimes;
mod plain;
mod private_types;
mod told;
mod ungrouped;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{
    FnArg, Generics, Ident, Pat, PathArguments, ReturnType, Signature, Type, TypeParamBound,
    Visibility,
};

use crate::differentiable::front::{constant, numbers};
use crate::errors::Errors;
use crate::files::own_file::{self, Exported};
pub(crate) use converted::{Converted, converted, write_out};
pub(crate) use copied::{Copied, gives_back};
use given_names::{NameLifetimes, NameTypes};
pub(crate) use lifetimes::{forever, is_borrowed, lent};
pub(crate) use told::untold;
use ungrouped::Ungroup;
pub(crate) use ungrouped::ungroup_head;

/// What `self` is called as a parameter of the rules.
pub(crate) const RECEIVER: &str = "__self";

/// As many arguments as a call can have: `Args` is implemented for tuples of these sizes.
const MOST_PARAMETERS: usize = 26;

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// By value: `x: T`.
    Value,
    /// By shared reference: `x: &T`.
    Shared,
    /// By exclusive reference: `x: &mut T`.
    Exclusive,
}

/// One parameter.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    /// Its name; [`RECEIVER`] for `self`, `argN` for a pattern.
    pub(crate) name: Ident,
    /// The pattern, if it is not just a name.
    pub(crate) pattern: Option<Pat>,
    /// How it is passed.
    pub(crate) passing: Passing,
    /// The type behind the reference, or the type itself.
    pub(crate) ty: Type,
    /// `mut x: T`.
    pub(crate) mutable: bool,
    /// Declared `#[constant]`: never active.
    pub(crate) constant: bool,
    /// It is called: then its type is that of a marker.
    pub(crate) callable: Option<Callable>,
    /// The function itself takes a view of the array that this refers to: with these tokens in front.
    pub(crate) view: Option<TokenStream>,
}

/// How a parameter is called: `Fn(A, B) -> C`.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    pub(crate) inputs: Vec<Type>,
    pub(crate) output: Type,
    /// What stands in front of the closure that the function itself is given: `&` for `&dyn Fn(A) -> B`.
    pub(crate) lend: TokenStream,
    /// A function pointer: what is called captures nothing.
    pub(crate) pointer: bool,
    /// Its type has no name in the signature: `impl Fn(A) -> B`.
    pub(crate) hidden: bool,
}

impl Callable {
    /// What the function itself is given to call: a closure around a marker.
    fn closure(&self, marker: &Ident, ty: &Type) -> TokenStream {
        let Self { inputs, lend, .. } = self;
        let names = (0..inputs.len()).map(|i| format_ident!("v{i}", span = Span::mixed_site()));
        let names: Vec<Ident> = names.collect();
        let marker = match self.pointer {
            true => quote!(<#ty as ::core::default::Default>::default()),
            false => quote!(#marker),
        };
        quote!(#lend |#(#names: #inputs),*| ::coenzyme::Function::call(&#marker, (#(#names,)*)))
    }
}

/// A function as the macros see it.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) params: Vec<Param>,
    /// `()` if there is none.
    pub(crate) output: Type,
    /// How the primal is called, if not by its name: `<Spring>::energy`.
    pub(crate) path: Option<TokenStream>,
    /// The generic arguments that the call takes: those of a method, without those of its `impl` block.
    pub(crate) own_args: Vec<TokenStream>,
    /// The signature as it was written, of a method with its receiver as a parameter `self_`.
    pub(crate) written: Signature,
    /// The type parameters that the signature does not name: `impl Trait`.
    unnamed: Vec<Ident>,
    /// Whether what tells the type parameters are the arguments' types.
    pub(crate) tied: bool,
    /// Whether its rules are made from its body, which may keep values.
    pub(crate) from_body: bool,
    /// What makes a value of the reference that it returns: `.to_vec()`.
    pub(crate) copy: Option<TokenStream>,
}

impl Function {
    /// Reads a free function's signature; parameters lose their `#[constant]` attributes.
    pub(crate) fn parse(vis: &Visibility, sig: &mut Signature, errors: &mut Errors) -> Self {
        Ungroup.visit_signature_mut(sig);
        let written = sig.clone();
        if let Some(token) = &sig.asyncness {
            errors.at(token, "a differentiated function cannot be `async`: differentiate the computation inside it");
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            errors.at(token, "a differentiated function cannot be `unsafe`: wrap it in a safe function that states the contract");
        }
        if let Some(token) = &sig.variadic {
            errors.at(token, "C variadics have no derivative: take a slice");
        }
        let mut params: Vec<Param> = sig
            .inputs
            .iter_mut()
            .enumerate()
            .map(|(i, arg)| Param::parse(i, arg, errors))
            .collect();
        if params.len() > MOST_PARAMETERS {
            errors.at(
                &sig.ident,
                format!("a function that is differentiated has at most {MOST_PARAMETERS} parameters, and this one {}: put some into a struct with `#[derive(Tangent)]`, or into a slice", params.len()),
            );
        }
        told::refuse_untold(&sig.generics, &params, errors);
        let mut generics = sig.generics.clone();
        NameLifetimes(&mut generics).visit(&mut params);
        let mut name = NameTypes::default();
        params
            .iter_mut()
            .for_each(|p| name.visit_type_mut(&mut p.ty));
        let unnamed = name.0.iter().map(|p| p.ident.clone()).collect();
        generics
            .params
            .extend(name.0.into_iter().map(syn::GenericParam::Type));
        let mut output = match &sig.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        if let Some(reference) = lent(&output, sig) {
            errors.at(
                reference,
                "a differentiated function cannot return a reference: return a value, or write into an argument",
            );
        }
        if let Type::ImplTrait(hidden) = &output {
            errors.at(
                hidden,
                "rules name the type of what a function returns: write it, and return a `Vec` in place of an iterator",
            );
        }
        lifetimes::drop_untold(&mut generics, &params, &mut output);
        implied::write(&mut generics, &params);
        let mut function = Self {
            vis: vis.clone(),
            name: sig.ident.clone(),
            generics,
            params,
            output,
            path: None,
            own_args: Vec::new(),
            written,
            unnamed,
            tied: true,
            from_body: false,
            copy: None,
        };
        function.own_args = function.generic_args();
        function
    }

    /// Adds to the rules what `#[derive(Tangent)]` asks of the type parameters inside of the types of the signature.
    pub(crate) fn bound_inside(&mut self) {
        let mut generics = std::mem::take(&mut self.generics);
        self.bound_inside_of(&mut generics);
        self.generics = generics;
    }

    /// The same for generics of which these are a part.
    pub(crate) fn bound_inside_of(&self, generics: &mut Generics) {
        let active = self.params.iter().filter(|p| !p.constant);
        let (values, lent): (Vec<_>, Vec<_>) = active.partition(|p| p.passing == Passing::Value);
        let values = values.into_iter().map(|p| &p.ty).chain([&self.output]);
        numbers::bound_inside(generics, values, lent.into_iter().map(|p| &p.ty));
    }

    /// The type parameters and constants as they stand in a call path: `T, N`.
    pub(crate) fn generic_args(&self) -> Vec<TokenStream> {
        let called = |name: &Ident| {
            let of = |p: &&Param| matches!(&p.ty, Type::Path(path) if path.path.is_ident(name));
            self.params
                .iter()
                .find(of)
                .and_then(|p| p.callable.as_ref())
        };
        let types = self.generics.params.iter().filter_map(|p| match p {
            // what is called is a closure around the marker
            syn::GenericParam::Type(t) if self.unnamed.contains(&t.ident) => None,
            syn::GenericParam::Type(t) => match called(&t.ident) {
                Some(callable) => (!callable.hidden).then(|| quote!(_)),
                None => Some(t.ident.to_token_stream()),
            },
            syn::GenericParam::Const(c) => Some(c.ident.to_token_stream()),
            syn::GenericParam::Lifetime(_) => None,
        });
        types.collect()
    }

    /// The bound that ties the type parameters which a parameter's type names to an argument that holds it.
    pub(crate) fn tied(&self, param: &Param) -> Option<TokenStream> {
        let ty = &param.ty;
        let generators = || constant::generators(&self.generics);
        if param.constant && constant::is_one_of(&generators(), ty) {
            // it has no tangent space, as memory has
            return Some(quote!(::core::ops::Deref<Target = #ty>));
        }
        if !self.tied || !self.names_generics(ty) {
            return None;
        }
        match ty {
            // nor need what is constant have one
            Type::Array(_) if param.constant => Some(quote!(::core::ops::Deref<Target = #ty>)),
            _ => tied(ty),
        }
    }

    /// Whether a type names a type or const parameter of the function.
    pub(crate) fn names_generics(&self, ty: &Type) -> bool {
        self.names_generics_in(ty)
    }

    /// The same of what is written in another place: a path.
    pub(crate) fn names_generics_in(&self, written: &impl ToTokens) -> bool {
        let mut named = Vec::new();
        names(written.to_token_stream(), &mut named);
        let generics = self.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some(&t.ident),
            syn::GenericParam::Const(c) => Some(&c.ident),
            syn::GenericParam::Lifetime(_) => None,
        });
        generics.into_iter().any(|g| named.contains(g))
    }

    /// Whether the function returns a type parameter, of which only bounds tell that it may be returned.
    pub(crate) fn returns_parameter(&self) -> bool {
        match &self.output {
            Type::Path(path) => self
                .generics
                .type_params()
                .any(|t| path.path.is_ident(&t.ident)),
            _ => false,
        }
    }

    /// A call of the function: `f::<T>(x, y)`.
    pub(crate) fn call(&self, args: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let name = self
            .path
            .clone()
            .unwrap_or_else(|| self.name.to_token_stream());
        let (generic, args) = (&self.own_args, args.into_iter());
        if generic.is_empty() {
            quote!(#name(#(#args),*))
        } else {
            quote!(#name::<#(#generic),*>(#(#args),*))
        }
    }

    /// The marker, and what every marked function has: the call of its primal.
    pub(crate) fn marker(&self) -> TokenStream {
        let (stub, call, order) = (self.stub(), self.primal(), self.of_any_order());
        let one = self.of_one_type();
        quote!(#stub #call #order #one)
    }

    /// What says that the function has one type, whatever it is called with: no parameters, and lifetimes that only its arguments tell.
    fn of_one_type(&self) -> Option<TokenStream> {
        let (signature, name) = (&self.written, &self.name);
        let free = |param: &syn::GenericParam| matches!(param, syn::GenericParam::Lifetime(of) if of.bounds.is_empty());
        let is_one = self.path.is_none()
            && signature.generics.params.iter().all(free)
            && signature.generics.where_clause.is_none()
            && !hides_types(signature);
        is_one.then(|| quote!(impl ::coenzyme::__private::callee::OneType for #name {}))
    }

    /// What says that the rules hold for numbers of any order: they name no float type.
    fn of_any_order(&self) -> Option<TokenStream> {
        let mut named = Vec::new();
        names(self.written.to_token_stream(), &mut named);
        let name = &self.name;
        (!named.iter().any(|n| n == "f64" || n == "f32"))
            .then(|| quote!(impl ::coenzyme::__private::AnyOrder for #name { type Marker = Self; const MARKER: Self = Self {}; }))
    }

    /// The call of the primal by its marker.
    ///
    /// ```text
    /// impl<P0: HoldsMut<[f64]>, P1: Holds<[f64]>> Function<(P0, P1)> for f { … }
    /// ```
    pub(crate) fn primal(&self) -> TokenStream {
        self.primal_with(None)
    }

    /// The same with a first argument of one type.
    fn primal_of(&self, first: &Type) -> TokenStream {
        self.primal_with(Some(first))
    }

    fn primal_with(&self, first: Option<&Type>) -> TokenStream {
        let Self {
            name,
            output,
            params,
            ..
        } = self;
        let idents: Vec<Ident> = (0..params.len())
            .map(|i| format_ident!("p{i}", span = Span::mixed_site()))
            .collect();
        let types: Vec<Ident> = (0..params.len()).map(|i| format_ident!("__P{i}")).collect();
        let mut generics = self.generics.clone();
        let mut primals = Vec::new();
        let mut patterns = Vec::new();
        let mut call = Vec::new();
        for ((param, ident), ty) in params.iter().zip(&idents).zip(&types) {
            let inner = &param.ty;
            let bound = match param.passing {
                Passing::Value => {
                    primals.push(inner.to_token_stream());
                    patterns.push(quote!(#ident));
                    call.push(match &param.callable {
                        None => quote!(#ident),
                        Some(callable) => callable.closure(ident, inner),
                    });
                    continue;
                }
                Passing::Shared => {
                    patterns.push(quote!(#ident));
                    let memory = quote!(::coenzyme::Holds::<#inner>::get(&#ident));
                    call.push(match &param.view {
                        None => memory,
                        Some(lend) => quote!(#lend #memory.view()),
                    });
                    quote!(::coenzyme::Holds<#inner>)
                }
                Passing::Exclusive => {
                    patterns.push(quote!(mut #ident));
                    let memory = quote!(::coenzyme::HoldsMut::<#inner>::get_mut(&mut #ident));
                    call.push(match &param.view {
                        None => memory,
                        Some(lend) => quote!(#lend #memory.view_mut()),
                    });
                    quote!(::coenzyme::HoldsMut<#inner>)
                }
            };
            if let (Some(first), true) = (first, primals.is_empty()) {
                primals.push(first.to_token_stream());
                continue;
            }
            generics.params.push(syn::parse_quote!(#ty: #bound));
            if let Some(bound) = self.tied(param) {
                let predicate = syn::parse_quote!(#ty: #bound);
                generics.make_where_clause().predicates.push(predicate);
            }
            primals.push(ty.to_token_stream());
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (call, copy) = (self.call(call), &self.copy);
        quote! {
            impl #impl_generics ::coenzyme::Function<(#(#primals,)*)> for #name #where_clause {
                type Output = #output;

                #[inline]
                fn call(&self, (#(#patterns,)*): (#(#primals,)*)) -> #output {
                    #call #copy
                }
            }
        }
    }

    /// The marker alone: for a function that was refused, so that one mistake is one error.
    pub(crate) fn stub(&self) -> TokenStream {
        let (vis, name) = (&self.vis, &self.name);
        let doc = format!(
            "The marker of the function [`{name}`](fn@{name}): its rules are implemented for this type."
        );
        let exported = own_file::exported(name);
        let marker = match exported {
            Exported::ByName => format_ident!("{}__marker", name, span = name.span()),
            Exported::WithAll | Exported::No => name.clone(),
        };
        let ways = match exported {
            Exported::No => TokenStream::new(),
            Exported::ByName | Exported::WithAll => own_file::ways(name, vis, &marker),
        };
        quote! {
            #[doc = #doc]
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug, Default)]
            #vis struct #marker {}

            #[doc(hidden)]
            impl ::coenzyme::__private::Marker for #marker {}
            #ways
        }
    }
}

/// Whether an argument is an `impl Trait`.
fn hides_types(signature: &Signature) -> bool {
    struct Find(bool);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    syn::visit::Visit::visit_signature(&mut find, signature);
    find.0
}

impl Param {
    fn parse(index: usize, arg: &mut FnArg, errors: &mut Errors) -> Self {
        match arg {
            FnArg::Receiver(receiver) => {
                errors.at(
                    &*receiver,
                    "methods are differentiated by the attribute on their `impl` block",
                );
                Self {
                    name: Ident::new(RECEIVER, Span::call_site()),
                    pattern: None,
                    passing: Passing::Shared,
                    ty: syn::parse_quote!(Self),
                    mutable: false,
                    constant: false,
                    callable: None,
                    view: None,
                }
            }
            FnArg::Typed(typed) => {
                let before = typed.attrs.len();
                typed.attrs.retain(|a| !a.path().is_ident("constant"));
                let constant = typed.attrs.len() != before;
                let (name, pattern, mutable) = match &*typed.pat {
                    Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                        (p.ident.clone(), None, p.mutability.is_some())
                    }
                    pat => (
                        format_ident!("arg{index}", span = Span::mixed_site()),
                        Some(pat.clone()),
                        false,
                    ),
                };
                let (passing, ty) = match &*typed.ty {
                    Type::Reference(r) if r.mutability.is_some() => {
                        (Passing::Exclusive, (*r.elem).clone())
                    }
                    Type::Reference(r) => (Passing::Shared, (*r.elem).clone()),
                    Type::ImplTrait(t) => {
                        errors.at(t, "name the type: write a generic parameter `F` with this bound instead of `impl Trait`");
                        (Passing::Value, syn::parse_quote!(()))
                    }
                    ty => (Passing::Value, ty.clone()),
                };
                Self {
                    name,
                    pattern,
                    passing,
                    ty,
                    mutable,
                    constant,
                    callable: None,
                    view: None,
                }
            }
        }
    }
}

/// The identifiers in some tokens.
pub(crate) fn names(tokens: TokenStream, found: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident),
            TokenTree::Group(group) => names(group.stream(), found),
            _ => {}
        }
    }
}

/// The bound that ties the type parameters in `ty` to an argument that is a `ty` or refers to one.
fn tied(ty: &Type) -> Option<TokenStream> {
    match ty {
        // its memory is a slice, which has lost the length
        Type::Array(_) => Some(quote!(::coenzyme::Memory<Whole = #ty>)),
        // nor is the memory of an alias known: `Vector3<T>` may be an array
        Type::Path(_) if memory_of_container(ty).is_none() && has_arguments(ty) => {
            Some(quote!(::coenzyme::Memory<Whole = #ty>))
        }
        _ => target(ty).map(|target| quote!(::coenzyme::Memory<Target = #target>)),
    }
}

/// Whether a type is a name with arguments: `Vector3<T>`.
fn has_arguments(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|s| matches!(s.arguments, PathArguments::AngleBracketed(_)))
}

/// The memory behind a type, where its tokens tell: it ties the type parameters of a generic function to its arguments.
pub(crate) fn target(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Slice(_) => Some(ty.to_token_stream()),
        Type::Array(array) => {
            let elem = &array.elem;
            Some(quote!([#elem]))
        }
        Type::Path(_) => memory_of_container(ty).or_else(|| Some(ty.to_token_stream())),
        _ => None,
    }
}

/// The memory behind a vector or an array of ndarray.
fn memory_of_container(ty: &Type) -> Option<TokenStream> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(args) = &segment.arguments else {
        return None;
    };
    let (name, first) = (segment.ident.to_string(), args.args.first()?);
    if name == "Vec" {
        return Some(quote!([#first]));
    }
    match name
        .strip_prefix("ArrayRef")
        .or(name.strip_prefix("Array"))?
    {
        "" => {
            let d = args.args.iter().nth(1)?;
            Some(quote!(::coenzyme::ndarray::ArrayRef<#first, #d>))
        }
        dim @ ("D" | "0" | "1" | "2" | "3" | "4" | "5" | "6") => {
            let d = format_ident!("Ix{dim}");
            Some(quote!(::coenzyme::ndarray::ArrayRef<#first, ::coenzyme::ndarray::#d>))
        }
        // `ArrayVec`
        _ => None,
    }
}

/// `Fn(A) -> B`: no other traits have their arguments in parentheses.
pub(crate) fn call_of(bound: &TypeParamBound) -> Option<&syn::ParenthesizedGenericArguments> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    match &bound.path.segments.last()?.arguments {
        PathArguments::Parenthesized(call) => Some(call),
        _ => None,
    }
}
