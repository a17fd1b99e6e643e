//! An argument whose activity is decided at run time.

use super::{Activity, Annotation, Width};

/// A primal with shadows or without: the activity is a value, not a type.
///
/// Any rule that is generic over its arguments' activities runs on it, so that one rule also serves callers without types
/// (a registry, a graph). By-value derivatives are accumulated in a shadow too, since no type tells whether to return
/// them. The shadow may be owned: a registry holds `DynArg<f64>` and `DynArg<Vec<f64>>` without a lifetime.
///
/// ```
/// use coenzyme::{DynArg, ReverseArg};
///
/// let mut active: DynArg<f64> = DynArg::duplicated(3.0, [10.0]);
/// let inactive: DynArg<f64> = DynArg::constant(3.0);
/// assert!(active.is_duplicated() && !inactive.is_duplicated());
///
/// ReverseArg::<f64, 1>::accumulate(&mut active, |_lane, x, mut dx| dx += 2.0 * x);
/// assert_eq!(active.shadows(), Some(&[16.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DynArg<P, S = P, const W: usize = 1> {
    pub(super) primal: P,
    pub(super) shadows: Option<[S; W]>,
    pub(super) active: bool,
}

impl<P, S, const W: usize> DynArg<P, S, W> {
    /// An argument with shadows, which must be congruent to the primal: this is not checked here, where the type of the
    /// memory may be unknown.
    #[inline]
    pub fn duplicated(primal: P, shadows: [S; W]) -> Self {
        Self {
            primal,
            shadows: Some(shadows),
            active: true,
        }
    }

    /// The same argument by reference, as other types say it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn lend<'a, Q, T>(
        &'a mut self,
        primal: impl FnOnce(&'a mut P) -> Q,
        shadows: impl FnOnce(&'a mut [S; W]) -> [T; W],
    ) -> DynArg<Q, T, W> {
        DynArg {
            primal: primal(&mut self.primal),
            shadows: self.shadows.as_mut().map(shadows),
            active: self.active,
        }
    }

    /// An argument without shadows.
    #[inline]
    pub fn constant(primal: P) -> Self {
        Self {
            primal,
            shadows: None,
            active: false,
        }
    }

    /// An argument with shadows or without.
    #[inline]
    pub fn new(primal: P, shadows: Option<[S; W]>) -> Self {
        let active = shadows.is_some();
        Self {
            primal,
            shadows,
            active,
        }
    }

    /// An argument for an augmented pass, which touches no shadow and only asks whether there will be one.
    #[doc(hidden)]
    #[inline]
    pub fn promised(primal: P, active: bool) -> Self {
        Self {
            primal,
            shadows: None,
            active,
        }
    }

    /// The primal.
    #[inline]
    pub fn primal(&self) -> &P {
        &self.primal
    }

    /// The shadows, if there are any: after a reverse pass over an owned value, its derivatives.
    #[inline]
    pub fn shadows(&self) -> Option<&[S; W]> {
        self.shadows.as_ref()
    }

    /// The primal and its shadows.
    #[inline]
    pub fn into_parts(self) -> (P, Option<[S; W]>) {
        (self.primal, self.shadows)
    }

    /// Whether there are shadows.
    #[inline]
    pub fn is_duplicated(&self) -> bool {
        self.shadows.is_some()
    }
}

impl<P, S, const W: usize> Annotation for DynArg<P, S, W> {
    type Primal = P;
    type Width = Width<W>;
}

impl<P, S, const W: usize> Activity<W> for DynArg<P, S, W> {
    type Gradient = ();

    #[inline]
    fn is_active(&self) -> bool {
        self.active
    }
}

/// A primal with shadows, of which an augmented pass is only told that there will be some: what generated code lends of its own memory.
/// That it is active is known to the type, and a callee that is not inlined has no question to ask of it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Lent<P, S, const W: usize> {
    pub(super) primal: P,
    pub(super) shadows: Option<[S; W]>,
}

impl<P, S, const W: usize> Lent<P, S, W> {
    /// With its shadows, for a reverse pass.
    #[inline]
    pub fn new(primal: P, shadows: [S; W]) -> Self {
        Self {
            primal,
            shadows: Some(shadows),
        }
    }

    /// For an augmented pass.
    #[inline]
    pub fn promised(primal: P) -> Self {
        Self {
            primal,
            shadows: None,
        }
    }

    /// The same, with the activity as a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn into_dynamic(self) -> DynArg<P, S, W> {
        DynArg {
            primal: self.primal,
            shadows: self.shadows,
            active: true,
        }
    }
}

impl<P, S, const W: usize> Annotation for Lent<P, S, W> {
    type Primal = P;
    type Width = Width<W>;
}

impl<P, S, const W: usize> Activity<W> for Lent<P, S, W> {
    type Gradient = ();

    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}
