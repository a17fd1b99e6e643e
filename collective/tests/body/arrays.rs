//! Collectives along a dimension of arrays.

use coenzyme::prelude::*;
use coenzyme::{AsDuplicated, BatchDuplicated, Thunk};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};
use ndarray::{Array, Array2, ArrayD, ArrayRef2, Dimension, IxDyn};

use super::{Check, Random, assert_close, dot};

pub(crate) const CHECKS: &[Check] = &[
    ("blocks along a dimension", blocks_along_a_dimension),
    (
        "collectives of arrays, along each dimension",
        along_each_dimension,
    ),
    ("a matrix that is turned", a_matrix_that_is_turned),
];

type Turned = Result<ArrayD<f64>, CommError>;

fn array(random: &mut Random, shape: &[usize]) -> ArrayD<f64> {
    let entries = random.vector(shape.iter().product());
    Array::from_shape_vec(IxDyn(shape), entries).expect("as many entries")
}

fn total(comm: &Comm, share: f64) -> f64 {
    all_reduce(comm, &[share]).expect("sent")[0]
}

/// Dot products in both modes and three lanes, and no message for what is `Const`.
macro_rules! law {
    ($process:ident, $f:ident($($dim:expr),*), $shape:expr) => {{
        let comm = $process.world();
        let mut random = Random::new(61, comm.rank());
        let [x, d0, d1] = [(); 3].map(|()| array(&mut random, &$shape));
        let lanes = BatchDuplicated(&x, [&d0, &d1]);
        let args = (Const(comm), $(Const($dim),)* lanes);
        let (dy, y) = autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args).expect("sent");
        assert_eq!(y, $f(comm, $($dim,)* &x).expect("sent"));
        let ybar = [(); 2].map(|()| array(&mut random, y.shape()));
        let mut xbar = [Tangent::zero_like(&x), Tangent::zero_like(&x)];
        let [a, b] = &mut xbar;
        let mut args = (Const(comm), $(Const($dim),)* BatchDuplicated(&x, [a, b]));
        let thunk = Thunk::<_, BatchDuplicated<Turned, Turned, 2>, 2>::new($f {});
        let _ = thunk.augmented(&mut args).expect("sent");
        thunk.reverse(ybar.clone(), (), &mut args);
        for (dx, dy) in [&d0, &d1].iter().zip(&dy) {
            for (xbar, ybar) in xbar.iter().zip(&ybar) {
                let left = total(comm, dot(&Tangent::to_flat(ybar), &Tangent::to_flat(dy)));
                let right = total(comm, dot(&Tangent::to_flat(xbar), &Tangent::to_flat(*dx)));
                assert_close(stringify!($f), &[left], &[right], 1e-13);
            }
        }
        let mut args = (Const(comm), $(Const($dim),)* Const(&x));
        let thunk = Thunk::<_, Duplicated<Turned>>::new($f {});
        let _ = thunk.augmented(&mut args).expect("sent");
        let before = comm.traffic();
        thunk.reverse([ybar[0].clone()], (), &mut args);
        assert_eq!(comm.traffic(), before, "nothing is sent for a constant");
        y.raw_dim().slice().to_vec()
    }};
}

fn along_each_dimension(process: &Process) {
    let n = process.mesh().size();
    assert_eq!(law!(process, all_gather_axis(0), [2, 3]), [2 * n, 3]);
    assert_eq!(law!(process, all_gather_axis(2), [2, 1, 3]), [2, 1, 3 * n]);
    assert_eq!(
        law!(process, reduce_scatter_axis(1), [2, 2 * n, 2]),
        [2, 2, 2]
    );
    assert_eq!(law!(process, all_to_all_axis(0, 1), [2 * n, 3]), [2, 3 * n]);
    assert_eq!(
        law!(process, all_to_all_axis(2, 0), [3, 2, n]),
        [3 * n, 2, 1]
    );
    assert_eq!(law!(process, all_to_all_axis(1, 1), [2, 2 * n]), [2, 2 * n]);
    let odd = Array2::<f64>::zeros((1, n + 1));
    if n > 1 {
        let not = CommError::NotDivisible {
            length: n + 1,
            ranks: n,
        };
        assert_eq!(reduce_scatter_axis(process.world(), 1, &odd), Err(not));
    }
}

/// Each entry says where it was.
fn blocks_along_a_dimension(process: &Process) {
    let (comm, n, r) = (process.world(), process.mesh().size(), process.rank());
    // row r·2 + i of a matrix of n·3 columns
    let rows = Array2::from_shape_fn((2, 3 * n), |(i, j)| (100 * (2 * r + i) + j) as f64);
    let columns = all_to_all_axis(comm, 1, 0, &rows).expect("sent");
    assert_eq!(
        columns,
        Array2::from_shape_fn((2 * n, 3), |(i, j)| (100 * i + 3 * r + j) as f64)
    );
    let whole = all_gather_axis(comm, 0, &rows).expect("sent");
    assert_eq!(
        whole,
        Array2::from_shape_fn((2 * n, 3 * n), |(i, j)| (100 * i + j) as f64)
    );
    let sums = reduce_scatter_axis(comm, 1, &whole).expect("sent");
    assert_eq!(
        sums,
        Array2::from_shape_fn((2 * n, 3), |(i, j)| (n * (100 * i + 3 * r + j)) as f64)
    );
}

/// `Σ yᵢⱼ³` of a matrix that is cut in rows, and turned so that it is cut in columns.
#[differentiable]
fn cubes(comm: &Comm, x: &ArrayRef2<f64>) -> Result<f64, CommError> {
    let y = all_to_all_axis(comm, 1, 0, x)?;
    let mut sum = 0.0;
    for i in 0..y.nrows() {
        for j in 0..y.ncols() {
            sum += y[[i, j]] * y[[i, j]] * y[[i, j]];
        }
    }
    Ok(sum)
}

fn a_matrix_that_is_turned(process: &Process) {
    let n = process.mesh().size();
    let x = Array2::from_shape_fn((2, n), |(i, j)| (1 + process.rank() + 2 * i + 3 * j) as f64);
    let mut dx = Array2::zeros((2, n));
    autodiff!(
        Reverse,
        cubes,
        Const(process.world()),
        Duplicated(&x, &mut dx)
    )
    .expect("sent");
    assert_eq!(dx, x.mapv(|x| 3.0 * x * x));
}
