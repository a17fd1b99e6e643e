//! The return activity that a rule is asked for, and what it returns for it.

use coenzyme::{
    Active, AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, BatchDuplicated,
    BatchDuplicatedNoNeed, Const, ForwardReturn, Outcome, ReverseReturn, Tangent,
};

use super::activity::Marker;

/// What a forward rule returned, in floats.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tangents {
    /// The primal, if it was returned.
    pub primal: Option<Vec<f64>>,
    /// The tangent of each lane, if the return is active.
    pub tangents: Option<Vec<Vec<f64>>>,
}

/// What an augmented primal returned beside its tape, in floats.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Augmented {
    /// The primal, if it was returned.
    pub primal: Option<Vec<f64>>,
    /// The shadow of each lane, if the return has one.
    pub shadows: Option<Vec<Vec<f64>>>,
}

fn flat<T: Tangent>(values: &[T]) -> Vec<Vec<f64>> {
    values.iter().map(T::to_flat).collect()
}

/// A return activity of forward mode, for a function that returns `Out`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity of forward mode",
    label = "write `Const`, `Duplicated` or `DuplicatedNoNeed`"
)]
pub trait ForwardRet<Out: Outcome, const W: usize>: Marker {
    /// What the rule is asked for.
    type R: ForwardReturn<W, Out = Out>;

    /// The settings of `needs_primal` under which a rule may be asked for it.
    const NEEDS_PRIMAL: &'static [bool];

    /// What the rule returned, in floats.
    fn flat(returned: <Self::R as ForwardReturn<W>>::Forward) -> Tangents;
}

impl<Out: Outcome, const W: usize> ForwardRet<Out, W> for AsConst {
    type R = Const<Out>;

    const NEEDS_PRIMAL: &'static [bool] = &[true, false];

    fn flat(returned: Option<Out::Value>) -> Tangents {
        Tangents {
            primal: returned.as_ref().map(Tangent::to_flat),
            tangents: None,
        }
    }
}

impl<Out: Outcome, const W: usize> ForwardRet<Out, W> for AsDuplicated {
    type R = BatchDuplicated<Out, Out, W>;

    const NEEDS_PRIMAL: &'static [bool] = &[true];

    fn flat(returned: BatchDuplicated<Out::Value, Out::Value, W>) -> Tangents {
        let (primal, tangents) = returned.into_parts();
        Tangents {
            primal: Some(Tangent::to_flat(&primal)),
            tangents: Some(flat(&tangents)),
        }
    }
}

impl<Out: Outcome, const W: usize> ForwardRet<Out, W> for AsDuplicatedNoNeed {
    type R = BatchDuplicatedNoNeed<Out, Out, W>;

    const NEEDS_PRIMAL: &'static [bool] = &[false];

    fn flat(tangents: [Out::Value; W]) -> Tangents {
        Tangents {
            primal: None,
            tangents: Some(flat(&tangents)),
        }
    }
}

/// A return activity of reverse mode, for a function that returns `Out`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity of reverse mode",
    label = "write `Const`, `Active` for a value, `Duplicated` or `DuplicatedNoNeed` for memory"
)]
pub trait ReverseRet<Out: Outcome, const W: usize>: Marker {
    /// What the rule is asked for.
    type R: ReverseReturn<W, Out = Out, Shadow: Send>;

    /// The settings of `needs_primal` under which a rule may be asked for it.
    const NEEDS_PRIMAL: &'static [bool];

    /// A shadow such as the augmented pass makes, of zeros like `zero`.
    fn fresh(zero: &Out::Value) -> <Self::R as ReverseReturn<W>>::Shadow {
        Self::R::shadow(|_| Tangent::zero_like(zero))
    }

    /// The floats of the shadow that the augmented pass made.
    fn shadows(shadow: &<Self::R as ReverseReturn<W>>::Shadow) -> Option<Vec<Vec<f64>>>;

    /// The cotangent with the floats of `lanes`: in the shadow that the augmented pass made, or in values like `zero`.
    fn cotangent(
        shadow: <Self::R as ReverseReturn<W>>::Shadow,
        zero: &Out::Value,
        lanes: &[Vec<f64>],
    ) -> <Self::R as ReverseReturn<W>>::Cotangent;
}

impl<Out: Outcome, const W: usize> ReverseRet<Out, W> for AsConst {
    type R = Const<Out>;

    const NEEDS_PRIMAL: &'static [bool] = &[true, false];

    fn shadows((): &()) -> Option<Vec<Vec<f64>>> {
        None
    }
    fn cotangent((): (), _: &Out::Value, _: &[Vec<f64>]) {}
}

impl<Out: Outcome, const W: usize> ReverseRet<Out, W> for AsActive {
    type R = Active<Out>;

    const NEEDS_PRIMAL: &'static [bool] = &[true, false];

    fn shadows((): &()) -> Option<Vec<Vec<f64>>> {
        None
    }
    fn cotangent((): (), zero: &Out::Value, lanes: &[Vec<f64>]) -> [Out::Value; W] {
        std::array::from_fn(|lane| {
            let mut cotangent = Tangent::zero_like(zero);
            Tangent::unflatten(&mut cotangent, &lanes[lane]);
            cotangent
        })
    }
}

macro_rules! duplicated {
    ($($marker:ident $handle:ident $needs_primal:expr;)*) => {$(
        impl<Out: Outcome<Value: Send>, const W: usize> ReverseRet<Out, W> for $marker {
            type R = $handle<Out, Out, W>;

            const NEEDS_PRIMAL: &'static [bool] = $needs_primal;

            fn shadows(shadow: &[Out::Value; W]) -> Option<Vec<Vec<f64>>> {
                Some(flat(shadow))
            }
            fn cotangent(mut shadow: [Out::Value; W], _: &Out::Value, lanes: &[Vec<f64>]) -> [Out::Value; W] {
                for (shadow, lane) in shadow.iter_mut().zip(lanes) {
                    Tangent::unflatten(shadow, lane);
                }
                shadow
            }
        }
    )*};
}

duplicated! {
    AsDuplicated BatchDuplicated &[true, false];
    AsDuplicatedNoNeed BatchDuplicatedNoNeed &[false];
}
