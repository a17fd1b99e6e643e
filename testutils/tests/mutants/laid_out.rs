//! yᵢ ← Σⱼ aᵢⱼ²·xⱼ over views, and mistakes that only some layouts or shapes show.

use coenzyme::ndarray::{ArrayRef1, ArrayRef2, Dim};
use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out, severed};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Strides.
    TightRows,
    TightRowsOfShadow,
    TightRowsOfTangent,
    RowsBackwards,
    ColumnsBackwards,
    StepTwo,
    RepeatedColumn,
    MemoryOrder,
    MemoryOrderOfShadow,
    RepeatedTangent,
    RepeatedTangentColumn,
    BackwardsBesideContiguous,
    AlignedBesideUnaligned,
    // Shadows.
    AssignsBelowRowOfZeros,
    AssignsBesideColumnOfZeros,
    // Shapes.
    Square,
    Tall,
    OneRow,
    OneColumn,
}

use Wrong::*;

pub(crate) struct LaidOut(Wrong);

fn squares(y: &mut ArrayRef1<f64>, a: &ArrayRef2<f64>, x: &ArrayRef1<f64>) {
    for (y, row) in y.iter_mut().zip(a.rows()) {
        *y = row.iter().zip(x).map(|(a, x)| a * a * x).sum();
    }
}

impl<Y, A, X> Function<(Y, A, X)> for LaidOut
where
    Y: HoldsMut<ArrayRef1<f64>>,
    A: Holds<ArrayRef2<f64>>,
    X: Holds<ArrayRef1<f64>>,
{
    type Output = ();

    fn call(&self, (mut y, a, x): (Y, A, X)) {
        let (a, x) = (a.get(), x.get());
        assert!(y.get_mut().len() == a.nrows() && x.len() == a.ncols(), "shapes");
        squares(y.get_mut(), a, x);
    }
}

impl Wrong {
    /// What is wrong where the arguments lie so.
    fn applies(self, a: &ArrayRef2<f64>, x: &ArrayRef1<f64>) -> bool {
        let (rows, columns) = a.dim();
        let (of_rows, of_columns) = (a.strides()[0], a.strides()[1]);
        let many = rows > 1 && columns > 1;
        match self {
            TightRows => many && of_columns == 1 && of_rows > columns as isize,
            RowsBackwards => many && of_rows < 0 && of_columns > 0,
            ColumnsBackwards => many && of_rows > 0 && of_columns < 0,
            StepTwo => many && of_columns == 2,
            RepeatedColumn => many && of_columns == 0,
            MemoryOrder => many && !a.is_standard_layout() && a.as_slice_memory_order().is_some() && of_rows == 1,
            BackwardsBesideContiguous => many && a.is_standard_layout() && x.strides()[0] < 0,
            AlignedBesideUnaligned => many && a.is_standard_layout() && !x.as_ptr().addr().is_multiple_of(16),
            Square => rows == columns && rows > 1,
            Tall => rows > columns && columns > 1,
            OneRow => rows == 1 && columns > 1,
            OneColumn => columns == 1 && rows > 1,
            _ => false,
        }
    }

    fn by_a(self, a: &ArrayRef2<f64>, x: &ArrayRef1<f64>, i: usize, j: usize) -> f64 {
        let factor = if self.applies(a, x) && (i > 0 || self == OneRow) { 1.5 } else { 2.0 };
        factor * a[(i, j)] * x[j]
    }

    fn applies_to_tangent(self, da: &ArrayRef2<f64>) -> bool {
        let (rows, columns) = da.dim();
        let (of_rows, of_columns) = (da.strides()[0], da.strides()[1]);
        rows > 1 && columns > 1 && match self {
            TightRowsOfTangent | TightRowsOfShadow => of_columns == 1 && of_rows > columns as isize,
            RepeatedTangent => of_rows == 0,
            RepeatedTangentColumn => of_columns == 0,
            MemoryOrderOfShadow => of_rows == 1 && da.as_slice_memory_order().is_some(),
            _ => false,
        }
    }
}

impl<R, Y, A, X, const W: usize> ForwardRule<R, (Y, A, X), W> for LaidOut
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<ArrayRef1<f64>, W>,
    A: ForwardArg<ArrayRef2<f64>, W>,
    X: ForwardArg<ArrayRef1<f64>, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, a, x): (&mut Y, &mut A, &mut X)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        self.call((y.primal_mut(), a.primal(), x.primal()));
        let (a_, x_) = (a.primal(), x.primal());
        y.assign(|lane, _, dy| {
            for (i, dy) in dy.iter_mut().enumerate() {
                *dy = 0.0;
                for j in 0..x_.len() {
                    if let Some(da) = a.tangent(lane) {
                        let factor = if wrong.applies_to_tangent(da) && i > 0 { 0.5 } else { 1.0 };
                        *dy += scaled(wrong.by_a(a_, x_, i, j) * factor, da[(i, j)], strong);
                    }
                    *dy += scaled(a_[(i, j)] * a_[(i, j)], x.tangent(lane).map_or(0.0, |dx| dx[j]), strong);
                }
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, A, X, const W: usize> ReverseRule<R, (Y, A, X), W> for LaidOut
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<ArrayRef1<f64>, W>,
    A: ReverseArg<ArrayRef2<f64>, W>,
    X: ReverseArg<ArrayRef1<f64>, W>,
{
    /// The partials by `a`, and by `x`.
    type Tape = Vec<[f64; 2]>;

    fn augmented_primal(&self, config: &ReverseConfig, (y, a, x): (&mut Y, &mut A, &mut X)) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        self.call((y.primal_mut(), a.primal(), x.primal()));
        let (a, x) = (a.primal(), x.primal());
        let entries = (0..a.nrows()).flat_map(|i| (0..a.ncols()).map(move |j| (i, j)));
        let tape = entries.map(|(i, j)| [self.0.by_a(a, x, i, j), a[(i, j)] * a[(i, j)]]);
        R::augmented(config, (), tape.collect())
    }

    fn reverse(&self, config: &ReverseConfig, _: R::Cotangent, tape: Self::Tape, (y, a, x): (&mut Y, &mut A, &mut X)) -> (Y::Gradient, A::Gradient, X::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let columns = x.primal().len();
        let seed = |lane: usize, i: usize| y.cotangent(lane).map_or(0.0, |dy| dy[i]);
        let da = a.accumulate(|lane, _, mut da| da.accumulate_with(|da| {
            let factor = if wrong.applies_to_tangent(da) { 0.5 } else { 1.0 };
            let zeros = |line: coenzyme::ndarray::ArrayView1<'_, f64>| line.iter().all(|x| *x == 0.0);
            let several = da.nrows() > 1 && da.ncols() > 1;
            let assigns = match wrong {
                AssignsBelowRowOfZeros => several && zeros(da.row(0)),
                AssignsBesideColumnOfZeros => several && zeros(da.column(0)),
                _ => false,
            };
            for ((i, j), da) in da.indexed_iter_mut() {
                if assigns {
                    *da = 0.0;
                }
                *da += scaled(factor * tape[i * columns + j][0], seed(lane, i), strong);
            }
        }));
        let dx = x.accumulate(|lane, _, mut dx| dx.accumulate_with(|dx| {
            for (at, [_, by_x]) in tape.iter().enumerate() {
                dx[at % columns] += scaled(*by_x, seed(lane, at / columns), strong);
            }
        }));
        (y.consume(), da, dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(Dim([3])).named("y"), input(Dim([3, 4])).named("a"), input(Dim([4])).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("laid_out", LaidOut(wrong)));
    let tester = tester.const_buffers(severed("as Enzyme does"));
    crate::in_mixes!(tester;
        forward [Const; Duplicated, Duplicated, Duplicated]
        reverse [Const; Duplicated, Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        TightRows => S1, "where   ";
        TightRowsOfShadow => S1, "where   ";
        TightRowsOfTangent => S1, "where   ";
        RowsBackwards => S1, "where   ";
        ColumnsBackwards => S1, "where   ";
        StepTwo => S1, "where   ";
        RepeatedColumn => S1, "where   ";
        MemoryOrder => S1, "where   ";
        RepeatedTangent => S1, "where   ";
        RepeatedTangentColumn => S1, "where   ";
        MemoryOrderOfShadow => S1, "where   ";
        BackwardsBesideContiguous => S1, "where   ";
        AlignedBesideUnaligned => S1, "where   ";
        AssignsBelowRowOfZeros => R5, "where   a.shadow";
        AssignsBesideColumnOfZeros => R5, "where   a.shadow";
        Square => Z2, "where   ";
        Tall => Z2, "where   ";
        OneRow => Z2, "where   ";
        OneColumn => Z2, "where   ";
    }
}
