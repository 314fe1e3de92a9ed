//! A root module of calls alone as a Stack, whose deployments have the values of the runs.

use super::model::{Call, Root, Vars};
use super::render::{self, Files};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Each call of the root is a component; modules are the same.
pub fn files(root: &Root, deployed: &BTreeMap<String, Vars>) -> Files {
    let mut out = render::files(root, None);
    out.retain(|path, _| path.starts_with("modules/"));
    let mut text = String::from(
        "required_providers {\n  terraform = {\n    source = \"terraform.io/builtin/terraform\"\n  }\n}\nprovider \"terraform\" \"main\" {}\n",
    );
    for (name, ty, _) in render::VARIABLES {
        writeln!(text, "variable \"{name}\" {{\n  type = {ty}\n}}").unwrap();
    }
    text += "locals {\n  pick = var.tier == \"l\" ? \"large\" : \"small\"\n}\n";
    for call in root.modules.get("").into_iter().flat_map(|b| &b.calls) {
        text += &component(call);
    }
    out.insert("main.tfcomponent.hcl".to_owned(), text);
    let mut text = String::new();
    for (name, vars) in deployed {
        let inputs = vars.file().replace('\n', "\n    ");
        writeln!(text, "deployment \"{name}\" {{\n  inputs = {{\n    {}\n  }}\n}}", inputs.trim_end())
            .unwrap();
    }
    out.insert("main.tfdeploy.hcl".to_owned(), text);
    if !root.pins.is_empty() {
        // The first step of an address is a component.
        let pins = render::pins(root).replace("specialize \"module.", "specialize \"component.");
        out.insert("phi.hcl".to_owned(), pins);
    }
    out
}

fn component(call: &Call) -> String {
    let mut out = format!("component \"{}\" {{\n  source = \"./modules/{}\"\n", call.name, call.module);
    out += &render::repeated(&call.repeat);
    out += "  inputs = {\n";
    for (name, _, _) in render::VARIABLES {
        writeln!(out, "    {name} = var.{name}").unwrap();
    }
    writeln!(out, "    v = {}", render::value(&call.v, &call.repeat, "")).unwrap();
    writeln!(out, "    tag = {}", render::tag(&call.label, &call.repeat, "")).unwrap();
    out + "  }\n  providers = {\n    terraform = provider.terraform.main\n  }\n}\n"
}
