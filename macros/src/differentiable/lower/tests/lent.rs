//! Parts of vectors that grow, lent to calls.

use crate::differentiable::testing::assert_lowered;

#[test]
fn an_entry_of_a_vector_that_has_grown_is_lent_in_place() {
    assert_lowered(
        "fn f(x: f64, n: usize) -> f64 {
            let mut v = Vec::new();
            v.push(g(x));
            let mut s = x;
            for k in 0..n {
                s = h(&v[0], s);
            }
            s
        }",
        "
        fn(x, n)
        let mut v = once Vec::new()
        push v <- call g(x)
        let mut s = x
        for k in 0..n {
            s = call h(&v[0], load s)
        }
        return load s",
    );
}

#[test]
fn an_entry_of_a_vector_that_grows_in_the_same_loop_is_copied() {
    assert_lowered(
        "fn f(x: f64, n: usize) -> f64 {
            let mut v = vec![g(x)];
            let mut s = x;
            for k in 0..n {
                s = h(&v[0], s);
                v.push(g(s));
            }
            s
        }",
        "
        fn(x, n)
        let t2 = call g(x)
        let mut v = once blanks(1)
        v[0] = t2
        let mut s = x
        for k in 0..n {
            let s_now = load s
            let mut apart = copy of v[0] by clone(&v[0])
            let t5 = call h(&apart, s_now)
            s = t5
            push v <- call g(t5)
        }
        return load s",
    );
}
