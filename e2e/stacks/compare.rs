//! What tf-phi says of a Stack beside what the runtime does.

use super::cases::Case;
use super::runtime::Runtime;
use crate::support::Scratch;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How the runtime ends where a `for_each` is a set of unknown strings.
const SETS_OF_UNKNOWNS: [&str; 2] = ["invalid forEachVal", "value is unknown"];

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Values that both know.
    pub values: usize,
    /// Values that the runtime alone knows.
    pub open: usize,
    /// Deployments in which the runtime alone finds an error.
    pub missed: usize,
    /// Deployments in which both do.
    pub errors: usize,
}

impl Tally {
    /// With those of another case.
    pub fn add(&mut self, other: Tally) {
        self.values += other.values;
        self.open += other.open;
        self.missed += other.missed;
        self.errors += other.errors;
    }
}

/// Compares a case; gives all differences where there are any.
pub fn case(case: &Case, runtime: &mut Runtime) -> Result<Tally, String> {
    let files: Vec<(&str, &str)> = case.files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let scratch = Scratch::with(&files);
    let done = scratch.tf_phi(&["matrix", "--all", "--format", "json"]);
    let matrix: Option<Value> = serde_json::from_str(&done.stdout).ok().filter(|_| done.code == 0);
    let traced = scratch.tf_phi(&["trace", "--all", "--json"]);
    let traced = if traced.code == 0 { values_of(&traced.stdout) } else { BTreeMap::new() };
    let mut found = Found { case, traced, faults: Vec::new(), tally: Tally::default() };
    for (name, inputs) in &case.inputs {
        let said = runtime.plan(&scratch.dir(), inputs);
        if let Some(panic) = said["panic"].as_str() {
            let known =
                case.has("crash") || case.has("random") && SETS_OF_UNKNOWNS.iter().any(|p| panic.contains(p));
            found.fault(!known, format!("{name}: the runtime ends with {panic}"));
            continue;
        }
        found.fault(case.has("crash"), format!("{name}: the runtime no longer crashes"));
        let valid = scratch.tf_phi(&["validate", "--env", name]);
        let errors = said["errors"].as_array().unwrap();
        let stops = valid.code != 0;
        if !errors.is_empty() {
            found.tally.missed += usize::from(!stops);
            found.tally.errors += usize::from(stops);
            let expected = case.has("gap") || case.has("random");
            found.fault(!stops && !expected, format!("{name}: validate finds nothing of {errors:#?}"));
            found.fault(stops && case.has("gap"), format!("{name}: validate finds the error now"));
            continue;
        }
        let printed = format!("{}{}", valid.stdout, valid.stderr);
        found.fault(stops, format!("{name}: the runtime has no error, and validate says\n{printed}"));
        match &matrix {
            Some(matrix) => found.plan(name, &said, matrix),
            None => found.faults.push(format!("{name}: matrix says\n{}{}", done.stdout, done.stderr)),
        }
    }
    found.fault(
        case.has("open") && found.tally.open == 0,
        "tf-phi knows as much as the runtime now".to_owned(),
    );
    if found.faults.is_empty() { Ok(found.tally) } else { Err(found.faults.join("\n")) }
}

struct Found<'c> {
    case: &'c Case,
    /// The values that a field can take, by its address, where `trace` knows them.
    traced: BTreeMap<String, Vec<Value>>,
    faults: Vec<String>,
    tally: Tally,
}

/// The fields of a trace that have values, with these.
fn values_of(trace: &str) -> BTreeMap<String, Vec<Value>> {
    let trace: Value = serde_json::from_str(trace).unwrap();
    let known = trace["traces"].as_array().unwrap().iter();
    let known = known.filter(|field| field["result"] == "resolved" || field["result"] == "bounded");
    let values = |field: &Value| {
        let branches = field["branches"].as_array().unwrap().iter();
        (field["field"].as_str().unwrap().to_owned(), branches.map(|b| b["value"].clone()).collect())
    };
    known.map(values).collect()
}

impl Found<'_> {
    /// A field has one of the values that `trace` says it can take.
    fn traced(&mut self, env: &str, field: &str, wanted: &Value) {
        let Some(values) = self.traced.get(field) else { return };
        let same = !unknown(wanted) && values.iter().any(|value| alike(value, wanted));
        let text = format!("{env}: {field} is {wanted}, and by its trace {}", json!(values));
        self.fault(!same, text);
    }

    fn fault(&mut self, is: bool, text: String) {
        if is {
            self.faults.push(text);
        }
    }

    /// Compares all of one plan.
    fn plan(&mut self, env: &str, said: &Value, matrix: &Value) {
        let rows = matrix["rows"].as_array().unwrap().iter();
        let cells: BTreeMap<&str, &Value> =
            rows.map(|row| (row["field"].as_str().unwrap(), &row["cells"][env])).collect();
        let resources = said["resources"].as_object().unwrap();
        for (address, values) in resources {
            if address.contains("[*]") {
                // It has to wait, so that there is no telling which instances there will be.
                let (declared, _) = parted(address);
                let cell = cells.get(format!("{declared}.input").as_str());
                let open = cell.is_none_or(|cell| cell["result"] == "unbounded");
                self.fault(!open, format!("{env}: {address} is deferred, and tf-phi has {cell:?}"));
                continue;
            }
            let (declared, keys) = parted(address);
            for field in ["input", "triggers_replace"] {
                if let Some(cell) = cells.get(format!("{declared}.{field}").as_str()) {
                    self.value(&format!("{env}: {address}.{field}"), &values[field], own(cell, &keys));
                    self.traced(env, &format!("{declared}.{field}"), &values[field]);
                }
            }
        }
        for (component, outputs) in said["outputs"].as_object().unwrap() {
            let (declared, keys) = parted(component);
            for (name, value) in outputs.as_object().unwrap() {
                if let Some(cell) = cells.get(format!("{declared}.output.{name}.value").as_str()) {
                    self.value(&format!("{env}: {component} output {name}"), value, own(cell, &keys));
                    self.traced(env, &format!("{declared}.output.{name}.value"), value);
                }
            }
        }
        for (name, value) in said["stack_outputs"].as_object().unwrap() {
            let cell = cells.get(format!("output.{name}.value").as_str()).copied().unwrap_or(&Value::Null);
            self.value(&format!("{env}: output {name}"), value, cell);
            self.traced(env, &format!("output.{name}.value"), value);
        }
        self.instances(env, resources.keys(), matrix);
    }

    fn value(&mut self, what: &str, wanted: &Value, cell: &Value) {
        match (&cell["result"], unknown(wanted)) {
            (result, true) if *result == "resolved" => {
                self.faults.push(format!("{what}: not known before apply, and tf-phi has {}", cell["value"]));
            }
            (result, true) => {
                self.fault(*result == "error", format!("{what}: not known, and tf-phi has {cell}"))
            }
            (result, false) if *result == "resolved" => {
                self.tally.values += 1;
                let same = cell["value"] == json!({"sensitive": true}) || alike(&cell["value"], wanted);
                self.fault(!same, format!("{what}: {wanted}, and tf-phi has {}", cell["value"]));
            }
            (result, false) => {
                self.tally.open += 1;
                let may = self.case.has("open") || self.case.has("random");
                let expected = may && *result == "unbounded";
                self.fault(!expected, format!("{what}: {wanted}, and tf-phi has {cell}"));
            }
        }
    }

    /// Where tf-phi knows the instances of a declaration, they are those of the plan.
    fn instances<'a>(&mut self, env: &str, planned: impl Iterator<Item = &'a String>, matrix: &Value) {
        let mut by: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (declared, keys) in planned.map(|address| parted(address)) {
            by.entry(declared).or_default().insert(keys);
        }
        for row in matrix["instances"].as_array().unwrap() {
            let Some(known) = row["cells"][env].as_array() else { continue };
            let known: BTreeSet<String> = known.iter().map(|k| k.as_str().unwrap().to_owned()).collect();
            let planned = by.get(row["address"].as_str().unwrap()).cloned().unwrap_or_default();
            let text =
                format!("{env}: {} has the instances {planned:?}, and in tf-phi {known:?}", row["address"]);
            self.fault(known != planned, text);
        }
    }
}

/// The cell of one instance.
fn own<'v>(cell: &'v Value, keys: &str) -> &'v Value {
    if cell["result"] == "instances" { &cell["instances"][keys] } else { cell }
}

pub fn unknown(value: &Value) -> bool {
    match value {
        Value::Object(all) => all.contains_key("$unknown") || all.values().any(unknown),
        Value::Array(all) => all.iter().any(unknown),
        _ => false,
    }
}

/// Large numbers come as texts.
pub fn alike(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| alike(v, w)))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Number(a), Value::String(b)) => a.to_string() == *b,
        _ => ours == theirs,
    }
}

/// An address without its keys, and the keys in a row.
fn parted(address: &str) -> (String, String) {
    let (mut names, mut keys) = (String::new(), String::new());
    let (mut within, mut quoted, mut escaped) = (false, false, false);
    for c in address.chars() {
        within |= c == '[' && !quoted;
        if within {
            keys.push(c)
        } else {
            names.push(c)
        }
        if escaped {
            escaped = false;
        } else if c == '\\' && quoted {
            escaped = true;
        } else if c == '"' && within {
            quoted = !quoted;
        } else if c == ']' && !quoted {
            within = false;
        }
    }
    (names, keys)
}
