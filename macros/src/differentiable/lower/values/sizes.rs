//! Fields behind shared references in the arithmetic of an index: they are the same throughout, and read once where the function begins.
//!
//! ```text
//! // for j in 0..m.columns { s += m.entries[i * m.columns + j]; }
//! let columns = m.columns;
//! for j in 0..m.columns { s += m.entries[i * columns + j]; }
//! ```

use syn::{Expr, Member};

use super::substituted::Plain;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

impl Lower<'_> {
    /// The index with names for such fields.
    pub(crate) fn with_sizes(&mut self, mut index: Expr) -> Expr {
        if matches!(index, Expr::Binary(_)) {
            self.name_sizes(&mut index);
        }
        index
    }

    fn name_sizes(&mut self, index: &mut Expr) {
        match index {
            Expr::Binary(binary) => {
                self.name_sizes(&mut binary.left);
                self.name_sizes(&mut binary.right);
            }
            Expr::Paren(paren) => self.name_sizes(&mut paren.expr),
            Expr::Cast(cast) => self.name_sizes(&mut cast.expr),
            Expr::Field(_) => {
                if let Some(name) = self.size(index) {
                    *index = syn::parse_quote!(#name);
                }
            }
            _ => {}
        }
    }

    /// The name of the value of a field.
    fn size(&mut self, field: &Expr) -> Option<proc_macro2::Ident> {
        let mut fields = Vec::new();
        let root = self.shared_parameter(field, &mut fields)?;
        if let Some(name) = self.sizes.get(&(root, fields.clone())) {
            return Some(name.clone());
        }
        let Plain {
            expr, pure: true, ..
        } = self.plain(field)
        else {
            return None;
        };
        if expr.uses.roots.iter().ne([&root]) || !expr.uses.defs.is_empty() {
            return None;
        }
        let name = self.unique(&quote::format_ident!("__size"));
        let def = self.program.defs.len();
        self.program.defs.push(Def {
            name: name.clone(),
            kind: DefKind::Pure(expr),
            varied: false,
            stored: false,
            point: Point {
                order: 0,
                loops: Vec::new(),
            },
        });
        self.blocks[0].items.insert(0, Item::Def(def));
        self.scopes[0].insert(name.to_string(), Binding::Def(def));
        self.sizes.insert((root, fields), name.clone());
        Some(name)
    }

    /// The parameter behind a shared reference that `m.grid.columns` begins with; `fields` gets what follows.
    fn shared_parameter(&self, field: &Expr, fields: &mut Vec<Member>) -> Option<RootId> {
        match field {
            Expr::Field(field) => {
                let root = self.shared_parameter(&field.base, fields)?;
                fields.push(field.member.clone());
                Some(root)
            }
            name => match self.lookup(&simple_name(name)?)? {
                Binding::Root(root) => {
                    let kind = &self.program.roots[*root].kind;
                    let shared = matches!(kind, RootKind::Param { passing, .. } if *passing == Passing::Shared);
                    shared.then_some(*root)
                }
                _ => None,
            },
        }
    }
}
