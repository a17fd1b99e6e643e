//! Iterators that functions of `std::iter` make, and `drain`.

use quote::quote;
use syn::{Expr, ExprCall, ExprClosure, ExprMethodCall};

use super::element::Element;
use super::looped::Body;
use super::seq::{Seq, Until};
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::options;

impl<'l> Lower<'l> {
    /// `std::iter::once(x)`, `zip(a, b)`, `repeat(x)`, `repeat_n(x, n)`, `repeat_with(f)`, `from_fn(f)`, `successors(Some(x), f)`.
    pub(crate) fn made(&mut self, call: &ExprCall) -> Option<Seq> {
        let (first, second) = (call.args.first()?, call.args.get(1));
        match (named(&call.func).as_str(), first, second) {
            ("once", Expr::Reference(entry), None) => {
                let entry = &entry.expr;
                self.seq(&syn::parse_quote!([#entry]))
            }
            ("once", entry, None) => self.seq(&syn::parse_quote!([#entry])),
            ("repeat", entry, None) => self.seq(&syn::parse_quote!((0_usize..).map(|_| #entry))),
            // `0..n = 2` is no expression
            ("repeat_n", entry, Some(n @ (Expr::Path(_) | Expr::Lit(_)))) => {
                self.seq(&syn::parse_quote!((0..#n).map(|_| #entry)))
            }
            ("repeat_n", entry, Some(n)) => self.seq(&syn::parse_quote!((0..(#n)).map(|_| #entry))),
            ("repeat_with", Expr::Closure(f), None) if f.inputs.is_empty() => {
                let always = for_anything(f);
                self.seq(&syn::parse_quote!((0_usize..).map(#always)))
            }
            ("from_fn", Expr::Closure(f), None) if f.inputs.is_empty() => {
                let numbers = self.seq(&syn::parse_quote!((0_usize..)))?;
                let f = for_anything(f);
                Some(Seq::FilterMap(Box::new(numbers), f, Until::None))
            }
            ("successors", Expr::Call(some), Some(Expr::Closure(f))) if options::is_some(some) => {
                Some(Seq::Successors(some.args[0].clone(), f.clone()))
            }
            ("zip", a, Some(b)) => {
                let (a, b) = (self.seq(a)?, self.seq(b)?);
                Some(Seq::Zip(Box::new(a), Box::new(b)))
            }
            _ => None,
        }
    }

    /// Runs `body` for the first element, and for each that the closure gives for the one before.
    pub(crate) fn each_successor(
        &mut self,
        first: &Expr,
        f: &ExprClosure,
        body: &mut Body<'_, 'l>,
    ) {
        let next = self.state(first);
        let numbers = ir::Expr {
            tokens: quote!((0..usize::MAX)),
            ..Default::default()
        };
        self.changing(vec![next], |this| {
            this.until_up(|this, ended| {
                this.counted(Range::up(Atom::Const(numbers)), None, |this, _| {
                    let element = match this.program.roots[next].kind {
                        RootKind::Scalar => Atom::Def(this.version(next)),
                        _ => this.read(place::whole(Base::Root(next))),
                    };
                    this.if_some(
                        f,
                        vec![Element::Atom(element.clone())],
                        |this, value| {
                            let value = this.element_value(value);
                            this.set(place::whole(Base::Root(next)), value);
                        },
                        |this| this.raise(ended),
                    );
                    body(this, Element::Atom(element));
                });
            });
        });
    }

    /// `v.drain(..)`, `v.drain(n..)`: the part is taken out, and then run through.
    pub(crate) fn drained(&mut self, drain: &ExprMethodCall) -> Option<Seq> {
        let (vector, at) = (&drain.receiver, drain.method.span());
        let Expr::Range(range) = drain.args.first()? else {
            return None;
        };
        if let Some(end) = end_of(range) {
            let start = range
                .start
                .as_deref()
                .cloned()
                .unwrap_or(syn::parse_quote!(0));
            let [cut, cut_again]: [Expr; 2] = [
                syn::parse_quote_spanned!(at=> #vector.split_off(#end)),
                syn::parse_quote_spanned!(at=> #vector.split_off(#start)),
            ];
            let tail = self.under_name("tail", &cut);
            let drained = self.under_name("drained", &cut_again);
            self.expression_statement(&syn::parse_quote!(#vector.extend_from_slice(&#tail)));
            return self.seq(&drained);
        }
        let taken: Expr = match (&range.start, &range.end) {
            (None, None) => syn::parse_quote_spanned!(at=> #vector.split_off(0)),
            (Some(n), None) => syn::parse_quote_spanned!(at=> #vector.split_off(#n)),
            _ => return None,
        };
        let drained = self.under_name("drained", &taken);
        self.seq(&drained)
    }
}

/// The number behind the last of a range that ends.
fn end_of(range: &syn::ExprRange) -> Option<Expr> {
    let end = range.end.as_ref()?;
    Some(match range.limits {
        syn::RangeLimits::HalfOpen(_) => (**end).clone(),
        syn::RangeLimits::Closed(_) => syn::parse_quote!((#end) + 1),
    })
}

/// The closure with an argument that it does not look at.
fn for_anything(f: &ExprClosure) -> ExprClosure {
    let mut f = f.clone();
    f.inputs.push(syn::parse_quote!(_));
    f
}

/// The name of a function of `std::iter`; nothing for any other.
fn named(func: &Expr) -> String {
    let Expr::Path(path) = func else {
        return String::new();
    };
    let name = path.path.segments.last().map(|s| s.ident.to_string());
    name.filter(|name| paths::names(&path.path, &["iter", name], 1))
        .unwrap_or_default()
}
