//! The variable file that a path or a pattern was meant for.

use super::patterns::matching;
use crate::config::nearest::question;
use crate::config::{View, paths};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

/// The variable files below the root module, looked for once and only where something isn't found.
pub(super) struct Near<'v> {
    view: View<'v>,
    root: &'v Path,
    names: OnceCell<BTreeSet<String>>,
}

impl<'v> Near<'v> {
    /// Looks for nothing yet.
    pub fn below(view: View<'v>, root: &'v Path) -> Near<'v> {
        Near { view, root, names: OnceCell::new() }
    }

    /// The end of a sentence with the file that is meant, or the pattern for all of its folder; nothing where none is near.
    pub fn question(&self, text: &str) -> String {
        let names = self.names.get_or_init(|| self.all());
        question(text, names.iter().map(String::as_str))
    }

    fn all(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for file in matching(self.view, self.root, &["**/*.tfvars", "**/*.tfvars.json"]).files {
            let file = file.strip_prefix(self.root).unwrap_or(&file);
            let all =
                if file.extension().is_some_and(|end| end == "json") { "*.tfvars.json" } else { "*.tfvars" };
            names.insert(paths::shown(file));
            names.extend(file.parent().map(|folder| paths::shown(&folder.join(all))));
        }
        names
    }
}
