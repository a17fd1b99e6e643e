//! What changes of shape and order return. They compute nothing, and leave nothing on the tape.

use super::{broadcast_to, flatten, permute, reshape, transpose};
use crate::class::{Classified, Misfit, Outlined, Reads};

macro_rules! moved {
    ($($name:ident($x:pat, $attrs:pat in $Attrs:ty) $shape:expr;)+) => {$(
        impl Classified for $name {
            type Class = $name;
        }
        impl Outlined<1> for $name {
            type Attrs<'a> = $Attrs;
            const READS: [Reads; 1] = [Reads::NOTHING];

            fn shape([$x]: [&[usize]; 1], $attrs: Self::Attrs<'_>) -> Result<Vec<usize>, Misfit> {
                $shape
            }
            fn flops(_: [&[usize]; 1], _: &[usize]) -> f64 {
                0.0
            }
        }
    )+};
}

moved! {
    flatten(x, () in ()) Ok(vec![x.iter().product()]);
    transpose(x, () in ()) Ok(x.iter().rev().copied().collect());
    reshape(x, shape in &'a [usize]) fits(x.iter().product::<usize>() == shape.iter().product(), x, shape);
    broadcast_to(x, shape in &'a [usize]) fits(is_broadcast(x, shape), x, shape);
    permute(x, axes in &'a [usize]) permuted(x, axes);
}

fn fits(fits: bool, x: &[usize], shape: &[usize]) -> Result<Vec<usize>, Misfit> {
    match fits {
        true => Ok(shape.to_vec()),
        false => Err(Misfit::Shapes(x.to_vec(), shape.to_vec())),
    }
}

/// Whether an array of shape `x` can be repeated to `shape`: from the last axis on, equal lengths or 1.
fn is_broadcast(x: &[usize], shape: &[usize]) -> bool {
    let mut lengths = x.iter().rev().zip(shape.iter().rev());
    x.len() <= shape.len() && lengths.all(|(x, n)| x == n || *x == 1)
}

fn permuted(x: &[usize], axes: &[usize]) -> Result<Vec<usize>, Misfit> {
    let is_free = |(i, axis): (usize, &usize)| *axis < x.len() && !axes[..i].contains(axis);
    match axes.iter().enumerate().find(|axis| !is_free(*axis)) {
        Some((_, axis)) => Err(Misfit::Axis(*axis, x.to_vec())),
        None if axes.len() < x.len() => Err(Misfit::Shapes(x.to_vec(), axes.to_vec())),
        None => Ok(axes.iter().map(|axis| x[*axis]).collect()),
    }
}
