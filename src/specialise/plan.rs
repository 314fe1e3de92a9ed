//! From traces to texts and records.

use super::active::{Active, there};
use super::decision::Node;
use super::naming::Said;
use super::record::{FileRecord, Record, Specialization, slashed};
use super::residual::{FileEdits, Naming, apply, written};
use super::unit::{self, Chosen, Tracked, Unit, UnitName};
use super::units::{self, Rename, SplitUnit};
use super::{guard, links, moves, naming, shared};
use crate::addr::{FieldAddr, Key, ModulePath};
use crate::cond::Shown;
use crate::config::Config;
use crate::gate::{Gate, Prover};
use crate::issue::{Code, Issue};
use crate::specialise::active::assumed;
use crate::specialise::decision::decide;
use crate::specialise::moves::direct::{self, Led};
use crate::specialise::moves::relocate::{Import, Relocation};
use crate::specialise::moves::{bounds, removed_blocks};
use crate::specialise::record::history::Keys;
use crate::specialise::record::request::Request;
use crate::specialise::test_files::expect_failures;
use crate::specialise::unit::relocating::find_relocating_copies;
use crate::specialise::unit::{discreet, follow, siblings};
use crate::specialise::written::comment::{self, Told};
use crate::specialise::written::head::insert_head_line;
use crate::specialise::written::laid;
use crate::text::EditSet;
use crate::trace::{Branch, Guard, Repetition, Subject, Traced};
use crate::value::{Value, hcl, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The specialised form, all but the move chains.
#[derive(Clone, Debug)]
pub struct Specialised {
    /// Texts of files as they are to be, by path relative to the working directory; others stay as they are.
    pub files: BTreeMap<PathBuf, String>,
    /// The record of what was decided and replaced.
    pub record: Record,
    /// The units that are split.
    pub splits: Vec<SplitUnit>,
    /// The user's `moved` blocks that are written per run.
    pub relocations: Vec<Relocation>,
    /// The user's `import` blocks that are.
    pub imports: Vec<Import>,
    /// The renames in the user's `moved` blocks.
    pub renames: Vec<Rename>,
    /// The addresses in the user's `removed` blocks.
    pub removed: Vec<String>,
    /// The calls of services that are given up with what they stood in for.
    pub made: Vec<String>,
    /// Objects in state that are led by themselves.
    pub led: Vec<Led>,
    /// Objects that the original destroys and a `removed` block would spare: the address at which each ends, and one beside it that no
    /// block names.
    pub apart: BTreeSet<(String, String)>,
    /// The guards that reject values for which nothing was specialised.
    pub guards: Vec<Guard>,
    /// The lines of copies that stand more than once only because Git ignores override files.
    pub repeated: usize,
}

/// Specialises.
///
/// # Errors
/// Stack issues: forms that can't be rewritten safely, limits.
pub fn specialise(request: &Request<'_>, prover: &mut Prover<'_, '_>) -> Result<Specialised, Vec<Issue>> {
    let targets: Vec<Tracked<'_>> =
        request.driven.iter().zip(request.traces).map(|(driven, trace)| Tracked { driven, trace }).collect();
    let mut units = unit::units(request, prover, &targets)?;
    siblings::add(request.config, prover, &targets, &mut units);
    follow::add(request.config, &mut units);
    let mut record = Record::empty();
    let names = name_units(request, &units);
    for (unit, (copies, _)) in units.iter().zip(&names) {
        record.specializations.extend(unit_specializations(request, unit, copies));
        record.specializations.extend(followed(request, unit, leader(&units, unit), copies));
    }
    record.specializations.extend(resolved_specializations(request, &targets, &units));
    if let Some(older) = request.older {
        record.keep_versions(older);
    }
    let versions = record.versions();
    let naming: Vec<Naming> = units
        .iter()
        .zip(names)
        .map(|(unit, (names, slugs))| {
            let comments = (0..names.len())
                .map(|i| above(request.config, &units, unit, (i, &names), &versions))
                .collect();
            let target = unit.name.target();
            let repetition =
                request.config.at(&unit.scope).map(|m| Repetition::of(m, &target)).unwrap_or_default();
            let over_set = prover.tracer().over_set(&unit.scope, &target);
            Naming { names, slugs, comments, repetition, over_set }
        })
        .collect();
    let told = |target: Tracked<'_>| told(request, target, &versions);
    let mut tree = decide::tree(request.config, prover, (&targets, &units), &told);
    let guards = guards(request, prover, &targets, &units).map_err(|issue| vec![*issue])?;
    add_guards(&mut tree, &guards);
    let (mut writer, mut edits) = written(request.config, request.editable, None, (&tree, &units, &naming));
    let mut splits = addresses_of(request.config, &units, &naming, &writer.handed);
    bounds::count(request.config, &mut splits).map_err(|issue| vec![*issue])?;
    writer.issues.extend(expect_failures::edits(request, prover.tracer().machine(), &splits, &mut edits));
    if !writer.issues.is_empty() {
        return Err(writer.issues);
    }
    let mut files = std::mem::take(&mut writer.files);
    let repeated = if request.links { shared::share(request, &mut writer.origins, &mut files) } else { 0 };
    let edited = edited_records(request, &edits, &mut files).map_err(|issue| vec![*issue])?;
    let links =
        if request.links { links::of(request.config, &writer.origins, &files) } else { BTreeMap::default() };
    add_head_lines(request.config, &writer.origins, &links, &mut files);
    record.files = file_records(request, edited, &files);
    record.note_links(&links);
    record.accepts = request.accepts;
    record.units = units::unit_records(request.config, &splits, request.older);
    splits.extend(units::gone_units(request.config, &record.units, &splits));
    let renames = units::renames(request.config);
    Ok(Specialised {
        files,
        record,
        splits,
        relocations: writer.relocations,
        imports: writer.imports,
        renames,
        removed: units::removals(request.config),
        made: Vec::new(),
        led: Vec::new(),
        apart: BTreeSet::new(),
        guards,
        repeated,
    })
}

/// Adds guards to the modules that hold what they are about.
fn add_guards(tree: &mut Node, guards: &[Guard]) {
    for guard in guards {
        let module = match &guard.subject {
            Subject::Variable(_) | Subject::Workspace => &ModulePath::ROOT,
            Subject::Data(attribute) => &attribute.module,
        };
        tree.guard(module, guard);
    }
}

impl Specialised {
    /// The move chains, by the active copies of each split unit.
    pub fn chains(&self, active: &[Vec<Active>]) -> Vec<moves::Chain> {
        let mut chains = self.of_units(active);
        let led = direct::chains(&self.led, &self.splits, active);
        if !led.is_empty() {
            chains.retain(|unit| direct::stands_beside(unit, &led));
        }
        chains.extend(led);
        chains
            .extend(self.apart.iter().map(|(end, beside)| moves::Chain::new([end.clone(), beside.clone()])));
        chains
    }

    /// Returns the chains of whole units, and the user's own moves that are written per run.
    fn of_units(&self, active: &[Vec<Active>]) -> Vec<moves::Chain> {
        let mut chains = moves::chains(&self.record.units, &self.splits, active, &self.renames);
        let own = self.relocations.iter().flat_map(|r| r.addresses(&self.splits, active));
        chains.extend(own.map(|(from, to)| moves::Chain::new([from, to])));
        chains
    }

    /// Leads these objects by themselves, `first` by their places among `objects`, and those that units' chains can't lead any
    /// more then.
    pub fn lead(&mut self, objects: &[Led], first: BTreeSet<usize>, active: &[Vec<Active>]) {
        let all = direct::together(objects, first, &self.of_units(active), (&self.splits, active));
        self.led.extend(all.iter().filter_map(|i| objects.get(*i)).cloned());
        self.led.sort();
        self.led.dedup();
    }

    /// Notes what a run has that is no instance of a unit; `prover` knows the run's values.
    pub fn note_run(&mut self, prover: &mut Prover<'_, '_>) {
        bounds::note_run(&mut self.splits, prover);
    }

    /// Adds the move chains, by the active copies of each split unit, and the record itself.
    #[must_use]
    pub fn finished(self, active: &[Vec<Active>]) -> Specialised {
        self.moved(active, "")
    }

    /// The same where this isn't known of all units. `chain` is the file of moves as it stands, `variable` one that
    /// no value is known of. A plain plan over what is written then stops wherever it would destroy something.
    #[must_use]
    pub fn finished_without_run(
        mut self,
        config: &Config,
        active: &[Option<Vec<Active>>],
        (chain, variable): (Option<&str>, Option<&Arc<str>>),
    ) -> Specialised {
        let mut copies = Vec::new();
        let mut open = Vec::new();
        let ends = assumed::ends(chain.unwrap_or_default());
        for (unit, known) in self.splits.iter_mut().zip(active) {
            if known.is_none() {
                unit.counted = None;
            }
            let unit = &*unit;
            let stands_in = || assumed::assumed(config, unit, &ends).map(|one| vec![one]);
            let found = known.clone().or_else(stands_in);
            if found.is_none() && unit.keeps_state() {
                open.push(unit);
            }
            copies.push(found.unwrap_or_default());
        }
        let services = self.record.services.as_slice();
        let needed = !open.is_empty() || !services.is_empty();
        let fence = if needed { assumed::fence(&open, services, variable) } else { String::new() };
        self.moved(&copies, &fence)
    }

    fn moved(mut self, active: &[Vec<Active>], fence: &str) -> Specialised {
        let chains = self.chains(active);
        let here = there(active);
        let imports = self.imports.iter().filter_map(|import| import.text(&self.splits, &here));
        let fence = (!fence.is_empty()).then(|| fence.to_owned());
        let bounds = bounds::text(&self.splits, active);
        let given_up = removed_blocks::text(&self.record.services, &self.made, &self.splits, &self.removed);
        let moves =
            moves::text(&chains).into_iter().chain(imports).chain(fence).chain(bounds).chain(given_up);
        let mut text = moves.collect::<Vec<_>>().join("\n");
        if text.is_empty() && self.splits.iter().any(SplitUnit::keeps_state) {
            // That a run has found none is worth keeping: without the file, a check would not know.
            text = moves::NONE.to_owned();
        }
        if !text.is_empty() {
            let path = PathBuf::from(moves::FILE);
            self.record.files.push(FileRecord::residual(&path, &text, None));
            self.files.insert(path, text);
        }
        self.files.insert(PathBuf::from(super::record::FILE), self.record.to_text());
        self
    }
}

fn declared_names(config: &Config) -> BTreeSet<String> {
    let calls = config.modules.iter().flat_map(|m| m.calls.keys().map(ToString::to_string));
    let resources = config.modules.iter().flat_map(|m| m.resources.keys().map(|a| a.name.to_string()));
    calls.chain(resources).collect()
}

/// The unit whose fields decide: what follows another has none of its own.
fn leader<'u, 'a>(units: &'u [Unit<'a>], unit: &'u Unit<'a>) -> &'u Unit<'a> {
    unit.follows.and_then(|i| units.get(i)).unwrap_or(unit)
}

/// Names the copies of all units, each with the slugs of its values.
fn name_units(request: &Request<'_>, units: &[Unit<'_>]) -> Vec<(Vec<String>, Vec<String>)> {
    let mut names: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let declared = declared_names(request.config);
    let held = request.history.names();
    let mut given: BTreeSet<(&ModulePath, String)> = BTreeSet::new();
    // What the same address means in the module of another source.
    let mut meanings: BTreeMap<String, (String, Keys)> = BTreeMap::new();
    for unit in units {
        let others =
            |name: &str| held.get(name).is_some_and(|of| of.iter().any(|o| *o != &**unit.name.name()));
        let here = |name: &str| given.contains(&(&unit.scope, unit.name.called(name).to_string()));
        let (original, keys) = (unit_address(unit, unit.name.name()), keys_of(request.config, unit));
        let before = |name: &str| {
            let address = unit_address(unit, name);
            let beside = meanings.get(&address).is_some_and(|(of, form)| *of != original || *form != keys);
            beside || request.history.is_taken(&address, &original, keys)
        };
        let taken = |name: &str| declared.contains(name) || others(name) || before(name) || here(name);
        let (copies, slugs) = name_copies(unit, leader(units, unit), &taken);
        given.extend(copies.iter().map(|name| (&unit.scope, unit.name.called(name).to_string())));
        meanings.extend(copies.iter().map(|name| (unit_address(unit, name), (original.clone(), keys))));
        names.push((copies, slugs));
    }
    names
}

fn name_copies(
    unit: &Unit<'_>,
    leader: &Unit<'_>,
    taken: &dyn Fn(&str) -> bool,
) -> (Vec<String>, Vec<String>) {
    let said = |joint: &unit::Joint| -> Vec<Said> {
        let of = |(target, chosen): (&Tracked<'_>, &Chosen)| {
            Said::of(&target.driven.field.path, chosen.branch.value.clone())
        };
        leader.targets.iter().zip(&joint.values).map(of).collect()
    };
    let values: Vec<Vec<Said>> = leader.branches.iter().map(said).collect();
    let slugs = naming::slugs(&varying(&values));
    let names = slugs
        .iter()
        .zip(&values)
        .map(|(slug, values)| naming::name(unit.name.name(), slug, values, taken))
        .collect();
    (names, slugs)
}

/// The values that differ between the branches; the others say nothing in a name, unless there is one branch alone.
fn varying(values: &[Vec<Said>]) -> Vec<Vec<Said>> {
    let Some(first) = values.first() else { return Vec::new() };
    let differs: Vec<bool> = (0..first.len())
        .map(|i| values.len() == 1 || values.iter().any(|v| v.get(i) != first.get(i)))
        .collect();
    let kept = |v: &Vec<Said>| v.iter().zip(&differs).filter(|(_, d)| **d).map(|(v, _)| v.clone()).collect();
    values.iter().map(kept).collect()
}

/// The meaning of the keys of a unit's copies.
fn keys_of(config: &Config, unit: &Unit<'_>) -> Keys {
    let repetition = config.at(&unit.scope).map(|m| Repetition::of(m, &unit.name.target()));
    if repetition.is_some_and(|r| !r.is_none()) { Keys::Own } else { Keys::Gate }
}

fn unit_address(unit: &Unit<'_>, name: &str) -> String {
    unit.scope.plain().address_of(unit.name.called(name))
}

/// The units as the move chains see them.
fn addresses_of(
    config: &Config,
    units: &[Unit<'_>],
    naming: &[Naming],
    handed: &[(usize, Option<Key>)],
) -> Vec<SplitUnit> {
    let mut keys: BTreeMap<usize, Vec<Option<Key>>> = BTreeMap::new();
    for (unit, key) in handed {
        keys.entry(*unit).or_default().push(key.clone());
    }
    let one = |(at, (unit, naming)): (usize, (&Unit<'_>, &Naming))| SplitUnit {
        addresses: naming.names.iter().map(|n| unit_address(unit, n)).collect(),
        gates: unit.gates.gates.clone(),
        repeated: !naming.repetition.is_none(),
        handed: keys.remove(&at).unwrap_or_default(),
        relocating: find_relocating_copies(config, unit)
            .filter_map(|copy| naming.names.get(copy))
            .map(|name| unit_address(unit, name))
            .collect(),
        ..SplitUnit::whole(unit.scope.clone(), unit.name.target())
    };
    units.iter().zip(naming).enumerate().map(one).collect()
}

fn specialization(request: &Request<'_>, target: Tracked<'_>, branch: &Branch) -> Specialization {
    let hops = request.discretion.discreet_hops(&target.driven.field, &branch.hops);
    Specialization {
        source_field: local_field(&target.driven.field),
        branch_value: json::to_json(&branch.value).unwrap_or_default(),
        trace_path: hops.iter().map(|(text, _)| text.to_string()).collect(),
        source_span: request.config.sources.span_text(target.trace.block),
        compiler_version: request.version.to_owned(),
        naming: naming::SCHEME,
        ..Specialization::default()
    }
}

fn unit_specializations(request: &Request<'_>, unit: &Unit<'_>, names: &[String]) -> Vec<Specialization> {
    let mut out = Vec::new();
    for ((joint, gate), name) in unit.branches.iter().zip(&unit.gates.gates).zip(names) {
        for (target, Chosen { branch, .. }) in unit.targets.iter().zip(&joint.values) {
            let (module, resource) = match &unit.name {
                UnitName::Call(_) => (Some(name.clone()), None),
                UnitName::Resource(_) => (None, Some(unit.name.called(name).to_string())),
            };
            out.push(Specialization {
                module,
                resource,
                address: unit_address(unit, name),
                gate: Some(shown(gate)),
                gate_text: Some(crate::specialise::written::block::count(gate)),
                scope: unit.scope.plain().to_string(),
                ..specialization(request, *target, branch)
            });
        }
    }
    out
}

/// Returns the record of a unit that is split with another one.
fn followed(
    request: &Request<'_>,
    unit: &Unit<'_>,
    leader: &Unit<'_>,
    names: &[String],
) -> Vec<Specialization> {
    if unit.follows.is_none() {
        return Vec::new();
    }
    let one = |(gate, name): (&Gate, &String)| Specialization {
        resource: Some(unit.name.called(name).to_string()),
        address: unit_address(unit, name),
        source_field: format!("{}.lifecycle.replace_triggered_by", unit.name),
        branch_value: leader.name.to_string().into(),
        gate: Some(shown(gate)),
        gate_text: Some(crate::specialise::written::block::count(gate)),
        scope: unit.scope.plain().to_string(),
        source_span: own_place(request.config, unit),
        compiler_version: request.version.to_owned(),
        naming: naming::SCHEME,
        ..Specialization::default()
    };
    unit.gates.gates.iter().zip(names).map(one).collect()
}

/// Returns the place of a unit's block.
fn own_place(config: &Config, unit: &Unit<'_>) -> String {
    let resource = config.at(&unit.scope).and_then(|m| unit.name.resource(m));
    resource.map(|r| config.sources.span_text(r.decl.block.place())).unwrap_or_default()
}

fn resolved_specializations(
    request: &Request<'_>,
    targets: &[Tracked<'_>],
    units: &[Unit<'_>],
) -> Vec<Specialization> {
    let mut out = Vec::new();
    let decided = siblings::decided(units);
    for target in targets.iter().filter(|t| !decided.contains(&t.driven.field)) {
        let Traced::Resolved(branch) = &target.trace.result else { continue };
        let field = &target.driven.field.plain();
        let whole = FieldAddr { path: Default::default(), ..field.clone() };
        out.push(Specialization {
            module: field.module.0.last().map(ToString::to_string),
            resource: field.module.is_root().then(|| field.target.to_string()),
            address: whole.to_string(),
            scope: field.module.to_string(),
            ..specialization(request, *target, branch)
        });
    }
    out
}

fn local_field(field: &FieldAddr) -> String {
    FieldAddr { module: ModulePath::ROOT, ..field.clone() }.to_string()
}

/// A gate's condition in the article's form, on one line.
fn shown(gate: &Gate) -> String {
    let value = |v: &Value| hcl::to_hcl(v).unwrap_or_default();
    let text = Shown { condition: &gate.condition, value: &value }.to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comment above a copy.
fn above(
    config: &Config,
    units: &[Unit<'_>],
    unit: &Unit<'_>,
    (at, names): (usize, &[String]),
    versions: &BTreeMap<&str, &str>,
) -> String {
    let address = names.get(at).map(|n| unit_address(unit, n)).unwrap_or_default();
    let version = versions.get(address.as_str()).copied().unwrap_or_default();
    let mut fields: Vec<String> = unit.targets.iter().map(|t| comment::field(&t.driven.field)).collect();
    let decides = leader(units, unit);
    let gate = unit.gates.gates.get(at).map(shown).unwrap_or_default();
    let gate = comment::gate(decides, decides.branches.get(at), gate);
    let mut spans: Vec<String> =
        unit.targets.iter().map(|t| config.sources.span_text(t.trace.block)).collect();
    if let Some(leader) = unit.follows.and_then(|i| units.get(i)) {
        fields.push(format!("replace_triggered_by ({})", leader.name));
        spans.push(own_place(config, unit));
    }
    comment::line(&fields, &gate, &spans, version)
}

/// Returns the guards that reject values for which nothing was specialised. Several demands on one variable are
/// joined.
fn guards(
    request: &Request<'_>,
    prover: &mut Prover<'_, '_>,
    targets: &[Tracked<'_>],
    units: &[Unit<'_>],
) -> Result<Vec<Guard>, Box<Issue>> {
    let allowed = |targets: &[Tracked<'_>], guards| {
        discreet::allowed(request.discretion, &unit::fields_of(targets), guards)
    };
    let mut all: Vec<Guard> = Vec::new();
    for unit in units {
        all.extend(allowed(&unit.targets, unit.gates.guards.clone())?);
    }
    for target in targets {
        if let Traced::Resolved(branch) = &target.trace.result {
            let guards =
                prover.guards_of(branch.when).ok_or_else(|| match prover.tracer().unheld([branch.when]) {
                    Some(unheld) => Box::new(unit::not_held(&[*target], &unheld)),
                    None => unguarded(target),
                })?;
            all.extend(allowed(&[*target], guards)?);
        }
    }
    all.extend(allowed(&[], prover.tracer().caps())?);
    let mut out = guard::merged(all);
    out.extend(allowed(&[], guard::defaults(request.config, prover.tracer().defaulted())?)?);
    Ok(out)
}

fn unguarded(target: &Tracked<'_>) -> Box<Issue> {
    let field = &target.driven.field;
    let why = "It has one value under the values that are listed, and nothing can keep others out.";
    let issue = Issue::error(Code::Unsupported, format!("{field} can't be written as a literal"), why);
    Box::new(issue.at(target.trace.at).about(field.to_string()))
}

/// Returns the comment's text on a field with one value.
fn told(request: &Request<'_>, target: Tracked<'_>, versions: &BTreeMap<&str, &str>) -> Told {
    let field = target.driven.field.plain();
    let whole = FieldAddr { path: Default::default(), ..field.clone() }.to_string();
    Told {
        field: comment::field(&field),
        place: request.config.sources.span_text(target.trace.block),
        version: versions.get(whole.as_str()).copied().unwrap_or(request.version).to_owned(),
    }
}

/// The same edits, with those of white space that lay out what they make.
fn laid_out(path: &Path, original: &str, set: EditSet, text: String) -> (EditSet, String) {
    let laid = laid::kept(path, original, &text);
    if laid.is_empty() {
        return (set, text);
    }
    let both = || {
        let both = set.then(&EditSet::of(laid).ok()?, original).ok()?;
        let text = both.apply(original).ok()?;
        Some((both, text))
    };
    both().unwrap_or((set, text))
}

/// Puts the line at the head of each copy of a file, unless it is a link to that file.
fn add_head_lines(
    config: &Config,
    origins: &BTreeMap<PathBuf, PathBuf>,
    links: &BTreeMap<PathBuf, String>,
    files: &mut BTreeMap<PathBuf, String>,
) {
    let may_be_linked = links::originals(config);
    for (copy, origin) in origins {
        // An override file that is written beside the copy has no original.
        let Some(source) = config.sources.find(origin).and_then(|id| config.sources.get(id)) else {
            continue;
        };
        let Some(text) = files.get(copy) else { continue };
        let original = files.get(origin).map_or(&*source.text, String::as_str);
        if links.contains_key(copy) && may_be_linked.contains_key(origin.as_path()) && text == original {
            continue;
        }
        let edit = insert_head_line(origin, text);
        files.extend(edit.and_then(|edit| Some((copy.clone(), apply(text, &[edit]).ok()?))));
    }
}

/// Returns the records of the files that a run creates, and of those that it edits.
fn file_records(
    request: &Request<'_>,
    mut edited: Vec<FileRecord>,
    files: &BTreeMap<PathBuf, String>,
) -> Vec<FileRecord> {
    let names: BTreeSet<&str> = edited.iter().map(|file| file.path.as_str()).collect();
    let created = files.iter().filter(|(path, _)| !names.contains(&*slashed(path)));
    let created: Vec<FileRecord> =
        created.map(|(path, text)| FileRecord::residual(path, text, request.older)).collect();
    edited.extend(created);
    edited.sort_by(|a, b| a.path.cmp(&b.path));
    edited
}

/// Adds the files that are edited in place. Returns their records.
fn edited_records(
    request: &Request<'_>,
    edits: &FileEdits,
    files: &mut BTreeMap<PathBuf, String>,
) -> Result<Vec<FileRecord>, Box<Issue>> {
    let mut out = Vec::new();
    for (file, edits) in edits {
        let Some(source) = request.config.sources.get(*file) else { continue };
        let set = EditSet::of(edits.to_vec()).map_err(|e| {
            Box::new(Issue::error(crate::issue::Code::Unsupported, "edits overlap", e.to_string()))
        })?;
        let Ok(text) = set.apply(&source.text) else { continue };
        if text == *source.text {
            continue;
        }
        let (set, text) = laid_out(&source.path, &source.text, set, text);
        out.push(FileRecord::edited(&source.path, &source.text, &set, &text));
        files.insert(source.path.clone(), text);
    }
    Ok(out)
}
