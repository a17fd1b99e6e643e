//! `a += b`, `a *= b`, …: what the compound operators make of their left operand, as pure operations.
//!
//! A type may give `*=` another meaning than `*`, so it has rules of its own. Those of numbers and matrices are the rules of `*`;
//! `#[differentiable]` on `impl MulAssign<B> for A` makes the others from the body.

macro_rules! markers {
    ($and:literal: $($op:ident $sign:literal;)*) => {$(
        #[doc = concat!("`a ", $sign, "= ", $and, "b`")]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $op {}
    )*};
    ($and:literal) => {
        markers! { $and: add "+"; sub "-"; mul "*"; div "/"; rem "%"; }
    };
}

markers!("");

/// `a += &b`, `a *= &b`, …, with a reference on the right.
pub mod lent {
    markers!("&");
}
