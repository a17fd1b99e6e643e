//! The body: what is `f64` becomes a number of any order.
//!
//! | written | lifted |
//! |---|---|
//! | `f64` in types and paths | `T` |
//! | `0.5`, `-0.5`, `1e-3_f64` | `T::lit(0.5)` … |
//! | `n as f64`, `f64::from(n)` | `whole::<T, _>(n)`, of integers |
//! | `x as usize` | `plain(x) as usize` |
//! | `LIMIT`, `f64::consts::PI`, `TABLE[i]`, `p.mass` of a constant struct | `outside::<T, _>(&LIMIT).lifted()` |
//! | `g(x)` of something active | the call of `g`'s marker |
//! | `g(n)` of nothing active | `outside::<T, _>(&g(plain(n))).lifted()` |

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ItemFn, Lit, Pat, Path, Token, Type};

use super::constants::{Named, lifted};
use super::number;
use crate::differentiable::methods::paths;
use crate::differentiable::methods::types::is_inactive_type;
use crate::differentiable::resolve::varied;
use crate::errors::Errors;
use crate::premises::{Decisions, Site, is_known_method};

const SINGLE: &str = "`order = 2` is for functions over `f64` alone, and this is `f32`";

/// `f64` in types.
pub(super) struct Types<'a> {
    pub(super) errors: &'a mut Errors,
}

impl VisitMut for Types<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.path.is_ident("f64") => {
                let name = syn::Ident::new(&number().to_string(), path.span());
                *ty = syn::parse_quote!(#name);
            }
            Type::Path(path) if path.path.is_ident("f32") => self.errors.at(path, SINGLE),
            // the length is no number of the function's
            Type::Array(array) => self.visit_type_mut(&mut array.elem),
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// Lifts the body of a function; `outside` are the parameters that stay what they are. Returns what the text names.
pub(super) fn lift(
    item: &mut ItemFn,
    decisions: &Decisions,
    outside: &HashSet<String>,
    errors: &mut Errors,
) -> Named {
    let mut locals = Locals(HashSet::new());
    locals.visit_item_fn(item);
    let mut lift = Lift {
        name: item.sig.ident.clone(),
        decisions,
        outside,
        locals: locals.0,
        named: Named::default(),
        errors,
    };
    lift.visit_block_mut(&mut item.block);
    let named = lift.named;
    item.block.stmts.splice(0..0, named.locals());
    named
}

/// The names that are bound somewhere in a function.
struct Locals(HashSet<String>);

impl<'ast> Visit<'ast> for Locals {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        syn::visit::visit_pat_ident(self, pat);
    }
    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.0.insert(param.ident.to_string());
    }
}

struct Lift<'a> {
    name: syn::Ident,
    decisions: &'a Decisions,
    outside: &'a HashSet<String>,
    locals: HashSet<String>,
    named: Named,
    errors: &'a mut Errors,
}

/// What a path means.
enum Meaning {
    Constant,
    /// `f64::sqrt`
    OfNumbers,
    /// A function that somebody wrote.
    Function,
    Other,
}

impl Lift<'_> {
    fn meaning(&self, path: &Path) -> Meaning {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let [before @ .., last] = &names[..] else {
            return Meaning::Other;
        };
        let begins_upper = |name: &String| name.starts_with(char::is_uppercase);
        let capitals = begins_upper(last)
            && last
                .chars()
                .all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
        match before {
            [] if self.locals.contains(last) => Meaning::Other,
            _ if capitals => Meaning::Constant,
            [ty] if ty == "f64" => Meaning::OfNumbers,
            _ if begins_upper(last) => Meaning::Other,
            [] | [.., _] if paths::is_of_library(path) => Meaning::Other,
            [.., ty] if begins_upper(ty) || is_primitive(ty) => Meaning::Other,
            _ => Meaning::Function,
        }
    }

    /// The parameter that a chain of fields, indices and methods begins with, if its type stays what it is.
    fn is_outside(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Field(e) => self.is_outside(&e.base),
            Expr::Index(e) => self.is_outside(&e.expr),
            Expr::MethodCall(e) => self.is_outside(&e.receiver),
            Expr::Paren(e) => self.is_outside(&e.expr),
            Expr::Reference(e) => self.is_outside(&e.expr),
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.outside.contains(&name.to_string())),
            _ => false,
        }
    }

    /// Whether a chain of indices and fields begins with a constant.
    fn is_part_of_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Field(e) => self.is_part_of_constant(&e.base),
            Expr::Index(e) => self.is_part_of_constant(&e.expr),
            Expr::Path(path) => matches!(self.meaning(&path.path), Meaning::Constant),
            _ => false,
        }
    }

    /// The indices in a chain that stands outside; its arguments are handed out as `f64`.
    fn visit_chain(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Field(e) => self.visit_chain(&mut e.base),
            Expr::Index(e) => {
                self.visit_chain(&mut e.expr);
                self.visit_expr_mut(&mut e.index);
            }
            Expr::MethodCall(e) => {
                self.visit_chain(&mut e.receiver);
                e.args.iter_mut().for_each(|arg| self.hand_out(arg));
            }
            _ => {}
        }
    }

    /// An argument of a call that knows `f64` alone.
    fn hand_out(&mut self, arg: &mut Expr) {
        if let Expr::Reference(reference) = arg {
            return self.hand_out(&mut reference.expr);
        }
        let own = arg.clone();
        if !mentions(&own, &self.locals) || self.is_outside(&own) || matches!(own, Expr::Closure(_))
        {
            return;
        }
        self.visit_expr_mut(arg);
        let inner = &*arg;
        *arg = syn::parse_quote!(::coenzyme::__private::Inside(&#inner).plain());
    }

    fn call(&mut self, expr: &mut Expr) {
        let Expr::Call(call) = expr else { return };
        let Expr::Path(func) = &*call.func else {
            return visit_mut::visit_expr_mut(self, expr);
        };
        let path = func.path.clone();
        let by_rule = self.decisions.by_rule.contains(&Site::of(path.span()));
        match self.meaning(&path) {
            Meaning::OfNumbers if path.segments[1].ident == "from" => {
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
                let (number, args) = (number(), &call.args);
                *expr = syn::parse_quote!(::coenzyme::__private::whole::<#number, _>(#args));
            }
            Meaning::Function if by_rule => self.call_by_rule(call, &path),
            Meaning::Function => {
                call.args.iter_mut().for_each(|arg| self.hand_out(arg));
                *expr = syn::parse2(lifted(call.to_token_stream())).expect("an expression");
            }
            Meaning::Other if by_rule && is_method_of_own_type(&path) => self.errors.at(
                &call.func,
                "methods of own types have no second derivative: write a function, and `#[differentiable(order = 2)]` before it",
            ),
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn call_by_rule(&mut self, call: &mut ExprCall, path: &Path) {
        // the primal calls the marker of the function itself, and the rules its rules
        if !path.is_ident(&self.name) {
            let alias = self.named.callee(path);
            *call.func = syn::parse_quote!(#alias);
        }
        for arg in &mut call.args {
            match &*arg {
                Expr::Closure(closure) => self.errors.at(
                    closure,
                    "in a function of order 2 a closure is not passed on: write a function, and pass what it captures as arguments",
                ),
                Expr::Path(function)
                    if matches!(self.meaning(&function.path), Meaning::Function)
                        && !self.outside.contains(&function.path.to_token_stream().to_string()) =>
                {
                    let alias = self.named.callee(&function.path);
                    *arg = syn::parse_quote!(#alias);
                }
                _ if self.is_outside(arg) => self.visit_chain(arg),
                _ => self.visit_expr_mut(arg),
            }
        }
    }

    fn cast(&mut self, expr: &mut Expr) {
        let Expr::Cast(cast) = expr else { return };
        self.visit_expr_mut(&mut cast.expr);
        let (inner, ty) = (&cast.expr, &cast.ty);
        let is = |name: &str| matches!(&**ty, Type::Path(path) if path.path.is_ident(name));
        if is("f64") {
            let number = number();
            *expr = syn::parse_quote!(::coenzyme::__private::whole::<#number, _>(#inner));
        } else if is("f32") {
            self.errors.at(ty, SINGLE);
        } else if is_inactive_type(ty) {
            *expr = syn::parse_quote!((::coenzyme::__private::Inside(&#inner).plain() as #ty));
        }
    }

    /// The arguments of a macro, as far as they are expressions.
    fn arguments(&mut self, mac: &mut syn::Macro) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let repeated = |input: syn::parse::ParseStream<'_>| {
            let element: Expr = input.parse()?;
            let semicolon: Token![;] = input.parse()?;
            Ok((element, semicolon, input.parse::<Expr>()?))
        };
        let matched = |input: syn::parse::ParseStream<'_>| {
            Ok((input.parse::<Expr>()?, input.parse::<TokenStream>()?))
        };
        if let Ok(mut args) = list.parse2(mac.tokens.clone()) {
            args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            mac.tokens = args.to_token_stream();
        } else if let Ok((mut element, semicolon, mut count)) = repeated.parse2(mac.tokens.clone())
        {
            self.visit_expr_mut(&mut element);
            self.visit_expr_mut(&mut count);
            mac.tokens = quote!(#element #semicolon #count);
        } else if let Ok((mut value, rest)) = matched.parse2(mac.tokens.clone()) {
            self.visit_expr_mut(&mut value);
            mac.tokens = quote!(#value #rest);
        }
    }

    fn literal(&mut self, expr: &mut Expr) {
        let Expr::Lit(literal) = expr else { return };
        let suffix = match &literal.lit {
            Lit::Float(float) => float.suffix().to_owned(),
            Lit::Int(int) => int.suffix().to_owned(),
            _ => return,
        };
        let is_float = matches!(literal.lit, Lit::Float(_));
        match suffix.as_str() {
            "f32" => self.errors.at(&*literal, SINGLE),
            "f64" => *expr = literal_of_any_order(&*literal),
            _ if is_float => *expr = literal_of_any_order(&*literal),
            _ => {}
        }
    }
}

/// `T::lit(0.5)`, at the place of `0.5`.
fn literal_of_any_order(value: &impl ToTokens) -> Expr {
    let name = syn::Ident::new(&number().to_string(), value.span());
    syn::parse_quote!(#name::lit(#value))
}

impl VisitMut for Lift<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(_) => self.literal(expr),
            Expr::Cast(_) => self.cast(expr),
            Expr::Call(_) => self.call(expr),
            Expr::Macro(mac) => self.arguments(&mut mac.mac),
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_)
                if self.is_outside(expr)
                    || !matches!(expr, Expr::MethodCall(_)) && self.is_part_of_constant(expr) =>
            {
                self.visit_chain(expr);
                *expr = syn::parse2(lifted(expr.to_token_stream())).expect("an expression");
            }
            Expr::MethodCall(call)
                if self
                    .decisions
                    .by_rule
                    .contains(&Site::of(call.method.span()))
                    && !is_known_method(&call.method.to_string(), call.args.len()) =>
            {
                self.errors.at(
                    &call.method,
                    "methods of own types have no second derivative: write a function, and `#[differentiable(order = 2)]` before it",
                );
            }
            // a number times an array is known of `f64` alone, an array times a number of all
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::Mul(_))
                    && matches!(&*binary.left, Expr::Lit(_))
                    && matches!(
                        &*binary.right,
                        Expr::Path(_) | Expr::Reference(_) | Expr::Paren(_)
                    ) =>
            {
                visit_mut::visit_expr_binary_mut(self, binary);
                std::mem::swap(&mut binary.left, &mut binary.right);
            }
            Expr::Path(path) => match self.meaning(&path.path) {
                Meaning::Constant => {
                    let local = self.named.constant(&path.path);
                    *expr = syn::parse_quote!(#local);
                }
                Meaning::OfNumbers => {
                    let span = path.path.segments[0].span();
                    path.path.segments[0].ident = syn::Ident::new(&number().to_string(), span);
                }
                _ => visit_mut::visit_expr_path_mut(self, path),
            },
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_stmt_macro_mut(&mut self, mac: &mut syn::StmtMacro) {
        self.arguments(&mut mac.mac);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        Types {
            errors: self.errors,
        }
        .visit_type_mut(ty);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Lit(literal) if matches!(literal.lit, Lit::Float(_)) => self.errors.at(
                &*literal,
                "in a function of order 2 a pattern holds no float: compare with `==` in an `if`",
            ),
            Pat::Range(range)
                if [&range.start, &range.end]
                    .into_iter()
                    .flatten()
                    .any(|e| is_float(e)) =>
            {
                self.errors.at(
                    &*range,
                    "in a function of order 2 a pattern holds no float: compare with `<` in an `if`",
                );
            }
            _ => visit_mut::visit_pat_mut(self, pat),
        }
    }

    // items mean what they mean outside
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an expression is a float, with or without a sign.
fn is_float(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
        Expr::Unary(unary) => is_float(&unary.expr),
        _ => false,
    }
}

/// Whether an expression names something that is bound in the function.
fn mentions(expr: &Expr, locals: &HashSet<String>) -> bool {
    varied::mentions(expr, &|name| locals.contains(name))
}

/// Whether a path goes through a type of somebody's own, and no library's.
fn is_method_of_own_type(path: &Path) -> bool {
    let mut before = path.segments.iter().rev().skip(1);
    before.next().is_some_and(|ty| {
        ty.ident.to_string().starts_with(char::is_uppercase)
            && !paths::is_library_type(&ty.ident.clone().into())
    })
}

fn is_primitive(name: &str) -> bool {
    is_inactive_type(&Type::Path(syn::TypePath {
        attrs: Vec::new(),
        qself: None,
        path: syn::Ident::new(name, proc_macro2::Span::call_site()).into(),
    }))
}
