//! What the tester says of a rule with a wrong sign.

use coenzyme::prelude::*;
use coenzyme_testutils::{test_reverse, value};

/// x·eʸ
#[primitive]
fn growth(x: f64, y: f64) -> f64 {
    x * y.exp()
}

easy_rule! {
    fn growth(x: f64, y: f64) -> z: f64;
    dz/dx = y.exp();
    dz/dy = -z;
}

fn main() {
    let (x, y) = (value(1.25), value(-0.5));
    test_reverse!(growth, Active, (x, Active), (y, Active));
}
