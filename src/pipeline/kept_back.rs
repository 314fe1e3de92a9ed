//! What a run gives to secrets.
//!
//! In: the values of a run, or of an environment, for root variables. Out: nothing that is printed afterwards tells those of secrets, in whatever form: a tree may take the
//! mark off by `nonsensitive`, and a change may drop it. Invariant: what anybody may see in the tree stays. Absent on purpose: what the tree itself gives to secrets
//! (see [`super::secrets`]).

use super::secrets::{PlainTexts, add_parts, name_texts, plain_texts};
use super::session::Session;
use crate::config::variables::VarValues;
use crate::host::Host;
use crate::text::SecretTexts;
use std::collections::BTreeSet;
use std::sync::Arc;

impl<H: Host + Clone> Session<H> {
    /// The root variables that hold what isn't to be shown.
    pub fn hidden_variables(&self) -> BTreeSet<Arc<str>> {
        let all = self.config.root().into_iter().flat_map(|module| module.variables.values());
        all.filter(|variable| variable.is_hidden()).map(|variable| variable.name.clone()).collect()
    }

    /// Takes root variables for secrets that are so in another form of this tree.
    pub fn hide_variables(&mut self, names: &BTreeSet<Arc<str>>) {
        if !names.iter().all(|name| self.also_hidden.contains(name)) {
            self.also_hidden.extend(names.iter().cloned());
            self.mark_secrets();
        }
    }

    /// What things are called in this tree.
    pub fn collect_names(&self) -> PlainTexts {
        name_texts(&self.config, &self.phi)
    }

    /// Notes what runs give to secrets: all at once, since the whole tree tells what anybody may see.
    pub fn keep_back<'v>(&self, runs: impl IntoIterator<Item = &'v VarValues>) {
        let Some(kept_back) = self.kept_back else { return };
        let (mut marked, mut others) = (BTreeSet::new(), BTreeSet::new());
        for (name, value) in runs.into_iter().flatten() {
            let declared = self.config.root().and_then(|module| module.variables.get(name));
            let Some(variable) = declared.filter(|variable| variable.is_hidden()) else { continue };
            // Of a variable without a mark only a part may be a secret.
            let is_marked = variable.sensitive || variable.ephemeral;
            if let Ok(value) = value.given.value() {
                add_parts(&value, if is_marked { &mut marked } else { &mut others });
            }
        }
        if marked.is_empty() && others.is_empty() {
            return;
        }
        let known = self.given_by_environments();
        let plain = plain_texts(&self.config, self.secrets(), &self.written_secrets(), &self.phi, &known);
        let secret = |all: &BTreeSet<Arc<str>>| -> Vec<Arc<str>> {
            all.iter().filter(|text| !plain.has_text(text)).cloned().collect()
        };
        kept_back.add(&SecretTexts::of_run(secret(&marked).iter().map(|text| &**text), plain.all()));
        kept_back.add(&SecretTexts::new(secret(&others).iter().map(|text| &**text), plain.all()));
    }
}
