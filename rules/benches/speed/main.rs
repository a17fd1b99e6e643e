//! Rules beside adjoints written by hand with `ndarray`, or beside their own primals.
//!
//! `cargo bench -p coenzyme-rules --bench speed` asserts that rule and hand agree, and prints one line for each problem:
//! `ratio,<problem>,<median of the rounds' ratios>,<ratio of the best times>,<limit>,<best microseconds>,<those of the bar>`. A call
//! is both halves of the gradient, without the value, which no caller asks for. Words after `--` select problems by name; `--quick`
//! only asserts.

mod elementwise;
mod factorizations;
mod measure;
mod network;
mod products;
mod reductions;

fn main() {
    let bench = measure::Bench::from_args(std::env::args().skip(1));
    elementwise::run(&bench);
    reductions::run(&bench);
    network::run(&bench);
    products::run(&bench);
    factorizations::run(&bench);
}

/// Both halves of the gradient of a function of arrays of one shape.
macro_rules! gradient {
    ($f:expr, $Return:ty, $seed:expr, ($($arg:expr),+ $(,)?)) => {{
        let mut args = ($($arg,)+);
        let thunk = coenzyme::Thunk::<_, $Return>::new($f)
            .with_config(coenzyme::ReverseConfig::new(false));
        let augmented = thunk.augmented(&mut args);
        thunk.reverse([$seed], augmented.tape, &mut args);
    }};
}
use gradient;
