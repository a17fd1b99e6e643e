use super::OwnEffects;

/// Whether an expression may act in a crate of this text, where `i` and `x` are made of numbers.
fn acts(text: &str, expr: &str) -> bool {
    let file = syn::parse_file(text).expect("a file");
    let found = OwnEffects::read(&[("lib.rs".into(), file.into())]);
    let expr = syn::parse_str(expr).expect("an expression");
    found.in_expr(&expr, &|name| ["i", "x"].contains(&name))
}

const COUNTS: &str = "
    struct Game { turn: Turn, n: usize }
    const N: usize = 3;
    const T: Turn = Turn(3);
    fn tick() -> usize { COUNT.fetch_add(1, Relaxed) }
    impl Rem<usize> for Turn { type Output = usize; fn rem(self, n: usize) -> usize { (self.0 + tick()) % n } }
    impl Turn { fn new(i: usize) -> Turn { Turn(i + tick()) } fn len(&self) -> usize { tick() } }
    impl Mul<usize> for Turn { type Output = Turn; fn mul(self, n: usize) -> Turn { doubled(self.0) } }
    fn doubled(n: usize) -> Turn { Turn(2 * n) }
    impl From<Turn> for usize { fn from(t: Turn) -> usize { t.len() } }
";

#[test]
fn what_the_crate_gives_its_types_may_act() {
    for expr in [
        "t % 3",
        "g.turn % 3",
        "T % 3",
        "turn() % 3",
        "{ let i = g.turn; i % 3 }",
        "Turn::new(3)",
        "g.turn.len()",
        "usize::from(t)",
        "if t % 3 == 0 { 1 } else { 2 }",
        "(i + t) % 3",
    ] {
        assert!(acts(COUNTS, expr), "{expr}");
    }
}

#[test]
fn numbers_compute() {
    for expr in [
        "i % 3",
        "(i + 1) % N",
        "g.n % 3",
        "x[i] % N",
        "t * 3",
        "Vec::new()",
        "i.pow(2) % g.n",
        "t as usize % 3",
    ] {
        assert!(!acts(COUNTS, expr), "{expr}");
    }
}

#[test]
fn functions_are_no_operators() {
    let text = "fn rem(a: &mut usize) -> usize { tick(); *a }";
    assert!(!acts(text, "t % 3"));
    let method = format!("impl Turn {{ {text} }}");
    assert!(acts(&method, "t % 3"));
}

#[test]
fn a_local_is_no_field_of_its_name() {
    let text = format!("{COUNTS} struct Clock {{ t: f64 }}");
    assert!(acts(&text, "t % 3") && !acts(&text, "clock.t % 3"));
}

#[test]
fn a_type_that_is_its_value_is_no_constant_of_its_name() {
    let constant = "mod a { const G: f64 = 9.81; } impl Rem<usize> for Turn { fn rem(self, n: usize) -> usize { tick() } }";
    assert!(!acts(constant, "G % 3"));
    assert!(acts(&format!("{constant} struct G;"), "G % 3"));
    assert!(acts(&format!("enum Side {{ G, H }} {constant}"), "G % 3"));
}

#[test]
fn macros_write_operators() {
    let written = |body: &str| {
        format!(
            "macro_rules! operators {{ ($t:ident) => {{ impl Rem<usize> for $t {{ fn rem(self, n: usize) -> usize {{ {body} }} }} }} }}"
        )
    };
    assert!(acts(&written("COUNT.set(1); self.0 % n"), "t % 3"));
    assert!(!acts(&written("Self(self.0).0.max(1) % n"), "t % 3"));
}

#[test]
fn a_cell_is_set_whatever_else_has_a_method_of_that_name() {
    let text = "
        impl Rem<usize> for Turn { fn rem(self, n: usize) -> usize { K.set(K.get() + 1); self.0 % n } }
        impl Grid { fn set(&self, v: f64) -> Grid { Grid(v) } fn get(&self) -> f64 { self.0 } }
    ";
    assert!(acts(text, "t % 3"));
}

#[test]
fn operators_that_compute_are_run_again() {
    let text = "
        impl Rem<usize> for Turn { fn rem(self, n: usize) -> usize { Turn::new(self.0).0 % n } }
        impl Turn { fn new(i: usize) -> Self { Turn(i) } }
    ";
    assert!(!acts(text, "g.turn % 3"));
}
