//! A call whose value is shadowed by what is made of it gets a name of its own: what is known of a name is known of one value.
//!
//! ```text
//! // let root = solve(x); let root = match root { Ok(root) => root, Err(_) => 0.0 };
//! let root_before0 = solve(x); let root = match root_before0 { Ok(root_before0) => root_before0, Err(_) => 0.0 };
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Local, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;

/// Renames the first of two locals of a block that have the same name, where the second is made of the first, and that is a call.
pub(crate) fn written_out(body: &mut syn::Block) {
    Blocks { renamed: 0 }.visit_block_mut(body);
}

struct Blocks {
    /// How many have got a name: each has one of its own.
    renamed: usize,
}

impl VisitMut for Blocks {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        for first in 0..block.stmts.len() {
            let Some(name) = of_call(&block.stmts[first]) else {
                continue;
            };
            let after = block.stmts[first + 1..].iter();
            let Some(second) = after
                .take_while(|s| !is_item(s))
                .position(|s| binds(s, &name))
            else {
                continue;
            };
            let fresh = hidden(&format!("{name}_before{}", self.renamed));
            let stmts = &mut block.stmts[first..=first + 1 + second];
            self.renamed += usize::from(shadow(stmts, name, fresh));
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The name of a local that is a call.
fn of_call(stmt: &Stmt) -> Option<Ident> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    let called = matches!(&*init.expr, Expr::Call(_) | Expr::MethodCall(_));
    let plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
    let raw = name.ident.to_string().starts_with("r#");
    (called && plain && !raw && init.diverge.is_none()).then(|| name.ident.clone())
}

fn is_item(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Item(_))
}

fn binds(stmt: &Stmt, name: &Ident) -> bool {
    matches!(stmt, Stmt::Local(Local { pat: Pat::Ident(bound), .. }) if bound.ident == *name)
}

/// Renames the local of the first statement up to the value of the last one, if that is made of it; whether it did.
fn shadow(stmts: &mut [Stmt], name: Ident, fresh: Ident) -> bool {
    let [Stmt::Local(first), between @ .., Stmt::Local(last)] = stmts else {
        return false;
    };
    let (Pat::Ident(local), Some(value)) = (&mut first.pat, &mut last.init) else {
        return false;
    };
    let mut uses = Uses {
        name: &name,
        named: false,
        hidden: false,
    };
    between.iter().for_each(|stmt| uses.visit_stmt(stmt));
    uses.named = false;
    uses.visit_local_init(value);
    if !uses.named || uses.hidden {
        return false;
    }
    let mut rename = Rename { name, fresh };
    // the value of the first one may call a function of this name, or name a local before
    rename.rename(&mut local.ident);
    between
        .iter_mut()
        .for_each(|stmt| rename.visit_stmt_mut(stmt));
    rename.visit_local_init_mut(value);
    true
}

/// Renames the local that the first of some statements declares, unless a macro or an item may use it where nobody sees it; whether it did.
pub(crate) fn renamed(stmts: &mut [Stmt], name: &Ident, fresh: &Ident) -> bool {
    let mut uses = Uses {
        name,
        named: false,
        hidden: false,
    };
    stmts[1..].iter().for_each(|stmt| uses.visit_stmt(stmt));
    let (true, Stmt::Local(local)) = (!uses.hidden, &mut stmts[0]) else {
        return false;
    };
    let mut rename = Rename {
        name: name.clone(),
        fresh: fresh.clone(),
    };
    // its value may name a local before
    rename.visit_pat_mut(&mut local.pat);
    stmts[1..]
        .iter_mut()
        .for_each(|stmt| rename.visit_stmt_mut(stmt));
    true
}

/// Renames what patterns bind, and what names it inside of an expression, unless a macro or an item may use it where nobody sees it.
pub(crate) fn renamed_within<'p>(
    pats: impl Iterator<Item = &'p mut Pat>,
    inside: &mut Expr,
    (name, fresh): (&Ident, &Ident),
) {
    let mut uses = Uses {
        name,
        named: false,
        hidden: false,
    };
    uses.visit_expr(inside);
    if uses.hidden {
        return;
    }
    let mut rename = Rename {
        name: name.clone(),
        fresh: fresh.clone(),
    };
    pats.for_each(|pat| rename.visit_pat_mut(pat));
    rename.visit_expr_mut(inside);
}

/// Whether a name is used, and whether a macro may use it where nobody sees it.
struct Uses<'a> {
    name: &'a Ident,
    named: bool,
    hidden: bool,
}

impl Uses<'_> {
    fn in_macro(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => self.in_macro(group.stream()),
                TokenTree::Ident(ident) => self.hidden |= ident == *self.name,
                // the text of a format
                TokenTree::Literal(text) => {
                    self.hidden |= text.to_string().contains(&self.name.to_string());
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.named |= path.path.is_ident(self.name);
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.in_macro(mac.tokens.clone());
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.hidden = true;
    }
}

/// Renames a local, and what patterns inside call by the same name.
struct Rename {
    name: Ident,
    fresh: Ident,
}

impl Rename {
    fn rename(&self, ident: &mut Ident) {
        if *ident == self.name {
            *ident = Ident::new(&self.fresh.to_string(), ident.span());
        }
    }
}

impl VisitMut for Rename {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.rename(&mut pat.ident);
        visit_mut::visit_pat_ident_mut(self, pat);
    }
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.get_ident().is_some()
            && let Some(segment) = path.path.segments.first_mut()
        {
            self.rename(&mut segment.ident);
        }
    }
    /// `S { root }`
    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        let short = field.colon_token.is_none();
        visit_mut::visit_field_value_mut(self, field);
        let same = matches!((&field.member, &field.expr), (syn::Member::Named(of), Expr::Path(path)) if path.path.is_ident(of));
        if short && !same {
            field.colon_token = Some(Default::default());
        }
    }
    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let short = field.colon_token.is_none();
        visit_mut::visit_field_pat_mut(self, field);
        let same = matches!((&field.member, &*field.pat), (syn::Member::Named(of), Pat::Ident(name)) if name.ident == *of);
        if short && !same {
            field.colon_token = Some(Default::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> String {
        let mut block: syn::Block = syn::parse_str(text).expect("a block");
        written_out(&mut block);
        block.to_token_stream().to_string()
    }

    #[test]
    fn a_call_that_is_shadowed_gets_a_name_of_its_own() {
        let renamed = written("{ let r = g(x); let r = match r { Ok(r) => r, Err(_) => y }; r }");
        assert_eq!(renamed.matches("r_before0").count(), 4, "{renamed}");
        assert!(renamed.ends_with("; r }"), "{renamed}");
    }

    #[test]
    fn each_gets_another_name() {
        let renamed = written("{ let r = g(x); let r = h(r); let r = r.k(y); r }");
        assert_eq!(renamed.matches("r_before0").count(), 2, "{renamed}");
        assert_eq!(renamed.matches("r_before1").count(), 2, "{renamed}");
    }

    #[test]
    fn the_value_of_the_first_one_names_others() {
        let renamed = written("{ let norm = norm(v); let norm = norm.max(1e-9); norm }");
        assert!(renamed.contains("= norm (v)"), "{renamed}");
        assert!(renamed.contains("__norm_before0 . max"), "{renamed}");
    }

    #[test]
    fn fields_keep_their_names() {
        let renamed = written("{ let r = g(x); let r = h(S { r }); r }");
        assert!(renamed.contains("r : "), "{renamed}");
    }

    #[test]
    fn what_has_nothing_to_do_with_the_first_stays() {
        for text in [
            "{ let r = g(x); let r = h(y); r }",
            "{ let r = x * y; let r = r * y; r }",
            "{ let r = g(x); println!(\"{r}\"); let r = r.unwrap_or(y); r }",
            "{ let mut r = g(x); let r = r.take(); r }",
            "{ let r#do = g(x); let r#do = h(r#do); r#do }",
        ] {
            assert!(!written(text).contains("before"), "{text}");
        }
    }
}
