//! `Point::new(x, y)`: a function of a type is found by the type, so that its marker need not be imported.
//!
//! ```text
//! impl Point { pub fn marker_of_new() -> Point_new { Point_new {} } }
//! ```
//!
//! Where the type has parameters, one type stands for all: the marker is the same, and a call need not say which is meant.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, GenericArgument, GenericParam, ImplItemFn, ItemImpl, Lifetime, Path, PathArguments, Type,
};

use crate::differentiable::front::numbers;
use crate::differentiable::methods::paths;
use crate::operator::{self, is_number};
use crate::several;
use crate::signature::Function;

/// Whether a path names a function of a type by that type's name alone: `Point::new`, `shapes::Point::new`.
pub(crate) fn is_associated(path: &Path) -> bool {
    let segments: Vec<_> = path.segments.iter().collect();
    let [.., ty, name] = &segments[..] else {
        return false;
    };
    let begins = |name: &Ident, with: fn(char) -> bool| {
        let name = name.to_string();
        name.trim_start_matches('_').starts_with(with)
    };
    begins(&ty.ident, char::is_uppercase)
        && begins(&name.ident, char::is_lowercase)
        && are_numbers(&ty.arguments)
        && !paths::stands_for_many(&ty.ident, &name.ident)
}

/// Whether what a type is told are numbers, if it is told anything.
fn are_numbers(arguments: &PathArguments) -> bool {
    let is_told = |argument: &GenericArgument| match argument {
        GenericArgument::Type(ty) => is_number(ty) || matches!(ty, Type::Infer(_)),
        GenericArgument::Const(value) => matches!(value, Expr::Lit(_)),
        _ => false,
    };
    match arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().all(is_told),
        PathArguments::Parenthesized(_) => false,
    }
}

/// An expression for the marker of such a function.
pub(crate) fn marker(path: &Path) -> TokenStream {
    let mut path = path.clone();
    if let Some(ty) = path.segments.iter_mut().nth_back(1) {
        ty.arguments = PathArguments::None;
    }
    if let Some(last) = path.segments.last_mut() {
        last.ident = finder_name(&last.ident);
        last.arguments = PathArguments::None;
    }
    quote!(#path())
}

/// The name of the function that gives the marker of such a function.
pub(crate) fn finder_of_path(path: &Path) -> Option<Ident> {
    let last = path.segments.last()?;
    let name = || format_ident!("marker_of_{}", last.ident, span = Span::call_site());
    is_associated(path).then(name)
}

pub(crate) fn finder_name(function: &Ident) -> Ident {
    format_ident!("marker_of_{function}", span = function.span())
}

/// The function by which differentiated code finds the marker of `Type::name(…)`.
pub(crate) fn finder(
    block: &ItemImpl,
    method: &ImplItemFn,
    function: &Function,
) -> Option<TokenStream> {
    let Type::Path(of) = &*block.self_ty else {
        return None;
    };
    let shared = operator::suffix(block).is_some() || several::suffix(block, method).is_some();
    let is_conversion = block.trait_.is_some() && method.sig.ident == "from";
    let is_parameter = (block.generics.type_params()).any(|param| of.path.is_ident(&param.ident));
    let foreign = is_number(&block.self_ty) || paths::is_library_type(&of.path) || is_parameter;
    if shared || is_conversion || foreign {
        return None;
    }
    let (marker, vis) = (&function.name, &function.vis);
    let name = finder_name(&method.sig.ident);
    let finder = quote! {
        #[doc(hidden)]
        #[inline]
        #[allow(non_snake_case)]
        #vis fn #name() -> #marker {
            #marker {}
        }
    };
    Some(match one_for_all(block) {
        Some(ty) => quote!(impl #ty { #finder }),
        None => {
            let generics = crate::methods::of_the_type(block);
            let ((impl_generics, _, where_clause), ty) =
                (generics.split_for_impl(), &block.self_ty);
            quote!(impl #impl_generics #ty #where_clause { #finder })
        }
    })
}

/// The same for a function that is told of which type it is: the marker says it.
pub(crate) fn finder_of(
    block: &ItemImpl,
    method: &ImplItemFn,
    function: &Function,
    rule: &Type,
) -> Option<TokenStream> {
    if block.trait_.is_some() {
        return None;
    }
    let ((impl_generics, _, where_clause), ty) = (block.generics.split_for_impl(), &block.self_ty);
    let (name, vis) = (finder_name(&method.sig.ident), &function.vis);
    Some(quote! {
        impl #impl_generics #ty #where_clause {
            #[doc(hidden)]
            #[inline]
            #vis fn #name() -> #rule {
                ::core::default::Default::default()
            }
        }
    })
}

/// The type of a block with `f64` for its parameters; `None` if one of them is bound by a trait that `f64` may not have.
fn one_for_all(block: &ItemImpl) -> Option<Type> {
    struct Tell<'a>(&'a syn::Generics);
    impl VisitMut for Tell<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            match ty {
                Type::Path(path) if self.names_type(&path.path) => *ty = syn::parse_quote!(f64),
                // an argument that is a constant is written like a type
                Type::Path(path) if self.constant(&path.path).is_some() => {
                    let value = self.constant(&path.path);
                    *ty = Type::Verbatim(quote!({ #value }));
                }
                ty => visit_mut::visit_type_mut(self, ty),
            }
        }
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Path(path) if self.constant(&path.path).is_some() => {
                    *expr = self.constant(&path.path).expect("a constant");
                }
                expr => visit_mut::visit_expr_mut(self, expr),
            }
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }
    }
    impl Tell<'_> {
        fn names_type(&self, path: &Path) -> bool {
            let mut types = self.0.type_params();
            types.any(|param| path.is_ident(&param.ident))
        }
        fn constant(&self, path: &Path) -> Option<Expr> {
            let mut constants = self.0.const_params();
            let param = constants.find(|param| path.is_ident(&param.ident))?;
            Some(match &param.ty {
                Type::Path(ty) if ty.path.is_ident("bool") => syn::parse_quote!(true),
                Type::Path(ty) if ty.path.is_ident("char") => syn::parse_quote!('1'),
                _ => syn::parse_quote!(1),
            })
        }
    }
    let generics = &block.generics;
    let told = |param: &GenericParam| match param {
        GenericParam::Type(param) => numbers::may_be_float(generics, &param.ident),
        _ => true,
    };
    if !generics.params.iter().all(told) {
        return None;
    }
    let mut ty = (*block.self_ty).clone();
    Tell(generics).visit_type_mut(&mut ty);
    Some(ty)
}
