//! Units: what is split, and the branches of all driven fields under it taken together.

pub(super) mod carried;
pub(super) mod cycles;
pub(super) mod waits;
pub(super) mod declared;
pub(super) mod discreet;
pub(super) mod follow;
pub(super) mod join;
pub(super) mod name;
pub(super) mod own;
pub(super) mod relocating;
pub(super) mod siblings;

use crate::addr::{CallName, FieldAddr, ModulePath, Target};
use crate::cond::{Condition, FormulaId};
use crate::config::Config;
use crate::config::phi::SplitAt;
use crate::gate::{Choice, Gates, Prover};
use crate::issue::{Code, Issue};
use crate::specialise::record::request::Request;
use crate::specialise::unit::discreet::Fields;
pub use crate::specialise::unit::name::UnitName;
use crate::trace::{Branch, Driven, HopText, Limits, Trace, Traced, Unheld};
use crate::value::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A driven field with its trace.
#[derive(Clone, Copy)]
pub struct Tracked<'a> {
    /// The field.
    pub driven: &'a Driven,
    /// Its trace.
    pub trace: &'a Trace,
}

impl Tracked<'_> {
    /// Returns true if the field is the `source` of a call in a module.
    pub fn is_source_of(&self, above: &ModulePath, call: &CallName) -> bool {
        let field = &self.driven.field;
        let is_source = matches!(field.path.0.as_slice(), [name] if &**name == "source");
        is_source && field.module == *above && matches!(&field.target, Target::Call(c) if c.name == call.name)
    }
}

/// The value of one driven field in a branch.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The value and how it came about.
    pub branch: Branch,
    /// True if it is chosen by something sensitive, so that Terraform counts it as sensitive, too.
    pub sensitive: bool,
}

/// A branch of a unit: a value for each of its driven fields.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The values, in the order of the unit's targets.
    pub values: Vec<Chosen>,
    /// When, in normal form.
    pub when: FormulaId,
    /// When, in the user's words.
    pub shown: Arc<Condition>,
}

/// A resource or call that is split.
#[derive(Clone)]
pub struct Unit<'a> {
    /// The module in which it stands, and in which its gates are written.
    pub scope: ModulePath,
    /// Its name there.
    pub name: UnitName,
    /// The driven fields decided by it.
    pub targets: Vec<Tracked<'a>>,
    /// The branches, in the order of the gates.
    pub branches: Vec<Joint>,
    /// The proved gates.
    pub gates: Gates,
    /// True if the gates depend on anything sensitive, which `count` takes and `for_each` doesn't.
    pub sensitive: bool,
    /// The index of the unit that it is split with, where no field of its own is driven.
    pub follows: Option<usize>,
}

impl Joint {
    /// Returns the key that orders branches by their values alone.
    fn order(&self) -> Vec<String> {
        let text = |chosen: &Chosen| json::to_json(&chosen.branch.value).unwrap_or_default().to_string();
        self.values.iter().map(text).collect()
    }
}

/// The units that bounded fields need; resolved fields are none of its business.
pub fn units<'a>(
    request: &Request<'_>,
    prover: &mut Prover<'_, '_>,
    targets: &[Tracked<'a>],
) -> Result<Vec<Unit<'a>>, Vec<Issue>> {
    let mut by_target: BTreeMap<(ModulePath, Target, bool), Vec<Tracked<'a>>> = BTreeMap::new();
    for t in targets {
        if matches!(t.trace.result, Traced::Bounded(_)) {
            let field = &t.driven.field;
            let at = t.driven.split_at() == SplitAt::Resource;
            by_target.entry((field.module.clone(), field.target.clone(), at)).or_default().push(*t);
        }
    }
    let mut issues: Vec<Issue> = targets.iter().filter_map(|t| not_written(t, targets)).collect();
    let mut by_unit: BTreeMap<(ModulePath, UnitName), Vec<Unit<'a>>> = BTreeMap::new();
    for ((module, target, own), group) in by_target {
        let at = if own { SplitAt::Resource } else { SplitAt::Call };
        match unit(request, prover, &group, (&module, &target, at)) {
            Ok(unit) => by_unit.entry((unit.scope.clone(), unit.name.clone())).or_default().push(unit),
            Err(issue) => issues.push(*issue),
        }
    }
    let mut out = Vec::new();
    for ((scope, name), mut same) in by_unit {
        if same.len() == 1 {
            out.extend(same.pop());
            continue;
        }
        let all: Vec<Tracked<'a>> = same.iter().flat_map(|u| u.targets.iter().copied()).collect();
        // What is split at its own declaration meets there what a condition beside it splits.
        let together = |prover: &mut Prover<'_, '_>, at: SplitAt| {
            unit(request, prover, &all, (&scope, &name.target(), at))
        };
        let is_here = |unit: &Unit<'_>| unit.scope == scope && unit.name == name;
        match together(prover, SplitAt::Call) {
            Ok(unit) if is_here(&unit) => out.push(unit),
            Ok(_) => match together(prover, SplitAt::Resource) {
                Ok(unit) if is_here(&unit) => out.push(unit),
                Ok(_) | Err(_) => issues.push(apart(&all)),
            },
            Err(issue) => issues.push(*issue),
        }
    }
    if issues.is_empty() { Ok(out) } else { Err(issues) }
}

/// Returns the issue for a field in a chosen source, if the choice itself isn't written.
fn not_written(tracked: &Tracked<'_>, targets: &[Tracked<'_>]) -> Option<Issue> {
    let field = &tracked.driven.field;
    let open = field
        .module
        .by_sources()
        .find(|(above, name)| !targets.iter().any(|t| t.is_source_of(above, name)))?;
    let call = open.0.plain().child(open.1.plain());
    let why = format!(
        "`{call}` is another module for each source, and as Terraform chooses the source by itself, there is no call for each \
         of them that a changed module could stand behind."
    );
    let issue = Issue::error(Code::Unsupported, format!("{} can't be specialised", field.plain()), why);
    let each =
        format!("Write a call per source in place of `{call}`, each with a `count` for its condition.");
    let plain = "Or write the value out in each of the modules, where a pin passes it over.";
    Some(issue.at(tracked.trace.at).about(field.to_string()).fix(each, "").fix(plain, ""))
}

/// Fields that one unit decides but no set of gates covers.
fn apart(targets: &[Tracked<'_>]) -> Issue {
    let fields: Vec<String> = targets.iter().map(|t| t.driven.field.to_string()).collect();
    let issue = match fields.as_slice() {
        [only] => {
            let why = "No condition that can stand in a `count` or `for_each` tells its values apart.";
            Issue::error(Code::Unsupported, format!("{only} can't be specialised"), why)
                .fix("Decide it in one module, by variables of the root or by `each.key`.", "")
        }
        _ => {
            let why = format!(
                "{} are decided at different places, and no condition written at one place covers them.",
                fields.join(", ")
            );
            let summary = "several driven fields can't be specialised together";
            Issue::error(Code::Unsupported, summary, why)
                .fix("Decide them in one module, by the same variables.", "")
        }
    };
    at_first(issue, targets)
}

/// The fields of some targets.
pub(super) fn fields_of<'t>(targets: &'t [Tracked<'_>]) -> Fields<'t> {
    let all = targets.iter().map(|target| &target.driven.field).collect();
    Fields { all, at: targets.first().and_then(|first| first.trace.at.into()) }
}

/// An issue with the place of the first of some fields.
fn at_first(issue: Issue, targets: &[Tracked<'_>]) -> Issue {
    match targets.first() {
        Some(first) => issue.at(first.trace.at).about(first.driven.field.to_string()),
        None => issue,
    }
}

/// Arguments of a call that takes no `count`: there is nothing further inwards that the split could move to.
fn no_count(targets: &[Tracked<'_>], call: &ModulePath) -> Issue {
    let fields: Vec<String> = targets.iter().map(|t| t.driven.field.plain().to_string()).collect();
    let summary = format!("{} can't be specialised", fields.join(", "));
    let why = format!(
        "A module that it calls configures providers itself, or calls one that does, and then Terraform takes no `count` on \
         `{}`.",
        call.plain()
    );
    let issue = Issue::error(Code::Unsupported, summary, why).fix(
        "Configure the provider in the root, with an alias where there are several, and pass it on:",
        "providers = {\n  aws = aws.…\n}",
    );
    let inside = targets
        .iter()
        .all(|t| !matches!(t.driven.field.path.0.as_slice(), [n] if matches!(&**n, "source" | "version")));
    let issue = match inside {
        true => {
            issue.fix("Or pin the fields in the module that the argument reaches; these are split there.", "")
        }
        false => issue,
    };
    at_first(issue, targets)
}

/// Fields that depend on a data source which no condition can be added to.
pub(super) fn not_held(targets: &[Tracked<'_>], (attribute, unheld): &(FieldAddr, Unheld)) -> Issue {
    let fields: Vec<String> = targets.iter().map(|t| t.driven.field.to_string()).collect();
    let (why, fix) = match unheld {
        Unheld::Json => (
            "it is declared in a JSON file, and files in JSON get no condition".to_owned(),
            "Declare the data source in a `.tf` file.".to_owned(),
        ),
        Unheld::Overridden => (
            "an override file changes it, and nothing can be added to such a block".to_owned(),
            "Write into the data source's own block what the override file changes.".to_owned(),
        ),
        Unheld::Behind(first) => (
            format!(
                "it needs `{first}`, and if it had a condition, Terraform would read it only when that has no changes \
                 pending, so that no gate could be known in the first plan"
            ),
            format!("Take `{first}` out of what the data source needs, so that it is read before."),
        ),
    };
    let why = format!(
        "The listed values of {attribute} are not all that it could give. No postcondition can hold it to them: {why}."
    );
    let issue = Issue::error(Code::Unsupported, format!("{} can't be specialised", fields.join(", ")), why);
    let issue = issue.fix(fix, "").fix(
        "Or choose by conditions of which the last arm takes every other value:",
        format!("{} == … ? … : …", attribute.local()),
    );
    at_first(issue, targets)
}

/// The unit of some fields, seen from a declaration that all of them are in: what repeats it may stand in gates.
fn unit<'a>(
    request: &Request<'_>,
    prover: &mut Prover<'_, '_>,
    targets: &[Tracked<'a>],
    (at, target, split_at): (&ModulePath, &Target, SplitAt),
) -> Result<Unit<'a>, Box<Issue>> {
    let config = request.config;
    let mut branches = joint(prover, request.limits, targets)?;
    let same_place = targets.iter().all(|t| t.driven.field.module == *at);
    if split_at == SplitAt::Resource && same_place && !at.is_root() {
        // In whatever order the instances of a module come to the values, they are to share one text.
        branches.sort_by_cached_key(Joint::order);
    }
    // Of a list of values no expression of the fields' own tells.
    let speaks = same_place && targets.iter().all(|t| t.trace.by.is_empty());
    let choices: Vec<Choice> = branches
        .iter()
        .map(|b| Choice {
            when: b.when,
            shown: b.shown.clone(),
            equals: if speaks { equals(config, targets, b) } else { Vec::new() },
            own: if speaks { own::ways(config, prover, &valued(targets, b), b.when) } else { Vec::new() },
        })
        .collect();
    let fields = fields_of(targets);
    let pinned: Vec<&Value> =
        branches.iter().flat_map(|b| b.values.iter().map(|chosen| &chosen.branch.value)).collect();
    let may_stand =
        |gates: Gates| (!request.discretion.tells_in_gates(&fields.all, &pinned, &gates)).then_some(gates);
    let secret = || Box::new(discreet::secret_gate(&fields));
    let sensitive = prover.tracer().any_sensitive(branches.iter().map(|b| b.when));
    if split_at == SplitAt::Resource
        && same_place
        && takes_gates(config, at, target, sensitive)
        && let Some(gates) = prover.gates_within(&choices, at, target)
        && let Some(gates) = may_stand(gates)
        && let Some((scope, name)) = place(&gates, targets)
    {
        return Ok(Unit {
            scope,
            name,
            targets: targets.to_vec(),
            branches,
            gates,
            sensitive,
            follows: None,
        });
    }
    let unheld = prover.tracer().unheld(branches.iter().map(|b| b.when));
    let refused = || Box::new(unheld.as_ref().map_or_else(|| apart(targets), |u| not_held(targets, u)));
    let mut gates = match may_stand(prover.gates(&choices, at, target).ok_or_else(refused)?) {
        Some(gates) => gates,
        // The field's own expression names what decides, and holds no value of it.
        None => prover.gates_by_value(&choices, at, target).and_then(may_stand).ok_or_else(secret)?,
    };
    let (mut scope, mut name) = place(&gates, targets).ok_or_else(refused)?;
    if let UnitName::Call(call) = &name
        && (config.configures_providers(&scope.child(call.clone())) || is_chosen_below(&scope, at))
    {
        // Terraform takes no `count` on such a call, or its source chooses between copies of it, of which only some hold
        // the field. So the split moves to the field itself.
        gates = prover.gates_by_value(&choices, at, target).ok_or_else(refused)?;
        gates = may_stand(gates).ok_or_else(secret)?;
        (scope, name) = place(&gates, targets).ok_or_else(refused)?;
        if let UnitName::Call(call) = &name
            && config.configures_providers(&scope.child(call.clone()))
        {
            return Err(Box::new(no_count(targets, &scope.child(call.clone()))));
        }
        if is_chosen_below(&scope, at) {
            return Err(refused());
        }
    }
    Ok(Unit { scope, name, targets: targets.to_vec(), branches, gates, sensitive, follows: None })
}

/// Returns true if a declaration takes gates itself: it can be copied, and what repeats it takes what decides.
fn takes_gates(config: &Config, at: &ModulePath, target: &Target, sensitive: bool) -> bool {
    let Some(module) = config.at(at) else { return false };
    let (decl, keyed) = match target {
        Target::Resource(addr) => match module.resources.get(addr) {
            Some(resource) => (&resource.decl, resource.for_each.is_some()),
            None => return false,
        },
        Target::Call(name) => match module.call(name) {
            Some(call) => (&call.decl, call.for_each.is_some()),
            None => return false,
        },
        _ => return false,
    };
    let counted =
        !matches!(target, Target::Call(name) if config.configures_providers(&at.child(name.clone())));
    let json = decl.blocks().any(|block| config.is_json(block.file));
    counted && !json && !(sensitive && keyed)
}

/// Returns true if a call between a module and one in it is another one for each of its sources.
fn is_chosen_below(scope: &ModulePath, at: &ModulePath) -> bool {
    at.0.iter().skip(scope.depth()).any(|call| call.source.is_some())
}

/// Returns the place of the split: the gates' module, and the unit there that leads to the fields.
fn place(gates: &Gates, targets: &[Tracked<'_>]) -> Option<(ModulePath, UnitName)> {
    let mut names = targets.iter().map(|t| {
        let field = &t.driven.field;
        match field.module.0.get(gates.scope.depth()) {
            _ if !gates.scope.contains(&field.module) => None,
            Some(call) => Some((UnitName::Call(call.name.clone()), &call.source)),
            None => UnitName::of_target(&field.target).map(|name| (name, &None)),
        }
    });
    let first = names.next()??;
    names.all(|n| n.as_ref() == Some(&first)).then(|| (gates.scope.clone(), first.0))
}

/// Returns each driven field with its value in a branch.
fn valued<'t>(targets: &[Tracked<'t>], branch: &'t Joint) -> Vec<(&'t Driven, &'t Value)> {
    let values = branch.values.iter().map(|chosen| &chosen.branch.value);
    targets.iter().map(|target| target.driven).zip(values).collect()
}

fn equals(config: &Config, targets: &[Tracked<'_>], branch: &Joint) -> Vec<(String, Value)> {
    targets
        .iter()
        .zip(&branch.values)
        .map(|(t, b)| {
            let attr = &t.driven.site.attr;
            let rest = &t.driven.site.rest;
            let text = match crate::specialise::written::subst::value_span(&attr.expr, rest) {
                Some(span) => config.sources.slice(attr.at(span)).to_owned(),
                None => {
                    let whole = config.sources.slice(t.trace.expr);
                    rest.iter().fold(format!("({whole})"), |text, name| format!("{text}.{name}"))
                }
            };
            (text, b.branch.value.clone())
        })
        .collect()
}

/// Every combination of the fields' branches whose conditions go together.
fn joint(
    prover: &mut Prover<'_, '_>,
    limits: Limits,
    targets: &[Tracked<'_>],
) -> Result<Vec<Joint>, Box<Issue>> {
    let always = Arc::new(Condition::Always);
    let mut joints = vec![Joint { values: Vec::new(), when: FormulaId::TRUE, shown: always }];
    for target in targets {
        let mut next = Vec::new();
        // Of a value that the user takes the mark off on its way, nothing is known any more.
        let opened =
            |b: &Branch| b.hops.iter().any(|(text, _)| matches!(text, HopText::Call("nonsensitive")));
        let kept = target.trace.branches().iter().filter(|b| !opened(b)).map(|b| b.when);
        let any = prover.tracer().any_sensitive(kept);
        for joint in &joints {
            for branch in target.trace.branches() {
                let both = prover.formulas().and(joint.when, branch.when);
                let possible = both.and_then(|b| prover.formulas().is_false(b).map(|no| (b, !no)));
                let Ok((when, possible)) = possible else {
                    return Err(Box::new(too_many(&target.driven.field, limits)));
                };
                if !possible {
                    continue;
                }
                let mut values = joint.values.clone();
                values.push(Chosen { branch: branch.clone(), sensitive: any });
                let shown = Condition::all([joint.shown.clone(), branch.shown.clone()]);
                next.push(Joint { values, when, shown });
            }
        }
        if next.len() > limits.branches {
            return Err(Box::new(too_many(&target.driven.field, limits)));
        }
        joints = next;
    }
    Ok(joints)
}

fn too_many(field: &FieldAddr, limits: Limits) -> Issue {
    let why =
        format!("Together the driven fields have more combinations than the limit of {}.", limits.branches);
    Issue::error(Code::TooLarge, "bounded, but too large to specialize", why).about(field.to_string()).fix(
        "Raise the limit in `phi.hcl`:",
        format!("settings {{\n  branches = {}\n}}", limits.branches * 4),
    )
}
