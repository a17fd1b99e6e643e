//! Memory that changes: before, between and after it is read.

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
fn running_product(y: &mut [f64]) {
    for i in 1..y.len() {
        y[i] *= y[i - 1];
    }
}

#[differentiable]
fn running_sum_of_sines(y: &mut [f64], k: f64) -> f64 {
    for i in 1..y.len() {
        y[i] = (y[i] * k).sin() + y[i - 1];
    }
    y[y.len() - 1]
}

#[differentiable]
fn backward_scan(y: &mut [f64], a: &[f64]) {
    for i in (0..y.len() - 1).rev() {
        y[i] = y[i] * a[i] - y[i + 1] * y[i];
    }
}

#[differentiable]
fn tridiagonal(d: &mut [f64], b: &mut [f64], a: &[f64], c: &[f64]) {
    for i in 1..d.len() {
        let w = a[i] / d[i - 1];
        d[i] -= w * c[i - 1];
        b[i] -= w * b[i - 1];
    }
    let n = d.len();
    b[n - 1] /= d[n - 1];
    for i in (0..n - 1).rev() {
        b[i] = (b[i] - c[i] * b[i + 1]) / d[i];
    }
}

#[differentiable]
fn overwritten_after_it_was_read(y: &mut [f64], k: f64) -> f64 {
    let a = y[0] * y[1];
    y[0] = k * a;
    let b = y[0] * y[1];
    y[1] = b.sin();
    a * b + y[0] * y[1]
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
fn fields_written_together(p: &mut (f64, f64)) {
    rotated(&mut p.0, &mut p.1);
    rotated(&mut p.1, &mut p.0);
}

#[differentiable]
fn rotated(a: &mut f64, b: &mut f64) {
    let t = *a * 0.8 - *b * *a;
    *b = *a + *b * 0.8;
    *a = t;
}

#[differentiable]
fn scratch_in_loops(x: &[f64], n: usize) -> f64 {
    let mut buffer = vec![0.0; x.len()];
    let mut t = 0.2;
    for k in 0..n {
        for i in 0..x.len() {
            buffer[i] = x[i] * k as f64 + t;
        }
        for i in 0..x.len() {
            t += 0.1 * buffer[i] * buffer[i];
        }
    }
    t
}

#[differentiable]
fn scratch_inside_the_loop(x: &[f64], n: usize) -> f64 {
    let mut s = 0.5;
    for _ in 0..n {
        let mut b = vec![0.0; x.len()];
        for i in 0..x.len() {
            b[i] += x[i] * s;
            b[0] *= b[i];
        }
        s += b[0];
    }
    s
}

#[differentiable]
fn read_modify_write(y: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        let k = i % y.len();
        y[k] = y[k] * y[k] * x[i] + y[(k + 1) % y.len()];
    }
}

#[differentiable]
fn histogram(bins: &mut [f64], x: &[f64], at: &[usize]) {
    for i in 0..x.len() {
        bins[at[i]] += x[i] * x[i] * bins[at[i]];
    }
}

#[differentiable]
fn conditional_overwrite(y: &mut [f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        if x[i] > 1.0 {
            y[i] = x[i] * x[i];
        }
        s += y[i] * y[i];
        if s > 2.0 {
            y[i] = s;
        }
    }
    s
}

#[differentiable]
fn overwritten_by_the_inactive(y: &mut [f64], x: &[f64], zero: &[bool]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        y[i] *= x[i];
        s += y[i] * y[i];
        if zero[i] {
            y[i] = 0.0;
        }
    }
    s + y[0] * y[1]
}

#[differentiable]
fn ping_pong(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![0.0; x.len()];
    for _ in 0..n {
        for i in 1..x.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i - 1] - 2.0 * a[i] + a[i + 1]) * a[i];
        }
        b[0] = a[0];
        b[x.len() - 1] = a[x.len() - 1];
        std::mem::swap(&mut a, &mut b);
    }
    let mut s = 0.0;
    for i in 0..x.len() {
        s += a[i] * a[i];
    }
    s
}

#[differentiable]
fn swapped_references(u: &mut Vec<f64>, v: &mut Vec<f64>, n: usize) {
    for _ in 0..n {
        for i in 0..u.len() {
            v[i] += u[i] * u[i];
        }
        std::mem::swap(u, v);
    }
}

#[differentiable]
fn overwritten_inside_needed_outside(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for _ in 0..n {
        let first = y[0];
        for i in 0..y.len() {
            y[i] = y[i] * 0.9 + 0.1 * first;
            s += y[i] * first;
        }
        s += first * y[0];
    }
    s
}

#[differentiable]
fn three_levels(x: &mut [f64], n: usize) {
    for i in 0..n {
        let pivot = x[i];
        for j in 0..n {
            if i == j {
                continue;
            }
            let factor = x[j] / pivot;
            for k in 0..n {
                x[k] -= 0.1 * factor * x[i];
            }
        }
    }
}

#[differentiable]
fn elimination(a: &mut [f64], n: usize) -> f64 {
    let mut determinant = 1.0;
    for i in 0..n {
        let pivot = a[i * n + i];
        determinant *= pivot;
        for j in i + 1..n {
            let factor = a[j * n + i] / pivot;
            for k in i..n {
                a[j * n + k] -= factor * a[i * n + k];
            }
        }
    }
    determinant
}

#[differentiable]
fn cholesky(a: &mut [f64], n: usize) {
    for j in 0..n {
        for k in 0..j {
            let l = a[j * n + k];
            a[j * n + j] -= l * l;
        }
        a[j * n + j] = a[j * n + j].sqrt();
        for i in j + 1..n {
            for k in 0..j {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] /= a[j * n + j];
        }
    }
}

#[differentiable]
fn sorted_pairs(y: &mut [f64]) -> f64 {
    for i in 0..y.len() {
        for j in 0..y.len() - 1 - i {
            if y[j] > y[j + 1] {
                y.swap(j, j + 1);
            }
        }
    }
    y[0] * y[0] + y[1] * y[2]
}

#[differentiable]
fn rotated_buffer(x: &[f64], n: usize) -> f64 {
    let mut ring = [0.1, 0.2, 0.3];
    for k in 0..n {
        ring[k % 3] = ring[(k + 1) % 3] * x[k % x.len()] + ring[(k + 2) % 3];
    }
    ring[0] * ring[1] + ring[2]
}

#[differentiable]
fn copies_are_apart(x: f64, y: f64) -> f64 {
    let mut a = [x, y, x * y];
    let b = a;
    a[0] *= y;
    let mut c = a;
    c[1] = a[0] * b[0];
    a[2] = c[1];
    a[0] * a[2] + b[0] * b[2] + c[0] * c[1]
}

#[differentiable]
fn moved_vectors(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a[0] *= a[1];
    let b = a;
    let mut c = b;
    c[1] += c[0];
    c[0] * c[1]
}

#[differentiable]
fn replaced_vectors(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    for _ in 0..n {
        let mut next = vec![0.0; a.len()];
        for i in 0..a.len() {
            next[i] = a[i] * a[(i + 1) % x.len()];
        }
        a = next;
    }
    a[0] * a[1]
}

#[differentiable]
fn loop_over_its_own_values(y: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        for j in 0..y.len() {
            y[i] += 0.1 * y[j] * y[i];
        }
        s += y[i];
    }
    s
}

#[differentiable]
fn copied_between_halves(y: &mut [f64], k: f64) {
    let n = y.len() / 2;
    let (a, b) = y.split_at_mut(n);
    b[0] *= k;
    a.copy_from_slice(b);
    a[1] *= a[0];
    for (p, q) in b.iter_mut().zip(a.iter()) {
        *p += q * k;
    }
    std::mem::swap(&mut a[0], &mut b[1]);
}

#[differentiable]
fn sums_of_sums(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    let mut t = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
        t += s * k;
        if x[i] > 0.0 {
            s -= t;
        }
    }
    s * t
}

#[differentiable]
fn sums_that_cross(x: &[f64]) -> f64 {
    let mut s = 0.1;
    let mut t = 0.2;
    for v in x {
        let old = s;
        s = t + v * v;
        t = old - v.sin();
    }
    s * t
}

#[differentiable]
fn added_to_what_is_read(y: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        y[i] += x[i] * x[0];
        y[(i + 1) % x.len()] += y[i] * 0.5;
    }
}

#[differentiable]
fn subtracted_by_the_constant(y: &mut [f64], x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        let a = x[i] * x[i];
        y[0] -= a;
        s += a - 0.5;
        s = s - x[i] * 2.0;
    }
    s * y[0]
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
    calls_of_swapped_buffers(&positive(3), 3);
    calls_between_inner_loops(&mut positive(3), 2);
    calls_in_a_scan(&mut positive(4));
    calls_of_a_growing_vector(&positive(2));
    copied_between_halves(&mut any(4), 0.7);
    sums_of_sums(&any(3), 0.7);
    sums_that_cross(&any(3));
    added_to_what_is_read(&mut any(3), &positive(3));
    subtracted_by_the_constant(&mut any(1), &positive(3), 3);
    running_product(&mut positive(4));
    running_sum_of_sines(&mut positive(4), 0.7);
    backward_scan(&mut any(4), &positive(4));
    tridiagonal(&mut vec![2.1, 2.3, 1.9], &mut any(3), &positive(3), &any(3));
    overwritten_after_it_was_read(&mut any(2), 0.7);
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
    fields_written_together(&mut (0.7, -0.4));
    rotated(&mut 0.7, &mut 0.4);
    scratch_in_loops(&positive(3), 3);
    scratch_inside_the_loop(&positive(3), 2);
    read_modify_write(&mut positive(2), &any(5));
    histogram(&mut positive(2), &any(4), &vec![0, 1, 1, 0]);
    conditional_overwrite(&mut any(3), &vec![0.7, 1.3, 1.2]);
    overwritten_by_the_inactive(&mut any(3), &positive(3), &vec![true, false, true]);
    ping_pong(&positive(4), 3) (&positive(4), 2);
    swapped_references(&mut positive(2), &mut any(2), 3);
    overwritten_inside_needed_outside(&positive(3), 2);
    three_levels(&mut positive(3), 3);
    elimination(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], 3);
    cholesky(&mut vec![2.0, 0.0, 0.0, 0.5, 1.7, 0.0, 0.1, 0.6, 1.9], 3);
    sorted_pairs(&mut vec![0.9, 0.2, 0.5]);
    rotated_buffer(&positive(2), 5);
    copies_are_apart(0.7, -0.4);
    moved_vectors(&any(2));
    replaced_vectors(&positive(3), 2);
    loop_over_its_own_values(&mut positive(3));
}
