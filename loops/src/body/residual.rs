//! A residual: `f(&mut r, &x, &p)` writes what should be zero over `r`.

use coenzyme::{Const, DynArg, ForwardConfig, ForwardRule, ReverseConfig, ReverseRule};

/// A residual that has a forward rule.
pub trait ForwardResidual<S: ?Sized, P: ?Sized, const W: usize> {
    /// Writes the value over `out` and its tangents over `dout`.
    #[allow(
        clippy::too_many_arguments,
        reason = "three arguments, their shadows, and how"
    )]
    fn push(
        &self,
        config: &ForwardConfig,
        out: &mut S,
        dout: Option<[&mut S; W]>,
        x: &S,
        dx: Option<[&S; W]>,
        p: &P,
        dp: Option<[&P; W]>,
    );
}

impl<F, S: ?Sized, P: ?Sized, const W: usize> ForwardResidual<S, P, W> for F
where
    F: for<'a> ForwardRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a S, &'a S, W>,
                DynArg<&'a P, &'a P, W>,
            ),
            W,
        >,
{
    fn push(
        &self,
        config: &ForwardConfig,
        out: &mut S,
        dout: Option<[&mut S; W]>,
        x: &S,
        dx: Option<[&S; W]>,
        p: &P,
        dp: Option<[&P; W]>,
    ) {
        let mut out = DynArg::new(out, dout);
        let (mut x, mut p) = (DynArg::new(x, dx), DynArg::new(p, dp));
        self.forward(config, (&mut out, &mut x, &mut p));
    }
}

/// A residual that has a reverse rule.
pub trait ReverseResidual<S: ?Sized, P: ?Sized, const W: usize> {
    /// What one call leaves for its reverse pass.
    type Tape: Send + 'static;

    /// Writes the value over `out`, with tape. `active` says whether `x` and `p` will have cotangents.
    fn tape(
        &self,
        config: &ReverseConfig,
        out: &mut S,
        x: &S,
        p: &P,
        active: (bool, bool),
    ) -> Self::Tape;

    /// Uses up the cotangents of the value in `dout`, and adds to those of `x` and `p`. What `out` holds does not matter if `config` says
    /// that argument 0 is overwritten.
    #[allow(
        clippy::too_many_arguments,
        reason = "three arguments, their shadows, and how"
    )]
    fn pull(
        &self,
        config: &ReverseConfig,
        out: &mut S,
        dout: [&mut S; W],
        x: &S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,

        tape: Self::Tape,
    );
}

impl<F, S: ?Sized, P: ?Sized, Tape, const W: usize> ReverseResidual<S, P, W> for F
where
    Tape: Send + 'static,
    F: for<'a> ReverseRule<
            Const<()>,
            (
                DynArg<&'a mut S, &'a mut S, W>,
                DynArg<&'a S, &'a mut S, W>,
                DynArg<&'a P, &'a mut P, W>,
            ),
            W,
            Tape = Tape,
        >,
{
    type Tape = Tape;

    fn tape(
        &self,
        config: &ReverseConfig,
        out: &mut S,
        x: &S,
        p: &P,
        active: (bool, bool),
    ) -> Tape {
        let mut out = DynArg::promised(out, active.0 || active.1);
        let (mut x, mut p) = (DynArg::promised(x, active.0), DynArg::promised(p, active.1));
        let args = (&mut out, &mut x, &mut p);
        self.augmented_primal(config, args).tape
    }

    fn pull(
        &self,
        config: &ReverseConfig,
        out: &mut S,
        dout: [&mut S; W],
        x: &S,
        dx: Option<[&mut S; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,

        tape: Tape,
    ) {
        let mut out = DynArg::new(out, Some(dout));
        let (mut x, mut p) = (DynArg::new(x, dx), DynArg::new(p, dp));
        self.reverse(config, (), tape, (&mut out, &mut x, &mut p));
    }
}
