//! How locals are changed: in parts, as a whole, or never.

use std::collections::{HashMap, HashSet};

use syn::Expr;
use syn::visit::{self, Visit};

use super::varied::{bound_names, place_root};
use super::{advances, field_lengths};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::methods::{calls, operations, paths};
use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::syntax::patterns::has_mutable_reference;
use crate::differentiable::syntax::vec_macro::elements_of;

/// The names of locals that change, blind to scope.
#[derive(Default)]
pub(crate) struct Usage {
    /// Changed in parts, or lent mutably: `x[i] = …`, `x.f += …`, `&mut x`, `x.fill(…)`.
    pub(crate) parts: HashSet<String>,
    /// Vectors whose length changes, and what holds them: `v.push(x)`, `record(&mut v, x)`.
    pub(crate) grown: HashSet<String>,
    /// Whose fields are given values that may have another length, here or in what they are lent to: `s.v = …`, `step(&mut s)`.
    pub(crate) refitted: HashSet<String>,
    /// Changed by a method that may change the length of what it changes, or lent: `log.push_str(…)`, `fill_in(&mut list)`.
    pub(crate) resized: HashSet<String>,
    /// Assigned as a whole.
    pub(crate) whole: HashSet<String>,
    /// Whose entries are given other values as a whole: `w[i] = row`, `w.swap(i, j)`, `mem::swap(&mut w[i], …)`.
    pub(crate) reseated: HashSet<String>,
    /// Indexed, iterated over or lent: more than one number, as far as tokens tell.
    pub(crate) memory: HashSet<String>,
    /// Iterators that are advanced: `it.next()`.
    pub(crate) stepped: HashSet<String>,
    /// Those of them that nothing names but what advances them.
    pub(crate) stepped_alone: HashSet<String>,
    /// Receivers of methods that only arrays of `ndarray` have.
    pub(crate) arrays: HashSet<String>,
    /// Receivers of methods that `Option` and `Result` have, and what is matched on.
    pub(crate) optional: HashSet<String>,
    /// Those of them that are `Option`s or `Result`s by methods and patterns that no other type has.
    pub(crate) outcomes: HashSet<String>,
    /// Operands of arithmetic, and bound once: no `Option`s.
    pub(crate) operands: HashSet<String>,
    /// Before a `?`.
    asked: HashSet<String>,
    /// How often a name is bound.
    bound: HashMap<String, usize>,
    /// How often a `let` binds it.
    declared: HashMap<String, usize>,
    /// Declared `mut`.
    mutable: HashSet<String>,
    /// Names of methods with those of their receivers.
    called: HashSet<(String, String)>,
    /// Names of functions and methods with those of what they are lent.
    lent: HashSet<(String, String)>,
    /// Receivers of methods that are not known here, which may change them.
    pub(crate) receivers: HashSet<String>,
}

/// The name of an iterator that a loop takes one entry after the other from.
pub(crate) fn stepped_name() -> proc_macro2::Ident {
    hidden("stepped")
}

/// The names that an expression computes with.
pub(crate) fn operands_of(expr: &Expr) -> HashSet<String> {
    let mut usage = Usage::default();
    usage.visit_expr(expr);
    usage.operands
}

impl Usage {
    /// `mutable` are the parameters that are declared `mut`; `changes` tells whether the crate has methods of a name that change their receivers, `grows`
    /// whether it has functions that change the length of what they are lent, `refits` whether it has those that assign its fields.
    pub(crate) fn of(
        body: &syn::Block,
        mutable: impl IntoIterator<Item = String>,
        changes: impl Fn(&str) -> bool,
        grows: impl Fn(&str) -> bool,
        refits: impl Fn(&str) -> bool,
    ) -> Self {
        let mut usage = Self::default();
        usage.mutable.extend(mutable);
        usage.visit_block(body);
        usage.stepped_alone = advances::alone(body);
        // what a loop is written out with when types are known
        let stepped = stepped_name();
        usage.visit_block(&syn::parse_quote!({ let mut #stepped = (); #stepped.next(); }));
        for (name, root) in std::mem::take(&mut usage.lent) {
            if refits(&name) {
                usage.refitted.insert(root.clone());
            }
            if grows(&name) {
                usage.grown.insert(root);
            }
        }
        for (name, receiver) in std::mem::take(&mut usage.called) {
            if usage.mutable.contains(&receiver) && changes(&name) {
                usage.receivers.insert(receiver);
            }
        }
        let changed = usage.receivers.intersection(&usage.mutable).cloned();
        usage.parts.extend(changed);
        // the error of a `Result` would be lost; a name that is bound again may be of another type
        let (asked, bound, declared) = (&usage.asked, &usage.bound, &usage.declared);
        usage
            .outcomes
            .retain(|name| !asked.contains(name) && declared.get(name) == Some(&1));
        usage.operands.retain(|name| bound.get(name) == Some(&1));
        usage
    }

    /// Whether a local is declared `mut`.
    pub(crate) fn is_mutable(&self, name: &str) -> bool {
        self.mutable.contains(name)
    }

    /// What a pattern lends mutably.
    fn matched(&mut self, pat: &syn::Pat, of: &Expr) {
        if has_mutable_reference(pat) {
            self.parts.extend(place_root(of));
        }
    }

    /// Notes what a pattern shows to be an `Option` or a `Result`.
    fn note_outcomes(&mut self, pat: &syn::Pat, of: &Expr) {
        match (pat, of) {
            (syn::Pat::Guard(guarded), _) => self.note_outcomes(&guarded.pat, of),
            (syn::Pat::Or(either), _) => {
                either
                    .cases
                    .iter()
                    .for_each(|pat| self.note_outcomes(pat, of));
            }
            (syn::Pat::Tuple(pats), Expr::Tuple(parts))
                if pats.elems.len() == parts.elems.len() =>
            {
                let parts = pats.elems.iter().zip(&parts.elems);
                parts.for_each(|(pat, of)| self.note_outcomes(pat, of));
            }
            _ if is_of_outcome(pat) => self.outcomes.extend(simple_name(behind(of))),
            _ => {}
        }
    }

    /// Notes what a call may change: what it is lent by `&mut`, or by the name of a reference.
    fn lend<'a>(&mut self, name: &syn::Ident, args: impl IntoIterator<Item = &'a Expr>) {
        let may_change = |arg: &&Expr| match arg {
            Expr::Reference(lent) => lent.mutability.is_some(),
            arg => matches!(arg, Expr::Path(_) | Expr::Field(_)),
        };
        let roots = args.into_iter().filter(may_change).filter_map(place_root);
        self.lent.extend(roots.map(|root| (name.to_string(), root)));
    }

    fn assign(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => self
                .whole
                .extend(path.path.get_ident().map(ToString::to_string)),
            Expr::Paren(paren) => self.assign(&paren.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|e| self.assign(e)),
            _ => self.parts.extend(place_root(place)),
        }
    }
}

/// What a reference leads to.
fn behind(of: &Expr) -> &Expr {
    match of {
        Expr::Reference(reference) => &reference.expr,
        of => of,
    }
}

/// The `Option` or `Result` that `o.as_ref().map(f)` begins with.
fn mapped(of: &Expr) -> &Expr {
    match of {
        Expr::MethodCall(call) if ["as_ref", "map"].iter().any(|m| call.method == m) => {
            mapped(&call.receiver)
        }
        of => of,
    }
}

/// `Some(p)`, `Ok(p)`, `Err(p)`, `None`, and references to them.
fn is_of_outcome(pat: &syn::Pat) -> bool {
    let named = |path: &syn::Path| {
        ["Some", "Ok", "Err", "None"]
            .iter()
            .any(|v| path.is_ident(v))
    };
    match pat {
        syn::Pat::TupleStruct(pat) => named(&pat.path),
        syn::Pat::Path(pat) => named(&pat.path),
        syn::Pat::Ident(pat) => pat.ident == "None",
        syn::Pat::Reference(pat) => is_of_outcome(&pat.pat),
        _ => false,
    }
}

/// `w` of the entry `w[i]`, or of the field `w.rows`.
fn entry_of(place: &Expr) -> Option<String> {
    match place {
        Expr::Paren(paren) => entry_of(&paren.expr),
        Expr::Index(index) if !matches!(&*index.index, Expr::Range(_)) => simple_name(&index.expr),
        Expr::Field(field) => simple_name(&field.base),
        _ => None,
    }
}

/// What is written to by a macro: `log` of `write!(log, …)`.
pub(crate) fn written_by_macro(mac: &syn::Macro) -> Option<String> {
    let name = paths::macro_name(&mac.path)?;
    if !["write", "writeln"].contains(&name.as_str()) {
        return None;
    }
    let args =
        mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
    place_root(args.ok()?.first()?)
}

impl<'ast> Visit<'ast> for Usage {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(pat.ident.to_string()).or_insert(0) += 1;
        if pat.mutability.is_some() {
            self.mutable.insert(pat.ident.to_string());
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_assign(&mut self, expr: &'ast syn::ExprAssign) {
        self.assign(&expr.left);
        self.reseated.extend(entry_of(&expr.left));
        self.refitted.extend(field_lengths::assigned(expr));
        visit::visit_expr_assign(self, expr);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        if operations::compound(&expr.op).is_some() {
            self.assign(&expr.left);
        }
        if operations::operator(&expr.op).is_some() {
            let sides = [&expr.left, &expr.right];
            self.operands
                .extend(sides.into_iter().filter_map(|side| simple_name(side)));
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_index(&mut self, expr: &'ast syn::ExprIndex) {
        self.memory.extend(place_root(&expr.expr));
        visit::visit_expr_index(self, expr);
    }

    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        self.memory.extend(simple_name(&l.expr));
        match &*l.expr {
            // its entries are lent, and not the whole
            Expr::Reference(lent) if lent.mutability.is_some() => {
                let of = place_root(&lent.expr);
                self.memory.extend(of.clone());
                self.parts.extend(of);
                self.visit_expr(&lent.expr);
            }
            of => self.visit_expr(of),
        }
        self.visit_pat(&l.pat);
        self.visit_block(&l.body);
    }

    fn visit_expr_reference(&mut self, expr: &'ast syn::ExprReference) {
        self.memory.extend(place_root(&expr.expr));
        if expr.mutability.is_some() {
            self.parts.extend(place_root(&expr.expr));
            // whoever holds it may change what it leads to: `Guard { log: &mut log }`
            if !matches!(&*expr.expr, Expr::Index(_)) {
                self.resized.extend(place_root(&expr.expr));
            }
        }
        visit::visit_expr_reference(self, expr);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // `std::mem::take(&mut x)`
        if let (Expr::Path(path), Some(Expr::Reference(place))) = (&*call.func, call.args.first())
            && path.path.segments.last().is_some_and(|s| s.ident == "take")
        {
            self.assign(&place.expr);
        }
        self.refitted.extend(field_lengths::replaced(call));
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            self.lend(&last.ident, &call.args);
        }
        for arg in &call.args {
            if let Expr::Reference(lent) = arg
                && lent.mutability.is_some()
            {
                self.reseated.extend(entry_of(&lent.expr));
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(name) = written_by_macro(mac) {
            self.resized.insert(name.clone());
            self.receivers.insert(name);
        }
        for element in elements_of(mac) {
            Visit::visit_expr(self, &element);
        }
        visit::visit_macro(self, mac);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.matched(&local.pat, &init.expr);
        }
        for name in bound_names(&local.pat) {
            *self.declared.entry(name).or_insert(0) += 1;
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_match(&mut self, branch: &'ast syn::ExprMatch) {
        branch
            .arms
            .iter()
            .for_each(|arm| self.matched(&arm.pat, &branch.expr));
        self.optional.extend(simple_name(&branch.expr));
        branch
            .arms
            .iter()
            .for_each(|arm| self.note_outcomes(&arm.pat, &branch.expr));
        visit::visit_expr_match(self, branch);
    }

    fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
        self.matched(&condition.pat, &condition.expr);
        self.optional.extend(simple_name(&condition.expr));
        self.note_outcomes(&condition.pat, &condition.expr);
        visit::visit_expr_let(self, condition);
    }

    fn visit_expr_try(&mut self, question: &'ast syn::ExprTry) {
        self.asked.extend(simple_name(&question.expr));
        self.optional.extend(simple_name(&question.expr));
        visit::visit_expr_try(self, question);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        self.lend(
            &call.method,
            [&*call.receiver].into_iter().chain(&call.args),
        );
        if ["iter", "len", "to_vec", "windows", "chunks_exact", "chunks"].contains(&name.as_str()) {
            self.memory.extend(place_root(&call.receiver));
        }
        if table::is(&name, Fact::Advances) && !calls::is_stranger(call) {
            self.stepped.extend(simple_name(&call.receiver));
        }
        if let Some(receiver) = simple_name(&call.receiver) {
            if table::is_of_arrays(&name) {
                self.arrays.insert(receiver.clone());
            } else if table::is(&name, Fact::OfOptions) {
                self.optional.insert(receiver.clone());
            }
        }
        if table::is(&name, Fact::OfOutcomes) {
            self.outcomes.extend(simple_name(mapped(&call.receiver)));
        }
        if table::is(&name, Fact::Reorders) {
            self.reseated.extend(simple_name(&call.receiver));
        }
        if table::resizes(&name) {
            self.grown.extend(place_root(&call.receiver));
            if name == "append" {
                self.grown.extend(call.args.iter().filter_map(place_root));
            }
        }
        let stranger = calls::is_stranger(call);
        if stranger || !table::keeps_length(&name) {
            self.resized.extend(place_root(&call.receiver));
        }
        // what `as_mut` leads to is changed where it is
        if table::changes(&name) || name == "as_mut" {
            self.parts.extend(place_root(&call.receiver));
        } else if stranger || table::may_change(&name) {
            self.receivers.extend(place_root(&call.receiver));
        } else if let Some(receiver) = place_root(&call.receiver) {
            self.called.insert((name, receiver));
        }
        visit::visit_expr_method_call(self, call);
    }
}
