//! Every operation of the library: its outline, its modes, its derivative against finite differences, and the derivative of that.

use std::sync::Arc;

use coenzyme_graph::{
    Attr, AttrKind, Attrs, Call, Cotangents, DType, Mask, Operation, Registry, Shadows, Tangents,
    Value, attrs,
};
use num_complex::Complex;

use super::session;

/// Numbers without symmetry between 0.2 and 0.8.
fn reals(shape: &[usize], seed: f64) -> Value {
    let n: usize = shape.iter().product();
    let entries = (0..n).map(|i| 0.5 + 0.3 * ((i as f64 + seed) * 1.37 + seed).sin());
    Value::from_vec(shape, entries.collect()).expect("as many")
}

/// A matrix far from singular, symmetric part positive.
fn regular(n: usize) -> Value {
    let entries = (0..n * n).map(|k| {
        let (i, j) = (k / n, k % n);
        if i == j {
            2.0 + i as f64
        } else {
            0.3 * ((k as f64) * 0.9).cos()
        }
    });
    Value::from_vec(&[n, n], entries.collect()).expect("as many")
}

fn ints(x: &[i64]) -> Value {
    Value::from(x.to_vec())
}

/// Operands for each operation whose operands are not arrays of one shape.
fn special(name: &str) -> Option<Vec<Value>> {
    let r = reals;
    Some(match name {
        "acosh" => vec![Value::from(vec![1.2, 1.9, 3.1])],
        "clip" => vec![r(&[4], 1.0), r(&[], 0.1), Value::number(0.7)],
        "scale" => vec![r(&[2, 3], 1.0), r(&[], 2.0)],
        "matmul" | "kron" => vec![r(&[2, 3], 1.0), r(&[3, 2], 2.0)],
        "matvec" => vec![r(&[2, 3], 1.0), r(&[3], 2.0)],
        "dot" => vec![r(&[3], 1.0), r(&[3], 2.0)],
        "outer" => vec![r(&[2], 1.0), r(&[3], 2.0)],
        "batch_matmul" => vec![r(&[2, 2, 3], 1.0), r(&[2, 3, 2], 2.0)],
        "det" | "expm" | "logdet" | "slogdet" | "logdet_positive" | "matrix_power" | "inverse"
        | "cholesky" | "eigh" | "lu" | "pinv" | "qr" | "svd" | "singular_values" => {
            vec![regular(3)]
        }
        "solve" | "solve_triangular" | "lstsq" => vec![regular(3), r(&[3, 2], 1.0)],
        "solve_banded" => vec![
            Value::from_vec(
                &[3, 4],
                vec![0.1, 0.2, 0.3, 0.4, 2.0, 2.1, 2.2, 2.3, 0.3, 0.1, 0.2, 0.4],
            )?,
            r(&[4], 1.0),
        ],
        "sylvester" => vec![regular(2), regular(3), r(&[2, 3], 1.0)],
        "lyapunov" => vec![regular(2), r(&[2, 2], 1.0)],
        "gather" => vec![r(&[3, 2], 1.0), ints(&[2, 0, 0, 1])],
        "take_along_axis" => vec![
            r(&[2, 3], 1.0),
            Value::from_vec(&[2, 2], vec![2_i64, 0, 1, 1])?,
        ],
        "choose" => vec![
            r(&[3], 1.0),
            r(&[3], 2.0),
            Value::from(vec![true, false, true]),
        ],
        "dropout" => vec![r(&[3], 1.0), Value::from(vec![true, false, true])],
        "diagonal" | "trace" | "lower_triangle" | "upper_triangle" | "einsum_one" => {
            vec![r(&[3, 3], 1.0)]
        }
        "from_diagonal" | "rfft" => vec![r(&[4], 1.0)],
        "einsum" => vec![r(&[2, 3], 1.0), r(&[3, 2], 2.0)],
        "fft" | "ifft" => vec![Value::from(vec![
            Complex::new(0.3, 0.1),
            Complex::new(-0.2, 0.7),
            Complex::new(0.5, 0.0),
        ])],
        "irfft" => vec![Value::from(vec![
            Complex::new(0.3, 0.0),
            Complex::new(-0.2, 0.7),
            Complex::new(0.5, 0.0),
        ])],
        "conv2d" => vec![r(&[1, 2, 4, 4], 1.0), r(&[2, 2, 2, 2], 2.0)],
        "conv_transpose2d" => vec![r(&[1, 2, 3, 3], 1.0), r(&[2, 2, 2, 2], 2.0)],
        "conv1d" => vec![r(&[1, 2, 5], 1.0), r(&[3, 2, 2], 2.0)],
        "avg_pool2d" | "max_pool2d" | "adaptive_avg_pool2d" | "adaptive_max_pool2d" => {
            vec![r(&[1, 2, 4, 4], 1.0)]
        }
        "dense" => vec![r(&[2, 3], 1.0), r(&[3, 4], 2.0), r(&[4], 3.0)],
        "embedding" | "embedding_padded" => vec![r(&[4, 2], 1.0), ints(&[3, 0, 3])],
        "batch_norm" => vec![r(&[3, 2], 1.0), r(&[2], 2.0), r(&[2], 3.0)],
        "group_norm" => vec![r(&[2, 4], 1.0), r(&[4], 2.0), r(&[4], 3.0)],
        "layer_norm" => vec![r(&[2, 4], 1.0), r(&[4], 2.0), r(&[4], 3.0)],
        "rms_norm" => vec![r(&[2, 4], 1.0), r(&[4], 2.0)],
        "attention" | "attention_causal" => vec![r(&[2, 3], 1.0), r(&[2, 3], 2.0), r(&[2, 4], 3.0)],
        "attention_masked" => vec![
            r(&[2, 3], 1.0),
            r(&[2, 3], 2.0),
            r(&[2, 4], 3.0),
            Value::from_vec(&[2, 2], vec![true, true, false, true])?,
        ],
        "gru_cell" => vec![
            r(&[2, 3], 1.0),
            r(&[2, 2], 2.0),
            r(&[3, 6], 3.0),
            r(&[2, 6], 4.0),
            r(&[6], 5.0),
        ],
        "lstm_cell" => vec![
            r(&[2, 3], 1.0),
            r(&[2, 2], 2.0),
            r(&[2, 2], 6.0),
            r(&[3, 8], 3.0),
            r(&[2, 8], 4.0),
            r(&[8], 5.0),
        ],
        "softmax_cross_entropy" | "negative_log_likelihood" => vec![r(&[2, 3], 1.0), ints(&[2, 0])],
        "concatenate" | "stack" => vec![r(&[2, 3], 1.0), r(&[2, 3], 2.0), r(&[2, 3], 3.0)],
        "split" => vec![r(&[2, 4], 1.0)],
        "squeeze" => vec![r(&[2, 1], 1.0)],
        _ => return None,
    })
}

/// Attributes for those without default.
fn attributes(operation: &dyn Operation) -> Attrs {
    let name = &operation.signature().name["core::".len()..];
    let mut all = Attrs::new();
    for p in operation
        .signature()
        .attributes
        .iter()
        .filter(|p| p.default.is_none())
    {
        let value: Attr = match (&*p.name, p.kind, name) {
            ("shape", _, "broadcast_to") => [4_usize, 2, 3].into(),
            ("shape", ..) => [3_usize, 2].into(),
            ("axes", _, "permute") => [1_usize, 0].into(),
            ("axes", ..) => [0_usize].into(),
            ("range", ..) => [1_usize, 2].into(),
            ("widths", ..) => [[1_usize, 0], [0, 1]].into(),
            ("subscripts", _, "einsum") => "ij,jk->ki".into(),
            ("subscripts", ..) => "ij->j".into(),
            ("window" | "stride" | "places", ..) => [2_usize, 2].into(),
            ("below_above", ..) => [1_usize, 1].into(),
            ("axis", _, "gather") => 0.into(),
            ("p", ..) => 3.0.into(),
            ("dtype", ..) => "f64".into(),
            ("n", _, "irfft") => 4.into(),
            ("parts" | "k" | "n" | "times" | "groups", ..) => 2.into(),
            (_, AttrKind::Int, _) => 1.into(),
            (_, AttrKind::Float, _) => 0.8.into(),
            (_, AttrKind::Bool, _) => true.into(),
            other => panic!("{name}: what is {other:?}?"),
        };
        all.set(&p.name, value);
    }
    all
}

struct Case {
    operation: Arc<dyn Operation>,
    x: Vec<Value>,
    attrs: Attrs,
}

fn cases() -> Vec<Case> {
    let registry = Registry::global();
    let core = registry
        .names()
        .into_iter()
        .filter(|name| name.starts_with("core::"));
    core.map(|name| {
        let operation = registry.get(&name).expect("registered");
        let same = || {
            let operands = 0..operation.signature().operands.len();
            operands.map(|i| reals(&[2, 3], 1.0 + i as f64)).collect()
        };
        let x = special(&name["core::".len()..]).unwrap_or_else(same);
        let attrs = operation
            .signature()
            .resolve(&attributes(&*operation))
            .expect("complete");
        Case {
            operation,
            x,
            attrs,
        }
    })
    .collect()
}

impl Case {
    fn operands(&self) -> Vec<&Value> {
        self.x.iter().collect()
    }

    fn call(&self) -> Call {
        let floats = Mask::of(self.x.iter().map(|x| x.dtype().is_float()));
        Call::new(self.attrs.clone()).with_active(floats)
    }

    fn directions(&self) -> Vec<Option<Value>> {
        let x = self.x.iter().enumerate();
        x.map(|(i, x)| match x.dtype() {
            DType::F64 => Some(reals(x.shape(), 7.0 + i as f64)),
            DType::Complex => Some(reals(x.shape(), 9.0).cast(DType::Complex)),
            _ => None,
        })
        .collect()
    }

    /// The operands moved by `h` along the directions.
    fn moved(&self, directions: &[Option<Value>], h: f64) -> Vec<Value> {
        let both = self.x.iter().zip(directions);
        both.map(|(x, d)| {
            let Some(d) = d else { return x.clone() };
            let (mut x, mut d) = (x.clone(), d.clone());
            d.scale(h);
            x.accumulate(&d);
            x
        })
        .collect()
    }

    fn gradients(&self, x: &[Value], dy: &Cotangents) -> Shadows {
        let x: Vec<&Value> = x.iter().collect();
        let call = self.call();
        let (_, tape) = self.operation.augmented(&x, &call).expect("runs");
        let zeros = x.iter().enumerate();
        let zeros = zeros.map(|(i, x)| call.active.has(i).then(|| x.zeros_like()));
        let mut dx: [Shadows; 1] = [zeros.collect()];
        self.operation
            .pullback(&x, vec![dy.clone()], tape, &mut dx, &call)
            .expect("runs");
        let [dx] = dx;
        dx
    }
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn difference(plus: &Value, minus: &Value, h: f64) -> Value {
    let (mut d, mut m) = (plus.clone(), minus.clone());
    m.scale(-1.0);
    d.accumulate(&m);
    d.scale(0.5 / h);
    d
}

#[track_caller]
fn alike(name: &str, what: &str, got: &Value, want: &Value, tolerance: f64) {
    let (got, want) = (got.cast(DType::F64), want.cast(DType::F64));
    let both = got
        .entries::<f64>()
        .expect("f64")
        .iter()
        .zip(want.entries::<f64>().expect("f64"));
    for (a, b) in both {
        assert!(near(*a, *b, tolerance), "{name}: {what}: {a} and {b}");
    }
}

#[test]
fn the_whole_library_is_registered() {
    let names = Registry::global().names();
    let core = names
        .iter()
        .filter(|name| name.starts_with("core::"))
        .count();
    assert!(core > 200, "{core}");
}

#[test]
fn outlines_and_both_modes_agree_for_every_operation() {
    let registry = Registry::global();
    let mut findings = Vec::new();
    for case in cases() {
        findings.extend(registry.audit(&*case.operation, &case.operands(), &case.attrs));
    }
    let findings: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn every_tangent_is_that_of_finite_differences() {
    let h = 1e-6;
    for case in cases() {
        let name = &case.operation.signature().name;
        if case.x.is_empty() || case.operation.is_inactive() {
            continue;
        }
        let d = case.directions();
        let lane: Tangents<'_> = d.iter().map(Option::as_ref).collect();
        let pushed = case
            .operation
            .pushforward(&case.operands(), &[lane], &case.call());
        let (_, dy) = pushed.unwrap_or_else(|e| panic!("{e}"));
        let value = |h| {
            let x = case.moved(&d, h);
            case.operation
                .value(&x.iter().collect::<Vec<_>>(), &case.attrs)
                .expect("runs")
        };
        for ((plus, minus), dy) in value(h).iter().zip(value(-h)).zip(&dy[0]) {
            if plus.dtype().is_float() {
                alike(name, "tangent", dy, &difference(plus, &minus, h), 1e-6);
            }
        }
    }
}

#[test]
fn every_second_derivative_is_that_of_finite_differences_of_the_gradient() {
    let h = 1e-5;
    let mut judged = 0;
    for case in cases() {
        let name = &case.operation.signature().name;
        let real = case.x.iter().all(|x| x.dtype() != DType::Complex);
        if case.x.is_empty() || case.operation.is_inactive() || !real {
            continue;
        }
        assert!(case.operation.modes().second, "{name}");
        let y = case
            .operation
            .value(&case.operands(), &case.attrs)
            .expect("runs");
        let seed = |(i, y): (usize, &Value)| {
            y.dtype()
                .is_float()
                .then(|| reals(y.shape(), 3.0 + i as f64))
        };
        let dy: Cotangents = y.iter().enumerate().map(seed).collect();
        if dy.iter().flatten().any(|dy| dy.dtype() != DType::F64)
            || y.iter().any(|y| y.dtype() == DType::Complex)
        {
            continue;
        }
        let d = case.directions();
        let tx: Tangents<'_> = d.iter().map(Option::as_ref).collect();
        let mut second: Shadows = case
            .x
            .iter()
            .map(|x| x.dtype().is_float().then(|| x.zeros_like()))
            .collect();
        let done =
            case.operation
                .pullback_tangent(&case.operands(), &tx, &dy, &mut second, &case.call());
        done.unwrap_or_else(|e| panic!("{e}"));
        let plus = case.gradients(&case.moved(&d, h), &dy);
        let minus = case.gradients(&case.moved(&d, -h), &dy);
        for ((second, plus), minus) in second
            .iter()
            .flatten()
            .zip(plus.iter().flatten())
            .zip(minus.iter().flatten())
        {
            alike(
                name,
                "second derivative",
                second,
                &difference(plus, minus, h),
                2e-5,
            );
        }
        judged += 1;
    }
    assert!(judged > 180, "{judged}");
}

#[test]
fn single_precision_gives_the_numbers_of_double_precision() {
    let session = session();
    for case in cases() {
        let name = &case.operation.signature().name;
        let has_single = case
            .operation
            .signature()
            .operands
            .iter()
            .any(|x| x.dtypes.contains(&DType::F32));
        if !has_single {
            continue;
        }
        let single: Vec<Value> = case
            .x
            .iter()
            .map(|x| match x.dtype() {
                DType::F64 => x.cast(DType::F32),
                _ => x.clone(),
            })
            .collect();
        let single: Vec<&Value> = single.iter().collect();
        let (y, dx) = session
            .gradients(&case.operation, &single, &case.attrs, None)
            .unwrap_or_else(|e| panic!("{e}"));
        let (wide, wide_dx) = session
            .gradients(&case.operation, &case.operands(), &case.attrs, None)
            .expect("runs");
        for (y, wide) in y.iter().zip(&wide) {
            alike(name, "value", y, wide, 2e-4);
        }
        for (dx, wide) in dx.iter().flatten().zip(wide_dx.iter().flatten()) {
            assert_eq!(dx.dtype(), DType::F32, "{name}");
            alike(name, "gradient", dx, wide, 2e-3);
        }
    }
}

#[test]
fn several_lanes_are_lanes_one_by_one() {
    let case = cases()
        .into_iter()
        .find(|c| c.operation.signature().name == "core::mul")
        .expect("mul");
    let x = case.operands();
    let seeds: Vec<Cotangents> = (0..3)
        .map(|k| [Some(reals(&[2, 3], f64::from(k)))].into_iter().collect())
        .collect();
    let mut call = case.call();
    call.width = 3;
    let (_, tape) = case.operation.augmented(&x, &call).expect("runs");
    let zeros = || -> Shadows { x.iter().map(|x| Some(x.zeros_like())).collect() };
    let mut dx = vec![zeros(), zeros(), zeros()];
    case.operation
        .pullback(&x, seeds.clone(), tape, &mut dx, &call)
        .expect("runs");
    for (seed, lane) in seeds.iter().zip(dx) {
        assert_eq!(lane, case.gradients(&case.x, seed));
    }
}

#[test]
fn an_index_out_of_bounds_is_an_error_and_no_panic() {
    let (table, ids) = (reals(&[4, 2], 1.0), ints(&[4]));
    let error = session().call("core::embedding", &[&table, &ids], &attrs! {});
    let error = error.expect_err("there are four rows").to_string();
    assert!(
        error.starts_with("operation 'core::embedding': "),
        "{error}"
    );
}
