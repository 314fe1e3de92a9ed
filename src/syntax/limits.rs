//! The limits of what is read; every one of them is an error that names it.

/// Bytes of a file.
pub const FILE_BYTES: usize = 8 * 1024 * 1024;
/// Keys of one object constructor; hcl-edit compares every key with all before it.
pub const OBJECT_KEYS: usize = 5_000;
/// Sum of the squared key counts of all objects in a file: bounds the whole file's time as `OBJECT_KEYS` bounds one's.
pub const OBJECT_WORK: usize = 8 * OBJECT_KEYS * OBJECT_KEYS;
/// Open brackets, braces, parentheses, strings, template sequences and directives, and operators in a row.
pub const NESTING: usize = 200;
/// Levels of the expression tree, counting each step of a traversal and each operator of a chain.
pub const TREE_DEPTH: usize = 512;
/// Nesting above which parsing moves to a thread with a big stack by itself.
pub const INLINE_NESTING: usize = 12;
/// The stack of such a thread, in bytes.
pub const BIG_STACK: usize = 16 * 1024 * 1024;
