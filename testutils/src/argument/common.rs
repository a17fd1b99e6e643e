//! Memory that most functions take. What lends it is compiled here, once, and not with every crate whose rules are tested:
//! it is most of what a test spends its time with, and this crate may be optimized where that is not.

use coenzyme::ndarray::{Ix1, Ix2, Ix3, IxDyn};

use super::passing::{ByValue, Passing};
use super::slice::{Slice, SliceMut};
use super::slot::{Flat, Slot};
use super::view::{View, ViewMut};

/// A slot in every form that a test needs, whatever its type.
fn compiled<P: Passing>(store: &P::Store) -> Vec<Box<dyn Flat>> {
    let slot = Slot::<P>::new(store.clone());
    let mut slots: Vec<Box<dyn Flat>> = Vec::new();
    for number in 0..slot.count() {
        slots.push(Box::new(slot.uniform(number)));
        slots.push(Box::new(slot.mixed(number)));
    }
    slots.push(Box::new(slot.broadcast(0).0));
    slots.push(Box::new(slot.broadcast_tangents(0).0));
    slots.extend(
        slot.resized(&|n| n)
            .map(|slot| Box::new(slot) as Box<dyn Flat>),
    );
    slots
}

/// By the type of its store.
macro_rules! common {
    ($($of:ident: $passing:ty;)*) => {
        /// Keeps what is compiled here from being left out.
        #[doc(hidden)]
        #[allow(missing_debug_implementations, reason = "functions alone")]
        pub struct Common {
            $(pub $of: fn(&<$passing as Passing>::Store) -> Vec<Box<dyn Flat>>,)*
        }

        #[doc(hidden)]
        pub static COMMON: Common = Common { $($of: compiled::<$passing>,)* };
    };
}

common! {
    number: ByValue<f64>;
    size: ByValue<usize>;
    slice: Slice<f64>;
    slice_mut: SliceMut<f64>;
    view1: View<f64, Ix1>;
    view2: View<f64, Ix2>;
    view3: View<f64, Ix3>;
    view_dyn: View<f64, IxDyn>;
    view1_mut: ViewMut<f64, Ix1>;
    view2_mut: ViewMut<f64, Ix2>;
}
