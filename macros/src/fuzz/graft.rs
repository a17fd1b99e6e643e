//! Mutations of syntax trees: an expression becomes another one, of this function or of another, or goes into a block, a branch, a closure.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Stmt};

use super::random::Random;
use crate::Marked;

/// A function with one to three grafts; `None` if it is none, or has nothing to graft on.
pub(super) fn grafted(
    function: &TokenStream,
    donor: &TokenStream,
    random: &mut Random,
) -> Option<TokenStream> {
    let mut marked = syn::parse2(function.clone()).ok()?;
    let donor = Parts::of(&syn::parse2(donor.clone()).ok()?);
    for _ in 0..1 + random.below(3) {
        let own = Parts::of(&marked);
        if own.expressions.is_empty() || own.names.is_empty() {
            return None;
        }
        let mut graft = Graft {
            left: random.below(own.expressions.len() + own.blocks),
            own: &own,
            donor: &donor,
            random,
        };
        match &mut marked {
            Marked::Function(item) => graft.visit_block_mut(&mut item.block),
            Marked::Methods(item) => graft.visit_item_impl_mut(item),
            Marked::Trait(item) => graft.visit_item_trait_mut(item),
        }
    }
    Some(match marked {
        Marked::Function(item) => item.into_token_stream(),
        Marked::Methods(item) => item.into_token_stream(),
        Marked::Trait(item) => item.into_token_stream(),
    })
}

/// What a function consists of.
#[derive(Default)]
struct Parts {
    expressions: Vec<Expr>,
    statements: Vec<Stmt>,
    names: Vec<Ident>,
    blocks: usize,
}

impl Parts {
    fn of(marked: &Marked) -> Self {
        let mut parts = Self::default();
        match marked {
            Marked::Function(item) => parts.visit_item_fn(item),
            Marked::Methods(item) => parts.visit_item_impl(item),
            Marked::Trait(item) => parts.visit_item_trait(item),
        }
        parts
    }
}

impl<'ast> Visit<'ast> for Parts {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.expressions.push(expr.clone());
        visit::visit_expr(self, expr);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.blocks += 1;
        self.statements.extend(block.stmts.iter().cloned());
        visit::visit_block(self, block);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.push(pat.ident.clone());
        visit::visit_pat_ident(self, pat);
    }
}

/// Changes the expression or the block with the number `left`.
struct Graft<'a> {
    left: usize,
    own: &'a Parts,
    donor: &'a Parts,
    random: &'a mut Random,
}

impl Graft<'_> {
    /// Whether it is the turn of what is visited.
    fn turn(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left == usize::MAX
    }

    /// With the names of this function, for most of what another one names.
    fn renamed<T: ToTokens + syn::parse::Parse>(&mut self, part: &T) -> Option<T> {
        let tokens = self.rename(part.to_token_stream());
        syn::parse2(tokens).ok()
    }

    fn rename(&mut self, tokens: TokenStream) -> TokenStream {
        let tree = |tree| match tree {
            TokenTree::Ident(name) if self.donor.names.contains(&name) => {
                self.random.of(&self.own.names).clone().into()
            }
            TokenTree::Group(group) => {
                let inside = self.rename(group.stream());
                proc_macro2::Group::new(group.delimiter(), inside).into()
            }
            tree => tree,
        };
        tokens.into_iter().map(tree).collect()
    }

    fn other(&mut self) -> Expr {
        let own = self.random.of(&self.own.expressions).clone();
        if self.donor.expressions.is_empty() || self.random.below(2) == 0 {
            return own;
        }
        let other = self.random.of(&self.donor.expressions).clone();
        self.renamed(&other).unwrap_or(own)
    }

    fn statement(&mut self) -> Option<Stmt> {
        if self.donor.statements.is_empty() || self.random.below(3) == 0 {
            return (!self.own.statements.is_empty())
                .then(|| self.random.of(&self.own.statements).clone());
        }
        let other = self.random.of(&self.donor.statements).clone();
        let mut statements = syn::parse::Parser::parse2(
            syn::Block::parse_within,
            self.rename(other.into_token_stream()),
        );
        statements.as_mut().ok()?.pop()
    }

    /// What becomes of an expression.
    fn wrapped(&mut self, expr: &Expr) -> TokenStream {
        let other = self.other();
        let name = self.random.of(&self.own.names).clone();
        match self.random.below(50) {
            0 => quote!({ #expr }),
            1 => quote!({ #expr; }),
            2 => quote!({ return #expr; }),
            3 => quote!({ let #name = #expr; #name }),
            4 => quote!({ let #name = #expr; #name; }),
            5 => quote!((|| #expr)()),
            6 => quote!(|#name| #expr),
            7 => quote!(move |#name, _| { #expr; }),
            8 => quote!(if #other > 0.0 { #expr } else { #other }),
            9 => quote!(if #other > 0.0 { #expr } else { return #other; }),
            10 => quote!(if let Some(#name) = #expr { #other } else { #name }),
            11 => quote!(match #expr { #name if #name > 0.0 => #other, _ => #name }),
            12 => quote!(match #expr { 0 => #other, 1..=3 => { #name } _ => return }),
            13 => quote!('a: { if #name > 0.0 { break 'a #expr; } #other }),
            14 => quote!(loop { break #expr; }),
            15 => quote!({ for #name in #expr { #other; } #name }),
            16 => quote!({ while let Some(#name) = #expr { #other; } #name }),
            17 => quote!((#expr, #other)),
            18 => quote!((#expr, #other).0),
            19 => quote!([#expr, #other]),
            20 => quote!([#expr; 3]),
            21 => quote!(vec![#expr, #other]),
            22 => quote!(vec![#expr; 2]),
            23 => quote!(&#expr),
            24 => quote!(&mut #expr),
            25 => quote!(*#expr),
            26 => quote!(#expr[#name]),
            27 => quote!(#expr[1..]),
            28 => quote!(#expr as f64),
            29 => quote!((#expr)?),
            30 => quote!((#expr).unwrap()),
            31 => quote!((#expr).iter().map(|#name| #other).sum::<f64>()),
            32 => quote!((#expr).iter().fold(#other, || {})),
            33 => quote!((#expr).iter_mut().zip(#other)),
            34 => quote!(Some(#expr)),
            35 => quote!(S { x: #expr, ..#other }),
            36 => quote!(#name(#expr, #other)),
            37 => quote!(#name.step(#expr)),
            38 => quote!(unsafe { #expr }),
            39 => quote!(const { #expr }),
            40 => quote!(#name = #expr),
            // as statements these would end with their block
            41 => quote!({ #expr } = #other),
            42 => quote!('a: { #expr } + #other),
            43 => quote!(unsafe { #expr } as f64),
            44 => quote!(if #other > 0.0 { #expr } else { #name }.sqrt()),
            45 => quote!(match #other { _ => #expr } > #name),
            // and as conditions this would begin one
            46 => quote!(S { x: #expr } == #other),
            47 => quote!(return #expr),
            48 => quote!(#expr..#other),
            _ => quote!(-#expr),
        }
    }
}

impl VisitMut for Graft<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.turn() {
            *expr = match self.random.below(2) {
                0 => self.other(),
                _ => syn::parse2(self.wrapped(expr)).unwrap_or_else(|_| expr.clone()),
            };
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        if self.turn() {
            let statements = &mut block.stmts;
            let at = self.random.below(statements.len() + 1);
            match self.random.below(4) {
                0 if at < statements.len() => drop(statements.remove(at)),
                1 if at < statements.len() => statements.swap(at, 0),
                _ => {
                    let statement = self.statement();
                    statements.splice(at..at, statement);
                }
            }
            return;
        }
        visit_mut::visit_block_mut(self, block);
    }
}
