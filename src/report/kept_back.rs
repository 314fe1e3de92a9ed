//! What no output may tell: the secrets of every tree that a run reads, in whatever form.
//!
//! In: the texts of each tree, once that is read. Out: documents without them. All output but sources that are handed on whole passes here before it is made harmless
//! (see [`super::guard`]); who writes a report knows nothing of it. Invariant: what a run reads first is kept back from all that it prints afterwards. It lives as long
//! as the process, since copies of it are held wherever something is printed.

use crate::text::SecretTexts;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The secrets of trees, all together, so that a document is looked through once.
#[derive(Debug, Default)]
pub struct KeptBack(Mutex<Arc<SecretTexts>>);

impl KeptBack {
    /// None so far.
    pub fn new() -> &'static KeptBack {
        Box::leak(Box::default())
    }

    /// Notes what a tree holds.
    pub fn add(&self, texts: &SecretTexts) {
        if !texts.is_empty() {
            Arc::make_mut(&mut *self.all()).add_forms_of(texts);
        }
    }

    /// A document without them.
    pub(super) fn taken_out<'d>(&self, document: &'d str) -> Cow<'d, str> {
        let all = self.all().clone();
        all.conceal_forms(document)
    }

    fn all(&self) -> MutexGuard<'_, Arc<SecretTexts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
