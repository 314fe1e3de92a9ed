//! Functions on paths as text.
//!
//! Paths follow the rules of Unix, as Terraform's do there.
//! A result that depends on the machine or the user is unknown: an answer written into a source file would
//! be wrong on the next machine. Sources of the semantics: Go's `path/filepath` and mitchellh/go-homedir.
//! Deliberately absent: looking at files.

use crate::func::args::{string, text};
use crate::func::{FuncError, Function, Param, Run, Want};
use crate::value::{Type, Value};

const fn on_path(name: &'static str, body: Run, doc: &'static str) -> Function {
    const PATH: &[Param] = &[Param::new("path", Want::String)];
    Function::text(name, PATH, body, doc)
}

/// The same of a function that asks where Terraform runs.
const fn on_place(name: &'static str, body: Run, doc: &'static str) -> Function {
    on_path(name, body, doc).on_files()
}

pub(super) const FUNCTIONS: &[Function] = &[
    on_place(
        "abspath",
        |_, args, _| {
            let path = text(args, 0)?;
            if path.starts_with('/') {
                string(clean(path))
            } else {
                Ok(Value::unknown_not_null(Type::String))
            }
        },
        "The path made absolute; a relative one is known only where Terraform runs. Terraform docs: abspath.",
    ),
    on_path(
        "basename",
        |_, args, _| string(base(text(args, 0)?)),
        "The path's last part. Terraform docs: basename; Go filepath.Base.",
    ),
    on_path(
        "dirname",
        |_, args, _| string(dir(text(args, 0)?)),
        "The path without its last part. Terraform docs: dirname; Go filepath.Dir.",
    ),
    on_place(
        "pathexpand",
        |_, args, _| {
            let path = text(args, 0)?;
            if in_home(path)? { Ok(Value::unknown_not_null(Type::String)) } else { string(path) }
        },
        "A leading ~ replaced by the home directory, which is known only where Terraform runs. Terraform docs: \
         pathexpand; go-homedir Expand.",
    ),
];

/// Returns true if a path starts with the home directory's `~`.
///
/// # Errors
/// Somebody else's home directory (`~user`).
pub(super) fn in_home(path: &str) -> Result<bool, FuncError> {
    match path.strip_prefix('~') {
        None => Ok(false),
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => Ok(true),
        Some(_) => Err(FuncError::new("cannot expand user-specific home dir")),
    }
}

/// The shortest path that means the same as text: no empty parts, no `.`, and `..` only at the front of a relative
/// path (Go `filepath.Clean`).
pub(super) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// Two paths one after the other, cleaned; empty ones are left out (Go `filepath.Join`).
pub(super) fn join(first: &str, second: &str) -> String {
    match (first.is_empty(), second.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(second),
        (false, true) => clean(first),
        (false, false) => clean(&format!("{first}/{second}")),
    }
}

fn base(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    let path = path.trim_end_matches('/');
    match path.rsplit('/').next() {
        Some("") | None => "/",
        Some(last) => last,
    }
}

fn dir(path: &str) -> String {
    clean(path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or(""))
}
