//! The file that leads home: its text, and what it tells where the history is lost.
//!
//! In: chains that end in addresses of the original, and what is given up. Invariant: the file is told from one of the user's by its
//! first words, and by holding nothing but `moved` and `removed` blocks. Absent: which chains there are.

use crate::addr::{self, ModuleInstance, ObjectAddr};
use crate::specialise::active::assumed::FENCE;
use crate::specialise::moves::bounds;
use crate::specialise::moves::removed_blocks::{self, write_removed};
use crate::specialise::moves::{Chain, HOME_HEAD, holds_blocks_of_chain, sides, steps, write_chains};
use crate::specialise::record::history::{History, Made};
use crate::syntax::emit::Writer;
use crate::syntax::walk::walk;
use crate::syntax::{self, Attribute, Block, Body, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What stands above a block before the line of the history.
const MADE: &str = "Made by a service: ";

/// Something that Terraform is to forget, and not to destroy, where a state holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Released {
    /// Its address, without keys.
    pub address: String,
    /// What the history tells of it, if a service made it.
    pub made: Option<Made>,
}

impl Released {
    /// What a service made.
    pub fn made(made: Made) -> Released {
        Released { address: made.address.clone(), made: Some(made) }
    }

    /// What a service replaces.
    pub fn replaced(address: String) -> Released {
        Released { address, made: None }
    }
}

/// An address, and all that a copy of it may have, by units with the addresses of their copies.
pub fn copies_of(address: &str, units: &[(String, Vec<String>)]) -> Vec<String> {
    removed_blocks::copies(address, units, true)
}

/// A unit whose objects the blocks lead right beside some sources of a call, and wrong beside others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OneSource {
    /// The unit.
    pub unit: String,
    /// The call whose source an expression chooses.
    pub call: String,
}

/// The text of the file beside the original sources; nothing where nothing leads home and nothing is given up.
pub fn home_text(chains: &[Chain], released: &[Released], one_source: &[OneSource]) -> Option<String> {
    let mut writer = Writer::new("", "\n");
    let mut any = write_chains(chains, "", &mut writer);
    for one in released {
        any = true;
        writer.blank();
        if let Some(line) = one.made.as_ref().and_then(|made| serde_json::to_string(made).ok()) {
            writer.comment(&format!("{MADE}{line}"));
        }
        write_removed(&mut writer, &one.address);
    }
    let text = any.then(|| writer.finish())?;
    let but = |one: &OneSource| {
        format!(
            "# But not beside every source of {}, for {}. Run\n# `tf-phi apply` with the values that decide for the source that \
             stays, write that source out in place of the\n# expression, and run `tf-phi restore` again.\n",
            one.call, one.unit
        )
    };
    let but: String = one_source.iter().map(but).collect();
    Some(format!(
        "{HOME_HEAD} These blocks lead objects from the names of copies back to their\n# own addresses. They are right for every \
         state, and do nothing in one that holds no copy. Keep them until each\n# state has been applied once.\n{AFTER_FAILURE}{but}\n{text}"
    ))
}

/// An apply that failed leaves resources without instances in a state. Terraform moves no whole resource to such a one, and no module to one that has any.
const AFTER_FAILURE: &str = "# Where the last apply failed, run `terraform apply -refresh-only` first: it takes away what Terraform\n# left of resources \
    without instances. Moves stop at them.\n";

/// Returns true if a text is one of [`home_text`].
pub fn is_way_home(text: &str) -> bool {
    text.starts_with(HOME_HEAD) && !holds_blocks_of_chain(text) && holds_moves_alone(text)
}

fn holds_moves_alone(text: &str) -> bool {
    holds_blocks_alone(text, &|block| is_moved(block) || is_removed(block))
}

/// The outputs that stop a plan for which no moves were written.
const OUTPUTS: [&str; 2] = [bounds::OUTPUT, FENCE];

/// Returns true if a text could be one of [`super::FILE`]: it holds nothing but statements about addresses, and outputs that stop a plan. Nobody looks into such a file, so that it
/// may hold nothing that runs, reads, destroys or shows anything.
pub fn is_of_moves(text: &str) -> bool {
    let is_one =
        |block: &Block| is_moved(block) || is_removed(block) || is_import(block) || stops_plan(block);
    holds_blocks_alone(text, &is_one)
}

fn is_moved(block: &Block) -> bool {
    &*block.kind.text == "moved"
        && block.body.blocks().next().is_none()
        && block.body.attributes().all(|attr| matches!(&*attr.name.text, "from" | "to"))
}

/// Returns true for a block by which Terraform gives something up. A provisioner in it would run.
fn is_removed(block: &Block) -> bool {
    &*block.kind.text == "removed" && block.body.blocks().all(|inner| &*inner.kind.text == "lifecycle")
}

/// Returns true if a text holds nothing but blocks by which Terraform forgets something, and destroys nothing.
pub fn gives_up_alone(text: &str) -> bool {
    let is_kept = |inner: &Block| {
        inner
            .body
            .attributes()
            .all(|attr| &*attr.name.text == "destroy" && matches!(attr.expr.kind, ExprKind::Bool(false)))
    };
    holds_blocks_alone(text, &|block| is_removed(block) && block.body.blocks().all(|inner| is_kept(inner)))
}

/// Returns true for an import that reads no file.
fn is_import(block: &Block) -> bool {
    &*block.kind.text == "import"
        && block.body.blocks().next().is_none()
        && block.body.attributes().all(|attr| reads_nothing(attr))
}

/// Returns true for an output of ours that stops a plan, and shows no file.
fn stops_plan(block: &Block) -> bool {
    let is_null = |attr: &Attribute| &*attr.name.text == "value" && matches!(attr.expr.kind, ExprKind::Null);
    let is_rule = |inner: &Block| {
        &*inner.kind.text == "precondition" && inner.body.attributes().all(|attr| says_nothing(attr))
    };
    &*block.kind.text == "output"
        && block.labels.iter().all(|label| OUTPUTS.contains(&&*label.text))
        && block.body.attributes().all(|attr| is_null(attr))
        && block.body.blocks().all(|inner| is_rule(inner))
}

/// Returns true if an argument of a rule shows no value: what it says is a literal.
fn says_nothing(attr: &Attribute) -> bool {
    reads_nothing(attr)
        && (&*attr.name.text != "error_message" || matches!(attr.expr.kind, ExprKind::String(_)))
}

/// Returns true if an argument calls no function that reads a file, makes a secret one plain, or is a provider's.
fn reads_nothing(attr: &Attribute) -> bool {
    let mut reads = false;
    walk(&attr.expr, &mut |inner| {
        if let ExprKind::Call(call) = &inner.kind {
            let name = &*call.name.text;
            reads |= name.contains("::")
                || name == "nonsensitive"
                || name.starts_with("file")
                || name.starts_with("templatefile");
        }
        !reads
    });
    !reads
}

fn holds_blocks_alone(text: &str, is_one: &dyn Fn(&Block) -> bool) -> bool {
    let is_all = |body: &Body| body.attributes().next().is_none() && body.blocks().all(|block| is_one(block));
    syntax::parse(text).is_ok_and(|body| is_all(&body))
}

/// Returns where each address ends that the blocks of a file lead on. What goes round ends nowhere.
pub fn find_ends(text: &str) -> BTreeMap<String, String> {
    let (from, to) = sides(text);
    let next: BTreeMap<&str, &str> =
        from.iter().map(String::as_str).zip(to.iter().map(String::as_str)).collect();
    let mut ends: FxHashMap<&str, &str> = FxHashMap::default();
    for start in next.keys() {
        let (mut end, mut passed) = (*start, FxHashSet::default());
        // What was followed once isn't again.
        while let Some(further) = next.get(end).filter(|_| !ends.contains_key(end)) {
            if !passed.insert(end) {
                break;
            }
            end = further;
        }
        let end = ends.get(end).copied().unwrap_or(end);
        ends.extend(passed.into_iter().map(|address| (address, end)));
    }
    next.keys().map(|start| ((*start).to_owned(), ends.get(start).unwrap_or(start).to_string())).collect()
}

/// The history that a file tells: every address on the way is a copy of what the way ends in.
pub fn read_way_home(text: &str) -> History {
    let mut history = History::default();
    find_ends(text).iter().for_each(|(start, end)| note(&mut history, start, end));
    let told = text.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(MADE));
    told.filter_map(|line| serde_json::from_str(line).ok()).for_each(|made| history.add_made(made));
    history
}

/// Returns true if a way leads an object where Terraform leads it by itself, if no other block leads the module: `count` came or went.
pub fn is_recount(from: &str, to: &str) -> bool {
    let object = |text: &str| match addr::read(text).ok()? {
        (module, Some((resource, key))) => Some((module, resource, key)),
        _ => None,
    };
    let is_countable = |key: &Option<addr::Key>| matches!(key, None | Some(addr::Key::Index(0)));
    object(from).zip(object(to)).is_some_and(|((module, resource, key), to)| {
        (module, resource) == (to.0, to.1) && is_countable(&key) && is_countable(&to.2)
    })
}

/// The blocks of such a file that lead home what is no copy: neither by the history, nor by its name. Who wrote them isn't us.
pub fn find_foreign_moves(text: &str, history: &History) -> Vec<String> {
    let last = |address: &str| address.rsplit('.').next().unwrap_or_default().to_owned();
    let is_named_after = |copy: &str, original: &str| last(copy).starts_with(&format!("{}_", last(original)));
    let told = read_way_home(text);
    let known: FxHashMap<&str, &str> =
        told.entries().map(|entry| (&*entry.address, &*entry.original)).collect();
    let is_foreign = |(address, end): &(String, String)| {
        let own = steps::without_keys(address);
        let is_copy = known.get(&*own).is_some_and(|original| is_named_after(&own, original));
        !is_copy && !history.is_known(&own) && !is_recount(address, end)
    };
    find_ends(text).into_iter().filter(is_foreign).map(|(address, _)| address).collect()
}

fn note(history: &mut History, held: &str, original: &str) {
    let module = |text: &str| text.parse::<ModuleInstance>().ok();
    let object = |(module, instance): (ModuleInstance, Option<(addr::ResourceAddr, Option<addr::Key>)>)| {
        instance.map(|(resource, key)| ObjectAddr { module, resource, key })
    };
    let read = |text: &str| addr::read(text).ok().and_then(object);
    if let (Some(held), Some(original)) = (read(held), read(original)) {
        history.note_object(&held, &original);
    } else if let (Some(held), Some(original)) = (module(held), module(original)) {
        history.note_module(&held, &original);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_the_history() {
        let chain = |all: &[&str]| Chain::new(all.iter().map(ToString::to_string));
        let chains = [
            chain(&["t.db_a[0]", "t.db_b[0]", "t.db"]),
            chain(&["module.m_x[\"k\"]", "module.m[\"k\"]"]),
            chain(&["module.m[\"k\"].t.n_1[0]", "module.m[\"k\"].t.n"]),
        ];
        let made = |service: &str| Made {
            address: "module.db".to_owned(),
            made_for: "t.db".to_owned(),
            service: service.to_owned(),
            form_factor: "on-prem".to_owned(),
        };
        let released = [Released::made(made("pg")), Released::replaced("t.x".to_owned())];
        let text = home_text(&chains, &released, &[]).unwrap();
        assert!(is_way_home(&text) && !is_way_home(&format!("{text}\nlocals {{}}\n")));
        assert!(!is_way_home("moved {\n  from = t.a\n  to   = t.b\n}\n"));
        let run = crate::specialise::moves::text(&[chain(&["t.db", "t.db_a[0]"])]).unwrap();
        for both in [format!("{text}\n{run}"), format!("{run}\n{text}")] {
            assert!(crate::specialise::moves::is_merged_with_chain(&both) && !is_way_home(&both), "{both}");
        }
        assert!(
            !crate::specialise::moves::is_merged_with_chain(&text)
                && !crate::specialise::moves::is_merged_with_chain(&run)
        );
        let history = read_way_home(&text);
        let reads = |held: &str| history.readings(&held.parse().unwrap())[0].to_string();
        assert_eq!(reads("t.db_a[0]"), "t.db");
        assert_eq!(reads("t.db_b[0]"), "t.db");
        assert_eq!(reads("module.m_x[\"k\"].t.n_1[0]"), "module.m[\"k\"].t.n");
        assert_eq!(history.made_calls().collect::<Vec<_>>(), [&made("pg")]);
        assert_eq!(home_text(&[], &[], &[]), None);
    }
}
