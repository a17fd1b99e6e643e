//! What the first registry got wrong, and what must stay whole after an error.

use coenzyme_graph::{Cotangents, ErrorKind, Mask, Options, Spec, Value, attrs};
use ndarray::array;

use super::{close, core, none, said, session, v};

#[test]
fn a_seed_of_the_wrong_shape_is_refused() {
    let (x, y) = (v(array![1.0, 2.0]), v(array![3.0, 4.0]));
    let seed = [Some(v(array![1.0]))];
    let error = session()
        .gradients(&core("mul"), &[&x, &y], &none(), Some(&seed))
        .expect_err("one entry");
    let (of, expected, found) = ("output 0".to_string(), Spec::f64(&[2]), Spec::f64(&[1]));
    assert_eq!(
        error.kind(),
        &ErrorKind::Seed {
            of,
            expected,
            found
        }
    );
    // and so are one too many, and a tangent of another shape
    let seeds = [Some(x.clone()), Some(x.clone())];
    let error = session().gradients(&core("mul"), &[&x, &y], &none(), Some(&seeds));
    assert_eq!(
        said(error),
        "operation 'core::mul': expected 1 cotangents, got 2"
    );
    let error = session().pushforward(
        &core("mul"),
        &[&x, &y],
        &[Some(&v(array![1.0])), None],
        &none(),
    );
    assert_eq!(
        said(error),
        "operation 'core::mul': the seed of x has the wrong shape: expected f64[2], got f64[1]"
    );
}

#[test]
fn shapes_that_do_not_fit_are_an_error_of_each_operation() {
    let a = |shape: &[usize]| Value::zeros(&Spec::f64(shape));
    let cases: [(&str, Vec<Value>, coenzyme_graph::Attrs); 12] = [
        ("add", vec![a(&[2]), a(&[3])], none()),
        ("matmul", vec![a(&[2, 3]), a(&[2, 3])], none()),
        ("solve", vec![a(&[2, 3]), a(&[2])], none()),
        (
            "concatenate",
            vec![a(&[1, 2]), a(&[1, 3])],
            attrs! { axis: 0 },
        ),
        ("stack", vec![a(&[2]), a(&[3])], attrs! { axis: 0 }),
        ("reshape", vec![a(&[2, 3])], attrs! { shape: [4_usize] }),
        ("sum_axis", vec![a(&[2])], attrs! { axis: 1 }),
        ("conv2d", vec![a(&[1, 2, 3, 3]), a(&[1, 3, 2, 2])], none()),
        ("dense", vec![a(&[1, 2]), a(&[2, 3]), a(&[2])], none()),
        ("split", vec![a(&[3])], attrs! { axis: 0, parts: 2_usize }),
        (
            "einsum",
            vec![a(&[2, 3]), a(&[2, 3])],
            attrs! { subscripts: "ij,jk->ik" },
        ),
        ("layer_norm", vec![a(&[2, 3]), a(&[2]), a(&[3])], none()),
    ];
    for (name, x, attrs) in cases {
        let operands: Vec<&Value> = x.iter().collect();
        let error = session()
            .call(&format!("core::{name}"), &operands, &attrs)
            .expect_err(name)
            .to_string();
        // operation, and every operand with its shape
        assert!(
            error.starts_with(&format!("operation 'core::{name}': operands ")),
            "{error}"
        );
        for x in &x {
            assert!(error.contains(&x.spec().to_string()), "{error}");
        }
    }
}

#[test]
fn shadows_accumulate_across_calls_and_stay_as_they_were_after_an_error() {
    let (session, mul) = (session(), core("mul"));
    let (a, b) = (v(array![1.0, 2.0, 3.0]), v(array![4.0, 5.0, 6.0]));
    let options = Options {
        active: Mask::ALL,
        ..Options::default()
    };
    let ones = || -> Cotangents { [Some(v(array![1.0, 1.0, 1.0]))].into_iter().collect() };
    let again = || {
        session
            .augmented(&mul, &[&a, &b], &none(), &options)
            .expect("runs")
            .1
    };
    let mut dx = again().zeros();
    again().pullback(ones(), &mut dx).expect("runs");
    again().pullback(ones(), &mut dx).expect("runs");
    close(dx[0].as_ref().expect("active"), &[8.0, 10.0, 12.0]);
    let before = dx.clone();
    let wrong: Cotangents = [Some(v(array![1.0]))].into_iter().collect();
    assert!(again().pullback(wrong, &mut dx).is_err());
    assert_eq!(dx, before);
}

#[test]
fn a_panic_in_a_closure_is_an_error_of_the_operation() {
    let rule = coenzyme_graph::Rule::builder("user::panics", ["x"])
        .value(|x, _| panic!("no value for {}", x[0].spec()))
        .build()
        .expect("complete");
    let error = said(session().run(&rule, &[&v(array![1.0])], &none()));
    assert_eq!(error, "operation 'user::panics': no value for f64[1]");
}

#[test]
fn a_singular_matrix_is_an_error() {
    let error = said(session().call("core::inverse", &[&v(array![[0.0]])], &none()));
    assert!(error.starts_with("operation 'core::inverse': "), "{error}");
}

#[test]
fn a_tape_of_another_operation_is_refused() {
    let (exp, sin) = (core("exp"), core("sin"));
    let x = v(array![1.0]);
    let call = coenzyme_graph::Call::new(none());
    let (_, tape) = core("matmul")
        .augmented(&[&v(array![[1.0]]), &v(array![[1.0]])], &call)
        .expect("runs");
    let mut dx: [coenzyme_graph::Shadows; 1] = [[Some(v(array![0.0]))].into_iter().collect()];
    let dy: Cotangents = [Some(v(array![1.0]))].into_iter().collect();
    let error = said(exp.pullback(&[&x], vec![dy], tape, &mut dx, &call));
    assert_eq!(
        error,
        "operation 'core::exp': the tape is that of another operation"
    );
    let _ = sin;
}
