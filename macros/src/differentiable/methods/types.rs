//! What is known of the names of types.

use crate::files::crate_names;
use crate::files::own_names;

/// Types of parameters that carry no derivative, as far as tokens tell.
pub(crate) fn is_inactive_type(ty: &syn::Type) -> bool {
    const INACTIVE: &[&str] = &[
        "bool",
        "char",
        "str",
        "String",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "Inactive",
        "RangeInclusive",
        "Duration",
        "NonZero",
        "NonZeroUsize",
        "NonZeroU8",
        "NonZeroU16",
        "NonZeroU32",
        "NonZeroU64",
    ];
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|s| {
            let name = s.ident.to_string();
            if crate_names::variants_of(ty).is_some() {
                return true;
            }
            if path.path.segments.len() == 1 && own_names::is_item(&s.ident) {
                return false;
            }
            INACTIVE.contains(&name.as_str())
                || name == "Range" && generic_argument(s).is_none_or(is_inactive_type)
                || (name == "Vec" || name == "Option" || name == "Box")
                    && generic_argument(s).is_some_and(is_inactive_type)
        }),
        syn::Type::Slice(slice) => is_inactive_type(&slice.elem),
        syn::Type::Array(array) => is_inactive_type(&array.elem),
        syn::Type::Reference(reference) => is_inactive_type(&reference.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_inactive_type),
        syn::Type::Paren(paren) => is_inactive_type(&paren.elem),
        _ => false,
    }
}

/// The first type argument of a path segment.
fn generic_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return None;
    };
    args.args.iter().find_map(|a| match a {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
