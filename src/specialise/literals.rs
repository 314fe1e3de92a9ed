//! Literals in place of driven fields, for the time of one run: no copies of declarations, no gates, no moves.
//!
//! In: driven fields, each with the one value that it has in a run. Out: texts of files. A literal stands where the expression stood, and
//! nothing else changes. A module of the root's own whose instances all come out the same keeps its folder; any other gets a residual for
//! each text, and the call's `source` leads there. Residuals stand apart: beside their modules, `fileset` and its kind would see them. Invariants: every address is the original's; what stands behind a literal keeps its
//! line. Absent on purpose: which value a field has.

use super::decision::{Literal, Node};
use super::paths::APART;
pub use super::residual::broken as broken_edits;
use super::residual::{FileEdits, written};
use super::unit::Tracked;
use crate::config::Config;
use crate::issue::Issue;
use crate::text::{Edit, EditSet, SourceFile};
use crate::trace::{Driven, Trace};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A driven field, and its value in a run.
pub struct InPlace<'a> {
    /// The field.
    pub driven: &'a Driven,
    /// Its trace.
    pub trace: &'a Trace,
    /// The value.
    pub value: &'a Value,
}

/// The texts of files with literals in them.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// What changes in files that are there, by path.
    pub edited: BTreeMap<PathBuf, EditSet>,
    /// Files of residuals.
    pub created: BTreeMap<PathBuf, String>,
}

/// Puts literals in place of driven fields. `own` are the folders of modules that may be edited.
///
/// # Errors
/// Fields that can't be written as a literal.
pub fn put_literals(
    config: &Config,
    all: &[InPlace<'_>],
    own: &BTreeSet<PathBuf>,
) -> Result<Texts, Vec<Issue>> {
    let mut tree = Node::default();
    for one in all {
        let tracked = Tracked { driven: one.driven, trace: one.trace };
        tree.resolved(&Literal::of(config, tracked, one.value, false), one.driven);
    }
    let (writer, edits) = written(config, own, Some(Path::new(APART)), (&tree, &[], &[]));
    if !writer.issues.is_empty() {
        return Err(writer.issues);
    }
    let edited = edit_sets(config, edits).map_err(|issue| vec![issue])?;
    Ok(Texts { edited, created: writer.files })
}

fn edit_sets(config: &Config, edits: FileEdits) -> Result<BTreeMap<PathBuf, EditSet>, Issue> {
    let mut out = BTreeMap::new();
    for (file, edits) in edits {
        let Some(source) = config.sources.get(file) else { continue };
        let edits = edits.into_iter().map(|edit| with_lines(source, edit)).collect();
        let set = EditSet::of(edits).map_err(broken_edits)?;
        if set.apply(&source.text).map_err(broken_edits)? != *source.text {
            out.insert(source.path.clone(), set);
        }
    }
    Ok(out)
}

/// The edit with as many lines as what it replaces: what Terraform says of a line behind it is then said of the line in the user's
/// file. The lines stand in a comment, which ends where the edit does: of line ends alone nobody could tell where those of the file begin,
/// once somebody has edited it. JSON has no comments, and there they stand before the value.
fn with_lines(source: &SourceFile, edit: Edit) -> Edit {
    let lines = |text: &str| text.matches('\n').count();
    let missing = lines(source.slice(edit.span)).saturating_sub(lines(&edit.text));
    if missing == 0 {
        return edit;
    }
    let ends = source.line_ending().repeat(missing);
    let text = match source.path.extension().is_some_and(|end| end == "json") {
        true => ends + &edit.text,
        false => format!("{} /*{ends}*/", edit.text),
    };
    Edit { text, ..edit }
}
