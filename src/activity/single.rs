//! Activities that hold the primal alone.

use super::{Activity, Annotation, AnyWidth};

/// An argument that is not differentiated, or a return value without derivative.
///
/// It is a promise about everything reachable through it: data that is written to a `Const` buffer and read back counts as
/// inactive, also when it was computed from active data. Give a buffer a shadow (`Duplicated`) if active data flows
/// through it.
///
/// ```
/// use coenzyme::{Activity, Const};
///
/// assert!(!Activity::<1>::is_active(&Const(2.0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Const<P>(pub P);

/// An argument that is passed by value, in reverse mode: its derivative is returned.
///
/// ```
/// use coenzyme::{Active, ReverseArg};
///
/// let entry: [f64; 2] = ReverseArg::<f64, 2>::no_gradient(&mut Active(3.0));
/// assert_eq!(entry, [0.0, 0.0], "one for each lane");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Active<P>(pub P);

impl<P> Annotation for Const<P> {
    type Primal = P;
    type Width = AnyWidth;
}

impl<P, const W: usize> Activity<W> for Const<P> {
    type Gradient = ();

    #[inline]
    fn is_active(&self) -> bool {
        false
    }
}

impl<P> Annotation for Active<P> {
    type Primal = P;
    type Width = AnyWidth;
}

impl<P, const W: usize> Activity<W> for Active<P> {
    type Gradient = [P; W];

    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}
