//! Arrays made of active values: `array![…]`, `Array1::from_vec(…)`, `Array2::from_shape_fn(…)`.

use quote::quote;
use syn::{Expr, ExprCall, ExprClosure};

use super::kind::{Is, of_path};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::iterators::seq::Seq;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::names::hidden;

/// `array![[a, b], [c, d]]`, `arr1(&[a, b])`.
pub(crate) struct Literal {
    pub(crate) shape: Vec<usize>,
    pub(crate) entries: Vec<Expr>,
}

impl Literal {
    pub(crate) fn parse(mac: &syn::Macro) -> Option<Self> {
        if paths::macro_name(&mac.path)? != "array" {
            return None;
        }
        let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        Some(Self::of(mac.parse_body_with(list).ok()?.iter()))
    }

    fn of<'e>(list: impl Iterator<Item = &'e Expr>) -> Self {
        let rows: Vec<&Expr> = list.collect();
        let inner: Option<Vec<Self>> = rows
            .iter()
            .map(|row| match row {
                Expr::Array(row) => Some(Self::of(row.elems.iter())),
                _ => None,
            })
            .collect();
        match inner {
            Some(inner) if !inner.is_empty() => {
                let mut shape = vec![inner.len()];
                shape.extend(&inner[0].shape);
                let entries = inner.into_iter().flat_map(|i| i.entries).collect();
                Self { shape, entries }
            }
            _ => Self {
                shape: vec![rows.len()],
                entries: rows.into_iter().cloned().collect(),
            },
        }
    }
}

impl Lower<'_> {
    /// `array![x, y]`
    pub(crate) fn array_macro(&mut self, mac: &syn::Macro) -> Option<Atom> {
        if let Some(literal) = Literal::parse(mac) {
            return self.array_literal(&literal);
        }
        let (stacks, axis, parts) = super::joined::parts_of_macro(mac)?;
        self.joined(stacks, &axis, &parts)
    }

    fn array_literal(&mut self, Literal { shape, entries }: &Literal) -> Option<Atom> {
        let rank = shape.len();
        let shape = self.shape(&syn::parse_quote!([#(#shape),*]));
        let values = syn::parse_quote!(::std::vec![#(#entries),*]);
        self.shaped(&values, shape, Is::with(rank))
    }

    /// A constructor of arrays.
    pub(crate) fn array_made(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let name = path.path.segments.last()?.ident.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let is = self.kind(&Expr::Call(call.clone()));
        if let ("arr1" | "arr2", [Expr::Reference(list)]) = (name.as_str(), &args[..])
            && let Expr::Array(list) = &*list.expr
        {
            return self.array_literal(&Literal::of(list.elems.iter()));
        }
        if of_path(&path.path, 1) == Is::No {
            return None;
        }
        let Is::Surely(rank) = is else { return None };
        match (name.as_str(), &args[..]) {
            ("from_vec" | "from", [values]) => {
                let values = self.values(values)?;
                let place = place::whole(values);
                let (tokens, uses) = (self.place_tokens(&place), self.place_uses(&place));
                let tokens = quote!(::coenzyme::ndarray::Ix1((#tokens).len()));
                let shape = self.def(DefKind::Pure(ir::Expr { tokens, uses }), false);
                Some(self.shaped_values(values, Atom::Def(shape), Is::with(1)))
            }
            ("from_iter", [chain]) => self.array_made(&syn::parse_quote!(
                ::coenzyme::ndarray::Array1::from_vec(#chain.collect::<Vec<_>>())
            )),
            ("from_shape_vec", [shape, values]) => {
                let shape = self.shape(shape);
                self.shaped(values, shape, is)
            }
            ("from_elem", [shape, value]) => {
                let shape = self.shape(shape);
                let name = hidden("entry");
                let n = self.number_of_entries(&shape);
                self.bind_value(&name.to_string(), n);
                self.shaped(&syn::parse_quote!(::std::vec![#value; #name]), shape, is)
            }
            ("from_shape_fn", [shape, f]) => {
                let shape = self.shape(shape);
                let f: ExprClosure = match f {
                    Expr::Closure(f) => f.clone(),
                    f => syn::parse_quote!(|index| #f(index)),
                };
                let Base::Def(of) = self.atom_base(shape.clone()) else {
                    return None;
                };
                let indices = Seq::Array(super::ArraySeq::Indices { shape: of, rank });
                let name = hidden("made");
                let entries = Seq::Map(Box::new(indices), f);
                let values = self.collected_from(&name, &entries, &name.clone());
                Some(self.shaped_values(Base::Root(values), shape, is))
            }
            ("from_diag", [diagonal]) => {
                let diagonal = self.operand_argument(diagonal);
                let from_diag = syn::parse_quote!(::coenzyme::ops::array::from_diag);
                Some(self.array_rule(from_diag, vec![diagonal], Is::with(2)))
            }
            _ => None,
        }
    }

    /// The shape that an expression stands for.
    fn shape(&mut self, shape: &Expr) -> Atom {
        let ir::Expr { tokens, uses } = self.index(shape);
        let tokens = quote!(::coenzyme::ops::array::shape(#tokens));
        Atom::Def(self.def(DefKind::Pure(ir::Expr { tokens, uses }), false))
    }

    fn number_of_entries(&mut self, shape: &Atom) -> Atom {
        let ir::Expr { tokens, uses } = self.atom_expr(shape);
        let tokens = quote!(::coenzyme::ops::array::entries(&#tokens));
        Atom::Def(self.def(DefKind::Pure(ir::Expr { tokens, uses }), false))
    }

    fn bind_value(&mut self, name: &str, value: Atom) {
        if let Base::Def(d) = self.atom_base(value) {
            self.bind(name, Binding::Def(d));
        }
    }

    /// Where the entries are that `values` gives.
    fn values(&mut self, values: &Expr) -> Option<Base> {
        let values = match self.nameless_memory(values) {
            Some(values) => values,
            None => self.value(values),
        };
        Some(self.atom_base(values))
    }

    /// The array of a shape from its entries in logical order.
    pub(crate) fn shaped(&mut self, values: &Expr, shape: Atom, is: Is) -> Option<Atom> {
        let values = self.values(values)?;
        Some(self.shaped_values(values, shape, is))
    }

    pub(crate) fn shaped_values(&mut self, values: Base, shape: Atom, is: Is) -> Atom {
        let shape = Arg::Const(self.atom_expr(&shape));
        let args = vec![Arg::Shared(place::whole(values)), shape];
        self.array_rule(syn::parse_quote!(::coenzyme::ops::array::shaped), args, is)
    }
}
