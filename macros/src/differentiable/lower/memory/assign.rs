//! Assignments.

use proc_macro2::TokenTree;
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Token};

use super::place;
use crate::differentiable::front::numbers;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::operations;
use crate::differentiable::syntax::ends::at_ends;
use crate::differentiable::syntax::exit_kinds::{is_leaving, may_leave};
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::is_failure;
use crate::files::own_shape;
use crate::signature::Passing;

/// What stands on the right of a compound operator.
#[derive(Clone, Copy, PartialEq)]
enum By {
    /// A value, where the left may be a number.
    Value,
    /// A value, where the left is of a type of the user's.
    Own,
    /// A reference, where the left is of a type of the user's.
    Reference,
}

/// What is said of something else on the left of `=`.
const NO_PLACE: &str = "this is not a place that can be assigned to";

/// The same of what a method of the user's lends.
pub(crate) const LENT: &str = "what a method lends has a place in the shadow only where integers choose it which nothing assigns: assign to the memory itself, `m.entries[i] = …`, or in a method that takes the value, `m.set(i, …)`";

fn no_place(left: &Expr) -> &'static str {
    match left {
        Expr::Unary(of) if matches!(&*of.expr, Expr::MethodCall(_)) => LENT,
        Expr::Index(of) if matches!(&*of.expr, Expr::MethodCall(_)) => LENT,
        Expr::Field(of) if matches!(&*of.base, Expr::MethodCall(_)) => LENT,
        _ => NO_PLACE,
    }
}

impl Lower<'_> {
    pub(crate) fn assign(&mut self, left: &Expr, right: &Expr) {
        match left {
            Expr::Tuple(targets) if self.is_partly_active(right) => {
                self.assign_each(&targets.elems, right);
            }
            Expr::Tuple(targets) => {
                let value = self.value(right);
                let base = self.atom_base(value);
                let parts: Vec<_> = (0..targets.elems.len())
                    .map(|i| {
                        let index = syn::Index::from(i);
                        let mut part = place::whole(base);
                        part.suffix = quote!(.#index);
                        self.read(part)
                    })
                    .collect();
                for (target, value) in targets.elems.iter().zip(parts) {
                    self.assign_value(target, value);
                }
            }
            Expr::Infer(_) => drop(self.value(right)),
            Expr::Path(_) if self.is_option(left) => self.assign_option(left, right),
            Expr::Path(_) if self.assign_reference(left, right) => {}
            Expr::Path(_) if is_branch(right) && may_leave(right) => {
                let mut branch = right.clone();
                let assigned = at_ends(&mut branch, &mut |end| {
                    if !is_leaving(end) {
                        *end = syn::parse_quote!({ #left = #end; });
                    }
                    Ok(())
                });
                if assigned.is_ok() {
                    self.expression_statement(&branch);
                }
            }
            Expr::Unary(_) if self.assign_boxed(left, right) => {}
            _ => {
                let field = matches!(left, Expr::Field(_));
                let some = field.then(|| self.some_made(right)).flatten();
                // `None` of a part is no end of the function
                let value = match matches!(right, Expr::Path(_)) && is_failure(right) {
                    true => self.inactive(right),
                    false => some.unwrap_or_else(|| self.value(right)),
                };
                self.assign_value(left, value);
            }
        }
    }

    /// Whether an expression is a tuple of which some values have a derivative, and some have none.
    fn is_partly_active(&self, expr: &Expr) -> bool {
        let Expr::Tuple(values) = expr else {
            return false;
        };
        let active = values.elems.iter().filter(|value| self.is_varied(value));
        (1..values.elems.len()).contains(&active.count())
    }

    /// `(n, y) = (n + 1, y * x)`: a tuple of both would make an integer active. All values are computed before the first is assigned.
    fn assign_each(&mut self, targets: &Punctuated<Expr, Token![,]>, right: &Expr) {
        let Expr::Tuple(values) = right else { return };
        let pairs = targets.iter().zip(&values.elems).enumerate();
        let named: Vec<_> = pairs
            .map(|(i, (target, value))| (target, hidden(&format!("part{i}")), value))
            .collect();
        for (_, name, value) in &named {
            self.let_pattern(&syn::parse_quote!(#name), None, value);
        }
        for (target, name, _) in &named {
            self.assign(target, &syn::parse_quote!(#name));
        }
    }

    /// Where the value of an atom can be read in parts.
    pub(crate) fn atom_base(&mut self, atom: Atom) -> Base {
        match atom {
            Atom::Def(d) => Base::Def(d),
            Atom::Root(r) => Base::Root(r),
            Atom::Const(expr) => Base::Def(self.def(DefKind::Pure(expr), false)),
        }
    }

    fn assign_value(&mut self, left: &Expr, value: Atom) {
        if matches!(left, Expr::Infer(_)) {
            return;
        }
        let Some(place) = self.place(left) else {
            return self.errors.at(left, no_place(left));
        };
        self.set(place, value);
    }

    /// `place = value`.
    pub(crate) fn set(&mut self, place: Place, value: Atom) {
        let value = match value {
            Atom::Const(expr) if self.is_scalar(&place) => {
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            value => value,
        };
        self.keep_shape(&place, &value);
        self.written(&place);
        if let (Base::Root(root), true, Atom::Def(d)) = (place.base, self.is_scalar(&place), &value)
        {
            self.versions.insert(root, *d);
        }
        self.push(Item::Assign {
            place,
            op: Assign::Set,
            value,
        });
    }

    /// Notes the shape of a local or a field that is assigned as a whole, for the way back: a vector may get another length.
    fn keep_shape(&mut self, place: &Place, value: &Atom) {
        let Base::Root(root) = place.base else { return };
        let of_other_shape = match value {
            Atom::Const(_) => true,
            value => self.may_have_any_shape(value),
        };
        let changes = match self.program.roots[root].kind {
            RootKind::Memory => !self.late.contains(&root),
            RootKind::Param { passing, .. } => passing == Passing::Exclusive,
            RootKind::Scalar => false,
        };
        if !changes || !has_any_shape(place) || !of_other_shape || !self.place_varied(place) {
            return;
        }
        let (before, after) = (self.place_tokens(place), self.atom_expr(value));
        let (mut uses, value) = (after.uses, after.tokens);
        uses.extend(&place.uses);
        uses.roots.insert(root);
        let tokens = quote!(::coenzyme::__private::shape_before(&#before, &#value));
        let shape = self.def(
            DefKind::Pure(crate::differentiable::ir::Expr { tokens, uses }),
            false,
        );
        let (place, shape) = (place.clone(), Some(shape));
        self.push(Item::Reshape { place, shape });
    }

    /// Whether a value comes from memory or from a call, or is made of what does.
    fn may_have_any_shape(&self, value: &Atom) -> bool {
        match value {
            Atom::Root(_) => true,
            Atom::Const(_) => false,
            Atom::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Call(_) | DefKind::Version(_) => true,
                DefKind::Param(index) => {
                    !numbers::is_number(&self.parameter_types[*index], &self.scalar)
                }
                DefKind::Read(place) => !self.is_scalar(place) && !self.is_number_at(place),
                DefKind::Make { parts, .. } => {
                    parts.iter().any(|(_, part)| self.may_have_any_shape(part))
                }
                _ => false,
            },
        }
    }

    pub(crate) fn is_scalar(&self, place: &Place) -> bool {
        matches!(place.base, Base::Root(r) if self.program.roots[r].kind == RootKind::Scalar)
    }

    pub(crate) fn compound(
        &mut self,
        left: &Expr,
        (assigning, op): (&syn::BinOp, &syn::BinOp),
        right: &Expr,
    ) {
        self.note_forms(assigning.span(), [None, Some(right)]);
        if self.form(right) == OperandForm::Reference
            && (self.is_own(left) || self.is_constructed(left))
            && !self.is_of_arrays(left)
            && self.boxed(left).is_none()
        {
            let value = self.value(right);
            let Some(place) = self.place(left) else {
                return self.errors.at(left, no_place(left));
            };
            let old = self.read(place.clone());
            let new = self.assigned(old, (assigning, op), value, By::Reference);
            return self.set(place, new);
        }
        if let Some((name, _)) = operations::operator(op)
            && (self.is_varied(left) || self.is_varied(right))
            && self.array_update(name, left, right)
        {
            return;
        }
        let value = self.value(right);
        if let Some(of) = self.boxed(left).cloned() {
            let old = self.content(&of);
            let by = if self.is_own(left) {
                By::Own
            } else {
                By::Value
            };
            let new = self.assigned(old, (assigning, op), value, by);
            let name = self.unbound(&quote::format_ident!("content"), "changed");
            if let Atom::Def(d) = new {
                self.bind(&name.to_string(), Binding::Def(d));
            }
            self.assign_boxed(left, &syn::parse_quote!(#name));
            return;
        }
        let Some(place) = self.place(left) else {
            return self.errors.at(left, no_place(left));
        };
        self.compound_value(place, (assigning, op), value);
    }

    /// `place op= value`.
    fn compound_value(
        &mut self,
        place: Place,
        (assigning, op): (&syn::BinOp, &syn::BinOp),
        value: Atom,
    ) {
        let sum = match op {
            syn::BinOp::Add(_) => Some(Assign::Add),
            syn::BinOp::Sub(_) => Some(Assign::Sub),
            _ => None,
        };
        if let (Some(op), false) = (sum, self.is_scalar(&place)) {
            self.written(&place);
            return self.push(Item::Assign { place, op, value });
        }
        if self.is_number_at(&place) {
            return self.update(place, op, value);
        }
        let is_own = self
            .type_of_place(&place)
            .is_some_and(|ty| self.is_own_type(&ty));
        let old = self.read(place.clone());
        let by = if is_own { By::Own } else { By::Value };
        let new = self.assigned(old, (assigning, op), value, by);
        self.set(place, new);
    }

    /// `place = place op value`.
    pub(crate) fn update(&mut self, place: Place, op: &syn::BinOp, value: Atom) {
        let old = self.read(place.clone());
        let new = if self.atom_varied(&old) || self.atom_varied(&value) {
            match operations::operator(op) {
                Some((name, needs)) => self.binary(name, op.to_token_stream(), old, value, needs),
                None => self.bits(old, op, value),
            }
        } else {
            self.binary_inactive(old, op, value)
        };
        self.set(place, new);
    }

    /// `old ^ value`: an operator that has no derivative, of what has none, as its type must say.
    fn bits(&mut self, old: Atom, op: &syn::BinOp, value: Atom) -> Atom {
        let (old, value) = (self.operand(old), self.operand(value));
        self.made_of_two(
            &old,
            &value,
            |x, y| quote_spanned!(op.span()=> ::coenzyme::__private::inert(#x #op #y)),
        )
    }

    /// What `old op= value` makes of `old`, which may be of a type with an operator of its own.
    fn assigned(
        &mut self,
        old: Atom,
        (assigning, op): (&syn::BinOp, &syn::BinOp),
        value: Atom,
        by: By,
    ) -> Atom {
        let (old, value) = (self.operand(old), self.operand(value));
        let and = (by == By::Reference).then(|| quote!(&));
        let assigned = |before, with| quote!({ let mut __old = ::core::clone::Clone::clone(&#before); __old #assigning #and #with; __old });
        if !self.atom_varied(&old) && !self.atom_varied(&value) {
            return self.made_of_two(&old, &value, assigned);
        }
        let tokens = assigned(self.atom_tokens(&old), self.atom_tokens(&value));
        let Some((name, needs)) = operations::operator(op) else {
            return self.bits(old, op, value);
        };
        let needs = if by == By::Value {
            needs
        } else {
            Needs::Everything
        };
        let (name, lent) = (quote::format_ident!("{name}"), and.map(|_| quote!(lent::)));
        self.op_path(
            quote!(::coenzyme::ops::assigned::#lent #name),
            tokens,
            vec![old, value],
            needs,
        )
    }
}

/// Whether a place is all of a local or a field that is no number, as far as the structs of the crate tell.
fn has_any_shape(place: &Place) -> bool {
    match place.suffix.clone().into_iter().last() {
        Some(TokenTree::Ident(field)) => !own_shape::is_one(&field),
        Some(TokenTree::Group(_)) => false,
        _ => true,
    }
}

fn is_branch(expr: &Expr) -> bool {
    matches!(expr, Expr::If(_) | Expr::Match(_))
}
