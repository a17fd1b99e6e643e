//! Expressions as plain values: the user's expression with names replaced, for indices, conditions and inactive code.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::formats;
pub(crate) use super::known::{is_constructor, is_tuple_constructor};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::options::unwrapped;
use crate::differentiable::lower::references::reseated::is_part;
use crate::differentiable::lower::{Binding, Lower, Scopes};
use crate::differentiable::methods::{calls, operations, table};
use crate::differentiable::resolve::usage;
use crate::differentiable::resolve::varied::{is_comparison, place_root};
use crate::differentiable::syntax::effects::Again;
use crate::differentiable::syntax::exit_kinds::may_leave;
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

/// An expression with its names replaced.
pub(crate) struct Plain {
    pub(crate) expr: ir::Expr,
    /// Whether it can be run again, and costs next to nothing.
    pub(crate) pure: bool,
    /// Whether it can be run again, and has loops.
    pub(crate) loops: bool,
}

impl Lower<'_> {
    /// The value of `expr` at this point, by definitions that hold for good.
    pub(crate) fn plain(&mut self, expr: &Expr) -> Plain {
        self.substituted(expr, false)
    }

    /// The value of `expr` when the primal gets here: for code that runs in the primal only.
    pub(crate) fn live(&mut self, expr: &Expr) -> TokenStream {
        self.substituted(expr, true).expr.tokens
    }

    fn substituted(&mut self, expr: &Expr, live: bool) -> Plain {
        if may_leave(expr) {
            self.errors.at(
                expr,
                "this leaves a function or a loop inside an expression: bind it to a name with `let` first",
            );
        }
        let again = match !live && self.may_act(expr) {
            true => Again::Effects,
            false => Again::Cheap,
        };
        let mut expr = expr.clone();
        let mut replace = Replace {
            lower: self,
            uses: Uses::default(),
            again,
            pure: true,
            live,
            own: Vec::new(),
            changed: Vec::new(),
        };
        replace.visit_expr_mut(&mut expr);
        let Replace {
            uses,
            again,
            pure,
            changed,
            ..
        } = replace;
        changed.into_iter().for_each(|root| self.write(root));
        Plain {
            expr: ir::Expr {
                tokens: expr.to_token_stream(),
                uses,
            },
            pure: pure && again == Again::Cheap,
            loops: pure && again == Again::Loops,
        }
    }

    /// An inactive value: in place if it is cheap to have again, otherwise a definition.
    pub(crate) fn inactive(&mut self, expr: &Expr) -> Atom {
        if let Expr::Paren(inner) = expr {
            return self.inactive(&inner.expr);
        }
        if let Expr::Binary(binary) = expr
            && let Some(atom) = self.compared(binary)
        {
            return atom;
        }
        if let Some(name) = simple_name(expr) {
            match self.lookup(&name).cloned() {
                Some(Binding::Def(d)) => return Atom::Def(d),
                Some(Binding::Root(r)) if self.program.roots[r].kind == RootKind::Scalar => {
                    return Atom::Def(self.version(r));
                }
                _ => {}
            }
        }
        let Plain {
            expr: value,
            pure,
            loops,
        } = self.plain(expr);
        match pure && !self.moves_computed(expr) {
            true if value.uses.roots.is_empty() && !has_code(expr) => {
                Atom::Const(parenthesized(expr, value))
            }
            true => Atom::Def(self.def(DefKind::Pure(value), false)),
            false => {
                let value = self.def(DefKind::Opaque(value), false);
                if loops && self.gives_chain(expr) {
                    self.chains.insert(value);
                }
                if self.gives_iterator(expr) {
                    self.iterators.insert(value);
                }
                if loops || unwrapped::asked_call(expr).is_some() {
                    self.program.questions.insert(value);
                }
                Atom::Def(value)
            }
        }
    }

    /// Whether a value is built of locals that are computed once and may be moved into it: it is kept itself, and is not built again.
    fn moves_computed(&self, expr: &Expr) -> bool {
        let computed = |name: &Expr| {
            let binding = simple_name(name).and_then(|name| self.lookup(&name));
            matches!(binding, Some(Binding::Def(d)) if matches!(self.program.defs[*d].kind, DefKind::Opaque(_)))
        };
        let moves = |expr: &Expr| computed(expr) || self.moves_computed(expr);
        match expr {
            Expr::Paren(paren) => self.moves_computed(&paren.expr),
            Expr::Array(list) => list.elems.iter().any(moves),
            Expr::Tuple(tuple) => tuple.elems.iter().any(moves),
            Expr::Struct(made) => made.fields.iter().any(|field| moves(&field.expr)),
            Expr::Call(call) if is_constructor(&call.func) => call.args.iter().any(moves),
            _ => false,
        }
    }

    /// Tokens for an index, a bound or a length: what they read of changing memory is read now.
    pub(crate) fn index(&mut self, expr: &Expr) -> ir::Expr {
        if let Expr::Range(range) = expr {
            let start = range.start.as_deref().map(|e| self.index(e));
            let end = range.end.as_deref().map(|e| self.index(e));
            let mut uses = Uses::default();
            start.iter().chain(&end).for_each(|e| uses.extend(&e.uses));
            let (start, end) = (start.map(|e| e.tokens), end.map(|e| e.tokens));
            let limits = &range.limits;
            return ir::Expr {
                tokens: quote!(#start #limits #end),
                uses,
            };
        }
        let expr = self.with_sizes(expr.clone());
        let atom = self.inactive(&expr);
        self.atom_expr(&atom)
    }
}

/// Whether an expression branches or calls, so that it stands in one place.
pub(crate) fn has_code(expr: &Expr) -> bool {
    struct Code(bool);
    impl<'ast> Visit<'ast> for Code {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= match expr {
                Expr::Block(_) | Expr::If(_) | Expr::Match(_) => true,
                Expr::Call(call) => !is_constructor(&call.func),
                Expr::MethodCall(call) => !table::is_pure(&call.method.to_string()),
                _ => false,
            };
            visit::visit_expr(self, expr);
        }
    }
    let mut code = Code(false);
    code.visit_expr(expr);
    code.0
}

/// `(a + b)` keeps its parentheses when it becomes an operand.
fn parenthesized(source: &Expr, value: ir::Expr) -> ir::Expr {
    match source {
        Expr::Lit(_)
        | Expr::Path(_)
        | Expr::MethodCall(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_) => value,
        _ => {
            let tokens = value.tokens;
            ir::Expr {
                tokens: quote!((#tokens)),
                uses: value.uses,
            }
        }
    }
}

/// Writes `*a == b` for `a == &b`: a name of a reference may have become one of what it refers to.
fn compared_by_value(binary: &mut syn::ExprBinary) {
    let (name, reference) = match (&*binary.left, &*binary.right) {
        (_, Expr::Reference(_)) => (&mut binary.left, &mut binary.right),
        (Expr::Reference(_), _) => (&mut binary.right, &mut binary.left),
        _ => return,
    };
    while let Expr::Reference(of) = &**reference
        && of.mutability.is_none()
        && simple_name(without_star(name)).is_some()
    {
        **reference = (*of.expr).clone();
        **name = syn::parse_quote!(*#name);
    }
}

/// `v` of `**v` or of `v`.
fn without_star(expr: &Expr) -> &Expr {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => without_stars(unary),
        expr => expr,
    }
}

/// `v` of `**v`.
pub(crate) fn without_stars(unary: &syn::ExprUnary) -> &Expr {
    match &*unary.expr {
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Deref(_)) => without_stars(inner),
        inner => inner,
    }
}

pub(crate) struct Replace<'l, 'a> {
    pub(crate) lower: &'l mut Lower<'a>,
    pub(crate) uses: Uses,
    /// What it does to run calls and blocks again whose text is known.
    pub(crate) again: Again,
    pub(crate) pure: bool,
    pub(crate) live: bool,
    /// Names that the expression binds itself.
    pub(crate) own: Vec<String>,
    /// Inactive memory that methods in the expression may change.
    pub(crate) changed: Vec<RootId>,
}

impl Replace<'_, '_> {
    /// The closure that a name is bound to.
    pub(crate) fn closure(&self, func: &Expr) -> Option<(syn::ExprClosure, Scopes)> {
        match self.lower.lookup(&simple_name(func)?)? {
            Binding::Closure { closure, scopes } => Some((closure.clone(), scopes.clone())),
            _ => None,
        }
    }

    /// Whether an index is the name of a reference, by which a map is asked.
    fn asks_map(&self, index: &syn::ExprIndex) -> bool {
        let ty = self.lower.type_of(&index.expr);
        let is_map = matches!(ty, Some(syn::Type::Path(path))
            if path.path.segments.last().is_some_and(|s| s.ident == "HashMap" || s.ident == "BTreeMap"));
        let name = simple_name(&index.index).filter(|name| !self.own.contains(name));
        match name.and_then(|name| self.lower.lookup(&name)) {
            Some(Binding::Alias { place, .. }) => is_map && !self.lower.is_moved(place),
            _ => false,
        }
    }

    /// Refuses to assign to a local inside an expression: it is computed from values that hold for good.
    fn refuse_assignment(&mut self, expr: &Expr) {
        let place = match expr {
            Expr::Assign(assign) => &assign.left,
            Expr::Binary(binary) if operations::compound(&binary.op).is_some() => &binary.left,
            _ => return,
        };
        let Some(name) = place_root(place).filter(|name| !self.own.contains(name)) else {
            return;
        };
        if matches!(
            self.lower.lookup(&name),
            Some(Binding::Root(_) | Binding::Def(_) | Binding::Alias { .. })
        ) {
            self.lower.errors.at(
                expr,
                format!("`{name}` is assigned inside an expression: assign it in a statement of its own, or in a loop"),
            );
        }
    }

    /// `is_some` and `is_none` of a local `Option`.
    pub(crate) fn presence(&self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let name = simple_name(&call.receiver).filter(|name| !self.own.contains(name))?;
        let Binding::Optional { there, .. } = self.lower.lookup(&name)? else {
            return None;
        };
        match call.method.to_string().as_str() {
            "is_some" | "is_ok" => Some(syn::parse_quote!(#there)),
            "is_none" | "is_err" => Some(syn::parse_quote!((!#there))),
            _ => None,
        }
    }

    /// Notes that a method may change its receiver; refuses it for active memory, whose shadow would not follow.
    pub(crate) fn note_change(&mut self, call: &syn::ExprMethodCall, receiver: &str) {
        let (method, name) = (&call.method, call.method.to_string());
        let may_change = table::may_change(&name)
            || calls::is_stranger(call)
            || self.lower.callees.surely_changes_receiver(&name);
        if self.own.iter().any(|own| own == receiver) || !may_change {
            return;
        }
        let changes = match calls::is_std_call(call) {
            true => table::changes(&name) && !name.ends_with("_mut"),
            // what a method of the place gave is another's
            false => {
                !matches!(&*call.receiver, Expr::MethodCall(_) | Expr::Call(_))
                    && self.lower.callees.surely_changes_receiver(&name)
            }
        };
        let root = match self.lower.lookup(receiver) {
            Some(Binding::Root(r)) => *r,
            Some(Binding::Alias {
                place,
                exclusive: true,
            }) => match place.base {
                Base::Root(r) => r,
                Base::Def(_) => return,
            },
            Some(Binding::Def(d))
                if changes && !calls::is_std_call(call) && self.lower.program.defs[*d].varied =>
            {
                return self.refuse_change(method, receiver);
            }
            _ => return,
        };
        let Root { kind, varied, .. } = &self.lower.program.roots[root];
        let (varied, changeable) = (
            *varied,
            match kind {
                RootKind::Param { passing, .. } => *passing == Passing::Exclusive,
                RootKind::Memory => self.lower.usage.is_mutable(receiver),
                RootKind::Scalar => false,
            },
        );
        if varied && changes {
            self.refuse_change(method, receiver);
        } else if changeable && !varied {
            self.changed.push(root);
        }
    }

    fn refuse_change(&mut self, method: &Ident, receiver: &str) {
        self.lower.errors.at(
            method,
            format!(
                "`{receiver}` is changed inside an expression: change it in a statement of its own"
            ),
        );
    }

    /// Whether what the primal runs by itself calls a method on active memory that the crate has with `&mut self` as well: by this name it may change
    /// what it is called on, and nothing in the derivative would.
    pub(crate) fn must_only_read(&self, call: &syn::ExprMethodCall, receiver: &str) -> bool {
        let name = call.method.to_string();
        let known = calls::is_std_call(call) || !self.lower.callees.changes_receiver(&name);
        let varied = match self.lower.lookup(receiver) {
            Some(Binding::Root(root)) => self.lower.program.roots[*root].varied,
            Some(Binding::Alias { place, .. }) => self.lower.place_varied(place),
            _ => false,
        };
        self.live && !known && varied && !self.own.iter().any(|own| own == receiver)
    }

    /// Refuses a call that may change active memory inside of an expression that is left out of the derivative.
    fn refuse_lent<'e>(&mut self, call: &Expr, args: impl Iterator<Item = &'e Expr>) {
        // code of the compiler's own knows what it does
        let ours =
            |func: &Expr| matches!(func, Expr::Path(path) if path.path.leading_colon.is_some());
        if matches!(call, Expr::Call(call) if ours(&call.func)) {
            return;
        }
        let takes = self.lower.callees.takes_mutably(call);
        for arg in args {
            let written = matches!(arg, Expr::Reference(r) if r.mutability.is_some());
            let Some(name) = place_root(arg).filter(|name| !self.own.contains(name)) else {
                continue;
            };
            let lent = written || takes && self.is_exclusive(arg);
            if lent && self.is_varied_name(&name) {
                self.lower.errors.at(
                    arg,
                    format!("`{name}` is changed by a call inside an expression: bind what the call returns with `let` first"),
                );
            }
        }
    }

    /// Whether an argument is the name of a mutable reference.
    fn is_exclusive(&self, arg: &Expr) -> bool {
        simple_name(arg).is_some() && !self.lower.leads.lent(arg).is_empty()
    }

    /// A name for a mutable reference to active memory is lent as a shared one: what would change the memory, and is not known, is a type error.
    fn lend_shared(&self, arg: &mut Expr) {
        let name = simple_name(arg).filter(|name| !self.own.contains(name));
        let Some(name) = name.filter(|name| self.is_varied_name(name)) else {
            return;
        };
        let exclusive = match self.lower.lookup(&name) {
            Some(Binding::Root(root)) => matches!(
                self.lower.program.roots[*root].kind,
                RootKind::Param {
                    passing: Passing::Exclusive,
                    ..
                }
            ),
            Some(Binding::Alias { exclusive, .. }) => *exclusive,
            _ => false,
        };
        if exclusive {
            *arg = syn::parse_quote!(&*#arg);
        }
    }

    /// Whether a name stands for something that has a derivative.
    fn is_varied_name(&self, name: &str) -> bool {
        match self.lower.lookup(name) {
            Some(Binding::Root(r)) => self.lower.program.roots[*r].varied,
            Some(Binding::Alias { place, .. }) => self.lower.place_varied(place),
            Some(Binding::Def(d)) => self.lower.program.defs[*d].varied,
            _ => false,
        }
    }

    /// Notes that a call may change what it is lent mutably.
    pub(crate) fn note_lent<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) {
        for arg in args {
            for name in self.lower.leads.lent(arg) {
                if self.own.contains(&name) {
                    continue;
                }
                match self.lower.lookup(&name) {
                    Some(Binding::Root(root)) => self.changed.push(*root),
                    Some(Binding::Alias { place, .. }) => {
                        if let Base::Root(root) = place.base {
                            self.changed.push(root);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// A name for a reference, or for a part of memory, becomes the place that it leads to, lent. Of one to a number the place is its value.
    pub(crate) fn lend(&mut self, arg: &mut Expr) {
        let Some(name) = simple_name(arg).filter(|n| !self.own.contains(n)) else {
            return;
        };
        let Some(Binding::Alias {
            place, exclusive, ..
        }) = self.lower.lookup(&name)
        else {
            return;
        };
        if *exclusive && self.lower.leads.is_name(&name) {
            *arg = syn::parse_quote!(&mut #arg);
        } else if !exclusive && (is_part(place) || self.lower.form(arg) == OperandForm::Reference) {
            *arg = syn::parse_quote!(&#arg);
        }
    }

    /// Visits what binds names of its own.
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.own.len();
        visit(self);
        self.own.truncate(outside);
    }

    pub(crate) fn place(&mut self, place: &Place) -> Expr {
        let tokens = self.lower.place_tokens(place);
        self.uses.extend(&place.uses);
        match place.base {
            Base::Def(d) => drop(self.uses.defs.insert(d)),
            Base::Root(r) => drop(self.uses.roots.insert(r)),
        }
        syn::parse2(quote!((#tokens))).expect("a place is an expression")
    }
}

impl VisitMut for Replace<'_, '_> {
    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        // `d` of `Point { d }` may become another name
        field.colon_token.get_or_insert_default();
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.refuse_assignment(expr);
        match &*expr {
            Expr::Call(call) => self.refuse_lent(expr, call.args.iter()),
            Expr::MethodCall(call) => self.refuse_lent(expr, call.args.iter()),
            _ => {}
        }
        match expr {
            Expr::Path(_) => self.name(expr),
            Expr::Binary(binary)
                if operations::operator(&binary.op).is_some()
                    && operations::compound(&binary.op).is_none() =>
            {
                self.operator(binary);
            }
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                compared_by_value(binary);
                visit_mut::visit_expr_binary_mut(self, binary);
            }
            Expr::MethodCall(call) if self.presence(call).is_some() => {
                *expr = self.presence(call).expect("an `Option`");
                self.visit_expr_mut(expr);
            }
            Expr::MethodCall(call) if self.lower.peeked(call).is_some() => {
                *expr = self.lower.peeked(call).expect("an iterator");
                self.visit_expr_mut(expr);
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) if self.closure(&call.func).is_some() => self.call_of_closure(call),
            Expr::Call(call) if self.lower.callable(&call.func).is_some() => {
                *expr = self.call_of_parameter(call);
            }
            Expr::Call(call) => {
                self.note_lent(&call.args);
                call.args.iter_mut().for_each(|a| self.lend_shared(a));
                call.args.iter_mut().for_each(|a| self.lend(a));
                if !is_constructor(&call.func) && !calls::is_borrowed(call) {
                    self.runs(&Expr::Call(call.clone()));
                }
                call.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
            }
            // who holds it may change it, when it is dropped at the latest
            Expr::Struct(made) => {
                let held: Vec<Expr> = made.fields.iter().map(|f| f.expr.clone()).collect();
                self.note_lent(&held);
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Macro(mac) if formats::slice_parts(&mac.mac).is_some() => {
                self.visit_macro_mut(&mut mac.mac);
            }
            Expr::Block(_) | Expr::If(_) | Expr::Match(_) => {
                self.runs_text(expr);
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Try(_) | Expr::Macro(_) | Expr::Closure(_) => {
                self.pure = false;
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.star(expr),
            Expr::Field(field) => {
                self.visit_expr_mut(&mut field.base);
            }
            Expr::Index(index) if self.asks_map(index) => {
                visit_mut::visit_expr_index_mut(self, index);
                let key = &index.index;
                *index.index = syn::parse_quote!(&#key);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.scoped(|this| visit_mut::visit_expr_closure_mut(this, closure));
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.scoped(|this| visit_mut::visit_block_mut(this, block));
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scoped(|this| visit_mut::visit_arm_mut(this, arm));
    }

    fn visit_expr_if_mut(&mut self, branch: &mut syn::ExprIf) {
        self.scoped(|this| visit_mut::visit_expr_if_mut(this, branch));
    }

    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        self.scoped(|this| {
            this.visit_expr_mut(&mut l.expr);
            this.visit_pat_mut(&mut l.pat);
            this.visit_block_mut(&mut l.body);
        });
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        // the value does not see the name
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.visit_pat_mut(&mut local.pat);
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.own.push(pat.ident.to_string());
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if let Some(mut parts) = formats::slice_parts(mac) {
            for part in &mut parts {
                self.visit_expr_mut(&mut part.range);
                part.step.iter_mut().for_each(|s| self.visit_expr_mut(s));
            }
            mac.tokens = parts.to_token_stream();
            return;
        }
        if let Some(name) = usage::written_by_macro(mac)
            && let Some(Binding::Root(root)) = self.lower.lookup(&name)
        {
            self.changed.push(*root);
        }
        if let Some(tokens) = self.lower.macro_arguments(mac, self.live) {
            mac.tokens = tokens;
        }
    }
}
