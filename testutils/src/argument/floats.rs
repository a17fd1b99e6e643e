//! Vectors of plain floats, which are copied as a whole.
//!
//! Most memory of most tests is such a vector, and it is read and written for every call of a rule. What is generic is compiled in
//! the test of each rule, where nothing is optimized; this is compiled here.

use std::any::Any;
use std::ops::Range;

/// A part of `memory`, if that is a vector of floats.
pub(super) fn read(memory: &dyn Any, part: Range<usize>) -> Option<Vec<f64>> {
    if let Some(floats) = memory.downcast_ref::<Vec<f64>>() {
        return Some(floats[part].to_vec());
    }
    let floats = memory.downcast_ref::<Vec<f32>>()?;
    Some(floats[part].iter().copied().map(f64::from).collect())
}

/// Replaces a part of `memory`, if that is a vector of floats; says whether it is.
///
/// **Panics** if the part has another length than `flat`.
#[track_caller]
pub(super) fn write(memory: &mut dyn Any, part: Range<usize>, flat: &[f64]) -> bool {
    if let Some(floats) = memory.downcast_mut::<Vec<f64>>() {
        copy(flat, &mut floats[part]);
        return true;
    }
    let Some(floats) = memory.downcast_mut::<Vec<f32>>() else {
        return false;
    };
    let floats = &mut floats[part];
    assert_eq!(floats.len(), flat.len(), "as many floats as there are");
    let rows = floats.iter_mut().zip(flat);
    rows.for_each(|(float, flat)| *float = *flat as f32);
    true
}

/// Copies floats.
///
/// **Panics** if there are not as many.
#[track_caller]
pub(super) fn copy(from: &[f64], to: &mut [f64]) {
    to.copy_from_slice(from);
}

/// A copy of floats.
pub(super) fn copied(from: &[f64]) -> Vec<f64> {
    from.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_and_written() {
        let mut double = vec![1.0_f64, 2.0, 3.0];
        assert!(write(&mut double, 1..3, &[4.0, 5.0]));
        assert_eq!(read(&double, 0..2).unwrap(), [1.0, 4.0]);
        let mut single = vec![1.0_f32, 2.0];
        assert!(write(&mut single, 0..1, &[0.1]));
        assert_eq!(read(&single, 0..2).unwrap(), [f64::from(0.1_f32), 2.0]);
    }

    #[test]
    fn what_is_no_vector_of_floats_is_left_alone() {
        let mut others = vec![1_u8];
        assert!(read(&others, 0..1).is_none() && !write(&mut others, 0..1, &[2.0]));
        assert_eq!(others, [1]);
    }
}
