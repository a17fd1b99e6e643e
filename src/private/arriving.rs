//! Whether a cotangent arrives in a round of a loop.

use crate::real::Real;

/// What arrives, in each lane.
pub struct Arriving<'a, D>(pub &'a D);

/// Numbers: zero is nothing.
pub trait Arrives {
    /// Whether any lane has something.
    fn any(&self) -> bool;
}

impl<const W: usize> Arrives for Arriving<'_, [f64; W]> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any(&self) -> bool {
        !self.0.iter().all(|d| d.vanishes())
    }
}

impl<const W: usize> Arrives for Arriving<'_, [f32; W]> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any(&self) -> bool {
        !self.0.iter().all(|d| d.vanishes())
    }
}

/// Of any other type it is not asked: found one reference further away.
pub trait MayArrive {
    /// There may be something.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any(&self) -> bool {
        true
    }
}

impl<D> MayArrive for &Arriving<'_, D> {}

#[cfg(test)]
mod tests {
    use super::{Arrives as _, Arriving, MayArrive as _};

    /// As generated code asks.
    macro_rules! any {
        ($arriving:expr) => {{
            let arriving = &Arriving($arriving);
            arriving.any()
        }};
    }

    #[test]
    fn nothing_arrives_where_all_lanes_are_zero() {
        assert!(!any!(&[0.0, -0.0]));
        assert!(!any!(&[0.0_f32; 3]));
        for some in [[0.0, 1.0], [f64::NAN, 0.0], [0.0, 5e-324]] {
            assert!(any!(&some), "{some:?}");
        }
    }

    #[test]
    fn of_other_types_something_may() {
        assert!(any!(&[[0.0; 2]]));
    }
}
