//! Drivers: what asks for a concrete value of a field, and the tracing of all driven fields together.

use super::unmatched::find_unmatched_pins;
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::phi::{FieldDecl, PhiConfig, PinLabel, Specialize, SplitAt};
use crate::config::{Config, Module};
use crate::func::Surroundings;
use crate::issue::{Code, Fix, Issue};
use crate::trace::{
    Assumptions, Limits, Reason, Rounded, Trace, Traced, Tracer, Universes,
    repetition::never_instantiated::is_static,
    site::{FieldSite, locate, locate_all},
    tracer::effort::MOST_WORK,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The driver of the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// A `specialize` block of `phi.hcl`.
    Pin,
    /// A place where Terraform takes no expression.
    Static,
    /// A field of a service that stands for a resource.
    Service,
}

/// A driven field.
#[derive(Clone, Debug)]
pub struct Driven {
    /// The field, in one instance.
    pub field: FieldAddr,
    /// Its definition.
    pub site: FieldSite,
    /// The driver of the field.
    pub driver: Driver,
    /// The declaration of the field in `phi.hcl`: its universe, its bins.
    pub said: Option<FieldDecl>,
    /// The place at which `phi.hcl` wants it split, if it says so.
    pub at: Option<SplitAt>,
    /// True if `phi.hcl` wants copies for it where other fields have none.
    pub copies: bool,
}

impl Driven {
    /// Returns the place at which the field is split. Unless `phi.hcl` says otherwise, Terraform's own meta-arguments
    /// are split where they are, everything else at a call.
    pub fn split_at(&self) -> SplitAt {
        self.at.unwrap_or(if self.is_meta() { SplitAt::Resource } else { SplitAt::Call })
    }

    /// Returns true if Terraform itself reads the field, and takes no expression there.
    pub fn is_meta(&self) -> bool {
        is_static(&self.field)
    }
}

/// Every driven field of a configuration, in order of address: those that `phi.hcl` pins, and of [`statics`] those that the
/// Terraform in use doesn't evaluate by itself.
pub fn drivers(config: &Config, phi: &PhiConfig, statics: Vec<Driven>) -> (Vec<Driven>, Vec<Issue>) {
    let mut driven: Vec<Driven> = Vec::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        for pin in &phi.specialize {
            pinned(path, module, pin, &mut driven);
        }
    }
    driven.extend(statics);
    driven.sort_by(|a, b| a.field.cmp(&b.field));
    driven.dedup_by(|again, first| {
        let same = again.field == first.field;
        if same && first.said.is_none() {
            first.said = again.said.take();
        }
        if same {
            first.at = first.at.or(again.at);
            first.copies |= again.copies;
            if again.driver == Driver::Static {
                first.driver = Driver::Static;
            }
        }
        same
    });
    let matches =
        |path: &ModulePath, module: &Module, label: &PinLabel| !targets(path, module, label).is_empty();
    (driven, find_unmatched_pins(config, phi, &matches))
}

pub(in crate::trace) fn targets(path: &ModulePath, module: &Module, label: &PinLabel) -> Vec<Target> {
    match label {
        PinLabel::Type(kind) => {
            let same = module.managed().filter(|r| r.addr.kind == *kind);
            same.map(|r| Target::Resource(r.addr.clone())).collect()
        }
        PinLabel::Resource(addr) => {
            module.resources.get(addr).map(|r| Target::Resource(r.addr.clone())).into_iter().collect()
        }
        PinLabel::Address(address) if address.module == path.plain() => match &address.target {
            Target::Resource(addr) if module.resources.contains_key(addr) => vec![address.target.clone()],
            Target::Call(name) if module.call(name).is_some() => vec![address.target.clone()],
            _ => Vec::new(),
        },
        PinLabel::Address(_) => Vec::new(),
    }
}

fn pinned(path: &ModulePath, module: &Module, pin: &Specialize, out: &mut Vec<Driven>) {
    for target in targets(path, module, &pin.label) {
        for decl in &pin.fields {
            let field = FieldAddr { module: path.clone(), target: target.clone(), path: decl.field.clone() };
            // A resource that doesn't set the field has nothing to specialise.
            for (path, site) in locate_all(module, &field.target, &field.path.0).unwrap_or_default() {
                let field = FieldAddr { path: FieldPath(path), ..field.clone() };
                if field.module.is_by_source()
                    && site.rest.is_empty()
                    && site.reading.is_plain(&site.attr.expr)
                {
                    continue;
                }
                let said = (decl.universe.is_some() || decl.bins.is_some()).then(|| decl.clone());
                out.push(Driven { field, site, driver: Driver::Pin, said, at: pin.at, copies: pin.copies });
            }
        }
    }
}

/// Every field in which some Terraform takes no expression, and one is written.
pub fn statics(config: &Config) -> Vec<Driven> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        if let Some(module) = config.module(*id) {
            statics_of(path, module, &mut out);
        }
    }
    out
}

fn statics_of(path: &ModulePath, module: &Module, out: &mut Vec<Driven>) {
    let mut add = |target: Target, name: &[&str]| {
        let field = FieldPath(name.iter().map(|n| Arc::from(*n)).collect());
        let field = FieldAddr { module: path.clone(), target, path: field };
        let configured = |provider: &str, alias: &str| module.has_configuration(provider, alias);
        let plain = |site: &FieldSite| match name {
            ["provider" | "providers"] => site.reading.is_plain_among(&site.attr.expr, &configured),
            _ => site.reading.is_plain(&site.attr.expr),
        };
        if let Ok(site) = locate(module, &field.target, &field.path.0)
            && !plain(&site)
        {
            out.push(Driven { field, site, driver: Driver::Static, said: None, at: None, copies: false });
        }
    };
    for call in module.calls.values() {
        for name in ["source", "version", "providers"] {
            add(Target::Call(call.name.clone().into()), &[name]);
        }
    }
    for resource in module.resources.values() {
        add(Target::Resource(resource.addr.clone()), &["provider"]);
    }
    for resource in module.managed() {
        for name in ["prevent_destroy", "create_before_destroy", "ignore_changes"] {
            add(Target::Resource(resource.addr.clone()), &["lifecycle", name]);
        }
    }
}

/// Traces all driven fields with one tracer. What one of them takes for granted counts for all. All of it may cost no more than [`MOST_WORK`].
pub fn trace_driven<'a>(
    config: &'a Config,
    limits: Limits,
    universes: &'a Universes,
    outside: &'a dyn Surroundings,
    driven: &[Driven],
) -> (Tracer<'a>, Vec<Trace>, Assumptions) {
    trace_driven_within(MOST_WORK, (config, limits, universes, outside), driven)
}

/// The same for so much work on all fields together, however often they are traced. What is left out then is too large.
pub fn trace_driven_within<'a>(
    most: u64,
    (config, limits, universes, outside): (&'a Config, Limits, &'a Universes, &'a dyn Surroundings),
    driven: &[Driven],
) -> (Tracer<'a>, Vec<Trace>, Assumptions) {
    let mut assumptions = Assumptions::default();
    let mut asked = vec![Assumptions::default(); driven.len()];
    let mut left = most;
    loop {
        let mut tracer = Tracer::new(config, limits, universes, assumptions.clone(), outside).within(left);
        let mut traces = Vec::with_capacity(driven.len());
        let mut more = Assumptions::default();
        for (d, asked) in driven.iter().zip(&mut asked) {
            let (mut trace, needed) = match tracer.spent() > left {
                true => (left_out(config, d), Assumptions::default()),
                false => tracer.trace(&d.field, &d.site, d.said.as_ref()),
            };
            // Terraform reads these where there is no instance, too.
            trace.never_instantiated &= d.driver != Driver::Static;
            asked.take_in(needed.clone());
            more.take_in(needed);
            traces.push(trace);
        }
        left = left.saturating_sub(tracer.spent());
        if !assumptions.take_in(more) {
            // What is asked of the tracer from here on has bounds of its own.
            let tracer = tracer.within(u64::MAX);
            // A default that some field is split by is held by a validation, for all of them.
            let split = traces.iter().zip(&asked).filter(|(trace, _)| !trace.branches().is_empty());
            let held: BTreeSet<_> = split.flat_map(|(_, asked)| asked.pinned.iter().cloned()).collect();
            let under = |(trace, mut asked): (Trace, Assumptions)| {
                asked.pinned.retain(|name| !trace.never_instantiated || !held.contains(name));
                trace.under(&asked, config)
            };
            return (tracer, traces.into_iter().zip(asked).map(under).collect(), assumptions);
        }
    }
}

/// The trace of a field for which no work is left.
fn left_out(config: &Config, driven: &Driven) -> Trace {
    let (expr, at) = (driven.site.attr.value_place(), driven.site.place());
    let why = "the fields before it cost all the work that there is for a run.";
    let reason = Reason::new(Code::TooLarge, why, Some(at))
        .fix("Make less of what the fields before it iterate over, or specialize fewer fields.", "");
    Trace {
        field: driven.field.clone(),
        expr,
        at,
        block: driven.site.block,
        result: Traced::Unbounded(Arc::new(reason)),
        never_instantiated: false,
        optional: false,
        per_entry: None,
        in_json: config.is_json(expr.file),
        by: Vec::new(),
        rounded: None,
    }
}

/// The stack issue for a field that is Unbounded or rejected.
pub fn issue_of(trace: &Trace) -> Option<Issue> {
    let field = trace.field.path.0.last().map_or_else(|| trace.field.to_string(), |n| n.to_string());
    let target = FieldAddr { path: FieldPath::default(), ..trace.field.clone() };
    match &trace.result {
        Traced::Resolved(_) => None,
        Traced::Bounded(_) => trace.per_entry.as_ref().map(|p| unbounded(trace, &p.reason, &field, &target)),
        Traced::Unbounded(_) if trace.never_instantiated => None,
        Traced::Unbounded(reason) => Some(unbounded(trace, reason, &field, &target)),
        Traced::Rejected(e) => {
            let summary = format!("the value of {field} on {target} is an error");
            let issue = Issue::error(Code::Invalid, summary, e.message.to_string());
            Some(issue.at(e.place.unwrap_or(trace.at)).about(trace.field.to_string()))
        }
    }
}

/// The warning for a field that is rounded.
pub fn warning_of(trace: &Trace) -> Option<Issue> {
    let Rounded { text, bins } = trace.rounded.as_ref()?;
    let mut said = Vec::new();
    for (at, bin) in bins.iter().enumerate() {
        let below = at.checked_sub(1).and_then(|i| bins.get(i));
        said.push(match below {
            None => format!("up to {bin} it is {bin}"),
            Some(low) => format!("above {low} and up to {bin}, {bin}"),
        });
    }
    let last = bins.last()?;
    let why = format!(
        "`{text}` is rounded up to the next bin: {}. Steps in between are lost, and what is above {last} is refused.",
        said.join("; ")
    );
    let issue = Issue::warning(Code::Binned, format!("{} is rounded", trace.field), why);
    let issue = issue.at(trace.at).about(trace.field.to_string());
    Some(
        issue
            .fix("For exact numbers list them, in a `validation` block or in a `universe` of `phi.hcl`.", ""),
    )
}

fn unbounded(trace: &Trace, reason: &Reason, field: &str, target: &FieldAddr) -> Issue {
    let summary = format!("can't determine the value of {field} on {target}");
    let mut issue = Issue::error(reason.code, summary, reason.why.clone());
    issue.fixes = reason.fixes.clone();
    // What is written out is known, whatever stood in the way of what was there before.
    let is_said = |fix: &Fix| {
        let starts = [format!("{field} = "), format!("\"{field}\": ")];
        starts.iter().any(|start| fix.paste.starts_with(start))
    };
    if !issue.fixes.iter().any(is_said) && has_literal(reason.code) {
        let paste = match trace.in_json {
            true => format!("\"{field}\": \"...\""),
            false => format!("{field} = \"...\""),
        };
        issue = issue.fix("Write the value out, if it doesn't need to be configurable:", paste);
    }
    issue.at(trace.at).about(trace.field.to_string())
}

/// Returns true if a literal in the field's place is a way out: not where Terraform objects to something besides, and
/// not where the value must stand in no file.
fn has_literal(code: Code) -> bool {
    !matches!(
        code,
        Code::Cycle
            | Code::Sensitive
            | Code::Ephemeral
            | Code::TooLarge
            | Code::TooDeep
            | Code::NotInstalled
            | Code::Unsupported
    )
}
