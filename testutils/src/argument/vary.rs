//! The same argument at another size, or another integer.

use std::any::Any;
use std::sync::Arc;

use coenzyme::__private::Growing;
use coenzyme::Tangent;

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

/// Of so many integers of one argument each is varied; more are a list, such as one of indices.
const FEW: usize = 3;

/// So many other values are tried of each of several integers, …
const EACH: usize = 6;

/// … and of each of two together.
const TOGETHER: usize = 4;

/// Numbers of the further values begin here.
pub(crate) const FURTHER: usize = 1000;

/// Integers up to here are tried, those at a glance that no list of small ones has: farther out, a function that takes twice the time for
/// the next integer does not end.
const GLANCED: i8 = 20;

/// The same argument with one integer further out, each value also beside each flag turned over: at a glance.
pub(super) fn further<T: Tangent + ?Sized, S: Clone>(
    store: &S,
    get: impl Fn(&mut S) -> &mut T,
) -> Vec<S> {
    let (mut flags, mut integers, mut at, mut grows) = (vec![], vec![], 0, false);
    Tangent::see_integers(get(&mut store.clone()), &mut |part| {
        grows |= part.is::<Growing>();
        match part.is::<bool>() {
            true => flags.push(at),
            false if !other_values(part).is_empty() => integers.push((at, all_values(part))),
            false => {}
        }
        at += 1;
    });
    if grows || flags.len() + integers.len() > FEW {
        return vec![];
    }
    let mut all = Vec::new();
    for turned in std::iter::once(None).chain(flags.into_iter().map(Some)) {
        for (place, values) in &integers {
            all.extend(values.iter().map(|value| {
                let (mut other, mut at) = (store.clone(), 0);
                Tangent::see_integers(get(&mut other), &mut |part| {
                    if at == *place {
                        put(part, &**value);
                    }
                    if let Some(flag) = part.downcast_mut::<bool>().filter(|_| turned == Some(at)) {
                        *flag = !*flag;
                    }
                    at += 1;
                });
                other
            }));
        }
    }
    all
}

/// The same argument with other integers and flags: its only one, each of several, or a list of them in other orders and with repeated entries.
/// An integer beside memory is left alone, for it may be the length of that.
pub(super) fn others<T: Tangent + ?Sized, S: Clone>(
    store: &S,
    get: impl Fn(&mut S) -> &mut T,
) -> Vec<S> {
    let mut seen: Vec<Vec<Box<dyn Any>>> = Vec::new();
    let (mut of, mut grows) = (store.clone(), false);
    Tangent::see_integers(get(&mut of), &mut |part| {
        grows |= part.is::<Growing>();
        seen.push(other_values(part));
    });
    let integers: Vec<usize> = (0..seen.len())
        .filter(|place| !seen[*place].is_empty())
        .collect();
    if grows || integers.is_empty() {
        return vec![];
    }
    if integers.len() > FEW {
        return lists(store, &get);
    }
    let most = match integers.len() {
        1 => usize::MAX,
        _ => EACH,
    };
    let with = |values: &[(usize, usize)]| {
        let (mut other, mut at) = (store.clone(), 0);
        Tangent::see_integers(get(&mut other), &mut |part| {
            let here = values.iter().filter(|(place, _)| *place == at);
            here.for_each(|(place, number)| put(part, &*seen[*place][*number]));
            at += 1;
        });
        other
    };
    let some = |place: usize, most: usize| 0..seen[place].len().min(most);
    let mut all = Vec::new();
    for (turn, one) in integers.iter().enumerate() {
        all.extend(some(*one, most).map(|a| with(&[(*one, a)])));
        for other in &integers[..turn] {
            for a in some(*one, TOGETHER) {
                all.extend(some(*other, TOGETHER).map(|b| with(&[(*one, a), (*other, b)])));
            }
        }
    }
    all
}

/// Calls `$of` with the type of `$part`, if that is an integer or a flag.
macro_rules! by_type {
    ($part:ident, $of:ident $arguments:tt, $otherwise:expr) => {
        by_type!(@ $part, $of $arguments, $otherwise; i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool)
    };
    (@ $part:ident, $of:ident $arguments:tt, $otherwise:expr; $($t:ty)*) => {
        $(if $part.is::<$t>() { $of::<$t> $arguments } else)* { $otherwise }
    };
}

fn put(part: &mut dyn Any, value: &dyn Any) {
    fn typed<T: Copy + 'static>(part: &mut dyn Any, value: &dyn Any) {
        if let (Some(part), Some(value)) = (part.downcast_mut::<T>(), value.downcast_ref::<T>()) {
            *part = *value;
        }
    }
    by_type!(value, typed(part, value), ());
}

/// What becomes of a list: the other way round, moved by one, all like the first, the second like the first.
fn lists<T: Tangent + ?Sized, S: Clone>(store: &S, get: &impl Fn(&mut S) -> &mut T) -> Vec<S> {
    fn copied(part: &dyn Any) -> Option<Box<dyn Any>> {
        fn typed<T: Copy + 'static>(part: &dyn Any) -> Option<Box<dyn Any>> {
            let value: T = *part.downcast_ref()?;
            Some(Box::new(value))
        }
        by_type!(part, typed(part), None)
    }
    let mut values: Vec<Option<Box<dyn Any>>> = Vec::new();
    Tangent::see_integers(get(&mut store.clone()), &mut |part| {
        values.push(copied(part))
    });
    let last = values.len() - 1;
    let sources: [fn(usize, usize) -> usize; 4] = [
        |at, last| last - at,
        |at, last| if at == last { 0 } else { at + 1 },
        |_, _| 0,
        |at, _| if at == 1 { 0 } else { at },
    ];
    let list = |source: fn(usize, usize) -> usize| {
        let (mut other, mut at) = (store.clone(), 0);
        Tangent::see_integers(get(&mut other), &mut |part| {
            if let Some(value) = &values[source(at, last)] {
                put(part, &**value);
            }
            at += 1;
        });
        other
    };
    sources.map(list).into()
}

/// Every integer above five that is small, but the value itself.
fn all_values(value: &dyn Any) -> Vec<Box<dyn Any>> {
    fn typed<T: TryFrom<i8> + PartialEq + Copy + 'static>(value: &dyn Any) -> Vec<Box<dyn Any>> {
        let small = (5..=GLANCED).filter_map(|small| T::try_from(small).ok());
        let own = value.downcast_ref::<T>();
        let others = small.filter(|small| own != Some(small));
        others
            .map(|other| Box::new(other) as Box<dyn Any>)
            .collect()
    }
    macro_rules! integers {
        ($($t:ty)*) => { $(if value.is::<$t>() { typed::<$t>(value) } else)* { vec![] } };
    }
    integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize)
}

/// Other values of an integer or a flag: small ones, its neighbours, and of a signed one some below zero.
fn other_values(value: &dyn Any) -> Vec<Box<dyn Any>> {
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
    others
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
        fn others<T: Tangent + Clone>(value: &T) -> Vec<T> {
            super::others(value, |value| value)
        }
        assert_eq!(others(&3_usize), [0, 1, 2, 4, 5, 6, 8, 16]);
        assert_eq!(others(&0_u8), [1, 2, 3, 4, 5, 8, 16]);
        assert_eq!(others(&-5_i32), [-10, -6, -4, -1, 0, 1, 2, 3, 4, 5, 8, 16]);
        assert_eq!(others(&3_i32), [-3, -1, 0, 1, 2, 4, 5, 6, 8, 16]);
        assert_eq!(others(&true), [false]);
        assert!(others(&1.5).is_empty());
        let both = others(&(0.5, false, 1_u8));
        assert_eq!(both.len(), 1 + EACH + TOGETHER);
        for other in [(0.5, true, 1), (0.5, false, 8), (0.5, true, 0)] {
            assert!(both.contains(&other), "{other:?}");
        }
        assert!(others(&(vec![0.5], 1_u8)).is_empty());
    }

    #[test]
    fn every_small_integer_is_looked_at_beside_every_flag() {
        let both = |of: &(bool, u8)| further(of, |of| of);
        let all = both(&(true, 7));
        assert_eq!(all.len(), 2 * 15);
        assert!(all.contains(&(true, 5)) && all.contains(&(false, 20)));
        assert!(!all.contains(&(false, 7)));
        assert!(further(&vec![1_usize, 2, 3, 4], |list| &mut list[..]).is_empty());
    }

    #[test]
    fn what_a_type_guards_is_left_alone() {
        #[derive(Clone, Debug, PartialEq, Tangent)]
        pub(super) struct Pages {
            most: usize,
            pub(super) last: bool,
        }
        let pages = Pages {
            most: 3,
            last: true,
        };
        let other = Pages {
            most: 3,
            last: false,
        };
        assert_eq!(others(&pages, |pages| pages), [other]);
    }

    #[test]
    fn lists_of_integers_are_put_in_other_orders() {
        let lists = others(&vec![5_usize, 1, 2, 3, 4, 0], |list| &mut list[..]);
        assert_eq!(lists[0], [0, 4, 3, 2, 1, 5]);
        assert_eq!(lists[1], [1, 2, 3, 4, 0, 5]);
        assert_eq!(lists[2], [5; 6]);
        assert_eq!(lists[3], [5, 5, 2, 3, 4, 0]);
    }
}
