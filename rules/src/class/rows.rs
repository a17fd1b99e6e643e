//! Rows: from the line that declares a rule to the protocol's impls. Nothing is decided here.

/// Gives a marker the rules of a [`Unary`](crate::class::Unary).
///
/// `unary_rule!(f[generics](x: X; attr: A, …) = U)`, where `X` and `A` are the types behind the references of the function
/// `f(x: &X, attr: A, …)`. The attributes have no derivative, and are of types without one,
/// [`Attribute`](crate::class::Attribute)s: integers, flags, index lists, `Inactive<f64>`.
/// Bounds that the generics cannot hold follow as `, where …`. Expands to
///
/// ```text
/// impl<R, x, attr, const W: usize, generics> ForwardRule<R, (x, attr), W> for f
/// where R: ForwardReturn<W, Out = <U as Unary<X>>::Out>, x: ForwardArg<X, W>, attr: ForwardArg<A, W> { … }
/// impl<R, x, attr, const W: usize, generics> ReverseRule<R, (x, attr), W> for f { … }
/// ```
#[macro_export]
macro_rules! unary_rule {
    ($name:ident [$($g:tt)*] ($x:ident: $X:ty $(; $($a:ident: $A:ty),+)?) = $U:ty $(, where $($bounds:tt)+)?) => {
        #[allow(non_camel_case_types)]
        impl<RuleReturn, $x, $($($a,)+)? const WIDTH: usize, $($g)*>
            ::coenzyme::ForwardRule<RuleReturn, ($x, $($($a,)+)?), WIDTH> for $name
        where
            RuleReturn: ::coenzyme::ForwardReturn<WIDTH, Out = <$U as $crate::class::Unary<$X>>::Out>,
            $x: ::coenzyme::ForwardArg<$X, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $X>>,
            $($($a: ::coenzyme::ForwardArg<$A, WIDTH>, $A: $crate::class::Attribute,)+)?
            $($($bounds)+)?
        {
            #[inline]
            fn forward(
                &self,
                config: &::coenzyme::ForwardConfig,
                ($x, $($($a,)+)?): (&mut $x, $($(&mut $a,)+)?),
            ) -> ::coenzyme::ForwardOutcome<RuleReturn, WIDTH> {
                $crate::class::__unary::forward::<$U, $X, $x, RuleReturn, WIDTH>(
                    config,
                    $x,
                    ($($(::coenzyme::ForwardArg::<$A, WIDTH>::primal($a),)+)?),
                )
            }
        }

        #[allow(non_camel_case_types)]
        impl<RuleReturn, $x, $($($a,)+)? const WIDTH: usize, $($g)*>
            ::coenzyme::ReverseRule<RuleReturn, ($x, $($($a,)+)?), WIDTH> for $name
        where
            RuleReturn: ::coenzyme::ReverseReturn<WIDTH, Out = <$U as $crate::class::Unary<$X>>::Out>,
            $x: ::coenzyme::ReverseArg<$X, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $X>>,
            $($($a: ::coenzyme::ReverseArg<$A, WIDTH>, $A: $crate::class::Attribute,)+)?
            // A tape outlives its call.
            $X: 'static,
            <$U as $crate::class::Unary<$X>>::Out: 'static,
            <$U as $crate::class::Unary<$X>>::Residual: 'static,
            $($($bounds)+)?
        {
            type Tape = $crate::class::UnaryTape<
                $X,
                <$U as $crate::class::Unary<$X>>::Out,
                <$U as $crate::class::Unary<$X>>::Residual,
            >;

            #[inline]
            fn augmented_primal(
                &self,
                config: &::coenzyme::ReverseConfig,
                ($x, $($($a,)+)?): (&mut $x, $($(&mut $a,)+)?),
            ) -> ::coenzyme::AugmentedOutcome<RuleReturn, Self::Tape, WIDTH> {
                $crate::class::__unary::augmented::<$U, $X, $x, RuleReturn, WIDTH>(
                    config,
                    $x,
                    ($($(::coenzyme::ReverseArg::<$A, WIDTH>::primal($a),)+)?),
                )
            }

            #[inline]
            fn reverse(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <RuleReturn as ::coenzyme::ReverseReturn<WIDTH>>::Cotangent,
                tape: Self::Tape,
                ($x, $($($a,)+)?): (&mut $x, $($(&mut $a,)+)?),
            ) -> <($x, $($($a,)+)?) as ::coenzyme::Args<WIDTH>>::Gradients {
                (
                    $crate::class::__unary::reverse::<$U, $X, $x, RuleReturn, WIDTH>(
                        config,
                        &dret,
                        &tape,
                        $x,
                        ($($(::coenzyme::ReverseArg::<$A, WIDTH>::primal($a),)+)?),
                    ),
                    $($(::coenzyme::ReverseArg::<$A, WIDTH>::no_gradient($a),)+)?
                )
            }
        }
    };
}

/// Gives a marker the rules of a [`Binary`](crate::class::Binary).
///
/// `binary_rule!(f[generics](x: X, y: Y; attr: A, …) = B)`, as [`unary_rule!`](crate::unary_rule) with two operands.
#[macro_export]
macro_rules! binary_rule {
    ($name:ident [$($g:tt)*] ($x:ident: $X:ty, $y:ident: $Y:ty $(; $($a:ident: $A:ty),+)?) = $B:ty $(, where $($bounds:tt)+)?) => {
        #[allow(non_camel_case_types)]
        impl<RuleReturn, $x, $y, $($($a,)+)? const WIDTH: usize, $($g)*>
            ::coenzyme::ForwardRule<RuleReturn, ($x, $y, $($($a,)+)?), WIDTH> for $name
        where
            RuleReturn: ::coenzyme::ForwardReturn<WIDTH, Out = <$B as $crate::class::Binary<$X, $Y>>::Out>,
            $x: ::coenzyme::ForwardArg<$X, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $X>>,
            $y: ::coenzyme::ForwardArg<$Y, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $Y>>,
            $($($a: ::coenzyme::ForwardArg<$A, WIDTH>, $A: $crate::class::Attribute,)+)?
            $($($bounds)+)?
        {
            #[inline]
            fn forward(
                &self,
                config: &::coenzyme::ForwardConfig,
                ($x, $y, $($($a,)+)?): (&mut $x, &mut $y, $($(&mut $a,)+)?),
            ) -> ::coenzyme::ForwardOutcome<RuleReturn, WIDTH> {
                $crate::class::__binary::forward::<$B, $X, $Y, $x, $y, RuleReturn, WIDTH>(
                    config,
                    $x,
                    $y,
                    ($($(::coenzyme::ForwardArg::<$A, WIDTH>::primal($a),)+)?),
                )
            }
        }

        #[allow(non_camel_case_types)]
        impl<RuleReturn, $x, $y, $($($a,)+)? const WIDTH: usize, $($g)*>
            ::coenzyme::ReverseRule<RuleReturn, ($x, $y, $($($a,)+)?), WIDTH> for $name
        where
            RuleReturn: ::coenzyme::ReverseReturn<WIDTH, Out = <$B as $crate::class::Binary<$X, $Y>>::Out>,
            $x: ::coenzyme::ReverseArg<$X, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $X>>,
            $y: ::coenzyme::ReverseArg<$Y, WIDTH>
                + ::coenzyme::Annotation<Primal: ::coenzyme::Memory<Target = $Y>>,
            $($($a: ::coenzyme::ReverseArg<$A, WIDTH>, $A: $crate::class::Attribute,)+)?
            // A tape outlives its call.
            $X: 'static,
            $Y: 'static,
            <$B as $crate::class::Binary<$X, $Y>>::Out: 'static,
            <$B as $crate::class::Binary<$X, $Y>>::Residual: 'static,
            $($($bounds)+)?
        {
            type Tape = $crate::class::BinaryTape<
                $X,
                $Y,
                <$B as $crate::class::Binary<$X, $Y>>::Out,
                <$B as $crate::class::Binary<$X, $Y>>::Residual,
            >;

            #[inline]
            fn augmented_primal(
                &self,
                config: &::coenzyme::ReverseConfig,
                ($x, $y, $($($a,)+)?): (&mut $x, &mut $y, $($(&mut $a,)+)?),
            ) -> ::coenzyme::AugmentedOutcome<RuleReturn, Self::Tape, WIDTH> {
                $crate::class::__binary::augmented::<$B, $X, $Y, $x, $y, RuleReturn, WIDTH>(
                    config,
                    $x,
                    $y,
                    ($($(::coenzyme::ReverseArg::<$A, WIDTH>::primal($a),)+)?),
                )
            }

            #[inline]
            fn reverse(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <RuleReturn as ::coenzyme::ReverseReturn<WIDTH>>::Cotangent,
                tape: Self::Tape,
                ($x, $y, $($($a,)+)?): (&mut $x, &mut $y, $($(&mut $a,)+)?),
            ) -> <($x, $y, $($($a,)+)?) as ::coenzyme::Args<WIDTH>>::Gradients {
                let attrs = ($($(::coenzyme::ReverseArg::<$A, WIDTH>::primal($a),)+)?);
                let gradients = $crate::class::__binary::reverse::<$B, $X, $Y, $x, $y, RuleReturn, WIDTH>(
                    config, &dret, &tape, $x, $y, attrs,
                );
                (
                    gradients.0,
                    gradients.1,
                    $($(::coenzyme::ReverseArg::<$A, WIDTH>::no_gradient($a),)+)?
                )
            }
        }
    };
}

/// Functions of one number, one row each: the function on numbers here, and on arrays in the module named first.
///
/// ```
/// use coenzyme_rules::class::Scalar;
/// use coenzyme_rules::elementwise1;
///
/// elementwise1! {
///     pub mod on_arrays;
///     /// `x³`.
///     cube: Scalar (x, _y) reads X { value: x * x * x, partial: T::lit(3.0) * x * x }
/// }
///
/// fn main() {
///     assert_eq!(cube(2.0), 8.0);
///     assert_eq!(on_arrays::cube(&ndarray::array![1.0, 2.0]), ndarray::array![1.0, 8.0]);
/// }
/// ```
///
/// The word after the name is the trait the number `T` must have, the word after `reads` a constant of
/// [`Reads`](crate::class::Reads); `costs 4.0` after it estimates the operations of the value, 1 if there is none. Expands to both functions, their markers, an
/// [`Elementwise1`](crate::class::Elementwise1) and a [`unary_rule!`](crate::unary_rule) for each marker.
#[macro_export]
macro_rules! elementwise1 {
    (
        $(#[$mod_doc:meta])* $vis:vis mod $arrays:ident;
        $($(#[$doc:meta])* $name:ident: $bound:ident ($x:ident, $y:ident) reads $reads:ident $(costs $flops:literal)? {
            value: $value:expr, partial: $partial:expr $(,)?
        })+
    ) => {
        $(
            $(#[$doc])*
            #[::coenzyme::primitive]
            #[inline]
            pub fn $name<T: $bound>(x: T) -> T {
                <$name as $crate::class::Elementwise1<T>>::value(x)
            }

            impl<T: $bound> $crate::class::Elementwise1<T> for $name {
                const READS: $crate::class::Reads = $crate::class::Reads::$reads;
                $(const FLOPS: f64 = $flops;)?

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn value($x: T) -> T {
                    $value
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[allow(unused_variables)]
                fn partial($x: T, $y: T) -> T {
                    $partial
                }
            }

            $crate::unary_rule!($name[T: $bound](x: T) = $crate::class::Each<$name>);
        )+

        $(#[$mod_doc])*
        #[allow(missing_docs)]
        $vis mod $arrays {
            #[allow(unused_imports)]
            use super::*;
            use ::ndarray::{Array, ArrayRef, Dimension};

            $(
                $(#[$doc])*
                ///
                /// Of each entry.
                #[::coenzyme::primitive]
                pub fn $name<T: $bound, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
                    <$crate::class::Each<super::$name> as $crate::class::Unary<ArrayRef<T, D>>>::value(x, ())
                }

                $crate::unary_rule!(
                    $name[T: $bound, D: Dimension](x: ArrayRef<T, D>) = $crate::class::Each<super::$name>
                );

                impl $crate::class::Classified for $name {
                    type Class = $crate::class::Each<super::$name>;
                }
            )+
        }
    };
}

/// Functions of two numbers, one row each: the function on numbers here, and on arrays, broadcast against each other, in the
/// module named first.
///
/// As [`elementwise1!`](crate::elementwise1), with two partials and, after `reads`, what each of them reads.
#[macro_export]
macro_rules! elementwise2 {
    (
        $(#[$mod_doc:meta])* $vis:vis mod $arrays:ident;
        $($(#[$doc:meta])* $name:ident: $bound:ident ($x:ident, $y:ident, $z:ident) reads ($rx:expr, $ry:expr) {
            value: $value:expr, partials: $partials:expr $(,)?
        })+
    ) => {
        $(
            $(#[$doc])*
            #[::coenzyme::primitive]
            #[inline]
            pub fn $name<T: $bound>(x: T, y: T) -> T {
                <$name as $crate::class::Elementwise2<T>>::value(x, y)
            }

            impl<T: $bound> $crate::class::Elementwise2<T> for $name {
                const READS: [$crate::class::Reads; 2] = [$rx, $ry];

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn value($x: T, $y: T) -> T {
                    $value
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[allow(unused_variables)]
                fn partials($x: T, $y: T, $z: T) -> (T, T) {
                    $partials
                }
            }

            $crate::binary_rule!($name[T: $bound](x: T, y: T) = $crate::class::Each<$name>);
        )+

        $(#[$mod_doc])*
        #[allow(missing_docs)]
        $vis mod $arrays {
            #[allow(unused_imports)]
            use super::*;
            use ::ndarray::{Array, ArrayRef, DimMax, Dimension};

            $(
                $(#[$doc])*
                ///
                /// Of each pair of entries, broadcast. **Panics** if the shapes cannot be broadcast.
                #[::coenzyme::primitive]
                #[track_caller]
                pub fn $name<T: $bound, D: Dimension + DimMax<E>, E: Dimension>(
                    x: &ArrayRef<T, D>,
                    y: &ArrayRef<T, E>,
                ) -> Array<T, <D as DimMax<E>>::Output> {
                    <$crate::class::Broadcast<super::$name> as $crate::class::Binary<
                        ArrayRef<T, D>,
                        ArrayRef<T, E>,
                    >>::value(x, y, ())
                }

                $crate::binary_rule!(
                    $name[T: $bound, D: Dimension + DimMax<E>, E: Dimension](
                        x: ArrayRef<T, D>, y: ArrayRef<T, E>
                    ) = $crate::class::Broadcast<super::$name>
                );

                impl $crate::class::Classified for $name {
                    type Class = $crate::class::Broadcast<super::$name>;
                }
            )+
        }
    };
}
