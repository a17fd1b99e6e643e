//! Chains without derivative that go through what only their type knows how to go through: a map, a text, an iterator of the user's own.
//! Their elements are collected first.
//!
//! ```text
//! // for (k, c) in text.char_indices() { … }
//! let list = Listing::new(text.char_indices()).list();
//! for at in 0..list.count() { let k = part_listed(&list, at, |(k, c)| k); let c = part_listed(&list, at, |(k, c)| c); … }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Member, Pat, Type};

use super::seq::Seq;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::chains::gives_a_list;
use crate::differentiable::syntax::names::simple_name;
use crate::files::own_field::{self, Kind};

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
        let gives_entries = self.gives_entries(chain);
        let ends = gives_entries || self.is_own_chain(chain, to_its_end);
        if !ends || self.is_varied(chain) {
            return None;
        }
        let mut list = self.plain(chain).expr;
        let tokens = list.tokens;
        list.tokens = quote!({
            #[allow(unused_imports)]
            use ::coenzyme::__private::{KeepsPairs as _, KeepsReferences as _, KeepsValues as _};
            ::coenzyme::__private::Listing::new(#tokens).list()
        });
        Some(Seq::Listed(self.def(DefKind::Opaque(list), false)))
    }

    /// How many elements there are.
    pub(crate) fn count_listed(&self, list: DefId) -> ir::Expr {
        let ir::Expr { tokens, uses } = self.known(list);
        let tokens = quote!(::coenzyme::__private::List::count(&#tokens));
        ir::Expr { tokens, uses }
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
        let pat = pat.to_token_stream();
        let part = match element.lent {
            false => self.entry_listed(element, quote!(|#pat| #name)),
            true => {
                let whole = self.entry_listed(element, quote!(|whole| whole));
                let whole = self.def(DefKind::Pure(whole), false);
                let ir::Expr { tokens, uses } = self.known(whole);
                let tokens = quote!(::coenzyme::__private::part_lent(&#tokens, |#pat| #name));
                ir::Expr { tokens, uses }
            }
        };
        let part = self.def(DefKind::Pure(part), false);
        self.elements.insert(part);
        part
    }

    fn entry_listed(&self, element: &Listed, part: TokenStream) -> ir::Expr {
        let ir::Expr { tokens, mut uses } = self.known(element.list);
        let at = &element.k.tokens;
        uses.extend(&element.k.uses);
        let tokens = quote!(::coenzyme::__private::part_listed(&#tokens, #at, #part));
        ir::Expr { tokens, uses }
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

    /// Whether a chain goes through the entries of a map, a set or a text.
    pub(crate) fn goes_through_entries(&self, chain: &Expr) -> bool {
        match chain {
            Expr::MethodCall(call) if table::is(&call.method.to_string(), Fact::Adapts) => {
                self.gives_entries(chain) || self.goes_through_entries(&call.receiver)
            }
            chain => self.gives_entries(chain) && !self.is_varied(chain),
        }
    }

    /// Whether an expression gives the entries of a map, a set or a text as they are; what is done to them is done to those of the list.
    fn gives_entries(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.gives_entries(&paren.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                match name.as_str() {
                    "copied" | "cloned" => self.gives_entries(&call.receiver),
                    _ if table::is(&name, Fact::Adapts) => false,
                    // a method of the crate's own may do something in each round
                    _ => {
                        gives_a_list(expr) && !self.callees.knows(&name)
                            || self.is_without_numbers(&call.receiver)
                    }
                }
            }
            expr => self.is_without_numbers(expr),
        }
    }

    /// Whether a local holds what a function of such a type gave: `BTreeMap::new()`.
    fn was_made_one(&self, name: &Expr) -> bool {
        let binding = simple_name(name).and_then(|name| self.lookup(&name));
        match binding {
            Some(Binding::Def(d)) => self.unnumbered.contains(&Base::Def(*d)),
            Some(Binding::Root(r)) => self.unnumbered.contains(&Base::Root(*r)),
            _ => false,
        }
    }

    /// Whether a pattern bound a name to a part of what has no derivative.
    fn is_inactive_part(&self, name: &Expr) -> bool {
        let binding = simple_name(name).and_then(|name| self.lookup(&name));
        matches!(binding, Some(Binding::Inactive))
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
            // a part of what has no derivative: nothing tells what it is
            Expr::Path(_) if self.is_inactive_part(expr) => true,
            Expr::Path(_) | Expr::Lit(_) => {
                let ty = self.type_of(expr);
                ty.is_some_and(|ty| own_field::is_unnumbered(behind(&ty)))
                    || self.was_made_one(expr)
            }
            _ => false,
        }
    }
}

/// The type that a reference is one to.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind(&reference.elem),
        ty => ty,
    }
}
