//! Every plan is run, and gives what the call on whole arrays gives: value, gradient, and the messages that it said.

use std::time::Duration;

use coenzyme::{Duplicated, Thunk};
use coenzyme_collective::shards::{Layout, Shards};
use coenzyme_collective::{CommError, LocalMesh, Mesh, Process, Traffic};
use coenzyme_rules::array::{mul, sum};
use coenzyme_rules::class::Spec;
use coenzyme_rules::linalg::{batch_matmul, matmul};
use ndarray::{Array, Array2, Array3, ArrayD, Axis, IxDyn, Slice, arr0};
use proptest::prelude::*;

use crate::body::Random;

/// A function of the library on arrays of any rank: its value, and the cotangents of its operands.
trait Local: Sync {
    fn value(&self, x: &[ArrayD<f64>]) -> ArrayD<f64>;
    fn pullback(&self, x: &[ArrayD<f64>], dy: &ArrayD<f64>) -> Vec<ArrayD<f64>>;
}

macro_rules! binary {
    ($f:ident, $array:ty) => {
        impl Local for $f {
            fn value(&self, x: &[ArrayD<f64>]) -> ArrayD<f64> {
                let [a, b] =
                    [&x[0], &x[1]].map(|x| -> $array { x.clone().into_dimensionality().unwrap() });
                $f(&a, &b).into_dyn()
            }
            fn pullback(&self, x: &[ArrayD<f64>], dy: &ArrayD<f64>) -> Vec<ArrayD<f64>> {
                let [a, b] =
                    [&x[0], &x[1]].map(|x| -> $array { x.clone().into_dimensionality().unwrap() });
                let (mut da, mut db) = (<$array>::zeros(a.raw_dim()), <$array>::zeros(b.raw_dim()));
                let mut args = (Duplicated(&a, &mut da), Duplicated(&b, &mut db));
                let thunk = Thunk::<_, Duplicated<$array>>::new($f {});
                let augmented = thunk.augmented(&mut args);
                let dy = dy.clone().into_dimensionality().unwrap();
                thunk.reverse([dy], augmented.tape, &mut args);
                vec![da.into_dyn(), db.into_dyn()]
            }
        }
    };
}

binary!(matmul, Array2<f64>);
binary!(batch_matmul, Array3<f64>);
binary!(mul, Array2<f64>);

impl Local for sum {
    fn value(&self, x: &[ArrayD<f64>]) -> ArrayD<f64> {
        arr0(sum(&x[0])).into_dyn()
    }
    fn pullback(&self, x: &[ArrayD<f64>], dy: &ArrayD<f64>) -> Vec<ArrayD<f64>> {
        vec![ArrayD::from_elem(
            x[0].raw_dim(),
            dy.first().copied().expect("a number"),
        )]
    }
}

fn array(shape: &[usize], seed: usize) -> ArrayD<f64> {
    let entries = Random::new(seed, 0).vector(shape.iter().product());
    Array::from_shape_vec(IxDyn(shape), entries).expect("as many entries")
}

/// The shard of a rank.
fn shard(whole: &ArrayD<f64>, layout: &Layout, process: &Process) -> ArrayD<f64> {
    let mut part = whole.clone();
    for (dim, axis) in layout.axes().enumerate() {
        let Some(axis) = axis else { continue };
        let comm = process.along(&[axis]).expect("an axis of the mesh");
        let each = part.shape()[dim] / comm.size();
        let own = comm.rank() * each..(comm.rank() + 1) * each;
        part = part.slice_axis(Axis(dim), Slice::from(own)).to_owned();
    }
    part
}

#[track_caller]
fn close(what: &str, a: &ArrayD<f64>, b: &ArrayD<f64>) {
    assert_eq!(a.shape(), b.shape(), "{what}");
    assert!(
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12),
        "{what}: {a} and {b}"
    );
}

/// Runs a call on shards and looks at everything.
fn judge<F: Local, const N: usize>(
    f: &F,
    call: &Shards<N>,
    x: [(&[usize], &Layout); N],
    mesh: &Mesh,
) {
    let whole: Vec<_> = x
        .iter()
        .enumerate()
        .map(|(i, (shape, _))| array(shape, i))
        .collect();
    let y = f.value(&whole);
    let ybar = array(y.shape(), 9);
    let xbar = f.pullback(&whole, &ybar);
    let locals = x.map(|(shape, layout)| layout.local(shape, mesh).expect("fits"));
    let link = LocalMesh::new(mesh.clone()).timeout(Duration::from_secs(10));
    let traffic = link.run(|process| {
        let of = |all: &[ArrayD<f64>]| -> Vec<_> {
            all.iter()
                .zip(&x)
                .map(|(whole, (_, layout))| shard(whole, layout, process))
                .collect()
        };
        let operands = of(&whole);
        let begun = process.traffic();
        let value = call.plan.value(process, &operands, |x| {
            let shapes: Vec<_> = x.iter().map(|x| x.shape().to_vec()).collect();
            assert_eq!(
                shapes,
                call.operands.each_ref().map(|spec| spec.shape.clone())
            );
            f.value(x)
        })?;
        let forward = process.traffic() - begun;
        close("value", &value, &shard(&y, &call.placed.layout, process));
        assert_eq!(value.shape(), call.out.shape);
        let begun = process.traffic();
        let dy = shard(&ybar, &call.placed.layout, process);
        let found = call
            .plan
            .gradients(process, &operands, &dy, |x, dy| f.pullback(x, dy))?;
        // the operands are moved once more
        let back = process.traffic() - begun;
        for (found, expected) in found.iter().zip(of(&xbar)) {
            close("gradient", found, &expected);
        }
        Ok::<_, CommError>((forward, back))
    });
    let traffic = traffic.unwrap_or_else(|why| panic!("{}\n{why}", call.plan));
    let mut found = [Traffic::default(); 2];
    for (forward, back) in traffic {
        found[0] += forward;
        found[1] += back;
    }
    let model = |reverse| {
        let all = call
            .plan
            .collectives(&locals, &call.out.shape, mesh, reverse);
        let groups = |n| mesh.size() / n;
        let messages: usize = all
            .iter()
            .map(|(c, _, n)| groups(*n) * c.messages(*n))
            .sum();
        let bytes: usize = all
            .iter()
            .map(|(c, bytes, n)| groups(*n) * c.bytes(*bytes, *n))
            .sum();
        (messages, bytes)
    };
    let (forward, back) = (model(false), model(true));
    assert_eq!(
        (found[0].messages, found[0].bytes),
        forward,
        "{}",
        call.plan
    );
    let gathers = call.plan.clone().without_sums();
    let again = gathers.collectives(&locals, &call.out.shape, mesh, false);
    let again = again.iter().map(|(c, bytes, n)| {
        let groups = mesh.size() / n;
        (groups * c.messages(*n), groups * c.bytes(*bytes, *n))
    });
    let again = again.fold((0, 0), |(m, b), (messages, bytes)| {
        (m + messages, b + bytes)
    });
    assert_eq!(
        (found[1].messages, found[1].bytes),
        (back.0 + again.0, back.1 + again.1),
        "{}",
        call.plan
    );
}

/// A layout of two or three dimensions on axes `a` and `b`.
fn layout(dims: usize) -> impl Strategy<Value = Layout> {
    let axes = prop::sample::select(vec![None, Some("a"), Some("b")]);
    prop::collection::vec(axes, dims).prop_map(|mut axes| {
        for at in 1..axes.len() {
            if axes[..at].contains(&axes[at]) {
                axes[at] = None;
            }
        }
        Layout::new(axes)
    })
}

fn mesh() -> impl Strategy<Value = Mesh> {
    (1usize..4, 1usize..3).prop_map(|(a, b)| Mesh::new([("a", a), ("b", b)]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn n13_plans_of_products(mesh in mesh(), x in layout(2), w in layout(2)) {
        let (xs, ws) = ([6, 12], [12, 6]);
        let call = Shards::of(matmul {}, [(&Spec::f64(&xs), &x), (&Spec::f64(&ws), &w)], (), &mesh).expect("fits");
        judge(&matmul {}, &call, [(&xs, &x), (&ws, &w)], &mesh);
    }

    #[test]
    fn n13_plans_of_batches_of_products(mesh in mesh(), x in layout(3), w in layout(3)) {
        let (xs, ws) = ([6, 6, 6], [6, 6, 6]);
        let call =
            Shards::of(batch_matmul {}, [(&Spec::f64(&xs), &x), (&Spec::f64(&ws), &w)], (), &mesh).expect("fits");
        judge(&batch_matmul {}, &call, [(&xs, &x), (&ws, &w)], &mesh);
    }

    #[test]
    fn n13_plans_of_elementwise_products(mesh in mesh(), x in layout(2), w in layout(2)) {
        let shape = [6, 12];
        let spec = Spec::f64(&shape);
        let call = Shards::of(mul {}, [(&spec, &x), (&spec, &w)], (), &mesh).expect("fits");
        judge(&mul {}, &call, [(&shape, &x), (&shape, &w)], &mesh);
    }

    #[test]
    fn n13_plans_of_sums(mesh in mesh(), x in layout(3)) {
        let shape = [6, 6, 6];
        let call = Shards::of(sum {}, [(&Spec::f64(&shape), &x)], (), &mesh).expect("fits");
        judge(&sum {}, &call, [(&shape, &x)], &mesh);
    }
}

/// `x = 0.01·(0, 1, …)`, `w = 0.1·(0, 1, …)` on `dp = 2, tp = 4`.
#[test]
fn n5_a_product_on_eight_ranks() {
    let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
    let (rows, columns) = (
        Layout::new([Some("dp"), Some("tp")]),
        Layout::new([Some("tp"), None]),
    );
    let numbers = |shape: [usize; 2], by: f64| {
        Array::from_shape_fn(IxDyn(&shape), |i| by * (i[0] * shape[1] + i[1]) as f64)
    };
    let (x, w) = (numbers([8, 16], 0.01), numbers([16, 4], 0.1));
    let specs = [Spec::f64(&[8, 16]), Spec::f64(&[16, 4])];
    let call = Shards::of(
        matmul {},
        [(&specs[0], &rows), (&specs[1], &columns)],
        (),
        &mesh,
    )
    .expect("fits");
    let first = LocalMesh::new(mesh).run(|process| {
        let operands = [shard(&x, &rows, process), shard(&w, &columns, process)];
        let mut partial = None;
        let y = call.plan.value(process, &operands, |x| {
            let y = (matmul {}).value(x);
            partial = Some(y.clone());
            y
        })?;
        Ok::<_, CommError>((y, partial.expect("called")))
    });
    let first = first.expect("sent");
    let row = |y: &ArrayD<f64>| y.index_axis(Axis(0), 0).to_owned();
    close(
        "partial",
        &row(&first[0].1),
        &array_of(&[0.056, 0.062, 0.068, 0.074]),
    );
    for (y, _) in &first[..4] {
        close("row 0", &row(y), &array_of(&[4.96, 5.08, 5.20, 5.32]));
    }
}

fn array_of(entries: &[f64]) -> ArrayD<f64> {
    Array::from_shape_vec(IxDyn(&[entries.len()]), entries.to_vec()).expect("a vector")
}
