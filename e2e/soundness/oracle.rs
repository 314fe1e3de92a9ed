//! Real Terraform: what trees give under assignments.
//!
//! One plan answers for many: each pair of a tree and an assignment is a module of one root. A plan in which some modules
//! fail names them all (its errors carry files, and each pair has a folder name of its own), so that the rest can be
//! asked again.

use super::model::{EMPTY_STATE, Files, STATE, WORKSPACE};
use super::pipeline::{self, Assignment};
use super::short_lived::SHORT_LIVED;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What stands for a value that is known only when it is applied.
pub const LATER: &str = "(known after apply)";

/// What one tree gives under one assignment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// (mark, input), sorted: which copy it is doesn't matter, what it holds does.
    pub resources: Vec<(String, String)>,
    /// The outputs; all of them are only known later where one is.
    pub outputs: String,
    /// Their types.
    pub types: String,
    /// The addresses, for those who want to know which copy.
    pub addresses: Vec<String>,
    /// Each address within its own tree, with its input.
    pub inputs: BTreeMap<String, String>,
}

/// One tree under one assignment.
pub struct Question<'a> {
    /// The name of its folder and module: letters and digits.
    pub name: String,
    /// A folder that [`Scratch::tree`] wrote.
    pub tree: String,
    /// The values of its variables.
    pub values: &'a Assignment,
}

/// What became of a question.
pub type Answer = Result<Given, String>;

/// A scratch directory with a Terraform.
pub struct Scratch {
    temp: tempfile::TempDir,
    terraform: PathBuf,
    /// The calls within each tree: key and folder, both relative to it, and the source.
    calls: BTreeMap<String, Vec<(String, PathBuf, String)>>,
}

fn terraform() -> PathBuf {
    std::env::var_os("TF_PHI_E2E_TERRAFORM").map_or_else(|| "terraform".into(), PathBuf::from)
}

/// Its major and minor version.
pub fn version() -> Option<(u32, u32)> {
    let out =
        Command::new(terraform()).args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").output().ok()?;
    let said: Value = serde_json::from_slice(&out.stdout).ok()?;
    let mut parts = said["terraform_version"].as_str()?.split('.').map(|p| p.parse().ok());
    Some((parts.next()??, parts.next()??))
}

impl Scratch {
    pub fn new() -> Scratch {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("cli.tfrc"), "").unwrap();
        Scratch { temp, terraform: terraform(), calls: BTreeMap::new() }
    }

    fn write(dir: &Path, files: &Files) {
        for (path, text) in files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// Writes a tree into a folder of its own.
    pub fn tree(&mut self, name: &str, files: &Files) {
        Self::write(&self.temp.path().join("w").join(name), files);
        self.calls.insert(name.to_owned(), pipeline::calls(files));
    }

    /// The answers to some questions, in their order.
    pub fn ask(&self, questions: &[Question<'_>]) -> Vec<Answer> {
        let dir = self.temp.path().join("w");
        for q in questions {
            let _ = std::os::unix::fs::symlink(&q.tree, dir.join(&q.name));
        }
        let mut answers: BTreeMap<usize, Answer> = BTreeMap::new();
        // A plan has one workspace.
        let mut by: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, question) in questions.iter().enumerate() {
            by.entry(pipeline::workspace(question.values)).or_default().push(i);
        }
        for which in by.into_values() {
            self.ask_some(&dir, questions, which, &mut answers);
        }
        (0..questions.len()).map(|i| answers.remove(&i).unwrap_or_else(|| Err("no answer".into()))).collect()
    }

    fn ask_some(
        &self,
        dir: &Path,
        questions: &[Question<'_>],
        mut which: Vec<usize>,
        answers: &mut BTreeMap<usize, Answer>,
    ) {
        while !which.is_empty() {
            let lines = self.write_calls(dir, questions, &which);
            let workspace = which.first().map_or("default", |i| pipeline::workspace(questions[*i].values));
            match self.planned(dir, workspace) {
                Ok(plan) => {
                    for i in which {
                        answers.insert(i, Ok(given(&plan, &questions[i].name)));
                    }
                    return;
                }
                Err(errors) => {
                    let mut failing: BTreeMap<usize, String> = BTreeMap::new();
                    for error in &errors {
                        let owner = which.iter().find(|i| {
                            let name = &questions[**i].name;
                            error.file.split('/').next() == Some(name)
                                || error.file == "main.tf"
                                    && lines.get(&error.line).is_some_and(|at| at == *i)
                        });
                        if let Some(i) = owner {
                            let text = failing.entry(*i).or_default();
                            text.push_str(&error.text);
                            text.push('\n');
                        }
                    }
                    if failing.is_empty() {
                        if let [only] = which.as_slice() {
                            let text = errors.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join("\n");
                            answers.insert(*only, Err(text));
                            return;
                        }
                        let rest = which.split_off(which.len() / 2);
                        self.ask_some(dir, questions, rest, answers);
                        continue;
                    }
                    which.retain(|i| !failing.contains_key(i));
                    answers.extend(failing.into_iter().map(|(i, text)| (i, Err(text))));
                }
            }
        }
    }

    /// Writes the root; gives the question of each of its lines.
    fn write_calls(&self, dir: &Path, questions: &[Question<'_>], which: &[usize]) -> BTreeMap<u64, usize> {
        let mut text = String::new();
        let mut lines = BTreeMap::new();
        let mut line = 1;
        let mut modules = vec![json!({ "Key": "", "Source": "", "Dir": "." })];
        for i in which {
            let Question { name, tree, values } = &questions[*i];
            let mut part = format!("module \"{name}\" {{\n  source = \"./{name}\"\n");
            for (variable, value) in values.iter().filter(|(name, _)| *name != WORKSPACE) {
                if let Some(value) = value {
                    part += &format!("  {variable} = {value}\n");
                }
            }
            part += &format!("}}\noutput \"{name}\" {{\n  value = module.{name}\n  sensitive = true\n}}\n");
            for _ in part.lines() {
                lines.insert(line, *i);
                line += 1;
            }
            text += &part;
            modules.push(json!({ "Key": name, "Source": format!("./{name}"), "Dir": name }));
            for (key, folder, source) in self.calls.get(tree).into_iter().flatten() {
                let folder = Path::new(name).join(folder);
                modules.push(json!({ "Key": format!("{name}.{key}"), "Source": source, "Dir": folder }));
            }
        }
        fs::write(dir.join("main.tf"), text).unwrap();
        fs::write(dir.join(STATE), EMPTY_STATE).unwrap();
        installed(dir, &modules);
        lines
    }

    /// A tree in a folder as a root module, the values in a variable file.
    pub fn alone(&self, files: &Files, assignment: &Assignment) -> Answer {
        let dir = self.rooted(files, assignment);
        let plan = self
            .planned(&dir, pipeline::workspace(assignment))
            .map_err(|errors| errors.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join("\n"))?;
        Ok(given(&plan, ""))
    }

    /// The state that a tree leaves when it is applied; nothing where it isn't accepted.
    pub fn state(&self, files: &Files, assignment: &Assignment) -> Option<String> {
        let dir = self.rooted(files, assignment);
        let apply = ["apply", "-auto-approve", "-input=false", "-lock=false", "-no-color"];
        let out = self.run(&dir, pipeline::workspace(assignment), &apply);
        let state = fs::read_to_string(dir.join(state_of(assignment))).ok();
        state.filter(|_| out.status.success())
    }

    /// The marks of what would be destroyed, or destroyed and made anew, with a state as it is; sorted.
    pub fn destroyed(
        &self,
        files: &Files,
        assignment: &Assignment,
        state: &str,
    ) -> Result<Vec<String>, String> {
        let dir = self.rooted(files, assignment);
        let path = dir.join(state_of(assignment));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, state).unwrap();
        let plan = self
            .planned(&dir, pipeline::workspace(assignment))
            .map_err(|errors| errors.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join("\n"))?;
        let changes = plan["resource_changes"].as_array().into_iter().flatten();
        let gone = changes
            .filter(|c| c["change"]["actions"].as_array().into_iter().flatten().any(|a| a == "delete"));
        let mut marks: Vec<String> =
            gone.map(|c| c["change"]["before"]["triggers_replace"].to_string()).collect();
        marks.sort();
        Ok(marks)
    }

    /// Writes a tree as a root module, ready to be planned.
    fn rooted(&self, files: &Files, assignment: &Assignment) -> PathBuf {
        let dir = self.temp.path().join("r");
        let _ = fs::remove_dir_all(&dir);
        Self::write(&dir, files);
        let set = assignment
            .iter()
            .filter(|(name, _)| *name != WORKSPACE)
            .filter_map(|(k, v)| Some(format!("{k} = {}\n", v.as_ref()?)));
        fs::write(dir.join("terraform.tfvars"), set.collect::<String>()).unwrap();
        let mut modules = vec![json!({ "Key": "", "Source": "", "Dir": "." })];
        for (key, folder, source) in pipeline::calls(files) {
            modules.push(json!({ "Key": key, "Source": source, "Dir": folder }));
        }
        installed(&dir, &modules);
        dir
    }

    fn run(&self, dir: &Path, workspace: &str, args: &[&str]) -> Output {
        Command::new(&self.terraform)
            .args(args)
            .current_dir(dir)
            .env("TF_CLI_CONFIG_FILE", self.temp.path().join("cli.tfrc"))
            .env("CHECKPOINT_DISABLE", "1")
            .envs(SHORT_LIVED)
            .env_remove("TF_DATA_DIR")
            .env_remove("TF_CLI_ARGS")
            .env("TF_WORKSPACE", workspace)
            .env_remove("TF_CLI_ARGS_plan")
            .output()
            .expect("terraform starts")
    }

    /// The plan of a folder.
    fn planned(&self, dir: &Path, workspace: &str) -> Result<Value, Vec<Failure>> {
        let plan = ["plan", "-json", "-input=false", "-lock=false", "-refresh=false", "-out=plan.bin"];
        let out = self.run(dir, workspace, &plan);
        if out.status.success() {
            let shown = self.run(dir, workspace, &["show", "-json", "plan.bin"]);
            return Ok(serde_json::from_slice(&shown.stdout).expect("JSON of a plan"));
        }
        let lines = String::from_utf8_lossy(&out.stdout).into_owned();
        let messages = lines.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
        let mut errors: Vec<Failure> =
            messages.filter(|m| m["@level"] == "error").map(|m| Failure::of(&m["diagnostic"])).collect();
        if errors.is_empty() {
            let text = String::from_utf8_lossy(&out.stderr).into_owned() + &lines;
            errors.push(Failure { file: String::new(), line: 0, text });
        }
        Err(errors)
    }
}

/// Where a workspace keeps its state.
fn state_of(assignment: &Assignment) -> PathBuf {
    match pipeline::workspace(assignment) {
        "default" => "terraform.tfstate".into(),
        other => Path::new("terraform.tfstate.d").join(other).join("terraform.tfstate"),
    }
}

/// An error and where it is.
struct Failure {
    file: String,
    line: u64,
    text: String,
}

impl Failure {
    fn of(diagnostic: &Value) -> Failure {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let range = &diagnostic["range"];
        let code = text(&diagnostic["snippet"]["code"]);
        let (file, line) = (text(&range["filename"]), range["start"]["line"].as_u64().unwrap_or(0));
        let message = format!(
            "{}\n{}\n  on {file} line {line}: {code}",
            text(&diagnostic["summary"]),
            text(&diagnostic["detail"])
        );
        Failure { file, line, text: message }
    }
}

/// Writes the list of installed modules, as `terraform get` does, without starting it.
fn installed(dir: &Path, modules: &[Value]) {
    let folder = dir.join(".terraform/modules");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("modules.json"), json!({ "Modules": modules }).to_string()).unwrap();
}

/// The output that keeps workspaces out; it is none of the original's.
fn without_guard(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    if let Some(Value::Object(all)) = value.pointer_mut(pointer) {
        all.remove(tf_phi::specialise::guard::OUTPUT);
        all.remove(tf_phi::specialise::moves::bounds::OUTPUT);
    }
    value
}

/// What is planned, in one module or (without a name) in all.
fn given(plan: &Value, module: &str) -> Given {
    let mut out = Given::default();
    let open = open(plan);
    for (values, path) in modules(&plan["planned_values"]["root_module"]) {
        if module.is_empty() || path.split('.').nth(1) == Some(module) {
            out.add(values, &open, module);
        }
    }
    out.resources.sort();
    let outputs = &without_guard(&plan["planned_values"]["outputs"], "");
    if module.is_empty() {
        let lines = outputs.as_object().into_iter().flatten().map(|(k, v)| format!("\"{k}\":{}", v["value"]));
        out.outputs = format!("{{{}}}", lines.collect::<Vec<_>>().join(","));
    } else {
        let output = &outputs[module];
        out.outputs = without_guard(&output["value"], "").to_string();
        out.types = without_guard(&output["type"], "/1").to_string();
    }
    let changes = plan["output_changes"].as_object().into_iter().flatten();
    if changes
        .filter(|(name, _)| module.is_empty() || *name == module)
        .any(|(_, c)| unknown(&c["after_unknown"]))
    {
        LATER.clone_into(&mut out.outputs);
    }
    out
}

/// Whether anything in a value is known only when it is applied, by a plan's `after_unknown`.
fn unknown(after: &Value) -> bool {
    match after {
        Value::Bool(all) => *all,
        Value::Array(parts) => parts.iter().any(unknown),
        Value::Object(parts) => parts.values().any(unknown),
        _ => false,
    }
}

/// The addresses of resources whose input is known only when it is applied: a plan's values just leave it out.
fn open(plan: &Value) -> BTreeSet<&str> {
    let changes = plan["resource_changes"].as_array().into_iter().flatten();
    changes
        .filter(|c| unknown(&c["change"]["after_unknown"]["input"]))
        .filter_map(|c| c["address"].as_str())
        .collect()
}

impl Given {
    fn add(&mut self, module: &Value, open: &BTreeSet<&str>, name: &str) {
        for resource in module["resources"].as_array().into_iter().flatten() {
            let values = &resource["values"];
            let mark = values["triggers_replace"].to_string();
            let address = resource["address"].as_str().unwrap_or_default();
            let input = if open.contains(address) { LATER.to_owned() } else { values["input"].to_string() };
            let own = address.strip_prefix(&format!("module.{name}.")).unwrap_or(address);
            self.inputs.insert(own.to_owned(), input.clone());
            self.resources.push((mark, input));
            self.addresses.push(address.to_owned());
        }
    }

    /// Whether another plan holds in its resources what this one does. What this one leaves open, the other may know:
    /// a field that is the same on all ways is, though a part of it waits for something.
    pub fn same_resources(&self, other: &Given) -> bool {
        let mut rest: Vec<&(String, String)> = other.resources.iter().collect();
        let (open, known): (Vec<_>, Vec<_>) = self.resources.iter().partition(|r| r.1 == LATER);
        let mut take = |fits: &dyn Fn(&(String, String)) -> bool| {
            rest.iter().position(|r| fits(r)).map(|at| rest.swap_remove(at)).is_some()
        };
        known.iter().all(|k| take(&|r| r == *k))
            && open.iter().all(|o| take(&|r| r.0 == o.0))
            && rest.is_empty()
    }

    /// The same of the outputs.
    pub fn same_outputs(&self, other: &Given) -> bool {
        self.outputs == LATER || self.outputs == other.outputs
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
