//! Fixed arrays that are made entry by entry: `x.map(f)`, `std::array::from_fn(f)`.

use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, ExprCall, ExprClosure, ExprMethodCall, Type};

use super::place;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::binding::annotated;
use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::names;

/// Whether a type is a fixed array, as far as tokens tell.
pub(crate) fn is_fixed_type(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Reference(reference) => is_fixed_type(&reference.elem),
        _ => false,
    }
}

/// How many levels of a type are fixed arrays: two of `[[f64; 3]; 3]`, one of `[Vec<f64>; 3]`.
pub(crate) fn levels_of_type(ty: &Type) -> usize {
    match ty {
        Type::Array(array) => 1 + levels_of_type(&array.elem),
        Type::Reference(reference) => levels_of_type(&reference.elem),
        _ => 0,
    }
}

/// How many levels of a value are fixed arrays, as far as it is written.
pub(crate) fn levels_of(expr: &Expr) -> usize {
    match expr {
        Expr::Paren(paren) => levels_of(&paren.expr),
        Expr::Repeat(repeat) => 1 + levels_of(&repeat.expr),
        // entries are of one type
        Expr::Array(array) => 1 + array.elems.iter().map(levels_of).max().unwrap_or(0),
        _ => 0,
    }
}

impl Lower<'_> {
    /// Whether the length of a place is in the type of the local that it lies in.
    pub(crate) fn has_length_in_type(&self, root: RootId, levels: usize) -> bool {
        let known = self.fixed.get(&Base::Root(root));
        known.is_some_and(|known| levels < *known)
    }

    /// Whether an expression is a fixed array, as far as tokens tell.
    pub(crate) fn is_fixed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_fixed(&paren.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(_) => match names::simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Def(d)) => self.fixed.contains_key(&Base::Def(*d)),
                Some(Binding::Root(r)) => self.fixed.contains_key(&Base::Root(*r)),
                Some(Binding::Alias { place, .. }) if place.suffix.is_empty() => {
                    self.fixed.contains_key(&place.base)
                }
                _ => false,
            },
            Expr::Call(call) => is_from_fn(call),
            Expr::MethodCall(call) => call.method == "map" && self.is_fixed(&call.receiver),
            _ => false,
        }
    }

    /// Whether an expression may be a fixed array: it is one, or it is a place of a type that tokens do not tell.
    fn may_be_fixed(&self, expr: &Expr) -> bool {
        match expr {
            expr if self.is_given(expr) => false,
            Expr::Paren(paren) => self.may_be_fixed(&paren.expr),
            // `rows[i]`, or a name of it, of `rows: &[[f64; 3]]`
            expr if self.type_of(expr).is_some_and(|ty| is_fixed_type(&ty)) => true,
            Expr::Field(_) => !self.is_array(expr),
            Expr::Path(_) => {
                let binding = names::simple_name(expr).and_then(|n| self.lookup(&n));
                let returned = |d: &DefId| matches!(self.program.defs[*d].kind, DefKind::Call(_));
                self.is_fixed(expr)
                    || matches!(binding, Some(Binding::Def(d)) if returned(d))
                        && !self.is_array(expr)
            }
            Expr::MethodCall(call) => call.method == "map" && self.may_be_fixed(&call.receiver),
            Expr::Call(call) => is_from_fn(call) || self.is_outcome(expr),
            expr => self.is_fixed(expr),
        }
    }

    /// The memory of `x.map(f)`, of a fixed array, where its entries are gone through.
    pub(crate) fn mapped_place(&mut self, call: &Expr) -> Option<Place> {
        match call {
            Expr::MethodCall(map) if map.method == "map" && self.is_varied(call) => {
                let made = self.nameless_memory(call)?;
                Some(place::whole(self.atom_base(made)))
            }
            _ => None,
        }
    }

    /// `x` of `<[f64; 3]>::from(x)`, `x.to_vec()` of `Vec::from(x)`.
    pub(crate) fn same_array(&self, call: &ExprCall) -> Option<Expr> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let of = call.args.first().filter(|_| call.args.len() == 1)?;
        let mut names = path.path.segments.iter().rev();
        if names.next()?.ident != "from" {
            return None;
        }
        match (&path.qself, names.next()) {
            (Some(own), None) => matches!(*own.ty, Type::Array(_)).then(|| of.clone()),
            (None, Some(ty)) if ty.ident == "Vec" => Some(match of {
                Expr::Reference(lent) => {
                    let of = &lent.expr;
                    syn::parse_quote!(#of.to_vec())
                }
                Expr::Array(array) => {
                    let entries = &array.elems;
                    syn::parse_quote!(vec![#entries])
                }
                of => syn::parse_quote!((#of).to_vec()),
            }),
            _ => None,
        }
    }

    /// Notes that a name is bound to a fixed array, with the number of its levels that are such.
    pub(crate) fn note_fixed(&mut self, name: &str, levels: usize) {
        let base = match self.lookup(name) {
            Some(Binding::Def(d)) => Base::Def(*d),
            Some(Binding::Root(r)) => Base::Root(*r),
            _ => return,
        };
        self.fixed.insert(base, levels);
    }

    /// `x.map(f)` of a fixed array.
    pub(crate) fn mapped_array(&mut self, name: &Ident, call: &ExprMethodCall) -> Option<RootId> {
        if call.method != "map" || !self.may_be_fixed(&call.receiver) {
            return None;
        }
        let f = function(call.args.first()?)?;
        let from = match self.place(&call.receiver) {
            Some(place) => self.settled(place),
            None => {
                let value = self.value(&call.receiver);
                place::whole(self.atom_base(value))
            }
        };
        let tokens = self.place_tokens(&from);
        let blank = quote!(::coenzyme::__private::array_like(&#tokens));
        let changed = self.written_by(&f.body);
        let made =
            self.entrywise_array(name, None, blank, &from.uses.clone(), changed, |this, k| {
                let mut entry = from.clone();
                let i = &k.tokens;
                entry.suffix.extend(quote!([#i]));
                entry.uses.extend(&k.uses);
                let entry = this.read(entry);
                this.apply(&f, vec![Element::Atom(entry)])
            });
        Some(made)
    }

    /// `std::array::from_fn(f)`.
    pub(crate) fn array_from_fn(
        &mut self,
        name: &Ident,
        ty: Option<&Type>,
        call: &ExprCall,
    ) -> Option<RootId> {
        if !is_from_fn(call) {
            return None;
        }
        let f = function(call.args.first()?)?;
        let counted = length_of(call);
        let ty = ty.or(counted.as_ref());
        let blank = quote!(::core::array::from_fn(|_| {
            ::coenzyme::__private::Blank::blank()
        }));
        let changed = self.written_by(&f.body);
        let made = self.entrywise_array(name, ty, blank, &Uses::default(), changed, |this, k| {
            this.apply(&f, vec![Element::Atom(Atom::Const(k))])
        });
        Some(made)
    }

    /// A fixed array that begins blank and gets its entries by their numbers.
    fn entrywise_array(
        &mut self,
        name: &Ident,
        ty: Option<&Type>,
        blank: proc_macro2::TokenStream,
        uses: &Uses,
        changed: Vec<RootId>,
        mut entry: impl FnMut(&mut Self, ir::Expr) -> Atom,
    ) -> RootId {
        let blank = ir::Expr {
            tokens: blank,
            uses: uses.clone(),
        };
        let init = Init::Inactive {
            expr: annotated(ty, blank),
            again: true,
        };
        let made = self.memory(name, true, init);
        self.fixed.insert(Base::Root(made), 1);
        let made_name = &self.program.roots[made].name;
        let range = Atom::Const(ir::Expr {
            tokens: quote!((0..::coenzyme::__private::array_len(&#made_name))),
            ..Default::default()
        });
        self.changing(changed, |this| {
            this.counted(Range::up(range), None, |this, k| {
                let value = entry(this, k.clone());
                let (i, mut place) = (&k.tokens, this.whole_of(made));
                place.suffix = quote!([#i]);
                place.uses = k.uses;
                this.set(place, value);
            });
        });
        made
    }
}

/// `array::from_fn(…)`
fn is_from_fn(call: &ExprCall) -> bool {
    paths::is(&call.func, &["array", "from_fn"], 2)
}

/// `[_; 3]` of `from_fn::<_, 3, _>`.
fn length_of(call: &ExprCall) -> Option<Type> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(generics) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let n = generics.args.iter().nth(1)?;
    Some(syn::parse_quote!([_; #n]))
}

/// A closure, or a path as one.
fn function(f: &Expr) -> Option<ExprClosure> {
    match f {
        Expr::Closure(f) => Some(f.clone()),
        Expr::Path(_) => Some(syn::parse_quote!(|entry| #f(entry))),
        _ => None,
    }
}
