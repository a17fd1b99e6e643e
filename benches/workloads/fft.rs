//! A filter in Fourier space: transform of 65 536 complex values, each divided by `1 + |X|²/n`, inverse transform. The
//! transform is a primitive; its rule is the conjugate transform, in the shadow.

use std::cell::RefCell;
use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload, numbers};

/// The transform of interleaved complex values in place, by radix 2; `sign` −1 forwards, 1 back, both without a factor.
/// `turns` holds `exp(2πi·k/n)` for `k < n/2`.
#[primitive]
fn fft(x: &mut [f64], turns: &[f64], sign: f64) {
    transform(x, turns, sign);
}

fn transform(x: &mut [f64], turns: &[f64], sign: f64) {
    let n = x.len() / 2;
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            x.swap(2 * i, 2 * j);
            x.swap(2 * i + 1, 2 * j + 1);
        }
    }
    let mut half = 1;
    while half < n {
        let stride = n / (2 * half);
        for block in x.chunks_exact_mut(4 * half) {
            let (low, high) = block.split_at_mut(2 * half);
            let pairs = low.chunks_exact_mut(2).zip(high.chunks_exact_mut(2));
            for ((a, b), w) in pairs.zip(turns.chunks_exact(2).step_by(stride)) {
                let (re, im) = (w[0], sign * w[1]);
                let t = (b[0] * re - b[1] * im, b[0] * im + b[1] * re);
                (b[0], b[1]) = (a[0] - t.0, a[1] - t.1);
                (a[0], a[1]) = (a[0] + t.0, a[1] + t.1);
            }
        }
        half *= 2;
    }
}

impl<R, X, T, S, const W: usize> ForwardRule<R, (X, T, S), W> for fft
where
    R: ForwardReturn<W, Out = ()>,
    X: ForwardArgMut<[f64], W>,
    T: ForwardArg<[f64], W>,
    S: ForwardArg<f64, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, turns, sign): (&mut X, &mut T, &mut S),
    ) -> R::Forward {
        transform(x.primal_mut(), turns.primal(), *sign.primal());
        x.assign(|_, _, dx| transform(dx, turns.primal(), *sign.primal()));
        R::forward(config, || (), |_| ())
    }
}

impl<R, X, T, S, const W: usize> ReverseRule<R, (X, T, S), W> for fft
where
    R: ReverseReturn<W, Out = ()>,
    X: ReverseArgMut<[f64], W>,
    T: ReverseArg<[f64], W>,
    S: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, turns, sign): (&mut X, &mut T, &mut S),
    ) -> AugmentedReturn<(), R::Shadow, ()> {
        transform(x.primal_mut(), turns.primal(), *sign.primal());
        R::augmented(config, (), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        (): (),
        (x, turns, sign): (&mut X, &mut T, &mut S),
    ) -> (X::Gradient, T::Gradient, S::Gradient) {
        let dx = x.transform(|_, _, dx| transform(dx, turns.primal(), -*sign.primal()));
        (dx, turns.no_gradient(), sign.no_gradient())
    }
}

#[differentiable]
fn filter(x: &mut [f64], #[constant] turns: &[f64]) {
    let n = (x.len() / 2) as f64;
    fft(x, turns, -1.0);
    for i in 0..x.len() / 2 {
        let re = x[2 * i];
        let im = x[2 * i + 1];
        let scale = 1.0 / (1.0 + (re * re + im * im) / n);
        x[2 * i] = re * scale;
        x[2 * i + 1] = im * scale;
    }
    fft(x, turns, 1.0);
    for v in x.iter_mut() {
        *v *= 1.0 / n;
    }
}

struct Filter {
    x: Vec<f64>,
    seed: Vec<f64>,
    turns: Vec<f64>,
    buffer: RefCell<Vec<f64>>,
    spectrum: RefCell<Vec<f64>>,
}

impl Filter {
    fn new(n: usize) -> Self {
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        Self {
            x: numbers(20, 2 * n, -1.0, 1.0),
            seed: numbers(21, 2 * n, -1.0, 1.0),
            turns: (0..n / 2)
                .flat_map(|k| [angle(k).cos(), angle(k).sin()])
                .collect(),
            buffer: RefCell::new(vec![0.0; 2 * n]),
            spectrum: RefCell::new(vec![0.0; 2 * n]),
        }
    }
}

impl Workload for Filter {
    fn lengths(&self) -> Vec<usize> {
        vec![self.x.len()]
    }

    fn primal(&self) -> f64 {
        let mut x = self.buffer.borrow_mut();
        x.copy_from_slice(&self.x);
        filter(black_box(&mut x), &self.turns);
        x[0]
    }

    fn hand(&self, d: &mut Gradient) {
        let (mut x, mut spectrum) = (self.buffer.borrow_mut(), self.spectrum.borrow_mut());
        x.copy_from_slice(&self.x);
        let n = (x.len() / 2) as f64;
        transform(&mut x, &self.turns, -1.0);
        spectrum.copy_from_slice(&x);
        for x in x.chunks_exact_mut(2) {
            let scale = 1.0 / (1.0 + (x[0] * x[0] + x[1] * x[1]) / n);
            x[0] *= scale;
            x[1] *= scale;
        }
        transform(&mut x, &self.turns, 1.0);
        x.iter_mut().for_each(|x| *x *= 1.0 / n);
        black_box(&mut x[..]);

        let dx = &mut d[0][..];
        dx.iter_mut()
            .zip(&self.seed)
            .for_each(|(dx, seed)| *dx = seed * (1.0 / n));
        transform(dx, &self.turns, -1.0);
        for (dx, x) in dx.chunks_exact_mut(2).zip(spectrum.chunks_exact(2)) {
            let scale = 1.0 / (1.0 + (x[0] * x[0] + x[1] * x[1]) / n);
            let dscale = (x[0] * dx[0] + x[1] * dx[1]) * scale * scale * 2.0 / n;
            dx[0] = dx[0] * scale - dscale * x[0];
            dx[1] = dx[1] * scale - dscale * x[1];
        }
        transform(dx, &self.turns, 1.0);
    }

    fn generated(&self, d: &mut Gradient) {
        let mut x = self.buffer.borrow_mut();
        x.copy_from_slice(&self.x);
        d[0].copy_from_slice(&self.seed);
        autodiff!(
            Reverse,
            filter,
            Const,
            Duplicated(&mut x[..], &mut d[0][..]),
            Const(&self.turns[..])
        );
        black_box(&mut x[..]);
    }

    fn tape_bytes(&self) -> usize {
        let (mut x, mut dx) = (self.x.clone(), self.x.clone());
        let args = &mut (Duplicated(&mut x[..], &mut dx[..]), Const(&self.turns[..]));
        Thunk::<_, Const<()>>::new(filter {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("fft filter n=65536", &Filter::new(65_536));
}
