//! What a call passes on, the same in both modes.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::bounds::Mode;
use super::names::shadow;
use crate::differentiable::ir::*;
use crate::signature::{Function, Passing};

/// An argument of a call.
pub(super) enum Passed<'a> {
    /// Inactive: this expression.
    Const(TokenStream),
    /// A number.
    Value(&'a Atom),
    /// A function with what it captures.
    Closure {
        function: &'a Ident,
        captured: &'a [Arg],
        point: &'a Point,
    },
    /// A part of memory.
    Memory(Lent<'a>),
}

/// A part of memory that a call gets.
pub(super) struct Lent<'a> {
    pub(super) program: &'a Program,
    pub(super) place: Place,
    /// To be written.
    pub(super) exclusive: bool,
}

impl Program {
    /// What `arg` passes.
    pub(super) fn passed<'a>(&'a self, function: &Function, arg: &'a Arg) -> Passed<'a> {
        let lent = |place: Place, exclusive| {
            Passed::Memory(Lent {
                program: self,
                place,
                exclusive,
            })
        };
        match arg {
            Arg::Const(expr) => Passed::Const(expr.tokens.clone()),
            Arg::Value(atom) => Passed::Value(atom),
            Arg::Closure {
                function,
                captured,
                point,
            } => Passed::Closure {
                function,
                captured,
                point,
            },
            Arg::Shared(place) => lent(place.clone(), false),
            Arg::Exclusive(place) => lent(place.clone(), true),
            Arg::Whole { root } if function.is_constant(&self.roots[*root]) => {
                Passed::Const(self.lend_root(*root))
            }
            Arg::Whole { root } => {
                let exclusive = matches!(
                    self.roots[*root].kind,
                    RootKind::Param {
                        passing: Passing::Exclusive,
                        ..
                    }
                );
                lent(Place::whole(*root), exclusive)
            }
        }
    }
}

impl Program {
    /// Lends the memory in the handle `a` as the type that a parameter which is called says.
    pub(super) fn lend_as(
        &self,
        function: &Function,
        (call, input): (&Call, usize),
        a: &Ident,
        mode: Mode,
    ) -> Option<TokenStream> {
        let Callee::Value(d) = &call.callee else {
            return None;
        };
        let DefKind::Param(index) = self.defs[*d].kind else {
            return None;
        };
        let callable = function.params[index].callable.as_ref()?;
        let Some(syn::Type::Reference(reference)) = callable.inputs.get(input) else {
            return None;
        };
        let lend = match (&call.args[input], reference.mutability, mode) {
            (Arg::Const(_), ..) => code!(lend_const),
            (_, Some(_), _) => code!(lend_mut),
            (_, None, Mode::Forward) => code!(lend),
            (_, None, Mode::Reverse) => code!(lend_adjoint),
        };
        let ty = &reference.elem;
        Some(code!(let mut #a = ::coenzyme::__private::#lend::<#ty, _, _, __W>(&mut #a);))
    }
}

/// Who says of a call that it takes memory of any activity.
pub(super) enum TakesAny {
    /// The name of a function in a module: its rules do.
    Surely,
    /// The callee's marker: a rule of a trait's method may not.
    Asked,
}

impl Call {
    /// Whether the callee may take memory of any activity, each argument having memory of its own.
    pub(super) fn takes_any(&self) -> Option<TakesAny> {
        let small = |s: &syn::PathSegment| s.ident.to_string().starts_with(char::is_lowercase);
        let by = match &self.callee {
            Callee::Path(path) if path.segments.iter().all(small) => TakesAny::Surely,
            Callee::Path(_) | Callee::Method { .. } => TakesAny::Asked,
            _ => return None,
        };
        (!self.shares_memory()).then_some(by)
    }
}

impl TakesAny {
    /// The handle of what is lent with its type, as the callee takes it.
    pub(super) fn asked(
        self,
        lent: &Lent<'_>,
        (known, ty): (TokenStream, TokenStream),
    ) -> (TokenStream, TokenStream) {
        if let TakesAny::Surely = self {
            return (known, ty);
        }
        let active = lent.program.base_varied(lent.place.base);
        let lend = match (active, lent.exclusive) {
            (true, _) => code!(lend_active),
            (false, false) => code!(lend_inactive::<_, __W>),
            (false, true) => code!(lend_inactive_mut::<_, __W>),
        };
        let handle = code!({
            use ::coenzyme::__private::{MayTakeAny as _, TakesAny as _};
            (&callee).#lend(#known)
        });
        (handle, code!(_))
    }
}

impl Place {
    /// All of some memory.
    pub(super) fn whole(root: RootId) -> Self {
        Self {
            base: Base::Root(root),
            suffix: TokenStream::new(),
            uses: Uses::default(),
        }
    }
}

impl Lent<'_> {
    /// The handle with these shadows, an `Option` of an array.
    pub(super) fn with(&self, shadows: TokenStream) -> TokenStream {
        let primal = self.primal();
        code!(::coenzyme::DynArg::new(#primal, #shadows))
    }

    /// The handle, with its type, of a local for a call that takes any: its activity is known here. Without shadows in the first half of
    /// reverse mode.
    pub(super) fn known(&self, mode: Mode, backwards: bool) -> Option<(TokenStream, TokenStream)> {
        let (p, primal) = (self.program, self.primal());
        if !p.base_varied(self.place.base) {
            return Some(inactive(primal));
        }
        let own = match self.place.base {
            Base::Root(r) => !matches!(p.roots[r].kind, RootKind::Param { .. }),
            Base::Def(_) => true,
        };
        own.then(|| match (mode, backwards) {
            (Mode::Forward, _) => {
                let shadows = match (self.exclusive, self.place.base) {
                    (true, Base::Root(_)) => self.each_own_mut(),
                    _ => self.each_own(),
                };
                (
                    code!(::coenzyme::BatchDuplicated::from_parts(#primal, #shadows)),
                    code!(::coenzyme::BatchDuplicated<_, _, __W>),
                )
            }
            (Mode::Reverse, true) => {
                let shadows = self.each_own_mut();
                (
                    code!(::coenzyme::__private::Lent::new(#primal, #shadows)),
                    code!(::coenzyme::__private::Lent<_, _, __W>),
                )
            }
            (Mode::Reverse, false) => {
                let lend = match self.exclusive {
                    true => code!(promise_mut),
                    false => code!(promise),
                };
                (
                    code!(::coenzyme::__private::#lend(#primal)),
                    code!(::coenzyme::__private::Lent<_, _, __W>),
                )
            }
        })
    }

    /// The handle without shadows, which says whether there are any.
    pub(super) fn promised(&self, active: TokenStream) -> TokenStream {
        let primal = self.primal();
        match self.exclusive {
            true => code!(::coenzyme::__private::promised_mut(#primal, #active)),
            false => code!(::coenzyme::__private::promised(#primal, #active)),
        }
    }

    /// Its part of the shadows of a local, in all lanes.
    pub(super) fn own_shadows(&self) -> TokenStream {
        let shadows = self.each_own();
        code!(::core::option::Option::Some(#shadows))
    }

    /// As [`own_shadows`](Self::own_shadows), to be changed.
    pub(super) fn own_shadows_mut(&self) -> TokenStream {
        let shadows = self.each_own_mut();
        code!(::core::option::Option::Some(#shadows))
    }

    fn each_own(&self) -> TokenStream {
        let (d, suffix) = (
            self.program.shadow_name(self.place.base),
            &self.place.suffix,
        );
        code!(::coenzyme::__private::map_lanes(&#d, |m| &(*m)#suffix))
    }

    fn each_own_mut(&self) -> TokenStream {
        let (d, suffix) = (
            self.program.shadow_name(self.place.base),
            &self.place.suffix,
        );
        code!(::coenzyme::__private::map_lanes_mut(&mut #d, |m| &mut (*m)#suffix))
    }

    /// Its part of the shadows of a parameter, in all lanes, to be changed.
    pub(super) fn param_shadows(&self, root: RootId) -> TokenStream {
        let (d, suffix) = (shadow(&self.program.roots[root].name), &self.place.suffix);
        code!(::coenzyme::__private::each_mut(&mut #d, |m| &mut (*m)#suffix))
    }

    fn primal(&self) -> TokenStream {
        let value = self.program.place_value(&self.place);
        let lend = if self.exclusive {
            quote!(&mut)
        } else {
            quote!(&)
        };
        code!(#lend #value)
    }
}

/// `Const(…)` with its type.
pub(super) fn inactive(value: impl ToTokens) -> (TokenStream, TokenStream) {
    (
        code!(::coenzyme::Const(#value)),
        code!(::coenzyme::Const<_>),
    )
}

/// A handle of memory with its type.
pub(super) fn dynamic(handle: TokenStream) -> (TokenStream, TokenStream) {
    (handle, code!(::coenzyme::DynArg<_, _, __W>))
}
