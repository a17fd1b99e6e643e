//! Functions of arrays in one line each, and what the coverage report reads of them.

use coenzyme::ndarray::{ArrayRef1, ArrayRef2, ArrayRef3, Dim};
use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated};
use coenzyme_testutils::{Setting, input, test_arrays};

/// `Σᵢⱼ aᵢⱼ·xⱼ`, `times` times.
#[differentiable]
fn energy(a: &ArrayRef2<f64>, x: &ArrayRef1<f64>, times: i32) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            sum += a[[i, j]] * x[j];
        }
    }
    sum * f64::from(times)
}

test_arrays! { energy_rule: energy -> Active; [2, 3] [3] 2; [1, 1] [1] (-1); [0, 2] [2] 1 }

/// `Σ ln xᵢ`.
#[differentiable]
fn entropy(x: &ArrayRef1<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].ln();
    }
    sum
}

test_arrays! { entropy_rule: entropy -> Active in 0.25..4.0; [5]; [1]; [0]; widths = [1, 3], seed = 7 }

#[test]
fn every_mix_has_a_test_and_attributes_are_constant() {
    let myself = std::env::current_exe().expect("a test is a program");
    let list = std::process::Command::new(myself).arg("--list").output();
    let list = String::from_utf8(list.expect("it can list its tests").stdout).expect("text");
    for name in [
        "energy_rule::reverse::a::Duplicated::b::Const::c::Const::Active",
        "energy_rule::forward::a::Const::b::Duplicated::c::Const::DuplicatedNoNeed",
        "entropy_rule::reverse::a::Duplicated::Active",
    ] {
        assert!(list.contains(name), "{name} is not in\n{list}");
    }
    // 2 activities of each array, 3 of the return forward and 2 in reverse, and one test of the declarations
    let of = |module: &str| list.lines().filter(|line| line.starts_with(module)).count();
    assert_eq!((of("energy_rule"), of("entropy_rule")), (21, 11));
}

/// `Σ xᵢ²`.
#[differentiable]
fn energy_of_a_block(x: &ArrayRef3<f64>) -> f64 {
    let mut sum = 0.0;
    for &x in x.iter() {
        sum += x * x;
    }
    sum
}

/// Three axes of 1009 would take 8 GB.
#[test]
fn a_size_is_counted_before_its_memory_is_made() {
    let tester = Setting::new((input(Dim([2, 2, 3])),));
    let tester = tester.function("energy_of_a_block", energy_of_a_block {});
    let mix = tester.mix(AsActive, (AsDuplicated,));
    let used = allocation_counter::measure(|| mix.reverse::<_, _, 1>().assert());
    assert!(used.bytes_max < 1 << 26, "{} bytes at once", used.bytes_max);
}
