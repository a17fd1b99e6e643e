//! Second derivatives: the reverse rule run on dual numbers.

use super::chunks;
use crate::activity::{Active, BatchDuplicated, Duplicated};
use crate::config::ReverseConfig;
use crate::dual::Dual;
use crate::real::Real;
use crate::rule::{Function, Outcome, ReverseRule};

/// The arguments of a function of one vector of dual numbers.
type Arg<'a, T> = (Duplicated<&'a [Dual<T>], Vec<Dual<T>>>,);

/// The gradient of `f` at `x`, and the product of its Hessian with `v`, by forward over reverse: two to three times the
/// operations of the gradient. Returns the product first.
///
/// `f` is a function that is generic over [`Real`]. If it returns `Result` or `Option`, so does this.
///
/// ```
/// use coenzyme::{hvp_and_gradient};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let (product, gradient) = hvp_and_gradient(&cubes {}, &[1.0, 2.0], &[1.0, -1.0]);
/// assert_eq!(product, [6.0, -12.0]);
/// assert_eq!(gradient, [3.0, 12.0]);
/// # }
/// ```
///
/// # Panics
/// If `v` has not the length of `x`.
#[track_caller]
pub fn hvp_and_gradient<F, T, Out>(f: &F, x: &[T], v: &[T]) -> Out::Of<(Vec<T>, Vec<T>)>
where
    T: Real,
    Out: Outcome<Value = Dual<T>>,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Out>,
    F: for<'a> ReverseRule<Active<Out>, Arg<'a, T>, 1>,
{
    Out::map_of(dual_gradient(f, x, v), |gradient| {
        let product = gradient.iter().map(|d| d.tangent).collect();
        (product, gradient.iter().map(|d| d.value).collect())
    })
}

/// The gradient of `f` at `x + v·ε`.
#[track_caller]
fn dual_gradient<F, T, Out>(f: &F, x: &[T], v: &[T]) -> Out::Of<Vec<Dual<T>>>
where
    T: Real,
    Out: Outcome<Value = Dual<T>>,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Out>,
    F: for<'a> ReverseRule<Active<Out>, Arg<'a, T>, 1>,
{
    let (n, m) = (x.len(), v.len());
    assert_eq!(n, m, "hvp: the point has {n} entries, the direction {m}");
    let x: Vec<_> = x.iter().zip(v).map(|(&x, &v)| Dual::new(x, v)).collect();
    let shadow = vec![Dual::constant(T::zero()); x.len()];
    let mut args = (BatchDuplicated::from_parts(&x[..], [shadow]),);
    let config = ReverseConfig::new(false);
    // both halves at once: what the driver knows is constant in them, and a sum is not computed twice
    let returned = f.both::<false>(&config, [Dual::constant(T::one())], &mut args);
    Out::map_of(returned, |_| {
        let (_, [shadow]) = args.0.into_parts();
        shadow
    })
}

/// The product of the Hessian of `f` at `x` with `v`: see [`hvp_and_gradient`].
///
/// ```
/// use coenzyme::{hvp};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(hvp(&cubes {}, &[1.0, 2.0], &[1.0, -1.0]), [6.0, -12.0]);
/// # }
/// ```
///
/// # Panics
/// If `v` has not the length of `x`.
#[track_caller]
pub fn hvp<F, T, Out>(f: &F, x: &[T], v: &[T]) -> Out::Of<Vec<T>>
where
    T: Real,
    Out: Outcome<Value = Dual<T>>,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Out>,
    F: for<'a> ReverseRule<Active<Out>, Arg<'a, T>, 1>,
{
    Out::map_of(dual_gradient(f, x, v), |gradient| {
        gradient.iter().map(|d| d.tangent).collect()
    })
}

/// The Hessian of `f` at `x`, one row for each entry of `x`: as many Hessian-vector products. For no entries `f` is not
/// differentiated.
///
/// ```
/// use coenzyme::{hessian};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(hessian(&cubes {}, &[1.0, 2.0]), [[6.0, 0.0], [0.0, 12.0]]);
/// # }
/// ```
pub fn hessian<F, T, Out>(f: &F, x: &[T]) -> Out::Of<Vec<Vec<T>>>
where
    T: Real,
    Out: Outcome<Value = Dual<T>>,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Out>,
    F: for<'a> ReverseRule<Active<Out>, Arg<'a, T>, 1>,
{
    let mut direction = vec![T::zero(); x.len()];
    let mut rows = Vec::with_capacity(x.len());
    let outcome = chunks::<Out>(x.len(), 1, |i| {
        direction[i] = T::one();
        let row = hvp(f, x, &direction);
        direction[i] = T::zero();
        Out::map_of(row, |row| rows.push(row))
    });
    let outcome = outcome.unwrap_or_else(|| Outcome::map_value(f.call((&[],)), drop));
    Out::map_of(outcome, |()| rows)
}
