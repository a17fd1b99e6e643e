//! `autograd`, a graph over `ndarray`.

use autograd as ag;

use crate::{Problem, SHAPE};

type Graph = ag::Graph<f64>;
type Tensor<'g> = ag::Tensor<'g, f64>;

/// The cotangents of a function of `x`, `w` and `b`, of the first `count` of them.
fn gradient(
    problem: &Problem,
    count: usize,
    f: impl for<'g> Fn(&'g Graph, Tensor<'g>, Tensor<'g>, Tensor<'g>) -> Tensor<'g>,
) -> Vec<f64> {
    let shape = SHAPE.map(|n| n as isize);
    let matrix = |x| ag::ndarray::ArrayView2::from_shape(SHAPE, x).expect("as many entries");
    let row = |x| ag::ndarray::ArrayView2::from_shape([1, SHAPE[1]], x).expect("as many entries");
    let mut all = Vec::new();
    ag::with(|g: &mut Graph| {
        let (x, seed) = (g.placeholder(&shape), g.placeholder(&shape));
        let (w, b) = (g.placeholder(&[1, shape[1]]), g.placeholder(&[1, shape[1]]));
        let along = g.reduce_sum(f(g, x, w, b) * seed, &[0, 1], false);
        let d = g.grad(&[along], &[x, w, b][..count]);
        let feeds = [
            x.given(matrix(&problem.x)),
            w.given(row(&problem.w)),
            b.given(row(&problem.b)),
            seed.given(matrix(&problem.seed)),
        ];
        for d in g.eval(&d, &feeds) {
            all.extend(d.expect("a gradient").iter());
        }
    });
    all
}

pub(crate) fn softmax(problem: &Problem) -> Vec<f64> {
    gradient(problem, 1, |g, x, _, _| g.softmax(x, -1))
}

pub(crate) fn gelu_tanh(problem: &Problem) -> Vec<f64> {
    gradient(problem, 1, |g, x, _, _| {
        let inner = (x + x * x * x * 0.044_715) * 0.797_884_560_802_865_4;
        x * (g.tanh(inner) + 1.0) * 0.5
    })
}

pub(crate) fn layer_norm(problem: &Problem) -> Vec<f64> {
    gradient(problem, 3, |g, x, w, b| {
        let centered = x - g.reduce_mean(x, &[1], true);
        let variance = g.reduce_mean(g.square(centered), &[1], true);
        centered * g.inv_sqrt(variance + 1e-5) * w + b
    })
}
