//! What the features for other crates share: types that are made of numbers, functions that are linear in them, and functions
//! whose derivative is that of a formula.

use crate::dual::Dual;
use crate::real::Real;

/// Types that stand for functions.
macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}
    )*};
}

/// What has a norm: its components, in the order of [`Tangent::to_flat`](crate::Tangent::to_flat).
pub trait Components<T> {
    /// The components.
    fn components(&self) -> &[T];
    /// Adds to a component.
    fn add_at(&mut self, i: usize, x: T);
}

macro_rules! components {
    ($([$($g:tt)*] $t:ty: |$x:ident| $slice:expr, $slice_mut:expr;)*) => {$(
        impl<$($g)*> Components<T> for $t {
            #[inline]
            fn components(&self) -> &[T] {
                let $x = self;
                $slice
            }
            #[inline]
            fn add_at(&mut self, i: usize, x: T) {
                let $x = self;
                $slice_mut[i] += x;
            }
        }
    )*};
}

components! {
    [T: Real] T: |x| std::slice::from_ref(x), std::slice::from_mut(x);
}

/// `Σ aᵢ·bᵢ`
pub(crate) fn inner<T: Real, A: Components<T>>(a: &A, b: &A) -> T {
    let products = a.components().iter().zip(b.components());
    products.fold(T::zero(), |sum, (a, b)| sum + *a * *b)
}

/// `to += from`, component by component.
pub(crate) fn add<T: Real, A: Components<T>>(to: &mut A, from: &A) {
    let parts = from.components().iter().enumerate();
    parts.for_each(|(i, x)| to.add_at(i, *x));
}

/// The sum of what both operands contribute, of a type that is summed by its components.
pub(crate) fn sum<A: Components<T>, T: Real>(zero: A, parts: [Option<A>; 2]) -> A {
    parts.into_iter().flatten().fold(zero, |mut sum, part| {
        add(&mut sum, &part);
        sum
    })
}

/// A function that is linear in both operands, by the functions of its parts.
macro_rules! pairs {
    ($([$($g:tt)*] $op:ty: ($a:ty, $b:ty) -> $out:ty {
        |$x:ident, $y:ident| $value:expr; |$px:ident, $py:ident, $da:ident, $db:ident| $tangent:expr;
        left: |$lx:ident, $ly:ident, $ld:ident| $left:expr; right: |$rx:ident, $ry:ident, $rd:ident| $right:expr;
    })*) => {$(
        impl<$($g)*> Pair<$op, $b> for $a {
            type Out = $out;

            const READS: bool = true;

            #[inline]
            fn value(&self, other: &$b) -> $out {
                let ($x, $y) = (self, other);
                $value
            }
            #[inline]
            #[allow(unused_variables)]
            fn tangent(&self, other: &$b, $da: Option<&$a>, $db: Option<&$b>) -> $out {
                let ($px, $py) = (self, other);
                $tangent
            }
            #[inline]
            #[allow(unused_variables)]
            fn pull_left($lx: &$a, $ly: &$b, $ld: &$out, da: &mut $a) {
                add(da, &$left);
            }
            #[inline]
            #[allow(unused_variables)]
            fn pull_right($rx: &$a, $ry: &$b, $rd: &$out, db: &mut $b) {
                add(db, &$right);
            }
        }
    )*};
}

/// Linear functions of the components.
macro_rules! linear {
    ($([$($g:tt)*] $op:ty: $m:ty => $out:ty { |$a:ident| $value:expr; |$x:ident| $along:expr; |$d:ident| $back:expr; })*) => {$(
        impl<$($g)*> Single<$op> for $m {
            type Out = $out;
            type Kept = ();

            const READS: bool = false;

            fn value(&self, (): &()) -> ($out, ()) {
                let $a = self;
                ($value, ())
            }
            fn tangent(&self, (): &(), (): &(), $x: &Self) -> $out {
                $along
            }
            fn pull(_: &Self, (): &(), (): &(), $d: &$out, da: &mut Self) {
                add(da, &$back);
            }
        }
    )*};
}

/// A function from `N` numbers to the components of `Out`.
pub(crate) trait Formula<const N: usize, const M: usize> {
    /// The components of the result, in the order of the type's memory.
    fn formula<T: Real>(x: [T; N]) -> [T; M];
}

/// The derivative along `dx`.
pub(crate) fn push<F: Formula<N, M>, T: Real, const N: usize, const M: usize>(
    x: [T; N],
    dx: [T; N],
) -> [T; M] {
    let x = std::array::from_fn(|i| Dual::new(x[i], dx[i]));
    F::formula(x).map(|y| y.tangent)
}

/// The derivative of `⟨dout, f(x)⟩` in the direction of number `i`.
pub(crate) fn pull<F: Formula<N, M>, T: Real, const N: usize, const M: usize>(
    x: [T; N],
    i: usize,
    dout: &[T],
) -> T {
    let mut direction = [T::zero(); N];
    direction[i] = T::one();
    let partials = push::<F, T, N, M>(x, direction);
    let products = partials.iter().zip(dout);
    products.fold(T::zero(), |sum, (a, b)| sum + *a * *b)
}

/// Puts the components of an argument behind those before it.
pub(crate) fn append<T: Real, A: Components<T>>(all: &mut [T], at: &mut usize, argument: &A) {
    let components = argument.components();
    all[*at..][..components.len()].copy_from_slice(components);
    *at += components.len();
}

/// Rules by a [`Formula`]: `formulas! { marker(x: Type, …) -> Out [N, M] { value; |[x, …]| formula } }`.
macro_rules! formulas {
    ($g:tt $t:ident; $($(#[$doc:meta])* $name:ident $arguments:tt -> $out:ty [$n:literal, $m:literal] $body:tt)*) => {
        $(crate::foreign::formulas! { @one $g $t; $(#[$doc])* $name $arguments -> ($out) [$n, $m] $body })*
    };
    (@one [$($g:tt)*] $t:ident; $(#[$doc:meta])* $name:ident($($x:ident $X:ident: $in:ty),+) -> ($out:ty) [$n:literal, $m:literal] {
        $value:expr; |$numbers:pat_param| $formula:expr
    }) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl Formula<$n, $m> for $name {
            fn formula<T: Real>($numbers: [T; $n]) -> [T; $m] {
                $formula
            }
        }

        impl<$($g)* R, $($X,)+ const W: usize> crate::ForwardRule<R, ($($X,)+), W> for $name
        where
            $($X: crate::ForwardArg<$in, W>,)+
            R: crate::ForwardReturn<W, Out = $out>,
        {
            fn forward(
                &self,
                config: &crate::ForwardConfig,
                ($($x,)+): ($(&mut $X,)+),
            ) -> crate::ForwardOutcome<R, W> {
                let (mut at, mut place) = ([<$t as num_traits::Zero>::zero(); $n], 0);
                $(append(&mut at, &mut place, crate::ForwardArg::primal($x));)+
                let tangent = |lane| {
                    let (mut along, mut place) = ([<$t as num_traits::Zero>::zero(); $n], 0);
                    $(match $x.tangent(lane) {
                        Some(dx) => append(&mut along, &mut place, dx),
                        None => place += Components::<$t>::components(crate::ForwardArg::primal($x)).len(),
                    })+
                    let _ = place;
                    let mut out = <$out as crate::__private::Blank>::blank();
                    if crate::ops::skips(config.strong_zero(), &along) {
                        return out;
                    }
                    let numbers = push::<$name, $t, $n, $m>(at, along).into_iter().enumerate();
                    numbers.for_each(|(i, x)| out.add_at(i, x));
                    out
                };
                let value = || {
                    $(let $x = crate::ForwardArg::primal($x).clone();)+
                    $value
                };
                R::forward(config, value, tangent)
            }
        }

        impl<$($g)* R, $($X,)+ const W: usize> crate::ReverseRule<R, ($($X,)+), W> for $name
        where
            $($X: crate::ReverseArg<$in, W>,)+
            R: crate::ReverseReturn<W, Out = $out>,
        {
            type Tape = [$t; $n];

            fn augmented_primal(
                &self,
                config: &crate::ReverseConfig,
                ($($x,)+): ($(&mut $X,)+),
            ) -> crate::AugmentedOutcome<R, Self::Tape, W> {
                let (mut at, mut place) = ([<$t as num_traits::Zero>::zero(); $n], 0);
                $(
                    append(&mut at, &mut place, crate::ReverseArg::primal($x));
                    let $x = crate::ReverseArg::primal($x).clone();
                )+
                let _ = place;
                R::augmented(config, $value, at)
            }

            fn reverse(
                &self,
                config: &crate::ReverseConfig,
                dret: R::Cotangent,
                at: Self::Tape,
                ($($x,)+): ($(&mut $X,)+),
            ) -> <($($X,)+) as crate::Args<W>>::Gradients {
                use crate::Lanes as _;
                let mut place = 0;
                $(let $x = {
                    let start = place;
                    place += Components::<$t>::components(crate::ReverseArg::primal($x)).len();
                    $x.accumulate(|lane, _, mut dx| {
                        if let Some(dout) = dret.lane(lane).filter(|d| !crate::ops::skips(config.strong_zero(), *d)) {
                            dx.accumulate_with(|dx| {
                                for i in 0..Components::<$t>::components(dx).len() {
                                    dx.add_at(i, pull::<$name, $t, $n, $m>(at, start + i, dout.components()));
                                }
                            });
                        }
                    })
                };)+
                let _ = place;
                ($($x,)+)
            }
        }
    };
}

/// Functions of numbers that are the entries of the result: where each of them stands in memory.
macro_rules! entries {
    ($g:tt $t:ident; $($(#[$doc:meta])* $name:ident $arguments:tt -> $out:ty: $make:expr;)*) => {
        $(crate::foreign::entries! { @one $g $t; $(#[$doc])* $name $arguments -> ($out) $make })*
    };
    (@one [$($g:tt)*] $t:ident; $(#[$doc:meta])* $name:ident($($x:ident $X:ident $at:literal),+) -> ($out:ty) $make:expr) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl<$($g)* R, $($X,)+ const W: usize> crate::ForwardRule<R, ($($X,)+), W> for $name
        where
            $($X: crate::ForwardArg<$t, W>,)+
            R: crate::ForwardReturn<W, Out = $out>,
        {
            #[inline]
            fn forward(
                &self,
                config: &crate::ForwardConfig,
                ($($x,)+): ($(&mut $X,)+),
            ) -> crate::ForwardOutcome<R, W> {
                R::forward(
                    config,
                    || $make($(*crate::ForwardArg::primal($x)),+),
                    |lane| $make($($x.tangent(lane).map_or_else(<$t as num_traits::Zero>::zero, |dx| *dx)),+),
                )
            }
        }

        impl<$($g)* R, $($X,)+ const W: usize> crate::ReverseRule<R, ($($X,)+), W> for $name
        where
            $($X: crate::ReverseArg<$t, W>,)+
            R: crate::ReverseReturn<W, Out = $out>,
        {
            type Tape = ();

            #[inline]
            fn augmented_primal(
                &self,
                config: &crate::ReverseConfig,
                ($($x,)+): ($(&mut $X,)+),
            ) -> crate::AugmentedOutcome<R, (), W> {
                R::augmented(config, $make($(*crate::ReverseArg::primal($x)),+), ())
            }
            #[inline]
            fn reverse(
                &self,
                _: &crate::ReverseConfig,
                dret: R::Cotangent,
                (): (),
                ($($x,)+): ($(&mut $X,)+),
            ) -> <($($X,)+) as crate::Args<W>>::Gradients {
                use crate::Lanes as _;
                ($($x.accumulate(|lane, _, mut dx| {
                    if let Some(d) = dret.lane(lane) {
                        dx.add(&crate::foreign::Components::<$t>::components(d)[$at]);
                    }
                }),)+)
            }
        }
    };
}

pub(crate) use {components, entries, formulas, linear, markers, pairs};
