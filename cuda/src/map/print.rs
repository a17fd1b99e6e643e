//! The kernels of a mapped function.

use std::fmt::Write;

use crate::function::Definition;
use crate::source::Source;

/// Lanes that a reverse kernel serves at once, and the wider of the two forward kernels.
pub(super) const LANES: usize = 4;

/// Partials that are in registers at once; more active arguments take another evaluation.
pub(super) const PARTIALS: usize = 8;

/// The kernels of a function of `arity` numbers of the type `number` (`double`, `float`): value, tangents along one lane and several, cotangents
/// of arguments as long as the result, and partial sums of those of others.
///
/// The text depends on nothing else, and is the same on every machine.
pub fn source(definition: &Definition, arity: usize, number: &str) -> Source {
    let name = definition.name();
    let functions = definition.print();
    let mut text = format!("typedef {number} T;\n{functions}");
    for kernel in [value, reverse, sums] {
        text += &kernel(&name, arity);
    }
    for lanes in [1, LANES] {
        text += &forward(&name, arity, lanes);
    }
    Source::new(
        definition.path,
        text,
        &[
            "map_value",
            "map_reverse",
            "map_sums",
            "map_forward1",
            "map_forward4",
        ],
    )
}

/// `one(0), one(1), …`
fn list(arity: usize, one: impl Fn(usize) -> String) -> String {
    (0..arity).map(one).collect::<Vec<_>>().join(", ")
}

fn inputs(arity: usize) -> String {
    list(arity, |k| format!("In<T> x{k}"))
}

/// Each thread reads the arguments of two entries before it computes: what waits for memory is not idle.
fn value(name: &str, arity: usize) -> String {
    let inputs = inputs(arity);
    let read = |to: char, at: char| list(arity, |k| format!("{to}{k} = x{k}[{at}]"));
    let of = |from: char| list(arity, |k| format!("{from}{k}"));
    format!(
        "\nextern \"C\" __global__ void map_value(Int n, T* y, {inputs}) {{
    const Int step = (Int)gridDim.x * blockDim.x;
    for (Int i = blockIdx.x * (Int)blockDim.x + threadIdx.x; i < n; i += 2 * step) {{
        const Int j = i + step < n ? i + step : i;
        const T {}, {};
        const T u = {name}<T>({}), v = {name}<T>({});
        y[i] = u;
        y[j] = v;
    }}
}}\n",
        read('a', 'i'),
        read('b', 'j'),
        of('a'),
        of('b')
    )
}

fn forward(name: &str, arity: usize, lanes: usize) -> String {
    let inputs = inputs(arity);
    let tangents = list(arity, |k| format!("Ins<T, {lanes}> dx{k}"));
    let moving = list(arity, |k| format!("moving(x{k}[i], dx{k}, i)"));
    format!(
        "\nextern \"C\" __global__ void map_forward{lanes}(Int n, T* y, Lanes<T, {lanes}> dy, {inputs}, {tangents}) {{
    EACH(i, n) {{
        const Dual<T, {lanes}> r = {name}<Dual<T, {lanes}> >({moving});
        if (y) y[i] = r.v;
        for (int w = 0; w < {lanes}; ++w) if (dy.at[w]) dy.at[w][i] = r.d[w];
    }}
}}\n"
    )
}

/// Evaluations of the partials, at most `PARTIALS` at a time: `each(chunk, inside)` follows one.
fn partials(name: &str, arity: usize, each: impl Fn(std::ops::Range<usize>) -> String) -> String {
    let mut text = String::new();
    for start in (0..arity).step_by(PARTIALS) {
        let chunk = start..arity.min(start + PARTIALS);
        let of = chunk.len();
        let numbers = list(arity, |k| match chunk.contains(&k) {
            true => format!("variable<{of}, {}>(x{k}[i])", k - start),
            false => format!("x{k}[i]"),
        });
        let _ = write!(
            text,
            "        {{\n            const Dual<T, {of}> r = {name}<Dual<T, {of}> >({numbers});\n{}        }}\n",
            each(chunk)
        );
    }
    text
}

/// What the first lane adds to is read before the partials are computed.
fn reverse(name: &str, arity: usize) -> String {
    let inputs = inputs(arity);
    let shadows = list(arity, |k| format!("Lanes<T, {LANES}> s{k}"));
    let read = list(arity, |k| {
        format!("a{k} = s{k}.at[0] ? s{k}.at[0][i] : T(0)")
    });
    let body = partials(name, arity, |chunk| {
        let partial = |k: usize| format!("r.d[{}]", k - chunk.start);
        let first = |k: usize| {
            let partial = partial(k);
            format!("            if (s{k}.at[0]) s{k}.at[0][i] = a{k} + chain({partial}, g);\n")
        };
        let other = |k: usize| {
            let partial = partial(k);
            format!("                if (s{k}.at[w]) s{k}.at[w][i] += chain({partial}, h);\n")
        };
        let (first, others): (String, String) = (
            chunk.clone().map(first).collect(),
            chunk.clone().map(other).collect(),
        );
        format!(
            "{first}            for (int w = 1; w < {LANES}; ++w) {{\n                \
             if (!dy.at[w]) continue;\n                const T h = dy.at[w][i];\n{others}            }}\n"
        )
    });
    format!(
        "\nextern \"C\" __global__ void map_reverse(Int n, Lanes<const T, {LANES}> dy, {inputs}, {shadows}) {{\n    \
         EACH(i, n) {{\n        const T g = dy.at[0] ? dy.at[0][i] : T(0), {read};\n{body}    }}\n}}\n"
    )
}

/// Entry `c·period + j` of the partial sums of argument `k` is `Σ ∂ₖf·ȳ` over `i = c·period + j, (c + chunks)·period + j, …`
fn sums(name: &str, arity: usize) -> String {
    let inputs = inputs(arity);
    let body = partials(name, arity, |chunk| {
        let start = chunk.start;
        chunk
            .map(|k| format!("            sum[{k}] += chain(r.d[{}], g);\n", k - start))
            .collect()
    });
    format!(
        "\nextern \"C\" __global__ void map_sums(Int n, Int threads, unsigned long long mask, const T* dy, {inputs}, T* out) {{
    EACH(t, threads) {{
        T sum[{arity}];
        for (int k = 0; k < {arity}; ++k) sum[k] = T(0);
        for (Int i = t; i < n; i += threads) {{
        const T g = dy[i];
{body}        }}
        for (int k = 0; k < {arity}; ++k) if (mask >> k & 1) out[k * threads + t] = sum[k];
    }}
}}\n"
    )
}
