//! The outlines of the classes.

use super::outline::{Misfit, Outlined};
use super::{
    Along, Broadcast, Each, Elementwise1, Elementwise2, Lanes, Lanewise, Over, Reads, Reduction,
    Whole,
};

/// The number of entries.
fn entries(shape: &[usize]) -> f64 {
    shape.iter().product::<usize>() as f64
}

fn axis_of(axis: usize, shape: &[usize]) -> Result<(), Misfit> {
    if axis < shape.len() {
        Ok(())
    } else {
        Err(Misfit::Axis(axis, shape.to_vec()))
    }
}

/// The shape without an axis.
pub(crate) fn without_axis(x: &[usize], axis: usize) -> Result<Vec<usize>, Misfit> {
    axis_of(axis, x)?;
    let mut shape = x.to_vec();
    shape.remove(axis);
    Ok(shape)
}

/// The shape without several axes, or with length 1 there.
pub(crate) fn without_axes(
    x: &[usize],
    axes: &[usize],
    keepdims: bool,
) -> Result<Vec<usize>, Misfit> {
    for (i, &axis) in axes.iter().enumerate() {
        axis_of(axis, x)?;
        if axes[..i].contains(&axis) {
            return Err(Misfit::Axis(axis, x.to_vec()));
        }
    }
    let lengths = x.iter().enumerate();
    let kept = lengths.filter(|(i, _)| keepdims || !axes.contains(i));
    Ok(kept
        .map(|(i, &n)| if axes.contains(&i) { 1 } else { n })
        .collect())
}

impl<F: Elementwise1<f64>> Outlined<1> for Each<F> {
    type Attrs<'a> = ();
    const READS: [Reads; 1] = [F::READS];

    fn shape([x]: [&[usize]; 1], (): ()) -> Result<Vec<usize>, Misfit> {
        Ok(x.to_vec())
    }
    fn flops(_: [&[usize]; 1], out: &[usize]) -> f64 {
        F::FLOPS * entries(out)
    }
}

impl<F: Elementwise2<f64>> Outlined<2> for Broadcast<F> {
    type Attrs<'a> = ();
    const READS: [Reads; 2] = F::READS;

    fn shape([x, y]: [&[usize]; 2], (): ()) -> Result<Vec<usize>, Misfit> {
        let n = x.len().max(y.len());
        let at = |s: &[usize], i: usize| (i + s.len()).checked_sub(n).map_or(1, |i| s[i]);
        let lengths = (0..n).map(|i| match (at(x, i), at(y, i)) {
            (a, b) if a == b => Some(a),
            (1, b) => Some(b),
            (a, 1) => Some(a),
            _ => None,
        });
        lengths
            .collect::<Option<_>>()
            .ok_or_else(|| Misfit::Shapes(x.to_vec(), y.to_vec()))
    }
    fn flops(_: [&[usize]; 2], out: &[usize]) -> f64 {
        entries(out)
    }
}

impl<F: Lanewise<f64>> Outlined<1> for Lanes<F> {
    type Attrs<'a> = usize;
    const READS: [Reads; 1] = [F::READS];

    fn shape([x]: [&[usize]; 1], axis: usize) -> Result<Vec<usize>, Misfit> {
        axis_of(axis, x).map(|()| x.to_vec())
    }
    fn flops(_: [&[usize]; 1], out: &[usize]) -> f64 {
        entries(out)
    }
}

/// The outlines of a function over a whole array, along an axis, and over several axes.
macro_rules! reduced {
    ($([$($g:tt)*] $whole:ty, $along:ty, $over:ty, reads $reads:expr;)+) => {$(
        impl<$($g)*> $crate::class::Outlined<1> for $whole {
            type Attrs<'a> = ();
            const READS: [$crate::class::Reads; 1] = [$reads];

            fn shape(_: [&[usize]; 1], (): ()) -> Result<Vec<usize>, $crate::class::Misfit> {
                Ok(Vec::new())
            }
            fn flops([x]: [&[usize]; 1], _: &[usize]) -> f64 {
                x.iter().product::<usize>() as f64
            }
        }
        impl<$($g)*> $crate::class::Outlined<1> for $along {
            type Attrs<'a> = usize;
            const READS: [$crate::class::Reads; 1] = [$reads];

            fn shape([x]: [&[usize]; 1], axis: usize) -> Result<Vec<usize>, $crate::class::Misfit> {
                $crate::class::without_axis(x, axis)
            }
            fn flops([x]: [&[usize]; 1], _: &[usize]) -> f64 {
                x.iter().product::<usize>() as f64
            }
        }
        impl<$($g)*> $crate::class::Outlined<1> for $over {
            type Attrs<'a> = (&'a [usize], bool);
            const READS: [$crate::class::Reads; 1] = [$reads];

            fn shape(
                [x]: [&[usize]; 1],
                (axes, keepdims): (&[usize], bool),
            ) -> Result<Vec<usize>, $crate::class::Misfit> {
                $crate::class::without_axes(x, axes, keepdims)
            }
            fn flops([x]: [&[usize]; 1], _: &[usize]) -> f64 {
                x.iter().product::<usize>() as f64
            }
        }
    )+};
}

reduced!([F: Reduction<f64>] Whole<F>, Along<F>, Over<F>, reads F::READS;);

pub(crate) use reduced;
