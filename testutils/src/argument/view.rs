//! Arguments that are `ndarray` views: tried contiguous, with gaps, backwards, by columns, and as one row repeated.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use coenzyme::ndarray::{
    Array, ArrayView, ArrayViewMut, Axis, AxisDescription, Dim, Dimension, ShapeBuilder, Slice,
};
use coenzyme::{Dual, Tangent};

use super::content::Content;
use super::floats;
use super::passing::{Access, ByReference, Passing, Writable};
use crate::canary::canary;

/// The steps between entries, in every axis, that a view is tried with.
const STEPS: [isize; 3] = [1, 3, -1];

/// An array, and which part of it is the argument: every `step`th entry of each axis. The rest holds canaries.
#[derive(Clone)]
pub struct Strided<T, D: Dimension> {
    parent: Arc<Array<T, D>>,
    step: isize,
    /// The only axis of which that is so, if it is not every one.
    only: Option<usize>,
    /// How much of the last axis lies before the argument.
    skipped: isize,
    /// If the parent is one row or column: along which axis it is repeated, and how often.
    repeated: Option<(usize, usize)>,
}

/// What an array may hold.
pub trait Element: Tangent<Owned = Self> + Clone + Send + Sync + fmt::Debug + 'static {}

impl<T: Tangent<Owned = T> + Clone + Send + Sync + fmt::Debug + 'static> Element for T {}

/// The entries of an array in row-major order, if they are such numbers.
fn doubles<T: 'static, D: Dimension + 'static>(array: &Array<T, D>) -> Option<&[f64]> {
    let array: &dyn Any = array;
    array.downcast_ref::<Array<f64, D>>()?.as_slice()
}

/// The same, to be written.
fn doubles_mut<T: 'static, D: Dimension + 'static>(array: &mut Array<T, D>) -> Option<&mut [f64]> {
    let array: &mut dyn Any = array;
    array.downcast_mut::<Array<f64, D>>()?.as_slice_mut()
}

impl<T: Element, D: Dimension + 'static> Strided<T, D> {
    /// What the argument is of each axis of the parent.
    fn part(&self) -> impl Fn(AxisDescription) -> Slice + use<T, D> {
        let (axes, skipped, step, only) = (self.parent.ndim(), self.skipped, self.step, self.only);
        move |axis| {
            let index = axis.axis.index();
            let step = if only.is_none_or(|only| only == index) {
                step
            } else {
                1
            };
            match index + 1 == axes {
                true => Slice::new(skipped, None, step),
                false => Slice::new(0, None, step),
            }
        }
    }

    fn of(parent: Array<T, D>, step: isize) -> Self {
        let parent = Arc::new(parent);
        Strided {
            parent,
            step,
            only: None,
            skipped: 0,
            repeated: None,
        }
    }

    fn view(&self) -> ArrayView<'_, T, D> {
        match self.repeated {
            Some((axis, times)) => {
                let mut shape = self.parent.raw_dim();
                shape[axis] = times;
                let repeated = self.parent.broadcast(shape);
                repeated.expect("one row can be repeated")
            }
            None if self.is_plain() => self.parent.view(),
            None => self.parent.slice_each_axis(self.part()),
        }
    }

    fn view_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        assert!(
            self.repeated.is_none(),
            "rows that are one memory are only read"
        );
        let (part, plain) = (self.part(), self.is_plain());
        let parent = Arc::make_mut(&mut self.parent);
        match plain {
            true => parent.view_mut(),
            false => parent.slice_each_axis_mut(part),
        }
    }

    fn write(&mut self, flat: &[f64]) {
        match self.repeated {
            Some((axis, _)) => {
                let mut whole = self.view().to_owned();
                Tangent::unflatten(&mut *whole, flat);
                let one = whole.slice_axis(Axis(axis), Slice::new(0, Some(1), 1));
                Arc::make_mut(&mut self.parent).assign(&one);
            }
            None => {
                // A view is checked as it is made, which takes longer than a few numbers do.
                let plain = self.is_plain();
                let parent = Arc::make_mut(&mut self.parent);
                if let Some(floats) = doubles_mut(parent).filter(|_| plain) {
                    return floats::copy(flat, floats);
                }
                match parent.as_slice_mut().filter(|_| plain) {
                    Some(slice) => Tangent::unflatten(slice, flat),
                    None => Tangent::unflatten(&mut *self.view_mut(), flat),
                }
            }
        }
    }

    fn read(&self) -> Vec<f64> {
        let plain = self.is_plain() && self.repeated.is_none();
        if let Some(floats) = doubles(&self.parent).filter(|_| plain) {
            return floats::copied(floats);
        }
        match self.parent.as_slice().filter(|_| plain) {
            Some(slice) => Tangent::to_flat(slice),
            None => Tangent::to_flat(&*self.view()),
        }
    }

    /// The first row, repeated as often as there are rows, or the first of the last axis; not of positions or flags, which no point
    /// replaces.
    fn repeated(&self, way: usize) -> Option<Self> {
        let values = self.view();
        let axis = match way {
            0 => 0,
            1 if values.ndim() > 1 => values.ndim() - 1,
            _ => return None,
        };
        let times = values.shape().get(axis).copied()?;
        if times < 2 || values.is_empty() {
            return None;
        }
        let one = values.slice_axis(Axis(axis), Slice::new(0, Some(1), 1));
        if Tangent::to_flat(&*one).is_empty() {
            return None;
        }
        Some(Strided {
            repeated: Some((axis, times)),
            ..Strided::of(one.to_owned(), 1)
        })
    }

    /// What lies between entries: canaries.
    fn gap(like: &T) -> T {
        let mut gap = like.clone();
        let floats = Tangent::to_flat(&gap).len();
        Tangent::unflatten(&mut gap, &vec![canary(); floats]);
        gap
    }

    /// The same entries behind some that hold canaries, so that registers are not aligned and one row does not end where the next
    /// begins, with the first axis running fastest or the last; an array of one axis lies one entry further.
    fn further(&self, by_columns: bool) -> Option<Self> {
        let values = self.view();
        let gap = Self::gap(values.first()?);
        let mut shape = values.raw_dim();
        *shape.slice_mut().last_mut()? += 1;
        let mut further = Strided {
            skipped: 1,
            ..Strided::of(Array::from_elem(shape.set_f(by_columns), gap), 1)
        };
        further.view_mut().assign(&values);
        Some(further)
    }

    /// The same entries without a gap, with the first axis running fastest.
    fn by_columns(&self) -> Option<Self> {
        let values = self.view();
        let gap = Self::gap(values.first()?);
        let mut columns = Strided::of(Array::from_elem(values.raw_dim().f(), gap), 1);
        columns.view_mut().assign(&values);
        Some(columns)
    }

    /// The same entries at another step, in every axis or in one only.
    fn at_step(&self, step: isize, only: Option<usize>) -> Self {
        let values = self.view();
        let Some(first) = values.first() else {
            return self.clone();
        };
        let mut shape = values.raw_dim();
        for (axis, extent) in shape.slice_mut().iter_mut().enumerate() {
            if only.is_none_or(|only| only == axis) {
                *extent *= step.unsigned_abs();
            }
        }
        let parent = Array::from_elem(shape, Self::gap(first));
        let mut strided = Strided {
            only,
            ..Strided::of(parent, step)
        };
        strided.view_mut().assign(&values);
        strided
    }

    /// The same entries in memory laid out otherwise: of arrays of one axis there are fewer ways.
    fn laid_out(&self, number: usize) -> Option<Self> {
        let last = self.parent.ndim().wrapping_sub(1);
        let by_rows = |number: usize| number < 4 || self.parent.ndim() > 1;
        match number {
            _ if !by_rows(number) => None,
            0..3 => Some(self.at_step(STEPS[number], None)),
            3 => self.further(true),
            4 => self.further(false),
            5 => self.by_columns(),
            6 => Some(self.at_step(-1, Some(0))),
            7 => Some(self.at_step(-1, Some(last))),
            8 => Some(self.at_step(2, Some(last))),
            _ => None,
        }
    }

    /// An array of dual numbers of the same shape.
    pub(super) fn constant(&self) -> Strided<Dual<f64>, D> {
        Strided::of(
            Array::from_elem(self.view().raw_dim(), Dual::constant(0.0)),
            1,
        )
    }

    /// Whether every entry of the parent is one of the argument.
    fn is_whole(&self) -> bool {
        self.skipped == 0 && self.step.unsigned_abs() == 1
    }

    /// Whether the argument is the parent.
    fn is_plain(&self) -> bool {
        self.skipped == 0 && self.step == 1
    }

    fn gaps(&self) -> Vec<f64> {
        if self.is_whole() {
            return Vec::new();
        }
        let mut beside = Array::from_elem(self.parent.raw_dim(), true);
        beside.slice_each_axis_mut(self.part()).fill(false);
        let gaps = self
            .parent
            .iter()
            .zip(&beside)
            .filter(|(_, beside)| **beside);
        gaps.flat_map(|(gap, _)| Tangent::to_flat(gap)).collect()
    }
}

/// The argument is taken as `ArrayView<T, D>`, or as `&ArrayRef<T, D>`, which a view derefs to.
#[derive(Debug)]
pub struct View<T, D>(PhantomData<fn() -> (T, D)>);

/// The argument is taken as `ArrayViewMut<T, D>`, or as `&mut ArrayRef<T, D>`.
#[derive(Debug)]
pub struct ViewMut<T, D>(PhantomData<fn() -> (T, D)>);

macro_rules! strided {
    ($view:ident, $lend:ident, $access:ident) => {
        impl<T: Element, D: Dimension + 'static> Passing for $view<T, D> {
            type Store = Strided<T, D>;
            type Primal<'a> = strided!(@type $lend 'a, T, D);
            type Tangent<'a> = strided!(@type $lend 'a, T, D);
            type Cotangent<'a> = ArrayViewMut<'a, T, D>;

            const ACCESS: Access = Access::$access;
            const VIEW: bool = true;

            fn primal(store: &mut Self::Store) -> Self::Primal<'_> {
                store.$lend()
            }
            fn tangent(store: &mut Self::Store) -> Self::Tangent<'_> {
                store.$lend()
            }
            fn cotangent(store: &mut Self::Store) -> ArrayViewMut<'_, T, D> {
                store.view_mut()
            }
            fn read(store: &Self::Store) -> Vec<f64> {
                store.read()
            }
            fn write(store: &mut Self::Store, flat: &[f64]) {
                store.write(flat);
            }
            fn layout(store: &Self::Store, number: usize) -> Option<Self::Store> {
                store.laid_out(number)
            }
            fn broadcast(store: &Self::Store, way: usize) -> Option<Self::Store> {
                match Self::ACCESS {
                    Access::Shared => store.repeated(way),
                    Access::Exclusive | Access::Value => None,
                }
            }
            fn gaps(store: &Self::Store) -> Vec<f64> {
                store.gaps()
            }
            fn resized(store: &Self::Store, to: &dyn Fn(usize) -> usize) -> Option<Self::Store> {
                let like = store.view().first()?.clone();
                let mut shape = store.view().raw_dim();
                let extents = shape.slice_mut().iter_mut();
                extents.for_each(|extent| *extent = to(*extent));
                Some(Strided::of(Array::from_elem(shape, like), 1))
            }
            fn shape(store: &Self::Store) -> Vec<usize> {
                // that of the entries, unless an entry is several floats, or none
                let (shape, floats) = (store.view().shape().to_vec(), Self::read(store).len());
                match shape.iter().product::<usize>() == floats {
                    true => shape,
                    false => vec![floats],
                }
            }
        }

        impl<T: Element, D: Dimension + 'static> ByReference for $view<T, D> {}
    };
    (@type view $a:lifetime, $t:ident, $d:ident) => { ArrayView<$a, $t, $d> };
    (@type view_mut $a:lifetime, $t:ident, $d:ident) => { ArrayViewMut<$a, $t, $d> };
}

strided!(View, view, Shared);
strided!(ViewMut, view_mut, Exclusive);

impl<T: Element, D: Dimension + 'static> Writable for ViewMut<T, D> {}

/// A view of this array.
impl<T: Element, D: Dimension + 'static> Content for Array<T, D> {
    type Read = View<T, D>;
    type Write = ViewMut<T, D>;

    fn store(self) -> (Strided<T, D>, bool) {
        (Strided::of(self, 1), false)
    }
}

/// A view of an array of this shape, of random numbers: `input(Dim([2, 3]))`.
impl<I: 'static> Content for Dim<I>
where
    Dim<I>: Dimension,
{
    type Read = View<f64, Self>;
    type Write = ViewMut<f64, Self>;

    fn store(self) -> (Strided<f64, Self>, bool) {
        let (contiguous, _) = Array::zeros(self).store();
        (contiguous, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canary::is_canary;
    use coenzyme::ndarray::array;

    #[test]
    fn layouts_hold_the_same_numbers() {
        let (store, _) = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].store();
        let layouts = [
            (0, 0),
            (1, 6 * 9 - 6),
            (2, 0),
            (3, 2),
            (4, 2),
            (5, 0),
            (6, 0),
            (7, 0),
            (8, 6),
        ];
        for (number, gaps) in layouts {
            let store = View::layout(&store, number).unwrap();
            assert_eq!(View::read(&store), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
            assert_eq!(store.gaps().len(), gaps);
            assert!(store.gaps().into_iter().all(is_canary));
        }
        assert!(View::layout(&store, 9).is_none());
        let strides = |number| {
            View::layout(&store, number)
                .unwrap()
                .view()
                .strides()
                .to_vec()
        };
        assert_eq!((strides(4), strides(5)), (vec![4, 1], vec![1, 2]));
        assert_eq!(
            (strides(6), strides(7), strides(8)),
            (vec![-3, 1], vec![3, -1], vec![6, 2])
        );
        let columns = View::layout(&store, 3).unwrap();
        assert_eq!(columns.view().strides(), [1, 2]);
        let one_axis = array![1.0, 2.0].store().0;
        assert!(View::layout(&one_axis, 4).is_none());
        let further = View::layout(&one_axis, 3).unwrap();
        assert_eq!(
            (View::read(&further), further.gaps().len()),
            (vec![1.0, 2.0], 1)
        );
        assert_eq!(further.view().as_ptr().addr() % 16, 8);
    }

    #[test]
    fn broadcast_rows_are_one_memory() {
        let (store, _) = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].store();
        let mut rows = View::broadcast(&store, 0).unwrap();
        assert_eq!(rows.view().strides(), [0, 1]);
        assert_eq!(View::read(&rows), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        View::write(&mut rows, &[7.0, 8.0, 9.0, 7.0, 8.0, 9.0]);
        assert_eq!(View::read(&rows), [7.0, 8.0, 9.0, 7.0, 8.0, 9.0]);
        let mut columns = View::broadcast(&store, 1).unwrap();
        assert_eq!(columns.view().strides(), [1, 0]);
        assert_eq!(View::read(&columns), [1.0, 1.0, 1.0, 4.0, 4.0, 4.0]);
        View::write(&mut columns, &[7.0, 7.0, 7.0, 8.0, 8.0, 8.0]);
        assert_eq!(View::read(&columns), [7.0, 7.0, 7.0, 8.0, 8.0, 8.0]);
        assert!(View::broadcast(&array![1.0, 2.0].store().0, 1).is_none());
        assert!(ViewMut::broadcast(&store, 0).is_none());
        assert!(View::broadcast(&array![[1.0]].store().0, 0).is_none());
    }

    #[test]
    fn the_product_of_a_shape_is_the_number_of_floats() {
        let (numbers, _) = array![[1.0, 2.0]].store();
        assert_eq!(View::shape(&numbers), [1, 2]);
        let (flags, _) = array![[true, false]].store();
        assert_eq!(View::shape(&flags), [0]);
        let (pairs, _) = array![(1.0, 2.0)].store();
        assert_eq!(View::shape(&pairs), [2]);
    }

    #[test]
    fn writing_to_a_view_leaves_its_gaps() {
        let mut store = array![1.0, 2.0].store().0.at_step(3, None);
        ViewMut::write(&mut store, &[5.0, 6.0]);
        assert_eq!(
            (ViewMut::read(&store), store.gaps().len()),
            (vec![5.0, 6.0], 4)
        );
        Arc::make_mut(&mut store.parent)[1] = 7.0;
        assert!(!store.gaps().into_iter().all(is_canary));
    }

    #[test]
    fn empty_arrays_have_empty_layouts() {
        let (store, _) = Array::<f64, _>::zeros((0, 2)).store();
        let strided = View::layout(&store, 1).unwrap();
        assert_eq!((View::read(&strided).len(), strided.gaps().len()), (0, 0));
    }

    #[test]
    fn rows_of_what_has_no_numbers_are_never_one() {
        let of = |number| View::layout(&array![[true, false], [false, true]].store().0, number);
        let stores: Vec<_> = (0..).map_while(of).collect();
        assert!(stores.len() > 1);
        for store in stores {
            assert_eq!(store.view(), array![[true, false], [false, true]]);
        }
    }
}
