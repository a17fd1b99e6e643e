//! Activities that hold the primal beside its shadows.

use super::{Activity, Annotation, Width};
use crate::error::Incongruent;
use crate::tangent::{Memory, Tangent};

/// Out of line, so that constructors stay small.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse(activity: &str, lane: usize, error: &Incongruent) -> ! {
    panic!("{activity}: lane {lane}: {error}");
}

macro_rules! duplicated {
    ($(#[$doc:meta])* $batch:ident, $(#[$one_doc:meta])* $one:ident, needs_primal: $needs_primal:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $batch<P, S = P, const W: usize = 1> {
            pub(super) primal: P,
            pub(super) shadows: [S; W],
        }

        $(#[$one_doc])*
        pub type $one<P, S = P> = $batch<P, S, 1>;

        /// A primal with one shadow: see the type of the same name.
        ///
        /// # Panics
        /// If the shadow has not the shape of the primal; the message has both.
        #[allow(non_snake_case)]
        #[inline]
        #[track_caller]
        pub fn $one<P: Memory, S: Memory<Target = P::Target>>(primal: P, shadow: S) -> $one<P, S> {
            $batch(primal, [shadow])
        }

        /// A primal with `W` shadows: see the type of the same name.
        ///
        /// # Panics
        /// If a shadow has not the shape of the primal; the message names the lane and both shapes.
        #[allow(non_snake_case)]
        #[inline]
        #[track_caller]
        pub fn $batch<P: Memory, S: Memory<Target = P::Target>, const W: usize>(
            primal: P,
            shadows: [S; W],
        ) -> $batch<P, S, W> {
            const { assert!(W > 0, "a batch has at least one lane") };
            for (lane, shadow) in shadows.iter().enumerate() {
                if let Err(error) = Tangent::congruent(primal.memory(), shadow.memory()) {
                    refuse(stringify!($batch), lane, &error);
                }
            }
            $batch { primal, shadows }
        }

        impl<P, S, const W: usize> $batch<P, S, W> {
            /// A primal with shadows that are known to be congruent.
            #[inline]
            pub fn from_parts(primal: P, shadows: [S; W]) -> Self {
                Self { primal, shadows }
            }

            /// A primal with its shadows, checked.
            ///
            /// # Errors
            /// If a shadow has not the shape of the primal.
            pub fn try_new(primal: P, shadows: [S; W]) -> Result<Self, Incongruent>
            where
                P: Memory,
                S: Memory<Target = P::Target>,
            {
                shadows.iter().try_for_each(|s| Tangent::congruent(primal.memory(), s.memory()))?;
                Ok(Self { primal, shadows })
            }

            /// The primal.
            #[inline]
            pub fn primal(&self) -> &P {
                &self.primal
            }

            /// The primal, to be changed.
            #[inline]
            pub fn primal_mut(&mut self) -> &mut P {
                &mut self.primal
            }

            /// The shadow of one lane.
            ///
            /// # Panics
            /// If there is no such lane.
            #[inline]
            pub fn shadow(&self, lane: usize) -> &S {
                &self.shadows[lane]
            }

            /// The shadow of one lane, to be changed.
            ///
            /// # Panics
            /// If there is no such lane.
            #[inline]
            pub fn shadow_mut(&mut self, lane: usize) -> &mut S {
                &mut self.shadows[lane]
            }

            /// The primal and its shadows together, both to be changed.
            #[inline]
            pub fn parts_mut(&mut self) -> (&mut P, &mut [S; W]) {
                (&mut self.primal, &mut self.shadows)
            }

            /// The primal and its shadows.
            #[inline]
            pub fn into_parts(self) -> (P, [S; W]) {
                (self.primal, self.shadows)
            }
        }

        impl<P, S, const W: usize> Annotation for $batch<P, S, W> {
            type Primal = P;
            type Width = Width<W>;
        }

        impl<P, S, const W: usize> Activity<W> for $batch<P, S, W> {
            type Gradient = ();

            #[inline]
            fn is_active(&self) -> bool {
                true
            }
            #[inline]
            fn needs_primal(&self) -> bool {
                $needs_primal
            }
        }
    };
}

duplicated! {
    /// A primal with `W` shadows, one for each direction that is differentiated at once.
    ///
    /// The shadows need not have the type of the primal: in reverse mode a `&[f64]` is paired with `&mut [f64]`s.
    BatchDuplicated,
    /// A primal with one shadow.
    ///
    /// Forward mode: the shadow of an input is its tangent; that of an output receives the tangent, whatever was there.
    /// Reverse mode: the shadow accumulates the cotangent; that of an output holds the incoming cotangent, which the
    /// reverse pass consumes and zeroes.
    ///
    /// ```
    /// use coenzyme::Duplicated;
    ///
    /// let (x, mut dx) = (vec![1.0, 2.0], vec![0.0, 0.0]);
    /// let arg = Duplicated(&x, &mut dx);
    /// assert_eq!(arg.primal()[1], 2.0);
    /// ```
    Duplicated, needs_primal: true
}

duplicated! {
    /// As [`BatchDuplicated`](type@BatchDuplicated), for an output whose primal nobody reads afterwards.
    BatchDuplicatedNoNeed,
    /// As [`Duplicated`](type@Duplicated), for an output whose primal nobody reads afterwards: a rule may skip computing it (it asks
    /// [`needs_primal`](Activity::needs_primal)), and reading it gives unspecified values. Only for write-only outputs, never for a workspace.
    DuplicatedNoNeed, needs_primal: false
}

duplicated! {
    /// As [`MixedDuplicated`](type@MixedDuplicated), with `W` shadows.
    BatchMixedDuplicated,
    /// A value that is passed by value and owns memory, in reverse mode: the derivative is accumulated in a shadow that
    /// lives elsewhere, as in `MixedDuplicated(x, &mut dx)` for `x: (f64, Vec<f64>)`.
    MixedDuplicated, needs_primal: true
}
