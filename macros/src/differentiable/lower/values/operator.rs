//! Operators: on numbers, on arrays, on types of the user's, whose operands may be references.

use std::borrow::Cow;

use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprBinary};

use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{calls, operations};
use crate::differentiable::syntax::names::simple_name;
use crate::premises::Site;
use crate::signature::Passing;

/// Methods that give what an `Option` or a `Result` holds, which may be a reference.
const HELD: &[&str] = &["expect", "unwrap", "unwrap_or", "unwrap_or_else"];

/// Whether an expression gives a reference to an element of something, as far as tokens tell.
pub(crate) fn lends_an_element(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let lends = |of: &Expr| match of {
        Expr::MethodCall(of) => ["first", "get", "last"]
            .iter()
            .any(|name| of.method == name),
        _ => false,
    };
    calls::unwraps(call) && lends(&call.receiver)
}

impl Lower<'_> {
    /// `left op right`.
    pub(crate) fn operator(&mut self, binary: &ExprBinary) -> Atom {
        let Some((name, needs)) = operations::operator(&binary.op) else {
            return self.surely_inert(&Expr::Binary(binary.clone()));
        };
        let [left, right] = [&*binary.left, &*binary.right].map(|e| self.inactive_element(e));
        let (left, right) = (&*left, &*right);
        let forms = [self.form(left), self.form(right)];
        if let Some(value) = self.array_operator(name, binary, forms) {
            return value;
        }
        self.note_forms(binary.op.span(), [Some(left), Some(right)]);
        let needs = self.needs_of(needs, &[left, right]);
        let (a, b) = (self.operand_of(left), self.operand_of(right));
        let op = &binary.op;
        let by = match forms {
            [OperandForm::Value, OperandForm::Value] => {
                return self.binary(name, op.to_token_stream(), a, b, needs);
            }
            [OperandForm::Reference, OperandForm::Value] => format_ident!("left"),
            [OperandForm::Value, OperandForm::Reference] => format_ident!("right"),
            [OperandForm::Reference, OperandForm::Reference] => format_ident!("both"),
        };
        let (a, b) = (self.operand(a), self.operand(b));
        let (x, y) = (self.atom_tokens(&a), self.atom_tokens(&b));
        let [l, r] = forms.map(|form| (form == OperandForm::Reference).then(|| quote!(&)));
        let name = format_ident!("{name}");
        let path = quote!(::coenzyme::ops::by_reference::#by::#name);
        self.op_path(path, quote!((#l #x #op #r #y)), vec![a, b], needs)
    }

    /// An operand that is an element of something without derivative: the element, and not a reference to it, of which there is no rule.
    fn inactive_element<'e>(&self, operand: &'e Expr) -> Cow<'e, Expr> {
        match lends_an_element(operand) && !self.is_varied(operand) {
            true => Cow::Owned(syn::parse_quote!(::core::clone::Clone::clone(#operand))),
            false => Cow::Borrowed(operand),
        }
    }

    /// `-operand`
    pub(crate) fn negative(&mut self, unary: &syn::ExprUnary) -> Atom {
        let operand = &*unary.expr;
        if let Some(negative) = self.array_negative(operand) {
            return negative;
        }
        self.note_forms(unary.op.span(), [Some(operand), None]);
        let is_reference = self.form(operand) == OperandForm::Reference;
        let a = self.operand_of(operand);
        let tokens = self.atom_tokens(&a);
        if !is_reference {
            return self.op("neg", quote!((-#tokens)), vec![a], Needs::Nothing);
        }
        let path = quote!(::coenzyme::ops::by_reference::neg);
        self.op_path(path, quote!((-&#tokens)), vec![a], Needs::Nothing)
    }

    /// Whether an operand is a reference to what may be no number.
    pub(crate) fn form(&self, operand: &Expr) -> OperandForm {
        let is_reference = match operand {
            Expr::Paren(paren) => return self.form(&paren.expr),
            Expr::Reference(_) => true,
            Expr::MethodCall(_) => lends_an_element(operand),
            Expr::Path(_) => match simple_name(operand).and_then(|n| self.lookup(&n)) {
                Some(Binding::Alias { place, .. }) => {
                    !self.is_moved(place) && !self.is_number_at(place)
                }
                Some(Binding::View(_)) => true,
                Some(Binding::Def(d)) => self.lent_elements.contains(d),
                Some(Binding::Root(r)) => {
                    let whole = place::whole(Base::Root(*r));
                    self.is_shared(*r) && !self.is_number_at(&whole)
                }
                _ => false,
            },
            _ => false,
        };
        if is_reference {
            OperandForm::Reference
        } else {
            OperandForm::Value
        }
    }

    /// Lets the witness assert what was taken for a reference, and what for a value, where tokens do not tell for certain.
    pub(crate) fn note_forms(&mut self, op: Span, operands: [Option<&Expr>; 2]) {
        let forms = operands.map(|e| e.filter(|e| self.is_uncertain(e)).map(|e| self.form(e)));
        if forms.iter().any(Option::is_some) {
            let site = Site::of(op);
            self.program.decisions.operands.insert(site, forms);
        }
    }

    /// Whether a root is behind a shared reference that is a parameter.
    pub(crate) fn is_shared(&self, root: RootId) -> bool {
        let shared = Passing::Shared;
        matches!(self.program.roots[root].kind, RootKind::Param { passing, .. } if passing == shared)
    }

    fn is_uncertain(&self, operand: &Expr) -> bool {
        match operand {
            Expr::Paren(paren) => self.is_uncertain(&paren.expr),
            Expr::MethodCall(call) => HELD.iter().any(|name| call.method == name),
            Expr::Path(_) => match simple_name(operand).and_then(|n| self.lookup(&n)) {
                Some(Binding::Alias { place, .. }) => !self.is_number_at(place),
                Some(Binding::View(_)) => true,
                Some(Binding::Def(d)) => match self.program.defs[*d].kind {
                    DefKind::Param(_) | DefKind::Make { .. } | DefKind::Op { .. } => false,
                    _ => !self.is_number_at(&place::whole(Base::Def(*d))),
                },
                Some(Binding::Root(r)) => {
                    let whole = place::whole(Base::Root(*r));
                    let is_param = matches!(self.program.roots[*r].kind, RootKind::Param { .. });
                    !is_param && !self.own.contains(r) && !self.is_number_at(&whole)
                }
                _ => false,
            },
            _ => false,
        }
    }
}
