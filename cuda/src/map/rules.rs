//! The maps of one to eight arguments, and their rules.

use coenzyme::{
    Annotation, AugmentedOutcome, AugmentedReturn, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, ForwardRule, Inactive, Lane, Lanes, Memory, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, primitive,
};

use super::argument::{Mapped, Target, Widest};
use super::plan::{MapTape, Plan};
use crate::array::DeviceArray;
use crate::element::Float;
use crate::error::Result;
use crate::function::ScalarFunction;
use crate::launch::Address;

/// What a map over these arguments returns.
macro_rules! output {
    ($A:ident $($B:ident)*) => {
        DeviceArray<$A::Number, <($A::Dim, $($B::Dim,)*) as Widest>::Dim>
    };
}

/// Where the cotangents of one argument go: nowhere if it is inactive.
fn targets<M: Mapped, const W: usize>(lanes: [Lane<'_, M>; W]) -> Vec<Target<'_, M::Number>> {
    let target = |lane| match lane {
        Lane::Active(shadow) => Some(M::target(shadow)),
        _ => None,
    };
    lanes.into_iter().filter_map(target).collect()
}

/// One map and its rules.
macro_rules! maps {
    ($($(#[$doc:meta])* $name:ident, $K:literal: $($x:ident $X:ident $M:ident $g:ident),+;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the shapes do not fit, no argument is an array, two are on different devices, the kernel does not compile, or the device has no
        /// memory left or is lost.
        #[primitive]
        #[allow(clippy::too_many_arguments)] // one for each array
        pub fn $name<$($X, $M,)+ N, F>($($x: $X,)+ f: Inactive<F>) -> Result<output!($($M)+)>
        where
            $($X: Memory<Target = $M>, $M: Mapped<Number = N>,)+
            ($($M::Dim,)+): Widest,
            N: Float,
            F: ScalarFunction<$K>,
        {
            let Inactive(_) = f;
            Plan::new::<F, N>(vec![$($x.memory().input()),+])?.value()
        }

        impl<R, $($X, $M,)+ G, N, F, const W: usize> ForwardRule<R, ($($X,)+ G), W> for $name
        where
            R: ForwardReturn<W, Out = Result<output!($($M)+)>>,
            $(
                $X: ForwardArg<$M, W> + Annotation<Primal: Memory<Target = $M>>,
                $M: Mapped<Number = N>,
            )+
            ($($M::Dim,)+): Widest,
            G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            N: Float,
            F: ScalarFunction<$K>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                ($($x,)+ _): ($(&mut $X,)+ &mut G),
            ) -> ForwardOutcome<R, W> {
                let plan = Plan::new::<F, N>(vec![$($x.primal().input()),+])?;
                if !R::ACTIVE {
                    let value = config.needs_primal().then(|| plan.value()).transpose()?;
                    return Ok(R::forward(
                        config,
                        || value.expect("computed if it is needed"),
                        |_| unreachable!("no tangent of a Const return"),
                    ));
                }
                let value: output!($($M)+) = plan.unset()?;
                let tangents = (0..W).map(|_| plan.unset::<N, _>()).collect::<Result<Vec<_>>>()?;
                let addresses: Vec<_> = tangents.iter().map(DeviceArray::address).collect();
                let inputs = [$(
                    (0..W).map(|lane| $x.tangent(lane).map(Mapped::input)).collect::<Vec<_>>()
                ),+];
                plan.forward(value.address(), &addresses, &inputs)?;
                let mut tangents = tangents.into_iter();
                let next = |_| tangents.next().expect("each lane is asked for once");
                Ok(R::forward(config, || value, next))
            }
        }

        impl<R, $($X, $M,)+ G, N, F, const W: usize> ReverseRule<R, ($($X,)+ G), W> for $name
        where
            R: ReverseReturn<W, Out = Result<output!($($M)+)>>,
            $(
                $X: ReverseArg<$M, W> + Annotation<Primal: Memory<Target = $M>>,
                $M: Mapped<Number = N>,
            )+
            ($($M::Dim,)+): Widest,
            G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            N: Float,
            F: ScalarFunction<$K>,
        {
            type Tape = Option<MapTape<N>>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($x,)+ _): ($(&mut $X,)+ &mut G),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                let plan = Plan::new::<F, N>(vec![$($x.primal().input()),+])?;
                let active = [$($x.is_active()),+];
                let value = config.needs_primal().then(|| plan.value()).transpose()?;
                let shadows = if R::NEEDS_SHADOW { W } else { 0 };
                let shadows = (0..shadows).map(|_| plan.zeros()).collect::<Result<Vec<_>>>()?;
                let mut shadows = shadows.into_iter();
                let shadow = R::shadow(|_| shadows.next().expect("each lane is asked for once"));
                let kept = R::ACTIVE && active.contains(&true);
                let tape = kept.then(|| plan.tape(&active, W)).transpose()?;
                Ok(AugmentedReturn::new(value, shadow, tape))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($x,)+ f): ($(&mut $X,)+ &mut G),
            ) -> ($($X::Gradient,)+ G::Gradient) {
                $(let mut $g = $x.no_gradient();)+
                if let Some(tape) = tape {
                    let address = |lane| dret.lane(lane).map(DeviceArray::address);
                    let seeds: Vec<Option<Address>> = (0..W).map(address).collect();
                    let mut targets = [$(targets::<$M, W>($x.split(&mut $g).1)),+];
                    tape.reverse(&seeds, &mut targets);
                }
                ($($g,)+ f.no_gradient())
            }
        }
    )*};
}

maps! {
    /// `f(aᵢ)` for each entry, in one kernel.
    map1, 1: a A M1 ga;
    /// `f(aᵢ, bᵢ)` for each entry, in one kernel.
    map2, 2: a A M1 ga, b B M2 gb;
    /// `f(aᵢ, bᵢ, cᵢ)` for each entry, in one kernel.
    map3, 3: a A M1 ga, b B M2 gb, c C M3 gc;
    /// `f` of four arguments for each entry, in one kernel.
    map4, 4: a A M1 ga, b B M2 gb, c C M3 gc, d D M4 gd;
    /// `f` of five arguments for each entry, in one kernel.
    map5, 5: a A M1 ga, b B M2 gb, c C M3 gc, d D M4 gd, e E M5 ge;
    /// `f` of six arguments for each entry, in one kernel.
    map6, 6: a A M1 ga, b B M2 gb, c C M3 gc, d D M4 gd, e E M5 ge, g H M6 gg;
    /// `f` of seven arguments for each entry, in one kernel.
    map7, 7: a A M1 ga, b B M2 gb, c C M3 gc, d D M4 gd, e E M5 ge, g H M6 gg, h I M7 gh;
    /// `f` of eight arguments for each entry, in one kernel.
    map8, 8: a A M1 ga, b B M2 gb, c C M3 gc, d D M4 gd, e E M5 ge, g H M6 gg, h I M7 gh, i J M8 gi;
}

/// A device function of each entry of its arguments: `map!(f, &x, k)?` is [`map2()`]`(&x, k, Inactive(f {}))?`.
///
/// Inside a `#[differentiable]` function, which does not see through macros, write the function.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_cuda::{Device, map};
/// use ndarray::array;
///
/// /// The load of a surface at pressure `p` (Langmuir 1918).
/// #[differentiable(device)]
/// fn langmuir(p: f64, k: f64, n: f64) -> f64 {
///     n * k * p / (1.0 + k * p)
/// }
///
/// # let Ok(device) = Device::emulated() else { println!("skipped: no C++ compiler"); return Ok(()) };
/// let p = device.array(&array![0.0, 1.0, 3.0])?;
/// let load = map!(langmuir, &p, 1.0, 2.0)?;
/// assert_eq!(load.to_host()?, array![0.0, 1.0, 1.5]);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
#[macro_export]
macro_rules! map {
    ($f:path, $a:expr $(,)?) => {
        $crate::map1($a, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr $(,)?) => {
        $crate::map2($a, $b, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr $(,)?) => {
        $crate::map3($a, $b, $c, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr, $d:expr $(,)?) => {
        $crate::map4($a, $b, $c, $d, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr $(,)?) => {
        $crate::map5($a, $b, $c, $d, $e, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $g:expr $(,)?) => {
        $crate::map6($a, $b, $c, $d, $e, $g, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $g:expr, $h:expr $(,)?) => {
        $crate::map7($a, $b, $c, $d, $e, $g, $h, $crate::__of!($f))
    };
    ($f:path, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $g:expr, $h:expr, $i:expr $(,)?) => {
        $crate::map8($a, $b, $c, $d, $e, $g, $h, $i, $crate::__of!($f))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __of {
    ($f:path) => {
        $crate::__private::coenzyme::Inactive(<$f as ::core::default::Default>::default())
    };
}
