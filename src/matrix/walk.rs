//! One tracer's way through the fields, declaration by declaration.

use super::Cell;
use super::cell::Told;
use crate::addr::{FieldAddr, ModulePath, ObjectAddr, ResourceAddr, Target};
use crate::config::Config;
use crate::issue::Code;
use crate::pipeline::fields::Field;
use crate::pipeline::{ERROR_OF_SECRET, KEYS_HOLD_SECRET, PART_OF_SECRET, Secrets, Touched};
use crate::trace::{Identity, Known, Reason, Standing, Standings, Term, Tracer};
use crate::value::{Mark, Marks};
use std::collections::HashMap;
use std::sync::Arc;

/// An instance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instance {
    /// The keys on the way to it and its own, `""` where nothing is repeated.
    pub keys: String,
    /// Its address.
    pub address: String,
}

/// A resource or data source, in a module.
pub type Declaration = (ModulePath, ResourceAddr);

/// A cell has no more entries.
const MOST_ENTRIES: usize = 1 << 14;

impl Budget {
    /// Its part for each of so many.
    pub fn divided(self, among: usize) -> Budget {
        let among = among.max(1);
        Budget { work: self.work / among as u64, bytes: self.bytes / among }
    }
}

/// The bytes that an instance takes besides its texts.
const INSTANCE: usize = 96;

/// What the cells of one environment may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// In the units that tracers count.
    pub work: u64,
    /// The bytes that they take.
    pub bytes: usize,
}

/// What isn't to be shown.
#[derive(Clone, Copy)]
pub(super) struct Hiding<'a> {
    pub config: &'a Config,
    pub secrets: &'a Secrets,
    pub touched: &'a Touched,
}

/// Reads cells off a tracer. Fields of one declaration come in a row.
pub(super) struct Walk<'a> {
    tracer: Tracer<'a>,
    hiding: Hiding<'a>,
    budget: Budget,
    /// The bytes that its cells take.
    kept: usize,
    module: Option<(ModulePath, Standings)>,
    declaration: Option<(ModulePath, Target, Standings)>,
}

/// More formulas than this are not kept.
const MOST_FORMULAS: usize = 200_000;

impl<'a> Walk<'a> {
    pub fn new(tracer: Tracer<'a>, hiding: Hiding<'a>, budget: Budget) -> Walk<'a> {
        Walk { tracer, hiding, budget, kept: 0, module: None, declaration: None }
    }

    /// Returns the cell of a field under the tracer's values; nothing once too much was done, or is kept.
    pub fn cell(&mut self, field: &Field) -> Option<Cell> {
        if self.is_spent() {
            return None;
        }
        let cell = match self.entries(field) {
            Ok(entries) => Cell::of(entries),
            Err(told) => Cell::from(*told),
        };
        self.kept = self.kept.saturating_add(cell.size());
        (!self.is_spent()).then_some(cell)
    }

    /// What may still be spent.
    pub fn left(&self) -> Budget {
        Budget {
            work: self.budget.work.saturating_sub(self.tracer.spent()),
            bytes: self.budget.bytes.saturating_sub(self.kept),
        }
    }

    fn is_spent(&self) -> bool {
        self.tracer.spent() > self.budget.work || self.kept > self.budget.bytes
    }

    /// The same where it is so whatever the variables are that the tracer doesn't know; nothing elsewhere.
    pub fn shared(&mut self, field: &Field) -> Option<Cell> {
        if self.is_spent() || self.tracer.formulas().size() > MOST_FORMULAS {
            // What depends on so much is for each environment to say.
            return None;
        }
        let entries = self.entries(field).ok()?;
        let settled = |known: &Known| match known {
            Known::Value(_) | Known::Failed(_) => true,
            Known::Open(reason) => reason.code == Code::ApplyTimeValue && reason.defaults.is_empty(),
        };
        // What a variable is part of differs from environment to environment.
        let stays = |told: &Told| match &told.known {
            Known::Open(_) => told.term.as_ref().is_some_and(|term| !term.varies),
            Known::Value(_) | Known::Failed(_) => true,
        };
        let is_settled = entries.iter().all(|told| settled(&told.known) && stays(told));
        let cell = is_settled.then(|| Cell::of(entries))?;
        self.kept = self.kept.saturating_add(cell.size());
        Some(cell)
    }

    /// The keys of a declaration's instances, where they are known; nothing once too much was done, or is kept.
    pub fn keys_within(&mut self, declaration: &Declaration) -> Option<Option<Vec<Instance>>> {
        if self.is_spent() {
            return None;
        }
        let keys = self.keys(declaration);
        let sizes = keys.iter().flatten().map(|one| one.keys.len() + one.address.len() + INSTANCE);
        self.kept = self.kept.saturating_add(sizes.sum());
        (!self.is_spent()).then_some(keys)
    }

    /// The keys of a declaration's instances; nothing where they aren't known.
    pub fn keys(&mut self, (path, resource): &Declaration) -> Option<Vec<Instance>> {
        let target = Target::Resource(resource.clone());
        if self.hiding.secrets.hides_instances(path, &target) {
            return None;
        }
        let standings = self.standings(path, &target).as_ref().ok()?;
        let one = |s: &Standing| Instance {
            keys: s.keys.clone(),
            address: ObjectAddr { module: s.module.clone(), resource: resource.clone(), key: s.key.clone() }
                .to_string(),
        };
        Some(standings.iter().map(one).collect())
    }

    fn entries(&mut self, field: &Field) -> Result<Vec<Told>, Box<Told>> {
        let FieldAddr { module, target, path } = &field.addr;
        if self.hiding.secrets.hides_keys(&field.addr) {
            let term = self.terms(field, None).remove("").map(|term| Arc::new(term.hidden()));
            return Err(Box::new(Told { keys: String::new(), known: hidden_keys(), term }));
        }
        let repeats = path.says_how_often();
        let standings = if repeats { self.modules(module) } else { self.standings(module, target) };
        let standings: Vec<Standing> = match standings.clone() {
            Ok(standings) => standings,
            Err(known) => {
                let term = match &known {
                    Known::Open(_) => self.terms(field, None).remove(""),
                    Known::Value(_) | Known::Failed(_) => None,
                };
                let mut told = Told { keys: String::new(), known, term };
                if self.hiding.touched.has(&field.addr) {
                    self.hiding.hide_part(&mut told);
                }
                return Err(Box::new(told));
            }
        };
        let mut out = Vec::new();
        for standing in &standings {
            if out.len() > MOST_ENTRIES {
                let why = format!("it has more than {MOST_ENTRIES} entries over all instances.");
                let known = Known::Open(Arc::new(Reason::new(Code::TooLarge, why, None)));
                return Err(Box::new(Told { keys: String::new(), known, term: None }));
            }
            let found = self.tracer.known(&field.addr, &field.site, standing);
            let is_open = |(_, known): &(String, Known)| matches!(known, Known::Open(_));
            let mut terms = match found.iter().any(is_open) {
                true => self.terms(field, Some(standing)),
                false => HashMap::new(),
            };
            out.extend(found.into_iter().map(|(entry, known)| {
                let term = terms.remove(&entry).filter(|_| matches!(known, Known::Open(_)));
                Told { keys: format!("{}{entry}", standing.keys), known, term }
            }));
        }
        if self.hiding.secrets.hides(self.hiding.config, &field.addr) {
            out.iter_mut().for_each(hide);
        } else if self.hiding.touched.has(&field.addr) {
            out.iter_mut().for_each(|told| self.hiding.hide_part(told));
        }
        Ok(out)
    }

    /// What a field is made of, entry by entry, where its value isn't known.
    fn terms(&mut self, field: &Field, at: Option<&Standing>) -> HashMap<String, Arc<Term>> {
        let found = self.tracer.identities(&field.addr, &field.site, at);
        let term = |(entry, identity): (String, Identity)| Some((entry, identity.term()?));
        found.into_iter().filter_map(term).collect()
    }

    fn modules(&mut self, path: &ModulePath) -> &Standings {
        if self.module.as_ref().is_none_or(|(known, _)| known != path) {
            let found = self.tracer.module_standings(path);
            self.module = Some((path.clone(), found));
        }
        match &self.module {
            Some((_, standings)) => standings,
            None => &NONE,
        }
    }

    fn standings(&mut self, path: &ModulePath, target: &Target) -> &Standings {
        if self.declaration.as_ref().is_none_or(|(known, of, _)| known != path || of != target) {
            let modules = self.modules(path).clone();
            let found = modules.and_then(|modules| self.tracer.standings(&modules, target));
            self.declaration = Some((path.clone(), target.clone(), found));
        }
        match &self.declaration {
            Some((_, _, standings)) => standings,
            None => &NONE,
        }
    }
}

/// Why nothing is said of what is repeated by a secret.
fn hidden_keys() -> Known {
    Known::Open(Arc::new(Reason::new(Code::Sensitive, KEYS_HOLD_SECRET.to_owned(), None)))
}

impl Hiding<'_> {
    /// Takes out of what is known of a field in which a secret has a part what may quote that.
    fn hide_part(&self, told: &mut Told) {
        told.term = told.term.take().map(|term| match self.touched.is_plain_text(&term.text) {
            true => term,
            false => Arc::new(term.hidden()),
        });
        match &mut told.known {
            Known::Failed(e) if self.touched.is_told_in_error(&e.message) => {
                e.message = ERROR_OF_SECRET.into()
            }
            Known::Open(reason) if reason.has_error || self.touched.is_quoted_in(&reason.why) => {
                *reason = Arc::new(Reason::new(reason.code, PART_OF_SECRET.to_owned(), None));
            }
            _ => {}
        }
    }
}

/// Marks what is known of a field that is secret by its name.
fn hide(told: &mut Told) {
    // No mark of Terraform's: where one comes or goes besides, that is a difference.
    let mark = Marks::one(Mark::Withheld);
    told.term = told.term.take().map(|term| Arc::new(term.hidden()));
    match &mut told.known {
        Known::Value(value) => *value = value.clone().with_marks(&mark),
        // An error may quote what it is about.
        Known::Failed(e) => {
            e.message = ERROR_OF_SECRET.into();
        }
        Known::Open(_) => {}
    }
}

static NONE: Standings = Ok(Vec::new());
