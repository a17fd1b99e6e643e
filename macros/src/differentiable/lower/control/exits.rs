//! The ways out of loops and of the function.
//!
//! `break`, `continue` and `return` become flags: what follows runs if no flag is up. So every block has one entry and one
//! exit, and can be run backwards.

use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

use super::loops::{assigned_in, changed_roots};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;
use crate::differentiable::methods::{paths, types};
use crate::differentiable::syntax::exit_kinds::{Ways, may_leave};
use crate::differentiable::syntax::options;
use crate::signature::Function;

/// What can be left: a loop, the function, or a chain of iterators that ends before its elements do.
pub(crate) struct Exit {
    /// No `break` and no `continue` of the text means a chain.
    of_chain: bool,
    pub(crate) label: Option<String>,
    /// Up after `break`, or after `return` for the function.
    pub(crate) left: Option<RootId>,
    /// Up after `continue`.
    pub(crate) skipped: Option<RootId>,
    /// The value to return.
    pub(crate) value: Option<RootId>,
}

impl Lower<'_> {
    pub(crate) fn open_function(
        &mut self,
        function: &Function,
        body: &syn::Block,
        returns_value: bool,
    ) {
        let mut exit = Exit {
            of_chain: false,
            label: None,
            left: None,
            skipped: None,
            value: None,
        };
        if returns_early(body) {
            exit.left = Some(self.flag("returned"));
            if returns_value {
                let output = &function.output;
                let expr = nothing_returned(output);
                let varied = !types::is_inactive_type(output);
                let name = self.fresh("result");
                let kind = match is_container(output) {
                    true => RootKind::Memory,
                    false => RootKind::Scalar,
                };
                let root = self.root(&name, kind, varied);
                self.promise(root, output);
                let start = self.def(DefKind::Pure(expr), false);
                if kind == RootKind::Scalar {
                    self.versions.insert(root, start);
                }
                self.push(Item::Declare {
                    root,
                    init: Init::Value(Atom::Def(start)),
                });
                exit.value = Some(root);
            }
        }
        self.exits.push(exit);
    }

    pub(crate) fn close_function(
        &mut self,
        function: &Function,
        tail: Option<Atom>,
        returns_value: bool,
    ) -> Option<Atom> {
        let exit = self.exits.pop().expect("the function's exit");
        match (exit.value, tail) {
            (Some(root), tail) => {
                if let Some(value) = tail {
                    self.set(place::whole(Base::Root(root)), value);
                }
                Some(match self.program.roots[root].kind {
                    RootKind::Scalar => Atom::Def(self.version(root)),
                    _ => Atom::Root(root),
                })
            }
            // a function that always fails
            (None, None) if returns_value => {
                let nothing = nothing_returned(&function.output);
                Some(Atom::Def(self.def(DefKind::Pure(nothing), false)))
            }
            (None, tail) => tail.filter(|_| returns_value),
        }
    }

    /// A flag that is down.
    pub(crate) fn flag(&mut self, name: &str) -> RootId {
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

    pub(crate) fn open_loop(
        &mut self,
        label: Option<&syn::Label>,
        body: &syn::Block,
        value: Option<RootId>,
    ) {
        let label = label.map(|l| l.name.ident.to_string());
        let breaks = Ways::of(body, label.as_deref()).breaks;
        let left = breaks.then(|| self.flag("left"));
        self.exits.push(Exit {
            of_chain: false,
            label,
            left,
            skipped: None,
            value,
        });
    }

    /// Runs `inside`, whose loops end when the flag goes up that it gets.
    pub(crate) fn until_up(&mut self, inside: impl FnOnce(&mut Self, RootId)) {
        let flag = self.flag("ended");
        self.exits.push(Exit {
            of_chain: true,
            label: None,
            left: Some(flag),
            skipped: None,
            value: None,
        });
        self.changing(vec![flag], |this| inside(this, flag));
        self.exits.pop();
    }

    /// Runs the second of two parts after the first, unless the first left what is around both.
    pub(crate) fn in_turn<T>(
        &mut self,
        [first, second]: [T; 2],
        mut run: impl FnMut(&mut Self, T),
    ) {
        let items = |this: &Self| this.blocks.last().map_or(0, |block| block.items.len());
        let begin = items(self);
        run(self, first);
        let changed = match self.blocks.last() {
            Some(block) => assigned_in(&block.items[begin..]),
            None => Vec::new(),
        };
        self.join(changed.iter().copied());
        let mut raised = self.flags();
        raised.retain(|flag| changed.contains(flag));
        if raised.is_empty() {
            return run(self, second);
        }
        let going_on = self.none_up(raised);
        self.when(going_on, |this| run(this, second));
    }

    pub(crate) fn close_loop(&mut self) {
        self.exits.pop();
    }

    /// The body of a loop, with a flag of its own for `continue`.
    pub(crate) fn statements_in_loop(&mut self, body: &syn::Block) -> Option<Atom> {
        let innermost = self.innermost();
        let label = self.exits[innermost].label.clone();
        let ways = Ways::of(body, label.as_deref());
        if ways.continues {
            let flag = self.flag("skipped");
            self.exits[innermost].skipped = Some(flag);
        }
        let mut stmts = body.stmts.clone();
        // the last expression of a round is run for what it does
        if let Some(Stmt::Expr(_, semicolon)) = stmts.last_mut() {
            semicolon.get_or_insert_default();
        }
        self.without_target(|this| drop(this.statements(&stmts)));
        self.exits[innermost].skipped = None;
        None
    }

    /// The number of the innermost loop's exit.
    fn innermost(&self) -> usize {
        let of_text = self.exits.iter().rposition(|e| !e.of_chain);
        of_text.expect("the function's exit")
    }

    /// The flags that a loop's body can raise and that end the loop.
    pub(crate) fn raised(&self, body: &Block) -> Vec<RootId> {
        let inner = self.innermost();
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
    pub(crate) fn leaving(&mut self, stmt: &Stmt, rest: &[Stmt]) -> Option<Option<Atom>> {
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
            Expr::Return(ret) if ret.expr.as_deref().is_some_and(options::is_failure) => {
                let tokens = self.live(expr);
                self.push(Item::Verbatim(quote!(#tokens;)));
                Some(None)
            }
            Expr::Return(ret) => Some(self.returned(ret)),
            Expr::Break(leave) => {
                self.broken(leave);
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

    /// `return value;`: the value, if this is the end of the function.
    fn returned(&mut self, ret: &syn::ExprReturn) -> Option<Atom> {
        let exit = &self.exits[0];
        let (Some(left), into) = (exit.left, exit.value) else {
            return ret.expr.as_ref().map(|v| self.value(v));
        };
        if let (Some(root), Some(value)) = (into, &ret.expr) {
            let value = self.value(value);
            self.set(place::whole(Base::Root(root)), value);
        }
        self.raise(left);
        None
    }

    /// `break 'label value;`
    fn broken(&mut self, leave: &syn::ExprBreak) {
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
    }

    /// The rest of a block after something that may have left it.
    fn unless_left(&mut self, by: &Expr, rest: &[Stmt]) {
        let flags = self.flags();
        let going_on = self.none_up(flags);
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

    /// The flags of all that can be left here.
    fn flags(&self) -> Vec<RootId> {
        let flags = self.exits.iter().flat_map(|e| [e.left, e.skipped]);
        flags.flatten().collect()
    }

    /// Whether none of these flags is up.
    fn none_up(&mut self, flags: Vec<RootId>) -> Atom {
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
        Atom::Def(self.def(DefKind::Pure(going_on), false))
    }

    pub(crate) fn raise(&mut self, flag: RootId) {
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
        let mut loops = self.exits[1..].iter().rev().filter(|e| !e.of_chain);
        match label {
            Some(label) => loops.find(|e| e.label.as_deref() == Some(&label.ident.to_string())),
            None => loops.next(),
        }
    }
}

/// What stands in the place of a value that is not returned.
fn nothing_returned(output: &syn::Type) -> ir::Expr {
    ir::Expr {
        tokens: quote!(<<#output as ::coenzyme::Outcome>::Value as ::coenzyme::__private::Blank>::blank()),
        ..Default::default()
    }
}

/// Whether values of a type have shapes: a vector, an array of `ndarray`, as far as tokens tell.
fn is_container(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    path.path.segments.last().is_some_and(|s| {
        let inner = match &s.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.first(),
            _ => None,
        };
        match (s.ident.to_string().as_str(), inner) {
            ("Result" | "Option", Some(syn::GenericArgument::Type(ty))) => is_container(ty),
            (name, _) => name == "Vec" || paths::is_array_name(name),
        }
    })
}

/// Whether a function returns before its last statement.
fn returns_early(body: &syn::Block) -> bool {
    // an error leaves nothing to run backwards
    let succeeds = |ret: &syn::ExprReturn| !ret.expr.as_deref().is_some_and(options::is_failure);
    struct Find<F>(usize, F);
    impl<'ast, F: Fn(&syn::ExprReturn) -> bool> Visit<'ast> for Find<F> {
        fn visit_expr_return(&mut self, ret: &'ast syn::ExprReturn) {
            self.0 += usize::from((self.1)(ret));
            visit::visit_expr_return(self, ret);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(0, succeeds);
    find.visit_block(body);
    let last = matches!(body.stmts.last(), Some(Stmt::Expr(Expr::Return(ret), _)) if succeeds(ret));
    find.0 > usize::from(last)
}
