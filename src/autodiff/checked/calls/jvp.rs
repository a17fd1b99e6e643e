//! `jvp!`.

use super::super::{CalledBy, forward};
use super::{Call, CheckedCall};
use crate::activity::BatchDuplicatedNoNeed;
use crate::autodiff::{AsDuplicated, whole};
use crate::config::ForwardConfig;
use crate::rule::{Annotated, Args, ForwardRule, Function, Outcome};

call! {
    /// A call of `jvp`.
    struct Jvp['f, F, A]['f, F, A] { f: &'f F, args: A, }

    /// `jvp!`, put off.
    fn jvp[Out] -> Out::Of<Out::Value>
    where {
        A: Args<1> + Annotated,
        F: Function<A::Primals, Output = Out>,
        Out: Outcome,
        F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, 1>, A, 1>,
    }

    plain(call) {
        whole::jvp(call.f, call.args)
    }

    checked(call) where { A: CalledBy<F, Out, 1>, } {
        let (mut args, config) = (call.args, ForwardConfig::new(false));
        let tangents = forward::checked::<F, AsDuplicated, A, Out, false, 1>(call.f, &config, &mut args);
        Out::map_of(tangents, |[tangent]: [Out::Value; 1]| tangent)
    }
}
