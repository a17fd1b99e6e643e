//! Rules of any shape as rules of vectors, so that one tester serves them all.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use coenzyme::{Inactive, primitive};
use coenzyme_cuda::rules::class::{Binary, Unary};
use coenzyme_cuda::{DeviceArray, Float, Result, binary_rule, unary_rule};
use ndarray::Dimension;

type Kept = Box<dyn Any + Send>;

/// A rule of one vector.
pub(crate) trait Op<T: Float>: Send + Sync {
    fn value(&self, x: &DeviceArray<T>) -> Result<(DeviceArray<T>, Kept)>;
    fn tangent(
        &self,
        x: &DeviceArray<T>,
        kept: &Kept,
        dx: &DeviceArray<T>,
    ) -> Result<DeviceArray<T>>;
    fn cotangent(
        &self,
        x: Option<&DeviceArray<T>>,
        kept: &Kept,
        dy: &DeviceArray<T>,
        dx: &mut DeviceArray<T>,
    ) -> Result<()>;
}

/// A rule of an array of this shape.
pub(crate) struct Of<U: Unary, D, E> {
    shape: D,
    attrs: U::Attrs,
    of: PhantomData<fn() -> (U, E)>,
}

/// The rule `U` of arrays of this shape, as a rule of vectors.
pub(crate) fn of<U, T, D, E>(shape: D, attrs: U::Attrs) -> Inactive<Arc<dyn Op<T>>>
where
    T: Float,
    D: Dimension + Sync + 'static,
    E: Dimension + 'static,
    U: Unary<X = DeviceArray<T, D>, Out = DeviceArray<T, E>, Attrs: Send + Sync> + 'static,
{
    let of = PhantomData;
    Inactive(Arc::new(Of::<U, D, E> { shape, attrs, of }))
}

fn flat<T: Float, D: Dimension>(x: &DeviceArray<T, D>) -> DeviceArray<T> {
    x.reshaped(x.len()).expect("the same length")
}

impl<T, U, D, E> Op<T> for Of<U, D, E>
where
    T: Float,
    D: Dimension + Sync + 'static,
    E: Dimension + 'static,
    U: Unary<X = DeviceArray<T, D>, Out = DeviceArray<T, E>, Attrs: Send + Sync> + 'static,
{
    fn value(&self, x: &DeviceArray<T>) -> Result<(DeviceArray<T>, Kept)> {
        let (y, residual) = U::value(&x.reshaped(self.shape.clone())?, &self.attrs)?;
        let shape = y.raw_dim();
        Ok((flat(&y), Box::new((shape, residual))))
    }
    fn tangent(
        &self,
        x: &DeviceArray<T>,
        kept: &Kept,
        dx: &DeviceArray<T>,
    ) -> Result<DeviceArray<T>> {
        let (_, residual): &(E, U::Residual) = kept.downcast_ref().expect("made by `value`");
        let (x, dx) = (
            x.reshaped(self.shape.clone())?,
            dx.reshaped(self.shape.clone())?,
        );
        Ok(flat(&U::pushforward(&x, residual, &dx, &self.attrs)?))
    }
    fn cotangent(
        &self,
        x: Option<&DeviceArray<T>>,
        kept: &Kept,
        dy: &DeviceArray<T>,
        dx: &mut DeviceArray<T>,
    ) -> Result<()> {
        let (shape, residual): &(E, U::Residual) = kept.downcast_ref().expect("made by `value`");
        let x = x.map(|x| x.reshaped(self.shape.clone())).transpose()?;
        let x = x.as_ref().filter(|_| U::READS_X);
        let dy = dy.reshaped(shape.clone())?;
        let mut shaped = dx.reshaped(self.shape.clone())?;
        U::pullback(x, residual, &dy, &mut shaped, &self.attrs)?;
        *dx = flat(&shaped);
        Ok(())
    }
}

/// The function of a rule of vectors.
#[primitive]
pub(crate) fn shaped<T: Float>(
    x: &DeviceArray<T>,
    op: Inactive<Arc<dyn Op<T>>>,
) -> Result<DeviceArray<T>> {
    Ok(op.0.value(x)?.0)
}

pub(crate) struct Shaped<T>(PhantomData<T>);

impl<T: Float> Unary for Shaped<T> {
    type X = DeviceArray<T>;
    type Out = DeviceArray<T>;
    type Attrs = (Inactive<Arc<dyn Op<T>>>,);
    type Residual = Kept;

    const READS_X: bool = true;

    fn value(x: &Self::X, (op,): &Self::Attrs) -> Result<(Self::Out, Kept)> {
        op.0.value(x)
    }
    fn pushforward(
        x: &Self::X,
        kept: &Kept,
        dx: &Self::X,
        (op,): &Self::Attrs,
    ) -> Result<Self::Out> {
        op.0.tangent(x, kept, dx)
    }
    fn pullback(
        x: Option<&Self::X>,
        kept: &Kept,
        dy: &Self::Out,
        dx: &mut Self::X,
        (op,): &Self::Attrs,
    ) -> Result<()> {
        op.0.cotangent(x, kept, dy, dx)
    }
}

unary_rule!(shaped[T: Float](x: DeviceArray<T>, op: Inactive<Arc<dyn Op<T>>>) = Shaped<T>);

/// A rule of two vectors.
pub(crate) trait Op2<T: Float>: Send + Sync {
    fn value(&self, a: &DeviceArray<T>, b: &DeviceArray<T>) -> Result<DeviceArray<T>>;
    fn tangent(&self, a: Pair<'_, T>, b: Pair<'_, T>) -> Result<DeviceArray<T>>;
    fn first(
        &self,
        b: Option<&DeviceArray<T>>,
        dy: &DeviceArray<T>,
        da: &mut DeviceArray<T>,
    ) -> Result<()>;
    fn second(
        &self,
        a: Option<&DeviceArray<T>>,
        dy: &DeviceArray<T>,
        db: &mut DeviceArray<T>,
    ) -> Result<()>;
}

type Pair<'a, T> = (&'a DeviceArray<T>, Option<&'a DeviceArray<T>>);

/// A rule of two arrays of these shapes, and the shape of its value.
pub(crate) struct Of2<U: Binary, D> {
    shapes: [D; 3],
    attrs: U::Attrs,
    of: PhantomData<fn() -> U>,
}

/// The rule `U` of arrays of these shapes, as a rule of vectors.
pub(crate) fn of2<U, T, D>(shapes: [D; 3], attrs: U::Attrs) -> Inactive<Arc<dyn Op2<T>>>
where
    T: Float,
    D: Dimension + Sync + 'static,
    U: Binary<
            A = DeviceArray<T, D>,
            B = DeviceArray<T, D>,
            Out = DeviceArray<T, D>,
            Attrs: Send + Sync,
        > + 'static,
{
    let of = PhantomData;
    Inactive(Arc::new(Of2::<U, D> { shapes, attrs, of }))
}

impl<T, U, D> Op2<T> for Of2<U, D>
where
    T: Float,
    D: Dimension + Sync + 'static,
    U: Binary<
            A = DeviceArray<T, D>,
            B = DeviceArray<T, D>,
            Out = DeviceArray<T, D>,
            Attrs: Send + Sync,
        > + 'static,
{
    fn value(&self, a: &DeviceArray<T>, b: &DeviceArray<T>) -> Result<DeviceArray<T>> {
        let [sa, sb, _] = self.shapes.clone();
        Ok(flat(&U::value(
            &a.reshaped(sa)?,
            &b.reshaped(sb)?,
            &self.attrs,
        )?))
    }
    fn tangent(&self, (a, da): Pair<'_, T>, (b, db): Pair<'_, T>) -> Result<DeviceArray<T>> {
        let [sa, sb, _] = self.shapes.clone();
        let (a, b) = (a.reshaped(sa.clone())?, b.reshaped(sb.clone())?);
        let da = da.map(|da| da.reshaped(sa)).transpose()?;
        let db = db.map(|db| db.reshaped(sb)).transpose()?;
        Ok(flat(&U::pushforward(
            (&a, da.as_ref()),
            (&b, db.as_ref()),
            &self.attrs,
        )?))
    }
    fn first(
        &self,
        b: Option<&DeviceArray<T>>,
        dy: &DeviceArray<T>,
        da: &mut DeviceArray<T>,
    ) -> Result<()> {
        let [sa, sb, sy] = self.shapes.clone();
        let b = b.map(|b| b.reshaped(sb)).transpose()?;
        let mut shaped = da.reshaped(sa)?;
        U::pullback_a(b.as_ref(), &dy.reshaped(sy)?, &mut shaped, &self.attrs)?;
        *da = flat(&shaped);
        Ok(())
    }
    fn second(
        &self,
        a: Option<&DeviceArray<T>>,
        dy: &DeviceArray<T>,
        db: &mut DeviceArray<T>,
    ) -> Result<()> {
        let [sa, sb, sy] = self.shapes.clone();
        let a = a.map(|a| a.reshaped(sa)).transpose()?;
        let mut shaped = db.reshaped(sb)?;
        U::pullback_b(a.as_ref(), &dy.reshaped(sy)?, &mut shaped, &self.attrs)?;
        *db = flat(&shaped);
        Ok(())
    }
}

/// The function of a rule of two vectors.
#[primitive]
pub(crate) fn shaped2<T: Float>(
    a: &DeviceArray<T>,
    b: &DeviceArray<T>,
    op: Inactive<Arc<dyn Op2<T>>>,
) -> Result<DeviceArray<T>> {
    op.0.value(a, b)
}

pub(crate) struct Shaped2<T>(PhantomData<T>);

impl<T: Float> Binary for Shaped2<T> {
    type A = DeviceArray<T>;
    type B = DeviceArray<T>;
    type Out = DeviceArray<T>;
    type Attrs = (Inactive<Arc<dyn Op2<T>>>,);

    const READS_OTHER: bool = true;

    fn value(a: &Self::A, b: &Self::B, (op,): &Self::Attrs) -> Result<Self::Out> {
        op.0.value(a, b)
    }
    fn pushforward(a: Pair<'_, T>, b: Pair<'_, T>, (op,): &Self::Attrs) -> Result<Self::Out> {
        op.0.tangent(a, b)
    }
    fn pullback_a(
        b: Option<&Self::B>,
        dy: &Self::Out,
        da: &mut Self::A,
        (op,): &Self::Attrs,
    ) -> Result<()> {
        op.0.first(b, dy, da)
    }
    fn pullback_b(
        a: Option<&Self::A>,
        dy: &Self::Out,
        db: &mut Self::B,
        (op,): &Self::Attrs,
    ) -> Result<()> {
        op.0.second(a, dy, db)
    }
}

binary_rule!(shaped2[T: Float](a: DeviceArray<T>, b: DeviceArray<T>, op: Inactive<Arc<dyn Op2<T>>>) = Shaped2<T>);
