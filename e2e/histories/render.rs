//! The text of a root module: as tf-phi gets it, and as Terraform alone can read it.

use super::model::{Body, Call, Form, Repeat, Res, Root, Statement, Trouble, Val, Vars, decided};
use super::support::Scratch;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Does the tf-phi under test know `edit` in `settings` and `at` in `specialize`? Without, they are left out.
static PLACES: LazyLock<bool> = LazyLock::new(|| {
    let phi = "settings {\n  edit = []\n}\nspecialize \"terraform_data.a\" {\n  fields = [\"input\"]\n  at = \"resource\"\n}\n";
    let main = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";
    Scratch::with(&[("main.tf", main), ("phi.hcl", phi)]).tf_phi(&["trace"]).code == 0
});

/// Path → text.
pub type Files = BTreeMap<String, String>;

pub const VARIABLES: &[(&str, &str, &str)] = &[
    ("env", "string", "\"dev\""),
    ("tier", "string", "\"s\""),
    ("on", "bool", "true"),
    ("protect", "bool", "false"),
];

/// The files of a root. The twin's are those of a run with certain values: Terraform takes no expression for `prevent_destroy` and
/// for `source`.
pub fn files(root: &Root, twin: Option<&Vars>) -> Files {
    let mut out = Files::new();
    for (module, body) in &root.modules {
        let folder = if module.is_empty() { String::new() } else { format!("modules/{module}/") };
        out.insert(format!("{folder}variables.tf"), variables(module));
        for res in &body.resources {
            out.insert(format!("{folder}{}.tf", res.label), resource(res, module, twin));
        }
        for one in &body.calls {
            out.insert(format!("{folder}{}.tf", one.label), call(one, module, twin));
        }
        if !body.statements.is_empty() {
            out.insert(format!("{folder}statements.tf"), statements(body));
        }
    }
    if twin.is_none() && (!root.pins.is_empty() || root.service || root.not_kept) {
        out.insert("phi.hcl".to_owned(), format!("{}{}", settings(root), pins(root)));
    }
    if root.service {
        out.insert("services/x/main.tf".to_owned(), SERVICE.to_owned());
    }
    out
}

/// What stands in for a resource holds what the resource would hold.
const SERVICE: &str = "variable \"input\" {}\n\nvariable \"triggers_replace\" {\n  default = null\n}\n\nresource \"terraform_data\" \"pg\" {\n  input            = var.input\n  triggers_replace = var.triggers_replace\n}\n";

fn settings(root: &Root) -> String {
    let mut within = String::new();
    if root.edit_in_place && *PLACES {
        within += "  edit = [\"modules/*\"]\n";
    }
    if root.not_kept {
        within += "  keep = false\n";
    }
    if root.service && root.factor {
        within += "  form_factor = \"on-prem\"\n";
    }
    let mut out = String::new();
    if !within.is_empty() {
        out = format!("settings {{\n{within}}}\n");
    }
    if root.service {
        out += "form_factor \"on-prem\" {\n  providers = [\"terraform\"]\n  services  = [\"x\"]\n}\n";
        out += "service \"x\" {\n  replaces = \"terraform_data\"\n  when     = { \"input.kind\" = \"pg\" }\n  module   = \"./services/x\"\n}\n";
    }
    out
}

fn variables(module: &str) -> String {
    let mut out = String::new();
    for (name, ty, default) in VARIABLES {
        let default = if module.is_empty() { format!("  default = {default}\n") } else { String::new() };
        writeln!(out, "variable \"{name}\" {{\n  type    = {ty}\n{default}}}\n").unwrap();
    }
    if !module.is_empty() {
        out += "variable \"v\" {}\n\nvariable \"tag\" {}\n\n";
    }
    out + "locals {\n  pick = var.tier == \"l\" ? \"large\" : \"small\"\n}\n"
}

pub fn value(val: &Val, repeat: &Repeat, module: &str) -> String {
    let keyed = matches!(repeat, Repeat::Each { .. });
    match val {
        Val::Lit(a) => a.clone(),
        Val::Env(a, b) => format!("var.env == \"prod\" ? {a} : {b}"),
        Val::EnvMap(a, b) => format!("{{ prod = {a}, dev = {b} }}[var.env]"),
        Val::Two(a, b, c) => format!("var.env == \"prod\" ? {a} : var.tier == \"l\" ? {b} : {c}"),
        Val::Key(map, other) if keyed => {
            let map: Vec<String> = map.iter().map(|(k, a)| format!("{k} = {a}")).collect();
            format!("lookup({{ {} }}, each.key, {other})", map.join(", "))
        }
        Val::KeyIs(key, a, b) if keyed => format!("each.key == \"{key}\" ? {a} : {b}"),
        Val::Key(_, other) | Val::KeyIs(_, _, other) => other.clone(),
        Val::Value if keyed => "each.value".to_owned(),
        Val::Value => "\"single\"".to_owned(),
        Val::Arg if module.is_empty() => "\"root\"".to_owned(),
        Val::Arg => "var.v".to_owned(),
        Val::Local => "local.pick".to_owned(),
    }
}

pub fn repeated(repeat: &Repeat) -> String {
    match repeat {
        Repeat::One => String::new(),
        Repeat::Count(text, _) => format!("  count = {text}\n"),
        Repeat::Each { keys, set: true, sometimes } => {
            let list = |without: Option<&String>| {
                let keys: Vec<String> = keys
                    .iter()
                    .filter(|(k, _)| Some(k) != without)
                    .map(|(k, _)| format!("\"{k}\""))
                    .collect();
                format!("[{}]", keys.join(", "))
            };
            match sometimes {
                None => format!("  for_each = toset({})\n", list(None)),
                Some(key) => {
                    format!("  for_each = toset(var.on ? {} : {})\n", list(None), list(Some(key)))
                }
            }
        }
        Repeat::Each { keys, set: false, sometimes } => {
            let map: Vec<String> = keys.iter().map(|(k, v)| format!("{k} = {v}")).collect();
            let map = format!("{{ {} }}", map.join(", "));
            match sometimes {
                None => format!("  for_each = {map}\n"),
                Some(key) => {
                    format!("  for_each = {{ for k, v in {map} : k => v if var.on || k != \"{key}\" }}\n")
                }
            }
        }
    }
}

/// The tag that names an object in its values.
pub fn tag(label: &str, repeat: &Repeat, module: &str) -> String {
    let label = label.split('~').next().unwrap_or_default();
    let before = if module.is_empty() { "" } else { "${var.tag}." };
    let after = match repeat {
        Repeat::One => "",
        Repeat::Count(..) => "-${count.index}",
        Repeat::Each { .. } => "-${each.key}",
    };
    format!("\"{before}{label}{after}\"")
}

fn resource(res: &Res, module: &str, twin: Option<&Vars>) -> String {
    let mut out = format!("resource \"terraform_data\" \"{}\" {{\n{}", res.name, repeated(&res.repeat));
    let tag = tag(&res.label, &res.repeat, module);
    let mut input = vec![format!("v = {}", value(&res.v, &res.repeat, module))];
    if let Some(w) = &res.w {
        input.push(format!("w = {}", value(w, &res.repeat, module)));
    }
    if res.served {
        input.push("kind = \"pg\"".to_owned());
    }
    if let Some(protect) = &res.protect {
        input.push(format!("guard = {protect}"));
    }
    let mut triggers = Vec::new();
    if let Some(replace) = &res.triggers {
        triggers.push(format!("r = {}", value(replace, &res.repeat, module)));
    }
    if res.tag_replaces { &mut triggers } else { &mut input }.push(format!("tag = {tag}"));
    writeln!(out, "  input = {{\n    {}\n  }}", input.join("\n    ")).unwrap();
    if !triggers.is_empty() {
        writeln!(out, "  triggers_replace = {{\n    {}\n  }}", triggers.join("\n    ")).unwrap();
    }
    let mut lifecycle = String::new();
    if let Some(protect) = &res.protect {
        let protect = match twin {
            Some(vars) if decided(protect, vars) == Some(true) => "true",
            Some(_) => "false",
            None => protect.as_str(),
        };
        writeln!(lifecycle, "    prevent_destroy = {protect}").unwrap();
    }
    if res.ignore {
        lifecycle += "    ignore_changes = [input]\n";
    }
    if res.create_first {
        lifecycle += "    create_before_destroy = true\n";
    }
    if res.trouble == Some(Trouble::Postcondition) {
        lifecycle += "    postcondition {\n      condition = self.id == \"\"\n      error_message = \"trouble\"\n    }\n";
    }
    if !lifecycle.is_empty() {
        write!(out, "  lifecycle {{\n{lifecycle}  }}\n").unwrap();
    }
    if res.trouble == Some(Trouble::Provisioner) {
        out += "  provisioner \"local-exec\" {\n    command = \"exit 1\"\n  }\n";
    }
    out + "}\n"
}

fn call(call: &Call, module: &str, twin: Option<&Vars>) -> String {
    let up = if module.is_empty() { "./modules" } else { ".." };
    let source = match (&call.other, twin) {
        (None, _) => format!("\"{up}/{}\"", call.module),
        (Some(other), None) => format!("var.env == \"prod\" ? \"{up}/{other}\" : \"{up}/{}\"", call.module),
        (Some(other), Some(vars)) => {
            format!("\"{up}/{}\"", if vars.env == "prod" { other } else { &call.module })
        }
    };
    let mut out = format!("module \"{}\" {{\n  source = {source}\n", call.name);
    out += &repeated(&call.repeat);
    for (name, _, _) in VARIABLES {
        writeln!(out, "  {name} = var.{name}").unwrap();
    }
    writeln!(out, "  v = {}", value(&call.v, &call.repeat, module)).unwrap();
    writeln!(out, "  tag = {}", tag(&call.label, &call.repeat, module)).unwrap();
    out + "}\n"
}

fn statements(body: &Body) -> String {
    let one = |s: &Statement| match s {
        Statement::Moved(from, to) => format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n"),
        Statement::Forgotten(from) => {
            format!("removed {{\n  from = {from}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n")
        }
    };
    body.statements.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// `phi.hcl`. A pin whose resource is gone is left out, and one follows its resource to another name.
pub fn pins(root: &Root) -> String {
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    for pin in &root.pins {
        let targets = match (pin.form, root.resource(&pin.label)) {
            // Without any resource the pin would be an error.
            (Form::Type, _) if root.modules.values().all(|b| b.resources.is_empty()) => continue,
            (Form::Type, _) => vec!["terraform_data".to_owned()],
            (Form::Call, _) => match root.call(&pin.label) {
                None => continue,
                Some((module, i)) => {
                    let name = &root.modules[module].calls[i].name;
                    root.paths(module).into_iter().map(|p| format!("{p}module.{name}")).collect()
                }
            },
            (_, None) => continue,
            (Form::Name, Some((module, i))) => {
                vec![format!("terraform_data.{}", root.modules[module].resources[i].name)]
            }
            (Form::Address, Some((module, i))) => {
                let name = &root.modules[module].resources[i].name;
                root.paths(module).into_iter().map(|p| format!("{p}terraform_data.{name}")).collect()
            }
        };
        let res = root.resource(&pin.label).map(|(m, i)| &root.modules[m].resources[i]);
        let there = |field: &str| match field {
            "input.w" => res.is_some_and(|r| r.w.is_some()),
            "triggers_replace.r" => res.is_some_and(|r| r.triggers.is_some()),
            _ => true,
        };
        let fields: Vec<String> =
            pin.fields.iter().filter(|f| there(f)).map(|f| format!("\"{f}\"")).collect();
        if fields.is_empty() {
            continue;
        }
        for target in targets {
            // Both copies of a module may have a declaration of a name.
            if !seen.insert(target.clone()) {
                continue;
            }
            let at = if pin.at_resource && *PLACES { "  at     = \"resource\"\n" } else { "" };
            writeln!(out, "specialize \"{target}\" {{\n  fields = [{}]\n{at}}}", fields.join(", ")).unwrap();
        }
    }
    out
}
