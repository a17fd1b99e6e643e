//! What the file of an identifier says beside the item that an attribute sees.

use std::path::Path;
use std::rc::Rc;
use std::thread::LocalKey;

use syn::{Ident, Item, ItemImpl, Type};

use super::answers::Answers;

/// What is found in the file of an identifier; `None` if it is of no file.
pub(crate) fn found<T: Default>(
    name: &Ident,
    answers: &'static LocalKey<Answers<T>>,
    find: fn(&syn::File) -> T,
) -> Option<Rc<T>> {
    let file = name.span().local_file()?;
    let read = || parsed(&file).map_or_else(T::default, |file| find(&file));
    Some(answers.with(|answers| answers.of(&file, read)))
}

/// What a file holds, if it can be read and parsed.
pub(crate) fn parsed(file: &Path) -> Option<syn::File> {
    let text = std::fs::read_to_string(file).ok()?;
    syn::parse_file(&text).ok()
}

/// The items of a file and of the modules in it.
pub(crate) fn items<'a>(items: &'a [Item], found: &mut dyn FnMut(&'a Item)) {
    for item in items {
        found(item);
        if let Item::Mod(module) = item
            && let Some((_, inside)) = &module.content
        {
            self::items(inside, found);
        }
    }
}

/// The implementations of a trait, by its last name.
pub(crate) fn implementations<'a>(
    file: &'a syn::File,
    of: &'a [&'a str],
    found: &mut dyn FnMut(String, &'a ItemImpl),
) {
    items(&file.items, &mut |item| {
        if let Item::Impl(block) = item
            && let Some((path, _)) = &block.trait_
            && path
                .segments
                .last()
                .is_some_and(|s| of.iter().any(|name| s.ident == name))
            && let Some(name) = name_of(&block.self_ty)
        {
            found(name, block);
        }
    });
}

/// `Moments` of `stats::Moments<T>`.
pub(crate) fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
