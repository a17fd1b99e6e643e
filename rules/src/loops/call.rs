//! A call that leaves no tape.

use std::array::from_fn;

use coenzyme::{
    Annotation, AugmentedOutcome, DynArg, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, Outcome, ReverseArg, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, primitive,
};

use super::Operand;
use crate::lanes::together;

/// `f(x, p)`, whose reverse pass runs `f` again instead of keeping its tape.
///
/// The tape of `f` exists while the reverse pass of this call runs, and not before. `x` and `p` are read again where they
/// lie, or copied if they may be overwritten. Pass `&()` for `p` if there is one argument. If `f` returns an error, so does
/// the call.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_rules::loops::checkpoint;
///
/// /// Needs every `y` again: its tape has a number for each entry.
/// #[differentiable]
/// fn chain(x: &[f64], rate: &f64) -> f64 {
///     let mut y = 1.0;
///     for x in x {
///         y *= (*rate * *x * y).cos();
///     }
///     y
/// }
///
/// #[differentiable]
/// fn loss(x: &[f64], rate: f64) -> f64 {
///     let y = checkpoint(x, &rate, Inactive(chain {}));
///     y * y
/// }
///
/// #[differentiable]
/// fn plain(x: &[f64], rate: f64) -> f64 {
///     let y = chain(x, &rate);
///     y * y
/// }
///
/// let x = [0.3, 0.1, 0.7];
/// assert_eq!(gradient!(loss, &x, 2.0), gradient!(plain, &x, 2.0));
/// ```
#[primitive]
pub fn checkpoint<X, P, U, F>(x: &X, p: &P, f: Inactive<F>) -> U
where
    X: Operand + ?Sized,
    P: Operand + ?Sized,
    U: Outcome,
    F: for<'a> Function<(&'a X, &'a P), Output = U>,
{
    f.0.call((x, p))
}

/// What the reverse pass runs `f` on again: the arguments, where they may be overwritten.
pub struct CheckpointTape<X: ToOwned + ?Sized, P: ToOwned + ?Sized> {
    x: Saved<X>,
    p: Saved<P>,
}

/// The tangents of all lanes of an argument, if it is active.
fn tangents<T: ?Sized, X: ForwardArg<T, W>, const W: usize>(x: &X) -> Option<[&T; W]> {
    x.is_active()
        .then(|| from_fn(|lane| x.tangent(lane).expect("an active argument has tangents")))
}

impl<R, A, Q, G, X, P, F, const W: usize> ForwardRule<R, (A, Q, G), W> for checkpoint
where
    X: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W>,
    A: ForwardArg<X, W> + Annotation<Primal: Memory<Target = X>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    F: for<'a> ForwardRule<R, (DynArg<&'a X, &'a X, W>, DynArg<&'a P, &'a P, W>), W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f): (&mut A, &mut Q, &mut G),
    ) -> ForwardOutcome<R, W> {
        let mut x = DynArg::new(x.primal(), tangents(x));
        let mut p = DynArg::new(p.primal(), tangents(p));
        f.primal().0.forward(config, (&mut x, &mut p))
    }
}

impl<R, A, Q, G, X, P, F, Tape, const W: usize> ReverseRule<R, (A, Q, G), W> for checkpoint
where
    X: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W>,
    A: ReverseArg<X, W> + Annotation<Primal: Memory<Target = X>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    F: for<'a> Function<(&'a X, &'a P), Output = R::Out>,
    F: for<'a> ReverseRule<
            R,
            (DynArg<&'a X, &'a mut X, W>, DynArg<&'a P, &'a mut P, W>),
            W,
            Tape = Tape,
        >,
{
    type Tape = CheckpointTape<X, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f): (&mut A, &mut Q, &mut G),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let active = R::ACTIVE && (x.is_active() || p.is_active());
        let (x, p) = (x.primal(), p.primal());
        let tape = CheckpointTape {
            x: Saved::new(x, active && config.overwritten(0)),
            p: Saved::new(p, active && config.overwritten(1)),
        };
        let value = f.primal().0.call((x, p));
        Outcome::map_value(value, |value| R::augmented(config, value, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x, p, g): (&mut A, &mut Q, &mut G),
    ) -> (A::Gradient, Q::Gradient, G::Gradient) {
        let actives = (x.is_active(), p.is_active());
        if !R::ACTIVE || !(actives.0 || actives.1) {
            return (x.no_gradient(), p.no_gradient(), g.no_gradient());
        }
        let f = &g.primal().0;
        let body = config.with_none_overwritten().with_needs_primal(false);
        let mut dret = Some(dret);
        let (of_x, of_p) = x.lanes(|x, dx| {
            let x = tape.x.get(x);
            let mut of_p = None;
            together(dx, &mut |dx| {
                let mut dx = Some(dx);
                let (entry, ()) = p.lanes(|p, dp| {
                    let p = tape.p.get(p);
                    together(dp, &mut |dp| {
                        let mut augmented = None;
                        let mut args = (
                            DynArg::promised(x, actives.0),
                            DynArg::promised(p, actives.1),
                        );
                        let again = f.augmented_primal(&body, (&mut args.0, &mut args.1));
                        R::Out::map_of(again, |inside| augmented = Some(inside));
                        let augmented =
                            augmented.expect("the function succeeds again where it has succeeded");
                        let dx = dx.take().and_then(|dx| dx.try_into().ok());
                        let mut args = (DynArg::new(x, dx), DynArg::new(p, dp.try_into().ok()));
                        let dret = dret.take().expect("used once");
                        f.reverse(&body, dret, augmented.tape, (&mut args.0, &mut args.1));
                    });
                });
                of_p = Some(entry);
            });
            of_p.expect("the closure ran")
        });
        (of_x, of_p, g.no_gradient())
    }
}
