//! Where a climb goes, and how far a step along it really leads.

use super::Precision;

/// Where a climb goes.
#[derive(Clone, Copy)]
pub(super) enum Direction<'a> {
    Axis(usize),
    Vector(&'a [f64]),
}

impl Direction<'_> {
    pub(super) fn component(self, index: usize) -> f64 {
        match self {
            Direction::Axis(axis) => f64::from(u8::from(axis == index)),
            Direction::Vector(direction) => direction[index],
        }
    }

    /// The largest `|x|` among the coordinates that move.
    pub(super) fn magnitude(self, x: &[f64]) -> f64 {
        match self {
            Direction::Axis(axis) => x[axis].abs(),
            Direction::Vector(direction) => {
                let moving = x.iter().zip(direction).filter(|(_, d)| **d != 0.0);
                moving.map(|(x, _)| x.abs()).fold(0.0, f64::max)
            }
        }
    }

    /// The point `step` away, and how far away rounding really left it.
    pub(super) fn displace(self, x: &[f64], step: f64, precision: Precision) -> (Vec<f64>, f64) {
        let mut moved = x.to_vec();
        match self {
            Direction::Axis(axis) => {
                moved[axis] = precision.round(x[axis] + step);
                let actual = moved[axis] - x[axis];
                (moved, actual)
            }
            Direction::Vector(direction) => {
                for (moved, direction) in moved.iter_mut().zip(direction) {
                    *moved = precision.round(*moved + step * direction);
                }
                (moved, step)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacement_reports_what_rounding_left_of_it() {
        let (moved, actual) = Direction::Axis(1).displace(&[3.0, 1.0], 1e-17, Precision::Double);
        assert_eq!((moved, actual), (vec![3.0, 1.0], 0.0));
        let (moved, actual) = Direction::Axis(0).displace(&[1.0], 1e-7, Precision::Single);
        assert_eq!(moved[0], 1.0 + actual);
        assert_eq!(actual, f64::from(f32::EPSILON));
    }

    #[test]
    fn directions_move_what_they_have_components_of() {
        let direction = [0.5, -2.0];
        let components = |direction: Direction<'_>| [0, 1].map(|index| direction.component(index));
        assert_eq!(components(Direction::Vector(&direction)), direction);
        assert_eq!(components(Direction::Axis(1)), [0.0, 1.0]);
        let moved = Direction::Vector(&direction).displace(&[1.0, 1.0], 0.25, Precision::Double);
        assert_eq!(moved, (vec![1.125, 0.5], 0.25));
        let single = Direction::Vector(&direction).displace(&[0.1, 0.0], 0.0, Precision::Single);
        assert_eq!(single.0, [f64::from(0.1_f32), 0.0]);
    }

    #[test]
    fn magnitude_is_that_of_the_moving_coordinates() {
        let x = [1e9, -2.0, 0.5];
        assert_eq!(Direction::Vector(&[0.0, 1.0, 1.0]).magnitude(&x), 2.0);
        assert_eq!(Direction::Axis(2).magnitude(&x), 0.5);
    }
}
