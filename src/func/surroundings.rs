//! The surroundings of functions besides their arguments: files, templates, and the version of Terraform.
//!
//! Invariant: whatever a function asks, it asks through [`Surroundings`]; what may not be looked at is declined.

use super::FuncError;
use super::work::Work;
use crate::host::EntryKind;
use crate::syntax::{Expr, ParseError, parse_template};
use crate::value::Value;
use std::sync::Arc;

/// The surroundings of functions besides their arguments.
pub trait Surroundings: Sync {
    /// The bytes of a file, by the path as written.
    ///
    /// # Errors
    /// A sentence that says why not.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Paths of the files below a folder, relative to it, with `/` between parts.
    ///
    /// # Errors
    /// A sentence that says why not.
    fn files(&self, path: &str) -> Result<Vec<String>, String>;

    /// Returns the kind of entry at a path, with links followed; `None` if nothing can be seen.
    ///
    /// # Errors
    /// A sentence, where nothing may be looked at: what depends on it is declined. As it is by default.
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        Err(format!("{path:?} can't be looked at here"))
    }

    /// The names of all entries of a folder, links that lead nowhere included.
    ///
    /// # Errors
    /// As [`Surroundings::kind`], and as the operating system gives them.
    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        Err(format!("{path:?} can't be listed here"))
    }

    /// A path made absolute against Terraform's working directory.
    fn absolute(&self, path: &str) -> String;

    /// The home directory.
    fn home(&self) -> Option<String>;

    /// Evaluates a template's text with the given object's attributes as variables, as `eval::template::render` does;
    /// `files` says whether the template's functions may read files; `work` is what the caller has left.
    ///
    /// # Errors
    /// As the template's evaluation gives them, limits among them.
    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError>;

    /// A template's text as an expression. Who is asked for the same templates over and over may keep them.
    ///
    /// # Errors
    /// As [`parse_template`].
    fn parsed(&self, template: &str) -> Result<Arc<Expr>, ParseError> {
        parse_template(template).map(Arc::new)
    }

    /// Returns true if Terraform may have a function that came with version 1.`since`. If its version isn't known, it has
    /// every function that the configuration calls, because it would reject the configuration otherwise.
    fn has(&self, since: u32) -> bool {
        self.terraform().is_none_or(|version| version >= (1, since))
    }

    /// Major and minor version of the Terraform whose answers are wanted, where it is one and known. Without it,
    /// what versions answer differently is declined.
    fn terraform(&self) -> Option<(u32, u32)> {
        None
    }
}

impl<S: Surroundings + ?Sized> Surroundings for &S {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        (**self).read(path)
    }

    fn files(&self, path: &str) -> Result<Vec<String>, String> {
        (**self).files(path)
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        (**self).kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        (**self).list(path)
    }

    fn absolute(&self, path: &str) -> String {
        (**self).absolute(path)
    }

    fn home(&self) -> Option<String> {
        (**self).home()
    }

    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        (**self).render(template, files, vars, work)
    }

    fn parsed(&self, template: &str) -> Result<Arc<Expr>, ParseError> {
        (**self).parsed(template)
    }

    fn has(&self, since: u32) -> bool {
        (**self).has(since)
    }

    fn terraform(&self) -> Option<(u32, u32)> {
        (**self).terraform()
    }
}

/// No files and no templates: what is used where nothing outside may be read.
pub struct NoSurroundings;

impl Surroundings for NoSurroundings {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Err(format!("no file exists at {path:?}"))
    }

    fn files(&self, _: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    fn absolute(&self, path: &str) -> String {
        path.to_owned()
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn render(&self, _: &str, _: bool, _: &Value, _: &Work) -> Result<Value, FuncError> {
        Err(FuncError::declined("templates can't be rendered here"))
    }
}
