//! Which names a derivative can flow into: a fixed point over the syntax, blind to order and scope, and so never too small.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::leads::{Leads, untyped};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::methods::{calls, macros, operations, paths, types};
use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::closure_inputs;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::vec_macro::{self, VecMacro};

/// The names that are varied if `active` parameters are; what `constant` names is declared never to be.
pub(crate) fn varied_names(
    body: &syn::Block,
    active: impl IntoIterator<Item = String>,
    constant: &HashSet<String>,
    leads: &Leads,
) -> HashSet<String> {
    let mut varied: HashSet<String> = active.into_iter().collect();
    loop {
        let mut flow = Flow {
            varied: &varied,
            found: HashSet::new(),
            leads,
        };
        flow.visit_block(body);
        let before = varied.len();
        let found = flow.found;
        varied.extend(found.into_iter().filter(|name| !constant.contains(name)));
        if varied.len() == before {
            return varied;
        }
    }
}

/// Those of some names that nothing in a body binds again.
pub(crate) fn never_bound(
    body: &syn::Block,
    names: impl Iterator<Item = String>,
) -> HashSet<String> {
    struct Bound(HashSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0.remove(&pat.ident.to_string());
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut bound = Bound(names.collect());
    bound.visit_block(body);
    bound.0
}

/// Whether the value of `expr` depends on a varied name.
fn is_varied(expr: &Expr, varied: &HashSet<String>) -> bool {
    mentions(expr, &|name| varied.contains(name))
}

/// Whether the value of `expr` depends on a name of which `varied` says that a derivative can flow from it.
pub(crate) fn mentions(expr: &Expr, varied: &dyn Fn(&str) -> bool) -> bool {
    let mut mention = Mention {
        varied,
        found: false,
    };
    mention.visit_expr(expr);
    mention.found
}

/// The names that a pattern binds.
pub(crate) fn bound_names(pat: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            // a variant, though it looks like a name
            if pat.ident != "None" {
                self.0.push(pat.ident.to_string());
            }
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// The name at the root of a place: `x` of `x[i].f`, `*x`, `&mut x`.
pub(crate) fn place_root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Index(index) => place_root(&index.expr),
        Expr::Field(field) => place_root(&field.base),
        Expr::Paren(paren) => place_root(&paren.expr),
        Expr::Group(group) => place_root(&group.expr),
        Expr::Reference(reference) => place_root(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => place_root(&unary.expr),
        Expr::MethodCall(call) => place_root(&call.receiver),
        _ => None,
    }
}

/// Finds a varied name in value position: not in an index, a comparison, a length or a cast to an integer.
struct Mention<'a> {
    varied: &'a dyn Fn(&str) -> bool,
    found: bool,
}

impl Mention<'_> {
    /// Whether a chain's elements are made into what carries no derivative, whatever they carry: `rows.iter().map(|row| row.len())`.
    fn maps_to_no_derivative(&self, call: &syn::ExprMethodCall) -> bool {
        let mut args = call.args.iter();
        let (Some(f), None) = (args.next(), args.next()) else {
            return false;
        };
        let made = match f {
            // what a block does before its end is not looked at
            Expr::Closure(f)
                if !matches!(*f.body, Expr::Block(_) | Expr::If(_) | Expr::Match(_)) =>
            {
                let inputs: Vec<String> = f.inputs.iter().flat_map(bound_names).collect();
                !mentions(&f.body, &|name| {
                    (self.varied)(name) || inputs.iter().any(|input| input == name)
                })
            }
            Expr::Path(_) => paths::is(f, &["vec", "Vec", "len"], 2),
            _ => false,
        };
        made && call.method == "map" && chains::is_chain(&call.receiver)
    }
}

impl<'ast> Visit<'ast> for Mention<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        match block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => self.visit_expr(tail),
            Some(syn::Stmt::Macro(mac)) => visit::visit_stmt_macro(self, mac),
            _ => {}
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            _ if self.found => {}
            Expr::Path(path) => {
                self.found |= path
                    .path
                    .get_ident()
                    .is_some_and(|i| (self.varied)(&i.to_string()));
            }
            Expr::Index(index) => self.visit_expr(&index.expr),
            Expr::MethodCall(call)
                if calls::is_query(call)
                    && !calls::asks_by_value(call, |arg| mentions(arg, self.varied)) => {}
            Expr::MethodCall(call) if calls::is_position(call) => {}
            Expr::MethodCall(call) if self.maps_to_no_derivative(call) => {}
            Expr::Binary(binary) if is_comparison(&binary.op) => {}
            Expr::Cast(cast) if types::is_inactive_type(&cast.ty) => {}
            Expr::Range(_) => {}
            Expr::Call(call) if calls::is_inert(call) => {}
            // a count, as the witness asserts
            Expr::Call(call) if paths::is(&call.func, &["vec", "Vec", "with_capacity"], 2) => {}
            Expr::Call(call) if call.args.iter().any(|a| writes(a, self.varied)) => {
                self.found = true;
            }
            // the value is that of the last expressions; what an arm binds is varied by name
            Expr::If(branch) => {
                self.visit_block(&branch.then_branch);
                branch
                    .else_branch
                    .iter()
                    .for_each(|(_, e)| self.visit_expr(e));
            }
            Expr::Match(branch) => branch.arms.iter().for_each(|a| self.visit_expr(&a.body)),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {}
            // may break with any value
            Expr::Loop(_) => self.found = true,
            Expr::Block(block) if block.label.is_some() => self.found = true,
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let name = paths::macro_name(&called.path);
        match name.as_deref() {
            Some("vec") => match called.parse_body_with(VecMacro::parse_any) {
                Ok(elements) => elements.iter().for_each(|e| self.visit_expr(e)),
                Err(_) => self.found = true,
            },
            Some(name) if macros::is_inactive_macro(name) => {}
            // it may do anything with what it names
            _ => self.found |= names_any(&called.tokens, self.varied),
        }
    }
}

/// Whether an expression is a closure that may write something varied into what it is lent: it need not have a varied value.
fn writes(expr: &Expr, varied: &dyn Fn(&str) -> bool) -> bool {
    match expr {
        Expr::Reference(reference) => writes(&reference.expr, varied),
        Expr::Paren(inside) => writes(&inside.expr, varied),
        Expr::Closure(closure) => {
            closure_inputs::writes_inputs(closure)
                && names_any(&closure.body.to_token_stream(), varied)
        }
        _ => false,
    }
}

/// Whether tokens name something that is varied.
fn names_any(tokens: &TokenStream, varied: &dyn Fn(&str) -> bool) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => varied(&name.to_string()),
        TokenTree::Group(group) => names_any(&group.stream(), varied),
        _ => false,
    })
}

/// Whether an operator compares or is logical.
pub(crate) fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        op,
        BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::And(_)
            | BinOp::Or(_)
    )
}

/// Collects the names that varied values are written to.
struct Flow<'a> {
    varied: &'a HashSet<String>,
    found: HashSet<String>,
    leads: &'a Leads,
}

impl Flow<'_> {
    /// `pat = value`, and what is written through the names of `pat` is written through `value`.
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        if let (Pat::Tuple(pats), Expr::Tuple(values)) = (untyped(pat), value)
            && pats.elems.len() == values.elems.len()
            && !pats.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)))
        {
            let pairs = pats.elems.iter().zip(&values.elems);
            return pairs.for_each(|(pat, value)| self.bind(pat, value));
        }
        if is_varied(value, self.varied) || writes(value, &|name| self.varied.contains(name)) {
            self.found.extend(bound_names(pat));
        }
        self.borrow(pat, value);
    }

    /// As [`bind`](Self::bind), of what an iterator gives: a number beside what it counts, of each half of `zip` what that gives.
    fn bind_element(&mut self, pat: &Pat, over: &Expr) {
        if let (Pat::Tuple(pats), Expr::MethodCall(call)) = (pat, over)
            && pats.elems.len() == 2
            && !pats.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)))
        {
            match (call.method.to_string().as_str(), call.args.first()) {
                ("zip", Some(other)) => {
                    self.bind_element(&pats.elems[0], &call.receiver);
                    return self.bind_element(&pats.elems[1], other);
                }
                ("enumerate", None) if element(pat).is_some() => {
                    return self.bind_element(&pats.elems[1], &call.receiver);
                }
                _ => {}
            }
        }
        match numbered(over).then(|| element(pat)).flatten() {
            Some(element) => self.bind(element, over),
            None => self.bind(pat, over),
        }
    }

    fn write(&mut self, place: &Expr) {
        self.found.extend(self.leads.written(place));
    }

    /// Notes what is written through the arguments of a call that gets something varied: all that is lent mutably.
    fn write_arguments<'e>(&mut self, args: impl Iterator<Item = &'e Expr>) {
        for arg in args {
            self.found.extend(self.leads.lent(arg));
        }
    }

    /// `a = e`, `(a, b) = (e, f)`.
    fn assign(&mut self, left: &Expr, right: &Expr) {
        match (left, right) {
            (Expr::Tuple(left), Expr::Tuple(right)) => {
                for (left, right) in left.elems.iter().zip(&right.elems) {
                    self.assign(left, right);
                }
            }
            (Expr::Tuple(left), right) => left.elems.iter().for_each(|l| self.assign(l, right)),
            (left, right) => {
                if is_varied(right, self.varied) {
                    self.write(left);
                }
            }
        }
    }

    /// `let r = &mut x[..]`: what is written through `r` is written to `x`.
    fn borrow(&mut self, pat: &Pat, value: &Expr) {
        if let (Pat::Tuple(pats), Expr::Tuple(values)) = (untyped(pat), value) {
            let pairs = pats.elems.iter().zip(&values.elems);
            return pairs.for_each(|(pat, value)| self.borrow(pat, value));
        }
        if bound_names(pat).iter().any(|n| self.varied.contains(n)) {
            self.found.extend(self.leads.lent(value));
        }
    }
}

/// Whether an iterator counts what it gives: `x.iter().enumerate()`.
fn numbered(over: &Expr) -> bool {
    const THE_SAME: &[&str] = &[
        "filter",
        "fuse",
        "inspect",
        "rev",
        "skip",
        "skip_while",
        "step_by",
        "take",
        "take_while",
    ];
    match over {
        Expr::MethodCall(call) if call.method == "enumerate" => call.args.is_empty(),
        Expr::MethodCall(call) if THE_SAME.iter().any(|name| call.method == name) => {
            numbered(&call.receiver)
        }
        _ => false,
    }
}

/// `v` of `(i, v)`, of which the first is a count.
fn element(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::Reference(pat) => element(&pat.pat),
        Pat::Tuple(pair) if pair.elems.len() == 2 => match (&pair.elems[0], &pair.elems[1]) {
            (Pat::Ident(_) | Pat::Wild(_), Pat::Rest(_)) => None,
            (Pat::Ident(_) | Pat::Wild(_) | Pat::Reference(_), element) => Some(element),
            _ => None,
        },
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Flow<'_> {
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        for element in vec_macro::elements_of(called) {
            Visit::visit_expr(self, &element);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
            // a closure that is passed on may be called with anything
            if let Expr::Closure(closure) = &*init.expr
                && bound_names(&local.pat)
                    .iter()
                    .any(|n| self.leads.is_passed(n))
            {
                let inputs = closure.inputs.iter();
                self.found.extend(inputs.flat_map(bound_names));
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        self.bind(&expr.pat, &expr.expr);
        visit::visit_expr_let(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let called = matches!(&*expr.expr, Expr::Call(_) | Expr::MethodCall(_));
        for arm in &expr.arms {
            // what a call gives beside a value carries no derivative, as is asserted where it is matched
            let is_error = matches!(&arm.pat, Pat::TupleStruct(pat) if pat.path.is_ident("Err"));
            if !(called && is_error) {
                self.bind(&arm.pat, &expr.expr);
            }
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.bind_element(&expr.pat, &expr.expr);
        visit::visit_expr_for_loop(self, expr);
    }

    fn visit_expr_assign(&mut self, expr: &'ast syn::ExprAssign) {
        self.assign(&expr.left, &expr.right);
        // `r = &mut x[1]`
        if place_root(&expr.left).is_some_and(|n| self.varied.contains(&n)) {
            self.found.extend(self.leads.lent(&expr.right));
        }
        visit::visit_expr_assign(self, expr);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        if operations::compound(&expr.op).is_some() && is_varied(&expr.right, self.varied) {
            self.write(&expr.left);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // what is called may be a closure with active values in it
        let mut read = call.args.iter().chain([&*call.func]);
        if read.any(|e| is_varied(e, self.varied)) {
            self.write_arguments(call.args.iter());
        }
        for closure in self.leads.closures(&call.func) {
            let pairs = closure.inputs.iter().zip(&call.args);
            pairs.for_each(|(pat, arg)| self.bind(pat, arg));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        // a method may write its receiver and what it is lent; closures bind what they iterate over
        if is_varied(&call.receiver, self.varied)
            || call.args.iter().any(|a| is_varied(a, self.varied))
        {
            self.write_arguments(call.args.iter());
        }
        // a local `Option` that something active stands in for is taken as it is, and its type is asserted
        let stands_in = ["unwrap_or", "map_or"]
            .iter()
            .any(|name| call.method == name)
            && (simple_name(&call.receiver).is_some() || gives_a_copy(&call.receiver));
        let looks = chains::begins_with_a_list(&call.receiver) || only_looks(call);
        if !stands_in && !looks && call.args.iter().any(|a| is_varied(a, self.varied)) {
            self.write(&call.receiver);
            self.found.extend(self.leads.lent(&call.receiver));
        }
        for arg in &call.args {
            if let Expr::Closure(closure) = arg {
                let others = call
                    .args
                    .iter()
                    .any(|a| !matches!(a, Expr::Closure(_)) && is_varied(a, self.varied));
                if others || is_varied(&call.receiver, self.varied) {
                    let counts = numbered(&call.receiver) && closure.inputs.len() == 1;
                    let element_of = |pat| counts.then(|| element(pat)).flatten().unwrap_or(pat);
                    // the other argument is where the state begins: of elements without derivative only the state has one
                    let folds = ["fold", "scan", "try_fold"];
                    let count = match folds.iter().any(|name| call.method == name)
                        && !is_varied(&call.receiver, self.varied)
                    {
                        true => 1,
                        false => closure.inputs.len(),
                    };
                    let inputs = closure.inputs.iter().take(count).map(element_of);
                    self.found.extend(inputs.flat_map(bound_names));
                }
                // what is accumulated is varied if what is added is
                if call.method == "fold" && is_varied(&closure.body, self.varied) {
                    self.found
                        .extend(closure.inputs.iter().take(1).flat_map(bound_names));
                }
                let mut inputs = closure.inputs.iter().flat_map(bound_names);
                if inputs.any(|n| self.varied.contains(&n)) {
                    self.found.extend(self.leads.lent(&call.receiver));
                }
            }
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// Whether an expression gives a value that leads to nothing: `table.get(&k).copied()`, `table.get(&k).map(|w| w * x)`.
fn gives_a_copy(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    call.method == "copied" || only_looks(call)
}

/// Whether an adaptor looks at what `get` or `iter` lends it and writes nothing through it: `table.get(&k).map(|w| w * x)`,
/// `options.iter().filter(|o| o.live).map(|o| market.price(o))`, `rates.iter().zip(x)`.
fn only_looks(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    let runs = ["all", "any", "fold", "for_each"].contains(&name.as_str());
    let looks = |arg: &Expr| match arg {
        Expr::Closure(f) => {
            let inputs: Vec<String> = f.inputs.iter().flat_map(bound_names).collect();
            computes(&f.body, &inputs, lends_no_more(&call.receiver))
        }
        arg => !borrows_mutably(arg),
    };
    (runs || table::is(&name, Fact::Adapts))
        && is_lent(&call.receiver)
        && call.args.iter().all(looks)
}

/// Whether the elements of a chain lead to nothing but what it begins with: no other chain stands beside, which may lend mutably.
fn lends_no_more(chain: &Expr) -> bool {
    fn is_mutable(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(word) => word.to_string().ends_with("mut"),
            TokenTree::Group(group) => is_mutable(group.stream()),
            _ => false,
        })
    }
    match chain {
        Expr::MethodCall(call) => {
            let beside = ["chain", "flat_map", "zip"]
                .iter()
                .any(|name| call.method == name);
            !beside && !is_mutable(call.args.to_token_stream()) && lends_no_more(&call.receiver)
        }
        _ => true,
    }
}

/// `table.get(&k)`, `table.iter().skip(1)`.
fn is_lent(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let name = call.method.to_string();
    ["get", "iter"].contains(&name.as_str())
        || table::is(&name, Fact::Adapts) && is_lent(&call.receiver)
}

/// Whether an expression is made of operators, numbers, names of locals and calls that none of these names is the receiver of: a method of one
/// may change what it leads to. `passed`: they may be arguments, since they are lent for reading.
fn computes(expr: &Expr, names: &[String], passed: bool) -> bool {
    let computes = |expr: &Expr| computes(expr, names, passed);
    let named = |expr: &Expr| mentions(expr, &|name| names.iter().any(|n| n == name));
    let takes = |arg: &Expr| computes(arg) && (passed || !named(arg));
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(paren) => computes(&paren.expr),
        Expr::Field(field) => computes(&field.base),
        Expr::Index(index) => computes(&index.expr) && computes(&index.index),
        Expr::Unary(unary) => computes(&unary.expr),
        Expr::Cast(cast) => computes(&cast.expr),
        Expr::Reference(lent) => lent.mutability.is_none() && computes(&lent.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(computes),
        Expr::Binary(binary) => {
            let changes = operations::compound(&binary.op).is_some();
            let elsewhere = || place_root(&binary.left).is_some_and(|name| !names.contains(&name));
            (!changes || elsewhere()) && computes(&binary.left) && computes(&binary.right)
        }
        Expr::Call(call) => call.args.iter().all(takes),
        Expr::Closure(f) => computes(&f.body) && (passed || !named(&f.body)),
        // a method of a name may be one that changes what it leads to
        Expr::MethodCall(call) if simple_name(&call.receiver).is_none() && is_operation(call) => {
            computes(&call.receiver) && call.args.iter().all(computes)
        }
        Expr::MethodCall(call) => {
            let of_a_name = place_root(&call.receiver).is_some_and(|name| names.contains(&name));
            !of_a_name && computes(&call.receiver) && call.args.iter().all(takes)
        }
        _ => false,
    }
}

/// Whether a call is of a method of numbers, by its name.
fn is_operation(call: &syn::ExprMethodCall) -> bool {
    operations::method(&call.method.to_string(), call.args.len()).is_some()
}

/// `&mut x`, `x.view_mut()`.
pub(crate) fn borrows_mutably(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(r) => r.mutability.is_some(),
        Expr::MethodCall(call) => call.method.to_string().ends_with("_mut"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
