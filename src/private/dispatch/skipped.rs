//! Methods of a marked implementation that have no rules: they are an error where a derivative asks for them, and nowhere else.

use super::*;

/// What stands in a table for a method that is `#[skip]`ped, or that was refused: a program that differentiates a call of it does not compile.
///
/// Whether a call through the trait reaches this type is known when the generic rules are instantiated, so the error comes then, with
/// the type in its notes.
///
/// ```
/// # use coenzyme::{Tangent, differentiable, gradient};
/// #[differentiable]
/// trait Law {
///     fn density(&self, x: f64) -> f64;
///     fn sample(&self, u: f64) -> f64;
/// }
/// #[derive(Clone, Tangent)]
/// struct Linear { slope: f64 }
/// #[differentiable]
/// impl Law for Linear {
///     fn density(&self, x: f64) -> f64 { self.slope * x }
///     #[skip]
///     fn sample(&self, u: f64) -> f64 { u.sqrt() }
/// }
/// #[differentiable]
/// fn twice<L: Law>(law: &L, x: f64) -> f64 { 2.0 * law.density(x) }
///
/// let (law, x) = gradient!(twice, &Linear { slope: 3.0 }, 5.0);
/// assert_eq!((law.slope, x), (10.0, 6.0));
/// ```
///
/// ```compile_fail,E0080
/// # use coenzyme::{Tangent, differentiable, gradient};
/// # #[differentiable]
/// # trait Law { fn sample(&self, u: f64) -> f64; }
/// # #[derive(Clone, Tangent)]
/// # struct Linear { slope: f64 }
/// # #[differentiable]
/// # impl Law for Linear { #[skip] fn sample(&self, u: f64) -> f64 { u.sqrt() } }
/// #[differentiable]
/// fn twice<L: Law>(law: &L, u: f64) -> f64 { 2.0 * law.sample(u) }
///
/// let (law, u) = gradient!(twice, &Linear { slope: 3.0 }, 5.0);   // no rule of `sample` for `Linear`
/// ```
#[derive(Debug)]
pub struct Skipped;

/// A width, so that what depends on it is looked at where a rule is used, and not where it is written.
struct Called<const W: usize>;

impl<const W: usize> Called<W> {
    const REFUSED: () = panic!(
        "a method of a `#[differentiable]` trait is differentiated here for a type whose implementation has no rule for it: the notes below name both. Take `#[skip]` off the method, mend what was refused in it, mark it `#[inactive]`, or give the type parameters of the implementation the bound `coenzyme::Real`, so that it has rules for all of them"
    );
}

impl<T, A, O> MethodRule<T, A, O> for Skipped {
    fn method() -> &'static str {
        std::any::type_name::<Self>()
    }

    fn forward<'p, 's, const W: usize>(
        _: &ForwardConfig,
        _: ForwardRefs<'_, 'p, 's, T, A, W>,
    ) -> ForwardOutcome<O::Forward<W>, W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned,
    {
        const { Called::<W>::REFUSED };
        unreachable!("it does not compile")
    }

    fn augmented<'p, 's, const W: usize>(
        _: &ReverseConfig,
        _: &mut Tape,
        _: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> AugmentedOutcome<O::Reverse<W>, (), W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned,
    {
        const { Called::<W>::REFUSED };
        unreachable!("it does not compile")
    }

    fn reverse<'p, 's, const W: usize>(
        _: &ReverseConfig,
        _: CotangentOf<O, W>,
        _: &mut Tape,
        _: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> Gradients<'p, 's, T, A, W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned,
    {
        const { Called::<W>::REFUSED };
        unreachable!("it does not compile")
    }
}
