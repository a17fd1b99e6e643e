//! References that are pointed elsewhere: a mutable slice variable is a range of indices into one memory.
//!
//! ```text
//! // let mut rest = x; while rest.len() > 1 { … rest = &rest[2..]; }
//! let (mut from, mut to) = (0, x.len()); while x[from..to].len() > 1 { … from = advanced(from, to, 2); }
//! // … rest = &rest[..n];
//! (from, to) = within(&x, &x[from..to][..n]);
//! ```

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Expr;

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower, array};
use crate::differentiable::resolve::varied::borrows_mutably;
use crate::differentiable::syntax::ends::{at_ends, ends_of};
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

/// What is said of a reference that cannot be followed.
const OTHER_MEMORY: &str = "this reference is pointed to other memory, which cannot be followed: use an index, or put what is done with it into each branch";

/// A reference that changes: what it leads to, and the locals that say to which part.
#[derive(Clone)]
pub(crate) struct View {
    /// The memory that it leads into.
    within: Place,
    exclusive: bool,
    /// The first entry.
    from: Ident,
    /// Behind the last one; `None` for a reference to one entry.
    to: Option<Ident>,
}

impl View {
    /// The memory that the reference leads into.
    pub(crate) fn within(&self) -> &Place {
        &self.within
    }

    /// The names of the locals that say where.
    pub(crate) fn indices(&self) -> impl Iterator<Item = &Ident> {
        std::iter::once(&self.from).chain(&self.to)
    }

    pub(crate) fn is_exclusive(&self) -> bool {
        self.exclusive
    }
}

impl Lower<'_> {
    /// Binds `let mut rest = x;`, `let s = if c { &x[1..] } else { &x[..1] };` where the reference leads into one memory.
    /// Whether it did, or refused to.
    pub(crate) fn let_view(&mut self, name: &Ident, init: &Expr) -> bool {
        let chosen = matches!(init, Expr::If(_) | Expr::Match(_) | Expr::Block(_));
        let changes = self.usage.whole.contains(&name.to_string());
        if !chosen && !changes {
            return false;
        }
        let mut ends = Vec::new();
        ends_of(init, &mut ends);
        // a block that has no value, or leaves
        if ends.is_empty() {
            return false;
        }
        let exclusive = |e: &&Expr| matches!(e, Expr::Reference(r) if r.mutability.is_some());
        let lent_mutably = ends.iter().any(|e| self.is_mutable_reference(e));
        if let (true, Some(view)) = (
            chosen,
            ends.iter().find(|e| borrows_mutably(e) && !exclusive(e)),
        ) {
            self.errors.at(view, array::VIEW_IS_NO_VALUE);
            return self.bound_to_nothing(name);
        }
        let parts: Option<Vec<(Place, bool, Option<TokenStream>)>> =
            ends.iter().map(|e| self.part(e)).collect();
        let parts = parts.filter(|parts| {
            let (first, ..) = &parts[0];
            parts
                .iter()
                .all(|(p, _, entry)| is_same(p, first) && entry.is_some() == parts[0].2.is_some())
        });
        let Some([(within, exclusive, entry), ..]) = parts.as_deref() else {
            if chosen && lent_mutably || changes && ends.iter().any(exclusive) {
                self.errors.at(init, OTHER_MEMORY);
                return self.bound_to_nothing(name);
            }
            return chosen && self.copied_choice(name, init, &ends);
        };
        let [from, to] = ["from", "to"].map(|part| self.unbound(name, part));
        let view = View {
            within: within.clone(),
            exclusive: *exclusive,
            to: entry.is_none().then(|| to.clone()),
            from,
        };
        for index in view.indices() {
            let zero = ir::Expr {
                tokens: quote!(0_usize),
                ..Default::default()
            };
            let zero = Atom::Def(self.def(DefKind::Pure(zero), false));
            let root = self.variable(&index.to_string(), zero, false);
            self.bind(&index.to_string(), Binding::Root(root));
        }
        // the name means what it meant where its first value is written
        let hidden = self.unbound(name, "view");
        self.bind(&hidden.to_string(), Binding::View(view.clone()));
        let mut init = init.clone();
        let done = at_ends(&mut init, &mut |end| {
            *end = syn::parse_quote!({ #hidden = #end; });
            Ok(())
        });
        if done.is_ok() {
            self.expression_statement(&init);
        }
        self.bind(&name.to_string(), Binding::View(view));
        true
    }

    /// After an error: one is enough.
    pub(crate) fn bound_to_nothing(&mut self, name: &Ident) -> bool {
        let nothing = Init::Inactive {
            expr: ir::Expr::default(),
            again: false,
        };
        let root = self.memory(name, true, nothing);
        self.bind(&name.to_string(), Binding::Root(root));
        true
    }

    /// Binds a name to a reference that a pattern gives, which is pointed elsewhere later.
    pub(crate) fn bind_view(&mut self, name: &Ident, alias: Binding) -> bool {
        if !self.usage.whole.contains(&name.to_string()) {
            return false;
        }
        let hidden = self.unbound(name, "start");
        self.bind(&hidden.to_string(), alias);
        self.let_view(name, &syn::parse_quote!(#hidden))
    }

    /// What a branch chooses from different memory is a copy: a slice, or what references of the user's types lead to.
    fn copied_choice(&mut self, name: &Ident, init: &Expr, ends: &[&Expr]) -> bool {
        let slice = ends.iter().any(|e| self.is_slice(e));
        if !slice && !ends.iter().all(|e| self.leads_to_own(e)) {
            return false;
        }
        let mut init = init.clone();
        let done = at_ends(&mut init, &mut |end| {
            let of = match &*end {
                Expr::Reference(reference) => &reference.expr,
                of => of,
            };
            *end = match slice {
                true => syn::parse_quote!((#of).to_vec()),
                false => syn::parse_quote!((#of).clone()),
            };
            Ok(())
        });
        self.memory_wanted = true;
        let copy = self.value(&init);
        self.memory_wanted = false;
        let place = place::whole(self.atom_base(copy));
        let copy = Binding::Alias {
            place,
            exclusive: false,
        };
        self.bind(&name.to_string(), copy);
        done.is_ok()
    }

    /// A choice between tuples of such references, with copies in their place.
    pub(crate) fn copied_tuples(&self, init: &Expr) -> Option<Expr> {
        let mut ends = Vec::new();
        ends_of(init, &mut ends);
        let lead_to_own = |end: &&Expr| match end {
            Expr::Tuple(tuple) => tuple.elems.iter().all(|e| self.leads_to_own(e)),
            _ => false,
        };
        let choice = matches!(init, Expr::If(_) | Expr::Match(_)) && !ends.is_empty();
        if !choice || !ends.iter().all(lead_to_own) {
            return None;
        }
        let mut init = init.clone();
        let done = at_ends(&mut init, &mut |end| {
            if let Expr::Tuple(tuple) = end {
                let copied = |e: &mut Expr| *e = syn::parse_quote!((*#e).clone());
                tuple.elems.iter_mut().for_each(copied);
            }
            Ok(())
        });
        done.is_ok().then_some(init)
    }

    /// Whether an expression is a shared reference to a value of a type of the user's, as far as tokens tell.
    fn leads_to_own(&self, end: &Expr) -> bool {
        match end {
            Expr::Reference(lent) => lent.mutability.is_none() && self.is_own(&lent.expr),
            end => match simple_name(end).and_then(|n| self.lookup(&n)) {
                Some(Binding::Root(r)) => {
                    let is_shared = matches!(
                        self.program.roots[*r].kind,
                        RootKind::Param {
                            passing: Passing::Shared,
                            ..
                        }
                    );
                    is_shared && self.is_own(end)
                }
                Some(Binding::Alias { exclusive, .. }) => !exclusive && self.is_own(end),
                _ => false,
            },
        }
    }

    /// Whether an expression, or what it branches to, leads to memory.
    fn gives_reference(&mut self, of: &Expr) -> bool {
        let mut ends = Vec::new();
        ends_of(of, &mut ends);
        ends.iter().any(|end| self.alias(end).is_some())
    }

    /// `rest = &rest[2..];` where `rest` is a reference. Whether it is one.
    pub(crate) fn assign_reference(&mut self, left: &Expr, right: &Expr) -> bool {
        let binding = simple_name(left).and_then(|n| self.lookup(&n).cloned());
        let view = match binding {
            Some(Binding::View(view)) => view,
            Some(Binding::Part(_)) => {
                self.errors.at(left, OTHER_MEMORY);
                return true;
            }
            Some(Binding::Alias { .. }) if self.gives_reference(right) => {
                self.errors.at(left, OTHER_MEMORY);
                return true;
            }
            _ => return false,
        };
        if matches!(right, Expr::If(_) | Expr::Match(_) | Expr::Block(_)) {
            let mut chosen = right.clone();
            let done = at_ends(&mut chosen, &mut |end| {
                *end = syn::parse_quote!({ #left = #end; });
                Ok(())
            });
            if done.is_ok() {
                self.expression_statement(&chosen);
            }
            return true;
        }
        let Some((within, _, entry)) = self.part(right) else {
            self.errors.at(right, OTHER_MEMORY);
            return true;
        };
        if !is_same(&within, &view.within) || entry.is_some() != view.to.is_none() {
            self.errors.at(right, OTHER_MEMORY);
            return true;
        }
        let Some(to) = &view.to else {
            let index = entry.map(|tokens| {
                Atom::Const(ir::Expr {
                    tokens,
                    uses: within.uses,
                })
            });
            if let (Some(index), Some(from)) = (index, self.root_of(&view.from)) {
                self.set(place::whole(Base::Root(from)), index);
            }
            return true;
        };
        let Some(part) = self.place(right) else {
            return true;
        };
        if self.advance(&view, to, &part) {
            return true;
        }
        let mut uses = part.uses.clone();
        let (whole, part) = (self.place_tokens(&view.within), self.place_tokens(&part));
        uses.extend(&view.within.uses);
        match view.within.base {
            Base::Def(d) => drop(uses.defs.insert(d)),
            Base::Root(r) => drop(uses.roots.insert(r)),
        }
        let tokens = quote!(::coenzyme::__private::within(&#whole[..], &#part[..]));
        let range = self.def(DefKind::Opaque(ir::Expr { tokens, uses }), false);
        self.program.questions.insert(range);
        for (index, part) in [(&view.from, quote!(.0)), (to, quote!(.1))] {
            let place = Place {
                base: Base::Def(range),
                suffix: part,
                uses: Uses::default(),
            };
            let value = self.read(place);
            if let Some(root) = self.root_of(index) {
                self.set(place::whole(Base::Root(root)), value);
            }
        }
        true
    }

    /// `rest = &rest[2..];`, also through `split_at`: the beginning becomes a sum, and the end, which stays, is not assigned. Whether
    /// it is so.
    fn advance(&mut self, view: &View, to: &Ident, part: &Place) -> bool {
        let end = self.index(&syn::parse_quote!(#to));
        let Some((from, by)) = advances(view, part, &end.tokens) else {
            return false;
        };
        let (to, mut uses) = (&end.tokens, part.uses.clone());
        uses.extend(&end.uses);
        let tokens = quote!(::coenzyme::__private::advanced(#from, #to, #by));
        let value = self.def(DefKind::Pure(ir::Expr { tokens, uses }), false);
        if let Some(root) = self.root_of(&view.from) {
            self.set(place::whole(Base::Root(root)), Atom::Def(value));
        }
        true
    }

    /// The place to which a changing reference leads now.
    pub(crate) fn viewed(&mut self, view: &View) -> Place {
        self.viewed_at(view, false)
    }

    /// As [`viewed`](Self::viewed); `live`: when the primal gets here.
    pub(crate) fn viewed_at(&mut self, view: &View, live: bool) -> Place {
        let mut place = view.within.clone();
        let mut now = |this: &mut Self, name: &Ident| {
            let name = syn::parse_quote!(#name);
            if live {
                return this.live(&name);
            }
            let index = this.index(&name);
            place.uses.extend(&index.uses);
            index.tokens
        };
        let from = now(self, &view.from);
        let index = match &view.to {
            Some(to) => {
                let to = now(self, to);
                quote!([#from..#to])
            }
            None => quote!([#from]),
        };
        place.suffix.extend(index);
        place
    }

    /// The memory that a reference leads into, and, if it leads to one entry, the number of that.
    fn part(&mut self, reference: &Expr) -> Option<(Place, bool, Option<TokenStream>)> {
        let (mut place, exclusive) =
            match simple_name(reference).and_then(|n| self.lookup(&n).cloned()) {
                Some(Binding::View(view)) => (self.viewed(&view), view.exclusive),
                _ => match self.alias(reference)? {
                    Binding::Alias { place, exclusive } => (place, exclusive),
                    _ => return None,
                },
            };
        let whole_slice = matches!(place.base, Base::Root(r) if self.slices.contains(&r))
            && place.suffix.is_empty();
        let mut trees: Vec<TokenTree> = place.suffix.into_iter().collect();
        let mut entry = None;
        let mut cut = false;
        while let Some(TokenTree::Group(group)) = trees.last()
            && group.delimiter() == Delimiter::Bracket
        {
            let inside = group.stream();
            if !selects_part(&inside) {
                if !cut && entry.is_none() {
                    entry = Some(inside);
                    trees.pop();
                }
                break;
            }
            cut = true;
            trees.pop();
        }
        if !cut && entry.is_none() && !whole_slice {
            return None;
        }
        place.suffix = trees.into_iter().collect();
        Some((place, exclusive, entry))
    }
}

/// Where a view begins, and how many entries it loses, if `part` is `[from..to][by..]` of what it leads into and `to` is where it ends.
fn advances(view: &View, part: &Place, to: &TokenStream) -> Option<(Expr, Expr)> {
    let whole = view.within.suffix.clone().into_iter().count();
    let groups = part.suffix.clone().into_iter().skip(whole);
    let ranges: Option<Vec<syn::ExprRange>> = groups
        .map(|tree| match tree {
            TokenTree::Group(group) => syn::parse2(group.stream()).ok(),
            _ => None,
        })
        .collect();
    let is_all = |range: &syn::ExprRange| range.start.is_none() && range.end.is_none();
    let ranges = ranges?;
    let [old, cut, all @ ..] = &ranges[..] else {
        return None;
    };
    let half_open = matches!(old.limits, syn::RangeLimits::HalfOpen(_));
    let same_end = quote!(#to).to_string() == old.end.to_token_stream().to_string();
    if !half_open || !same_end || cut.end.is_some() || !all.iter().all(is_all) {
        return None;
    }
    Some((
        (**old.start.as_ref()?).clone(),
        (**cut.start.as_ref()?).clone(),
    ))
}

/// Whether an index selects a part, and not one entry: a range, or what stands for a chunk.
pub(crate) fn selects_part(index: &TokenStream) -> bool {
    let is_part = |index: &Expr| match index {
        Expr::Range(_) => true,
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path)
            if path.path.segments.first().is_some_and(|s| s.ident == "coenzyme")
                && path.path.segments.last().is_some_and(|s| s.ident == "chunk")),
        _ => false,
    };
    syn::parse2::<Expr>(index.clone()).is_ok_and(|index| is_part(&index))
}

/// Whether a place is a part of memory, which has no size.
pub(crate) fn is_part(place: &Place) -> bool {
    let last = place.suffix.clone().into_iter().last();
    matches!(last, Some(TokenTree::Group(index)) if selects_part(&index.stream()))
}

fn is_same(a: &Place, b: &Place) -> bool {
    a.base == b.base && a.suffix.to_string() == b.suffix.to_string()
}
