//! Functions of several operands that may fail, and whose derivative reads what was computed, never the operands again.

/// Gives a marker its rules, from four kinds of functions that it has:
///
/// ```text
/// fn factorize(a: &A, b: &B, attr: &Attr) -> Result<(Out, Kept), Error>
/// fn pushforward(out: &Out, kept: &Kept, da: Option<&A>, db: Option<&B>) -> Out
/// fn pull(out: &Out, kept: &Kept, dy: &Out) -> Pulled           // what the cotangents share
/// fn pull_a(out: &Out, kept: &Kept, pulled: &Pulled, da: &mut A) // and one of these for each operand
/// ```
///
/// `solution_rule!(f[generics](a: A => pull_a, b: B => pull_b; attr: Attr) -> Out, keeps Kept, pulls Pulled)`. The tape is the value and
/// what is kept, if a derivative flows.
macro_rules! solution_rule {
    (
        $name:ident [$($g:tt)*] ($($x:ident: $X:ty => $pull:ident),+ $(; $($a:ident: $A:ty),+)?)
            -> $Out:ty, keeps $Kept:ty, pulls $Pulled:ty
    ) => {
        #[allow(non_camel_case_types)]
        impl<R, $($x,)+ $($($a,)+)? $($g)*, const W: usize> coenzyme::ForwardRule<R, ($($x,)+ $($($a,)+)?), W> for $name
        where
            R: coenzyme::ForwardReturn<W, Out = Result<$Out, $crate::linalg::Error>>,
            $($x: coenzyme::ForwardArg<$X, W> + coenzyme::Annotation<Primal: coenzyme::Memory<Target = $X>>,)+
            $($($a: coenzyme::ForwardArg<$A, W>,)+)?
        {
            fn forward(
                &self,
                config: &coenzyme::ForwardConfig,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> coenzyme::ForwardOutcome<R, W> {
                let (out, kept) = $name::factorize($($x.primal(),)+ $($($a.primal(),)+)?)?;
                let mut tangents: [Option<$Out>; W] = std::array::from_fn(|lane| {
                    $(let $x = $crate::class::effective($x.tangent(lane), config.strong_zero());)+
                    R::ACTIVE.then(|| match ($($x.is_some() ||)+ false) {
                        true => $name::pushforward(&out, &kept, $($x),+),
                        false => coenzyme::Tangent::zero_like(&out),
                    })
                });
                Ok(R::forward(config, || out, |lane| {
                    tangents[lane].take().expect("each lane is asked for once")
                }))
            }
        }

        #[allow(non_camel_case_types)]
        impl<R, $($x,)+ $($($a,)+)? $($g)*, const W: usize> coenzyme::ReverseRule<R, ($($x,)+ $($($a,)+)?), W> for $name
        where
            R: coenzyme::ReverseReturn<W, Out = Result<$Out, $crate::linalg::Error>>,
            $($x: coenzyme::ReverseArg<$X, W> + coenzyme::Annotation<Primal: coenzyme::Memory<Target = $X>>,)+
            $($($a: coenzyme::ReverseArg<$A, W>,)+)?
        {
            type Tape = Option<($Out, $Kept)>;

            fn augmented_primal(
                &self,
                config: &coenzyme::ReverseConfig,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> coenzyme::AugmentedOutcome<R, Self::Tape, W> {
                let (out, kept) = $name::factorize($($x.primal(),)+ $($($a.primal(),)+)?)?;
                let shadow = R::shadow(|_| coenzyme::Tangent::zero_like(&out));
                let active = R::ACTIVE && ($($x.is_active() ||)+ false);
                let primal = config.needs_primal().then(|| out.clone());
                Ok(coenzyme::AugmentedReturn::new(primal, shadow, active.then_some((out, kept))))
            }

            fn reverse(
                &self,
                config: &coenzyme::ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($x,)+ $($($a,)+)?): ($(&mut $x,)+ $($(&mut $a,)+)?),
            ) -> <($($x,)+ $($($a,)+)?) as coenzyme::Args<W>>::Gradients {
                let pulled: [Option<$Pulled>; W] = std::array::from_fn(|lane| {
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

pub(super) use solution_rule;
