//! Guards of `match`: they read what changes, are asked once and in order, and stand beside names for the whole.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

mod characters_and_a_local {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        for c in "ab+a-".chars() {
            match c {
                'a' => s *= y,
                '+' | '-' if s > 0.0 => s = s.sin(),
                _ => s = 0.0,
            }
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod alternatives_and_a_local {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        for c in 0..5 {
            match c {
                0 => s *= y,
                1 | 2 if s > 0.0 => s = s.sin(),
                _ => s += 0.1,
            }
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod guards_of_every_kind {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        let mut n = 0usize;
        for c in 0..6 {
            let k = c * 2 % 5;
            let z = s * y;
            match k {
                0 if z > 0.5 => {
                    s *= y;
                    n += 1;
                }
                j if z > 0.9 && j < n => s = s.sin() + z,
                2..=4 if s < 1.0 => {
                    s += z * 0.3;
                    if s > 2.0 {
                        break;
                    }
                }
                _ if n > 1 => s -= 0.1,
                _ => s += 0.1 * y,
            }
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod guards_over_memory {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut v = vec![x, y, x * y];
        let mut s = 0.0;
        for i in 0..3 {
            s += match i {
                0 if v[1] > 0.0 => v[0] * 2.0,
                k if v[k] < v[0] => {
                    v[0] += v[k];
                    v[0] * v[k]
                }
                _ => v[i] * s,
            };
        }
        s * v[0]
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_guard_of_a_block {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        let r = match (x * 3.0) as i32 {
            0 => x,
            _ if s > 100.0 => s,
            n if { s > 0.2 } => {
                s *= y;
                s * n as f64
            }
            _ => y,
        };
        r * s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod guards_of_active_names {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        match s {
            t if t > 1.0 => s = t * y,
            t if t * y > 0.5 && y > 0.0 => s = t.sin() * y,
            _ => s = y,
        }
        match y {
            q if q > s => s * q,
            q if s > 0.1 => s - q,
            q => q,
        }
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod states {
    use super::*;
    #[derive(Clone, Copy, PartialEq)]
    enum M {
        A,
        B,
        C,
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut m = M::A;
        let mut s = x;
        for _ in 0..5 {
            m = match m {
                M::A if s > 1.0 => M::B,
                M::A => {
                    s *= 1.3 * y;
                    M::C
                }
                M::B => {
                    s = s.sin() * y;
                    M::C
                }
                M::C if s < 0.4 => M::A,
                M::C => {
                    s -= 0.2 * x;
                    M::B
                }
            };
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod guards_that_draw {
    use super::*;
    #[derive(Clone)]
    struct Rng(u64);
    impl Rng {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 40) as f64 / (1u64 << 24) as f64
        }
        fn index(&mut self, n: usize) -> usize {
            (self.next() * n as f64) as usize
        }
        fn flip(&mut self) -> bool {
            self.next() > 0.5
        }
        fn last(&mut self) -> usize {
            self.index(3)
        }
        fn max(&mut self) -> f64 {
            self.next()
        }
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut r = Rng(5);
        let mut s = x;
        for i in 0..4 {
            match i {
                0 if r.flip() => s *= y,
                1 | 2 if r.next() > 0.3 => s += x * y,
                _ => s = s.sin(),
            }
        }
        s + r.next() * x
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod guards_that_draw_beside_names {
    use super::*;
    #[derive(Clone)]
    struct Rng(u64);
    impl Rng {
        fn flip(&mut self) -> bool {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            self.0 >> 63 == 1
        }
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut r = Rng(5);
        let mut s = x;
        for i in 0..4 {
            match i {
                k if r.flip() => s *= y * k as f64,
                _ => s = s.sin(),
            }
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_macro_in_a_guard {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = x;
        for i in 0..4 {
            match i {
                0 if matches!(i, 0 | 3) => s *= y,
                1 | 2 if s > 0.3 => s += x * y,
                _ => s = s.sin(),
            }
        }
        s
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod the_whole_beside_a_part {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let t = (x, y);
        match t {
            (p, q) if p > q => p - q,
            whole @ (_, q) => whole.0 * q,
        }
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_whole_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let t = P { a: x, b: y };
        match t {
            whole @ P { a, .. } => whole.b * a,
        }
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_whole_variant {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    enum K {
        L(f64),
        Q(f64, f64),
    }
    #[differentiable]
    fn g(k: K, t: f64) -> f64 {
        match k {
            l @ K::L(a) => h(l) * a,
            q @ K::Q(..) => h(q) * t,
        }
    }
    #[differentiable]
    fn h(k: K) -> f64 {
        match k {
            K::L(a) => a,
            K::Q(a, b) => a * b,
        }
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        g(K::L(x), y) + g(K::Q(x, y), x)
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_whole_that_changes {
    use super::*;
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let mut t = (x, y);
        let a = match t {
            whole @ (p, q) if p > q => {
                t.0 *= 3.0;
                whole.0 * t.0 + p
            }
            mut whole @ (_, q) => {
                whole.0 += q;
                t.1 = whole.0;
                whole.0 * q
            }
        };
        a * t.0 + t.1
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}

mod a_whole_behind_a_reference {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    enum K {
        L(f64),
        Q(f64, f64),
    }
    #[differentiable]
    impl K {
        fn v(&self) -> f64 {
            match self {
                K::L(a) => *a,
                K::Q(a, b) => a * b,
            }
        }
        fn go(&self, t: f64) -> f64 {
            match self {
                l @ K::L(a) => l.v() * a * t,
                q @ K::Q(..) => q.v() * t,
            }
        }
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        K::L(x).go(y) + K::Q(x, y).go(x)
    }

    judge! { f(0.83, 1.1) (1.37, -0.6); }
}
