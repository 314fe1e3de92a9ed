//! What a run gives to secrets.
//!
//! In: the values of a run, or of an environment, for root variables. Out: nothing that is printed afterwards tells those of secrets, in whatever form: a tree may take the
//! mark off by `nonsensitive`, and a change may drop it. Invariant: what anybody may see in the tree stays. Absent on purpose: what the tree itself gives to secrets
//! (see [`super::secrets`]).

use super::secrets::{add_parts, plain_texts};
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

    /// Notes what a run gives to secrets.
    pub fn keep_back(&self, values: &VarValues) {
        self.keep_back_of(values, &self.hidden_variables());
    }

    /// Notes what a run gives to variables that are secrets here or elsewhere.
    pub fn keep_back_of(&self, values: &VarValues, hidden: &BTreeSet<Arc<str>>) {
        let Some(kept_back) = self.kept_back else { return };
        let mut given = BTreeSet::new();
        for (_, value) in values.iter().filter(|(name, _)| hidden.contains(*name)) {
            if let Ok(value) = value.given.value() {
                add_parts(&value, &mut given);
            }
        }
        if given.is_empty() {
            return;
        }
        let known = self.given_by_environments();
        let known: Vec<_> = known.into_iter().filter(|(name, _)| !hidden.contains(*name)).collect();
        let plain = plain_texts(&self.config, self.secrets(), &self.written_secrets(), &self.phi, &known);
        let secret = given.iter().filter(|text| !plain.has_text(text)).map(|text| &**text);
        kept_back.add(&SecretTexts::of_run(secret, plain.all()));
    }
}
