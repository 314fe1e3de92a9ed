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
mod removals;
mod replacing;
mod tree;

pub use candidates::candidates;
pub use chosen::bounded;
pub use fields::{driven, outside};
pub use going::Dropped;
pub use operator::FILE as SERVICES_FILE;
pub use replacing::{Candidate, Replaced, Replacing, Without};

use crate::addr::ModulePath;
use crate::config::{Config, Overlay};
use crate::graph;
use crate::issue::{Code, Issue};
use crate::specialise::residual::applied;
use crate::text::{Edit, EditSet, SourceFile, Sources};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of the tree under a form factor.
#[derive(Clone, Debug, Default)]
struct Written {
    /// The file that it was made from; its own path if it is edited in place, and none if it wasn't made from another one.
    from: PathBuf,
    /// The text of that file.
    original: Arc<str>,
    /// The edits that turn `original` into `text`.
    edits: EditSet,
    /// Its text.
    text: String,
}

impl Written {
    /// Returns a file that wasn't made from another one.
    fn whole(text: String) -> Written {
        Written { text, ..Written::default() }
    }

    /// Makes a file from another one.
    fn of(source: &SourceFile, edits: &[Edit]) -> Result<Written, Issue> {
        let (edits, text) =
            applied(&source.text, edits).map_err(|i| i.in_path(source.path.display().to_string()))?;
        Ok(Written { from: source.path.clone(), original: source.text.clone(), edits, text })
    }
}

/// The tree under a form factor, before anything is specialised.
#[derive(Clone, Debug, Default)]
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
    edited: BTreeMap<PathBuf, Written>,
    /// Files of residual folders.
    created: BTreeMap<PathBuf, Written>,
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
        let files = self.edited.iter().chain(&self.created);
        out.extend(files.map(|(path, file)| (path.clone(), Some(file.text.clone()))));
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
        for (path, made) in self.edited.iter().chain(&self.created) {
            if let Some(file) = original.find(&made.from).and_then(|id| original.get(id)) {
                sources.made_from(path, file, &made.edits);
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
