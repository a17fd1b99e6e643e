//! Paths that name an item of the standard library or of `ndarray`. A path through any other module is the user's.

use syn::{Expr, Ident, Path};

use crate::files::own_names;

/// Crates, and the names they are known by here.
const ROOTS: &[&str] = &["std", "core", "alloc", "ndarray", "coenzyme"];

/// Whether a path begins with an item of the file that it is written in.
fn begins_with_own(path: &Path) -> bool {
    path.segments.first().is_some_and(|first| {
        let is_crate = ROOTS.iter().any(|root| first.ident == root);
        !is_crate && own_names::is_item(&first.ident)
    })
}

/// The segments of a path without the crate in front.
fn inside_crate(path: &Path) -> Vec<String> {
    let names = path.segments.iter().map(|s| s.ident.to_string());
    names
        .skip_while(|name| ROOTS.contains(&name.as_str()))
        .collect()
}

/// Whether a path names `item`, of which at least the last `shortest` names are written: `mem::swap`, `std::mem::swap`.
///
/// What the path means is asserted where it matters, by the witness in `premises`.
pub(crate) fn names(path: &Path, item: &[&str], shortest: usize) -> bool {
    let names = inside_crate(path);
    !begins_with_own(path)
        && names.len() >= shortest
        && names.len() <= item.len()
        && item[item.len() - names.len()..].iter().eq(names.iter())
}

/// As [`names`], of an expression.
pub(crate) fn is(func: &Expr, item: &[&str], shortest: usize) -> bool {
    matches!(func, Expr::Path(path) if path.qself.is_none() && names(&path.path, item, shortest))
}

/// The name of a macro of the standard library or of `ndarray`; `None` for one of the user's modules.
pub(crate) fn macro_name(path: &Path) -> Option<String> {
    match &inside_crate(path)[..] {
        [_] if path.get_ident().is_some_and(own_names::is_macro) => None,
        [name] => Some(name.clone()),
        _ => None,
    }
}

/// Whether a macro is `vec!`.
pub(crate) fn is_vec(path: &Path) -> bool {
    macro_name(path).is_some_and(|name| name == "vec")
}

/// `vec![x]`, `Vec::new()`, `Vec::with_capacity(n)`, `x.to_vec()`.
pub(crate) fn makes_vector(expr: &Expr) -> bool {
    match expr {
        Expr::Macro(made) => is_vec(&made.mac.path),
        Expr::MethodCall(call) => call.method == "to_vec",
        Expr::Call(call) => ["new", "with_capacity"]
            .iter()
            .any(|name| is(&call.func, &["vec", "Vec", name], 2)),
        _ => false,
    }
}

/// Whether an expression is a vector that a chain was collected into: `x.iter().map(f).collect::<Vec<_>>()`.
pub(crate) fn is_collected(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let into = call.turbofish.as_ref().and_then(|told| told.args.first());
    let is_vec = |path: &Path| path.segments.last().is_some_and(|s| s.ident == "Vec");
    call.method == "collect"
        && matches!(into, Some(syn::GenericArgument::Type(syn::Type::Path(ty))) if is_vec(&ty.path))
}

/// Whether a type is called like one of `ndarray`: `Array`, `Array2`, `ArrayViewMutD`.
pub(crate) fn is_array_name(name: &str) -> bool {
    const ARRAYS: &[&str] = &[
        "ArrayViewMut",
        "ArrayView",
        "ArrayRef",
        "ArrayBase",
        "Array",
        "ArcArray",
        "CowArray",
    ];
    let axes = ARRAYS.iter().find_map(|array| name.strip_prefix(*array));
    axes.is_some_and(|axes| matches!(axes, "" | "D" | "0" | "1" | "2" | "3" | "4" | "5" | "6"))
}

/// Whether a type is called like one that is no user's.
pub(crate) fn is_library_type(path: &Path) -> bool {
    const TYPES: &[&str] = &[
        "Arc",
        "BTreeMap",
        "BTreeSet",
        "Box",
        "Cell",
        "Complex",
        "Complex32",
        "Complex64",
        "Cow",
        "Dual",
        "Duration",
        "HashMap",
        "HashSet",
        "Inactive",
        "Option",
        "Range",
        "RangeInclusive",
        "Rc",
        "RefCell",
        "Result",
        "String",
        "Vec",
        "VecDeque",
    ];
    path.segments.last().is_some_and(|s| {
        let name = s.ident.to_string();
        !begins_with_own(path) && TYPES.contains(&name.as_str()) || is_array_name(&name)
    })
}

/// Whether a path goes through the standard library, `ndarray` or this crate, or through a module of the first.
pub(crate) fn is_of_library(path: &Path) -> bool {
    const MODULES: &[&str] = &["array", "cmp", "iter", "mem"];
    path.segments.len() > 1
        && path.segments.first().is_some_and(|s| {
            let name = s.ident.to_string();
            ROOTS.contains(&name.as_str()) || MODULES.contains(&name.as_str())
        })
}

/// `Matrix` of `Matrix::new`, as far as the path tells.
pub(crate) fn type_of_function(path: &Path) -> Option<syn::Type> {
    let mut of = path.clone();
    of.segments.pop()?;
    of.segments.pop_punct();
    let is_type = of
        .segments
        .last()?
        .ident
        .to_string()
        .starts_with(char::is_uppercase);
    // `::coenzyme::__private::Blank::blank()`, of whatever type
    let is_ours = of.segments.iter().any(|s| s.ident == "__private");
    (is_type && !is_ours).then(|| syn::parse_quote!(#of))
}

/// Whether a function of `nalgebra` is named by a type's name that stands for types of many kinds, which do not tell it: its one marker is in
/// the prelude.
pub(crate) fn stands_for_many(ty: &Ident, name: &Ident) -> bool {
    let functions = [
        ("SMatrix", "from_diagonal"),
        ("Unit", "new_normalize"),
        ("Unit", "new_unchecked"),
    ];
    crate::beside::nalgebra()
        && functions
            .iter()
            .any(|(of, function)| ty == of && name == function)
}

/// The marker of a function: its path without generic arguments; `Type_name` for a function of a type.
pub(crate) fn marker_path(path: &Path) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    let mut segments: Vec<_> = path.segments.iter().cloned().collect();
    if let [.., ty, name] = &mut segments[..]
        && ty.ident.to_string().starts_with(char::is_uppercase)
    {
        let stands_for_many = stands_for_many(&ty.ident, &name.ident);
        ty.ident = quote::format_ident!("{}_{}", ty.ident, name.ident);
        segments.pop();
        if stands_for_many {
            segments.drain(..segments.len() - 1);
        }
        path.segments = segments.into_iter().collect();
    }
    path
}
