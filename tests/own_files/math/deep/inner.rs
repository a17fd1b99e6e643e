use coenzyme::{easy_rule, primitive};

#[primitive]
pub fn inner(x: f64) -> f64 {
    x.exp()
}

easy_rule! {
    fn inner(x: f64) -> y: f64;
    dy/dx = y;
}
