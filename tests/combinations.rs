//! A list of the activities that a function has rules for.

use coenzyme::prelude::*;

/// `x₀·y²`.
#[differentiable(combinations(
    Reverse(Duplicated, Active),
    Reverse(Const, Active),
    Forward(Duplicated, Const)
))]
fn listed(x: &[f64], y: f64) -> f64 {
    x[0] * y * y
}

#[differentiable(combinations(Reverse(Active, Const), Forward(Duplicated, Const)))]
fn generic<T: Real>(x: T, n: usize) -> T {
    x.powi(n as i32)
}

#[differentiable]
fn caller(x: f64) -> f64 {
    generic(x * x, 3)
}

#[test]
fn listed_combinations_have_rules_of_any_width() {
    let x = [2.0, 1.0];
    assert_eq!(gradient!(listed, &x, 3.0), ([9.0, 0.0], 12.0));
    let reverse = autodiff!(Reverse, listed, Active, Const(&x), Active(3.0));
    assert_eq!(reverse, (((), 12.0),));
    let dx = [[1.0, 0.0], [2.0, 0.0]];
    let forward = autodiff!(
        Forward,
        listed,
        BatchDuplicated(&x, [&dx[0], &dx[1]]),
        Const(3.0)
    );
    assert_eq!(forward, ([9.0, 18.0],));
}

#[test]
fn generic_functions_have_lists_too() {
    assert_eq!(gradient!(generic, 2.0_f32, 3), (12.0, ()));
    assert_eq!(gradient!(caller, 2.0), (6.0 * 32.0,));
}

/// Whether there is a reverse rule, as the compiler finds it.
macro_rules! has_rule {
    ($f:ty, $r:ty, $args:ty) => {{
        #[allow(dead_code)]
        trait Otherwise {
            const RULE: bool = false;
        }
        impl<T> Otherwise for T {}
        struct Is<T>(std::marker::PhantomData<T>);
        #[allow(dead_code)]
        impl<T: ReverseRule<$r, $args, 1>> Is<T> {
            const RULE: bool = true;
        }
        <Is<$f>>::RULE
    }};
}

#[test]
fn other_combinations_have_none() {
    assert!(has_rule!(
        listed,
        Active<f64>,
        (Const<&'static [f64]>, Active<f64>)
    ));
    assert!(!has_rule!(
        listed,
        Active<f64>,
        (Const<&'static [f64]>, Const<f64>)
    ));
    assert!(has_rule!(caller, Active<f64>, (Active<f64>,)));
}
