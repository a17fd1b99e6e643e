//! A step: `f(&mut x, &p, t)` writes the next state over `x`.

use coenzyme::{Const, DynArg, ForwardConfig, ForwardRule, ReverseConfig, ReverseRule};

/// A step that has a forward rule.
pub trait ForwardStep<S: ?Sized, P: ?Sized, const W: usize> {
    /// Does the step, and takes the tangents of the state along.
    fn push(
        &self,
        config: &ForwardConfig,
        x: &mut S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&P; W]>,
        t: usize,
    );
}

impl<F, S: ?Sized, P: ?Sized, const W: usize> ForwardStep<S, P, W> for F
where
    F: for<'a> ForwardRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a P, &'a P, W>,
                Const<usize>,
            ),
            W,
        >,
{
    fn push(
        &self,
        config: &ForwardConfig,
        x: &mut S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&P; W]>,
        t: usize,
    ) {
        let (mut x, mut p) = (DynArg::new(x, dx), DynArg::new(p, dp));
        self.forward(config, (&mut x, &mut p, &mut Const(t)));
    }
}

/// A step that has a reverse rule.
pub trait ReverseStep<S: ?Sized, P: ?Sized, const W: usize> {
    /// What one step leaves for its reverse pass.
    type Tape: Send + 'static;

    /// Does the step, with tape. `active` says whether state and parameter will have cotangents.
    fn tape(
        &self,
        config: &ReverseConfig,
        x: &mut S,
        p: &P,
        active: (bool, bool),
        t: usize,
    ) -> Self::Tape;

    /// Undoes the step: the cotangent of the state after it becomes that of the state before it. `x` is the state after it, unless
    /// `config` says that argument 0 is overwritten.
    #[allow(
        clippy::too_many_arguments,
        reason = "two arguments, their shadows, and how"
    )]
    fn pull(
        &self,
        config: &ReverseConfig,
        x: &mut S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,
        t: usize,
        tape: Self::Tape,
    );
}

impl<F, S: ?Sized, P: ?Sized, Tape, const W: usize> ReverseStep<S, P, W> for F
where
    Tape: Send + 'static,
    F: for<'a> ReverseRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a P, &'a mut P, W>,
                Const<usize>,
            ),
            W,
            Tape = Tape,
        >,
{
    type Tape = Tape;

    fn tape(
        &self,
        config: &ReverseConfig,
        x: &mut S,
        p: &P,
        active: (bool, bool),
        t: usize,
    ) -> Tape {
        let (mut x, mut p) = (DynArg::promised(x, active.0), DynArg::promised(p, active.1));
        self.augmented_primal(config, (&mut x, &mut p, &mut Const(t)))
            .tape
    }

    fn pull(
        &self,
        config: &ReverseConfig,
        x: &mut S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,
        t: usize,
        tape: Tape,
    ) {
        let (mut x, mut p) = (DynArg::new(x, dx), DynArg::new(p, dp));
        self.reverse(config, (), tape, (&mut x, &mut p, &mut Const(t)));
    }
}
