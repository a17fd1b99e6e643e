//! What products of matrices return, cost and keep.

use super::{batch_matmul, matmul};
use crate::class::{Classified, Misfit, Outlined, Reads};

impl Classified for matmul {
    type Class = matmul;
}

impl Outlined<2> for matmul {
    type Attrs<'a> = ();
    const READS: [Reads; 2] = [Reads::Y, Reads::X];

    fn shape([a, b]: [&[usize]; 2], (): ()) -> Result<Vec<usize>, Misfit> {
        match (a, b) {
            (&[m, k], &[l, n]) if k == l => Ok(vec![m, n]),
            _ => Err(Misfit::Shapes(a.to_vec(), b.to_vec())),
        }
    }
    fn flops([a, _]: [&[usize]; 2], out: &[usize]) -> f64 {
        2.0 * (out.iter().product::<usize>() * a[1]) as f64
    }
}

impl Classified for batch_matmul {
    type Class = batch_matmul;
}

impl Outlined<2> for batch_matmul {
    type Attrs<'a> = ();
    const READS: [Reads; 2] = [Reads::Y, Reads::X];

    fn shape([a, b]: [&[usize]; 2], (): ()) -> Result<Vec<usize>, Misfit> {
        match (a, b) {
            (&[s, m, k], &[t, l, n]) if s == t && k == l => Ok(vec![s, m, n]),
            _ => Err(Misfit::Shapes(a.to_vec(), b.to_vec())),
        }
    }
    fn flops([a, _]: [&[usize]; 2], out: &[usize]) -> f64 {
        2.0 * (out.iter().product::<usize>() * a[2]) as f64
    }
}
