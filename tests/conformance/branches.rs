//! Comparisons, branches, `match`.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn if_else(x: f64, y: f64) -> f64 {
    if x > y { x * y } else { x.sin() + y * y }
}

#[differentiable]
fn if_without_else(x: f64, y: f64) -> f64 {
    let mut s = x;
    if x * y > 0.0 {
        s = s * s + y;
    }
    s * x
}

#[differentiable]
fn else_if(x: f64) -> f64 {
    if x < -1.0 {
        x * x
    } else if x < 0.0 {
        let a = x.exp();
        a * x
    } else if x < 1.0 {
        x.sin()
    } else {
        2.0 * x
    }
}

#[differentiable]
fn branch_as_operand(x: f64, y: f64) -> f64 {
    x * (if y > 0.0 { y } else { -y * x }) + if x > 0.0 { 1.0 } else { y }
}

#[differentiable]
fn logic(x: f64, y: f64, flag: bool) -> f64 {
    if (x > 0.0 && y > 0.0) || !flag {
        x * y
    } else if flag && x != y {
        x / y
    } else {
        0.0
    }
}

#[differentiable]
fn nested_branches(x: f64, y: f64) -> f64 {
    let mut a = x;
    if x > 0.0 {
        a *= y;
        if y > 0.0 {
            a = a.sin();
        } else {
            a += x * x;
        }
        a *= x;
    }
    a * a
}

#[differentiable]
fn condition_of_a_local(x: f64) -> f64 {
    let a = x * x - 0.5;
    let up = a > 0.0;
    let b = if up { a } else { a * x };
    let small = !up && b < 1.0;
    if small { b.exp() } else { b * b }
}

#[differentiable]
fn condition_on_memory(y: &mut [f64], x: &[f64]) {
    for i in 0..y.len() {
        if y[i] > x[i] {
            y[i] = y[i] * x[i];
        } else {
            y[i] = x[i] * x[i];
        }
    }
}

#[differentiable]
fn condition_overwritten(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut s = 0.0;
    for i in 0..x.len() {
        if a > 0.5 {
            s += a * x[i];
            a = -a;
        } else {
            s += x[i] * x[i];
            a = x[i] - a;
        }
    }
    s * a
}

#[differentiable]
fn match_integer(x: f64, n: usize) -> f64 {
    match n {
        0 => 1.0,
        1 => x,
        2 | 3 => x * x,
        n if n % 2 == 0 => x.sin() * n as f64,
        k => x * k as f64,
    }
}

#[differentiable]
fn match_statement(x: f64, n: i32) -> f64 {
    let mut a = x;
    match n {
        -1 => a *= 2.0,
        0..=3 => {
            a = a * x;
            a += 1.0;
        }
        _ => {}
    }
    a * a
}

#[differentiable]
fn match_tuple(x: f64, n: usize, flag: bool) -> f64 {
    match (n % 3, flag) {
        (0, true) => x * x,
        (0, false) => -x,
        (k, _) => x.powi(k as i32) * x.sin(),
    }
}

#[differentiable]
fn match_flag(x: f64, flag: bool) -> f64 {
    let scale = match flag {
        true => x,
        false => 2.0,
    };
    scale * x
}

#[derive(Clone, Copy, Debug, PartialEq, coenzyme::Tangent)]
enum Kernel {
    Linear,
    Power(u32),
    Wave { periods: usize },
}

#[differentiable]
fn match_enum(x: f64, kernel: &coenzyme::Inactive<Kernel>) -> f64 {
    match kernel.0 {
        Kernel::Linear => x,
        Kernel::Power(n) => x.powi(n as i32),
        Kernel::Wave { periods } => (x * periods as f64).sin(),
    }
}

#[differentiable]
fn match_range_of_a_float(x: f64) -> f64 {
    match x {
        v if v < 0.0 => v * v,
        v if v < 1.0 => v.sin(),
        v => v.exp(),
    }
}

#[differentiable]
fn if_let_some(x: f64, n: Option<usize>) -> f64 {
    if let Some(n) = n { x * n as f64 } else { x * x }
}

#[differentiable]
fn if_let_statement(x: f64, n: &Option<usize>) -> f64 {
    let mut s = x;
    if let Some(n) = n {
        s *= s + *n as f64;
    }
    s * x
}

#[differentiable]
fn first_of_the_inactive(x: f64, at: &[usize]) -> f64 {
    match at.first() {
        Some(n) => x.powi(*n as i32),
        None => x.sin(),
    }
}

#[differentiable]
fn branch_that_panics(x: f64, n: usize) -> f64 {
    let y = match n {
        0 => x * x,
        1 => x.sin(),
        _ => panic!("no case {n}"),
    };
    if x < -5.0 {
        unreachable!("x = {x}");
    }
    y * x
}

#[differentiable]
fn asserts(x: &[f64], n: usize) -> f64 {
    assert!(n > 0, "n is {n}");
    assert_eq!(x.len(), n);
    debug_assert!(x[0] > -10.0, "{} {:?}", x[0], x);
    let y = x[0] * x[n - 1];
    debug_assert!(y.is_finite());
    y * y
}

#[differentiable]
fn array_in_branches(x: f64, flag: bool) -> f64 {
    let a = if flag { [x, x * x] } else { [1.0, x.sin()] };
    let (p, q) = if x > 0.0 {
        (a[0], a[1])
    } else {
        (a[1], a[0] * x)
    };
    p * q + p
}

#[differentiable]
fn pieces(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        s += if v > 1.0 {
            v * v
        } else if v > 0.0 {
            let w = v.sin();
            if w > 0.5 { w * v } else { w }
        } else {
            0.0
        };
    }
    s * s
}

judge! {
    if_else(0.7, 0.3) (0.3, 0.7);
    if_without_else(0.7, 0.3) (-0.3, 0.7);
    else_if(-1.7) (-0.3) (0.3) (1.2);
    branch_as_operand(0.7, 0.3) (0.7, -0.3) (-0.7, 0.3) (-0.7, -0.3);
    logic(0.7, 0.3, true) (0.7, -0.3, true) (-0.7, 0.3, false);
    nested_branches(0.7, 0.3) (0.7, -0.3) (-0.7, 0.3);
    condition_of_a_local(0.9) (0.3) (-1.5);
    condition_on_memory(&mut vec![0.2, 0.9, -0.4], &vec![0.4, 0.3, 0.5]);
    condition_overwritten(&vec![0.9, 0.2, 0.7, -0.8]);
    match_integer(0.7, 0) (0.7, 1) (0.7, 3) (0.7, 4) (0.7, 5);
    match_statement(0.7, -1) (0.7, 2) (0.7, 7);
    match_tuple(0.7, 3, true) (0.7, 3, false) (0.7, 4, true);
    match_flag(0.7, true) (0.7, false);
    match_enum(0.7, &coenzyme::Inactive(Kernel::Linear))
        (0.7, &coenzyme::Inactive(Kernel::Power(3)))
        (0.7, &coenzyme::Inactive(Kernel::Wave { periods: 2 }));
    match_range_of_a_float(-0.7) (0.3) (1.2);
    if_let_some(0.7, Some(3)) (0.7, None);
    if_let_statement(0.7, &Some(3)) (0.7, &None);
    first_of_the_inactive(0.7, &vec![3]) (0.7, &vec![]);
    branch_that_panics(0.7, 0) (0.7, 1);
    asserts(&any(2), 2);
    array_in_branches(0.7, true) (-0.7, false) (0.4, false);
    pieces(&vec![1.3, 0.9, 0.3, -0.4]) (&positive(4));
}
