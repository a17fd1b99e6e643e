//! How much goes to the tape: words for each step, entry or round.

use coenzyme::prelude::*;

/// `h ← tanh(U·h)`, again and again.
#[differentiable]
fn recurrent(u: &[f64], start: &[f64], steps: usize) -> f64 {
    let n = start.len();
    let (mut h, mut z) = (start.to_vec(), vec![0.0; n]);
    for _ in 0..steps {
        for r in 0..n {
            z[r] = 0.0;
            for k in 0..n {
                z[r] += u[r * n + k] * h[k];
            }
        }
        for k in 0..n {
            h[k] = z[k].tanh();
        }
    }
    h[0]
}

#[test]
fn a_state_goes_to_the_tape_once_in_each_step_however_often_it_is_read() {
    let bytes = |n: usize, steps: usize| {
        let (u, h) = (vec![0.1; n * n], vec![0.5; n]);
        let (mut du, mut dh) = (u.clone(), h.clone());
        let args = &mut (
            Duplicated(&u[..], &mut du[..]),
            Duplicated(&h[..], &mut dh[..]),
            Const(steps),
        );
        let thunk = Thunk::<_, Active<f64>>::new(recurrent {});
        thunk.augmented(args).tape.bytes()
    };
    // the state, and what `tanh` gave
    assert_eq!(bytes(10, 8) - bytes(10, 7), 2 * 8 * 10);
}

/// Heat in a rod whose conductivity is wanted.
#[differentiable]
fn diffusion(u0: &[f64], c: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            u[i] += c * (u[i - 1] + u[i + 1] - 2.0 * u[i]);
        }
    }
    u[n / 2]
}

#[test]
fn a_value_goes_to_the_tape_rather_than_what_it_is_computed_from() {
    let bytes = |steps: usize| {
        let (u, mut du) = (vec![0.5; 10], vec![0.0; 10]);
        let args = &mut (Duplicated(&u[..], &mut du[..]), Active(0.1), Const(steps));
        let thunk = Thunk::<_, Active<f64>>::new(diffusion {});
        thunk.augmented(args).tape.bytes()
    };
    // the bracket, and not the three temperatures
    assert_eq!(bytes(8) - bytes(7), 8 * 8);
}

/// A number and its neighbours in a ring.
#[differentiable]
fn bend(u: &[f64], i: usize) -> f64 {
    let n = u.len();
    let left = if i == 0 { n - 1 } else { i - 1 };
    let right = if i + 1 == n { 0 } else { i + 1 };
    u[left] + u[right] - 2.0 * u[i]
}

#[test]
fn indices_that_branches_choose_leave_nothing_on_the_tape() {
    let (u, mut du) = ([0.5; 7], [0.0; 7]);
    let args = &mut (Duplicated(&u[..], &mut du[..]), Const(3));
    let tape = Thunk::<_, Active<f64>>::new(bend {}).augmented(args).tape;
    assert!(tape.is_empty(), "{} bytes", tape.bytes());
}

/// The last number that is nearer to its logarithm than those before.
#[differentiable]
fn nearest_to_logarithm(x: &[f64]) -> f64 {
    let (mut best, mut state) = (f64::MAX, 1.0);
    for x in x {
        state = x * state * state;
        let miss = (state - x) * (state - x);
        if miss < best {
            best = miss;
        }
    }
    best
}

#[test]
fn a_comparison_leaves_one_flag() {
    let bytes = |rounds: usize| {
        let (x, mut dx) = (vec![0.5; rounds], vec![0.0; rounds]);
        let args = &mut (Duplicated(&x[..], &mut dx[..]),);
        let thunk = Thunk::<_, Active<f64>>::new(nearest_to_logarithm {});
        thunk.augmented(args).tape.bytes()
    };
    // the state, and the flag
    assert_eq!(bytes(8) - bytes(7), 2 * 8);
}

#[differentiable]
fn distance(a: f64, b: f64) -> Option<f64> {
    let d = (a - b) * (a - b);
    if d > 4.0 {
        return None;
    }
    Some(d * d)
}

/// The nearest of some numbers, and where it is.
#[allow(clippy::collapsible_if)] // as people write it
#[differentiable]
fn nearest(x: &[f64], to: f64, weights: &[f64]) -> f64 {
    let (mut best, mut which) = (f64::MAX, 0);
    for i in 0..x.len() {
        if let Some(d) = distance(x[i], to) {
            if d < best {
                best = d;
                which = i;
            }
        }
    }
    best * weights[which]
}

#[test]
fn a_search_leaves_as_much_of_many_rounds_as_of_one() {
    let bytes = |rounds: usize| {
        let x: Vec<f64> = (0..rounds).map(|i| i as f64).collect();
        let mut dx = vec![0.0; rounds];
        let args = &mut (Duplicated(&x[..], &mut dx[..]), Active(3.2), Const(&x[..]));
        let thunk = Thunk::<_, Active<f64>>::new(nearest {});
        thunk.augmented(args).tape.bytes()
    };
    assert_eq!(bytes(100), bytes(4));
}

/// Products of neighbours in strides, each round of which a cube passes through.
#[differentiable]
fn strides(x: &mut [f64], length: usize) {
    let mut start = 0;
    while start + length < x.len() {
        for k in 0..length {
            x[start + k] = x[start + k] * x[start + k];
        }
        start += length;
    }
}

/// Bytes that one stride more leaves, besides the values in it.
#[test]
fn an_index_that_a_loop_leaves_alone_goes_to_the_tape_once() {
    let bytes = |strides_: usize, length: usize| {
        let mut x = vec![1.5; strides_ * length + 1];
        let mut dx = x.clone();
        let args = &mut (Duplicated(&mut x[..], &mut dx[..]), Const(length));
        let tape = Thunk::<_, Const<()>>::new(strides {})
            .augmented(args)
            .tape
            .bytes();
        tape - strides_ * length * size_of::<f64>()
    };
    assert_eq!(bytes(21, 50) - bytes(20, 50), bytes(21, 5) - bytes(20, 5));
}

/// The columns of a triangle, one behind the other in memory, times an entry each.
#[differentiable]
fn triangle(l: &[f64], y: &mut [f64]) {
    let n = y.len();
    let mut rest = l;
    for c in 0..n {
        let (column, behind) = rest.split_at(n - c - 1);
        rest = behind;
        let entry = y[c];
        for (y, l) in y[c + 1..].iter_mut().zip(column) {
            *y += l * entry;
        }
    }
}

#[test]
fn a_slice_that_loses_its_beginning_leaves_one_index() {
    let bytes = |n: usize| {
        let l = vec![0.5; n * (n - 1) / 2];
        let (mut dl, mut y) = (l.clone(), vec![1.0; n]);
        let mut dy = y.clone();
        let args = &mut (
            Duplicated(&l[..], &mut dl[..]),
            Duplicated(&mut y[..], &mut dy[..]),
        );
        let thunk = Thunk::<_, Const<()>>::new(triangle {});
        thunk.augmented(args).tape.bytes()
    };
    // the entry, and where the column begins
    assert_eq!(bytes(21) - bytes(20), 16);
}

/// A product of two neighbours.
#[differentiable]
fn coupled(left: f64, right: f64) -> f64 {
    left * right - left * left * right
}

/// The product of an entry and its neighbours, on a ring.
#[differentiable]
fn on_a_ring(u: &[f64], i: usize) -> f64 {
    let n = u.len();
    u[(i + 1) % n] * u[i] * u[(i + n - 1) % n]
}

#[differentiable]
fn ring(start: &[f64], steps: usize) -> f64 {
    let n = start.len();
    let mut now = start.to_vec();
    let mut next = start.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = coupled(now[i - 1], now[i + 1]) * now[i];
        }
        now.copy_from_slice(&next);
        for i in 0..n {
            next[i] = on_a_ring(&now, i);
        }
        std::mem::swap(&mut now, &mut next);
    }
    now[0]
}

#[test]
fn a_stencil_leaves_one_word_for_each_entry() {
    let bytes = |n: usize, steps: usize| {
        let start = vec![0.5; n];
        let mut dstart = start.clone();
        let args = &mut (Duplicated(&start[..], &mut dstart[..]), Const(steps));
        Thunk::<_, Active<f64>>::new(ring {})
            .augmented(args)
            .tape
            .bytes()
    };
    let step = bytes(100, 11) - bytes(100, 10);
    // what is read in each loop, and the length of one of them
    assert_eq!(step, 8 * (2 * 100 + 2), "{step}");
}

#[derive(Clone, Tangent)]
struct Springs {
    at: Vec<f64>,
}

#[differentiable]
impl Springs {
    fn force(&self, i: usize) -> f64 {
        let d = self.at[i] - self.at[0];
        d * d * d
    }

    fn forces(&self) -> Vec<f64> {
        (0..self.at.len()).map(|i| self.force(i)).collect()
    }

    fn step(&mut self) {
        let forces = self.forces();
        for (x, f) in self.at.iter_mut().zip(&forces) {
            *x -= 0.1 * f;
        }
    }
}

#[differentiable]
fn settled(x: &[f64], steps: usize) -> f64 {
    let mut springs = Springs { at: x.to_vec() };
    for _ in 0..steps {
        springs.step();
    }
    springs.at.iter().sum()
}

#[test]
fn memory_that_many_calls_read_is_copied_once() {
    let bytes = |n: usize, steps: usize| {
        let (x, mut dx) = (vec![0.1; n], vec![0.0; n]);
        let args = &mut (Duplicated(&x[..], &mut dx[..]), Const(steps));
        let thunk = Thunk::<_, Active<f64>>::new(settled {});
        thunk.augmented(args).tape.bytes()
    };
    let step = |n: usize| bytes(n, 3) - bytes(n, 2);
    // one copy of the positions in each step, not one for each force
    assert_eq!(step(64) - step(32), 2 * (step(32) - step(16)));
    assert!(step(64) < 3 * 64 * 8, "{} bytes", step(64));
}

#[differentiable]
fn dense(w: &[f64], x: &[f64]) -> Vec<f64> {
    let rows = w.chunks_exact(x.len());
    rows.map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum())
        .collect()
}

/// What `dense` gives is read by `tanh` alone, whose derivative is told by its value.
#[differentiable]
fn layer(w: &[f64], x: &[f64]) -> Vec<f64> {
    dense(w, x).iter().map(|z| z.tanh()).collect()
}

#[test]
fn of_what_is_read_for_its_length_a_word_is_kept() {
    let bytes = |rows: usize| {
        let (w, x) = (vec![0.1; rows * 4], [0.5; 4]);
        let (mut dw, mut dx) = (w.clone(), x);
        let args = &mut (
            Duplicated(&w[..], &mut dw[..]),
            Duplicated(&x[..], &mut dx[..]),
        );
        let thunk = Thunk::<_, Active<Vec<f64>>>::new(layer {});
        thunk.augmented(args).tape.bytes()
    };
    // the value of tanh, for each row
    assert_eq!(bytes(32) - bytes(16), 16 * 8);
}

#[derive(Clone, Copy, Tangent)]
struct Arrow {
    x: f64,
    y: f64,
}

#[differentiable]
impl Arrow {
    fn dot(self, other: Arrow) -> f64 {
        self.x * other.x + self.y * other.y
    }
    fn norm2(&self) -> f64 {
        self.dot(*self)
    }
}

#[differentiable]
fn energy(from: Arrow, by: &Arrow) -> f64 {
    let along = from.dot(*by) + by.norm2();
    along * along * along
}

#[differentiable]
fn action(a: Arrow, b: Arrow) -> f64 {
    let energy = energy(a, &b);
    energy * energy
}

#[test]
fn calls_of_small_methods_of_parameters_leave_nothing_on_the_tape() {
    let [a, b] = [(0.3, 0.7), (0.2, -0.4)].map(|(x, y)| Active(Arrow { x, y }));
    let tape = Thunk::<_, Active<f64>>::new(action {})
        .augmented(&mut (a, b))
        .tape;
    assert!(tape.is_empty(), "{} bytes", tape.bytes());
}
