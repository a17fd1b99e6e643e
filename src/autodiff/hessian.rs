//! Second derivatives: the reverse rule run on dual numbers.

use crate::activity::{Active, BatchDuplicated, Duplicated};
use crate::config::ReverseConfig;
use crate::dual::Dual;
use crate::real::Real;
use crate::rule::{AugmentedReturn, Function, ReverseRule};

/// The arguments of a function of one vector of dual numbers.
type Arg<'a, T> = (Duplicated<&'a [Dual<T>], Vec<Dual<T>>>,);

/// The gradient of `f` at `x`, and the product of its Hessian with `v`, by forward over reverse: about twice the cost of the
/// gradient.
///
/// `f` is a function that is generic over [`Real`].
///
/// # Panics
/// If `v` has not the length of `x`.
#[track_caller]
pub fn hvp_and_gradient<F, T>(f: &F, x: &[T], v: &[T]) -> (Vec<T>, Vec<T>)
where
    T: Real,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Dual<T>>,
    F: for<'a> ReverseRule<Active<Dual<T>>, Arg<'a, T>, 1>,
{
    assert_eq!(
        x.len(),
        v.len(),
        "hvp: the point has {} entries, the direction {}",
        x.len(),
        v.len()
    );
    let x: Vec<_> = x.iter().zip(v).map(|(&x, &v)| Dual::new(x, v)).collect();
    let shadow = vec![Dual::constant(T::zero()); x.len()];
    let mut arg = BatchDuplicated::from_parts(&x[..], [shadow]);
    let config = ReverseConfig::new(false);
    let AugmentedReturn { tape, .. } = f.augmented_primal(&config, (&mut arg,));
    f.reverse(&config, [Dual::constant(T::one())], tape, (&mut arg,));
    let (_, [shadow]) = arg.into_parts();
    shadow.into_iter().map(|d| (d.tangent, d.value)).unzip()
}

/// The product of the Hessian of `f` at `x` with `v`: see [`hvp_and_gradient`].
///
/// # Panics
/// If `v` has not the length of `x`.
#[track_caller]
pub fn hvp<F, T>(f: &F, x: &[T], v: &[T]) -> Vec<T>
where
    T: Real,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Dual<T>>,
    F: for<'a> ReverseRule<Active<Dual<T>>, Arg<'a, T>, 1>,
{
    hvp_and_gradient(f, x, v).0
}

/// The Hessian of `f` at `x`, one row for each entry of `x`: as many Hessian-vector products.
pub fn hessian<F, T>(f: &F, x: &[T]) -> Vec<Vec<T>>
where
    T: Real,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Dual<T>>,
    F: for<'a> ReverseRule<Active<Dual<T>>, Arg<'a, T>, 1>,
{
    let mut direction = vec![T::zero(); x.len()];
    (0..x.len())
        .map(|i| {
            direction[i] = T::one();
            let row = hvp(f, x, &direction);
            direction[i] = T::zero();
            row
        })
        .collect()
}
