//! Σ a²·b over two matrices, refused where one has a negative entry or the other a zero: rules that look at how memory lies, at
//! shapes, or at the arguments in another order.

use coenzyme::ndarray::{ArrayRef2, Dim};
use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

type Matrix = ArrayRef2<f64>;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // S1.
    ReadsColumnsBesideRows,
    ReadsRowsBesideColumns,
    TakesRowsToBeDense,
    // Z2.
    TransposesSquares,
    SwapsWhereTall,
    SkipsFullBlocks,
    // E2.
    LooksAtTheOtherFirst,
    LooksAtTheOtherFirstBack,
}

use Wrong::*;

pub(crate) struct LaidOut(Wrong);

/// Why there is no sum.
#[derive(Debug)]
pub(crate) enum NoSum {
    Negative,
    Zero,
}

fn look(a: &Matrix, b: &Matrix, other_first: bool) -> Result<(), NoSum> {
    let negative = a.iter().any(|a| *a < 0.0);
    let zero = b.iter().any(|b| *b == 0.0);
    match (negative, zero) {
        (true, true) if other_first => Err(NoSum::Zero),
        (true, _) => Err(NoSum::Negative),
        (false, true) => Err(NoSum::Zero),
        (false, false) => Ok(()),
    }
}

fn sum(a: &Matrix, b: &Matrix) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * a * b).sum()
}

impl<A: Holds<Matrix>, B: Holds<Matrix>> Function<(A, B)> for LaidOut {
    type Output = Result<f64, NoSum>;

    fn call(&self, (a, b): (A, B)) -> Result<f64, NoSum> {
        look(a.get(), b.get(), false)?;
        Ok(sum(a.get(), b.get()))
    }
}

impl Wrong {
    /// The entries of `b`, which lies beside `a`, in the order of rows.
    fn entries(self, a: &Matrix, b: &Matrix) -> Vec<f64> {
        let mut entries: Vec<f64> = b.iter().copied().collect();
        let (rows, columns) = (b.nrows(), b.ncols());
        let by_columns = |x: &Matrix| !x.is_standard_layout() && x.strides()[0] == 1;
        let misread = match self {
            ReadsColumnsBesideRows => by_columns(b) && a.is_standard_layout(),
            ReadsRowsBesideColumns => b.is_standard_layout() && by_columns(a),
            TakesRowsToBeDense => rows > 1 && b.strides()[1] == 1 && b.strides()[0] > columns as isize,
            SwapsWhereTall => rows > columns && columns > 1,
            _ => false,
        };
        match self {
            _ if misread => entries.swap(0, 1),
            TransposesSquares if rows == columns && rows > 1 => entries = b.t().iter().copied().collect(),
            SkipsFullBlocks if rows % 8 == 0 && columns % 8 == 0 => entries.fill(0.0),
            _ => {}
        }
        entries
    }
}

impl<R, A, B, const W: usize> ForwardRule<R, (A, B), W> for LaidOut
where
    R: ForwardReturn<W, Out = Result<f64, NoSum>>,
    A: ForwardArg<Matrix, W>,
    B: ForwardArg<Matrix, W>,
{
    fn forward(&self, config: &ForwardConfig, (a, b): (&mut A, &mut B)) -> Result<R::Forward, NoSum> {
        let (pa, pb, strong) = (a.primal(), b.primal(), config.strong_zero());
        look(pa, pb, self.0 == LooksAtTheOtherFirst)?;
        let entries = self.0.entries(pa, pb);
        let tangent = |lane| {
            let by_a = pa.iter().zip(&entries).map(|(a, b)| 2.0 * a * b);
            let by_b = pa.iter().map(|a| a * a);
            let along_a = a.tangent(lane).map_or(0.0, |da| by_a.zip(da).map(|(by, da)| scaled(by, *da, strong)).sum());
            let along_b = b.tangent(lane).map_or(0.0, |db| by_b.zip(db).map(|(by, db)| scaled(by, *db, strong)).sum());
            along_a + along_b
        };
        Ok(R::forward(config, || sum(pa, pb), tangent))
    }
}

impl<R, A, B, const W: usize> ReverseRule<R, (A, B), W> for LaidOut
where
    R: ReverseReturn<W, Out = Result<f64, NoSum>>,
    A: ReverseArg<Matrix, W>,
    B: ReverseArg<Matrix, W>,
{
    type Tape = (Vec<f64>, Vec<f64>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b): (&mut A, &mut B),
    ) -> Result<AugmentedReturn<f64, R::Shadow, Self::Tape>, NoSum> {
        let (a, b) = (a.primal(), b.primal());
        look(a, b, self.0 == LooksAtTheOtherFirstBack)?;
        let tape = (a.iter().copied().collect(), self.0.entries(a, b));
        Ok(R::augmented(config, sum(a, b), tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (pa, pb): Self::Tape,
        (a, b): (&mut A, &mut B),
    ) -> (A::Gradient, B::Gradient) {
        let seed = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let back = |by: f64, lane| scaled(by, seed(lane), config.strong_zero());
        let da = a.accumulate(|lane, _, mut da| {
            da.accumulate_with(|da| {
                let by = pa.iter().zip(&pb).map(|(a, b)| 2.0 * a * b);
                da.iter_mut().zip(by).for_each(|(da, by)| *da += back(by, lane));
            });
        });
        let db = b.accumulate(|lane, _, mut db| {
            db.accumulate_with(|db| db.iter_mut().zip(&pa).for_each(|(db, a)| *db += back(a * a, lane)));
        });
        (da, db)
    }
}

fn judge(wrong: Wrong) -> Report {
    let positive = || input(Dim([2, 3])).within(0.5..4.0);
    let arguments = (positive().named("a"), positive().named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("laid_out", LaidOut(wrong)));
    let tester = tester.errors(Some(|outcome| format!("{outcome:?}")));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        ReadsColumnsBesideRows => S1, "where   ";
        ReadsRowsBesideColumns => S1, "where   ";
        TakesRowsToBeDense => S1, "where   ";
        TransposesSquares => Z2, "size 3_3";
        SwapsWhereTall => Z2, "size 3_2";
        SkipsFullBlocks => Z2, "size 8_8";
        LooksAtTheOtherFirst => E2, "Zero";
        LooksAtTheOtherFirstBack => E2, "Zero";
    }
}
