//! `Result` and `Option` in a function that returns one, written out with `?` before anything looks at them: what is returned is
//! taken out of its container once, where it comes from.
//!
//! | written | written out |
//! |---|---|
//! | `g(x)` in tail position | `g(x)?` |
//! | `g(x).map(\|v\| a)?` | `{ let v = g(x)?; a }` |
//! | `g(x).and_then(\|v\| h(v))?` | `{ let v = g(x)?; h(v)? }` |
//! | `g(x).or_else(\|e\| h(e))?` | `match g(x) { Ok(v) => v, Err(e) => h(e)? }` |
//! | `xs.map(\|x\| g(x)).collect::<Result<Vec<_>, _>>()?` | `xs.map(\|x\| g(x)?).collect::<Vec<_>>()` |
//! | `xs.try_fold(a, \|a, x\| g(a, x))?` | `xs.fold(a, \|a, x\| g(a, x)?)` |
//! | `g(x).map(f).ok_or(e)?` | `f(g(x).ok_or(e)?)` |
//! | `Err(e)?;` | `return Err(From::from(e));` |

use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, GenericArgument, PathArguments, Stmt, Type};

use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::ends::at_ends;
use crate::differentiable::syntax::options::{is_failure, is_success};
use crate::differentiable::tokens::tail::tail;

/// Writes out what the function returns, and what stands before a `?`.
pub(crate) fn written_out(body: &mut syn::Block) {
    OfClosures { inside: false }.visit_block_mut(body);
    Collected.visit_block_mut(body);
    Tails.visit_block_mut(body);
    if let Some(Stmt::Expr(tail, None)) = body.stmts.last_mut() {
        Tails.tail(tail);
    }
    Questions.visit_block_mut(body);
}

/// Writes the type of a local where a chain is collected into an `Option` or a `Result`: `let r: Option<f64> = xs.sum();`.
pub(crate) fn told(local: &mut syn::Local) {
    if let (syn::Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init)
        && let Expr::MethodCall(call) = &mut *init.expr
        && call.turbofish.is_none()
        && ENDS.iter().any(|end| call.method == end)
        && is_outcome_type(&typed.ty)
    {
        let ty = &typed.ty;
        call.turbofish = Some(syn::parse_quote!(::<#ty>));
    }
}

/// Whether a chain ends in an `Option` or a `Result` of all that it gives.
pub(crate) fn ends_in_outcome(call: &ExprMethodCall) -> bool {
    let told = call.turbofish.as_ref().and_then(|told| told.args.first());
    let outcome = matches!(told, Some(GenericArgument::Type(ty)) if is_outcome_type(ty));
    outcome && ENDS.iter().any(|end| call.method == end)
}

/// Ends of a chain that may give an `Option` or a `Result` of all.
const ENDS: [&str; 3] = ["collect", "sum", "product"];

fn is_outcome_type(ty: &Type) -> bool {
    let last = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    last.is_some_and(|last| last.ident == "Option" || last.ident == "Result")
}

/// Methods of a `Result` or an `Option` that leave the value inside as it is, and say what it means that there is none.
pub(crate) fn is_about_errors(call: &ExprMethodCall) -> bool {
    ["map_err", "ok", "ok_or", "ok_or_else"]
        .iter()
        .any(|name| call.method == name)
}

/// Marks each `?` in a closure by a group around what it asks: it leaves the closure, and not the function that the closure is expanded in.
struct OfClosures {
    inside: bool,
}

impl VisitMut for OfClosures {
    fn visit_expr_try_mut(&mut self, question: &mut syn::ExprTry) {
        visit_mut::visit_expr_try_mut(self, question);
        if self.inside {
            let asked = std::mem::replace(&mut *question.expr, Expr::PLACEHOLDER);
            *question.expr = Expr::Group(syn::ExprGroup {
                attrs: Vec::new(),
                group_token: Default::default(),
                expr: Box::new(asked),
            });
        }
    }
    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let outside = std::mem::replace(&mut self.inside, true);
        visit_mut::visit_expr_closure_mut(self, closure);
        self.inside = outside;
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Unmarks each `?` in the body of a closure whose absence is that of the function.
pub(crate) fn leaving_both(body: &mut Expr) {
    struct Both;
    impl VisitMut for Both {
        fn visit_expr_try_mut(&mut self, question: &mut syn::ExprTry) {
            visit_mut::visit_expr_try_mut(self, question);
            if let Expr::Group(group) = &*question.expr {
                *question.expr = (*group.expr).clone();
            }
        }
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Both.visit_expr_mut(body);
}

/// Takes out what is collected where it is collected: `let r: Result<Vec<_>, _> = xs.collect(); let v = r?;`.
struct Collected;

impl VisitMut for Collected {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut at = 0;
        while at + 1 < block.stmts.len() {
            let (before, after) = block.stmts.split_at_mut(at + 1);
            let taken = collected(&before[at], &mut after[0]);
            match taken {
                true => drop(block.stmts.remove(at)),
                false => at += 1,
            }
        }
    }
}

/// Writes the chain of the first statement into the second, if that takes out what the first collects; whether it did.
fn collected(first: &Stmt, second: &mut Stmt) -> bool {
    let (Stmt::Local(first), Stmt::Local(second)) = (first, second) else {
        return false;
    };
    let (syn::Pat::Type(typed), Some(init)) = (&first.pat, &first.init) else {
        return false;
    };
    let (syn::Pat::Ident(name), Expr::MethodCall(call)) = (&*typed.pat, &*init.expr) else {
        return false;
    };
    let Some(Expr::Try(tried)) = second.init.as_mut().map(|init| &mut *init.expr) else {
        return false;
    };
    let same = matches!(&*tried.expr, Expr::Path(path) if path.path.is_ident(&name.ident));
    if !same || call.method != "collect" || call.turbofish.is_some() {
        return false;
    }
    // `?` moves the result: nothing names it afterwards
    let (mut call, ty) = (call.clone(), &typed.ty);
    call.turbofish = Some(syn::parse_quote!(::<#ty>));
    *tried.expr = Expr::MethodCall(call);
    true
}

/// Writes a `?` behind the calls whose `Result` or `Option` is what the function returns.
struct Tails;

impl Tails {
    /// An expression whose value the function returns.
    fn tail(&self, expr: &mut Expr) {
        if let Expr::Loop(l) = expr {
            return Breaks::of(l);
        }
        let done = at_ends(expr, &mut |end| {
            match end {
                Expr::Loop(l) => Breaks::of(l),
                end if is_outcome(end) => *end = syn::parse_quote!(#end?),
                _ => {}
            }
            Ok(())
        });
        debug_assert!(done.is_ok(), "no end is refused");
    }
}

/// Whether an expression is a call, and none of `Ok`, `Err`, `Some`.
fn is_outcome(end: &Expr) -> bool {
    match end {
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(_)) && !is_success(end) && !is_failure(end)
        }
        Expr::MethodCall(_) => true,
        _ => false,
    }
}

impl VisitMut for Tails {
    fn visit_expr_return_mut(&mut self, ret: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, ret);
        if let Some(value) = &mut ret.expr {
            self.tail(value);
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The ways out of a loop whose value the function returns.
struct Breaks {
    label: Option<syn::Lifetime>,
    depth: usize,
}

impl Breaks {
    fn of(l: &mut syn::ExprLoop) {
        let label = l.label.as_ref().map(|label| label.name.clone());
        let mut breaks = Breaks { label, depth: 0 };
        breaks.visit_block_mut(&mut l.body);
    }

    fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }
}

impl VisitMut for Breaks {
    fn visit_expr_break_mut(&mut self, leave: &mut syn::ExprBreak) {
        let mine = match &leave.label {
            Some(label) => self.label.as_ref() == Some(label),
            None => self.depth == 0,
        };
        if let (true, Some(value)) = (mine, &mut leave.expr) {
            Tails.tail(value);
        }
    }
    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        self.within(|this| visit_mut::visit_expr_loop_mut(this, l));
    }
    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        self.within(|this| visit_mut::visit_expr_while_mut(this, l));
    }
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        self.within(|this| visit_mut::visit_expr_for_loop_mut(this, l));
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Writes out the methods between a call and its `?`.
struct Questions;

impl VisitMut for Questions {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        if let Some((last, before)) = block.stmts.split_last_mut() {
            before.iter_mut().for_each(|stmt| left(stmt, false));
            left(last, true);
        }
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Try(question) = expr
            && let Some(value) = inside(&question.expr, &[])
        {
            *expr = value;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
    /// A `?` in a closure leaves the closure.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Writes out a statement, or the arms of one, that does nothing but leave the function.
fn left(stmt: &mut Stmt, is_tail: bool) {
    match stmt {
        Stmt::Expr(Expr::Match(choice), _) if !is_tail => {
            let bodies = choice.arms.iter_mut().map(|arm| &mut *arm.body);
            bodies.for_each(|body| {
                if let Some(leaves) = leaving(body) {
                    *body = leaves;
                }
            });
        }
        Stmt::Expr(expr, _) => {
            if let Some(leaves) = leaving(expr) {
                *stmt = syn::parse_quote!(#leaves;);
            }
        }
        _ => {}
    }
}

/// `return Err(From::from(e))` for `Err(e)?`
fn leaving(expr: &Expr) -> Option<Expr> {
    let Expr::Try(question) = expr else {
        return None;
    };
    match &*question.expr {
        failure if !is_failure(failure) => None,
        Expr::Call(call) => {
            let error = call.args.first()?;
            Some(syn::parse_quote!(return Err(::core::convert::From::from(#error))))
        }
        _ => Some(syn::parse_quote!(return None)),
    }
}

/// The value that `of?` gives, if there is a way to write it that takes `of` apart; `after` are the methods that follow.
fn inside(of: &Expr, after: &[&ExprMethodCall]) -> Option<Expr> {
    match of {
        Expr::Paren(paren) => inside(&paren.expr, after),
        Expr::MethodCall(call) if is_about_errors(call) => {
            let after: Vec<_> = std::iter::once(call).chain(after.iter().copied()).collect();
            inside(&call.receiver, &after)
        }
        Expr::MethodCall(call) if call.args.is_empty() => gathered(call, after),
        Expr::MethodCall(call) if call.method == "try_fold" => folded(call, after),
        Expr::MethodCall(call) if call.args.len() == 1 => {
            let (f, receiver) = (&call.args[0], &call.receiver);
            match call.method.to_string().as_str() {
                "map" => applied(f, unpacked(receiver, after), false, Some),
                "and_then" => {
                    let and_then = |body| Some(unpacked(&body, after));
                    applied(f, unpacked(receiver, after), !after.is_empty(), and_then)
                }
                "or_else" if after.is_empty() => {
                    let Expr::Closure(f) = f else { return None };
                    let (present, absent) = match f.inputs.first() {
                        Some(pat) => (quote!(Ok), quote!(Err(#pat))),
                        None => (quote!(Some), quote!(None)),
                    };
                    let mut otherwise = unpacked(&f.body, after);
                    leaving_both(&mut otherwise);
                    (!leaves(&f.body)).then(|| {
                        syn::parse_quote!(match (#receiver) { #present(__value) => __value, #absent => (#otherwise) })
                    })
                }
                _ => None,
            }
        }
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
            let mut ends = of.clone();
            let done = at_ends(&mut ends, &mut |end| {
                *end = unpacked(end, after);
                Ok(())
            });
            done.is_ok().then_some(ends)
        }
        Expr::Call(call) if is_success(of) => Some(call.args[0].clone()),
        _ if is_failure(of) && after.is_empty() => Some(of.clone()),
        _ => None,
    }
}

/// A chain of `Result`s or `Option`s that ends in one of all: each is taken out where it comes from.
fn gathered(end: &ExprMethodCall, after: &[&ExprMethodCall]) -> Option<Expr> {
    let Expr::MethodCall(map) = &*end.receiver else {
        return None;
    };
    let Some(Expr::Closure(closure)) = map.args.first() else {
        return None;
    };
    let (name, body) = (&end.method, &closure.body);
    let opaque = leaves(body) || !after.is_empty() && asks(body);
    if opaque || map.method != "map" || !ENDS.iter().any(|end| name == end) {
        return None;
    }
    let mut map = map.clone();
    let mut closure = closure.clone();
    *closure.body = unpacked(body, after);
    leaving_both(&mut closure.body);
    map.args[0] = Expr::Closure(closure);
    let inner = end.turbofish.as_ref().and_then(inner);
    let turbofish = match (inner, name == "collect") {
        (Some(inner), _) => quote!(::<#inner>),
        (None, true) => quote!(::<::std::vec::Vec<_>>),
        (None, false) => quote!(),
    };
    Some(syn::parse_quote!(#map.#name #turbofish()))
}

/// A fold that ends where there is no value.
fn folded(fold: &ExprMethodCall, after: &[&ExprMethodCall]) -> Option<Expr> {
    let (chain, start) = (&fold.receiver, fold.args.first()?);
    let Some(Expr::Closure(closure)) = fold.args.get(1) else {
        return None;
    };
    let body = &closure.body;
    let opaque = leaves(body) || !after.is_empty() && asks(body);
    if opaque || !chains::is_chain(chain) {
        return None;
    }
    let mut closure = closure.clone();
    *closure.body = unpacked(body, after);
    leaving_both(&mut closure.body);
    Some(syn::parse_quote!(#chain.fold(#start, #closure)))
}

/// `T` of `::<Result<T, E>>`.
fn inner(generics: &syn::AngleBracketedGenericArguments) -> Option<Type> {
    let Some(GenericArgument::Type(Type::Path(outcome))) = generics.args.first() else {
        return None;
    };
    let last = outcome.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(args) => match args.args.first()? {
            GenericArgument::Type(inner) => Some(inner.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The value that `of` gives, with the methods that follow and a `?`.
fn unpacked(of: &Expr, after: &[&ExprMethodCall]) -> Expr {
    inside(of, after).unwrap_or_else(|| {
        let methods = after.iter().map(|call| {
            let (name, turbofish, args) = (&call.method, &call.turbofish, &call.args);
            quote!(.#name #turbofish(#args))
        });
        match of {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) | Expr::Paren(_) => {
                syn::parse_quote!(#of #(#methods)* ?)
            }
            of => syn::parse_quote!((#of) #(#methods)* ?),
        }
    })
}

/// The value of a closure or function for `value`; `None` for a closure that leaves itself in between, which `straight` asks for to the end.
fn applied(
    f: &Expr,
    value: Expr,
    straight: bool,
    of_body: impl FnOnce(Expr) -> Option<Expr>,
) -> Option<Expr> {
    match f {
        Expr::Closure(closure) => {
            let (pat, body) = (closure.inputs.first()?, &closure.body);
            if leaves(body) || straight && asks(body) {
                return None;
            }
            let mut body = (**body).clone();
            leaving_both(&mut body);
            let body = tail(&of_body(body)?);
            Some(syn::parse_quote!({ let #pat = #value; #body }))
        }
        Expr::Path(_) => of_body(syn::parse_quote!(#f(#value))),
        _ => None,
    }
}

/// Whether a closure's body has a `return`.
pub(crate) fn leaves(body: &Expr) -> bool {
    found(body, |expr| matches!(expr, Expr::Return(_)))
}

/// Whether a closure's body has a `?`.
pub(crate) fn asks(body: &Expr) -> bool {
    found(body, |expr| matches!(expr, Expr::Try(_)))
}

fn found(body: &Expr, is: fn(&Expr) -> bool) -> bool {
    struct Find(fn(&Expr) -> bool, bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.1 |= self.0(expr);
            visit::visit_expr(self, expr);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(is, false);
    find.visit_expr(body);
    find.1
}
