//! Functions that may change the length of a vector which they are lent: `fn record(&mut self, x: f64) { self.history.push(x) }`.
//!
//! What their callers lend them has another length afterwards. Only names are told, for all functions of a crate together; a caller of one
//! whose name is not told keeps the length for what it was, which the function itself says is wrong when the derivative runs.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Pat, ReceiverKind, Signature, Type};

use super::field_lengths;
use super::varied::place_root;
use crate::differentiable::methods::{paths, table};
use crate::files::own_field::{self, Kind};

/// How a length changes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Change {
    /// By methods of the vector, `push` and the like.
    Grows,
    /// By an assignment of a field.
    Refits,
}

/// The names of those among some functions that change a length in this way.
pub(crate) fn names<'a, I>(bodies: impl Fn() -> I, how: Change) -> HashSet<String>
where
    I: Iterator<Item = (&'a Signature, &'a Block)>,
{
    let mut known = HashSet::new();
    loop {
        let more: Vec<String> = bodies()
            .filter(|(sig, _)| !known.contains(&sig.ident.to_string()) && is_lent(sig))
            .filter(|(sig, block)| Find::in_body(sig, block, &known, how))
            .map(|(sig, _)| sig.ident.to_string())
            .collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more);
    }
}

/// Whether a function is lent what may be, or hold, a vector.
fn is_lent(sig: &Signature) -> bool {
    sig.inputs.iter().any(|arg| match arg {
        FnArg::Receiver(this) => matches!(this.kind, ReceiverKind::Reference(_, _, Some(_))),
        FnArg::Typed(arg) => matches!(&*arg.ty, Type::Reference(lent)
            if lent.mutability.is_some() && !matches!(&*lent.elem, Type::Slice(_))),
    })
}

/// Looks for methods that change a length, and for calls of what does.
struct Find<'a> {
    known: &'a HashSet<String>,
    how: Change,
    /// Locals that are vectors or structs of the function's own.
    own: HashSet<String>,
    params: HashSet<String>,
    found: bool,
}

impl Find<'_> {
    fn in_body(sig: &Signature, block: &Block, known: &HashSet<String>, how: Change) -> bool {
        let params = sig.inputs.iter().filter_map(|arg| match arg {
            FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let mut find = Find {
            known,
            how,
            own: HashSet::new(),
            params: params.collect(),
            found: false,
        };
        find.visit_block(block);
        find.found
    }

    fn is_own(&self, root: Option<String>) -> bool {
        root.is_some_and(|root| self.own.contains(&root))
    }

    /// Notes that fields of this name get another length.
    fn refits(&mut self, root: Option<String>) {
        let refits = self.how == Change::Refits && root.is_some();
        self.found |= refits && !self.is_own(root);
    }
}

/// Whether a field is a vector, as the structs of the file say.
fn is_vector(field: &syn::ExprField) -> bool {
    matches!(&field.member, syn::Member::Named(name) if own_field::kind(name) == Some(Kind::Vector))
}

/// Whether an expression makes what holds vectors, for a change of which its caller cannot ask.
fn makes_a_struct(init: &Expr) -> bool {
    matches!(init, Expr::Struct(_) | Expr::Call(_))
}

/// Whether an expression makes a vector.
fn makes_a_vector(init: &Expr) -> bool {
    match init {
        Expr::Macro(made) => paths::is_vec(&made.mac.path),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(path) if path.path.segments.iter().any(|s| s.ident == "Vec"))
        }
        Expr::MethodCall(call) => ["clone", "collect", "to_vec"]
            .iter()
            .any(|made| call.method == made),
        _ => false,
    }
}

impl<'a> Visit<'a> for Find<'_> {
    fn visit_local(&mut self, local: &'a syn::Local) {
        let pat = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        if let (Pat::Ident(name), Some(init)) = (pat, &local.init) {
            let name = name.ident.to_string();
            let makes = match self.how {
                Change::Grows => makes_a_vector(&init.expr),
                Change::Refits => makes_a_struct(&init.expr),
            };
            if makes && !self.params.contains(&name) {
                self.own.insert(name);
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.to_string();
        let grows = self.how == Change::Grows && table::resizes(&name);
        self.found |=
            grows && !self.is_own(place_root(&call.receiver)) || self.known.contains(&name);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        // `mem::take(&mut self.history)`
        if let Some(Expr::Reference(taken)) = call.args.first()
            && self.how == Change::Grows
            && paths::is(&call.func, &["mem", "take"], 2)
        {
            self.found |= matches!(&*taken.expr, Expr::Field(field) if is_vector(field));
        }
        self.refits(field_lengths::replaced(call));
        if let Expr::Path(path) = &*call.func {
            let last = path.path.segments.last();
            self.found |= last.is_some_and(|last| self.known.contains(&last.ident.to_string()));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.refits(field_lengths::assigned(assign));
        visit::visit_expr_assign(self, assign);
    }

    // one that stands inside is another
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
