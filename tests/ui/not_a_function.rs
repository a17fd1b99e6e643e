use coenzyme::prelude::*;

struct Model {}

fn main() {
    autodiff!(Forward, (Model {}), Duplicated(2.0, 1.0));
}
