//! A function that hides another of its name: a call means the one that is seen, and its rule is that of the same one, or there is none.

use coenzyme::{differentiable, gradient};

use crate::subject::judge;

/// What a program brings by a glob import.
mod library {
    use coenzyme::{differentiable, inactive};

    #[differentiable]
    pub(crate) fn norm(x: f64, y: f64) -> f64 {
        (x * x + y * y).sqrt()
    }
    #[differentiable]
    pub(crate) fn total<T: coenzyme::Real>(x: &[T]) -> T {
        let mut sum = x[0];
        for y in &x[1..] {
            sum = sum + *y * *y;
        }
        sum
    }
    #[differentiable]
    pub(crate) fn square<T: coenzyme::Real>(x: T) -> T {
        x * x
    }
    #[differentiable]
    pub(crate) fn largest(x: &[f64]) -> f64 {
        x[0] + x[1]
    }
    #[inactive]
    pub(crate) fn steps(x: f64) -> f64 {
        x.floor()
    }
    #[differentiable]
    pub(crate) fn damp(x: &mut [f64], by: f64) {
        for x in x.iter_mut() {
            *x *= by;
        }
    }
}

/// What hides it, and brings the rest.
mod wrapped {
    pub(crate) use super::library::*;
    pub(crate) fn norm(x: f64, y: f64) -> f64 {
        x.abs() + y.abs()
    }
}

mod unmarked {
    use super::library::*;
    use coenzyme::differentiable;

    fn norm(x: f64, y: f64) -> f64 {
        x.abs() + y.abs()
    }
    fn square<T: coenzyme::Real>(x: T) -> T {
        x
    }
    fn steps(x: f64) -> f64 {
        x * x
    }
    fn damp(x: &mut [f64], by: f64) {
        for x in x.iter_mut() {
            *x += by;
        }
    }
    fn largest(x: &[f64]) -> f64 {
        x[0].max(x[1])
    }

    #[differentiable]
    pub(super) fn of_memory(x: &[f64], y: &mut [f64]) -> f64 {
        damp(y, x[0]);
        y[0] * x[1]
    }
    #[differentiable]
    pub(super) fn of_a_part(x: &[f64]) -> f64 {
        largest(&x[1..]) * x[0]
    }
    #[differentiable]
    pub(super) fn by_value(x: f64, y: f64) -> f64 {
        norm(x, y) * x
    }
    #[differentiable]
    pub(super) fn generic(x: &[f64]) -> f64 {
        let y = 2.0 * x[0];
        square(y) * x[1]
    }
    #[differentiable]
    pub(super) fn inactive(x: f64) -> f64 {
        steps(x) + x
    }
}

#[differentiable]
fn wrapped_norm(x: f64, y: f64) -> f64 {
    wrapped::norm(x, y) * x
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_function_beside_a_glob_import() {
    gradient!(unmarked::by_value, 0.3, 0.7);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_generic_function_beside_a_glob_import() {
    gradient!(unmarked::generic, &[0.3, 0.7][..]);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_function_beside_one_that_is_inactive() {
    gradient!(unmarked::inactive, 0.3);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_function_that_changes_memory() {
    let (x, mut y) = ([0.3, 0.7], [0.5]);
    gradient!(unmarked::of_memory, &x[..], &mut y[..]);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_function_of_a_part_of_memory() {
    gradient!(unmarked::of_a_part, &[0.3, 0.7, 0.2][..]);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn a_function_of_a_module_that_brings_another() {
    gradient!(wrapped_norm, 0.3, 0.7);
}

#[test]
#[should_panic(expected = "mark the first, too")]
fn forward_mode_asks_too() {
    use coenzyme::prelude::*;
    autodiff!(
        Forward,
        unmarked::by_value,
        Duplicated(0.3, 1.0),
        Const(0.7)
    );
}

mod marked {
    use super::library::{damp, norm as size, total};
    use super::wrapped::steps as whole;
    use coenzyme::differentiable;

    #[differentiable]
    fn norm(x: f64, y: f64) -> f64 {
        x * y + y
    }
    #[differentiable]
    pub(super) fn own_and_renamed(x: f64, y: f64) -> f64 {
        let norm = norm(x, y) * size(x, y);
        norm + whole(x) * norm
    }
    #[differentiable]
    pub(super) fn named_like_locals(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut sum = 0.0;
        for _ in 0..2 {
            damp(&mut v, x[0]);
            damp(&mut v[1..], x[1]);
            let total = total(&v);
            sum += total * total;
        }
        let size = size(sum, total(x));
        size * sum
    }
    #[differentiable]
    pub(super) fn inside(x: f64, y: f64) -> f64 {
        #[differentiable]
        fn norm(x: f64, y: f64) -> f64 {
            x.sin() * y
        }
        norm(x, y) * super::marked::norm(x, y) * super::library::norm(x, y)
    }
}

/// Marked functions that hide marked ones: items of attributes beside a glob import.
mod both_marked {
    use super::library::*;
    use coenzyme::{Real, differentiable};

    #[differentiable]
    fn damp(x: &mut [f64], by: f64) {
        for x in x.iter_mut() {
            *x = *x * *x * by;
        }
    }
    #[differentiable]
    fn square<T: Real>(x: T) -> T {
        x * x * x
    }
    #[differentiable]
    fn steps(x: f64) -> f64 {
        x * x
    }
    #[differentiable]
    pub(super) fn of_numbers(x: f64, y: f64) -> f64 {
        steps(x * y) + square(x) * y
    }
    #[differentiable]
    pub(super) fn of_slices(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        damp(&mut v, x[0]);
        v[1] * square(x[1]) + total(&v)
    }
    #[differentiable]
    pub(super) fn of_parameters<T: Real>(x: T, y: T) -> T {
        square(x * y) + square(y)
    }
}

use both_marked::{of_numbers, of_parameters, of_slices};
use marked::{inside, named_like_locals, own_and_renamed};

judge! {
    of_numbers(0.3, 0.7);
    of_slices(&vec![0.3, 0.7, 0.5]);
    of_parameters(0.3, 0.7);
    own_and_renamed(0.3, 0.7);
    named_like_locals(&vec![0.3, 0.7, 0.5]);
    inside(0.3, 0.7);
}
