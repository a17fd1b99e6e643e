//! The local check of rules: every mix of activities, widths 1 and 3, two memory layouts, with and without overwriting,
//! against Richardson-extrapolated central differences. To be replaced by `coenzyme-testutils`.

use coenzyme::{
    Args, AugmentedReturn, BatchDuplicated, BatchDuplicatedNoNeed, Const, DynArg, ForwardConfig,
    ForwardRule, Outcome, ReverseConfig, ReverseRule, Tangent,
};
use ndarray::{Array, ArrayRef, Axis, Dimension};

/// Numbers between −1 and 1, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    pub(crate) fn like<X: Tangent<Owned = X>>(&mut self, x: &X) -> X {
        let mut out = x.zero_like();
        let n = x.flatten().len();
        let numbers: Vec<f64> = (0..n).map(|_| self.next()).collect();
        out.unflatten(&numbers);
        out
    }
    pub(crate) fn array<Sh: ndarray::ShapeBuilder>(&mut self, shape: Sh) -> Array<f64, Sh::Dim> {
        Array::from_shape_simple_fn(shape, || self.next())
    }
}

/// An operand of a checked function.
pub(crate) trait Sample: Tangent<Owned = Self> + Clone {
    type Ref<'a>
    where
        Self: 'a;
    type Mut<'a>
    where
        Self: 'a;
    fn lend(&self) -> Self::Ref<'_>;
    fn lend_mut(&mut self) -> Self::Mut<'_>;
    /// The same values in another memory layout.
    fn relayout(&self) -> Self;
    /// Makes the memory unreadable, if it is memory.
    fn scribble(&mut self);
}

impl Sample for f64 {
    type Ref<'a> = f64;
    type Mut<'a> = &'a mut f64;
    fn lend(&self) -> f64 {
        *self
    }
    fn lend_mut(&mut self) -> &mut f64 {
        self
    }
    fn relayout(&self) -> f64 {
        *self
    }
    fn scribble(&mut self) {}
}

impl<D: Dimension + 'static> Sample for Array<f64, D> {
    type Ref<'a> = &'a ArrayRef<f64, D>;
    type Mut<'a> = &'a mut ArrayRef<f64, D>;
    fn lend(&self) -> &ArrayRef<f64, D> {
        self
    }
    fn lend_mut(&mut self) -> &mut ArrayRef<f64, D> {
        self
    }
    fn relayout(&self) -> Self {
        // Columns first, and the first axis backwards.
        let mut out = self.t().as_standard_layout().into_owned().reversed_axes();
        if out.ndim() > 0 {
            out.invert_axis(Axis(0));
            out = {
                let mut backwards = out.clone();
                backwards.invert_axis(Axis(0));
                backwards.assign(self);
                backwards
            };
        }
        assert_eq!(&out, self);
        out
    }
    fn scribble(&mut self) {
        self.fill(f64::NAN);
    }
}

/// An operand with its tangents and the initial content of its shadows.
pub(crate) struct Operand<X> {
    pub(crate) x: X,
    pub(crate) dx: [X; 3],
    pub(crate) initial: [X; 3],
    pub(crate) active: bool,
}

impl<X: Sample> Operand<X> {
    pub(crate) fn new(x: &X, random: &mut Random, relayout: bool) -> Self {
        let mut make = || {
            let a = random.like(x);
            if relayout { a.relayout() } else { a }
        };
        Self {
            dx: [make(), make(), make()],
            initial: [make(), make(), make()],
            x: if relayout { x.relayout() } else { x.clone() },
            active: false,
        }
    }

    /// `x + h·dx`
    pub(crate) fn moved(&self, lane: usize, h: f64) -> X {
        let mut x = self.x.clone();
        if self.active {
            let mut step = self.dx[lane].clone();
            step.scale(h);
            x.accumulate(&step);
        }
        x
    }

    pub(crate) fn forward<const W: usize>(&self) -> DynArg<X::Ref<'_>, X::Ref<'_>, W> {
        DynArg::new(
            self.x.lend(),
            self.active
                .then(|| std::array::from_fn(|lane| self.dx[lane].lend())),
        )
    }

    /// `⟨x̄ − initial, dx⟩`
    pub(crate) fn inner(&self, lane: usize, shadow: &X) -> f64 {
        if !self.active {
            return 0.0;
        }
        shadow.inner(&self.dx[lane]) - self.initial[lane].inner(&self.dx[lane])
    }
}

pub(crate) fn reverse_arg<'a, X: Sample, const W: usize>(
    x: &'a X,
    shadows: &'a mut [X; W],
    active: bool,
) -> DynArg<X::Ref<'a>, X::Mut<'a>, W> {
    DynArg::new(
        x.lend(),
        active.then(|| shadows.each_mut().map(Sample::lend_mut)),
    )
}

/// The value that the checked function returns.
pub(crate) fn returned<O: Outcome>(out: &O) -> &O::Value {
    out.value().expect("the function returns a value")
}

/// Its floats.
pub(crate) fn flat<O: Outcome>(out: &O) -> Vec<f64> {
    returned(out).flatten()
}

/// The derivative at 0, by central differences at two steps: error `O(h⁴)`.
pub(crate) fn differences<O: Outcome>(f: impl Fn(f64) -> O) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        let (up, down) = (flat(&f(h)), flat(&f(-h)));
        up.iter()
            .zip(&down)
            .map(|(a, b)| (a - b) / (2.0 * h))
            .collect()
    };
    let (wide, narrow) = (central(2e-3), central(1e-3));
    wide.iter()
        .zip(&narrow)
        .map(|(w, n)| (4.0 * n - w) / 3.0)
        .collect()
}

/// The step of 1e-3 leaves 1e-12 of truncation and 1e-13 of rounding; functions with large fifth derivatives leave more.
#[track_caller]
pub(crate) fn assert_close(what: &str, got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len(), "{what}: different lengths");
    for (i, (a, b)) in got.iter().zip(want).enumerate() {
        let scale = 1.0 + a.abs().max(b.abs());
        assert!(
            (a - b).abs() <= 2e-8 * scale,
            "{what}: entry {i}: rule {a}, differences {b}"
        );
    }
}

fn inside<O: Outcome, U>(of: O::Of<U>) -> U {
    let mut slot = None;
    O::map_of(of, |u| slot = Some(u));
    slot.expect("the function returns a value")
}

/// The tangents, having compared the value and the other return activities.
#[track_caller]
pub(crate) fn forward<F, A, O, const W: usize>(f: &F, args: &mut A, value: &O) -> Vec<Vec<f64>>
where
    O: Outcome,
    A: Args<W>,
    F: ForwardRule<BatchDuplicated<O, O, W>, A, W>
        + ForwardRule<BatchDuplicatedNoNeed<O, O, W>, A, W>
        + ForwardRule<Const<O>, A, W>,
{
    type Both<O, const W: usize> = BatchDuplicated<O, O, W>;
    type One<O, const W: usize> = BatchDuplicatedNoNeed<O, O, W>;
    let config = ForwardConfig::new(true);
    let (primal, tangents) = inside::<O, _>(ForwardRule::<Both<O, W>, A, W>::forward(
        f,
        &config,
        args.refs(),
    ))
    .into_parts();
    assert_eq!(primal.flatten(), flat(value), "forward: primal");
    let config = config.with_needs_primal(false);
    let alone = inside::<O, _>(ForwardRule::<One<O, W>, A, W>::forward(
        f,
        &config,
        args.refs(),
    ));
    for (a, b) in tangents.iter().zip(&alone) {
        a.congruent(returned(value))
            .expect("a tangent has its value's shape");
        assert_close("forward: without primal", &b.flatten(), &a.flatten());
    }
    let constant = inside::<O, _>(ForwardRule::<Const<O>, A, W>::forward(
        f,
        &config.with_needs_primal(true),
        args.refs(),
    ));
    assert_eq!(constant.map(|y| y.flatten()), Some(flat(value)));
    tangents.iter().map(Tangent::flatten).collect()
}

/// One value with its tangent.
pub(crate) fn tangent<F, A, O>(f: &F, args: &mut A) -> BatchDuplicated<O::Value, O::Value, 1>
where
    O: Outcome,
    A: Args<1>,
    F: ForwardRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    inside::<O, _>(f.forward(&ForwardConfig::new(true), args.refs()))
}

/// The first half; the tape, having checked value and shadow.
#[track_caller]
pub(crate) fn augmented<F, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: &mut A,
    value: &O,
) -> <F as ReverseRule<BatchDuplicated<O, O, W>, A, W>>::Tape
where
    O: Outcome,
    A: Args<W>,
    F: ReverseRule<BatchDuplicated<O, O, W>, A, W>,
{
    let AugmentedReturn {
        primal,
        shadow,
        tape,
    } = inside::<O, _>(f.augmented_primal(config, args.refs()));
    assert_eq!(
        primal.map(|y| y.flatten()),
        config.needs_primal().then(|| flat(value))
    );
    for lane in &shadow {
        lane.congruent(returned(value))
            .expect("the shadow has its value's shape");
        assert!(
            lane.flatten().iter().all(|a| *a == 0.0),
            "the shadow starts at zero"
        );
    }
    tape
}

/// The second half, with the tape of the first.
pub(crate) fn reverse<F, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: &mut A,
    cotangent: &[O::Value; W],
    tape: <F as ReverseRule<BatchDuplicated<O, O, W>, A, W>>::Tape,
) where
    O: Outcome<Value: Clone>,
    A: Args<W>,
    F: ReverseRule<BatchDuplicated<O, O, W>, A, W>,
{
    f.reverse(config, cotangent.clone(), tape, args.refs());
}

/// A return activity that asks for nothing.
pub(crate) fn constant<F, A, O, const W: usize>(f: &F, args: &mut A, _: &O)
where
    O: Outcome,
    A: Args<W>,
    F: ReverseRule<Const<O>, A, W>,
{
    let config = ReverseConfig::new(false);
    let augmented = inside::<O, _>(f.augmented_primal(&config, args.refs()));
    assert!(augmented.primal.is_none());
    f.reverse(&config, (), augmented.tape, args.refs());
}

/// `check!(f(x, y; attr))` checks the rules of `f` at the operands `x`, `y`, which are variables.
macro_rules! check {
    ($f:ident ($($x:ident),+ $(; $($attr:expr),+)?)) => {{
        for relayout in [false, true] {
            let mut random = $crate::check::Random::new(7 + u64::from(relayout));
            $(let mut $x = $crate::check::Operand::new(&$x, &mut random, relayout);)+
            let count = [$(stringify!($x)),+].len();
            for mask in 0..1_u32 << count {
                let mut bits = mask;
                $(
                    $x.active = bits & 1 == 1;
                    bits >>= 1;
                )+
                assert_eq!(bits, 0);
                let value = coenzyme::Function::call(
                    &$f {},
                    ($($crate::check::Sample::lend(&$x.x),)+ $($($attr,)+)?),
                );
                let differences: [Vec<f64>; 3] = std::array::from_fn(|lane| {
                    $crate::check::differences(|h| {
                        $(let $x = $x.moved(lane, h);)+
                        coenzyme::Function::call(
                            &$f {},
                            ($($crate::check::Sample::lend(&$x),)+ $($($attr,)+)?),
                        )
                    })
                });
                check!(@width 1 $f ($($x),+ $(; $($attr),+)?) value differences random);
                check!(@width 3 $f ($($x),+ $(; $($attr),+)?) value differences random);
            }
        }
    }};
    (@width $w:literal $f:ident ($($x:ident),+ $(; $($attr:expr),+)?) $value:ident $differences:ident $random:ident) => {{
        use coenzyme::{Const, ReverseConfig};
        let mut args = ($($x.forward::<$w>(),)+ $($(Const($attr),)+)?);
        let tangents = $crate::check::forward::<_, _, _, $w>(&$f {}, &mut args, &$value);
        for (lane, tangent) in tangents.iter().enumerate() {
            $crate::check::assert_close("forward", tangent, &$differences[lane]);
        }

        let cotangent: [_; $w] = std::array::from_fn(|_| $random.like($crate::check::returned(&$value)));
        let plain = ReverseConfig::new(true);
        for config in [plain, plain.with_needs_primal(false), plain.with_all_overwritten()] {
            $(let mut $x = ($x.x.clone(), std::array::from_fn::<_, $w, _>(|lane| $x.initial[lane].clone()), &$x);)+
            let mut args = (
                $($crate::check::reverse_arg(&$x.0, &mut $x.1, $x.2.active),)+
                $($(Const($attr),)+)?
            );
            let tape = $crate::check::augmented::<_, _, _, $w>(&$f {}, &config, &mut args, &$value);
            $(
                assert_eq!($x.1[..], $x.2.initial[..$w], "the first half touches no shadow");
                if config.overwritten(0) {
                    $crate::check::Sample::scribble(&mut $x.0);
                }
            )+
            let mut args = (
                $($crate::check::reverse_arg(&$x.0, &mut $x.1, $x.2.active),)+
                $($(Const($attr),)+)?
            );
            $crate::check::reverse::<_, _, _, $w>(&$f {}, &config, &mut args, &cotangent, tape);
            for lane in 0..$w {
                let ours = 0.0 $(+ $x.2.inner(lane, &$x.1[lane]))+;
                let cotangent = coenzyme::Tangent::flatten(&cotangent[lane]);
                let theirs = cotangent.iter().zip(&$differences[lane]).map(|(a, b)| a * b).sum::<f64>();
                $crate::check::assert_close("reverse", &[ours], &[theirs]);
            }
            $(if !config.overwritten(0) {
                assert_eq!($x.0, $x.2.x, "reverse changes no primal");
            })+
        }
        let mut args = ($(Const($crate::check::Sample::lend(&$x.x)),)+ $($(Const($attr),)+)?);
        $crate::check::constant::<_, _, _, $w>(&$f {}, &mut args, &$value);
        $crate::check::forward::<_, _, _, $w>(&$f {}, &mut args, &$value);
    }};
}

pub(crate) use check;

/// The reverse pass with a fixed seed for each number of the value; a number is `floats` floats, of which the first is
/// seeded.
pub(crate) fn pull<F, A, O>(f: &F, args: &mut A, value: &O, floats: usize)
where
    O: Outcome<Value: Clone>,
    A: Args<1>,
    F: ReverseRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    let config = ReverseConfig::new(true);
    let tape = augmented::<F, A, O, 1>(f, &config, args, value);
    let mut random = Random::new(21);
    let n = flat(value).len();
    let numbers: Vec<f64> = (0..n)
        .map(|i| if i % floats == 0 { random.next() } else { 0.0 })
        .collect();
    let mut seed = returned(value).zero_like();
    seed.unflatten(&numbers);
    reverse::<F, A, O, 1>(f, &config, args, &[seed], tape);
}

/// `second!(f(x; attr))` checks the second derivative of `f`: its gradient on dual numbers, against differences of its gradient.
macro_rules! second {
    ($f:ident ($x:ident $(; $($attr:expr),+)?)) => {{
        #[allow(unused_imports)]
        use coenzyme::{Const, Dual, Duplicated, Function, Tangent};
        let direction = $crate::check::Random::new(22).like(&$x);
        let want = $crate::check::differences(|h| {
            let x = &$x + &(&direction * h);
            let mut dx = x.zero_like();
            let value = Function::call(&$f {}, (&*x, $($($attr),+)?));
            let mut args = (Duplicated(&*x, &mut *dx), $($(Const($attr)),+)?);
            $crate::check::pull(&$f {}, &mut args, &value, 1);
            dx
        });
        let x = ndarray::Zip::from(&$x).and(&direction).map_collect(|&x, &v| Dual::new(x, v));
        let mut dx = x.zero_like();
        let value = Function::call(&$f {}, (&*x, $($($attr),+)?));
        let mut args = (Duplicated(&*x, &mut *dx), $($(Const($attr)),+)?);
        $crate::check::pull(&$f {}, &mut args, &value, 2);
        let got: Vec<f64> = dx.iter().map(|dx| dx.tangent).collect();
        $crate::check::assert_close(concat!("second derivative of ", stringify!($f)), &got, &want);
    }};
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use crate::array::*;
    use crate::linalg::*;
    use crate::nn::*;

    #[test]
    fn e8_second_derivatives_come_from_the_same_rules() {
        let x = array![[0.7, 1.2, 0.4], [0.9, 0.3, 1.6]];
        second!(exp(x));
        second!(ln(x));
        second!(sin(x));
        second!(tanh(x));
        second!(sqrt(x));
        second!(cbrt(x));
        second!(atan(x));
        second!(erf(x));
        second!(lgamma(x));
        second!(digamma(x));
        second!(bessel_j1(x));
        second!(logistic(x));
        second!(softplus(x));
        second!(gelu(x));
        second!(gelu_tanh(x));
        second!(swish(x));
        second!(mish(x));
        second!(sinc(x));
        second!(sum(x));
        second!(var(x));
        second!(std_dev_axis(x; 1));
        second!(norm(x));
        second!(prod_axis(x; 0));
        second!(logsumexp_axis(x; 1));
        second!(softmax(x; 1));
        second!(log_softmax(x; 0));
        second!(cumprod(x; 1));
        second!(softmax_cross_entropy(x; &[1, 2][..]));
        let symmetric = array![[3.0, 0.4, 0.2], [0.4, 2.0, -0.5], [0.2, -0.5, 5.0]];
        second!(inverse(symmetric));
        second!(logdet(symmetric));
        second!(det(symmetric));
        second!(cholesky(symmetric));
        second!(eigh(symmetric));
        let singular: Array2<f64> = array![[1.0, 2.0], [2.0, 4.0]];
        second!(transpose(singular));
    }
}
