//! Whether a branch at the end of a block has a value, as far as tokens tell.

use crate::differentiable::methods::{macros, operations, paths, table};
use syn::{Expr, Stmt};

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Value,
    Nothing,
    /// It never ends.
    Never,
}

impl Given {
    /// Of a branch with these arms.
    fn either(self, other: Self) -> Self {
        match (self, other) {
            (Given::Nothing, _) | (_, Given::Nothing) => Given::Nothing,
            (Given::Value, _) | (_, Given::Value) => Given::Value,
            (Given::Never, Given::Never) => Given::Never,
        }
    }
}

/// Whether a branch has a value.
pub(crate) fn has_value(expr: &Expr) -> bool {
    given(expr) == Given::Value
}

fn given(expr: &Expr) -> Given {
    match expr {
        Expr::If(branch) => match &branch.else_branch {
            Some((_, otherwise)) => of_block(&branch.then_branch).either(given(otherwise)),
            None => Given::Nothing,
        },
        Expr::Match(branch) => {
            let arms = branch.arms.iter().map(|arm| given(&arm.body));
            arms.fold(Given::Never, Given::either)
        }
        Expr::Block(block) => of_block(&block.block),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => Given::Never,
        Expr::Macro(mac) => of_macro(&mac.mac),
        Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Assign(_) => Given::Nothing,
        Expr::Binary(binary) if operations::compound(&binary.op).is_some() => Given::Nothing,
        Expr::MethodCall(call) if table::returns_nothing(&call.method.to_string()) => {
            Given::Nothing
        }
        Expr::Tuple(tuple) if tuple.elems.is_empty() => Given::Nothing,
        _ => Given::Value,
    }
}

fn of_block(block: &syn::Block) -> Given {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, None)) => given(expr),
        Some(Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _)) => Given::Never,
        Some(Stmt::Macro(mac)) => of_macro(&mac.mac),
        _ => Given::Nothing,
    }
}

fn of_macro(mac: &syn::Macro) -> Given {
    let name = paths::macro_name(&mac.path);
    match name.as_deref() {
        Some(name) if macros::is_diverging_macro(name) => Given::Never,
        Some("vec") => Given::Value,
        _ => Given::Nothing,
    }
}
