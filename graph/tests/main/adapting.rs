//! What runs in place of an operation: in another precision, on a device.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use coenzyme_graph::{
    Adapter, Attrs, Autocast, DType, ErrorKind, Graph, Instead, OpError, Operation, Recorder,
    Registry, Session, Spec, Value, Var,
};
use ndarray::{arr0, array};

use super::seeds::Stages;
use super::{core, none, said, session, v};

fn operands() -> [Value; 3] {
    [
        v(array![[0.3, -1.7], [2.2, 0.1]]),
        v(array![[0.7, 0.4], [-0.2, 1.1]]),
        v(array![[0.05, 3.1], [-0.6, 0.9]]),
    ]
}

/// `Σ tanh(W·X + B)`
fn model(g: &mut Recorder<'_>, x: &[Var]) -> Result<Vec<Var>, OpError> {
    let h = g.call("core::matmul", &[&x[0], &x[1]], &none())?;
    let h = g.call("core::add", &[&h, &x[2]], &none())?;
    let h = g.call("core::tanh", &[&h], &none())?;
    Ok(vec![g.call("core::sum", &[&h], &none())?])
}

fn recorded(session: &Session) -> Graph {
    let square = || Spec::f64(&[2, 2]);
    let inputs = [("w", square()), ("x", square()), ("b", square())];
    Graph::record(session, "user::model", &inputs, model).expect("fits")
}

fn mixed() -> Session {
    session().adapting(Autocast::new().single(["core::matmul"]))
}

#[test]
fn autocast_computes_in_single_precision_what_is_named_and_widens_the_rest() {
    let [w, x, b] = operands();
    let single = |x: &Value| x.cast(DType::F32);
    let (plain, mixed) = (session(), mixed());
    // the same by hand
    let product = plain
        .call("core::matmul", &[&single(&w), &single(&x)], &none())
        .expect("fits");
    let sum = plain.call("core::add", &[&product[0].cast(DType::F64), &b], &none());
    let want = sum.expect("fits");
    let got = mixed
        .call("core::matmul", &[&w, &x], &none())
        .expect("fits");
    assert!(got[0].same_bits(&product[0]));
    let got = mixed
        .call("core::add", &[&got[0], &b], &none())
        .expect("widened");
    assert!(got[0].same_bits(&want[0]));
    // which is an error without
    let refused = said(plain.call("core::add", &[&product[0], &b], &none()));
    assert!(
        refused.contains("operand 'y' is f64[2, 2], expected f32"),
        "{refused}"
    );
    // shapes that do not fit are an error of the operation, not of the graph around it
    let refused = said(mixed.call("core::matmul", &[&w, &v(array![[1.0]])], &none()));
    assert!(refused.starts_with("operation 'core::matmul'"), "{refused}");
}

#[test]
fn gradients_pass_casts_and_have_the_type_of_their_operands() {
    let x = operands();
    let x = [&x[0], &x[1], &x[2]];
    let (exact, mixed) = (recorded(&session()), recorded(&mixed()));
    let calls: Vec<_> = mixed.calls().collect();
    assert_eq!(
        calls,
        [
            "core::matmul in f32",
            "core::add in f64",
            "core::tanh",
            "core::sum"
        ]
    );
    let wanted = [true; 3];
    let (_, want) = exact.gradients(&x, &wanted, None).expect("runs");
    let (_, got) = mixed.gradients(&x, &wanted, None).expect("runs");
    for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
        let (got, want) = (
            got.entries::<f64>().expect("f64"),
            want.entries::<f64>().expect("f64"),
        );
        let off = |(a, b): (&f64, &f64)| (a - b).abs() / (1e-3 + b.abs());
        let worst = got.iter().zip(want).map(off).fold(0.0, f64::max);
        assert!(
            0.0 < worst && worst < 1e-5,
            "single precision, but near: {worst}"
        );
    }
    // the gradient is a graph too, and so are files
    let one = v(arr0(1.0));
    let gradient = mixed.gradient(&[0]).expect("rules");
    let replayed = gradient.run(&[x[0], x[1], x[2], &one]).expect("runs");
    assert!(replayed[0].same_bits(got[0].as_ref().expect("active")));
    assert!(gradient.gradient(&[0]).is_ok());
    let read = Graph::from_bytes(Registry::global(), &mixed.to_bytes()).expect("the same");
    assert!(read.run(&x).expect("runs")[0].same_bits(&mixed.run(&x).expect("runs")[0]));
}

#[test]
fn what_is_traced_is_what_ran_in_mixed_precision_too() {
    let [w, x, b] = operands();
    let inputs = [("w", &w), ("x", &x), ("b", &b)];
    let (ran, graph) = Graph::trace(&mixed(), "user::model", &inputs, model).expect("runs");
    assert!(graph.run(&[&w, &x, &b]).expect("runs")[0].same_bits(&ran[0]));
    assert_eq!(graph.to_bytes(), recorded(&mixed()).to_bytes());
}

/// A device on which `core::tanh` is twice the host's, so that one sees where it ran.
struct Device {
    asked: Arc<AtomicUsize>,
    tanh: Arc<dyn Operation>,
}

/// `2·tanh(x)`
fn doubled() -> Arc<dyn Operation> {
    let inputs = [("x", Spec::f64(&[2, 2]))];
    let graph = Graph::record(&session(), "device::tanh", &inputs, |g, x| {
        let y = g.call("core::tanh", &[&x[0]], &none())?;
        Ok(vec![g.call("core::add", &[&y, &y], &none())?])
    });
    Arc::new(graph.expect("fits"))
}

impl Adapter for Device {
    fn instead(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[Spec],
        _: &Attrs,
    ) -> Result<Option<Instead>, OpError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match &*operation.signature().name {
            "core::tanh" if x[0].rank() == 2 => Ok(Some((Arc::clone(&self.tanh), none()))),
            "core::sin" => Err(operation
                .signature()
                .error(ErrorKind::Invalid("the device is gone".into()))),
            _ => Ok(None),
        }
    }
}

#[test]
fn a_device_is_asked_once_for_each_kind_of_call_and_has_its_own_derivatives() {
    let asked = Arc::new(AtomicUsize::new(0));
    let session = session().adapting(Device {
        asked: Arc::clone(&asked),
        tanh: doubled(),
    });
    let (x, row) = (v(array![[0.5, 1.0], [-1.0, 0.0]]), v(array![0.5]));
    let twice = |x: f64| 2.0 * x.tanh();
    let stages = Stages::default();
    let met = || {
        let other = self::session().adapting(Device {
            asked: Arc::default(),
            tanh: doubled(),
        });
        other.call("core::tanh", &[&x], &none()).expect("runs");
    };
    stages.during(met, || {
        for _ in 0..3 {
            let y = session.call("core::tanh", &[&x], &none()).expect("runs");
            assert_eq!(y[0].entries::<f64>().map(|y| y[1]), Some(twice(1.0)));
        }
    });
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let seen = stages.seen();
    assert_eq!(
        seen[..6],
        ["validate", "adapt", "outline", "cache", "execute", "verify"]
    );
    assert_eq!(seen[6..10], ["validate", "cache", "execute", "verify"]);
    let y = session.call("core::tanh", &[&row], &none()).expect("runs");
    assert_eq!(y[0].to_number(), Some(0.5_f64.tanh()));
    // the derivative is that of what ran, in both modes
    let slope = |x: f64| (twice(x + 1e-6) - twice(x - 1e-6)) / 2e-6;
    let (_, dx) = session
        .gradients(&core("tanh"), &[&x], &none(), None)
        .expect("runs");
    let one = Value::full(&x.spec(), 1.0);
    let (_, dy) = session
        .pushforward(&core("tanh"), &[&x], &[Some(&one)], &none())
        .expect("runs");
    for d in [dx[0].as_ref().expect("active"), &dy[0]] {
        let all = d
            .entries::<f64>()
            .expect("f64")
            .iter()
            .zip([0.5, 1.0, -1.0, 0.0]);
        all.for_each(|(d, x)| assert!((d - slope(x)).abs() < 1e-8));
    }
    assert_eq!(
        said(session.call("core::sin", &[&row], &none())),
        "operation 'core::sin': the device is gone"
    );
}

#[test]
fn mixed_precision_on_a_device() {
    let device = Device {
        asked: Arc::default(),
        tanh: doubled(),
    };
    let on_device = session().adapting(device);
    let both = session().adapting(Autocast::new().double(["core::tanh"]).through(on_device));
    let x = v(array![[0.5, 1.0], [-1.0, 0.0]]).cast(DType::F32);
    let y = both.call("core::tanh", &[&x], &none()).expect("runs");
    assert_eq!(
        y[0].entries::<f64>().map(|y| y[0]),
        Some(2.0 * 0.5_f64.tanh())
    );
}
