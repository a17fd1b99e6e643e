//! Whether an `Index` chooses its place by numbers: `fn index(&self, i: usize) -> &f64 { &self.v[i + self.head as usize] }` with `head: f64`.
//!
//! It is applied to the shadow, whose numbers are derivatives, and would point at another place there. The file has the fields and the
//! implementation; what a function that it calls does is not followed.

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Ident, Item, Member};

use super::answers::Answers;
use super::source;

/// The types of a file whose `Index` reads numbers.
type Types = HashSet<String>;

thread_local!(static KNOWN: Answers<Types> = Answers::default());

/// Whether a type is one of them.
pub(crate) fn reads_numbers(ty: &Ident) -> bool {
    source::found(ty, &KNOWN, read).is_some_and(|types| types.contains(&ty.to_string()))
}

/// Whether there are any in the file of an identifier.
pub(crate) fn may_read_numbers(name: &Ident) -> bool {
    source::found(name, &KNOWN, read).is_some_and(|types| !types.is_empty())
}

fn read(file: &syn::File) -> Types {
    let mut numbers: HashMap<String, Vec<String>> = HashMap::new();
    source::items(&file.items, &mut |item| {
        if let Item::Struct(item) = item {
            let of_numbers = |field: &syn::Field| {
                let ty = field.ty.to_token_stream().to_string();
                ty.contains("f64") || ty.contains("f32")
            };
            let fields = item.fields.iter().enumerate();
            let names = fields
                .filter(|(_, field)| of_numbers(field))
                .map(|(at, field)| {
                    field
                        .ident
                        .as_ref()
                        .map_or_else(|| at.to_string(), ToString::to_string)
                });
            numbers.insert(item.ident.to_string(), names.collect());
        }
    });
    let mut types = Types::new();
    source::implementations(file, &["Index", "IndexMut"], &mut |name, block| {
        let mut find = Reads {
            numbers: numbers.get(&name).map(Vec::as_slice).unwrap_or_default(),
            found: false,
        };
        find.visit_item_impl(block);
        if find.found {
            types.insert(name);
        }
    });
    types
}

/// Whether a number of `self` is read: cast, compared, or searched for.
struct Reads<'a> {
    /// The fields that hold numbers.
    numbers: &'a [String],
    found: bool,
}

impl<'ast> Visit<'ast> for Reads<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Cast(cast) => self.names_a_number(&cast.expr),
            Expr::Binary(binary) if compares(&binary.op) => {
                self.names_a_number(&binary.left) || self.names_a_number(&binary.right)
            }
            Expr::MethodCall(call) => {
                SEARCHES.iter().any(|name| call.method == name)
                    && self.names_a_number(&call.receiver)
            }
            _ => false,
        };
        visit::visit_expr(self, expr);
    }
}

impl Reads<'_> {
    fn names_a_number(&self, expr: &Expr) -> bool {
        let mut find = Names {
            numbers: self.numbers,
            found: false,
        };
        find.visit_expr(expr);
        find.found
    }
}

fn compares(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// Methods whose answer depends on the entries.
const SEARCHES: &[&str] = &[
    "all",
    "any",
    "binary_search_by",
    "filter",
    "find",
    "max_by",
    "min_by",
    "partition_point",
    "position",
    "rposition",
    "skip_while",
    "take_while",
    "to_bits",
    "total_cmp",
    "partial_cmp",
];

/// Whether a field of `self` that holds numbers is named, otherwise than to ask for its length.
struct Names<'a> {
    numbers: &'a [String],
    found: bool,
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        let name = match &field.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(at) => at.index.to_string(),
        };
        let of_self = matches!(&*field.base, Expr::Path(path) if path.path.is_ident("self"));
        self.found |= of_self && self.numbers.contains(&name);
        visit::visit_expr_field(self, field);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let asks_length = ["len", "is_empty", "dim", "nrows", "ncols"];
        if !asks_length.iter().any(|name| call.method == name) {
            visit::visit_expr_method_call(self, call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn an_index_that_reads_numbers_is_told_from_one_that_counts() {
        let file = "
            struct Ring { v: Vec<f64>, head: f64 }
            impl Index<usize> for Ring { type Output = f64; fn index(&self, i: usize) -> &f64 { &self.v[(i + self.head as usize) % self.v.len()] } }
            struct First(Vec<f64>);
            impl Index<f64> for First { type Output = f64; fn index(&self, t: f64) -> &f64 { &self.0[self.0.iter().position(|v| *v > t).unwrap()] } }
            struct Grid { w: u32, v: Vec<f64> }
            impl Index<(usize, usize)> for Grid { type Output = f64; fn index(&self, at: (usize, usize)) -> &f64 { &self.v[at.0 * self.w as usize + at.1] } }
            struct Table(Vec<f64>);
            impl Index<f64> for Table { type Output = f64; fn index(&self, t: f64) -> &f64 { &self.0[(t as usize).min(self.0.len() - 1)] } }
        ";
        let mut types: Vec<_> = read(&syn::parse_file(file).unwrap()).into_iter().collect();
        types.sort();
        assert_eq!(types, ["First", "Ring"]);
    }
}
