//! A state as JSON: what it holds, and the same with its objects under other addresses.
//!
//! The format is version 4 of Terraform's state files (`internal/states/statefile`), as `terraform state pull` prints it. In: the
//! text, and the new address of each object. Invariant: nothing else of an object changes; its values are passed through
//! unread. Absent on purpose: writing a state anywhere that Terraform would take it from by itself.

use crate::addr::{Held, Key, Mode, ModuleInstance, ObjectAddr, ResourceAddr};
use crate::issue::{Code, Issue};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// The addresses in a state; nothing for an empty text, which is what Terraform prints where there is no state. Values stay
/// unread.
///
/// # Errors
/// [`Code::Terraform`] where the text is no state of version 4.
pub fn held(text: &[u8]) -> Result<Held, Issue> {
    if text.trim_ascii().is_empty() {
        return Ok(Held::default());
    }
    let state: Document<Keyed> = serde_json::from_slice(text).map_err(|e| unreadable(&e.to_string()))?;
    if state.version != 4 {
        return Err(unreadable("it is not of version 4"));
    }
    let mut objects: BTreeSet<ObjectAddr> = BTreeSet::new();
    let mut husks = Vec::new();
    for resource in state.resources {
        let own = resource.address().ok_or_else(|| unreadable("a resource has no address"))?;
        if resource.instances.is_empty() {
            husks.push((own.module, own.resource));
            continue;
        }
        // An instance is there once for each object of it that is deposed, too.
        let keys = resource.instances.iter().map(|i| key(i.index_key.as_ref()));
        objects.extend(keys.map(|key| ObjectAddr { key, ..own.clone() }));
    }
    Ok(Held { objects: objects.into_iter().collect(), husks })
}

/// A state, with as much of each instance as `I` reads.
#[derive(Debug, Deserialize)]
pub struct Document<I> {
    version: u64,
    /// Its resources.
    #[serde(default = "Vec::new")]
    pub resources: Vec<Resource<I>>,
}

/// A resource in state.
#[derive(Debug, Deserialize)]
pub struct Resource<I> {
    #[serde(default)]
    module: String,
    mode: String,
    #[serde(rename = "type")]
    kind: String,
    name: String,
    /// Its instances.
    #[serde(default = "Vec::new")]
    pub instances: Vec<I>,
}

impl<I> Resource<I> {
    /// Returns the address, without the resource's own key.
    pub fn address(&self) -> Option<ObjectAddr> {
        resource_address(&self.module, &self.mode, &self.kind, &self.name)
    }
}

#[derive(Deserialize)]
struct Keyed {
    index_key: Option<Json>,
}

/// The new address of an object.
pub enum Readdressed {
    /// It stays where it is.
    Same,
    /// It gets this address.
    As(ObjectAddr),
    /// It is left out.
    Dropped,
}

/// The state with its objects under other addresses. Addresses of dependencies are led along, without keys.
///
/// # Errors
/// [`Code::Terraform`] where the text is no state of version 4.
pub fn readdressed(text: &[u8], new: &dyn Fn(&ObjectAddr) -> Readdressed) -> Result<Vec<u8>, Issue> {
    let mut state: Json = serde_json::from_slice(text).map_err(|e| unreadable(&e.to_string()))?;
    if state.get("version").and_then(Json::as_i64) != Some(4) {
        return Err(unreadable("it is not of version 4"));
    }
    let Some(Json::Array(resources)) = state.get_mut("resources").map(Json::take) else {
        return Err(unreadable("it has no list of resources"));
    };
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut out: Vec<Map<String, Json>> = Vec::new();
    for resource in resources {
        let Json::Object(mut resource) = resource else { continue };
        let instances = resource.remove("instances").unwrap_or_default();
        let Json::Array(instances) = instances else { continue };
        let own = address(&resource).ok_or_else(|| unreadable("a resource has no address"))?;
        for mut instance in instances {
            let held = ObjectAddr { key: key(instance.get("index_key")), ..own.clone() };
            let address = match new(&held) {
                Readdressed::Same => held.clone(),
                Readdressed::As(address) => address,
                Readdressed::Dropped => continue,
            };
            renamed.insert(keyless(&held), keyless(&address));
            set_key(&mut instance, address.key.as_ref());
            put(&mut out, &resource, (&own, &address), instance);
        }
    }
    for resource in &mut out {
        let instances = resource.get_mut("instances").and_then(Json::as_array_mut);
        let lists = instances.into_iter().flatten().filter_map(|i| i.get_mut("dependencies")?.as_array_mut());
        for text in lists.flatten() {
            if let Some(new) = text.as_str().and_then(|t| renamed.get(t)) {
                *text = new.clone().into();
            }
        }
    }
    if let Some(map) = state.as_object_mut() {
        map.insert("resources".to_owned(), out.into_iter().map(Json::Object).collect());
    }
    serde_json::to_vec(&state).map_err(|e| unreadable(&e.to_string()))
}

/// Adds an instance to the resource of its new address.
fn put(
    out: &mut Vec<Map<String, Json>>,
    resource: &Map<String, Json>,
    (from, to): (&ObjectAddr, &ObjectAddr),
    instance: Json,
) {
    let same = |r: &Map<String, Json>| {
        address(r).is_some_and(|a| a.module == to.module && a.resource == to.resource)
    };
    let at = out.iter().position(same).unwrap_or(out.len());
    if at == out.len() {
        let mut new = resource.clone();
        new.remove("each");
        let module = to.module.to_string();
        new.remove("module");
        if !module.is_empty() {
            new.insert("module".to_owned(), module.into());
        }
        new.insert("name".to_owned(), (*to.resource.name).into());
        let (before, now) = (from.module.path().to_string(), to.module.path().to_string());
        if let Some(provider) = new.get("provider").and_then(Json::as_str) {
            let moved = moved_provider(provider, &before, &now);
            new.insert("provider".to_owned(), moved.into());
        }
        new.insert("instances".to_owned(), Json::Array(Vec::new()));
        out.push(new);
    }
    let list = out.get_mut(at).and_then(|r| r.get_mut("instances")).and_then(Json::as_array_mut);
    list.into_iter().for_each(|list| list.push(instance.clone()));
}

/// A provider configuration that stands in one of the modules that hold the object goes by that module's new name.
fn moved_provider(provider: &str, before: &str, now: &str) -> String {
    let Some(at) = provider.find("provider[") else { return provider.to_owned() };
    let (module, own) = provider.split_at(at);
    let module = module.trim_end_matches('.');
    let depth = if module.is_empty() { 0 } else { module.split('.').count() };
    if depth == 0 || !(before == module || before.starts_with(&format!("{module}."))) {
        return provider.to_owned();
    }
    let names: Vec<&str> = now.split('.').take(depth).collect();
    format!("{}.{own}", names.join("."))
}

fn address(resource: &Map<String, Json>) -> Option<ObjectAddr> {
    let text = |name: &str| resource.get(name).and_then(Json::as_str);
    resource_address(text("module").unwrap_or_default(), text("mode")?, text("type")?, text("name")?)
}

fn resource_address(module: &str, mode: &str, kind: &str, name: &str) -> Option<ObjectAddr> {
    let module: ModuleInstance = module.parse().ok()?;
    let mode = if mode == "data" { Mode::Data } else { Mode::Managed };
    let resource = ResourceAddr { mode, kind: kind.into(), name: name.into() };
    Some(ObjectAddr { module, resource, key: None })
}

fn key(index: Option<&Json>) -> Option<Key> {
    match index? {
        Json::Number(n) => n.as_i64().map(Key::Index),
        Json::String(s) => Some(Key::Name(s.as_str().into())),
        _ => None,
    }
}

fn set_key(instance: &mut Json, key: Option<&Key>) {
    let Some(map) = instance.as_object_mut() else { return };
    map.remove("index_key");
    match key {
        None => {}
        Some(Key::Index(n)) => drop(map.insert("index_key".to_owned(), (*n).into())),
        Some(Key::Name(name)) => drop(map.insert("index_key".to_owned(), (**name).into())),
    }
}

/// Returns an object's address without any key.
pub fn keyless(object: &ObjectAddr) -> String {
    object.module.path().address_of(&object.resource)
}

fn unreadable(why: &str) -> Issue {
    Issue::error(Code::Terraform, "the state that Terraform prints can't be read", format!("{why}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#"{"version":4,"serial":1,"resources":[
        {"module":"module.a_x[0]","mode":"managed","type":"t","name":"n","provider":"module.a_x.provider[\"p\"]",
         "instances":[{"index_key":0,"attributes":{"v":1.50}}]},
        {"mode":"managed","type":"t","name":"b","provider":"provider[\"p\"]",
         "instances":[{"attributes":{},"dependencies":["module.a_x.t.n"]}]}]}"#;

    #[test]
    fn husks_are_held_too() {
        let text = r#"{"version":4,"resources":[
            {"mode":"managed","type":"t","name":"a","instances":[{"index_key":"k"},{"index_key":"k","deposed":"1"}]},
            {"mode":"data","type":"t","name":"d","instances":[{}]},
            {"module":"module.m[0]","mode":"managed","type":"t","name":"h","instances":[]}]}"#;
        let found = held(text.as_bytes()).unwrap();
        let shown: Vec<String> = found.objects.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["t.a[\"k\"]", "data.t.d"]);
        let (module, resource) = &found.husks[0];
        assert_eq!((module.to_string(), resource.to_string()), ("module.m[0]".to_owned(), "t.h".to_owned()));
        assert_eq!(held(b"\n").unwrap(), Held::default());
        assert!(held(b"{\"version\":3}").is_err() && held(b"[").is_err());
    }

    #[test]
    fn objects_go_by_other_addresses() {
        let new = |a: &ObjectAddr| match a.to_string().as_str() {
            "module.a_x[0].t.n[0]" => Readdressed::As("module.a.t.n".parse().unwrap()),
            _ => Readdressed::Same,
        };
        let text = String::from_utf8(readdressed(STATE.as_bytes(), &new).unwrap()).unwrap();
        let state: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(state["resources"][0]["module"], "module.a");
        assert_eq!(state["resources"][0]["provider"], "module.a.provider[\"p\"]");
        assert_eq!(state["resources"][0]["instances"][0].get("index_key"), None);
        assert_eq!(state["resources"][1]["instances"][0]["dependencies"][0], "module.a.t.n");
        // Values are passed through as they stand.
        assert!(text.contains("1.50"), "{text}");
        assert!(readdressed(b"{\"version\":3}", &new).is_err() && readdressed(b"", &new).is_err());
    }
}
