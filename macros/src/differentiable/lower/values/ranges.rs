//! Ranges of active numbers: only `a..b` has ends that a derivative could follow.

use crate::differentiable::lower::Lower;

impl Lower<'_> {
    /// Refuses `a..=b`, `a..` and `..b`, as `expand/range_values.rs` writes them out, of active numbers. Whether it is one.
    pub(crate) fn refused_range(&mut self, path: &syn::Path) -> bool {
        let names: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let refused = matches!(
            names[..],
            ["core", "ops", "RangeInclusive", "new"]
                | ["core", "ops", "RangeFrom" | "RangeTo" | "RangeToInclusive"]
        );
        if refused {
            self.errors.at(
                path,
                "of ranges of active numbers only `a..b` carries derivatives: write that, or keep the ends in two locals",
            );
        }
        refused
    }
}
