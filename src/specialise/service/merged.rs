//! Resources that become an argument of the call which their owner becomes: a bucket's versioning, which is a resource of its own.
//!
//! In: a satellite of a type that the owner's service merges, and the owner. Out: what the call's argument says, in the satellite's
//! own words. Invariants: the satellite names its owner plainly, and is repeated as the owner is; what the variable's type doesn't
//! name is left out and said. Absent on purpose: satellites that name their owner through anything else.

use super::block;
use super::nested;
use super::reference;
use super::replacing::{Candidate, Replacing, Without};
use crate::config::{In, Module, Resource};
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::residual::{Edits, apply_within};
use crate::specialise::unit::UnitName;
use crate::specialise::written::laid;
use crate::syntax::{Attribute, Block};
use crate::text::{Edit, Place, Span};
use crate::value::Type;
use std::sync::Arc;

/// The argument that a satellite becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Its owners: one, or several that name it.
    pub(super) owners: Vec<UnitName>,
    /// The argument of the owner's call.
    pub into: Arc<str>,
}

/// Meta-arguments of a satellite, which aren't part of its value.
const OWN: [&str; 5] = ["count", "for_each", "depends_on", "provider", "lifecycle"];

/// The argument that a satellite becomes, and the service that merges it; or an error that says why it can't be merged.
pub(super) type Fit = Result<(Merged, Arc<str>), Box<Issue>>;

/// Returns the owners of a satellite among the replaced resources of its module; an error if there is one and the two don't fit;
/// `None` if there is none.
pub(super) fn of(r: &Replacing<'_>, here: &[Candidate<'_>], resource: &Resource) -> Option<Fit> {
    let mut found: Option<(Merged, Arc<str>)> = None;
    for candidate in here {
        let Some(fits) = fit(r, candidate, resource) else { continue };
        if !fits {
            return Some(Err(Box::new(apart(candidate, resource))));
        }
        let into = &candidate.service.merges.get(&resource.addr.kind)?.into;
        let owner = candidate.replaced.unit.clone();
        match &mut found {
            None => {
                let merged = Merged { owners: vec![owner], into: into.clone() };
                found = Some((merged, candidate.service.name.clone()));
            }
            Some((merged, service)) if *service == candidate.service.name => merged.owners.push(owner),
            Some((merged, _)) => return Some(Err(Box::new(shared(candidate, resource, merged)))),
        }
    }
    found.map(Ok)
}

/// Returns true if a candidate owns a satellite and each instance of the one has its own of the other, false if that isn't written
/// down; `None` if the one doesn't plainly name the other.
fn fit(r: &Replacing<'_>, candidate: &Candidate<'_>, resource: &Resource) -> Option<bool> {
    let merge = candidate.service.merges.get(&resource.addr.kind)?;
    let owner = candidate.resource?;
    let (from, to) = if merge.named { (owner, resource) } else { (resource, owner) };
    let text = |attr: &In<Attribute>| {
        let source = r.config.sources.get(attr.file)?;
        source.text.get(attr.expr.span.range()).map(str::trim)
    };
    let by = from.decl.block.body.attribute(&merge.by)?;
    let source = r.config.sources.get(from.decl.block.file)?;
    let said = source.text.get(by.expr.span.range())?.trim();
    let (index, attribute) = said.strip_prefix(&to.addr.to_string())?.rsplit_once('.')?;
    if !attribute.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    if !(index.is_empty() || index.starts_with('[') && index.ends_with(']')) {
        return None;
    }
    let same = |one: &Option<In<Attribute>>, other: &Option<In<Attribute>>| match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => text(one) == text(other),
        _ => false,
    };
    let expected = match (&owner.count, &owner.for_each) {
        (Some(_), _) => "[count.index]",
        (None, Some(_)) => "[each.key]",
        (None, None) => "",
    };
    let alike = same(&owner.count, &resource.count) && same(&owner.for_each, &resource.for_each);
    let single = owner.count.as_ref().and_then(text).is_some_and(|t| t.ends_with("? 1 : 0"));
    // One that isn't repeated says the same to each instance that names it.
    let one_for_all =
        merge.named && resource.count.is_none() && resource.for_each.is_none() && index.is_empty();
    Some(one_for_all || alike && (index == expected || single && index == "[0]"))
}

/// A satellite that services make different things of.
fn shared(candidate: &Candidate<'_>, resource: &Resource, merged: &Merged) -> Issue {
    let own = &resource.addr;
    let other = merged.owners.first().map(ToString::to_string).unwrap_or_default();
    let why = format!(
        "It becomes an argument of the calls that {other} and {} become, which different services replace.",
        candidate.replaced.unit
    );
    Issue::error(Code::Service, format!("{own} can't be merged"), why)
        .at(resource.decl.place())
        .about(own.to_string())
        .fix("Declare one for each.", "")
}

fn apart(candidate: &Candidate<'_>, resource: &Resource) -> Issue {
    let (own, owner) = (&resource.addr, &candidate.replaced.unit);
    let why = format!(
        "The service \"{}\" makes it an argument of the call that {owner} becomes. The two are repeated by different `count` or \
         `for_each`, so that it isn't written down which belongs to which.",
        candidate.service.name
    );
    let named = candidate.service.merges.get(&own.kind).is_some_and(|m| m.named);
    let fix = match named {
        true => format!(
            "Give {own} no `count` and no `for_each`, or the same as {owner}, which then names it by `each.key` or `count.index`."
        ),
        false => format!(
            "Give {own} the same `count` or `for_each` as {owner}, and name the owner by `each.key` or `count.index`."
        ),
    };
    Issue::error(Code::Service, format!("{own} can't be merged"), why)
        .at(resource.decl.place())
        .about(own.to_string())
        .fix(fix, "")
        .fix("Or do without it, and drop it in the form factor:", format!("drops = [\"{}\"]", own.kind))
}

/// The places of a satellite that go: all but what the owner's call says in its words.
pub(super) fn gone(
    r: &Replacing<'_>,
    here: &[Candidate<'_>],
    resource: &Resource,
    merged: &Merged,
) -> Vec<Place> {
    let block = &resource.decl.block;
    let whole = vec![block.place()];
    let Some((_, ty)) = variable(r, here, merged) else { return whole };
    match nested::content("", block, ty, &merged.into) {
        Ok(value) => {
            let header = Span { start: block.span.start, end: block.braces.start };
            let lost = value.lost.into_iter().map(|(_, span)| span).chain([header]);
            lost.map(|span| block.at(span)).collect()
        }
        Err(_) => whole,
    }
}

/// The owner, and the type of what a satellite becomes; a list's elements where there may be several.
fn variable<'c, 'r>(
    r: &'r Replacing<'_>,
    here: &'c [Candidate<'c>],
    merged: &Merged,
) -> Option<(&'c Candidate<'c>, &'r Type)> {
    let candidate = here.iter().find(|c| merged.owners.first() == Some(&c.replaced.unit))?;
    let variable = r.templates.get(&candidate.service.name)?.module.variables.get(&merged.into)?;
    Some(match &variable.ty {
        Type::List(of) | Type::Set(of) => (candidate, of),
        ty => (candidate, ty),
    })
}

/// A satellite that is to be written as an argument.
pub(super) struct Satellite<'a> {
    pub module: &'a Module,
    pub here: &'a [Candidate<'a>],
    pub resource: &'a Resource,
    pub merged: &'a Merged,
    /// Every use in the module, and the places whose text is removed.
    pub uses: &'a [Use],
    pub gone: &'a [Place],
}

/// Returns the text of the argument, indented as in a block without indentation. `edits` are the edits of its file so far; those within
/// the satellite are taken out of it and applied to the text.
///
/// # Errors
/// Returns an error for each argument that the service refuses, and for a nested block that can't be written as a value.
pub(super) fn text(
    r: &Replacing<'_>,
    s: &Satellite<'_>,
    edits: &mut Edits,
    without: &mut Vec<Without>,
) -> Result<String, Vec<Issue>> {
    let block = &s.resource.decl.block;
    let nothing = || Ok(String::from("{}"));
    let Some((candidate, ty)) = variable(r, s.here, s.merged) else { return nothing() };
    let Some(source) = r.config.sources.get(block.file) else { return nothing() };
    let decl = &s.resource.decl;
    let address = candidate.beside(s.resource);
    let mut issues =
        block::refused_under(candidate, (decl, &s.resource.addr), &address, &format!("{}.", s.merged.into));
    let value = match nested::content(&source.text, block, ty, &s.merged.into) {
        Ok(value) => value,
        Err(misfit) => {
            issues.push(block::no_value(candidate, decl, &misfit));
            return Err(issues);
        }
    };
    let (mut inner, rest): (Vec<Edit>, Vec<Edit>) =
        std::mem::take(edits).into_iter().partition(|e| block.span.contains(e.span));
    *edits = rest.into();
    for used in
        s.uses.iter().filter(|used| used.lies_in(block.place())).filter(|u| !reference::is_within(u, s.gone))
    {
        for other in s.here.iter().filter(|c| c.replaced.unit.holds(&used.referent)) {
            match reference::edits(r, s.module, other, used) {
                Ok(found) => inner.extend(found),
                Err(issue) => issues.push(*issue),
            }
        }
    }
    if !issues.is_empty() {
        return Err(issues);
    }
    let nothing_left = {
        let is_lost = |item| value.lost.iter().any(|(_, span)| *span == nested::named(item).1);
        block.body.items.iter().all(is_lost)
    };
    inner.retain(|e| value.lost.iter().all(|(_, span)| !span.contains(e.span)));
    inner.extend(value.edits);
    for (path, _) in &value.lost {
        let argument = path.split_once('.').map_or(path.as_str(), |(_, rest)| rest);
        if let Some(Some(reason)) = candidate.service.ignores.get(path.as_str()) {
            let (address, argument) = (address.clone(), argument.to_owned());
            without.push(Without { address, argument, reason: reason.clone() });
        }
    }
    if nothing_left {
        // A comment has nothing to stand beside.
        return nothing();
    }
    written(&source.text, block, &inner).map_err(|issue| vec![issue.at(block.place())])
}

/// Arguments of a satellite that go and of which the service says nothing.
pub(super) fn unknown(r: &Replacing<'_>, s: &Satellite<'_>) -> Option<Issue> {
    let (candidate, ty) = variable(r, s.here, s.merged)?;
    let merge = candidate.service.merges.get(&s.resource.addr.kind)?;
    let (by, named) = (&merge.by, merge.named);
    let value = nested::content("", &s.resource.decl.block, ty, &s.merged.into).ok()?;
    let told = |path: &str| {
        let argument = path.split_once('.').map_or(path, |(_, rest)| rest);
        argument == &**by && !named || OWN.contains(&argument) || candidate.service.ignores.contains_key(path)
    };
    let lost: Vec<String> = value.lost.into_iter().map(|(path, _)| path).filter(|p| !told(p)).collect();
    let why = format!(
        "The template of \"{}\" has no variable for them: {}.",
        candidate.service.name,
        lost.join(", ")
    );
    let summary = format!("a service does without some arguments of {}", candidate.beside(s.resource));
    let issue = Issue::warning(Code::Service, summary, why).at(s.resource.decl.place());
    (!lost.is_empty()).then(|| match candidate.service.takeover() {
        Some((title, command)) => issue.fix(format!("{title}, and add them to its template:"), command),
        None => issue.fix("Add attributes of these names to the type of the template's variable.", ""),
    })
}

/// The braces of a block with edits, aligned and moved to the margin.
fn written(text: &str, block: &Block, inner: &[Edit]) -> Result<String, Issue> {
    let applied = apply_within(text, block.braces, inner)?;
    let base = crate::syntax::trivia::line_indent(text, block.span.start);
    let body = applied.trim_start_matches('{').trim_end_matches('}');
    if body.trim().is_empty() {
        return Ok("{}".to_owned());
    }
    Ok(laid::moved(&applied, base, ""))
}

/// Several satellites of one owner and argument as one value.
pub(super) fn joined(
    r: &Replacing<'_>,
    candidate: &Candidate<'_>,
    into: &str,
    texts: &[String],
) -> Option<String> {
    let ty = &r.templates.get(&candidate.service.name)?.module.variables.get(into)?.ty;
    match (ty, texts) {
        (Type::List(_) | Type::Set(_), all) => {
            let items: String = all.iter().map(|t| format!("  {},\n", laid::moved(t, "", "  "))).collect();
            Some(format!("[\n{items}]"))
        }
        (_, [one]) => Some(one.clone()),
        _ => None,
    }
}

/// Several satellites where the template takes one.
pub(super) fn several(candidate: &Candidate<'_>, into: &str) -> Issue {
    let why = format!(
        "Each of several resources would be {into} of the call that {} becomes, and the template of \"{}\" takes one.",
        candidate.replaced.unit, candidate.service.name
    );
    candidate.refusal(why, candidate.service.place).fix("Write them as one resource.", "")
}
