//! Expressions on active values that `#[differentiable]` refuses.

use coenzyme::differentiable;

#[differentiable]
fn unknown_macro(x: f64) -> f64 {
    my_macro!(x)
}

#[differentiable]
fn unsafe_block(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) }
}

#[differentiable]
fn closure_without_a_name(x: f64) -> f64 {
    (|a: f64| a * a)(x)
}

#[differentiable]
fn shifted(x: f64, n: u32) -> f64 {
    x * ((x as u32) << n) as f64
}

#[differentiable]
fn closure_as_a_value(x: f64) -> f64 {
    let f = |a: f64| a * x;
    let g = f;
    g(x)
}

#[differentiable]
fn struct_update(x: f64) -> f64 {
    let p = Point { x, ..Point { x: 1.0, y: 2.0 } };
    p.x
}

#[differentiable]
fn return_inside(x: f64) -> f64 {
    x * (if x > 0.0 { return x } else { 2.0 })
}

#[differentiable]
fn break_with_a_value(x: f64) -> f64 {
    let mut a = x;
    let b = loop {
        a *= 2.0;
        if a > 3.0 {
            break a;
        }
    };
    b
}

#[differentiable]
fn format_of_an_active_value(x: f64) -> f64 {
    let text = format!("{x}");
    x * text.len() as f64
}

#[differentiable]
fn called_through_a_field(x: f64, t: &Table) -> f64 {
    (t.f)(x)
}

#[differentiable]
fn awaited(x: f64) -> f64 {
    later(x).await
}

#[differentiable]
fn bits_of_a_float(x: f64) -> f64 {
    f64::from_bits(x.to_bits() + 1) * x
}

struct Point {
    x: f64,
    y: f64,
}

struct Table {
    f: fn(f64) -> f64,
}

fn main() {}
