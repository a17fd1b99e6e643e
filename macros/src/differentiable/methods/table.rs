//! The methods that the compiler has a meaning for, each in one row. Every premise that is taken from here is asserted by `premises`.
//!
//! To teach the compiler a method, give it a row: the name suite shows what nothing asserts yet.

/// What is known of a method of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fact {
    /// A method of the standard library's containers and iterators: one of another name is looked up in its receiver's type.
    Standard,
    /// Has a meaning for some receivers, and is looked up in the type of others.
    Meant,
    /// Searches an iterator, and answers without derivative.
    Searches,
    /// Compares, and answers without derivative.
    Compares,
    /// Answers without derivative, and takes no argument.
    AsksNothing,
    /// Answers without derivative.
    Asks,
    /// Asks for a length, and reads no entry.
    AsksLength,
    /// Has no effect on inactive values, so that it can be run again.
    Pure,
    /// Changes its receiver.
    Changes,
    /// Changes the length of its receiver.
    Resizes,
    /// Puts entries to other places.
    Reorders,
    /// Is called for what it does.
    GivesNothing,
    /// Changes an iterator or an `Option`, or is another method of that name.
    Steps,
    /// An iterator goes on from elsewhere after it.
    Advances,
    /// Makes an iterator of memory.
    Starts,
    /// Makes an iterator of slices.
    GivesSlices,
    /// Makes an iterator of an iterator.
    Adapts,
    /// The number of elements is not known after it.
    LosesCount,
    /// Gives what an `Option` or a `Result` holds, or panics.
    Unwraps,
    /// A slice has it, and a vector only because it is one.
    OfSlices,
    /// No slice, vector or fixed array has it; those of `ndarray` are such, too.
    NotOfSlices,
    /// Nothing but an array of `ndarray` has it.
    OfArrays,
    /// `Option` and `Result` have it, and few types of a user's.
    OfOptions,
    /// `Option` and `Result` alone have it.
    OfOutcomes,
    /// Leaves its receiver as it is, but takes it by value.
    Consumes,
    /// Its argument is computed whether or not it is needed.
    Eager,
}

struct Method {
    name: &'static str,
    /// How many arguments it takes; a call with another number is one of a method of the user's own.
    arguments: Option<usize>,
    facts: u32,
}

/// The row of a name.
fn row(name: &str) -> Option<&'static Method> {
    let found = METHODS.binary_search_by(|method| method.name.cmp(name));
    found.ok().map(|i| &METHODS[i])
}

/// Whether something is known of methods of this name.
pub(crate) fn is(name: &str, fact: Fact) -> bool {
    row(name).is_some_and(|method| method.facts & (1 << fact as u32) != 0)
}

/// Whether a method of the standard library of this name takes so many arguments.
pub(crate) fn has_std_arity(name: &str, arguments: usize) -> bool {
    let expected = row(name).and_then(|method| method.arguments);
    expected.is_none_or(|expected| expected == arguments)
}

/// Whether anything is known of a method of this name.
pub(crate) fn is_known(name: &str) -> bool {
    row(name).is_some()
}

/// Methods of the standard library's containers and iterators: a method of any other name is looked up in its receiver's type.
pub(crate) fn is_std_method(name: &str) -> bool {
    is(name, Fact::Standard)
}

/// Methods whose result carries no derivative, and that take what they ask about by reference.
pub(crate) fn is_query_of_a_value(name: &str) -> bool {
    is(name, Fact::AsksNothing) || is(name, Fact::Asks) || is(name, Fact::Compares)
}

/// Methods of inactive values without effect, so that they can be run again.
pub(crate) fn is_pure(name: &str) -> bool {
    is(name, Fact::Pure) || is_query_of_a_value(name) || super::operations::is_operation(name)
}

/// Methods that change their receiver.
pub(crate) fn changes(name: &str) -> bool {
    // a raw name is one of the crate's own: see `own_calls`
    is(name, Fact::Changes) || name.ends_with("_mut") && !name.starts_with("r#")
}

/// Whether a method may change its receiver, as far as its name tells.
pub(crate) fn may_change(name: &str) -> bool {
    changes(name) || is(name, Fact::Steps) || !is_pure(name) && !is_std_method(name)
}

/// Methods that change the length of a vector.
pub(crate) fn resizes(name: &str) -> bool {
    is(name, Fact::Resizes)
}

/// Whether a method leaves its receiver as long as it was, as far as its name tells.
pub(crate) fn keeps_length(name: &str) -> bool {
    let known = is_std_method(name) || changes(name);
    is_pure(name) || known && !resizes(name)
}

/// Methods that are called for what they do.
pub(crate) fn returns_nothing(name: &str) -> bool {
    is(name, Fact::GivesNothing)
}

/// Methods that nothing but an array of `ndarray` has.
pub(crate) fn is_of_arrays(name: &str) -> bool {
    let shared = name.strip_suffix("_mut").unwrap_or(name);
    is(shared, Fact::OfArrays)
}

macro_rules! methods {
    ($($name:literal, $arguments:tt: $($fact:ident)|+;)*) => {
        const METHODS: &[Method] = &[$(Method {
            name: $name,
            arguments: methods!(@arguments $arguments),
            facts: $(1 << Fact::$fact as u32)|+,
        }),*];
    };
    (@arguments _) => { None };
    (@arguments $arguments:literal) => { Some($arguments) };
}

methods! {
    // the name, its number of arguments if another tells that a method is not this one, and what is known, in the order of names
    "abs_diff",                _: Pure;
    "accumulate_axis_inplace", _: Meant;
    "all",                     1: Searches;
    "and",                     _: Eager;
    "and_then",                _: Standard | NotOfSlices | OfOptions;
    "any",                     1: Searches;
    "append",                  1: Standard | Changes | Resizes | GivesNothing;
    "array_chunks",            _: Standard;
    "array_windows",           _: Standard;
    "as_bytes",                _: Pure;
    "as_chunks",               _: Standard;
    "as_deref",                _: Meant | Pure;
    "as_mut",                  _: Meant;
    "as_mut_slice",            _: Meant;
    "as_ref",                  _: Meant | Pure;
    "as_slice",                _: Meant;
    "as_str",                  0: AsksNothing;
    "assign",                  _: Meant;
    "axis_chunks_iter",        _: OfArrays;
    "axis_iter",               _: OfArrays;
    "axis_windows",            _: OfArrays;
    "binary_search_by",        _: Standard | Asks;
    "broadcast",               _: Meant;
    "by_ref",                  _: Steps | Advances | NotOfSlices;
    "capacity",                _: AsksNothing;
    "chain",                   _: Adapts | LosesCount | NotOfSlices;
    "checked_add",             _: Pure;
    "checked_mul",             _: Pure;
    "checked_sub",             _: Pure;
    "chunks",                  1: Standard | Starts | GivesSlices | OfSlices;
    "chunks_exact",            _: Meant | Starts | GivesSlices | OfSlices;
    "chunks_exact_mut",        _: Meant | Starts | OfSlices;
    "chunks_mut",              _: Standard | Starts | OfSlices;
    "clear",                   0: Standard | Changes | Resizes | GivesNothing;
    "clone",                   _: Pure;
    "clone_from_slice",        _: Changes | GivesNothing | OfSlices;
    "cloned",                  _: Pure | Adapts | NotOfSlices | Consumes;
    "cmp",                     _: Compares;
    "collect",                 0: Standard | NotOfSlices;
    "column",                  _: NotOfSlices;
    "columns",                 _: Meant;
    "concat",                  _: Standard | OfSlices;
    "contains",                1: Pure | OfSlices;
    "copied",                  _: Pure | Adapts | NotOfSlices | Consumes;
    "copy_from_slice",         _: Changes | GivesNothing | OfSlices;
    "copy_within",             _: Standard | Changes | GivesNothing | OfSlices;
    "count",                   0: Searches;
    "count_ones",              _: Pure;
    "cycle",                   _: Adapts | LosesCount | NotOfSlices;
    "dedup",                   _: Standard | Changes | Resizes | GivesNothing;
    "diag",                    _: NotOfSlices | OfArrays;
    "dim",                     _: AsksNothing | AsksLength;
    "div_ceil",                _: Pure;
    "div_euclid",              _: Standard | Pure;
    "dot",                     _: NotOfSlices;
    "drain",                   _: Standard | Changes | Resizes | Steps;
    "end",                     _: Pure;
    "ends_with",               _: Pure;
    "entry",                   _: Meant;
    "enumerate",               _: Adapts | NotOfSlices;
    "eq",                      _: Compares;
    "eq_ignore_ascii_case",    _: Pure;
    "expect",                  _: Standard | Unwraps | OfOptions | OfOutcomes;
    "extend",                  1: Standard | Changes | Resizes | GivesNothing;
    "extend_from_slice",       _: Standard | Changes | Resizes | GivesNothing;
    "extend_from_within",      _: Standard | Changes | Resizes | GivesNothing;
    "fill",                    _: Meant | Changes | GivesNothing | OfSlices;
    "fill_with",               _: Standard | Changes | GivesNothing;
    "filter",                  _: Adapts | LosesCount | NotOfSlices;
    "filter_map",              1: Standard | Adapts | LosesCount | NotOfSlices;
    "find",                    1: Standard | NotOfSlices;
    "first",                   0: Standard | Pure | OfSlices;
    "first_chunk",             _: Meant | OfSlices;
    "first_mut",               _: Standard | OfSlices;
    "flat_map",                _: Standard | Adapts | LosesCount | NotOfSlices;
    "flatten",                 0: Standard | Adapts | LosesCount | NotOfSlices;
    "fold",                    2: Standard | NotOfSlices;
    "fold_axis",               _: OfArrays;
    "for_each",                1: Standard | GivesNothing | NotOfSlices;
    "ge",                      _: Compares;
    "get",                     1: Standard | Pure | OfSlices;
    "get_mut",                 _: Standard | OfSlices;
    "get_or_insert",           _: Eager;
    "get_unchecked",           _: Standard;
    "gt",                      _: Compares;
    "ilog10",                  _: Pure;
    "ilog2",                   _: Pure;
    "index_axis",              _: OfArrays;
    "index_axis_move",         _: OfArrays;
    "indexed_iter",            _: OfArrays;
    "insert",                  _: Standard | Changes | Resizes | Steps | Eager;
    "insert_axis",             _: OfArrays;
    "inspect",                 _: Standard | Adapts | NotOfSlices;
    "into_boxed_slice",        _: Standard;
    "into_iter",               0: Standard | Adapts;
    "into_owned",              _: NotOfSlices;
    "into_shape_with_order",   _: OfArrays;
    "is_empty",                _: AsksNothing | AsksLength;
    "is_err",                  _: AsksNothing | OfOutcomes;
    "is_finite",               _: AsksNothing;
    "is_infinite",             _: AsksNothing;
    "is_nan",                  _: AsksNothing;
    "is_negative",             _: Pure;
    "is_none",                 _: AsksNothing | OfOptions | OfOutcomes;
    "is_normal",               _: AsksNothing;
    "is_ok",                   _: AsksNothing | OfOutcomes;
    "is_positive",             _: Pure;
    "is_power_of_two",         _: Pure;
    "is_sign_negative",        _: AsksNothing;
    "is_sign_positive",        _: AsksNothing;
    "is_some",                 _: AsksNothing | OfOptions | OfOutcomes;
    "is_some_and",             _: Pure;
    "is_sorted",               _: Standard | Asks | OfSlices;
    "isqrt",                   _: Pure;
    "iter",                    0: Standard | Starts | OfSlices;
    "iter_mut",                0: Standard | Starts | OfSlices;
    "join",                    _: Standard | OfSlices;
    "lanes",                   _: OfArrays;
    "last",                    0: Standard | Pure | OfSlices;
    "last_chunk",              _: Meant | OfSlices;
    "last_mut",                _: Standard | OfSlices;
    "le",                      _: Compares;
    "leading_zeros",           _: Pure;
    "len",                     _: AsksNothing | AsksLength;
    "len_of",                  _: Asks;
    "lt",                      _: Compares;
    "map",                     1: Standard | Adapts;
    "map_axis",                _: OfArrays;
    "map_err",                 _: Standard;
    "map_inplace",             _: Meant;
    "map_or",                  _: Meant | OfOptions | OfOutcomes | Eager;
    "map_or_else",             _: Meant | OfOptions | OfOutcomes;
    "map_while",               _: Standard | Adapts | LosesCount | NotOfSlices;
    "mapv",                    _: NotOfSlices | OfArrays;
    "mapv_inplace",            _: Meant;
    "mapv_into",               _: OfArrays;
    "max",                     _: Pure;
    "max_by",                  _: Standard | NotOfSlices;
    "max_by_key",              _: Standard | NotOfSlices;
    "mean",                    _: NotOfSlices;
    "mean_axis",               _: NotOfSlices | OfArrays;
    "min",                     _: Pure;
    "min_by",                  _: Standard | NotOfSlices;
    "min_by_key",              _: Standard | NotOfSlices;
    "ncols",                   _: AsksNothing | AsksLength;
    "ndim",                    _: AsksNothing;
    "ne",                      _: Compares;
    "next",                    0: Standard | Steps | Advances | NotOfSlices;
    "next_back",               _: Steps | NotOfSlices;
    "next_down",               _: Standard;
    "next_if",                 _: Advances | NotOfSlices;
    "next_multiple_of",        _: Pure;
    "next_up",                 _: Standard;
    "not",                     _: Pure;
    "nrows",                   _: AsksNothing | AsksLength;
    "nth",                     1: Standard | Steps | Advances | NotOfSlices;
    "ok",                      _: Standard;
    "ok_or",                   _: Standard | OfOptions | Eager;
    "ok_or_else",              _: Meant | OfOptions;
    "or",                      _: OfOptions | Eager;
    "or_else",                 _: Standard | OfOptions;
    "outer_iter",              _: OfArrays;
    "partial_cmp",             _: Compares;
    "partition",               _: Standard | NotOfSlices;
    "partition_point",         _: Asks;
    "peek",                    _: Advances | NotOfSlices;
    "peekable",                0: Standard | Adapts | NotOfSlices;
    "permuted_axes",           _: OfArrays;
    "pop",                     0: Standard | Changes | Resizes;
    "position",                1: Searches;
    "pow",                     _: Pure;
    "product",                 0: Standard | NotOfSlices;
    "product_axis",            _: NotOfSlices;
    "push",                    1: Standard | Changes | Resizes | GivesNothing;
    "push_str",                _: Changes | Resizes | GivesNothing;
    "raw_dim",                 _: Asks | AsksLength;
    "rchunks",                 _: Standard | Starts | GivesSlices;
    "reborrow",                _: NotOfSlices;
    "reduce",                  1: Standard | NotOfSlices;
    "rem_euclid",              _: Pure;
    "remove",                  1: Standard | Changes | Resizes;
    "remove_axis",             _: OfArrays;
    "replace",                 _: Standard | Steps | Eager;
    "reserve",                 _: Standard | GivesNothing;
    "reserve_exact",           _: Standard | GivesNothing;
    "resize",                  2: Standard | Changes | Resizes | GivesNothing;
    "resize_with",             _: Standard | Changes | Resizes | GivesNothing;
    "retain",                  1: Standard | Changes | Resizes | GivesNothing;
    "rev",                     _: Pure | Adapts | NotOfSlices | Consumes;
    "reverse",                 0: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "reversed_axes",           _: OfArrays;
    "rotate_left",             _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "rotate_right",            _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "row",                     _: NotOfSlices;
    "rows",                    _: Meant;
    "rposition",               1: Searches;
    "rsplit",                  _: Standard;
    "saturating_add",          _: Pure;
    "saturating_sub",          _: Pure;
    "scaled_add",              _: NotOfSlices;
    "scan",                    2: Standard | Adapts | LosesCount | NotOfSlices;
    "select",                  _: NotOfSlices;
    "select_nth_unstable_by",  _: Standard | Changes | Reorders | OfSlices;
    "shape",                   _: AsksNothing | AsksLength;
    "shrink_to",               _: Standard | GivesNothing;
    "shrink_to_fit",           _: Standard | GivesNothing;
    "skip",                    _: Adapts | NotOfSlices;
    "skip_while",              _: Standard | Adapts | LosesCount | NotOfSlices;
    "slice",                   _: Meant;
    "slice_mut",               _: Meant;
    "sort",                    _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "sort_by",                 _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "sort_by_cached_key",      _: Standard | Changes | Reorders | GivesNothing;
    "sort_by_key",             _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "sort_unstable",           _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "sort_unstable_by",        _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "sort_unstable_by_key",    _: Standard | Changes | Reorders | GivesNothing;
    "split",                   _: Standard;
    "split_at",                1: Standard | Pure | OfSlices;
    "split_at_mut",            _: Standard | OfSlices;
    "split_first",             _: Standard | Pure | OfSlices;
    "split_first_mut",         _: Standard | OfSlices;
    "split_inclusive",         _: Standard;
    "split_last",              _: Standard | Pure | OfSlices;
    "split_last_mut",          _: Standard | OfSlices;
    "split_off",               _: Standard | Changes | Resizes;
    "start",                   _: Pure;
    "starts_with",             _: Pure;
    "std",                     _: NotOfSlices;
    "std_axis",                _: OfArrays;
    "step_by",                 _: Pure | Adapts | NotOfSlices | Consumes;
    "successors",              _: Standard;
    "sum",                     0: Standard | NotOfSlices;
    "sum_axis",                _: NotOfSlices | OfArrays;
    "swap",                    _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "swap_axes",               _: Meant;
    "swap_remove",             _: Standard | Changes | Resizes;
    "swap_with_slice",         _: Standard | Changes | Reorders | GivesNothing | OfSlices;
    "t",                       _: NotOfSlices;
    "take",                    _: Standard | Steps | Adapts;
    "take_while",              _: Standard | Adapts | LosesCount | NotOfSlices;
    "then",                    _: Meant;
    "then_some",               _: Meant | Eager;
    "to_bits",                 _: AsksNothing;
    "to_i128",                 0: AsksNothing;
    "to_i16",                  0: AsksNothing;
    "to_i32",                  0: AsksNothing;
    "to_i64",                  0: AsksNothing;
    "to_i8",                   0: AsksNothing;
    "to_isize",                0: AsksNothing;
    "to_owned",                _: Meant | Pure | Consumes;
    "to_shape",                _: OfArrays;
    "to_string",               _: Standard;
    "to_u128",                 0: AsksNothing;
    "to_u16",                  0: AsksNothing;
    "to_u32",                  0: AsksNothing;
    "to_u64",                  0: AsksNothing;
    "to_u8",                   0: AsksNothing;
    "to_usize",                0: AsksNothing;
    "to_vec",                  _: Meant | OfSlices;
    "total_cmp",               _: Compares;
    "trailing_zeros",          _: Pure;
    "truncate",                1: Standard | Changes | Resizes | GivesNothing;
    "try_fold",                _: Standard | NotOfSlices;
    "try_into",                _: Meant;
    "unsigned_abs",            _: Pure;
    "unwrap",                  0: Standard | Unwraps | NotOfSlices | OfOptions | OfOutcomes;
    "unwrap_or",               _: Pure | NotOfSlices | OfOptions | OfOutcomes | Consumes | Eager;
    "unwrap_or_default",       _: Standard | NotOfSlices | OfOptions | OfOutcomes;
    "unwrap_or_else",          _: Standard | NotOfSlices | OfOptions | OfOutcomes;
    "unzip",                   _: Standard | NotOfSlices;
    "var",                     _: NotOfSlices;
    "var_axis",                _: OfArrays;
    "view",                    _: NotOfSlices;
    "view_mut",                _: NotOfSlices;
    "windows",                 _: Meant | Starts | GivesSlices | OfSlices;
    "wrapping_add",            _: Pure;
    "wrapping_mul",            _: Pure;
    "wrapping_sub",            _: Pure;
    "xor",                     _: Eager;
    "zip",                     _: Standard | Adapts | NotOfSlices | Eager;
    "zip_mut_with",            _: Meant;
}

#[test]
fn the_rows_are_in_the_order_of_their_names() {
    assert!(METHODS.is_sorted_by(|a, b| a.name < b.name));
}

#[test]
fn what_resizes_or_reorders_changes_its_receiver() {
    let named = |name| is(name, Fact::Resizes) || is(name, Fact::Reorders);
    let changing = METHODS.iter().filter(|method| named(method.name));
    for method in changing {
        assert!(is(method.name, Fact::Changes), "{}", method.name);
    }
}
