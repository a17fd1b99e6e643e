//! Items that a block declares, and what their names mean outside of it.

// one constant is called like a local
#![allow(non_upper_case_globals)]

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn const_block(x: f64) -> f64 {
    const K: f64 = 2.0;
    let y = {
        const K: f64 = 5.0;
        K * x
    };
    y + K * x
}

const K: f64 = 2.0;

#[differentiable]
fn const_block_outer(x: f64) -> f64 {
    let y = {
        const K: f64 = 5.0;
        K * x
    };
    y + K * x
}

#[differentiable]
fn const_in_branch(x: f64) -> f64 {
    if x > 0.5 {
        const K: f64 = 5.0;
        K * x
    } else {
        const K: f64 = 7.0;
        K * x * x
    }
}

const N: usize = 2;

#[differentiable]
fn const_in_loop(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        const N: usize = 3;
        for j in 0..N {
            s += x.powi((i + j) as i32);
        }
    }
    s * N as f64
}

#[differentiable]
fn g(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn fn_block(x: f64) -> f64 {
    let y = {
        #[differentiable]
        fn g(x: f64) -> f64 {
            x * x * x
        }
        g(x)
    };
    y + g(x)
}

#[differentiable]
fn fn_nested_both(x: f64) -> f64 {
    #[differentiable]
    fn g(x: f64) -> f64 {
        x * x
    }
    let y = {
        #[differentiable]
        fn g(x: f64) -> f64 {
            x * x * x
        }
        g(x)
    };
    y + g(x)
}

static K_STATIC_BLOCK: f64 = 2.0;

#[differentiable]
fn static_block(x: f64) -> f64 {
    let y = {
        static K_STATIC_BLOCK: f64 = 5.0;
        K_STATIC_BLOCK * x
    };
    y + K_STATIC_BLOCK * x
}

mod m {
    pub(super) const K: f64 = 5.0;
}

#[differentiable]
fn use_block(x: f64) -> f64 {
    let y = {
        use self::m::K;
        K * x
    };
    y + K * x
}

mod m_use_rename {
    pub(super) const J: f64 = 5.0;
}

#[differentiable]
fn use_rename(x: f64) -> f64 {
    let y = {
        use self::m_use_rename::J as K;
        K * x
    };
    y + K * x
}

mod m_use_group {
    pub(super) const J: f64 = 5.0;
    pub(super) const K: f64 = 7.0;
}

#[differentiable]
fn use_group(x: f64) -> f64 {
    let y = {
        use self::m_use_group::{J, K};
        K * x * J
    };
    y + K * x
}

#[differentiable]
fn use_glob_top(x: f64) -> f64 {
    use self::m::*;
    K * x
}

mod n {
    pub(super) mod m {
        pub(crate) const K: f64 = 3.0;
    }
}

#[differentiable]
fn use_module(x: f64) -> f64 {
    let y = {
        use self::n::m;
        m::K * x
    };
    y + m::K * x
}

#[derive(Clone, Copy, Tangent)]
struct P {
    a: f64,
}

#[differentiable]
impl P {
    fn e(&self) -> f64 {
        self.a * self.a
    }
}

#[differentiable]
fn struct_block(x: f64) -> f64 {
    let y = {
        #[derive(Clone, Copy, Tangent)]
        struct P {
            a: f64,
            b: f64,
        }
        let p = P { a: x, b: 2.0 };
        p.a * p.b
    };
    y + P { a: x }.e()
}

const K_CONST_AFTER: f64 = 3.0;

#[differentiable]
fn const_after(x: f64) -> f64 {
    let y = {
        let z = K_CONST_AFTER * x;
        const K_CONST_AFTER: f64 = 5.0;
        z + K_CONST_AFTER
    };
    y * K_CONST_AFTER
}

#[differentiable]
fn const_in_closure(x: f64) -> f64 {
    let g = |t: f64| {
        const K_CONST_AFTER: f64 = 5.0;
        K_CONST_AFTER * t
    };
    g(x) * K_CONST_AFTER * g(x)
}

#[differentiable]
fn const_nested_use(x: f64) -> f64 {
    let y = {
        const K: f64 = 5.0;
        let z = {
            const K: f64 = 7.0;
            K * x
        };
        z + K * x * x
    };
    const K: f64 = 11.0;
    y * K
}

const N_CONST_IN_ARRAY_LEN: usize = 3;

#[differentiable]
fn const_in_array_len(x: f64) -> f64 {
    let y = {
        const N_CONST_IN_ARRAY_LEN: usize = 2;
        let mut a = [0.0; N_CONST_IN_ARRAY_LEN];
        for i in 0..N_CONST_IN_ARRAY_LEN {
            a[i] = x * (i + 1) as f64;
        }
        a[0] * a[N_CONST_IN_ARRAY_LEN - 1]
    };
    y * N_CONST_IN_ARRAY_LEN as f64
}

const A: f64 = 3.0;

#[differentiable]
fn const_expr_of_const(x: f64) -> f64 {
    let y = {
        const A: f64 = 2.0;
        const B: f64 = A * A;
        B * x
    };
    y * A
}

#[differentiable]
fn local_named_like_const(x: f64) -> f64 {
    let y = {
        const k: f64 = 2.0;
        k * x
    };
    let k = 3.0 * x;
    y * k
}

const LIMIT: usize = 1;

#[differentiable]
fn pattern_const(x: f64, n: usize) -> f64 {
    let y = {
        const LIMIT: usize = 2;
        match n {
            LIMIT => x * x,
            _ => x,
        }
    };
    match n {
        LIMIT => y * 3.0,
        _ => y * 5.0 * x,
    }
}

#[differentiable]
fn trait_in_block(x: f64) -> f64 {
    let y = {
        trait T {
            const K: f64;
        }
        struct S;
        impl T for S {
            const K: f64 = 4.0;
        }
        <S as T>::K * x
    };
    y * x
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    A,
    B,
}

#[differentiable]
fn enum_use(x: f64, n: usize) -> f64 {
    let m = if n == 0 { Mode::A } else { Mode::B };
    {
        use Mode::*;
        match m {
            A => x,
            B => x * x,
        }
    }
}

type T = f64;

#[differentiable]
fn type_alias(x: f64) -> f64 {
    let y = {
        type T = usize;
        let n: T = 3;
        x * n as f64
    };
    let z: T = 2.0;
    y * z * x
}

#[differentiable]
fn macro_rules(x: f64) -> f64 {
    let y = {
        macro_rules! k {
            () => {
                5.0
            };
        }
        k!() * x
    };
    macro_rules! k {
        () => {
            2.0
        };
    }
    y + k!() * x
}

judge! {
    const_block (0.7);
    const_block_outer (0.7);
    const_in_branch (0.7) (0.2);
    const_in_loop (0.7);
    fn_block (0.7);
    fn_nested_both (0.7);
    static_block (0.7);
    use_block (0.7);
    use_rename (0.7);
    use_group (0.7);
    use_glob_top (0.7);
    use_module (0.7);
    struct_block (0.7);
    const_after (0.7);
    const_in_closure (0.7);
    const_nested_use (0.7);
    const_in_array_len (0.7);
    const_expr_of_const (0.7);
    local_named_like_const (0.7);
    pattern_const (0.7, 1) (0.7, 2);
    trait_in_block (0.7);
    enum_use (0.7, 0) (0.7, 1);
    type_alias (0.7);
    macro_rules (0.7);
}
