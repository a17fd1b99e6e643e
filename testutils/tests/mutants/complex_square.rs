//! c·z² for complex numbers: the cotangent is multiplied by the conjugate of the partial.

use coenzyme::{
    Adjoint, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
};
use coenzyme_testutils::{Report, Setting, value};
use num_complex::Complex;
use num_traits::Zero;

type C = Complex<f64>;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    ByPowers,
    ConjugatesForward,
    DropsImaginary,
    ForgetsConjugate,
    ConjugatesSeed,
    TakesRealPart,
}

use Wrong::*;

pub(crate) struct ComplexSquare(Wrong);

/// Neither real nor imaginary, so that a forgotten conjugate shows.
const FACTOR: C = Complex::new(0.75, -1.25);

impl Function<(C,)> for ComplexSquare {
    type Output = C;

    fn call(&self, (z,): (C,)) -> C {
        FACTOR * z * z
    }
}

/// `partial·seed`, and zero for a zero seed: infinite partials do not count then.
fn strong(partial: C, seed: C) -> C {
    if seed.is_zero() {
        C::zero()
    } else {
        partial * seed
    }
}

impl<R: ForwardReturn<W, Out = C>, Z: ForwardArg<C, W>, const W: usize> ForwardRule<R, (Z,), W>
    for ComplexSquare
{
    fn forward(&self, config: &ForwardConfig, (z,): (&mut Z,)) -> R::Forward {
        let z0 = *z.primal();
        let partial = match self.0 {
            ConjugatesForward => (FACTOR * z0 * 2.0).conj(),
            DropsImaginary => C::from((FACTOR * z0 * 2.0).re),
            _ => FACTOR * z0 * 2.0,
        };
        R::forward(
            config,
            || FACTOR * z0 * z0,
            |lane| z.tangent(lane).map_or(C::zero(), |dz| strong(partial, *dz)),
        )
    }
}

impl<R: ReverseReturn<W, Out = C>, Z: ReverseArg<C, W>, const W: usize> ReverseRule<R, (Z,), W>
    for ComplexSquare
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (z,): (&mut Z,),
    ) -> AugmentedReturn<C, R::Shadow, ()> {
        R::augmented(config, FACTOR * z.primal() * z.primal(), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (z,): (&mut Z,),
    ) -> (Z::Gradient,) {
        let gradient = z.accumulate(|lane, z, mut dz: Adjoint<'_, C>| {
            let Some(seed) = dret.lane(lane) else { return };
            let partial = FACTOR * z * 2.0;
            dz += match self.0 {
                ForgetsConjugate => strong(partial, *seed),
                ConjugatesSeed => strong(partial, seed.conj()),
                TakesRealPart => C::from(strong(partial.conj(), *seed).re),
                ByPowers => strong((FACTOR * 2.0).conj() * z.conj(), *seed),
                _ => strong(partial.conj(), *seed),
            };
        });
        (gradient,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let z = value(Complex::new(1.5, -0.625)).named("z");
    let tester = crate::shared!(Setting::new((z,)).function("complex_square", ComplexSquare(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated]
        forward [Const; Const]
        reverse [Active; Active]
        reverse [Active; Const]
    )
}

crate::variants!(judge: Nothing, ByPowers);

crate::mutants! {
    judge {
        ConjugatesForward => F1, "where   ret.tangent";
        DropsImaginary => F1, "where   ret.tangent";
        ForgetsConjugate => R1z, "where   z.gradient";
        ConjugatesSeed => R1z, "where   z.gradient";
        TakesRealPart => R1z, "[1] ";
    }
}
