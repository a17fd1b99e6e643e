//! Statements undone: each adds to the cotangents of what it read.

use proc_macro2::{TokenStream, TokenTree};

use super::Reverse;
use crate::differentiable::analyse::degree::operation;
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;

impl Reverse<'_> {
    pub(crate) fn item_backwards(&self, item: &Item) -> TokenStream {
        let _here = self.program.at(item);
        match item {
            Item::Verbatim(_) => TokenStream::new(),
            Item::Def(d) => self.undo_def(*d),
            Item::Declare { root, init } => self.undo_declare(*root, init),
            Item::Assign { place, op, value } => self.undo_assign(place, *op, value),
            Item::Reshape { place, shape } => self.undo_reshape(place, *shape),
            Item::Branch { arms, selector } => self.undo_branch(arms, selector),
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let undone = self.undo_loop(iterable, body, flags);
                let restored = self.restored(body);
                code!(#restored #undone)
            }
            Item::Call(call) => self.call_backwards(call, None),
            Item::Copy { to, from } => self.undo_copy(to, from),
            Item::Fill { place, value } => self.undo_fill(place, value),
            Item::Push { place, value } => self.undo_push(place, value),
            Item::Pop { place } => self.undo_pop(place),
            Item::Swap { place, i, j } => self.undo_swap(place, i, j),
            Item::Exchange { a, b } => self.undo_exchange(a.base, b.base),
        }
    }

    fn undo_branch(&self, arms: &[Arm], selector: &Selector) -> TokenStream {
        let bodies: Vec<_> = arms
            .iter()
            .map(|a| self.nested_backwards(&a.body))
            .collect();
        if bodies.iter().all(TokenStream::is_empty) {
            return TokenStream::new();
        }
        let (Selector::If(atom) | Selector::Match(atom)) = selector;
        self.require_atom(atom);
        self.program.branch(selector, arms, bodies)
    }

    /// A value whose cotangent nobody added to is left out.
    fn undo_def(&self, id: DefId) -> TokenStream {
        let def = &self.program.defs[id];
        if !def.varied {
            return TokenStream::new();
        }
        if let DefKind::Call(call) = &def.kind {
            let d = self.touch(Base::Def(id));
            return self.call_backwards(call, Some(&d));
        }
        if !self.is_touched(Base::Def(id)) {
            return TokenStream::new();
        }
        let d = self.program.shadow_name(Base::Def(id));
        match &def.kind {
            DefKind::Read(place) => {
                self.require_uses(&place.uses);
                self.touch(place.base);
                self.state.borrow_mut().undone.insert(id);
                let state = self.state.borrow();
                if state.carried.contains(&id) {
                    let carry = self.carry(id);
                    return code!(::coenzyme::__private::add(&mut #carry, &#d););
                }
                let arrives = state.leaves.contains(&id).then(|| {
                    let carry = self.carry(id);
                    code!(::coenzyme::__private::add(&mut #d, &#carry);)
                });
                let (shadows, place) = (
                    self.program.shadows_mut(place.base),
                    self.program.place_mut(place),
                );
                code!(#arrives ::coenzyme::__private::add_at(#shadows, &#d, #place);)
            }
            DefKind::Op {
                op, args, needs, ..
            } => self.undo_operation(id, op, args, *needs),
            DefKind::Make { parts, .. } => {
                let parts = parts.iter().filter_map(|(suffix, atom)| {
                    let part = self.touch_atom(atom)?;
                    Some(code!(::coenzyme::__private::absorb_part(&mut #part, &mut #d, |m| &mut (*m)#suffix);))
                });
                parts.collect()
            }
            DefKind::Version(root) => {
                let root = self.touch(Base::Root(*root));
                code!(::coenzyme::__private::add(&mut #root, &#d);)
            }
            _ => TokenStream::new(),
        }
    }

    fn undo_operation(
        &self,
        id: DefId,
        op: &TokenStream,
        args: &[Atom],
        needs: Needs,
    ) -> TokenStream {
        let p = self.program;
        let d = p.shadow_name(Base::Def(id));
        let (first, rest) = args.split_first().expect("an operation has an operand");
        let (into, before, after) = self.operand_shadows(args, needs);
        if let (Needs::Operands | Needs::Everything, Some(beside)) =
            (needs, p.beside(id, op, first))
        {
            return self.undo_beside(id, (op, first, needs), beside, &into[0]);
        }
        let (into, rest_into) = into.split_first().expect("an operation has an operand");
        let pull = match needs {
            Needs::Nothing => code! {
                <_ as ::coenzyme::__private::DerivedLikeNumbers<#op, _, _>>::pull_linear::<__W>(&#d, #into, (#(#rest_into,)*), strong_zero);
            },
            Needs::Others | Needs::Operands => {
                let quotient = needs == Needs::Operands && self.is_quotient(op, first);
                for (i, operand) in args.iter().enumerate() {
                    // a factor is read beside each varied factor, a dividend beside a varied divisor
                    let mut others = args.iter().enumerate().filter(|(j, _)| *j != i);
                    let as_factor = needs == Needs::Others || (quotient && i == 0);
                    if !as_factor || others.any(|(_, a)| p.atom_varied(a)) {
                        self.require_atom(operand);
                    }
                }
                let operand = |atom: &Atom| p.derivative_operand(atom, self.mention(atom));
                let (a, b) = (operand(first), rest.iter().map(operand));
                let pull = local(match after.is_empty() {
                    true => "pull_factors",
                    false => "pull_square",
                });
                code! {
                    <_ as ::coenzyme::__private::DerivedLikeNumbers<#op, _, _>>::#pull::<__W>(
                        #a, (#(#b,)*), &#d, #into, (#(#rest_into,)*), strong_zero,
                    );
                }
            }
            Needs::Result => {
                self.require(id);
                let name = &p.defs[id].name;
                code! {
                    <_ as ::coenzyme::__private::DerivedLikeNumbers<#op, _, _>>::pull_from_result::<__W>(
                        #name, &#d, #into, (#(#rest_into,)*), strong_zero,
                    );
                }
            }
            Needs::Everything => {
                args.iter().for_each(|a| self.require_atom(a));
                self.require(id);
                let operand = |atom: &Atom| p.derivative_operand(atom, p.atom_value(atom));
                let (a, b) = (operand(first), rest.iter().map(operand));
                let name = operand(&Atom::Def(id));
                code! {
                    <_ as ::coenzyme::__private::Derived<#op, _, _>>::pull::<__W>(
                        #a, (#(#b,)*), #name, &#d, #into, (#(#rest_into,)*), strong_zero,
                    );
                }
            }
        };
        code!(#before #pull #after)
    }

    /// Whether this divides a number: what the quotient of another type reads is not known.
    fn is_quotient(&self, op: &TokenStream, dividend: &Atom) -> bool {
        let is_number = |d| self.floats.numbers.contains(&d);
        operation(op) == "div" && dividend.def().is_some_and(is_number)
    }

    /// An operation undone where the function beside it is at hand.
    fn undo_beside(
        &self,
        id: DefId,
        (op, operand, needs): (&TokenStream, &Atom, Needs),
        beside: DefId,
        into: &TokenStream,
    ) -> TokenStream {
        let p = self.program;
        let of = |atom: &Atom| {
            self.require_atom(atom);
            p.derivative_operand(atom, p.atom_value(atom))
        };
        let (operand, beside, d) = (
            of(operand),
            of(&Atom::Def(beside)),
            p.shadow_name(Base::Def(id)),
        );
        match needs {
            Needs::Everything => {
                let name = of(&Atom::Def(id));
                code! {
                    <_ as ::coenzyme::__private::Derived<#op, _, _>>::pull_beside::<__W>(
                        (#operand, ()), (#name, #beside), &#d, #into, (), strong_zero,
                    );
                }
            }
            _ => code! {
                <_ as ::coenzyme::__private::DerivedLikeNumbers<#op, _, _>>::pull_beside::<__W>(
                    #operand, (), #beside, &#d, #into, (), strong_zero,
                );
            },
        }
    }

    /// Where the cotangents of the operands go, with what stands before and after: an operand that stands twice gets its second
    /// cotangent apart.
    fn operand_shadows(
        &self,
        args: &[Atom],
        needs: Needs,
    ) -> (Vec<TokenStream>, TokenStream, TokenStream) {
        let p = self.program;
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut into = Vec::new();
        for (i, atom) in args.iter().enumerate() {
            let Some(shadow) = self.touch_atom(atom) else {
                into.push(match needs {
                    Needs::Nothing => {
                        let value = self.mention(atom);
                        code!(::coenzyme::__private::NoShadow::of(&#value))
                    }
                    _ => code!(::coenzyme::__private::NoShadow::new()),
                });
                continue;
            };
            if args[..i]
                .iter()
                .all(|a| p.atom_shadow(a).as_ref() != Some(&shadow))
            {
                into.push(code!(&mut #shadow));
                continue;
            }
            let again = quote::format_ident!("again{i}", span = proc_macro2::Span::mixed_site());
            before.extend(code!(let mut #again = ::coenzyme::__private::sums_like(&#shadow);));
            after.extend(code!(::coenzyme::__private::add(&mut #shadow, &#again);));
            into.push(code!(&mut #again));
        }
        (into, before, after)
    }
}

impl Program {
    /// The value of the function beside an operation, if the same block computes it at the same operand.
    fn beside(&self, id: DefId, op: &TokenStream, operand: &Atom) -> Option<DefId> {
        let (name, Atom::Def(of)) = (operations::beside(op)?, operand) else {
            return None;
        };
        let is = |other: DefId| match &self.defs[other].kind {
            DefKind::Op { op, args, .. } => {
                let same = matches!(&args[..], [Atom::Def(d)] if d == of);
                same && matches!(op.clone().into_iter().last(), Some(TokenTree::Ident(op)) if op == name)
            }
            _ => false,
        };
        let known = (0..self.defs.len()).any(is);
        known.then(|| self.body.beside(id, &is)).flatten()
    }
}

impl Block {
    /// The value that `is` what stands beside another, in the block that defines that one.
    fn beside(&self, id: DefId, is: &impl Fn(DefId) -> bool) -> Option<DefId> {
        let defs = self.items.iter().filter_map(|item| match item {
            Item::Def(d) => Some(*d),
            _ => None,
        });
        if defs.clone().any(|d| d == id) {
            return defs.into_iter().find(|d| is(*d));
        }
        self.items.iter().find_map(|item| match item {
            Item::Branch { arms, .. } => arms.iter().find_map(|a| a.body.beside(id, is)),
            Item::Loop { body, .. } => body.beside(id, is),
            _ => None,
        })
    }
}
