//! What can go wrong on a device: always a `Result`.

use std::fmt;

use coenzyme_collective::CommError;

/// The result of whatever touches a device.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong. Whatever returns it has written nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A library or a program that is needed is not installed.
    Missing {
        /// What was looked for, and what it is for.
        what: String,
    },
    /// There is no device of this number.
    NoDevice {
        /// The number asked for.
        ordinal: usize,
        /// How many devices there are.
        count: usize,
    },
    /// The device has no memory left.
    OutOfMemory {
        /// The bytes asked for.
        bytes: usize,
    },
    /// A kernel does not compile.
    Compile {
        /// The Rust function, or the rule, that the kernel is of.
        function: String,
        /// What the compiler says, with lines of the C++ text.
        log: String,
    },
    /// Shapes that do not go together.
    Shape {
        /// The function that refused them.
        function: &'static str,
        /// What it wants.
        expected: String,
        /// What it was given.
        found: String,
    },
    /// An argument lies on another device than the first.
    MixedDevices {
        /// The device of the first argument.
        first: String,
        /// The other one.
        other: String,
    },
    /// An index is out of bounds.
    Index {
        /// The index.
        index: i64,
        /// The length of what it indexes.
        len: usize,
    },
    /// A call of the driver failed; the device goes on.
    Driver {
        /// The call.
        call: &'static str,
        /// What the driver says.
        message: String,
    },
    /// Ranks cannot go on together.
    Ranks(CommError),
    /// A kernel failed, and took the context with it: nothing on this device can be used any more.
    Lost {
        /// The first failure.
        reason: String,
    },
}

impl Error {
    /// Shapes that do not go together.
    pub(crate) fn shape(
        function: &'static str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self::Shape {
            function,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { what } => write!(f, "not found: {what}"),
            Self::NoDevice { ordinal, count } => {
                write!(f, "there is no device {ordinal}: the driver knows {count}")
            }
            Self::OutOfMemory { bytes } => {
                write!(f, "the device has no memory for {bytes} bytes more")
            }
            Self::Compile { function, log } => {
                write!(f, "the kernels of `{function}` do not compile:\n{log}")
            }
            Self::Shape {
                function,
                expected,
                found,
            } => write!(f, "{function}: expected {expected}, found {found}"),
            Self::MixedDevices { first, other } => write!(
                f,
                "arguments on different devices: {first} and {other}; copy one with `to_device`"
            ),
            Self::Index { index, len } => {
                write!(f, "index {index} is out of bounds for length {len}")
            }
            Self::Driver { call, message } => write!(f, "{call}: {message}"),
            Self::Ranks(why) => why.fmt(f),
            Self::Lost { reason } => write!(
                f,
                "the device is lost, and with it all that is on it; the first failure was: {reason}"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<CommError> for Error {
    fn from(why: CommError) -> Self {
        Self::Ranks(why)
    }
}
