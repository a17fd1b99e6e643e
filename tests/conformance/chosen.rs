//! Mutable references that a branch chooses.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn if_slices(a: &mut [f64], b: &mut [f64], x: f64) -> f64 {
    let r = if x > 0.0 { a } else { b };
    r[0] = x * x;
    r[1] * r[0]
}

#[differentiable]
fn if_slices_after(a: &mut [f64], b: &mut [f64], x: f64) -> f64 {
    {
        let r = if x > 0.0 { &mut *a } else { &mut *b };
        r[0] = x * x;
        r[1] *= r[0];
    }
    a[0] * a[1] + b[0] * b[1]
}

#[differentiable]
fn match_slices(a: &mut [f64], b: &mut [f64], x: f64, n: usize) -> f64 {
    let r = match n {
        0 => a,
        _ => b,
    };
    r[0] = x * x;
    x * r[1]
}

#[differentiable]
fn scalars(x: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let r = if x > 0.5 { &mut a } else { &mut b };
    *r *= x;
    a * a + 3.0 * b
}

#[differentiable]
fn scalar_params(a: &mut f64, b: &mut f64, x: f64) -> f64 {
    let r = if x > 0.5 { a } else { b };
    *r *= x;
    *r * x
}

#[derive(Clone, Copy, Tangent)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn struct_fields(x: f64) -> f64 {
    let mut p = P { a: x, b: 1.0 };
    let r = if x > 0.5 { &mut p.a } else { &mut p.b };
    *r = x * x * x;
    p.a * p.b + x
}

#[differentiable]
fn structs(p: &mut P, q: &mut P, x: f64) -> f64 {
    let r = if x > 0.5 { p } else { q };
    r.a = x * x;
    r.a * r.b
}

#[differentiable]
fn in_loop(x: f64) -> f64 {
    let mut even = [0.0; 3];
    let mut odd = [0.0; 3];
    for i in 0..6 {
        let t = if i % 2 == 0 { &mut even } else { &mut odd };
        t[i / 2] = x.powi(i as i32);
    }
    even[1] * odd[2]
}

#[differentiable]
fn in_loop_continue(x: f64) -> f64 {
    let mut even = 0.0;
    let mut odd = 0.0;
    for i in 0..6 {
        let t = if i % 2 == 0 { &mut even } else { &mut odd };
        if i == 3 {
            continue;
        }
        *t += x.powi(i as i32);
        if i == 4 {
            break;
        }
    }
    even * odd
}

#[differentiable]
fn early_return(a: &mut [f64], b: &mut [f64], x: f64) -> f64 {
    let r = if x > 0.0 { a } else { b };
    if r[0] > 10.0 {
        return r[1];
    }
    r[0] = x * x;
    r[1] * r[0]
}

#[differentiable]
fn put(r: &mut f64, x: f64) {
    *r = x * x;
}

#[differentiable]
fn call_arg(x: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    put(if x > 0.5 { &mut a } else { &mut b }, x);
    a * a + 3.0 * b
}

#[differentiable]
fn put_call_arg_value(r: &mut f64, x: f64) -> f64 {
    *r = x * x;
    x * 3.0
}

#[differentiable]
fn call_arg_value(x: f64, n: i32) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let y = put_call_arg_value(
        match n {
            0 => &mut a,
            _ => &mut b,
        },
        x,
    ) * 2.0;
    a * a + 3.0 * b * y
}

#[derive(Clone, Copy, Tangent)]
struct PReceiver {
    v: f64,
}

#[differentiable]
impl PReceiver {
    fn set(&mut self, x: f64) {
        self.v = x * x;
    }
}

#[differentiable]
fn receiver(x: f64) -> f64 {
    let mut p = PReceiver { v: 1.0 };
    let mut q = PReceiver { v: 2.0 };
    (if x > 0.5 { &mut p } else { &mut q }).set(x);
    p.v * q.v
}

#[differentiable]
fn stmts_in_branch(x: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let r = if x > 0.5 {
        b *= 2.0;
        &mut a
    } else {
        let c = 3.0;
        a *= c;
        &mut b
    };
    *r *= x;
    a * b + a
}

#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let mut c = 3.0;
    let r = if x > 0.5 {
        &mut a
    } else if y > 0.5 {
        &mut b
    } else {
        &mut c
    };
    *r *= x * y;
    a * b * c + a + b
}

#[differentiable]
fn two_choices(x: f64, y: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let mut c = 3.0;
    let mut d = 4.0;
    let r = if x > 0.5 { &mut a } else { &mut b };
    let s = if y > 0.5 { &mut c } else { &mut d };
    *r *= x * y;
    *s += *r;
    std::mem::swap(r, s);
    a * b * c + a + b * d
}

#[differentiable]
fn opt_match(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0];
    let mut d = 5.0;
    let r = match v.last_mut() {
        Some(l) => l,
        None => &mut d,
    };
    *r *= x;
    v[1] * d
}

#[differentiable]
fn get_mut_choice(x: f64, n: usize) -> f64 {
    let mut v = vec![1.0, 2.0];
    let mut d = 5.0;
    let r = match v.get_mut(n) {
        Some(l) => l,
        None => &mut d,
    };
    *r *= x;
    v[1] * d
}

#[differentiable]
fn let_else(x: f64, n: usize) -> f64 {
    let mut v = vec![1.0, 2.0];
    let Some(r) = v.get_mut(n) else {
        return x;
    };
    *r *= x;
    v[1] * x
}

#[differentiable]
fn shared_choice(a: &[f64], b: &[f64], x: f64) -> f64 {
    let r = if x > 0.0 { a } else { b };
    r[0] * r[1] * x
}

#[differentiable]
fn read_only_mut(a: &mut [f64], b: &mut [f64], x: f64) -> f64 {
    a[0] *= x;
    let r = if x > 0.0 { a } else { b };
    r[0] * r[1] * x
}

#[differentiable]
fn max_by_mut(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0 * x, 0.5];
    let m = v
        .iter_mut()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap();
    *m *= x;
    v[0] + v[1] * v[2]
}

#[differentiable]
fn find_mut(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0 * x, 0.5];
    if let Some(m) = v.iter_mut().find(|a| **a > 1.2) {
        *m *= x;
    }
    v[0] + v[1] * v[2]
}

#[differentiable]
fn nth_mut(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0 * x, 0.5];
    let m = v.iter_mut().nth(1).unwrap();
    *m *= x;
    v[0] + v[1] * v[2]
}

#[differentiable]
fn ref_mut_slot(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0 * x, 0.5];
    let mut i = 0;
    while i < 3 {
        let slot = &mut v[i];
        if *slot > 0.7 {
            *slot = *slot * x;
        }
        i += 1;
    }
    v[0] + v[1] * v[2]
}

judge! {
    if_slices (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7) (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], -0.7);
    if_slices_after (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7) (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], -0.7);
    match_slices (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7, 0) (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7, 1);
    scalars (0.7) (0.2);
    scalar_params (&mut 0.3, &mut 0.4, 0.7) (&mut 0.3, &mut 0.4, 0.2);
    struct_fields (0.7) (0.2);
    structs (&mut P { a: 0.1, b: 0.2 }, &mut P { a: 0.3, b: 0.4 }, 0.7) (&mut P { a: 0.1, b: 0.2 }, &mut P { a: 0.3, b: 0.4 }, 0.2);
    in_loop (0.7);
    in_loop_continue (0.7);
    early_return (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7) (&mut vec![11.0, 0.2], &mut vec![0.3, 0.4], 0.7);
    call_arg (0.7) (0.2);
    call_arg_value (0.7, 0) (0.2, 1);
    receiver (0.7) (0.2);
    stmts_in_branch (0.7) (0.2);
    nested (0.7, 0.1) (0.2, 0.7) (0.2, 0.2);
    two_choices (0.7, 0.1) (0.2, 0.7);
    opt_match (0.7);
    get_mut_choice (0.7, 1) (0.7, 4);
    let_else (0.7, 1) (0.7, 4);
    shared_choice (&vec![0.1, 0.2], &vec![0.3, 0.4], 0.7);
    read_only_mut (&mut vec![0.1, 0.2], &mut vec![0.3, 0.4], 0.7);
    max_by_mut (0.7);
    find_mut (0.7);
    nth_mut (0.7);
    ref_mut_slot (0.7);
}
