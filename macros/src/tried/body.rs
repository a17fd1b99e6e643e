//! The body of the second function: what was returned is returned as a value, and `?` returns that there is none.

use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, FnArg, GenericArgument, GenericParam, PathArguments, ReturnType};
use syn::{Receiver, ReceiverKind, Signature, Stmt, Type};

use super::returned;
use crate::differentiable::{
    asks, at_ends, hidden, is_failure, is_pure, is_success, may_leave, words,
};

/// The second function of another one.
pub(crate) struct Second {
    /// What the first returns.
    pub(super) kind: Kind,
    /// What is in it.
    pub(super) value: Type,
    pub(super) signature: Signature,
    pub(super) body: Block,
}

/// The second function; `None` if the function changes nothing that it is lent, always gives a value, or is written in a way that is not known here.
pub(crate) fn tried(sig: &Signature, body: &Block) -> Option<Second> {
    let (kind, value) = outcome(&sig.output)?;
    let plain = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    if !sig.inputs.iter().any(is_exclusive) || !sig.generics.params.iter().all(plain) {
        return None;
    }
    let (mut signature, mut body) = (sig.clone(), body.clone());
    signature.output = syn::parse_quote!(-> ::coenzyme::__private::Present<#value>);
    returned::written_out(&mut body, &|_| false);
    let mut returned = Returned { kind, known: true };
    returned.visit_block_mut(&mut body);
    match body.stmts.last_mut() {
        Some(Stmt::Expr(tail, None)) => returned.end(tail),
        // a `return` behind a semicolon
        Some(Stmt::Expr(Expr::Return(_) | Expr::Loop(_), Some(_))) => {}
        _ => return None,
    }
    let mut asked = Asked {
        kind,
        known: true,
        before: 0,
    };
    asked.visit_block_mut(&mut body);
    (returned.known && asked.known).then_some(Second {
        kind,
        value,
        signature,
        body,
    })
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Option,
    Result,
}

/// Whether a function returns an `Option` or a `Result`, and of what.
fn outcome(output: &ReturnType) -> Option<(Kind, Type)> {
    let ReturnType::Type(_, ty) = output else {
        return None;
    };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    let kind = match args.args.len() {
        1 if last.ident == "Option" => Kind::Option,
        2 if last.ident == "Result" => Kind::Result,
        _ => return None,
    };
    match args.args.first()? {
        GenericArgument::Type(value) => Some((kind, value.clone())),
        _ => None,
    }
}

/// Whether a function is lent memory that it may change.
fn is_exclusive(arg: &FnArg) -> bool {
    match arg {
        FnArg::Receiver(Receiver { kind, .. }) => {
            matches!(kind, ReceiverKind::Reference(_, _, Some(_)))
        }
        FnArg::Typed(arg) => {
            matches!(&*arg.ty, Type::Reference(reference) if reference.mutability.is_some())
        }
    }
}

/// Writes out what a function returns.
struct Returned {
    kind: Kind,
    /// Whether all of it is written in a way that is known.
    known: bool,
}

impl Returned {
    /// What the value of the function is.
    fn end(&mut self, expr: &mut Expr) {
        let (kind, mut known) = (self.kind, true);
        let _ = at_ends(expr, &mut |end| {
            match end {
                Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {}
                Expr::Macro(mac) if is_panic(&mac.mac.path) => {}
                Expr::Loop(_) | Expr::Macro(_) | Expr::Try(_) | Expr::Unsafe(_) => known = false,
                end if is_failure(end) => {
                    if let Expr::Call(call) = end {
                        known &= drops(&call.args);
                    }
                    *end = absent();
                }
                end if is_success(end) => {
                    let Expr::Call(call) = &*end else {
                        return Ok(());
                    };
                    let value = &call.args;
                    *end = syn::parse_quote!(::coenzyme::__private::Present(Some(#value)));
                }
                end => {
                    let value = syn::parse_quote!(::coenzyme::__private::Present(Some(present)));
                    *end = matched(kind, end, &value, &absent());
                }
            }
            Ok(())
        });
        self.known &= known;
    }
}

impl VisitMut for Returned {
    fn visit_expr_return_mut(&mut self, ret: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, ret);
        match &mut ret.expr {
            Some(value) => self.end(value),
            None => self.known = false,
        }
    }
    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        // what leaves a closure is another's
        self.known &= !may_leave(&closure.body) && !asks(&closure.body);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Writes out `?`.
struct Asked {
    kind: Kind,
    known: bool,
    /// How many there were before.
    before: usize,
}

impl VisitMut for Asked {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut questions = Questions::new(self.kind, self.before);
            questions.visit_stmt_mut(&mut stmt);
            self.known &= questions.known;
            self.before += questions.before.len();
            done.append(&mut questions.before);
            done.push(stmt);
        }
        block.stmts = done;
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_try_mut(&mut self, _: &mut syn::ExprTry) {
        // in a place that is no statement
        self.known = false;
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Gives what `?` takes out of a statement a statement of its own before it.
struct Questions {
    kind: Kind,
    before: Vec<Stmt>,
    /// How many there are in statements before.
    asked: usize,
    /// Whether something that was evaluated before may have changed what comes after.
    acted: bool,
    /// Names that were read before: what is asked may change them, and would be asked before they are read.
    read: Vec<String>,
    known: bool,
}

impl Questions {
    fn new(kind: Kind, asked: usize) -> Self {
        Self {
            kind,
            asked,
            before: Vec::new(),
            acted: false,
            read: Vec::new(),
            known: true,
        }
    }

    /// The name of the value of `of?`, or of what the reference in it leads to.
    fn question(&mut self, of: &Expr, is_reference: bool) -> Expr {
        let Some((kind, mut of)) = asked(self.kind, of.clone()) else {
            self.known = false;
            return of.clone();
        };
        let before = self.read.len();
        self.asked_in(&mut of);
        let named = words(of.to_token_stream());
        let changed = self.read[..before].iter().any(|name| named.contains(name));
        self.known &= !self.acted && !changed;
        // what it reads itself goes with it
        self.read.truncate(before);
        let (star, none) = (is_reference.then(|| quote!(*)), absent());
        let value = syn::parse_quote!(#star present);
        let matched = matched(kind, &of, &value, &syn::parse_quote!(return #none));
        let name = hidden(&format!("asked{}", self.asked + self.before.len()));
        self.before.push(syn::parse_quote!(let #name = #matched;));
        syn::parse_quote!(#name)
    }

    /// What stands in the arguments of the call that is asked, which runs where it is asked.
    fn asked_in(&mut self, of: &mut Expr) {
        match of {
            Expr::Call(call) => call
                .args
                .iter_mut()
                .for_each(|arg| self.visit_expr_mut(arg)),
            Expr::MethodCall(call) => {
                self.asked_in(&mut call.receiver);
                call.args
                    .iter_mut()
                    .for_each(|arg| self.visit_expr_mut(arg));
            }
            of => self.visit_expr_mut(of),
        }
    }
}

impl VisitMut for Questions {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Try(question) => *expr = self.question(&question.expr, false),
            Expr::Unary(star)
                if matches!(star.op, syn::UnOp::Deref(_)) && matches!(*star.expr, Expr::Try(_)) =>
            {
                let Expr::Try(question) = &*star.expr else {
                    return;
                };
                *expr = self.question(&question.expr, true);
            }
            // what runs later, or perhaps not
            Expr::If(branch) => self.visit_expr_mut(&mut branch.cond),
            Expr::Match(branch) => self.visit_expr_mut(&mut branch.expr),
            Expr::ForLoop(l) => self.visit_expr_mut(&mut l.expr),
            Expr::While(_) | Expr::Loop(_) | Expr::Block(_) | Expr::Closure(_) => self.acted = true,
            Expr::Binary(both) if matches!(both.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr_mut(&mut both.left);
            }
            // the value comes before the place
            Expr::Assign(assign) => {
                self.visit_expr_mut(&mut assign.right);
                self.visit_expr_mut(&mut assign.left);
                self.acted = true;
            }
            Expr::Binary(both) if is_compound(&both.op) => {
                self.visit_expr_mut(&mut both.right);
                self.visit_expr_mut(&mut both.left);
                self.acted = true;
            }
            Expr::Path(path) => self.read.extend(words(path.to_token_stream())),
            _ => {
                visit_mut::visit_expr_mut(self, expr);
                self.acted |= match expr {
                    Expr::Call(call) => !is_success(&Expr::Call(call.clone())),
                    Expr::MethodCall(call) => !is_pure(&call.method.to_string()),
                    Expr::Macro(_) => true,
                    _ => false,
                };
            }
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What a `?` looks into, without what is said of an error; `None` if that does more than say it.
fn asked(kind: Kind, of: Expr) -> Option<(Kind, Expr)> {
    let Expr::MethodCall(call) = of else {
        return Some((kind, of));
    };
    let of_option = call.method == "ok_or" || call.method == "ok_or_else";
    let of_result = call.method == "map_err" || call.method == "ok";
    if !of_option && !of_result {
        return Some((kind, Expr::MethodCall(call)));
    }
    if !drops(&call.args) {
        return None;
    }
    match of_option {
        true => Some((Kind::Option, *call.receiver)),
        false => asked(Kind::Result, *call.receiver),
    }
}

/// Whether nothing is lost with what says what an error is: it is made, and does nothing else.
fn drops(errors: &Punctuated<Expr, syn::Token![,]>) -> bool {
    struct Acts(bool);
    impl<'ast> Visit<'ast> for Acts {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            const MAKE: [&str; 8] = [
                "clone",
                "format",
                "from",
                "into",
                "len",
                "new",
                "to_owned",
                "to_string",
            ];
            let makes = |name: &syn::Ident| {
                MAKE.iter().any(|make| name == make)
                    || name.to_string().starts_with(char::is_uppercase)
            };
            self.0 |= match expr {
                Expr::Call(call) => match &*call.func {
                    Expr::Path(path) => !path.path.segments.last().is_some_and(|s| makes(&s.ident)),
                    _ => true,
                },
                Expr::MethodCall(call) => {
                    !makes(&call.method) && !is_pure(&call.method.to_string())
                }
                Expr::Macro(mac) => !mac
                    .mac
                    .path
                    .segments
                    .last()
                    .is_some_and(|s| makes(&s.ident)),
                Expr::Assign(_) | Expr::Block(_) | Expr::Try(_) | Expr::Unsafe(_) => true,
                Expr::Reference(lent) => lent.mutability.is_some(),
                _ => false,
            };
            visit::visit_expr(self, expr);
        }
    }
    let mut acts = Acts(false);
    errors.iter().for_each(|error| acts.visit_expr(error));
    !acts.0
}

fn matched(kind: Kind, of: &Expr, value: &Expr, otherwise: &Expr) -> Expr {
    let (some, none) = match kind {
        Kind::Option => (quote!(Some), quote!(None)),
        Kind::Result => (quote!(Ok), quote!(Err(_))),
    };
    syn::parse_quote!(match #of { #some(present) => #value, #none => #otherwise })
}

fn is_compound(op: &BinOp) -> bool {
    use BinOp::{AddAssign, DivAssign, MulAssign, RemAssign, SubAssign};
    matches!(
        op,
        AddAssign(_) | DivAssign(_) | MulAssign(_) | RemAssign(_) | SubAssign(_)
    )
}

fn absent() -> Expr {
    syn::parse_quote!(::coenzyme::__private::Present(None))
}

fn is_panic(path: &syn::Path) -> bool {
    let panics = ["panic", "unreachable", "todo", "unimplemented"];
    path.segments
        .last()
        .is_some_and(|last| panics.iter().any(|name| last.ident == name))
}

#[cfg(test)]
mod tests {
    use super::ToTokens;

    /// The body of the second function.
    fn written(text: &str) -> Option<String> {
        let item: syn::ItemFn = syn::parse_str(text).expect("a function");
        let second = super::tried(&item.sig, &item.block)?;
        Some(
            second
                .body
                .to_token_stream()
                .to_string()
                .replace(":: coenzyme :: __private :: ", ""),
        )
    }

    fn expected(text: &str) -> Option<String> {
        let block: syn::Block = syn::parse_str(text).expect("a block");
        Some(block.to_token_stream().to_string())
    }

    #[test]
    fn ends_are_values() {
        let text = "fn f(s: &mut f64) -> Option<f64> { if *s > 1.0 { return None; } if *s > 0.0 { Some(*s) } else { g(s) } }";
        let body = "{ if *s > 1.0 { return Present(None); } if *s > 0.0 { Present(Some(*s)) }
            else { match g(s) { Some(present) => Present(Some(present)), None => Present(None) } } }";
        assert_eq!(written(text), expected(body));
    }

    #[test]
    fn questions_are_asked_in_order_before_their_statement() {
        let text =
            "fn f(s: &mut f64) -> Result<f64, E> { let a = g(s).map_err(E::from)? + h(s)?; Ok(a) }";
        let body = "{
            let __asked0 = match g(s) { Ok(present) => present, Err(_) => return Present(None) };
            let __asked1 = match h(s) { Ok(present) => present, Err(_) => return Present(None) };
            let a = __asked0 + __asked1; Present(Some(a)) }";
        assert_eq!(written(text), expected(body));
    }

    #[test]
    fn a_value_is_asked_before_the_place_that_it_goes_to() {
        for op in ["=", "*="] {
            let text = format!("fn f(s: &mut S) -> Option<()> {{ s.x {op} s.h()?; Some(()) }}");
            assert!(written(&text).is_some(), "{op}");
        }
    }

    #[test]
    fn what_is_not_known_has_none() {
        for text in [
            // nothing changes, or there is always a value
            "fn f(s: &f64) -> Option<f64> { Some(*s) }",
            "fn f(s: &mut f64) -> f64 { *s }",
            // what runs first may change what is asked
            "fn f(s: &mut f64) -> Option<f64> { let a = g(s) + h(s)?; Some(a) }",
            // what is read before what changes it
            "fn f(s: &mut f64) -> Option<f64> { let a = *s + h(s)?; Some(a) }",
            "fn f(s: &mut S) -> Option<f64> { let a = s.x * s.h()?; Some(a) }",
            // what an error does beside being made
            "fn f(s: &mut S) -> Result<f64, E> { if s.x > 0.0 { return Err(s.fail()); } Ok(1.0) }",
            "fn f(s: &mut S) -> Result<f64, E> { let a = h(s).map_err(|e| log(e))?; Ok(a) }",
            "fn f(s: &mut S) -> Result<f64, E> { let a = s.v.pop().ok_or_else(|| { s.n += 1; E })?; Ok(a) }",
            // what may not run
            "fn f(s: &mut f64) -> Option<bool> { let a = *s > 0.0 && h(s)?; Some(a) }",
            "fn f(s: &mut f64) -> Option<f64> { while h(s)? {} Some(*s) }",
            // what leaves a closure
            "fn f(s: &mut f64) -> Option<f64> { let g = |a| { let b = h(a)?; Some(b) }; g(*s) }",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
