//! Syntax that is short for other syntax, written out before anything looks at it.

use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Pat, Stmt};

use super::{
    at_once, azip, broken_options, closure_question, collected_slices, copied, declared,
    destructured, eager, early_return, folded, given_options, let_else, made_and_lent, matrix_of,
    nested_options, option_fields, options_beside, outcome, ref_patterns, slice_inside,
    slice_pattern, synonym, taken, variants_listed, whole,
};
use crate::differentiable::front::options::{self, Steer};
use crate::differentiable::methods::{calls, macros, paths, table};
use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::syntax::patterns::contains_let;
use crate::differentiable::syntax::vec_macro::change_entries;
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::tail::tail;

/// The body with the long forms:
///
/// | short | long |
/// |---|---|
/// | `while let p = e { … }` | `loop { match e { p => { … } _ => break } }` |
/// | `for p in it.by_ref() { … }` | `loop { match it.next() { Some(p) => { … } _ => break } }` |
/// | `while let p = e && c { … }` | `loop { if let p = e && c { … } else { break } }` |
/// | `'a: { … break 'a x; … y }` | `'a: loop { … break 'a x; … break 'a y; }` |
/// | `let p = e else { … }; …` | `match e { p => { … } _ => { … } }` |
/// | `loop { … break x; … }` at the end of a block | `let broken = loop { … }; broken` |
/// | `let r = loop { … break Some(x); … break None; };` | `let mut broken = None; loop { … broken = Some(x); break; … } let r = broken;` |
/// | `if let (Some(p), Some(q)) = (a, b) { … }` | `if let Some(p) = a && let Some(q) = b { … }` |
/// | `let rows: Vec<&[f64]> = x.chunks(3).collect();` | `let rows: Vec<_> = x.chunks(3).map(\|part\| part.to_vec()).collect();` |
/// | `let (ref mut a, b) = t;` | `let a = &mut t.0; let b = t.1;` |
/// | `\|i\| { let a = f(i)?; Some(a) }` | `\|i\| match f(i) { Some(a) => Some(a), _ => None }` |
/// | `let r = f(x); match r { Ok(y) => …, … }` | `match f(x) { Ok(y) => …, … }` |
/// | `match (v.get(0), k) { (Some(a), 1) => … }` | `{ let part0 = v.get(0); match (part0, k) { (Some(a), 1) => … } }` |
/// | `match f(x) { Ok(Some(y)) => … }` | `match f(x) { Ok(inside) => match inside { Some(y) => … } }` |
/// | `match v.as_slice() { [a, b] => … }` | `{ let taken = v.as_slice(); match taken { … } }` |
/// | `f(x).iter().sum()`, `[a, b].iter().sum()` | `{ let held = f(x); held.iter().sum() }` |
/// | `for p in &[a, b] { … }` | `{ let held = [a, b]; for p in &held { … } }` |
/// | `for p in w { w[0] += p; }` | `{ let copied = w; for p in copied { w[0] += p; } }` |
/// | `match x { d @ p => … }` | `match x { p => { let d = x; … } }` |
/// | `chain.fold(vec![x], \|a, p\| e)` | `{ let mut a = vec![x]; for p in chain { a = e; } a }` |
/// | `let y; loop { y = e; … break; }` | `let mut y = blank; loop { y = e; … break; }` |
/// | `self.last.take()` | `{ let taken = self.last.clone(); self.last = None; taken }` |
/// | `self.norm = self.norm.map(f)` | `self.norm = match self.norm { Some(inside) => Some(f(inside)), None => None }` |
/// | `S { a: e, ..rest }` | `{ let a = e; let mut s = rest; s.a = a; s }` |
/// | `f(&mut S { a })` | `{ let mut made = S { a }; f(&mut made) }` |
/// | `#[checkpoint] f(&mut x);` | `#[checkpoint(1)] for _ in 0..1 { f(&mut x); }` |
/// | `#[checkpoint] let y = f(x);` | `let mut y = blank; #[checkpoint(1)] for _ in 0..1 { y = f(x); }` |
pub(crate) fn desugared(body: &syn::Block) -> syn::Block {
    let mut body = body.clone();
    broken_options::returned(&mut body);
    Desugar.visit_block_mut(&mut body);
    body
}

struct Desugar;

impl VisitMut for Desugar {
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_mut(self, &mut l.expr);
        self.visit_block_mut(&mut l.body);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(made) = made_before(expr) {
            *expr = made;
        }
        match expr {
            Expr::MethodCall(call) => closure_question::in_argument(call),
            Expr::Closure(closure) => {
                closure_question::written_out(closure);
                early_return::written_out(closure);
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Match(branch) = expr {
            lend_option(&mut branch.expr, branch.arms.iter().map(|arm| &arm.pat));
        }
        match expr {
            Expr::While(l) => {
                if let Some(endless) = endless(l) {
                    *expr = endless;
                }
            }
            Expr::Block(block) if block.label.is_some() => *expr = labelled(block),
            Expr::ForLoop(l) if is_by_ref(&l.expr).is_some() => {
                let (label, pat, body, of) = (&l.label, &l.pat, &l.body, is_by_ref(&l.expr));
                *expr = syn::parse_quote!(#label loop { match #of.next() { Some(#pat) => #body _ => break } });
            }
            Expr::If(branch) => {
                *branch.cond = with_each_present(&branch.cond);
            }
            Expr::Match(branch) if ref_patterns::as_block(branch).is_some() => {
                *expr = ref_patterns::as_block(branch).expect("one arm");
                // what it binds by reference
                self.visit_expr_mut(expr);
            }
            Expr::Match(branch) => {
                whole::named(branch);
                if let [some, other] = &branch.arms[..]
                    && matches!(other.pat, Pat::Wild(_))
                    && let Some(each) = each_present(&some.pat, &branch.expr)
                {
                    let (then, otherwise) = (&some.body, &other.body);
                    *expr = syn::parse_quote!(if #each { #then } else { #otherwise });
                }
            }
            Expr::Let(l) => lend_option(&mut l.expr, std::iter::once(&*l.pat)),
            Expr::Struct(structure) if structure.rest.is_some() => *expr = updated(structure),
            Expr::Macro(mac) => {
                change_entries(&mut mac.mac, |entry| self.visit_expr_mut(entry));
                if let Some(mut long) = azip::written_out(&mac.mac) {
                    self.visit_expr_mut(&mut long);
                    *expr = long;
                }
            }
            _ => {}
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts = let_else::written_out(std::mem::take(&mut block.stmts));
        for stmt in &mut block.stmts {
            if let Stmt::Local(local) = stmt {
                outcome::told(local);
            }
        }
        let stmts = std::mem::take(&mut block.stmts).into_iter();
        block.stmts = stmts.flat_map(whole::of_parts).collect();
        declared::begun(&mut block.stmts);
        collected_slices::copied(&mut block.stmts);
        visit_mut::visit_block_mut(self, block);
        block.stmts = std::mem::take(&mut block.stmts)
            .into_iter()
            .flat_map(checkpointed)
            .flat_map(ref_patterns::written_out)
            .flat_map(broken_options::in_a_local)
            .collect();
        block.stmts = at_once::matched(std::mem::take(&mut block.stmts));
        // `{ vec![x, y] }`, `{ matches!(x, …) }`
        if let Some(Stmt::Macro(last)) = block.stmts.last()
            && last.semi_token.is_none()
            && has_value(&last.mac.path)
        {
            let mac = last.mac.clone();
            block.stmts.pop();
            block.stmts.push(Stmt::Expr(syn::parse_quote!(#mac), None));
        }
        if let Some(Stmt::Expr(Expr::Loop(l), None)) = block.stmts.last()
            && gives_value(l)
        {
            let broken = hidden("broken");
            let l = l.clone();
            block.stmts.pop();
            block.stmts.push(syn::parse_quote!(let #broken = #l;));
            block
                .stmts
                .push(Stmt::Expr(syn::parse_quote!(#broken), None));
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What an expression becomes before what is in it: parts of it get names, or it is another by another syntax.
fn made_before(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::ForLoop(l) => copied::before_rounds(l)
            .or_else(|| variants_listed::each_copied(l))
            .or_else(|| held_by_loop(l)),
        Expr::Call(call) => matrix_of::of_entries(call)
            .or_else(|| taken::written_out(expr))
            .or_else(|| given_options::written_out(call))
            .or_else(|| held(expr))
            .or_else(|| made_and_lent::named(call)),
        Expr::Assign(assign) => destructured::destructured(assign)
            .or_else(|| option_fields::assigned(assign))
            .or_else(|| held(expr)),
        Expr::Struct(structure) => option_fields::made(structure).or_else(|| held(expr)),
        Expr::If(_) | Expr::Match(_) => nested_options::one_at_a_time(expr)
            .or_else(|| slice_inside::apart(expr))
            .or_else(|| slice_pattern::named(expr))
            .or_else(|| whole::of_a_number(expr))
            .or_else(|| match expr {
                Expr::Match(branch) => options_beside::named(branch),
                _ => None,
            })
            .or_else(|| held(expr)),
        Expr::MethodCall(call) => synonym::of(call)
            .or_else(|| taken::written_out(expr))
            .or_else(|| option_fields::held(call))
            .or_else(|| eager::named(call))
            .or_else(|| made_and_lent::named_by_method(call))
            .or_else(|| copied::before_closures(call))
            .or_else(|| folded::as_loop(call))
            .or_else(|| held(expr)),
        Expr::Try(_) => taken::written_out(expr).or_else(|| held(expr)),
        expr => held(expr),
    }
}

/// A block with a label as a loop of one round.
fn labelled(block: &syn::ExprBlock) -> Expr {
    let label = block.label.clone().expect("a label");
    let name = &label.name;
    let mut stmts = block.block.stmts.clone();
    let last = match stmts.last() {
        Some(Stmt::Expr(value, None)) => {
            let last: Stmt = syn::parse_quote!(break #name #value;);
            stmts.pop();
            last
        }
        _ => syn::parse_quote!(break #name;),
    };
    syn::parse_quote!(#label loop { #(#stmts)* #last })
}

/// A `while let` as a loop that a pattern leaves which does not fit.
fn endless(l: &syn::ExprWhile) -> Option<Expr> {
    let (attrs, label, body, condition) = (&l.attrs, &l.label, &l.body, &*l.cond);
    let each: Expr = match condition {
        Expr::Let(condition) => {
            let (pat, of) = (&condition.pat, head(&condition.expr));
            let each: Expr = syn::parse_quote!(match #of { #pat => #body _ => break });
            slice_inside::apart(&each).unwrap_or(each)
        }
        // `let () = 0 ..` has a block after it in another reading
        _ if contains_let(condition) => {
            syn::parse2(quote!(if #condition #body else { break })).ok()?
        }
        _ => return None,
    };
    Some(syn::parse_quote!(#(#attrs)* #label loop { #each }))
}

/// A condition whose patterns of several options are one for each.
fn with_each_present(condition: &Expr) -> Expr {
    match condition {
        Expr::Let(l) => each_present(&l.pat, &l.expr).unwrap_or_else(|| condition.clone()),
        Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
            let (left, right) = (
                with_each_present(&both.left),
                with_each_present(&both.right),
            );
            syn::parse_quote!(#left && #right)
        }
        _ => condition.clone(),
    }
}

/// `let Some(p) = a && let Some(q) = b` for the pattern `(Some(p), Some(q))` of `(a, b)`, where it makes no difference whether `b`
/// is looked at.
fn each_present(pat: &Pat, of: &Expr) -> Option<Expr> {
    let (Pat::Tuple(pats), Expr::Tuple(values)) = (pat, of) else {
        return None;
    };
    let is_some = |pat: &Pat| matches!(pat, Pat::TupleStruct(some) if is_present(some));
    let fits = pats.elems.len() == values.elems.len()
        && pats.elems.iter().all(is_some)
        && !values.elems.iter().skip(1).any(advances);
    if !fits {
        return None;
    }
    // inside of the tuple a value may be what a condition does not end with: `y..`, `S { y }`
    let tests = pats.elems.iter().zip(values.elems.iter().map(head));
    let tests = tests.map(|(pat, value)| -> Expr { syn::parse_quote!(let #pat = #value) });
    tests.reduce(|all, test| syn::parse_quote!(#all && #test))
}

/// Whether an expression takes something away, or may: what a function or a macro does is not known.
fn advances(value: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= ["next", "next_back", "nth", "pop", "take", "replace"]
                .iter()
                .any(|name| call.method == name);
            visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            self.0 |= ["take", "replace"]
                .iter()
                .any(|name| paths::is(&call.func, &["mem", name], 1));
            visit::visit_expr_call(self, call);
        }
    }
    let mut find = Find(false);
    find.visit_expr(value);
    find.0
}

/// `it` of `it.by_ref()`.
fn is_by_ref(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(call) if call.method == "by_ref" => Some(&call.receiver),
        _ => None,
    }
}

/// Whether a loop is left with a value.
fn gives_value(l: &syn::ExprLoop) -> bool {
    struct Breaks {
        label: Option<String>,
        depth: usize,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Breaks {
        fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
            let mine = match &leave.label {
                Some(label) => self.label == Some(label.ident.to_string()),
                None => self.depth == 0,
            };
            self.found |= mine && leave.expr.is_some();
            visit::visit_expr_break(self, leave);
        }
        fn visit_expr_loop(&mut self, l: &'ast syn::ExprLoop) {
            self.depth += 1;
            visit::visit_expr_loop(self, l);
            self.depth -= 1;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut breaks = Breaks {
        label: l.label.as_ref().map(|l| l.name.ident.to_string()),
        depth: 0,
        found: false,
    };
    breaks.visit_block(&l.body);
    breaks.found
}

/// The local that holds what a loop or a chain runs over, if it is no place.
pub(crate) fn held_name() -> Ident {
    hidden("held")
}

/// A chain over what a call gives, which gets a name.
fn held(chain: &Expr) -> Option<Expr> {
    // the start alone is a reference into what would be gone
    if matches!(chain, Expr::MethodCall(call) if STARTS.iter().any(|start| call.method == start)) {
        return None;
    }
    let mut chain = chain.clone();
    let first = first_of(&mut chain)?;
    if !is_called(first) && !is_listed(first) && !is_folded(first) {
        return None;
    }
    let name = held_name();
    let of = std::mem::replace(first, syn::parse_quote!(#name));
    let chain = tail(&chain);
    Some(syn::parse_quote!({ let #name = #of; #chain }))
}

/// Where an iterator over what lies in memory begins.
const STARTS: [&str; 3] = ["iter", "windows", "chunks"];

/// Methods that iterators alone have.
const ADAPTS: [&str; 7] = [
    "enumerate",
    "filter_map",
    "flat_map",
    "rev",
    "skip",
    "step_by",
    "take_while",
];

/// What the first method of a chain of iterators is called on.
fn first_of(chain: &mut Expr) -> Option<&mut Expr> {
    let Expr::MethodCall(call) = chain else {
        return None;
    };
    let starts = STARTS.iter().any(|start| call.method == start)
        || call.method == "into_iter" && is_vec(&call.receiver)
        || (call.method == "into_iter" || ADAPTS.iter().any(|adapts| call.method == adapts))
            && is_called(&call.receiver)
            && !chains::gives_a_list(&call.receiver);
    match starts {
        true => Some(&mut call.receiver),
        false => first_of(&mut call.receiver),
    }
}

/// `&x` for `x.as_ref()`, where the patterns are those of an `Option`: what else has a method of this name does not fit them then.
fn lend_option<'p>(scrutinee: &mut Expr, mut patterns: impl Iterator<Item = &'p Pat>) {
    let of_option = |pat: &Pat| match pat {
        Pat::TupleStruct(some) => is_present(some),
        Pat::Ident(name) => name.ident == "None",
        Pat::Wild(_) => true,
        _ => false,
    };
    let Expr::MethodCall(call) = &*scrutinee else {
        return;
    };
    let is_place = matches!(
        &*call.receiver,
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
    );
    if call.method == "as_ref" && call.args.is_empty() && is_place && patterns.all(of_option) {
        let place = &call.receiver;
        *scrutinee = syn::parse_quote!(&#place);
    }
}

/// Whether a macro is known to have a value.
pub(crate) fn has_value(path: &syn::Path) -> bool {
    let name = paths::macro_name(path);
    paths::is_vec(path) || name.is_some_and(|name| macros::answers(&name))
}

/// Whether an expression is a call of a function that has rules.
pub(crate) fn is_called(expr: &Expr) -> bool {
    match expr {
        Expr::Call(function) if chains::makes_iterator(&function.func) => false,
        Expr::Call(function) => {
            matches!(&*function.func, Expr::Path(path) if path.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_lowercase)))
        }
        Expr::MethodCall(method) => {
            let name = method.method.to_string();
            !calls::is_std_call(method)
                && !table::is_pure(&name)
                && !chains::gives_iterator(&name)
                && !is_of_lines(&name)
        }
        _ => false,
    }
}

/// Whether a method gives an iterator over parts of an array, as far as its name tells.
fn is_of_lines(name: &str) -> bool {
    let shared = name.strip_suffix("_mut").unwrap_or(name);
    ["rows", "columns"].contains(&shared) || table::is_of_arrays(shared)
}

/// Whether an expression is a fold, whose state is what a chain goes on with.
fn is_folded(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method == "fold" && call.args.len() == 2)
}

/// Whether an expression lists entries, of which not all are constants.
fn is_listed(expr: &Expr) -> bool {
    let is_constant = |entry: &Expr| match entry {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(&*unary.expr, Expr::Lit(_)),
        _ => false,
    };
    match expr {
        Expr::Array(array) => !array.elems.iter().all(is_constant),
        expr => is_vec(expr),
    }
}

/// Whether an expression copies a field: what a loop over the copy changes is another.
fn is_copied(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let copies = ["clone", "to_vec"].iter().any(|name| call.method == name);
    copies && call.args.is_empty() && matches!(&*call.receiver, Expr::Field(_))
}

/// `vec![…]`
pub(crate) fn is_vec(expr: &Expr) -> bool {
    matches!(expr, Expr::Macro(mac) if paths::is_vec(&mac.mac.path))
}

/// `for p in [a, b].iter()`, `for p in &[a, b]` and `for p in f(x)`, with the entries in a local.
fn held_by_loop(l: &syn::ExprForLoop) -> Option<Expr> {
    let is_listed = chains::begins_with_a_list(&l.expr);
    (!is_listed).then(|| held_first(l)).flatten()
}

/// As [`held_by_loop`], whatever the names of methods say.
pub(crate) fn held_first(l: &syn::ExprForLoop) -> Option<Expr> {
    if is_by_ref(&l.expr).is_some() {
        return None;
    }
    let mut l = l.clone();
    let first = match &mut *l.expr {
        Expr::Reference(reference) => &mut *reference.expr,
        chain if first_of(&mut chain.clone()).is_some() => first_of(chain)?,
        call => call,
    };
    if !is_called(first) && !is_listed(first) && !is_copied(first) {
        return None;
    }
    let name = held_name();
    let of = std::mem::replace(first, syn::parse_quote!(#name));
    Some(syn::parse_quote!({ let #name = #of; #l }))
}

/// `S { a: e, ..rest }` as a copy of `rest` with other fields.
fn updated(structure: &syn::ExprStruct) -> Expr {
    let whole = hidden("updated");
    let values: Vec<Ident> = (0..structure.fields.len())
        .map(|i| hidden(&format!("field{i}")))
        .collect();
    let members = structure.fields.iter().map(|f| &f.member);
    let fields = structure.fields.iter().map(|f| &f.expr);
    let path = &structure.path;
    let rest: Option<Expr> = structure.rest.as_deref().map(|rest| match rest {
        // of the type that the structure says
        Expr::Call(call) if paths::is(&call.func, &["default", "Default", "default"], 2) => {
            syn::parse_quote!(#path::default())
        }
        // of a type that cannot be copied it moves what is left of the fields, which can
        Expr::Unary(of) if matches!(of.op, syn::UnOp::Deref(_)) => {
            let of = &of.expr;
            syn::parse_quote!(#of.clone())
        }
        rest => rest.clone(),
    });
    syn::parse_quote!({
        #(let #values = #fields;)*
        let mut #whole = #rest;
        #(#whole.#members = #values;)*
        #whole
    })
}

/// A call under `#[checkpoint]` as a loop of one round.
fn checkpointed(mut stmt: Stmt) -> Vec<Stmt> {
    if let Stmt::Macro(azip) = &stmt
        && let Some(mut long) = azip::written_out(&azip.mac)
    {
        Desugar.visit_expr_mut(&mut long);
        return vec![Stmt::Expr(long, Some(Default::default()))];
    }
    if let Stmt::Expr(Expr::MethodCall(call), _) = &stmt
        && call.method == "swap_axes"
    {
        let array = &call.receiver;
        return vec![syn::parse_quote!(#array = #call;)];
    }
    let is_call = |expr: &Expr| matches!(expr, Expr::Call(_) | Expr::MethodCall(_));
    let asks = |attributes: &[syn::Attribute]| {
        matches!(options::steer(attributes), Ok(Some(Steer::Checkpoint(_))))
    };
    match &mut stmt {
        Stmt::Expr(expr, Some(_)) if is_call(expr) && asks(options::attributes(expr)) => {
            match expr {
                Expr::Call(call) => call.attrs.clear(),
                Expr::MethodCall(call) => call.attrs.clear(),
                _ => {}
            }
            let call = tail(expr);
            vec![syn::parse_quote!(#[checkpoint(1)] for _ in 0..1 { #call; })]
        }
        Stmt::Local(local) if asks(&local.attrs) => {
            let (name, ty) = match &local.pat {
                Pat::Type(typed) => (&*typed.pat, Some(&typed.ty)),
                pat => (pat, None),
            };
            let (Pat::Ident(name), Some(init)) = (name, &local.init) else {
                return vec![stmt];
            };
            if !is_call(&init.expr) {
                return vec![stmt];
            }
            let (name, ty, value) = (&name.ident, ty.map(|ty| quote!(: #ty)), &init.expr);
            vec![
                syn::parse_quote!(let mut #name #ty = ::coenzyme::__private::Blank::blank();),
                syn::parse_quote!(#[checkpoint(1)] for _ in 0..1 { #name = #value; }),
            ]
        }
        _ => vec![stmt],
    }
}
