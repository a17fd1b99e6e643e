//! What is known of the names of macros.

/// Macros that run in the primal only.
pub(crate) fn is_verbatim_macro(name: &str) -> bool {
    const VERBATIM: &[&str] = &[
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "println",
        "print",
        "eprintln",
        "eprint",
        "dbg",
    ];
    VERBATIM.contains(&name)
}

/// Macros whose value, if they have one, carries no derivative, whatever stands in them.
pub(crate) fn is_inactive_macro(name: &str) -> bool {
    let runs = is_verbatim_macro(name) && name != "dbg";
    runs || is_diverging_macro(name) || answers(name)
}

/// Macros that have a value, and one without derivative.
pub(crate) fn answers(name: &str) -> bool {
    const INACTIVE: &[&str] = &[
        "format",
        "matches",
        "s",
        "concat",
        "stringify",
        "line",
        "env",
    ];
    INACTIVE.contains(&name)
}

/// Macros that do not return.
pub(crate) fn is_diverging_macro(name: &str) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"].contains(&name)
}
