//! `Zip::from(&mut a).and(&b).for_each(|a, &b| …)` as a chain of iterators, `azip!` as a `Zip`.

use syn::{Expr, ExprCall, ExprMethodCall, Pat};

use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::iterators::seq::Seq;
use crate::differentiable::methods::paths;

/// What is run through side by side, and whether the indices come first.
struct Producers<'e> {
    indexed: bool,
    arrays: Vec<&'e Expr>,
}

/// The arrays of `Zip::from(a).and(b)`.
fn producers(zip: &Expr) -> Option<Producers<'_>> {
    match zip {
        Expr::MethodCall(call) if call.method == "and" => {
            let mut before = producers(&call.receiver)?;
            before.arrays.push(call.args.first()?);
            Some(before)
        }
        Expr::Call(ExprCall { func, args, .. }) => {
            let indexed = paths::is(func, &["Zip", "indexed"], 2);
            if !indexed && !paths::is(func, &["Zip", "from"], 2) {
                return None;
            }
            let arrays = vec![args.first()?];
            Some(Producers { indexed, arrays })
        }
        _ => None,
    }
}

/// The first array of a `Zip` that a method is called on.
pub(crate) fn first(call: &ExprMethodCall) -> Option<&Expr> {
    producers(&call.receiver)?.arrays.first().copied()
}

/// The call with a closure that takes the elements of a `Zip` as nested pairs: `|a, (b, c)|`.
pub(crate) fn with_pairs(call: &ExprMethodCall) -> Option<ExprMethodCall> {
    producers(&call.receiver)?;
    let mut call = call.clone();
    let folds = call.method == "fold";
    let Some(Expr::Closure(f)) = call.args.last_mut() else {
        return None;
    };
    let mut inputs: Vec<Pat> = f.inputs.iter().cloned().collect();
    let elements = inputs.split_off(usize::from(folds).min(inputs.len()));
    inputs.extend(elements.into_iter().rev().reduce(pair));
    f.inputs = inputs.into_iter().collect();
    Some(call)
}

fn pair(rest: Pat, first: Pat) -> Pat {
    syn::parse_quote!((#first, #rest))
}

impl Lower<'_> {
    /// The elements of a `Zip` as nested pairs.
    pub(crate) fn zip_seq(&mut self, zip: &Expr) -> Option<Seq> {
        let Producers { indexed, arrays } = producers(zip)?;
        let mut seqs = Vec::new();
        if indexed {
            let part = self.viewed_part(arrays[0], false)?;
            let (shape, rank) = (part.shapes.1, part.rank);
            seqs.push(Seq::Array(super::ArraySeq::Indices { shape, rank }));
        }
        for array in arrays {
            seqs.push(self.seq(array)?);
        }
        seqs.into_iter()
            .rev()
            .reduce(|rest, first| Seq::Zip(Box::new(first), Box::new(rest)))
    }

    /// `Zip::from(&a).and(&b).map_collect(f)`
    pub(crate) fn map_collected(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let first = first(call).filter(|_| call.method == "map_collect")?;
        let shape = self.viewed_part(first, false)?.shapes.1;
        let (call, is) = (
            with_pairs(call)?,
            self.kind(&Expr::MethodCall(call.clone())),
        );
        let (zip, f) = (&call.receiver, call.args.first()?);
        let values: Expr = syn::parse_quote!(#zip.map(#f).collect::<Vec<_>>());
        self.shaped(&values, Atom::Def(shape), is)
    }
}
