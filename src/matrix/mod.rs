//! Fields × environments: what each field is in each environment, and which instances there are.
//!
//! In: a session of the pipeline, environments with their values, fields. Out: cells as data. Each cell is a trace under that
//! environment's values. What doesn't depend on where environments differ is traced once, with these variables left open; only
//! the rest is traced in each. Invariant: a sensitive value never leaves a cell as it is. Absent on purpose: printing.

mod behind;
mod cell;
mod concealed;
mod definition;
mod environment;
mod folding;
mod locked;
mod marked;
mod missing;
mod origins;
mod presence;
mod reported;
pub mod review;
mod run_files;
mod skeleton;
mod walk;
mod written;

pub use behind::{Doubts, Reads};
pub use cell::{Cell, Comparison, shown, shown_json};
pub use definition::Definition;
pub use environment::{Assigned, assigned};
pub use folding::is_told_by_instances;
pub use locked::{LOCK_FILE, Locked};
pub use marked::Marked;
pub use missing::{Missing, unset_variables, values_outside};
pub use origins::{Origin, Origins, sources};
pub use presence::Whole;
pub use reported::leave_out_beyond;
pub use run_files::run_files;
pub use walk::{Declaration, Instance};
pub use written::Written;

use crate::addr::{FieldAddr, ModulePath, ResourceAddr, Target};
use crate::host::{Host, threads};
use crate::pipeline::Session;
use crate::pipeline::fields::Field;
use crate::trace::{Assumptions, MOST_WORK, Tracer, Universes};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use walk::{Budget, Hiding, Walk};

/// The cells of fields, and the instances of declarations, in every environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The environments, in their order.
    pub environments: Vec<Arc<str>>,
    /// The fields.
    pub rows: Vec<Row>,
    /// The resources and data sources.
    pub instances: Vec<Instances>,
    /// Fields and declarations that are in neither, since all of them together are too much.
    pub left_out: BTreeSet<String>,
    /// Fields of which nobody can say whether they differ, where rows that don't differ are left out.
    pub uncompared: BTreeSet<String>,
    /// Rows that people need not read.
    pub folds: BTreeMap<String, Fold>,
}

/// Why a row is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// The instances say it.
    Instances,
    /// It only hands on a value that has a row.
    HandedOn,
}

impl Fold {
    /// The public name.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Instances => "instances",
            Fold::HandedOn => "handed-on",
        }
    }
}

impl Matrix {
    /// Leaves out the rows that don't differ, and notes of which of them nobody can say so. `stay`: the fields whose rows stay.
    pub fn retain_different(&mut self, stay: &BTreeSet<String>) {
        let is_open = |row: &&Row| !row.differs() && row.is_open();
        self.uncompared = self.rows.iter().filter(is_open).map(|row| row.field.clone()).collect();
        self.rows.retain(|row| row.differs() || stay.contains(&row.field));
        self.instances.retain(Instances::differs);
    }

    /// Returns true if anything hangs on a workspace that nothing names.
    pub fn hangs_on_workspace(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.hangs_on_workspace())
    }
}

/// The number of cells in all environments together, of fields and of declarations each.
const MOST_CELLS: usize = 500_000;

/// The bytes that all cells take.
const MOST_BYTES: usize = 128 << 20;

/// A field with its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its address in the original.
    pub field: String,
    /// Its cell in each environment.
    pub cells: Vec<Arc<Cell>>,
}

impl Row {
    /// Returns true if nobody can say whether two environments differ.
    pub fn is_open(&self) -> bool {
        self.cells.windows(2).any(|pair| matches!(pair, [a, b] if a.compare(b) == Comparison::Open))
    }

    /// Returns true if two environments differ. Where all instances are alike, how many there are makes no
    /// difference.
    pub fn differs(&self) -> bool {
        self.cells.windows(2).any(|pair| matches!(pair, [a, b] if a.alike() != b.alike()))
    }
}

/// The instances of one declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Instances {
    /// Its address in the original.
    pub address: String,
    /// Its instances in each environment; nothing where they aren't known.
    pub cells: Vec<Option<Vec<Instance>>>,
}

impl Instances {
    /// Returns true if two environments differ.
    pub fn differs(&self) -> bool {
        self.cells.windows(2).any(|pair| matches!(pair, [a, b] if a != b))
    }
}

/// Every resource and data source of a configuration, module by module.
pub fn declarations<H>(session: &Session<H>) -> Vec<Declaration> {
    let config = &session.config;
    let of = |(path, id): (&ModulePath, &crate::config::ModuleId)| {
        let resources = config.module(*id).into_iter().flat_map(|m| m.resources.values());
        resources.map(|r| (path.clone(), r.addr.clone())).collect::<Vec<_>>()
    };
    config.paths.iter().flat_map(of).collect()
}

/// Computes the cells of fields, and the instances of declarations, in each environment.
pub fn of<H: Host + Clone>(
    session: &Session<H>,
    environments: &[Assigned],
    fields: &[Field],
    declared: &[Declaration],
) -> Matrix {
    let most = (MOST_CELLS / environments.len().max(1)).max(1);
    let mut left_out: BTreeSet<String> = BTreeSet::new();
    left_out.extend(fields.iter().skip(most).map(|field| field.addr.plain().to_string()));
    left_out.extend(declared.iter().skip(most).map(|(path, resource)| address(path, resource)));
    let fields = fields.get(..most).unwrap_or(fields);
    let declared = declared.get(..most).unwrap_or(declared);
    let whole = Budget { work: MOST_WORK, bytes: MOST_BYTES };
    let shared = shared(environments);
    let hiding = Hiding { config: &session.config, secrets: session.secrets(), touched: session.touched() };
    let common = threads::inside(|| {
        let mut walk = Walk::new(tracer(session, &shared), hiding, whole);
        let cells: Vec<Option<Arc<Cell>>> = fields.iter().map(|f| walk.shared(f).map(Arc::new)).collect();
        let keys: Vec<_> = declared.iter().map(|d| walk.keys_within(d).flatten()).collect();
        let left = walk.left();
        std::mem::forget(walk);
        (cells, keys, left)
    });
    // Equal shares of what is left: what comes out doesn't depend on which environment is done first.
    let share = common.2.divided(environments.len());
    let alone = environments.len() < 2;
    let spent = Spent::default();
    let own = threads::map(environments.iter().collect(), |env: &Assigned| {
        let mut walk = Walk::new(tracer(session, &env.universes), hiding, share);
        let one = |(at, (field, known)): (usize, (&Field, &Option<Arc<Cell>>))| match known {
            Some(cell) => Some(cell.clone()),
            None => spent.make_before(at, || walk.cell(field)).map(Arc::new),
        };
        let cells: Vec<Option<Arc<Cell>>> = fields.iter().zip(&common.0).enumerate().map(one).collect();
        let one = |(at, (d, known)): (usize, (&Declaration, &Option<Vec<Instance>>))| match known {
            Some(known) => Some(Some(known.clone())),
            None => spent.make_before(fields.len() + at, || walk.keys_within(d)),
        };
        let keys: Vec<_> = declared.iter().zip(&common.1).enumerate().map(one).collect();
        if alone {
            std::mem::forget(walk);
        }
        (cells, keys)
    });
    let mut row = |(at, field): (usize, &Field)| {
        let (own_name, field) = (field.addr.to_string(), field.addr.plain().to_string());
        let cells = own.iter().map(|(cells, _)| cells.get(at).cloned().flatten()).collect::<Option<Vec<_>>>();
        match cells {
            Some(cells) => Some((own_name, Row { field, cells })),
            None => {
                left_out.insert(field);
                None
            }
        }
    };
    let rows = merged(fields.iter().enumerate().filter_map(&mut row).collect());
    let mut all_instances = Vec::new();
    for (at, (path, resource)) in declared.iter().enumerate() {
        let address = address(path, resource);
        let cells = own.iter().map(|(_, keys)| keys.get(at).cloned().flatten()).collect::<Option<Vec<_>>>();
        match cells {
            Some(cells) => {
                all_instances.push((path.address_of(resource.to_string()), Instances { address, cells }))
            }
            None => drop(left_out.insert(address)),
        }
    }
    Matrix {
        environments: environments.iter().map(|e| e.name.clone()).collect(),
        rows,
        instances: merged_instances(all_instances),
        left_out,
        uncompared: BTreeSet::new(),
        folds: BTreeMap::new(),
    }
}

/// Where the first environment had nothing left. What comes from there on is left out in each, so that the others need not be asked: the
/// same comes out whichever environment is done first.
struct Spent(AtomicUsize);

impl Default for Spent {
    fn default() -> Spent {
        Spent(AtomicUsize::new(usize::MAX))
    }
}

impl Spent {
    /// Returns what is made at a place before that; nothing behind it, and where nothing can be made.
    fn make_before<T>(&self, at: usize, make: impl FnOnce() -> Option<T>) -> Option<T> {
        if at >= self.0.load(Ordering::Relaxed) {
            return None;
        }
        let made = make();
        if made.is_none() {
            self.0.fetch_min(at, Ordering::Relaxed);
        }
        made
    }
}

/// A call whose source is chosen has a module for each: the field is in the one that an environment takes. Where nobody knows which
/// one that is, each has a row of its own, under the name with the source.
fn merged(rows: Vec<(String, Row)>) -> Vec<Row> {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    for (source, row) in rows {
        let is_free = |known: &Row| {
            let mut both = known.cells.iter().zip(&row.cells);
            both.all(|(a, b)| **a == Cell::Absent || **b == Cell::Absent)
        };
        let known = at.get(&row.field).copied().and_then(|i| out.get_mut(i));
        match known.map(|known| (is_free(known), known)) {
            Some((true, known)) => {
                for (cell, other) in known.cells.iter_mut().zip(row.cells) {
                    if **cell == Cell::Absent {
                        *cell = other;
                    }
                }
            }
            Some((false, _)) => out.push(Row { field: source, ..row }),
            None => {
                at.insert(row.field.clone(), out.len());
                out.push(row);
            }
        }
    }
    out
}

/// The same of declarations.
fn merged_instances(all: Vec<(String, Instances)>) -> Vec<Instances> {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut out: Vec<Instances> = Vec::with_capacity(all.len());
    let is_none = |cell: &Option<Vec<Instance>>| cell.as_ref().is_some_and(Vec::is_empty);
    for (source, own) in all {
        let is_free =
            |known: &Instances| known.cells.iter().zip(&own.cells).all(|(a, b)| is_none(a) || is_none(b));
        let known = at.get(&own.address).copied().and_then(|i| out.get_mut(i));
        match known.map(|known| (is_free(known), known)) {
            Some((true, known)) => {
                for (cell, other) in known.cells.iter_mut().zip(own.cells) {
                    if is_none(cell) {
                        *cell = other;
                    }
                }
            }
            Some((false, _)) => out.push(Instances { address: source, ..own }),
            None => {
                at.insert(own.address.clone(), out.len());
                out.push(own);
            }
        }
    }
    out
}

fn address(path: &ModulePath, resource: &ResourceAddr) -> String {
    let target = Target::Resource(resource.clone());
    FieldAddr { module: path.plain(), target, path: Default::default() }.to_string()
}

fn tracer<'a, H: Host + Clone>(session: &'a Session<H>, universes: &'a Universes) -> Tracer<'a> {
    let assumptions = Assumptions::default();
    Tracer::new(&session.config, session.limits(), universes, assumptions, session.outside())
        .following_configured()
}

/// The values that all environments have alike.
fn shared(environments: &[Assigned]) -> Universes {
    let Some((first, rest)) = environments.split_first() else { return Universes::new() };
    let same = |name: &Arc<str>, universe| rest.iter().all(|e| e.universes.get(name) == Some(universe));
    let alike = first.universes.iter().filter(|(name, universe)| same(name, universe));
    alike.map(|(name, universe)| (name.clone(), universe.clone())).collect()
}
