//! `kubernetes_manifest`: its kind has to be known while it is planned, as the real provider asks the API server for it.

use super::wire::{Message, NIL, UNKNOWN, entries, inner, map, text};

pub const TYPE: &str = "kubernetes_manifest";

/// The releases that bring the definitions of API groups.
const DEFINED_BY: [(&str, &str); 1] = [("postgresql.cnpg.io", "cloudnative-pg")];

fn of<'v>(value: &'v [u8], name: &str) -> Option<&'v [u8]> {
    entries(value).into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

fn text_of(manifest: &[u8], name: &str) -> Option<String> {
    of(manifest, name).and_then(text)
}

/// The planned value, or the error of the real provider where nothing that was made defines the kind.
pub fn planned(prior: &[u8], proposed: &[u8], made: &[String]) -> Message {
    let own = of(proposed, "manifest").unwrap();
    let manifest = inner(own);
    let (Some(version), Some(kind)) = (text_of(manifest, "apiVersion"), text_of(manifest, "kind")) else {
        return failed("Missing field in manifest", "apiVersion or kind");
    };
    if of(manifest, "metadata").and_then(|m| text_of(m, "name")).is_none() {
        return failed("Missing field in manifest", "metadata.name");
    }
    let group = version.split_once('/').map_or("", |(group, _)| group);
    let by = DEFINED_BY.iter().find(|(own, _)| *own == group).map(|(_, release)| *release);
    if !group.is_empty() && !by.is_some_and(|release| made.iter().any(|name| name == release)) {
        let detail = format!("no matches for kind \"{kind}\" in group \"{group}\"");
        return failed(
            "API did not recognize GroupVersionKind from manifest (CRD may not be installed)",
            &detail,
        );
    }
    let same = prior != NIL && of(prior, "manifest") == Some(own);
    let all = entries(proposed).into_iter().map(|(name, value)| {
        let value = if name == "object" && !same { UNKNOWN } else { value };
        (name, value.to_vec())
    });
    let value = map(&all.collect::<Vec<_>>());
    Message::default().message(1, &Message::default().bytes(1, &value))
}

/// The name of what is made, and its value in the end.
pub fn applied(planned: &[u8]) -> (String, Vec<u8>) {
    let own = of(planned, "manifest").unwrap();
    let name = of(inner(own), "metadata").and_then(|m| text_of(m, "name")).unwrap();
    let all = entries(planned).into_iter().map(|(argument, value)| {
        let value = if argument == "object" { own } else { value };
        (argument, value.to_vec())
    });
    (name, map(&all.collect::<Vec<_>>()))
}

fn failed(summary: &str, detail: &str) -> Message {
    let diagnostic = Message::default().number(1, 1).bytes(2, summary.as_bytes()).bytes(3, detail.as_bytes());
    Message::default().message(4, &diagnostic)
}
