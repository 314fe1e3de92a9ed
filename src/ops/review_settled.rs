//! `review --plan`: which fields two plans say everything of.
//!
//! In: two plans, by addresses of the original. Out: whether a field is settled by them, so that it differs where they do. Invariant: what isn't
//! known in either plan, and what no plan shows (provisioners, providers, conditions), is settled by none. Absent on purpose: what differs.

use super::review_side::{Side, unknown};
use crate::specialise::moves::originals::without_keys;
use serde_json::Value as Json;

/// Arguments and blocks of a resource that its plan doesn't show.
const NOT_PLANNED: [&str; 5] = ["lifecycle", "provisioner", "connection", "provider", "depends_on"];

/// What stands at the beginning of a field that is no resource's, or is one of a Stack, whose plans have other addresses.
const NO_RESOURCES: [&str; 10] =
    ["ephemeral", "provider", "check", "import", "action", "local", "var", "terraform", "component", "stack"];

/// Returns true if plans of both sides say whether a field differs.
pub(super) fn is_settled(field: &str, sides: [Option<&Side>; 2]) -> bool {
    let (mut rest, mut module) = (field, "");
    while let Some((name, behind)) = rest.strip_prefix("module.").and_then(|own| own.split_once('.')) {
        module = field.get(..field.len() - behind.len()).unwrap_or_default();
        rest = behind;
        if name.is_empty() {
            return false;
        }
    }
    let sides = sides.into_iter().flatten();
    let names: Vec<&str> = rest.split('.').collect();
    match names.as_slice() {
        // Whatever a call hands on arrives at fields that have a row of their own.
        [argument] => !module.is_empty() && !matches!(*argument, "source" | "version"),
        ["output", _, "value"] if !module.is_empty() => true,
        ["output", name, "value"] => sides.into_iter().all(|side| side.knows_output(name)),
        ["output", ..] => false,
        ["data", kind, name, ..] => {
            let address = format!("{module}data.{kind}.{name}");
            let all: Vec<Vec<&Json>> = sides.map(|side| side.answers(&address)).collect();
            all.windows(2).all(|pair| matches!(pair, [a, b] if a == b && !a.is_empty()))
        }
        [begin, ..] if NO_RESOURCES.contains(begin) => false,
        [_, _, part, ..] if NOT_PLANNED.contains(part) => false,
        [_, _, "count" | "for_each"] | [_, _, "lifecycle", "enabled"] => true,
        [kind, name, "dynamic", part, ..] | [kind, name, part, ..] => {
            let address = format!("{module}{kind}.{name}");
            sides.into_iter().all(|side| side.knows(&address, part))
        }
        _ => false,
    }
}

impl Side {
    fn knows_output(&self, name: &str) -> bool {
        self.outputs.get(name).is_none_or(|change| unknown(&change.after_unknown).is_null())
    }

    /// Returns true if an argument is known in each instance.
    fn knows(&self, address: &str, argument: &str) -> bool {
        let own = self.changes.iter().filter(|(own, _)| without_keys(own) == address);
        own.into_iter().all(|(_, change)| {
            let mask = &change.change.after_unknown;
            match mask.as_object() {
                Some(parts) => parts.get(argument).is_none_or(|part| unknown(part).is_null()),
                None => unknown(mask).is_null(),
            }
        })
    }

    /// What the instances of a data source answered.
    fn answers(&self, address: &str) -> Vec<&Json> {
        let own = self.answers.iter().filter(|(own, _)| without_keys(own) == address);
        own.map(|(_, values)| values).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terraform::plan_json::Plan;

    fn side(name: &str, answer: u32) -> Side {
        let text = format!(
            r#"{{"format_version":"1.2","resource_changes":[
            {{"address":"module.m[\"k\"].t.n","mode":"managed","type":"t","name":"n","change":{{"actions":["create"],
            "before":null,"after":{{"input":"x"}},"after_unknown":{{"id":true,"tags":[false]}}}}}}],
            "output_changes":{{"known":{{"actions":["create"],"after":"{name}","after_unknown":false}},
            "open":{{"actions":["create"],"after":null,"after_unknown":true}}}},
            "prior_state":{{"values":{{"root_module":{{"resources":[
            {{"address":"data.t.same","mode":"data","values":{{"a":1}}}},
            {{"address":"data.t.other","mode":"data","values":{{"a":{answer}}}}}]}}}}}}}}"#
        );
        Side::of(Plan::parse(text.as_bytes()).unwrap(), String::new(), &str::to_owned)
    }

    #[test]
    fn plans_settle_what_they_hold() {
        let (before, after) = (side("a", 1), side("b", 2));
        let sides = [Some(&before), Some(&after)];
        let settled = [
            "module.m.t.n.input",
            "module.m.t.n.tags",
            "module.m.t.n.dynamic.tags.for_each",
            "module.m.t.n.for_each",
            "module.m.size",
            "module.m.output.o.value",
            "output.known.value",
            "data.t.same.filter",
        ];
        settled.iter().for_each(|field| assert!(is_settled(field, sides), "{field}"));
        let open = [
            "module.m.t.n.id",
            "module.m.t.n.provisioner.local-exec.command",
            "module.m.t.n.lifecycle.precondition.condition",
            "module.m.source",
            "output.open.value",
            "output.known.precondition.condition",
            "data.t.other.filter",
            "data.t.absent.filter",
            "provider.p.region",
            "check.c.assert.condition",
            "component.a.t.n.input",
            "import.t.n.id",
        ];
        open.iter().for_each(|field| assert!(!is_settled(field, sides), "{field}"));
    }
}
