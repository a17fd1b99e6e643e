//! Which entries of an array a view has: what generated code knows of `a.row_mut(i)`, `a.slice_mut(s![…])` and the rest.

use ndarray::{
    Array, ArrayBase, ArrayRef, Axis, Dimension, IntoDimension, Ix1, Ix2, RawData, RemoveAxis,
    Slice, SliceArg, SliceInfoElem, aview0,
};

use crate::real::Real;

/// A part of an array with the axes `D`.
#[diagnostic::on_unimplemented(
    message = "this part of an array with the axes `{D}` is not known",
    note = "`row`, `column`, `rows` and `columns` are parts of matrices: of other arrays take `index_axis_mut` or `slice_mut`"
)]
pub trait Selection<D: Dimension> {
    /// The axes of the part.
    type Out: Dimension;

    /// The view of the part.
    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, Self::Out>;

    /// Where the entry at `at` in the part stands in an array of this shape.
    fn place(&self, shape: &D, at: &Self::Out) -> D;
}

/// All of it.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl<D: Dimension> Selection<D> for All {
    type Out = D;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, D> {
        whole
    }
    #[inline]
    fn place(&self, _: &D, at: &D) -> D {
        at.clone()
    }
}

/// What stands at a position of an axis: `index_axis_mut`, `axis_iter`.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Axis, pub usize);

impl<D: RemoveAxis> Selection<D> for At {
    type Out = D::Smaller;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, D::Smaller> {
        whole.index_axis_move(self.0, self.1)
    }
    #[inline]
    fn place(&self, shape: &D, at: &D::Smaller) -> D {
        let mut place = D::zeros(shape.ndim());
        for i in 0..shape.ndim() {
            place[i] = match i.cmp(&self.0.0) {
                std::cmp::Ordering::Less => at[i],
                std::cmp::Ordering::Equal => self.1,
                std::cmp::Ordering::Greater => at[i - 1],
            };
        }
        place
    }
}

/// Lane number `k` along an axis of a matrix: a column for axis 0, a row for axis 1.
#[derive(Clone, Copy, Debug)]
pub struct Lane(pub Axis, pub usize);

impl Lane {
    fn at(&self) -> At {
        At(Axis(1 - self.0.0), self.1)
    }
}

impl Selection<Ix2> for Lane {
    type Out = Ix1;

    fn of<S: RawData>(&self, whole: ArrayBase<S, Ix2>) -> ArrayBase<S, Ix1> {
        self.at().of(whole)
    }
    #[inline]
    fn place(&self, shape: &Ix2, at: &Ix1) -> Ix2 {
        self.at().place(shape, at)
    }
}

/// The entries in a range of an axis.
#[derive(Clone, Copy, Debug)]
pub struct Within(pub Axis, pub usize, pub usize);

impl<D: Dimension> Selection<D> for Within {
    type Out = D;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, D> {
        whole.slice_axis_move(self.0, Slice::from(self.1..self.2))
    }
    #[inline]
    fn place(&self, _: &D, at: &D) -> D {
        let mut place = at.clone();
        place[self.0.0] += self.1;
        place
    }
}

/// The diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Diagonal;

impl<D: Dimension> Selection<D> for Diagonal {
    type Out = Ix1;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, Ix1> {
        whole.into_diag()
    }
    #[inline]
    fn place(&self, shape: &D, at: &Ix1) -> D {
        let mut place = D::zeros(shape.ndim());
        place.slice_mut().fill(at[0]);
        place
    }
}

/// What `s![…]` selects.
#[derive(Clone, Copy, Debug)]
pub struct Sliced<I>(pub I);

impl<D: Dimension, I: SliceArg<D> + Clone> Selection<D> for Sliced<I> {
    type Out = I::OutDim;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, I::OutDim> {
        whole.slice_move(self.0.clone())
    }
    #[inline]
    fn place(&self, shape: &D, at: &I::OutDim) -> D {
        let mut place = D::zeros(shape.ndim());
        let (mut axis, mut axis_of_part) = (0, 0);
        for selected in self.0.as_ref() {
            let n = shape.slice().get(axis).map_or(0, |n| *n as isize);
            let from_front = |i: isize| if i < 0 { i + n } else { i };
            place[axis] = match *selected {
                SliceInfoElem::NewAxis => {
                    axis_of_part += 1;
                    continue;
                }
                SliceInfoElem::Index(i) => from_front(i) as usize,
                SliceInfoElem::Slice { start, end, step } => {
                    let k = at[axis_of_part] as isize;
                    axis_of_part += 1;
                    let i = match step > 0 {
                        true => from_front(start) + k * step,
                        false => end.map_or(n, from_front) - 1 + k * step,
                    };
                    i as usize
                }
            };
            axis += 1;
        }
        place
    }
}

/// A part of a part.
#[derive(Clone, Copy, Debug)]
pub struct Then<A, B>(pub A, pub B);

impl<D: Dimension, A: Selection<D>, B: Selection<A::Out>> Selection<D> for Then<A, B> {
    type Out = B::Out;

    fn of<S: RawData>(&self, whole: ArrayBase<S, D>) -> ArrayBase<S, B::Out> {
        self.1.of(self.0.of(whole))
    }
    fn place(&self, shape: &D, at: &B::Out) -> D {
        let between = self.1.place(&shape_of(&self.0, shape), at);
        self.0.place(shape, &between)
    }
}

/// The shape of a part of an array of this shape.
pub fn shape_of<D: Dimension, S: Selection<D>>(part: &S, shape: &D) -> S::Out {
    let nothing = aview0(&());
    let whole = nothing.broadcast(shape.clone());
    part.of(whole.expect("a number fits every shape")).raw_dim()
}

/// Entry `at` of a part, by its place in an array of this shape.
///
/// # Panics
/// If the part, whose shape is `part_shape`, has no such entry.
#[inline]
#[track_caller]
pub fn inside<D: Dimension, S: Selection<D>>(
    part: &S,
    shape: &D,
    part_shape: &S::Out,
    at: impl IntoDimension<Dim = S::Out>,
) -> D {
    let at = at.into_dimension();
    let fits = at
        .slice()
        .iter()
        .zip(part_shape.slice())
        .all(|(i, n)| i < n);
    assert!(fits, "index {at:?} of a part of shape {part_shape:?}");
    part.place(shape, &at)
}

/// The number of entries of an array of this shape.
#[inline]
pub fn entries<D: Dimension>(shape: &D) -> usize {
    shape.size()
}

/// Entry number `k` in logical order, by its index in an array of this shape.
#[inline]
pub fn nth<D: Dimension>(shape: &D, mut k: usize) -> D {
    let mut index = D::zeros(shape.ndim());
    for i in (1..shape.ndim()).rev() {
        index[i] = k % shape[i];
        k /= shape[i];
    }
    if shape.ndim() > 0 {
        index[0] = k;
    }
    index
}

/// As [`nth`], in the form of which `indexed_iter` speaks.
#[inline]
pub fn nth_index<D: Dimension>(shape: &D, k: usize) -> D::Pattern {
    nth(shape, k).into_pattern()
}

/// The shape that `shape` stands for.
#[inline]
pub fn shape<K: IntoDimension>(shape: K) -> K::Dim {
    shape.into_dimension()
}

/// The number of lanes along an axis of a matrix.
#[inline]
pub fn number_of_lanes(shape: &Ix2, axis: Axis) -> usize {
    shape[1 - axis.index()]
}

/// Room for arrays one after the other along an axis, all zero, of the entries of `first`.
///
/// # Panics
/// If the shapes differ in another axis.
#[track_caller]
pub fn room_to_concatenate<T: Real, D: Dimension>(
    axis: Axis,
    first: &ArrayRef<T, D>,
    shapes: &[&[usize]],
) -> Array<T, D> {
    let mut shape = first.raw_dim();
    let beside = |s: &[usize]| {
        let mut s = s.to_vec();
        s[axis.index()] = 0;
        s
    };
    let fit = shapes.iter().all(|s| beside(s) == beside(shapes[0]));
    assert!(
        fit,
        "arrays of shapes {shapes:?} cannot be concatenated along axis {axis:?}"
    );
    shape[axis.index()] = shapes.iter().map(|s| s[axis.index()]).sum();
    Array::zeros(shape)
}

/// Room for arrays side by side along an axis of its own, all zero, of the entries of `first`.
///
/// # Panics
/// If the shapes differ.
#[track_caller]
pub fn room_to_stack<T: Real, D: Dimension>(
    axis: Axis,
    first: &ArrayRef<T, D>,
    shapes: &[&[usize]],
) -> Array<T, D::Larger> {
    let fit = shapes.iter().all(|s| *s == shapes[0]);
    assert!(fit, "arrays of shapes {shapes:?} cannot be stacked");
    let mut shape = D::Larger::zeros(first.ndim() + 1);
    for i in 0..shape.ndim() {
        shape[i] = match i.cmp(&axis.index()) {
            std::cmp::Ordering::Less => first.len_of(Axis(i)),
            std::cmp::Ordering::Equal => shapes.len(),
            std::cmp::Ordering::Greater => first.len_of(Axis(i - 1)),
        };
    }
    Array::zeros(shape)
}
