//! What asks for an `Option` that combinators make: its branches go to a local first.

use proc_macro2::TokenStream;
use syn::{Expr, ExprMethodCall};

use super::combinator::{CALLED, ELEMENT, INSIDE, OPTION, name};
use crate::differentiable::expand::taken::kind_of;
use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::files::own_field::Kind;
use crate::premises::Site;

/// All names that combinators and searches are written out with.
const NAMES: &[&str] = &[
    OPTION, INSIDE, "__first", "__next", "__folded", ELEMENT, CALLED,
];

/// Those that are assigned to.
const CHANGING: &[&str] = &["__folded", "__whole"];

impl Lower<'_> {
    /// An `Option` in branches whose ends are written out, if it is not written out as it stands.
    pub(crate) fn in_branches(&mut self, option: &Expr) -> Option<Expr> {
        if self.written_out(option).is_some() {
            return None;
        }
        // a call by itself is asked where it stands
        let branches = self.combination(option)?;
        Some(self.with_names(branches))
    }

    /// As [`in_branches`](Self::in_branches), where a choice of calls is known to give an `Option` or a `Result`.
    pub(crate) fn chosen_outcome(&mut self, choice: &Expr) -> Option<Expr> {
        let choice = matches!(choice, Expr::If(_) | Expr::Match(_) | Expr::Block(_))
            .then(|| self.branches(choice))??;
        Some(self.with_names(choice))
    }

    /// Notes the names that branches are written out with.
    fn with_names(&mut self, branches: Expr) -> Expr {
        self.varied
            .extend(NAMES.iter().map(|name| (*name).to_owned()));
        self.usage
            .whole
            .extend(CHANGING.iter().map(|name| (*name).to_owned()));
        branches
    }

    /// Lowers `of` with the local in the place of `option`, if that is an `Option` that combinators make.
    fn with_local<T>(&mut self, option: &Expr, of: impl FnOnce(&mut Self, Expr) -> T) -> Option<T> {
        let branches = self.in_branches(option)?;
        Some(self.with_branches(&branches, of))
    }

    fn with_branches<T>(&mut self, branches: &Expr, of: impl FnOnce(&mut Self, Expr) -> T) -> T {
        let local = name(OPTION);
        self.scopes.push(Default::default());
        self.let_option(&local, None, branches);
        let value = of(self, syn::parse_quote!(#local));
        self.scopes.pop();
        value
    }

    /// The value of a method of such an `Option`.
    pub(crate) fn of_combined(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        const METHODS: &[&str] = &[
            "unwrap",
            "expect",
            "unwrap_or",
            "unwrap_or_else",
            "unwrap_or_default",
            "map_or",
            "map_or_else",
        ];
        let of = &*call.receiver;
        let is_option = self.is_option(of) || kind_of(of) == Some(Kind::Option);
        if is_option && call.method.to_string().starts_with("get_or_insert") {
            return self.got_or_inserted(call);
        }
        if !METHODS.iter().any(|m| call.method == m) {
            return None;
        }
        let of = &*call.receiver;
        let branches = self.in_branches(of).or_else(|| {
            // what is there has no derivative, but what stands in for it
            let call = matches!(of, Expr::Call(_)) && !self.is_varied(of);
            let inactive = call || self.is_inactive_local(of);
            let branches = inactive.then(|| self.branches(of))??;
            Some(self.with_names(branches))
        })?;
        let value = self.with_branches(&branches, |this, local| {
            let mut call = call.clone();
            *call.receiver = local;
            this.value(&Expr::MethodCall(call))
        });
        Some(value)
    }

    /// The value of `o.get_or_insert(v)`, `o.get_or_insert_with(f)`.
    fn got_or_inserted(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let (option, at) = (&call.receiver, call.method.span());
        // an `Option` by what a local was bound to, or by what is assigned to a field: nothing is taken from the name
        self.program.decisions.by_rule.insert(Site::of(at));
        let first = match (call.method == "get_or_insert", call.args.first()?) {
            (true, value) => value,
            (false, Expr::Closure(f)) => &*f.body,
            _ => return None,
        };
        self.expression_statement(
            &syn::parse_quote!(if #option.is_none() { #option = Some(#first); }),
        );
        Some(self.value(&syn::parse_quote!(#option.unwrap())))
    }

    /// A `match` or `if let` of such an `Option`. Whether it is one.
    pub(crate) fn branch_on_local(&mut self, branch: &Expr, into: Option<RootId>) -> bool {
        let of = match branch {
            Expr::Match(branch) => &branch.expr,
            Expr::If(branch) => match &*branch.cond {
                Expr::Let(condition) => &condition.expr,
                _ => return false,
            },
            _ => return false,
        };
        let branched = self.with_local(of, |this, local| {
            let mut branch = branch.clone();
            match &mut branch {
                Expr::Match(branch) => *branch.expr = local,
                Expr::If(branch) => {
                    if let Expr::Let(condition) = &mut *branch.cond {
                        *condition.expr = local;
                    }
                }
                _ => {}
            }
            this.branch(&branch, into);
        });
        branched.is_some()
    }

    /// The value of `o?`, of such an `Option`.
    pub(crate) fn combined_questioned(
        &mut self,
        option: &Expr,
        methods: &TokenStream,
    ) -> Option<Atom> {
        // a closure is asked at its own ends
        if matches!(option, Expr::Call(_)) {
            return None;
        }
        self.with_local(option, |this, local| this.present(&local, methods))
    }
}

/// Whether an expression is `o.get_or_insert(v)` or the like, which gives a reference.
pub(crate) fn inserts(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method.to_string().starts_with("get_or_insert"))
}
