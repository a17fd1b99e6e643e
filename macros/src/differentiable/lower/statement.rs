//! Statements, one after the other.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, Stmt};

use super::{Binding, Lower};
use crate::differentiable::expand::desugar;
use crate::differentiable::front::options;
use crate::differentiable::ir::*;
use crate::differentiable::methods::{operations, paths, table};
use crate::differentiable::resolve::varied::place_root;
use crate::differentiable::syntax::exit_kinds::may_leave;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::tokens::text;
use crate::signature::Function;

impl Lower<'_> {
    /// The body of the function, up to its result.
    pub(crate) fn function_body(&mut self, function: &Function, body: &syn::Block) {
        let returns_value = !matches!(&function.output, syn::Type::Tuple(t) if t.elems.is_empty());
        self.open_function(function, body, returns_value);
        self.target = self.result_root();
        let stmts = match body.stmts.split_last() {
            // a method of the user's: the function returns what it does
            Some((Stmt::Expr(expr @ Expr::MethodCall(_), None), before)) if returns_value => {
                let tail = Stmt::Expr(syn::parse_quote!((#expr)), None);
                before.iter().cloned().chain([tail]).collect()
            }
            _ => body.stmts.clone(),
        };
        let tail = self.statements(&stmts);
        let tail = tail.filter(|_| !std::mem::take(&mut self.diverged));
        self.program.result = self.close_function(function, tail, returns_value);
    }

    /// Lowers statements; the value of the last expression, if there is one.
    pub(crate) fn statements(&mut self, stmts: &[Stmt]) -> Option<Atom> {
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            self.at = stmt.span();
            if let Stmt::Expr(expr, None) = stmt
                && rest.is_empty()
                && !is_statement_like(expr)
            {
                return Some(self.value(expr));
            }
            if let Some(done) = self.leaving(stmt, rest) {
                return done;
            }
            if rest.is_empty()
                && let Stmt::Expr(expr @ (Expr::If(_) | Expr::Match(_) | Expr::Block(_)), None) =
                    stmt
            {
                if let (Some(root), true) = (self.target, may_leave(expr)) {
                    self.branch_into(expr, root);
                    return None;
                }
                return self.tail_branch(expr);
            }
            self.statement(stmt);
        }
        None
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.declare_item(item),
            Stmt::Expr(expr, _) => self.expression_statement(expr),
            Stmt::Macro(stmt) => self.macro_statement(&stmt.mac, stmt.semi_token.is_some()),
        }
    }

    /// Declares an item once, however often its block is written out.
    fn declare_item(&mut self, item: &syn::Item) {
        if let syn::Item::Macro(rules) = item {
            let words = text::words(rules.mac.tokens.clone());
            if let Some(name) = words.iter().find(|name| self.lookup(name).is_some()) {
                self.errors.at(
                    &rules.mac.path,
                    format!("this macro reads the local `{name}`, which generated code calls otherwise: write a closure"),
                );
            }
        }
        if let syn::Item::Fn(function) = item {
            self.program.inner.insert(function.sig.ident.clone());
        }
        let mut tokens = item.to_token_stream();
        if let syn::Item::Use(_) = item {
            // each of the generated functions has it
            tokens = quote!(#[allow(unused_imports)] #tokens);
        }
        if self.declared.insert(tokens.to_string()) {
            self.program.items.extend(tokens);
        }
    }

    pub(crate) fn expression_statement(&mut self, expr: &Expr) {
        if !matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)) {
            match options::steer(options::attributes(expr)) {
                Ok(None) => {}
                Ok(Some(_)) => self.errors.at(
                    expr,
                    "`#[checkpoint]` marks a loop or a call, `#[store]` and `#[recompute]` mark a `let`",
                ),
                Err(error) => self.errors.push(error),
            }
        }
        match expr {
            Expr::Assign(assign) if self.assigns_elsewhere(&assign.left, &assign.right) => {
                self.assign_elsewhere(&assign.left, quote!(=), &assign.right)
            }
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Path(_) if self.is_put_back(expr) => {}
            Expr::Binary(binary) => match operations::compound(&binary.op) {
                Some(_) if self.assigns_elsewhere(&binary.left, &binary.right) => {
                    let op = binary.op.to_token_stream();
                    self.assign_elsewhere(&binary.left, op, &binary.right)
                }
                Some(op) => self.compound(&binary.left, (&binary.op, &op), &binary.right),
                None => self.effect(expr),
            },
            Expr::If(_) | Expr::Match(_) => self.branch_statement(expr),
            Expr::Block(block) if self.acts_at_its_end(&block.block) => self.branch_statement(expr),
            Expr::Block(block) => {
                self.scopes.push(Default::default());
                self.without_target(|this| drop(this.statements(&block.block.stmts)));
                self.scopes.pop();
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => self.loop_statement(expr),
            Expr::Call(call)
                if paths::is(&call.func, &["mem", "swap"], 1)
                    && call.args.len() == 2
                    && !self.is_local(&call.func) =>
            {
                self.swap_places(call)
            }
            Expr::Call(call) if self.is_varied(expr) || self.is_closure(&call.func) => self.call_statement(call),
            Expr::Try(question) if self.is_varied(expr) => drop(self.questioned(&question.expr, false)),
            Expr::MethodCall(call) => self.method_statement(call),
            Expr::Macro(mac) => self.macro_statement(&mac.mac, false),
            Expr::Paren(paren) => self.expression_statement(&paren.expr),
            Expr::Unsafe(block) => self.errors.at(
                block.unsafe_token,
                "`unsafe` code cannot be differentiated: put it into a function marked `#[primitive]` and write its rule",
            ),
            _ => self.effect(expr),
        }
    }

    /// Whether something inactive is assigned to what an inactive method gives: `*counts.entry(word).or_insert(0) += 1`.
    fn assigns_elsewhere(&self, left: &Expr, right: &Expr) -> bool {
        let given = match left {
            Expr::Unary(unary) => matches!(
                (&unary.op, &*unary.expr),
                (syn::UnOp::Deref(_), Expr::MethodCall(_))
            ),
            _ => false,
        };
        given && !self.is_varied(left) && !self.is_varied(right)
    }

    /// Such an assignment, by which all changes that `left` is a part of.
    fn assign_elsewhere(&mut self, left: &Expr, op: TokenStream, right: &Expr) {
        let root = place_root(left).map(|name| quote::format_ident!("{name}"));
        if let Some(place) = root.and_then(|name| self.place(&syn::parse_quote!(#name))) {
            self.written(&place);
        }
        let (right, left) = (self.live(right), self.live(left));
        self.push(Item::Verbatim(quote!(#left #op #right;)));
    }

    /// An inactive expression that is run for its effect.
    fn effect(&mut self, expr: &Expr) {
        if self.is_varied(expr) {
            self.errors.at(
                expr,
                "this statement does nothing that a derivative is known of",
            );
            return;
        }
        if let Expr::Call(call) = expr {
            self.lent_mutably(call);
        }
        let tokens = self.live(expr);
        self.push(Item::Verbatim(quote!(#tokens;)));
    }

    pub(crate) fn is_closure(&self, func: &Expr) -> bool {
        simple_name(func)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|b| matches!(b, Binding::Closure { .. }))
    }
}

/// Expressions that stand as the last in a block without being its value.
fn is_statement_like(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Assign(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
    ) || matches!(expr, Expr::Call(c) if paths::is(&c.func, &["mem", "swap"], 2))
        || matches!(expr, Expr::Macro(m) if !desugar::has_value(&m.mac.path))
        || matches!(expr, Expr::Binary(b) if operations::compound(&b.op).is_some())
        || matches!(expr, Expr::MethodCall(c) if table::returns_nothing(&c.method.to_string()))
}
