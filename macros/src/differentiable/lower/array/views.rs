//! Views that are written: `a.row_mut(i)`, `a.slice_mut(s![…])`. What is done with one is done with a part of the array.
//!
//! ```text
//! // let mut r = a.row_mut(i); r += &b; r[j] = x;
//! change_part(&mut a, (Lane(Axis(1), i), add {}), &b); a[inside(&Lane(Axis(1), i), …, j)] = x;
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall};

use super::kind::Is;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::varied::borrows_mutably;
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

/// What is said of a view that is written, where it would be copied.
pub(crate) const VIEW_IS_NO_VALUE: &str = "a view that is written cannot be chosen, stored or looked at in another shape here: bind it to a name \
    by itself, `let mut r = a.row_mut(i);`, or take the part of the array where it is changed";

/// A part of an array.
#[derive(Clone)]
pub(crate) struct Part {
    /// The array.
    pub(crate) whole: Place,
    /// Which part: a `Selection`.
    pub(crate) selection: ir::Expr,
    /// The shapes of the array and of the part.
    pub(crate) shapes: (DefId, DefId),
    /// How many axes it has, if that is known.
    pub(crate) rank: Option<usize>,
    pub(crate) exclusive: bool,
}

impl Part {
    pub(crate) fn whole(&self) -> &Place {
        &self.whole
    }
}

impl Lower<'_> {
    /// The part of an array that an expression is a mutable view of.
    pub(crate) fn part_of(&mut self, expr: &Expr) -> Option<Part> {
        match expr {
            Expr::Paren(paren) => self.part_of(&paren.expr),
            Expr::Reference(reference) => self.part_of(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.part_of(&unary.expr)
            }
            Expr::Path(_) => match self.lookup(&simple_name(expr)?)? {
                Binding::Part(part) => Some(part.clone()),
                _ => None,
            },
            Expr::MethodCall(call) => self.view_method(call),
            _ => None,
        }
    }

    fn view_method(&mut self, call: &ExprMethodCall) -> Option<Part> {
        let name = call.method.to_string();
        let receiver = &call.receiver;
        // of a view that is written, also what reads
        let within = self.part_of(receiver);
        let name = match &within {
            Some(_) => name.strip_suffix("_mut").unwrap_or(&name),
            None => name.strip_suffix("_mut")?,
        };
        let mut args = call.args.iter();
        let selection: Expr = match (name, args.next(), args.next()) {
            ("row", Some(i), None) => {
                syn::parse_quote!(::coenzyme::ops::array::Lane(::coenzyme::ndarray::Axis(1), #i))
            }
            ("column", Some(j), None) => {
                syn::parse_quote!(::coenzyme::ops::array::Lane(::coenzyme::ndarray::Axis(0), #j))
            }
            ("index_axis", Some(axis), Some(i)) => {
                syn::parse_quote!(::coenzyme::ops::array::At(#axis, #i))
            }
            ("slice", Some(slice), None) => {
                syn::parse_quote!(::coenzyme::ops::array::Sliced(#slice))
            }
            ("diag", None, None) => syn::parse_quote!(::coenzyme::ops::array::Diagonal),
            ("view", None, None) | ("reborrow", None, None) if within.is_some() => return within,
            _ => return None,
        };
        let rank = match self.kind_of_view(call) {
            Is::Surely(rank) => rank,
            _ => None,
        };
        let selection = self.index(&selection);
        match within {
            Some(part) => Some(self.narrowed(part, selection, rank)),
            None => {
                let place = self.place(receiver)?;
                Some(self.part_within(place, selection, rank, true))
            }
        }
    }

    /// `a.view_mut().split_at(axis, i)`: both halves.
    pub(crate) fn split_array(&mut self, call: &ExprMethodCall) -> Option<[Part; 2]> {
        let array = self.viewed_part(&call.receiver, true)?;
        let (axis, at) = (self.index(&call.args[0]), self.index(&call.args[1]));
        let (along, tokens) = (&axis.tokens, &at.tokens);
        let mut uses = axis.uses.clone();
        uses.extend(&at.uses);
        uses.defs.insert(array.shapes.1);
        let shape = &self.program.defs[array.shapes.1].name;
        let half = |from, to| ir::Expr {
            tokens: quote!(::coenzyme::ops::array::Within(#along, #from, #to)),
            uses: uses.clone(),
        };
        let halves = [
            half(quote!(0), tokens.clone()),
            half(tokens.clone(), quote!(#shape[(#along).index()])),
        ];
        Some(halves.map(|half| self.narrowed(array.clone(), half, array.rank)))
    }

    fn kind_of_view(&self, call: &ExprMethodCall) -> Is {
        self.kind(&Expr::MethodCall(call.clone()))
    }

    /// A part of some memory.
    pub(crate) fn part_within(
        &mut self,
        whole: Place,
        selection: ir::Expr,
        rank: Option<usize>,
        exclusive: bool,
    ) -> Part {
        let whole = self.settled(whole);
        let shape = self.shape_of(&whole);
        let part_shape = self.shape_of_part(shape, &selection);
        Part {
            whole,
            selection,
            shapes: (shape, part_shape),
            rank,
            exclusive,
        }
    }

    /// A part of a part.
    pub(crate) fn narrowed(&mut self, of: Part, selection: ir::Expr, rank: Option<usize>) -> Part {
        let (outer, inner) = (&of.selection.tokens, &selection.tokens);
        let tokens = quote!(::coenzyme::ops::array::Then(#outer, #inner));
        let mut uses = of.selection.uses.clone();
        uses.extend(&selection.uses);
        let selection = ir::Expr { tokens, uses };
        let part_shape = self.shape_of_part(of.shapes.0, &selection);
        Part {
            shapes: (of.shapes.0, part_shape),
            selection,
            rank,
            ..of
        }
    }

    /// The shape of an array.
    pub(crate) fn shape_of(&mut self, whole: &Place) -> DefId {
        let tokens = self.place_tokens(whole);
        let shape = ir::Expr {
            tokens: quote!((#tokens).raw_dim()),
            uses: self.place_uses(whole),
        };
        self.def(DefKind::Pure(shape), false)
    }

    fn shape_of_part(&mut self, shape: DefId, selection: &ir::Expr) -> DefId {
        let (tokens, mut uses) = (&selection.tokens, selection.uses.clone());
        uses.defs.insert(shape);
        let shape = &self.program.defs[shape].name;
        let tokens = quote!(::coenzyme::ops::array::shape_of(&#tokens, &#shape));
        self.def(DefKind::Pure(ir::Expr { tokens, uses }), false)
    }

    /// The place of the entry at an index of a part.
    pub(crate) fn entry_of(&mut self, part: &Part, index: &ir::Expr) -> Place {
        let mut place = part.whole.clone();
        let (selection, index_tokens) = (&part.selection.tokens, &index.tokens);
        let [shape, part_shape] =
            [part.shapes.0, part.shapes.1].map(|d| self.program.defs[d].name.clone());
        place.suffix.extend(quote!([::coenzyme::ops::array::inside(&#selection, &#shape, &#part_shape, #index_tokens)]));
        place.uses.extend(&part.selection.uses);
        place.uses.extend(&index.uses);
        place.uses.defs.extend([part.shapes.0, part.shapes.1]);
        place
    }

    /// What is in a part, as a value.
    pub(crate) fn part_value(&mut self, part: &Part) -> Atom {
        let args = vec![
            Arg::Shared(part.whole.clone()),
            Arg::Const(part.selection.clone()),
        ];
        self.array_rule(
            syn::parse_quote!(::coenzyme::ops::array::part),
            args,
            Is::Surely(part.rank),
        )
    }

    /// As [`part_value`](Self::part_value), where a view that is written would be lost.
    pub(crate) fn viewed_value(&mut self, part: &Part, at: &dyn ToTokens) -> Atom {
        if part.exclusive {
            self.errors.at(at.to_token_stream(), VIEW_IS_NO_VALUE);
        }
        self.part_value(part)
    }

    /// Refuses `a.view_mut().reversed_axes()`: what is written to it would be written to a copy.
    pub(crate) fn refused_move(&mut self, call: &ExprMethodCall) -> bool {
        const MOVES: &[&str] = &[
            "index_axis_move",
            "insert_axis",
            "into_diag",
            "into_flat",
            "into_shape_with_order",
            "permuted_axes",
            "remove_axis",
            "reversed_axes",
            "slice_axis_move",
            "slice_move",
        ];
        if !MOVES.contains(&call.method.to_string().as_str()) {
            return false;
        }
        let name = simple_name(&call.receiver);
        let exclusive = match name.and_then(|n| self.lookup(&n)) {
            Some(Binding::Part(part)) => part.exclusive,
            Some(Binding::Alias { exclusive, .. }) => *exclusive,
            Some(Binding::Root(r)) => matches!(
                self.program.roots[*r].kind,
                RootKind::Param {
                    passing: Passing::Exclusive,
                    ..
                }
            ),
            _ => borrows_mutably(&call.receiver),
        };
        if exclusive {
            self.errors.at(&call.method, VIEW_IS_NO_VALUE);
        }
        exclusive
    }

    /// `part op= value`, by the operation's marker.
    pub(crate) fn change_part(&mut self, part: &Part, op: &TokenStream, value: Arg) {
        let ir::Expr { tokens, uses } = &part.selection;
        let by = Arg::Const(ir::Expr {
            tokens: quote!((#tokens, #op {})),
            uses: uses.clone(),
        });
        let args = vec![Arg::Exclusive(part.whole.clone()), by, value];
        self.array_change(syn::parse_quote!(::coenzyme::ops::array::change_part), args);
    }

    /// The view, for code that runs as it is.
    pub(crate) fn part_tokens(&self, part: &Part, live: bool) -> (TokenStream, Uses) {
        let (whole, selection) = (self.place_tokens(&part.whole), &part.selection.tokens);
        let mut uses = part.whole.uses.clone();
        uses.extend(&part.selection.uses);
        match part.whole.base {
            Base::Def(d) => drop(uses.defs.insert(d)),
            Base::Root(r) => drop(uses.roots.insert(r)),
        }
        let tokens = match part.exclusive && live {
            true => quote!(::coenzyme::ops::array::view_mut(&mut #whole, &#selection)),
            false => quote!(::coenzyme::ops::array::view(&#whole, &#selection)),
        };
        (tokens, uses)
    }
}

/// All of a place that is an array: its selection.
pub(crate) fn all() -> ir::Expr {
    ir::Expr {
        tokens: quote!(::coenzyme::ops::array::All),
        ..Default::default()
    }
}
