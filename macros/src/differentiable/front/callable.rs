//! Parameters that are called: `f: impl Fn(f64) -> f64`, `f: F` with `F: Fn(f64) -> f64`.
//!
//! A rule is found by type, and the type of a function item has no name: so the rules take the marker of a function in place of
//! the function, and call its rules.
//!
//! ```text
//! impl<F: Function<(f64,), Output = f64>> Function<(F, f64)> for apply { /* apply(|x| f.call((x,)), x) */ }
//! impl<F, …> ReverseRule<R, (Const<F>, H1), W> for apply where F: ReverseRule<Active<f64>, (Active<f64>,), W> { … }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::{
    Expr, FnArg, GenericParam, Lifetime, ParenthesizedGenericArguments, PathArguments, ReturnType,
    Signature, Type, TypeParamBound, WherePredicate,
};

use super::views::read_views;
use super::{constant, numbers};
use crate::differentiable::syntax::names::is_unit;
use crate::errors::Errors;
use crate::files::own_names;
use crate::signature::{Callable, Copied, Function, call_of};

/// Reads a free function, and gives the body that its rules are made of.
pub(crate) fn parse_item(item: &mut syn::ItemFn, errors: &mut Errors) -> (Function, syn::Block) {
    let Some(copied) = Copied::of(&item.sig, &item.block, &syn::Generics::default()) else {
        let function = parse(&item.vis, &mut item.sig, errors);
        return (function, (*item.block).clone());
    };
    let mut signature = copied.signature;
    let mut function = parse(&item.vis, &mut signature, errors);
    item.sig.inputs = signature.inputs;
    function.copy = Some(copied.copy);
    (function, copied.body)
}

/// Reads the signature of a free function; the function itself loses what only the macros know.
pub(crate) fn parse(vis: &syn::Visibility, sig: &mut Signature, errors: &mut Errors) -> Function {
    let (mut seen, written) = (sig.clone(), sig.clone());
    let mut function = read(vis, &mut seen, errors);
    let _ = Function::parse(vis, sig, &mut Errors::default());
    function.written = written;
    numbers::bound(&mut function.generics);
    numbers::bound(&mut function.written.generics);
    function.bound_inside();
    function
}

/// Reads a signature, and rewrites it: the parameters that are called get a type parameter that is a marker, views are references.
pub(crate) fn read(vis: &syn::Visibility, sig: &mut Signature, errors: &mut Errors) -> Function {
    let untold = crate::signature::write_out(sig);
    name_objects(sig);
    let found = take(sig);
    let generators = constant::generators(&sig.generics);
    let mut function = read_views(vis, sig, errors);
    for (index, callable) in found {
        let param = &mut function.params[index];
        param.constant = true;
        param.callable = Some(callable);
    }
    for param in &mut function.params {
        param.constant |= leads_elsewhere(&param.ty)
            || constant::is_one_of(&generators, &param.ty)
            || constant::is_map(&param.ty)
            || constant::is_setting(param, &function.generics);
    }
    function.own_args = function.generic_args();
    for position in untold {
        function.own_args.insert(position, quote!(_));
    }
    function.from_body = true;
    function
}

/// Lends the rules what is behind a trait object, `&dyn Kernel`, as `&impl Kernel`, if the trait is marked: its methods have rules for each type.
fn name_objects(sig: &mut Signature) {
    for arg in &mut sig.inputs {
        if let FnArg::Typed(arg) = arg
            && let Type::Reference(reference) = &mut *arg.ty
            && let Type::TraitObject(object) = peeled(&reference.elem)
            && object.bounds.iter().any(is_marked)
        {
            let bounds = &object.bounds;
            *reference.elem = syn::parse_quote!(impl #bounds);
        }
    }
}

fn is_marked(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|last| own_names::is_marked_trait(&last.ident))
}

/// What stands in parentheses: `&(dyn Kernel + Sync)`.
fn peeled(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inside) => &inside.elem,
        ty => ty,
    }
}

/// Whether a type holds shared references, which lead to no shadow: `[&[f64]]`, `Option<&Table>`. What they lead to is constant: an active
/// argument has no rule.
fn leads_elsewhere(ty: &Type) -> bool {
    #[derive(Default)]
    struct References {
        shared: bool,
        exclusive: bool,
    }
    impl<'ast> Visit<'ast> for References {
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            match reference.mutability {
                Some(_) => self.exclusive = true,
                None => self.shared = true,
            }
            visit::visit_type_reference(self, reference);
        }
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
        fn visit_parenthesized_generic_arguments(
            &mut self,
            _: &'ast ParenthesizedGenericArguments,
        ) {
        }
    }
    let mut found = References::default();
    found.visit_type(ty);
    found.shared && !found.exclusive
}

/// Rewrites the signature, and says which parameters are called.
fn take(sig: &mut Signature) -> Vec<(usize, Callable)> {
    let mut found = Vec::new();
    let mut markers = Vec::new();
    for (index, arg) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(arg) = arg else { continue };
        // a constant is passed as it is
        if arg.attrs.iter().any(|a| a.path().is_ident("constant")) {
            continue;
        }
        let (ty, lend) = match &*arg.ty {
            Type::Reference(reference) => {
                let (ty, mutable) = (&*reference.elem, &reference.mutability);
                (ty, quote!(& #mutable))
            }
            ty => (ty, TokenStream::new()),
        };
        let ty = peeled(ty);
        let call = match ty {
            Type::ImplTrait(ty) => called(&ty.bounds),
            Type::TraitObject(ty) => called(&ty.bounds),
            Type::Path(path) => path
                .path
                .get_ident()
                .and_then(|name| called_generic(&sig.generics, name)),
            Type::FnPtr(pointer) if lend.is_empty() => Some(of_pointer(pointer)),
            _ => None,
        };
        let Some(call) = call else { continue };
        let inputs: Vec<Type> = call.inputs.iter().map(|i| i.ty.clone()).collect();
        let output: Type = match &call.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        let pointer = matches!(ty, Type::FnPtr(_));
        let hidden = !matches!(ty, Type::Path(_));
        let name = match ty {
            Type::Path(path) => path.path.require_ident().expect("a type parameter").clone(),
            _ => format_ident!("__F{index}"),
        };
        let callable = Callable {
            inputs,
            output,
            lend,
            pointer,
            hidden,
        };
        *arg.ty = syn::parse_quote!(#name);
        markers.push((name, bound(&callable), hidden));
        found.push((index, callable));
    }
    for (name, bound, hidden) in markers {
        if hidden {
            sig.generics.params.push(syn::parse_quote!(#name: #bound));
            continue;
        }
        for param in &mut sig.generics.params {
            if let GenericParam::Type(param) = param
                && param.ident == name
            {
                param.bounds = syn::parse_quote!(#bound);
            }
        }
        if let Some(clause) = &mut sig.generics.where_clause {
            let others = std::mem::take(&mut clause.predicates).into_iter();
            let is_of_name = |p: &WherePredicate| matches!(p, WherePredicate::Type(p) if is_named(&p.bounded_ty, &name));
            clause.predicates = others.filter(|p| !is_of_name(p)).collect();
        }
    }
    found
}

fn is_named(ty: &Type, name: &syn::Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

type Bounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;

/// `Fn(A) -> B` among the bounds.
fn called(bounds: &Bounds) -> Option<ParenthesizedGenericArguments> {
    bounds.iter().find_map(call_of).cloned()
}

fn called_generic(
    generics: &syn::Generics,
    name: &syn::Ident,
) -> Option<ParenthesizedGenericArguments> {
    let mut of_params = generics.type_params().filter(|p| p.ident == *name);
    let in_params = of_params.next().and_then(|p| called(&p.bounds));
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let mut in_clause = predicates.filter_map(|p| match p {
        WherePredicate::Type(p) if is_named(&p.bounded_ty, name) => called(&p.bounds),
        _ => None,
    });
    in_params.or_else(|| in_clause.next())
}

/// `fn(A) -> B` as `Fn(A) -> B` has it.
fn of_pointer(pointer: &syn::TypeFnPtr) -> ParenthesizedGenericArguments {
    let (inputs, output) = (pointer.inputs.iter().map(|i| &i.ty), &pointer.output);
    let call: syn::TraitBound = syn::parse_quote!(Fn(#(#inputs),*) #output);
    match call.path.segments.into_iter().next().map(|s| s.arguments) {
        Some(PathArguments::Parenthesized(call)) => call,
        _ => unreachable!("the arguments of `Fn`"),
    }
}

/// A lifetime for each reference among the inputs.
fn lifetimes(callable: &Callable, kind: &str) -> Vec<Option<Lifetime>> {
    let inputs = callable.inputs.iter().enumerate();
    let lifetimes = inputs.map(|(i, input)| {
        let is_reference = matches!(input, Type::Reference(_));
        is_reference.then(|| Lifetime::new(&format!("'__{kind}{i}"), Span::mixed_site()))
    });
    lifetimes.collect()
}

/// What is asked of the marker by itself.
fn bound(callable: &Callable) -> TokenStream {
    let output = &callable.output;
    let Arguments {
        lifetimes,
        arguments,
    } = arguments(callable, None);
    let default = callable.pointer.then(|| quote!(+ ::core::default::Default));
    quote!(for<#(#lifetimes),*> ::coenzyme::Function<(#(#arguments,)*), Output = #output> + ::core::clone::Clone #default)
}

/// The types of the arguments of a call, with the lifetimes that they name.
pub(crate) struct Arguments {
    pub(crate) lifetimes: Vec<Lifetime>,
    pub(crate) arguments: Vec<TokenStream>,
}

/// The arguments with which a rule is called, in forward mode or not; without a mode, those of the function itself.
pub(crate) fn arguments(callable: &Callable, forward: Option<bool>) -> Arguments {
    let (primals, shadows) = (lifetimes(callable, "p"), lifetimes(callable, "s"));
    let each = callable.inputs.iter().zip(primals.iter().zip(&shadows));
    let arguments = each.map(|(input, (p, s))| match (input, forward) {
        (Type::Reference(reference), None) => {
            let (mutable, ty) = (&reference.mutability, &reference.elem);
            quote!(& #p #mutable #ty)
        }
        (input, None) => quote!(#input),
        (Type::Reference(reference), Some(forward)) => {
            let (mutable, ty) = (&reference.mutability, &reference.elem);
            let adjoint = match forward {
                true => quote!(#mutable),
                false => quote!(mut),
            };
            quote!(::coenzyme::DynArg<& #p #mutable #ty, & #s #adjoint #ty, __W>)
        }
        (input, Some(true)) => quote!(::coenzyme::BatchDuplicated<#input, #input, __W>),
        (input, Some(false)) => quote!(::coenzyme::Active<#input>),
    });
    let arguments = arguments.collect();
    let shadows = shadows.into_iter().filter(|_| forward.is_some());
    Arguments {
        lifetimes: primals.into_iter().chain(shadows).flatten().collect(),
        arguments,
    }
}

/// The rule that a marker needs for its calls, as a bound.
pub(crate) fn rule(callable: &Callable, forward: bool) -> TokenStream {
    let output = &callable.output;
    let Arguments {
        lifetimes,
        arguments,
    } = arguments(callable, Some(forward));
    let trait_name = match forward {
        true => quote!(ForwardRule),
        false => quote!(ReverseRule),
    };
    let returns = match output {
        output if is_unit(output) => quote!(Const<()>),
        output if forward => quote!(BatchDuplicated<#output, #output, __W>),
        output => quote!(Active<#output>),
    };
    quote!(for<#(#lifetimes),*> ::coenzyme::#trait_name<::coenzyme::#returns, (#(#arguments,)*), __W>)
}

/// The arguments of a call, those that are references of the types that the parameter says.
pub(crate) fn lent<'a>(inputs: &[Type], args: impl Iterator<Item = &'a Expr>) -> Vec<Expr> {
    let lent = args.enumerate().map(|(i, arg)| match inputs.get(i) {
        Some(Type::Reference(ty)) => syn::parse_quote!({ let lent: #ty = #arg; lent }),
        _ => arg.clone(),
    });
    lent.collect()
}
