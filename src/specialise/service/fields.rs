//! The fields that services drive, and the values that they can do.

use super::Rewrite;
use crate::addr::{FieldAddr, Target};
use crate::config::Config;
use crate::config::phi::{FieldDecl, PhiConfig, Service};
use crate::issue::{Code, Issue};
use crate::trace::site::locate;
use crate::trace::{Driven, Driver, Trace};
use crate::value::{Data, Type, Value, convert, hcl};

/// The driven fields of the calls that stand for resources, in the configuration that has these calls.
pub fn driven(config: &Config, phi: &PhiConfig, rewrite: &Rewrite) -> Vec<Driven> {
    let mut out: Vec<Driven> = fields(config, phi, rewrite).into_iter().map(|(driven, ..)| driven).collect();
    out.sort_by(|a, b| a.field.cmp(&b.field));
    out
}

fn fields<'p>(
    config: &Config,
    phi: &'p PhiConfig,
    rewrite: &Rewrite,
) -> Vec<(Driven, &'p Service, &'p FieldDecl)> {
    let mut out = Vec::new();
    for replaced in &rewrite.replaced {
        let Some(service) = phi.services.get(&replaced.service) else { continue };
        let Some(module) = config.at(&replaced.scope) else { continue };
        for field in &service.fields {
            let target = Target::Call(replaced.call.clone().into());
            // What the resource doesn't set has the template's default, which is known.
            if let Ok(site) = locate(module, &target, &field.field.0) {
                let addr = FieldAddr { module: replaced.scope.clone(), target, path: field.field.clone() };
                out.push((
                    Driven {
                        field: addr,
                        site,
                        driver: Driver::Service,
                        said: Some(field.clone()),
                        at: None,
                        copies: false,
                    },
                    service,
                    field,
                ));
            }
        }
    }
    out
}

/// Values of fields that lie outside of what their services can do.
pub fn outside(config: &Config, phi: &PhiConfig, rewrite: &Rewrite, traces: &[Trace]) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (driven, service, field) in fields(config, phi, rewrite) {
        let Some(universe) = &field.universe else { continue };
        let Some(trace) = traces.iter().find(|t| t.field == driven.field) else { continue };
        let known = |value: &Value| {
            accepts(field, value)
                || universe.iter().any(|(v, _)| {
                    v == value || convert::convert(v, &value.ty).is_ok_and(|converted| converted == *value)
                })
        };
        for branch in trace.branches().iter().filter(|b| !known(&b.value)) {
            issues.push(unknown(service, field, trace, &branch.value));
        }
    }
    issues
}

/// Returns true if a value matches the field's `accepts` pattern, which allows values beyond the listed ones.
fn accepts(field: &FieldDecl, value: &Value) -> bool {
    let text = convert::convert(value, &Type::String).map(|v| v.data);
    matches!((&field.accepts, text), (Some(pattern), Ok(Data::String(text))) if pattern.is_match(&text))
}

fn unknown(service: &Service, field: &FieldDecl, trace: &Trace, value: &Value) -> Issue {
    let shown = hcl::to_hcl(value).unwrap_or_else(|| "this value".to_owned());
    let listed: Vec<String> = field.universe.iter().flatten().filter_map(|(v, _)| hcl::to_hcl(v)).collect();
    let mut why = format!(
        "The service \"{}\" has a specialization for {}, and {} can be {shown}.",
        service.name,
        listed.join(", "),
        trace.field
    );
    if let Some(otherwise) = &field.otherwise {
        why = format!("{why} {otherwise}");
    }
    let mut more = listed.clone();
    more.push(shown.clone());
    let issue =
        Issue::error(Code::Service, format!("the service \"{}\" can't do {shown}", service.name), why)
            .at(trace.at)
            .about(trace.field.to_string());
    let issue = match service.takeover() {
        Some((title, command)) => issue.fix(format!("{title}, and list the value in its field:"), command),
        None => issue.fix(
            format!(
                "If its template can, list the value in the service's field \"{}\" in `phi.hcl`:",
                field.field
            ),
            format!("universe = [{}]", more.join(", ")),
        ),
    };
    let issue = match (field.field.0.as_slice(), listed.last()) {
        ([name], Some(last)) if field.otherwise.is_some() => issue.fix(
            "Or give the field another value under the form factor, which goes before the resource's:",
            format!("inputs \"{}\" {{\n  {name} = {last}\n}}", service.group),
        ),
        _ => issue,
    };
    issue.fix("Or choose one of those values.", "")
}
