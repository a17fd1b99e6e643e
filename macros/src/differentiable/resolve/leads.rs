//! Which names are mutable references, or hold such, and the names of what they may lead to.
//!
//! ```text
//! let r = &mut a; let q = r;           // q, r → a
//! for row in m.iter_mut() { for e in row { … } }  // e, row → m
//! let put = |r: &mut f64| …; put(&mut a);         // r → a
//! ```
//!
//! A fixed point over the syntax, blind to order and scope as [`varied`](super::varied) is: never too small.

use std::collections::{HashMap, HashSet};

use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Pat, Stmt};

use super::varied::{bound_names, place_root};
use crate::differentiable::methods::calls;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::vec_macro::elements_of;
use crate::differentiable::tokens::text;

/// The names of references, and the closures by which they may be passed on.
#[derive(Default)]
pub(crate) struct Leads {
    names: HashMap<String, Lead>,
    /// The closures that are bound to a name.
    closures: HashMap<String, Vec<ExprClosure>>,
    /// Closures that are used otherwise than by calling them here.
    passed: HashSet<String>,
}

#[derive(Default, Clone, PartialEq)]
struct Lead {
    to: HashSet<String>,
    /// Whether it holds references as its parts: a tuple, an iterator of pairs.
    holds: bool,
}

impl Leads {
    /// Those of a body with these parameters, which are mutable references.
    pub(crate) fn of(body: &syn::Block, parameters: impl IntoIterator<Item = String>) -> Self {
        let mut leads = Self::default();
        for name in parameters {
            leads.names.entry(name).or_default();
        }
        let mut closures = Closures::default();
        closures.visit_block(body);
        leads.closures = closures.bound;
        leads.passed = closures.passed;
        loop {
            let mut round = Round {
                known: &leads,
                found: leads.names.clone(),
            };
            round.visit_block(body);
            let mut found = round.found;
            close(&mut found);
            if found == leads.names {
                return leads;
            }
            leads.names = found;
        }
    }

    /// The closures to which a call by this name may go.
    pub(crate) fn closures(&self, func: &Expr) -> &[ExprClosure] {
        simple_name(func)
            .and_then(|name| self.closures.get(&name))
            .map_or(&[], |closures| closures)
    }

    /// Whether a closure that is bound to this name may be called with what is not seen.
    pub(crate) fn is_passed(&self, name: &str) -> bool {
        self.passed.contains(name)
    }

    /// The names of what may be written through a place: its root, and what that leads to.
    pub(crate) fn written(&self, place: &Expr) -> HashSet<String> {
        let mut found = HashSet::new();
        if let Some(root) = place_root(place) {
            // `r = &mut b` writes nothing that `r` led to
            if simple_name(place).is_none() {
                self.follow(&root, &mut found);
            }
            found.insert(root);
        }
        found
    }

    /// The names of what may be written through the value of an expression.
    pub(crate) fn lent(&self, expr: &Expr) -> HashSet<String> {
        let mut found = HashSet::new();
        self.lend(expr, &mut found);
        found
    }

    /// Whether a name is that of a mutable reference.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Whether an expression is a mutable reference: `&mut x`, `x.first_mut().unwrap()`, the name of one.
    pub(crate) fn is_reference(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::Path(_) => simple_name(expr)
                .and_then(|name| self.names.get(&name))
                .is_some_and(|lead| !lead.holds),
            Expr::MethodCall(_) => !self.lent(expr).is_empty(),
            Expr::Paren(paren) => self.is_reference(&paren.expr),
            Expr::Group(group) => self.is_reference(&group.expr),
            _ => false,
        }
    }

    fn follow(&self, name: &str, found: &mut HashSet<String>) {
        if let Some(lead) = self.names.get(name) {
            found.extend(lead.to.iter().cloned());
        }
    }

    fn place(&self, place: &Expr, found: &mut HashSet<String>) {
        if let Some(root) = place_root(place) {
            self.follow(&root, found);
            found.insert(root);
        }
    }

    fn lend(&self, expr: &Expr, found: &mut HashSet<String>) {
        match expr {
            Expr::Reference(reference) => match (&reference.mutability, &*reference.expr) {
                // of a value without a name
                (
                    _,
                    inner @ (Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Macro(_)),
                ) => {
                    self.lend(inner, found);
                }
                (Some(_), inner) => {
                    self.place(inner, found);
                    self.lend(inner, found);
                }
                (None, _) => {}
            },
            Expr::Path(_) => {
                if let Some(name) = simple_name(expr).filter(|n| self.names.contains_key(n)) {
                    self.follow(&name, found);
                    found.insert(name);
                }
            }
            Expr::Field(_) | Expr::Index(_) => {
                if place_root(expr).is_some_and(|root| self.holds(&root)) {
                    self.place(expr, found);
                }
            }
            Expr::MethodCall(call) => {
                if gives_mutably(call) {
                    self.place(&call.receiver, found);
                }
                if let Some(mapped) = mapped(call) {
                    return self.lend(&mapped.body, found);
                }
                if self.passes_on(call) {
                    self.lend(&call.receiver, found);
                }
                call.args.iter().for_each(|a| self.lend(a, found));
            }
            Expr::Call(call) if keeps_references(&call.func) => {
                call.args.iter().for_each(|a| self.lend(a, found));
            }
            Expr::Macro(mac) => {
                elements_of(&mac.mac)
                    .iter()
                    .for_each(|e| self.lend(e, found));
            }
            expr => parts(expr).into_iter().for_each(|e| self.lend(e, found)),
        }
    }

    fn holds(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|lead| lead.holds)
    }

    /// Whether references that the receiver is or holds may be in what a method gives.
    fn passes_on(&self, call: &syn::ExprMethodCall) -> bool {
        const ENDS: &[&str] = &["sum", "product", "fold", "for_each", "count"];
        match simple_name(&call.receiver) {
            // of what a reference leads to, not of the reference
            Some(name) if !self.holds(&name) => {
                gives_mutably(call) || ["into_iter", "by_ref"].iter().any(|m| call.method == m)
            }
            _ => !calls::is_query(call) && !ENDS.iter().any(|m| call.method == m),
        }
    }

    /// Whether the value of an expression holds references as its parts.
    fn is_holder(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) => simple_name(expr).is_some_and(|name| self.holds(&name)),
            Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Macro(_) => true,
            Expr::Call(_) => true,
            Expr::MethodCall(call) => {
                ["zip", "enumerate", "map", "collect"]
                    .iter()
                    .any(|m| call.method == m)
                    || self.is_holder(&call.receiver)
            }
            expr => parts(expr).into_iter().any(|e| self.is_holder(e)),
        }
    }
}

/// What leads somewhere leads where that leads.
fn close(names: &mut HashMap<String, Lead>) {
    loop {
        let before = names.clone();
        for lead in names.values_mut() {
            let further = lead.to.iter().filter_map(|name| before.get(name));
            let further: Vec<String> = further.flat_map(|l| l.to.iter().cloned()).collect();
            lead.to.extend(further);
        }
        if *names == before {
            return;
        }
    }
}

/// The expressions of which one is, or which make, the value of an expression.
pub(crate) fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Paren(paren) => vec![&paren.expr],
        Expr::Group(group) => vec![&group.expr],
        Expr::Try(question) => vec![&question.expr],
        Expr::Block(block) => end_of(&block.block).into_iter().collect(),
        Expr::Unsafe(block) => end_of(&block.block).into_iter().collect(),
        Expr::If(branch) => {
            let otherwise = branch.else_branch.iter().map(|(_, e)| &**e);
            end_of(&branch.then_branch)
                .into_iter()
                .chain(otherwise)
                .collect()
        }
        Expr::Match(branch) => branch.arms.iter().map(|a| &*a.body).collect(),
        Expr::Loop(l) => broken_with(&l.body),
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        Expr::Array(array) => array.elems.iter().collect(),
        Expr::Struct(made) => made.fields.iter().map(|f| &f.expr).collect(),
        _ => Vec::new(),
    }
}

fn end_of(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last() {
        Some(Stmt::Expr(end, None)) => Some(end),
        _ => None,
    }
}

/// The values with which loops are left.
fn broken_with(body: &syn::Block) -> Vec<&Expr> {
    struct Values<'e>(Vec<&'e Expr>);
    impl<'e> Visit<'e> for Values<'e> {
        fn visit_expr_break(&mut self, leave: &'e syn::ExprBreak) {
            self.0.extend(leave.expr.as_deref());
        }
    }
    let mut values = Values(Vec::new());
    values.visit_block(body);
    values.0
}

/// `x.iter_mut()`, `x.as_mut_slice()`.
fn gives_mutably(call: &syn::ExprMethodCall) -> bool {
    call.method.to_string().ends_with("_mut") || call.method == "as_mut_slice"
}

/// Whether a chain begins as an iterator over mutable references.
fn is_iterator(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            name == "iter_mut"
                || name.starts_with("chunks") && name.ends_with("_mut")
                || is_iterator(&call.receiver)
        }
        Expr::Paren(paren) => is_iterator(&paren.expr),
        _ => false,
    }
}

/// The closure that makes what a chain gives.
fn mapped(call: &syn::ExprMethodCall) -> Option<&ExprClosure> {
    let maps = ["map", "flat_map", "filter_map", "map_while", "scan"];
    match call.args.last() {
        Some(Expr::Closure(closure)) if maps.iter().any(|m| call.method == m) => Some(closure),
        _ => None,
    }
}

/// `Some(r)`, `Pair(r, s)`, `Zip::from(r)`, `std::mem::take(&mut r)`: what may give references back that it gets.
fn keeps_references(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    last.ident.to_string().starts_with(char::is_uppercase)
        || path.path.segments.iter().any(|s| s.ident == "Zip")
        || ["take", "replace", "from_mut", "identity", "once", "zip"]
            .iter()
            .any(|name| last.ident == name)
}

/// The closures that are bound to names, and names of closures that are used otherwise than to call them.
#[derive(Default)]
struct Closures {
    bound: HashMap<String, Vec<ExprClosure>>,
    passed: HashSet<String>,
}

impl<'ast> Visit<'ast> for Closures {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (Some(init), Pat::Ident(name)) = (&local.init, untyped(&local.pat))
            && let Expr::Closure(closure) = &*init.expr
        {
            let closures = self.bound.entry(name.ident.to_string()).or_default();
            closures.push(closure.clone());
        }
        visit::visit_local(self, local);
    }
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // the name of what is called is no use of its own
        if simple_name(&call.func).is_none() {
            self.visit_expr(&call.func);
        }
        call.args.iter().for_each(|a| self.visit_expr(a));
    }
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.passed
            .extend(path.path.get_ident().map(ToString::to_string));
    }
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        for name in text::idents(called.tokens.clone()) {
            self.passed.insert(name);
        }
    }
}

/// The pattern without the type that is written behind it.
pub(crate) fn untyped(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => untyped(&typed.pat),
        Pat::Paren(paren) => untyped(&paren.pat),
        pat => pat,
    }
}

/// The names that a pattern binds, not to what is behind a reference: `&x` copies.
fn reference_names(pat: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            if pat.ident != "None" {
                self.0.push(pat.ident.to_string());
            }
            visit::visit_pat_ident(self, pat);
        }
        fn visit_pat_reference(&mut self, _: &'ast syn::PatReference) {}
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// One round over the body.
struct Round<'a> {
    known: &'a Leads,
    found: HashMap<String, Lead>,
}

impl Round<'_> {
    fn add(&mut self, names: Vec<String>, to: HashSet<String>, holds: bool) {
        for name in names {
            let lead = self.found.entry(name.clone()).or_default();
            lead.to.extend(to.iter().filter(|n| **n != name).cloned());
            lead.holds |= holds;
        }
    }

    /// `pat = value`.
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        match (untyped(pat), value) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                let pairs = pats.elems.iter().zip(&values.elems);
                pairs.for_each(|(p, v)| self.bind(p, v));
            }
            (pat, value) => {
                self.by_mutable_reference(pat, value);
                let to = self.known.lent(value);
                if !to.is_empty() {
                    let holds = self.known.is_holder(value);
                    self.add(reference_names(pat), to, holds);
                }
            }
        }
    }

    /// The pattern of what an iterator gives: numbers of `enumerate` are none of its references, of `zip` each half gives its own.
    fn bind_element(&mut self, pat: &Pat, chain: &Expr, holds: bool) {
        const SAME: &[&str] = &[
            "rev",
            "skip",
            "take",
            "step_by",
            "filter",
            "peekable",
            "into_iter",
            "by_ref",
            "take_while",
            "skip_while",
            "cycle",
        ];
        match (untyped(pat), chain) {
            (pat, Expr::Paren(paren)) => self.bind_element(pat, &paren.expr, holds),
            (Pat::Tuple(pats), Expr::MethodCall(call))
                if call.method == "enumerate" && pats.elems.len() == 2 =>
            {
                self.bind_element(&pats.elems[1], &call.receiver, holds);
            }
            (Pat::Tuple(pats), Expr::MethodCall(call))
                if call.method == "zip" && pats.elems.len() == 2 && call.args.len() == 1 =>
            {
                self.bind_element(&pats.elems[0], &call.receiver, holds);
                self.bind_element(&pats.elems[1], &call.args[0], holds);
            }
            (pat, Expr::MethodCall(call)) if SAME.iter().any(|m| call.method == m) => {
                self.bind_element(pat, &call.receiver, holds);
            }
            (pat, chain) => {
                self.by_mutable_reference(pat, chain);
                let to = self.known.lent(chain);
                if !to.is_empty() {
                    let holds = holds && self.known.is_holder(chain);
                    self.add(reference_names(pat), to, holds);
                }
            }
        }
    }

    /// `ref mut a` leads into what is taken apart.
    fn by_mutable_reference(&mut self, pat: &Pat, value: &Expr) {
        struct Names(Vec<String>);
        impl<'ast> Visit<'ast> for Names {
            fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
                if pat.by_ref.is_some() && pat.mutability.is_some() {
                    self.0.push(pat.ident.to_string());
                }
                visit::visit_pat_ident(self, pat);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pat);
        if !names.0.is_empty() {
            let mut to = HashSet::new();
            self.known.place(value, &mut to);
            self.add(names.0, to, false);
        }
    }

    /// The inputs of a closure that a method runs on what its receiver gives.
    fn bind_inputs(&mut self, closure: &ExprClosure, receiver: &Expr) {
        for input in &closure.inputs {
            self.bind_element(input, receiver, true);
        }
    }
}

impl<'ast> Visit<'ast> for Round<'_> {
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        for element in elements_of(called) {
            Visit::visit_expr(self, &element);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
            // an iterator, which gives references
            if is_iterator(&init.expr) {
                let to = self.known.lent(&init.expr);
                self.add(bound_names(&local.pat), to, true);
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        self.bind(&expr.pat, &expr.expr);
        visit::visit_expr_let(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        expr.arms
            .iter()
            .for_each(|arm| self.bind(&arm.pat, &expr.expr));
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.bind_element(&expr.pat, &expr.expr, true);
        visit::visit_expr_for_loop(self, expr);
    }

    fn visit_expr_assign(&mut self, expr: &'ast syn::ExprAssign) {
        let mut pairs = vec![(&*expr.left, &*expr.right)];
        if let (Expr::Tuple(left), Expr::Tuple(right)) = (&*expr.left, &*expr.right) {
            pairs = left.elems.iter().zip(&right.elems).collect();
        }
        for (left, right) in pairs {
            if let Some(name) = simple_name(left) {
                let to = self.known.lent(right);
                if !to.is_empty() {
                    self.add(vec![name], to, self.known.is_holder(right));
                }
            }
        }
        visit::visit_expr_assign(self, expr);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        for input in &closure.inputs {
            if let Pat::Type(typed) = input
                && matches!(&*typed.ty, syn::Type::Reference(r) if r.mutability.is_some())
            {
                self.add(bound_names(input), HashSet::new(), false);
            }
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        for closure in self.known.closures(&call.func) {
            let pairs = closure.inputs.iter().zip(&call.args);
            pairs.for_each(|(pat, arg)| self.bind(pat, arg));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        for arg in &call.args {
            match arg {
                Expr::Closure(closure) => self.bind_inputs(closure, &call.receiver),
                arg => {
                    let known = self.known;
                    for closure in known.closures(arg) {
                        self.bind_inputs(closure, &call.receiver);
                    }
                }
            }
        }
        visit::visit_expr_method_call(self, call);
    }
}

#[cfg(test)]
mod tests;
