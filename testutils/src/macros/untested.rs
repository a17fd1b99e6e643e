//! `untested!`: rules that have no test, and why.

/// Declares that the rules of a function have no test, for the [coverage report](crate#coverage).
///
/// ```
/// use coenzyme_testutils::untested;
/// # use coenzyme::primitive;
///
/// /// Copies to the device.
/// #[primitive]
/// pub fn upload(x: &[f64]) {}
///
/// untested! { upload_untested: upload => "needs a device" }
/// # fn main() {}
/// ```
///
/// makes the test `upload_untested`, which only records the reason. For a mix without a rule there is the option
/// `unsupported` of [`test_rule!`](crate::test_rule).
#[macro_export]
macro_rules! untested {
    ($($name:ident: $f:path => $why:expr),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                $crate::__private::untested(<$f as ::core::default::Default>::default(), $why);
            }
        )+
    };
}
