//! Tuples, arrays and structs that are made of values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Index};

use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;

/// What is said of a struct that borrows, and of a tuple with a slice in it.
const BORROWED: &str = "what borrows active memory would have a shadow that borrows: give it a copy, `x.to_vec()`, or pass the memory beside it";

impl Lower<'_> {
    /// A tuple or an array of these parts.
    pub(super) fn made_of_parts(
        &mut self,
        parts: &syn::punctuated::Punctuated<Expr, syn::Token![,]>,
        part: fn(usize) -> TokenStream,
        whole: fn(&[TokenStream]) -> TokenStream,
    ) -> Atom {
        if self.refused_parts(parts) || self.refused_loans(parts, false) {
            return self.nothing();
        }
        let parts = parts.iter().enumerate();
        let parts: Vec<_> = parts.map(|(i, e)| (part(i), self.operand_of(e))).collect();
        self.make(parts, whole)
    }

    /// Refuses a part that is a slice of active memory, of a struct any reference to such. Whether there is one.
    fn refused_loans<'e>(
        &mut self,
        parts: impl IntoIterator<Item = &'e Expr>,
        of_a_struct: bool,
    ) -> bool {
        let is_loan = |e: &Expr| of_a_struct && matches!(e, Expr::Reference(_)) || self.is_slice(e);
        let loan = parts.into_iter().find(|e| is_loan(e) && self.is_varied(e));
        if let Some(loan) = loan {
            self.errors.at(loan, BORROWED);
        }
        loan.is_some()
    }

    /// A value made of parts.
    pub(crate) fn make(
        &mut self,
        parts: Vec<(TokenStream, Atom)>,
        build: impl FnOnce(&[TokenStream]) -> TokenStream,
    ) -> Atom {
        let parts: Vec<_> = parts
            .into_iter()
            .map(|(suffix, atom)| (suffix, self.operand(atom)))
            .collect();
        let values: Vec<_> = parts.iter().map(|(_, a)| self.made_of(a)).collect();
        let varied = parts.iter().any(|(_, a)| self.atom_varied(a));
        Atom::Def(self.def(
            DefKind::Make {
                value: build(&values),
                parts,
            },
            varied,
        ))
    }

    /// What goes into a structure. The reverse pass asks for the shape of a part that has a derivative, and the tape takes what is
    /// not run again: these stay.
    fn made_of(&self, part: &Atom) -> TokenStream {
        let value = self.atom_tokens(part);
        let def = |d: &DefId| &self.program.defs[*d];
        let may_own_memory = match part {
            Atom::Def(d) => match &def(d).kind {
                DefKind::Read(place) => def(d).varied && place.suffix.is_empty(),
                DefKind::Make { .. } | DefKind::Call(_) => def(d).varied,
                DefKind::Opaque(_) => true,
                _ => false,
            },
            Atom::Const(expr) => match expr.alone() {
                Some(Base::Root(r)) => self.program.roots[r].kind == RootKind::Memory,
                _ => false,
            },
            Atom::Root(_) => false,
        };
        match may_own_memory {
            true => quote!(::core::clone::Clone::clone(&#value)),
            false => value,
        }
    }

    pub(super) fn structure(&mut self, structure: &syn::ExprStruct) -> Atom {
        let path = &structure.path;
        let parts = || structure.fields.iter().map(|f| &f.expr);
        if self.refused_parts(parts()) || self.refused_loans(parts(), true) {
            return self.nothing();
        }
        if self.refused_variant(&syn::parse_quote!(#path)) || self.refused_range(path) {
            return self.nothing();
        }
        let members: Vec<_> = structure.fields.iter().map(|f| f.member.clone()).collect();
        if self.is_variant(path) {
            let values = structure.fields.iter().map(|f| self.operand_of(&f.expr));
            let values = values.collect();
            return self.variant_made(path, values, |names| quote!({ #(#members: #names),* }));
        }
        let parts = structure.fields.iter().map(|f| {
            let member = &f.member;
            let some = self.some_made(&f.expr);
            (
                quote!(.#member),
                some.unwrap_or_else(|| self.operand_of(&f.expr)),
            )
        });
        let parts: Vec<_> = parts.collect();
        self.make(parts, |values| quote!(#path { #(#members: #values),* }))
    }
}

/// `.0`
pub(super) fn tuple_part(i: usize) -> TokenStream {
    let i = Index::from(i);
    quote!(.#i)
}
