//! Whether an argument is active is known to a caller's types, and may be said to a callee whose rules take any: to one that takes some it is a
//! value.

use crate::activity::{BatchDuplicated, Const, DynArg, Lent};

/// A marker of which each rule is generic over its handles.
pub trait TakesAny {
    /// An active argument.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_active<K>(&self, known: K) -> K {
        known
    }

    /// An inactive argument.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_inactive<'a, U: ?Sized, const W: usize>(&self, known: Const<&'a U>) -> Const<&'a U> {
        known
    }

    /// An inactive argument that is written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_inactive_mut<'a, U: ?Sized, const W: usize>(
        &self,
        known: Const<&'a mut U>,
    ) -> Const<&'a mut U> {
        known
    }
}

/// Any other marker: found one reference further away.
pub trait MayTakeAny {
    /// An active argument.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_active<K: Known>(&self, known: K) -> K::Dynamic {
        known.dynamic()
    }

    /// An inactive argument.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_inactive<'a, 's, U: ?Sized, const W: usize>(
        &self,
        known: Const<&'a U>,
    ) -> DynArg<&'a U, &'s mut U, W> {
        DynArg::promised(known.0, false)
    }

    /// An inactive argument that is written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_inactive_mut<'a, 's, U: ?Sized, const W: usize>(
        &self,
        known: Const<&'a mut U>,
    ) -> DynArg<&'a mut U, &'s mut U, W> {
        DynArg::promised(known.0, false)
    }
}

impl<T> MayTakeAny for &T {}

/// An active argument, as its type says.
pub trait Known {
    /// The same as a value.
    type Dynamic;

    /// The same as a value.
    fn dynamic(self) -> Self::Dynamic;
}

impl<P, S, const W: usize> Known for Lent<P, S, W> {
    type Dynamic = DynArg<P, S, W>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dynamic(self) -> DynArg<P, S, W> {
        self.into_dynamic()
    }
}

impl<P, S, const W: usize> Known for BatchDuplicated<P, S, W> {
    type Dynamic = DynArg<P, S, W>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dynamic(self) -> DynArg<P, S, W> {
        let (primal, shadows) = self.into_parts();
        DynArg::new(primal, Some(shadows))
    }
}
