//! What operators, methods and constructors of the crate's own do beside computing: `fn rem(self, n: usize) -> usize { self.count(); self.0 % n }`.
//!
//! An expression without derivative is run again where that costs less than to keep its value: its operators, queries and constructors are believed
//! to compute and nothing else. Those that the crate gives its own types may count, draw or print. So its files are read, and a name that has a
//! body with more than computing is believed only of operands that are numbers as far as their text and the crate's declarations tell.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, Ident, Member, Pat, ReceiverKind, Signature, Type};

use super::beside::{is_of_numbers, type_name};
use super::growing::{self, Change};
use crate::differentiable::methods::{calls, table};
use crate::differentiable::syntax::effects::{self, Again};
use crate::differentiable::syntax::names::{plain, simple_name};
use crate::differentiable::syntax::vec_macro;
use crate::files::answers::Answers;
use crate::files::source::{self, Read};
use crate::tried::first;

/// What the files of a crate tell.
#[derive(Debug, Default)]
pub(crate) struct OwnEffects {
    /// Functions and methods with a body that does more than compute, and the type that they belong to.
    acting: HashSet<(Option<String>, String)>,
    /// Their names.
    names: HashSet<String>,
    /// The names of those that belong to a type or a trait: what operators and methods can be.
    methods: HashSet<String>,
    /// The names of those that take their receiver by `&mut self`.
    changing: HashSet<String>,
    /// The names of those that take another argument by `&mut`.
    taking: HashSet<String>,
    /// The names of those that may change the length of a vector which they are lent.
    growing: HashSet<String>,
    /// The names of those that may do so by assignments of fields.
    refitting: HashSet<String>,
    /// All functions and methods by their names.
    all: HashSet<String>,
    /// Constants and statics by their names: whether all of a name are made of numbers.
    constants: HashMap<String, bool>,
    /// The same of fields: a local of a field's name is something else.
    fields: HashMap<String, bool>,
}

/// Methods by which the standard library changes what a shared reference refers to: cells, locks, atomics, channels, values of threads.
const CHANGE_BEHIND_SHARED: &[&str] = &[
    "borrow_mut",
    "compare_exchange",
    "compare_exchange_weak",
    "fetch_add",
    "fetch_and",
    "fetch_max",
    "fetch_min",
    "fetch_or",
    "fetch_sub",
    "fetch_update",
    "fetch_xor",
    "get_or_init",
    "lock",
    "recv",
    "replace",
    "replace_with",
    "send",
    "set",
    "store",
    "swap",
    "take",
    "try_lock",
    "try_recv",
    "update",
    "with",
    "with_borrow_mut",
    "write",
];

/// A body, and whose it is.
struct Body<'a> {
    of: Option<String>,
    /// Whether it stands in an `impl` or a trait.
    is_method: bool,
    sig: &'a Signature,
    block: &'a Block,
}

impl OwnEffects {
    /// What the files of the crate tell that a function stands in.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        let file = function.span().local_file();
        file.map(|file| Self::of_file(&file)).unwrap_or_default()
    }

    /// What the files of the crate of this file tell.
    pub(crate) fn of_file(file: &Path) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<OwnEffects> = Answers::default());
        source::of_crate(file, &KNOWN, Self::read)
    }

    pub(crate) fn read(files: &[Read]) -> Self {
        let mut items = Items::default();
        files.iter().for_each(|(_, file)| items.visit_file(file));
        let changes = |body: &&Body<'_>| {
            let kind = body.sig.receiver().map(|this| &this.kind);
            matches!(kind, Some(ReceiverKind::Reference(_, _, Some(_))))
        };
        let changing = items.bodies.iter().filter(changes);
        let takes = |body: &&Body<'_>| body.sig.inputs.iter().any(is_taken_mutably);
        let taking = items.bodies.iter().filter(takes);
        let bodies = || items.bodies.iter().map(|body| (body.sig, body.block));
        let mut found = Self {
            changing: changing.map(|b| b.sig.ident.to_string()).collect(),
            taking: taking.map(|b| b.sig.ident.to_string()).collect(),
            growing: growing::names(bodies, Change::Grows),
            refitting: growing::names(bodies, Change::Refits),
            all: items
                .bodies
                .iter()
                .map(|b| b.sig.ident.to_string())
                .collect(),
            constants: items.constants,
            fields: items.fields,
            names: items.acting_in_macros.clone(),
            methods: items.acting_in_macros,
            ..Self::default()
        };
        // what a body calls may act: until no more is found
        let mut left = items.bodies;
        loop {
            let (acting, rest): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|body| found.acts(body));
            if acting.is_empty() {
                return found;
            }
            for body in acting {
                let name = body.sig.ident.to_string();
                if body.is_method {
                    found.methods.insert(name.clone());
                }
                found.names.insert(name.clone());
                found.acting.insert((body.of, name));
            }
            left = rest;
        }
    }

    fn acts(&self, body: &Body<'_>) -> bool {
        let names = parameters(body.sig).map(|(name, _)| name).collect();
        let mut known = |call: &Expr| match called(call) {
            Some(name) if self.is_known_to_compute(&name) => Again::Cheap,
            _ => Again::Effects,
        };
        let again = effects::of_body(body.block, names, Vec::new(), &mut known);
        again == Again::Effects || self.in_body(body.sig, body.block)
    }

    /// Whether all functions of this name compute and do nothing else: those of the crate, and those of what holds a value that changes behind `&`.
    fn is_known_to_compute(&self, name: &str) -> bool {
        self.all.contains(name)
            && !self.names.contains(name)
            && !CHANGE_BEHIND_SHARED.contains(&name)
    }

    /// Whether a body has operators, queries or constructors of the crate's own that do more than compute.
    pub(crate) fn in_body(&self, sig: &Signature, body: &Block) -> bool {
        let numbers = parameters(sig).filter(|(_, numbers)| *numbers);
        let numbers: HashSet<String> = numbers.map(|(name, _)| name).collect();
        let is_number = |name: &str| numbers.contains(name);
        let mut find = self.find(&is_number);
        find.visit_block(body);
        find.found
    }

    /// Whether an expression has; `is_number` knows the names that are bound outside.
    pub(crate) fn in_expr(&self, expr: &Expr, is_number: &dyn Fn(&str) -> bool) -> bool {
        let mut find = self.find(is_number);
        find.visit_expr(expr);
        find.found
    }

    /// Whether a method of this name does more than compute, for any type.
    pub(crate) fn has_method(&self, name: &str) -> bool {
        self.methods.contains(plain(name))
    }

    /// Whether a method of this name takes its receiver by `&mut self`, of some type.
    pub(crate) fn changes_receiver(&self, name: &str) -> bool {
        self.changing.contains(first(plain(name)))
    }

    /// Whether a function or a method of this name takes an argument by `&mut` that is not its receiver.
    pub(crate) fn takes_mutably(&self, call: &Expr) -> bool {
        called(call).is_some_and(|name| self.taking.contains(first(plain(&name))))
    }

    /// Whether there is a function or a method of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.contains(plain(name))
    }

    /// Whether a function or a method of this name may change the length of a vector that it is lent.
    pub(crate) fn grows(&self, name: &str) -> bool {
        self.growing.contains(first(plain(name)))
    }

    /// Whether a function or a method of this name may give fields of what it is lent another length, by assignments.
    pub(crate) fn refits(&self, name: &str) -> bool {
        self.refitting.contains(first(plain(name)))
    }

    /// Whether an expression is made of numbers, as far as its text tells.
    pub(crate) fn is_of_numbers(&self, expr: &Expr, is_number: &dyn Fn(&str) -> bool) -> bool {
        self.find(is_number).is_of_numbers(expr)
    }

    fn find<'f>(&'f self, is_number: &'f dyn Fn(&str) -> bool) -> Find<'f> {
        Find {
            known: self,
            is_number,
            bound: Vec::new(),
            found: false,
        }
    }
}

/// Whether an argument is a mutable reference, and no receiver.
fn is_taken_mutably(arg: &syn::FnArg) -> bool {
    matches!(arg, syn::FnArg::Typed(arg) if matches!(&*arg.ty, Type::Reference(of) if of.mutability.is_some()))
}

/// The name of what a call calls.
fn called(call: &Expr) -> Option<String> {
    match call {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        },
        Expr::MethodCall(call) => Some(plain(&call.method.to_string()).to_owned()),
        _ => None,
    }
}

/// The names that parameters bind, and whether they are made of numbers.
fn parameters(sig: &Signature) -> impl Iterator<Item = (String, bool)> {
    sig.inputs.iter().filter_map(|arg| match arg {
        syn::FnArg::Receiver(_) => Some(("self".to_owned(), false)),
        syn::FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(name) => Some((name.ident.to_string(), is_of_numbers(&arg.ty))),
            _ => None,
        },
    })
}

/// Bodies and declarations, wherever they stand.
#[derive(Default)]
struct Items<'a> {
    of: Option<String>,
    bodies: Vec<Body<'a>>,
    constants: HashMap<String, bool>,
    fields: HashMap<String, bool>,
    /// Functions that a macro writes, with more than computing as far as tokens tell.
    acting_in_macros: HashSet<String>,
}

impl<'a> Items<'a> {
    fn body(&mut self, is_method: bool, sig: &'a Signature, block: &'a Block) {
        self.bodies.push(Body {
            of: self.of.clone(),
            is_method,
            sig,
            block,
        });
    }
}

/// Notes whether one more of a name is made of numbers.
fn declared(known: &mut HashMap<String, bool>, name: &Ident, ty: &Type) {
    let numbers = known.entry(name.to_string()).or_insert(true);
    *numbers &= is_of_numbers(ty);
}

/// Notes the functions in the tokens of a macro whose bodies may do more than compute.
fn acting_in(tokens: TokenStream, found: &mut HashSet<String>) {
    let (mut before, mut name) = (None, None);
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) => {
                if before.as_ref().is_some_and(|before| before == "fn") {
                    name = Some(ident.to_string());
                }
                before = Some(ident.to_string());
                continue;
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if let Some(name) = name.take()
                    && may_act(group.stream())
                {
                    found.insert(name);
                }
                acting_in(group.stream(), found);
            }
            TokenTree::Group(group) => acting_in(group.stream(), found),
            _ => {}
        }
        before = None;
    }
}

/// Whether tokens have a macro, `unsafe`, or a call that is neither the standard library's nor a constructor.
fn may_act(tokens: TokenStream) -> bool {
    let mut before: Option<TokenTree> = None;
    tokens.into_iter().any(|token| {
        let acts = match (&before, &token) {
            (Some(TokenTree::Ident(name)), TokenTree::Group(group)) => {
                let name = name.to_string();
                let known = name.starts_with(char::is_uppercase) || table::is_pure(&name);
                group.delimiter() == Delimiter::Parenthesis && !known
            }
            (Some(TokenTree::Punct(bang)), TokenTree::Group(_)) => bang.as_char() == '!',
            (_, TokenTree::Ident(name)) => name == "unsafe",
            _ => false,
        };
        let inside = match &token {
            TokenTree::Group(group) => may_act(group.stream()),
            _ => false,
        };
        before = Some(token);
        acts || inside
    })
}

impl<'a> Visit<'a> for Items<'a> {
    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        acting_in(item.mac.tokens.clone(), &mut self.acting_in_macros);
    }
    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let outside = std::mem::replace(&mut self.of, type_name(&block.self_ty));
        visit::visit_item_impl(self, block);
        self.of = outside;
    }
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.body(false, &f.sig, &f.block);
        visit::visit_item_fn(self, f);
    }
    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.body(true, &f.sig, &f.block);
        visit::visit_impl_item_fn(self, f);
    }
    fn visit_trait_item_fn(&mut self, f: &'a syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.body(true, &f.sig, block);
        }
        visit::visit_trait_item_fn(self, f);
    }
    fn visit_field(&mut self, field: &'a syn::Field) {
        if let Some(name) = &field.ident {
            declared(&mut self.fields, name, &field.ty);
        }
    }
    // values that have the name of their type
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        if let syn::Fields::Unit = item.fields {
            self.constants.insert(item.ident.to_string(), false);
        }
        visit::visit_item_struct(self, item);
    }
    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.constants.insert(variant.ident.to_string(), false);
        visit::visit_variant(self, variant);
    }
    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        declared(&mut self.constants, &item.ident, &item.ty);
        visit::visit_item_const(self, item);
    }
    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        declared(&mut self.constants, &item.ident, &item.ty);
    }
    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        declared(&mut self.constants, &item.ident, &item.ty);
        visit::visit_item_static(self, item);
    }
}

/// Looks for what does more than compute.
struct Find<'f> {
    known: &'f OwnEffects,
    /// Whether a name that is bound outside is made of numbers.
    is_number: &'f dyn Fn(&str) -> bool,
    /// The names that are bound inside.
    bound: Vec<String>,
    found: bool,
}

impl Find<'_> {
    /// Notes a method or an operator, unless the operands are numbers.
    fn note(&mut self, names: &[&str], operands: &[&Expr]) {
        let acts = names.iter().any(|name| self.known.methods.contains(*name));
        self.found |= acts && !operands.iter().all(|operand| self.is_of_numbers(operand));
    }

    fn is_constant(&self, name: &Ident) -> bool {
        self.known.constants.get(&name.to_string()) == Some(&true)
    }

    fn is_field(&self, name: &Ident) -> bool {
        self.known.fields.get(&name.to_string()) == Some(&true)
    }

    /// Whether an expression is made of numbers, whatever its operators do.
    fn is_of_numbers(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) | Expr::Cast(_) => true,
            Expr::Paren(inner) => self.is_of_numbers(&inner.expr),
            Expr::Group(inner) => self.is_of_numbers(&inner.expr),
            Expr::Reference(lent) => self.is_of_numbers(&lent.expr),
            Expr::Unary(unary) => self.is_of_numbers(&unary.expr),
            Expr::Index(index) => self.is_of_numbers(&index.expr),
            Expr::Array(list) => list.elems.iter().all(|e| self.is_of_numbers(e)),
            Expr::Call(call) if calls::is_borrowed(call) => true,
            Expr::Repeat(list) => self.is_of_numbers(&list.expr),
            Expr::Macro(made) => {
                let list = vec_macro::elements_of(&made.mac);
                !list.is_empty() && list.iter().all(|e| self.is_of_numbers(e))
            }
            Expr::Binary(binary) => {
                self.is_of_numbers(&binary.left) && self.is_of_numbers(&binary.right)
            }
            Expr::Range(range) => {
                let mut ends = range.start.iter().chain(&range.end);
                ends.all(|end| self.is_of_numbers(end))
            }
            Expr::Field(field) => match &field.member {
                Member::Named(name) => self.is_field(name),
                Member::Unnamed(_) => false,
            },
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let is_own = self.known.all.contains(&name);
                let gives = table::is_query_of_a_value(&name)
                    || table::is_pure(&name) && self.is_of_numbers(&call.receiver);
                !is_own && gives
            }
            Expr::Path(path) => match simple_name(expr) {
                Some(name) if self.bound.contains(&name) => false,
                Some(name) if (self.is_number)(&name) => true,
                _ => {
                    let last = path.path.segments.last();
                    last.is_some_and(|last| self.is_constant(&last.ident))
                }
            },
            _ => false,
        }
    }
}

/// The names of the methods behind an operator.
fn methods_of(op: &syn::BinOp) -> &'static [&'static str] {
    use syn::BinOp::*;
    match op {
        Add(_) => &["add"],
        Sub(_) => &["sub"],
        Mul(_) => &["mul"],
        Div(_) => &["div"],
        Rem(_) => &["rem"],
        BitXor(_) => &["bitxor"],
        BitAnd(_) => &["bitand"],
        BitOr(_) => &["bitor"],
        Shl(_) => &["shl"],
        Shr(_) => &["shr"],
        Eq(_) => &["eq"],
        Ne(_) => &["ne", "eq"],
        Lt(_) | Le(_) | Gt(_) | Ge(_) => &["partial_cmp", "cmp", "lt", "le", "gt", "ge"],
        AddAssign(_) => &["add_assign"],
        SubAssign(_) => &["sub_assign"],
        MulAssign(_) => &["mul_assign"],
        DivAssign(_) => &["div_assign"],
        RemAssign(_) => &["rem_assign"],
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.bound.push(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.note(methods_of(&binary.op), &[&*binary.left, &*binary.right]);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let names: &[&str] = match unary.op {
            syn::UnOp::Deref(_) => &["deref"],
            syn::UnOp::Not(_) => &["not"],
            _ => &["neg"],
        };
        self.note(names, &[&*unary.expr]);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.note(&["index"], &[&*index.expr]);
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_for_loop(&mut self, each: &'ast syn::ExprForLoop) {
        self.note(&["next", "into_iter", "iter"], &[&*each.expr]);
        visit::visit_expr_for_loop(self, each);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let name = match name.as_str() {
            "into" => "from",
            "to_string" => "fmt",
            name => name,
        };
        if table::is_pure(&call.method.to_string()) {
            self.note(&[name], &[&*call.receiver]);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(name) = path.path.segments.last()
        {
            let of = path.path.segments.iter().rev().nth(1);
            let of = of.map(|of| of.ident.to_string());
            let named = (of, name.ident.to_string());
            self.found |= match &named.0 {
                Some(of) if of != "Self" => self.known.acting.contains(&named),
                Some(_) => self.known.methods.contains(&named.1),
                None => false,
            };
            // `usize::from(turn)`
            if named.1 == "from" {
                self.note(&["from"], &call.args.iter().collect::<Vec<_>>());
            }
        }
        visit::visit_expr_call(self, call);
    }
}

#[cfg(test)]
mod tests;
