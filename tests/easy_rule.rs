//! `easy_rule!`: every activity mix and width, lazily, once for all lanes, for numbers and arrays.

use std::cell::RefCell;

use coenzyme::prelude::*;
use coenzyme::{Diagonal, DynArg, Partial, Real};

thread_local! {
    static LOG: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Notes that `what` is evaluated.
fn note<T>(what: &'static str, value: T) -> T {
    LOG.with_borrow_mut(|log| log.push(what));
    value
}

/// What `f` evaluates, in order.
fn noted<T>(f: impl FnOnce() -> T) -> (T, Vec<&'static str>) {
    LOG.take();
    let value = f();
    (value, LOG.take())
}

#[primitive]
fn product(x: f64, y: f64) -> f64 {
    note("call", x * y)
}

easy_rule! {
    fn product(x: f64, y: f64) -> z: f64;
    let twice = note("setup", 2.0 * y);
    dz/dx = note("d/dx", twice - y);
    dz/dy = note("d/dy", x);
}

#[primitive]
fn exp(x: f64) -> f64 {
    note("call", x.exp())
}

easy_rule! {
    fn exp(x: f64) -> y: f64;
    dy/dx = note("d/dx", y);
}

#[test]
fn all_mixes_and_widths_in_forward_mode() {
    let (x, y) = (3.0, 5.0);
    assert_eq!(
        autodiff!(Forward, product, Duplicated(x, 1.0), Duplicated(y, 10.0)),
        (35.0,)
    );
    assert_eq!(
        autodiff!(Forward, product, Duplicated(x, 1.0), Const(y)),
        (5.0,)
    );
    assert_eq!(
        autodiff!(Forward, product, Const(x), Duplicated(y, 10.0)),
        (30.0,)
    );
    assert_eq!(autodiff!(Forward, product, Const(x), Const(y)), (0.0,));
    assert_eq!(
        autodiff!(Forward, product, Const, Duplicated(x, 1.0), Const(y)),
        ()
    );
    assert_eq!(
        autodiff!(ForwardWithPrimal, product, Duplicated(x, 1.0), Const(y)),
        (5.0, 15.0)
    );
    assert_eq!(
        autodiff!(ForwardWithPrimal, product, Const, Const(x), Const(y)),
        (15.0,)
    );
    assert_eq!(
        autodiff!(
            Forward,
            product,
            BatchDuplicated(x, [1.0, 2.0, 3.0]),
            BatchDuplicated(y, [0.0, 1.0, 0.0])
        ),
        ([5.0, 13.0, 15.0],)
    );
}

#[test]
fn all_mixes_and_widths_in_reverse_mode() {
    let (x, y) = (3.0, 5.0);
    assert_eq!(
        autodiff!(Reverse, product, Active, Active(x), Active(y)),
        ((5.0, 3.0),)
    );
    assert_eq!(
        autodiff!(Reverse, product, Active, Active(x), Const(y)),
        ((5.0, ()),)
    );
    assert_eq!(
        autodiff!(ReverseWithPrimal, product, Active, Const(x), Active(y)),
        (((), 3.0), 15.0)
    );
    assert_eq!(
        autodiff!(Reverse, product, Active, Const(x), Const(y)),
        (((), ()),)
    );
    assert_eq!(
        autodiff!(Reverse, product, Const, Active(x), Active(y)),
        ((0.0, 0.0),)
    );
    let thunk = Thunk::<_, Active<f64>, 2>::new(product {});
    let mut args = (Active(x), Active(y));
    let tape = thunk.augmented(&mut args).tape;
    assert_eq!(
        thunk.reverse([1.0, -2.0], tape, &mut args),
        ([5.0, -10.0], [3.0, -6.0])
    );
}

#[test]
fn an_activity_may_be_decided_at_run_time() {
    let thunk = Thunk::<_, Active<f64>>::new(product {});
    let mut dx = 1.0;
    let mut args = (
        DynArg::<_, _, 1>::duplicated(3.0, [&mut dx]),
        DynArg::<_, &mut f64, 1>::constant(5.0),
    );
    let tape = thunk.augmented(&mut args).tape;
    let ((), evaluated) = noted(|| {
        thunk.reverse([1.0], tape, &mut args);
    });
    assert_eq!(dx, 6.0);
    assert_eq!(evaluated, ["setup", "d/dx"]);
}

#[test]
fn only_what_is_wanted_is_evaluated() {
    let forward = |f: &dyn Fn()| noted(f).1;
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Duplicated(3.0, 1.0), Const(5.0));
        }),
        ["setup", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const(3.0), Duplicated(5.0, 1.0));
        }),
        ["setup", "d/dy"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const, Duplicated(3.0, 1.0), Const(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(ForwardWithPrimal, product, Const, Const(3.0), Const(5.0));
        }),
        ["call"]
    );
    // The result's name needs the call, and so does a zero tangent.
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, exp, Duplicated(0.0, 1.0));
        }),
        ["call", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const(3.0), Const(5.0));
        }),
        ["call"]
    );

    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Active, Active(3.0), Const(5.0));
        }),
        ["setup", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Active, Const(3.0), Const(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Const, Active(3.0), Active(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, exp, Active, Active(3.0));
        }),
        ["call", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, exp, Active, Const(3.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(ReverseWithPrimal, product, Active, Active(3.0), Const(5.0));
        }),
        ["call", "setup", "d/dx"]
    );
}

#[test]
fn partials_are_evaluated_once_for_all_lanes() {
    let (tangents, evaluated) = noted(|| {
        autodiff!(
            Forward,
            product,
            BatchDuplicated(3.0, [1.0, 2.0, 3.0]),
            BatchDuplicated(5.0, [0.0; 3])
        )
    });
    assert_eq!(tangents, ([5.0, 10.0, 15.0],));
    assert_eq!(evaluated, ["setup", "d/dx", "d/dy"]);
    let (gradients, evaluated) = noted(|| {
        autodiff!(
            Batch::<_, 3>(Reverse),
            product,
            Active,
            Active(3.0),
            Active(5.0)
        )
    });
    assert_eq!(gradients, (([5.0; 3], [3.0; 3]),));
    assert_eq!(evaluated, ["setup", "d/dx", "d/dy"]);
}

#[primitive]
fn power(x: f64, n: i32, #[constant] scale: &Scale) -> f64 {
    scale.0 * x.powi(n)
}

/// A type without tangent space.
#[derive(Clone, Copy)]
struct Scale(f64);

easy_rule! {
    fn power(x: f64, n: i32, #[constant] scale: &Scale) -> y: f64;
    dy/dx = scale.0 * f64::from(n) * x.powi(n - 1);
    dy/dn = constant;
}

#[test]
fn constants_have_no_derivative() {
    let scale = Scale(2.0);
    assert_eq!(
        autodiff!(
            Forward,
            power,
            Duplicated(3.0, 1.0),
            Const(2),
            Const(&scale)
        ),
        (12.0,)
    );
    assert_eq!(
        autodiff!(Reverse, power, Active, Active(3.0), Const(2), Const(&scale)),
        ((12.0, (), ()),)
    );
}

#[primitive]
fn polar(r: f64, angle: f64) -> (f64, f64) {
    (r * angle.cos(), r * angle.sin())
}

easy_rule! {
    fn polar(r: f64, angle: f64) -> (x: f64, y: f64);
    dx/dr = angle.cos();
    dx/dangle = -y;
    dy/dr = angle.sin();
    dy/dangle = x;
}

#[primitive]
fn two(x: f64, y: f64) -> (f64, f64) {
    (2.0 * x, y.floor())
}

easy_rule! {
    fn two(x: f64, y: f64) -> (a: f64, b: f64);
    da/dx = 2.0;
    da/dy = constant;
    db/dx = constant;
    db/dy = constant;
}

#[test]
fn several_results() {
    let (r, angle) = (2.0_f64, 0.3_f64);
    let (s, c) = angle.sin_cos();
    assert_eq!(
        autodiff!(Forward, polar, Duplicated(r, 1.0), Const(angle)),
        ((c, s),)
    );
    assert_eq!(
        autodiff!(Forward, polar, Const(r), Duplicated(angle, 1.0)),
        ((-r * s, r * c),)
    );
    let thunk = Thunk::<_, Active<(f64, f64)>>::new(polar {});
    let mut args = (Active(r), Active(angle));
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.primal, Some((r * c, r * s)));
    let ([dr], [da]) = thunk.reverse([(1.0, 10.0)], augmented.tape, &mut args);
    assert_eq!((dr, da), (c + s * 10.0, -r * s + r * c * 10.0));
    assert_eq!(
        autodiff!(Forward, two, Duplicated(3.0, 1.0), Duplicated(4.0, 1.0)),
        ((2.0, 0.0),)
    );
}

/// `‖x‖²/2`: its partial is its argument.
#[primitive]
fn half_square<T: Real>(x: &[T]) -> T {
    x.iter().map(|&x| x * x).sum::<T>() * T::lit(0.5)
}

easy_rule! {
    fn half_square<T: Real>(x: &[T]) -> y: T;
    dy/dx = x;
}

#[test]
fn memory_is_read_in_place_unless_it_is_overwritten() {
    let (mut x, mut dx) = ([1.0, 2.0], [0.5, 0.5]);
    autodiff!(Reverse, half_square, Duplicated(&x, &mut dx));
    assert_eq!(dx, [1.5, 2.5]);

    let thunk = Thunk::<_, Active<f64>>::new(half_square {});
    let augmented = thunk.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(!augmented.tape.0.is_copied());

    let thunk = thunk.modified(0);
    let augmented = thunk.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(augmented.tape.0.is_copied());
    x = [100.0, 100.0];
    dx = [0.0, 0.0];
    thunk.reverse(
        [1.0],
        augmented.tape,
        &mut (Duplicated(&x[..], &mut dx[..]),),
    );
    assert_eq!(dx, [1.0, 2.0]);

    let constant = thunk.augmented(&mut (Const(&x[..]),));
    assert!(!constant.tape.0.is_copied(), "nobody reads it");
}

#[test]
fn a_generic_rule_is_differentiated_twice() {
    let (x, v) = ([1.0, 2.0, 3.0], [1.0, 0.0, -1.0]);
    assert_eq!(coenzyme::hvp(&half_square {}, &x, &v), v);
}

/// `(x·k, Σ k)`: a vector and a number by a number and a slice.
#[primitive]
fn scaled_by(x: f64, k: &[f64]) -> (Vec<f64>, f64) {
    (k.iter().map(|k| x * k).collect(), k.iter().sum())
}

easy_rule! {
    fn scaled_by(x: f64, k: &[f64]) -> (y: Vec<f64>, s: f64);
    dy/dx = k;
    dy/dk = Diagonal(vec![x; k.len()]);
    ds/dx = constant;
    ds/dk = vec![1.0; k.len()];
}

/// A rotation by 90°, given by its Jacobian.
#[primitive]
fn turned(x: &[f64]) -> Vec<f64> {
    vec![-x[1], x[0]]
}

easy_rule! {
    fn turned(x: &[f64]) -> y: Vec<f64>;
    dy/dx = vec![vec![0.0, -1.0], vec![1.0, 0.0]];
}

/// The same by value, with fixed lengths and one more entry.
#[primitive]
fn lifted(x: [f64; 2], h: f64) -> [f64; 3] {
    [-x[1], x[0], h]
}

easy_rule! {
    fn lifted(x: [f64; 2], h: f64) -> y: [f64; 3];
    dy/dx = [[0.0, -1.0], [1.0, 0.0], [0.0, 0.0]];
    dy/dh = [0.0, 0.0, 1.0];
}

#[test]
fn slices_and_arrays_contract_in_both_modes() {
    let (k, dk) = ([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(
        autodiff!(
            Forward,
            scaled_by,
            Duplicated(3.0, 1.0),
            Duplicated(&k, &dk)
        ),
        ((vec![31.0, 62.0], 30.0),)
    );
    let thunk = Thunk::<_, Active<(Vec<f64>, f64)>>::new(scaled_by {});
    let mut shadow = [0.5, 0.5];
    let mut args = (Active(3.0), Duplicated(&k, &mut shadow));
    let tape = thunk.augmented(&mut args).tape;
    let (dx, ()) = thunk.reverse([(vec![1.0, 10.0], 100.0)], tape, &mut args);
    assert_eq!((dx, shadow), ([21.0], [103.5, 130.5]));

    let (x, dx) = ([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(
        autodiff!(Forward, turned, Duplicated(&x, &dx)),
        (vec![-20.0, 10.0],)
    );
    let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(turned {});
    let mut shadow = [1.0, 1.0];
    let mut args = (Duplicated(&x, &mut shadow),);
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.shadow, [vec![0.0, 0.0]]);
    thunk.reverse([vec![3.0, 5.0]], augmented.tape, &mut args);
    assert_eq!(shadow, [6.0, -2.0]);

    let thunk = Thunk::<_, Active<[f64; 3]>>::new(lifted {});
    let mut args = (Active(x), Active(7.0));
    let augmented = thunk.augmented(&mut args);
    let gradients = thunk.reverse([[3.0, 5.0, 7.0]], augmented.tape, &mut args);
    assert_eq!(gradients, ([[5.0, -3.0]], [7.0]));
}

#[primitive]
fn checked_sqrt(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        Err(format!("√{x}"))
    } else {
        Ok(x.sqrt())
    }
}

easy_rule! {
    fn checked_sqrt(x: f64) -> y: Result<f64, String>;
    dy/dx = 0.5 / y;
}

#[test]
fn errors_pass_through() {
    assert_eq!(
        autodiff!(Forward, checked_sqrt, Duplicated(4.0, 1.0)),
        Ok((0.25,))
    );
    assert_eq!(
        autodiff!(Forward, checked_sqrt, Duplicated(-4.0, 1.0)),
        Err("√-4".to_owned())
    );
    assert_eq!(
        autodiff!(Reverse, checked_sqrt, Active, Active(4.0)),
        Ok(((0.25,),))
    );
    assert_eq!(
        autodiff!(Reverse, checked_sqrt, Active, Active(-4.0)),
        Err("√-4".to_owned())
    );
}

#[test]
fn strong_zero_silences_an_infinite_partial() {
    assert!(
        autodiff!(Forward, checked_sqrt, Duplicated(0.0, 0.0))
            .unwrap()
            .0
            .is_nan()
    );
    assert_eq!(
        autodiff!(StrongZero(Forward), checked_sqrt, Duplicated(0.0, 0.0)),
        Ok((0.0,))
    );
}

#[differentiable]
fn squared_product(x: f64, y: f64) -> f64 {
    let p = product(x, y);
    p * p
}

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    let e = half_square(x);
    exp(e)
}

#[test]
fn generated_derivatives_call_easy_rules() {
    assert_eq!(gradient!(squared_product, 2.0, 3.0), (36.0, 24.0));
    let e = 0.125_f64.exp();
    assert_eq!(gradient!(energy, &[0.5, 0.0]), ([0.5 * e, 0.0],));
    let (x, dx) = ([0.5, 0.0], [2.0, 7.0]);
    assert_eq!(autodiff!(Forward, energy, Duplicated(&x, &dx)), (e,));
}

/// Its names are those of variables in the generated code.
#[primitive]
fn names(config: f64, dret: f64, tape: &[f64]) -> f64 {
    config * dret * tape[0]
}

easy_rule! {
    fn names(config: f64, dret: f64, tape: &[f64]) -> value: f64;
    let (strong_zero, lane, any) = (config * dret, (), ());
    dvalue/dconfig = dret * tape[0];
    dvalue/ddret = config * tape[0];
    dvalue/dtape = vec![strong_zero; tape.len()];
}

#[test]
fn names_do_not_meet_those_of_generated_code() {
    let gradients = gradient!(names, 2.0, 3.0, &[5.0]);
    assert_eq!(gradients, (15.0, 10.0, [6.0]));
    let tape = [5.0];
    assert_eq!(
        autodiff!(
            Forward,
            names,
            Duplicated(2.0, 1.0),
            Duplicated(3.0, 1.0),
            Const(&tape)
        ),
        (25.0,)
    );
}

/// A partial of another crate's type: a rotation by an angle.
struct Rotation(f64);

impl Partial<[f64], Vec<f64>> for Rotation {
    fn multiply_forward(&self, x: &[f64], _: bool) -> Vec<f64> {
        let (s, c) = self.0.sin_cos();
        vec![c * x[0] - s * x[1], s * x[0] + c * x[1]]
    }
    fn multiply_reverse(&self, y: &Vec<f64>, mut dx: coenzyme::Adjoint<'_, [f64]>, zero: bool) {
        let back = Rotation(-self.0).multiply_forward(y, zero);
        for (mut dx, back) in dx.iter_mut().zip(back) {
            dx += back;
        }
    }
}

#[primitive]
fn rotated(x: &[f64], #[constant] angle: f64) -> Vec<f64> {
    Rotation(angle).multiply_forward(x, false)
}

easy_rule! {
    fn rotated(x: &[f64], #[constant] angle: f64) -> y: Vec<f64>;
    dy/dx = Rotation(angle);
}

#[test]
fn a_partial_may_be_a_type_of_the_users() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let (x, dx) = ([1.0, 2.0], [1.0, 0.0]);
    let (tangent,) = autodiff!(Forward, rotated, Duplicated(&x, &dx), Const(quarter));
    assert!((tangent[0]).abs() < 1e-15 && (tangent[1] - 1.0).abs() < 1e-15);
}

/// Every easy rule of this file agrees with central differences of its function.
#[test]
fn partials_agree_with_central_differences() {
    let step = 1e-5;
    let agree = |rule: f64, f: &dyn Fn(f64) -> f64, x: f64| {
        let difference = (f(x + step) - f(x - step)) / (2.0 * step);
        // The error of a central difference is step²·f‴/6, about 1e-10 here.
        assert!(
            (rule - difference).abs() < 1e-8,
            "rule {rule}, difference {difference}"
        );
    };
    let ((dx, dy),) = autodiff!(Reverse, product, Active, Active(1.3), Active(-0.7));
    agree(dx, &|x| product(x, -0.7), 1.3);
    agree(dy, &|y| product(1.3, y), -0.7);
    agree(gradient!(exp, 0.4).0, &exp, 0.4);
    let scale = Scale(1.7);
    agree(
        gradient!(power, 1.1, 3, Const(&scale)).0,
        &|x| power(x, 3, &scale),
        1.1,
    );
    let ((dx, dy),) = autodiff!(Forward, polar, Const(1.2), Duplicated(0.9, 1.0));
    agree(dx, &|a| polar(1.2, a).0, 0.9);
    agree(dy, &|a| polar(1.2, a).1, 0.9);
}

#[cfg(feature = "ndarray")]
mod arrays {
    use coenzyme::ndarray::{Array1, Array2, ArrayD, ArrayRef1, ArrayRef2, array};
    use coenzyme::prelude::*;
    use coenzyme::{Diagonal, Real};

    /// `Σ xᵢ²`.
    #[primitive]
    fn square_sum(x: &ArrayRef2<f64>) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    easy_rule! {
        fn square_sum(x: &ArrayRef2<f64>) -> y: f64;
        dy/dx = x.map(|x| 2.0 * x);
    }

    #[primitive]
    fn exp<T: Real>(x: &ArrayRef1<T>) -> Array1<T> {
        x.map(|x| x.exp())
    }

    easy_rule! {
        fn exp<T: Real>(x: &ArrayRef1<T>) -> y: Array1<T>;
        dy/dx = Diagonal(y);
    }

    /// `(x₀x₁, t·x₀, t)`.
    #[primitive]
    fn mixed(x: &ArrayRef1<f64>, t: f64) -> Array1<f64> {
        array![x[0] * x[1], t * x[0], t]
    }

    easy_rule! {
        fn mixed(x: &ArrayRef1<f64>, t: f64) -> y: Array1<f64>;
        dy/dx = array![[x[1], x[0]], [t, 0.0], [0.0, 0.0]];
        dy/dt = array![0.0, x[0], 1.0];
    }

    /// The transpose, by its Jacobian of four dimensions.
    #[primitive]
    fn transposed(x: &ArrayRef2<f64>) -> Array2<f64> {
        x.t().to_owned()
    }

    easy_rule! {
        fn transposed(x: &ArrayRef2<f64>) -> y: Array2<f64>;
        dy/dx = {
            let (m, n) = x.dim();
            let entry = |i: usize, j: usize, k: usize, l: usize| if (i, j) == (l, k) { 1.0 } else { 0.0 };
            ArrayD::from_shape_fn(vec![n, m, m, n], |at| entry(at[0], at[1], at[2], at[3]))
        };
    }

    #[test]
    fn arrays_contract_in_both_modes() {
        let x = array![[1.0, 2.0], [3.0, 4.0]];
        let dx = array![[1.0, 0.0], [0.0, 10.0]];
        assert_eq!(autodiff!(Forward, square_sum, Duplicated(&x, &dx)), (82.0,));
        assert_eq!(gradient!(square_sum, &x), (&x * 2.0,));

        let (x, dx) = (array![3.0, 5.0], array![1.0, 10.0]);
        assert_eq!(
            autodiff!(Forward, mixed, Duplicated(&x, &dx), Duplicated(2.0, 100.0)),
            (array![35.0, 302.0, 100.0],)
        );
        let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(mixed {});
        let mut shadow = Array1::zeros(2);
        let mut args = (Duplicated(&x, &mut shadow), Active(2.0));
        let tape = thunk.augmented(&mut args).tape;
        let ((), [dt]) = thunk.reverse([array![1.0, 10.0, 100.0]], tape, &mut args);
        assert_eq!((shadow, dt), (array![25.0, 3.0], 130.0));
    }

    #[test]
    fn entry_by_entry_needs_no_jacobian() {
        let (x, dx) = (array![0.0, 1.0], array![2.0, 3.0]);
        let (tangent,) = autodiff!(Forward, exp, Duplicated(&x, &dx));
        assert_eq!(tangent, array![2.0, 3.0 * 1.0_f64.exp()]);
        let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(exp {});
        let mut shadow = Array1::zeros(2);
        let mut args = (Duplicated(&x, &mut shadow),);
        let tape = thunk.augmented(&mut args).tape;
        thunk.reverse([array![1.0, 2.0]], tape, &mut args);
        assert_eq!(shadow, array![1.0, 2.0 * 1.0_f64.exp()]);
    }

    #[test]
    fn jacobians_may_have_any_number_of_dimensions() {
        let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let dx = &x * 10.0;
        let (tangent,) = autodiff!(Forward, transposed, Duplicated(&x, &dx));
        assert_eq!(tangent, dx.t());
        let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(transposed {});
        let mut shadow = Array2::ones((2, 3));
        let mut args = (Duplicated(&x, &mut shadow),);
        let tape = thunk.augmented(&mut args).tape;
        thunk.reverse([x.t().to_owned()], tape, &mut args);
        assert_eq!(shadow, &x + 1.0);
    }
}
