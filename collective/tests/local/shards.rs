//! Every plan is run, and gives what the call on whole arrays gives: value, gradient, and the messages that it said.

use coenzyme::{Active, Const, Dual, Duplicated, Thunk};
use coenzyme_collective::shards::{Layout, Sharded, Shards};
use coenzyme_collective::{CommError, Element, Mesh, Process, Traffic};
use coenzyme_rules::array::{mul, permute, sum, sum_axes, sum_axis, tanh, transpose};
use coenzyme_rules::class::{Classified, Outlined, Spec};
use coenzyme_rules::linalg::{batch_matmul, dot, matmul, matvec, outer};
use ndarray::{Array, Array1, Array2, Array3, ArrayD, Axis, Ix1, Ix2, Ix3, IxDyn, Slice, arr0};
use proptest::prelude::*;

use crate::body::Random;

/// A number type, and how near two sums of a few hundred products of numbers in [-1, 1] must be: some hundred units in the last place.
trait Number: Element {
    const NEAR: f64;

    fn spec(shape: &[usize]) -> Spec;
}

impl Number for f64 {
    const NEAR: f64 = 1e-12;

    fn spec(shape: &[usize]) -> Spec {
        Spec::f64(shape)
    }
}

impl Number for f32 {
    const NEAR: f64 = 1e-4;

    fn spec(shape: &[usize]) -> Spec {
        Spec::f32(shape)
    }
}

/// A function of the library on arrays of any rank: its value, and the cotangents of its operands by its rule.
trait Local<T>: Sync {
    fn value(&self, x: &[ArrayD<T>]) -> ArrayD<T>;
    fn pullback(&self, x: &[ArrayD<T>], dy: &ArrayD<T>) -> Vec<ArrayD<T>>;
}

/// `f(operand, its cotangent: dimensions, …) -> value`: an array, or a number.
macro_rules! local {
    ($($f:ident$operands:tt -> $out:ident;)*) => {$(
        local!(@of f64 $f$operands $out);
        local!(@of f32 $f$operands $out);
    )*};
    (@of $T:ident $f:ident($($x:ident $dx:ident: $D:ty),+) $out:ident) => {
        impl Local<$T> for $f {
            fn value(&self, x: &[ArrayD<$T>]) -> ArrayD<$T> {
                let mut x = x.iter().cloned();
                $(let $x: Array<$T, $D> = x.next().unwrap().into_dimensionality().unwrap();)+
                local!(@array $out $f($(&$x),+))
            }

            fn pullback(&self, x: &[ArrayD<$T>], dy: &ArrayD<$T>) -> Vec<ArrayD<$T>> {
                let mut x = x.iter().cloned();
                $(let $x: Array<$T, $D> = x.next().unwrap().into_dimensionality().unwrap();)+
                $(let mut $dx = Array::<$T, $D>::zeros($x.raw_dim());)+
                let mut args = ($(Duplicated(&$x, &mut $dx),)+);
                let thunk = Thunk::<_, local!(@activity $out $T)>::new($f {});
                let augmented = thunk.augmented(&mut args);
                thunk.reverse([local!(@cotangent $out dy)], augmented.tape, &mut args);
                vec![$($dx.into_dyn()),+]
            }
        }
    };
    (@array Number $y:expr) => { arr0($y).into_dyn() };
    (@array $array:ident $y:expr) => { $y.into_dyn() };
    (@activity Number $T:ident) => { Active<$T> };
    (@activity $array:ident $T:ident) => { Duplicated<$array<$T>> };
    (@cotangent Number $dy:ident) => { *$dy.first().unwrap() };
    (@cotangent $array:ident $dy:ident) => { $dy.clone().into_dimensionality().unwrap() };
}

local! {
    matmul(a da: Ix2, b db: Ix2) -> Array2;
    batch_matmul(a da: Ix3, b db: Ix3) -> Array3;
    matvec(a da: Ix2, b db: Ix1) -> Array1;
    outer(a da: Ix1, b db: Ix1) -> Array2;
    dot(a da: Ix1, b db: Ix1) -> Number;
    mul(a da: IxDyn, b db: IxDyn) -> ArrayD;
    tanh(a da: IxDyn) -> ArrayD;
    sum(a da: IxDyn) -> Number;
    transpose(a da: IxDyn) -> ArrayD;
}

/// A sum along an axis, sums along several, and axes in another order.
struct Along(usize);
struct Axes(Vec<usize>, bool);
struct Order(Vec<usize>);

/// The value of a function with attributes, and the cotangent of its operand by its rule.
macro_rules! with_attributes {
    ($($local:ident $f:ident: |$own:ident| $($attr:expr),+;)*) => {$(
        impl Local<f64> for $local {
            fn value(&self, x: &[ArrayD<f64>]) -> ArrayD<f64> {
                let $own = self;
                $f(&x[0], $($attr),+).into_dyn()
            }

            fn pullback(&self, x: &[ArrayD<f64>], dy: &ArrayD<f64>) -> Vec<ArrayD<f64>> {
                let $own = self;
                let mut dx = ArrayD::zeros(x[0].raw_dim());
                let mut args = (Duplicated(&x[0], &mut dx), $(Const($attr)),+);
                let thunk = Thunk::<_, Duplicated<ArrayD<f64>>>::new($f {});
                let augmented = thunk.augmented(&mut args);
                thunk.reverse([dy.clone()], augmented.tape, &mut args);
                vec![dx]
            }
        }
    )*};
}

with_attributes! {
    Along sum_axis: |own| own.0;
    Axes sum_axes: |own| &own.0[..], own.1;
    Order permute: |own| &own.0[..];
}

fn array<T: Number>(shape: &[usize], seed: usize) -> ArrayD<T> {
    let entries = Random::new(seed, 0).vector(shape.iter().product());
    let entries = entries.into_iter().map(T::lit).collect();
    Array::from_shape_vec(IxDyn(shape), entries).expect("as many entries")
}

/// The shard of a rank.
fn shard<T: Number>(whole: &ArrayD<T>, layout: &Layout, process: &Process) -> ArrayD<T> {
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
fn close<T: Number>(what: &str, a: &ArrayD<T>, b: &ArrayD<T>) {
    assert_eq!(a.shape(), b.shape(), "{what}");
    assert!(
        a.iter()
            .zip(b)
            .all(|(a, b)| (*a - *b).abs() < T::lit(T::NEAR)),
        "{what}: {a} and {b}"
    );
}

/// Runs a call on shards and looks at everything.
fn judge<T: Number, F: Local<T>, const N: usize>(
    f: &F,
    call: &Shards<N>,
    x: [(&[usize], &Layout); N],
    mesh: &Mesh,
) {
    let whole: Vec<ArrayD<T>> = x
        .iter()
        .enumerate()
        .map(|(i, (shape, _))| array(shape, i))
        .collect();
    let y = f.value(&whole);
    let ybar = array(y.shape(), 9);
    let xbar = f.pullback(&whole, &ybar);
    let locals = x.map(|(shape, layout)| T::spec(&layout.local(shape, mesh).expect("fits")));
    let traffic = crate::on(mesh.clone(), "a call on shards", |process| {
        let of = |all: &[ArrayD<T>]| -> Vec<_> {
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
        let all = call.plan.collectives(&locals, &call.out, mesh, reverse);
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
    let again = gathers.collectives(&locals, &call.out, mesh, false);
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

/// A mesh of one to three axes, and layouts on it of arrays of so many dimensions.
fn laid_out<const N: usize>(dims: [usize; N]) -> impl Strategy<Value = (Mesh, [Layout; N])> {
    let lengths = prop::collection::vec(1_usize..4, 1..=3);
    let small = lengths.prop_filter("a dozen ranks", |n| n.iter().product::<usize>() <= 12);
    small.prop_flat_map(move |lengths| {
        let names = &["a", "b", "c"][..lengths.len()];
        let axes = [
            &[None],
            &names.iter().copied().map(Some).collect::<Vec<_>>()[..],
        ]
        .concat();
        let layouts = dims.map(|dims| {
            let axes = prop::collection::vec(prop::sample::select(axes.clone()), dims);
            axes.prop_map(|mut axes| {
                for at in 1..axes.len() {
                    if axes[..at].contains(&axes[at]) {
                        axes[at] = None;
                    }
                }
                Layout::new(axes)
            })
        });
        let mesh = Mesh::new(names.iter().copied().zip(lengths));
        (Just(mesh), layouts)
    })
}

/// Plans of one function, on arrays of these shapes.
fn plans<T, F, const N: usize>(f: F, shapes: [&[usize]; N], mesh: &Mesh, layouts: &[Layout; N])
where
    T: Number,
    F: Local<T> + Copy + Classified<Class: Sharded<N> + for<'a> Outlined<N, Attrs<'a> = ()>>,
{
    plans_with(f, (), &f, shapes, mesh, layouts);
}

/// Plans of a function with attributes, which `local` calls.
fn plans_with<T, F, L, const N: usize>(
    f: F,
    attrs: <F::Class as Outlined<N>>::Attrs<'_>,
    local: &L,
    shapes: [&[usize]; N],
    mesh: &Mesh,
    layouts: &[Layout; N],
) where
    T: Number,
    F: Classified<Class: Sharded<N>>,
    L: Local<T>,
{
    // a dimension of length 1 cannot be cut
    let layouts: [Layout; N] = std::array::from_fn(|i| {
        let axes = layouts[i].axes().zip(shapes[i]);
        Layout::new(axes.map(|(axis, length)| axis.filter(|_| *length > 1)))
    });
    let specs = shapes.map(T::spec);
    let x = std::array::from_fn(|i| (&specs[i], &layouts[i]));
    let call = Shards::of(f, x, attrs, mesh).expect("fits");
    judge(
        local,
        &call,
        std::array::from_fn(|i| (shapes[i], &layouts[i])),
        mesh,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn n13_plans_of_products((mesh, layouts) in laid_out([2, 2])) {
        plans::<f64, _, 2>(matmul {}, [&[6, 12], &[12, 6]], &mesh, &layouts);
        plans::<f32, _, 2>(matmul {}, [&[6, 12], &[12, 6]], &mesh, &layouts);
    }

    #[test]
    fn n13_plans_of_batches_of_products((mesh, layouts) in laid_out([3, 3])) {
        plans::<f64, _, 2>(batch_matmul {}, [&[6, 6, 6], &[6, 6, 6]], &mesh, &layouts);
    }

    #[test]
    fn n13_plans_of_products_of_vectors((mesh, [m, x, y]) in laid_out([2, 1, 1])) {
        plans::<f64, _, 2>(matvec {}, [&[6, 12], &[12]], &mesh, &[m, x.clone()]);
        plans::<f64, _, 2>(dot {}, [&[12], &[12]], &mesh, &[x.clone(), y.clone()]);
        plans::<f32, _, 2>(outer {}, [&[6], &[12]], &mesh, &[x, y]);
    }

    #[test]
    fn n13_plans_of_elementwise_products((mesh, [x, y, row]) in laid_out([2, 2, 1])) {
        plans::<f64, _, 2>(mul {}, [&[6, 12], &[6, 12]], &mesh, &[x.clone(), y.clone()]);
        // repeated along a dimension that the other has, or that has length 1
        plans::<f64, _, 2>(mul {}, [&[6, 12], &[12]], &mesh, &[x.clone(), row.clone()]);
        plans::<f32, _, 2>(mul {}, [&[12], &[6, 12]], &mesh, &[row, x.clone()]);
        plans::<f64, _, 2>(mul {}, [&[6, 12], &[1, 12]], &mesh, &[x.clone(), y.clone()]);
        plans::<f64, _, 2>(mul {}, [&[6, 1], &[6, 12]], &mesh, &[x.clone(), y.clone()]);
        plans::<f64, _, 2>(mul {}, [&[6, 1], &[1, 12]], &mesh, &[x, y]);
    }

    #[test]
    fn n13_plans_of_functions_of_one_array((mesh, layouts) in laid_out([3])) {
        plans::<f64, _, 1>(sum {}, [&[6, 6, 6]], &mesh, &layouts);
        plans::<f32, _, 1>(sum {}, [&[6, 6, 6]], &mesh, &layouts);
        plans::<f64, _, 1>(tanh {}, [&[6, 6, 6]], &mesh, &layouts);
        plans::<f64, _, 1>(transpose {}, [&[6, 12, 6]], &mesh, &layouts);
    }

    #[test]
    fn n13_plans_along_axes(
        (mesh, layouts) in laid_out([3]),
        axis in 0_usize..3,
        axes in prop::sample::subsequence(vec![0, 1, 2], 0..=3),
        order in Just(vec![0, 1, 2]).prop_shuffle(),
        keepdims: bool,
    ) {
        let shape: [&[usize]; 1] = [&[6, 12, 6]];
        let local = Axes(axes, keepdims);
        plans_with::<f64, _, _, 1>(sum_axis {}, axis, &Along(axis), shape, &mesh, &layouts);
        plans_with::<f64, _, _, 1>(sum_axes {}, (&local.0, keepdims), &local, shape, &mesh, &layouts);
        plans_with::<f64, _, _, 1>(permute {}, &order, &Order(order.clone()), shape, &mesh, &layouts);
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
    let first = crate::on(mesh, "a product", |process| {
        let operands = [shard(&x, &rows, process), shard(&w, &columns, process)];
        let mut partial = None;
        let y = call.plan.value(process, &operands, |x| {
            let y = Local::<f64>::value(&matmul {}, x);
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

/// A scalar product of a vector that is cut and one that is whole, and its Hessian times a direction.
#[test]
fn plans_carry_dual_numbers() {
    let specs = [Spec::f64(&[4]), Spec::f64(&[4])];
    let (cut, whole) = (Layout::new([Some("a")]), Layout::new([None]));
    let mesh = Mesh::new([("a", 2)]);
    let call =
        Shards::of(dot {}, [(&specs[0], &cut), (&specs[1], &whole)], (), &mesh).expect("fits");
    let vector = |entries: &[(f64, f64)]| {
        let entries = entries.iter().map(|(x, dx)| Dual::new(*x, *dx));
        Array1::from_iter(entries).into_dyn()
    };
    let x = [(1.0, 0.0), (2.0, 1.0), (3.0, 0.0), (4.0, -1.0)];
    let y = [(5.0, 0.5), (6.0, 0.0), (7.0, 0.0), (8.0, 2.0)];
    let found = crate::on(mesh, "a call on dual numbers", |process| {
        let operands = [vector(&x[2 * process.rank()..][..2]), vector(&y)];
        let sum = |x: &[ArrayD<Dual<f64>>]| arr0((&x[0] * &x[1]).sum()).into_dyn();
        let value = call.plan.value(process, &operands, sum)?;
        let back = |x: &[ArrayD<Dual<f64>>], dy: &ArrayD<_>| vec![&x[1] * dy, &x[0] * dy];
        let dy = arr0(Dual::constant(1.0)).into_dyn();
        let gradients = call.plan.gradients(process, &operands, &dy, back)?;
        Ok((value.sum(), gradients))
    });
    for (rank, (value, gradients)) in found.expect("sent").iter().enumerate() {
        // x·y, and ẋ·y + x·ẏ
        assert_eq!((value.value, value.tangent), (70.0, 6.0 + 0.5 - 8.0 + 8.0));
        assert_eq!(gradients[0], vector(&y[2 * rank..][..2]));
        assert_eq!(gradients[1], vector(&x));
    }
}
