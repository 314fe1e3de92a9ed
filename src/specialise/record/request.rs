//! The input of specialising.

use crate::addr::FieldAddr;
use crate::config::Config;
use crate::gate::Gates;
use crate::specialise::record::Record;
use crate::specialise::record::history::History;
use crate::trace::accepts::Accepts;
use crate::trace::{Assumptions, Driven, Guard, Hops, Limits, Trace};
use crate::value::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The input of specialising.
pub struct Request<'a> {
    /// The configuration in its original form.
    pub config: &'a Config,
    /// The limits.
    pub limits: Limits,
    /// The driven fields.
    pub driven: &'a [Driven],
    /// Their traces, in the same order; none of them Unbounded or rejected.
    pub traces: &'a [Trace],
    /// The assumptions about root variables.
    pub assumptions: &'a Assumptions,
    /// The record of the run before.
    pub older: Option<&'a Record>,
    /// Whose the names of copies were that state may hold: none is given to another unit.
    pub history: &'a History,
    /// This program, as `tf-phi 0.1.0`.
    pub version: &'a str,
    /// The expressions that the Terraform in use accepts in static fields, as the record says it.
    pub accepts: Option<Accepts>,
    /// Folders of modules that may be edited in place.
    pub editable: &'a BTreeSet<PathBuf>,
    /// True if a file of a copy that another file equals becomes a link to that one.
    pub links: bool,
    /// Returns true if the tree's `.gitignore` files exclude a path.
    pub is_ignored: &'a dyn Fn(&Path) -> bool,
    /// Who knows what may be written.
    pub discretion: &'a dyn Discretion,
}

/// Who knows what may be written.
pub trait Discretion {
    /// Returns true if gates of some fields hold what a secret may be. `pinned`: the values of the fields, which stand in their copies.
    fn tells_in_gates(&self, fields: &[&FieldAddr], pinned: &[&Value], gates: &Gates) -> bool;

    /// How a field came to a value, without what that says of secrets.
    fn discreet_hops(&self, field: &FieldAddr, hops: &Hops) -> Hops;

    /// Returns true if a guard that some fields need lists what a secret may be.
    fn tells_in_guard(&self, fields: &[&FieldAddr], guard: &Guard) -> bool;
}
