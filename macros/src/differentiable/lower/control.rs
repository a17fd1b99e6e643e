//! Branches, loops, and the ways out of them.
//!
//! `break`, `continue` and `return` become flags: what follows runs if no flag is up. So every block has one entry and one
//! exit, and can be run backwards.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

use super::iter::Element;
use super::{Binding, Lower, place, plain};
use crate::differentiable::ir::{self, *};
use crate::differentiable::options::{self, Steer};
use crate::differentiable::usage::Usage;
use crate::signature::Function;

/// What can be left: a loop or the function.
pub(super) struct Exit {
    label: Option<String>,
    /// Up after `break`, or after `return` for the function.
    left: Option<RootId>,
    /// Up after `continue`.
    skipped: Option<RootId>,
    /// The value to return.
    value: Option<RootId>,
}

impl Lower<'_> {
    // ---- branches ----

    /// A branch whose value is used.
    pub(super) fn branch_value(&mut self, expr: &Expr) -> Atom {
        if let Expr::Block(block) = expr
            && let Some(label) = &block.label
        {
            self.errors.at(
                label,
                "a labelled block is not supported: write a function, or assign to a local in branches",
            );
            return self.nothing();
        }
        let guarded = std::mem::take(&mut self.may_be_left);
        let leaves = may_leave(expr);
        if leaves && !guarded {
            self.errors.at(
                expr,
                "this leaves a function or a loop inside an expression: bind it to a name with `let` first",
            );
            return self.nothing();
        }
        if let (Expr::Block(block), false) = (expr, leaves) {
            self.scopes.push(HashMap::new());
            let target = self.target.take();
            let value = self.statements(&block.block.stmts);
            self.target = target;
            self.scopes.pop();
            return value.unwrap_or_else(|| self.nothing());
        }
        if self.refused_slice(expr) {
            return self.nothing();
        }
        let name = self.fresh("chosen");
        let varied = self.is_varied_branch(expr);
        let array = self.noted(expr) == Some(super::array::Is::Surely);
        let kind = if array {
            RootKind::Memory
        } else {
            RootKind::Scalar
        };
        let root = self.root(&name, kind, varied);
        self.push(Item::Declare {
            root,
            init: Init::Later,
        });
        let delivered = self.delivered;
        self.branch_into(expr, root);
        self.delivered = delivered;
        if array {
            return Atom::Root(root);
        }
        self.versions.remove(&root);
        Atom::Def(self.version(root))
    }

    /// `loop { … break value; }`
    pub(super) fn loop_value(&mut self, l: &syn::ExprLoop) -> Atom {
        let guarded = std::mem::take(&mut self.may_be_left);
        let expr = Expr::Loop(l.clone());
        if may_leave(&expr) && !guarded {
            self.errors.at(
                l.loop_token,
                "this leaves a function or a loop inside an expression: bind it to a name with `let` first",
            );
            return self.nothing();
        }
        let blank = ir::Expr {
            tokens: quote!(::coenzyme::__private::Blank::blank()),
            ..Default::default()
        };
        let start = self.def(DefKind::Pure(blank), false);
        let root = self.root(&self.fresh("broken"), RootKind::Scalar, true);
        self.push(Item::Declare {
            root,
            init: Init::Value(Atom::Def(start)),
        });
        self.open_ended(None, &l.body, l.label.as_ref(), Some(root));
        self.versions.remove(&root);
        Atom::Def(self.version(root))
    }

    /// A branch whose value goes to a local.
    pub(super) fn branch_into(&mut self, expr: &Expr, root: RootId) {
        match expr {
            Expr::Block(block) => {
                let target = self.target.replace(root);
                self.delivered = false;
                self.scopes.push(HashMap::new());
                let value = self.statements(&block.block.stmts);
                self.scopes.pop();
                self.deliver(Some(root), value, may_leave(expr));
                self.target = target;
            }
            _ => self.branch(expr, Some(root)),
        }
        self.delivered = true;
    }

    /// Puts the value of a block where it belongs; where the block was left instead, nobody reads what is put there.
    fn deliver(&mut self, target: Option<RootId>, value: Option<Atom>, leaves: bool) {
        let Some(root) = target else { return };
        let value = match value {
            Some(value) => value,
            None if leaves && !self.delivered && self.result_root() != Some(root) => {
                Atom::Const(ir::Expr {
                    tokens: quote!(::coenzyme::__private::Blank::blank()),
                    ..Default::default()
                })
            }
            None => return,
        };
        self.set(place::whole(Base::Root(root)), value);
    }

    /// Where the function's value goes, if the function can be left early.
    pub(super) fn result_root(&self) -> Option<RootId> {
        self.exits.first().and_then(|e| e.value)
    }

    /// Lowers what has no value.
    pub(super) fn without_target(&mut self, inside: impl FnOnce(&mut Self)) {
        let target = self.target.take();
        inside(self);
        self.target = target;
    }

    /// A branch at the end of a block: its value is the block's.
    pub(super) fn tail_branch(&mut self, expr: &Expr) -> Option<Atom> {
        match has_value(expr) {
            true => Some(self.branch_value(expr)),
            false => {
                self.expression_statement(expr);
                None
            }
        }
    }

    pub(super) fn branch_statement(&mut self, expr: &Expr) {
        self.branch(expr, None);
    }

    fn is_varied_branch(&self, expr: &Expr) -> bool {
        let mut ends = Vec::new();
        super::lent::ends(expr, &mut ends);
        ends.into_iter().any(|e| self.is_varied(e))
    }

    /// `if` and `match`; each arm assigns its value to `into`.
    fn branch(&mut self, expr: &Expr, into: Option<RootId>) {
        match expr {
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref().map(|(_, e)| (**e).clone());
                if let Expr::Let(condition) = &*branch.cond {
                    let pat = &*condition.pat;
                    let matched = self.matched(&condition.expr, std::iter::once(pat));
                    let selector = match &matched {
                        Some(of) => {
                            let otherwise: syn::Pat = syn::parse_quote!(_);
                            self.which(of, &[pat, &otherwise], false)
                        }
                        None => self.inactive(&condition.expr),
                    };
                    let then = self.arm(into, block_may_leave(&branch.then_branch), |this| {
                        match &matched {
                            Some(of) => this.bind_variant(of, pat),
                            None => this.bind_inactive(pat),
                        }
                        this.statements(&branch.then_branch.stmts)
                    });
                    let (otherwise, changed) = self.arm_of(into, otherwise.as_ref());
                    let arms = vec![
                        Arm {
                            pattern: match matched {
                                Some(_) => quote!(0),
                                None => pat.to_token_stream(),
                            },
                            body: then.0,
                        },
                        Arm {
                            pattern: quote!(_),
                            body: otherwise,
                        },
                    ];
                    self.join(then.1.into_iter().chain(changed));
                    return self.push(Item::Branch {
                        arms,
                        selector: Selector::Match(selector),
                    });
                }
                if contains_let(&branch.cond) {
                    self.errors
                        .at(&branch.cond, "write nested `if let`s instead of a chain");
                }
                let condition = self.inactive(&branch.cond);
                let then = self.arm(into, block_may_leave(&branch.then_branch), |this| {
                    this.statements(&branch.then_branch.stmts)
                });
                let otherwise = self.arm_of(into, otherwise.as_ref());
                self.branch_item(condition, then, otherwise);
            }
            Expr::Match(branch) => {
                let patterns: Vec<&syn::Pat> = branch.arms.iter().map(|a| &a.pat).collect();
                let matched = self.matched(
                    &branch.expr,
                    patterns.iter().map(|p| match p {
                        syn::Pat::Guard(guarded) => &*guarded.pat,
                        pat => pat,
                    }),
                );
                let scrutinee = match (&matched, self.is_varied(&branch.expr)) {
                    (Some(of), _) => {
                        let by_reference = self.is_reference(&branch.expr);
                        self.which(of, &patterns, by_reference)
                    }
                    (None, true) => self.value(&branch.expr),
                    (None, false) => self.inactive(&branch.expr),
                };
                let mut arms = Vec::new();
                let mut changed = Vec::new();
                for (i, arm) in branch.arms.iter().enumerate() {
                    let (pat, guard) = match &arm.pat {
                        pat if matched.is_some() => (pat, None),
                        syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                        pat => (pat, None),
                    };
                    let mut pattern = match &matched {
                        // the numbers of the arms; the last one fits always
                        Some(_) if i + 1 == branch.arms.len() => quote!(_),
                        Some(_) => quote!(#i),
                        None => pat.to_token_stream(),
                    };
                    let (body, roots) = self.arm(into, may_leave(&arm.body), |this| {
                        match (&scrutinee, pat) {
                            _ if matched.is_some() => {
                                let of = matched.as_ref().expect("the place that is matched");
                                this.bind_variant(of, pat);
                            }
                            (Atom::Def(d), syn::Pat::Ident(name)) => {
                                this.bind(&name.ident.to_string(), Binding::Def(*d));
                            }
                            _ => this.bind_inactive(pat),
                        }
                        if let Some(guard) = guard {
                            let guard = this.plain(guard).expr.tokens;
                            pattern.extend(quote!(if #guard));
                        }
                        match &*arm.body {
                            Expr::Block(block) => this.statements(&block.block.stmts),
                            Expr::If(_) | Expr::Match(_) if into.is_some() => {
                                this.branch(&arm.body, into);
                                this.delivered = true;
                                None
                            }
                            body if into.is_some() && !is_leaving(body) => Some(this.value(body)),
                            body => {
                                this.statements(std::slice::from_ref(&Stmt::Expr(
                                    body.clone(),
                                    Some(Default::default()),
                                )));
                                None
                            }
                        }
                    });
                    arms.push(Arm { pattern, body });
                    changed.extend(roots);
                }
                self.join(changed);
                self.push(Item::Branch {
                    arms,
                    selector: Selector::Match(scrutinee),
                });
            }
            _ => self.errors.at(expr, "expected `if` or `match`"),
        }
    }

    fn branch_item(
        &mut self,
        condition: Atom,
        then: (Block, Vec<RootId>),
        otherwise: (Block, Vec<RootId>),
    ) {
        self.join(then.1.into_iter().chain(otherwise.1));
        let arms = vec![
            Arm {
                pattern: TokenStream::new(),
                body: then.0,
            },
            Arm {
                pattern: TokenStream::new(),
                body: otherwise.0,
            },
        ];
        self.push(Item::Branch {
            arms,
            selector: Selector::If(condition),
        });
    }

    /// Runs `inside` if `condition` holds.
    pub(super) fn when(&mut self, condition: Atom, inside: impl FnOnce(&mut Self)) {
        let then = self.arm(None, false, |this| {
            inside(this);
            None
        });
        self.branch_item(condition, then, (Block::EMPTY, Vec::new()));
    }

    fn arm_of(&mut self, into: Option<RootId>, expr: Option<&Expr>) -> (Block, Vec<RootId>) {
        self.arm(into, expr.is_some_and(may_leave), |this| match expr {
            Some(Expr::Block(block)) => this.statements(&block.block.stmts),
            Some(expr) if into.is_some() => {
                this.branch(expr, into);
                this.delivered = true;
                None
            }
            Some(expr) => {
                this.branch_statement(expr);
                None
            }
            None => None,
        })
    }

    /// One arm, and the locals whose value it changes.
    fn arm(
        &mut self,
        into: Option<RootId>,
        leaves: bool,
        inside: impl FnOnce(&mut Self) -> Option<Atom>,
    ) -> (Block, Vec<RootId>) {
        let before = self.versions.clone();
        let roots = self.program.roots.len();
        let outside = (self.target, self.delivered);
        (self.target, self.delivered) = (into, false);
        let (block, ()) = self.nested(|this| {
            this.diverged = false;
            let value = inside(this);
            if !std::mem::take(&mut this.diverged) {
                this.deliver(into, value, leaves);
            }
        });
        (self.target, self.delivered) = outside;
        let changed = changed_roots(&block, roots);
        self.versions = before;
        (block, changed)
    }

    /// After a branch the locals that an arm changed have a value yet unknown.
    fn join(&mut self, changed: impl IntoIterator<Item = RootId>) {
        for root in changed {
            self.versions.remove(&root);
        }
    }

    fn bind_inactive(&mut self, pat: &syn::Pat) {
        for name in crate::differentiable::varied::bound_names(pat) {
            self.bind(&name, Binding::Inactive);
        }
    }

    // ---- loops ----

    pub(super) fn loop_statement(&mut self, expr: &Expr) {
        match expr {
            Expr::ForLoop(l) => {
                let written = self.written_by(&Expr::ForLoop(l.clone()));
                self.steer_loop(l);
                self.open_loop(l.label.as_ref(), &l.body, None);
                self.changing(written, |this| this.for_loop(l));
                self.close_loop();
            }
            Expr::While(l) => {
                if contains_let(&l.cond) {
                    return self.errors.at(
                        &l.cond,
                        "`while let` is not supported: write `loop` with `match` and `break`",
                    );
                }
                self.open_ended(Some(&l.cond), &l.body, l.label.as_ref(), None);
            }
            Expr::Loop(l) => self.open_ended(None, &l.body, l.label.as_ref(), None),
            _ => {}
        }
    }

    /// The next loop over a range is the one that `#[checkpoint]` stands on.
    fn steer_loop(&mut self, l: &syn::ExprForLoop) {
        match options::steer(&l.attrs) {
            Ok(None) => {}
            Ok(Some(Steer::Checkpoint(snapshots))) => {
                let snapshots = match snapshots {
                    Some(count) => self.index(&count).tokens,
                    // as many as are logarithmic in the number of rounds
                    None => quote!(0),
                };
                self.checkpoint = Some((snapshots, l.for_token.span));
            }
            Ok(Some(_)) => self.errors.at(
                l.for_token,
                "`#[store]` and `#[recompute]` mark a `let`, `#[checkpoint]` a loop",
            ),
            Err(error) => self.errors.push(error),
        }
    }

    fn for_loop(&mut self, l: &syn::ExprForLoop) {
        // a plain range keeps its own loop variable
        if let Some(range) = self.plain_range(&l.expr) {
            let name = match &*l.pat {
                syn::Pat::Ident(name) => Some(name.ident.clone()),
                syn::Pat::Wild(_) => None,
                pat => return self.errors.at(pat, "bind the loop variable to a name"),
            };
            return self.counted(range, name, |this, _| {
                drop(this.statements_in_loop(&l.body))
            });
        }
        match self.seq(&l.expr) {
            Some(seq) => self.drive(&seq, &l.expr, &mut |this: &mut Self, element: Element| {
                this.bind_loop_pattern(&l.pat, element);
                this.statements_in_loop(&l.body);
            }),
            None => self.errors.at(&l.expr, super::iter::UNKNOWN),
        }
    }

    /// `a..b`, `(a..b).rev()`, `(a..=b).step_by(k)`.
    fn plain_range(&mut self, expr: &Expr) -> Option<Range> {
        match expr {
            Expr::Paren(paren) => self.plain_range(&paren.expr),
            Expr::Range(range) if range.start.is_some() && range.end.is_some() => {
                let expr = self.index(expr);
                let tokens = expr.tokens;
                Some(Range::up(Atom::Const(ir::Expr {
                    tokens: quote!((#tokens)),
                    uses: expr.uses,
                })))
            }
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let range = self.plain_range(&call.receiver)?;
                let reversed = !range.reversed;
                Some(Range { reversed, ..range })
            }
            Expr::MethodCall(call) if call.method == "step_by" => {
                match self.plain_range(&call.receiver)? {
                    range @ Range {
                        step: None,
                        reversed: false,
                        ..
                    } => {
                        let step = Some(self.index(call.args.first()?));
                        Some(Range { step, ..range })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A loop over a range; `body` gets the loop variable.
    pub(super) fn counted(
        &mut self,
        range: Range,
        name: Option<Ident>,
        body: impl FnOnce(&mut Self, ir::Expr),
    ) {
        let checkpoint = self.checkpoint.take();
        let at = self.point();
        self.next_loop += 1;
        let number = self.next_loop;
        self.loops.push(number);
        let fresh = self.fresh("k");
        let before = self.versions.clone();
        let (block, variable) = self.nested(|this| {
            let variable = this.named_def(
                name.as_ref().unwrap_or(&fresh),
                DefKind::LoopVariable,
                false,
            );
            this.blocks
                .last_mut()
                .expect("the loop's block")
                .items
                .pop();
            if let Some(name) = &name {
                this.bind(&name.to_string(), Binding::Def(variable));
            }
            let k = this.atom_expr(&Atom::Def(variable));
            body(this, k);
            variable
        });
        self.versions = before;
        self.loops.pop();
        if let Some((snapshots, span)) = checkpoint {
            let checkpoint = Checkpoint {
                snapshots,
                number,
                at,
                span,
                state: Vec::new(),
                reads: Uses::default(),
            };
            self.program.checkpoints.insert(block.id, checkpoint);
        }
        let flags = self.raised(&block);
        self.push(Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body: block,
            flags,
        });
    }

    fn open_ended(
        &mut self,
        condition: Option<&Expr>,
        body: &syn::Block,
        label: Option<&syn::Label>,
        value: Option<RootId>,
    ) {
        let whole: Expr = match condition {
            Some(condition) => syn::parse_quote!(while #condition #body),
            None => syn::parse_quote!(loop #body),
        };
        let written = self.written_by(&whole);
        self.open_loop(label, body, value);
        self.changing(written, |this| {
            let condition = condition.map_or(quote!(true), |c| this.live(c));
            this.next_loop += 1;
            this.loops.push(this.next_loop);
            let before = this.versions.clone();
            let (block, ()) = this.nested(|this| drop(this.statements_in_loop(body)));
            this.versions = before;
            this.loops.pop();
            let flags = this.raised(&block);
            this.push(Item::Loop {
                iterable: Iterable::While { condition },
                body: block,
                flags,
            });
        });
        self.close_loop();
    }

    /// Runs `inside`, which changes these locals any number of times: their value is unknown in it and after it.
    pub(super) fn changing(&mut self, roots: Vec<RootId>, inside: impl FnOnce(&mut Self)) {
        self.join(roots.iter().copied());
        inside(self);
        self.join(roots);
    }

    /// The mutable locals that an expression assigns, by name.
    pub(super) fn written_by(&mut self, expr: &Expr) -> Vec<RootId> {
        let mut usage = Usage::default();
        usage.visit_expr(expr);
        // a closure that is called changes what it captured
        struct Called(Vec<String>);
        impl<'ast> Visit<'ast> for Called {
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                self.0.extend(plain::simple_name(&call.func));
                visit::visit_expr_call(self, call);
            }
        }
        let mut called = Called(Vec::new());
        called.visit_expr(expr);
        let mut roots = Vec::new();
        for name in called.0 {
            if let Some(Binding::Closure { closure, .. }) = self.lookup(&name).cloned() {
                usage.visit_expr(&closure.body);
            }
        }
        for name in usage.whole.iter().chain(&usage.parts) {
            if let Some(Binding::Root(root)) = self.lookup(name) {
                roots.push(*root);
            }
        }
        // flags of the exits that the expression may raise
        roots.extend(
            self.exits
                .iter()
                .flat_map(|e| [e.left, e.skipped, e.value])
                .flatten(),
        );
        roots
    }

    // ---- ways out ----

    pub(super) fn open_function(
        &mut self,
        function: &Function,
        body: &syn::Block,
        returns_value: bool,
    ) {
        let mut exit = Exit {
            label: None,
            left: None,
            skipped: None,
            value: None,
        };
        if returns_early(body) {
            exit.left = Some(self.flag("returned"));
            if returns_value {
                let output = &function.output;
                let expr = ir::Expr {
                    tokens: quote!(<<#output as ::coenzyme::Outcome>::Value as ::coenzyme::__private::Blank>::blank()),
                    ..Default::default()
                };
                let varied = !crate::differentiable::table::is_inactive_type(output);
                let name = self.fresh("result");
                let root = self.root(&name, RootKind::Scalar, varied);
                let start = self.def(DefKind::Pure(expr), false);
                self.versions.insert(root, start);
                self.push(Item::Declare {
                    root,
                    init: Init::Value(Atom::Def(start)),
                });
                exit.value = Some(root);
            }
        }
        self.exits.push(exit);
    }

    pub(super) fn close_function(
        &mut self,
        tail: Option<Atom>,
        returns_value: bool,
    ) -> Option<Atom> {
        let exit = self.exits.pop().expect("the function's exit");
        match (exit.value, tail) {
            (Some(root), Some(value)) => {
                self.set(place::whole(Base::Root(root)), value);
                Some(Atom::Def(self.version(root)))
            }
            (Some(root), None) => Some(Atom::Def(self.version(root))),
            (None, tail) => tail.filter(|_| returns_value),
        }
    }

    fn flag(&mut self, name: &str) -> RootId {
        let name = self.fresh(name);
        let start = self.def(
            DefKind::Pure(ir::Expr {
                tokens: quote!(false),
                ..Default::default()
            }),
            false,
        );
        let root = self.root(&name, RootKind::Scalar, false);
        self.versions.insert(root, start);
        self.push(Item::Declare {
            root,
            init: Init::Value(Atom::Def(start)),
        });
        root
    }

    fn open_loop(&mut self, label: Option<&syn::Label>, body: &syn::Block, value: Option<RootId>) {
        let label = label.map(|l| l.name.ident.to_string());
        let breaks = Ways::of(body, label.as_deref()).breaks;
        let left = breaks.then(|| self.flag("left"));
        self.exits.push(Exit {
            label,
            left,
            skipped: None,
            value,
        });
    }

    fn close_loop(&mut self) {
        self.exits.pop();
    }

    /// The body of a loop, with a flag of its own for `continue`.
    fn statements_in_loop(&mut self, body: &syn::Block) -> Option<Atom> {
        let label = self.exits.last().and_then(|e| e.label.clone());
        let ways = Ways::of(body, label.as_deref());
        if ways.continues {
            let flag = self.flag("skipped");
            self.exits.last_mut().expect("the loop's exit").skipped = Some(flag);
        }
        self.without_target(|this| drop(this.statements(&body.stmts)));
        self.exits.last_mut().expect("the loop's exit").skipped = None;
        None
    }

    /// The flags that a loop's body can raise and that end the loop.
    fn raised(&self, body: &Block) -> Vec<RootId> {
        let inner = self.exits.len() - 1;
        let ends = self
            .exits
            .iter()
            .enumerate()
            .flat_map(|(i, e)| [e.left, e.skipped.filter(|_| i < inner)]);
        let changed = changed_roots(body, usize::MAX);
        ends.flatten()
            .filter(|flag| changed.contains(flag))
            .collect()
    }

    /// Lowers `stmt` if it leaves a loop or the function, directly or in a branch, together with the `rest` of its block.
    /// The value of the block, if this was one.
    pub(super) fn leaving(&mut self, stmt: &Stmt, rest: &[Stmt]) -> Option<Option<Atom>> {
        if let Stmt::Local(local) = stmt
            && let Some(init) = &local.init
            && let init @ (Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Loop(_)) =
                &*init.expr
            && may_leave(init)
            && !rest.is_empty()
        {
            self.may_be_left = true;
            self.local(local);
            self.may_be_left = false;
            self.unless_left(init, rest);
            return Some(None);
        }
        let Stmt::Expr(expr, _) = stmt else {
            return None;
        };
        match expr {
            Expr::Return(_) if self.in_closure => {
                self.errors.at(
                    expr,
                    "`return` inside a closure is not supported: let its last expression be the value",
                );
                Some(None)
            }
            Expr::Return(ret) if ret.expr.as_deref().is_some_and(super::expr::is_failure) => {
                let tokens = self.live(expr);
                self.push(Item::Verbatim(quote!(#tokens;)));
                Some(None)
            }
            Expr::Return(ret) => {
                let exit = &self.exits[0];
                match (exit.left, exit.value, &ret.expr) {
                    // the last statement of the function
                    (None, _, value) => return Some(value.as_ref().map(|v| self.value(v))),
                    (Some(left), into, value) => {
                        if let (Some(root), Some(value)) = (into, value) {
                            let value = self.value(value);
                            self.set(place::whole(Base::Root(root)), value);
                        }
                        self.raise(left);
                    }
                }
                Some(None)
            }
            Expr::Break(leave) => {
                if let Some(value) = &leave.expr {
                    match self.exit_of(leave.label.as_ref()).and_then(|e| e.value) {
                        Some(root) => {
                            let value = self.value(value);
                            self.set(place::whole(Base::Root(root)), value);
                        }
                        None => self.errors.at(
                            leave,
                            "bind the value of the loop to a name: `let x = loop { … };`",
                        ),
                    }
                }
                match self.exit_of(leave.label.as_ref()).and_then(|e| e.left) {
                    Some(flag) => self.raise(flag),
                    None => self.errors.at(leave, "there is no such loop"),
                }
                Some(None)
            }
            Expr::Continue(skip) => {
                match self.exit_of(skip.label.as_ref()).and_then(|e| e.skipped) {
                    Some(flag) => self.raise(flag),
                    None => self.errors.at(skip, "there is no such loop"),
                }
                Some(None)
            }
            Expr::If(_)
            | Expr::Match(_)
            | Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Block(_)
                if may_leave(expr) && !rest.is_empty() =>
            {
                self.expression_statement(expr);
                self.unless_left(expr, rest);
                Some(None)
            }
            _ => None,
        }
    }

    /// The rest of a block after something that may have left it.
    fn unless_left(&mut self, by: &Expr, rest: &[Stmt]) {
        let flags = self.exits.iter().flat_map(|e| [e.left, e.skipped]);
        let flags: Vec<RootId> = flags.flatten().collect();
        let mut uses = Uses::default();
        let names = flags.into_iter().map(|f| {
            let version = self.version(f);
            uses.defs.insert(version);
            self.program.defs[version].name.clone()
        });
        let names: Vec<_> = names.collect();
        let going_on = ir::Expr {
            tokens: quote!(!(false #(|| #names)*)),
            uses,
        };
        let going_on = Atom::Def(self.def(DefKind::Pure(going_on), false));
        let (target, mut lost) = (self.target, false);
        let then = self.arm(target, true, |this| {
            let value = this.statements(rest);
            lost = value.is_some() && target.is_none();
            value
        });
        if lost && self.errors.is_empty() {
            self.errors.at(
                by,
                "a block that is left early cannot have a value here: bind it to a name with `let`",
            );
        }
        let otherwise = match target {
            Some(_) => self.arm(target, true, |_| None),
            None => (Block::EMPTY, Vec::new()),
        };
        self.branch_item(going_on, then, otherwise);
        self.delivered = true;
    }

    fn raise(&mut self, flag: RootId) {
        let up = self.def(
            DefKind::Pure(ir::Expr {
                tokens: quote!(true),
                ..Default::default()
            }),
            false,
        );
        self.set(place::whole(Base::Root(flag)), Atom::Def(up));
    }

    fn exit_of(&self, label: Option<&syn::Lifetime>) -> Option<&Exit> {
        let loops = &self.exits[1..];
        match label {
            Some(label) => loops
                .iter()
                .rev()
                .find(|e| e.label.as_deref() == Some(&label.ident.to_string())),
            None => loops.last(),
        }
    }
}

/// The locals from outside that a block assigns.
fn changed_roots(block: &Block, outside: usize) -> Vec<RootId> {
    let mut roots = Vec::new();
    for item in &block.items {
        match item {
            Item::Assign {
                place:
                    Place {
                        base: Base::Root(r),
                        ..
                    },
                ..
            } => roots.push(*r),
            Item::Exchange { a, b } => {
                roots.extend([a, b].into_iter().filter_map(|p| match p.base {
                    Base::Root(r) => Some(r),
                    Base::Def(_) => None,
                }));
            }
            Item::Branch { arms, .. } => arms
                .iter()
                .for_each(|a| roots.extend(changed_roots(&a.body, outside))),
            Item::Loop { body, .. } => roots.extend(changed_roots(body, outside)),
            _ => {}
        }
    }
    roots.retain(|r| *r < outside);
    roots
}

/// Whether a block's last expression is a value.
fn block_has_value(block: &syn::Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, None)) => has_value(expr),
        _ => false,
    }
}

fn has_value(expr: &Expr) -> bool {
    match expr {
        Expr::If(i) => {
            block_has_value(&i.then_branch)
                && i.else_branch.as_ref().is_some_and(|(_, e)| has_value(e))
        }
        Expr::Match(m) => m.arms.iter().any(|a| has_value(&a.body)),
        Expr::Block(b) => block_has_value(&b.block),
        Expr::ForLoop(_)
        | Expr::While(_)
        | Expr::Loop(_)
        | Expr::Assign(_)
        | Expr::Return(_)
        | Expr::Break(_)
        | Expr::Continue(_)
        | Expr::Macro(_) => false,
        Expr::Binary(b) => crate::differentiable::table::compound(&b.op).is_none(),
        Expr::MethodCall(c) => !["fill", "copy_from_slice", "for_each", "swap"]
            .contains(&c.method.to_string().as_str()),
        Expr::Tuple(t) => !t.elems.is_empty(),
        _ => true,
    }
}

fn is_leaving(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => mac.mac.path.segments.last().is_some_and(|s| {
            crate::differentiable::table::is_diverging_macro(&s.ident.to_string())
        }),
        _ => false,
    }
}

fn contains_let(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_expr(expr);
    find.0
}

/// Whether a function returns before its last statement.
fn returns_early(body: &syn::Block) -> bool {
    struct Find(usize);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_return(&mut self, ret: &'ast syn::ExprReturn) {
            // an error leaves nothing to run backwards
            self.0 += usize::from(!ret.expr.as_deref().is_some_and(super::expr::is_failure));
            visit::visit_expr_return(self, ret);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(0);
    find.visit_block(body);
    let last = matches!(body.stmts.last(), Some(Stmt::Expr(Expr::Return(_), _)));
    find.0 > usize::from(last)
}

/// Whether an expression may leave what is around it.
pub(super) fn may_leave(expr: &Expr) -> bool {
    leaves(|ways| ways.visit_expr(expr))
}

fn block_may_leave(block: &syn::Block) -> bool {
    leaves(|ways| ways.visit_block(block))
}

fn leaves(visit: impl FnOnce(&mut Ways<'_>)) -> bool {
    let mut ways = Ways {
        depth: 0,
        label: None,
        breaks: false,
        continues: false,
        returns: false,
        outer: false,
        inside: Vec::new(),
    };
    visit(&mut ways);
    ways.breaks || ways.continues || ways.returns || ways.outer
}

/// The ways out of a loop's body.
struct Ways<'a> {
    depth: usize,
    label: Option<&'a str>,
    breaks: bool,
    continues: bool,
    returns: bool,
    /// By a label that is not this loop's, nor that of a loop inside.
    outer: bool,
    /// The labels of the loops inside.
    inside: Vec<String>,
}

impl<'a> Ways<'a> {
    fn of(body: &syn::Block, label: Option<&'a str>) -> Self {
        let mut ways = Self {
            depth: 0,
            label,
            breaks: false,
            continues: false,
            returns: false,
            outer: false,
            inside: Vec::new(),
        };
        ways.visit_block(body);
        ways
    }

    /// Visits a loop inside.
    fn within(&mut self, label: Option<&syn::Label>, visit: impl FnOnce(&mut Self)) {
        self.inside.extend(label.map(|l| l.name.ident.to_string()));
        self.depth += 1;
        visit(self);
        self.depth -= 1;
        if label.is_some() {
            self.inside.pop();
        }
    }

    fn mine(&mut self, label: Option<&syn::Lifetime>) -> bool {
        match label {
            Some(label) => {
                let label = label.ident.to_string();
                let mine = self.label == Some(&label);
                self.outer |= !mine && !self.inside.contains(&label);
                mine
            }
            None => self.depth == 0,
        }
    }
}

impl<'ast> Visit<'ast> for Ways<'_> {
    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        self.breaks |= self.mine(leave.label.as_ref());
    }
    fn visit_expr_continue(&mut self, skip: &'ast syn::ExprContinue) {
        self.continues |= self.mine(skip.label.as_ref());
    }
    fn visit_expr_return(&mut self, ret: &'ast syn::ExprReturn) {
        self.returns |= !ret.expr.as_deref().is_some_and(super::expr::is_failure);
    }
    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_for_loop(this, l));
    }
    fn visit_expr_while(&mut self, l: &'ast syn::ExprWhile) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_while(this, l));
    }
    fn visit_expr_loop(&mut self, l: &'ast syn::ExprLoop) {
        self.within(l.label.as_ref(), |this| visit::visit_expr_loop(this, l));
    }
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}
