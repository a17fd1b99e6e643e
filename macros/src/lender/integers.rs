//! What computes integers in a method that lends a part: by these alone a part is chosen.

use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Member, ReceiverKind, ReturnType, Token, Type};

use super::reading::{Reading, method_of};
use crate::differentiable::front::numbers;

/// Whether a type is one of integers, by its name.
pub(crate) fn is_integer(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            let is_float = name == "f64" || name == "f32";
            name == "bool" || numbers::is_primitive(name) && !is_float
        }),
        Type::Tuple(of) => of.elems.iter().all(is_integer),
        Type::Array(of) => is_integer(&of.elem),
        Type::Paren(of) => is_integer(&of.elem),
        _ => false,
    }
}

impl Reading<'_> {
    /// An assertion about integers and lengths; what it says is not looked at.
    pub(super) fn asserts(&mut self, mac: &syn::Macro) -> bool {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        let asserted = match name.as_deref() {
            Some("assert" | "debug_assert") => 1,
            Some("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne") => 2,
            _ => return false,
        };
        let args = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        args.is_ok_and(|args| args.iter().take(asserted).all(|arg| self.asserted(arg)))
    }

    fn asserted(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(of) => self.asserted(&of.left) && self.asserted(&of.right),
            Expr::MethodCall(call) if call.method == "len" => self.place(&call.receiver),
            expr => self.integer(expr),
        }
    }

    /// Arithmetic on integers: names, literals, fields of `self`, and functions of these.
    pub(super) fn integer(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(path) => !path.path.is_ident("self") && !self.is_lent(path),
            Expr::Field(field) => match (&*field.base, &field.member) {
                (Expr::Path(path), member) if path.path.is_ident("self") => {
                    self.lender.reads(match member {
                        Member::Named(name) => name.to_string(),
                        Member::Unnamed(index) => index.index.to_string(),
                    });
                    true
                }
                // of a parameter, or of what is computed here
                (base, _) => matches!(base, Expr::Path(_)) && self.integer(base),
            },
            Expr::Paren(of) => self.integer(&of.expr),
            Expr::Cast(of) => is_integer(&of.ty) && self.integer(&of.expr),
            Expr::Unary(of) => self.integer(&of.expr),
            Expr::Binary(of) => self.integer(&of.left) && self.integer(&of.right),
            Expr::Tuple(of) => of.elems.iter().all(|part| self.integer(part)),
            Expr::Array(of) => of.elems.iter().all(|part| self.integer(part)),
            Expr::Range(of) => {
                let mut ends = of.start.iter().chain(&of.end);
                ends.all(|end| self.integer(end))
            }
            Expr::Block(of) if of.label.is_none() => {
                self.block(&of.block, &mut |this, end| this.integer(end))
            }
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref();
                self.integer(&branch.cond)
                    && self.block(&branch.then_branch, &mut |this, end| this.integer(end))
                    && otherwise.is_some_and(|(_, otherwise)| self.integer(otherwise))
            }
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Path(_))
                    && call.args.iter().all(|arg| self.integer(arg))
            }
            Expr::MethodCall(call) => {
                let mut args = call.args.iter();
                args.all(|arg| self.integer(arg))
                    && (self.integer(&call.receiver) || self.helps(call))
            }
            _ => false,
        }
    }

    /// `self.index(i, j)`, of a method of the block that does no more than compute an integer.
    fn helps(&mut self, call: &syn::ExprMethodCall) -> bool {
        let of_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        let method = method_of(self.block, &call.method).filter(|_| of_self && self.depth > 0);
        let Some(method) = method else { return false };
        let reads = |kind: &ReceiverKind| matches!(kind, ReceiverKind::Reference(_, _, None));
        let of_integers = method.sig.inputs.iter().all(|arg| match arg {
            FnArg::Typed(arg) => is_integer(&arg.ty),
            FnArg::Receiver(receiver) => reads(&receiver.kind),
        });
        let gives = matches!(&method.sig.output, ReturnType::Type(_, ty) if is_integer(ty));
        self.depth -= 1;
        let computes =
            gives && of_integers && self.block(&method.block, &mut |this, end| this.integer(end));
        self.depth += 1;
        computes
    }
}
