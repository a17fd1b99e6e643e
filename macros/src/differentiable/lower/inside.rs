//! Functions that stand inside of the body.

use std::collections::HashSet;

use proc_macro2::Ident;
use syn::visit::Visit;

/// Attributes that give a function rules.
const MARKS: &[&str] = &[
    "autodiff_forward",
    "autodiff_reverse",
    "differentiable",
    "inactive",
    "primitive",
];

/// The functions inside of a body that have no rules. A function outside of it that has the same name has nothing to do with them.
pub(super) fn unmarked(body: &syn::Block) -> HashSet<Ident> {
    struct Find(HashSet<Ident>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            let is_mark = |a: &syn::Attribute| {
                let last = a.path().segments.last();
                last.is_some_and(|s| MARKS.iter().any(|mark| s.ident == mark))
            };
            if !item.attrs.iter().any(is_mark) {
                self.0.insert(item.sig.ident.clone());
            }
        }
    }
    let mut find = Find(HashSet::new());
    find.visit_block(body);
    find.0
}
