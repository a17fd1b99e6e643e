//! What the file of an identifier says beside the item that an attribute sees. It is read once for each question.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread::LocalKey;

use syn::{Ident, Item, ItemImpl, Type};

/// Answers by the files that they were found in.
pub(crate) type Answers<T> = RefCell<HashMap<PathBuf, Rc<T>>>;

/// What is found in the file of an identifier; `None` if it is of no file.
pub(crate) fn found<T: Default>(
    name: &Ident,
    answers: &'static LocalKey<Answers<T>>,
    find: fn(&syn::File) -> T,
) -> Option<Rc<T>> {
    let file = name.span().local_file()?;
    Some(answers.with_borrow_mut(|answers| {
        let read = || {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            Rc::new(syn::parse_file(&text).map_or_else(|_| T::default(), |file| find(&file)))
        };
        Rc::clone(answers.entry(file.clone()).or_insert_with(read))
    }))
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
