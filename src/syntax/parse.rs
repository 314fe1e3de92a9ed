//! From text to tree: the plain forms directly, all others by prescan, hcl-edit on the shadow, and lowering.
//!
//! Input: a text. Invariant: whatever hcl-edit says is checked against the scanner's extents of strings and heredocs.
//! Absent on purpose: files and their bytes, JSON syntax.

use super::error::ParseError;
use super::limits;
use super::lower::Lower;
use super::plain::{self, Reach};
use super::scan::{self, Mode, Renamed, Scan};
use super::tree::{Body, Expr};
use crate::issue::Code;
use std::cell::Cell;

/// Parses a file in HCL's native syntax.
///
/// Safe on any stack: deeply nested texts are parsed on a thread of their own. For many files run the whole loop in
/// [`on_big_stack`].
///
/// # Errors
/// Returns the first error: syntax that hcl rejects, or a limit of this module.
pub fn parse(text: &str) -> Result<Body, ParseError> {
    check_size(text.len())?;
    check_nul(text)?;
    plainly(|reach| plain::file(text, reach)).map_or_else(|| parse_by_grammar(text), Ok)
}

/// Reads a text directly, on a big stack if it nests deeply.
fn plainly<T: Send>(read: impl Fn(Reach) -> Result<T, plain::Other> + Sync) -> Option<T> {
    match read(Reach::NEAR) {
        Err(plain::Other::Deeper) => on_big_stack(|| read(Reach::FAR)).ok(),
        done => done.ok(),
    }
}

/// Does the same as [`parse`] with the whole grammar only. It is public for tests and fuzzing, which compare the plain forms with it.
///
/// # Errors
/// As [`parse`].
pub fn parse_by_grammar(text: &str) -> Result<Body, ParseError> {
    shadowed(text, Mode::Body, |scan| {
        let shadow = scan.shadow.as_deref().unwrap_or(text);
        let body = hcl_edit::parser::parse_body(shadow).map_err(|e| foreign(&e, 0))?;
        let mut lower = Lower::new(text, &scan.heredocs, 0);
        lower.file(&body)
    })
}

/// Parses a standalone expression, in which newlines mean nothing. Spans are relative to `text`.
///
/// # Errors
/// As [`parse`].
pub fn parse_expr(text: &str) -> Result<Expr, ParseError> {
    check_size(text.len())?;
    check_nul(text)?;
    plainly(|reach| plain::standalone(text, reach)).map_or_else(|| parse_expr_by_grammar(text), Ok)
}

/// Does the same as [`parse_expr`] with the whole grammar only. It is public for the same reason as [`parse_by_grammar`].
///
/// # Errors
/// As [`parse`].
pub fn parse_expr_by_grammar(text: &str) -> Result<Expr, ParseError> {
    shadowed(text, Mode::Expression, |scan| {
        let shadow = scan.shadow.as_deref().unwrap_or(text);
        let trimmed = shadow.trim_start_matches([' ', '\t']);
        let start = shadow.len() - trimmed.len();
        let expr = parse_slice(trimmed.trim_end_matches([' ', '\t']), start)?;
        Lower::new(text, &scan.heredocs, start).expr(&expr)
    })
}

/// Parses a template without quotes: what a string of a `*.tf.json` file or a template file holds.
///
/// The result is a `String` where nothing is interpolated, else a `Template`; a single interpolation is kept as one
/// part, which HCL unwraps.
///
/// # Errors
/// As [`parse`].
pub fn parse_template(text: &str) -> Result<Expr, ParseError> {
    shadowed(text, Mode::Template, |scan| {
        let shadow = scan.shadow.as_deref().unwrap_or(text);
        let template = hcl_edit::parser::parse_template(shadow).map_err(|e| foreign(&e, 0))?;
        Lower::new(text, &scan.heredocs, 0).bare_template(&template)
    })
}

/// Returns true if a text can be written as a bare name, letters beyond ASCII included (hcl's `ValidIdentifier`).
pub fn is_name(text: &str) -> bool {
    hcl_edit::Ident::try_new(text).is_ok()
}

thread_local! {
    /// The address at which the stack of such a thread begins.
    static BOTTOM: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The number of bytes of a big stack that may be in use when more work starts on it.
const HARDLY_USED: usize = 64 << 10;

/// Runs `work` on a thread with 16 MiB of stack, and on the caller's own where no thread can be started, or where it is
/// such a thread that has hardly begun: whoever works through many texts starts one thread for all.
///
/// # Errors
/// Whatever `work` answers; a panic in it goes on in the caller.
pub fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let here = address_here();
    if BOTTOM.get().is_some_and(|bottom| bottom.abs_diff(here) < HARDLY_USED) {
        return work();
    }
    let work = std::sync::Mutex::new(Some(work));
    let take = || {
        let mut slot = work.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        slot.take()
    };
    let done = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(limits::BIG_STACK).name("syntax".to_string());
        let run = || {
            BOTTOM.set(Some(address_here()));
            take().map(|work| work())
        };
        let handle = builder.spawn_scoped(scope, run).ok()?;
        match handle.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match done {
        Some(done) => done,
        None => run_here(take()),
    }
}

/// About where the stack ends now.
#[inline(never)]
fn address_here() -> usize {
    let local = 0u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

/// The fallback of [`on_big_stack`]; the work is always still there, because only a started thread takes it.
fn run_here<T>(work: Option<impl FnOnce() -> T>) -> T {
    match work {
        Some(work) => work(),
        None => std::process::abort(),
    }
}

/// Parses part of a shadow text; `start` is where it begins.
pub(super) fn parse_slice(text: &str, start: usize) -> Result<hcl_edit::expr::Expression, ParseError> {
    if text.is_empty() {
        return Err(ParseError::at(start, "expected an expression"));
    }
    hcl_edit::parser::parse_expr(text).map_err(|e| foreign(&e, start))
}

fn foreign(error: &hcl_edit::parser::Error, start: usize) -> ParseError {
    let (at, message) = (start + error.location().offset(), error.message());
    // Its own limits are told by their wording alone.
    if ["at most 64 nested levels", "at most 128 chained"].iter().any(|limit| message.contains(limit)) {
        let message = "nested too deeply: more than 64 levels or 128 operators in a row, in a text with heredocs, \
                       directives or the like";
        return ParseError::at(at, message).beyond(Code::TooDeep);
    }
    ParseError::at(at, message)
}

/// Reads a text by its shadow. Keys that are written differently may still be equal to hcl-edit, as `1` and `1.0`; only
/// where they are, all that could be get other names.
fn shadowed<T: Send>(
    text: &str,
    mode: Mode,
    read: impl Fn(&Scan) -> Result<T, ParseError> + Sync,
) -> Result<T, ParseError> {
    check_size(text.len())?;
    check_nul(text)?;
    let once = |keys| {
        let scan = scan::scan(text, mode, keys)?;
        with_stack(&scan, || read(&scan))
    };
    match once(Renamed::Repeated) {
        Err(e) if e.message.contains("redefined object key") => once(Renamed::Computed),
        done => done,
    }
}

fn check_size(bytes: usize) -> Result<(), ParseError> {
    if bytes > limits::FILE_BYTES {
        let message = format!(
            "{bytes} bytes; at most {} ({} MiB) are read",
            limits::FILE_BYTES,
            limits::FILE_BYTES >> 20
        );
        return Err(ParseError::at(0, message).beyond(Code::TooLarge));
    }
    Ok(())
}

fn check_nul(text: &str) -> Result<(), ParseError> {
    match text.find('\0') {
        Some(at) => Err(ParseError::at(at, "a NUL byte")),
        None => Ok(()),
    }
}

/// Runs shallow work here and deep work on a big stack.
fn with_stack<T: Send>(
    scan: &Scan,
    work: impl FnOnce() -> Result<T, ParseError> + Send,
) -> Result<T, ParseError> {
    if scan.depth <= limits::INLINE_NESTING { work() } else { on_big_stack(work) }
}
