//! Small programs of several fields, as people write them: recurrences, eliminations, trees, queues, splines.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn ring_buffer(x: &[f64]) -> f64 {
    let mut buf = [0.0; 3];
    let mut head = 0;
    let mut s = 0.0;
    for v in x {
        buf[head] = *v;
        head = (head + 1) % buf.len();
        s += buf.iter().sum::<f64>() * v;
    }
    s
}
#[differentiable]
fn running_variance(x: &[f64]) -> f64 {
    let (mut mean, mut m2, mut n) = (0.0, 0.0, 0.0);
    for &v in x {
        n += 1.0;
        let delta = v - mean;
        mean += delta / n;
        m2 += delta * (v - mean);
    }
    m2 / (n - 1.0)
}
#[differentiable]
fn warped_distance(x: &[f64]) -> f64 {
    let n = x.len();
    let mut d = vec![vec![0.0; n + 1]; n + 1];
    for i in 1..=n {
        for j in 1..=n {
            let c = (x[i - 1] - x[n - j]).powi(2);
            d[i][j] = c + if i == 1 && j == 1 {
                0.0
            } else {
                let mut m = f64::INFINITY;
                if i > 1 {
                    m = m.min(d[i - 1][j]);
                }
                if j > 1 {
                    m = m.min(d[i][j - 1]);
                }
                if i > 1 && j > 1 {
                    m = m.min(d[i - 1][j - 1]);
                }
                m
            };
        }
    }
    d[n][n]
}
#[differentiable]
fn tridiagonal(x: &[f64]) -> f64 {
    let n = 3;
    let (d, r) = x.split_at(n);
    let mut c = vec![0.0; n];
    let mut y = vec![0.0; n];
    let off = 0.3;
    c[0] = off / d[0];
    y[0] = r[0] / d[0];
    for i in 1..n {
        let m = d[i] - off * c[i - 1];
        c[i] = off / m;
        y[i] = (r[i] - off * y[i - 1]) / m;
    }
    for i in (0..n - 1).rev() {
        y[i] -= c[i] * y[i + 1];
    }
    y.iter().map(|v| v * v).sum()
}
#[differentiable]
fn determinant(x: &[f64]) -> f64 {
    let mut a: Vec<Vec<f64>> = x.chunks(3).map(|r| r.to_vec()).collect();
    let n = 3;
    let mut det = 1.0;
    for k in 0..n {
        let p = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        if p != k {
            a.swap(p, k);
            det = -det;
        }
        det *= a[k][k];
        for i in k + 1..n {
            let m = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= m * a[k][j];
            }
        }
    }
    det
}
#[derive(Clone, Copy, PartialEq)]
enum PhasesPhase {
    Up,
    Down,
    Flat,
}
#[differentiable]
fn phases(x: &[f64]) -> f64 {
    let mut phase = PhasesPhase::Flat;
    let mut s = 0.0;
    for w in x.windows(2) {
        phase = match (phase, w[1] > w[0]) {
            (PhasesPhase::Down, true) => PhasesPhase::Flat,
            (_, true) => PhasesPhase::Up,
            (PhasesPhase::Up, false) => PhasesPhase::Flat,
            (_, false) => PhasesPhase::Down,
        };
        s += match phase {
            PhasesPhase::Up => w[1] * w[0],
            PhasesPhase::Down => w[1] - w[0],
            PhasesPhase::Flat => w[0].sin(),
        };
    }
    s
}
#[differentiable]
fn counted_by_a_map(x: &[f64]) -> f64 {
    use std::collections::HashMap;
    let mut count: HashMap<i64, usize> = HashMap::new();
    for v in x {
        *count.entry(*v as i64).or_insert(0) += 1;
    }
    let k = count[&0];
    x[0] * x[1] * k as f64
}
#[derive(Clone, Tangent)]
struct OwnMatrixM {
    r: usize,
    c: usize,
    d: Vec<f64>,
}
#[differentiable]
impl OwnMatrixM {
    fn own_matrix_new(r: usize, c: usize) -> Self {
        OwnMatrixM {
            r,
            c,
            d: vec![0.0; r * c],
        }
    }
    fn own_matrix_at(&self, i: usize, j: usize) -> f64 {
        self.d[i * self.c + j]
    }
    fn own_matrix_set(&mut self, i: usize, j: usize, v: f64) {
        self.d[i * self.c + j] = v;
    }
    fn own_matrix_mul(&self, o: &OwnMatrixM) -> OwnMatrixM {
        let mut m = OwnMatrixM::own_matrix_new(self.r, o.c);
        for i in 0..self.r {
            for j in 0..o.c {
                let mut s = 0.0;
                for k in 0..self.c {
                    s += self.own_matrix_at(i, k) * o.own_matrix_at(k, j);
                }
                m.own_matrix_set(i, j, s);
            }
        }
        m
    }
    fn own_matrix_trace(&self) -> f64 {
        (0..self.r).map(|i| self.own_matrix_at(i, i)).sum()
    }
}
#[differentiable]
fn own_matrix(x: &[f64]) -> f64 {
    let mut a = OwnMatrixM::own_matrix_new(2, 2);
    for i in 0..2 {
        for j in 0..2 {
            a.own_matrix_set(i, j, x[2 * i + j]);
        }
    }
    let b = a.own_matrix_mul(&a);
    b.own_matrix_mul(&a).own_matrix_trace()
}
#[differentiable]
fn two_ends(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut j = x.len() - 1;
    let mut s = 0.0;
    while i < j {
        let (a, b) = (x[i], x[j]);
        s += if a < b {
            i += 1;
            a * b
        } else {
            j -= 1;
            a - b
        };
    }
    s
}
#[derive(Clone, Copy, Tangent)]
struct InertiaP {
    m: f64,
    q: [f64; 2],
}
#[differentiable]
fn inertia(x: &[f64]) -> f64 {
    let ps: Vec<InertiaP> = x
        .chunks(2)
        .enumerate()
        .map(|(i, c)| InertiaP {
            m: 1.0 + i as f64,
            q: [c[0], c[1]],
        })
        .collect();
    let tot: f64 = ps.iter().map(|p| p.m).sum();
    let mut com = [0.0; 2];
    for InertiaP { m, q } in &ps {
        for (c, q) in com.iter_mut().zip(q) {
            *c += m * q / tot;
        }
    }
    ps.iter()
        .map(|p| {
            p.m * p
                .q
                .iter()
                .zip(&com)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
        })
        .sum()
}
#[differentiable]
fn split_ends(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let (top, bottom) = a.split_at_mut(3);
    for (t, b) in top.iter().zip(bottom.iter_mut()) {
        *b -= t * 0.5;
    }
    let (first, rest) = bottom.split_first_mut().unwrap();
    for r in rest {
        *r *= *first;
    }
    let (last, others) = top.split_last_mut().unwrap();
    *last *= others[0];
    others[1] += *last;
    a.iter().enumerate().map(|(i, v)| v * i as f64).sum()
}
#[differentiable]
fn last_of_the_rest(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    if let Some((last, others)) = a.split_last_mut() {
        for o in others.iter_mut() {
            *o *= *last;
        }
        *last = others[1] * 2.0;
    }
    a.iter().enumerate().map(|(i, v)| v * i as f64).sum()
}
#[differentiable]
fn orthonormal(x: &[f64]) -> f64 {
    let mut q: Vec<[f64; 3]> = vec![];
    for r in x.chunks_exact(3) {
        let mut v = [r[0], r[1], r[2]];
        for u in &q {
            let p: f64 = u.iter().zip(&v).map(|(a, b)| a * b).sum();
            for k in 0..3 {
                v[k] -= p * u[k];
            }
        }
        let n = v.iter().map(|a| a * a).sum::<f64>().sqrt();
        q.push(v.map(|a| a / n));
    }
    q[1][0] + q[1][2] * q[0][1]
}
#[differentiable]
fn breadth_first(x: &[f64]) -> f64 {
    let mut q: Vec<(usize, f64)> = vec![(0, x[0])];
    let mut s = 0.0;
    while !q.is_empty() {
        let (i, v) = q.remove(0);
        s += v * v;
        if 2 * i + 2 < x.len() {
            q.push((2 * i + 1, v * x[2 * i + 1]));
            q.push((2 * i + 2, v + x[2 * i + 2]));
        }
    }
    s
}
#[differentiable]
fn interpolated(x: &[f64]) -> f64 {
    let xs = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0];
    let t = x[4];
    let i = match xs.binary_search_by(|p| p.partial_cmp(&t).unwrap()) {
        Ok(i) => i,
        Err(i) => i.saturating_sub(1),
    }
    .min(4);
    let u = (t - xs[i]) / (xs[i + 1] - xs[i]);
    x[i] * (1.0 - u) + x[i + 1] * u * u
}
#[differentiable]
fn basis_functions_basis(i: usize, k: usize, t: f64, kn: &[f64]) -> f64 {
    if k == 0 {
        return if kn[i] <= t && t < kn[i + 1] {
            1.0
        } else {
            0.0
        };
    }
    let a = if kn[i + k] == kn[i] {
        0.0
    } else {
        (t - kn[i]) / (kn[i + k] - kn[i]) * basis_functions_basis(i, k - 1, t, kn)
    };
    let b = if kn[i + k + 1] == kn[i + 1] {
        0.0
    } else {
        (kn[i + k + 1] - t) / (kn[i + k + 1] - kn[i + 1])
            * basis_functions_basis(i + 1, k - 1, t, kn)
    };
    a + b
}
#[differentiable]
fn basis_functions(x: &[f64]) -> f64 {
    let kn = [0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.5];
    (0..4)
        .map(|i| x[i] * basis_functions_basis(i, 2, x[4], &kn))
        .sum::<f64>()
        * x[5]
}
#[derive(Clone, Tangent)]
enum ExpressionTreeE {
    Var(usize),
    Num(f64),
    Add(Box<ExpressionTreeE>, Box<ExpressionTreeE>),
    Mul(Box<ExpressionTreeE>, Box<ExpressionTreeE>),
}
#[differentiable]
fn expression_tree_ev(e: &ExpressionTreeE, x: &[f64]) -> f64 {
    match e {
        ExpressionTreeE::Var(i) => x[*i],
        ExpressionTreeE::Num(v) => *v,
        ExpressionTreeE::Add(a, b) => expression_tree_ev(a, x) + expression_tree_ev(b, x),
        ExpressionTreeE::Mul(a, b) => expression_tree_ev(a, x) * expression_tree_ev(b, x),
    }
}
#[differentiable]
fn expression_tree(x: &[f64]) -> f64 {
    let e = ExpressionTreeE::Add(
        Box::new(ExpressionTreeE::Mul(
            Box::new(ExpressionTreeE::Var(0)),
            Box::new(ExpressionTreeE::Var(1)),
        )),
        Box::new(ExpressionTreeE::Num(2.5)),
    );
    expression_tree_ev(&e, x)
}
#[derive(Clone, Tangent)]
struct BuiltInStepsB {
    built_in_steps_a: f64,
    b: f64,
}
#[differentiable]
impl BuiltInStepsB {
    fn built_in_steps_new() -> BuiltInStepsB {
        BuiltInStepsB {
            built_in_steps_a: 0.0,
            b: 1.0,
        }
    }
    fn built_in_steps_a(mut self, v: f64) -> BuiltInStepsB {
        self.built_in_steps_a = v;
        self
    }
    fn built_in_steps_scale(self, k: f64) -> BuiltInStepsB {
        BuiltInStepsB {
            built_in_steps_a: self.built_in_steps_a * k,
            b: self.b * k,
        }
    }
    fn built_in_steps_done(&self) -> f64 {
        self.built_in_steps_a * self.b
    }
}
#[differentiable]
fn built_in_steps(x: &[f64]) -> f64 {
    BuiltInStepsB::built_in_steps_new()
        .built_in_steps_a(x[0] * x[1])
        .built_in_steps_scale(x[2])
        .built_in_steps_done()
}
#[differentiable]
trait Act {
    fn activations_go(&self, v: f64) -> f64;
    fn activations_twice(&self, v: f64) -> f64 {
        self.activations_go(self.activations_go(v))
    }
}
#[derive(Clone, Tangent)]
struct ActivationsT1 {
    k: f64,
}
#[derive(Clone, Tangent)]
struct ActivationsT2;
#[differentiable]
impl Act for ActivationsT1 {
    fn activations_go(&self, v: f64) -> f64 {
        (v * self.k).tanh()
    }
}
#[differentiable]
impl Act for ActivationsT2 {
    fn activations_go(&self, v: f64) -> f64 {
        v * v
    }
}
#[differentiable]
fn activations_run<A: Act>(a: &A, v: f64) -> f64 {
    a.activations_twice(v) + a.activations_go(v)
}
#[differentiable]
fn activations(x: &[f64]) -> f64 {
    activations_run(&ActivationsT1 { k: x[0] }, x[1]) + activations_run(&ActivationsT2, x[2])
}
#[differentiable]
fn steps_that_adapt(x: &[f64]) -> f64 {
    let rhs = |y: [f64; 2]| [y[1], -x[0] * y[0] - x[3] * y[1]];
    let mut y = [x[1], x[2]];
    let (mut t, mut h) = (0.0, 0.1);
    while t < 1.0 {
        if t + h > 1.0 {
            h = 1.0 - t;
        }
        let k1 = rhs(y);
        let k2 = rhs([y[0] + h * k1[0], y[1] + h * k1[1]]);
        let e = (0..2)
            .map(|i| (0.5 * h * (k2[i] - k1[i])).abs())
            .fold(0.0, f64::max);
        if e < 0.2 {
            for i in 0..2 {
                y[i] += 0.5 * h * (k1[i] + k2[i]);
            }
            t += h;
        }
        h *= if e < 0.05 { 1.5 } else { 0.7 };
    }
    y[0] * y[1]
}
#[differentiable]
fn neighbours_on_a_torus(x: &[f64]) -> f64 {
    let (w, h) = (3usize, 2usize);
    let mut g = x.to_vec();
    for _ in 0..2 {
        let mut n = g.clone();
        for (idx, cell) in n.iter_mut().enumerate() {
            let (i, j) = ((idx / w) as isize, (idx % w) as isize);
            let mut s = 0.0;
            for di in -1..=1isize {
                for dj in -1..=1isize {
                    if di == 0 && dj == 0 {
                        continue;
                    }
                    let (a, b) = (
                        (i + di).rem_euclid(h as isize) as usize,
                        (j + dj).rem_euclid(w as isize) as usize,
                    );
                    s += g[a * w + b];
                }
            }
            *cell = (0.1 * s).sin() + 0.5 * g[idx];
        }
        std::mem::swap(&mut g, &mut n);
    }
    g.iter().sum()
}
#[differentiable]
fn cross_entropy_softmax(z: &[f64]) -> Vec<f64> {
    let m = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let e: Vec<f64> = z.iter().map(|v| (v - m).exp()).collect();
    let s: f64 = e.iter().sum();
    e.into_iter().map(|v| v / s).collect()
}
#[differentiable]
fn cross_entropy(x: &[f64]) -> f64 {
    let p = cross_entropy_softmax(x);
    let labels = [1usize, 0, 3];
    -labels.iter().map(|&l| p[l].ln()).sum::<f64>() / labels.len() as f64
}
#[differentiable]
fn nearest_two(x: &[f64]) -> f64 {
    let pts: Vec<(f64, f64)> = x.chunks(2).map(|c| (c[0], c[1])).collect();
    let q = (1.0, 1.0);
    let mut idx: Vec<usize> = (0..pts.len()).collect();
    idx.sort_by(|&a, &b| {
        let d = |p: (f64, f64)| (p.0 - q.0).powi(2) + (p.1 - q.1).powi(2);
        d(pts[a]).partial_cmp(&d(pts[b])).unwrap()
    });
    idx.iter().take(2).map(|&i| pts[i].0 * pts[i].1).sum()
}

#[differentiable]
fn steps_of_a_code(x: &[f64]) -> f64 {
    let code = "aabc";
    let mut s = 1.0;
    for c in code.chars() {
        match c {
            'a' => s *= x[0],
            'b' => s += x[1],
            _ => s *= s,
        }
    }
    s * x[2]
}
#[differentiable]
fn postfix_program(x: &[f64]) -> f64 {
    let prog = "0 1 + 2 *";
    let mut st: Vec<f64> = Vec::new();
    for tok in prog.split(' ') {
        match tok {
            "+" => {
                let b = st.pop().unwrap();
                let a = st.pop().unwrap();
                st.push(a + b);
            }
            "*" => {
                let b = st.pop().unwrap();
                let a = st.pop().unwrap();
                st.push(a * b);
            }
            k => {
                let k: usize = k.parse().unwrap();
                st.push(x[k] * x[k]);
            }
        }
    }
    st.pop().unwrap()
}
#[differentiable]
fn table_of_text(x: &[f64]) -> f64 {
    let data = "1.5 2.5\n3.5 4.5\n";
    let mut s = 0.0;
    'outer: for line in data.lines() {
        let v: Vec<f64> = line
            .split_whitespace()
            .map(|t| t.parse().unwrap())
            .collect();
        let r = x[0] * v[0] + x[1] - v[1];
        if r.abs() > 50.0 {
            break 'outer;
        }
        s += r * r;
    }
    s
}
#[differentiable]
fn signs_of_a_text_g(text: &str, x: &[f64]) -> f64 {
    let mut s = 1.0;
    for (i, c) in text.char_indices() {
        if c == '-' {
            s -= x[i % 3] * s;
        } else {
            s += x[i % 3];
        }
    }
    s
}
#[differentiable]
fn signs_of_a_text(x: &[f64]) -> f64 {
    signs_of_a_text_g("+-+-", x)
}

judge! {
    steps_of_a_code(&vec![0.7, 1.3, 2.0]);
    postfix_program(&vec![0.7, 1.3, 2.0]);
    table_of_text(&vec![0.7, 1.3, 2.0]);
    signs_of_a_text(&vec![0.7, 1.3, 2.0]);

    ring_buffer(&vec![0.7, 1.3, 2.0, 0.4]);
    running_variance(&vec![0.7, 1.3, 2.0, 0.4]);
    warped_distance(&vec![0.7, 1.3, 2.0, 0.4]);
    tridiagonal(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    determinant(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1, 0.2, 0.9, 1.7]);
    phases(&vec![0.7, 1.3, 2.0, 0.4]);
    counted_by_a_map(&vec![0.7, 1.3, 2.0, 0.4]);
    own_matrix(&vec![0.7, 1.3, 2.0, 0.4]);
    two_ends(&vec![0.7, 1.3, 2.0, 0.4]);
    inertia(&vec![0.7, 1.3, 2.0, 0.4]);
    split_ends(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    last_of_the_rest(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    orthonormal(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    breadth_first(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    interpolated(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    basis_functions(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    expression_tree(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    built_in_steps(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    activations(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    steps_that_adapt(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    neighbours_on_a_torus(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    cross_entropy(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
    nearest_two(&vec![2.0, 1.3, 3.0, 0.4, 0.7, 1.1]);
}
