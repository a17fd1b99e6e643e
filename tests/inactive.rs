//! `#[inactive]` functions and `ignore_derivatives`: called in every mode, without derivative.

use std::cell::Cell;
use std::fmt::Display;

use coenzyme::prelude::*;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    CALLS.set(CALLS.get() + 1);
}

/// How often `f` counted.
fn counted(f: impl FnOnce()) -> usize {
    CALLS.set(0);
    f();
    CALLS.get()
}

#[inactive]
fn log_progress(_step: usize) {
    count();
}

#[inactive]
fn double(x: f64) -> f64 {
    2.0 * x
}

/// Overwrites `out`.
#[inactive]
fn fill_ramp(out: &mut [f64], from: f64) {
    (from as usize..).zip(out).for_each(|(i, x)| *x = i as f64);
}

#[inactive]
fn lengths<T, const M: usize, const N: usize>(_x: &[[T; N]; M]) -> usize {
    M * N
}

#[inactive]
fn largest<T: PartialOrd + Clone>(x: &[T], floor: T) -> T {
    x.iter()
        .fold(floor, |a, b| if *b > a { b.clone() } else { a })
}

/// A type without tangent space.
struct Random(u64);

#[inactive]
fn noise(#[constant] random: &mut Random, x: &[f64]) -> Vec<f64> {
    random.0 += 1;
    x.iter().map(|x| x + random.0 as f64).collect()
}

#[inactive]
fn join(words: &[&str], separator: char) -> String {
    words.join(&separator.to_string())
}

#[inactive]
fn checked(x: f64) -> Result<f64, String> {
    if x > 0.0 { Ok(x) } else { Err(format!("{x}")) }
}

#[inactive]
fn show<T: Display + Clone>(#[constant] x: T) -> String {
    x.to_string()
}

#[test]
fn an_inactive_function_runs_once_in_every_mode() {
    assert_eq!(counted(|| autodiff!(Forward, log_progress, Const(1))), 1);
    assert_eq!(
        counted(|| {
            autodiff!(Reverse, log_progress, Const(1));
        }),
        1
    );
    assert_eq!(
        counted(|| {
            autodiff!(Reverse, log_progress, Active(1));
        }),
        1
    );
}

#[test]
fn tangents_and_gradients_are_zero() {
    assert_eq!(autodiff!(Forward, double, Duplicated(3.0, 1.0)), (0.0,));
    assert_eq!(
        autodiff!(ForwardWithPrimal, double, BatchDuplicated(3.0, [1.0, 2.0])),
        ([0.0, 0.0], 6.0)
    );
    assert_eq!(autodiff!(Forward, double, Const, Duplicated(3.0, 1.0)), ());
    assert_eq!(
        autodiff!(ReverseWithPrimal, double, Active, Active(3.0)),
        ((0.0,), 6.0)
    );
    assert_eq!(
        autodiff!(Batch::<_, 2>(Reverse), double, Active(3.0)),
        (([0.0, 0.0],),)
    );
}

#[test]
fn what_an_inactive_function_writes_has_zero_tangent_and_consumes_its_cotangent() {
    let (mut y, mut dy) = ([0.0; 3], [5.0; 3]);
    autodiff!(
        Forward,
        fill_ramp,
        Duplicated(&mut y, &mut dy),
        Duplicated(1.0, 1.0)
    );
    assert_eq!((y, dy), ([1.0, 2.0, 3.0], [0.0; 3]));

    let (mut y, mut dy) = ([0.0; 3], [5.0; 3]);
    let gradients = autodiff!(Reverse, fill_ramp, Duplicated(&mut y, &mut dy), Active(1.0));
    assert_eq!(gradients, (((), 0.0),));
    assert_eq!((y, dy), ([1.0, 2.0, 3.0], [0.0; 3]));
}

#[test]
fn shadows_of_what_is_only_read_stay() {
    let (x, mut dx) = ([1.0, 4.0], [7.0, 7.0]);
    let gradients = autodiff!(
        ReverseWithPrimal,
        largest,
        Active,
        Duplicated(&x, &mut dx),
        Active(2.0)
    );
    assert_eq!(gradients, (((), 0.0), 4.0));
    assert_eq!(dx, [7.0, 7.0]);
}

#[test]
fn constant_parameters_need_no_tangent_space() {
    let mut random = Random(0);
    let (x, dx) = ([1.0, 2.0], [1.0, 1.0]);
    let (tangent, value) = autodiff!(
        ForwardWithPrimal,
        noise,
        Const(&mut random),
        Duplicated(&x, &dx)
    );
    assert_eq!((tangent, value), (vec![0.0, 0.0], vec![2.0, 3.0]));
    assert_eq!(
        autodiff!(ForwardWithPrimal, show, Const(2.5)),
        ("2.5".to_owned(),)
    );
}

#[test]
fn lengths_may_be_generic() {
    let x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(
        autodiff!(ForwardWithPrimal, lengths, Duplicated(&x, &x)),
        (6,)
    );
    assert_eq!(autodiff!(ReverseWithPrimal, lengths, Const(&x)), (((),), 6));
}

#[test]
fn elided_lifetimes_and_strings_pass() {
    let words = ["a", "b"];
    let joined = autodiff!(ForwardWithPrimal, join, Const(&words[..]), Const('-'));
    assert_eq!(joined, ("a-b".to_owned(),));
}

#[test]
fn errors_pass_through() {
    assert_eq!(
        autodiff!(Forward, checked, Duplicated(1.0, 1.0)),
        Ok((0.0,))
    );
    assert_eq!(
        autodiff!(Forward, checked, Duplicated(-1.0, 1.0)),
        Err("-1".to_owned())
    );
    assert_eq!(
        autodiff!(Reverse, checked, Active, Active(1.0)),
        Ok(((0.0,),))
    );
    assert_eq!(
        autodiff!(Reverse, checked, Active, Active(-1.0)),
        Err("-1".to_owned())
    );
}

#[test]
fn ignored_derivatives_are_zero_for_values_of_any_type() {
    let x = vec![1.0, 2.0];
    assert_eq!(
        autodiff!(
            ForwardWithPrimal,
            ignore_derivatives,
            Duplicated(x.clone(), vec![1.0, 1.0])
        ),
        (vec![0.0, 0.0], x)
    );
}

/// The two functions of the tutorial: one that has no derivative, and one that is wrongly said to have none.
mod tutorial {
    use coenzyme::prelude::*;

    #[inactive]
    fn printhi() {
        println!("Hi!");
    }

    #[differentiable]
    fn k(x: f64) -> f64 {
        printhi();
        x * x
    }

    #[inactive]
    fn double(x: f64) -> f64 {
        2.0 * x
    }

    #[differentiable]
    fn h(x: f64) -> f64 {
        x + double(x)
    }

    #[differentiable]
    fn half_fixed(x: f64) -> f64 {
        x * ignore_derivatives(x)
    }

    #[test]
    fn printing_has_no_derivative() {
        assert_eq!(autodiff!(Forward, k, Duplicated(2.0, 1.0)), (4.0,));
        assert_eq!(autodiff!(Reverse, k, Active, Active(2.0)), ((4.0,),));
    }

    #[test]
    fn a_wrongly_inactive_function_gives_one_instead_of_three() {
        assert_eq!(autodiff!(Forward, h, Duplicated(2.0, 1.0)), (1.0,));
        assert_eq!(autodiff!(Reverse, h, Active, Active(2.0)), ((1.0,),));
    }

    #[test]
    fn an_ignored_derivative_holds_the_value_fixed() {
        assert_eq!(autodiff!(Forward, half_fixed, Duplicated(3.0, 1.0)), (3.0,));
        assert_eq!(gradient!(half_fixed, 3.0), (3.0,));
    }
}

#[inactive]
fn digits<T: Real>() -> usize {
    if T::one() / T::lit(3.0) == T::lit(f64::from(1.0_f32 / 3.0_f32)) {
        7
    } else {
        16
    }
}

#[coenzyme::differentiable]
fn rounded_up<T: Real>(x: T) -> T {
    let mut y = x;
    for _ in 0..digits::<T>() {
        y *= x;
    }
    y
}

#[test]
fn an_inactive_function_of_types_alone_is_called_in_differentiated_code() {
    assert_eq!(coenzyme::gradient!(rounded_up, 1.0_f64), (17.0,));
    assert_eq!(coenzyme::gradient!(rounded_up, 1.0_f32), (8.0,));
}

/// In a block any method may be inactive: one whose types allow no rule has none.
mod of_any_types {
    use std::cell::RefCell;
    use std::fmt::Debug;

    use coenzyme::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    struct Point {
        x: f64,
        y: f64,
    }

    impl From<(f64, f64)> for Point {
        fn from((x, y): (f64, f64)) -> Self {
            Self { x, y }
        }
    }

    /// Neither a clone nor a tangent space.
    struct Strange(RefCell<f64>);

    #[differentiable]
    impl Point {
        fn squared(&self) -> f64 {
            self.x * self.x + self.y * self.y
        }
        #[inactive]
        fn columns<V: Into<Point>>(&self, other: V) -> f64 {
            other.into().x.floor() + self.x.floor()
        }
        #[inactive]
        fn rows(&self, other: impl Into<Point> + Debug) -> f64 {
            other.into().y.floor() + self.y.floor()
        }
        #[inactive]
        fn handed_on(&self, strange: Strange) -> Strange {
            strange
        }
        #[inactive]
        fn written_to(&self, strange: &mut Strange) {
            *strange.0.borrow_mut() = self.x;
        }
        #[inactive]
        fn parts(&self) -> impl Iterator<Item = f64> {
            [self.x, self.y].into_iter()
        }
        #[inactive]
        fn shown(&self, show: impl Fn(f64) -> String) -> String {
            show(self.x)
        }
    }

    #[differentiable]
    fn steps(x: f64) -> f64 {
        let p = Point { x, y: 2.0 * x };
        p.squared() * p.columns(p) + p.rows(p) + p.rows((0.0, 1.0))
    }

    #[test]
    fn they_are_called_without_derivative_where_there_is_a_rule() {
        // 5 x² floors to 2 · 1 at 1.5
        assert_eq!(steps(1.5), 5.0 * 2.25 * 2.0 + 6.0 + 4.0);
        assert_eq!(gradient!(steps, 1.5), (30.0,));
        assert_eq!(autodiff!(Forward, steps, Duplicated(1.5, 1.0)), (30.0,));
    }

    #[test]
    fn the_others_remain_what_they_are() {
        let p = Point::from((1.0, 2.0));
        let mut strange = p.handed_on(Strange(RefCell::new(0.0)));
        p.written_to(&mut strange);
        assert_eq!(*strange.0.borrow(), 1.0);
        assert_eq!(p.parts().sum::<f64>(), 3.0);
        assert_eq!(p.shown(|x| x.to_string()), "1");
    }
}

/// Every second number.
fn odd(n: usize) -> impl Iterator<Item = usize> {
    (0..n).filter(|i| i % 2 == 1)
}

/// The midpoint rule: points and weights.
fn nodes(n: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..n).map(move |i| ((i as f64 + 0.5) / n as f64, 1.0 / n as f64))
}

#[differentiable]
fn over_iterators(x: f64, v: &[f64]) -> f64 {
    let mut s = x;
    for i in odd(v.len()) {
        s += v[i] * v[i - 1] * s;
    }
    for (t, w) in nodes(3) {
        s += w * (x * t).sin() * s;
    }
    s
}

/// The same, written out.
fn written_out(x: f64, v: &[f64]) -> f64 {
    let mut s = x;
    for i in (1..v.len()).step_by(2) {
        s += v[i] * v[i - 1] * s;
    }
    for i in 0..3 {
        s += (x * (i as f64 + 0.5) / 3.0).sin() * s / 3.0;
    }
    s
}

#[test]
fn loops_run_over_iterators_that_functions_return() {
    let (x, v) = (0.7, [0.5, -0.25, 1.5, 0.75, 2.0]);
    let mut dv = [0.0; 5];
    let ((dx, ()), value) = autodiff!(
        ReverseWithPrimal,
        over_iterators,
        Active,
        Active(x),
        Duplicated(&v[..], &mut dv[..])
    );
    assert!((value - written_out(x, &v)).abs() < 1e-14);
    let h = 1e-6;
    let by_x = (written_out(x + h, &v) - written_out(x - h, &v)) / (2.0 * h);
    assert!((dx - by_x).abs() < 1e-8);
    for i in 0..5 {
        let moved = |h: f64| {
            let mut v = v;
            v[i] += h;
            written_out(x, &v)
        };
        let by_entry = (moved(h) - moved(-h)) / (2.0 * h);
        assert!((dv[i] - by_entry).abs() < 1e-8, "{i}");
    }
}
