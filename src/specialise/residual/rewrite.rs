//! Edits within declarations that aren't split: literals, references to split units, removed variables, and paths that depend
//! on the module's folder.

use super::{FileEdits, Here, Writer, replace};
use crate::addr::{PathAttr, Referent};
use crate::config::paths::join as join_paths;
use crate::config::{Config, Module};
use crate::graph::Use;
use crate::specialise::decision::{Literal, Node, Split};
use crate::specialise::fold;
use crate::specialise::paths;
use crate::specialise::unit::join::{self, Shape};
use crate::specialise::unit::waits::Waits;
use crate::specialise::unit::{UnitName, follow};
use crate::specialise::written::held::Held;
use crate::specialise::written::literal;
use crate::text::Edit;
use std::collections::BTreeMap;

impl Writer<'_> {
    pub(super) fn literal(&mut self, literal: &Literal, edits: &mut FileEdits) {
        match literal::edits(self.config, literal) {
            Ok(made) => {
                let own = edits.entry(literal.site.attr.file).or_default();
                made.into_iter().for_each(|edit| replace(own, edit));
            }
            Err(issue) => self.issues.push(issue),
        }
    }

    /// Adds the joins of a module's uses, those in expressions also to what is read back.
    pub(super) fn joins(
        &mut self,
        here: Here<'_>,
        node: &Node,
        uses: &[Use],
        held: &mut Held<'_>,
        [edits, read]: [&mut FileEdits; 2],
    ) {
        let mut waits = BTreeMap::new();
        for used in uses {
            let Some((unit, split)) = node.split_of(&used.referent) else { continue };
            let followed = || follow::is_followed(self.config, self.units, here.path, used, split.unit);
            if used.is_address() || followed() {
                continue;
            }
            let mut own = FileEdits::new();
            self.join(used, &unit, split, Some(held), &mut own);
            if let Some(edit) = self.join_by_outputs((here, node), (used, held), (&unit, split), &mut waits) {
                // What is read back has the form that needs no gate.
                for edit in own.into_values().flatten().filter(|_| !used.is_static()) {
                    replace(read.entry(used.file).or_default(), edit);
                }
                replace(edits.entry(used.file).or_default(), edit);
                continue;
            }
            for edit in own.into_values().flatten() {
                if !used.is_static() {
                    replace(read.entry(used.file).or_default(), edit.clone());
                }
                replace(edits.entry(used.file).or_default(), edit);
            }
        }
    }

    /// Returns the edit of a use that must not wait for a whole module, as what a split call waits for itself; nothing where any join will do.
    fn join_by_outputs(
        &mut self,
        (here, node): (Here<'_>, &Node),
        (used, held): (&Use, &Held<'_>),
        (unit, split): (&UnitName, &Split),
        waits: &mut BTreeMap<UnitName, Waits>,
    ) -> Option<Edit> {
        let UnitName::Call(name) = unit else { return None };
        let own = waits.entry(unit.clone()).or_insert_with(|| Waits::of(self.config, here.path, name));
        // For an output of the root module nothing waits.
        let is_last =
            here.path.is_root() && used.context.blocks.first().is_some_and(|kind| &**kind == "output");
        let is_circle = own.contain_use(used) && !is_last;
        let needed = !used.is_static() && (is_circle || self.asked_by_data.contain_use(used));
        let decl = unit.decl(here.module).filter(|_| needed)?;
        let (of, naming) = (self.units.get(split.unit)?, self.naming.get(split.unit)?);
        let texts = of.gates.gates.iter().filter_map(|gate| {
            let text = self.gate_text(here, node, decl, &gate.text)?;
            Some(if gate.negated { format!("!({text})") } else { text })
        });
        let copies: Vec<(String, String)> = naming.names.iter().cloned().zip(texts).collect();
        // A name with steps stays one, and the local that it becomes holds the other form.
        let edit = match of.sensitive || held.is_direct(used) {
            true => Err(join::waits_for_itself(used, unit)),
            false => join::edit_by_outputs(used, unit, &copies, Shape::of(&naming.repetition)),
        };
        match edit {
            Ok(edit) => Some(edit),
            Err(issue) => {
                self.issues.extend(is_circle.then_some(*issue));
                None
            }
        }
    }

    /// Returns what split units have become, for reading back.
    pub(super) fn joined(&self, splits: &[(UnitName, &Split)]) -> BTreeMap<UnitName, fold::Joined> {
        let one = |(unit, split): &(UnitName, &Split)| {
            let naming = self.naming.get(split.unit)?;
            let copies = naming.names.iter().map(|name| unit.called(name)).collect();
            Some((unit.clone(), fold::Joined { copies, shape: Shape::of(&naming.repetition) }))
        };
        splits.iter().filter_map(one).collect()
    }

    pub(in crate::specialise) fn join(
        &mut self,
        used: &Use,
        unit: &UnitName,
        split: &Split,
        held: Option<&mut Held<'_>>,
        edits: &mut FileEdits,
    ) {
        let Some(naming) = self.naming.get(split.unit) else { return };
        let held = held.filter(|held| held.is_direct(used));
        match join::edit(used, unit, &naming.names, Shape::of(&naming.repetition)) {
            Ok(edit) => {
                let edit = match held {
                    Some(held) => held.hold(used, edit),
                    None => edit,
                };
                replace(edits.entry(used.file).or_default(), edit);
            }
            Err(issue) => self.issues.push(*issue),
        }
    }
}

/// Adds the edits that follow from the new folder: relative sources of other calls, `path.module`.
pub(in crate::specialise) fn moved_folder(
    (config, here): (&Config, Here<'_>),
    node: &Node,
    uses: &[Use],
    held: &mut Held<'_>,
    edits: &mut FileEdits,
) {
    for (name, call) in &here.module.calls {
        if node.calls.contains_key(name) {
            continue;
        }
        if let (Some(text), Some(attr)) = (call.source_text(), &call.source)
            && (text.starts_with("./") || text.starts_with("../"))
        {
            let target = join_paths(&here.module.dir, text);
            let new = paths::source(here.dir, &target);
            if new != text {
                replace(edits.entry(attr.file).or_default(), literal::of_source(config, attr, &new));
            }
        }
    }
    let dir = directory(here.module);
    for used in uses.iter().filter(|u| u.referent == Referent::Path(PathAttr::Module)) {
        let text = config.sources.get(used.file).map_or("", |source| &source.text);
        if let Some(edit) = held.put(used, &dir, text) {
            replace(edits.entry(used.file).or_default(), edit);
        }
    }
}

/// Returns the value of `path.module` in the original module.
pub(super) fn directory(module: &Module) -> crate::value::Value {
    let dir = module.dir.to_string_lossy().into_owned();
    crate::value::Value::string(if dir.is_empty() { "." } else { &dir })
}
