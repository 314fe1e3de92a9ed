//! Two plans, or two states, of which one should do and hold what the other does.

use super::plan::{Change, Object, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// The id of an object in tf-phi's world → its id in the twin's.
pub type Pairs = BTreeMap<String, String>;

/// What kind of difference there is, and its text.
pub type Difference = (&'static str, String);

/// What happens to objects that are there, and what comes.
struct Outcome<'p> {
    lost: BTreeMap<String, (&'static str, &'p Change)>,
    kept: BTreeMap<String, &'p Change>,
    created: BTreeMap<&'p str, &'p Change>,
}

/// A replacement is a loss and a creation.
fn outcome<'p>(plan: &'p Plan, known: &dyn Fn(&str) -> String) -> Outcome<'p> {
    let mut out = Outcome { lost: BTreeMap::new(), kept: BTreeMap::new(), created: BTreeMap::new() };
    for (id, change) in &plan.changes {
        let id = known(id);
        if !change.loses() {
            out.kept.insert(id, change);
            continue;
        }
        let how = if change.actions.contains("forget") { "forget" } else { "delete" };
        out.lost.insert(id, (how, change));
        if change.actions.contains("create") {
            out.created.insert(&change.tag, change);
        }
    }
    out.created.extend(plan.creates.iter().map(|(tag, c)| (tag.as_str(), c)));
    out
}

/// What the second plan does otherwise than the first. The worst comes first.
pub fn plans(twin: &Plan, phi: &Plan, pairs: &Pairs) -> Option<Difference> {
    let ours = outcome(phi, &|id| pairs.get(id).cloned().unwrap_or_else(|| format!("unknown {id}")));
    let theirs = outcome(twin, &str::to_owned);
    for (id, (how, change)) in &ours.lost {
        match theirs.lost.get(id) {
            None => return Some(("destroys", format!("{how} {} ({})", change.address, change.tag))),
            Some((other, _)) if other != how => {
                return Some(("destroys", format!("{how} instead of {other} {}", change.address)));
            }
            Some(_) => {}
        }
    }
    for (id, (how, change)) in &theirs.lost {
        if !ours.lost.contains_key(id) {
            if is_rekeyed(change, &theirs) {
                return Some((REKEYED, change.address.clone()));
            }
            return Some(("keeps", format!("no {how} of {} ({})", change.address, change.tag)));
        }
    }
    created(&theirs.created, &ours.created).or_else(|| kept(&theirs.kept, &ours.kept))
}

/// Where a key comes or goes and no `moved` block says so, Terraform destroys; so it does where some block names the resource.
/// Under a gate a single instance and `[0]` have one address, and what is declared can't be moved away: the object stays.
pub const REKEYED: &str = "rekeyed";

fn is_rekeyed(lost: &Change, theirs: &Outcome<'_>) -> bool {
    let single = |address: &str| address.replace("[0]", "");
    let mut created = theirs.created.values();
    created.any(|c| single(&c.address) == single(&lost.address) && c.address != lost.address)
}

fn created(theirs: &BTreeMap<&str, &Change>, ours: &BTreeMap<&str, &Change>) -> Option<Difference> {
    let tags: BTreeSet<&&str> = theirs.keys().chain(ours.keys()).collect();
    for tag in tags {
        let text = match (theirs.get(*tag), ours.get(*tag)) {
            (Some(a), Some(b)) if a.after == b.after => continue,
            (Some(a), Some(b)) => format!("{tag} is created with {} instead of {}", b.after, a.after),
            (None, Some(b)) => format!("{tag} is created as {}", b.address),
            (Some(a), None) => format!("{tag} is not created, {} is", a.address),
            (None, None) => continue,
        };
        return Some(("creates", text));
    }
    None
}

fn kept(theirs: &BTreeMap<String, &Change>, ours: &BTreeMap<String, &Change>) -> Option<Difference> {
    let ids: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    for id in ids {
        let text = match (theirs.get(id), ours.get(id)) {
            (Some(a), Some(b)) if a.after == b.after && a.actions == b.actions => continue,
            (Some(a), Some(b)) => {
                format!("{}: {} {} instead of {} {}", b.address, b.actions, b.after, a.actions, a.after)
            }
            // What a narrowed plan has nothing to do with may be left out.
            (None, Some(x)) | (Some(x), None) if x.actions == "no-op" => continue,
            (None, Some(b)) => format!("{} {}, which is left alone", b.actions, b.address),
            (Some(a), None) => format!("no {} of {}", a.actions, a.address),
            (None, None) => continue,
        };
        return Some(("values", text));
    }
    None
}

/// Pairs what is new in both states by its tag, and compares what they hold.
pub fn states(
    twin: &BTreeMap<String, Object>,
    phi: &BTreeMap<String, Object>,
    pairs: &mut Pairs,
) -> Option<Difference> {
    let fail = |text: String| Some(("state", text));
    let known: BTreeSet<&String> = pairs.values().collect();
    let mut fresh: BTreeMap<&str, &String> = BTreeMap::new();
    for (id, object) in twin.iter().filter(|(id, _)| !known.contains(id)) {
        if fresh.insert(&object.tag, id).is_some() {
            return Some(("harness", format!("two new objects with the tag {}", object.tag)));
        }
    }
    let mut found = Vec::new();
    for (id, object) in phi.iter().filter(|(id, _)| !pairs.contains_key(*id)) {
        match fresh.remove(object.tag.as_str()) {
            Some(other) => found.push((id.clone(), other.clone())),
            None => return fail(format!("{} is new ({})", object.address, object.tag)),
        }
    }
    if let Some((tag, id)) = fresh.first_key_value() {
        return fail(format!("{} is not there ({tag})", twin[*id].address));
    }
    pairs.extend(found);
    let mut left: BTreeSet<&String> = twin.keys().collect();
    for (id, object) in phi {
        let id = &pairs[id];
        let Some(other) = twin.get(id) else {
            return Some(("keeps", format!("{} is still there ({})", object.address, object.tag)));
        };
        left.remove(id);
        if (&object.values, &object.status) != (&other.values, &other.status) {
            return fail(format!(
                "{}: {} {} instead of {} {}",
                object.address, object.values, object.status, other.values, other.status
            ));
        }
    }
    let id = left.first()?;
    Some(("destroys", format!("{} is gone ({})", twin[*id].address, twin[*id].tag)))
}
