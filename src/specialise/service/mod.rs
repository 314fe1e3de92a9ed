//! Services: resources and module calls of the origin stack that a form factor replaces by calls of ordinary modules.
//!
//! In: the configuration in its original form, and the form factor that is on. Out: the texts of files with calls in the
//! place of resources, from which tracing and specialising start again; and how the edits of both stages become edits of
//! the original. Invariants: only the root is edited in place, any other module becomes a residual folder; what a
//! template doesn't take is said. Absent on purpose: any `moved` block between a resource and a module.

mod block;
mod branches;
mod candidates;
mod chosen;
mod dropped;
mod dropped_calls;
mod fields;
mod going;
mod idle;
mod looped;
mod merged;
mod nested;
mod operator;
mod over;
mod provider;
mod reference;
mod replacing;
mod tree;

pub use candidates::candidates;
pub use chosen::bounded;
pub use fields::{driven, outside};
pub use going::Dropped;
pub use replacing::{Candidate, Replaced, Replacing, Without};

use crate::addr::ModulePath;
use crate::config::{Config, Overlay};
use crate::graph;
use crate::issue::{Code, Issue};
use crate::text::{EditSet, Sources};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that is edited in place.
#[derive(Clone, Debug)]
struct Edited {
    /// Its text before.
    original: Arc<str>,
    /// The edits that turn `original` into `text`.
    edits: EditSet,
    /// Its text after.
    text: String,
}

/// The tree under a form factor, before anything is specialised.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The form factor.
    pub factor: Arc<str>,
    /// The replaced resources and calls, in order of address.
    pub replaced: Vec<Replaced>,
    /// The resources that are removed with them.
    pub dropped: Vec<Dropped>,
    /// The names of the root module's calls of operators, which services need once.
    pub once: Vec<Arc<str>>,
    /// The arguments that services do without.
    pub without: Vec<Without>,
    /// Files of the root module.
    edited: BTreeMap<PathBuf, Edited>,
    /// Files of residual folders.
    created: BTreeMap<PathBuf, Created>,
}

/// A file of a residual folder.
#[derive(Clone, Debug)]
struct Created {
    /// Its text.
    text: String,
    /// The file that it was made from.
    from: PathBuf,
    /// The edits that turn the text of `from` into `text`.
    edits: EditSet,
}

impl Created {
    /// Returns a file that wasn't made from another one.
    fn whole(text: String) -> Created {
        Created { text, from: PathBuf::new(), edits: EditSet::default() }
    }
}

impl Rewrite {
    /// The modules that come from services.
    pub fn templates(&self) -> impl Iterator<Item = ModulePath> + '_ {
        let calls = self.replaced.iter().map(|r| r.scope.child(r.call.clone()));
        calls.chain(self.once.iter().map(|name| ModulePath::ROOT.child(name.clone())))
    }

    /// The overlay under which the tree is loaded again.
    #[must_use]
    pub fn overlay(&self, base: &Overlay) -> Overlay {
        let mut out = base.clone();
        out.extend(self.edited.iter().map(|(path, file)| (path.clone(), Some(file.text.clone()))));
        out.extend(self.created.iter().map(|(path, file)| (path.clone(), Some(file.text.clone()))));
        out
    }

    /// Returns the replaced resource or call that an address without keys names or lies in; several if conditions choose among services.
    pub fn stand_ins(&self, address: &str) -> Vec<&Replaced> {
        let holds = |r: &&Replaced| {
            let rest = address.strip_prefix(&r.original());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.replaced.iter().filter(holds).collect()
    }

    /// Tells the sources of the tree that was loaded under the overlay where people find them in the original.
    pub fn trace_back(&self, sources: &mut Sources, original: &Sources) {
        let edited = self.edited.iter().map(|(path, file)| (path, path, &file.edits));
        let created = self.created.iter().map(|(path, file)| (path, &file.from, &file.edits));
        for (path, from, edits) in edited.chain(created) {
            if let Some(file) = original.find(from).and_then(|id| original.get(id)) {
                sources.made_from(path, file, edits);
            }
        }
    }
}

/// Replaces what the form factor's services replace; nothing where nothing matches. Warnings besides.
///
/// # Errors
/// Stack issues: what can't be replaced as it stands.
pub fn replace(replacing: &Replacing<'_>) -> Result<(Option<Rewrite>, Vec<Issue>), Vec<Issue>> {
    let chosen = chosen::chosen(replacing)?;
    if chosen.choices.is_empty() && chosen.dropped.is_empty() {
        return Ok((None, Vec::new()));
    }
    let (rewrite, mut warnings) = tree::rewritten(replacing, &chosen)?;
    warnings.extend(tested(replacing.config, &chosen));
    Ok((rewrite, warnings))
}

/// Test files that name what is replaced in the root module.
fn tested(config: &Config, chosen: &chosen::Chosen<'_>) -> Vec<Issue> {
    let here = chosen.choices.get(&ModulePath::ROOT).map_or(&[][..], Vec::as_slice);
    let mut out = Vec::new();
    for file in &config.tests {
        let uses = file.body.iter().flat_map(|body| graph::uses_in(body, file.source)).collect::<Vec<_>>();
        let named = |used: &&graph::Use| here.iter().any(|c| c.replaced.unit.holds(&used.referent));
        out.extend(uses.iter().find(named).map(|used| {
            let why = "Under the form factor it is a module call, and test files are not rewritten for that.";
            Issue::warning(Code::Service, format!("a test names {}, which is replaced", used.referent), why)
                .at(used.place())
                .fix("Run the tests without a form factor:", "tf-phi test --form-factor ''")
        }));
    }
    out
}
