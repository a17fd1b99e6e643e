//! Which functions of a generic type have nothing to be told but the type.

use quote::ToTokens;
use syn::{FnArg, GenericParam, ItemImpl, ReturnType, Signature, Type};

use super::each;
use crate::dispatch::is_length;
use crate::signature::{Function, untold};

/// Whether all that has to be told of a function of a generic type is the type: it computes with numbers alone, or makes a value of the type from
/// them, of which constants are all that its arguments leave open.
pub(crate) fn is_of_numbers(block: &ItemImpl, function: &Function) -> bool {
    let own = block.generics.params.len() == function.generics.params.len();
    own && (signature_is_of_numbers(&function.written) || makes_its_type(block, &function.written))
}

/// Whether a function makes a value of its block's type from numbers: `fn from_slice(x: &[f64]) -> Matrix<N>`.
fn makes_its_type(block: &ItemImpl, sig: &Signature) -> bool {
    let (ReturnType::Type(_, output), Type::Path(own)) = (&sig.output, &*block.self_ty) else {
        return false;
    };
    let arguments = || sig.inputs.iter().filter_map(typed);
    let open = untold(&block.generics, arguments().map(ToTokens::to_token_stream));
    let is_open_length = |param: &GenericParam| match param {
        GenericParam::Lifetime(_) => true,
        GenericParam::Type(param) => !open.contains(&&param.ident),
        GenericParam::Const(param) => is_length(param) || !open.contains(&&param.ident),
    };
    let params = block.generics.params.iter();
    let types: Vec<String> = (block.generics.type_params())
        .map(|param| param.ident.to_string())
        .collect();
    let constants = block
        .generics
        .const_params()
        .map(|param| param.ident.to_string());
    let others: Vec<String> = types.iter().cloned().chain(constants).collect();
    let of_numbers =
        |name: &str| is_name_of_numbers(name) || others.iter().any(|other| other == name);
    let moves = |name: &str| is_float(name) || types.iter().any(|of| of == name);
    let made = |name: &str| of_numbers(name) || own.path.segments.iter().any(|s| s.ident == name);
    block.trait_.is_none()
        && params.into_iter().all(is_open_length)
        && arguments().all(|ty| all_names(ty, of_numbers))
        && arguments().any(|ty| !all_names(ty, |name| !moves(name)))
        && all_names(output, made)
}

fn typed(arg: &FnArg) -> Option<&Type> {
    match arg {
        FnArg::Typed(arg) => Some(&arg.ty),
        FnArg::Receiver(_) => None,
    }
}

/// Whether this holds of all names in a type.
fn all_names(ty: &Type, is: impl Fn(&str) -> bool) -> bool {
    let mut all = true;
    each(ty.to_token_stream(), &mut |name| {
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        all &= !is_name || is(name);
    });
    all
}

fn is_float(name: &str) -> bool {
    name == "f64" || name == "f32"
}

/// Whether a name in a type is that of a number, or of what holds numbers.
fn is_name_of_numbers(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "bool", "f32", "f64", "i32", "i64", "isize", "mut", "u32", "u64", "usize", "Vec", "Option",
    ];
    KNOWN.contains(&name)
}

/// Whether a function takes and gives numbers alone, floats among them: all of its types have tangent spaces.
pub(crate) fn signature_is_of_numbers(sig: &Signature) -> bool {
    let mut float = false;
    let mut is_known = |ty: &Type| {
        each(ty.to_token_stream(), &mut |name| float |= is_float(name));
        all_names(ty, is_name_of_numbers)
    };
    let mut known = sig.inputs.iter().filter_map(typed).all(&mut is_known);
    if let ReturnType::Type(_, ty) = &sig.output {
        known &= is_known(ty);
    }
    known && float
}
