//! `burn` on its backend of `ndarray`.

use burn_autodiff::Autodiff;
use burn_ndarray::{NdArray, NdArrayDevice};
use burn_tensor::{Tensor, TensorData, activation};

use crate::{Problem, SHAPE};

type Backend = Autodiff<NdArray<f64>>;

fn tensor(x: &[f64], shape: [usize; 2]) -> Tensor<Backend, 2> {
    Tensor::from_data(
        TensorData::new(x.to_vec(), shape),
        &NdArrayDevice::default(),
    )
}

/// The cotangents of `xs` where `y` has the cotangent of the problem.
fn gradient(problem: &Problem, y: Tensor<Backend, 2>, xs: &[Tensor<Backend, 2>]) -> Vec<f64> {
    let gradients = (y * tensor(&problem.seed, SHAPE)).sum().backward();
    let of = |x: &Tensor<Backend, 2>| {
        let gradient = x.grad(&gradients).expect("a gradient");
        gradient
            .into_data()
            .into_vec::<f64>()
            .expect("numbers of type f64")
    };
    xs.iter().flat_map(of).collect()
}

pub(crate) fn softmax(problem: &Problem) -> Vec<f64> {
    let x = tensor(&problem.x, SHAPE).require_grad();
    gradient(problem, activation::softmax(x.clone(), 1), &[x])
}

pub(crate) fn gelu(problem: &Problem) -> Vec<f64> {
    let x = tensor(&problem.x, SHAPE).require_grad();
    gradient(problem, activation::gelu(x.clone()), &[x])
}

pub(crate) fn layer_norm(problem: &Problem) -> Vec<f64> {
    let x = tensor(&problem.x, SHAPE).require_grad();
    let w = tensor(&problem.w, [1, SHAPE[1]]).require_grad();
    let b = tensor(&problem.b, [1, SHAPE[1]]).require_grad();
    let (variance, mean) = x.clone().var_mean_bias(1);
    let normal = x.clone().sub(mean).div(variance.add_scalar(1e-5).sqrt());
    gradient(problem, normal * w.clone() + b.clone(), &[x, w, b])
}
