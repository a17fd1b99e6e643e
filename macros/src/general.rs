//! The head of a general rule: one impl for all activities and widths of a function's arguments.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Generics, Ident};

use crate::signature::{Function, Param, Passing};

/// Which of the two rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Reverse,
}

impl Direction {
    /// The bound on the return activity.
    fn returns(self) -> Ident {
        match self {
            Self::Forward => format_ident!("ForwardReturn"),
            Self::Reverse => format_ident!("ReverseReturn"),
        }
    }

    /// The bound on the handle of an argument.
    fn handle(self, passing: Passing) -> Ident {
        let direction = match self {
            Self::Forward => "Forward",
            Self::Reverse => "Reverse",
        };
        match passing {
            Passing::Exclusive => format_ident!("{direction}ArgMut"),
            Passing::Value | Passing::Shared => format_ident!("{direction}Arg"),
        }
    }
}

/// The head of a general rule, and how its body gets at the arguments.
pub(crate) struct GeneralRule {
    direction: Direction,
    /// The function's parameters, the return activity `R`, the handles `A0, A1, …` and the width `W`.
    pub(crate) generics: Generics,
    /// The type of each handle: `A0`, or `Const<T>` for a constant argument.
    pub(crate) handles: Vec<TokenStream>,
    /// The variable of each handle: `a0`.
    pub(crate) variables: Vec<Ident>,
}

impl GeneralRule {
    /// For `fn f<T: Real>(y: &mut [T], x: T, #[constant] n: Plan) -> T` in forward mode:
    ///
    /// ```text
    /// impl<T: Real, R, A0, A1, const W: usize> … (A0, A1, Const<Plan>)
    /// where
    ///     R: ForwardReturn<W, Out = T>,
    ///     T: Outcome,
    ///     A0: ForwardArgMut<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
    ///     A1: ForwardArg<T, W> + Annotation<Primal = T>,
    /// ```
    ///
    /// The `Annotation` bounds, which tie `T` to the arguments, stand in generic functions only.
    pub(crate) fn new(function: &Function, direction: Direction) -> Self {
        let mut generics = function.generics.clone();
        let output = &function.output;
        let returns = direction.returns();
        generics.params.push(syn::parse_quote!(__R));
        let mut handles = Vec::new();
        let mut predicates: Vec<syn::WherePredicate> =
            vec![syn::parse_quote!(__R: ::coenzyme::#returns<__W, Out = #output>)];
        if function.returns_parameter() {
            predicates.push(syn::parse_quote!(#output: ::coenzyme::Outcome));
        }
        for (i, param) in function.params.iter().enumerate() {
            let (ty, name) = (&param.ty, format_ident!("__A{i}"));
            match (param.constant, param.passing) {
                (true, Passing::Value) => {
                    handles.push(quote!(::coenzyme::Const<#ty>));
                    continue;
                }
                (true, passing) => {
                    let holds = holds(passing);
                    handles.push(quote!(::coenzyme::Const<#name>));
                    predicates.push(syn::parse_quote!(#name: ::coenzyme::#holds<#ty>));
                    let bound = function.tied(param);
                    predicates.extend(
                        bound.map(|bound| -> syn::WherePredicate {
                            syn::parse_quote!(#name: #bound)
                        }),
                    );
                }
                (false, passing) => {
                    let handle = direction.handle(passing);
                    handles.push(name.to_token_stream());
                    predicates.push(syn::parse_quote!(#name: ::coenzyme::#handle<#ty, __W>));
                    predicates.extend(tie(function, param, &name));
                }
            }
            generics.params.push(syn::parse_quote!(#name));
        }
        generics.params.push(syn::parse_quote!(const __W: usize));
        generics.make_where_clause().predicates.extend(predicates);
        Self {
            direction,
            generics,
            handles,
            variables: (0..function.params.len())
                .map(|i| Ident::new(&format!("a{i}"), proc_macro2::Span::mixed_site()))
                .collect(),
        }
    }

    /// The pattern and type of the arguments as a rule receives them: `(a0, a1): (&mut A0, &mut A1)`.
    pub(crate) fn receiver(&self) -> TokenStream {
        let (variables, handles) = (&self.variables, &self.handles);
        quote!((#(#variables,)*): (#(&mut #handles,)*))
    }

    /// The expression that argument `i` of the primal is: a copy of a value, a reference to memory.
    pub(crate) fn primal(&self, i: usize, param: &Param) -> TokenStream {
        let (variable, ty) = (&self.variables[i], &param.ty);
        let (read, write) = (
            self.direction.handle(Passing::Shared),
            self.direction.handle(Passing::Exclusive),
        );
        match (param.constant, param.passing) {
            (true, Passing::Value) => quote!(::core::clone::Clone::clone(&#variable.0)),
            (true, Passing::Shared) => quote!(::coenzyme::Holds::<#ty>::get(&#variable.0)),
            (true, Passing::Exclusive) => {
                quote!(::coenzyme::HoldsMut::<#ty>::get_mut(&mut #variable.0))
            }
            (false, Passing::Value) => {
                quote!(::core::clone::Clone::clone(::coenzyme::#read::<#ty, __W>::primal(&*#variable)))
            }
            (false, Passing::Shared) => quote!(::coenzyme::#read::<#ty, __W>::primal(&*#variable)),
            (false, Passing::Exclusive) => {
                quote!(::coenzyme::#write::<#ty, __W>::primal_mut(&mut *#variable))
            }
        }
    }
}

/// The trait by which memory is reached.
fn holds(passing: Passing) -> Ident {
    match passing {
        Passing::Exclusive => format_ident!("HoldsMut"),
        Passing::Value | Passing::Shared => format_ident!("Holds"),
    }
}

/// The bound that ties the type parameters in a parameter's type to its handle.
fn tie(function: &Function, param: &Param, name: &Ident) -> Option<syn::WherePredicate> {
    let ty = &param.ty;
    if param.passing == Passing::Value {
        return function
            .names_generics(ty)
            .then(|| syn::parse_quote!(#name: ::coenzyme::Annotation<Primal = #ty>));
    }
    let bound = function.tied(param)?;
    Some(syn::parse_quote!(#name: ::coenzyme::Annotation<Primal: #bound>))
}
