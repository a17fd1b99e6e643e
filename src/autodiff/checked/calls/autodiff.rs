//! `autodiff!`.

use super::super::modes::Checkable;
use super::{Call, CheckedCall};
use crate::activity::{Join, Known, Resolve};
use crate::autodiff::{Mode, ModeWidth};
use crate::rule::{Annotated, Function};

/// A call of [`autodiff`](crate::autodiff()).
pub struct Autodiff<'f, M, F, K, A, const W: usize> {
    mode: M,
    f: &'f F,
    returns: K,
    args: A,
}

/// `autodiff!`, put off.
#[inline]
pub fn autodiff<M, F, K, A, C, O, const W: usize>(
    mode: M,
    f: &F,
    returns: K,
    args: A,
) -> Autodiff<'_, M, F, K, C, W>
where
    A: Annotated,
    M: ModeWidth,
    A::Width: Join<M::Width>,
    <A::Width as Join<M::Width>>::Joined: Resolve<W>,
    F: Function<A::Primals>,
    F::Output: Known<A::Checked, Known = C>,
    M: Mode<F, K, C, W, Output = O>,
{
    Autodiff {
        mode,
        f,
        returns,
        args: F::Output::known(args.checked()),
    }
}

impl<M: Mode<F, K, A, W>, F, K, A, const W: usize> Call for Autodiff<'_, M, F, K, A, W> {
    type Function = F;
    type Output = M::Output;

    #[inline]
    fn plain(self) -> M::Output {
        self.mode.run(self.f, self.returns, self.args)
    }
}

impl<M, F, K, A, const W: usize> CheckedCall for Autodiff<'_, M, F, K, A, W>
where
    M: Mode<F, K, A, W> + Checkable,
    M::Form: Mode<F, K, A, W, Output = M::Output>,
{
    fn checked(self) -> M::Output {
        self.mode.form().run(self.f, self.returns, self.args)
    }
}
