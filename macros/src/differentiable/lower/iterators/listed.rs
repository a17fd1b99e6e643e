//! Chains without derivative that go through what only their type knows how to go through: a map, a text, an iterator of the user's own.
//! Their elements are collected first.
//!
//! ```text
//! // for (k, c) in text.char_indices() { … }
//! let list = listed(text.char_indices());
//! for at in 0..list.len() { let k = part_listed(&list, at, |(k, c)| k); let c = part_listed(&list, at, |(k, c)| c); … }
//! ```

use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Member, Pat, Type};

use super::seq::Seq;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::chains::gives_a_list;
use crate::files::own_field::{self, Kind};

/// What is said of a source that the reverse pass cannot go through again.
const CHANGES: &str = "this is gone through again in the reverse pass, when it has changed: collect its entries first, `let entries: Vec<_> = m.values().copied().collect();`";

/// An element of what was collected.
#[derive(Clone)]
pub(crate) struct Listed {
    pub(crate) list: DefId,
    /// Which one.
    pub(crate) k: ir::Expr,
    /// By reference, as the closure of `filter` has it.
    pub(crate) lent: bool,
}

impl Lower<'_> {
    /// The chain by its elements, if they can be collected: it has no derivative, and ends. `to_its_end`: it is run through, or for ever.
    pub(crate) fn collected_first(&mut self, chain: &Expr, to_its_end: bool) -> Option<Seq> {
        let of_memory = self.begins_with_a_list(chain) && !has_a_function(chain);
        let ends = of_memory || self.is_own_chain(chain, to_its_end);
        if !ends || self.is_varied(chain) {
            return None;
        }
        let list = match of_memory {
            // what is borrowed from memory of the function cannot outlive it on the tape
            true => {
                let source = source(chain);
                let plain = self.plain(source);
                let of_root =
                    |r: &RootId| matches!(self.program.roots[*r].kind, RootKind::Param { .. });
                if !plain.pure || !plain.expr.uses.roots.iter().all(of_root) {
                    self.errors.at(source, CHANGES);
                }
                let list = syn::parse_quote!(::coenzyme::__private::listed_in_order(#chain));
                Atom::Def(self.plain_again(&list))
            }
            false => self.inactive(&syn::parse_quote!(::coenzyme::__private::listed(#chain))),
        };
        match list {
            Atom::Def(list) => Some(Seq::Listed(list)),
            _ => None,
        }
    }

    /// A value that is had again in the reverse pass.
    fn plain_again(&mut self, expr: &Expr) -> DefId {
        let value = self.plain(expr).expr;
        self.def(DefKind::Pure(value), false)
    }

    /// What a pattern binds of an element, name by name.
    pub(crate) fn bind_listed(&mut self, pat: &Pat, element: &Listed) {
        for name in bound_names(pat) {
            let name = format_ident!("{name}");
            let part = self.part_listed(element, pat, &name);
            let changes = self.changes(&name.to_string()).then(|| quote!(mut));
            self.bind_pattern(&syn::parse_quote!(#changes #name), Binding::Def(part));
        }
    }

    /// The value of an element.
    pub(crate) fn value_listed(&mut self, of: &Listed) -> Atom {
        let element = format_ident!("element");
        Atom::Def(self.part_listed(of, &element, &element))
    }

    fn part_listed(
        &mut self,
        element: &Listed,
        pat: &dyn ToTokens,
        name: &proc_macro2::Ident,
    ) -> DefId {
        let (of, at) = (&self.program.defs[element.list].name, &element.k.tokens);
        let (pat, part) = (
            pat.to_token_stream(),
            match element.lent {
                false => quote!(part_listed),
                true => quote!(part_lent),
            },
        );
        let tokens = quote!(::coenzyme::__private::#part(&#of, #at, |#pat| #name));
        let mut uses = element.k.uses.clone();
        uses.defs.insert(element.list);
        let part = self.def(DefKind::Pure(ir::Expr { tokens, uses }), false);
        self.elements.insert(part);
        part
    }

    /// The number that an element is, or is a reference to.
    pub(crate) fn number_behind(&mut self, element: DefId) -> DefId {
        let ir::Expr { tokens, uses } = self.known(element);
        let tokens = quote!({
            #[allow(unused_imports)]
            use ::coenzyme::__private::{Behind as _, Itself as _};
            ::coenzyme::__private::ListedPart(#tokens).number()
        });
        self.def(DefKind::Pure(ir::Expr { tokens, uses }), false)
    }

    /// Whether a chain goes through a map, a set or a text.
    fn begins_with_a_list(&self, chain: &Expr) -> bool {
        match chain {
            Expr::Paren(paren) => self.begins_with_a_list(&paren.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                match table::is(&name, Fact::Adapts) {
                    true => self.begins_with_a_list(&call.receiver),
                    false => gives_a_list(chain) || self.is_without_numbers(&call.receiver),
                }
            }
            chain => self.is_without_numbers(chain),
        }
    }

    /// Whether this is memory without derivative whose entries have no numbers: a map, a set, a text.
    fn is_without_numbers(&self, expr: &Expr) -> bool {
        match expr {
            _ if self.is_varied(expr) => false,
            Expr::Paren(paren) => self.is_without_numbers(&paren.expr),
            Expr::Reference(reference) => self.is_without_numbers(&reference.expr),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => own_field::kind(name) == Some(Kind::Unnumbered),
                Member::Unnamed(_) => false,
            },
            Expr::Path(_) | Expr::Lit(_) => {
                let Some(ty) = self.type_of(expr) else {
                    return false;
                };
                let Type::Path(path) = behind(&ty) else {
                    return false;
                };
                let last = path.path.segments.last();
                last.is_some_and(|last| own_field::is_unnumbered(&last.ident.to_string()))
            }
            _ => false,
        }
    }
}

/// What a chain goes through: `m` of `m.values().skip(1)`.
fn source(chain: &Expr) -> &Expr {
    match chain {
        Expr::Paren(paren) => source(&paren.expr),
        Expr::Reference(reference) => source(&reference.expr),
        Expr::MethodCall(call) => source(&call.receiver),
        chain => chain,
    }
}

/// Whether a chain calls a function for its elements.
fn has_a_function(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call) => {
            let function = |arg: &Expr| matches!(arg, Expr::Closure(_) | Expr::Path(_));
            call.args.iter().any(function) || has_a_function(&call.receiver)
        }
        _ => false,
    }
}

/// The type that a reference is one to.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind(&reference.elem),
        ty => ty,
    }
}
