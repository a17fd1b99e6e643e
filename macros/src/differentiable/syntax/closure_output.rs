//! The type of a closure's value, if the form of its last expression tells: the closure says nothing, and a function has to.

use syn::{Expr, ExprClosure, Lit, Pat, Stmt, Type, parse_quote};

use crate::differentiable::methods::{operations, paths};

/// The type of what a closure returns, made of `scalar` unless its last expression looks like something else.
pub(crate) fn value_type(closure: &ExprClosure, scalar: &Type) -> Type {
    let names = closure.inputs.iter().filter_map(|pat| match pat {
        Pat::Type(typed) => Some((&*typed.pat, Some(&*typed.ty), None)),
        _ => None,
    });
    let tail = Tail {
        scalar,
        names: names.collect(),
    };
    tail.of(&closure.body).unwrap_or_else(|| scalar.clone())
}

/// Names with their types or what they begin as.
struct Tail<'a> {
    scalar: &'a Type,
    names: Vec<(&'a Pat, Option<&'a Type>, Option<&'a Expr>)>,
}

impl<'a> Tail<'a> {
    /// The type of an expression; `None` if its form does not tell.
    fn of(&self, expr: &'a Expr) -> Option<Type> {
        let scalar = self.scalar;
        match expr {
            Expr::Paren(inside) => self.of(&inside.expr),
            Expr::Group(inside) => self.of(&inside.expr),
            Expr::Block(block) => self.block(&block.block),
            Expr::If(branch) => self.block(&branch.then_branch),
            Expr::Match(branch) => self.of(&branch.arms.first()?.body),
            Expr::Array(array) => {
                let entry = self.part(array.elems.first()?);
                let n = array.elems.len();
                Some(parse_quote!([#entry; #n]))
            }
            Expr::Repeat(array) => {
                let (entry, n) = (self.part(&array.expr), &array.len);
                Some(parse_quote!([#entry; #n]))
            }
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|e| self.part(e));
                Some(parse_quote!((#(#parts,)*)))
            }
            Expr::Struct(made) if made.qself.is_none() => {
                let path = &made.path;
                Some(parse_quote!(#path))
            }
            Expr::Assign(_) => Some(parse_quote!(())),
            Expr::Binary(binary) if operations::compound(&binary.op).is_some() => {
                Some(parse_quote!(()))
            }
            Expr::Lit(lit) => match lit.lit {
                Lit::Bool(_) => Some(parse_quote!(bool)),
                _ => None,
            },
            Expr::Macro(made) if paths::is_vec(&made.mac.path) => Some(parse_quote!(Vec<#scalar>)),
            Expr::MethodCall(call) if call.method == "to_vec" => Some(parse_quote!(Vec<#scalar>)),
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                let named = self.names.iter().rev();
                let mut named = named.filter(|(pat, ..)| is_name(pat, name));
                match named.next()? {
                    (_, Some(ty), _) => Some((*ty).clone()),
                    (_, None, init) => self.of((*init)?),
                }
            }
            _ => None,
        }
    }

    /// As [`of`](Self::of), of a part, which is a number if nothing else is known.
    fn part(&self, expr: &'a Expr) -> Type {
        self.of(expr).unwrap_or_else(|| self.scalar.clone())
    }

    fn block(&self, block: &'a syn::Block) -> Option<Type> {
        let Some((Stmt::Expr(last, None), before)) = block.stmts.split_last() else {
            let leaves = matches!(block.stmts.last(), Some(Stmt::Expr(Expr::Return(_), _)));
            return (!leaves).then(|| parse_quote!(()));
        };
        let locals = before.iter().filter_map(|statement| match statement {
            Stmt::Local(local) => Some(local),
            _ => None,
        });
        let locals = locals.map(|local| {
            let init = local.init.as_ref().map(|init| &*init.expr);
            match &local.pat {
                Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty), init),
                pat => (pat, None, init),
            }
        });
        let inside = Tail {
            scalar: self.scalar,
            names: self.names.iter().copied().chain(locals).collect(),
        };
        inside.of(last)
    }
}

fn is_name(pat: &Pat, name: &syn::Ident) -> bool {
    matches!(pat, Pat::Ident(pat) if pat.ident == *name)
}
