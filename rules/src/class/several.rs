//! Functions of several operands, of which the value, or what led to it, is all that their derivative reads.

/// Gives a marker its rules, from four kinds of functions that it has:
///
/// ```text
/// fn evaluate(a: &A, b: &B, attr: &Attr) -> (Out, Kept)
/// fn pushforward(out: &Out, kept: &Kept, da: Option<&A>, db: Option<&B>) -> Out
/// fn pull(out: &Out, kept: &Kept, dy: &Out) -> Pulled           // what the cotangents share
/// fn pull_a(out: &Out, kept: &Kept, pulled: &Pulled, da: &mut A) // and one of these for each operand
/// ```
///
/// `several_rule!(f[generics](a: A => pull_a, b: B => pull_b; attr: Attr) -> Out, keeps Kept, pulls Pulled)`; for a function that may fail
/// `-> Result<Out, Error>`, and `evaluate` returns a `Result`. The tape is the value and what is kept, if a derivative flows.
macro_rules! several_rule {
    (
        $name:ident $g:tt $args:tt -> Result<$Out:ty, $E:ty>, $($rest:tt)+
    ) => {
        $crate::class::several_rule!(@with $name $g $args -> $Out, [Result<$Out, $E>] [?] [Ok] $($rest)+);
    };
    (
        $name:ident $g:tt $args:tt -> $Out:ty, $($rest:tt)+
    ) => {
        $crate::class::several_rule!(@with $name $g $args -> $Out, [$Out] [] [std::convert::identity] $($rest)+);
    };
    (
        @with $name:ident [$($g:tt)*] ($($x:ident: $X:ty => $pull:ident),+ $(; $($a:ident: $A:ty),+)?)
            -> $Out:ty, [$Full:ty] [$($try:tt)?] [$wrap:path] keeps $Kept:ty, pulls $Pulled:ty
    ) => {
        #[allow(non_camel_case_types)]
        impl<R, $($x,)+ $($($a,)+)? $($g)*, const W: usize> coenzyme::ForwardRule<R, ($($x,)+ $($($a,)+)?), W> for $name
        where
            R: coenzyme::ForwardReturn<W, Out = $Full>,
            $($x: coenzyme::ForwardArg<$X, W> + coenzyme::Annotation<Primal: coenzyme::Memory<Target = $X>>,)+
            $($($a: coenzyme::ForwardArg<$A, W>, $A: $crate::class::Attribute,)+)?
        {
            fn forward(
                &self,
                config: &coenzyme::ForwardConfig,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> coenzyme::ForwardOutcome<R, W> {
                let (out, kept) = $name::evaluate($($x.primal(),)+ $($($a.primal(),)+)?)$($try)?;
                let mut tangents: [Option<$Out>; W] = $crate::class::each_lane(&mut |lane| {
                    $(let $x = $crate::class::effective($x.tangent(lane), config.strong_zero());)+
                    R::ACTIVE.then(|| match ($($x.is_some() ||)+ false) {
                        true => $name::pushforward(&out, &kept, $($x),+),
                        false => coenzyme::Tangent::zero_like(&out),
                    })
                });
                $wrap(R::forward(config, || out, |lane| {
                    tangents[lane].take().expect("each lane is asked for once")
                }))
            }
        }

        #[allow(non_camel_case_types)]
        impl<R, $($x,)+ $($($a,)+)? $($g)*, const W: usize> coenzyme::ReverseRule<R, ($($x,)+ $($($a,)+)?), W> for $name
        where
            R: coenzyme::ReverseReturn<W, Out = $Full>,
            $($x: coenzyme::ReverseArg<$X, W> + coenzyme::Annotation<Primal: coenzyme::Memory<Target = $X>>,)+
            $($($a: coenzyme::ReverseArg<$A, W>, $A: $crate::class::Attribute,)+)?
        {
            type Tape = Option<($Out, $Kept)>;

            fn augmented_primal(
                &self,
                config: &coenzyme::ReverseConfig,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> coenzyme::AugmentedOutcome<R, Self::Tape, W> {
                let (out, kept) = $name::evaluate($($x.primal(),)+ $($($a.primal(),)+)?)$($try)?;
                let shadow = R::shadow(|_| coenzyme::Tangent::zero_like(&out));
                let active = R::ACTIVE && ($($x.is_active() ||)+ false);
                let primal = config.needs_primal().then(|| out.clone());
                $wrap(coenzyme::AugmentedReturn::new(primal, shadow, active.then_some((out, kept))))
            }

            fn reverse(
                &self,
                config: &coenzyme::ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> <($($x,)+ $($($a,)+)?) as coenzyme::Args<W>>::Gradients {
                let pulled: [Option<$Pulled>; W] = $crate::class::each_lane(&mut |lane| {
                    let dy = $crate::class::effective(coenzyme::Lanes::lane(&dret, lane), config.strong_zero())?;
                    let (out, kept) = tape.as_ref()?;
                    Some($name::pull(out, kept, dy))
                });
                (
                    $($x.accumulate(|lane, _, mut d| {
                        if let (Some(pulled), Some((out, kept))) = (&pulled[lane], &tape) {
                            d.accumulate_with(|d| $name::$pull(out, kept, pulled, d));
                        }
                    }),)+
                    $($($a.no_gradient(),)+)?
                )
            }
        }
    };
}

pub(crate) use several_rule;
