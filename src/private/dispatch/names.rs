//! Names of methods as types: stable Rust chooses an implementation by type, and not by a string.

/// A digit of a name: names are compared as types.
#[derive(Debug)]
pub struct Zero;
/// A digit of a name.
#[derive(Debug)]
pub struct One;

/// Whether two names are the same.
pub trait Same<Name> {
    /// `Yes` if they are, otherwise `No`.
    type Or<Yes, No>;
}

impl Same<()> for () {
    type Or<Yes, No> = Yes;
}

macro_rules! digits {
    ($($a:ident $b:ident: [$($bound:tt)*] $then:ty;)*) => {$(
        impl<A $($bound)*, B> Same<($b, B)> for ($a, A) {
            type Or<Yes, No> = $then;
        }
    )*};
}

digits! {
    Zero Zero: [: Same<B>] A::Or<Yes, No>;
    One One: [: Same<B>] A::Or<Yes, No>;
    Zero One: [] No;
    One Zero: [] No;
}

/// The marker of a method in a table, or `Default` if the table has no such method.
pub trait Find<Name, Default> {
    /// The marker.
    type Marker;
}

impl<Name, Default> Find<Name, Default> for () {
    type Marker = Default;
}

impl<Name, Default, N, M, Rest> Find<Name, Default> for super::Entry<N, M, Rest>
where
    N: Same<Name>,
    Rest: Find<Name, Default>,
{
    type Marker = N::Or<M, Rest::Marker>;
}
