//! What products, factorizations and solutions return, cost and keep.

use super::{batch_matmul, cholesky, det, dot, inverse, logdet, matmul, matvec, outer, solve};
use crate::class::{Classified, Misfit, Number, Outlined, Reads};

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

/// Products of which each factor is read for the other, by shapes and operations.
macro_rules! products {
    ($($name:ident: $a:pat, $b:pat $(if $fits:expr)? => $out:expr, $flops:expr;)+) => {$(
        impl Classified for $name {
            type Class = $name;
        }
        impl Outlined<2> for $name {
            type Attrs<'a> = ();
            const READS: [Reads; 2] = [Reads::Y, Reads::X];

            fn shape([a, b]: [&[usize]; 2], (): ()) -> Result<Vec<usize>, Misfit> {
                match (a, b) {
                    ($a, $b) $(if $fits)? => Ok($out),
                    _ => Err(Misfit::Shapes(a.to_vec(), b.to_vec())),
                }
            }
            fn flops([a, b]: [&[usize]; 2], _: &[usize]) -> f64 {
                let count = |shape: &[usize]| shape.iter().product::<usize>() as f64;
                $flops(count(a), count(b))
            }
        }
    )+};
}

products! {
    matvec: &[m, k], &[l] if k == l => vec![m], |a: f64, _| 2.0 * a;
    dot: &[k], &[l] if k == l => vec![], |a: f64, _| 2.0 * a;
    outer: &[m], &[n] => vec![m, n], |a: f64, b: f64| a * b;
}

/// The order of a square matrix.
fn order(a: &[usize]) -> Result<usize, Misfit> {
    match a {
        &[m, n] if m == n => Ok(n),
        _ => Err(Misfit::Square(a.to_vec())),
    }
}

/// Functions of one square matrix: the shape of the value, operations by `n³`, what is read again.
macro_rules! of_square {
    ($($name:ident: |$n:ident| $out:expr, $cubes:expr, reads $reads:ident;)+) => {$(
        impl Classified for $name {
            type Class = $name;
        }
        impl Outlined<1> for $name {
            type Attrs<'a> = ();
            const READS: [Reads; 1] = [Reads::$reads];

            fn shape([a]: [&[usize]; 1], (): ()) -> Result<Vec<usize>, Misfit> {
                let $n = order(a)?;
                Ok($out)
            }
            fn flops([a]: [&[usize]; 1], _: &[usize]) -> f64 {
                $cubes * (a[0] as f64).powi(3)
            }
            /// A matrix of the same shape.
            fn residual([a]: [&[usize]; 1], number: Number) -> usize {
                a.iter().product::<usize>() * number.bytes()
            }
        }
    )+};
}

of_square! {
    cholesky: |n| vec![n, n], 1.0 / 3.0, reads OUT;
    inverse: |n| vec![n, n], 8.0 / 3.0, reads OUT;
    logdet: |_n| vec![], 2.0 / 3.0, reads RESIDUAL;
    det: |_n| vec![], 2.0 / 3.0, reads RESIDUAL;
}

impl Classified for solve {
    type Class = solve;
}

impl Outlined<2> for solve {
    type Attrs<'a> = ();
    const READS: [Reads; 2] = [Reads::RESIDUAL.and(Reads::OUT), Reads::RESIDUAL];

    fn shape([a, b]: [&[usize]; 2], (): ()) -> Result<Vec<usize>, Misfit> {
        let n = order(a)?;
        match b {
            [m] | [m, _] if *m == n => Ok(b.to_vec()),
            _ => Err(Misfit::Shapes(a.to_vec(), b.to_vec())),
        }
    }
    /// The factorization, and two triangular systems for each right-hand side.
    fn flops([a, b]: [&[usize]; 2], _: &[usize]) -> f64 {
        let (n, right) = (a[0] as f64, b.iter().product::<usize>() as f64);
        2.0 / 3.0 * n.powi(3) + 2.0 * n * right
    }
    /// The factors and the order of the rows.
    fn residual([a, _]: [&[usize]; 2], number: Number) -> usize {
        a[0] * a[0] * number.bytes() + a[0] * size_of::<usize>()
    }
}
