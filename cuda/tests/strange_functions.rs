//! Functions for host and device as strangers write them, which several tests use.
#![allow(unreachable_pub)] // a module of two tests
// written as people write them
#![allow(clippy::all, non_snake_case)]

use coenzyme::prelude::*;

const KNOTS: [f64; 4] = [-1.5, 0.0, 0.75, 2.0];
const LOWEST: i64 = i64::MIN;
const LIMIT: u8 = 200;
const UPSIDE: bool = true;

/// Names bound again, in blocks and out of them.
#[differentiable(device)]
pub fn shadowed(x: f64, y: f64) -> f64 {
    let x = x * 2.0;
    let y = {
        let x = x + y;
        let y = x * x;
        y - x
    };
    let x = { x + y };
    for x in 0..2 {
        let y = x as f64;
        let _ = y + 1.0;
    }
    x * y
}

/// Ifs as values, in each other and among operands.
#[differentiable(device)]
pub fn nested_ifs(x: f64, y: f64) -> f64 {
    let a = if x > 0.0 {
        if y > 0.0 {
            x * y
        } else if y < -1.0 {
            x - y
        } else {
            3.0
        }
    } else {
        let t = x * x;
        if t > y { t } else { -t }
    };
    a + if y == 0.0 { 1.0 } else { y } * if x < y { 2.0 } else { x }
}

/// A while that is left in the middle, with the rest after it.
#[differentiable(device)]
pub fn while_with_break(x: f64, y: f64) -> f64 {
    let mut t = x;
    let mut steps = 0;
    while t < 10.0 {
        t = t * 1.5 + y.abs();
        steps += 1;
        if steps >= 7 {
            break;
        }
        if steps % 2 == 1 {
            continue;
        }
        t += 0.25 * x;
    }
    t + steps as f64
}

/// Several ways out.
#[differentiable(device)]
pub fn early_returns(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return 0.0;
    }
    for i in 0..5 {
        let s = x + i as f64 * y;
        if s > 4.0 {
            return s * s;
        }
        if s < -6.0 {
            return s;
        }
    }
    match (x * 2.0) as i64 {
        0 => return y,
        1 | 2 => return x * y,
        _ => {}
    }
    return y - x;
}

/// Remainders and quotients of negative integers.
#[differentiable(device)]
pub fn negative_remainders(x: f64, y: f64) -> f64 {
    let i = (x * 3.0).floor() as i64;
    let r = i % 4;
    let q = i / 4;
    let k = -i % 3 + -(i % 3);
    x * r as f64 + y * q as f64 + k as f64
}

/// Casts that saturate, that cut off bits, and back.
#[differentiable(device)]
pub fn casts(x: f64, y: f64) -> f64 {
    let a = (x * 100.0) as u8;
    let b = (x * 100.0) as i8;
    let c = (y * 1e10) as i32;
    let d = (y * 1e10) as u32;
    let e = (x * 1e25) as i64;
    let f = -3_i32 as u8;
    let g = 300_i64 as u8;
    let h = 40_000_u16 as i16;
    let i = (x > y) as u8;
    x * (a as f64 + b as f64)
        + y * (c as f64 * 1e-9 + d as f64 * 1e-9)
        + e as f64 * 1e-18
        + f as f64
        + g as f64
        + h as f64
        + i as f64
}

/// What is no number in extrema, and in comparisons.
#[differentiable(device)]
pub fn extrema(x: f64, y: f64) -> f64 {
    let none = 0.0 / 0.0_f64;
    let a = x.max(none);
    let b = none.min(y);
    let c = f64::max(x, y) - y.min(2.0 * x);
    let d = if x < none || !(y >= none) { 1.0 } else { 5.0 };
    a * b + c + d + x.clamp(-1.0, 1.5) * 0.5_f64.max(y)
}

/// Bounds that move: the host has a derivative for each, and so has the device.
#[differentiable(device)]
pub fn between(x: f64, low: f64, high: f64) -> f64 {
    x.max(low).min(high)
}

#[differentiable(device)]
pub fn moving_bounds(x: f64, y: f64) -> f64 {
    between(1.0, x, x + 1.0) + between(y, -0.5, x * x)
}

/// Arrays for callees: by value, by reference, and to be written.
#[differentiable(device)]
pub fn dot(a: [f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable(device)]
pub fn rotate(a: &mut [f64; 3]) {
    let first = a[0];
    a[0] = a[1];
    a[1] = a[2];
    a[2] = first;
}

#[differentiable(device)]
pub fn arrays_to_callees(x: f64, y: f64) -> f64 {
    let mut a = [x, y, x * y];
    let b = a;
    rotate(&mut a);
    a[1] += 1.0;
    dot(a, &b) + dot([1.0, 2.0, x], &[y, 0.5, 3.0])
}

/// Rows of rows.
#[differentiable(device)]
pub fn matrix(x: f64, y: f64) -> f64 {
    let mut m = [[x, 1.0], [y, x * y]];
    m[0][1] *= y;
    let mut total = 0.0;
    for i in 0..2 {
        for j in 0..2 {
            total += m[i][j] * m[j][i];
        }
    }
    total
}

/// Integers and flags in arrays.
#[differentiable(device)]
pub fn tables(x: f64, y: f64) -> f64 {
    let order = [2, 0, 1];
    let k = (x.abs() as usize) % 3;
    let places: [usize; 3] = [k, order[k], (k + 1) % 3];
    let used = [true, k == 1, y > x];
    let mut sum = 0.0;
    for i in 0..3 {
        if used[i] {
            sum += x * places[i] as f64 + y;
        }
    }
    sum
}

/// A table that is a constant.
#[differentiable(device)]
pub fn knots(x: f64, y: f64) -> f64 {
    let mut k = 0;
    while k < 3 && x > KNOTS[k + 1] {
        k += 1;
    }
    (x - KNOTS[k]) * y
}

/// Constants at the edges of their types.
#[differentiable(device)]
pub fn edges(x: f64, y: f64) -> f64 {
    let mut lowest = LOWEST;
    if (x as i64) > lowest {
        lowest = -1;
    }
    let small = if x.abs() < f64::EPSILON { 1.0 } else { 0.0 };
    let up = if UPSIDE { y } else { x };
    up * lowest as f64 + small + LIMIT as f64 + x.min(f64::INFINITY) + f64::NEG_INFINITY.max(y)
}

/// Flags with and without short circuit.
#[differentiable(device)]
pub fn flags(x: f64, y: f64) -> f64 {
    let a = x > 0.0;
    let b = y > 0.0;
    let both = a & b;
    let either = a | b;
    let one = a ^ b;
    let none = !a && !b;
    let mut f = both == none;
    f |= one;
    f &= either || !one;
    if f {
        x * y
    } else if !both {
        x - y
    } else {
        1.0
    }
}

/// Bits of small integers are cut off.
#[differentiable(device)]
pub fn bits(x: f64, y: f64) -> f64 {
    let a = (x.abs() * 40.0) as u8;
    let b = a << 2;
    let c = !a;
    let d: i8 = (y * 50.0) as i8;
    let e = d << 1;
    let g = (d >> 2) ^ !d;
    let h = 5_u8 | a & 12;
    x * b as f64 + y * c as f64 + e as f64 + g as f64 + h as f64
}

/// Numbers that look random: shifts of 32 bits.
#[differentiable(device)]
pub fn noise(x: f64, y: f64) -> f64 {
    let mut h = (x.abs() * 1000.0) as u32 ^ 0x9e37_79b9;
    for _ in 0..3 {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
    }
    x + y * (h as f64 / 4294967296.0)
}

/// Small integers, counted down.
#[differentiable(device)]
pub fn small_integers(x: f64, y: f64) -> f64 {
    let mut n: u8 = 250;
    let mut k: i64 = -9;
    let mut product = 1.0;
    while n > 247 {
        n -= 1;
        k = k * 3 + n as i64;
        product *= x + k as f64 * 1e-3;
    }
    product + y * k.abs() as f64 + k.signum() as f64 + k.pow(2) as f64 + k.min(3).max(-4) as f64
}

/// Values of a match, with ranges and guards.
#[differentiable(device)]
pub fn matches_on_integers(x: f64, y: f64) -> f64 {
    let i = x.round() as i32;
    let a = match i {
        i32::MIN..=-3 => -1.0,
        -2 | -1 => x,
        0 if y > 0.0 => y,
        0 => 2.0 * y,
        1..3 => {
            let t = x * y;
            t * t
        }
        _ => match i % 3 {
            0 => 0.5,
            _ => y - x,
        },
    };
    a * y
}

/// A block in front of operands changes nothing beside it.
#[differentiable(device)]
pub fn blocks(x: f64, y: f64) -> f64 {
    let mut s = y;
    let a = {
        let mut t = x;
        t *= t;
        t + 1.0
    } * s;
    let b = {
        s += x;
        s
    };
    a + b * s
}

/// Literals of many forms.
#[differentiable(device)]
pub fn literals(x: f64, y: f64) -> f64 {
    let a = 1_000.5e-3 + 2f64 + 3. + 0x1F as f64 + 0b101 as f64 + 1e-3_f64;
    a * x - -y + (-(2.0_f64)).powi(3) + -2.0_f64.powi(2) + f64::from(3_i32)
}

/// Functions of the type, and of more than one argument.
#[differentiable(device)]
pub fn by_type(x: f64, y: f64) -> f64 {
    let a = f64::sin(x) * f64::powi(y, 3) + f64::hypot(x, 2.0) - f64::atan2(y, 1.5);
    let b = f64::from(x) + y.copysign(-1.0) + x.mul_add(y, 1.0);
    a + b * std::f64::consts::LN_2
}

/// A place with another name.
#[differentiable(device)]
pub fn borrowed(x: f64, y: f64) -> f64 {
    let mut a = [x, y];
    let b = &a;
    let s = b[0] * b[1];
    step(&mut a[1], s);
    let mut t = s;
    step(&mut t, a[1]);
    t * a[1]
}

#[differentiable(device)]
pub fn step(of: &mut f64, by: f64) {
    *of = *of * by + 0.5;
}

/// Words of C++, and letters of other alphabets.
#[differentiable(device)]
pub fn words(register: f64, λ: f64) -> f64 {
    let int = register * 2.0;
    let double = int + λ;
    let errno = double * λ;
    let this = if errno > int { errno } else { int };
    let new = this - double;
    let threadIdx = new * 0.5;
    let r#mod = threadIdx + 1.0;
    let machine = r#mod;
    let value = machine * register;
    value
}

/// A loop that is left by its condition alone, with a float for a counter.
#[differentiable(device)]
pub fn integral(x: f64, y: f64) -> f64 {
    let mut t = 0.0;
    let mut sum = 0.0;
    loop {
        if t >= 1.0 {
            break;
        }
        sum += (x * t).cos() * y * 0.125;
        t += 0.125;
    }
    sum
}

/// Ranges of all kinds, backwards, empty, of variables that are bound again.
#[differentiable(device)]
pub fn ranges(x: f64, y: f64) -> f64 {
    let n = (x.abs() as usize).min(4);
    let mut sum = 0.0;
    for i in 0..n {
        for n in (i..=n).rev() {
            sum += y / (1 + n) as f64;
        }
    }
    for _ in 3..2 {
        sum += 1e9;
    }
    for i in -2..=1_i64 {
        sum += x * (i * i) as f64;
    }
    sum
}

/// A generic helper, and one that has integers and flags.
#[differentiable(device)]
pub fn horner<T: Real>(x: T, up: bool, n: usize) -> T {
    let mut y = T::one();
    for _ in 0..n {
        y = if up {
            y * x + T::lit(0.5)
        } else {
            y * x - T::lit(0.5)
        };
    }
    y
}

#[differentiable(device)]
pub fn helpers(x: f64, y: f64) -> f64 {
    let up = y > x;
    horner(x, up, 3) + horner(y * 0.5, !up, (x.abs() as usize).min(5))
}

/// Powers of integers and of floats, and of what is negative.
#[differentiable(device)]
pub fn powers(x: f64, y: f64) -> f64 {
    let k = 3;
    x.powi(k) + y.powi(-2) + (x * x + 1.0).powf(y) + 2_i64.pow(5) as f64 + x.powi(k - 3)
}

/// Newton's method until it is near, at most so often.
#[differentiable(device)]
pub fn newton(x: f64, y: f64) -> f64 {
    let target = x * x + y * y + 0.5;
    let mut r = 1.0;
    let mut left = 30;
    while left > 0 && (r * r - target).abs() > 1e-15 * target {
        r = 0.5 * (r + target / r);
        left -= 1;
    }
    r
}

/// Signs, parts and rests of floats.
#[differentiable(device)]
pub fn parts(x: f64, y: f64) -> f64 {
    x.signum() * y.fract() + (x % 0.7) * y + x.trunc() * y.ceil() + (-x % 2.0)
}

/// Calls a macro with the names of those that take two numbers.
macro_rules! each_strange_function {
    ($then:ident) => {
        $then! {
        shadowed nested_ifs while_with_break early_returns negative_remainders casts extrema moving_bounds
        arrays_to_callees matrix tables knots edges flags bits noise small_integers matches_on_integers blocks
        literals by_type borrowed words integral ranges helpers powers newton parts
        }
    };
}

pub(crate) use each_strange_function;
