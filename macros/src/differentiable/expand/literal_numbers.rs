//! `let dt = 1.0 / 252.0;` is of the type that its uses tell. Generated code has some of them only, and in an order of its own, so where a method is
//! called on such a local, its literals say the type themselves: `1.0_f64 / 252.0_f64`. A closure's parameters are uses too, which are gone where it is
//! expanded.

use std::collections::HashSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprCall, ExprMethodCall, Lit, LitFloat, Local, Pat, Stmt, UnOp};

use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::vec_macro::{change_entries, elements_of};
use crate::files::own_text;
use crate::signature::Function;

/// Writes the types of the literals that locals are made of, where methods are called on these.
pub(crate) fn written_out(body: &mut Block, function: &Function) {
    let mut asked = Asked::default();
    asked.visit_block(body);
    if !(asked.names.is_empty() && asked.given.is_empty())
        && let Some(float) = float_of(function, body)
    {
        Numbers {
            asked: asked.names,
            given: asked.given,
            float,
            untold: HashSet::new(),
        }
        .visit_block_mut(body);
    }
}

/// Writes the type of the float literals in an expression that have none.
pub(crate) fn say(expr: &mut Expr, float: &str) {
    struct Say<'a>(&'a str);
    impl VisitMut for Say<'_> {
        fn visit_lit_float_mut(&mut self, number: &mut LitFloat) {
            if number.suffix().is_empty() {
                let digits = number.base10_digits();
                let point = if digits.ends_with('.') { "0" } else { "" };
                *number = LitFloat::new(&format!("{digits}{point}_{}", self.0), number.span());
            }
        }
        fn visit_macro_mut(&mut self, of: &mut syn::Macro) {
            change_entries(of, |entry| self.visit_expr_mut(entry));
        }
    }
    Say(float).visit_expr_mut(expr);
}

/// The only float type that a function names, or its file where it names none itself.
fn float_of(function: &Function, body: &Block) -> Option<&'static str> {
    let named_in = |text: String| ["f64", "f32"].map(|float| text.contains(float));
    let mut tokens = function.written.to_token_stream();
    body.to_tokens(&mut tokens);
    let mut named = named_in(tokens.to_string());
    if named == [false; 2] {
        let file = function.written.ident.span().local_file()?;
        named = named_in(own_text::read(&file));
    }
    match named {
        [true, false] => Some("f64"),
        [false, true] => Some("f32"),
        _ => None,
    }
}

/// The names in what methods are called on, and in what closures are called with.
#[derive(Default)]
struct Asked {
    names: HashSet<String>,
    given: HashSet<String>,
    inside: bool,
    closures: HashSet<String>,
    inside_of_call: bool,
}

impl<'ast> Visit<'ast> for Asked {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let before = std::mem::replace(&mut self.inside, true);
        self.visit_expr(&call.receiver);
        self.inside = before;
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }
    fn visit_local(&mut self, local: &'ast Local) {
        visit::visit_local(self, local);
        if let Some(init) = &local.init
            && matches!(*init.expr, Expr::Closure(_))
        {
            self.closures.extend(bound_names(&local.pat));
        }
    }
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.visit_expr(&call.func);
        let closure = simple_name(&call.func).is_some_and(|name| self.closures.contains(&name));
        let before = std::mem::replace(&mut self.inside_of_call, closure);
        call.args.iter().for_each(|arg| self.visit_expr(arg));
        self.inside_of_call = before;
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(name) = path.get_ident() {
            if self.inside {
                self.names.insert(name.to_string());
            }
            if self.inside_of_call {
                self.given.insert(name.to_string());
            }
        }
        visit::visit_path(self, path);
    }
}

struct Numbers {
    asked: HashSet<String>,
    given: HashSet<String>,
    float: &'static str,
    /// Locals of literals alone that do not change: what changes is kept in slots, which have a type.
    untold: HashSet<String>,
}

impl Numbers {
    fn visit_init(&mut self, pat: &Pat, init: &mut Expr) {
        if let (Pat::Tuple(pats), Expr::Tuple(tuple)) = (pat, &mut *init)
            && pats.elems.len() == tuple.elems.len()
        {
            let each = pats.elems.iter().zip(&mut tuple.elems);
            return each.for_each(|(pat, init)| self.visit_init(pat, init));
        }
        let names = bound_names(pat);
        if names.iter().any(|name| self.given.contains(name)) && self.is_untold(init) {
            return say(init, self.float);
        }
        let plain = matches!(pat, Pat::Ident(name) if name.mutability.is_none());
        if !plain || !self.is_untold(init) {
            names.iter().for_each(|name| _ = self.untold.remove(name));
            return;
        }
        if names.iter().any(|name| self.asked.contains(name)) {
            say(init, self.float);
        }
        self.untold.extend(names);
    }

    /// The state of a fold begins with literals: the closure in which methods are called on it is gone where it is expanded.
    fn visit_state(&self, pat: &Pat, start: &mut Expr) {
        if let (Pat::Tuple(pats), Expr::Tuple(tuple)) = (pat, &mut *start) {
            let each = pats.elems.iter().zip(&mut tuple.elems);
            return each.for_each(|(pat, start)| self.visit_state(pat, start));
        }
        let asked = bound_names(pat)
            .iter()
            .any(|name| self.asked.contains(name));
        if asked && self.is_untold(start) {
            say(start, self.float);
        }
    }

    /// Whether an expression is made of float literals alone.
    fn is_untold(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
            Expr::Path(_) => simple_name(expr).is_some_and(|name| self.untold.contains(&name)),
            Expr::Paren(paren) => self.is_untold(&paren.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && self.is_untold(&unary.expr),
            Expr::Binary(binary) => self.is_untold(&binary.left) && self.is_untold(&binary.right),
            Expr::Array(array) => array.elems.iter().any(|e| self.is_untold(e)),
            Expr::Repeat(array) => self.is_untold(&array.expr),
            Expr::Macro(of) => elements_of(&of.mac).iter().any(|e| self.is_untold(e)),
            Expr::If(of) => self.gives_untold(&of.then_branch),
            Expr::Block(block) => self.gives_untold(&block.block),
            _ => false,
        }
    }

    fn gives_untold(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(value, None)) if self.is_untold(value))
    }
}

impl VisitMut for Numbers {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        let mut args = call.args.iter_mut();
        if let (Some(start), Some(Expr::Closure(f))) = (args.next(), args.next())
            && call.method == "fold"
            && let Some(state) = f.inputs.first()
        {
            self.visit_state(state, start);
        }
    }
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        if let Some(init) = &mut local.init {
            self.visit_init(&local.pat, &mut init.expr);
        }
    }
}
