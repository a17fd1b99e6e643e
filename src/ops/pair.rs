//! Operations of two operands that are memory: arrays, vectors, matrices, rotations.

/// The operation `Op` on `self` and `other`: its value and both directions of its derivative.
///
/// [`pair_rules!`](crate::pair_rules) makes the rules of `Op` from this, for every activity; the rules of operators
/// (`ops::add`, `ops::mul` …) are made already. [`operators!`](crate::operators) makes an operator's [`Operand`](super::Operand) from it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative for the operation `{Op}` with `{B}`",
    label = "no rule for this operation on these operands",
    note = "write `&a + &b` for arrays, `a + b` for numbers, and for types of your own `#[differentiable]` on the `impl` block of the operator, or a function marked `#[primitive]` with its rule"
)]
pub trait Pair<Op, B: ?Sized> {
    /// What the operation returns.
    type Out: crate::Outcome<Value = Self::Out> + crate::Tangent<Owned = Self::Out>;

    /// Whether the derivative reads the operands.
    const READS: bool;

    /// The operations that it costs, if it is so few that a result is not worth keeping.
    #[doc(hidden)]
    const COST: u32 = u32::MAX;

    /// The value.
    fn value(&self, other: &B) -> Self::Out;

    /// The tangent of the value; an operand without tangent is inactive.
    fn tangent(&self, other: &B, da: Option<&Self>, db: Option<&B>) -> Self::Out;

    /// `ā += …`, for the cotangent `dout` of the value.
    fn pull_left(a: &Self, b: &B, dout: &Self::Out, da: &mut Self);

    /// `b̄ += …`, for the cotangent `dout` of the value.
    fn pull_right(a: &Self, b: &B, dout: &Self::Out, db: &mut B);
}

/// Whether a seed contributes nothing: with strong zeros, one that is zero in all its parts, beside which even an infinite
/// partial does not count.
pub fn skips<T: crate::Tangent + ?Sized>(strong_zero: bool, seed: &T) -> bool {
    crate::Tangent::is_strong_zero(seed, strong_zero)
}

/// The memory that an argument stands for.
pub type MemoryOf<X> = <<X as crate::Annotation>::Primal as crate::Memory>::Target;

/// Gives markers the rules of a function of two operands, by [`Pair`](crate::ops::Pair): `pair_rules!(dot, cross)`.
///
/// Each is a type of the crate that calls this, by convention an empty struct with the name of the function. A method of a type
/// that is not one's own is then found by an extension trait:
///
/// ```
/// use coenzyme::ops::Pair;
/// use coenzyme::prelude::*;
///
/// #[derive(Clone, Tangent)]
/// struct Line {
///     slope: f64,
///     offset: f64,
/// }
///
/// impl Line {
///     fn at(&self, x: f64) -> f64 {
///         self.slope * x + self.offset
///     }
/// }
///
/// /// The rule of `line.at(x)`.
/// #[allow(non_camel_case_types)]
/// struct at {}
///
/// impl Pair<at, f64> for Line {
///     type Out = f64;
///
///     const READS: bool = true;
///
///     fn value(&self, x: &f64) -> f64 {
///         self.at(*x)
///     }
///     fn tangent(&self, x: &f64, da: Option<&Line>, dx: Option<&f64>) -> f64 {
///         da.map_or(0.0, |da| da.at(*x)) + dx.map_or(0.0, |dx| self.slope * dx)
///     }
///     fn pull_left(_: &Line, x: &f64, dout: &f64, da: &mut Line) {
///         da.slope += dout * x;
///         da.offset += dout;
///     }
///     fn pull_right(a: &Line, _: &f64, dout: &f64, dx: &mut f64) {
///         *dx += a.slope * dout;
///     }
/// }
///
/// coenzyme::pair_rules!(at);
///
/// /// In scope where `line.at(x)` is differentiated.
/// trait LineMethods {
///     fn rule_of_at(&self) -> at {
///         at {}
///     }
/// }
/// impl LineMethods for Line {}
///
/// #[differentiable]
/// fn twice(line: &Line, x: f64) -> f64 {
///     line.at(x) * 2.0
/// }
///
/// let (line, dx) = gradient!(twice, &Line { slope: 3.0, offset: 1.0 }, 2.0);
/// assert_eq!((line.slope, line.offset, dx), (4.0, 2.0, 6.0));
/// ```
#[macro_export]
macro_rules! pair_rules {
    ($($op:ty),* $(,)?) => {$(
        impl<R, X, Y, const W: usize> $crate::ForwardRule<R, (X, Y), W> for $op
        where
            X: $crate::ForwardArg<$crate::ops::MemoryOf<X>, W> + $crate::Annotation<Primal: $crate::Memory>,
            Y: $crate::ForwardArg<$crate::ops::MemoryOf<Y>, W> + $crate::Annotation<Primal: $crate::Memory>,
            $crate::ops::MemoryOf<X>: $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>,
            R: $crate::ForwardReturn<
                    W,
                    Out = <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>>::Out,
                >,
        {
            #[inline]
            fn forward(
                &self,
                config: &$crate::ForwardConfig,
                (x, y): (&mut X, &mut Y),
            ) -> $crate::ForwardOutcome<R, W> {
                let (a, b) = ($crate::ForwardArg::primal(x), $crate::ForwardArg::primal(y));
                let strong = config.strong_zero();
                <R::Out as $crate::Outcome>::wrap(R::forward(
                    config,
                    || $crate::ops::Pair::<$op, _>::value(a, b),
                    |lane| {
                        let da = x.tangent(lane).filter(|da| !$crate::ops::skips(strong, *da));
                        let db = y.tangent(lane).filter(|db| !$crate::ops::skips(strong, *db));
                        $crate::ops::Pair::<$op, _>::tangent(a, b, da, db)
                    },
                ))
            }
        }

        impl<R, X, Y, const W: usize> $crate::ReverseRule<R, (X, Y), W> for $op
        where
            X: $crate::ReverseArg<$crate::ops::MemoryOf<X>, W> + $crate::Annotation<Primal: $crate::Memory>,
            Y: $crate::ReverseArg<$crate::ops::MemoryOf<Y>, W> + $crate::Annotation<Primal: $crate::Memory>,
            $crate::ops::MemoryOf<X>: $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>
                + ToOwned<Owned: Send + 'static>
                + 'static,
            $crate::ops::MemoryOf<Y>: ToOwned<Owned: Send + 'static> + 'static,
            R: $crate::ReverseReturn<
                    W,
                    Out = <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>>::Out,
                >,
        {
            type Tape = (
                $crate::Saved<$crate::ops::MemoryOf<X>>,
                $crate::Saved<$crate::ops::MemoryOf<Y>>,
            );

            #[inline]
            fn call_cost(&self) -> u32 {
                <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>>::COST
            }

            #[inline]
            fn augmented_primal(
                &self,
                config: &$crate::ReverseConfig,
                (x, y): (&mut X, &mut Y),
            ) -> $crate::AugmentedOutcome<R, Self::Tape, W> {
                let (a, b) = ($crate::ReverseArg::primal(x), $crate::ReverseArg::primal(y));
                let reads =
                    <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, $crate::ops::MemoryOf<Y>>>::READS;
                let saved = (
                    $crate::Saved::new(a, reads && config.overwritten(0)),
                    $crate::Saved::new(b, reads && config.overwritten(1)),
                );
                let value = $crate::ops::Pair::<$op, _>::value(a, b);
                <R::Out as $crate::Outcome>::wrap(R::augmented(config, value, saved))
            }

            #[inline]
            fn augmented_onto(
                &self,
                config: &$crate::ReverseConfig,
                tape: &mut $crate::Tape,
                args: (&mut X, &mut Y),
            ) -> $crate::AugmentedOutcome<R, (), W> {
                let outcome = $crate::ReverseRule::<R, (X, Y), W>::augmented_primal(self, config, args);
                <R::Out as $crate::Outcome>::map_of(outcome, |returned| {
                    // nothing was saved, as in most calls
                    if config.overwritten(0) || config.overwritten(1) {
                        tape.push(returned.tape);
                    }
                    $crate::AugmentedReturn::new(returned.primal, returned.shadow, ())
                })
            }

            #[inline]
            fn reverse_from(
                &self,
                config: &$crate::ReverseConfig,
                dret: R::Cotangent,
                tape: &mut $crate::Tape,
                args: (&mut X, &mut Y),
            ) -> (X::Gradient, Y::Gradient) {
                let own: Self::Tape = match config.overwritten(0) || config.overwritten(1) {
                    true => tape.pop(),
                    false => ($crate::Saved::none(), $crate::Saved::none()),
                };
                $crate::ReverseRule::<R, (X, Y), W>::reverse(self, config, dret, own, args)
            }

            #[inline]
            fn reverse(
                &self,
                config: &$crate::ReverseConfig,
                dret: R::Cotangent,
                (saved_a, saved_b): Self::Tape,
                (x, y): (&mut X, &mut Y),
            ) -> (X::Gradient, Y::Gradient) {
                use $crate::Lanes as _;
                let strong = config.strong_zero();
                let of_x = x.accumulate(|lane, a, mut da| {
                    if let Some(dout) = dret.lane(lane).filter(|d| !$crate::ops::skips(strong, *d)) {
                        let (a, b) = (saved_a.get(a), saved_b.get($crate::ReverseArg::primal(y)));
                        da.accumulate_with(|da| {
                            <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, _>>::pull_left(a, b, dout, da)
                        });
                    }
                });
                let of_y = y.accumulate(|lane, b, mut db| {
                    if let Some(dout) = dret.lane(lane).filter(|d| !$crate::ops::skips(strong, *d)) {
                        let (a, b) = (saved_a.get($crate::ReverseArg::primal(x)), saved_b.get(b));
                        db.accumulate_with(|db| {
                            <$crate::ops::MemoryOf<X> as $crate::ops::Pair<$op, _>>::pull_right(a, b, dout, db)
                        });
                    }
                });
                (of_x, of_y)
            }
        }
    )*};
}

/// `a.dot(&b)`. **Panics** if the inner dimensions differ.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct dot {}

crate::pair_rules!(
    dot,
    crate::ops::add,
    crate::ops::sub,
    crate::ops::mul,
    crate::ops::div,
    crate::ops::rem,
);

/// The operators of owned types, `a * b` by value, from [`Pair`](crate::ops::Pair): `operators! { [generics] A mul B; }`.
///
/// With them goes the promise [`LikeNumbers`](crate::ops::LikeNumbers): what is not read is not kept, and the functions of
/// `Pair` get a zero in its place: an empty one, for a type whose blank has no shape.
///
/// `operators! { [generics] number mul B; }` is for a number on the left, of the types `f32` and `f64`.
#[macro_export]
macro_rules! operators {
    ($([$($g:tt)*] ($a:ty) $op:ident ($b:ty);)*) => {$(
        impl<$($g)*> $crate::ops::Operand<$crate::ops::$op, ($b,)> for $a
        where
            $a: $crate::ops::Pair<$crate::ops::$op, $b> + $crate::Tangent<Owned = $a> + Clone + PartialEq,
            $b: $crate::Tangent<Owned = $b> + Clone + PartialEq,
            $a: $crate::__private::Blank,
            $b: $crate::__private::Blank,
        {
            type Output = <$a as $crate::ops::Pair<$crate::ops::$op, $b>>::Out;
            type Partials = ($a, $b);

            #[inline]
            fn partials(self, (b,): ($b,), _: Self::Output) -> ($a, $b) {
                (self, b)
            }
            #[inline]
            fn pushforward((a, b): &($a, $b), da: $a, (db,): ($b,)) -> Self::Output {
                // nothing flows from a zero, even beside an infinite partial
                let da = Some(&da).filter(|da| **da != <$a as $crate::__private::Blank>::blank());
                let db = Some(&db).filter(|db| **db != <$b as $crate::__private::Blank>::blank());
                $crate::ops::Pair::<$crate::ops::$op, $b>::tangent(a, b, da, db)
            }
            #[inline]
            fn pullback((a, b): &($a, $b), dout: &Self::Output) -> ($a, ($b,)) {
                let (mut da, mut db) = ($crate::make_zero(a), $crate::make_zero(b));
                <$a as $crate::ops::Pair<$crate::ops::$op, $b>>::pull_left(a, b, dout, &mut da);
                <$a as $crate::ops::Pair<$crate::ops::$op, $b>>::pull_right(a, b, dout, &mut db);
                (da, (db,))
            }
        }

        impl<$($g)*> $crate::ops::LikeNumbers<$crate::ops::$op, ($b,)> for $a
        where
            $a: $crate::ops::Operand<$crate::ops::$op, ($b,)>,
        {
        }

        $crate::operator_forms! { [$($g)*] ($a) $op ($b); }
    )*};
    (number: $([$($g:tt)*] ($t:ty) $op:ident ($b:ty);)*) => {$(
        impl<$($g)*> $crate::ops::RightOperand<$crate::ops::$op, $t> for $b
        where
            $t: $crate::ops::Pair<$crate::ops::$op, $b>,
            $b: $crate::Tangent<Owned = $b> + Clone,
        {
            type Output = <$t as $crate::ops::Pair<$crate::ops::$op, $b>>::Out;
            type Partials = ($t, $b);

            #[inline]
            fn partials(self, left: $t) -> ($t, $b) {
                (left, self)
            }
            #[inline]
            fn pushforward((a, b): &($t, $b), da: $t, db: $b) -> Self::Output {
                $crate::ops::Pair::<$crate::ops::$op, $b>::tangent(a, b, Some(&da), Some(&db))
            }
            #[inline]
            fn pullback((a, b): &($t, $b), dout: &Self::Output) -> ($t, $b) {
                let (mut da, mut db) = ($crate::make_zero(a), $crate::make_zero(b));
                <$t as $crate::ops::Pair<$crate::ops::$op, $b>>::pull_left(a, b, dout, &mut da);
                <$t as $crate::ops::Pair<$crate::ops::$op, $b>>::pull_right(a, b, dout, &mut db);
                (da, db)
            }
        }

        impl<$($g)*> $crate::ops::RightLikeNumbers<$crate::ops::$op, $t> for $b where
            $b: $crate::ops::RightOperand<$crate::ops::$op, $t>
        {
        }
        $crate::number_by_reference! { [$($g)*] ($t) $op ($b); }
    )*};
}
