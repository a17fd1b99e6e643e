//! What files say beside the item that an attribute sees: that in which it stands, those of its crate, and the manifest.
//!
//! Only what cannot be wrong in silence is taken from here: a proposal that the generated code asserts by types, or a refusal.
//!
//! | module | what it tells |
//! |---|---|
//! | `answers` | what was found in files, for the attributes after |
//! | `nearest` | of a name that several files have, what the one says in which it stands |
//! | `source` | parses the file of an identifier |
//! | `scope` | names of modules and blocks: whether `self::f` is `f` |
//! | `own_names` | names of the standard library that the file gives to something else |
//! | `own_lenders` | methods that lend a part of their receiver, which integers choose |
//! | `own_method` | methods of one name of one type |
//! | `own_clone`, `own_index` | a `Clone` that computes, an `Index` that reads numbers |
//! | `own_copies` | types whose copies have tangents |
//! | `own_field` | fields that are vectors or arrays |
//! | `own_shape` | fields whose values have one shape |
//! | `own_sums` | how values of own types add |
//! | `own_types` | the types of fields, and of what functions give |
//! | `own_file` | a function in a file of its own name |
//! | `own_text`, `crate_names`, `own_alias` | declarations of the crate: aliases, enums of names alone, lifetimes that are left out |
//! | `here` | where a marked trait stands |
//! | `edition` | the edition, by the manifest |

pub(crate) mod answers;
pub(crate) mod crate_names;
pub(crate) mod edition;
pub(crate) mod here;
pub(crate) mod nearest;
pub(crate) mod own_alias;
pub(crate) mod own_clone;
pub(crate) mod own_copies;
pub(crate) mod own_field;
pub(crate) mod own_file;
pub(crate) mod own_index;
pub(crate) mod own_lenders;
pub(crate) mod own_method;
pub(crate) mod own_names;
pub(crate) mod own_shape;
pub(crate) mod own_sums;
pub(crate) mod own_tangent;
pub(crate) mod own_text;
pub(crate) mod own_types;
pub(crate) mod scope;
pub(crate) mod source;
