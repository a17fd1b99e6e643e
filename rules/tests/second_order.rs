//! Second derivatives: the gradient that a reverse rule gives on dual numbers, against differences of the gradient that it
//! gives on floats, which the tests of each domain judge.

mod judge;

use coenzyme::{
    Args, BatchDuplicated, Const, Dual, Duplicated, Function, Inactive, Outcome, ReverseConfig,
    ReverseRule, Tangent,
};
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
    let value = value.value().expect("the function returns a value");
    let mut tape = None;
    O::map_of(f.augmented_primal(&config, args.refs()), |augmented| {
        tape = Some(augmented.tape);
    });
    let n = value.flatten().len();
    let numbers: Vec<f64> = (0..n)
        .map(|i| match i % floats {
            0 => (1.3 * (i / floats) as f64 + 0.5).cos(),
            _ => 0.0,
        })
        .collect();
    let mut seed = value.zero_like();
    seed.unflatten(&numbers);
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
                $(let $x = $x.moved(h); let mut $x = ($x.zero_like(), $x);)+
                {
                    let value = Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
                    let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
                    pull(&f, &mut args, &value, 1);
                }
                let mut gradient = Vec::new();
                $(gradient.extend($x.0.iter());)+
                gradient
            });
            $(let $x = $x.dual(); let mut $x = ($x.zero_like(), $x);)+
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
    cholesky(a = definite(3));
    eigh(a = definite(3));
    qr(a = full_rank((3, 2)));
    svd(a = full_rank((3, 2)));
    singular_values(a = full_rank((2, 3)));
    pinv(a = full_rank((3, 2)));
    expm(a = entries_of((3, 3)) * 0.5);
}

second! { nn:
    dense(x = entries_of((2, 3)), w = entries_of((3, 2)), b = positive(2));
    attention(q = entries_of((2, 2)), k = positive((3, 2)), v = entries_of((3, 1)));
    layer_norm(x = entries_of((2, 4)), w = positive(4), b = entries_of(4); Inactive(1e-5));
    rms_norm(x = entries_of((2, 4)), w = positive(4); Inactive(1e-5));
    softmax_cross_entropy(logits = entries_of((2, 3)); &[1, 2][..]);
    mean_squared_error(x = entries_of((2, 3)), y = positive((2, 3)));
}

second! { signal:
    conv1d(x = entries_of((1, 2, 4)), w = positive((2, 2, 3)); 2, 1);
    conv2d(x = entries_of((1, 1, 3, 3)), w = positive((1, 1, 2, 2)); [1, 1], [1, 0]);
}

/// A linear function on dual numbers gives the same cotangents as on floats, and nothing of second order.
#[test]
fn linear_functions_have_no_second_derivative() {
    let x = entries_of((2, 3)).mapv(|x| Dual::new(x, 1.0));
    let mut dx = x.zero_like();
    let f = coenzyme_rules::array::cumsum {};
    let value = Function::call(&f, (&*x, 1));
    let mut args = (Duplicated(&*x, &mut *dx), Const(1));
    pull(&f, &mut args, &value, 2);
    assert!(dx.iter().all(|dx| dx.tangent == 0.0 && dx.value != 0.0));
}
