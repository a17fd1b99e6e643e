//! Tangent spaces of dimension zero, for types of this crate that differentiated functions take as arguments.

/// Makes a type an inactive argument: it holds itself, and its tangent space is a point.
macro_rules! point {
    ([$($g:ident),*] $t:ty) => {
        impl<$($g),*> coenzyme::Tangent for $t {
            type Owned = Self;
            type Target = Self;

            const ONE_SHAPE: bool = true;

            fn target(&self) -> &Self {
                self
            }
            fn zero_like(&self) -> Self {
                self.clone()
            }
            fn zero_out(&mut self) {}
            fn accumulate(&mut self, _: &Self) {}
            fn scale(&mut self, _: f64) {}
            fn inner(&self, _: &Self) -> f64 {
                0.0
            }
            fn flatten_into(&self, _: &mut Vec<f64>) {}
            fn unflatten_from(&mut self, _: &mut &[f64]) {}
            fn congruent(&self, _: &Self) -> Result<(), coenzyme::Incongruent> {
                Ok(())
            }
        }
        coenzyme::__holds_itself! { [$($g),*] $t }
    };
}

pub(crate) use point;
