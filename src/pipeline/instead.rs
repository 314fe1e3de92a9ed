//! For large copies of modules: what would make them shorter, an entry in `.gitignore` or `at = "resource"`. It is advice, and no
//! rule: where a field is split must not change with the size of a module.

use super::{Session, Traces};
use crate::config::phi::SplitAt;
use crate::host::Host;
use crate::specialise::record::FileRecord;
use crate::specialise::{OVERRIDE, Specialised, moves};
use crate::trace::{Driven, Driver};
use std::path::{Path, PathBuf};

/// Copies with more lines than this are worth a word.
const LARGE: usize = 500;

/// One sentence, where it would be half as much or less. `version` is how records name this program.
pub(super) fn sentence<H: Host + Clone>(
    session: &Session<H>,
    traced: &mut Traces<'_>,
    driven: &[Driven],
    done: &Specialised,
    version: &'static str,
) -> Option<String> {
    let repeated = done.repeated;
    if repeated > LARGE {
        return Some(format!(
            "copies of modules repeat {repeated} lines, since `.gitignore` excludes the file in which each would have its own values; \
             a line `!{OVERRIDE}` in it would spare them"
        ));
    }
    let at_call = |d: &Driven| d.driver == Driver::Pin && d.split_at() == SplitAt::Call;
    let now = copied(done);
    if now <= LARGE || !driven.iter().any(at_call) {
        return None;
    }
    let moved =
        |d: &Driven| Driven { at: if at_call(d) { Some(SplitAt::Resource) } else { d.at }, ..d.clone() };
    let driven: Vec<Driven> = driven.iter().map(moved).collect();
    let then = copied(&traced.specialise(session, &driven, version).ok()?);
    let text = format!(
        "copies of modules have {now} lines; with `at = \"resource\"` in the `specialize` blocks of `phi.hcl` they would have {then}"
    );
    (then <= now / 2).then_some(text)
}

/// The lines of all copies.
fn copied(done: &Specialised) -> usize {
    let created = done.record.files.iter().filter(|f| f.created);
    let lines = |f: &FileRecord| match &f.link {
        Some(_) => Some(1),
        None => Some(done.files.get(Path::new(&f.path))?.lines().count()),
    };
    created.filter_map(lines).sum()
}

/// Returns true if any of these files belongs to a module, and not to one run alone.
pub fn holds_sources<'p>(mut written: impl Iterator<Item = &'p PathBuf>) -> bool {
    written.any(|p| p.extension().is_some_and(|e| e == "tf") && p.as_path() != Path::new(moves::FILE))
}
