//! Random numbers whose distribution has active parameters, and estimators for those that have no derivative.
//!
//! | function | a sample is | its derivative |
//! |---|---|---|
//! | [`normal()`] | `μ + σ·z` | the pathwise one |
//! | [`gamma()`], [`dirichlet()`] | the quantile of a uniform number | the implicit one, `ẋ = −F_α(x; α)·α̇/F_x(x; α)` |
//! | [`straight_through()`] | whatever it is | that of a stand-in: biased |
//! | [`score_weight()`] | of probability `p` | that of `ln p`, as a weight: unbiased, of high variance |
//!
//! A sample is a function of its parameters, of a seed and of a counter ([`Philox`](crate::random::Philox)): it can be drawn again, and the
//! reverse pass keeps nothing of it but its value.

use coenzyme::prelude::*;
use coenzyme::{Dual, Real, easy_rule, primitive};
use coenzyme_rules::class::{At, Reads, Unary};
use coenzyme_rules::scalar::{Special, gamma_p, gamma_q};
use coenzyme_rules::unary_rule;

use crate::random;

/// A normal number of mean `mean` and standard deviation `deviation`, of their type.
#[differentiable]
pub fn normal<T: Real>(mean: T, deviation: T, seed: u64, counter: u64) -> T {
    mean + deviation * standard(&mean, seed, counter)
}

/// A standard normal number of the type of `like`.
#[inactive]
fn standard<T: Real>(_like: &T, seed: u64, counter: u64) -> T {
    T::lit(random::normal(seed, counter))
}

/// A number of the gamma distribution of shape `shape > 0` and scale 1, of the type of the shape: of density `xᵃ⁻¹e⁻ˣ/Γ(a)`. Multiply it by a scale, divide it by a rate.
///
/// It is the quantile of a uniform number, so that its derivative in the shape exists along every path, which that of a sampler by rejection does
/// not. NaN for a shape that is not positive; 0 where it is smaller than `f64::MIN_POSITIVE`. Cost: that of [`gamma_quantile()`].
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::sampling;
///
/// /// `E x²`, which is `a(a + 1)`
/// #[differentiable]
/// fn second_moment(shape: f64) -> f64 {
///     let mut sum = 0.0;
///     for i in 0..2000 {
///         let x = sampling::gamma(shape, 7, i);
///         sum += x * x;
///     }
///     sum / 2000.0
/// }
///
/// assert!((second_moment(2.0) - 6.0).abs() < 0.5);
/// assert!((gradient!(second_moment, 2.0).0 - 5.0).abs() < 0.3);
/// ```
#[primitive]
pub fn gamma<T: Special>(shape: T, seed: u64, counter: u64) -> T {
    gamma_quantile(shape, T::lit(random::uniform(seed, counter)))
}

easy_rule! {
    fn gamma<T: Special>(shape: T, #[constant] seed: u64, #[constant] counter: u64) -> x: T;
    dx/dshape = in_shape(shape, T::lit(random::uniform(seed, counter)), x);
}

/// A point of the simplex, of the Dirichlet distribution of these concentrations, all positive: `(n)`, positive and of sum one.
///
/// Gamma numbers divided by their sum. Reads the uniform numbers of the counters from `n·counter`. NaN if all of the gamma numbers are zero, as they
/// may be for concentrations below 0.01. Of the type of the concentrations: on dual numbers it has derivatives of any order.
///
/// ```
/// let x = coenzyme_loops::sampling::dirichlet(&[0.5, 2.0, 3.5], 1, 0);
/// assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-15);
/// ```
#[primitive]
pub fn dirichlet<T: Special>(concentrations: &[T], seed: u64, counter: u64) -> Vec<T> {
    let (x, sum) = gammas(concentrations, seed, counter);
    x.into_iter().map(|x| x / sum).collect()
}

/// The uniform number that makes entry `i` of `n`.
fn of_entry<T: Special>(n: usize, i: usize, seed: u64, counter: u64) -> T {
    let first = counter.wrapping_mul(n as u64);
    T::lit(random::uniform(seed, first.wrapping_add(i as u64)))
}

/// Gamma numbers of these shapes, and their sum.
fn gammas<T: Special>(shapes: &[T], seed: u64, counter: u64) -> (Vec<T>, T) {
    let of =
        |(i, shape): (usize, &T)| gamma_quantile(*shape, of_entry(shapes.len(), i, seed, counter));
    let x: Vec<T> = shapes.iter().enumerate().map(of).collect();
    let sum = x.iter().fold(T::zero(), |sum, x| sum + *x);
    (x, sum)
}

/// With `wᵢ = (∂gᵢ/∂αᵢ)/Σg` of the gamma numbers `g`, which is what the value leaves: `ẏᵢ = wᵢα̇ᵢ − yᵢ·Σ wⱼα̇ⱼ` and `ᾱᵢ += wᵢ·(ȳᵢ − ⟨ȳ, y⟩)`.
impl<T: Special> Unary<[T]> for dirichlet {
    type Out = Vec<T>;
    type Attrs<'a> = (&'a u64, &'a u64);
    type Residual = Vec<T>;

    const READS: Reads = Reads::OUT.and(Reads::RESIDUAL);

    fn value(shapes: &[T], (&seed, &counter): Self::Attrs<'_>) -> Vec<T> {
        dirichlet(shapes, seed, counter)
    }

    fn linearize(shapes: &[T], (&seed, &counter): Self::Attrs<'_>) -> (Vec<T>, Vec<T>) {
        let (x, sum) = gammas(shapes, seed, counter);
        let weight = |(i, x): (usize, &T)| {
            let u = of_entry(shapes.len(), i, seed, counter);
            in_shape(shapes[i], u, *x) / sum
        };
        let weights = x.iter().enumerate().map(weight).collect();
        (x.into_iter().map(|x| x / sum).collect(), weights)
    }

    fn pushforward(at: &At<'_, [T], Vec<T>, Vec<T>>, dshapes: &[T], _: Self::Attrs<'_>) -> Vec<T> {
        let moved = |(w, d): (&T, &T)| *w * *d;
        let moved: Vec<T> = at.residual.iter().zip(dshapes).map(moved).collect();
        let sum = moved.iter().fold(T::zero(), |sum, d| sum + *d);
        let kept = |(d, y): (T, &T)| d - *y * sum;
        moved.into_iter().zip(at.out()).map(kept).collect()
    }

    fn pullback(
        at: &At<'_, [T], Vec<T>, Vec<T>>,
        dy: &Vec<T>,
        dshapes: &mut [T],
        _: Self::Attrs<'_>,
    ) {
        let products = dy.iter().zip(at.out());
        let mean = products.fold(T::zero(), |sum, (dy, y)| sum + *dy * *y);
        for ((d, w), dy) in dshapes.iter_mut().zip(at.residual).zip(dy) {
            *d += *w * (*dy - mean);
        }
    }
}

unary_rule!(dirichlet[T: Special](concentrations: [T]; seed: u64, counter: u64) = dirichlet);

/// The quantile of the standard normal distribution: the `z` with `Φ(z) = u`, for `0 ≤ u ≤ 1`.
///
/// `−∞` for `u = 0`, `∞` for `u = 1`, NaN outside of the domain. Its derivative is `1/φ(z)`. Newton's method for `ln Φ`, to relative precision in the lower
/// tail.
///
/// ```
/// use coenzyme_loops::sampling::normal_quantile;
///
/// assert!((normal_quantile(0.975_f64) - 1.959963984540054).abs() < 1e-14);
/// ```
#[primitive]
pub fn normal_quantile<T: Special>(u: T) -> T {
    let mut z = T::lit(normal_deviate(u.to_plain()));
    // each step of Newton's method is right to one order of dual numbers more
    for _ in 0..Tangent::to_flat(&z).len().ilog2() {
        z -= (below(z) - u) / normal_density(z);
    }
    z
}

easy_rule! {
    fn normal_quantile<T: Special>(u: T) -> z: T;
    dz/du = normal_density(z).recip();
}

/// `Φ(z)`
fn below<T: Special>(z: T) -> T {
    T::lit(0.5) * (-z * T::FRAC_1_SQRT_2()).erfc()
}

/// `φ(z)`
fn normal_density<T: Special>(z: T) -> T {
    (T::lit(-0.5) * z * z).exp() / T::TAU().sqrt()
}

/// [`normal_quantile()`] of plain numbers.
fn normal_deviate(u: f64) -> f64 {
    if !(0.0..=0.5).contains(&u) {
        // NaN fails both
        return if u > 0.5 && u <= 1.0 {
            -normal_deviate(1.0 - u)
        } else {
            f64::NAN
        };
    }
    if u == 0.0 {
        return f64::NEG_INFINITY;
    }
    // left of the quantile, since Φ(−s) < e^(−s²/2); ln Φ is concave, and the method stays there
    let mut z = -(-2.0 * u.ln()).sqrt();
    for _ in 0..60 {
        let p = below(z);
        let step = (p.ln() - u.ln()) * p / normal_density(z);
        z -= step;
        if step.abs() <= f64::EPSILON * z.abs() {
            break;
        }
    }
    z
}

/// The quantile of the gamma distribution of shape `shape > 0`: the `x` with `P(a, x) = u`, for `0 ≤ u ≤ 1`.
///
/// 0 for `u = 0` and where the quantile is smaller than `f64::MIN_POSITIVE`, infinite for `u = 1`, NaN outside of the domain. Its derivatives are those of an implicit function, `∂x/∂u` one over the density and
/// `∂x/∂a = −(∂P/∂a)/density`. Newton's method in `ln x` for the logarithm of the nearer tail, between bounds: right to `|ln x|` roundings also in the
/// tails. About ten evaluations of [`gamma_p`](fn@gamma_p); none for shapes above 10⁵, where six terms of Cornish and Fisher's expansion are exact to
/// rounding.
///
/// Source: Figurnov, Mohamed & Mnih 2018, *Implicit reparameterization gradients*, NeurIPS, arXiv:1805.08498, equation 5. Cornish & Fisher 1938,
/// doi:10.2307/1400905.
///
/// ```
/// use coenzyme_loops::sampling::gamma_quantile;
///
/// // of shape 1 it is exponential
/// assert!((gamma_quantile(1.0_f64, 0.3) + 0.7_f64.ln()).abs() < 1e-15);
/// ```
#[primitive]
pub fn gamma_quantile<T: Special>(shape: T, u: T) -> T {
    if is_large(shape) {
        return expanded(shape, normal_quantile(u));
    }
    let mut x = T::lit(gamma_deviate(shape.to_plain(), u.to_plain()));
    for _ in 0..Tangent::to_flat(&x).len().ilog2() {
        let beyond = if u < T::lit(0.5) {
            gamma_p(shape, x) - u
        } else {
            T::one() - u - gamma_q(shape, x)
        };
        x -= beyond / gamma_density(shape, x);
    }
    x
}

easy_rule! {
    fn gamma_quantile<T: Special>(shape: T, u: T) -> x: T;
    dx/dshape = in_shape(shape, u, x);
    dx/du = in_uniform(shape, u, x);
}

fn in_shape<T: Special>(shape: T, u: T, x: T) -> T {
    // smaller than any float, whatever the shape
    if x.is_zero() {
        return T::zero();
    }
    if is_large(shape) {
        let z = Dual::constant(normal_quantile(u));
        return expanded(Dual::variable(shape), z).tangent;
    }
    -gamma_p(Dual::variable(shape), Dual::constant(x)).tangent / gamma_density(shape, x)
}

fn in_uniform<T: Special>(shape: T, u: T, x: T) -> T {
    if is_large(shape) {
        let z = normal_quantile(u);
        let slope = expanded(Dual::constant(shape), Dual::variable(z)).tangent;
        return slope / normal_density(z);
    }
    gamma_density(shape, x).recip()
}

fn is_large<T: Special>(shape: T) -> bool {
    shape.to_plain() > 1e5
}

/// `a + √a·z + (z² − 1)/3 + (z³ − 7z)/(36√a) − (3z⁴ + 7z² − 16)/(810a) + (9z⁵ + 256z³ − 433z)/(38880·a√a)`, but for `O(a⁻²)`, where `z` is the normal
/// quantile.
fn expanded<T: Special>(shape: T, z: T) -> T {
    let (square, root, l) = (z * z, shape.sqrt(), T::lit);
    let terms = [
        z,
        (square - l(1.0)) / l(3.0),
        (square - l(7.0)) * z / l(36.0),
        -((l(3.0) * square + l(7.0)) * square - l(16.0)) / l(810.0),
        ((l(9.0) * square + l(256.0)) * square - l(433.0)) * z / l(38880.0),
    ];
    let falling = |sum: T, term: &T| sum / root + *term;
    shape + root * terms.iter().rev().fold(T::zero(), falling)
}

/// `xᵃ⁻¹e⁻ˣ/Γ(a)`
fn gamma_density<T: Special>(shape: T, x: T) -> T {
    let one = T::one();
    if !x.is_zero() {
        return ((shape - one) * x.ln() - x - shape.lgamma()).exp();
    }
    match shape.to_plain() {
        a if a < 1.0 => T::infinity(),
        1.0 => one,
        _ => T::zero(),
    }
}

/// [`gamma_quantile()`] of plain numbers.
fn gamma_deviate(a: f64, u: f64) -> f64 {
    if !(a > 0.0 && (0.0..=1.0).contains(&u)) {
        return f64::NAN;
    }
    if u == 0.0 || u == 1.0 {
        return if u == 0.0 { 0.0 } else { f64::INFINITY };
    }
    // the logarithms of what floats hold at full precision
    if gamma_p(a, f64::MIN_POSITIVE) >= u {
        return 0.0;
    }
    let (mut low, mut high) = (f64::MIN_POSITIVE.ln(), f64::MAX.ln());
    let guess = if a < 1.0 {
        (u.ln() + Special::lgamma(a + 1.0)) / a
    } else {
        a.ln()
    };
    let mut y = guess.clamp(low, high);
    for _ in 0..200 {
        let x = y.exp();
        let slope = gamma_density(a, x) * x;
        // both rise with y, are zero at the quantile, and are nearly straight
        let (value, slope) = if u < 0.5 {
            let p = gamma_p(a, x);
            (p.ln() - u.ln(), slope / p)
        } else {
            let q = gamma_q(a, x);
            ((-u).ln_1p() - q.ln(), slope / q)
        };
        if value < 0.0 {
            low = y;
        } else {
            high = y;
        }
        let there = y - value / slope;
        // a NaN is not inside
        let next = if there > low && there < high {
            there
        } else {
            0.5 * (low + high)
        };
        let moved = (next - y).abs();
        y = next;
        if moved <= 2.0 * f64::EPSILON * y.abs().max(0.5) {
            break;
        }
    }
    y.exp()
}

/// `hard`, with the derivative of `soft`: what is rounded, chosen or drawn is differentiated as if it were its stand-in.
///
/// It is **not** the derivative of the function, which is zero or does not exist; it is biased, and often good enough to learn by. With `x` for `soft` it is the
/// derivative of the identity: a quantized network. With probabilities for `soft` and the one that was drawn for `hard`, a discrete choice.
///
/// Source: Bengio, Léonard & Courville 2013, *Estimating or propagating gradients through stochastic neurons*, arXiv:1308.3432.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::sampling::straight_through;
///
/// /// The loss of a weight that is rounded.
/// #[differentiable]
/// fn loss(w: f64) -> f64 {
///     let rounded = straight_through(w.round(), w);
///     (rounded - 2.0) * (rounded - 2.0)
/// }
///
/// assert_eq!((loss(2.7), gradient!(loss, 2.7).0), (1.0, 2.0));
/// ```
#[primitive]
pub fn straight_through<T: Real>(hard: T, soft: T) -> T {
    // what `hard` is, and how `soft` moves
    T::lit(hard.to_plain()) + (soft - T::lit(soft.to_plain()))
}

easy_rule! {
    fn straight_through<T: Real>(hard: T, soft: T) -> y: T;
    dy/dhard = T::zero();
    dy/dsoft = T::one();
}

/// One, with the derivative of `log_probability`: the weight that makes an average over samples a score-function estimator.
///
/// If `x` was drawn with the probability `p(x; θ)`, the average of `score_weight(ln p(x; θ))·f(x, θ)` is that of `f`, and its derivatives are, at every order, unbiased
/// estimates of those of `E f`, also for an `x` that is discrete and an `f` that jumps: `∂E f = E(∂f + f·∂ln p)`. Its variance is large: subtract from `f` what
/// does not depend on `x`. The samples themselves are inactive. NaN if the logarithm is not finite: that sample cannot have been drawn.
///
/// Source: Foerster et al. 2018, *DiCE: the infinitely differentiable Monte Carlo estimator*, ICML, arXiv:1802.05098, where it is the magic box.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::random::uniform;
/// use coenzyme_loops::sampling::score_weight;
///
/// /// The price of a bet that is won with the probability `p`.
/// #[differentiable]
/// fn price(p: f64) -> f64 {
///     let mut sum = 0.0;
///     for i in 0..10_000 {
///         let won = uniform(3, i) < p;
///         let (probability, paid) = if won { (p, 5.0) } else { (1.0 - p, -1.0) };
///         sum += score_weight(probability.ln()) * paid;
///     }
///     sum / 1e4
/// }
///
/// // 5p − (1 − p)
/// assert!((price(0.3) - 0.8).abs() < 0.1 && (gradient!(price, 0.3).0 - 6.0).abs() < 0.3);
/// ```
#[primitive]
pub fn score_weight<T: Real>(log_probability: T) -> T {
    (log_probability - T::lit(log_probability.to_plain())).exp()
}

easy_rule! {
    fn score_weight<T: Real>(log_probability: T) -> y: T;
    dy/dlog_probability = y;
}
