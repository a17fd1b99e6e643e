//! Calls of functions that have rules: what is called, with what, and how the value comes out of what is returned.

use proc_macro2::Ident;

use super::*;
use crate::associated;
use crate::files::own_file;

/// A call of a function that has rules.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) args: Vec<Arg>,
    /// Whether nothing tells that what is passed by value is another type than the function's number.
    pub(crate) of_numbers: bool,
    /// Whether the result is used.
    pub(crate) used: bool,
    /// What becomes of an error that it returns.
    pub(crate) unpack: Unpack,
    pub(crate) point: Point,
}

/// How the value comes out of the `Result` or `Option` that a call returns.
#[derive(Clone, Default)]
pub(crate) enum Unpack {
    /// It returns none.
    #[default]
    Plain,
    /// An error leaves the function: `f(x)?`, `f(x).map_err(g)?` with the methods in between.
    Question(TokenStream),
    /// `f(x).unwrap()`.
    Method(TokenStream),
}

impl Unpack {
    /// What stands behind the call.
    pub(crate) fn tokens(&self) -> TokenStream {
        match self {
            Unpack::Plain => TokenStream::new(),
            Unpack::Question(methods) => quote::quote!(#methods ?),
            Unpack::Method(tokens) => tokens.clone(),
        }
    }

    /// The methods behind the call.
    pub(crate) fn methods(&self) -> Option<&TokenStream> {
        match self {
            Unpack::Plain => None,
            Unpack::Question(methods) | Unpack::Method(methods) => Some(methods),
        }
    }

    /// Whether an error leaves the function.
    pub(crate) fn leaves(&self) -> bool {
        matches!(self, Unpack::Question(_))
    }
}

/// How an operand stands beside an operator, as far as tokens tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandForm {
    Reference,
    Value,
}

/// What is called.
#[derive(Clone)]
pub(crate) enum Callee {
    /// A function by its path, with generic arguments if any.
    Path(syn::Path),
    /// `X::from`, found by the type of its argument.
    Conversion(syn::Path),
    /// An operator on references, found by the types of its operands.
    Operator(Ident, [OperandForm; 2]),
    /// A method, found by the type of a place. `turbofish`: what is told to the finder.
    Method {
        receiver: Place,
        name: Ident,
        turbofish: Option<syn::AngleBracketedGenericArguments>,
    },
    /// A parameter that is called.
    Value(DefId),
    /// A variant of an enum, made of a tuple: how it is made, and taken apart again.
    Variant {
        make: TokenStream,
        parts: TokenStream,
    },
    /// What a pattern binds to a name, as a part of a value; or the value with another such part.
    Part {
        of: Place,
        pattern: TokenStream,
        name: Ident,
        replaced: bool,
    },
}

impl Call {
    /// Whether argument `index` is in the same memory as one before it.
    pub(crate) fn is_repeated(&self, index: usize) -> bool {
        let base = self.args[index].base();
        base.is_some() && self.args[..index].iter().any(|a| a.base() == base)
    }

    /// Whether a parameter can be handed on: the bound that this takes can be written.
    pub(crate) fn passes_whole(&self) -> bool {
        matches!(&self.callee, Callee::Path(path) if !associated::is_associated(path) && !is_told(path) && !may_be_a_module(path))
            && !self.shares_memory()
            && self.of_numbers
            && self
                .args
                .iter()
                .all(|a| matches!(a, Arg::Whole { .. } | Arg::Value(_)))
    }

    /// Whether two arguments are in the same memory.
    pub(crate) fn shares_memory(&self) -> bool {
        (0..self.args.len()).any(|i| self.is_repeated(i))
    }
}

/// Whether a call says types, `net::<Relu>(x)`, `Matrix::<R, C>::from_slice(x)`: the rule may not be that of the marker which the path names.
fn is_told(path: &syn::Path) -> bool {
    // a lifetime tells nothing
    let says = |segment: &syn::PathSegment| match &segment.arguments {
        syn::PathArguments::AngleBracketed(of) => {
            let lifetime = |arg: &_| matches!(arg, syn::GenericArgument::Lifetime(_));
            !of.args.iter().all(lifetime)
        }
        arguments => !arguments.is_none(),
    };
    path.segments.iter().any(says)
}

/// Whether the last name of a path may mean a module, which is no type that a bound could name.
pub(crate) fn may_be_a_module(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| own_file::may_be_a_module(&s.ident))
}

/// An argument of a call.
#[derive(Clone)]
pub(crate) enum Arg {
    /// An inactive expression, passed as `Const`.
    Const(Expr),
    /// A number, passed as `Active`.
    Value(Atom),
    /// Parameter `index` as a whole: its handle is passed on.
    Whole { root: RootId },
    /// A closure, as a function of its own whose last arguments are what it captures.
    Closure {
        function: Ident,
        captured: Vec<Arg>,
        point: Point,
    },
    /// A part of memory, read.
    Shared(Place),
    /// A part of memory, read and written.
    Exclusive(Place),
}

impl Arg {
    /// The arguments that a function gets by this one: itself, or what a closure captures.
    pub(crate) fn each(&self) -> &[Arg] {
        match self {
            Arg::Closure { captured, .. } => captured,
            arg => std::slice::from_ref(arg),
        }
    }

    /// The memory that is passed.
    pub(crate) fn base(&self) -> Option<Base> {
        match self {
            Arg::Whole { root } => Some(Base::Root(*root)),
            Arg::Shared(place) | Arg::Exclusive(place) => Some(place.base),
            Arg::Const(_) | Arg::Value(_) | Arg::Closure { .. } => None,
        }
    }
}
