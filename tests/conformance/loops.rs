//! Loops and the ways out of them.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    s
}

#[differentiable]
fn recurrence(x: f64, k: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = k * s * (1.0 - s);
    }
    s
}

#[differentiable]
fn reversed(x: &[f64]) -> f64 {
    let mut s = 0.3;
    for i in (0..x.len()).rev() {
        s = s * x[i] + x[i].sin();
    }
    s
}

#[differentiable]
fn inclusive(x: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..=n {
        s = s * x[i] + i as f64;
    }
    s
}

#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in (0..x.len()).step_by(2) {
        s = s * x[i] + 0.5;
    }
    for i in (1..x.len()).step_by(3) {
        s += s * x[i];
    }
    s
}

#[differentiable]
fn reversed_inclusive_steps(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in (1..=x.len() - 1).rev() {
        s = s * x[i] + x[i - 1];
    }
    s
}

#[differentiable]
fn empty_range(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in n..3 {
        s *= x * i as f64;
    }
    s
}

#[differentiable]
fn nested(x: &[f64], n: usize) -> f64 {
    let mut s = 0.1;
    for i in 0..n {
        let mut t = x[i];
        for j in 0..i + 1 {
            t = t * x[j] + s;
        }
        s += t.sin();
    }
    s
}

#[differentiable]
fn triangular(a: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in i + 1..n {
            let d = a[i] - a[j];
            s += d * d * a[i];
        }
    }
    s
}

#[differentiable]
fn bounds_that_change(x: &[f64]) -> f64 {
    let mut n = 1;
    let mut s = 0.0;
    for _ in 0..3 {
        for i in 0..n {
            s += x[i % x.len()] * s + x[0];
        }
        n += 1;
    }
    s
}

#[differentiable]
fn while_loop(x: f64, k: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    while a > 0.1 && n < 50 {
        a = a * k;
        n += 1;
    }
    a * n as f64
}

#[differentiable]
fn while_with_index(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut s = 1.0;
    while i < x.len() {
        s = s * x[i] + 1.0;
        i += 2;
    }
    s
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-13 {
            break;
        }
        x = next;
    }
    x
}

#[differentiable]
fn break_in_a_branch(x: &[f64], limit: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
        if s > limit {
            s *= 2.0;
            break;
        }
        s *= x[i];
    }
    s
}

#[differentiable]
fn continued(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        let t = s * x[i];
        if t > 2.0 {
            s = t * 0.5;
            continue;
        }
        s = t + 1.0;
    }
    s
}

#[differentiable]
fn continue_in_while(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut i = 0;
    while i < x.len() {
        i += 1;
        if x[i - 1] < 0.0 {
            continue;
        }
        s *= x[i - 1];
    }
    s
}

#[differentiable]
fn labelled(x: &[f64], limit: f64) -> f64 {
    let mut s = 0.5;
    'outer: for i in 0..x.len() {
        for j in 0..x.len() {
            if j > i {
                continue 'outer;
            }
            s += x[i] * x[j] * s;
            if s > limit {
                s *= x[0];
                break 'outer;
            }
        }
        s *= 0.9;
    }
    s
}

#[differentiable]
fn early_return(x: &[f64], limit: f64) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s *= x[i];
        if s > limit {
            return s * s;
        }
    }
    s.ln()
}

#[differentiable]
fn return_from_nested_loops(x: &[f64]) -> f64 {
    for i in 0..x.len() {
        for j in 0..i {
            if x[i] * x[j] > 1.0 {
                return x[i] * x[j];
            }
        }
    }
    x[0].sin()
}

#[differentiable]
fn guard_clauses(x: f64, y: f64) -> f64 {
    if x < 0.0 {
        return x * y;
    }
    let a = x.sqrt() * y;
    if a > 1.0 {
        return a;
    }
    a.exp()
}

#[differentiable]
fn early_return_of_unit(y: &mut [f64], x: f64) {
    if x < 0.0 {
        y[0] = x * x;
        return;
    }
    y[0] *= x;
    for i in 1..y.len() {
        y[i] += y[i - 1];
        if y[i] > 1.0 {
            return;
        }
        y[i] *= x;
    }
}

#[differentiable]
fn return_at_the_end(x: f64) -> f64 {
    let y = x * x;
    return y * x;
}

#[differentiable]
fn loop_with_a_return(x: f64) -> f64 {
    let mut a = x;
    loop {
        a = a * 1.5;
        if a > 4.0 {
            return a * x;
        }
    }
}

#[differentiable]
fn break_out_of_match(x: &[f64], codes: &[usize]) -> f64 {
    let mut s = 1.0;
    for i in 0..codes.len() {
        match codes[i] {
            0 => s *= x[i],
            1 => continue,
            2 => break,
            _ => s = s.sin(),
        }
        s += x[i];
    }
    s
}

#[differentiable]
fn loop_carried_through_two_levels(x: f64, n: usize) -> f64 {
    let mut a = x;
    let mut b = 1.0;
    for _ in 0..n {
        for _ in 0..n {
            a = a * b + 0.1;
            b = b + a * 0.1;
        }
        b *= a;
    }
    a * b
}

#[differentiable]
fn loop_variable_in_arithmetic(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 1..n {
        s += x.powi(i as i32) / i as f64;
    }
    s
}

#[differentiable]
fn signed_range(x: f64, n: i32) -> f64 {
    let mut s = 0.0;
    for k in -n..=n {
        s += (x * k as f64).cos() * x;
    }
    s
}

#[differentiable]
fn two_ways_out(x: &[f64], cap: f64) -> f64 {
    let mut s = 0.0;
    let mut k = 0;
    while k < 10 {
        for i in 0..x.len() {
            s += x[i] * (1.0 + s);
            if s > cap {
                break;
            }
        }
        k += 1;
        if s > cap {
            break;
        }
    }
    s * k as f64
}

#[differentiable]
fn exits_of_other_ranges(x: &[f64], n: u64, cap: f64) -> f64 {
    let mut s = 0.7;
    for i in 0..=x.len() - 1 {
        s = s * x[i] + 1.0;
        if s > cap {
            break;
        }
    }
    for k in 1..n {
        s = s.sin() + k as f64;
        if s > cap {
            break;
        }
    }
    for i in (0..x.len()).rev() {
        s *= x[i];
        if s > cap {
            break;
        }
    }
    for i in (0..=x.len() - 1).step_by(2) {
        s += x[i] * s;
    }
    for k in (0..n).step_by(2) {
        s = s.cos() * k as f64;
    }
    s
}

#[differentiable]
fn return_in_a_let(x: f64, n: Option<usize>) -> f64 {
    let n = match n {
        Some(n) => n,
        None => return x.sin(),
    };
    let a = if x > 0.0 {
        x * n as f64
    } else if n > 5 {
        return x;
    } else {
        let b = x * x;
        if b > 1.0 {
            return b * x;
        }
        b + 1.0
    };
    a * x
}

#[differentiable]
fn return_in_the_tail(x: f64, n: usize) -> f64 {
    let a = x * x;
    match n {
        0 => return a,
        1 => {
            if a > 1.0 {
                return a.sin();
            }
            a * x
        }
        2 => {
            if a > 1.0 {
                return x;
            } else {
                a
            }
        }
        _ => a.exp(),
    }
}

#[differentiable]
fn return_in_both_tails(x: f64) -> f64 {
    if x > 0.0 {
        return x * x;
    } else {
        return x.sin();
    }
}

#[differentiable]
fn continue_in_a_let(x: &[f64], skip: &[bool]) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() {
        let v = if skip[i] { continue } else { x[i] * s };
        let w = {
            if v > 1.5 {
                break;
            }
            v * v
        };
        s += w;
    }
    s
}

#[differentiable]
fn tuple_in_a_let(x: f64, y: f64) -> f64 {
    let (a, b) = if x > y {
        (x * y, x)
    } else if x > 0.0 {
        return x;
    } else {
        (y, y * y)
    };
    a * b
}

#[differentiable]
fn block_left_early(x: f64) -> f64 {
    let t = {
        if x < 0.0 {
            return x * x;
        }
        x.sqrt()
    };
    t * x + 1.0
}

#[differentiable]
fn unit_tail(y: &mut [f64], n: usize) {
    for i in 0..y.len() {
        let k = match n {
            0 => break,
            1 => i,
            _ => continue,
        };
        y[i] *= y[k] * 2.0;
    }
    match n {
        3 => return,
        _ => y[0] *= y[1],
    }
}

judge! {
    return_in_a_let(0.7, Some(3)) (0.7, None) (-0.7, Some(9)) (-0.7, Some(2)) (-1.7, Some(2));
    return_in_the_tail(0.7, 0) (0.7, 1) (1.7, 1) (0.7, 2) (1.7, 2) (0.7, 3);
    return_in_both_tails(0.7) (-0.7);
    continue_in_a_let(&positive(4), &vec![false, true, false, false]) (&vec![1.0, 9.0, 1.0], &vec![false, false, false]);
    tuple_in_a_let(0.7, 0.3) (0.3, 0.7) (-0.3, 0.7);
    block_left_early(0.7) (-0.7);
    unit_tail(&mut any(3), 0) (&mut any(3), 1) (&mut any(3), 2) (&mut any(3), 3);
    exits_of_other_ranges(&positive(5), 4, 1e9) (&positive(5), 4, 2.0) (&positive(5), 4, 1.0);
    sum(&any(3)) (&vec![]);
    recurrence(0.3, 2.7, 5) (0.3, 2.7, 0);
    reversed(&any(4));
    inclusive(&any(4), 3) (&any(4), 0);
    stepped(&any(5)) (&any(6)) (&any(1));
    reversed_inclusive_steps(&any(4)) (&any(1));
    empty_range(0.7, 5) (0.7, 1);
    nested(&any(3), 3);
    triangular(&any(4), 4) (&any(1), 1);
    bounds_that_change(&any(2));
    while_loop(0.9, 0.6) (0.05, 0.6);
    while_with_index(&any(5));
    newton(2.3);
    break_in_a_branch(&vec![0.7, 0.9, 1.2, 0.4], 1.5) (&vec![0.7, 0.9], 100.0) (&vec![0.7, 0.9], 0.1);
    continued(&vec![0.7, -0.9, 1.8, 1.7, 0.4, -0.3]);
    continue_in_while(&vec![0.7, -0.9, 1.8, -1.7, 0.4]);
    labelled(&positive(4), 100.0) (&positive(4), 2.0) (&positive(4), 0.9);
    early_return(&vec![1.2, 1.7, 1.9, 0.3], 2.5) (&vec![1.2, 1.7], 5.0) (&vec![1.2], 0.5);
    return_from_nested_loops(&vec![0.3, 1.2, 1.7, 0.4]) (&vec![0.3, 0.4]);
    guard_clauses(-0.7, 0.4) (0.7, 0.4) (2.7, 1.4);
    early_return_of_unit(&mut vec![0.4, 0.3, 0.9], 1.4) (&mut vec![0.4, 0.9, 0.2], 1.2) (&mut vec![0.4], -1.2);
    return_at_the_end(0.7);
    loop_with_a_return(0.7) (3.9);
    break_out_of_match(&any(5), &vec![0, 1, 3, 2, 0]) (&any(3), &vec![0, 0, 5]);
    loop_carried_through_two_levels(0.4, 2);
    loop_variable_in_arithmetic(0.7, 5);
    signed_range(0.7, 2);
    two_ways_out(&positive(3), 3.0) (&positive(3), 1e9);
}
