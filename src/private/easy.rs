//! What the output of `easy_rule!` and `#[inactive]` shares.

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Augmented, AugmentedReturn, ForwardOutcome, ForwardReturn, Outcome, ReverseReturn,
};
use crate::tangent::Tangent;

/// What a forward rule returns whose result does not depend on its arguments: the value, with zero tangents of its shape.
#[inline]
pub fn forward_without_tangent<R: ForwardReturn<W>, const W: usize>(
    config: &ForwardConfig,
    returned: R::Out,
) -> ForwardOutcome<R, W> {
    Outcome::map_value(returned, |value| {
        let mut zeros =
            std::array::from_fn::<_, W, _>(|_| R::ACTIVE.then(|| Tangent::zero_like(&value)));
        R::forward(
            config,
            || value,
            |lane| {
                zeros[lane]
                    .take()
                    .expect("a tangent is taken once, and only if active")
            },
        )
    })
}

/// The value of a function that was called because it is needed.
#[inline]
pub fn present<T>(value: &Option<T>) -> &T {
    value.as_ref().expect(PRESENT)
}

/// As [`present`].
#[inline]
pub fn present_owned<T>(value: Option<T>) -> T {
    value.expect(PRESENT)
}

const PRESENT: &str = "a function whose value is needed was called";

/// The result of `augmented_primal`, where the value is there if it is needed.
#[inline]
pub fn augmented_if_needed<R: ReverseReturn<W>, Tape, const W: usize>(
    config: &ReverseConfig,
    value: Option<<R::Out as Outcome>::Value>,
    tape: Tape,
) -> Augmented<R, Tape, W> {
    match value {
        Some(value) => R::augmented(config, value, tape),
        None => {
            let shadow =
                R::shadow(|_| unreachable!("a shadow has the shape of a value, which is there"));
            AugmentedReturn::new(None, shadow, tape)
        }
    }
}

/// The tangents of one result in all lanes, a sum over the arguments.
#[derive(Debug)]
pub struct TangentSum<T, const W: usize>([Option<T>; W]);

impl<T: Tangent<Owned = T>, const W: usize> TangentSum<T, W> {
    /// Nothing yet.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self([const { None }; W])
    }

    /// Adds, in each lane, the product that `multiply` makes of the argument's tangent.
    #[inline]
    pub fn add<'a, In: ?Sized + 'a>(
        &mut self,
        tangent: impl Fn(usize) -> Option<&'a In>,
        multiply: impl Fn(&In) -> T,
    ) {
        for (lane, sum) in self.0.iter_mut().enumerate() {
            let Some(tangent) = tangent(lane) else {
                continue;
            };
            let product = multiply(tangent);
            match sum {
                None => *sum = Some(product),
                Some(sum) => Tangent::accumulate(sum, &product),
            }
        }
    }

    /// Puts `zero` where nothing was added.
    #[inline]
    pub fn or_else(&mut self, zero: impl Fn() -> T) {
        for sum in self.0.iter_mut().filter(|sum| sum.is_none()) {
            *sum = Some(zero());
        }
    }

    /// The tangent in one lane.
    #[inline]
    pub fn take(&mut self, lane: usize) -> T {
        self.0[lane]
            .take()
            .expect("a tangent is taken once, and only if active")
    }
}
