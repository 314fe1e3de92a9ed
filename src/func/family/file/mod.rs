//! Functions that look at files.
//!
//! Input: paths, relative to Terraform's working directory, through [`Surroundings`](crate::func::Surroundings).
//! Invariant: what can't be looked at is declined, never taken for missing. Files of the user's home are unknown: they
//! are not part of the configuration. Sources of the semantics: Terraform's `filesystem` functions.

mod glob;
mod look;

use super::path::{clean, in_home, join};
use crate::func::args::{check_text, string, text};
use crate::func::{Context, FuncError, Function, Kind, Param, Returns, Run, Want};
use crate::value::{Type, Value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use look::Found;

const PATH: Param = Param::new("path", Want::String);

const fn on_files(
    name: &'static str,
    params: &'static [Param],
    returns: Want,
    body: Run,
    doc: &'static str,
) -> Function {
    let function = Function::new(name, params, Returns::Fixed(returns), body, doc);
    function.on_files()
}

pub(super) const FUNCTIONS: &[Function] = &[
    on_files(
        "file",
        &[PATH],
        Want::String,
        |context, args, _| read_text(context, text(args, 0)?),
        "The text of a file, which has to be UTF-8. Terraform docs: file.",
    ),
    on_files(
        "filebase64",
        &[PATH],
        Want::String,
        |context, args, _| {
            read(context, args, |bytes| {
                check_text(bytes.len().saturating_mul(2))?;
                string(STANDARD.encode(bytes))
            })
        },
        "The bytes of a file in Base64. Terraform docs: filebase64.",
    ),
    on_files(
        "fileexists",
        &[PATH],
        Want::Bool,
        |context, args, _| exists(context, text(args, 0)?),
        "Whether there is a file; anything else in its place is an error. Terraform docs: fileexists.",
    ),
    on_files(
        "fileset",
        &[PATH, Param::new("pattern", Want::String)],
        Want::Set(&Want::String),
        |context, args, _| glob::fileset(context, text(args, 0)?, text(args, 1)?),
        "The files whose paths match a pattern. Terraform docs: fileset; bmatcuk/doublestar 1.1.5.",
    )
    .gives(Kind::Set),
];

/// A text known only on the machine of the user who runs Terraform.
pub(super) fn depends_on_user() -> Value {
    Value::unknown_not_null(Type::String)
}

/// The path by which a file is asked for.
///
/// # Errors
/// Declined for what specialising or Terraform itself may change before Terraform looks.
fn local(path: &str) -> Result<String, FuncError> {
    let path = if path.starts_with('/') { clean(path) } else { join(".", path) };
    if look::may_change(&path) {
        return Err(FuncError::unseen(format!("{path:?} may change before Terraform looks at it")));
    }
    Ok(path)
}

/// The bytes of a file; `None` for one in the home directory.
///
/// # Errors
/// A file that isn't there or is none; declined what can't be looked at.
pub(super) fn bytes_at(context: &Context<'_>, path: &str) -> Result<Option<Vec<u8>>, FuncError> {
    contents_at(context, path, &|path| context.outside.read(path))
}

/// The contents of a file in whatever form it is read; `None` for one in the home directory.
///
/// # Errors
/// As [`bytes_at`].
fn contents_at<T>(
    context: &Context<'_>,
    path: &str,
    read: &dyn Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, FuncError> {
    if in_home(path)? {
        return Ok(None);
    }
    let path = local(path)?;
    look::count_look(context.work, &path)?;
    match look::at(context.outside, &path)? {
        Found::File => read(&path).map(Some).map_err(FuncError::unseen),
        Found::Dir => Err(FuncError::arg(0, format!("failed to read file: read {path}: is a directory"))),
        Found::Nothing => Err(FuncError::arg(
            0,
            format!(
                "no file exists at {path:?}; this function works only with files that are part of the configuration"
            ),
        )),
        Found::Impossible => Err(FuncError::arg(0, format!("open {path}: not a directory"))),
    }
}

fn read(
    context: &Context<'_>,
    args: &[Value],
    decode: fn(Vec<u8>) -> Result<Value, FuncError>,
) -> Result<Value, FuncError> {
    match bytes_at(context, text(args, 0)?)? {
        Some(bytes) => decode(bytes),
        None => Ok(depends_on_user()),
    }
}

fn read_text(context: &Context<'_>, path: &str) -> Result<Value, FuncError> {
    match contents_at(context, path, &|path| context.outside.read_text(path))? {
        Some(Some(value)) => {
            check_text(value.as_str().map_or(0, str::len))?;
            Ok(value)
        }
        Some(None) => {
            Err(FuncError::new("the contents are not valid UTF-8; use the filebase64 function instead"))
        }
        None => Ok(depends_on_user()),
    }
}

fn exists(context: &Context<'_>, path: &str) -> Result<Value, FuncError> {
    if in_home(path)? {
        return Ok(Value::unknown_not_null(Type::Bool));
    }
    let path = local(path)?;
    look::count_look(context.work, &path)?;
    match look::at(context.outside, &path)? {
        Found::File => Ok(Value::bool(true)),
        Found::Nothing => Ok(Value::bool(false)),
        Found::Dir => Err(FuncError::new(format!("{path:?} is a directory, not a file"))),
        Found::Impossible => Err(FuncError::new(format!("failed to stat {path:?}"))),
    }
}

#[cfg(test)]
mod tests;
