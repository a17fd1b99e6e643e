//! Vectors that are entries of others, pushed to and popped from: adjacency lists, buckets.

use crate::judge::{any, positive};
use crate::subject::judge;
use coenzyme::{Active, Const, Duplicated, ReverseConfig, ReverseRule, Tangent, differentiable};

#[derive(Clone, Copy, Debug, Tangent)]
struct Edge {
    to: usize,
    weight: f64,
}
#[derive(Clone, Debug, Default, Tangent)]
struct Graph {
    adj: Vec<Vec<Edge>>,
    of: f64,
}
#[differentiable]
impl Graph {
    fn new(n: usize) -> Self {
        Graph {
            adj: vec![Vec::new(); n],
            of: 1.0,
        }
    }
    fn connect(&mut self, a: usize, b: usize, weight: f64) {
        self.adj[a].push(Edge { to: b, weight });
        self.adj[b].push(Edge {
            to: a,
            weight: weight * self.of,
        });
        self.of *= 1.1;
    }
    fn total(&self, u: usize) -> f64 {
        self.adj[u]
            .iter()
            .map(|e| e.weight * (e.to + 1) as f64)
            .sum()
    }
}
#[differentiable]
fn score(weights: &[f64], k: f64) -> f64 {
    const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)];
    let mut g = Graph::new(5);
    for (&(a, b), &w) in PAIRS.iter().zip(weights) {
        g.connect(a, b, w);
    }
    let mut s = 0.0;
    for u in 0..5 {
        s += g.total(u) * g.total(u) * k;
    }
    s
}
#[differentiable]
fn buckets(x: &[f64], k: f64) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); 3];
    for (i, v) in x.iter().enumerate() {
        rows[i % 3].push(v * k);
        if i == 4 {
            rows[1].pop();
        }
    }
    rows.iter().map(|r| r.iter().product::<f64>()).sum::<f64>() + rows[0].len() as f64 * rows[0][1]
}
#[differentiable]
fn filled(rows: &mut Vec<Vec<f64>>, x: &[f64]) {
    for (i, v) in x.iter().enumerate() {
        rows[i % 2].push(v * v);
    }
}
#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut rows = vec![Vec::new(), x.to_vec()];
    filled(&mut rows, x);
    rows[0].iter().sum::<f64>() * rows[1][3]
}
#[differentiable]
fn moved_between(x: &[f64], k: f64) -> f64 {
    let mut rows = vec![x.to_vec(), vec![k]];
    let mut n = 0;
    while n < 2 {
        let last = rows[0][rows[0].len() - 1];
        rows[0].pop();
        rows[1].push(last * k);
        n += 1;
    }
    rows[0].iter().sum::<f64>() * rows[1].iter().product::<f64>()
}
#[differentiable]
fn branched(x: &[f64]) -> f64 {
    let mut small = [vec![0.5], vec![]];
    for &v in x {
        if v > 0.3 {
            small[1].push(v.sin());
        } else {
            small[0].push(v * v);
        }
    }
    small[0].iter().sum::<f64>() + small[1].iter().map(|v| v * v).sum::<f64>()
}
#[differentiable]
fn popped(rows: &mut Vec<Vec<f64>>) -> f64 {
    rows[0].pop().unwrap() * 2.0
}
#[differentiable]
fn of_popped(x: &[f64], k: f64) -> f64 {
    let mut rows = vec![x.to_vec(), vec![k, k * k]];
    let a = popped(&mut rows) * popped(&mut rows);
    let b = rows[1].pop().unwrap();
    let mut s = 0.0;
    while let Some(v) = rows[0].pop() {
        s += v * v * k;
    }
    a * b + rows[1][0] * s + rows[0].len() as f64
}
#[differentiable]
fn emptied(rows: &mut Vec<Vec<f64>>, k: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        let v = rows[i].pop().unwrap();
        s += v * v * k;
        rows[i].push(v * k);
    }
    s
}
#[differentiable]
fn of_emptied(x: &[f64], k: f64) -> f64 {
    let mut rows = vec![x.to_vec(), vec![k, k * k]];
    let a = emptied(&mut rows, k);
    a * rows[0][3] + rows[1][1] * rows[0][0]
}

/// One row is longer by a square, another has lost its last entry.
#[differentiable]
fn between_rows(rows: &mut Vec<Vec<f64>>, x: f64) {
    rows[1].push(x * x);
    rows[0].pop();
}

judge! {
    of_popped(&any(4), 0.7);
    of_emptied(&any(4), 0.7);
    moved_between(&any(4), 0.7);
    branched(&[0.1, 0.5, 0.7, 0.2]);
    score(&positive(6), 0.85);
    buckets(&any(7), 0.7);
    lent(&any(3));
}

type Rows<'a> = (Duplicated<&'a mut Vec<Vec<f64>>>, Active<f64>);

/// Between the halves the shadow of each row is as long as the row, and keeps its cotangents; afterwards it is as long as before.
#[test]
fn shadows_have_the_lengths_of_rows() {
    let mut rows = vec![vec![1.0, 4.0], vec![2.0], vec![5.0]];
    let mut shadow = vec![vec![0.5, 0.25], vec![0.125], vec![0.0625]];
    let mut x = Active(3.0);
    let (rule, config) = (between_rows {}, ReverseConfig::new(false));
    let mut memory = Duplicated(&mut rows, &mut shadow);
    let augmented =
        ReverseRule::<Const<()>, Rows, 1>::augmented_primal(&rule, &config, (&mut memory, &mut x));
    assert_eq!(rows, [vec![1.0], vec![2.0, 9.0], vec![5.0]]);
    assert_eq!(shadow, [vec![0.5], vec![0.125, 0.0], vec![0.0625]]);
    shadow[1][1] = 2.0;
    let mut memory = Duplicated(&mut rows, &mut shadow);
    let gradients = ReverseRule::<Const<()>, Rows, 1>::reverse(
        &rule,
        &config,
        (),
        augmented.tape,
        (&mut memory, &mut x),
    );
    assert_eq!(gradients, ((), [12.0]));
    assert_eq!(shadow, [vec![0.5, 0.0], vec![0.125], vec![0.0625]]);
}
