//! Arguments of one call in the same memory, of which one is written: parts of a `split_at_mut`, fields of a struct.
//!
//! The rule gets the first that is written in place, the others as copies: generated code reaches parts by their path from the
//! memory's name, which can be lent only once. Arguments that are only read stay in place.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;
use crate::signature::Passing;

/// A part that went into a call as a copy, and is written back.
pub(crate) struct CopiedBack {
    part: Place,
    copy: RootId,
}

impl Lower<'_> {
    /// The arguments with copies in place of parts that cannot be lent beside another.
    pub(crate) fn apart(
        &mut self,
        callee: &Callee,
        mut args: Vec<Arg>,
    ) -> (Vec<Arg>, Vec<CopiedBack>) {
        let mut back = Vec::new();
        let may_grow = self.may_grow(callee);
        for i in 0..args.len() {
            let base = args[i].base();
            let written = args
                .iter()
                .position(|a| base.is_some() && a.base() == base && self.writes(a));
            self.captures_apart(&mut args, i);
            let is_first = written.is_none_or(|first| first == i);
            // a vector that grows has another length in the reverse sweep, which a callee that changes it knows
            let grows = matches!(base, Some(Base::Root(r)) if self.grown.contains(&r));
            if is_first && (!grows || may_grow && self.writes(&args[i])) {
                continue;
            }
            let exclusive = self.writes(&args[i]);
            let part = match &args[i] {
                Arg::Shared(part) | Arg::Exclusive(part) => part.clone(),
                Arg::Whole { root } if grows => place::whole(Base::Root(*root)),
                _ => continue,
            };
            let copy = self.copy_of(&part);
            if exclusive {
                back.push(CopiedBack {
                    part: part.clone(),
                    copy,
                });
            }
            let copied = place_of(copy, &part);
            args[i] = match exclusive {
                true => Arg::Exclusive(copied),
                false => {
                    self.copied_parts.insert(copy, part);
                    Arg::Shared(copied)
                }
            };
        }
        (args, back)
    }

    /// Whether a callee may change the length of what it is lent.
    fn may_grow(&self, callee: &Callee) -> bool {
        name_of(callee).is_some_and(|name| {
            let name = name.to_string();
            self.callees.grows(&name) || self.callees.refits(&name)
        })
    }

    /// Notes, for the way back, that a call may give fields of locals that it is lent another length.
    pub(crate) fn keep_shapes(&mut self, callee: &Callee, args: &[Arg]) {
        let refits = |name: &Ident| self.callees.refits(&name.to_string());
        if !name_of(callee).is_some_and(refits) {
            return;
        }
        for place in args.iter().flat_map(Arg::each) {
            let Arg::Exclusive(place) = place else {
                continue;
            };
            let memory = |root: RootId| self.program.roots[root].kind == RootKind::Memory;
            let is_memory = matches!(place.base, Base::Root(root) if memory(root));
            if is_memory && self.place_varied(place) && !is_slice(&place.suffix) {
                let (place, shape) = (place.clone(), None);
                self.push(Item::Reshape { place, shape });
            }
        }
    }

    /// Notes a call of a function that no file of the crate tells of, if it might change a length.
    pub(crate) fn believe(&mut self, call: &Call) {
        let lends = |arg: &Arg| {
            let whole = matches!(arg, Arg::Exclusive(place) if !is_slice(&place.suffix));
            whole && !matches!(arg.base(), Some(Base::Root(r)) if self.grown.contains(&r))
        };
        let told = name_of(&call.callee).is_none_or(|name| self.callees.knows(&name.to_string()));
        if !told && call.args.iter().any(lends) {
            self.program.believed.insert(call.point.order);
        }
    }

    /// What a closure captures of memory that another argument or another capture stands for, is copied.
    fn captures_apart(&mut self, args: &mut [Arg], closure: usize) {
        let bases = |args: &[Arg]| -> Vec<Base> {
            args.iter()
                .flat_map(Arg::each)
                .filter_map(Arg::base)
                .collect()
        };
        let all = bases(args);
        let Arg::Closure { captured, .. } = &mut args[closure] else {
            return;
        };
        let mut captured = std::mem::take(captured);
        for arg in &mut captured {
            let Arg::Shared(part) = arg else { continue };
            if all.iter().filter(|b| **b == part.base).count() > 1 {
                *arg = Arg::Shared(self.copy_apart(&part.clone()));
            }
        }
        if let Arg::Closure { captured: into, .. } = &mut args[closure] {
            *into = captured;
        }
    }

    /// After the call: what it wrote into copies.
    pub(crate) fn copy_back(&mut self, copies: Vec<CopiedBack>) {
        for CopiedBack { part, copy } in copies {
            if is_slice(&part.suffix) {
                let from = place_of(copy, &part);
                self.written(&part);
                self.push(Item::Copy { to: part, from });
            } else {
                let value = self.read(place::whole(Base::Root(copy)));
                self.set(part, value);
            }
        }
    }

    /// A copy of a part, to be read while another part of the memory is written.
    pub(crate) fn copy_apart(&mut self, part: &Place) -> Place {
        let copy = self.copy_of(part);
        place_of(copy, part)
    }

    fn copy_of(&mut self, part: &Place) -> RootId {
        let (name, tokens) = (self.fresh("apart"), self.place_tokens(part));
        let whole_slice = part.suffix.is_empty()
            && matches!(part.base, Base::Root(r) if self.slices.contains(&r));
        let tokens = match is_slice(&part.suffix) || whole_slice {
            true => quote!((#tokens).to_vec()),
            false => quote!(::core::clone::Clone::clone(&#tokens)),
        };
        let varied = self.place_varied(part);
        let from = part.clone();
        self.memory(&name, varied, Init::Copy { from, tokens })
    }

    fn writes(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Exclusive(_) => true,
            Arg::Whole { root } => matches!(
                self.program.roots[*root].kind,
                RootKind::Param {
                    passing: Passing::Exclusive,
                    ..
                }
            ),
            _ => false,
        }
    }
}

/// The name of a function or a method.
fn name_of(callee: &Callee) -> Option<&Ident> {
    match callee {
        Callee::Path(path) => path.segments.last().map(|last| &last.ident),
        Callee::Method { name, .. } => Some(name),
        _ => None,
    }
}

fn place_of(copy: RootId, part: &Place) -> Place {
    let mut place = place::whole(Base::Root(copy));
    if is_slice(&part.suffix) {
        place.suffix = quote!([..]);
    }
    place
}

/// Whether a path ends with `[a..b]`.
pub(crate) fn is_slice(suffix: &TokenStream) -> bool {
    let Some(TokenTree::Group(group)) = suffix.clone().into_iter().last() else {
        return false;
    };
    let dots = group.stream().into_iter().collect::<Vec<_>>();
    dots.windows(2)
        .any(|w| matches!(w, [TokenTree::Punct(a), TokenTree::Punct(b)] if a.as_char() == '.' && b.as_char() == '.'))
}
