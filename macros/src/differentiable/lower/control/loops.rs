//! Loops.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;
use syn::visit::Visit;

use crate::differentiable::expand::desugar;
use crate::differentiable::front::options::{self, Steer};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::{Binding, Lower, Scopes};
use crate::differentiable::resolve::usage::Usage;
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::patterns::contains_let;
use crate::differentiable::syntax::{chains, exit_kinds};
use crate::differentiable::tokens::head::head;

impl Lower<'_> {
    pub(crate) fn loop_statement(&mut self, expr: &Expr) {
        match expr {
            Expr::ForLoop(l) => {
                let written = self.written_by(&Expr::ForLoop(l.clone()));
                self.steer_loop(&l.attrs, l.for_token.span);
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
                self.steer_loop(&l.attrs, l.while_token.span);
                self.open_ended(Some(&l.cond), &l.body, l.label.as_ref(), None);
            }
            Expr::Loop(l) => {
                self.steer_loop(&l.attrs, l.loop_token.span);
                self.open_ended(None, &l.body, l.label.as_ref(), None);
            }
            _ => {}
        }
    }

    /// The next loop is the one that `#[checkpoint]` stands on.
    fn steer_loop(&mut self, attrs: &[syn::Attribute], at: Span) {
        match options::steer(attrs) {
            Ok(None) => {}
            Ok(Some(Steer::Checkpoint(snapshots))) => {
                let snapshots = match snapshots {
                    Some(count) => self.index(&count).tokens,
                    // as many as are logarithmic in the number of rounds
                    None => quote!(0),
                };
                self.checkpoint = Some((snapshots, at));
            }
            Ok(Some(_)) => self.errors.push(syn::Error::new(
                at,
                "`#[store]` and `#[recompute]` mark a `let`, `#[checkpoint]` a loop",
            )),
            Err(error) => self.errors.push(error),
        }
    }

    fn for_loop(&mut self, l: &syn::ExprForLoop) {
        // a plain range keeps its own loop variable
        if let Some(range) = self.plain_range(&l.expr) {
            let name = match &*l.pat {
                syn::Pat::Ident(name)
                    if name.mutability.is_some() && self.changes(&name.ident.to_string()) =>
                {
                    return self.for_loop(&with_a_copy(l, &name.ident));
                }
                syn::Pat::Ident(name) => Some(name.ident.clone()),
                syn::Pat::Wild(_) => None,
                pat => return self.errors.at(pat, "bind the loop variable to a name"),
            };
            return self.counted(range, name, |this, _| {
                drop(this.statements_in_loop(&l.body))
            });
        }
        // methods of the user's own with a name of std's
        if chains::begins_with_a_list(&l.expr)
            && !self.goes_through_entries(&l.expr)
            && let Some(held) = desugar::held_first(l)
        {
            return self.expression_statement(&held);
        }
        let leaves = exit_kinds::block_may_leave(&l.body);
        if let Some(steps) = self.by_steps(l, leaves) {
            return self.expression_statement(&steps);
        }
        self.list_returned(&l.expr, !leaves);
        match self.seq(&l.expr) {
            Some(seq) => {
                let mut body = |this: &mut Self, element: Element| {
                    this.bind_element(&l.pat, element);
                    this.statements_in_loop(&l.body);
                };
                match leaves {
                    true => self.drive_until_left(&seq, &l.expr, &mut body),
                    false => self.drive(&seq, &l.expr, &mut body),
                }
            }
            None => {
                let message = self.unknown_iterator(&l.expr);
                self.errors.at(&l.expr, message);
            }
        }
    }

    /// `a..b`, `(a..b).rev()`, `(a..=b).step_by(k)`.
    fn plain_range(&mut self, expr: &Expr) -> Option<Range> {
        match expr {
            Expr::Paren(paren) => self.plain_range(&paren.expr),
            Expr::Range(range) if range.start.is_some() => {
                let expr = self.index(expr);
                let tokens = expr.tokens;
                let tokens = match range.end {
                    Some(_) => quote!((#tokens)),
                    None => quote!(::coenzyme::__private::without_end(#tokens)),
                };
                Some(Range::up(Atom::Const(ir::Expr {
                    tokens,
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
    pub(crate) fn counted(
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
        // what the bounds read of these is their value before the first round
        let in_flux = std::mem::take(&mut self.in_flux);
        self.join(in_flux);
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
        self.keep_states(checkpoint, number, at, &block);
        let flags = self.raised(&block);
        self.push(Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body: block,
            flags,
        });
    }

    /// Notes that a loop keeps states, if it does.
    fn keep_states(
        &mut self,
        checkpoint: Option<(TokenStream, Span)>,
        number: usize,
        at: Point,
        block: &Block,
    ) {
        if let Some((snapshots, span)) = checkpoint {
            let checkpoint = Checkpoint {
                snapshots,
                number,
                at,
                span,
                known: true,
                state: Vec::new(),
                reads: Uses::default(),
            };
            self.program.checkpoints.insert(block.id, checkpoint);
        }
    }

    pub(crate) fn open_ended(
        &mut self,
        condition: Option<&Expr>,
        body: &syn::Block,
        label: Option<&syn::Label>,
        value: Option<RootId>,
    ) {
        let whole: Expr = match condition {
            Some(condition) => {
                let condition = head(condition);
                syn::parse_quote!(while #condition #body)
            }
            None => syn::parse_quote!(loop #body),
        };
        let checkpoint = self.checkpoint.take();
        let written = self.written_by(&whole);
        self.open_loop(label, body, value);
        self.changing(written, |this| {
            let condition = condition.map_or(quote!(true), |c| this.live(c));
            let at = this.point();
            this.next_loop += 1;
            let number = this.next_loop;
            this.loops.push(number);
            let before = this.versions.clone();
            let (block, ()) = this.nested(|this| drop(this.statements_in_loop(body)));
            this.versions = before;
            this.loops.pop();
            this.keep_states(checkpoint, number, at, &block);
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
    pub(crate) fn changing(&mut self, roots: Vec<RootId>, inside: impl FnOnce(&mut Self)) {
        self.join(roots.iter().copied());
        let outside = std::mem::replace(&mut self.in_flux, roots.clone());
        inside(self);
        self.in_flux = outside;
        self.join(roots);
    }

    /// The mutable locals that an expression assigns, itself or by a closure that it calls.
    pub(crate) fn written_by(&mut self, expr: &Expr) -> Vec<RootId> {
        let mut roots = self.changed_in(expr);
        // flags of the exits that the expression may raise
        roots.extend(
            self.exits
                .iter()
                .flat_map(|e| [e.left, e.skipped, e.value])
                .flatten(),
        );
        roots
    }

    /// As [`written_by`](Self::written_by), without the flags of exits.
    pub(crate) fn changed_in(&self, expr: &Expr) -> Vec<RootId> {
        let mut roots = Vec::new();
        written_in(expr, &self.scopes, &mut Vec::new(), &mut roots);
        roots
    }
}

/// The mutable locals that an expression assigns, by the names of these scopes, and those that closures assign which are called in
/// it; each closure is looked into once.
fn written_in(expr: &Expr, scopes: &Scopes, seen: &mut Vec<Expr>, roots: &mut Vec<RootId>) {
    let lookup = |name: &str| scopes.iter().rev().find_map(|s| s.get(name));
    let root_of = |name: &Ident| match lookup(&name.to_string()) {
        Some(Binding::Root(root)) => Some(*root),
        _ => None,
    };
    let mut usage = Usage::default();
    usage.visit_expr(expr);
    let changed = usage.whole.iter().chain(&usage.parts);
    for name in changed.chain(&usage.stepped).chain(&usage.receivers) {
        match lookup(name) {
            Some(Binding::Chain { at: Some(at), .. }) => roots.extend(root_of(at)),
            Some(Binding::Root(root)) => roots.push(*root),
            Some(Binding::Optional { there, some }) => {
                roots.extend([there, some].into_iter().filter_map(root_of));
            }
            Some(Binding::View(view)) => roots.extend(view.indices().filter_map(root_of)),
            _ => {}
        }
    }
    struct Called(Vec<String>);
    impl<'ast> Visit<'ast> for Called {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            self.0
                .extend(path.path.get_ident().map(ToString::to_string));
        }
    }
    let mut called = Called(Vec::new());
    called.visit_expr(expr);
    for name in called.0 {
        if let Some(Binding::Closure { closure, scopes }) = lookup(&name)
            && !seen.contains(&closure.body)
        {
            seen.push((*closure.body).clone());
            written_in(&closure.body, scopes, seen, roots);
        }
    }
}

/// The locals from outside that a block assigns.
pub(crate) fn changed_roots(block: &Block, outside: usize) -> Vec<RootId> {
    let mut roots = assigned_in(&block.items);
    roots.retain(|r| *r < outside);
    roots
}

/// The locals that some items assign.
pub(crate) fn assigned_in(items: &[Item]) -> Vec<RootId> {
    let mut roots = Vec::new();
    for item in items {
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
                .for_each(|a| roots.extend(assigned_in(&a.body.items))),
            Item::Loop { body, .. } => roots.extend(assigned_in(&body.items)),
            _ => {}
        }
    }
    roots
}

/// `for mut i in …` with a variable of its own for the loop, of which `i` is a copy that changes.
fn with_a_copy(l: &syn::ExprForLoop, name: &Ident) -> syn::ExprForLoop {
    let (mut l, round) = (l.clone(), hidden("round"));
    *l.pat = syn::parse_quote!(#round);
    l.body
        .stmts
        .insert(0, syn::parse_quote!(let mut #name = #round;));
    l
}
