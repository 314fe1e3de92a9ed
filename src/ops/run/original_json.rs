//! What `terraform show -json` prints, with the original's addresses.
//!
//! In: the text, and the original's address of each. Invariants: values are passed through; what the plan says of the configuration is that of
//! the specialised tree, and stays; a former address that is the same object's in the original is none. Absent on purpose: adding up what a
//! plan does with several instances.

use crate::addr::ObjectAddr;
use serde_json::{Map, Value as Json};

/// The original's addresses.
pub trait Read {
    /// Returns that of an instance, or of a module's.
    fn instance(&self, address: &str) -> String;

    /// Returns that of a declaration, which has no keys.
    fn declaration(&self, address: &str) -> String;
}

/// Returns the document with other addresses.
///
/// # Errors
/// What isn't right with the text.
pub fn translate(text: &str, original: &dyn Read) -> Result<String, String> {
    let mut all: Map<String, Json> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    for (name, value) in all.iter_mut().filter(|(name, _)| *name != "configuration") {
        match name.as_str() {
            "relevant_attributes" => {
                each(value, &mut |one| replace(one, "resource", original));
                drop_doubles(value);
            }
            "action_invocations" => {}
            _ => walk(value, original),
        }
    }
    serde_json::to_string(&all).map_err(|e| e.to_string())
}

fn each(value: &mut Json, work: &mut dyn FnMut(&mut Map<String, Json>)) {
    for one in value.as_array_mut().into_iter().flatten() {
        one.as_object_mut().into_iter().for_each(&mut *work);
    }
}

/// What two copies refer to alike is one thing in the original.
fn drop_doubles(value: &mut Json) {
    let mut seen = Vec::new();
    for one in value.as_array_mut().map(std::mem::take).into_iter().flatten() {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    *value = Json::Array(seen);
}

/// Members in which values lie, whatever names these have.
const VALUES: [&str; 4] = ["change", "variables", "outputs", "output_changes"];

/// The same of what has an address.
const OF_RESOURCES: [&str; 4] = ["values", "sensitive_values", "problems", "identity"];

/// Every object with an address, outside of values.
fn walk(value: &mut Json, original: &dyn Read) {
    match value {
        Json::Array(all) => all.iter_mut().for_each(|one| walk(one, original)),
        Json::Object(all) => {
            readdress(all, original);
            let is_resource = all.contains_key("address");
            let holds_values =
                |name: &str| VALUES.contains(&name) || is_resource && OF_RESOURCES.contains(&name);
            let inner = all.iter_mut().filter(|(name, _)| !holds_values(name));
            inner.for_each(|(_, one)| walk(one, original));
        }
        _ => {}
    }
}

/// One resource, module, or outcome of a check, with its own address.
fn readdress(one: &mut Map<String, Json>, original: &dyn Read) {
    let Some(mut address) = one.get("address").cloned() else {
        depend(one, original);
        return;
    };
    if let Some(checked) = address.as_object_mut() {
        check(checked, original);
        one.insert("address".to_owned(), address);
        return;
    }
    let Some(text) = address.as_str() else { return };
    let now = original.instance(text);
    if let Ok(object) = now.parse::<ObjectAddr>() {
        set(one, "module_address", (!object.module.0.is_empty()).then(|| object.module.to_string().into()));
        set(one, "name", Some((*object.resource.name).into()));
        let key = object.key.map(|key| match key {
            crate::addr::Key::Name(name) => Json::from(&*name),
            crate::addr::Key::Index(at) => Json::from(at),
        });
        match (one.contains_key("index"), key) {
            (true, None) => drop(one.shift_remove("index")),
            (true, Some(key)) => drop(one.insert("index".to_owned(), key)),
            _ => {}
        }
    }
    if let Some(before) =
        one.get("previous_address").and_then(Json::as_str).map(|text| original.instance(text))
    {
        if before == now {
            one.shift_remove("previous_address");
        } else {
            one.insert("previous_address".to_owned(), before.into());
        }
    }
    one.insert("address".to_owned(), now.into());
    depend(one, original);
}

/// Replaces a member that is there, or removes it.
fn set(one: &mut Map<String, Json>, name: &str, value: Option<Json>) {
    if one.contains_key(name) {
        match value {
            Some(value) => drop(one.insert(name.to_owned(), value)),
            None => drop(one.shift_remove(name)),
        }
    }
}

/// The address of what was checked.
fn check(one: &mut Map<String, Json>, original: &dyn Read) {
    replace(one, "to_display", original);
    replace(one, "module", original);
}

/// What an object depends on.
fn depend(one: &mut Map<String, Json>, original: &dyn Read) {
    for on in one.get_mut("depends_on").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(text) = on.as_str() {
            *on = original.declaration(text).into();
        }
    }
}

fn replace(one: &mut Map<String, Json>, name: &str, original: &dyn Read) {
    if let Some(text) = one.get(name).and_then(Json::as_str).map(|text| original.declaration(text)) {
        one.insert(name.to_owned(), text.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Copies;

    impl Read for Copies {
        fn instance(&self, address: &str) -> String {
            address.replace("db_a[0]", "db").replace("db_b[0]", "db")
        }

        fn declaration(&self, address: &str) -> String {
            self.instance(address).replace("db_a", "db").replace("db_b", "db")
        }
    }

    #[test]
    fn addresses_change_and_values_stay() {
        let text = r#"{"resource_changes":[{"address":"module.db_a[0].t.n_db_a[0]","module_address":"module.db_a[0]","name":"n_db_a","index":0,"previous_address":"module.db_b[0].t.n_db[0]","change":{"after":{"address":"module.db_a[0]"}}},{"address":"t.m[\"k\"]","name":"m","index":"k","previous_address":"t.o"}],"relevant_attributes":[{"resource":"module.db_a.t.x","attribute":["y"]},{"resource":"module.db_b[0].t.x","attribute":["y"]}],"checks":[{"address":{"kind":"resource","to_display":"module.db_a[0].t.c","module":"module.db_a[0]"},"instances":[{"address":{"to_display":"module.db_a[0].t.c"}}]}],"configuration":{"root_module":{"module_calls":{"db_a":{}}}},"values":{"root_module":{"child_modules":[{"address":"module.db_a[0]","resources":[{"address":"module.db_a[0].t.x","name":"x","values":{"address":"module.db_a[0]"},"depends_on":["module.db_a.t.y"]}]}]}}}"#;
        let all: Json = serde_json::from_str(&translate(text, &Copies).unwrap()).unwrap();
        let change = &all["resource_changes"][0];
        assert_eq!(change["address"], "module.db.t.n_db");
        assert_eq!((&change["module_address"], &change["name"]), (&"module.db".into(), &"n_db".into()));
        assert!(change.get("index").is_none() && change.get("previous_address").is_some());
        assert_eq!(change["change"]["after"]["address"], "module.db_a[0]");
        let other = &all["resource_changes"][1];
        assert_eq!((&other["index"], &other["previous_address"]), (&"k".into(), &"t.o".into()));
        let relevant = all["relevant_attributes"].as_array().unwrap();
        assert_eq!((relevant.len(), &relevant[0]["resource"]), (1, &"module.db.t.x".into()));
        assert_eq!(all["checks"][0]["address"]["module"], "module.db");
        assert_eq!(all["checks"][0]["instances"][0]["address"]["to_display"], "module.db.t.c");
        assert!(all["configuration"]["root_module"]["module_calls"].get("db_a").is_some());
        let module = &all["values"]["root_module"]["child_modules"][0];
        assert_eq!(
            (&module["address"], &module["resources"][0]["values"]["address"]),
            (&"module.db".into(), &"module.db_a[0]".into())
        );
        assert_eq!(module["resources"][0]["depends_on"][0], "module.db.t.y");
    }
}
