//! Splits that can't be written: declarations in JSON, gates that would wait for themselves, overridden units, secret keys.

use super::{Naming, Writer};
use crate::config::{Decl, Module, fix_in_native};
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::decision::{Child, Node, Split};
use crate::specialise::moves::state_blocks;
use crate::specialise::unit::cycles;
use crate::specialise::unit::{Unit, UnitName};

impl Writer<'_> {
    pub(super) fn refuse_cycles(&mut self, module: &Module, uses: &[Use], splits: &[(UnitName, &Split)]) {
        let gates = splits.iter().filter_map(|(name, split)| {
            let gates = &self.units.get(split.unit)?.gates.gates;
            Some((name.clone(), gates.iter().map(|g| g.text.as_str()).collect()))
        });
        let gates: Vec<(UnitName, Vec<&str>)> = gates.collect();
        for unit in cycles::through_gates(module, uses, &gates) {
            let field = splits.iter().find(|(name, _)| *name == unit);
            let field = field.and_then(|(_, split)| self.units.get(split.unit)?.targets.first());
            let why = "What decides between its values depends on it, so that its copies would wait for themselves.";
            let issue = Issue::error(Code::Unsupported, format!("{unit} can't be split"), why)
                .fix("Choose by something that does not come from it.", "");
            self.issues.push(match field {
                Some(field) => issue.about(field.driven.field.to_string()),
                None => issue,
            });
        }
    }

    /// Declarations in JSON can be traced but not rewritten. A call may lead elsewhere, with the arguments that it has.
    pub(super) fn json_refusals(&mut self, module: &Module, node: &Node, uses: &[Use]) {
        let is_rewritten = |child: &Child| match child {
            Child::Split(_) => true,
            Child::Through(inner) => inner.gone().next().is_some() || !inner.unused.variables.is_empty(),
        };
        let calls = node.calls.iter().filter(|(_, child)| is_rewritten(child));
        let calls = calls.map(|(name, _)| UnitName::Call(name.clone()));
        let units = calls.chain(node.resources.keys().cloned().map(UnitName::Resource));
        let mut json: Vec<(&Decl, String)> =
            units.filter_map(|unit| Some((unit.decl(module)?, unit.to_string()))).collect();
        for (name, _) in node.gone() {
            json.extend(module.variables.get(name).map(|v| (&v.decl, format!("var.{name}"))));
        }
        // A chain goes on from where a unit's own address is moved to.
        let moved: Vec<&Decl> =
            module.moved.iter().filter(|d| d.json && state_blocks::stays(d, node)).collect();
        let stays = |used: &&Use| moved.iter().any(|d| used.lies_in(d.block.place()));
        for (unit, _) in node.splits() {
            let uses = uses.iter().filter(|u| !stays(u));
            for used in uses.filter(|u| u.is_address() && unit.holds(&u.referent)) {
                let summary = format!("a JSON file names the address of {unit}");
                let why =
                    "The block would have to be written anew, and declarations in JSON are not rewritten.";
                let issue = Issue::error(Code::Unsupported, summary, why).at(used.place());
                self.issues.push(issue.fix("Write the block in a `.tf` file.", ""));
            }
        }
        for (decl, what) in json.into_iter().filter(|(d, _)| d.json) {
            let issue = Issue::error(
                Code::Unsupported,
                format!("{what} is declared in JSON"),
                "What is declared in JSON can be traced, but not copied or taken out.",
            );
            self.issues.push(fix_in_native(issue.at(decl.place()), self.config, decl.place()));
        }
    }
}

/// Returns the issue for a unit that can't be split as it is.
pub(super) fn refused(name: &UnitName, module: &Module, decl: &Decl) -> Option<Issue> {
    let json = |file| module.files.iter().any(|f| f.source == file && f.json);
    let over = decl.overrides.iter().find(|over| json(over.file))?;
    let why = "An override file in JSON changes it; both would have to be rewritten together, and JSON files are not.";
    let issue = Issue::error(Code::Unsupported, format!("{name} can't be split"), why).at(over.place());
    Some(issue.fix("Merge the override into the declaration.", ""))
}

/// Terraform takes no sensitive value in `for_each`, which is where the gate of such a unit belongs.
pub(super) fn secret_keys(unit: &Unit<'_>, naming: &Naming, decl: &Decl) -> Option<Issue> {
    if !unit.sensitive || naming.repetition.for_each.is_none() {
        return None;
    }
    let summary = format!("{} can't be split", unit.name);
    let why =
        "What decides is sensitive, and `for_each`, where the gate would stand, takes nothing sensitive.";
    let issue = Issue::error(Code::Sensitive, summary, why).at(decl.place());
    Some(
        issue.fix(
            "Choose by something that is not sensitive, or take the mark off with `nonsensitive(...)`.",
            "",
        ),
    )
}
