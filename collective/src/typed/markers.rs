//! What the values of ranks mean together.

use std::fmt;
use std::marker::PhantomData;

use coenzyme::{Active, AsActive, AsDuplicated, GradientArg, Incongruent, NaturalReturn, Tangent};
use num_traits::Float;

use crate::{Along, CommError, Element, Ranks};

/// What has entries of this rank's own. No marker has: which entries they are is said before.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not indexed: its entries are not this rank's own",
    label = "indexed here",
    note = "`local(&x)` is the vector of a `Varying` value; `vary` and `as_varying` make one of a `Replicated` and a `Reduced` value, `total` and `reduce_scatter` take the sum of parts"
)]
pub trait OwnEntries {}

/// One marker: a value of this rank, and what it is together with those of others.
macro_rules! marker {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T, A = Ranks> {
            value: T,
            axis: PhantomData<fn() -> A>,
        }

        impl<T, A> $name<T, A> {
            pub(crate) fn of(value: T) -> Self {
                let axis = PhantomData;
                Self { value, axis }
            }

            pub(crate) fn get(&self) -> &T {
                &self.value
            }
        }

        impl<T, A> std::ops::Index<usize> for $name<Vec<T>, A>
        where
            Self: OwnEntries,
        {
            type Output = T;

            fn index(&self, at: usize) -> &T {
                &self.value[at]
            }
        }

        impl<T: Clone, A> Clone for $name<T, A> {
            fn clone(&self) -> Self {
                Self::of(self.value.clone())
            }
        }

        impl<T: Copy, A> Copy for $name<T, A> {}

        impl<T: fmt::Debug, A> fmt::Debug for $name<T, A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.value).finish()
            }
        }

        impl<T: PartialOrd, A> PartialOrd for $name<T, A> {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                self.value.partial_cmp(&other.value)
            }
        }

        impl<T: PartialEq, A> PartialEq for $name<T, A> {
            fn eq(&self, other: &Self) -> bool {
                self.value == other.value
            }
        }

        impl<T: Tangent<Owned = T>, A> Tangent for $name<T, A> {
            type Owned = Self;
            type Target = Self;

            fn target(this: &Self) -> &Self {
                this
            }
            fn zero_like(this: &Self) -> Self {
                Self::of(Tangent::zero_like(&this.value))
            }
            fn zero_out(this: &mut Self) {
                Tangent::zero_out(&mut this.value);
            }
            fn accumulate(this: &mut Self, other: &Self) {
                Tangent::accumulate(&mut this.value, &other.value);
            }
            fn scale(this: &mut Self, by: f64) {
                Tangent::scale(&mut this.value, by);
            }
            fn inner(this: &Self, other: &Self) -> f64 {
                Tangent::inner(&this.value, &other.value)
            }
            fn flatten_into(this: &Self, out: &mut Vec<f64>) {
                Tangent::flatten_into(&this.value, out);
            }
            fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
                Tangent::unflatten_from(&mut this.value, from);
            }
            fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
                Tangent::congruent(&this.value, &other.value)
            }
        }

        coenzyme::__holds_itself! { [T, A] $name<T, A> }
        coenzyme::__plain_outcome! { [T: Tangent<Owned = T>, A] $name<T, A> }

        impl<T: Tangent<Owned = T>, A> NaturalReturn for $name<T, A> {
            type Forward = AsDuplicated;
            type Reverse = AsActive;
        }

        impl<T: Tangent<Owned = T>, A> GradientArg for $name<T, A> {
            type Handle = Active<Self>;
            type Gradient = Self;

            fn annotate(self) -> Active<Self> {
                Active(self)
            }
            fn gradient(_: Active<Self>, [entry]: [Self; 1]) -> Self {
                entry
            }
        }
    };
}

marker! {
    /// Independent values along the axis `A`. What a rank computes by itself from its own data is varying, so this marker is open:
    /// [`varying`](super::varying()) puts it on, [`local`](super::local()) takes it off.
    ///
    /// Its cotangent is varying.
    Varying
}

marker! {
    /// Equal along the axis `A`: one value, which counts once. Its cotangent is replicated.
    ///
    /// A rank may not use it together with data of its own before [`vary`](super::vary()) says so, for then the cotangents of all ranks
    /// must be summed. What ranks compute from replicated values alone is done by [`map`](super::map()).
    Replicated
}

marker! {
    /// Parts along the axis `A` of a value that is their sum. Its cotangent is [`Reduced`].
    Partial
}

marker! {
    /// Equal along the axis `A`, where each rank's use counts by itself, as weights in data-parallel training. Its cotangent is
    /// [`Partial`]: it is summed when somebody wants it.
    Reduced
}

impl<T: Element, A> Replicated<Vec<T>, A> {
    /// A value that all ranks have.
    ///
    /// # Errors
    /// [`CommError::NotReplicated`] if a rank has another, to the bit; others as [`CommError`] says.
    pub fn new(along: &Along<A>, value: Vec<T>) -> Result<Self, CommError> {
        let of_first = along.broadcast(0, &value)?;
        let (of_first, own) = (T::parts(&of_first), T::parts(&value));
        let same = |(a, b): (&T::Wire, &T::Wire)| a.integer_decode() == b.integer_decode();
        let same = of_first.iter().zip(own.iter()).all(same);
        let others = along.all_reduce(crate::transport::Op::Sum, &[f64::from(u8::from(!same))])?;
        if others[0] > 0.0 {
            return Err(CommError::NotReplicated);
        }
        Ok(Self::of(value))
    }
}

impl<T, A> Replicated<T, A> {
    /// The value, at the end of a differentiated program.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T, A> Varying<T, A> {
    /// A value of this rank.
    pub fn new(value: T) -> Self {
        Self::of(value)
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value
    }
}
