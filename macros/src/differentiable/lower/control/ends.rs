//! What the end of a block does: it drops what its locals hold.
//!
//! A block is written out among the statements around it, so that its locals live on to the end of those. That is seen where a local has a `Drop`
//! of its own: a guard, a lock, a borrow. Such a block stays one, in the form of a branch that is always taken.

use syn::{Block, Expr, Local, Stmt};

use crate::differentiable::lower::Lower;
use crate::differentiable::methods::table;
use crate::differentiable::resolve::beside::is_of_numbers;
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// Whether the end of a block may do more than forget: it drops an inactive value of a type that is not known.
    pub(crate) fn acts_at_its_end(&self, block: &Block) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            Stmt::Local(Local {
                pat,
                init: Some(init),
                ..
            }) => {
                !matches!(pat, syn::Pat::Type(typed) if is_of_numbers(&typed.ty))
                    && !self.is_varied(&init.expr)
                    && self.may_be_a_guard(&init.expr)
            }
            _ => false,
        })
    }

    /// Whether a local hands a value to another name, which is dropped where that one ends: `let inner = outer;`.
    pub(crate) fn moves_a_guard(&self, init: &Expr) -> bool {
        let is_name = simple_name(init).is_some_and(|name| self.lookup(&name).is_some());
        is_name && !self.is_varied(init) && self.may_be_a_guard(init) && self.acts("drop")
    }

    /// Whether an inactive value may have a `Drop` that acts: nothing is known of what made it, or it is of a type of the user's.
    fn may_be_a_guard(&self, init: &Expr) -> bool {
        match init {
            Expr::Call(call) => match simple_name(&call.func).as_deref() {
                Some("Some" | "Ok" | "Err") => call.args.iter().any(|e| self.may_be_a_guard(e)),
                _ => true,
            },
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                !table::is_pure(&name) && !table::is_query_of_a_value(&name)
            }
            Expr::Path(path) => {
                let local = path.path.get_ident().map(ToString::to_string);
                !path.path.is_ident("None") && !local.is_some_and(|name| self.is_number(&name))
            }
            Expr::Reference(lent) => match &*lent.expr {
                Expr::Path(_) => false,
                made => self.may_be_a_guard(made),
            },
            Expr::Paren(inner) => self.may_be_a_guard(&inner.expr),
            Expr::Group(inner) => self.may_be_a_guard(&inner.expr),
            Expr::Array(list) => list.elems.iter().any(|e| self.may_be_a_guard(e)),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|e| self.may_be_a_guard(e)),
            Expr::Repeat(list) => self.may_be_a_guard(&list.expr),
            Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Closure(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Range(_)
            | Expr::Unary(_) => false,
            _ => true,
        }
    }
}
