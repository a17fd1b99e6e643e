//! Tangent spaces of dimension zero, for types of this crate that differentiated functions take as arguments.

/// Makes a type an inactive argument: it holds itself, and its tangent space is a point.
macro_rules! point {
    ([$($g:ident),*] $t:ty) => {
        impl<$($g),*> coenzyme::Tangent for $t {
            type Owned = Self;
            type Target = Self;

            const ONE_SHAPE: bool = true;

            fn target(this: &Self) -> &Self {
                this
            }
            fn zero_like(this: &Self) -> Self {
                this.clone()
            }
            fn zero_out(_: &mut Self) {}
            fn accumulate(_: &mut Self, _: &Self) {}
            fn scale(_: &mut Self, _: f64) {}
            fn inner(_: &Self, _: &Self) -> f64 {
                0.0
            }
            fn flatten_into(_: &Self, _: &mut Vec<f64>) {}
            fn unflatten_from(_: &mut Self, _: &mut &[f64]) {}
            fn congruent(_: &Self, _: &Self) -> Result<(), coenzyme::Incongruent> {
                Ok(())
            }
        }
        coenzyme::__holds_itself! { [$($g),*] $t }
    };
}

pub(crate) use point;
