//! Arrays whose type of numbers and whose shape are known at run time.

mod dtype;
mod spec;

pub use dtype::{DType, Element};
pub use spec::{Shape, Spec};

use std::ops::Range;

use ndarray::{ArcArray, Array, ArrayD, ArrayRef, Dimension, IxDyn};
use num_complex::Complex;

use dtype::Data;

/// An array, of any rank and of one of the types of [`DType`]. Clones share the memory; writing to one copies it first if it is shared.
/// The entries lie in memory in logical order, the last axis fastest.
///
/// ```
/// use coenzyme_operations::{DType, Value};
/// use ndarray::array;
///
/// let x = Value::from(array![[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!((x.dtype(), x.shape()), (DType::F64, &[2, 2][..]));
/// assert_eq!(x.get::<f64>().unwrap().sum(), 10.0);
/// assert!(x.get::<f32>().is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Value(Data);

/// The same expression for whatever type of number there is.
macro_rules! each {
    ($data:expr, $x:ident => $body:expr) => {
        match $data {
            Data::F32($x) => $body,
            Data::F64($x) => $body,
            Data::I64($x) => $body,
            Data::Bool($x) => $body,
            Data::Complex($x) => $body,
        }
    };
}

impl Value {
    /// A number: an array of rank 0.
    #[must_use]
    pub fn number<T: Element>(x: T) -> Self {
        Self::from(ndarray::arr0(x))
    }

    /// Zeros, `false` for [`DType::Bool`].
    #[must_use]
    pub fn zeros(spec: &Spec) -> Self {
        Self::full(spec, 0.0)
    }

    /// An array of one number, converted as by `as`; for [`DType::Bool`], whether it is not zero.
    #[must_use]
    pub fn full(spec: &Spec, x: f64) -> Self {
        fn of<T: Element>(spec: &Spec, x: T) -> Value {
            Value::shared(ArcArray::from_elem(IxDyn(&spec.shape), x))
        }
        match spec.dtype {
            DType::F32 => of(spec, x as f32),
            DType::F64 => of(spec, x),
            DType::I64 => of(spec, x as i64),
            DType::Bool => of(spec, x != 0.0),
            DType::Complex => of(spec, Complex::new(x, 0.0)),
        }
    }

    /// Numbers in logical order; `None` if there are not as many as the shape says.
    #[must_use]
    pub fn from_vec<T: Element>(shape: &[usize], entries: Vec<T>) -> Option<Self> {
        let array = ArrayD::from_shape_vec(IxDyn(shape), entries).ok()?;
        Some(Self::from(array))
    }

    /// An array without entries, for what looks at the rank alone.
    pub(crate) fn of_rank(rank: usize) -> Self {
        Self::shared(ArcArray::<bool, _>::from_elem(IxDyn(&vec![0; rank]), false))
    }

    pub(crate) fn shared<T: Element>(x: ArcArray<T, IxDyn>) -> Self {
        Self(T::data(x))
    }

    /// The type of its numbers.
    #[must_use]
    pub fn dtype(&self) -> DType {
        match &self.0 {
            Data::F32(_) => DType::F32,
            Data::F64(_) => DType::F64,
            Data::I64(_) => DType::I64,
            Data::Bool(_) => DType::Bool,
            Data::Complex(_) => DType::Complex,
        }
    }

    /// The lengths of its axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        each!(&self.0, x => x.shape())
    }

    /// The array without its entries.
    #[must_use]
    pub fn spec(&self) -> Spec {
        Spec::new(self.dtype(), self.shape())
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        each!(&self.0, x => x.len())
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of its entries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.len() * self.dtype().bytes()
    }

    /// The array, if it has numbers of type `T`.
    #[must_use]
    pub fn get<T: Element>(&self) -> Option<&ArrayRef<T, IxDyn>> {
        T::of(&self.0).map(|x| &**x)
    }

    /// The array, to be written, if it has numbers of type `T`. Copies it if it is shared.
    #[must_use]
    pub fn get_mut<T: Element>(&mut self) -> Option<&mut ArrayRef<T, IxDyn>> {
        T::of_mut(&mut self.0).map(|x| &mut **x)
    }

    /// The array itself, copied if it is shared.
    pub(crate) fn take<T: Element>(self) -> Option<ArrayD<T>> {
        T::array(self.0).map(ArcArray::into_owned)
    }

    /// Its entries in logical order, copied if they are shared.
    pub(crate) fn take_vec<T: Element>(self) -> Option<Vec<T>> {
        let array = self.take::<T>()?;
        let n = array.len();
        let (entries, offset) = array.into_raw_vec_and_offset();
        match offset.unwrap_or(0) {
            0 if entries.len() == n => Some(entries),
            start => Some(entries[start..start + n].to_vec()),
        }
    }

    /// The entries in logical order, if they are of type `T`.
    #[must_use]
    pub fn entries<T: Element>(&self) -> Option<&[T]> {
        self.get().map(|x| x.as_slice().expect("in logical order"))
    }

    /// An owned array of a fixed rank, if type and rank are right.
    #[must_use]
    pub fn to_array<T: Element, D: Dimension>(&self) -> Option<Array<T, D>> {
        self.get::<T>()?.to_owned().into_dimensionality().ok()
    }

    /// The only entry of an array of one entry.
    #[must_use]
    pub fn to_number<T: Element>(&self) -> Option<T> {
        match self.entries()? {
            [x] => Some(*x),
            _ => None,
        }
    }

    /// Zeros of the same type and shape.
    #[must_use]
    pub fn zeros_like(&self) -> Self {
        Self::zeros(&self.spec())
    }

    /// The entries as numbers of another type, as by `as`: complex numbers lose their imaginary part, `bool` is 0 and 1.
    #[must_use]
    pub fn cast(&self, to: DType) -> Self {
        if to == self.dtype() {
            return self.clone();
        }
        fn of<T: Element>(x: &ArcArray<T, IxDyn>, to: DType) -> Value {
            match to {
                DType::F32 => x.mapv(|x| x.to_f64() as f32).into(),
                DType::F64 => x.mapv(T::to_f64).into(),
                DType::I64 => x.mapv(T::to_i64).into(),
                DType::Bool => x.mapv(|x| x != T::default()).into(),
                DType::Complex => x.mapv(|x| Complex::new(x.to_f64(), 0.0)).into(),
            }
        }
        each!(&self.0, x => of(x, to))
    }

    /// The same entries in another shape, without a copy; `None` if there are not as many.
    #[must_use]
    pub fn reshaped(&self, shape: &[usize]) -> Option<Self> {
        each!(&self.0, x => x.clone().into_shape_with_order(IxDyn(shape)).ok().map(Value::shared))
    }

    /// A copy of some of the entries in logical order, as an array of rank 1.
    ///
    /// # Panics
    /// If there are not as many.
    #[must_use]
    pub fn part(&self, entries: Range<usize>) -> Self {
        each!(&self.0, x => x.as_slice().expect("in logical order")[entries].to_vec().into())
    }

    /// Writes the entries of `part` in logical order, from the one at `start` on. Copies the array if it is shared.
    ///
    /// # Panics
    /// If the types differ, or it is too long.
    pub fn put(&mut self, start: usize, part: &Self) {
        fn put<T: Element>(x: &mut ArcArray<T, IxDyn>, start: usize, part: &Value) {
            let part = part.entries::<T>().expect("of one type");
            let x = x.as_slice_mut().expect("in logical order");
            x[start..start + part.len()].copy_from_slice(part);
        }
        each!(&mut self.0, x => put(x, start, part));
    }

    /// Adds the entries of `part` to those from the one at `start` on, for numbers with derivatives.
    ///
    /// # Panics
    /// If the types differ or have no derivative, or it is too long.
    pub fn accumulate_at(&mut self, start: usize, part: &Self) {
        fn add<T: Element + std::ops::AddAssign>(
            x: &mut ArcArray<T, IxDyn>,
            start: usize,
            part: &ArcArray<T, IxDyn>,
        ) {
            let part = part.as_slice().expect("in logical order");
            let x = x.as_slice_mut().expect("in logical order");
            let x = &mut x[start..start + part.len()];
            x.iter_mut().zip(part).for_each(|(x, y)| *x += *y);
        }
        match (&mut self.0, &part.0) {
            (Data::F32(x), Data::F32(y)) => add(x, start, y),
            (Data::F64(x), Data::F64(y)) => add(x, start, y),
            (Data::Complex(x), Data::Complex(y)) => add(x, start, y),
            _ => panic!("cannot add {} to {}", part.spec(), self.spec()),
        }
    }

    /// Whether type, shape and every bit are the same: NaN equals itself, and −0 is not 0.
    #[must_use]
    pub fn same_bits(&self, other: &Self) -> bool {
        fn same<T: Element>(x: &ArcArray<T, IxDyn>, y: &Value) -> bool {
            let y = y.get::<T>().expect("of one type");
            x.iter().zip(y).all(|(x, y)| x.same_bits(y))
        }
        self.dtype() == other.dtype()
            && self.shape() == other.shape()
            && each!(&self.0, x => same(x, other))
    }

    /// `self += other`, for numbers with derivatives.
    ///
    /// # Panics
    /// If types or shapes differ.
    pub fn accumulate(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Data::F32(x), Data::F32(y)) => **x += &**y,
            (Data::F64(x), Data::F64(y)) => **x += &**y,
            (Data::Complex(x), Data::Complex(y)) => **x += &**y,
            _ => panic!("cannot add {} to {}", other.spec(), self.spec()),
        }
    }

    /// `self *= by`, for numbers with derivatives; others stay as they are.
    pub fn scale(&mut self, by: f64) {
        match &mut self.0 {
            Data::F32(x) => x.mapv_inplace(|x| x * by as f32),
            Data::F64(x) => x.mapv_inplace(|x| x * by),
            Data::Complex(x) => x.mapv_inplace(|x| x * by),
            Data::I64(_) | Data::Bool(_) => {}
        }
    }

    /// The real inner product `Σ xᵢ·yᵢ`, of complex numbers `Σ Re(conj(xᵢ)·yᵢ)`; 0 for types without derivative. The sum runs in
    /// logical order.
    ///
    /// # Panics
    /// If types or shapes differ.
    #[must_use]
    pub fn inner(&self, other: &Self) -> f64 {
        assert_eq!(self.spec(), other.spec(), "an inner product");
        match (&self.0, &other.0) {
            (Data::F32(x), Data::F32(y)) => x
                .iter()
                .zip(&**y)
                .map(|(x, y)| f64::from(*x) * f64::from(*y))
                .sum(),
            (Data::F64(x), Data::F64(y)) => x.iter().zip(&**y).map(|(x, y)| x * y).sum(),
            (Data::Complex(x), Data::Complex(y)) => {
                x.iter().zip(&**y).map(|(x, y)| (x.conj() * y).re).sum()
            }
            _ => 0.0,
        }
    }
}

impl<T: Element, D: Dimension> From<Array<T, D>> for Value {
    fn from(x: Array<T, D>) -> Self {
        let x = x.into_dyn();
        Self::shared(match x.is_standard_layout() {
            true => x.into_shared(),
            false => x.as_standard_layout().into_owned().into_shared(),
        })
    }
}

impl<T: Element> From<Vec<T>> for Value {
    fn from(x: Vec<T>) -> Self {
        Self::from(ndarray::Array1::from(x))
    }
}
