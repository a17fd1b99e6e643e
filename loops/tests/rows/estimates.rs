//! Soft sorting, samples of distributions with active parameters, estimators, quadratic programs: every rule in every mix, and against closed forms.

use coenzyme::prelude::*;
use coenzyme::{AsActive, Dual, Real};
use coenzyme_loops::sampling::{
    dirichlet, gamma, gamma_quantile, normal, normal_quantile, score_weight, straight_through,
};
use coenzyme_loops::{quadratic_program, soft_rank, soft_sort};
use coenzyme_testutils::{input, test_rule, value};
use ndarray::{Array1, Array2, array};

#[track_caller]
fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a_i, b_i) in a.iter().zip(b) {
        assert!(
            (a_i - b_i).abs() <= tolerance * b_i.abs().max(1.0),
            "{a:?} and {b:?}"
        );
    }
}

/// Two pools, one and three values.
const UNSORTED: [f64; 6] = [0.3, -1.2, 0.5, 2.0, 0.45, -1.0];

test_rule! {
    soft_rank;
    x: input(case.0), strength: value(case.1);
    ret: [Const, Duplicated];
    name = ranks, sizes = case in [(UNSORTED.to_vec(), 0.3), (UNSORTED.to_vec(), 5.0), (vec![], 1.0)]
}

test_rule! {
    soft_sort;
    x: input(case.0), strength: value(case.1);
    ret: [Const, Duplicated];
    name = sorted, sizes = case in [(UNSORTED.to_vec(), 0.9), (UNSORTED.to_vec(), 50.0), (vec![], 1.0)]
}

/// The conditions of a projection `y` of `z` onto the permutahedron of `w`: `y` is majorized by `w`, and `⟨z − y, v − y⟩ ≤ 0` for every vertex `v`.
fn assert_projection(z: &[f64], w: &[f64], y: &[f64]) {
    let order = |of: &[f64]| {
        let mut of = of.to_vec();
        of.sort_by(|a, b| b.total_cmp(a));
        of
    };
    let (mut room, (largest, sorted)) = (0.0, (order(w), order(y)));
    for (w, y) in largest.iter().zip(&sorted) {
        room += w - y;
        assert!(room > -1e-12, "outside by {room}");
    }
    assert!(room.abs() < 1e-12, "the sum is off by {room}");
    // the best vertex has the order of z − y
    let rest: Vec<f64> = z.iter().zip(y).map(|(z, y)| z - y).collect();
    let best: f64 = order(&rest).iter().zip(&largest).map(|(r, w)| r * w).sum();
    let here: f64 = rest.iter().zip(y).map(|(r, y)| r * y).sum();
    assert!(
        best - here < 1e-11 * best.abs().max(1.0),
        "{best} and {here}"
    );
}

#[test]
fn f6_soft_ranks_and_values_are_projections() {
    let n = UNSORTED.len();
    let ranks: Vec<f64> = (1..=n).map(|i| i as f64).collect();
    for strength in [1e-3, 0.1, 0.2, 0.6, 1.3, 10.0, 1e4] {
        let scaled = UNSORTED.map(|x| x / strength);
        assert_projection(&scaled, &ranks, &soft_rank(&UNSORTED, strength));
        let scaled: Vec<f64> = ranks.iter().map(|r| r / strength).collect();
        assert_projection(&scaled, &UNSORTED, &soft_sort(&UNSORTED, strength));
    }
    assert_eq!(
        soft_rank(&UNSORTED, 0.04),
        [3.0, 1.0, 5.0, 6.0, 4.0, 2.0],
        "where all are farther apart than the strength, they are the ranks"
    );
    assert_eq!(
        (soft_rank(&[0.7], 1.0), soft_sort(&[0.7], 1.0)),
        (vec![1.0], vec![0.7])
    );
}

#[test]
#[should_panic(expected = "soft sorting: the strength is 0, where a positive one is needed")]
fn softness_is_positive() {
    let _ = soft_rank(&UNSORTED, 0.0);
}

test_rule! {
    gamma_quantile;
    shape: value(case.0), u: value(case.1);
    ret: [Const, Active];
    name = quantiles, sizes = case in [(0.3, 0.2), (2.0, 0.96), (30.0, 0.7)]
}

test_rule! {
    normal_quantile;
    u: value(u);
    ret: [Const, Active];
    name = normal_quantiles, sizes = u in [0.2, 0.97]
}

/// Closed forms for shapes of one half, where it is `(erf⁻¹ u)²`, of one, and of two, with `(1 + x)e⁻ˣ = 1 − u`.
#[test]
fn f6_quantiles_are_inverse() {
    for u in [1e-300, 1e-12, 1e-3, 0.2, 0.5, 0.8, 0.999_999] {
        // the logarithm of a quantile is rounded
        let tolerance = 2e-15 * (10.0 - f64::ln(u));
        let exponential = gamma_quantile(1.0, u);
        close(&[exponential / -f64::ln_1p(-u)], &[1.0], tolerance);
        let x = gamma_quantile(2.0, u);
        if u > 1e-6 {
            close(&[(1.0 + x) * (-x).exp()], &[1.0 - u], 1e-14);
        }
        let x: f64 = gamma_quantile(0.5, u);
        // its square underflows
        if u > 1e-150 {
            close(
                &[coenzyme_rules::scalar::erf(x.sqrt()) / u],
                &[1.0],
                tolerance,
            );
        }
    }
    assert_eq!(gamma_quantile(0.7, 0.0), 0.0);
    assert_eq!(gamma_quantile(0.7, 1.0), f64::INFINITY);
    assert!(gamma_quantile(-1.0_f64, 0.5).is_nan() && gamma_quantile(1.0_f64, 1.5).is_nan());
    // smaller than any float
    assert_eq!(gradient!(gamma_quantile, 1e-3, 0.1), (0.0, 0.0));
    assert_eq!(gradient!(gamma_quantile, 1.0, 0.0), (0.0, 1.0));
    assert_eq!(gradient!(gamma_quantile, 2.0, 0.0), (0.0, f64::INFINITY));
    // on both sides of where the expansion begins, where `gamma_p` is right to a·ln a roundings
    let (below, above): ((f64, f64), (f64, f64)) = (
        gradient!(gamma_quantile, 1e5_f64, 0.8_f64),
        gradient!(gamma_quantile, 1e5_f64.next_up(), 0.8_f64),
    );
    close(&[above.0, above.1], &[below.0, below.1], 2e-9);
    let ratio = gamma_quantile(1e5, 0.8) / gamma_quantile(1e5_f64.next_up(), 0.8);
    close(&[ratio], &[1.0], 1e-11);
    let far: f64 = gamma_quantile(1e300, 0.8) / 1e300 - 1.0;
    assert!(far.abs() < 1e-15);
    let z = normal_quantile(1e-300);
    close(
        &[0.5 * coenzyme_rules::scalar::erfc(-z / f64::sqrt(2.0)) / 1e-300],
        &[1.0],
        1e-12,
    );
    assert_eq!(
        (normal_quantile(0.0), normal_quantile(1.0)),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
    assert!(normal_quantile(1.5_f64).is_nan() && normal_quantile(f64::NAN).is_nan());
    // −ln(1 − u) to third order
    let u = Dual::variable(Dual::variable(Dual::variable(0.3_f64)));
    let one = Dual::constant(Dual::constant(Dual::constant(1.0)));
    let third = gamma_quantile(one, u).tangent.tangent.tangent;
    close(&[third], &[2.0 / 0.7_f64.powi(3)], 1e-11);
}

test_rule! {
    normal;
    mean: value(0.3), deviation: value(1.7), seed: value(3_u64) [Const], counter: value(5_u64) [Const];
    ret: [Const, Active];
    name = normals, widths = [1]
}

test_rule! {
    gamma;
    shape: value(shape), seed: value(3_u64) [Const], counter: value(5_u64) [Const];
    ret: [Const, Active];
    name = gammas, widths = [1], sizes = shape in [0.4]
}

test_rule! {
    dirichlet;
    concentrations: input(concentrations), seed: value(3_u64) [Const], counter: value(5_u64) [Const];
    ret: [Const, Duplicated];
    name = simplices, widths = [1], sizes = concentrations in [vec![0.7, 2.0, 3.5], vec![]]
}

/// Normal numbers of `f32` are those of `f64`, rounded; of dual numbers they carry the derivative in both parameters.
#[test]
fn f6_normal_numbers_are_of_the_type_of_their_parameters() {
    for counter in 0..200 {
        let z = (normal(0.5, 2.0, 4, counter) - 0.5) / 2.0;
        let x = normal(0.5_f32, 2.0, 4, counter);
        close(&[f64::from(x)], &[0.5 + 2.0 * z], 1e-6);
        let (_, of_deviation, _, _) = gradient!(normal, 0.5_f32, 2.0_f32, 4_u64, counter);
        close(&[f64::from(of_deviation)], &[z], 1e-6);
        let dual = normal(Dual::variable(0.5), Dual::new(2.0, 3.0), 4, counter);
        close(&[dual.tangent], &[1.0 + 3.0 * z], 1e-14);
    }
}

/// Gamma and Dirichlet numbers of `f32` are those of `f64`, rounded; dual numbers carry the implicit derivative, to second order, which differences of the
/// first one agree with.
#[test]
fn f6_gamma_and_dirichlet_numbers_are_of_the_type_of_their_parameters() {
    let slope = |shape: f64, counter| gamma(Dual::variable(shape), 4, counter).tangent;
    for counter in 0..50 {
        let (x, single) = (gamma(1.3, 4, counter), gamma(1.3_f32, 4, counter));
        close(&[f64::from(single)], &[x], 1e-5);
        let (of_shape, _, _) = gradient!(gamma, 1.3, 4_u64, counter);
        close(&[slope(1.3, counter)], &[of_shape], 1e-13);
        let h = 1e-5;
        let first = (gamma(1.3 + h, 4, counter) - gamma(1.3 - h, 4, counter)) / (2.0 * h);
        close(&[of_shape], &[first], 1e-7);
        let second = gamma(Dual::variable(Dual::variable(1.3)), 4, counter)
            .tangent
            .tangent;
        let differences = (slope(1.3 + h, counter) - slope(1.3 - h, counter)) / (2.0 * h);
        close(&[second], &[differences], 1e-6);
    }
    let shares = dirichlet(&[0.7_f32, 2.0, 3.5], 4, 9);
    let exact = dirichlet(&[0.7, 2.0, 3.5], 4, 9);
    close(
        &shares.iter().map(|x| f64::from(*x)).collect::<Vec<_>>(),
        &exact,
        1e-5,
    );
    let along = [
        Dual::new(0.7, 1.0),
        Dual::new(2.0, -2.0),
        Dual::new(3.5, 0.5),
    ];
    let tangents: Vec<f64> = dirichlet(&along, 4, 9).iter().map(|x| x.tangent).collect();
    let h = 1e-6;
    let moved = |h: f64| dirichlet(&[0.7 + h, 2.0 - 2.0 * h, 3.5 + 0.5 * h], 4, 9);
    let differences: Vec<f64> = moved(h)
        .iter()
        .zip(moved(-h))
        .map(|(a, b)| (a - b) / (2.0 * h))
        .collect();
    close(&tangents, &differences, 1e-8);
}

/// The derivatives of expectations that are known: `E ln x = ψ(a)` for a gamma distribution, `E x₀ = α₀/Σα` for Dirichlet's.
#[test]
fn f6_implicit_derivatives_are_those_of_the_expectation() {
    const N: u64 = 4000;
    #[differentiable]
    fn mean_logarithm(shape: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..4000 {
            sum += gamma(shape, 1, i).ln();
        }
        sum / 4000.0
    }
    let (slope,) = gradient!(mean_logarithm, 2.5);
    // ψ′(2.5), to four standard errors
    close(
        &[slope],
        &[0.490_357_756_100_2],
        4.0 * 0.4 / (N as f64).sqrt(),
    );
    #[differentiable]
    fn mean_share(concentrations: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..4000 {
            let x = dirichlet(concentrations, 1, i);
            sum += x[0];
        }
        sum / 4000.0
    }
    let alpha = [1.0, 2.0, 3.0];
    let (slopes,) = gradient!(mean_share, &alpha[..]);
    let sum: f64 = alpha.iter().sum();
    let exact = [
        (sum - 1.0) / (sum * sum),
        -1.0 / (sum * sum),
        -1.0 / (sum * sum),
    ];
    close(&slopes, &exact, 0.01);
}

/// `hard` has no derivative and `soft` has that of the result, in both modes and in lanes.
#[test]
fn f6_straight_through_is_the_derivative_of_the_stand_in() {
    let args = (Active(3.0), Active(2.7));
    let (gradients, y) = autodiff(ReverseWithPrimal, &straight_through {}, AsActive, args);
    assert_eq!((gradients, y), ((0.0, 1.0), 3.0));
    let (hard, soft) = (Dual::new(3.0, 10.0), Dual::new(2.7, 0.5));
    assert_eq!(straight_through(hard, soft), Dual::new(3.0, 0.5));
    let lanes = (
        BatchDuplicated(3.0, [1.0, 0.0]),
        BatchDuplicated(2.7, [0.0, 5.0]),
    );
    let (tangents,) = autodiff(Forward, &straight_through {}, coenzyme::AsDuplicated, lanes);
    assert_eq!(tangents, [0.0, 5.0]);
}

/// The mean over eight equally likely draws of a bet that is won with the probability 3/8: its derivatives are exact, at both orders.
#[test]
fn f6_score_functions_have_the_derivative_of_the_expectation() {
    fn mean<T: Real>(p: T) -> T {
        let draws = (0..8).map(|i| {
            let (probability, paid) = if i < 3 {
                (p, 5.0)
            } else {
                (T::one() - p, -1.0)
            };
            score_weight(probability.ln()) * T::lit(paid)
        });
        draws.sum::<T>() / T::lit(8.0)
    }
    let p = Dual::variable(Dual::variable(0.375_f64));
    let y = mean(p);
    close(
        &[y.value.value, y.value.tangent, y.tangent.tangent],
        &[1.25, 6.0, 0.0],
        1e-14,
    );
    let (args, logarithm) = ((Active(-0.4),), Dual::new(-0.4, 3.0));
    let ((slope,), one) = autodiff(ReverseWithPrimal, &score_weight {}, AsActive, args);
    assert_eq!((slope, one), (1.0, 1.0));
    assert_eq!(score_weight(logarithm), Dual::new(1.0, 3.0));
}

/// A matrix that is not symmetric, and definite.
fn program(m: usize) -> (Array2<f64>, Array1<f64>, Array2<f64>, Array1<f64>) {
    let q = array![[2.0, 0.5, 0.1], [-0.3, 1.5, 0.4], [0.2, 0.0, 3.0]];
    let a = array![[1.0, 0.5, -0.3], [0.2, -1.0, 0.8]];
    let a = a.slice(ndarray::s![..m, ..]).to_owned();
    let b = Array1::from_iter([0.7, -0.2].into_iter().take(m));
    (q, array![0.3, -1.0, 0.6], a, b)
}

test_rule! {
    quadratic_program;
    q: input(case.0), c: input(case.1), a: input(case.2), b: input(case.3);
    ret: [Const, Duplicated];
    name = programs, widths = [1], sizes = case in [program(2), program(1), program(0)]
}

/// Feasible, and no feasible neighbour is better; the minimum rises by `−λ` with `b`.
#[test]
fn f4_a_quadratic_program_has_its_minimum() {
    let (q, c, a, b) = program(1);
    let (x, multipliers) = quadratic_program(&q, &c, &a, &b).expect("definite");
    close(&a.dot(&x).to_vec(), &b.to_vec(), 1e-14);
    let cost = |x: &Array1<f64>| 0.5 * x.dot(&q.dot(x)) + c.dot(x);
    for along in [array![0.5, -1.0, 0.0], array![0.3, 0.0, 1.0]] {
        assert!(a.dot(&along)[0].abs() < 1e-15);
        for h in [1e-3, -1e-3] {
            assert!(cost(&(&x + &(h * &along))) > cost(&x));
        }
    }
    let at = |b: f64| {
        cost(
            &quadratic_program(&q, &c, &a, &array![b])
                .expect("definite")
                .0,
        )
    };
    let rise = (at(b[0] + 1e-4) - at(b[0] - 1e-4)) / 2e-4;
    close(&[rise], &[-multipliers[0]], 1e-9);
}

#[test]
fn equations_that_depend_on_each_other_are_refused() {
    let (q, c, _, b) = program(2);
    let a = array![[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]];
    let refused = quadratic_program(&q, &c, &a, &b);
    assert!(
        matches!(
            refused,
            Err(coenzyme_rules::linalg::Error::Singular { column: 4 })
        ),
        "{refused:?}"
    );
}
