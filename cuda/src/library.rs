//! The kernels of the rules, one text for each kind of number.

use crate::element::Element;
use crate::source::Source;

const TEXT: &str = include_str!("kernels/library.hpp");

/// The kernels for numbers `T`.
pub fn source<T: Element>() -> Source {
    Source::new(
        format!("library {}", T::NAME),
        format!("typedef {} T;\n{TEXT}", T::NAME),
        &kernels(),
    )
}

/// The names after `KERNEL`, and both of each `TEAM`.
fn kernels() -> Vec<&'static str> {
    const TEAMS: &[&str] = &[
        "sum_rows",
        "sum_columns",
        "maximum_rows",
        "maximum_columns",
        "maximum_tangent_rows",
        "maximum_tangent_columns",
        "logsumexp_rows",
        "logsumexp_columns",
        "logsumexp_tangent_rows",
        "logsumexp_tangent_columns",
        "softmax_rows",
        "softmax_columns",
        "softmax_map_rows",
        "softmax_map_columns",
        "standardize_rows",
        "standardize_columns",
        "standardize_map_rows",
        "standardize_map_columns",
        "prefix_sum_rows",
        "prefix_sum_columns",
    ];
    let named = TEXT
        .lines()
        .filter_map(|line| line.strip_prefix("KERNEL ")?.split('(').next());
    named.chain(TEAMS.iter().copied()).collect()
}
