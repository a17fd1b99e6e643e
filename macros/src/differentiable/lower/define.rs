//! What the program is made of: definitions, roots, statements and blocks, and the names in scope.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::memory::place;
use super::{Binding, Lower};
use crate::differentiable::ir::nested::{is_indexed, levels};
use crate::differentiable::ir::*;
use crate::differentiable::syntax::names;
use crate::signature::{Passing, RECEIVER};

impl Lower<'_> {
    pub(crate) fn point(&mut self) -> Point {
        self.order += 1;
        Point {
            order: self.order,
            loops: self.loops.clone(),
        }
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.check_flow(&item);
        self.blocks
            .last_mut()
            .expect("a block is open")
            .items
            .push(item);
    }

    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        self.scopes
            .last_mut()
            .expect("a scope is open")
            .insert(name.to_owned(), binding);
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|s| s.get(name))
    }

    /// A name for a part of what `name` stands for, which means nothing here yet: a local may be shadowed by one of its name.
    pub(crate) fn unbound(&self, name: &Ident, part: &str) -> Ident {
        let mut names = (1..).map(|n| match n {
            1 => format_ident!("__{name}_{part}"),
            n => format_ident!("__{name}_{part}_{n}"),
        });
        names
            .find(|name| self.lookup(&name.to_string()).is_none())
            .expect("names do not end")
    }

    /// A name like `ident` that nothing else has.
    pub(crate) fn unique(&mut self, ident: &Ident) -> Ident {
        let text = ident.to_string();
        let mut count = self.names.get(&text).copied().unwrap_or(0);
        let name = loop {
            count += 1;
            match count {
                1 => break ident.clone(),
                n => {
                    let other = format!("{text}_{n}");
                    if !self.names.contains_key(&other) {
                        self.names.insert(other.clone(), 1);
                        break Ident::new(&other, Span::mixed_site());
                    }
                }
            }
        };
        self.names.insert(text, count);
        name
    }

    /// A new root.
    pub(crate) fn root(&mut self, name: &Ident, kind: RootKind, varied: bool) -> RootId {
        let (text, root) = (name.to_string(), self.program.roots.len());
        let used = match text.as_str() {
            RECEIVER => "self",
            text => text,
        };
        let shared = matches!(
            kind,
            RootKind::Param {
                passing: Passing::Shared,
                ..
            }
        );
        // what has a shadow grows where this function says so, or one of the crate's that it is lent to
        let is_param = matches!(kind, RootKind::Param { .. });
        let refitted = self.usage.refitted.contains(used);
        let grows = self.usage.grown.contains(used) || refitted && is_param && varied;
        if !shared && (grows || !varied && self.usage.resized.contains(&text)) {
            self.grown.insert(root);
        }
        if self.usage.reseated.contains(&text) {
            self.reseated.insert(root);
        }
        if kind == RootKind::Memory && (self.usage.whole.contains(&text) || refitted) {
            self.reshaped.insert(root);
        }
        let name = self.unique(name);
        self.program.roots.push(Root {
            name,
            kind,
            ty: None,
            varied,
            loops: self.loops.clone(),
            writes: Vec::new(),
        });
        self.program.roots.len() - 1
    }

    /// Whether the length of memory is another at another time.
    pub(crate) fn changes_length(&self, root: RootId) -> bool {
        self.grown.contains(&root) || self.reshaped.contains(&root)
    }

    /// Whether the length of a place is another at another time, and not in the type of what it lies in.
    pub(crate) fn place_changes_length(&self, place: &Place) -> bool {
        let Base::Root(root) = place.base else {
            return false;
        };
        (self.changes_length(root) || self.entry_changes_length(place))
            && !(is_indexed(&place.suffix) && self.has_length_in_type(root, levels(&place.suffix)))
    }

    /// Whether the length of a place is another at another time: that of an entry, which may become another.
    pub(crate) fn entry_changes_length(&self, place: &Place) -> bool {
        matches!(place.base, Base::Root(root) if self.reseated.contains(&root))
            && levels(&place.suffix) > 0
    }

    /// Whether an expression is an entry of memory whose entries become others.
    pub(crate) fn is_changing_entry(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(paren) => self.is_changing_entry(&paren.expr),
            syn::Expr::Reference(reference) => self.is_changing_entry(&reference.expr),
            syn::Expr::Unary(unary) => self.is_changing_entry(&unary.expr),
            syn::Expr::Index(index) => {
                let is_entry = !matches!(&*index.index, syn::Expr::Range(_));
                is_entry && self.is_reseated(&index.expr) || self.is_changing_entry(&index.expr)
            }
            syn::Expr::Field(field) => {
                self.is_reseated(&field.base) || self.is_changing_entry(&field.base)
            }
            path => match names::simple_name(path).and_then(|name| self.lookup(&name)) {
                Some(Binding::Alias { place, .. }) => self.entry_changes_length(place),
                Some(Binding::View(view)) => {
                    matches!(view.within().base, Base::Root(root) if self.reseated.contains(&root))
                }
                _ => false,
            },
        }
    }

    /// Whether an expression is the name of memory whose entries become others.
    fn is_reseated(&self, expr: &syn::Expr) -> bool {
        let bound = names::simple_name(expr).and_then(|name| self.lookup(&name));
        matches!(bound, Some(Binding::Root(root)) if self.reseated.contains(root))
    }

    /// Whether memory of this name keeps the length with which it begins.
    pub(crate) fn keeps_length(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let resized = !self.varied.contains(&name) && self.usage.resized.contains(&name);
        let changing = [&self.usage.grown, &self.usage.whole, &self.usage.refitted];
        !changing.iter().any(|names| names.contains(&name)) && !resized
    }

    pub(crate) fn write(&mut self, root: RootId) {
        let point = self.point();
        self.write_at(root, point);
    }

    pub(crate) fn write_at(&mut self, root: RootId, point: Point) {
        self.reads.retain(|(base, _), _| *base != Base::Root(root));
        self.program.roots[root].writes.push(point);
    }

    /// A new definition under the user's name.
    pub(crate) fn named_def(&mut self, name: &Ident, kind: DefKind, varied: bool) -> DefId {
        let name = self.unique(name);
        let point = self.point();
        self.program.defs.push(Def {
            name,
            kind,
            varied,
            stored: false,
            point,
        });
        let def = self.program.defs.len() - 1;
        self.push(Item::Def(def));
        def
    }

    /// A new definition without a name.
    pub(crate) fn def(&mut self, kind: DefKind, varied: bool) -> DefId {
        let span = Span::mixed_site().located_at(self.at);
        let name = Ident::new(&format!("t{}", self.program.defs.len()), span);
        self.named_def(&name, kind, varied)
    }

    /// Lowers statements in a block and a scope of their own.
    pub(crate) fn nested<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        self.next_block += 1;
        self.blocks.push(Block {
            id: self.next_block,
            items: Vec::new(),
        });
        self.scopes.push(HashMap::new());
        let outside = std::mem::take(&mut self.reads);
        let outside_ops = std::mem::take(&mut self.ops);
        let writes: Vec<usize> = self.program.roots.iter().map(|r| r.writes.len()).collect();
        let result = inside(self);
        self.scopes.pop();
        self.reads = outside;
        self.ops = outside_ops;
        let roots = &self.program.roots;
        let unchanged = |r: RootId| writes.get(r).is_some_and(|n| *n == roots[r].writes.len());
        self.reads
            .retain(|(base, _), _| !matches!(base, Base::Root(r) if !unchanged(*r)));
        (self.blocks.pop().expect("the nested block"), result)
    }

    pub(crate) fn atom_varied(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Def(d) => self.program.defs[*d].varied,
            Atom::Root(r) => self.program.roots[*r].varied,
            Atom::Const(_) => false,
        }
    }

    /// The tokens of an operand's value, and what they read.
    pub(crate) fn atom_expr(&self, atom: &Atom) -> Expr {
        match atom {
            Atom::Const(expr) => expr.clone(),
            Atom::Def(d) => {
                let mut expr = Expr {
                    tokens: self.program.defs[*d].name.to_token_stream(),
                    ..Default::default()
                };
                expr.uses.defs.insert(*d);
                expr
            }
            Atom::Root(r) => Expr {
                tokens: self.program.roots[*r].name.to_token_stream(),
                ..Default::default()
            },
        }
    }

    pub(crate) fn atom_tokens(&self, atom: &Atom) -> TokenStream {
        self.atom_expr(atom).tokens
    }

    /// The current value of a mutable local.
    pub(crate) fn version(&mut self, root: RootId) -> DefId {
        if let Some(def) = self.versions.get(&root) {
            return *def;
        }
        let varied = self.program.roots[root].varied;
        let name = format_ident!(
            "{}_now",
            self.program.roots[root].name,
            span = Span::mixed_site()
        );
        let def = self.named_def(&name, DefKind::Version(root), varied);
        self.versions.insert(root, def);
        def
    }

    /// A mutable local that only generated code names.
    pub(crate) fn variable(&mut self, name: &str, start: Atom, varied: bool) -> RootId {
        self.variable_of(RootKind::Scalar, name, start, varied)
    }

    /// As [`variable`](Self::variable), which may be changed in parts.
    pub(crate) fn variable_of(
        &mut self,
        kind: RootKind,
        name: &str,
        start: Atom,
        varied: bool,
    ) -> RootId {
        let name = self.fresh(name);
        let root = self.root(&name, kind, varied);
        if let (Atom::Def(d), RootKind::Scalar) = (&start, kind) {
            self.versions.insert(root, *d);
        }
        self.push(Item::Declare {
            root,
            init: Init::Value(start),
        });
        root
    }

    /// `a op b` of values without derivative.
    pub(crate) fn binary_inactive(&mut self, a: Atom, op: impl ToTokens, b: Atom) -> Atom {
        self.made_of_two(&a, &b, |a, b| quote!((#a #op #b)))
    }

    /// What tokens make of two values, without derivative.
    pub(crate) fn made_of_two(
        &mut self,
        a: &Atom,
        b: &Atom,
        made: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
    ) -> Atom {
        let (a, b) = (self.atom_expr(a), self.atom_expr(b));
        let mut uses = a.uses;
        uses.extend(&b.uses);
        let tokens = made(a.tokens, b.tokens);
        Atom::Def(self.def(DefKind::Pure(Expr { tokens, uses }), false))
    }

    /// All of a local.
    pub(crate) fn whole_of(&self, root: RootId) -> Place {
        place::whole(Base::Root(root))
    }
}
