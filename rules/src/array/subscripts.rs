//! Sums of products named by subscripts.
//!
//! Each operand is brought to one axis for each of its letters (the diagonal, where a letter repeats), letters that occur in it
//! alone are summed, and the rest is one [`batch_matmul()`]. The cotangent of an operand is such a product
//! of the other operand and the cotangent of the value, spread back over the diagonal and along the summed letters.

use coenzyme::primitive;
use ndarray::{ArrayD, ArrayRef, Dimension, Ix3, IxDyn};

use crate::class::{Bilinear, Linear, Product, Scalar, Transposed};
use crate::linalg::batch_matmul;
use crate::{binary_rule, unary_rule};

/// The sum over products of two arrays that the subscripts name: one letter for each axis of `x`, a comma, those of `y`, `->`,
/// and those of the value. A letter that is not in the value is summed. A letter that occurs twice in one operand takes its
/// diagonal.
///
/// | subscripts | value |
/// |---|---|
/// | `ij,jk->ik` | matrix product |
/// | `bij,bjk->bik` | product of each pair |
/// | `i,j->ij` | outer product |
/// | `ij,ij->` | inner product |
/// | `ii,i->` | diagonal with a vector |
///
/// The value has axes of run-time number. It costs a copy of each operand and one matrix product for each value of the letters
/// that both operands and the value have. More operands are nested calls; one is [`einsum_one()`]. There are no `...` and no implicit
/// value.
///
/// Forward `ż = einsum(ẋ, y) + einsum(x, ẏ)`; reverse likewise, with the subscripts exchanged.
///
/// **Panics**, with the subscripts, if they are not of this form, name another number of axes, give a letter two lengths, or the
/// value has a letter twice or one that no operand has.
///
/// ```
/// # use ndarray::array;
/// let x = array![[1.0, 2.0], [3.0, 4.0]];
/// let z = coenzyme_rules::array::einsum(&x, &array![1.0, -1.0], "ij,j->i");
/// assert_eq!(z, array![-1.0, -1.0].into_dyn());
/// ```
#[primitive]
#[track_caller]
pub fn einsum<T: Scalar, D: Dimension, E: Dimension>(
    x: &ArrayRef<T, D>,
    y: &ArrayRef<T, E>,
    subscripts: &str,
) -> ArrayD<T> {
    einsum::product(x, y, (subscripts,))
}

/// [`einsum()`] of one operand: diagonals, sums and permutations of axes, `ij->ji`, `ii->`, `bij->bj`. **Panics** likewise.
///
/// Forward: of the tangent. Reverse: each cotangent to all entries that were summed in it.
///
/// ```
/// # use ndarray::array;
/// let x = array![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(coenzyme_rules::array::einsum_one(&x, "ii->i"), array![1.0, 4.0].into_dyn());
/// ```
#[primitive]
#[track_caller]
pub fn einsum_one<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, subscripts: &str) -> ArrayD<T> {
    einsum_one::apply(x, (subscripts,))
}

type Letters = Vec<char>;

/// The letters of the operands and of the value.
#[track_caller]
fn parse<const N: usize>(subscripts: &str) -> ([Letters; N], Letters) {
    let malformed = || -> ! {
        panic!(
            "einsum: {subscripts:?} is not of the form {:?}",
            if N == 1 { "ij->ji" } else { "ij,jk->ik" }
        )
    };
    let letters = |part: &str| -> Letters {
        let letters: Letters = part.chars().filter(|c| !c.is_whitespace()).collect();
        if !letters.iter().all(char::is_ascii_alphabetic) {
            malformed();
        }
        letters
    };
    let Some((operands, value)) = subscripts.split_once("->") else {
        malformed()
    };
    let operands: Vec<Letters> = operands.split(',').map(letters).collect();
    let Ok(operands) = <[Letters; N]>::try_from(operands) else {
        malformed()
    };
    let value = letters(value);
    for (i, c) in value.iter().enumerate() {
        assert!(
            operands.iter().any(|o| o.contains(c)),
            "einsum: no operand of {subscripts:?} has the letter {c} of the value"
        );
        assert!(
            !value[..i].contains(c),
            "einsum: the value of {subscripts:?} has the letter {c} twice"
        );
    }
    (operands, value)
}

/// Lengths by letter.
#[derive(Clone, Debug, Default)]
struct Lengths(Vec<(char, usize)>);

impl Lengths {
    /// Takes note of the axes of one operand.
    #[track_caller]
    fn note(&mut self, subscripts: &str, letters: &[char], shape: &[usize]) {
        assert!(
            letters.len() == shape.len(),
            "einsum: {subscripts:?} has {} letters for an operand of shape {shape:?}",
            letters.len()
        );
        for (&c, &n) in letters.iter().zip(shape) {
            match self.0.iter().find(|known| known.0 == c) {
                Some(&(_, m)) => assert!(
                    m == n,
                    "einsum: the letter {c} of {subscripts:?} has the lengths {m} and {n}"
                ),
                None => self.0.push((c, n)),
            }
        }
    }

    fn of(&self, letters: &[char]) -> Vec<usize> {
        let length = |c: &char| self.0.iter().find(|known| known.0 == *c).map(|k| k.1);
        letters
            .iter()
            .map(|c| length(c).expect("every letter is noted"))
            .collect()
    }
}

/// The place of each of `letters` among `among`.
fn places(letters: &[char], among: &[char]) -> Vec<usize> {
    let place = |c: &char| among.iter().position(|d| d == c);
    letters
        .iter()
        .map(|c| place(c).expect("a letter that is there"))
        .collect()
}

/// The entries of `x` with these letters, summed over those that are not in `kept`, with one axis for each of `kept`.
fn collect<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    letters: &[char],
    kept: &[char],
    lengths: &Lengths,
) -> ArrayD<T> {
    let x = x.view().into_dyn();
    if letters.len() == kept.len() {
        return x
            .permuted_axes(places(kept, letters))
            .as_standard_layout()
            .into_owned();
    }
    let mut y = ArrayD::zeros(lengths.of(kept));
    visit(&x, letters, kept, |at, x| y[at] += *x);
    y
}

/// Adds to `x` what [`collect()`] makes of its tangent: `x̄ += collectᵀ(ȳ)`.
fn spread<T: Scalar, D: Dimension>(
    y: &ArrayD<T>,
    letters: &[char],
    kept: &[char],
    x: &mut ArrayRef<T, D>,
) {
    let mut x = x.view_mut().into_dyn();
    if letters.len() == kept.len() {
        x += &y.view().permuted_axes(places(letters, kept));
        return;
    }
    let from = places(kept, letters);
    let mut at = vec![0; kept.len()];
    for (index, x) in x.indexed_iter_mut() {
        let index = index.slice();
        if on_diagonal(index, letters) {
            at.iter_mut().zip(&from).for_each(|(at, &i)| *at = index[i]);
            *x += y[&at[..]];
        }
    }
}

/// Gives `f` the place among `kept` of each entry that is on the diagonal of the repeated letters.
fn visit<T>(
    x: &ArrayRef<T, IxDyn>,
    letters: &[char],
    kept: &[char],
    mut f: impl FnMut(&[usize], &T),
) {
    let from = places(kept, letters);
    let mut at = vec![0; kept.len()];
    for (index, x) in x.indexed_iter() {
        let index = index.slice();
        if on_diagonal(index, letters) {
            at.iter_mut().zip(&from).for_each(|(at, &i)| *at = index[i]);
            f(&at, x);
        }
    }
}

/// Whether the indices of each repeated letter agree.
fn on_diagonal(index: &[usize], letters: &[char]) -> bool {
    (letters.iter().enumerate()).all(|(i, c)| {
        letters[..i]
            .iter()
            .zip(index)
            .all(|(d, &j)| d != c || j == index[i])
    })
}

/// The letters of one list that are in each of `inside` and in none of `outside`, once each.
fn pick(letters: &[char], inside: &[&[char]], outside: &[&[char]]) -> Letters {
    let mut picked = Letters::new();
    for c in letters {
        if inside.iter().all(|s| s.contains(c))
            && !outside.iter().any(|s| s.contains(c))
            && !picked.contains(c)
        {
            picked.push(*c);
        }
    }
    picked
}

/// The product of `x` and `y`, with one axis for each letter of the value.
fn contract<T: Scalar, D: Dimension, E: Dimension>(
    (x, of_x): (&ArrayRef<T, D>, &[char]),
    (y, of_y): (&ArrayRef<T, E>, &[char]),
    value: &[char],
    lengths: &Lengths,
) -> ArrayD<T> {
    let batch = pick(of_x, &[of_y, value], &[]);
    let summed = pick(of_x, &[of_y], &[value]);
    let (rows, columns) = (pick(of_x, &[value], &[of_y]), pick(of_y, &[value], &[of_x]));
    let size = |letters: &[char]| lengths.of(letters).iter().product::<usize>();
    let stack = |x: ArrayD<T>, m: usize, n: usize| {
        x.into_shape_with_order((size(&batch), m, n))
            .expect("as many entries")
            .into_dimensionality::<Ix3>()
            .expect("three axes")
    };
    let a = [&batch[..], &rows, &summed].concat();
    let b = [&batch[..], &summed, &columns].concat();
    let a = stack(collect(x, of_x, &a, lengths), size(&rows), size(&summed));
    let b = stack(collect(y, of_y, &b, lengths), size(&summed), size(&columns));
    let z = [&batch[..], &rows, &columns].concat();
    let product = batch_matmul(&a, &b)
        .into_shape_with_order(lengths.of(&z))
        .expect("as many entries");
    product
        .permuted_axes(places(value, &z))
        .as_standard_layout()
        .into_owned()
}

impl einsum {
    /// `x̄ +=` the product of the cotangent `dz` and `y`.
    fn pull<T: Scalar, D: Dimension, E: Dimension>(
        (dz, value): (&ArrayD<T>, &[char]),
        (y, of_y): (&ArrayRef<T, E>, &[char]),
        (dx, of_x): (&mut ArrayRef<T, D>, &[char]),
        subscripts: &str,
    ) {
        let mut lengths = Lengths::default();
        lengths.note(subscripts, of_x, dx.shape());
        lengths.note(subscripts, of_y, y.shape());
        // Letters of x alone were summed: their cotangent is the same along them.
        let mut kept = pick(of_x, &[value], &[]);
        kept.extend(pick(of_x, &[of_y], &[value]));
        let g = contract((dz, value), (y, of_y), &kept, &lengths);
        spread(&g, of_x, &kept, dx);
    }
}

impl<T: Scalar, D: Dimension, E: Dimension> Bilinear<ArrayRef<T, D>, ArrayRef<T, E>> for einsum {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a str,);

    #[track_caller]
    fn product(x: &ArrayRef<T, D>, y: &ArrayRef<T, E>, (subscripts,): (&str,)) -> ArrayD<T> {
        let ([of_x, of_y], value) = parse(subscripts);
        let mut lengths = Lengths::default();
        lengths.note(subscripts, &of_x, x.shape());
        lengths.note(subscripts, &of_y, y.shape());
        contract((x, &of_x), (y, &of_y), &value, &lengths)
    }
    fn transpose_x(
        dz: &ArrayD<T>,
        y: &ArrayRef<T, E>,
        dx: &mut ArrayRef<T, D>,
        (subscripts,): (&str,),
    ) {
        let ([of_x, of_y], value) = parse(subscripts);
        Self::pull((dz, &value), (y, &of_y), (dx, &of_x), subscripts);
    }
    fn transpose_y(
        dz: &ArrayD<T>,
        x: &ArrayRef<T, D>,
        dy: &mut ArrayRef<T, E>,
        (subscripts,): (&str,),
    ) {
        let ([of_x, of_y], value) = parse(subscripts);
        Self::pull((dz, &value), (x, &of_x), (dy, &of_y), subscripts);
    }
}

impl<T: Scalar, D: Dimension> Linear<ArrayRef<T, D>> for einsum_one {
    type Out = ArrayD<T>;
    type Attrs<'a> = (&'a str,);

    #[track_caller]
    fn apply(x: &ArrayRef<T, D>, (subscripts,): (&str,)) -> ArrayD<T> {
        let ([of_x], value) = parse(subscripts);
        let mut lengths = Lengths::default();
        lengths.note(subscripts, &of_x, x.shape());
        collect(x, &of_x, &value, &lengths)
    }
    fn transpose(dy: &ArrayD<T>, dx: &mut ArrayRef<T, D>, (subscripts,): (&str,)) {
        let ([of_x], value) = parse(subscripts);
        spread(dy, &of_x, &value, dx);
    }
}

binary_rule!(
    einsum[T: Scalar, D: Dimension, E: Dimension](x: ArrayRef<T, D>, y: ArrayRef<T, E>; subscripts: str)
        = Product<einsum>
);
unary_rule!(
    einsum_one[T: Scalar, D: Dimension](x: ArrayRef<T, D>; subscripts: str) = Transposed<einsum_one>
);
