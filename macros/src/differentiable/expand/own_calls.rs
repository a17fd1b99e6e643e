//! Methods of the crate's own types that are called like one of the standard library: `grid.position(i)`, `segment.len()`, `tree.find(x)`.
//!
//! Where the type of the receiver is known, and has such a method with rules, the name is written as a raw identifier, `grid.r#position(i)`. That is the same
//! name, of which no table says what it does, as of any other method of the user's.
//!
//! On the way, where types are known, fields that borrow are marked ([`borrowed`]), rows that methods lend to chains get names ([`LentCalls`]), and optional
//! numbers are taken out by a pattern ([`flattened`]).
//!
//! `a += b` of a type whose sums depend on the lengths of their parts is no sum of numbers either, but a call: `a.add_assign(b)`.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, ExprBinary, Local, Signature, Stmt, Type, UnOp};
use syn::{Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprMethodCall, ExprWhile, FnArg};

use super::borrowed;
use super::desugar::is_called;
use super::flattened;
use super::lent_calls::LentCalls;
use crate::differentiable::methods::{operations, table};
use crate::differentiable::resolve::known_types::KnownTypes;
use crate::lender;
use crate::premises;

/// Writes them in the body of a function, in a block of methods of `own` or in none; that may be a trait.
pub(crate) fn written_out(signature: &Signature, own: Option<&Type>, body: &mut Block) {
    let mut types = KnownTypes::new(signature, own);
    for input in &signature.inputs {
        if let FnArg::Typed(input) = input {
            types.bind(&input.pat, Some(&input.ty));
        }
    }
    let mut calls = OwnCalls {
        types,
        assigns: false,
        named: 0,
        before: Vec::new(),
    };
    calls.visit_block_mut(body);
    if calls.assigns {
        let scope = [
            syn::parse_quote!(
                use ::core::ops::AddAssign as _;
            ),
            syn::parse_quote!(
                use ::core::ops::SubAssign as _;
            ),
        ];
        body.stmts.splice(..0, scope);
    }
}

struct OwnCalls {
    types: KnownTypes,
    /// Whether a call stands for `+=` or `-=`, whose traits must be in scope.
    assigns: bool,
    /// How many calls have got names.
    named: usize,
    /// What stands before the statement that is looked at.
    before: Vec<Stmt>,
}

impl OwnCalls {
    fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        self.types.enter();
        inside(self);
        self.types.leave();
    }

    /// Binds what is lent to a chain, or to that which a loop runs over.
    fn name_lent_calls(&mut self, expr: &mut Expr) -> Vec<Stmt> {
        let chain = match expr {
            Expr::ForLoop(l) => &mut *l.expr,
            expr => expr,
        };
        let types = &self.types;
        LentCalls {
            lent: &|arg| match arg {
                Expr::MethodCall(call) => types.lends(call).then(|| arg.clone()),
                Expr::Field(field) => types.borrows(field).then(|| borrowed::marked(arg)),
                _ => None,
            },
            makes: &|arg| is_called(arg) && types.of(arg).is_some_and(|ty| is_list(&ty)),
            next: &mut self.named,
        }
        .named(chain)
    }

    /// The type of what a closure of these parameters gives.
    fn closure(&mut self, closure: &mut ExprClosure, given: &[Option<Type>]) -> Option<Type> {
        let mut gives = None;
        self.within(|this| {
            for (i, input) in closure.inputs.iter().enumerate() {
                let ty = given.get(i).and_then(Option::as_ref);
                this.types.bind(input, ty);
            }
            this.visit_expr_mut(&mut closure.body);
            gives = this.types.of(&closure.body);
        });
        gives
    }
}

/// Whether a type is a vector or an array.
fn is_list(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Vec"),
        _ => false,
    }
}

/// Whether a method of this name would be taken for one of the standard library's, or for an operation.
fn has_a_meaning(call: &ExprMethodCall) -> bool {
    let (name, arguments) = (call.method.to_string(), call.args.len());
    let is_known = table::is_known(&name) || premises::is_known_method(&name, arguments);
    // a copy is one, whoever has written it
    name != "clone" && (is_known || operations::is_operation(&name))
}

/// `grid[(LentBy::<ROW_MUT>, i)][j]` for `grid.row_mut(i)[j]`.
fn places_of_calls(expr: &mut Expr, types: &KnownTypes) {
    match expr {
        Expr::MethodCall(call) => lent_in_place(&mut call.receiver),
        Expr::Field(field) => lent_in_place(&mut field.base),
        Expr::Index(index) => lent_in_place(&mut index.expr),
        Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => {
            lent_in_place(&mut of.expr);
            if lender::is_place(&of.expr) {
                *expr = (*of.expr).clone();
            }
        }
        _ => {}
    }
    if let Expr::MethodCall(call) = &*expr
        && types.lends_a_place(call)
    {
        let place = lender::place(call);
        *expr = syn::parse_quote!(&mut #place);
    }
}

/// The place that a call stands for, without the `&mut` that the call gives.
fn lent_in_place(expr: &mut Expr) {
    if let Expr::Reference(lent) = expr
        && lender::is_place(&lent.expr)
    {
        *expr = (*lent.expr).clone();
    }
}

impl VisitMut for OwnCalls {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.visit_expr_mut(&mut call.receiver);
        let given = self.types.given_to_closure(call);
        for arg in &mut call.args {
            match arg {
                Expr::Closure(closure) => drop(self.closure(closure, &given)),
                arg => self.visit_expr_mut(arg),
            }
        }
        let is_own = || {
            let of = self.types.of(&call.receiver);
            of.is_some_and(|of| self.types.has_method(&of, &call.method))
        };
        if has_a_meaning(call) && is_own() {
            call.method = Ident::new_raw(&call.method.to_string(), call.method.span());
        } else if self.types.has_optional_numbers(&call.receiver) {
            flattened::write_out(call);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let lent = self.name_lent_calls(expr);
        visit_mut::visit_expr_mut(self, expr);
        places_of_calls(expr, &self.types);
        if !lent.is_empty() {
            *expr = syn::parse_quote!({ #(#lent)* #expr });
        }
        if let Expr::Field(field) = &*expr
            && self.types.borrows(field)
        {
            *expr = borrowed::marked(expr);
        }
        let Expr::Binary(ExprBinary {
            left, op, right, ..
        }) = &*expr
        else {
            return;
        };
        let method = match op {
            BinOp::AddAssign(_) => "add_assign",
            BinOp::SubAssign(_) => "sub_assign",
            _ => return,
        };
        let of = self.types.of(left);
        if of.is_some_and(|of| self.types.assigns_by_lengths(&of, method)) {
            self.assigns = true;
            let method = Ident::new(method, op.span());
            let of = match &**left {
                Expr::Unary(of) => &of.expr,
                _ => left,
            };
            *expr = syn::parse_quote!(#of.#method(#right));
        }
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut syn::ExprAssign) {
        match &mut *assign.left {
            // a place that is assigned is not read
            Expr::Field(field) => self.visit_expr_field_mut(field),
            left => self.visit_expr_mut(left),
        }
        self.visit_expr_mut(&mut assign.right);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let Some(init) = &mut local.init else {
            return self.types.bind(&local.pat, None);
        };
        let ty = match &mut *init.expr {
            Expr::Closure(closure) => {
                let gives = self.closure(closure, &[]);
                gives.map(|gives| syn::parse_quote!(fn() -> #gives))
            }
            chain => {
                let lent = self.name_lent_calls(chain);
                self.visit_local_init_mut(init);
                self.before = lent;
                self.types.of(&init.expr)
            }
        };
        self.types.bind(&local.pat, ty.as_ref());
    }

    fn visit_expr_let_mut(&mut self, tested: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut tested.expr);
        let ty = self.types.of(&tested.expr);
        self.types.bind(&tested.pat, ty.as_ref());
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let stmts = std::mem::take(&mut block.stmts).into_iter();
        self.within(|this| {
            let apart = stmts.flat_map(|stmt| borrowed::apart(stmt, &this.types));
            for mut stmt in apart.collect::<Vec<_>>() {
                this.visit_stmt_mut(&mut stmt);
                block.stmts.append(&mut this.before);
                block.stmts.push(stmt);
            }
        });
    }

    fn visit_expr_if_mut(&mut self, branch: &mut ExprIf) {
        self.within(|this| {
            this.visit_expr_mut(&mut branch.cond);
            this.visit_block_mut(&mut branch.then_branch);
        });
        if let Some((_, otherwise)) = &mut branch.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, repeated: &mut ExprWhile) {
        self.within(|this| visit_mut::visit_expr_while_mut(this, repeated));
    }

    fn visit_expr_for_loop_mut(&mut self, each: &mut ExprForLoop) {
        self.visit_expr_mut(&mut each.expr);
        let ty = self.types.of_entry(&each.expr);
        self.within(|this| {
            this.types.bind(&each.pat, ty.as_ref());
            this.visit_block_mut(&mut each.body);
        });
    }

    fn visit_expr_match_mut(&mut self, matched: &mut syn::ExprMatch) {
        self.visit_expr_mut(&mut matched.expr);
        let ty = self.types.of(&matched.expr);
        for Arm { pat, body, .. } in &mut matched.arms {
            self.within(|this| {
                this.types.bind(pat, ty.as_ref());
                // of which there may be a guard
                this.visit_pat_mut(pat);
                this.visit_expr_mut(body);
            });
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        drop(self.closure(closure, &[]));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
