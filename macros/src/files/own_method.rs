//! Whether a type has a marked method of its own with the name of a trait's method: `impl Moments { fn mean(&self) … }` beside
//! `impl Statistics for Moments { fn mean(&self) … }`.
//!
//! `m.mean()` is then the type's own, and has its rule. The trait's method is not found by its name, and may have a marker of its own. An attribute on the one block does
//! not see the other; their file has both.

use std::collections::HashSet;
use std::rc::Rc;

use syn::{Ident, ImplItem, ImplItemFn, Item, ItemImpl};

use super::answers::Answers;
use super::source::{self, name_of};

/// Methods of a file that a call by the name alone may mean.
#[derive(Debug, Default)]
struct Methods {
    /// Types, and methods of theirs that have rules.
    own: HashSet<(String, String)>,
    /// Types, traits, and methods of these that are implemented for those.
    of_traits: HashSet<(String, String, String)>,
    /// Types and traits, as often as marked blocks implement these for those.
    implemented: Vec<(String, String)>,
    /// As often as any blocks do.
    blocks: Vec<(String, String)>,
}

thread_local!(static KNOWN: Answers<Methods> = Answers::default());

/// Whether the type of a block has, in the same file, a marked method of its own with the name of this one, or a method of another trait.
pub(crate) fn stands_beside(block: &ItemImpl, method: &ImplItemFn) -> bool {
    let name = &method.sig.ident;
    let (Some(of), Some(methods)) = (name_of(&block.self_ty), found(name)) else {
        return false;
    };
    let name = name.to_string();
    let own = methods.own.contains(&(of.clone(), name.clone()));
    let this = trait_of(block);
    let another = |(ty, other, method): &(String, String, String)| {
        *ty == of && *method == name && this.as_ref().is_some_and(|this| this != other)
    };
    own || methods.of_traits.iter().any(another)
}

/// Whether the file has another implementation of the block's trait, with other arguments, for its type: `impl Transform<Point2> for Matrix` beside
/// `impl Transform<Point3> for Matrix`.
pub(crate) fn is_one_of_several(block: &ItemImpl, method: &ImplItemFn) -> bool {
    implementations(block, method, |methods| &methods.implemented).is_some_and(|n| n > 1)
}

/// Whether the file has no other implementation of the block's trait for its type, and has this one. Another file may; then the two are
/// definitions of one name, and do not compile.
pub(crate) fn is_sole(block: &ItemImpl, method: &ImplItemFn) -> bool {
    implementations(block, method, |methods| &methods.blocks) == Some(1)
}

/// How many of some blocks of the file implement the block's trait for its type, if the file is known.
fn implementations(
    block: &ItemImpl,
    method: &ImplItemFn,
    of: fn(&Methods) -> &[(String, String)],
) -> Option<usize> {
    let this = (name_of(&block.self_ty)?, trait_of(block)?);
    let methods = found(&method.sig.ident)?;
    Some(of(&methods).iter().filter(|b| **b == this).count())
}

/// Whether methods of this name are those of one trait, in the file.
pub(crate) fn is_of_one_trait(name: &Ident) -> bool {
    found(name).is_some_and(|methods| {
        let name = name.to_string();
        let traits = methods
            .of_traits
            .iter()
            .filter(|(.., method)| *method == name);
        let traits: HashSet<&String> = traits.map(|(_, of, _)| of).collect();
        traits.len() == 1 && !methods.own.iter().any(|(_, method)| *method == name)
    })
}

fn found(name: &Ident) -> Option<Rc<Methods>> {
    source::found(name, &KNOWN, |file| read(&file.items))
}

fn read(items: &[Item]) -> Methods {
    let mut methods = Methods::default();
    source::items(items, &mut |item| {
        let Item::Impl(block) = item else { return };
        let Some(of) = name_of(&block.self_ty) else {
            return;
        };
        let names = block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(method) if !source::has_attribute(&method.attrs, &["skip"]) => {
                Some(method.sig.ident.to_string())
            }
            _ => None,
        });
        let name = trait_of(block);
        methods
            .blocks
            .extend(name.iter().map(|name| (of.clone(), name.clone())));
        if let Some(name) = name.as_ref().filter(|_| is_marked(block)) {
            methods.implemented.push((of.clone(), name.clone()));
        }
        match name {
            Some(name) => methods
                .of_traits
                .extend(names.map(|method| (of.clone(), name.clone(), method))),
            None if is_marked(block) => {
                methods.own.extend(names.map(|method| (of.clone(), method)));
            }
            None => {}
        }
    });
    methods
}

/// The trait of a block, by its last name.
fn trait_of(block: &ItemImpl) -> Option<String> {
    let (path, _) = block.trait_.as_ref()?;
    path.segments.last().map(|s| s.ident.to_string())
}

fn is_marked(block: &ItemImpl) -> bool {
    source::has_attribute(&block.attrs, &["differentiable", "inactive", "primitive"])
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn marked_methods_of_a_type_are_found() {
        let file = "
            #[coenzyme::differentiable] impl Moments { fn mean(&self) -> f64 { 0.0 } #[skip] fn skipped(&self) {} }
            impl Moments { fn unmarked(&self) {} }
            #[differentiable] impl Statistics for Moments { fn sum(&self) {} }
            mod inside { #[inactive] impl Pair<f64> { fn first(&self) {} } }
        ";
        let methods = read(&syn::parse_file(file).unwrap().items);
        let implemented = ("Moments".to_owned(), "Statistics".to_owned());
        assert_eq!(methods.implemented, [implemented]);
        let expected = [("Moments", "mean"), ("Pair", "first")];
        assert_eq!(
            methods.own,
            expected
                .map(|(of, name)| (of.to_owned(), name.to_owned()))
                .into()
        );
    }
}
