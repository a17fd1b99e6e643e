//! Second derivatives: the gradient that a reverse rule gives on dual numbers, against differences of the gradient that it
//! gives on floats, which the tests of each domain judge.

mod judge;

use coenzyme::{
    Args, BatchDuplicated, Const, Dual, Duplicated, Function, Inactive, Outcome, ReverseConfig,
    ReverseRule, Tangent,
};
use coenzyme_rules::linalg::Pattern;
use coenzyme_rules::nn::BatchStatistics;
use judge::{definite, entries_of, full_rank, others, positive, regular};
use ndarray::{Array, Dimension, array};

/// An operand, and where it moves.
struct Moving<D: Dimension> {
    at: Array<f64, D>,
    direction: Array<f64, D>,
}

impl<D: Dimension> Moving<D> {
    fn new(at: Array<f64, D>) -> Self {
        let direction = others(&at);
        Self { at, direction }
    }
    fn moved(&self, h: f64) -> Array<f64, D> {
        &self.at + &self.direction * h
    }
    fn dual(&self) -> Array<Dual<f64>, D> {
        let pairs = ndarray::Zip::from(&self.at).and(&self.direction);
        pairs.map_collect(|&x, &dx| Dual::new(x, dx))
    }
}

/// The derivative at 0, by central differences at two steps: error `O(h⁴)`.
fn differences(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        let (up, down) = (f(h), f(-h));
        let slopes = up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h));
        slopes.collect()
    };
    let (wide, narrow) = (central(2e-3), central(1e-3));
    let better = wide.iter().zip(&narrow).map(|(w, n)| (4.0 * n - w) / 3.0);
    better.collect()
}

/// The reverse pass, with a seed of fixed numbers; a number of the value is `floats` floats, of which the first is seeded.
fn pull<F, A, O>(f: &F, args: &mut A, value: &O, floats: usize)
where
    O: Outcome<Value: Clone>,
    A: Args<1>,
    F: ReverseRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    let config = ReverseConfig::new(true);
    let value = Outcome::value(value).expect("the function returns a value");
    let mut tape = None;
    O::map_of(f.augmented_primal(&config, args.refs()), |augmented| {
        tape = Some(augmented.tape);
    });
    let n = Tangent::to_flat(value).len();
    let numbers: Vec<f64> = (0..n)
        .map(|i| match i % floats {
            0 => (1.3 * (i / floats) as f64 + 0.5).cos(),
            _ => 0.0,
        })
        .collect();
    let mut seed = Tangent::zero_like(value);
    Tangent::unflatten(&mut seed, &numbers);
    f.reverse(
        &config,
        [seed],
        tape.expect("the value is there"),
        args.refs(),
    );
}

/// The differences leave 1e-12 of truncation and 1e-12 of rounding, times the size of the fifth derivative of the gradient.
#[track_caller]
fn assert_close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(
        !got.is_empty() && got.iter().any(|x| *x != 0.0),
        "vacuous: {got:?}"
    );
    for (i, (a, b)) in got.iter().zip(want).enumerate() {
        let scale = 1.0 + a.abs().max(b.abs());
        assert!(
            (a - b).abs() <= 1e-7 * scale,
            "entry {i}: rule {a}, differences {b}"
        );
    }
}

/// `f [as name](x = array, …; attribute, …);`: one test for each line.
macro_rules! second {
    ($module:ident: $($f:ident $(as $name:ident)? ($($args:tt)+);)+) => {$(
        second!(@named $module [$f $($name)?] $($args)+);
    )+};
    (@named $module:ident [$f:ident] $($args:tt)+) => {
        second!(@named $module [$f $f] $($args)+);
    };
    (@named $module:ident [$f:ident $name:ident] $($x:ident = $at:expr),+ $(; $($attr:expr),+)?) => {
        #[test]
        fn $name() {
            $(let $x = Moving::new($at);)+
            let f = coenzyme_rules::$module::$f {};
            let want = differences(|h| {
                $(let $x = $x.moved(h); let mut $x = (Tangent::zero_like(&$x), $x);)+
                {
                    let value = Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
                    let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
                    pull(&f, &mut args, &value, 1);
                }
                let mut gradient = Vec::new();
                $(gradient.extend($x.0.iter());)+
                gradient
            });
            $(let $x = $x.dual(); let mut $x = (Tangent::zero_like(&$x), $x);)+
            {
                let value = Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
                let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
                pull(&f, &mut args, &value, 2);
            }
            let mut got = Vec::new();
            $(got.extend($x.0.iter().map(|dx| dx.tangent));)+
            assert_close(&got, &want);
        }
    };
}

/// Functions of one array at the same point.
macro_rules! at {
    ($($($f:ident)+: $at:expr;)+) => {$(
        second! { array: $($f(x = $at);)+ }
    )+};
}

at! {
    exp exp2 exp_m1 sin cos atan sinh cosh tanh asinh tan recip cbrt erf erfc logistic softplus log_logistic gelu gelu_tanh
        swish mish elu softsign sinc bessel_j0 bessel_j1 logsumexp var std_dev norm prod:
        array![[0.3, -0.7], [1.1, 0.55]];
    sqrt ln log2 log10 ln_1p lgamma digamma trigamma: array![[0.7, 1.2, 2.4]];
    asin acos atanh logit: array![[0.2, 0.45, 0.6]];
    acosh: array![1.5, 2.0];
}

second! { array:
    polygamma(x = positive((2, 2)); 2_u32);
    var_ddof(x = entries_of((2, 3)); 1);
    var_ddof_axis(x = entries_of((2, 3)); 1, 1);
    std_ddof(x = entries_of((2, 3)); 1);
    std_ddof_axis(x = entries_of((2, 3)); 1, 1);
    norm_p(x = entries_of((2, 3)); Inactive(3.0));
    norm_p_axis(x = entries_of((2, 3)); 0, Inactive(2.5));
    einsum(x = entries_of((2, 3)), y = positive((3, 2)); "ij,jk->ik");
    mul(x = entries_of((2, 3)), y = entries_of(3));
    div(x = entries_of((2, 3)), y = positive(3));
    powf(x = positive((2, 3)), y = entries_of(3));
    hypot(x = entries_of((2, 3)), y = positive(3));
    atan2(x = entries_of((2, 3)), y = positive(3));
    log(x = positive((2, 3)), y = positive(3) + 1.3);
    beta(x = positive((2, 3)), y = positive(3));
    lbeta(x = positive((2, 3)), y = positive(3));
    logaddexp(x = positive((2, 3)), y = positive(3) * 1.4);
    xlogy(x = positive((2, 3)), y = positive(3));
    xlog1py(x = positive((2, 3)), y = positive(3));
    var_axis(x = entries_of((2, 3)); 1);
    std_dev_axis(x = entries_of((2, 3)); 1);
    norm_axis(x = entries_of((2, 3)); 0);
    prod_axis(x = entries_of((2, 3)); 0);
    logsumexp_axis(x = entries_of((2, 3)); 1);
    var_axes(x = entries_of((2, 3)); &[0, 1][..], true);
    std_dev_axes(x = entries_of((2, 3)); &[1][..], true);
    norm_axes(x = entries_of((2, 3)); &[1][..], false);
    prod_axes(x = entries_of((2, 3)); &[1, 0][..], false);
    logsumexp_axes(x = entries_of((2, 3)); &[0][..], true);
    softmax(x = entries_of((2, 3)); 1);
    log_softmax(x = entries_of((2, 3)); 0);
    cumprod(x = entries_of((2, 3)); 1);
}

/// `[[*, *, 0], [0, *, 0], [0, 0, *]]`
fn pattern() -> Pattern {
    Pattern::new(3, vec![0, 2, 3, 4], vec![0, 1, 1, 2])
}

second! { linalg:
    matmul(a = entries_of((2, 3)), b = entries_of((3, 2)));
    matvec(a = entries_of((2, 3)), x = entries_of(3));
    dot(x = entries_of(3), y = positive(3));
    outer(x = entries_of(3), y = positive(2));
    batch_matmul(a = entries_of((2, 2, 2)), b = entries_of((1, 2, 2)));
    kron(a = entries_of((2, 2)), b = positive((1, 2)));
    solve_triangular(t = regular(3), b = entries_of((3, 2)); true);
    solve(a = regular(3), b = entries_of((3, 2)));
    inverse(a = regular(3));
    det(a = regular(3));
    logdet(a = regular(3));
    lu(a = full_rank((3, 2)));
    lu as lu_of_a_wide_matrix(a = full_rank((2, 3)));
    cholesky(a = definite(3));
    eigh(a = definite(3));
    qr(a = full_rank((3, 2)));
    svd(a = full_rank((3, 2)));
    singular_values(a = full_rank((2, 3)));
    pinv(a = full_rank((3, 2)));
    expm(a = entries_of((3, 3)) * 0.5);
    matrix_power(a = entries_of((3, 3)); 3);
    slogdet(a = regular(3));
    logdet_positive(a = definite(3));
    lstsq(a = full_rank((3, 2)), b = entries_of((3, 2)));
    sylvester(a = regular(3), b = regular(2), c = entries_of((3, 2)));
    lyapunov(a = regular(3), q = entries_of((3, 3)));
    solve_banded(bands = positive((3, 3)) + 1.0, b = entries_of(3); [1, 1]);
    sparse_matvec(values = entries_of(4), x = positive(3); &pattern());
    sparse_solve(values = positive(4), b = entries_of(3); &pattern());
}

second! { nn:
    dense(x = entries_of((2, 3)), w = entries_of((3, 2)), b = positive(2));
    attention(q = entries_of((2, 2)), k = positive((3, 2)), v = entries_of((3, 1)));
    layer_norm(x = entries_of((2, 4)), w = positive(4), b = entries_of(4); Inactive(1e-5));
    rms_norm(x = entries_of((2, 4)), w = positive(4); Inactive(1e-5));
    softmax_cross_entropy(logits = entries_of((2, 3)); &[1, 2][..]);
    soft_cross_entropy(x = entries_of((2, 3)), y = positive((2, 3)));
    huber(x = entries_of((2, 3)), y = entries_of((2, 3)) * 0.6; Inactive(0.5));
    bce_with_logits(x = entries_of((2, 3)), y = positive((2, 3)) * 0.4);
    kl_divergence(x = entries_of((2, 3)), y = positive((2, 3)));
    attention_causal(q = entries_of((3, 2)), k = positive((3, 2)), v = entries_of((3, 1)));
    attention_masked(q = entries_of((2, 2)), k = positive((3, 2)), v = entries_of((3, 1)); &*array![[true, true, false], [false, true, true]]);
    batch_norm(x = entries_of((3, 2)), w = positive(2), b = entries_of(2); Inactive(1e-5));
    batch_norm_with(x = entries_of((3, 2)), w = positive(2), b = entries_of(2); &BatchStatistics::new(2), Inactive(1e-5));
    group_norm(x = entries_of((2, 4)), w = positive(4), b = entries_of(4); 2, Inactive(1e-5));
    lstm_cell(x = entries_of((2, 2)), h = positive((2, 1)), c = entries_of((2, 1)), w = entries_of((2, 4)), u = positive((1, 4)), b = entries_of(4));
    gru_cell(x = entries_of((2, 2)), h = positive((2, 1)), w = entries_of((2, 3)), u = positive((1, 3)), b = entries_of(3));
    mean_squared_error(x = entries_of((2, 3)), y = positive((2, 3)));
}

second! { signal:
    conv1d(x = entries_of((1, 2, 4)), w = positive((2, 2, 3)); 2, 1);
    conv2d(x = entries_of((1, 1, 3, 3)), w = positive((1, 1, 2, 2)); [1, 1], [1, 0]);
}

/// As `second!`, for functions that are linear, or linear on each piece: on dual numbers they give the same cotangents as on
/// floats, and nothing of second order.
macro_rules! linear {
    ($module:ident: $($f:ident($($x:ident = $at:expr),+ $(; $($attr:expr),+)?);)+) => {$(
        #[test]
        fn $f() {
            $(let $x = Moving::new($at);)+
            let f = coenzyme_rules::$module::$f {};
            let of_floats = {
                $(let mut $x = (Tangent::zero_like(&$x.at), $x.at.clone());)+
                {
                    let value = Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
                    let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
                    pull(&f, &mut args, &value, 1);
                }
                let mut gradient = Vec::new();
                $(gradient.extend($x.0.iter().copied());)+
                gradient
            };
            $(let $x = $x.dual(); let mut $x = (Tangent::zero_like(&$x), $x);)+
            {
                let value = Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
                let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
                pull(&f, &mut args, &value, 2);
            }
            let mut of_duals = Vec::new();
            $(of_duals.extend($x.0.iter().copied());)+
            assert!(of_floats.iter().any(|dx| *dx != 0.0), "vacuous: {of_floats:?}");
            assert_eq!(of_duals.iter().map(|dx| dx.value).collect::<Vec<_>>(), of_floats);
            assert!(of_duals.iter().all(|dx| dx.tangent == 0.0), "{of_duals:?}");
        }
    )+};
}

linear! { array:
    neg(x = entries_of((2, 3)));
    abs(x = entries_of((2, 3)));
    fract(x = entries_of((2, 3)));
    to_radians(x = entries_of(3));
    to_degrees(x = entries_of(3));
    relu(x = entries_of((2, 3)));
    leaky_relu(x = entries_of((2, 3)));
    add(x = entries_of((2, 3)), y = entries_of(3));
    sub(x = entries_of((2, 3)), y = entries_of(3));
    rem(x = positive((2, 3)), y = positive(3) * 0.7);
    maximum(x = entries_of((2, 3)), y = entries_of(3) * 0.7);
    minimum(x = entries_of((2, 3)), y = entries_of(3) * 0.7);
    copysign(x = entries_of((2, 3)), y = entries_of(3));
    sum(x = entries_of((2, 3)));
    sum_axis(x = entries_of((2, 3)); 1);
    sum_axes(x = entries_of((2, 3)); &[0][..], true);
    mean(x = entries_of((2, 3)));
    mean_axis(x = entries_of((2, 3)); 0);
    mean_axes(x = entries_of((2, 3)); &[0, 1][..], false);
    max(x = entries_of((2, 3)));
    max_axis(x = entries_of((2, 3)); 1);
    max_axes(x = entries_of((2, 3)); &[0][..], false);
    max_shared(x = entries_of((2, 3)));
    max_shared_axis(x = entries_of((2, 3)); 1);
    max_shared_axes(x = entries_of((2, 3)); &[0][..], false);
    min(x = entries_of((2, 3)));
    min_axis(x = entries_of((2, 3)); 1);
    min_axes(x = entries_of((2, 3)); &[0][..], false);
    norm_l1(x = entries_of((2, 3)));
    norm_l1_axis(x = entries_of((2, 3)); 1);
    norm_l1_axes(x = entries_of((2, 3)); &[0][..], false);
    norm_max(x = entries_of((2, 3)));
    norm_max_axis(x = entries_of((2, 3)); 1);
    norm_max_axes(x = entries_of((2, 3)); &[0][..], false);
    cumsum(x = entries_of((2, 3)); 1);
    sort(x = entries_of((2, 3)); 1);
    reshape(x = entries_of((2, 3)); [3, 2]);
    flatten(x = entries_of((2, 3)));
    broadcast_to(x = entries_of((2, 1)); [2, 3]);
    transpose(x = entries_of((2, 3)));
    permute(x = entries_of((2, 3)); &[1, 0][..]);
    flip(x = entries_of((2, 3)); 1);
    roll(x = entries_of((2, 3)); 1, 1);
    pad(x = entries_of((2, 3)); &[[1, 0], [0, 2]][..]);
    pad_edge(x = entries_of((2, 3)); &[[1, 0], [0, 2]][..]);
    pad_reflect(x = entries_of((2, 3)); &[[1, 0], [0, 2]][..]);
    repeat(x = entries_of((2, 3)); 2, 1);
    insert_axis(x = entries_of((2, 3)); 1);
    slice_axis(x = entries_of((2, 3)); 1, 1..3);
    split(x = entries_of((2, 4)); 1, 2);
    gather(x = entries_of((2, 3)); 1, &[2, 0, 2][..]);
    scatter_add(x = entries_of((2, 3)), updates = entries_of((2, 2)); 1, &[0, 0][..]);
    take_along_axis(x = entries_of((2, 3)); &*array![[2, 2], [0, 1]], 1);
    diagonal(x = entries_of((2, 3)));
    from_diagonal(x = entries_of(3));
    trace(x = entries_of((3, 3)));
    lower_triangle(x = entries_of((3, 3)));
    upper_triangle(x = entries_of((3, 3)));
    choose(x = entries_of(3), y = entries_of(3) * 0.5; &*array![true, false, true]);
    einsum_one(x = entries_of((2, 2)); "ij->ji");
}

linear! { nn:
    mean_absolute_error(x = entries_of((2, 3)), y = positive((2, 3)));
    negative_log_likelihood(x = entries_of((2, 3)); &[2, 0][..]);
    dropout(x = entries_of(3); &*array![true, false, true], Inactive(0.5));
    embedding(table = entries_of((3, 2)); &[2, 0, 2][..]);
    embedding_padded(table = entries_of((3, 2)); &[2, 0, 1][..], 1);
    avg_pool2d(x = entries_of((1, 1, 3, 3)); [2, 2], [1, 1]);
    max_pool2d(x = entries_of((1, 1, 3, 3)); [2, 2], [1, 1]);
    adaptive_avg_pool2d(x = entries_of((1, 1, 3, 3)); [2, 2]);
    adaptive_max_pool2d(x = entries_of((1, 1, 3, 3)); [2, 2]);
}

/// The gradient of a function of one number that its reverse rule gives on dual numbers.
macro_rules! numbers {
    ($($($f:ident)+: $at:expr;)+) => {
        /// Functions of numbers, at the points of their lines.
        mod of_numbers {
            use super::*;
            use coenzyme::prelude::*;

            $($(
                #[test]
                fn $f() {
                    use coenzyme_rules::scalar::$f;
                    for x in $at {
                        let slope = |x: f64| autodiff!(Reverse, $f, Active(x)).0.0;
                        let want = differences(|h| vec![slope(x + h)]);
                        let ((got,),) = autodiff!(Reverse, $f, Active(Dual::variable(x)));
                        assert_eq!(got.value, slope(x));
                        assert_close(&[got.tangent], &want);
                    }
                }
            )+)+
        }
    };
}

numbers! {
    erf erfc logistic softplus log_logistic gelu gelu_tanh swish mish softsign sinc bessel_j0 bessel_j1: [-0.7, 0.3, 1.1];
    elu: [-0.7, -0.2];
    lgamma digamma trigamma: [-0.7, 0.3, 2.4];
    logit: [0.2, 0.6];
}

/// Functions of two numbers, in a direction that moves both.
macro_rules! pairs_of_numbers {
    ($($f:ident)+) => {
        mod of_pairs {
            use super::*;
            use coenzyme::prelude::*;

            $(
                #[test]
                fn $f() {
                    use coenzyme_rules::scalar::$f;
                    let (x, y, dx, dy) = (1.4, 2.3, 0.7, -0.4);
                    let want = differences(|h| {
                        let ((of_x, of_y),) = autodiff!(Reverse, $f, Active(x + h * dx), Active(y + h * dy));
                        vec![of_x, of_y]
                    });
                    let ((of_x, of_y),) = autodiff!(Reverse, $f, Active(Dual::new(x, dx)), Active(Dual::new(y, dy)));
                    assert_close(&[of_x.tangent, of_y.tangent], &want);
                }
            )+
        }
    };
}

pairs_of_numbers! { beta lbeta logaddexp xlogy xlog1py }

#[test]
fn functions_with_an_order() {
    use coenzyme::prelude::*;
    use coenzyme_rules::scalar::{bessel_j, polygamma};
    let bessel = |x: f64| autodiff!(Reverse, bessel_j, Active(x), Const(3)).0.0;
    let ((got, ()),) = autodiff!(Reverse, bessel_j, Active(Dual::variable(1.7)), Const(3));
    assert_close(&[got.tangent], &differences(|h| vec![bessel(1.7 + h)]));
    let gamma = |x: f64| autodiff!(Reverse, polygamma, Active(x), Const(2)).0.0;
    let ((got, ()),) = autodiff!(Reverse, polygamma, Active(Dual::variable(1.7)), Const(2));
    assert_close(&[got.tangent], &differences(|h| vec![gamma(1.7 + h)]));
}

/// Operands that are not references to arrays alone: a number, two bounds, a list.
#[test]
fn scale_clip_and_lists() {
    use coenzyme_rules::array::{clip, concatenate, concatenate_all, scale, stack, stack_all};
    let (x, dx) = (entries_of(4), others(&entries_of(4)));
    let dual = Moving::new(x).dual();
    let mut of_x = Tangent::zero_like(&dual);
    let seed = Array::from_shape_fn(4, |i| (1.3 * i as f64 + 0.5).cos());

    // x̄ = c·ȳ and c̄ = Σ x·ȳ
    let factor = Dual::new(1.5, 0.25);
    let value = scale(&dual, factor);
    let mut args = (
        Duplicated(&*dual, &mut *of_x),
        Duplicated(&factor, Dual::constant(0.0)),
    );
    pull(&scale {}, &mut args, &value, 2);
    let of_factor = args.1.into_parts().1[0];
    assert_close(&[of_factor.tangent], &[(&dx * &seed).sum()]);
    assert_close(
        &of_x.iter().map(|d| d.tangent).collect::<Vec<_>>(),
        &(&seed * 0.25).to_vec(),
    );

    of_x.fill(Dual::constant(0.0));
    let (lo, hi) = (Dual::constant(-1.0), Dual::constant(1.0));
    let mut args = (Duplicated(&*dual, &mut *of_x), Const(lo), Const(hi));
    pull(&clip {}, &mut args, &clip(&dual, lo, hi), 2);
    assert!(of_x.iter().all(|d| d.tangent == 0.0) && of_x.iter().any(|d| d.value != 0.0));

    for stacked in [false, true] {
        of_x.fill(Dual::constant(0.0));
        let mut args = (vec![Duplicated(&*dual, &mut *of_x)], Const(0_usize));
        match stacked {
            true => pull(&stack {}, &mut args, &stack(vec![&dual], 0), 2),
            false => pull(&concatenate {}, &mut args, &concatenate(vec![&dual], 0), 2),
        }
        drop(args);
        assert_eq!(of_x, seed.mapv(Dual::constant));
    }

    let (list, mut of_list) = ([dual.clone()], [Tangent::zero_like(&dual)]);
    let mut args = (Duplicated(&list[..], &mut of_list[..]), Const(0_usize));
    pull(
        &concatenate_all {},
        &mut args,
        &concatenate_all(&list, 0),
        2,
    );
    pull(&stack_all {}, &mut args, &stack_all(&list, 0), 2);
    assert_eq!(of_list[0], (&seed * 2.0).mapv(Dual::constant));
}
