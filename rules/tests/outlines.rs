//! Outlines: the numbers of the tables, and what calls really return and keep.

use coenzyme::{Duplicated, DynArg, ReverseConfig, Thunk};
use coenzyme_rules::array::*;
use coenzyme_rules::class::{Misfit, Outline, Spec};
use coenzyme_rules::linalg::{batch_matmul, matmul};
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
