//! Classes of rules: what the author of a device rule writes, and what is done for them.
//!
//! A [`Unary`] is a function of one array and attributes, a [`Binary`] of two arrays. The author writes value, tangent and cotangents;
//! activities, lanes, errors and the tape are done here. What a cotangent reads again stays on the tape by sharing memory, and
//! whatever it needs from the device it has reserved in [`value`](Unary::value): a pullback enqueues kernels, and does not wait. In the mode `StrongZero` a seed is first looked at on
//! the device, which does.

use coenzyme::{
    Activity, AugmentedOutcome, AugmentedReturn, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, Lanes, ReverseArg, ReverseConfig, ReverseReturn, Tangent,
};
use ndarray::Dimension;

use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::{Element, Float};
use crate::error::{Error, Result};
use crate::kernels::vanishes;

/// A value that a device function returns: an array on the device, or a number on the host.
pub trait Value: Tangent<Owned = Self> + Sized + Send + 'static {
    /// A zero of the same shape.
    ///
    /// # Errors
    /// If the device has no memory left.
    fn try_zero(&self) -> Result<Self>;

    /// Whether it is zero: asked where the mode is `StrongZero`, which waits for the device.
    fn vanishes(&self) -> bool;
}

impl<T: Element, D: Dimension + 'static> Value for DeviceArray<T, D> {
    fn try_zero(&self) -> Result<Self> {
        self.device().zeros(self.raw_dim())
    }
    fn vanishes(&self) -> bool {
        vanishes(self)
    }
}

impl Value for f64 {
    fn try_zero(&self) -> Result<Self> {
        Ok(0.0)
    }
    fn vanishes(&self) -> bool {
        *self == 0.0
    }
}

impl Value for f32 {
    fn try_zero(&self) -> Result<Self> {
        Ok(0.0)
    }
    fn vanishes(&self) -> bool {
        *self == 0.0
    }
}

/// A seed that has an effect: with a strong zero, one that is not zero.
fn effective<V: Value>(seed: Option<&V>, strong_zero: bool) -> Option<&V> {
    seed.filter(|seed| !(strong_zero && seed.vanishes()))
}

/// An array that a device function reads.
pub trait Operand: Value + Clone {
    /// The device that it lies on.
    fn on(&self) -> &Device;
}

impl<T: Float, D: Dimension + 'static> Operand for DeviceArray<T, D> {
    fn on(&self) -> &Device {
        self.device()
    }
}

/// A function of one array.
pub trait Unary {
    /// The array.
    type X: Operand;
    /// What the function returns.
    type Out: Value;
    /// Axes, lengths, indices.
    type Attrs: Clone;
    /// What tangent and cotangent read again besides the array: clones that share memory, and what is reserved.
    type Residual: Send + 'static;

    /// Whether the cotangent reads the array, which is then kept.
    const READS_X: bool;

    /// The value.
    ///
    /// # Errors
    /// Shapes, memory, a lost device. Nothing has been written then.
    fn value(x: &Self::X, attrs: &Self::Attrs) -> Result<(Self::Out, Self::Residual)>;

    /// Whether there is a cotangent, and its kernels compile: asked before the value where one is wanted.
    ///
    /// # Errors
    /// If there is none.
    fn prepare(_: &Self::X, _: &Self::Attrs) -> Result<()> {
        Ok(())
    }

    /// The tangent of the value.
    ///
    /// # Errors
    /// Memory, a lost device.
    fn pushforward(
        x: &Self::X,
        residual: &Self::Residual,
        dx: &Self::X,
        attrs: &Self::Attrs,
    ) -> Result<Self::Out>;

    /// Adds the cotangent of the array to `dx`.
    ///
    /// # Errors
    /// A lost device alone: all that is needed has been reserved.
    fn pullback(
        x: Option<&Self::X>,
        residual: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        attrs: &Self::Attrs,
    ) -> Result<()>;
}

/// What the reverse pass of a [`Unary`] reads again.
pub struct UnaryTape<U: Unary> {
    x: Option<U::X>,
    residual: U::Residual,
}

/// Zeros like the value, one for each lane of `lanes`.
fn zeros<Out: Value>(value: &Out, lanes: usize) -> Result<std::vec::IntoIter<Out>> {
    let zeros = (0..lanes).map(|_| value.try_zero());
    Ok(zeros.collect::<Result<Vec<_>>>()?.into_iter())
}

const EACH_LANE: &str = "each lane is asked for once";

/// The forward rule of a [`Unary`].
///
/// # Errors
/// Those of the function.
pub fn forward<U: Unary, X, R, const W: usize>(
    config: &ForwardConfig,
    x: &X,
    attrs: &U::Attrs,
) -> ForwardOutcome<R, W>
where
    X: ForwardArg<U::X, W>,
    R: ForwardReturn<W, Out = Result<U::Out>>,
{
    let (value, residual) = U::value(x.primal(), attrs)?;
    let tangents = if R::ACTIVE { W } else { 0 };
    let strong = config.strong_zero();
    let tangent = |lane| match effective(x.tangent(lane), strong) {
        Some(dx) => U::pushforward(x.primal(), &residual, dx, attrs),
        None => value.try_zero(),
    };
    let tangents = (0..tangents).map(tangent).collect::<Result<Vec<_>>>()?;
    let mut tangents = tangents.into_iter();
    Ok(R::forward(
        config,
        || value,
        |_| tangents.next().expect(EACH_LANE),
    ))
}

/// The first half of the reverse rule of a [`Unary`].
///
/// # Errors
/// Those of the function.
pub fn augmented<U: Unary, X, R, const W: usize>(
    config: &ReverseConfig,
    x: &X,
    attrs: &U::Attrs,
) -> AugmentedOutcome<R, Option<UnaryTape<U>>, W>
where
    X: ReverseArg<U::X, W>,
    R: ReverseReturn<W, Out = Result<U::Out>>,
{
    let kept = R::ACTIVE && x.is_active();
    if kept {
        U::prepare(x.primal(), attrs)?;
    }
    let (value, residual) = U::value(x.primal(), attrs)?;
    let mut shadows = zeros(&value, if R::NEEDS_SHADOW { W } else { 0 })?;
    let tape = kept.then(|| UnaryTape {
        x: U::READS_X.then(|| x.primal().clone()),
        residual,
    });
    Ok(AugmentedReturn::new(
        config.needs_primal().then_some(value),
        R::shadow(|_| shadows.next().expect(EACH_LANE)),
        tape,
    ))
}

/// The second half of the reverse rule of a [`Unary`].
pub fn reverse<U: Unary, X, R, const W: usize>(
    config: &ReverseConfig,
    dret: &R::Cotangent,
    tape: Option<&UnaryTape<U>>,
    x: &mut X,
    attrs: &U::Attrs,
) -> <X as Activity<W>>::Gradient
where
    X: ReverseArg<U::X, W>,
    R: ReverseReturn<W, Out = Result<U::Out>>,
{
    x.accumulate(|lane, x, mut dx| {
        let dy = effective(dret.lane(lane), config.strong_zero());
        if let (Some(dy), Some(tape)) = (dy, tape) {
            let pull = |dx: &mut U::X| U::pullback(tape.x.as_ref(), &tape.residual, dy, dx, attrs);
            x.on().must(dx.accumulate_with(pull));
        }
    })
}

/// A function of two arrays.
pub trait Binary {
    /// The first array.
    type A: Operand;
    /// The second.
    type B: Operand;
    /// What the function returns.
    type Out: Value;
    /// Axes, lengths.
    type Attrs: Clone;

    /// Whether the cotangent of one reads the other, which is then kept.
    const READS_OTHER: bool;

    /// The value.
    ///
    /// # Errors
    /// Shapes, memory, a lost device. Nothing has been written then.
    fn value(a: &Self::A, b: &Self::B, attrs: &Self::Attrs) -> Result<Self::Out>;

    /// The tangent of the value; one of the two at least is there.
    ///
    /// # Errors
    /// Memory, a lost device.
    fn pushforward(
        a: (&Self::A, Option<&Self::A>),
        b: (&Self::B, Option<&Self::B>),
        attrs: &Self::Attrs,
    ) -> Result<Self::Out>;

    /// Adds the cotangent of the first array to `da`. `b` is there if it is [read](Self::READS_OTHER).
    ///
    /// # Errors
    /// A lost device alone.
    fn pullback_a(
        b: Option<&Self::B>,
        dy: &Self::Out,
        da: &mut Self::A,
        attrs: &Self::Attrs,
    ) -> Result<()>;

    /// Adds the cotangent of the second array to `db`.
    ///
    /// # Errors
    /// A lost device alone.
    fn pullback_b(
        a: Option<&Self::A>,
        dy: &Self::Out,
        db: &mut Self::B,
        attrs: &Self::Attrs,
    ) -> Result<()>;
}

/// What the reverse pass of a [`Binary`] reads again: each array, if the other is active.
pub struct BinaryTape<U: Binary> {
    a: Option<U::A>,
    b: Option<U::B>,
}

/// The forward rule of a [`Binary`].
///
/// # Errors
/// Those of the function.
pub fn forward2<U: Binary, A, B, R, const W: usize>(
    config: &ForwardConfig,
    (a, b): (&A, &B),
    attrs: &U::Attrs,
) -> ForwardOutcome<R, W>
where
    A: ForwardArg<U::A, W>,
    B: ForwardArg<U::B, W>,
    R: ForwardReturn<W, Out = Result<U::Out>>,
{
    let value = U::value(a.primal(), b.primal(), attrs)?;
    let tangents = if R::ACTIVE { W } else { 0 };
    let strong = config.strong_zero();
    let tangent = |lane| match (
        effective(a.tangent(lane), strong),
        effective(b.tangent(lane), strong),
    ) {
        (None, None) => value.try_zero(),
        (da, db) => U::pushforward((a.primal(), da), (b.primal(), db), attrs),
    };
    let tangents = (0..tangents).map(tangent).collect::<Result<Vec<_>>>()?;
    let mut tangents = tangents.into_iter();
    Ok(R::forward(
        config,
        || value,
        |_| tangents.next().expect(EACH_LANE),
    ))
}

/// The first half of the reverse rule of a [`Binary`].
///
/// # Errors
/// Those of the function.
pub fn augmented2<U: Binary, A, B, R, const W: usize>(
    config: &ReverseConfig,
    (a, b): (&A, &B),
    attrs: &U::Attrs,
) -> AugmentedOutcome<R, BinaryTape<U>, W>
where
    A: ReverseArg<U::A, W>,
    B: ReverseArg<U::B, W>,
    R: ReverseReturn<W, Out = Result<U::Out>>,
{
    let value = U::value(a.primal(), b.primal(), attrs)?;
    let mut shadows = zeros(&value, if R::NEEDS_SHADOW { W } else { 0 })?;
    let reads = R::ACTIVE && U::READS_OTHER;
    let tape = BinaryTape {
        a: (reads && b.is_active()).then(|| a.primal().clone()),
        b: (reads && a.is_active()).then(|| b.primal().clone()),
    };
    Ok(AugmentedReturn::new(
        config.needs_primal().then_some(value),
        R::shadow(|_| shadows.next().expect(EACH_LANE)),
        tape,
    ))
}

/// The second half of the reverse rule of a [`Binary`].
pub fn reverse2<U: Binary, A, B, R, const W: usize>(
    config: &ReverseConfig,
    dret: &R::Cotangent,
    tape: &BinaryTape<U>,
    (a, b): (&mut A, &mut B),
    attrs: &U::Attrs,
) -> (<A as Activity<W>>::Gradient, <B as Activity<W>>::Gradient)
where
    A: ReverseArg<U::A, W>,
    B: ReverseArg<U::B, W>,
    R: ReverseReturn<W, Out = Result<U::Out>>,
{
    let da = a.accumulate(|lane, a, mut da| {
        if let Some(dy) = effective(dret.lane(lane), config.strong_zero()) {
            let pull = |da: &mut U::A| U::pullback_a(tape.b.as_ref(), dy, da, attrs);
            a.on().must(da.accumulate_with(pull));
        }
    });
    let db = b.accumulate(|lane, b, mut db| {
        if let Some(dy) = effective(dret.lane(lane), config.strong_zero()) {
            let pull = |db: &mut U::B| U::pullback_b(tape.a.as_ref(), dy, db, attrs);
            b.on().must(db.accumulate_with(pull));
        }
    });
    (da, db)
}

/// Gives a marker the rules of a [`Unary`]: `unary_rule!(sum_axis[T: Float, D: RemoveAxis](x: DeviceArray<T, D>, axis: usize) = SumAxis<T, D>)`.
///
/// Attributes are taken by value, or by reference (`index: &Index`); they are not differentiated. Those in braces come before the array:
/// `({comm: DeviceComm, root: usize} x: DeviceArray<T, D>)`.
#[macro_export]
macro_rules! unary_rule {
    ($name:ident[$($g:tt)*]($x:ident: $X:ty $(, $a:ident: $A:ty)*) = $U:ty) => {
        $crate::unary_rule!($name[$($g)*]({} $x: $X $(, $a: $A)*) = $U);
    };
    ($name:ident[$($g:tt)*]({$($b:ident: $B:ty),*} $x:ident: $X:ty $(, $a:ident: $A:ty)*) = $U:ty) => {
        #[allow(non_camel_case_types, unused_parens)]
        impl<R, $($b,)* X, $($a,)* const W: usize, $($g)*> $crate::__private::coenzyme::ForwardRule<R, ($($b,)* X, $($a,)*), W> for $name
        where
            R: $crate::__private::coenzyme::ForwardReturn<W, Out = $crate::Result<<$U as $crate::rules::class::Unary>::Out>>,
            X: $crate::__private::coenzyme::ForwardArg<$X, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $X>>,
            $($b: $crate::__private::coenzyme::ForwardArg<$B, W>,)*
            $($a: $crate::__private::coenzyme::ForwardArg<$A, W>,)*
        {
            fn forward(
                &self,
                config: &$crate::__private::coenzyme::ForwardConfig,
                ($($b,)* $x, $($a,)*): ($(&mut $b,)* &mut X, $(&mut $a,)*),
            ) -> $crate::__private::coenzyme::ForwardOutcome<R, W> {
                $crate::rules::class::forward::<$U, X, R, W>(config, $x, &($($b.primal().clone(),)* $($a.primal().clone(),)*))
            }
        }

        #[allow(non_camel_case_types, unused_parens)]
        impl<R, $($b,)* X, $($a,)* const W: usize, $($g)*> $crate::__private::coenzyme::ReverseRule<R, ($($b,)* X, $($a,)*), W> for $name
        where
            R: $crate::__private::coenzyme::ReverseReturn<W, Out = $crate::Result<<$U as $crate::rules::class::Unary>::Out>>,
            X: $crate::__private::coenzyme::ReverseArg<$X, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $X>>,
            $($b: $crate::__private::coenzyme::ReverseArg<$B, W>,)*
            $($a: $crate::__private::coenzyme::ReverseArg<$A, W>,)*
        {
            type Tape = Option<$crate::rules::class::UnaryTape<$U>>;

            fn augmented_primal(
                &self,
                config: &$crate::__private::coenzyme::ReverseConfig,
                ($($b,)* $x, $($a,)*): ($(&mut $b,)* &mut X, $(&mut $a,)*),
            ) -> $crate::__private::coenzyme::AugmentedOutcome<R, Self::Tape, W> {
                $crate::rules::class::augmented::<$U, X, R, W>(config, $x, &($($b.primal().clone(),)* $($a.primal().clone(),)*))
            }

            fn reverse(
                &self,
                config: &$crate::__private::coenzyme::ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($b,)* $x, $($a,)*): ($(&mut $b,)* &mut X, $(&mut $a,)*),
            ) -> ($($b::Gradient,)* X::Gradient, $($a::Gradient,)*) {
                let attrs = ($($b.primal().clone(),)* $($a.primal().clone(),)*);
                let dx = $crate::rules::class::reverse::<$U, X, R, W>(config, &dret, tape.as_ref(), $x, &attrs);
                ($($b.no_gradient(),)* dx, $($a.no_gradient(),)*)
            }
        }
    };
}

/// Gives a marker the rules of a [`Binary`].
#[macro_export]
macro_rules! binary_rule {
    ($name:ident[$($g:tt)*]($x:ident: $X:ty, $y:ident: $Y:ty $(, $a:ident: $A:ty)*) = $U:ty) => {
        #[allow(non_camel_case_types)]
        impl<R, X, Y, $($a,)* const W: usize, $($g)*> $crate::__private::coenzyme::ForwardRule<R, (X, Y, $($a,)*), W> for $name
        where
            R: $crate::__private::coenzyme::ForwardReturn<W, Out = $crate::Result<<$U as $crate::rules::class::Binary>::Out>>,
            X: $crate::__private::coenzyme::ForwardArg<$X, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $X>>,
            Y: $crate::__private::coenzyme::ForwardArg<$Y, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $Y>>,
            $($a: $crate::__private::coenzyme::ForwardArg<$A, W>,)*
        {
            fn forward(
                &self,
                config: &$crate::__private::coenzyme::ForwardConfig,
                ($x, $y, $($a,)*): (&mut X, &mut Y, $(&mut $a,)*),
            ) -> $crate::__private::coenzyme::ForwardOutcome<R, W> {
                let attrs = ($($a.primal().clone(),)*);
                $crate::rules::class::forward2::<$U, X, Y, R, W>(config, ($x, $y), &attrs)
            }
        }

        #[allow(non_camel_case_types)]
        impl<R, X, Y, $($a,)* const W: usize, $($g)*> $crate::__private::coenzyme::ReverseRule<R, (X, Y, $($a,)*), W> for $name
        where
            R: $crate::__private::coenzyme::ReverseReturn<W, Out = $crate::Result<<$U as $crate::rules::class::Binary>::Out>>,
            X: $crate::__private::coenzyme::ReverseArg<$X, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $X>>,
            Y: $crate::__private::coenzyme::ReverseArg<$Y, W> + $crate::__private::coenzyme::Annotation<Primal: $crate::__private::coenzyme::Memory<Target = $Y>>,
            $($a: $crate::__private::coenzyme::ReverseArg<$A, W>,)*
        {
            type Tape = $crate::rules::class::BinaryTape<$U>;

            fn augmented_primal(
                &self,
                config: &$crate::__private::coenzyme::ReverseConfig,
                ($x, $y, $($a,)*): (&mut X, &mut Y, $(&mut $a,)*),
            ) -> $crate::__private::coenzyme::AugmentedOutcome<R, Self::Tape, W> {
                let attrs = ($($a.primal().clone(),)*);
                $crate::rules::class::augmented2::<$U, X, Y, R, W>(config, ($x, $y), &attrs)
            }

            fn reverse(
                &self,
                config: &$crate::__private::coenzyme::ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($x, $y, $($a,)*): (&mut X, &mut Y, $(&mut $a,)*),
            ) -> (X::Gradient, Y::Gradient, $($a::Gradient,)*) {
                let attrs = ($($a.primal().clone(),)*);
                let (dx, dy) = $crate::rules::class::reverse2::<$U, X, Y, R, W>(config, &dret, &tape, ($x, $y), &attrs);
                (dx, dy, $($a.no_gradient(),)*)
            }
        }
    };
}

pub use {binary_rule, unary_rule};

/// An error of shapes that a rule refuses.
pub(crate) fn refuse<T>(
    function: &'static str,
    expected: impl std::fmt::Display,
    found: &[usize],
) -> Result<T> {
    Err(Error::shape(function, expected, format_args!("{found:?}")))
}
