//! Templates in texts of their own: what `templatefile` and `templatestring` render.
//!
//! In: a template's text, and an object or map whose entries are its only names. Out: the template's value, which is
//! of any type where the template is a single interpolation. Invariant: templates don't render templates, so rendering
//! ends; those of `templatestring` read no files. Deliberately absent: reading the file, conversion of the result.
//! Source of the semantics: Terraform's `templatefile` and `templatestring` functions.

use super::concrete::Concrete;
use super::standalone::Nothing;
use super::{Bindings, Outcome, eval};
use crate::func::{Context, FuncError, Surroundings, Work};
use crate::host::EntryKind;
use crate::syntax::{Expr, ExprKind, emit, parse_expr, traversal};
use crate::text::SourceId;
use crate::value::{Type, Value, normalise};

/// Deeper templates are declined: they are evaluated on top of whatever expression renders them.
const MAX_DEPTH: usize = 64;

/// The number of bytes of a template that are parsed while an expression is evaluated.
const PARSED: u64 = 16;

/// Renders a template that may refer to the entries of `vars` and nothing else.
///
/// `files` says whether its functions may read files, through `outside`; `work` is what may still be done.
///
/// # Errors
/// Names that are no identifiers or missing in `vars`, whatever the evaluation gives, a null result. What can't be
/// parsed is declined, because a limit of the parser may be the reason.
pub fn render(
    text: &str,
    vars: &Value,
    files: bool,
    outside: &dyn Surroundings,
    work: &Work,
) -> Result<Value, FuncError> {
    if !matches!(vars.ty, Type::Object(_) | Type::Map(_)) {
        return Err(FuncError::arg(1, "invalid vars value: must be a map"));
    }
    let Some(entries) = vars.as_map() else { return Ok(Value::dynamic()) };
    // As if it were parsed each time: what is kept of earlier ones must not make a difference.
    work.call(text.len() as u64 / PARSED).map_err(|e| FuncError::from(&e))?;
    // HCL passes over a byte order mark.
    let expr = outside
        .parsed(&normalise(text.strip_prefix('\u{feff}').unwrap_or(text)))
        .map_err(|e| FuncError::declined(format!("the template can't be parsed: {e}")))?;
    if deeper_than(&expr, MAX_DEPTH) {
        return Err(FuncError::declined("the template is nested too deeply"));
    }
    if let Some(name) = entries.keys().find(|name| !is_name(name)) {
        let message = format!(
            "invalid template variable name {name:?}: must start with a letter, followed by zero or more letters, \
             digits, and underscores"
        );
        return Err(FuncError::arg(1, message));
    }
    for found in traversal::variables(&expr) {
        let name = &found.root.text;
        if !entries.contains_key(name) {
            return Err(FuncError::arg(1, format!("vars map does not contain key {name:?}")));
        }
    }
    let inside = Inside { outside, files };
    // All names are bound; there is nothing else to refer to.
    let mut domain = Concrete { resolver: Nothing, context: Context { outside: &inside, work } };
    let bound = |names: Bindings<Outcome>, (name, value): (&std::sync::Arc<str>, &Value)| {
        names.with(name.clone(), Ok(value.clone()))
    };
    let names = entries.iter().fold(Bindings::default(), bound);
    let result = eval(&mut domain, SourceId(0), &expr, &names).map_err(|e| FuncError::from(&e))?;
    if result.is_null() {
        domain.context.declined_before(11, "a template whose result is null gives null")?;
        return Err(FuncError::new("Template result is null"));
    }
    Ok(result)
}

/// Returns true if a template could refer to an entry of this name.
fn is_name(name: &str) -> bool {
    let parses = || parse_expr(name).is_ok_and(|e| matches!(e.kind, ExprKind::Variable(n) if *n == *name));
    emit::is_identifier(name) || (!name.is_ascii() && parses())
}

fn deeper_than(expr: &Expr, limit: usize) -> bool {
    let mut level = vec![expr];
    for _ in 0..limit {
        level = level.into_iter().flat_map(Expr::children).collect();
        if level.is_empty() {
            return false;
        }
    }
    true
}

/// The surroundings of functions in a template.
struct Inside<'a> {
    outside: &'a dyn Surroundings,
    files: bool,
}

impl Inside<'_> {
    fn allowed<T>(&self, then: impl FnOnce(&dyn Surroundings) -> Result<T, String>) -> Result<T, String> {
        if self.files {
            return then(self.outside);
        }
        Err("cannot use filesystem access functions in templatestring templates; consider passing the function result \
             as a template variable instead"
            .to_owned())
    }
}

impl Surroundings for Inside<'_> {
    fn around(&self) -> &dyn Surroundings {
        self.outside
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.allowed(|outside| outside.read(path))
    }

    fn read_text(&self, path: &str) -> Result<Option<Value>, String> {
        self.allowed(|outside| outside.read_text(path))
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        // What reads it then says that it must not.
        if self.files { self.outside.kind(path) } else { Ok(Some(EntryKind::File)) }
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        self.allowed(|outside| outside.list(path))
    }

    fn has(&self, since: u32) -> bool {
        self.outside.has(since)
    }

    fn render(&self, _: &str, _: bool, _: &Value, _: &Work) -> Result<Value, FuncError> {
        Err(FuncError::new(
            "cannot recursively call a template function from inside another template function",
        ))
    }
}
