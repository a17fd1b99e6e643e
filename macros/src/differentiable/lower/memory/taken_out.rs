//! What leaves a vector gets a name.

use syn::Expr;

use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::calls;
use crate::differentiable::syntax::names::hidden;

impl Lower<'_> {
    /// The value of `v.split_off(n)`, which gets a name.
    pub(crate) fn split_value(&mut self, call: &syn::ExprMethodCall) -> Option<Atom> {
        let split = Expr::MethodCall(call.clone());
        let place = self.place(split_off(&split)?.0)?;
        if !self.is_growing(&place) {
            return None;
        }
        let name = hidden("split");
        let text = name.to_string();
        self.usage.memory.insert(text.clone());
        self.varied.insert(text);
        Some(self.value(&syn::parse_quote!({ let #name = #split; #name })))
    }

    /// What leaves a vector that gets another length: its last entry, or the rest of it.
    pub(crate) fn let_taken(
        &mut self,
        name: &proc_macro2::Ident,
        ty: Option<&syn::Type>,
        init: &Expr,
    ) -> bool {
        if let Some((all, at)) = split_off(init)
            && let Some(place) = self.place(all)
            && self.is_growing(&place)
        {
            let at = self.index(at);
            let length = hidden("length");
            let at = self.named_def(&length, DefKind::Pure(at), false);
            self.bind(&length.to_string(), Binding::Def(at));
            self.let_value(name, ty, &syn::parse_quote!(#all[#length..].to_vec()));
            self.expression_statement(&syn::parse_quote!(#all.truncate(#length)));
            return true;
        }
        let text = name.to_string();
        let memory = self.usage.memory.contains(&text) || self.usage.parts.contains(&text);
        if memory && let Some(popped) = popped(init) {
            let place = self.place(popped).filter(|p| self.is_growing(p));
            if let Some(place) = place {
                self.let_value(
                    name,
                    ty,
                    &syn::parse_quote!(#popped[#popped.len() - 1].clone()),
                );
                self.written(&place);
                self.push(Item::Pop { place });
                return true;
            }
        }
        false
    }
}

/// `v` of `v.pop().unwrap()`.
fn popped(init: &Expr) -> Option<&Expr> {
    let Expr::MethodCall(unwrap) = init else {
        return None;
    };
    match &*unwrap.receiver {
        Expr::MethodCall(pop) if pop.method == "pop" && calls::unwraps(unwrap) => {
            Some(&pop.receiver)
        }
        _ => None,
    }
}

/// `v` and `n` of `v.split_off(n)`.
fn split_off(init: &Expr) -> Option<(&Expr, &Expr)> {
    match init {
        Expr::MethodCall(call) if call.method == "split_off" => {
            Some((&*call.receiver, call.args.first()?))
        }
        _ => None,
    }
}
