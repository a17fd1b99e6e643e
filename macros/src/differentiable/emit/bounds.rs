//! The generics and the where clauses of generated rules.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Generics;

use super::names::handle_type;
use crate::associated;
use crate::differentiable::front::{callable, numbers};
use crate::differentiable::ir::*;
use crate::differentiable::lower::values::types;
use crate::differentiable::methods::paths::marker_path;
use crate::signature::{Function, Param, Passing, forever};

/// Forward or reverse.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Forward,
    Reverse,
}

impl Mode {
    fn argument(self, exclusive: bool) -> TokenStream {
        match (self, exclusive) {
            (Mode::Forward, false) => quote!(::coenzyme::ForwardArg),
            (Mode::Forward, true) => quote!(::coenzyme::ForwardArgMut),
            (Mode::Reverse, false) => quote!(::coenzyme::ReverseArg),
            (Mode::Reverse, true) => quote!(::coenzyme::ReverseArgMut),
        }
    }
}

/// The trait through which a parameter's handle is seen: `ReverseArg<[f64], __W>`.
pub(super) fn argument_trait(param: &Param, mode: Mode) -> TokenStream {
    let (path, ty) = (
        mode.argument(param.passing == Passing::Exclusive),
        &param.ty,
    );
    quote!(#path<#ty, __W>)
}

/// The type of a parameter's handle: generic, or `Const<T>` for a parameter declared `#[constant]`.
pub(super) fn handle(param: &Param, index: usize) -> TokenStream {
    let (name, ty) = (handle_type(index), &param.ty);
    match (param.constant, param.passing) {
        (false, _) => name.to_token_stream(),
        (true, Passing::Value) => quote!(::coenzyme::Const<#ty>),
        (true, _) => quote!(::coenzyme::Const<#name>),
    }
}

/// The bound on the generic part of a parameter's handle; `None` for a constant by value, which has no such part.
fn handle_bound(param: &Param, mode: Mode) -> Option<TokenStream> {
    let ty = &param.ty;
    match (param.constant, param.passing) {
        (false, _) => Some(argument_trait(param, mode)),
        (true, Passing::Value) => None,
        (true, Passing::Shared) => Some(quote!(::coenzyme::Holds<#ty>)),
        (true, Passing::Exclusive) => Some(quote!(::coenzyme::HoldsMut<#ty>)),
    }
}

/// What ties a generic function's type parameters to the handle of a parameter.
fn tie(function: &Function, param: &Param, index: usize) -> Option<syn::WherePredicate> {
    let name = handle_type(index);
    match (function.tied(param)?, param.constant, param.passing) {
        (_, true, Passing::Value) => None,
        (bound, true, _) => Some(syn::parse_quote!(#name: #bound)),
        (bound, false, _) => {
            Some(syn::parse_quote!(<#name as ::coenzyme::Annotation>::Primal: #bound))
        }
    }
}

/// That what a generic function is lent has a tangent space, of a parameter that is all of a type parameter: the handle has it, which
/// a method does not get that is called with what the handle leads to.
fn space(function: &Function, param: &Param) -> Option<syn::WherePredicate> {
    let ty = &param.ty;
    let mut types = function.generics.type_params();
    let is_one = matches!(ty, syn::Type::Path(path) if types.any(|t| path.path.is_ident(&t.ident)));
    let lent = param.passing != Passing::Value && !param.constant && param.callable.is_none();
    (is_one && lent && function.tied(param).is_some())
        .then(|| syn::parse_quote!(#ty: ::coenzyme::Tangent<Target = #ty>))
}

/// `(__H0, __H1)`.
pub(super) fn handles(function: &Function) -> TokenStream {
    let handles = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| handle(p, i));
    quote!((#(#handles,)*))
}

/// The generics of a rule: the function's own, the return activity, the handles and the width.
pub(super) fn generics(function: &Function, program: &Program, mode: Mode) -> Generics {
    let mut generics = function.generics.clone();
    let output = &function.output;
    let returns = match mode {
        Mode::Forward => quote!(::coenzyme::ForwardReturn<__W, Out = #output>),
        Mode::Reverse => quote!(::coenzyme::ReverseReturn<__W, Out = #output>),
    };
    generics.params.push(syn::parse_quote!(__R: #returns));
    for (index, param) in function.params.iter().enumerate() {
        if let Some(bound) = handle_bound(param, mode) {
            let name = handle_type(index);
            generics.params.push(syn::parse_quote!(#name: #bound));
        }
    }
    let predicates = &mut generics.make_where_clause().predicates;
    let params = function.params.iter().enumerate();
    for (index, param) in params {
        predicates.extend(tie(function, param, index));
        predicates.extend(space(function, param));
    }
    for param in &function.params {
        if let Some(callable) = &param.callable {
            let (ty, rule) = (&param.ty, callable::rule(callable, mode == Mode::Forward));
            predicates.push(syn::parse_quote!(#ty: #rule));
        }
    }
    each_call(program, &program.body, &mut |call| {
        predicates.extend(callee_bound(function, program, call, mode));
        predicates.extend(kept_bounds(function, program, call));
    });
    if mode == Mode::Forward {
        predicates.extend(numbers::values(&function.generics).map(always_there));
    }
    generics.params.push(syn::parse_quote!(const __W: usize));
    generics
}

/// That a call which returns a value of this type returns it as it is, and not in a `Result`; `Value` says so of the value without a tangent.
fn always_there(ty: &syn::Type) -> syn::WherePredicate {
    let returned = quote!(::coenzyme::BatchDuplicated<#ty, #ty, __W>);
    syn::parse_quote!(#ty: ::coenzyme::Outcome<Of<#returned> = #returned>)
}

/// The markers that bounds of the rules name, by their paths.
pub(super) fn named_markers(function: &Function, program: &Program) -> Vec<syn::Path> {
    let mut markers: Vec<syn::Path> = Vec::new();
    each_call(program, &program.body, &mut |call| {
        if let (Callee::Path(path), Some(_)) = (
            &call.callee,
            callee_bound(function, program, call, Mode::Forward),
        ) {
            let marker = marker_path(path);
            if !markers.contains(&marker) && !program.names_plainly(path) {
                markers.push(marker);
            }
        }
    });
    markers
}

/// Every call that may have a bound.
pub(super) fn each_call(program: &Program, block: &Block, found: &mut dyn FnMut(&Call)) {
    for item in &block.items {
        match item {
            Item::Call(call) => found(call),
            Item::Def(d) => {
                if let DefKind::Call(call) = &program.defs[*d].kind {
                    found(call);
                }
            }
            Item::Branch { arms, .. } => {
                arms.iter().for_each(|a| each_call(program, &a.body, found));
            }
            Item::Loop { body, .. } => each_call(program, body, found),
            _ => {}
        }
    }
}

/// `K: Inside` for a call that gets a parameter of the type `Fluid<K>` in its memory, beside its shadow: without one the type has none.
fn kept_bounds<'f>(
    function: &'f Function,
    program: &Program,
    call: &Call,
) -> impl Iterator<Item = syn::WherePredicate> + use<'f> {
    let is_own = matches!(call.callee, Callee::Path(_) | Callee::Method { .. });
    let of_arg = |arg: &Arg| match arg {
        Arg::Shared(place) | Arg::Exclusive(place) if is_own && place.suffix.is_empty() => {
            match place.base {
                Base::Root(root) => match program.roots[root].kind {
                    RootKind::Param { index, .. } => Some(index),
                    _ => None,
                },
                Base::Def(_) => None,
            }
        }
        _ => None,
    };
    let params: Vec<usize> = call.args.iter().filter_map(of_arg).collect();
    let kept = params
        .into_iter()
        .flat_map(|index| numbers::kept_in(&function.generics, &function.params[index].ty));
    kept.map(|name| syn::parse_quote!(#name: ::coenzyme::__private::Inside))
}

/// `f: ReverseRule<Active<…>, (__H0, __H1), __W>` for a call that gets parameters as a whole.
fn callee_bound(
    function: &Function,
    program: &Program,
    call: &Call,
    mode: Mode,
) -> Option<syn::WherePredicate> {
    let Callee::Path(path) = &call.callee else {
        return None;
    };
    // a bound on the function itself would be a cycle
    if path.is_ident(&function.name)
        || !call.passes_whole()
        || !call.args.iter().any(|a| matches!(a, Arg::Whole { .. }))
    {
        return None;
    }
    let marker = match program.names_plainly(path) {
        true => marker_path(path).to_token_stream(),
        false => crate::marker::alias(&marker_path(path)).to_token_stream(),
    };
    let scalar = types::scalar_type(function);
    let mut handles = Vec::new();
    let mut primals = Vec::new();
    for arg in &call.args {
        match arg {
            Arg::Whole { root } => {
                let RootKind::Param { index, .. } = program.roots[*root].kind else {
                    return None;
                };
                let param = &function.params[index];
                let ty = forever(&param.ty);
                // its memory is known by the arguments' own bounds only
                if program.unkept.contains(root) {
                    return None;
                }
                handles.push(handle(param, index));
                primals.push(match param.passing {
                    Passing::Exclusive => quote!(&'static mut #ty),
                    _ => quote!(&'static #ty),
                });
            }
            Arg::Value(_) => {
                handles.push(match mode {
                    Mode::Forward => quote!(::coenzyme::BatchDuplicated<#scalar, #scalar, __W>),
                    Mode::Reverse => quote!(::coenzyme::Active<#scalar>),
                });
                primals.push(quote!(#scalar));
            }
            // the type of another argument is not known here
            _ => return None,
        }
    }
    let output = quote!(<#marker as ::coenzyme::Function<(#(#primals,)*)>>::Output);
    let (rule, activity) = match (mode, call.used) {
        (Mode::Forward, true) => (
            quote!(ForwardRule),
            quote!(::coenzyme::BatchDuplicated<#output, #output, __W>),
        ),
        (Mode::Forward, false) => (quote!(ForwardRule), quote!(::coenzyme::Const<#output>)),
        (Mode::Reverse, true) => (quote!(ReverseRule), quote!(::coenzyme::Active<#output>)),
        (Mode::Reverse, false) => (quote!(ReverseRule), quote!(::coenzyme::Const<#output>)),
    };
    Some(syn::parse_quote!(#marker: ::coenzyme::#rule<#activity, (#(#handles,)*), __W>))
}

/// A closure as an argument: its function with what it captures.
pub(super) fn bound(
    function: &proc_macro2::Ident,
    captured: Vec<(TokenStream, TokenStream)>,
) -> TokenStream {
    let function = quote!(#function {});
    let bound = captured.into_iter().rev().fold(function, |f, (handle, overwritten)| {
        quote!(::coenzyme::__private::Bound::new(#f, #handle, #overwritten))
    });
    quote!(::coenzyme::Const(#bound))
}

impl OperandForm {
    /// The type that says it.
    fn marker(self) -> TokenStream {
        match self {
            OperandForm::Reference => quote!(::coenzyme::__private::ByReference),
            OperandForm::Value => quote!(::coenzyme::__private::ByValue),
        }
    }
}

impl Program {
    /// An expression for the marker of a function of this name.
    pub(in crate::differentiable) fn marker_named(&self, path: &syn::Path) -> TokenStream {
        if path
            .get_ident()
            .is_some_and(|name| self.aliases.contains(name))
        {
            return quote!(#path);
        }
        if associated::is_associated(path) {
            return associated::marker(path);
        }
        let marker = marker_path(path);
        match self.has_inside(path) {
            // an import would mean the one around the function as well
            true => quote!(#marker {}),
            false => crate::marker::of(&marker),
        }
    }

    /// Whether a bound names a marker by its path.
    fn names_plainly(&self, path: &syn::Path) -> bool {
        self.has_inside(path) || crate::marker::is_plain(&marker_path(path))
    }

    /// Whether a function of this name stands in the body.
    fn has_inside(&self, path: &syn::Path) -> bool {
        path.get_ident()
            .is_some_and(|name| self.inner.contains(name))
    }

    /// The same where the parameters of the function have names, so that the types in the path mean what they mean there.
    pub(in crate::differentiable) fn marker_told(&self, path: &syn::Path) -> TokenStream {
        let marker = self.marker_named(path);
        match crate::told::types_of_call(path, &self.constants) {
            Some(types) => quote!({
                use ::coenzyme::__private::Marker as _;
                (#marker).told::<#types>()
            }),
            None => marker,
        }
    }

    /// An expression for the marker of what is called.
    pub(super) fn callee(&self, call: &Call) -> TokenStream {
        match &call.callee {
            Callee::Path(path) => self.marker_told(path),
            Callee::Conversion(path) => quote!(::coenzyme::__private::conversion(#path)),
            Callee::Operator(op, forms) => {
                let [left, right] = forms.map(OperandForm::marker);
                quote!(::coenzyme::__private::operator::<::coenzyme::ops::#op, #left, #right, _, _, _>())
            }
            Callee::Value(d) => {
                let name = &self.defs[*d].name;
                quote!(::coenzyme::__private::copy(&#name))
            }
            Callee::Variant { make, parts } => {
                quote!(::coenzyme::__private::variant(#make, #parts))
            }
            Callee::Part {
                of,
                pattern,
                name,
                replaced,
            } => {
                let variant = match of.base {
                    Base::Root(root) if !self.roots[root].writes.is_empty() => quote!(Assigned),
                    _ => quote!(Standing),
                };
                let of = self.place_value(of);
                let get = quote! {
                    |e| match e { #pattern => ::core::option::Option::Some(#name), #[allow(unreachable_patterns)] _ => ::core::option::Option::None }
                };
                let replaced = replaced.then(|| quote!(.replaced()));
                quote!(::coenzyme::__private::part(&#of, ::coenzyme::__private::#variant, #get, #get)#replaced)
            }
            Callee::Method {
                receiver,
                name,
                turbofish,
            } => {
                let (receiver, finder) = (
                    self.place_value(receiver),
                    quote::format_ident!("rule_of_{}", name, span = name.span()),
                );
                quote!({
                    use ::coenzyme::__private::{
                        ArrayMethods as _, ComplexMethods as _, IntegerMethods as _, NumberMethods as _,
                    };
                    (#receiver).#finder #turbofish ()
                })
            }
        }
    }
}
