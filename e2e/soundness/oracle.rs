//! Real Terraform: what a tree plans under an assignment.

use super::model::Files;
use super::pipeline::Assignment;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What one tree plans under one assignment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Planned {
    /// (mark, input), sorted: which copy it is doesn't matter, what it holds does.
    pub resources: Vec<(String, String)>,
    /// The outputs.
    pub outputs: String,
    /// Their types.
    pub types: String,
    /// The addresses, for those who want to know which copy.
    pub addresses: Vec<String>,
}

/// A scratch directory with a Terraform.
pub struct Scratch {
    temp: tempfile::TempDir,
    terraform: PathBuf,
}

fn terraform() -> PathBuf {
    std::env::var_os("TF_PHI_E2E_TERRAFORM").map_or_else(|| "terraform".into(), PathBuf::from)
}

impl Scratch {
    pub fn new() -> Scratch {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("cli.tfrc"), "").unwrap();
        Scratch { temp, terraform: terraform() }
    }

    fn run(&self, dir: &Path, args: &[&str]) -> Result<String, String> {
        let out = Command::new(&self.terraform)
            .args(args)
            .current_dir(dir)
            .env("TF_CLI_CONFIG_FILE", self.temp.path().join("cli.tfrc"))
            .env("CHECKPOINT_DISABLE", "1")
            .env_remove("TF_DATA_DIR")
            .env_remove("TF_CLI_ARGS")
            .env_remove("TF_WORKSPACE")
            .env_remove("TF_CLI_ARGS_plan")
            .output()
            .expect("terraform starts");
        if out.status.success() {
            Ok(String::from_utf8_lossy(&out.stdout).into_owned())
        } else {
            Err(String::from_utf8_lossy(&out.stderr).into_owned())
        }
    }

    fn write(dir: &Path, files: &Files) {
        for (path, text) in files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// Writes a tree into a folder of its own, in place of what was there.
    pub fn tree(&self, name: &str, files: &Files) {
        let dir = self.temp.path().join("w").join(name);
        let _ = fs::remove_dir_all(&dir);
        Self::write(&dir, files);
    }

    /// Plans several trees under assignments at once, each as a module: all or nothing.
    pub fn together(
        &self,
        calls: &[(String, &str, &Assignment)],
    ) -> Result<BTreeMap<String, Planned>, String> {
        let dir = self.temp.path().join("w");
        self.write_calls(calls);
        let json = self.planned(&dir)?;
        let mut out: BTreeMap<String, Planned> =
            calls.iter().map(|c| (c.0.clone(), Planned::default())).collect();
        for (module, path) in modules(&json["planned_values"]["root_module"]) {
            let top = path.split('.').nth(1).unwrap_or_default().to_owned();
            if let Some(planned) = out.get_mut(&top) {
                planned.add(module);
            }
        }
        for (name, planned) in &mut out {
            let output = &json["planned_values"]["outputs"][name];
            planned.outputs = output["value"].to_string();
            planned.types = output["type"].to_string();
            planned.resources.sort();
        }
        Ok(out)
    }

    /// Makes the modules of calls known, once for all plans of some of them.
    pub fn get(&self, calls: &[(String, &str, &Assignment)]) -> Result<(), String> {
        self.write_calls(calls);
        self.run(&self.temp.path().join("w"), &["get"]).map(drop)
    }

    fn write_calls(&self, calls: &[(String, &str, &Assignment)]) {
        let dir = self.temp.path().join("w");
        let mut text = String::new();
        for (name, tree, assignment) in calls {
            text += &format!("module \"{name}\" {{\n  source = \"./{tree}\"\n");
            for (variable, value) in *assignment {
                if let Some(value) = value {
                    text += &format!("  {variable} = {value}\n");
                }
            }
            text += &format!("}}\noutput \"{name}\" {{\n  value = module.{name}\n}}\n");
        }
        fs::write(dir.join("main.tf"), text).unwrap();
    }

    /// Plans a tree in a folder as a root module, the values in a variable file.
    pub fn alone(&self, files: &Files, assignment: &Assignment) -> Result<Planned, String> {
        let dir = self.temp.path().join("r");
        let _ = fs::remove_dir_all(&dir);
        Self::write(&dir, files);
        let set = assignment.iter().filter_map(|(k, v)| Some(format!("{k} = {}\n", v.as_ref()?)));
        fs::write(dir.join("terraform.tfvars"), set.collect::<String>()).unwrap();
        self.run(&dir, &["get"])?;
        let json = self.planned(&dir)?;
        let mut out = Planned::default();
        for (module, _) in modules(&json["planned_values"]["root_module"]) {
            out.add(module);
        }
        out.resources.sort();
        let outputs = json["planned_values"]["outputs"].as_object();
        let lines = outputs.into_iter().flatten().map(|(k, v)| format!("\"{k}\":{}", v["value"]));
        out.outputs = format!("{{{}}}", lines.collect::<Vec<_>>().join(","));
        Ok(out)
    }

    fn planned(&self, dir: &Path) -> Result<Value, String> {
        self.run(dir, &["plan", "-input=false", "-lock=false", "-no-color", "-out=plan.bin"])?;
        let text = self.run(dir, &["show", "-json", "plan.bin"])?;
        Ok(serde_json::from_str(&text).expect("JSON of a plan"))
    }
}

impl Planned {
    fn add(&mut self, module: &Value) {
        for resource in module["resources"].as_array().into_iter().flatten() {
            let values = &resource["values"];
            let mark = values["triggers_replace"].to_string();
            self.resources.push((mark, values["input"].to_string()));
            self.addresses.push(resource["address"].as_str().unwrap_or_default().to_owned());
        }
    }
}

/// All modules of a plan's values, with their addresses.
fn modules(root: &Value) -> Vec<(&Value, &str)> {
    let mut out = vec![(root, "")];
    let mut next = 0;
    while next < out.len() {
        let module = out[next].0;
        for child in module["child_modules"].as_array().into_iter().flatten() {
            out.push((child, child["address"].as_str().unwrap_or_default()));
        }
        next += 1;
    }
    out
}
