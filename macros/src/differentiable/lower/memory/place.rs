//! Places: parts of memory, by a base and the way into it.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, UnOp};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::options::unwrapped::{lent_entry, unwrapped_entry};
use crate::differentiable::lower::references::reseated::selects_part;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::chains;

impl Lower<'_> {
    /// The place that `expr` names, if it names one.
    pub(crate) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.lookup(&name)?.clone() {
                    Binding::Def(d) => Some(whole(Base::Def(d))),
                    Binding::Root(r) => Some(whole(Base::Root(r))),
                    Binding::Alias { place, .. } => Some(place),
                    Binding::View(view) => Some(self.viewed(&view)),
                    Binding::Part(_)
                    | Binding::Closure { .. }
                    | Binding::Chain { .. }
                    | Binding::Optional { .. }
                    | Binding::Inactive => None,
                }
            }
            Expr::Index(index) => {
                if let Some(part) = self.part_of(&index.expr) {
                    let index = self.index(&index.index);
                    return Some(self.entry_of(&part, &index));
                }
                let mut place = self.place(&index.expr)?;
                let mut inside = self.index(&index.index);
                let is_range = matches!(&*index.index, Expr::Range(_));
                if !is_range && is_cut(&place) && asks(&inside.uses, &place) {
                    // the borrow of the part would begin before its length is asked for
                    let at = Atom::Def(self.def(DefKind::Pure(inside), false));
                    inside = self.atom_expr(&at);
                }
                let tokens = inside.tokens;
                place.suffix.extend(quote!([#tokens]));
                place.uses.extend(&inside.uses);
                Some(place)
            }
            Expr::Field(field) => {
                let mut place = self.place(&field.base)?;
                let member = &field.member;
                place.suffix.extend(quote!(.#member));
                Some(place)
            }
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Group(group) => self.place(&group.expr),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::MethodCall(call)
                if is_same_memory(&call.method.to_string()) && call.args.is_empty() =>
            {
                let mut place = self.place(&call.receiver)?;
                place.suffix.extend(quote!([..]));
                Some(place)
            }
            Expr::MethodCall(call)
                if call.args.is_empty()
                    && ["view", "view_mut", "reborrow"]
                        .contains(&call.method.to_string().as_str())
                    && self.is_array(&call.receiver) =>
            {
                self.place(&call.receiver)
            }
            Expr::MethodCall(call) => match self.shared_entry(call).or_else(|| lent_entry(call)) {
                Some(entry) => self.place(&entry),
                None => self.remainder(call),
            },
            _ => None,
        }
    }

    /// The entry that `v.first().unwrap()`, `v.last().unwrap()`, `v.get(i).unwrap()` lead to.
    pub(crate) fn shared_entry(&self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let Expr::MethodCall(entry) = &*call.receiver else {
            return None;
        };
        let vector = &entry.receiver;
        let leads = ["first", "last", "get"].iter().any(|m| entry.method == m);
        let is_chain = self.is_chain_name(vector) || chains::is_chain(vector);
        if !leads || is_chain || self.is_own(vector) || self.is_of_own_type(vector) {
            return None;
        }
        unwrapped_entry(call)
    }

    /// The place's tokens in the primal.
    pub(crate) fn place_tokens(&self, place: &Place) -> TokenStream {
        let suffix = &place.suffix;
        let base = self.program.base_tokens(place.base);
        quote!(#base #suffix)
    }

    /// Whether a derivative can be in the place.
    pub(crate) fn place_varied(&self, place: &Place) -> bool {
        match place.base {
            Base::Def(d) => self.program.defs[d].varied,
            Base::Root(r) => self.program.roots[r].varied,
        }
    }

    /// Reads a place: a definition, so that the value can be asked for later.
    pub(crate) fn read(&mut self, place: Place) -> Atom {
        let place = self.settled(place);
        if let (Base::Def(d), true) = (place.base, place.suffix.is_empty()) {
            return Atom::Def(d);
        }
        // numbers, because names alone may be equal by hygiene
        let key = (
            place.base,
            format!("{} {:?}", place.suffix, place.uses.defs),
        );
        if let Some(def) = self.reads.get(&key) {
            return Atom::Def(*def);
        }
        let varied = self.place_varied(&place);
        let def = self.def(DefKind::Read(place), varied);
        self.reads.insert(key, def);
        Atom::Def(def)
    }

    /// The place with a mutable local replaced by its current value.
    pub(crate) fn settled(&mut self, mut place: Place) -> Place {
        if let Base::Root(r) = place.base
            && self.program.roots[r].kind == RootKind::Scalar
        {
            place.base = Base::Def(self.version(r));
        }
        place
    }

    /// A place whose indices are numbers of their own where they ask for the memory that they lead into, which is lent mutably.
    pub(crate) fn numbered(&mut self, place: Place) -> Place {
        if !asks(&place.uses, &place) || is_cut(&place) {
            return place;
        }
        let mut uses = Uses::default();
        let mut numbered = |tree: TokenTree| match tree {
            TokenTree::Group(index) => {
                let index = ir::Expr {
                    tokens: index.stream(),
                    uses: place.uses.clone(),
                };
                let at = Atom::Def(self.def(DefKind::Pure(index), false));
                let ir::Expr { tokens, uses: of } = self.atom_expr(&at);
                uses.extend(&of);
                quote!([#tokens])
            }
            tree => tree.into_token_stream(),
        };
        let suffix = place.suffix.into_iter().map(&mut numbered).collect();
        Place {
            base: place.base,
            suffix,
            uses,
        }
    }

    /// Notes that a place is written.
    pub(crate) fn written(&mut self, place: &Place) {
        match place.base {
            Base::Root(r) => self.write(r),
            Base::Def(_) => {}
        }
    }
}

impl Program {
    /// The tokens of a base in the primal.
    pub(crate) fn base_tokens(&self, base: Base) -> TokenStream {
        match base {
            Base::Def(d) => self.defs[d].name.to_token_stream(),
            Base::Root(r) => {
                let name = &self.roots[r].name;
                match self.roots[r].kind {
                    RootKind::Param { .. } => quote!((*#name)),
                    RootKind::Memory | RootKind::Scalar => name.to_token_stream(),
                }
            }
        }
    }
}

/// A base as a whole.
pub(crate) fn whole(base: Base) -> Place {
    Place {
        base,
        suffix: TokenStream::new(),
        uses: Uses::default(),
    }
}

/// Methods that give the same memory under another type.
fn is_same_memory(name: &str) -> bool {
    ["as_slice", "as_mut_slice", "as_ref", "as_mut"].contains(&name)
}

/// Whether a place lies within a part of memory.
fn is_cut(place: &Place) -> bool {
    let mut trees = place.suffix.clone().into_iter();
    trees.any(|tree| matches!(&tree, TokenTree::Group(g) if selects_part(&g.stream())))
}

/// Whether an expression reads the memory that a place lies in, or its length.
fn asks(uses: &Uses, place: &Place) -> bool {
    match &place.base {
        Base::Root(root) => uses.roots.contains(root) || uses.lengths.contains(root),
        Base::Def(def) => uses.defs.contains(def),
    }
}
