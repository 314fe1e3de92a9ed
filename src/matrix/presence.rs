//! What is wholly new or gone: declarations and modules of which one side has nothing.
//!
//! In: the names of fields and instances that differ, and of all that each side has. Out: the outermost declarations and modules that are on one
//! side alone. Invariant: of a whole the other side has no field and no instance, and nobody doubts that. Absent on purpose: values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A declaration or module that is there on one side only.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Whole {
    /// Its address; that of a module may have keys.
    pub address: String,
    /// True if the head has it.
    pub is_new: bool,
    /// True for a module.
    pub is_module: bool,
}

impl Whole {
    /// Returns true if a field or an instance belongs to it.
    pub fn covers(&self, name: &str) -> bool {
        let within = |name: &str| {
            name.strip_prefix(&self.address).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        within(name) || (name.contains('[') && within(&bare(name)))
    }
}

/// The owners of what differs, each with whether the base and the head have anything of it.
pub(super) struct Presence(BTreeMap<String, Found>);

#[derive(Default)]
struct Found {
    before: bool,
    after: bool,
    is_module: bool,
}

impl Presence {
    /// Of the owners of these fields and instances.
    pub fn new<'f>(
        fields: impl Iterator<Item = &'f str>,
        instances: impl Iterator<Item = &'f str>,
    ) -> Presence {
        let mut all = BTreeMap::new();
        for name in fields.chain(instances) {
            each_owner(name, &mut |owner, is_module| {
                if !all.contains_key(owner) {
                    all.insert(owner.to_owned(), Found { is_module, ..Found::default() });
                }
            });
        }
        Presence(all)
    }

    /// Notes that a side has this.
    pub fn note(&mut self, name: &str, is_head: bool) {
        each_owner(name, &mut |owner, _| {
            if let Some(found) = self.0.get_mut(owner) {
                match is_head {
                    true => found.after = true,
                    false => found.before = true,
                }
            }
        });
    }

    /// The outermost ones of which one side has nothing.
    pub fn wholes(self) -> Vec<Whole> {
        let mut out: Vec<Whole> = Vec::new();
        let mut outer: BTreeSet<String> = BTreeSet::new();
        // An owner stands before what is in it, and modules before the rest.
        let (modules, others): (Vec<_>, Vec<_>) = self.0.into_iter().partition(|(_, found)| found.is_module);
        for (address, found) in
            modules.into_iter().chain(others).filter(|(_, found)| found.before != found.after)
        {
            let mut is_told = false;
            each_owner(&address, &mut |owner, _| is_told |= outer.contains(owner));
            if !is_told {
                // Declarations don't hold each other.
                outer.extend(found.is_module.then(|| address.clone()));
                out.push(Whole { address, is_new: found.after, is_module: found.is_module });
            }
        }
        out.sort_by(|a, b| (a.is_new, &a.address).cmp(&(b.is_new, &b.address)));
        out
    }
}

/// The fields that say how often a declaration is there: its own, and those of the modules around it.
pub(super) fn repetitions(address: &str) -> Vec<String> {
    let mut out = Vec::new();
    owners(&bare(address), &mut |owner, is_module| {
        let names = ["count", "for_each", "lifecycle.enabled", "source"];
        let names = names.into_iter().filter(|name| is_module || *name != "source");
        out.extend(names.map(|name| format!("{owner}.{name}")));
    });
    out
}

/// Calls `tell` with each module that something lies in, without and with keys, and with its declaration.
fn each_owner(name: &str, tell: &mut dyn FnMut(&str, bool)) {
    if name.contains('[') {
        owners(name, &mut |owner, is_module| {
            if is_module && owner.contains('[') {
                tell(owner, true);
            }
        });
    }
    owners(&bare(name), tell);
}

fn owners(name: &str, tell: &mut dyn FnMut(&str, bool)) {
    let mut ends = ends(name).into_iter();
    let mut start = 0;
    while let Some(end) = ends.next() {
        let word = name.get(start..end).unwrap_or_default();
        let Some(next) = ends.next() else { return };
        match word {
            "module" | "component" | "stack" => {
                tell(name.get(..next).unwrap_or_default(), true);
                start = next + 1;
            }
            "output" | "provider" | "local" | "var" | "check" => return,
            "data" | "ephemeral" => {
                let declaration = ends.next().and_then(|last| name.get(..last));
                declaration.into_iter().for_each(|owner| tell(owner, false));
                return;
            }
            _ => return tell(name.get(..next).unwrap_or_default(), false),
        }
    }
}

/// Where the parts of an address end.
fn ends(name: &str) -> Vec<usize> {
    let (mut out, mut depth, mut quoted, mut escaped) = (Vec::new(), 0usize, false, false);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' if depth > 0 => quoted = !quoted,
            b'[' if !quoted => depth += 1,
            b']' if !quoted => depth = depth.saturating_sub(1),
            b'.' if depth == 0 => out.push(at),
            _ => {}
        }
    }
    out.push(name.len());
    out
}

/// An address without keys.
pub fn bare(name: &str) -> Cow<'_, str> {
    if !name.contains('[') {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for c in name.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if depth > 0 => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wholes(differs: &[&str], base: &[&str], head: &[&str]) -> Vec<String> {
        let mut presence = Presence::new(differs.iter().copied(), std::iter::empty());
        base.iter().for_each(|name| presence.note(name, false));
        head.iter().for_each(|name| presence.note(name, true));
        presence
            .wholes()
            .iter()
            .map(|w| format!("{}{}", if w.is_new { "+" } else { "-" }, w.address))
            .collect()
    }

    #[test]
    fn a_new_module_is_one_with_all_in_it() {
        let new = ["module.a.size", "module.a.t.n.input", "module.a.module.b.data.t.n[\"x.y\"]", "t.n.input"];
        assert_eq!(wholes(&new, &["t.n.other"], &new), ["+module.a"]);
    }

    #[test]
    fn a_gone_resource_is_one_with_its_arguments() {
        let gone = ["module.a.t.n.input", "module.a.t.n[0]", "data.t.d.x"];
        assert_eq!(wholes(&gone, &gone, &["module.a.t.other.input"]), ["-data.t.d", "-module.a.t.n"]);
    }

    #[test]
    fn a_new_key_of_a_module_is_a_whole_of_its_own() {
        let new = ["module.a[\"k\"].t.n", "module.a[\"k\"].t.m[0]"];
        let base = ["module.a[\"j\"].t.n", "module.a[\"j\"].t.m[0]"];
        assert_eq!(wholes(&new, &base, &[&new[..], &base[..]].concat()), ["+module.a[\"k\"]"]);
    }

    #[test]
    fn what_both_sides_have_is_no_whole() {
        assert!(wholes(&["t.n.input"], &["t.n.other"], &["t.n.input"]).is_empty());
    }

    #[test]
    fn what_one_covers() {
        let whole = Whole { address: "module.a".into(), is_new: true, is_module: true };
        assert!(
            whole.covers("module.a.t.n.input")
                && whole.covers("module.a[0].t.n[1]")
                && !whole.covers("module.ab.x")
        );
    }
}
