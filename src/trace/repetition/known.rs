//! The value of a field in each instance, where every variable has one value.
//!
//! In: a tracer whose universes are those of a run. Out: the instances of a declaration, each with the field's value, Terraform's
//! error, or the reason why it isn't known before a plan. If some variables are left open, a value is given only if it doesn't
//! depend on them. Absent on purpose: gates, and everything that a driver pins.

use super::axis::{SECRET_KEYS, known_keys, marked_by_some};
use super::dynamic::{elements, iterator_name, pair};
use super::never_instantiated::repeats;
use crate::addr::{FieldAddr, Key, ModuleInstance, ModulePath, Target};
use crate::cond::TermId;
use crate::config::In;
use crate::eval::{At, Bindings, EvalError, Op, Outcome, eval};
use crate::issue::Code;
use crate::syntax::{Attribute, Block};
use crate::text::Place;
use crate::trace::{
    Alt, Frame, Guarded, Hops, InstanceId, Iteration, Part, Reason, Repetition, Subject, Tracer,
    site::FieldSite,
};
use crate::value::{Mark, Marks, Type, Value, convert, hcl};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A field has no more entries of `dynamic` blocks in one instance that are looked at. Blocks within blocks multiply.
const MOST_ENTRIES: usize = 1 << 14;

/// Nor have their values more parts together.
const MOST_PARTS: usize = 1 << 20;

/// A declaration has no more instances that are looked at. Modules within modules multiply.
const MOST_STANDINGS: usize = 1 << 16;

/// The value of something in one instance.
#[derive(Clone, Debug)]
pub enum Known {
    /// This value, wholly known; marked where it is sensitive.
    Value(Value),
    /// Terraform stops with this error.
    Failed(EvalError),
    /// It isn't known before a plan.
    Open(Arc<Reason>),
}

/// An instance of a declaration.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The instance of its module.
    pub instance: InstanceId,
    /// The keys on the way to it, from the outside in: `["a"][0]`. Empty where nothing is repeated.
    pub keys: String,
    /// The instance of its module, as addresses name it.
    pub module: ModuleInstance,
    /// Its own key.
    pub key: Option<Key>,
    pub(in crate::trace) iteration: Iteration,
}

/// The instances of a declaration; or the error, or the reason, for which they aren't known.
pub type Standings = Result<Vec<Standing>, Known>;

/// A field in one instance: the keys of entries of `dynamic` blocks around it, and what it is there.
pub type Entry = (String, Known);

impl<'a> Tracer<'a> {
    /// The instances of a module.
    ///
    /// # Errors
    /// Why they aren't known.
    pub fn module_standings(&mut self, path: &ModulePath) -> Standings {
        self.modules(path, false)
    }

    /// The instances of a module as far as they are known, and the first ones of what `count` may leave without any.
    pub fn possible_standings(&mut self, path: &ModulePath) -> Vec<Standing> {
        self.modules(path, true).unwrap_or_default()
    }

    fn modules(&mut self, path: &ModulePath, possible: bool) -> Standings {
        let root = Standing {
            instance: self.root_instance(),
            keys: String::new(),
            module: ModuleInstance::default(),
            key: None,
            iteration: Iteration::default(),
        };
        let mut out = vec![root];
        for name in &path.0 {
            let mut next = Vec::new();
            for outer in out {
                let call = Target::Call(name.clone());
                let keys = match possible {
                    true => self.possible_keys(outer.instance, &call),
                    false => self.keys(outer.instance, &call)?,
                };
                for key in keys {
                    let child = match self.is_taken(outer.instance, name, key.as_ref()) {
                        Some(true) => self
                            .called(outer.instance, name, key.clone())
                            .ok_or("the module is not installed."),
                        Some(false) => continue,
                        None => Err("which source the call has isn't known."),
                    };
                    let instance = match child {
                        Ok(child) => child,
                        Err(_) if possible => continue,
                        Err(why) => return Err(open(why, None)),
                    };
                    let keys = labelled(&outer.keys, key.as_ref());
                    let module = outer.module.child(name.name.clone(), key);
                    next.push(Standing { instance, keys, module, key: None, ..outer.clone() });
                    if next.len() > MOST_STANDINGS {
                        return Err(too_many());
                    }
                }
            }
            out = next;
        }
        Ok(out)
    }

    /// The instances of a declaration within those of its module.
    ///
    /// # Errors
    /// Why they aren't known.
    pub fn standings(&mut self, modules: &[Standing], target: &Target) -> Standings {
        let mut out = Vec::new();
        for outer in modules {
            for key in self.keys(outer.instance, target)? {
                let at = |key| self.at_key(outer.instance, target, key);
                let iteration = key.as_ref().map(at).unwrap_or_default();
                let keys = labelled(&outer.keys, key.as_ref());
                out.push(Standing { keys, key, iteration, ..outer.clone() });
                if out.len() > MOST_STANDINGS {
                    return Err(too_many());
                }
            }
        }
        Ok(out)
    }

    /// Returns the value of a field in one instance, or one per entry in `dynamic` blocks.
    pub fn known(&mut self, field: &FieldAddr, site: &FieldSite, standing: &Standing) -> Vec<Entry> {
        self.begin();
        // What repeats the declaration is there where no instance is, and sees no key.
        let outer = repeats(field);
        let iteration = if outer { Iteration::default() } else { standing.iteration.clone() };
        let frame = Frame { tracer: self, instance: standing.instance, iteration };
        let mut out = Gathered::default();
        within(frame, site, &site.dynamics, &Bindings::default(), "", &mut out);
        if out.is_full() {
            let why = format!("`dynamic` blocks make more than {MOST_ENTRIES} entries.");
            return vec![(String::new(), open_with(Code::TooLarge, &why, Some(site.attr.value_place())))];
        }
        out.entries
    }

    /// The keys of a declaration in an instance of its module; one without key where it is not repeated.
    ///
    /// # Errors
    /// Why they aren't known.
    pub fn keys(&mut self, instance: InstanceId, target: &Target) -> Result<Vec<Option<Key>>, Known> {
        let Some(module) = self.module_of(instance) else {
            return Err(open("the module is not installed.", None));
        };
        let repetition = Repetition::of(module, target);
        Ok(match (&repetition.for_each, &repetition.count) {
            (Some(for_each), _) => {
                self.names_of(instance, for_each)?.into_iter().map(|name| Some(Key::Name(name))).collect()
            }
            (None, Some(count)) => {
                (0..self.count_of(instance, count)?).map(|i| Some(Key::Index(i))).collect()
            }
            (None, None) => match &repetition.enabled {
                Some(enabled) if !self.is_enabled(instance, enabled)? => Vec::new(),
                _ => vec![None],
            },
        })
    }

    /// The keys of a declaration as far as they are known; of a `count` at least the first.
    pub fn possible_keys(&mut self, instance: InstanceId, target: &Target) -> Vec<Option<Key>> {
        let keys = self.keys(instance, target).unwrap_or_default();
        let repetition = self.module_of(instance).map(|module| Repetition::of(module, target));
        match repetition.filter(|_| keys.is_empty()) {
            Some(repetition) if repetition.count.is_some() => vec![Some(Key::Index(0))],
            Some(repetition) if repetition.is_none() => vec![None],
            _ => keys,
        }
    }

    /// Returns true if OpenTofu makes an object of a declaration.
    fn is_enabled(&mut self, instance: InstanceId, enabled: &In<Attribute>) -> Result<bool, Known> {
        let place = enabled.value_place();
        let value = self.frame(instance).argument(enabled);
        let value = self.only_of(&value, At::new(place))?;
        let invalid =
            |what: &str| Known::Failed(EvalError::new(format!("Invalid enabled argument: {what}")).at(place));
        match self.counts_as_sensitive(&value.marks_deep()) {
            Some(false) => {}
            Some(true) => return Err(invalid("A sensitive value can't say whether there is an object.")),
            None => return Err(Known::Open(Arc::new(marked_by_some(place)))),
        }
        let value = convert::convert(&value.unmark_deep().0, &Type::Bool)
            .map_err(|e| invalid(&format!("{}.", e.message)))?;
        value.as_bool().ok_or_else(|| invalid("The given \"enabled\" argument value is null."))
    }

    fn count_of(&mut self, instance: InstanceId, count: &In<Attribute>) -> Result<i64, Known> {
        let place = count.value_place();
        let value = self.frame(instance).argument(count);
        let value = self.only_of(&value, At::new(place))?;
        let invalid =
            |what: &str| Known::Failed(EvalError::new(format!("Invalid count argument: {what}")).at(place));
        let number =
            convert::convert(&value, &Type::Number).map_err(|e| invalid(&format!("{}.", e.message)))?;
        if number.is_null() {
            return Err(invalid("The given \"count\" argument value is null."));
        }
        let whole = number.unmark().0.as_number().and_then(|n| n.as_usize()).ok_or_else(|| {
            invalid(
                "The given \"count\" argument value is unsuitable: it must be a whole number, zero or more.",
            )
        })?;
        let fits = i64::try_from(whole).ok().filter(|_| whole <= self.inputs.limits.combinations);
        fits.ok_or_else(|| open_with(Code::TooLarge, "there are too many instances to look at.", Some(place)))
    }

    fn names_of(&mut self, instance: InstanceId, for_each: &In<Attribute>) -> Result<Vec<Arc<str>>, Known> {
        let place = for_each.value_place();
        let fail = |what: &str| {
            Known::Failed(EvalError::new(format!("Invalid for_each argument: {what}")).at(place))
        };
        let collection = self.frame(instance).argument(for_each);
        // Attributes may be unknown, as long as their keys aren't. The elements of a set are its keys.
        let by_name =
            |v: &Value| !matches!(v.ty, Type::Set(_)) && self.counts_as_sensitive(&v.marks) == Some(false);
        let open = collection.single().filter(|part| part.value().is_none_or(by_name));
        if let Some(names) = open.and_then(known_keys) {
            return Ok(names);
        }
        let value = self.only_of(&collection, At::new(place))?;
        match self.counts_as_sensitive(&value.marks_deep()) {
            Some(true) => {
                return Err(Known::Failed(EvalError::new(SECRET_KEYS).at(place)));
            }
            None => return Err(Known::Open(Arc::new(marked_by_some(place)))),
            Some(false) => {}
        }
        let value = value.unmark_deep().0;
        if value.is_null() {
            return Err(fail("the given \"for_each\" argument value is null."));
        }
        known_keys(&Part::Value(value)).ok_or_else(|| fail("it must be a map, or set of strings."))
    }

    /// Returns true if Terraform takes what has these marks for sensitive; `None` if only some of the versions in question do.
    pub(super) fn counts_as_sensitive(&self, marks: &Marks) -> Option<bool> {
        match marks.has(Mark::Sensitive) {
            true => Some(true),
            false if marks.has(Mark::Declared) => self.marks_outputs(),
            false => Some(false),
        }
    }

    /// The one value that a value is, wholly known; or why it isn't one.
    pub(in crate::trace) fn only_of(&mut self, value: &Guarded, at: At) -> Result<Value, Known> {
        let open = |reason| Err(Known::Open(reason));
        let alts = match self.flatten(value) {
            Ok(alts) => alts,
            Err(excess) => {
                let wide = self.unknown_for(excess);
                return open(self.why_open(&[wide], &[], at.place()));
            }
        };
        let merged = self.guarded(alts, Some(at.place()));
        // Only values that nobody listed lead to the others.
        let is_listed = |alt: &&Alt| !self.formulas.is_false(alt.when).unwrap_or(false);
        let live: Vec<&Alt> = merged.alts().iter().filter(is_listed).collect();
        let [only] = live.as_slice() else {
            let terms = live.iter().flat_map(|a| self.formulas.terms(a.when).to_vec()).collect::<Vec<_>>();
            let values: Vec<Value> = live.iter().filter_map(|a| a.part.value()).cloned().collect();
            return open(self.why_open(&values, &terms, at.place()));
        };
        match &only.part {
            Part::Failed(e) if e.limit => open(Arc::new(self.why_declined(e, Some(at.place())))),
            Part::Failed(e) => Err(Known::Failed(e.clone())),
            Part::Value(v) if v.marks_deep().has(Mark::Ephemeral) => {
                let why = "the value exists only while Terraform runs.";
                Err(open_with(Code::Ephemeral, why, Some(at.place())))
            }
            Part::Value(v) if v.is_wholly_known() => Ok(v.clone()),
            Part::Value(v) => open(self.why_open(std::slice::from_ref(v), &[], at.place())),
            Part::Object(_) | Part::Tuple(_) => {
                Err(open_with(Code::TooLarge, "there is too much to look at.", Some(at.place())))
            }
        }
    }

    /// Returns the reason why there isn't a single value: a variable without one, or an origin of a part of it.
    fn why_open(&self, values: &[Value], terms: &[TermId], place: Place) -> Arc<Reason> {
        let in_values = values
            .iter()
            .map(Value::marks_deep)
            .flat_map(|all| all.iter().collect::<Vec<_>>())
            .filter_map(|m| self.origins.get(m)?.term());
        let terms: Vec<TermId> = terms.iter().copied().chain(in_values).collect();
        let infos = terms.iter().filter_map(|t| self.origins.info(*t));
        let names: BTreeSet<Arc<str>> = infos.flat_map(|i| i.variables.iter().cloned()).collect();
        if !names.is_empty() {
            let list: Vec<String> = names.iter().map(|n| format!("var.{n}")).collect();
            let has = if list.len() == 1 { "has" } else { "have" };
            let why = format!("{} {has} no value here.", list.join(", "));
            return Arc::new(Reason::new(Code::MissingValue, why, Some(place)).over(names));
        }
        if let Some(reason) = self.reason_in(values) {
            return reason;
        }
        let is_workspace =
            |t: &TermId| self.origins.info(*t).is_some_and(|info| info.subject == Some(Subject::Workspace));
        if terms.iter().any(is_workspace) {
            return Arc::new(Reason::new(Code::NoUniverse, OPEN_WORKSPACE, Some(place)));
        }
        Arc::new(Reason::new(Code::NoUniverse, "the value isn't known before a plan.", Some(place)))
    }
}

/// Why nothing is known of what hangs on the workspace.
pub const OPEN_WORKSPACE: &str =
    "it depends on `terraform.workspace`, and nothing says which workspace this environment has.";

impl Frame<'_, '_> {
    /// Returns the value of a field where names are bound by the `dynamic` blocks around it; that of an error, if its expression
    /// refers to what isn't declared.
    pub fn at_site(
        &mut self,
        site: &FieldSite,
        undeclared: Option<EvalError>,
        names: &Bindings<Guarded>,
    ) -> Guarded {
        let at = At::new(site.attr.value_place());
        let stands_for = site.reading.expression(&site.attr.expr);
        let expr = stands_for.as_ref().unwrap_or(&site.attr.expr);
        let whole = match undeclared {
            Some(error) => Guarded::failed(error),
            None => eval(self, site.attr.file, expr, names),
        };
        let part = |value, name: &Arc<str>| self.operate(&Op::GetAttr(name), vec![value], at);
        let value = site.rest.iter().fold(whole, part);
        if !site.sensitive {
            return value;
        }
        let mark = |v: &Value| -> Outcome { Ok(v.clone().with_mark(Mark::Declared)) };
        self.operate(&Op::Custom(&mark), vec![value], at)
    }
}

/// What was found of a field, entry by entry.
#[derive(Default)]
struct Gathered {
    entries: Vec<Entry>,
    /// The entries of blocks that were looked into: one may have none within.
    visits: usize,
    /// The parts of all values.
    parts: usize,
}

impl Gathered {
    fn add(&mut self, entry: Entry) {
        fn parts(value: &Value) -> usize {
            1 + value.parts().map(parts).sum::<usize>()
        }
        if let Known::Value(value) = &entry.1 {
            self.parts += parts(value);
        }
        self.entries.push(entry);
    }

    fn is_full(&self) -> bool {
        self.entries.len() > MOST_ENTRIES || self.visits > 4 * MOST_ENTRIES || self.parts > MOST_PARTS
    }
}

/// Returns the values of a field within the remaining blocks, entry by entry.
fn within(
    mut frame: Frame<'_, '_>,
    site: &FieldSite,
    blocks: &[In<Block>],
    names: &Bindings<Guarded>,
    keys: &str,
    out: &mut Gathered,
) {
    if out.is_full() {
        return;
    }
    let Some((block, rest)) = blocks.split_first() else {
        let value = frame.at_site(site, None, names);
        let only = frame.tracer.only_of(&value, At::new(site.attr.value_place()));
        out.add((keys.to_owned(), only.map_or_else(|known| known, Known::Value)));
        return;
    };
    let Some(for_each) = block.body.attribute("for_each") else {
        return within(frame, site, rest, names, keys, out);
    };
    let at = At::new(block.at(for_each.expr.span));
    let collection = eval(&mut frame, block.file, &for_each.expr, names);
    let entries = match collection.alts() {
        [only] => elements(only),
        _ => None,
    };
    let Some(entries) = entries else {
        let known = match frame.tracer.only_of(&collection, at) {
            Ok(value) => value,
            Err(known) => return out.add((keys.to_owned(), known)),
        };
        let why = if known.marks_deep().is_secret() {
            open_with(Code::Sensitive, "what repeats the block is sensitive.", Some(at.place()))
        } else {
            let message = "Invalid dynamic for_each value: Cannot use this value in for_each. An iterable collection is required.";
            Known::Failed(EvalError::new(message).at(at.place()))
        };
        return out.add((keys.to_owned(), why));
    };
    let name = iterator_name(block);
    for (key, value) in entries {
        out.visits += 1;
        frame.tracer.effort.work += 1;
        if out.is_full() {
            return;
        }
        let text = hcl::to_hcl(&key).unwrap_or_else(|| "?".to_owned());
        let own = Guarded::of(key);
        let bound = Guarded::always(pair(own, value), Hops::NONE);
        let names = names.with(name.clone(), bound);
        within(frame.again(), site, rest, &names, &format!("{keys}[{text}]"), out);
    }
}

fn too_many() -> Known {
    open_with(Code::TooLarge, &format!("there are more than {MOST_STANDINGS} instances."), None)
}

fn labelled(outer: &str, key: Option<&Key>) -> String {
    key.map_or_else(|| outer.to_owned(), |key| format!("{outer}{key}"))
}

fn open(why: &str, place: Option<Place>) -> Known {
    open_with(Code::NoUniverse, why, place)
}

fn open_with(code: Code, why: &str, place: Option<Place>) -> Known {
    Known::Open(Arc::new(Reason::new(code, why, place)))
}
