//! What the functions of a crate say of the closures that they take: a caller in another file knows them by their names.

use std::collections::HashMap;
use std::rc::Rc;

use syn::{Ident, ImplItem, Item, Signature};

use super::answers::Answers;
use super::nearest::Nearest;
use super::source::{self, Read, name_of};
use crate::differentiable::resolve::beside::Named;
use crate::differentiable::resolve::fn_bounds::{self, Told};

/// By the names of functions, of those that are declared once; `None` for what is declared more than once.
type Declared = HashMap<Named, Option<Told>>;

/// What the files of a crate declare.
#[derive(Debug, Default)]
pub(crate) struct OwnClosures(Nearest<Declared>);

impl OwnClosures {
    /// What the files of the crate declare that a function stands in.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<OwnClosures> = Answers::default());
        source::found_in_crate(function, &KNOWN, Self::read).unwrap_or_default()
    }

    fn read(files: &[Read]) -> Self {
        Self(Nearest::read(files, |declared: &mut Declared, file| {
            source::items(&file.items, &mut |item| match item {
                Item::Fn(item) => note(
                    declared,
                    Named::Function(item.sig.ident.to_string()),
                    &item.sig,
                ),
                Item::Impl(block) if block.trait_.is_none() && block.generics.params.is_empty() => {
                    let Some(of) = name_of(&block.self_ty) else {
                        return;
                    };
                    for item in &block.items {
                        if let ImplItem::Fn(method) = item {
                            let named = Named::Method(of.clone(), method.sig.ident.to_string());
                            note(declared, named, &method.sig);
                        }
                    }
                }
                _ => {}
            });
        }))
    }

    /// What a function says that is called in the file of `near`.
    pub(crate) fn told(&self, function: &Named, near: &Ident) -> Option<&Told> {
        self.0
            .ask(near, |declared| declared.get(function))?
            .as_ref()
    }
}

fn note(declared: &mut Declared, function: Named, sig: &Signature) {
    let told = fn_bounds::told(sig);
    let known = declared.entry(function);
    known.and_modify(|told| *told = None).or_insert(told);
}
