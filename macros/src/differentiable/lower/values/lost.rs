//! What loses a derivative without a word, as far as it can be seen: numbers that go through their bits or through text, and states
//! that a checkpoint does not know of.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use crate::differentiable::front::options::{self, Steer};
use crate::differentiable::methods::operations;
use crate::differentiable::resolve::usage;
use crate::differentiable::resolve::varied::{bound_names, place_root};
use crate::differentiable::tokens::text::{idents, words};
use crate::errors::Errors;

/// Refuses to make numbers out of the bits or the text of a varied one.
pub(crate) fn check_numbers(body: &syn::Block, varied: &HashSet<String>, errors: &mut Errors) {
    let mut marked = Marked {
        varied,
        names: HashSet::new(),
    };
    loop {
        let before = marked.names.len();
        marked.visit_block(body);
        if marked.names.len() == before {
            break;
        }
    }
    let mut made = Made { marked, errors };
    made.visit_block(body);
}

/// Finds the names of what was made of the bits or the text of something varied.
struct Marked<'a> {
    varied: &'a HashSet<String>,
    names: HashSet<String>,
}

impl Marked<'_> {
    /// Whether an expression takes the bits or the text of something varied, or names what was made of such.
    fn is_in(&self, expr: &Expr) -> bool {
        struct Taken<'a>(&'a Marked<'a>, bool);
        impl<'ast> Visit<'ast> for Taken<'_> {
            fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
                const TAKES: &[&str] = &[
                    "to_bits",
                    "to_ne_bytes",
                    "to_le_bytes",
                    "to_be_bytes",
                    "to_string",
                ];
                if TAKES.iter().any(|m| call.method == m) {
                    self.1 |= self.0.names_varied(call.receiver.to_token_stream());
                }
                visit::visit_expr_method_call(self, call);
            }
            fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
                let name = path.path.get_ident().map(ToString::to_string);
                self.1 |= name.is_some_and(|name| self.0.names.contains(&name));
            }
            fn visit_macro(&mut self, mac: &'ast syn::Macro) {
                let prints = ["format", "write", "writeln"];
                if prints.iter().any(|m| mac.path.is_ident(m)) {
                    self.1 |= self.0.names_varied(mac.tokens.clone());
                }
            }
        }
        let mut taken = Taken(self, false);
        taken.visit_expr(expr);
        taken.1
    }

    fn names_varied(&self, tokens: TokenStream) -> bool {
        words(tokens).iter().any(|name| self.varied.contains(name))
    }
}

impl<'ast> Visit<'ast> for Marked<'_> {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init
            && self.is_in(&init.expr)
        {
            self.names.extend(bound_names(&local.pat));
        }
        visit::visit_local(self, local);
    }
    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        if self.is_in(&expr.expr) {
            self.names.extend(bound_names(&expr.pat));
        }
        visit::visit_expr_let(self, expr);
    }
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if self.is_in(&assign.right) {
            self.names.extend(place_root(&assign.left));
        }
        visit::visit_expr_assign(self, assign);
    }
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let assigns = operations::compound(&binary.op).is_some();
        if assigns && self.is_in(&binary.right) {
            self.names.extend(place_root(&binary.left));
        }
        visit::visit_expr_binary(self, binary);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        // `bits.store(x.to_bits(), …)`, `text.push_str(&x.to_string())`
        if call.args.iter().any(|a| self.is_in(a)) {
            self.names.extend(place_root(&call.receiver));
        }
        visit::visit_expr_method_call(self, call);
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(written) = usage::written_by_macro(mac)
            && self.names_varied(mac.tokens.clone())
        {
            self.names.insert(written);
        }
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Finds numbers that are made of bits or text.
struct Made<'a> {
    marked: Marked<'a>,
    errors: &'a mut Errors,
}

impl Made<'_> {
    fn refuse(&mut self, at: impl ToTokens, through: &str) {
        self.errors.at(
            at,
            format!("a number that goes through its {through} loses its derivative: compute with the number itself, or in a function marked `#[primitive]` with its rule"),
        );
    }
}

impl<'ast> Visit<'ast> for Made<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
            && call.args.iter().any(|a| self.marked.is_in(a))
        {
            match last.ident.to_string().as_str() {
                "from_bits" | "from_ne_bytes" | "from_le_bytes" | "from_be_bytes" | "transmute" => {
                    self.refuse(&call.func, "bits");
                }
                "from_str" => self.refuse(&call.func, "text"),
                _ => {}
            }
        }
        visit::visit_expr_call(self, call);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "parse" && self.marked.is_in(&call.receiver) {
            self.refuse(&call.method, "text");
        }
        visit::visit_expr_method_call(self, call);
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Refuses `#[checkpoint]` on rounds that keep a state in cells or atomics: it would not be restored.
pub(crate) fn check_checkpoints(
    body: &syn::Block,
    parameters: impl Iterator<Item = (String, syn::Type)>,
    errors: &mut Errors,
) {
    let hidden = parameters.filter(|(_, ty)| is_cell(ty.to_token_stream()));
    let mut cells = Cells(hidden.map(|(name, _)| name).collect());
    loop {
        let before = cells.0.len();
        cells.visit_block(body);
        if cells.0.len() == before {
            break;
        }
    }
    Rounds { cells, errors }.visit_block(body);
}

/// Whether a type or a value is one that changes behind a shared reference, as far as tokens tell.
fn is_cell(tokens: TokenStream) -> bool {
    const CELLS: &[&str] = &[
        "Cell",
        "RefCell",
        "UnsafeCell",
        "OnceCell",
        "LazyCell",
        "Mutex",
        "RwLock",
        "OnceLock",
    ];
    idents(tokens)
        .iter()
        .any(|word| CELLS.contains(&word.as_str()) || word.starts_with("Atomic"))
}

/// The names of cells, and of closures and others that are made with them.
struct Cells(HashSet<String>);

impl Cells {
    fn named(&self, tokens: TokenStream) -> Option<String> {
        idents(tokens)
            .into_iter()
            .find(|name| self.0.contains(name))
    }
}

impl<'ast> Visit<'ast> for Cells {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let ty = match &local.pat {
            Pat::Type(typed) => typed.ty.to_token_stream(),
            _ => TokenStream::new(),
        };
        if let Some(init) = &local.init {
            let tokens = init.expr.to_token_stream();
            let lends = matches!(
                &*init.expr,
                Expr::Closure(_) | Expr::Reference(_) | Expr::Path(_)
            );
            if is_cell(ty) || is_cell(tokens.clone()) || lends && self.named(tokens).is_some() {
                self.0.extend(bound_names(&local.pat));
            }
        }
        visit::visit_local(self, local);
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if is_cell(item.ty.to_token_stream()) {
            self.0.insert(item.ident.to_string());
        }
    }
}

/// Looks into the loops under `#[checkpoint]`.
struct Rounds<'a> {
    cells: Cells,
    errors: &'a mut Errors,
}

impl<'ast> Visit<'ast> for Rounds<'_> {
    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        if matches!(options::steer(&l.attrs), Ok(Some(Steer::Checkpoint(_)))) {
            let named = self.cells.named(l.body.to_token_stream());
            let mut changes = Changes(None);
            changes.visit_block(&l.body);
            if let Some(name) = named.or(changes.0) {
                self.errors.at(
                    l.for_token,
                    format!("`#[checkpoint]` runs these rounds again from the values of locals, and what `{name}` holds is not restored: carry the state in a local, or leave `#[checkpoint]` away"),
                );
            }
        }
        visit::visit_expr_for_loop(self, l);
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Finds a change behind a shared reference, and of what.
struct Changes(Option<String>);

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let of = place_root(&call.receiver);
        let is_static = of.as_ref().is_some_and(|n| {
            n.chars()
                .all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
        });
        let of_statics = [
            "set",
            "replace",
            "take",
            "store",
            "with",
            "with_borrow_mut",
            "lock",
            "write",
            "update",
        ];
        if name.starts_with("fetch_")
            || name.starts_with("compare_exchange")
            || name == "borrow_mut"
            || is_static && of_statics.contains(&name.as_str())
        {
            self.0 = self.0.take().or(Some(of.unwrap_or(name)));
        }
        visit::visit_expr_method_call(self, call);
    }
}
