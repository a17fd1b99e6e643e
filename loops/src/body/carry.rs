//! A step of a scan: `f(&mut carry, &x, &p)` writes the next carry over `carry`, and returns a value.

use coenzyme::{
    Active, BatchDuplicated, DynArg, ForwardConfig, ForwardRule, Outcome, ReverseConfig,
    ReverseRule,
};

use super::inside;

/// A step of a scan that has a forward rule.
pub trait ForwardCarry<C: ?Sized, X, P: ?Sized, U, const W: usize> {
    /// Does the step, takes the tangents of the carry along, and returns the value with its tangents.
    #[allow(
        clippy::too_many_arguments,
        reason = "three arguments, their shadows, and how"
    )]
    fn push(
        &self,
        config: &ForwardConfig,
        c: &mut C,
        dc: Option<[&mut C; W]>,
        x: &X,
        dx: Option<[&X; W]>,
        p: &P,
        dp: Option<[&P; W]>,
    ) -> (U, [U; W]);
}

impl<F, C: ?Sized, X, P: ?Sized, U, const W: usize> ForwardCarry<C, X, P, U, W> for F
where
    U: Outcome<Value = U>,
    F: for<'a> ForwardRule<
            BatchDuplicated<U, U, W>,
            (
                DynArg<&'a mut C, &'a mut C, W>,
                DynArg<&'a X, &'a X, W>,
                DynArg<&'a P, &'a P, W>,
            ),
            W,
        >,
{
    fn push(
        &self,
        config: &ForwardConfig,
        c: &mut C,
        dc: Option<[&mut C; W]>,
        x: &X,
        dx: Option<[&X; W]>,
        p: &P,
        dp: Option<[&P; W]>,
    ) -> (U, [U; W]) {
        let (mut c, mut x) = (DynArg::new(c, dc), DynArg::new(x, dx));
        let mut p = DynArg::new(p, dp);
        inside::<U, _>(self.forward(config, (&mut c, &mut x, &mut p))).into_parts()
    }
}

/// A step of a scan that has a reverse rule.
pub trait ReverseCarry<C: ?Sized, X, P: ?Sized, U, const W: usize> {
    /// What one step leaves for its reverse pass.
    type Tape: Send + 'static;

    /// Does the step, with tape, and returns the value. `active` says whether carry, `x` and `p` will have cotangents.
    fn tape(
        &self,
        config: &ReverseConfig,
        c: &mut C,
        x: &X,
        p: &P,
        active: [bool; 3],
    ) -> (U, Self::Tape);

    /// Undoes the step: the cotangent of the carry after it becomes that of the carry before it.
    #[allow(
        clippy::too_many_arguments,
        reason = "three arguments, their shadows, and how"
    )]
    fn pull(
        &self,
        config: &ReverseConfig,
        c: &mut C,
        dc: Option<[&mut C; W]>,
        x: &X,
        dx: Option<[&mut X; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,
        dy: [U; W],
        tape: Self::Tape,
    );
}

impl<F, C: ?Sized, X, P: ?Sized, U, Tape, const W: usize> ReverseCarry<C, X, P, U, W> for F
where
    U: Outcome<Value = U>,
    Tape: Send + 'static,
    F: for<'a> ReverseRule<
            Active<U>,
            (
                DynArg<&'a mut C, &'a mut C, W>,
                DynArg<&'a X, &'a mut X, W>,
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
        c: &mut C,
        x: &X,
        p: &P,
        active: [bool; 3],
    ) -> (U, Tape) {
        let mut c = DynArg::promised(c, active[0]);
        let mut x = DynArg::promised(x, active[1]);
        let mut p = DynArg::promised(p, active[2]);
        let config = config.with_needs_primal(true);
        let augmented = inside::<U, _>(self.augmented_primal(&config, (&mut c, &mut x, &mut p)));
        (augmented.primal.expect("asked for"), augmented.tape)
    }

    fn pull(
        &self,
        config: &ReverseConfig,
        c: &mut C,
        dc: Option<[&mut C; W]>,
        x: &X,
        dx: Option<[&mut X; W]>,
        p: &P,
        dp: Option<[&mut P; W]>,
        dy: [U; W],
        tape: Tape,
    ) {
        let (mut c, mut x) = (DynArg::new(c, dc), DynArg::new(x, dx));
        let mut p = DynArg::new(p, dp);
        let config = config.with_needs_primal(true);
        self.reverse(&config, dy, tape, (&mut c, &mut x, &mut p));
    }
}
