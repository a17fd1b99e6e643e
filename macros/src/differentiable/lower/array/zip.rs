//! `Zip::from(&mut a).and(&b).for_each(|a, &b| …)` as a chain of iterators, `azip!` as a `Zip`.

use syn::{Expr, ExprCall, ExprClosure, ExprMethodCall, Pat, Token};

use super::super::Lower;
use super::super::seq::Seq;
use crate::differentiable::ir::*;
use crate::differentiable::paths;

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
pub(super) fn first(call: &ExprMethodCall) -> Option<&Expr> {
    producers(&call.receiver)?.arrays.first().copied()
}

/// The call with a closure that takes the elements of a `Zip` as nested pairs: `|a, (b, c)|`.
pub(in super::super) fn with_pairs(call: &ExprMethodCall) -> Option<ExprMethodCall> {
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
    pub(in super::super) fn zip_seq(&mut self, zip: &Expr) -> Option<Seq> {
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
    pub(super) fn map_collected(&mut self, call: &ExprMethodCall) -> Option<Atom> {
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

/// `azip!((a in &mut x, &b in &y) …)` as `Zip::from(&mut x).and(&y).for_each(|a, &b| …)`.
pub(in super::super) fn written_out(mac: &syn::Macro) -> Option<Expr> {
    if paths::macro_name(&mac.path)? != "azip" {
        return None;
    }
    struct Inside {
        index: Option<Pat>,
        arrays: Vec<(Pat, Expr)>,
        body: Expr,
    }
    impl syn::parse::Parse for Inside {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            let inner;
            syn::parenthesized!(inner in input);
            let mut index = None;
            let fork = inner.fork();
            if fork.parse::<syn::Ident>().is_ok_and(|i| i == "index") && !fork.peek(Token![in]) {
                inner.parse::<syn::Ident>()?;
                index = Some(Pat::parse_single(&inner)?);
                inner.parse::<Token![,]>()?;
            }
            let mut arrays = Vec::new();
            while !inner.is_empty() {
                let pat = Pat::parse_single(&inner)?;
                inner.parse::<Token![in]>()?;
                arrays.push((pat, inner.parse()?));
                inner.parse::<Option<Token![,]>>()?;
            }
            Ok(Self {
                index,
                arrays,
                body: input.parse()?,
            })
        }
    }
    let Inside {
        index,
        arrays,
        body,
    } = mac.parse_body().ok()?;
    let pats: Vec<Pat> = index
        .iter()
        .cloned()
        .chain(arrays.iter().map(|(p, _)| p.clone()))
        .collect();
    let closure: ExprClosure = syn::parse_quote!(|#(#pats),*| #body);
    let (mut arrays, start) = (arrays.iter().map(|(_, a)| a), index.is_some());
    let first = arrays.next()?;
    let zip: Expr = match start {
        true => syn::parse_quote!(::coenzyme::ndarray::Zip::indexed(#first)),
        false => syn::parse_quote!(::coenzyme::ndarray::Zip::from(#first)),
    };
    let zip = arrays.fold(zip, |zip, array| syn::parse_quote!(#zip.and(#array)));
    Some(syn::parse_quote!(#zip.for_each(#closure)))
}
