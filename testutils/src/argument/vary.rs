//! The same argument at another size, or another integer.

use std::any::Any;
use std::sync::Arc;

/// A vector of zeros of another length, if `store` is a vector of floats.
pub(super) fn resized<S: Clone + 'static>(store: &S, to: &dyn Fn(usize) -> usize) -> Option<S> {
    let store: &dyn Any = store;
    let other: Box<dyn Any> = if let Some(floats) = store.downcast_ref::<Arc<Vec<f64>>>() {
        Box::new(Arc::new(vec![0.0_f64; to(floats.len())]))
    } else if let Some(floats) = store.downcast_ref::<Arc<Vec<f32>>>() {
        Box::new(Arc::new(vec![0.0_f32; to(floats.len())]))
    } else {
        return None;
    };
    other.downcast().ok().map(|other| *other)
}

/// Other values of an integer or a flag: small ones, its neighbours, and of a signed one some below zero.
pub(super) fn others<T: 'static>(value: &T) -> Vec<T> {
    let value: &dyn Any = value;
    let mut others: Vec<Box<dyn Any>> = Vec::new();
    macro_rules! integers {
        ($($t:ty)*) => {$(
            if let Some(value) = value.downcast_ref::<$t>() {
                let near = [0, 1, 2, 3, 4, 5, 8, 16].into_iter().chain([value.saturating_add(1), value.saturating_mul(2)]);
                let below = [value.checked_sub(1), (0 as $t).checked_sub(1), value.checked_neg()];
                let below = below.into_iter().flatten();
                let mut all: Vec<$t> = near.chain(below).filter(|other| other != value).collect();
                all.sort_unstable();
                all.dedup();
                others.extend(all.into_iter().map(|other| Box::new(other) as Box<dyn Any>));
            }
        )*};
    }
    integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    if let Some(flag) = value.downcast_ref::<bool>() {
        others.push(Box::new(!flag));
    }
    let typed = others.into_iter().filter_map(|other| other.downcast().ok());
    typed.map(|other| *other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_floats_change_their_length() {
        let store = Arc::new(vec![1.0, 2.0]);
        assert_eq!(*resized(&store, &|n| n + 1).unwrap(), [0.0; 3]);
        assert_eq!(resized(&Arc::new(vec![1_u8]), &|n| n + 1), None);
    }

    #[test]
    fn integers_have_neighbours() {
        assert_eq!(others(&3_usize), [0, 1, 2, 4, 5, 6, 8, 16]);
        assert_eq!(others(&0_u8), [1, 2, 3, 4, 5, 8, 16]);
        assert_eq!(others(&-5_i32), [-10, -6, -4, -1, 0, 1, 2, 3, 4, 5, 8, 16]);
        assert_eq!(others(&3_i32), [-3, -1, 0, 1, 2, 4, 5, 6, 8, 16]);
        assert_eq!(others(&true), [false]);
        assert!(others(&1.5).is_empty());
    }
}
