//! Functions without derivative beside their caller: what their text shows to give the same again is computed again, all others run once.

use std::cell::Cell;

use coenzyme::prelude::*;

use crate::judge::any;
use crate::subject::judge;

const N: usize = 4;

fn at(i: usize, j: usize) -> usize {
    (i % N) * N + j % N
}

#[differentiable]
fn on_a_torus(x: &[f64], steps: usize) -> f64 {
    let mut w = x.to_vec();
    for _ in 0..steps {
        let mut next = w.clone();
        for i in 0..N {
            for j in 0..N {
                let k = at(i, j);
                next[k] = w[k] * w[at(i + 1, j)] + 0.5 * w[at(i, j + N - 1)] * w[k];
            }
        }
        w = next;
    }
    w[0] * w[5]
}

/// The last key that is not above a point.
fn interval(keys: &[f64], point: f64) -> usize {
    let (mut low, mut high) = (0, keys.len() - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match keys[middle] > point {
            true => high = middle,
            false => low = middle,
        }
    }
    low
}

#[differentiable]
fn by_intervals(y: &[f64]) -> f64 {
    let points = [0.1, 0.4, 0.45, 1.7];
    let keys = [0.0, 0.3, 0.5, 1.0, 2.0];
    let mut total = 0.0;
    for point in points {
        let k = interval(&keys, point);
        let part = (point - keys[k]) / (keys[k + 1] - keys[k]);
        let value = y[k] * (1.0 - part) + y[k + 1] * part;
        total += value * value;
    }
    total
}

/// What the helper reads is other than it was.
#[differentiable]
fn by_keys_that_change(y: &[f64], rounds: usize) -> f64 {
    let mut keys = [0.0, 0.3, 0.5, 1.0, 2.0];
    let mut total = 0.0;
    for round in 0..rounds {
        let k = interval(&keys, 0.4);
        total += total * y[k] * y[k + 1] + y[k];
        keys[round % 5] += 0.25;
    }
    total
}

struct Grid {
    columns: usize,
    reads: Cell<usize>,
}

impl Grid {
    fn place(&self, i: usize, j: usize) -> usize {
        let row = self.row(i);
        if j < self.columns { row + j } else { row }
    }
    fn row(&self, i: usize) -> usize {
        i * self.columns
    }
    fn next(&self) -> usize {
        self.reads.set(self.reads.get() + 1);
        self.reads.get() % 3
    }
}

#[differentiable]
fn by_a_method(x: &[f64], #[constant] grid: &Grid) -> f64 {
    let mut w = x.to_vec();
    for i in 0..2 {
        for j in 0..3 {
            w[grid.place(i, j)] *= w[grid.place(i, j + 1)] + 0.5;
        }
    }
    w.iter().sum()
}

fn counted(grid: &Grid) -> usize {
    grid.next()
}

/// Each number is had once.
#[differentiable]
fn by_effects(x: &[f64], rounds: usize) -> f64 {
    let grid = Grid {
        columns: 2,
        reads: Cell::new(0),
    };
    let mut total = 1.0;
    for _ in 0..rounds {
        total *= x[counted(&grid)] + x[grid.next()];
    }
    total
}

/// Indices at the border, which are chosen by branches.
#[differentiable]
fn by_branches(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut w = x.to_vec();
    for _ in 0..steps {
        let mut next = w.clone();
        for i in 0..n {
            let left = if i == 0 { n - 1 } else { i - 1 };
            let right = w[match i + 1 {
                k if k < n => k,
                _ => 0,
            }];
            next[i] = w[i] * w[left] + right * right;
        }
        w = next;
    }
    w[1] + w[2]
}

/// The half-edges of triangles, and what lies on them.
#[derive(Clone, Tangent)]
struct Mesh {
    twins: Vec<usize>,
    flags: u8,
    weights: Vec<f64>,
}

fn before(i: usize) -> usize {
    if i.is_multiple_of(3) { i + 2 } else { i - 1 }
}

fn is_marked(i: usize, flags: u8) -> bool {
    flags >> i & 1 == 1
}

fn half_of(x: f64) -> i32 {
    (x / 2.0).floor() as i32
}

#[differentiable]
impl Mesh {
    /// The integers stand beside numbers in one struct, so that its text does not tell what may carry a derivative.
    fn turned(&mut self, at: usize, x: f64) -> f64 {
        let twin = self.twins[at];
        let next = before(twin);
        self.twins[at] = next;
        let factor = if is_marked(next, self.flags) { 2.0 } else { x };
        self.weights[before(self.twins[at])] *= factor;
        self.weights[next] * factor * half_of(self.weights[0]) as f64
    }
}

#[differentiable]
fn around(x: f64, y: f64) -> f64 {
    let mut mesh = Mesh {
        twins: vec![3, 5, 1, 0, 2, 4],
        flags: 0b101001,
        weights: vec![4.5, x, y, x * y, x + y, y.sin()],
    };
    let mut sum = 0.0;
    for k in 0..4 {
        sum += mesh.turned(k, x) * mesh.weights[k];
    }
    sum
}

#[derive(Clone, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

fn is_near(p: &Point, q: &Point) -> bool {
    (p.x - q.x).hypot(p.y - q.y) < 1.0
}

#[differentiable]
impl Point {
    fn turn(&self, q: &Self, r: &Self) -> f64 {
        (q.y - self.y) * (r.x - q.x) - (q.x - self.x) * (r.y - q.y)
    }
}

/// Names of references are arguments of what is only asked.
#[differentiable]
fn seen(points: &[Point]) -> f64 {
    let first = &points[0];
    let second = &points[1];
    let mut last = 0;
    for (i, p) in points.iter().enumerate() {
        if first.turn(second, p) > 0.0 && !is_near(p, second) {
            last = i;
        }
    }
    let sign = match second.turn(&points[last], first) > 0.0 {
        true => 1.0,
        false => -2.0,
    };
    sign * points[last].x * first.y + second.x * second.y
}

#[differentiable]
fn seen_from(x: f64, y: f64) -> f64 {
    let points = [
        Point { x, y },
        Point { x: y, y: x * y },
        Point {
            x: x + y,
            y: x - 2.0,
        },
        Point { x: 2.0, y: 1.5 * y },
    ];
    seen(&points)
}

judge! {
    around (0.7, 1.3) (-0.4, 0.6);
    seen_from (0.7, 1.3) (-0.4, 0.6) (0.2, -1.5);
    on_a_torus (&any(16), 2);
    by_intervals (&any(5));
    by_keys_that_change (&any(5), 6);
    by_effects (&any(3), 5);
    by_branches (&any(4), 2);
}

#[test]
fn methods_are_read() {
    #[differentiable]
    fn written_out(x: &[f64]) -> f64 {
        let mut w = x.to_vec();
        for i in 0..2 {
            for j in 0..3 {
                w[i * 3 + j] *= w[if j + 1 < 3 { i * 3 + j + 1 } else { i * 3 }] + 0.5;
            }
        }
        w.iter().sum()
    }
    let grid = Grid {
        columns: 3,
        reads: Cell::new(0),
    };
    let x = [0.7, 0.9, 1.2, 0.4, -0.5, 0.3];
    let (mut dx, mut expected) = ([0.0; 6], [0.0; 6]);
    autodiff!(
        Reverse,
        by_a_method,
        Active,
        Duplicated(&x[..], &mut dx[..]),
        Const(&grid)
    );
    autodiff!(
        Reverse,
        written_out,
        Active,
        Duplicated(&x[..], &mut expected[..])
    );
    assert_eq!(dx, expected);
}

#[test]
fn effects_happen_as_often_as_in_the_program() {
    #[differentiable]
    fn product(x: &[f64], #[constant] grid: &Grid, rounds: usize) -> f64 {
        let mut total = 1.0;
        for _ in 0..rounds {
            total *= x[counted(grid)] + x[grid.next()];
        }
        total
    }
    let grid = Grid {
        columns: 2,
        reads: Cell::new(0),
    };
    let x = [0.7, 0.9, 1.2];
    let mut dx = [0.0; 3];
    autodiff!(
        Reverse,
        product,
        Active,
        Duplicated(&x[..], &mut dx[..]),
        Const(&grid),
        Const(5)
    );
    assert_eq!(grid.reads.get(), 10);
}

#[test]
fn a_call_that_may_give_no_value_runs_once() {
    #[differentiable]
    fn square(x: &[f64], scale: f64, #[constant] grid: &Grid) -> Option<f64> {
        let k = grid.next();
        if x[k] < 0.0 {
            return None;
        }
        Some(x[k] * x[k] * scale)
    }
    #[differentiable]
    fn squares(x: &[f64], #[constant] grid: &Grid, rounds: usize) -> f64 {
        let mut total = 0.0;
        for _ in 0..rounds {
            if let Some(v) = square(x, x[2], grid) {
                total += v.sin();
            }
        }
        let Some(last) = square(x, 2.0, grid) else {
            return total;
        };
        total * last
    }
    let grid = || Grid {
        columns: 2,
        reads: Cell::new(0),
    };
    for x in [[0.7, -0.9, 1.2], [-0.7, -0.9, 1.2], [0.7, 0.9, 1.2]] {
        let (backwards, forwards) = (grid(), grid());
        let mut dx = [0.0; 3];
        autodiff!(
            Reverse,
            squares,
            Active,
            Duplicated(&x[..], &mut dx[..]),
            Const(&backwards),
            Const(4)
        );
        assert_eq!(backwards.reads.get(), 5);
        let (slope,) = autodiff!(
            Forward,
            squares,
            Duplicated(&x[..], &[1.0, 2.0, 3.0][..]),
            Const(&forwards),
            Const(4)
        );
        assert_eq!(forwards.reads.get(), 5);
        let along = dx[0] + 2.0 * dx[1] + 3.0 * dx[2];
        assert!((slope - along).abs() < 1e-12, "{slope} and {along}");
        let at = |h: f64| squares(&[x[0] + h, x[1] + 2.0 * h, x[2] + 3.0 * h], &grid(), 4);
        let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!(
            (slope - difference).abs() < 1e-7,
            "{slope} and {difference}"
        );
    }
}

/// A number with an operator that does more than to compute.
#[derive(Clone, Copy)]
struct Turn<'a>(&'a Cell<usize>);

impl std::ops::Rem<usize> for Turn<'_> {
    type Output = usize;

    fn rem(self, n: usize) -> usize {
        self.0.set(self.0.get() + 1);
        self.0.get() % n
    }
}

fn turned(t: Turn<'_>) -> usize {
    t % 3
}

#[test]
fn an_operator_of_ones_own_may_have_effects() {
    #[differentiable]
    fn cubes(x: &[f64], #[constant] t: Turn<'_>) -> f64 {
        let mut total = 0.0;
        for i in 0..3 {
            let k = turned(t);
            total += x[k] * x[k] * x[i];
        }
        total
    }
    let x = [0.3, 0.7, 1.1];
    let count = Cell::new(0);
    // x[1]²·x[0] + x[2]²·x[1] + x[0]²·x[2]
    let expected = [
        0.7 * 0.7 + 2.0 * 0.3 * 1.1,
        2.0 * 0.7 * 0.3 + 1.1 * 1.1,
        2.0 * 1.1 * 0.7 + 0.3 * 0.3,
    ];
    let mut dx = [0.0; 3];
    autodiff!(
        Reverse,
        cubes,
        Active,
        Duplicated(&x[..], &mut dx[..]),
        Const(Turn(&count))
    );
    for (got, expected) in dx.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-14, "{dx:?}");
    }
    assert_eq!(count.get(), 3);
}
