//! Whether a type has a marked method of its own with the name of a trait's method: `impl Moments { fn mean(&self) … }` beside
//! `impl Statistics for Moments { fn mean(&self) … }`.
//!
//! `m.mean()` is then the type's own, and has its rule. The trait's method is not found by its name, and may have a marker of its own. An attribute on the one block does
//! not see the other; their file has both.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use syn::{ImplItem, ImplItemFn, Item, ItemImpl, Type};

/// Types and methods of theirs that have rules.
type Methods = HashSet<(String, String)>;

/// Whether the type of a block has a marked method of its own, in the same file, with the name of this one.
pub(crate) fn stands_beside(block: &ItemImpl, method: &ImplItemFn) -> bool {
    thread_local!(static KNOWN: RefCell<HashMap<PathBuf, Rc<Methods>>> = RefCell::default());
    let (Some(of), Some(file)) = (
        name_of(&block.self_ty),
        method.sig.ident.span().local_file(),
    ) else {
        return false;
    };
    let methods = KNOWN.with_borrow_mut(|known| {
        let read = || Rc::new(read(&file));
        Rc::clone(known.entry(file.clone()).or_insert_with(read))
    });
    methods.contains(&(of, method.sig.ident.to_string()))
}

fn read(file: &Path) -> Methods {
    let mut methods = Methods::new();
    let text = std::fs::read_to_string(file).unwrap_or_default();
    if let Ok(file) = syn::parse_file(&text) {
        collect(&file.items, &mut methods);
    }
    methods
}

/// The methods of marked blocks without trait.
fn collect(items: &[Item], methods: &mut Methods) {
    for item in items {
        match item {
            Item::Mod(module) => {
                let items = module.content.as_ref().map(|(_, items)| &items[..]);
                collect(items.unwrap_or_default(), methods);
            }
            Item::Impl(block) if block.trait_.is_none() && is_marked(block) => {
                let Some(of) = name_of(&block.self_ty) else {
                    continue;
                };
                let with_rules = block.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) if !has(&method.attrs, &["skip"]) => Some(method),
                    _ => None,
                });
                methods.extend(with_rules.map(|m| (of.clone(), m.sig.ident.to_string())));
            }
            _ => {}
        }
    }
}

fn is_marked(block: &ItemImpl) -> bool {
    has(&block.attrs, &["differentiable", "inactive", "primitive"])
}

fn has(attributes: &[syn::Attribute], names: &[&str]) -> bool {
    let mut last = attributes.iter().filter_map(|a| a.path().segments.last());
    last.any(|last| names.iter().any(|name| last.ident == name))
}

/// `Moments` of `stats::Moments<T>`.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Methods, collect};

    #[test]
    fn marked_methods_of_a_type_are_found() {
        let file = "
            #[coenzyme::differentiable] impl Moments { fn mean(&self) -> f64 { 0.0 } #[skip] fn skipped(&self) {} }
            impl Moments { fn unmarked(&self) {} }
            #[differentiable] impl Statistics for Moments { fn sum(&self) {} }
            mod inside { #[inactive] impl Pair<f64> { fn first(&self) {} } }
        ";
        let mut methods = Methods::new();
        collect(&syn::parse_file(file).unwrap().items, &mut methods);
        let expected = [("Moments", "mean"), ("Pair", "first")];
        assert_eq!(
            methods,
            expected
                .map(|(of, name)| (of.to_owned(), name.to_owned()))
                .into()
        );
    }
}
