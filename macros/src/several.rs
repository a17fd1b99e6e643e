//! Methods of which a type has several by one name: implementations of one trait with other arguments, `impl NoiseFn<f64, 2> for Worley` beside
//! `impl NoiseFn<f64, 3> for Worley`, a method of the type's own beside a trait's method of its name, and blocks for one type with other arguments,
//! `impl Moments<2>` beside `impl Moments<3>`.
//!
//! Such a method has a marker of its own, and is not found by its name alone.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprMethodCall, GenericArgument, GenericParam, ImplItemFn, ItemImpl,
    PathArguments, Type,
};

use crate::files::own_method;
use crate::operator::{Operator, is_compound, words};

/// What tells the marker of such a method from the others: `NoiseFn_f64_2`.
pub(crate) fn suffix(block: &ItemImpl, method: &ImplItemFn) -> Option<String> {
    let (path, _) = block.trait_.as_ref()?;
    if Operator::of(block).is_some() || is_compound(block) {
        return None;
    }
    let last = path.segments.last()?;
    let is_own = forwards(block, method) || own_method::stands_beside(block, method);
    let name = &last.ident;
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return is_own.then(|| name.to_string());
    };
    let mut args = list.args.iter();
    let may_differ = |arg: &GenericArgument| match arg {
        GenericArgument::Type(ty) if is_open(block, ty) => true,
        arg => is_one_of_several(arg) && !own_method::is_sole(block, method),
    };
    if !is_own
        && !args.any(may_differ)
        && (list.args.iter().any(is_float) || !own_method::is_one_of_several(block, method))
    {
        return None;
    }
    let ty: Type = syn::parse2(last.to_token_stream()).ok()?;
    Some(words(&ty))
}

fn is_float(arg: &GenericArgument) -> bool {
    matches!(arg, GenericArgument::Type(ty) if crate::operator::is_number(ty))
}

/// What tells the markers of a block from those of another for the same type with other arguments, `2` of `impl Moments<2>` beside `impl Moments<3>`.
/// A block for a float keeps the name.
pub(crate) fn of_type(block: &ItemImpl) -> Option<String> {
    let Type::Path(of) = crate::operator::behind(&block.self_ty) else {
        return None;
    };
    let PathArguments::AngleBracketed(list) = &of.path.segments.last()?.arguments else {
        return None;
    };
    let is_own = |ty: &Type| matches!(ty, Type::Path(ty) if ty.path.get_ident().is_some_and(|name| is_parameter(block, name)));
    let told = list.args.iter().filter(|arg| match arg {
        GenericArgument::Const(_) => true,
        GenericArgument::Type(ty) => !is_own(ty) && !crate::operator::is_number(ty),
        _ => false,
    });
    let told: Vec<_> = told.map(|arg| arg.to_token_stream()).collect();
    let words = words(&Type::Verbatim(quote::quote!(#(#told)*)));
    (!words.is_empty()).then_some(words)
}

fn is_parameter(block: &ItemImpl, name: &syn::Ident) -> bool {
    block.generics.params.iter().any(|param| match param {
        GenericParam::Type(param) => param.ident == *name,
        GenericParam::Const(param) => param.ident == *name,
        GenericParam::Lifetime(_) => false,
    })
}

/// Whether a trait's argument is one that other implementations for the type are likely to have otherwise: a constant, a type without derivative, a
/// reference, and a tuple. An implementation for a float keeps the name, and so does one that is alone in its file.
fn is_one_of_several(arg: &GenericArgument) -> bool {
    const WITHOUT_DERIVATIVE: &[&str] = &[
        "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "String", "u8", "u16", "u32",
        "u64", "u128", "usize",
    ];
    match arg {
        GenericArgument::Const(_) => true,
        GenericArgument::Type(Type::Path(ty))
            if WITHOUT_DERIVATIVE.iter().any(|name| ty.path.is_ident(name)) =>
        {
            true
        }
        // `FromIterator<&f64>` beside `FromIterator<f64>`, `Direct<(f64, f64)>` beside `Direct<(f64, f64, f64)>`
        GenericArgument::Type(Type::Reference(_) | Type::Tuple(_)) => true,
        _ => false,
    }
}

/// Whether a type names a parameter of a block that its own type does not.
fn is_open(block: &ItemImpl, ty: &Type) -> bool {
    let (of_self, ty) = (block.self_ty.to_token_stream(), ty.to_token_stream());
    let mut params = block
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        });
    params.any(|param| mentions(ty.clone(), param) && !mentions(of_self.clone(), param))
}

/// Whether an argument of the trait that a block implements leaves the type open: `impl<T: Close> Next<&T> for Average`. A constant does not.
pub(crate) fn leaves_open(block: &ItemImpl) -> bool {
    let path = block.trait_.as_ref().map(|(path, _)| path);
    let last = path.and_then(|path| path.segments.last());
    let Some(PathArguments::AngleBracketed(list)) = last.map(|last| &last.arguments) else {
        return false;
    };
    let mut args = list.args.iter();
    let is_constant = |ty: &Type| matches!(ty, Type::Path(ty) if block.generics.const_params().any(|param| ty.path.is_ident(&param.ident)));
    args.any(
        |arg| matches!(arg, GenericArgument::Type(ty) if is_open(block, ty) && !is_constant(ty)),
    )
}

fn mentions(tokens: TokenStream, name: &syn::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == *name,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// Whether a trait's method calls one of its name on the type itself, which is the type's own, or it would run for ever: `Rect::area(self)`.
fn forwards(block: &ItemImpl, method: &ImplItemFn) -> bool {
    struct Find<'a> {
        of: Option<&'a syn::Ident>,
        name: &'a syn::Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Find<'_> {
        fn visit_expr_call(&mut self, call: &'a ExprCall) {
            if let Expr::Path(path) = &*call.func
                && let [.., of, name] = &path.path.segments.iter().collect::<Vec<_>>()[..]
            {
                let is_self = of.ident == "Self" || Some(&of.ident) == self.of;
                self.found |= is_self && name.ident == *self.name && path.qself.is_none();
            }
            visit::visit_expr_call(self, call);
        }
        fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
            let is_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
            self.found |= is_self && call.method == *self.name;
            visit::visit_expr_method_call(self, call);
        }
    }
    let of = match &*block.self_ty {
        Type::Path(ty) => ty.path.segments.last().map(|s| &s.ident),
        _ => None,
    };
    let mut find = Find {
        of,
        name: &method.sig.ident,
        found: false,
    };
    find.visit_block(&method.block);
    find.found
}
