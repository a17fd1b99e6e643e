//! What the bodies of both rules share: flags, names, statements.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

use super::model::Rule;
use super::names::mentions;
use crate::general::{Direction, GeneralRule};

/// The body of a rule under construction. Its variables cannot be seen by the user's code.
pub(super) struct Body<'a> {
    pub(super) rule: &'a Rule,
    pub(super) general: GeneralRule,
    direction: Direction,
    /// For each argument, whether its partials are wanted.
    pub(super) active: Vec<Ident>,
    /// Whether any partial is wanted.
    pub(super) any: Ident,
    /// The returned value, an `Option`.
    pub(super) value: Ident,
}

impl<'a> Body<'a> {
    pub(super) fn new(rule: &'a Rule, direction: Direction) -> Self {
        let params = rule.function.params.len();
        Self {
            rule,
            general: GeneralRule::new(&rule.function, direction),
            direction,
            active: (0..params).map(|j| local(&format!("active{j}"))).collect(),
            any: local("any"),
            value: local("value"),
        }
    }

    /// `impl<…> ForwardRule<R, (A0, A1), W> for f where …`
    pub(super) fn head(&self) -> TokenStream {
        let (generics, _, where_clause) = self.general.generics.split_for_impl();
        let (name, handles) = (&self.rule.function.name, &self.general.handles);
        let rule = match self.direction {
            Direction::Forward => hygienic!(ForwardRule),
            Direction::Reverse => hygienic!(ReverseRule),
        };
        hygienic!(impl #generics ::coenzyme::#rule<__R, (#(#handles,)*), __W> for #name #where_clause)
    }

    /// `let active0 = R::ACTIVE && a0.is_active(); …; let any = active0 || …;`
    pub(super) fn flags(&self) -> TokenStream {
        let (active, any) = (&self.active, &self.any);
        let handles = self.general.variables.iter().enumerate();
        let values = handles.map(|(j, a)| {
            if self.rule.column(j).next().is_some() {
                hygienic!(__R::ACTIVE && ::coenzyme::Activity::<__W>::is_active(&*#a))
            } else {
                hygienic!(false)
            }
        });
        hygienic! {
            #(let #active = #values;)*
            let #any = false #(|| #active)*;
        }
    }

    /// The call of the primal.
    pub(super) fn call(&self) -> TokenStream {
        let params = self.rule.function.params.iter().enumerate();
        let args = params.map(|(i, param)| self.general.primal(i, param));
        self.rule.function.call(args)
    }

    /// The condition under which one of `names` is read: `any` if a statement does, otherwise that an argument is active
    /// whose partials do.
    pub(super) fn reads(&self, names: &[&Ident]) -> TokenStream {
        let any = &self.any;
        if names.iter().any(|n| self.setup_mentions(n)) {
            return hygienic!(#any);
        }
        let readers = self
            .rule
            .differentiated()
            .filter(|&j| names.iter().any(|n| self.column_mentions(j, n)));
        let readers = readers.map(|j| &self.active[j]);
        hygienic!((false #(|| #readers)*))
    }

    /// `let x = …;`, if the user's code reads argument `i`.
    pub(super) fn bind(&self, i: usize, primal: TokenStream) -> TokenStream {
        let name = &self.rule.function.params[i].name;
        if self.rule.mentions(name) {
            hygienic!(let #name = #primal;)
        } else {
            TokenStream::new()
        }
    }

    /// The statements, with the results where they read them.
    pub(super) fn setup(&self) -> TokenStream {
        let setup = &self.rule.setup;
        let results = self.results_if(self.results_in_setup());
        hygienic!(#results #(#setup)*)
    }

    /// The results, where the partials by argument `j` read them and the statements do not.
    pub(super) fn results_for(&self, j: usize) -> TokenStream {
        let read = self
            .rule
            .results()
            .iter()
            .any(|n| self.column_mentions(j, n));
        self.results_if(read && !self.results_in_setup())
    }

    /// `t0`, `t1`, …: a variable for each result.
    pub(super) fn per_result(&self, prefix: &str) -> Vec<Ident> {
        let results = 0..self.rule.outputs.len();
        results.map(|k| local(&format!("{prefix}{k}"))).collect()
    }

    /// `let z = value.clone();`
    fn results_if(&self, read: bool) -> TokenStream {
        let (names, value) = (self.rule.results(), &self.value);
        let value = hygienic!(::core::clone::Clone::clone(::coenzyme::__private::present(&#value)));
        match (read, self.rule.tuple) {
            (false, _) => TokenStream::new(),
            (true, true) => hygienic!(let (#(#names,)*) = #value;),
            (true, false) => hygienic!(let #(#names)* = #value;),
        }
    }

    fn results_in_setup(&self) -> bool {
        self.rule.results().iter().any(|n| self.setup_mentions(n))
    }

    fn setup_mentions(&self, name: &Ident) -> bool {
        self.rule.setup.iter().any(|s| mentions(s, name))
    }

    fn column_mentions(&self, j: usize, name: &Ident) -> bool {
        self.rule
            .column(j)
            .any(|(_, partial)| mentions(partial, name))
    }
}

/// A variable that user code cannot see.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// `path` with the place of `partial`, so that a partial of the wrong type is an error there.
pub(super) fn at(partial: &Expr, path: TokenStream) -> TokenStream {
    let span = partial.span().resolved_at(Span::mixed_site());
    let place = |token: TokenTree| match token {
        TokenTree::Group(group) => TokenTree::Group(group),
        mut token => {
            token.set_span(span);
            token
        }
    };
    path.into_iter().map(place).collect()
}
