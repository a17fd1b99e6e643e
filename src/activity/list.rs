//! Variadic arguments: a list of handles is a handle.

use super::{Activity, Annotation};

#[diagnostic::do_not_recommend]
impl<X: Annotation> Annotation for Vec<X> {
    type Primal = Vec<X::Primal>;
    type Width = X::Width;
}

/// A list of arguments of one activity, for functions of any number of arguments. A reverse rule returns a list of
/// entries.
impl<X: Activity<W>, const W: usize> Activity<W> for Vec<X> {
    type Gradient = Vec<X::Gradient>;

    #[inline]
    fn is_active(&self) -> bool {
        self.iter().any(X::is_active)
    }
}
