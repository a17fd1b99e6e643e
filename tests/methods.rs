//! `#[differentiable]` on `impl` blocks: methods, associated functions, traits, generics.

use coenzyme::prelude::*;

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Spring {
    stiffness: f64,
    rest: f64,
    joints: usize,
}

#[differentiable]
impl Spring {
    /// k·(x − r)²/2.
    fn energy(&self, x: f64) -> f64 {
        let d = x - self.rest;
        Self::half() * self.stiffness * d * d
    }

    #[skip]
    fn half() -> f64 {
        0.5
    }

    /// The sum of the energies, by the method above.
    fn total(&self, xs: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in xs.iter() {
            sum += self.energy(*x);
        }
        sum
    }

    /// Stretches the spring, and returns how far it was.
    fn stretch(&mut self, by: f64) -> f64 {
        let before = self.rest;
        self.rest *= by;
        before * self.stiffness
    }

    fn between(a: f64, b: f64) -> f64 {
        a * b + b
    }
}

trait Potential<T> {
    fn at(&self, x: T) -> T;
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Well<T> {
    depth: T,
}

#[differentiable]
impl<T: Real> Potential<T> for Well<T> {
    fn at(&self, x: T) -> T {
        self.depth * x * x
    }
}

#[differentiable]
fn uses(spring: &Spring, well: &Well<f64>, x: f64) -> f64 {
    let mut own = spring.clone();
    let before = own.stretch(x);
    own.energy(x) * before + well.at(x) + Spring::between(x, spring.rest)
}

fn spring() -> Spring {
    Spring {
        stiffness: 3.0,
        rest: 0.5,
        joints: 2,
    }
}

#[test]
fn the_receiver_is_the_first_argument() {
    let spring = spring();
    let mut d = Tangent::zero_like(&spring);
    let ((_, dx), value) = autodiff!(
        ReverseWithPrimal,
        Spring_energy,
        Active,
        Duplicated(&spring, &mut d),
        Active(2.5)
    );
    assert_eq!(value, 6.0);
    assert_eq!(dx, 6.0);
    assert_eq!(
        d,
        Spring {
            stiffness: 2.0,
            rest: -6.0,
            joints: 2
        }
    );
}

#[test]
fn a_method_calls_another_by_its_rule() {
    let spring = spring();
    let (d, dx) = gradient!(Spring_total, &spring, &[1.5, 2.5]);
    assert_eq!(d.stiffness, 0.5 + 2.0);
    assert_eq!(d.rest, -3.0 - 6.0);
    assert_eq!(dx, [3.0, 6.0]);
}

#[test]
fn a_method_that_changes_its_receiver_transforms_the_shadow() {
    let mut spring = spring();
    let mut d = Spring {
        stiffness: 0.0,
        rest: 10.0,
        joints: 2,
    };
    let ((_, dby),) = autodiff!(
        Reverse,
        Spring_stretch,
        Active,
        Duplicated(&mut spring, &mut d),
        Active(4.0)
    );
    assert_eq!(spring.rest, 2.0);
    assert_eq!(dby, 5.0);
    assert_eq!(
        d,
        Spring {
            stiffness: 0.5,
            rest: 40.0 + 3.0,
            joints: 2
        }
    );
}

#[test]
fn methods_are_found_by_the_type_of_their_receiver() {
    let (spring, well, x) = (spring(), Well { depth: 2.0 }, 1.25);
    let (ds, dw, dx) = gradient!(uses, &spring, &well, x);
    // by differences of the primal
    let h = 1e-6;
    let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} against {b}");
    close(dx, slope(&|h| uses(&spring, &well, x + h)));
    close(
        dw.depth,
        slope(&|h| {
            uses(
                &spring,
                &Well {
                    depth: well.depth + h,
                },
                x,
            )
        }),
    );
    close(
        ds.rest,
        slope(&|h| {
            uses(
                &Spring {
                    rest: spring.rest + h,
                    ..spring.clone()
                },
                &well,
                x,
            )
        }),
    );
    close(
        ds.stiffness,
        slope(&|h| {
            uses(
                &Spring {
                    stiffness: spring.stiffness + h,
                    ..spring.clone()
                },
                &well,
                x,
            )
        }),
    );
}
