//! The surroundings of functions besides their arguments: files, templates, and the version of Terraform.
//!
//! Invariant: whatever a function asks, it asks through [`Surroundings`]; what may not be looked at is declined.

use super::work::Work;
use super::{FuncError, TerraformVersions};
use crate::host::EntryKind;
use crate::syntax::{Expr, ParseError, parse_template};
use crate::value::Value;
use std::sync::Arc;

/// Decodes a text.
pub type Decode<'d> = &'d dyn Fn(&str) -> Result<Value, FuncError>;

/// The surroundings of functions besides their arguments. Whoever says nothing of a thing hands on what others say of it.
pub trait Surroundings: Sync {
    /// The surroundings around these, which answer what these don't answer themselves; none by default.
    fn around(&self) -> &dyn Surroundings {
        &NoSurroundings
    }

    /// The bytes of a file, by the path as written.
    ///
    /// # Errors
    /// A sentence that says why not.
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.around().read(path)
    }

    /// The text of a file as a value, by the path as written; `None` where it isn't UTF-8. Who is asked for the same ones over and over may
    /// keep them.
    ///
    /// # Errors
    /// As [`Surroundings::read`].
    fn read_text(&self, path: &str) -> Result<Option<Value>, String> {
        let bytes = self.read(path)?;
        Ok(String::from_utf8(bytes).ok().map(Value::string))
    }

    /// Returns the kind of entry at a path, with links followed; `None` if nothing can be seen.
    ///
    /// # Errors
    /// A sentence, where nothing may be looked at: what depends on it is declined.
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        self.around().kind(path)
    }

    /// The names of all entries of a folder, links that lead nowhere included.
    ///
    /// # Errors
    /// As [`Surroundings::kind`], and as the operating system gives them.
    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        self.around().list(path)
    }

    /// A path made absolute against Terraform's working directory.
    fn absolute(&self, path: &str) -> String {
        self.around().absolute(path)
    }

    /// Returns true if a path names a place of the machine that lies in no revision of the tree, whether anything stands there or not.
    fn is_of_machine(&self, path: &str) -> bool {
        self.around().is_of_machine(path)
    }

    /// Evaluates a template's text with the given object's attributes as variables, as `eval::template::render` does;
    /// `files` says whether the template's functions may read files; `work` is what the caller has left.
    ///
    /// # Errors
    /// As the template's evaluation gives them, limits among them.
    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        self.around().render(template, files, vars, work)
    }

    /// A template's text as an expression. Who is asked for the same templates over and over may keep them.
    ///
    /// # Errors
    /// As [`parse_template`].
    fn parsed(&self, template: &str) -> Result<Arc<Expr>, ParseError> {
        self.around().parsed(template)
    }

    /// The value of a text that a function decodes alike in all versions of Terraform. Who is asked for the same ones over and over may
    /// keep them.
    ///
    /// # Errors
    /// As `decode` gives them.
    fn decoded(
        &self,
        function: &'static str,
        text: &Arc<str>,
        decode: Decode<'_>,
    ) -> Result<Value, FuncError> {
        self.around().decoded(function, text, decode)
    }

    /// Returns true if Terraform may have a function that came with version 1.`since`. If its version isn't known, it has
    /// every function that the configuration calls, because it would reject the configuration otherwise.
    fn has(&self, since: u32) -> bool {
        self.terraform().since(since) != Some(false)
    }

    /// The versions of Terraform whose answers are wanted. What they answer differently is declined.
    fn terraform(&self) -> TerraformVersions {
        self.around().terraform()
    }
}

impl Surroundings for &dyn Surroundings {
    fn around(&self) -> &dyn Surroundings {
        *self
    }

    fn read_text(&self, path: &str) -> Result<Option<Value>, String> {
        (**self).read_text(path)
    }

    fn has(&self, since: u32) -> bool {
        (**self).has(since)
    }
}

/// No files and no templates: what is used where nothing outside may be read.
pub struct NoSurroundings;

impl Surroundings for NoSurroundings {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Err(format!("no file exists at {path:?}"))
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        Err(format!("{path:?} can't be looked at here"))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        Err(format!("{path:?} can't be listed here"))
    }

    fn absolute(&self, path: &str) -> String {
        path.to_owned()
    }

    fn is_of_machine(&self, _: &str) -> bool {
        false
    }

    fn render(&self, _: &str, _: bool, _: &Value, _: &Work) -> Result<Value, FuncError> {
        Err(FuncError::declined("templates can't be rendered here"))
    }

    fn parsed(&self, template: &str) -> Result<Arc<Expr>, ParseError> {
        parse_template(template).map(Arc::new)
    }

    fn decoded(&self, _: &'static str, text: &Arc<str>, decode: Decode<'_>) -> Result<Value, FuncError> {
        decode(text)
    }

    fn terraform(&self) -> TerraformVersions {
        TerraformVersions::ANY
    }
}
