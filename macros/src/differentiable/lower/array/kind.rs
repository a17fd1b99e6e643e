//! What is an array, and how many axes it has, as far as tokens tell.

use syn::{Expr, ExprMethodCall};

use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::values::formats::slice_parts;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{operations, paths, table};
use crate::differentiable::syntax::names::simple_name;
use crate::signature::{Function, Passing};

/// Whether something is an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Is {
    No,
    /// The result of `dot` may be a number, an operand written with `&` a reference to one.
    Maybe,
    /// With so many axes, if that is known.
    Surely(Option<usize>),
}

impl Is {
    /// The result of an operator, to whose axes both operands are broadcast.
    fn broadcast(self, other: Self) -> Self {
        match (self, other) {
            (Is::Surely(a), Is::Surely(b)) => Is::Surely(a.zip(b).map(|(a, b)| a.max(b))),
            (Is::Surely(_), Is::Maybe) | (Is::Maybe, Is::Surely(_)) => Is::Surely(None),
            (one, Is::No) | (Is::No, one) => one,
            (Is::Maybe, Is::Maybe) => Is::Maybe,
        }
    }

    /// One of two.
    fn either(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Is::Surely(_), _) | (_, Is::Surely(_)) => Is::Surely(None),
            _ => Is::Maybe,
        }
    }

    /// `self.dot(other)`
    fn dot(self, other: Self) -> Self {
        match (self, other) {
            (Is::Surely(Some(1)), Is::Surely(Some(1))) => Is::No,
            (Is::Surely(Some(a)), Is::Surely(Some(b))) if a + b > 2 => Is::Surely(Some(a + b - 2)),
            _ => Is::Maybe,
        }
    }

    /// The number of axes.
    pub(crate) fn rank(self) -> Option<usize> {
        match self {
            Is::Surely(rank) => rank,
            _ => None,
        }
    }

    pub(crate) fn is_surely(self) -> bool {
        matches!(self, Is::Surely(_))
    }

    /// An array with this many axes.
    pub(crate) fn with(rank: usize) -> Self {
        Is::Surely(Some(rank))
    }
}

/// Whether anything in a function tells that it works with arrays: the types of its parameters and of what it returns, or a word of its body.
pub(crate) fn named_in<'a>(
    function: &Function,
    mut words: impl Iterator<Item = &'a String>,
) -> bool {
    let typed = |ty: &syn::Type| of_type(ty) != Is::No;
    typed(&function.output)
        || function.params.iter().any(|p| typed(&p.ty))
        || words.any(|word| {
            paths::is_array_name(word)
                || is_nalgebra(word)
                || table::is_of_arrays(word)
                || [
                    "Zip", "array", "aview1", "aview2", "ncols", "ndarray", "nrows", "raw_dim",
                    "view",
                ]
                .contains(&word.as_str())
        })
}

/// Memory of `nalgebra`, whose operators are found by type as those of arrays are.
fn is_nalgebra(name: &str) -> bool {
    ["DMatrix", "DVector", "RowDVector", "OMatrix", "OVector"].contains(&name)
}

/// What the tokens of a type tell.
pub(crate) fn of_type(ty: &syn::Type) -> Is {
    match ty {
        syn::Type::Path(path) => of_path(&path.path, 0),
        syn::Type::Reference(reference) => of_type(&reference.elem),
        _ => Is::No,
    }
}

/// `Array`, `Array2`, `ArrayView<f64, Ix1>` and so on, as the segment before the last `skip`.
pub(crate) fn of_path(path: &syn::Path, skip: usize) -> Is {
    let Some(segment) = path.segments.iter().rev().nth(skip) else {
        return Is::No;
    };
    let name = segment.ident.to_string();
    if is_nalgebra(&name) {
        return Is::Maybe;
    }
    if !paths::is_array_name(&name) {
        return Is::No;
    }
    let axes = |ty: &syn::Type| match ty {
        syn::Type::Path(path) => {
            let name = path.path.segments.last()?.ident.to_string();
            name.strip_prefix("Ix")?.parse().ok()
        }
        _ => None,
    };
    let in_generics = || match &segment.arguments {
        syn::PathArguments::AngleBracketed(generics) => {
            generics.args.iter().find_map(|a| match a {
                syn::GenericArgument::Type(ty) => axes(ty),
                _ => None,
            })
        }
        _ => None,
    };
    let last = name.chars().last().and_then(|c| c.to_digit(10));
    Is::Surely(last.map(|n| n as usize).or_else(in_generics))
}

/// The axes of a shape: `n` or `(m, n)`.
fn axes_of_shape(shape: &Expr) -> Option<usize> {
    match shape {
        Expr::Tuple(tuple) => Some(tuple.elems.len()),
        Expr::Array(list) => Some(list.elems.len()),
        Expr::Lit(_) => Some(1),
        Expr::MethodCall(call)
            if call.method == "len" || call.method.to_string().starts_with('n') =>
        {
            Some(1)
        }
        _ => None,
    }
}

/// The axes that are left of `s![.., 1..3, 0]`.
fn axes_of_slice(slice: &Expr) -> Option<usize> {
    let Expr::Macro(mac) = slice else { return None };
    let parts = slice_parts(&mac.mac)?;
    let stays = |range: &Expr| match range {
        Expr::Range(_) => true,
        Expr::Path(path) => path.path.is_ident("NewAxis"),
        _ => false,
    };
    Some(parts.iter().filter(|part| stays(&part.range)).count())
}

/// What a method of an array with so many axes gives, if that is an array: as many, fewer, more.
fn of_method(call: &ExprMethodCall, rank: Option<usize>) -> Option<Option<usize>> {
    let fewer = rank.and_then(|r| r.checked_sub(1));
    Some(match call.method.to_string().as_str() {
        "t"
        | "reversed_axes"
        | "permuted_axes"
        | "swap_axes"
        | "select"
        | "slice_axis"
        | "slice_axis_mut"
        | "clone"
        | "to_owned"
        | "into_owned"
        | "view"
        | "view_mut"
        | "reborrow"
        | "as_standard_layout"
        | "into_standard_layout" => rank,
        "row" | "row_mut" | "column" | "column_mut" | "diag" | "diag_mut" | "into_diag"
        | "flatten" | "into_flat" => Some(1),
        "index_axis" | "index_axis_mut" | "index_axis_move" | "remove_axis" | "sum_axis"
        | "mean_axis" | "var_axis" | "std_axis" | "fold_axis" | "map_axis" | "product_axis" => {
            fewer
        }
        "insert_axis" => rank.map(|r| r + 1),
        // of `nalgebra`
        "transpose" | "tr_mul" | "try_inverse" | "lu" | "cholesky" | "solve" | "inverse" | "l"
        | "component_mul" | "component_div" | "rows" | "columns" | "diagonal" | "normalize"
        | "fixed_rows" | "fixed_columns" => None,
        "slice" | "slice_mut" | "slice_move" => call.args.first().and_then(axes_of_slice),
        "broadcast" | "to_shape" | "into_shape_with_order" | "into_shape_clone" => {
            call.args.first().and_then(axes_of_shape)
        }
        _ => return None,
    })
}

impl Lower<'_> {
    /// Whether the value of `expr` may be an array.
    pub(crate) fn is_array(&self, expr: &Expr) -> bool {
        self.kind(expr) != Is::No
    }

    /// What is known of the value of `expr`.
    pub(crate) fn kind(&self, expr: &Expr) -> Is {
        match expr {
            Expr::Paren(paren) => self.kind(&paren.expr),
            Expr::Group(group) => self.kind(&group.expr),
            Expr::Reference(reference) => self.kind(&reference.expr),
            Expr::Try(question) => self.kind(&question.expr),
            Expr::Unary(unary) => match unary.op {
                syn::UnOp::Neg(_) => self.operand_kind(&unary.expr),
                syn::UnOp::Deref(_) => self.kind(&unary.expr),
                _ => Is::No,
            },
            Expr::Path(_) => self.kind_of_name(expr),
            Expr::Binary(binary) if operations::operator(&binary.op).is_some() => self
                .factor_kind(&binary.left)
                .broadcast(self.factor_kind(&binary.right)),
            Expr::Call(call) => self.kind_of_call(call),
            Expr::MethodCall(call) => self.kind_of_method(call),
            Expr::Macro(mac) => self.kind_of_macro(&mac.mac),
            // a branch is what its ends are
            Expr::Block(block) => self.kind_of_block(&block.block),
            Expr::If(branch) => match &branch.else_branch {
                Some((_, otherwise)) => self
                    .kind_of_block(&branch.then_branch)
                    .either(self.kind(otherwise)),
                None => Is::No,
            },
            Expr::Match(branch) => {
                let arms = branch.arms.iter().map(|a| self.kind(&a.body));
                arms.reduce(Is::either).unwrap_or(Is::No)
            }
            _ => Is::No,
        }
    }

    fn kind_of_name(&self, name: &Expr) -> Is {
        let binding = simple_name(name).and_then(|n| self.lookup(&n));
        let noted = match binding {
            Some(Binding::Def(d)) => self.arrays.get(&Base::Def(*d)),
            Some(Binding::Root(r)) => self.arrays.get(&Base::Root(*r)),
            Some(Binding::Alias { place, .. }) if place.suffix.is_empty() => {
                self.arrays.get(&place.base)
            }
            Some(Binding::Alias { place, .. }) => {
                let key = (place.base, place.suffix.to_string());
                self.array_places.get(&key)
            }
            Some(Binding::Part(part)) => return Is::Surely(part.rank),
            _ => None,
        };
        match (noted, binding) {
            (Some(is), _) if *is != Is::No => *is,
            (_, Some(Binding::Def(d))) => self.kind_by_methods(name, Base::Def(*d)),
            (_, Some(Binding::Root(r))) => self.kind_by_methods(name, Base::Root(*r)),
            _ => Is::No,
        }
    }

    /// What the methods tell that are called on a name for what a function returned, or for memory made of that.
    fn kind_by_methods(&self, name: &Expr, base: Base) -> Is {
        let called = simple_name(name).is_some_and(|n| self.usage.arrays.contains(&n));
        let returned = match base {
            Base::Def(d) => matches!(self.program.defs[d].kind, DefKind::Call(_)),
            Base::Root(r) => self.program.roots[r].kind == RootKind::Memory,
        };
        match called && returned && self.type_of_base(base).is_none() {
            true => Is::Surely(None),
            false => Is::No,
        }
    }

    fn kind_of_call(&self, call: &syn::ExprCall) -> Is {
        let Expr::Path(path) = &*call.func else {
            return Is::No;
        };
        let name = path.path.segments.last().map(|s| s.ident.to_string());
        match (of_path(&path.path, 1), name.as_deref()) {
            // the shape tells
            (
                Is::Surely(None),
                Some("zeros" | "ones" | "from_elem" | "from_shape_fn" | "from_shape_vec"),
            ) => Is::Surely(call.args.first().and_then(axes_of_shape)),
            (is @ (Is::Surely(_) | Is::Maybe), _) => is,
            (_, Some("arr1")) => Is::with(1),
            (_, Some("arr2")) => Is::with(2),
            (_, Some("concatenate" | "stack")) => match super::joined::parts(call) {
                Some(parts) => self.kind_of_joined(name.as_deref() == Some("stack"), &parts),
                None => Is::No,
            },
            _ => Is::No,
        }
    }

    fn kind_of_macro(&self, mac: &syn::Macro) -> Is {
        match super::create::Literal::parse(mac) {
            Some(literal) => Is::with(literal.shape.len()),
            None => match super::joined::parts_of_macro(mac) {
                Some((stacks, _, parts)) => self.kind_of_joined(stacks, &parts),
                None => Is::No,
            },
        }
    }

    pub(crate) fn kind_of_joined(&self, stacks: bool, parts: &[Expr]) -> Is {
        let rank = parts.first().and_then(|p| self.kind(p).rank());
        Is::Surely(rank.map(|r| r + usize::from(stacks)))
    }

    fn kind_of_block(&self, block: &syn::Block) -> Is {
        match block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => self.kind(tail),
            _ => Is::No,
        }
    }

    fn kind_of_method(&self, call: &ExprMethodCall) -> Is {
        let name = call.method.to_string();
        match name.as_str() {
            "sum" | "mean" | "var" | "std" | "product" | "fold" => return Is::No,
            "unwrap" | "expect" => return self.kind(&call.receiver),
            "dot" => {
                let other = call.args.first().map_or(Is::No, |a| self.kind(a));
                return match self.receiver_kind(call).dot(other) {
                    // a method of the user's, of vectors: a number
                    Is::Maybe if !self.names_arrays => Is::No,
                    is => is,
                };
            }
            // of a `Zip`
            "map_collect" => {
                return match super::zip::first(call) {
                    Some(first) => Is::Surely(self.kind(first).rank()),
                    None => Is::No,
                };
            }
            _ => {}
        }
        // asked for once: a chain of calls would ask twice for each, and twice again for the one before
        let receiver = self.receiver_kind(call);
        match receiver {
            _ if is_entrywise_on(receiver, call) => Is::Surely(receiver.rank()),
            Is::No => Is::No,
            Is::Maybe if of_method(call, None).is_some() => Is::Maybe,
            Is::Maybe => Is::No,
            Is::Surely(rank) => of_method(call, rank).map_or(Is::No, Is::Surely),
        }
    }

    /// As [`kind`](Self::kind), of the receiver of a method, whose name may tell that it is an array.
    pub(crate) fn receiver_kind(&self, call: &ExprMethodCall) -> Is {
        match self.kind(&call.receiver) {
            Is::No if table::is_of_arrays(&call.method.to_string()) && is_field(&call.receiver) => {
                Is::Surely(None)
            }
            is => is,
        }
    }

    /// As [`kind`](Self::kind), for an operand: one that is written with `&` makes the operation one of arrays.
    pub(crate) fn operand_kind(&self, expr: &Expr) -> Is {
        match (expr, self.kind(expr)) {
            (Expr::Paren(paren), Is::No) => self.operand_kind(&paren.expr),
            (Expr::Reference(_), Is::No) => Is::Maybe,
            (_, is) => is,
        }
    }

    /// As [`operand_kind`](Self::operand_kind), for one of two: a parameter that is a reference to a type of the user's is written with `&`
    /// where it is declared.
    fn factor_kind(&self, expr: &Expr) -> Is {
        match self.operand_kind(expr) {
            Is::No if self.is_own_reference(expr) => Is::Maybe,
            is => is,
        }
    }

    fn is_own_reference(&self, expr: &Expr) -> bool {
        let binding = simple_name(expr).and_then(|n| self.lookup(&n));
        if let Some(Binding::Alias { place, .. }) = binding {
            let is_own = |ty| self.is_own_type(&ty);
            return self.form(expr) == OperandForm::Reference
                && self.type_of_place(place).is_some_and(is_own);
        }
        let Some(Binding::Root(root)) = binding else {
            return false;
        };
        let RootKind::Param { index, passing } = self.program.roots[*root].kind else {
            return false;
        };
        passing == Passing::Shared && self.is_own_type(&self.parameter_types[index])
    }

    pub(crate) fn is_operand(&self, expr: &Expr) -> bool {
        self.operand_kind(expr) != Is::No
    }

    /// `a.mapv(f)`, `a.exp()`, `a.powi(2)`.
    pub(crate) fn is_entrywise(&self, call: &ExprMethodCall) -> bool {
        is_entrywise_on(self.receiver_kind(call), call)
    }

    /// Notes that a name is bound to what an expression was.
    pub(crate) fn note_array(&mut self, name: &str, is: Is) {
        match self.lookup(name) {
            Some(Binding::Def(d)) => self.note_place(&place::whole(Base::Def(*d)), is),
            Some(Binding::Root(r)) => self.note_place(&place::whole(Base::Root(*r)), is),
            Some(Binding::Alias { place, .. }) => self.note_place(&place.clone(), is),
            _ => {}
        }
    }

    /// Notes that a place is an array.
    pub(crate) fn note_place(&mut self, place: &Place, is: Is) {
        match place.suffix.is_empty() {
            true => {
                self.arrays.insert(place.base, is);
            }
            false => {
                let key = (place.base, place.suffix.to_string());
                self.array_places.insert(key, is);
            }
        }
    }

    /// What a binding to this will be, if it may be an array.
    pub(crate) fn noted(&self, ty: Option<&syn::Type>, init: &Expr) -> Option<Is> {
        let is = match ty.map_or(Is::No, of_type) {
            Is::No => self.kind(init),
            is => is,
        };
        Some(is).filter(|is| *is != Is::No)
    }
}

/// A field, whose type is not known.
fn is_field(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Paren(paren) => is_field(&paren.expr),
        Expr::Reference(reference) => is_field(&reference.expr),
        _ => false,
    }
}

/// Whether a method of a receiver of this kind goes over its entries.
fn is_entrywise_on(receiver: Is, call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    match receiver {
        Is::No => false,
        Is::Maybe => name.starts_with("mapv"),
        Is::Surely(_) => {
            operations::method(&name, call.args.len()).is_some()
                || ["mapv", "mapv_into", "map"].contains(&name.as_str())
        }
    }
}
