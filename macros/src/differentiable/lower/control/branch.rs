//! Branches: `if`, `match`, and blocks as values.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprIf};

use super::loops::changed_roots;
use crate::differentiable::expand::let_else::lends_an_entry;
use crate::differentiable::expand::slice_pattern::is_of_slice;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::options::unwrapped::asked_call;
use crate::differentiable::lower::values::substituted::Plain;
use crate::differentiable::methods::operations;
use crate::differentiable::syntax::exit_kinds::{block_may_leave, may_leave};
use crate::differentiable::syntax::patterns::contains_let;
use crate::differentiable::syntax::{block_value, ends};

impl Lower<'_> {
    /// A branch whose value is used.
    pub(crate) fn branch_value(&mut self, expr: &Expr) -> Atom {
        let guarded = std::mem::take(&mut self.may_be_left);
        let leaves = may_leave(expr);
        if leaves && !guarded {
            self.errors.at(
                expr,
                "this leaves a function or a loop inside an expression: bind it to a name with `let` first",
            );
            return self.nothing();
        }
        if let (Expr::Block(block), false) = (expr, leaves)
            && !self.acts_at_its_end(&block.block)
        {
            self.scopes.push(HashMap::new());
            let target = self.target.take();
            let value = self.statements(&block.block.stmts);
            self.target = target;
            self.scopes.pop();
            return value.unwrap_or_else(|| self.nothing());
        }
        if self.refused_choice(expr) || self.refused_slice(expr) {
            return self.nothing();
        }
        if is_plain(expr) && gives_number(expr) && !self.is_varied(expr) {
            let Plain { expr, .. } = self.plain(expr);
            return Atom::Def(self.def(DefKind::Pure(expr), false));
        }
        let name = self.fresh("chosen");
        let varied = self.is_varied_branch(expr);
        let wanted = std::mem::take(&mut self.memory_wanted);
        let array = wanted || self.kind(expr).is_surely();
        let kind = if array {
            RootKind::Memory
        } else {
            RootKind::Scalar
        };
        let root = self.root(&name, kind, varied);
        self.late.insert(root);
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
        let chosen = self.version(root);
        // what it is made of is gone behind the branch
        self.program.exchanged.insert(chosen);
        Atom::Def(chosen)
    }

    /// `loop { … break value; }`
    pub(crate) fn loop_value(&mut self, l: &syn::ExprLoop) -> Atom {
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
    pub(crate) fn branch_into(&mut self, expr: &Expr, root: RootId) {
        match expr {
            Expr::Block(block) if !self.acts_at_its_end(&block.block) => {
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
    pub(crate) fn result_root(&self) -> Option<RootId> {
        self.exits.first().and_then(|e| e.value)
    }

    /// Lowers what has no value.
    pub(crate) fn without_target(&mut self, inside: impl FnOnce(&mut Self)) {
        let target = self.target.take();
        inside(self);
        self.target = target;
    }

    /// A branch at the end of a block: its value is the block's.
    pub(crate) fn tail_branch(&mut self, expr: &Expr) -> Option<Atom> {
        match block_value::has_value(expr) {
            true => Some(self.branch_value(expr)),
            false => {
                self.expression_statement(expr);
                None
            }
        }
    }

    pub(crate) fn branch_statement(&mut self, expr: &Expr) {
        self.branch(expr, None);
    }

    fn is_varied_branch(&self, expr: &Expr) -> bool {
        let mut ends = Vec::new();
        ends::ends_of(expr, &mut ends);
        ends.into_iter().any(|e| self.is_varied(e))
    }

    /// `if` and `match`; each arm assigns its value to `into`.
    pub(crate) fn branch(&mut self, expr: &Expr, into: Option<RootId>) {
        if self.branch_on_local(expr, into) {
            return;
        }
        match expr {
            Expr::If(branch) => match &*branch.cond {
                Expr::Let(condition) => {
                    let (then, otherwise) = (&branch.then_branch, branch.else_branch.as_ref());
                    let otherwise = otherwise.map_or(syn::parse_quote!({}), |(_, e)| (**e).clone());
                    let arms = [
                        ((*condition.pat).clone(), syn::parse_quote!(#then)),
                        (syn::parse_quote!(_), otherwise),
                    ];
                    match self.slice_arms(&condition.expr, &arms) {
                        Some(by_length) => self.branch(&by_length, into),
                        None => self.if_let(branch, condition, into),
                    }
                }
                _ => self.plain_if(branch, into),
            },
            Expr::Match(branch) if self.match_by_length(branch).is_some() => {
                let by_length = self.match_by_length(branch).expect("patterns of a slice");
                self.branch(&by_length, into);
            }
            // what it gives is there in any case
            Expr::Block(block) if into.is_some() && self.acts_at_its_end(&block.block) => {
                let block = &block.block;
                let always = syn::parse_quote!(if true #block else { ::core::unreachable!() });
                self.branch(&always, into);
            }
            Expr::Block(block) => {
                let (then, roots) = self.arm(into, may_leave(expr), |this| {
                    this.statements(&block.block.stmts)
                });
                let always = Atom::Const(ir::Expr {
                    tokens: quote!(true),
                    ..Default::default()
                });
                self.branch_item(always, (then, roots), (Block::EMPTY, Vec::new()));
            }
            Expr::Match(branch) if self.texts_beside(branch).is_some() => {
                let (text, rest) = self.texts_beside(branch).expect("texts");
                self.statements(&[text]);
                self.branch(&rest, into);
            }
            Expr::Match(branch) if self.names_beside(branch).is_some() => {
                let named = self.names_beside(branch).expect("names");
                self.branch(&Expr::Match(named), into);
            }
            Expr::Match(branch) => match self.as_if_let(branch) {
                Some(if_let)
                    if self.is_varied(&branch.expr)
                        || lends_an_entry(&branch.expr)
                        || self.advances(&branch.expr) =>
                {
                    self.branch(&if_let, into)
                }
                _ => match self.by_presence(branch) {
                    Some(tests) => self.branch(&tests, into),
                    None if self.match_outcome(branch, into) => {}
                    None => self.matching(branch, into),
                },
            },
            _ => self.errors.at(expr, "expected `if` or `match`"),
        }
    }

    /// A `match` or `if let` with patterns of slices, as tests of the length.
    fn slice_arms(&self, of: &Expr, arms: &[(syn::Pat, Expr)]) -> Option<Expr> {
        match arms.iter().any(|(pat, _)| is_of_slice(pat)) {
            true => self.by_length(of, arms),
            false => None,
        }
    }

    fn match_by_length(&self, branch: &syn::ExprMatch) -> Option<Expr> {
        let arms: Vec<_> = branch
            .arms
            .iter()
            .map(|a| (a.pat.clone(), (*a.body).clone()))
            .collect();
        self.slice_arms(&branch.expr, &arms)
    }

    fn plain_if(&mut self, branch: &ExprIf, into: Option<RootId>) {
        if let Some(nested) = unchained(branch) {
            return self.branch(&nested, into);
        }
        let condition = self.inactive(&branch.cond);
        let condition = self.choice(condition);
        self.asking = asked_call(&branch.cond).zip(condition.def());
        let mut then = self.arm(into, block_may_leave(&branch.then_branch), |this| {
            this.statements(&branch.then_branch.stmts)
        });
        self.asking = None;
        if let Some(asks) = condition.def() {
            self.read_before(asks, &mut then.0);
        }
        let otherwise = branch.else_branch.as_ref().map(|(_, e)| &**e);
        let otherwise = self.arm_of(into, otherwise);
        self.branch_item(condition, then, otherwise);
    }

    /// What a call reads that `asks` whether it gives a value is read in front of that question: it is run there.
    fn read_before(&mut self, asks: DefId, then: &mut Block) {
        let program = &self.program;
        let read = |item: &&Item| match item {
            Item::Def(d) => matches!(
                program.defs[*d].kind,
                DefKind::Read(_) | DefKind::Pure(_) | DefKind::Version(_)
            ),
            _ => false,
        };
        let reads = then.items.iter().take_while(read).count();
        let call = match then.items.get(reads) {
            Some(Item::Def(call)) => program.asked.get(call),
            _ => None,
        };
        let block = self.blocks.last_mut().expect("the block around");
        let at = (block.items.iter()).rposition(|i| matches!(i, Item::Def(d) if *d == asks));
        if let (Some(at), true) = (at, call == Some(&asks)) {
            block.items.splice(at..at, then.items.drain(..reads));
        }
    }

    /// A condition on active values in a loop is a value of its own: a flag may go to the tape in the place of what is compared.
    fn choice(&mut self, condition: Atom) -> Atom {
        let Atom::Const(expr) = &condition else {
            return condition;
        };
        let varied = expr.uses.defs.iter().any(|d| self.program.defs[*d].varied);
        match varied && !self.loops.is_empty() {
            true => Atom::Def(self.def(DefKind::Pure(expr.clone()), false)),
            false => condition,
        }
    }

    pub(crate) fn branch_item(
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
    pub(crate) fn when(&mut self, condition: Atom, inside: impl FnOnce(&mut Self)) {
        let then = self.arm(None, false, |this| {
            inside(this);
            None
        });
        self.branch_item(condition, then, (Block::EMPTY, Vec::new()));
    }

    /// Runs one or the other.
    pub(crate) fn either(
        &mut self,
        condition: Atom,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let then = self.arm(None, false, |this| {
            then(this);
            None
        });
        let otherwise = self.arm(None, false, |this| {
            otherwise(this);
            None
        });
        self.branch_item(condition, then, otherwise);
    }

    pub(crate) fn arm_of(
        &mut self,
        into: Option<RootId>,
        expr: Option<&Expr>,
    ) -> (Block, Vec<RootId>) {
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
    pub(crate) fn arm(
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
    pub(crate) fn join(&mut self, changed: impl IntoIterator<Item = RootId>) {
        for root in changed {
            self.versions.remove(&root);
        }
    }
}

/// `if let p = a && c { … } else { … }` as `if let p = a { if c { … } else { … } } else { … }`.
fn unchained(branch: &ExprIf) -> Option<Expr> {
    let Expr::Binary(binary) = &*branch.cond else {
        return None;
    };
    if !matches!(binary.op, syn::BinOp::And(_)) || !contains_let(&branch.cond) {
        return None;
    }
    let (first, rest, then) = (&binary.left, &binary.right, &branch.then_branch);
    let otherwise = branch.else_branch.as_ref().map(|(_, e)| quote!(else #e));
    Some(syn::parse_quote!(if #first { if #rest #then #otherwise } #otherwise))
}

/// Whether a branch is arithmetic on names and literals, and so a value that can be had again: `if i == 0 { n - 1 } else { i - 1 }`.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Paren(paren) => is_plain(&paren.expr),
        Expr::Cast(cast) => is_plain(&cast.expr),
        Expr::Unary(unary) => !matches!(unary.op, syn::UnOp::Deref(_)) && is_plain(&unary.expr),
        Expr::Binary(binary) => {
            let plain = is_plain(&binary.left) && is_plain(&binary.right);
            plain && operations::compound(&binary.op).is_none()
        }
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
            is_plain_block(&block.block)
        }
        Expr::If(branch) => {
            let otherwise = branch
                .else_branch
                .as_ref()
                .is_some_and(|(_, e)| is_plain(e));
            otherwise && is_plain(&branch.cond) && is_plain_block(&branch.then_branch)
        }
        _ => false,
    }
}

fn is_plain_block(block: &syn::Block) -> bool {
    matches!(&block.stmts[..], [syn::Stmt::Expr(expr, None)] if is_plain(expr))
}

/// Whether what such a branch gives is a number or a flag, which can be copied: one of its ends shows it.
fn gives_number(expr: &Expr) -> bool {
    let end = |block: &syn::Block| match block.stmts.last() {
        Some(syn::Stmt::Expr(expr, None)) => gives_number(expr),
        _ => false,
    };
    match expr {
        Expr::Lit(literal) => !matches!(
            literal.lit,
            syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_)
        ),
        Expr::Paren(paren) => gives_number(&paren.expr),
        Expr::Cast(_) | Expr::Binary(_) => true,
        Expr::Unary(unary) => gives_number(&unary.expr),
        Expr::Block(block) => end(&block.block),
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref();
            end(&branch.then_branch) || otherwise.is_some_and(|(_, e)| gives_number(e))
        }
        _ => false,
    }
}
