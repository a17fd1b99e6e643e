//! Chains of iterators become loops over numbers.

use crate::differentiable::testing::assert_lowered;

#[test]
fn a_map_is_a_loop_over_numbers() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().map(|v| v.sin()).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..x.len() {
            total = add(load total, sin(read x[k]))
        }
        return load total",
    );
}

#[test]
fn a_zip_ends_with_the_shorter() {
    assert_lowered(
        "fn f(x: &[f64], y: &[f64]) -> f64 { x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>() }",
        "
        fn(&x, &y)
        let mut total = zero::<f64, _>()
        for k in 0..min(x.len(), y.len()) {
            total = add(load total, mul(read x[k], read y[k]))
        }
        return load total",
    );
}

#[test]
fn reversed_elements_are_found_from_the_end() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x.iter().rev() {
                s = s * 2.0 + v;
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        for k in 0..x.len() {
            s = add(mul(load s, 2.0), read x[x.len() - 1 - k])
        }
        return load s",
    );
}

#[test]
fn skipped_elements_are_added_to_the_number() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().skip(2).map(|v| v * v).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..(x.len()).saturating_sub(2) {
            let t3 = read x[k + 2]
            total = add(load total, mul(t3, t3))
        }
        return load total",
    );
}

#[test]
fn taken_elements_end_the_loop() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().take(3).map(|v| v * v).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..min(x.len(), 3) {
            let t3 = read x[k]
            total = add(load total, mul(t3, t3))
        }
        return load total",
    );
}

#[test]
fn windows_are_pairs_of_entries() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.windows(2).map(|w| w[1] * w[0]).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..(x.len() + 1).saturating_sub(2) {
            total = add(load total, mul(read x[k..][..2][1], read x[k..][..2][0]))
        }
        return load total",
    );
}

#[test]
fn chunks_are_parts() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.chunks_exact(2).map(|c| c[0] * c[1]).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..x.len() / 2 {
            total = add(load total, mul(read x[k * 2..][..2][0], read x[k * 2..][..2][1]))
        }
        return load total",
    );
}

#[test]
fn a_fold_is_a_local() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().fold(1.0, |p, v| p * v) }",
        "
        fn(&x)
        let mut total = 1.0
        for k in 0..x.len() {
            total = mul(load total, read x[k])
        }
        return load total",
    );
}

#[test]
fn a_product_multiplies() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().product() }",
        "
        fn(&x)
        let mut total = one::<f64>()
        for k in 0..x.len() {
            total = mul(load total, read x[k])
        }
        return load total",
    );
}

#[test]
fn a_filter_is_a_branch() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().filter(|v| **v > 0.0).map(|v| v.ln()).sum() }",
        "
        fn(&x)
        let mut total = zero::<f64, _>()
        for k in 0..x.len() {
            if (x[k]) > 0.0 {
                total = add(load total, ln(read x[k]))
            }
        }
        return load total",
    );
}

#[test]
fn collected_elements_are_pushed() {
    assert_lowered(
        "fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|v| v * 2.0).collect() }",
        "
        fn(&x)
        let t0 = x.len()
        let mut made = blanks(t0)
        for k in 0..t0 {
            made[k] = mul(read x[k], 2.0)
        }
        return move made",
    );
}

#[test]
fn a_mutable_iterator_names_places() {
    assert_lowered(
        "fn f(x: &mut [f64], a: f64) { for v in x.iter_mut() { *v *= a; } }",
        "
        fn(&mut x, a)
        for k in 0..x.len() {
            x[k] = mul(read x[k], a)
        }",
    );
}

#[test]
fn a_number_beside_the_element_is_the_counter() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for (i, v) in x.iter().enumerate() {
                s += v * i as f64;
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        for k in 0..x.len() {
            s = add(load s, mul(read x[k], k as f64))
        }
        return load s",
    );
}

#[test]
fn the_largest_is_a_chain_of_maxima() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().copied().fold(f64::NEG_INFINITY, f64::max) }",
        "
        fn(&x)
        let mut total = typed::<f64>(f64::NEG_INFINITY)
        for k in 0..x.len() {
            total = max(load total, read x[k])
        }
        return load total",
    );
}

#[test]
fn rows_are_places_in_places() {
    assert_lowered(
        "fn f(m: &[[f64; 3]]) -> f64 { m.iter().map(|r| r.iter().sum::<f64>()).sum() }",
        "
        fn(&m)
        let mut total = zero::<f64, _>()
        for k in 0..m.len() {
            let mut total_2 = zero::<f64, _>()
            for k_2 in 0..(m[k]).len() {
                total_2 = add(load total_2, read m[k][k_2])
            }
            total = add(load total, load total_2)
        }
        return load total",
    );
}

#[test]
fn a_range_is_a_loop() {
    assert_lowered(
        "fn f(x: f64) -> f64 { (1..5).map(|k| x * k as f64).sum() }",
        "
        fn(x)
        let mut total = zero::<f64, _>()
        for k in 1..5 {
            total = add(load total, mul(x, k as f64))
        }
        return load total",
    );
}

#[test]
fn a_chain_of_two_is_two_loops() {
    assert_lowered(
        "fn f(x: &[f64], y: &[f64]) -> f64 { x.iter().chain(y).map(|v| v * v).sum() }",
        "
        fn(&x, &y)
        let mut total = zero::<f64, _>()
        for k in 0..x.len() {
            let t3 = read x[k]
            total = add(load total, mul(t3, t3))
        }
        for k_2 in 0..y.len() {
            let t9 = read y[k_2]
            total = add(load total, mul(t9, t9))
        }
        return load total",
    );
}
