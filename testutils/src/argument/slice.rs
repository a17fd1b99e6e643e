//! Arguments that are slices: tried as vectors are allocated, and one entry further, where registers are not aligned and the
//! allocation goes on behind the last entry.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use coenzyme::Tangent;

use super::floats;
use super::passing::{Access, ByReference, Lent, Passing, Writable};
use super::vary;
use crate::canary::canary;

/// What owns a slice: its entries, and what is before and behind them: nothing, canaries, or another slice.
#[derive(Clone, Debug)]
pub struct Piece<T> {
    parent: Arc<Vec<T>>,
    range: Range<usize>,
    /// Whether canaries are beside the entries.
    guarded: bool,
}

impl<T> Piece<T> {
    pub(super) fn new(entries: Vec<T>) -> Self {
        Piece {
            range: 0..entries.len(),
            parent: Arc::new(entries),
            guarded: false,
        }
    }

    pub(super) fn get(&self) -> &[T] {
        &self.parent[self.range.clone()]
    }
}

impl<T: Clone> Piece<T> {
    fn get_mut(&mut self) -> &mut [T] {
        &mut Arc::make_mut(&mut self.parent)[self.range.clone()]
    }

    /// The same entries, and directly behind them in one allocation those of another.
    fn adjoining(&self, other: &Self) -> (Self, Self) {
        let parent = Arc::new([self.get(), other.get()].concat());
        let (middle, end) = (self.get().len(), parent.len());
        let part = |range| Piece {
            parent: Arc::clone(&parent),
            range,
            guarded: false,
        };
        (part(0..middle), part(middle..end))
    }

    /// The same entries, one further in memory that begins with a canary and ends with one; `None` if there are no numbers.
    fn further(&self) -> Option<Self>
    where
        [T]: Tangent,
    {
        let mut parent = vec![self.get().first()?.clone()];
        let floats = Tangent::to_flat(&parent[..]).len();
        Tangent::unflatten(&mut parent[..], &vec![canary(); floats]);
        let guard = parent[0].clone();
        parent.extend_from_slice(self.get());
        parent.push(guard);
        let piece = Piece {
            range: 1..parent.len() - 1,
            parent: Arc::new(parent),
            guarded: true,
        };
        (floats > 0).then_some(piece)
    }
}

/// The argument is taken as `&[T]`.
#[derive(Debug)]
pub struct Slice<T>(PhantomData<fn() -> T>);

/// The argument is taken as `&mut [T]`.
#[derive(Debug)]
pub struct SliceMut<T>(PhantomData<fn() -> T>);

macro_rules! slices {
    ($($slice:ident, $primal:ty, $lend:ident, $access:ident;)*) => {$(
        impl<T: Clone + Send + Sync + 'static> Passing for $slice<T>
        where
            [T]: Lent,
        {
            type Store = Piece<T>;
            type Primal<'a> = $primal;
            type Tangent<'a> = $primal;
            type Cotangent<'a> = &'a mut [T];

            const ACCESS: Access = Access::$access;

            fn primal(store: &mut Piece<T>) -> Self::Primal<'_> {
                store.$lend()
            }
            fn tangent(store: &mut Piece<T>) -> Self::Tangent<'_> {
                store.$lend()
            }
            fn cotangent(store: &mut Piece<T>) -> &mut [T] {
                store.get_mut()
            }
            fn read(store: &Piece<T>) -> Vec<f64> {
                floats::read(&*store.parent, store.range.clone()).unwrap_or_else(|| Tangent::to_flat(store.get()))
            }
            fn write(store: &mut Piece<T>, flat: &[f64]) {
                let range = store.range.clone();
                let parent: &mut Vec<T> = Arc::make_mut(&mut store.parent);
                if !floats::write(parent, range, flat) {
                    Tangent::unflatten(store.get_mut(), flat);
                }
            }
            fn layout(store: &Piece<T>, number: usize) -> Option<Piece<T>> {
                match number {
                    0 => Some(store.clone()),
                    1 => store.further(),
                    _ => None,
                }
            }
            fn resized(store: &Piece<T>, to: &dyn Fn(usize) -> usize) -> Option<Piece<T>> {
                let parent: Arc<Vec<T>> = vary::resized(&Arc::new(store.get().to_vec()), to)?;
                Some(Piece { range: 0..parent.len(), parent, guarded: false })
            }
            fn others(store: &Piece<T>) -> Vec<Piece<T>> {
                vary::others(store, Piece::get_mut)
            }
            fn adjoining(store: &Piece<T>, other: &Piece<T>) -> Option<(Piece<T>, Piece<T>)> {
                let both = Access::$access == Access::Shared && !store.get().is_empty() && !other.get().is_empty();
                both.then(|| store.adjoining(other))
            }
            fn gaps(store: &Piece<T>) -> Vec<f64> {
                if !store.guarded {
                    return Vec::new();
                }
                let (before, behind) = (0..store.range.start, store.range.end..store.parent.len());
                [before, behind].map(|range| Tangent::to_flat(&store.parent[range])).concat()
            }
        }

        impl<T: Clone + Send + Sync + 'static> ByReference for $slice<T> where [T]: Lent {}
    )*};
}

slices! {
    Slice, &'a [T], get, Shared;
    SliceMut, &'a mut [T], get_mut, Exclusive;
}

impl<T: Clone + Send + Sync + 'static> Writable for SliceMut<T> where [T]: Lent {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canary::is_canary;

    #[test]
    fn one_entry_further_no_register_is_aligned() {
        let store = Piece::new(vec![1.0, 2.0, 3.0]);
        let mut further = Slice::layout(&store, 1).unwrap();
        assert_eq!(Slice::read(&further), [1.0, 2.0, 3.0]);
        assert_eq!(Slice::primal(&mut further).as_ptr().addr() % 16, 8);
        Slice::write(&mut further, &[4.0, 5.0, 6.0]);
        assert_eq!(further.get(), [4.0, 5.0, 6.0]);
        let gaps = Slice::gaps(&further);
        assert!(gaps.len() == 2 && gaps.into_iter().all(is_canary));
        assert!(Slice::layout(&store, 2).is_none());
    }

    #[test]
    fn one_slice_ends_where_the_other_begins() {
        let (one, other) = (Piece::new(vec![1.0, 2.0]), Piece::new(vec![3.0]));
        let (mut one, mut other) = Slice::adjoining(&one, &other).unwrap();
        assert_eq!((one.get(), other.get()), (&[1.0, 2.0][..], &[3.0][..]));
        let end = one.get().as_ptr_range().end;
        assert_eq!(end, other.get().as_ptr());
        assert!(Slice::gaps(&one).is_empty());
        Slice::write(&mut one, &[4.0, 5.0]);
        Slice::write(&mut other, &[6.0]);
        assert_eq!((one.get(), other.get()), (&[4.0, 5.0][..], &[6.0][..]));
        assert!(SliceMut::adjoining(&one, &other).is_none());
    }

    #[test]
    fn what_has_no_numbers_has_one_layout() {
        assert!(Slice::layout(&Piece::<f64>::new(vec![]), 1).is_none());
        assert!(Slice::layout(&Piece::new(vec![true, false]), 1).is_none());
    }
}
