//! Outputs that hand values of embedded Stacks up to the root module, one in each module on the way.
//!
//! In: the values that provider configurations use. Out: the files of these outputs.

use crate::value::hcl;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file of outputs that hand values up.
const FILE: &str = "phi_outputs.tf";

/// An expression in the root module, and the values that it needs from modules below.
#[derive(Clone, Debug, Default)]
pub(super) struct RootExpr {
    pub text: String,
    pub exports: Vec<Export>,
}

/// A value that a module hands up to the root module.
#[derive(Clone, Debug)]
pub(super) struct Export {
    /// The names of the calls that lead to the module.
    pub labels: Vec<String>,
    /// The name of the value in that module.
    pub name: String,
    /// The expression for the value.
    pub text: String,
    pub is_ephemeral: bool,
}

/// The outputs that modules have for the root module. The key is the names of the calls and the output's name; the value is the
/// output's expression, and true if it is ephemeral.
pub(super) type Exports = BTreeMap<(Vec<String>, String), (String, bool)>;

impl Export {
    /// Returns the name of the output in the module that the first `depth` calls lead to.
    fn at(&self, depth: usize) -> String {
        let below = self.labels.iter().skip(depth).map(String::as_str);
        let path: Vec<&str> = below.chain([self.name.as_str()]).collect();
        format!("phi_{}", path.join(super::names::BETWEEN))
    }

    /// Returns the reference by which the root module uses the value.
    pub fn seen(&self) -> String {
        format!("module.{}.{}", self.labels.first().map(String::as_str).unwrap_or_default(), self.at(1))
    }

    /// Adds the outputs of this value in every module on the way.
    pub fn add_to(&self, all: &mut Exports) {
        for depth in 1..=self.labels.len() {
            let labels: Vec<String> = self.labels.iter().take(depth).cloned().collect();
            let text = match self.labels.get(depth) {
                Some(below) => format!("module.{below}.{}", self.at(depth + 1)),
                None => self.text.clone(),
            };
            all.insert((labels, self.at(depth)), (text, self.is_ephemeral));
        }
    }
}

/// Returns the text of the files with these outputs, by path.
pub(super) fn files(all: &Exports, head: &str) -> BTreeMap<PathBuf, String> {
    let mut out: BTreeMap<PathBuf, String> = BTreeMap::new();
    for ((labels, name), (text, is_ephemeral)) in all {
        let path: PathBuf = labels.iter().map(Path::new).chain([Path::new(FILE)]).collect();
        let file = out.entry(path).or_insert_with(|| {
            format!("# {head} what the providers of its embedded Stacks take of components.\n")
        });
        let ephemeral = if *is_ephemeral { "ephemeral = true\n" } else { "" };
        file.push_str(&format!("\noutput {} {{\nvalue = {text}\n{ephemeral}}}\n", hcl::quote(name)));
    }
    out.into_iter().map(|(path, text)| (path, super::items::laid_out(&text))).collect()
}
