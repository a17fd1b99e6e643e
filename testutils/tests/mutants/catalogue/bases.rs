//! The functions of the catalogue.

use coenzyme::Tangent;
use coenzyme_testutils::{by_ref, input, out, value};
use num_complex::Complex;
use rayon::prelude::*;

use super::rule::rules;
use super::{Base, Judged};

macro_rules! judged {
    ($name:ident $($drawn:ident)?) => {
        Judged {
            name: stringify!($name),
            drawn: !stringify!($($drawn)?).is_empty(),
            forward: $name::forward,
            reverse: $name::reverse,
        }
    };
}

/// Every base.
pub(super) const ALL: &[Judged] = &[
    judged!(in_place drawn),
    judged!(matvec drawn),
    judged!(quotient),
    judged!(array drawn),
    judged!(spring),
    judged!(closure drawn),
    judged!(parallel drawn),
    judged!(complex),
];

/// y ← a·x², returns Σ y.
#[derive(Clone, Copy)]
pub(crate) struct InPlace;

impl Base for InPlace {
    type Written = [f64];
    type Read = [f64];
    type Value = f64;
    type Out = f64;

    fn call(self, y: &mut [f64], x: &[f64], a: &f64) -> f64 {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x * x);
        y.iter().sum()
    }

    fn jacobian(self, x: &[f64], a: &[f64]) -> Vec<Vec<f64>> {
        let n = x.len();
        let mut of_sum: Vec<f64> = x.iter().map(|x| 2.0 * a[0] * x).collect();
        of_sum.push(x.iter().map(|x| x * x).sum());
        let entry = |i: usize| {
            let mut row = vec![0.0; n + 1];
            row[i] = 2.0 * a[0] * x[i];
            row[n] = x[i] * x[i];
            row
        };
        std::iter::once(of_sum).chain((0..n).map(entry)).collect()
    }
}

rules! { in_place: InPlace = InPlace, ([f64], [f64], f64) -> f64, Active, (out(5), input(5).within(-9.0..9.0), value(1.375)) }

/// y ← A·b, for a matrix in rows and a vector that is taken by value; returns y₀·b₀.
#[derive(Clone, Copy)]
pub(crate) struct Matvec;

impl Base for Matvec {
    type Written = [f64];
    type Read = [f64];
    type Value = Vec<f64>;
    type Out = f64;

    fn call(self, y: &mut [f64], a: &[f64], b: &Vec<f64>) -> f64 {
        for (y, row) in y.iter_mut().zip(a.chunks(b.len())) {
            *y = row.iter().zip(b).map(|(a, b)| a * b).sum();
        }
        y[0] * b[0]
    }

    fn jacobian(self, a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
        let (n, all) = (b.len(), a.len() + b.len());
        let entry = |i: usize| {
            let mut row = vec![0.0; all];
            row[i * n..(i + 1) * n].copy_from_slice(b);
            row[a.len()..].copy_from_slice(&a[i * n..(i + 1) * n]);
            row
        };
        let mut of_return: Vec<f64> = entry(0).iter().map(|entry| entry * b[0]).collect();
        of_return[a.len()] += a[..n].iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        std::iter::once(of_return)
            .chain((0..a.len() / n).map(entry))
            .collect()
    }
}

rules! {
    matvec: Matvec = Matvec, ([f64], [f64], Vec<f64>) -> f64, Active,
    (out(3), input(6).within(-9.0..9.0), value(vec![1.25, -0.75]))
}

/// Returns sin(a)/b, and writes a·b.
#[derive(Clone, Copy)]
pub(crate) struct Quotient;

impl Base for Quotient {
    type Written = [f64];
    type Read = [f64; 2];
    type Value = f64;
    type Out = f64;

    fn call(self, y: &mut [f64], a: &[f64; 2], b: &f64) -> f64 {
        y[0] = a[0] * b;
        (a[0] * a[1]).sin() / b
    }

    fn jacobian(self, a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
        let (angle, b) = (a[0] * a[1], b[0]);
        vec![
            vec![
                a[1] * angle.cos() / b,
                a[0] * angle.cos() / b,
                -angle.sin() / (b * b),
            ],
            vec![b, 0.0, a[0]],
        ]
    }
}

rules! {
    quotient: Quotient = Quotient, ([f64], [f64; 2], f64) -> f64, Active,
    (out(1), by_ref([1.375, -0.625]), value(-0.75))
}

/// Returns a·x², and writes a·Σ x.
#[derive(Clone, Copy)]
pub(crate) struct ReturnsArray;

impl Base for ReturnsArray {
    type Written = [f64];
    type Read = [f64];
    type Value = f64;
    type Out = Vec<f64>;

    fn call(self, y: &mut [f64], x: &[f64], a: &f64) -> Vec<f64> {
        assert_eq!(y.len(), 1, "one sum");
        y[0] = a * x.iter().sum::<f64>();
        x.iter().map(|x| a * x * x).collect()
    }

    fn jacobian(self, x: &[f64], a: &[f64]) -> Vec<Vec<f64>> {
        let mut rows = InPlace.jacobian(x, a);
        rows.remove(0);
        let mut of_sum = vec![a[0]; x.len()];
        of_sum.push(x.iter().sum());
        rows.push(of_sum);
        rows
    }
}

rules! {
    array: ReturnsArray = ReturnsArray, ([f64], [f64], f64) -> Vec<f64>, Duplicated,
    (out(1), input(4).within(-9.0..9.0), value(-1.25))
}

/// A spring: its stiffness, where it rests, and its number, which has no derivative.
#[derive(Clone, Debug, Tangent)]
pub(crate) struct Spring {
    stiffness: f64,
    rest: Vec<f64>,
    number: u32,
}

/// Writes the forces of a spring whose ends are moved by `d`; returns its energy.
#[derive(Clone, Copy)]
pub(crate) struct Stretch;

impl Base for Stretch {
    type Written = [f64];
    type Read = Spring;
    type Value = f64;
    type Out = f64;

    fn call(self, force: &mut [f64], spring: &Spring, d: &f64) -> f64 {
        let stretch = |r: &f64| d - r;
        for (force, r) in force.iter_mut().zip(&spring.rest) {
            *force = spring.stiffness * stretch(r);
        }
        let squares: f64 = spring.rest.iter().map(|r| stretch(r) * stretch(r)).sum();
        0.5 * spring.stiffness * squares
    }

    fn jacobian(self, spring: &[f64], d: &[f64]) -> Vec<Vec<f64>> {
        let (k, rest, d) = (spring[0], &spring[1..], d[0]);
        let n = rest.len();
        let mut energy = vec![0.5 * rest.iter().map(|r| (d - r) * (d - r)).sum::<f64>()];
        energy.extend(rest.iter().map(|r| -k * (d - r)));
        energy.push(rest.iter().map(|r| k * (d - r)).sum());
        let force = |i: usize| {
            let mut row = vec![0.0; n + 2];
            row[0] = d - rest[i];
            row[1 + i] = -k;
            row[n + 1] = k;
            row
        };
        std::iter::once(energy).chain((0..n).map(force)).collect()
    }
}

rules! {
    spring: Stretch = Stretch, ([f64], Spring, f64) -> f64, Active,
    (out(3), by_ref(Spring { stiffness: 2.5, rest: vec![0.5, -1.25, 0.75], number: 7 }), value(1.75))
}

/// A polynomial with coefficients of its own: y ← a·p(x), returns y₀·x₁.
#[derive(Clone, Copy)]
pub(crate) struct Polynomial([f64; 3]);

impl Polynomial {
    fn at(self, x: f64) -> (f64, f64) {
        let [c, b, a] = self.0;
        (c + x * (b + x * a), b + 2.0 * a * x)
    }
}

impl Base for Polynomial {
    type Written = [f64];
    type Read = [f64];
    type Value = f64;
    type Out = f64;

    fn call(self, y: &mut [f64], x: &[f64], a: &f64) -> f64 {
        y.iter_mut()
            .zip(x)
            .for_each(|(y, x)| *y = a * self.at(*x).0);
        y[0] * x[1]
    }

    fn jacobian(self, x: &[f64], a: &[f64]) -> Vec<Vec<f64>> {
        let (n, a) = (x.len(), a[0]);
        let entry = |i: usize| {
            let mut row = vec![0.0; n + 1];
            (row[n], row[i]) = self.at(x[i]);
            row[i] *= a;
            row
        };
        let mut of_return: Vec<f64> = entry(0).iter().map(|entry| entry * x[1]).collect();
        of_return[1] += a * self.at(x[0]).0;
        std::iter::once(of_return)
            .chain((0..n).map(entry))
            .collect()
    }
}

rules! {
    closure: Polynomial = Polynomial([0.5, -1.25, 0.75]), ([f64], [f64], f64) -> f64, Active,
    (out(3), input(3).within(-9.0..9.0), value(1.5))
}

/// [`InPlace`] on the threads of rayon.
#[derive(Clone, Copy)]
pub(crate) struct Parallel;

impl Base for Parallel {
    type Written = [f64];
    type Read = [f64];
    type Value = f64;
    type Out = f64;

    fn call(self, y: &mut [f64], x: &[f64], a: &f64) -> f64 {
        y.par_iter_mut().zip(x).for_each(|(y, x)| *y = a * x * x);
        let parts: Vec<f64> = y.par_chunks(2).map(|part| part.iter().sum()).collect();
        parts.iter().sum()
    }

    fn jacobian(self, x: &[f64], a: &[f64]) -> Vec<Vec<f64>> {
        InPlace.jacobian(x, a)
    }
}

rules! { parallel: Parallel = Parallel, ([f64], [f64], f64) -> f64, Active, (out(5), input(5).within(-9.0..9.0), value(0.75)) }

type C = Complex<f64>;

/// y ← c·z², returns c·z₀.
#[derive(Clone, Copy)]
pub(crate) struct Holomorphic;

/// The real form of multiplication by `partial`.
fn block(rows: &mut [Vec<f64>], row: usize, column: usize, partial: C) {
    rows[2 * row][2 * column] = partial.re;
    rows[2 * row][2 * column + 1] = -partial.im;
    rows[2 * row + 1][2 * column] = partial.im;
    rows[2 * row + 1][2 * column + 1] = partial.re;
}

impl Base for Holomorphic {
    type Written = [C];
    type Read = [C];
    type Value = C;
    type Out = C;

    fn call(self, y: &mut [C], z: &[C], c: &C) -> C {
        y.iter_mut().zip(z).for_each(|(y, z)| *y = c * z * z);
        c * z[0]
    }

    fn jacobian(self, z: &[f64], c: &[f64]) -> Vec<Vec<f64>> {
        let z: Vec<C> = z.chunks(2).map(|z| C::new(z[0], z[1])).collect();
        let (n, c) = (z.len(), C::new(c[0], c[1]));
        let mut rows = vec![vec![0.0; 2 * n + 2]; 2 * n + 2];
        block(&mut rows, 0, 0, c);
        block(&mut rows, 0, n, z[0]);
        for (i, z) in z.iter().enumerate() {
            block(&mut rows, 1 + i, i, c * z * 2.0);
            block(&mut rows, 1 + i, n, z * z);
        }
        rows
    }
}

rules! {
    complex: Holomorphic = Holomorphic, ([C], [C], C) -> C, Active,
    (
        out(vec![C::new(0.0, 0.0); 2]),
        input(vec![C::new(1.5, -0.625), C::new(-0.75, 1.125)]),
        value(C::new(0.875, -1.25)),
    )
}
