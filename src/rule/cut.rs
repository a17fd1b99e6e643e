//! Values without derivative in the middle of a differentiated computation.

/// `x`, with its derivative cut: as far as differentiation is concerned, the result does not depend on `x`.
///
/// Use it for a value that is held fixed by definition (a target, a step size found by a search). To cut a whole
/// computation mark its function [`#[inactive]`](macro@crate::inactive).
///
/// ```
/// use coenzyme::prelude::*;
///
/// assert_eq!(ignore_derivatives(3.0), 3.0);
/// assert_eq!(autodiff!(Forward, ignore_derivatives, Duplicated(3.0, 1.0)), (0.0,));
/// assert_eq!(autodiff!(Reverse, ignore_derivatives, Active, Active(3.0)), ((0.0,),));
/// ```
#[crate::inactive]
#[inline]
pub fn ignore_derivatives<T: Clone>(x: T) -> T {
    x
}
