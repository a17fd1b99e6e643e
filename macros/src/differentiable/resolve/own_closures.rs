//! What the functions of a crate say of the closures that they take: a caller in another file knows them by their names.

use std::collections::HashMap;
use std::rc::Rc;

use syn::{Ident, ImplItem, Item, Signature};

use super::beside::Named;
use super::fn_bounds::{self, Told};
use crate::files::answers::Answers;
use crate::files::nearest::Nearest;
use crate::files::source::{self, Read, name_of};

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

    /// What a function says that is called in the file of `near`: that of the module which a path or an import names, or the one of its name.
    pub(crate) fn told<'d>(
        &'d self,
        function: &Named,
        module: Option<&str>,
        near: &Ident,
    ) -> Option<&'d Told> {
        let ask = |declared: &'d Declared| declared.get(function);
        let of_module = module.and_then(|module| self.0.ask_module(module, ask));
        of_module.or_else(|| self.0.ask(near, ask))?.as_ref()
    }
}

fn note(declared: &mut Declared, function: Named, sig: &Signature) {
    let told = fn_bounds::told(sig);
    let known = declared.entry(function);
    known.and_modify(|told| *told = None).or_insert(told);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_tells_functions_of_one_name_apart() {
        let of = |path: &str, text| {
            let file = syn::parse_file(text).expect("a file");
            (path.into(), Rc::new(file))
        };
        let declared = OwnClosures::read(&[
            of(
                "src/ode.rs",
                "fn step(f: fn(f64) -> f64) {} fn twice(f: fn(f64)) {} fn twice(g: fn(f64)) {}",
            ),
            of(
                "src/pde.rs",
                "fn step(u: &[f64], f: fn(&[f64]) -> f64) {} impl Grid { fn each(&self, f: impl Fn(usize)) {} }",
            ),
        ]);
        let near = syn::parse_quote!(caller);
        let parameters = |named: Named, module| {
            let told = declared.told(&named, module, &near);
            told.map(|told| told.parameters.len())
        };
        let step = || Named::Function("step".to_owned());
        let told =
            [Some("ode"), Some("pde"), None, Some("mesh")].map(|module| parameters(step(), module));
        assert_eq!(told, [Some(1), Some(2), None, None]);
        assert_eq!(
            parameters(Named::Function("twice".to_owned()), Some("ode")),
            None
        );
        assert_eq!(
            parameters(Named::Method("Grid".to_owned(), "each".to_owned()), None),
            Some(2)
        );
    }
}
