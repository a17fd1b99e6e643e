//! The handle that a rule receives for one argument under one activity.

use coenzyme::{
    Active, AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, BatchDuplicated,
    BatchDuplicatedNoNeed, BatchMixedDuplicated, Const, Tangent,
};

use super::activity::{AsMixed, Marker};
use crate::argument::{ByReference, ByValue, Passing, Slot, Writable};

/// An activity that an argument taken as `P` can have in forward mode of width `W`.
pub trait ForwardActivity<P: Passing, const W: usize>: Marker {
    /// What the rule receives.
    type Handle<'a>: coenzyme::Activity<W>;

    /// Builds the handle.
    fn handle(slot: &mut Slot<P>) -> Self::Handle<'_>;
}

/// An activity that an argument taken as `P` can have in reverse mode of width `W`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an activity of `{P}` in reverse mode",
    label = "memory takes `Const`, `Duplicated` and, if written, `DuplicatedNoNeed`; values take `Const`, `Active`, `Mixed`"
)]
pub trait ReverseActivity<P: Passing, const W: usize>: Marker {
    /// What the rule receives.
    type Handle<'a>: coenzyme::Activity<W>;

    /// Builds the handle.
    fn handle(slot: &mut Slot<P>) -> Self::Handle<'_>;

    /// The floats of what the rule returns for this argument, lane by lane; `None` if it returns nothing.
    fn gradient(
        gradient: <Self::Handle<'_> as coenzyme::Activity<W>>::Gradient,
    ) -> Option<Vec<Vec<f64>>>;
}

/// A handle whose derivative stays in its shadows.
macro_rules! in_place {
    () => {
        fn gradient(_: ()) -> Option<Vec<Vec<f64>>> {
            None
        }
    };
}

impl<P: Passing, const W: usize> ForwardActivity<P, W> for AsConst {
    type Handle<'a> = Const<P::Primal<'a>>;

    fn handle(slot: &mut Slot<P>) -> Self::Handle<'_> {
        Const(P::primal(&mut slot.primal))
    }
}

impl<P: Passing, const W: usize> ReverseActivity<P, W> for AsConst {
    type Handle<'a> = Const<P::Primal<'a>>;

    fn handle(slot: &mut Slot<P>) -> Self::Handle<'_> {
        Const(P::primal(&mut slot.primal))
    }
    in_place!();
}

macro_rules! duplicated {
    ($($marker:ident $handle:ident: $forward:ident, $reverse:ident;)*) => {$(
        impl<P: $forward, const W: usize> ForwardActivity<P, W> for $marker {
            type Handle<'a> = $handle<P::Primal<'a>, P::Tangent<'a>, W>;

            fn handle(slot: &mut Slot<P>) -> Self::Handle<'_> {
                let shadows = Slot::<P>::lanes(&mut slot.shadows, P::tangent);
                $handle::from_parts(P::primal(&mut slot.primal), shadows)
            }
        }

        impl<P: $reverse, const W: usize> ReverseActivity<P, W> for $marker {
            type Handle<'a> = $handle<P::Primal<'a>, P::Cotangent<'a>, W>;

            fn handle(slot: &mut Slot<P>) -> Self::Handle<'_> {
                let shadows = Slot::<P>::lanes(&mut slot.shadows, P::cotangent);
                $handle::from_parts(P::primal(&mut slot.primal), shadows)
            }
            in_place!();
        }
    )*};
}

duplicated! {
    AsDuplicated BatchDuplicated: Passing, ByReference;
    AsDuplicatedNoNeed BatchDuplicatedNoNeed: Writable, Writable;
}

impl<T, const W: usize> ReverseActivity<ByValue<T>, W> for AsActive
where
    T: Tangent<Owned = T> + Clone + Send + Sync + 'static,
{
    type Handle<'a> = Active<T>;

    fn handle(slot: &mut Slot<ByValue<T>>) -> Active<T> {
        Active(slot.primal.clone())
    }
    fn gradient(gradient: [T; W]) -> Option<Vec<Vec<f64>>> {
        Some(gradient.iter().map(T::to_flat).collect())
    }
}

impl<T, const W: usize> ReverseActivity<ByValue<T>, W> for AsMixed
where
    T: Tangent<Owned = T> + Clone + Send + Sync + 'static,
{
    type Handle<'a> = BatchMixedDuplicated<T, &'a mut T, W>;

    fn handle(slot: &mut Slot<ByValue<T>>) -> Self::Handle<'_> {
        let shadows = Slot::<ByValue<T>>::lanes(&mut slot.shadows, |shadow| shadow);
        BatchMixedDuplicated::from_parts(slot.primal.clone(), shadows)
    }
    in_place!();
}
