//! Functions of one operand that is memory, and of attributes that have no derivative.

/// The function `Op` of `self`, with an attribute `K` that has no derivative: its value and both directions of its derivative.
///
/// [`single_rules!`](crate::single_rules) makes the rules of `Op` from this, for every activity. A linear map of `ndarray`'s
/// arrays is a [`Linear`](crate::ops::array::Linear).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative for the function `{Op}` with `{K}`",
    label = "no rule for this function",
    note = "write a function marked `#[differentiable]` or `#[primitive]`, and call that"
)]
pub trait Single<Op, K = ()> {
    /// What it returns: a value, or a `Result` or an `Option` of one.
    type Out: crate::Outcome;
    /// What both directions share besides the operand: an inverse, a factorization, a norm.
    type Kept: 'static;

    /// Whether the derivative reads the operand.
    const READS: bool;

    /// The value, and what the derivative wants to keep.
    #[allow(clippy::type_complexity)]
    fn value(
        &self,
        attribute: &K,
    ) -> <Self::Out as crate::Outcome>::Of<(<Self::Out as crate::Outcome>::Value, Self::Kept)>;

    /// The tangent of the value.
    fn tangent(
        &self,
        attribute: &K,
        kept: &Self::Kept,
        da: &Self,
    ) -> <Self::Out as crate::Outcome>::Value;

    /// `ā += …`, for the cotangent `dout` of the value.
    fn pull(
        a: &Self,
        attribute: &K,
        kept: &Self::Kept,
        dout: &<Self::Out as crate::Outcome>::Value,
        da: &mut Self,
    );
}

/// Gives markers the rules of a function of one operand, by [`Single`](crate::ops::Single), and of as many attributes as are
/// named, with a name for the type of each: `single_rules! { norm: (); row: (i I); view: (start S, shape N); }`. Of two or more
/// attributes `K` is the tuple. Generics stand behind the marker: `fixed_rows<N> [const N: usize]: (start S);`.
///
/// Each marker is a type of the crate that calls this: that of a function with `#[primitive]`, or an empty struct with the name of
/// a method.
///
/// ```
/// use coenzyme::ops::Single;
/// use coenzyme::prelude::*;
///
/// #[derive(Clone, Tangent)]
/// struct Weights(Vec<f64>);
///
/// #[primitive]
/// fn log_sum_exp(weights: &Weights) -> f64 {
///     weights.0.iter().map(|x| x.exp()).sum::<f64>().ln()
/// }
///
/// impl Single<log_sum_exp> for Weights {
///     type Out = f64;
///     /// The normalized exponentials.
///     type Kept = Vec<f64>;
///
///     const READS: bool = false;
///
///     fn value(&self, (): &()) -> (f64, Vec<f64>) {
///         let exps: Vec<f64> = self.0.iter().map(|x| x.exp()).collect();
///         let sum: f64 = exps.iter().sum();
///         (sum.ln(), exps.iter().map(|x| x / sum).collect())
///     }
///     fn tangent(&self, (): &(), kept: &Vec<f64>, da: &Weights) -> f64 {
///         kept.iter().zip(&da.0).map(|(p, d)| p * d).sum()
///     }
///     fn pull(_: &Weights, (): &(), kept: &Vec<f64>, dout: &f64, da: &mut Weights) {
///         da.0.iter_mut().zip(kept).for_each(|(da, p)| *da += p * dout);
///     }
/// }
///
/// coenzyme::single_rules! { log_sum_exp: (); }
///
/// #[differentiable]
/// fn f(weights: &Weights) -> f64 {
///     3.0 * log_sum_exp(weights)
/// }
///
/// assert_eq!(gradient!(f, &Weights(vec![1.0, 1.0])).0.0, [1.5, 1.5]);
/// ```
#[macro_export]
macro_rules! single_rules {
    ($($op:ty $([$($g:tt)*])?: ($($k:ident $K:ident),*);)*) => {$(
        #[allow(unused_parens)]
        impl<$($($g)*,)? R, X, $($K,)* const W: usize> $crate::ForwardRule<R, (X, $($crate::Const<$K>,)*), W> for $op
        where
            $($K: Clone,)*
            X: $crate::ForwardArg<$crate::ops::MemoryOf<X>, W> + $crate::Annotation<Primal: $crate::Memory>,
            $crate::ops::MemoryOf<X>: $crate::ops::Single<$op, ($($K),*)>,
            R: $crate::ForwardReturn<W, Out = <$crate::ops::MemoryOf<X> as $crate::ops::Single<$op, ($($K),*)>>::Out>,
        {
            #[inline]
            fn forward(
                &self,
                config: &$crate::ForwardConfig,
                (x, $($k,)*): (&mut X, $(&mut $crate::Const<$K>,)*),
            ) -> $crate::ForwardOutcome<R, W> {
                let attribute = ($($k.0.clone()),*);
                let a = $crate::ForwardArg::primal(x);
                let value = $crate::ops::Single::<$op, ($($K),*)>::value(a, &attribute);
                <R::Out as $crate::Outcome>::map_of(value, |(value, kept)| {
                    let mut tangents = ::core::array::from_fn::<_, W, _>(|lane| R::ACTIVE.then(|| match x.tangent(lane).filter(|da| !$crate::ops::skips(config.strong_zero(), *da)) {
                        Some(da) => $crate::ops::Single::<$op, ($($K),*)>::tangent(a, &attribute, &kept, da),
                        None => $crate::make_zero(&value),
                    }));
                    R::forward(config, || value, |lane| {
                        tangents[lane].take().expect("a tangent is asked for once in each lane")
                    })
                })
            }
        }

        #[allow(unused_parens)]
        impl<$($($g)*,)? R, X, $($K,)* const W: usize> $crate::ReverseRule<R, (X, $($crate::Const<$K>,)*), W> for $op
        where
            $($K: Clone,)*
            X: $crate::ReverseArg<$crate::ops::MemoryOf<X>, W> + $crate::Annotation<Primal: $crate::Memory>,
            $crate::ops::MemoryOf<X>: $crate::ops::Single<$op, ($($K),*), Kept: Send> + ToOwned<Owned: Send + 'static> + 'static,
            R: $crate::ReverseReturn<W, Out = <$crate::ops::MemoryOf<X> as $crate::ops::Single<$op, ($($K),*)>>::Out>,
        {
            type Tape = (
                <$crate::ops::MemoryOf<X> as $crate::ops::Single<$op, ($($K),*)>>::Kept,
                $crate::Saved<$crate::ops::MemoryOf<X>>,
            );

            #[inline]
            fn augmented_primal(
                &self,
                config: &$crate::ReverseConfig,
                (x, $($k,)*): (&mut X, $(&mut $crate::Const<$K>,)*),
            ) -> $crate::AugmentedOutcome<R, Self::Tape, W> {
                let attribute = ($($k.0.clone()),*);
                let a = $crate::ReverseArg::primal(x);
                let reads = <$crate::ops::MemoryOf<X> as $crate::ops::Single<$op, ($($K),*)>>::READS;
                let saved = $crate::Saved::new(a, reads && config.overwritten(0));
                let value = $crate::ops::Single::<$op, ($($K),*)>::value(a, &attribute);
                <R::Out as $crate::Outcome>::map_of(value, |(value, kept)| R::augmented(config, value, (kept, saved)))
            }

            #[inline]
            fn reverse(
                &self,
                config: &$crate::ReverseConfig,
                dret: R::Cotangent,
                (kept, saved): Self::Tape,
                (x, $($k,)*): (&mut X, $(&mut $crate::Const<$K>,)*),
            ) -> <(X, $($crate::Const<$K>,)*) as $crate::Args<W>>::Gradients {
                use $crate::Lanes as _;
                let attribute = ($($k.0.clone()),*);
                let gradient = x.accumulate(|lane, a, mut da| {
                    if let Some(dout) = dret.lane(lane).filter(|d| !$crate::ops::skips(config.strong_zero(), *d)) {
                        da.accumulate_with(|da| {
                            <$crate::ops::MemoryOf<X> as $crate::ops::Single<$op, ($($K),*)>>::pull(
                                saved.get(a), &attribute, &kept, dout, da,
                            )
                        });
                    }
                });
                (gradient, $($crate::single_rules!(@unit $k),)*)
            }
        }
    )*};
    (@unit $k:ident) => {
        ()
    };
}
