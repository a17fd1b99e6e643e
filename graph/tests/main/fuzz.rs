//! Files from anywhere: 20 000 mutations of good ones are read or refused, without a panic and with bounded memory.

use std::sync::Arc;

use allocation_counter::measure;
use coenzyme_graph::{Graph, Operation, Registry, Spec, Value, attrs};
use ndarray::array;

use super::{none, said, session, v};

/// A graph with every kind of node: calls with attributes, constants, a nested graph, a pullback.
fn sample() -> Graph {
    let session = session();
    let inner = Graph::record(
        &session,
        "user::inner",
        &[("x", Spec::f64(&[2, 3]))],
        |g, x| {
            let y = g.call("core::softmax", &[&x[0]], &attrs! { axis: 1 })?;
            Ok(vec![g.call("core::norm_p", &[&y], &attrs! { p: 3.0 })?])
        },
    )
    .expect("fits");
    let gradient: Arc<dyn Operation> = Arc::new(inner.gradient(&[0]).expect("rules"));
    Graph::record(
        &session,
        "user::sample",
        &[("x", Spec::f64(&[2, 3]))],
        |g, x| {
            let constant = g.constant(v(array![[1.0, -0.5, f64::INFINITY]]));
            let ids = g.constant(Value::from(vec![1_i64, 0]));
            let y = g.call("core::add", &[&x[0], &constant], &none())?;
            let y = g.call("core::gather", &[&y, &ids], &attrs! { axis: 0 })?;
            let one = g.constant(Value::number(1.0));
            let dx = g.apply(&gradient, &[&y, &one], &none())?;
            let parts = g.apply_all(
                &super::core("split"),
                &[&dx],
                &attrs! { axis: 1, parts: 3_usize },
            )?;
            let padded = g.call(
                "core::pad",
                &[&parts[1]],
                &attrs! { widths: [[1_usize, 0], [0, 2]] },
            )?;
            let wide = g.call(
                "core::repeat",
                &[&padded],
                &attrs! { times: 2_usize, axis: 1 },
            )?;
            Ok(vec![g.call(
                "core::einsum_one",
                &[&wide],
                &attrs! { subscripts: "ij->j" },
            )?])
        },
    )
    .expect("fits")
}

/// Numbers that are the same in every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// One to four changes: bytes replaced, removed, doubled, cut off, numbers made large.
fn mutated(bytes: &[u8], random: &mut Lcg) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, b'0' + random.below(10) as u8),
            4 => {
                let end = (at + random.below(12)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            _ if random.below(8) == 0 => bytes.truncate(at),
            _ => {
                let large: &[u8] =
                    [&b"99999999999"[..], b"-1", &[0xff, 0xff, 0xff, 0xff, 0x0f]][random.below(3)];
                bytes.splice(at..at, large.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn twenty_thousand_mutations_are_read_or_refused() {
    let (registry, graph, mut random) = (Registry::global(), sample(), Lcg(1));
    let (json, binary) = (graph.to_json().into_bytes(), graph.to_bytes());
    let (mut read, mut refused) = (0, 0);
    for round in 0..20_000 {
        let is_text = round % 2 == 0;
        let bytes = mutated(if is_text { &json } else { &binary }, &mut random);
        let mut result = None;
        let measured = measure(|| {
            result = Some(match is_text {
                true => Graph::from_json(registry, &String::from_utf8_lossy(&bytes)),
                false => Graph::from_bytes(registry, &bytes),
            });
        });
        assert!(
            measured.bytes_max < 32 << 20,
            "{} bytes for {bytes:?}",
            measured.bytes_max
        );
        match result.expect("set") {
            Ok(graph) => {
                read += 1;
                // what was read can be written and read
                assert!(Graph::from_bytes(registry, &graph.to_bytes()).is_ok());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(
        read > 200 && refused > 10_000,
        "{read} read, {refused} refused"
    );
}

#[test]
fn a_later_version_and_another_format_are_refused() {
    let (registry, graph) = (Registry::global(), sample());
    let later = graph
        .to_json()
        .replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(
        said(Graph::from_json(registry, &later)),
        "a graph of version 2; this library reads up to 1"
    );
    let other = graph.to_json().replacen("coenzyme-graph", "onnx", 1);
    assert_eq!(
        said(Graph::from_json(registry, &other)),
        "malformed graph: the format is 'onnx'"
    );
    let mut bytes = graph.to_bytes();
    bytes[15] = 9;
    assert_eq!(
        said(Graph::from_bytes(registry, &bytes)),
        "a graph of version 9; this library reads up to 1"
    );
    assert!(said(Graph::from_bytes(registry, b"GIF89a")).starts_with("malformed graph"));
}

#[test]
fn a_file_that_says_something_impossible_is_refused_by_the_operation() {
    let (registry, graph) = (Registry::global(), sample());
    let wrong = graph.to_json().replacen("{\"int\":3}", "{\"int\":4}", 1);
    let error = said(Graph::from_json(registry, &wrong));
    assert!(
        error.contains("operation 'core::split'") && error.contains("4 parts"),
        "{error}"
    );
    let compact = graph.to_bytes().len();
    assert!(compact * 3 < graph.to_json().len(), "{compact}");
}
