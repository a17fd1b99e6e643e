//! What collectives between markers are made of.

/// A linear function from one marker to another: what it does, and its transpose. What it is told is listed as
/// `name: Type = Parameter Target: index`.
macro_rules! typed {
    (
        $(#[$doc:meta])*
        $f:ident($in:ident $(, $p:ident: $a:ty = $P:ident $t:ty: $i:literal)*) -> $out:ident,
        |$c:ident, $x:ident| $apply:expr,
        |$d:ident, $dy:ident, $length:ident| $transpose:expr
    ) => {
        $crate::typed::rule::typed!(@function $(#[$doc])* $f($in $(, $p: $a = $P $t: $i)*) -> $out);

        impl $crate::per_rank::linear::Linear for $f {
            type Told<'a> = ($(&'a $t,)*);
            const NAME: &'static str = stringify!($f);

            fn apply<T: Element>($c: &Comm, ($($p,)*): Self::Told<'_>, $x: &[T]) -> Received<T> {
                $apply
            }
            #[allow(unused_variables)]
            fn transpose<T: Element>(
                $d: &Comm,
                ($($p,)*): Self::Told<'_>,
                $dy: &[T],
                $length: usize,
            ) -> Received<T> {
                $transpose
            }
        }
    };
    (@function $(#[$doc:meta])* $f:ident($in:ident $(, $p:ident: $a:ty = $P:ident $t:ty: $i:literal)*) -> $out:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// As [`CommError`](crate::CommError) says.
        pub fn $f<T: Element, A, K: $crate::OnAxis<A>>(
            along: &K,
            $($p: $a,)*
            x: &$in<Vec<T>, A>,
        ) -> Result<$out<Vec<T>, A>, $crate::CommError> {
            let told = ($(std::borrow::Borrow::<$t>::borrow(&$p),)*);
            let (value, _) = <$f as $crate::rule::Map>::weighed(along.comm(), told, x.get(), false)?;
            Ok($out::of(value))
        }

        $crate::rule::rules! {
            $f($in<Vec<T>, <K as $crate::given::Given>::Along> $(, $p: $P $t: $i)*)
                -> $out<Vec<T>, <K as $crate::given::Given>::Along>
        }
    };
}

pub(super) use typed;
