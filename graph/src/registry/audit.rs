//! What a registered operation owes, looked at without knowing what it computes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::is_name;
use coenzyme_operations::{Attrs, Call, Mask, Operation};
use coenzyme_operations::{Spec, Value};

/// Something that an operation owes and does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the operation.
    pub operation: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.what)
    }
}

impl super::Registry {
    /// Looks at an operation: its name has the form `crate::operation`, its operands have different names; on the operands given,
    /// value and outline agree, the value of the augmented pass and of the forward rule is that of the function bit by bit, the
    /// two modes agree on ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩ with relative tolerance `1e-6`, and NaN in an operand is no panic.
    ///
    /// It does not judge derivatives against finite differences: [`Named`](crate::Named) is a static rule, and the tester judges that.
    #[must_use]
    pub fn audit(&self, operation: &dyn Operation, x: &[&Value], attrs: &Attrs) -> Vec<Finding> {
        let signature = operation.signature();
        let mut findings = Vec::new();
        let mut find = |what: String| {
            findings.push(Finding {
                operation: signature.name.clone().into_owned(),
                what,
            });
        };
        if !is_name(&signature.name) {
            find("the name is not of the form 'crate::operation'".into());
        }
        let names: Vec<_> = signature.operands.iter().map(|x| &x.name).collect();
        if let Some(twice) = (0..names.len()).find(|i| names[..*i].contains(&names[*i])) {
            find(format!("two operands are named '{}'", names[twice]));
        }
        match signature.resolve(attrs) {
            Err(error) => find(error.to_string()),
            Ok(attrs) => agreeing(operation, x, &attrs, &mut find),
        }
        findings
    }
}

/// Whether outline, value and the two rules agree.
fn agreeing(operation: &dyn Operation, x: &[&Value], attrs: &Attrs, find: &mut dyn FnMut(String)) {
    let specs: Vec<Spec> = x.iter().map(|x| x.spec()).collect();
    let (outline, value) = match (operation.outline(&specs, attrs), operation.value(x, attrs)) {
        (Ok(outline), Ok(value)) => (outline, value),
        (Err(error), _) | (_, Err(error)) => return find(error.to_string()),
    };
    let actual: Vec<Spec> = value.iter().map(Value::spec).collect();
    if outline.outputs[..] != actual[..] {
        let declared: Vec<_> = outline.outputs.iter().map(ToString::to_string).collect();
        let actual: Vec<_> = actual.iter().map(ToString::to_string).collect();
        return find(format!(
            "declared {}, returned {}",
            declared.join(", "),
            actual.join(", ")
        ));
    }
    let same =
        |y: &[Value]| y.len() == value.len() && y.iter().zip(&value).all(|(a, b)| a.same_bits(b));
    let floats = Mask::of(x.iter().map(|x| x.dtype().is_float()));
    let call = Call::new(attrs.clone()).with_active(floats);
    let directions: Vec<Option<Value>> = x.iter().map(|x| direction(x)).collect();
    let modes = operation.modes();
    let mut forward = None;
    if modes.forward {
        let dx = directions.iter().map(Option::as_ref).collect();
        match operation.pushforward(x, &[dx], &call) {
            Err(error) => find(format!("forward: {error}")),
            Ok((y, _)) if !same(&y) => find("the value of the forward rule is another".into()),
            Ok((_, mut dy)) => forward = dy.pop(),
        }
    }
    if modes.reverse {
        let seeds: Vec<Option<Value>> = value.iter().map(direction).collect();
        match reversed(operation, x, &call, &seeds) {
            Err(error) => find(format!("reverse: {error}")),
            Ok((y, _)) if !same(&y) => find("the value of the augmented pass is another".into()),
            Ok((_, dx)) => {
                if let Some(dy) = &forward {
                    let one = dot(dy.iter().map(Some), seeds.iter().map(Option::as_ref));
                    let two = dot(
                        dx.iter().map(Option::as_ref),
                        directions.iter().map(Option::as_ref),
                    );
                    if (one - two).abs() > 1e-6 * one.abs().max(two.abs()).max(1e-3) {
                        find(format!(
                            "the modes disagree: ⟨ȳ, J·ẋ⟩ is {one}, ⟨Jᵀ·ȳ, ẋ⟩ is {two}"
                        ));
                    }
                }
            }
        }
    }
    let nan: Vec<Value> = x
        .iter()
        .map(|x| match x.dtype().is_float() {
            true => Value::full(&x.spec(), f64::NAN),
            false => (*x).clone(),
        })
        .collect();
    let nan: Vec<&Value> = nan.iter().collect();
    if catch_unwind(AssertUnwindSafe(|| operation.value(&nan, attrs))).is_err() {
        find("panics if an operand is NaN".into());
    }
}

type Reversed = (coenzyme_operations::Outputs, coenzyme_operations::Shadows);

fn reversed(
    operation: &dyn Operation,
    x: &[&Value],
    call: &Call,
    seeds: &[Option<Value>],
) -> Result<Reversed, coenzyme_operations::OpError> {
    let (y, tape) = operation.augmented(x, call)?;
    let zeros = x.iter().enumerate();
    let zeros = zeros.map(|(i, x)| call.active.has(i).then(|| x.zeros_like()));
    let mut dx: [coenzyme_operations::Shadows; 1] = [zeros.collect()];
    let dy = seeds.iter().cloned().collect();
    operation.pullback(x, vec![dy], tape, &mut dx, call)?;
    let [dx] = dx;
    Ok((y, dx))
}

/// A direction without symmetry; none for numbers without derivative.
fn direction(x: &Value) -> Option<Value> {
    let n = x.len();
    let entries = (0..n).map(|i| 0.5 + (i as f64 * 0.7).sin() * 0.4);
    let floats = x.dtype().is_float();
    let direction = floats.then(|| Value::from_vec(x.shape(), entries.collect()))??;
    Some(direction.cast(x.dtype()))
}

fn dot<'a>(
    x: impl Iterator<Item = Option<&'a Value>>,
    y: impl Iterator<Item = Option<&'a Value>>,
) -> f64 {
    let both = x.zip(y).filter_map(|(x, y)| Some(x?.inner(y?)));
    both.sum()
}
