//! Tokens as text and as people read them: words, indices, spaces.

pub(crate) mod head;
pub(crate) mod index;
pub(crate) mod pretty;
pub(crate) mod spacing;
pub(crate) mod tail;
pub(crate) mod text;
pub(crate) mod tight;
