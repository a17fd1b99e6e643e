//! The expressions that may be the value of another.

use syn::{Expr, Stmt};

/// An end that is neither `Some(x)` nor `None`.
pub(crate) type Ended = Result<(), Box<Expr>>;

/// Applies `f` to the expressions that may be the value of `expr`.
pub(crate) fn at_ends(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr) -> Ended) -> Ended {
    let of_block = |block: &mut syn::Block, f: &mut dyn FnMut(&mut Expr) -> Ended| match block
        .stmts
        .last_mut()
    {
        Some(Stmt::Expr(end, None)) => at_ends(end, f),
        _ => Ok(()),
    };
    match expr {
        Expr::Block(block) => of_block(&mut block.block, f),
        Expr::Paren(paren) => at_ends(&mut paren.expr, f),
        Expr::If(branch) => {
            of_block(&mut branch.then_branch, f)?;
            match &mut branch.else_branch {
                Some((_, otherwise)) => at_ends(otherwise, f),
                None => Ok(()),
            }
        }
        Expr::Match(branch) => branch
            .arms
            .iter_mut()
            .try_for_each(|arm| at_ends(&mut arm.body, f)),
        end => f(end),
    }
}

/// The expressions that may be the value of a branch.
pub(crate) fn ends_of<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Block(b) => end_of_block(&b.block, found),
        Expr::If(branch) => {
            end_of_block(&branch.then_branch, found);
            if let Some((_, otherwise)) = &branch.else_branch {
                ends_of(otherwise, found);
            }
        }
        Expr::Match(branch) => branch.arms.iter().for_each(|a| ends_of(&a.body, found)),
        expr => found.push(expr),
    }
}

fn end_of_block<'e>(block: &'e syn::Block, found: &mut Vec<&'e Expr>) {
    if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
        ends_of(expr, found);
    }
}
