//! Outlines: the numbers of the tables, and what calls really return and keep.

use coenzyme::{Duplicated, DynArg, ReverseConfig, Thunk};
use coenzyme_rules::array::*;
use coenzyme_rules::class::{Misfit, Outline, Spec};
use coenzyme_rules::linalg::{
    batch_matmul, cholesky, det, dot, inverse, logdet, matmul, matvec, outer, solve,
};
use ndarray::{Array1, Array2, Array3};

fn f64s(shape: &[usize]) -> Spec {
    Spec::f64(shape)
}

#[test]
fn n9_operations_are_estimated() {
    let x = f64s(&[2, 3]);
    assert_eq!(
        Outline::of(add {}, [&x, &x], ()).map(|o| o.flops()),
        Ok(6.0)
    );
    assert_eq!(
        Outline::of(logistic {}, [&x], ()).map(|o| o.flops()),
        Ok(24.0)
    );
    assert_eq!(Outline::of(sum {}, [&x], ()).map(|o| o.flops()), Ok(6.0));
    let product = Outline::of(matmul {}, [&x, &f64s(&[3, 4])], ());
    assert_eq!(product.map(|o| o.flops()), Ok(48.0));
    let batch = Outline::of(batch_matmul {}, [&f64s(&[5, 2, 3]), &f64s(&[5, 3, 4])], ());
    assert_eq!(batch.map(|o| o.flops()), Ok(240.0));
}

#[test]
fn n10_bytes_of_the_value_and_of_the_tape() {
    assert_eq!(
        (Spec::f32(&[2, 4]).bytes(), f64s(&[2, 4]).bytes()),
        (32, 64)
    );
    let x = f64s(&[7]);
    let product = Outline::of(mul {}, [&x, &x], ()).expect("they fit");
    let all = [true, true];
    assert_eq!(product.tape_bytes([true, true], all), 2 * 7 * 8);
    assert_eq!(product.tape_bytes([true, false], all), 7 * 8);
    assert_eq!(product.tape_bytes([false, false], all), 0);
    assert_eq!(product.tape_bytes([true, true], [false, false]), 0);
}

/// The bytes of the tapes of calls on 1000 numbers, as they are allocated.
#[test]
fn tapes_own_the_bytes_of_their_outlines() {
    let (x, y) = (Array1::from_elem(1000, 0.5), Array1::from_elem(1000, 2.0));
    let spec = f64s(&[1000]);
    macro_rules! owns {
        ($f:ident($($x:ident $active:literal $overwritten:literal),+)) => {{
            let outline = Outline::of($f {}, [$({ let _ = &$x; &spec }),+], ()).expect("they fit");
            let mut config = ReverseConfig::new(false);
            let mut at = 0;
            $(
                config = config.with_overwritten(at, $overwritten);
                at += 1;
                let _ = at;
            )+
            let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new($f {}).with_config(config);
            let mut kept = None;
            let memory = allocation_counter::measure(|| {
                let mut args = ($(DynArg::<_, &mut Array1<f64>>::promised(&$x, $active),)+);
                kept = Some(thunk.augmented(&mut args).tape);
            });
            let want = outline.tape_bytes([$($active),+], [$($overwritten),+]);
            assert_eq!(memory.bytes_current, want as i64, stringify!($f));
        }};
    }
    owns!(exp(x true true));
    owns!(sin(x true true));
    owns!(sin(x true false));
    owns!(neg(x true true));
    owns!(cbrt(x true true));
    owns!(exp(x false true));
    owns!(mul(x true true, y false true));
    owns!(mul(x true true, y true false));
    owns!(div(x true true, y true true));
    owns!(div(x true true, y false true));
    owns!(powf(x true false, y true true));
}

/// The bytes of a tape, where the value is a `Result` or a number.
macro_rules! kept {
    ($f:ident -> $Return:ty, $unwrap:ident: $($x:ident $active:literal),+) => {{
        let config = ReverseConfig::new(false).with_all_overwritten();
        let thunk = Thunk::<_, $Return>::new($f {}).with_config(config);
        let mut kept = None;
        let memory = allocation_counter::measure(|| {
            let mut args = ($(DynArg::<_, &mut Array2<f64>>::promised(&$x, $active),)+);
            kept = Some($unwrap(thunk.augmented(&mut args)).tape);
        });
        memory.bytes_current as usize
    }};
}

#[test]
fn tapes_of_factorizations_own_the_bytes_of_their_outlines() {
    use coenzyme::Active;
    use std::convert::identity;

    fn value<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
        result.expect("regular")
    }
    let a = Array2::from_shape_fn((40, 40), |(i, j)| if i == j { 5.0 } else { 0.1 });
    let b = Array2::from_elem((40, 3), 1.0);
    let (of_a, of_b) = (f64s(&[40, 40]), f64s(&[40, 3]));
    macro_rules! one {
        ($f:ident) => {{
            let outline = Outline::of($f {}, [&of_a], ()).expect("square");
            [true, false].map(|active| outline.tape_bytes([active], [true]))
        }};
    }
    type Matrix = Duplicated<Result<Array2<f64>, coenzyme_rules::linalg::Error>>;
    type Number = Active<Result<f64, coenzyme_rules::linalg::Error>>;
    let matrices = [
        [
            kept!(cholesky -> Matrix, value: a true),
            kept!(cholesky -> Matrix, value: a false),
        ],
        [
            kept!(inverse -> Matrix, value: a true),
            kept!(inverse -> Matrix, value: a false),
        ],
        [
            kept!(logdet -> Number, value: a true),
            kept!(logdet -> Number, value: a false),
        ],
        [
            kept!(det -> Active<f64>, identity: a true),
            kept!(det -> Active<f64>, identity: a false),
        ],
    ];
    assert_eq!(
        matrices,
        [one!(cholesky), one!(inverse), one!(logdet), one!(det)]
    );

    let outline = Outline::of(solve {}, [&of_a, &of_b], ()).expect("they fit");
    let want = |a, b| outline.tape_bytes([a, b], [true, true]);
    assert_eq!(
        kept!(solve -> Matrix, value: a true, b true),
        want(true, true)
    );
    assert_eq!(
        kept!(solve -> Matrix, value: a false, b true),
        want(false, true)
    );
    assert_eq!(
        kept!(solve -> Matrix, value: a false, b false),
        want(false, false)
    );
    let flops = 2.0 / 3.0 * 64_000.0 + 2.0 * 40.0 * 120.0;
    assert!((outline.flops() - flops).abs() < 1e-6);
}

#[test]
fn n5_shapes_of_matrices_and_of_what_is_moved() {
    let (a, v) = (f64s(&[3, 4]), f64s(&[4]));
    let pair = |outline: Result<Outline<2>, Misfit>| outline.expect("fits").out().shape.clone();
    assert_eq!(pair(Outline::of(matvec {}, [&a, &v], ())), [3]);
    assert_eq!(pair(Outline::of(dot {}, [&v, &v], ())), [0_usize; 0]);
    assert_eq!(pair(Outline::of(outer {}, [&v, &f64s(&[2])], ())), [4, 2]);
    assert_eq!(pair(Outline::of(solve {}, [&f64s(&[4, 4]), &v], ())), [4]);

    let one =
        |outline: Result<Outline<1>, Misfit>| outline.map(|outline| outline.out().shape.clone());
    let x = Array2::<f64>::zeros((3, 4));
    assert_eq!(
        one(Outline::of(flatten {}, [&a], ())),
        Ok(flatten(&x).shape().to_vec())
    );
    assert_eq!(
        one(Outline::of(transpose {}, [&a], ())),
        Ok(transpose(&x).shape().to_vec())
    );
    assert_eq!(
        one(Outline::of(reshape {}, [&a], &[2, 6])),
        Ok(reshape(&x, [2, 6]).shape().to_vec())
    );
    assert_eq!(
        one(Outline::of(broadcast_to {}, [&f64s(&[3, 1])], &[2, 3, 4])),
        Ok(broadcast_to(&Array2::<f64>::zeros((3, 1)), [2, 3, 4])
            .shape()
            .to_vec())
    );
    assert_eq!(
        one(Outline::of(permute {}, [&f64s(&[2, 3, 4])], &[2, 0, 1])),
        Ok(vec![4, 2, 3])
    );

    let said = |outline: Result<Vec<usize>, Misfit>| outline.map_err(|misfit| misfit.to_string());
    let misfits = [
        (
            one(Outline::of(reshape {}, [&a], &[5])),
            "shapes [3, 4] and [5] do not fit",
        ),
        (
            one(Outline::of(broadcast_to {}, [&a], &[4])),
            "shapes [3, 4] and [4] do not fit",
        ),
        (
            one(Outline::of(permute {}, [&a], &[1, 1])),
            "no axis 1 of shape [3, 4] is left",
        ),
        (
            one(Outline::of(cholesky {}, [&a], ())),
            "a matrix of shape [3, 4] is not square",
        ),
    ];
    for (outline, message) in misfits {
        assert_eq!(said(outline), Err(message.into()));
    }
}

#[test]
fn n5_n26_shapes_are_those_of_the_values() {
    let x = Array3::from_elem((2, 3, 4), 0.5);
    let spec = f64s(&[2, 3, 4]);
    let out = |outline: Result<Outline<1>, Misfit>| outline.expect("fits").out().shape.clone();
    assert_eq!(out(Outline::of(exp {}, [&spec], ())), exp(&x).shape());
    assert_eq!(out(Outline::of(norm {}, [&spec], ())), [0_usize; 0]);
    for axis in 0..3 {
        assert_eq!(
            out(Outline::of(softmax {}, [&spec], axis)),
            softmax(&x, axis).shape()
        );
        assert_eq!(
            out(Outline::of(max_axis {}, [&spec], axis)),
            max_axis(&x, axis).shape()
        );
        assert_eq!(
            out(Outline::of(mean_axis {}, [&spec], axis)),
            mean_axis(&x, axis).shape()
        );
    }
    for (axes, keepdims) in [
        (&[2][..], true),
        (&[2, 0], false),
        (&[], true),
        (&[1, 0, 2], true),
    ] {
        let attrs = (axes, keepdims);
        assert_eq!(
            out(Outline::of(sum_axes {}, [&spec], attrs)),
            sum_axes(&x, axes, keepdims).shape()
        );
        assert_eq!(
            out(Outline::of(var_axes {}, [&spec], attrs)),
            var_axes(&x, axes, keepdims).shape()
        );
    }
    let y = Array2::from_elem((3, 1), 2.0);
    let broadcast = Outline::of(powf {}, [&spec, &f64s(&[3, 1])], ()).expect("fits");
    assert_eq!(broadcast.out().shape, powf(&x, &y).shape());
}

#[test]
fn n24_misfits_are_named_before_anything_is_allocated() {
    let x = f64s(&[2, 3]);
    let said = |misfit: Misfit| misfit.to_string();
    let numbers = Outline::of(mul {}, [&x, &Spec::f32(&[2, 3])], ());
    assert_eq!(
        numbers.map_err(said),
        Err("numbers of type F64 with F32".into())
    );
    let shapes = Outline::of(matmul {}, [&x, &x], ());
    assert_eq!(
        shapes.map_err(said),
        Err("shapes [2, 3] and [2, 3] do not fit".into())
    );
    let axis = Outline::of(softmax {}, [&x], 2);
    assert_eq!(
        axis.map_err(said),
        Err("no axis 2 of shape [2, 3] is left".into())
    );
    let twice = Outline::of(sum_axes {}, [&x], (&[1, 1], false));
    assert_eq!(
        twice.map_err(said),
        Err("no axis 1 of shape [2, 3] is left".into())
    );
}
