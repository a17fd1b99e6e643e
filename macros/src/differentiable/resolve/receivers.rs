//! How methods of the crate's own take their receivers, as its files tell: a proposal, which the types of rules and of what the primal runs assert.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Ident, ReceiverKind, Signature};

use crate::differentiable::syntax::names::plain;
use crate::files::answers::Answers;
use crate::files::nearest::Nearest;
use crate::files::source::{self, Read};
use crate::signature::gives_back;

/// How the methods of one name do.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Takes {
    /// All take `self` or `&self`.
    keep: bool,
    /// All take `&mut self`.
    change: bool,
    /// One takes `&mut self`.
    may_change: bool,
    /// All have rules.
    ruled: bool,
    /// All return their receivers.
    back: bool,
    /// All return values of the types that they are methods of.
    own: bool,
    /// All lend a part of their receivers, which may be changed there.
    part: bool,
}

impl Takes {
    fn and(self, other: Self) -> Self {
        Self {
            keep: self.keep && other.keep,
            change: self.change && other.change,
            may_change: self.may_change || other.may_change,
            ruled: self.ruled && other.ruled,
            back: self.back && other.back,
            own: self.own && other.own,
            part: self.part && other.part,
        }
    }
}

/// What the files of a crate tell of methods.
#[derive(Debug, Default)]
pub(crate) struct Receivers {
    of_names: Nearest<HashMap<String, Takes>>,
    /// The names of functions in macros, of which nothing is known.
    in_macros: HashSet<String>,
}

impl Receivers {
    /// What the files of the crate tell that a function stands in.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<Receivers> = Answers::default());
        source::found_in_crate(function, &KNOWN, Self::read).unwrap_or_default()
    }

    fn read(files: &[Read]) -> Self {
        let mut in_macros = HashSet::new();
        let of_names = Nearest::read(files, |known: &mut HashMap<String, Takes>, file| {
            let mut methods = Methods::default();
            methods.visit_file(file);
            for (name, takes) in &methods.found {
                note(known, name, *takes);
            }
            in_macros.extend(methods.in_macros);
        });
        Self {
            of_names,
            in_macros,
        }
    }

    /// Whether all methods of this name take `self` or `&self`.
    pub(crate) fn kept_by(&self, name: &str) -> bool {
        self.all(name, |takes| takes.keep)
    }

    /// Whether those of the caller's file take `&mut self`, or those of the crate if it has none.
    pub(crate) fn changed_by(&self, name: &str, caller: &Ident) -> bool {
        self.near(name, caller).is_some_and(|takes| takes.change)
    }

    /// Whether one of them does, and all have rules.
    pub(crate) fn changed_by_rules(&self, name: &str, caller: &Ident) -> bool {
        let takes = self.near(name, caller);
        takes.is_some_and(|takes| takes.may_change && takes.ruled)
    }

    /// Whether all have rules and return their receivers, which they take by `&mut`.
    pub(crate) fn given_back_by(&self, name: &str) -> bool {
        self.all(name, |takes| takes.back && takes.ruled)
    }

    /// Whether those of the caller's file, or of the crate if it has none, have rules and return values of the types that they are methods of.
    pub(crate) fn gives_own_type(&self, name: &str, caller: &Ident) -> bool {
        let takes = self.near(name, caller);
        takes.is_some_and(|takes| takes.own && takes.ruled)
    }

    /// Whether those lend a part of their receivers, which may be changed there.
    pub(crate) fn lend_a_part(&self, name: &str, caller: &Ident) -> bool {
        self.near(name, caller).is_some_and(|takes| takes.part)
    }

    /// Whether those have rules.
    pub(crate) fn ruled(&self, name: &str, caller: &Ident) -> bool {
        self.near(name, caller).is_some_and(|takes| takes.ruled)
    }

    /// Whether the crate has methods of this name, which all do so.
    fn all(&self, name: &str, so: impl Fn(&Takes) -> bool) -> bool {
        let name = plain(name);
        let takes = self.of_names.of_crate().get(name);
        takes.is_some_and(so) && !self.in_macros.contains(name)
    }

    fn near(&self, name: &str, caller: &Ident) -> Option<&Takes> {
        self.of_names.ask(caller, |known| known.get(plain(name)))
    }
}

fn note(known: &mut HashMap<String, Takes>, name: &str, takes: Takes) {
    let all = known.entry(name.to_owned()).or_insert(takes);
    *all = all.and(takes);
}

/// The methods of a file.
#[derive(Default)]
struct Methods {
    /// Whether an attribute gives rules to the block around.
    ruled: bool,
    /// The type of the block around.
    of: Option<String>,
    found: HashMap<String, Takes>,
    in_macros: HashSet<String>,
}

impl Methods {
    fn method(&mut self, sig: &Signature, back: bool) {
        let Some(receiver) = sig.receiver() else {
            return;
        };
        let (read, change) = match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => {
                (mutability.is_none(), mutability.is_some())
            }
            _ => (false, false),
        };
        let own = match &sig.output {
            syn::ReturnType::Type(_, ty) => source::name_of(ty),
            syn::ReturnType::Default => None,
        };
        let lent = matches!(&sig.output, syn::ReturnType::Type(_, ty)
            if matches!(&**ty, syn::Type::Reference(of) if of.mutability.is_some()));
        let takes = Takes {
            part: lent && change && !back,
            own: own.is_some_and(|own| own == "Self" || self.of.as_ref() == Some(&own)),
            keep: read || matches!(receiver.kind, ReceiverKind::Value),
            change,
            may_change: change,
            ruled: self.ruled,
            back,
        };
        note(&mut self.found, &sig.ident.to_string(), takes);
    }

    fn within(&mut self, attributes: &[syn::Attribute], inside: impl FnOnce(&mut Self)) {
        let ruled = source::has_attribute(attributes, &["differentiable", "primitive"]);
        let outside = std::mem::replace(&mut self.ruled, ruled);
        inside(self);
        self.ruled = outside;
    }
}

impl<'ast> Visit<'ast> for Methods {
    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        self.of = source::name_of(&block.self_ty);
        self.within(&block.attrs, |this| visit::visit_item_impl(this, block));
        self.of = None;
    }
    fn visit_item_trait(&mut self, block: &'ast syn::ItemTrait) {
        self.within(&block.attrs, |this| visit::visit_item_trait(this, block));
    }
    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.method(&f.sig, gives_back(&f.sig, &f.block));
        visit::visit_impl_item_fn(self, f);
    }
    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        self.method(&f.sig, false);
        visit::visit_trait_item_fn(self, f);
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        functions_in(mac.tokens.clone(), &mut self.in_macros);
    }
}

/// Notes the names of functions in the tokens of a macro.
fn functions_in(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut after_fn = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if after_fn => drop(found.insert(ident.to_string())),
            TokenTree::Group(group) => functions_in(group.stream(), found),
            _ => {}
        }
        after_fn = matches!(&token, TokenTree::Ident(ident) if ident == "fn");
    }
}

#[cfg(test)]
mod tests {
    use super::{Receivers, Takes};

    fn read(text: &str) -> Receivers {
        let file = syn::parse_file(text).expect("a file");
        Receivers::read(&[("lib.rs".into(), file.into())])
    }

    const TEXT: &str = "
        #[differentiable] impl A { fn at(&self) {} fn run(&mut self) {} fn end(&self) {} fn given(self) {} fn told(&self) {} }
        #[differentiable] impl B { fn end(&mut self) {} fn told(&self) {} }
        trait C { fn told(&mut self); }
        impl D { fn unmarked(&mut self) {} fn made(&self) {} }
        write! { fn made(&mut self) {} }
    ";

    #[test]
    fn a_method_leaves_its_receiver_if_all_of_its_name_do() {
        let found = read(TEXT);
        for name in ["run", "end", "told", "unmarked", "made", "none"] {
            assert!(!found.kept_by(name), "{name}");
        }
        assert!(found.kept_by("at") && found.kept_by("given"));
    }

    #[test]
    fn a_method_changes_if_all_of_its_name_do() {
        let found = read(TEXT);
        let is = |is: fn(&Takes) -> bool| {
            let mut names: Vec<&str> = found
                .of_names
                .of_crate()
                .iter()
                .filter(|(_, takes)| is(takes))
                .map(|(name, _)| &name[..])
                .collect();
            names.sort();
            names
        };
        assert_eq!(is(|takes| takes.change), ["run", "unmarked"]);
        assert_eq!(
            is(|takes| takes.may_change),
            ["end", "run", "told", "unmarked"]
        );
        assert_eq!(is(|takes| takes.may_change && takes.ruled), ["end", "run"]);
    }

    #[test]
    fn a_method_gives_its_type_if_all_of_its_name_do() {
        let found = read(
            "#[differentiable] impl A<f64> { fn at(&self) -> A<f64> {} fn on(&self) -> Self {} fn both(self) -> A {} fn len(&self) -> f64 {} }
            #[differentiable] impl B { fn both(self) -> f64 {} fn other(&self) -> A {} }
            impl C { fn unmarked(self) -> C {} }",
        );
        for (name, given) in [
            ("at", true),
            ("on", true),
            ("both", false),
            ("len", false),
            ("other", false),
            ("unmarked", false),
        ] {
            assert_eq!(
                found.gives_own_type(name, &syn::parse_quote!(caller)),
                given,
                "{name}"
            );
        }
    }
}
