//! Memory that changes before, between and after calls that read it.

use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, Saved, differentiable, primitive,
};

use crate::judge::{any, positive};
use crate::subject::judge;

/// Σ xᵢ², by a rule that saves `x` only if it is told that `x` will be overwritten.
#[primitive]
fn energy(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for energy
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let v = x.primal();
        let tangent = |l| {
            x.tangent(l)
                .map_or(0.0, |d| v.iter().zip(d).map(|(v, d)| 2.0 * v * d).sum())
        };
        R::forward(config, || energy(v), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for energy
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Augmented<R, Saved<[f64]>, W> {
        let x = x.primal();
        R::augmented(config, energy(x), Saved::new(x, config.overwritten(0)))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Saved<[f64]>,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|l, x, mut dx| {
            let seed = dret.lane(l).copied().unwrap_or(0.0);
            for (mut dx, v) in dx.iter_mut().zip(tape.get(x)) {
                dx += 2.0 * v * seed;
            }
        }),)
    }
}

#[differentiable]
fn input_overwritten_before_the_call(x: &mut [f64], k: f64) -> f64 {
    x[0] *= k;
    energy(x)
}

#[differentiable]
fn input_overwritten_between_calls(x: &mut [f64], k: f64) -> f64 {
    let a = energy(x);
    x[0] *= k;
    x[1] = a;
    let b = energy(x);
    a * b
}

#[differentiable]
fn input_overwritten_after_the_call(x: &mut [f64], k: f64) -> f64 {
    let a = energy(x);
    for v in x.iter_mut() {
        *v = k;
    }
    a * k
}

#[differentiable]
fn calls_in_a_loop_that_overwrites(x: &mut [f64], n: usize) -> f64 {
    let mut s = 0.3;
    for _ in 0..n {
        s += energy(x) * 0.1;
        x[0] = x[0] * s;
    }
    s
}

#[differentiable]
fn call_of_scratch(x: &[f64], n: usize) -> f64 {
    let mut scratch = vec![0.0; x.len()];
    let mut s = 1.0;
    for k in 0..n {
        for i in 0..x.len() {
            scratch[i] = x[i] * s + k as f64;
        }
        s = s * 0.5 + energy(&scratch) * 0.1;
    }
    s
}

#[differentiable]
fn call_of_a_part(y: &mut [f64]) -> f64 {
    let a = energy(&y[1..]);
    y[0] *= a;
    let b = energy(&y[..2]);
    y[1] = b;
    energy(y)
}

#[differentiable]
fn call_under_a_condition(y: &mut [f64], k: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        if y[i] > 0.5 {
            s += energy(&y[i..]);
            y[i] = s * k;
        } else {
            y[i] += energy(&y[..i]);
        }
    }
    s
}

#[differentiable]
fn call_of_halves(y: &mut [f64]) -> f64 {
    let (a, b) = y.split_at_mut(2);
    let s = energy(a);
    b[0] *= s;
    let t = energy(b);
    a[0] = t;
    a[1] *= b[0];
    energy(a) * t
}

#[differentiable]
fn energies(out: &mut [f64], x: &[f64]) {
    for (o, w) in out.iter_mut().zip(x.windows(2)) {
        *o += energy(w);
    }
}

#[differentiable]
fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for i in 0..y.len() {
        y[i] += a * x[i] * x[i];
    }
}

#[differentiable]
fn calls_on_both_halves(y: &mut [f64], k: f64) {
    let n = y.len() / 2;
    let (a, b) = y.split_at_mut(n);
    axpy(a, k, b);
    axpy(b, 2.0, a);
    axpy(a, k, b);
}

#[differentiable]
fn both_written(a: &mut [f64], b: &mut [f64]) {
    for i in 0..a.len() {
        let t = a[i] * b[i];
        b[i] += a[i];
        a[i] = t;
    }
}

#[differentiable]
fn calls_that_write_both_halves(y: &mut [f64]) {
    let (a, b) = y.split_at_mut(2);
    both_written(a, b);
    both_written(b, a);
}

#[differentiable]
fn calls_of_swapped_buffers(x: &[f64], n: usize) -> f64 {
    let mut now = x.to_vec();
    let mut next = vec![0.0; x.len()];
    let mut s = 0.0;
    for _ in 0..n {
        s = s * 0.3 + energy(&now);
        for i in 0..x.len() {
            next[i] = now[i] * 0.5 + 0.1 * s;
        }
        std::mem::swap(&mut now, &mut next);
    }
    s + energy(&now) * energy(&next)
}

#[differentiable]
fn calls_between_inner_loops(w: &mut [f64], n: usize) -> f64 {
    let mut s = 1.0;
    for _ in 0..n {
        let before = energy(w);
        for i in 0..w.len() {
            for j in 0..i {
                w[i] += 0.3 * w[j] * energy(&w[..j + 1]);
            }
        }
        s *= before + 0.1 * energy(w);
    }
    s
}

#[differentiable]
fn calls_in_a_scan(y: &mut [f64]) {
    for i in 1..y.len() {
        y[i] = y[i] * y[i - 1] + 0.1 * energy(&y[i - 1..=i]);
    }
}

#[differentiable]
fn calls_of_a_growing_vector(x: &[f64]) -> f64 {
    let mut v = vec![0.5 * x[0]];
    let mut s = 0.0;
    for i in 0..x.len() {
        v.push(x[i] * v[i]);
        s += energy(&v) * v[0];
        axpy(&mut v[..2], 0.3, x);
    }
    v.pop();
    v.pop();
    s * energy(&v)
}

judge! {
    input_overwritten_before_the_call(&mut any(3), 0.7);
    input_overwritten_between_calls(&mut any(3), 0.7);
    input_overwritten_after_the_call(&mut any(3), 0.7);
    calls_in_a_loop_that_overwrites(&mut positive(2), 3);
    call_of_scratch(&positive(2), 3);
    call_of_a_part(&mut positive(3));
    call_under_a_condition(&mut vec![0.7, 0.2, 0.9], 0.3);
    call_of_halves(&mut positive(4));
    energies(&mut any(3), &positive(4));
    axpy(&mut any(2), 0.7, &positive(2));
    calls_on_both_halves(&mut positive(4), 0.7);
    both_written(&mut any(2), &mut positive(2));
    calls_that_write_both_halves(&mut positive(4));
    calls_of_swapped_buffers(&positive(3), 3);
    calls_between_inner_loops(&mut positive(3), 2);
    calls_in_a_scan(&mut positive(4));
    calls_of_a_growing_vector(&positive(2));
}
