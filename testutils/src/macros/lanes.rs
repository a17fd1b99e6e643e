//! In how many lanes the rules of one mix are judged.

/// Judges the rules of one mix in some widths: `__lanes!(mode [outcomes mix rules] [widths] [activities] ret)`.
///
/// `usual` before the widths says that nobody chose them. Then where nothing is active, two lanes are as good as three; and where all is
/// that can be, there are two more widths, of which a block of lanes makes one and a remainder; where something is constant beside it, one.
/// `only` behind `Const` says that there is nothing else.
#[doc(hidden)]
#[macro_export]
macro_rules! __lanes {
    ($mode:ident $of:tt [usual $($w:tt)+] $activities:tt $ret:ident $($only:ident)?) => {
        $crate::__lanes!(@walk nothing $activities $mode $of [$($w)+] ($ret $($only)?));
    };
    ($mode:ident $of:tt [$($w:tt)+] $activities:tt $ret:ident $($only:ident)?) => {
        $crate::__lanes!(@$mode $of [$($w)+]);
    };

    // What is active: `nothing`, what is `constant` though it could be active, `all` that can be, or `some`.
    (@walk $seen:ident [Const only $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk $seen [$($rest)*] $($with)+); };
    (@walk nothing [Const $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk constant [$($rest)*] $($with)+); };
    (@walk nothing [$a:ident $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk all [$($rest)*] $($with)+); };
    (@walk constant [Const $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk constant [$($rest)*] $($with)+); };
    (@walk all [Const $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk some [$($rest)*] $($with)+); };
    (@walk all [$a:ident $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk all [$($rest)*] $($with)+); };
    (@walk $seen:ident [$a:ident $($rest:tt)*] $($with:tt)+) => { $crate::__lanes!(@walk some [$($rest)*] $($with)+); };

    (@walk nothing [] $mode:ident $of:tt [1 2 3] (Const)) => { $crate::__lanes!(@$mode $of [1 2]); };
    (@walk nothing [] $mode:ident $of:tt [1 2 3] $ret:tt) => { $crate::__lanes!(@$mode $of [1 2] more [4 7] $ret); };
    (@walk constant [] $mode:ident $of:tt [1 2 3] $ret:tt) => { $crate::__lanes!(@$mode $of [1 2]); };
    (@walk all [] $mode:ident $of:tt $w:tt $ret:tt) => { $crate::__lanes!(@$mode $of $w more [4 7] $ret); };
    (@walk some [] $mode:ident $of:tt $w:tt $ret:tt) => { $crate::__lanes!(@$mode $of $w more [4] $ret); };

    // More widths where the return is active, or cannot be.
    (@forward $of:tt $w:tt more $more:tt (Duplicated)) => { $crate::__lanes!(@forward $of $w and $more); };
    (@forward $of:tt $w:tt more $more:tt (Const only)) => { $crate::__lanes!(@forward $of $w and $more); };
    (@forward $of:tt $w:tt more $more:tt $ret:tt) => { $crate::__lanes!(@forward $of $w); };
    (@reverse $of:tt $w:tt more $more:tt (Const)) => { $crate::__lanes!(@reverse $of $w); };
    (@reverse $of:tt $w:tt more $more:tt $ret:tt) => { $crate::__lanes!(@reverse $of $w and $more); };

    (@forward [$outcomes:ident $mix:ident $rules:ident] $w:tt $(and [$($more:literal)+])?) => {
        let single = $crate::__found!(forward $mix 1);
        $crate::__lanes!(@each forward [$outcomes $mix $rules] single $w);
        $(
            $rules.digits_ahead(&mut $outcomes, &single);
            $($rules.forward_if_any(&mut $outcomes, &$crate::__found!(forward $mix $more), &single);)+
        )?
    };
    (@reverse [$outcomes:ident $mix:ident $rules:ident] $w:tt $(and [$($more:literal)+])?) => {
        let single = $crate::__found!(reverse $mix 1);
        $crate::__lanes!(@each reverse [$outcomes $mix $rules] single $w);
        $rules.once(&mut $outcomes, &single);
        $($($rules.reverse_if_any(&mut $outcomes, &$crate::__found!(reverse $mix $more), &single);)+)?
    };

    (@each $mode:ident [$outcomes:ident $mix:ident $rules:ident] $single:ident [1 $($w:tt)*]) => {
        $rules.$mode(&mut $outcomes, 1, &$single, &$single);
        $crate::__lanes!(@each $mode [$outcomes $mix $rules] $single [$($w)*]);
    };
    (@each forward [$outcomes:ident $mix:ident $rules:ident] $single:ident [$($w:tt)*]) => {
        $($rules.forward(&mut $outcomes, $w, &$crate::__found!(forward $mix $w), &$single);)*
    };
    (@each reverse [$outcomes:ident $mix:ident $rules:ident] $single:ident [$($w:tt)*]) => {
        $($rules.reverse(&mut $outcomes, $w, &$crate::__found!(reverse $mix $w), &$single);)*
    };
}

/// The rule that the compiler finds for a mix in some width, if any: each reference is a try (see `coverage/probe.rs`).
#[doc(hidden)]
#[macro_export]
macro_rules! __found {
    (forward $mix:ident $w:tt) => {
        (&$crate::__private::Probe::<_, $w>(&$mix)).forward()
    };
    (reverse $mix:ident $w:tt) => {
        (&&&&&$crate::__private::Probe::<_, $w>(&$mix)).reverse()
    };
}
