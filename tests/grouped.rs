//! Functions that other macros write: an expression that such a macro passes on stays one, in the function and in its derivatives.
#![allow(clippy::unnecessary_cast)] // one of these expressions is a cast

use coenzyme::prelude::*;

macro_rules! scaled {
    ($name:ident, $plain:ident, $x:ident = $by:expr) => {
        #[differentiable]
        fn $name($x: f64) -> f64 {
            $by * $x
        }

        /// What it should compute.
        fn $plain($x: f64) -> f64 {
            $by * $x
        }
    };
}

scaled!(sum, plain_sum, x = x + 1.0);
scaled!(negated, plain_negated, x = -x);
scaled!(cast, plain_cast, x = 2 as f64);

macro_rules! others {
    ($x:ident = $by:expr; $n:ident = $count:expr) => {
        #[differentiable]
        fn method($x: f64) -> f64 {
            $by.powi(2)
        }

        #[differentiable]
        fn integers($x: f64, $n: usize) -> f64 {
            $x * ($count * 2) as f64
        }

        #[differentiable]
        fn listed($x: f64) -> f64 {
            let both = vec![$by * $x, 1.0];
            assert!(2.0 * $by < 0.0);
            both[0] * both[1]
        }

        #[inactive]
        fn without_derivative($x: f64) -> f64 {
            2.0 * $by
        }

        #[primitive]
        fn with_a_rule($x: f64) -> f64 {
            2.0 * $by
        }
    };
}

others!(x = -x - 3.0; n = n + 1);

#[test]
fn an_expression_that_is_passed_on_stays_one() {
    assert_eq!([sum(3.0), negated(3.0), cast(3.0)], [12.0, -9.0, 6.0]);
    assert_eq!(
        [plain_sum(3.0), plain_negated(3.0), plain_cast(3.0)],
        [12.0, -9.0, 6.0]
    );
    assert_eq!((method(1.0), integers(1.5, 3)), (16.0, 12.0));
    assert_eq!((listed(2.0), gradient!(listed, 2.0)), (-10.0, (-7.0,)));
    assert_eq!([without_derivative(1.0), with_a_rule(1.0)], [-8.0; 2]);
}

#[test]
fn so_do_its_derivatives() {
    // (x + 1)·x, −x², 2·x, (x + 3)², 2·(n + 1)·x
    assert_eq!(
        [
            gradient!(sum, 3.0),
            gradient!(negated, 3.0),
            gradient!(cast, 3.0)
        ],
        [(7.0,), (-6.0,), (2.0,)]
    );
    assert_eq!(gradient!(method, 1.0), (8.0,));
    assert_eq!(gradient!(integers, 1.5, 3), (8.0, ()));
    let moving = Duplicated(3.0, 1.0);
    assert_eq!(autodiff!(ForwardWithPrimal, sum, moving), (7.0, 12.0));
}
