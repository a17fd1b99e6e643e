//! Calls that make a value and do nothing else, by their paths.

use syn::Expr;

/// `Some(x)`, `f64::from(x)`, `T::zero()`: a call that makes a value and does nothing else.
pub(crate) fn is_constructor(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    let mut segments = path.path.segments.iter().rev();
    let Some(last) = segments.next() else {
        return false;
    };
    let name = last.ident.to_string();
    let upper = |s: &str| s.starts_with(char::is_uppercase);
    let of_type = segments.next().is_some_and(|s| {
        let s = s.ident.to_string();
        upper(&s) || ["f64", "f32", "usize", "i32", "u32", "i64", "u64"].contains(&s.as_str())
    });
    upper(&name)
        || of_type
            && [
                "from",
                "new",
                "zero",
                "one",
                "lit",
                "default",
                "with_capacity",
                "PI",
                "max",
                "min",
                "epsilon",
                "infinity",
                "neg_infinity",
                "nan",
                "zeros",
                "ones",
                "try_from",
            ]
            .contains(&name.as_str())
}
