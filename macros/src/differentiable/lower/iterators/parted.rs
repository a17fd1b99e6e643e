//! Chains that end in two vectors: `unzip`, `partition`.

use quote::format_ident;
use syn::{Expr, ExprMethodCall, Pat, PatTuple};

use crate::differentiable::lower::{Binding, Lower};

impl Lower<'_> {
    /// `let (a, b) = chain.unzip()`.
    pub(crate) fn let_unzipped(&mut self, tuple: &PatTuple, chain: &Expr) {
        self.let_pattern(
            &syn::parse_quote!(__pairs),
            None,
            &syn::parse_quote!(#chain.collect::<Vec<_>>()),
        );
        for (i, pat) in tuple.elems.iter().enumerate() {
            let i = syn::Index::from(i);
            let half = syn::parse_quote!(__pairs.iter().map(|pair| pair.#i).collect::<Vec<_>>());
            self.let_pattern(pat, None, &half);
        }
    }

    /// `let (a, b) = chain.partition(f)`: each element is pushed to one of the two.
    pub(crate) fn let_partitioned(&mut self, tuple: &PatTuple, call: &ExprMethodCall) {
        let seq = self.seq_to_its_end(&call.receiver);
        let (Some(seq), Some(Expr::Closure(f))) = (seq, call.args.first()) else {
            return self.errors.at(call, super::chain::UNKNOWN);
        };
        let names = tuple.elems.iter().map(|pat| match pat {
            Pat::Ident(name) => name.ident.clone(),
            _ => format_ident!("_other"),
        });
        let names: Vec<_> = names.collect();
        let [first, second] = [0, 1].map(|i| self.empty_vector(&names[i]));
        let changed = self.written_by(&f.body);
        self.changing(changed, |this| {
            this.drive(&seq, &call.method, &mut |this: &mut Self, element| {
                let is_first = this.apply(f, vec![element.lent()]);
                let other = element.clone();
                this.either(
                    is_first,
                    |this| this.grow(first, element),
                    |this| this.grow(second, other),
                );
            });
        });
        for (name, vector) in names.iter().zip([first, second]) {
            self.bind(&name.to_string(), Binding::Root(vector));
        }
    }
}
