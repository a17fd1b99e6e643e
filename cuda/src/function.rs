//! Rust functions that a device has too: `#[differentiable(device)]` prints them.

use std::collections::HashSet;

/// A function as the macro prints it, with what only the compiler knows.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The path of the function, from its crate.
    pub path: &'static str,
    /// The template, with places `${name}` for callees, constants and the function's own name.
    pub text: &'static str,
    /// Functions that it calls: place and definition.
    pub callees: Vec<Callee>,
    /// Constants that it names: place and value.
    pub constants: Vec<(&'static str, String)>,
}

/// A place in the text, and the definition that belongs there.
pub type Callee = (&'static str, fn() -> Definition);

impl Definition {
    /// The name in C++: the path, without a collision with a function of the same name elsewhere.
    pub fn name(&self) -> String {
        self.path.replace("::", "__").replace("r#", "")
    }

    /// The function and all that it calls, in CUDA C++: first declarations, then templates.
    pub fn print(&self) -> String {
        let (mut heads, mut bodies) = (String::new(), String::new());
        self.collect(&mut HashSet::new(), &mut heads, &mut bodies);
        format!("{heads}\n{bodies}")
    }

    fn collect(&self, seen: &mut HashSet<&'static str>, heads: &mut String, bodies: &mut String) {
        if !seen.insert(self.path) {
            return;
        }
        let mut text = self.text.replace("${self}", &self.name());
        for (place, definition) in &self.callees {
            let callee = definition();
            text = text.replace(&format!("${{{place}}}<"), &format!("{}<", callee.name()));
            callee.collect(seen, heads, bodies);
        }
        for (place, value) in &self.constants {
            text = text.replace(&format!("${{{place}}}"), value);
        }
        if let Some((head, _)) = text.split_once(" {\n") {
            *heads += &format!("{head};\n");
        }
        *bodies += &text;
    }
}

/// A function that is printed for devices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that a device has",
    label = "not printed for devices",
    note = "mark the function `#[differentiable(device)]`"
)]
pub trait DeviceFunction: 'static {
    /// The function as it is printed.
    fn definition() -> Definition;
}

/// A function of `K` numbers that returns one: what is mapped over arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be mapped over {K} arrays or numbers",
    label = "not a device function of {K} numbers",
    note = "mark it `#[differentiable(device)]`; it takes {K} numbers by value, and returns a number"
)]
pub trait ScalarFunction<const K: usize>: DeviceFunction {}

/// A constant that a device function names.
#[diagnostic::on_unimplemented(
    message = "a device function cannot name a constant of type `{Self}`",
    label = "neither number, integer nor flag",
    note = "if it is a variable, bind it in the function; closures capture nothing on a device"
)]
pub trait Constant {
    /// The value in C++.
    fn print(&self) -> String;
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Constant for $t {
            fn print(&self) -> String {
                match i64::try_from(*self) {
                    // C++ reads the number before the sign
                    Ok(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
                    Ok(small) => format!("({small}LL)"),
                    // does not compile, and says why
                    Err(_) => format!("integer_beyond_those_of_a_device({self}ULL)"),
                }
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl<T: Constant, const L: usize> Constant for [T; L] {
    fn print(&self) -> String {
        let entries: Vec<_> = self.iter().map(Constant::print).collect();
        format!("array<N>({})", entries.join(", "))
    }
}

impl Constant for bool {
    fn print(&self) -> String {
        self.to_string()
    }
}

impl Constant for f64 {
    fn print(&self) -> String {
        match self {
            x if x.is_nan() => "(R(0) / R(0))".into(),
            x if x.is_infinite() => format!("(R({}) / R(0))", x.signum()),
            x => format!("R({x:?})"),
        }
    }
}

impl Constant for f32 {
    fn print(&self) -> String {
        f64::from(*self).print()
    }
}
