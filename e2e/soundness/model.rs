//! Random Terraform trees as data: expressions that can be shrunk, and the text they make.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files by path.
pub type Files = BTreeMap<PathBuf, String>;

/// The types that expressions are generated at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Str,
    Num,
    Bool,
    List(Box<Ty>),
    Map(Box<Ty>),
    Obj(Vec<(String, Ty)>),
}

impl Ty {
    /// The type constraint.
    pub fn text(&self) -> String {
        match self {
            Ty::Str => "string".into(),
            Ty::Num => "number".into(),
            Ty::Bool => "bool".into(),
            Ty::List(t) => format!("list({})", t.text()),
            Ty::Map(t) => format!("map({})", t.text()),
            Ty::Obj(attrs) => {
                let attrs: Vec<String> = attrs.iter().map(|(k, t)| format!("{k} = {}", t.text())).collect();
                format!("object({{ {} }})", attrs.join(", "))
            }
        }
    }
}

/// A piece of an expression's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Text(String),
    Sub(Expr),
}

/// An expression of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub pieces: Vec<Piece>,
}

impl Expr {
    pub fn leaf(ty: Ty, text: impl Into<String>) -> Expr {
        Expr { ty, pieces: vec![Piece::Text(text.into())] }
    }

    pub fn text(&self) -> String {
        let piece = |p: &Piece| match p {
            Piece::Text(t) => t.clone(),
            Piece::Sub(e) => e.text(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Smaller expressions of the same type: a part in its place, or one of the parts made smaller.
    pub fn smaller(&self) -> Vec<Expr> {
        let mut out = Vec::new();
        for piece in &self.pieces {
            if let Piece::Sub(e) = piece {
                e.collect(&self.ty, &mut out);
            }
        }
        for (i, piece) in self.pieces.iter().enumerate() {
            if let Piece::Sub(e) = piece {
                for less in e.smaller() {
                    let mut copy = self.clone();
                    copy.pieces[i] = Piece::Sub(less);
                    out.push(copy);
                }
            }
        }
        let plain = match &self.ty {
            Ty::Str => Some("\"a\""),
            Ty::Num => Some("1"),
            Ty::Bool => Some("true"),
            Ty::List(_) => Some("[]"),
            _ => None,
        };
        if let Some(plain) = plain.filter(|p| *p != self.text()) {
            out.push(Expr::leaf(self.ty.clone(), plain));
        }
        out
    }

    fn collect(&self, ty: &Ty, out: &mut Vec<Expr>) {
        if self.ty == *ty {
            out.push(self.clone());
        }
        for piece in &self.pieces {
            if let Piece::Sub(e) = piece {
                e.collect(ty, out);
            }
        }
    }
}

/// Makes an expression of text fragments and parts: `$` stands for the next part.
pub fn node(ty: Ty, pattern: &str, parts: Vec<Expr>) -> Expr {
    let mut pieces = Vec::new();
    let mut parts = parts.into_iter();
    for (i, text) in pattern.split('@').enumerate() {
        if i > 0 {
            pieces.push(Piece::Sub(parts.next().expect("a part for each @")));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
    }
    assert!(parts.next().is_none(), "{pattern}");
    Expr { ty, pieces }
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Option<String>,
    pub default: Option<String>,
    pub nullable: Option<bool>,
    pub sensitive: bool,
    pub validations: Vec<String>,
    /// Its `universe` in `phi.hcl`.
    pub universe: Option<Vec<String>>,
    /// Its `bins` in `phi.hcl`.
    pub bins: Option<Vec<u64>>,
    /// What the variable files of the environments give it.
    pub environments: Vec<String>,
    /// Values that count (root only), as literals; the first is what a shrunk call passes.
    pub inside: Vec<String>,
    /// Values that may be rejected (root only).
    pub outside: Vec<String>,
}

impl Variable {
    pub fn named(name: impl Into<String>) -> Variable {
        Variable {
            name: name.into(),
            ty: None,
            default: None,
            nullable: None,
            sensitive: false,
            validations: Vec::new(),
            universe: None,
            bins: None,
            environments: Vec::new(),
            inside: Vec::new(),
            outside: Vec::new(),
        }
    }
}

/// `count` or `for_each`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repeat {
    No,
    Count(Expr),
    ForEach(Expr),
}

/// A `source` that is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub variable: String,
    pub value: String,
    pub module: usize,
}

/// What a pin says of its field besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Universe(Vec<String>),
    Bins(Vec<u64>),
}

/// A module call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub name: String,
    pub module: usize,
    /// Where its `source` is chosen: the module that is taken where a root variable has a value.
    pub choice: Option<Choice>,
    pub args: Vec<(String, Expr)>,
    pub repeat: Repeat,
    /// Addresses that it waits for.
    pub after: Vec<String>,
}

/// A `terraform_data`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    pub name: String,
    pub input: Expr,
    pub repeat: Repeat,
    /// Addresses that it waits for.
    pub after: Vec<String>,
    /// Whether an override file holds the input, and the block another.
    pub overridden: bool,
}

/// A module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    pub variables: Vec<Variable>,
    pub locals: Vec<(String, Expr)>,
    pub calls: Vec<Call>,
    pub resources: Vec<Resource>,
    pub outputs: Vec<(String, Expr)>,
    pub data: Vec<Data>,
}

/// A data source, with what it gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    pub name: String,
    pub outputs: Vec<(String, Expr)>,
    /// The output whose values `phi.hcl` lists, on each path that leads to the module.
    pub listed: Option<(String, Vec<String>)>,
}

/// The name under which an assignment selects a workspace.
pub const WORKSPACE: &str = "terraform.workspace";

/// A tree; the first module is the root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    pub modules: Vec<Module>,
    /// The workspaces that `phi.hcl` lists.
    pub workspaces: Vec<String>,
    /// (label, field)
    pub pins: Vec<(String, String)>,
    /// The pins say `at = "resource"`.
    pub at_resource: bool,
    /// Modules may be edited in place.
    pub edited: bool,
    /// Resources of the root whose `input` a pin of their own says more of.
    pub said: Vec<(String, Said)>,
    /// Resources of the root whose `input` is rounded up to bins.
    pub binned: Vec<(String, Vec<u64>)>,
}

/// The file that data sources read in the folder of a run, which holds no output, so that their defaults count.
pub const STATE: &str = "empty.tfstate";
pub const EMPTY_STATE: &str = "{ \"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"none\", \"outputs\": {}, \"resources\": [] }\n";

fn repeat(r: &Repeat) -> String {
    match r {
        Repeat::No => String::new(),
        Repeat::Count(e) => format!("  count = {}\n", e.text()),
        Repeat::ForEach(e) => format!("  for_each = {}\n", e.text()),
    }
}

fn after(addresses: &[String]) -> String {
    match addresses {
        [] => String::new(),
        some => format!("  depends_on = [{}]\n", some.join(", ")),
    }
}

/// Whether a local stands in a JSON file: its name says so, and its text can be written there.
fn in_json((name, e): &(String, Expr)) -> bool {
    name.starts_with('j') && !e.text().contains('\n')
}

impl Variable {
    fn text(&self) -> String {
        let mut t = format!("variable \"{}\" {{\n", self.name);
        if let Some(ty) = &self.ty {
            t += &format!("  type = {ty}\n");
        }
        if let Some(d) = &self.default {
            t += &format!("  default = {d}\n");
        }
        if let Some(n) = self.nullable {
            t += &format!("  nullable = {n}\n");
        }
        if self.sensitive {
            t += "  sensitive = true\n";
        }
        for v in &self.validations {
            t += &format!("  validation {{\n    condition = {v}\n    error_message = \"Not valid.\"\n  }}\n");
        }
        t + "}\n"
    }
}

impl Tree {
    /// The folder of a module, relative to the root.
    fn folder(at: usize) -> String {
        format!("mods/m{at}")
    }

    pub fn files(&self) -> Files {
        let mut out = Files::new();
        let mut used = vec![0];
        let mut next = 0;
        while next < used.len() {
            for call in &self.modules[used[next]].calls {
                for module in
                    [Some(call.module), call.choice.as_ref().map(|c| c.module)].into_iter().flatten()
                {
                    if !used.contains(&module) {
                        used.push(module);
                    }
                }
            }
            next += 1;
        }
        for at in used {
            let path = if at == 0 { "main.tf".to_owned() } else { format!("{}/main.tf", Tree::folder(at)) };
            self.siblings(at, Path::new(&path), &mut out);
            out.insert(path.into(), self.module_text(at));
        }
        let mut phi = String::new();
        for (label, field) in &self.pins {
            let at = if self.at_resource { "  at     = \"resource\"\n" } else { "" };
            phi += &format!("specialize \"{label}\" {{\n  fields = [\"{field}\"]\n{at}}}\n");
        }
        for (resource, said) in &self.said {
            let said = match said {
                Said::Universe(values) => format!("universe = [{}]", values.join(", ")),
                Said::Bins(bins) => format!("bins = {bins:?}"),
            };
            phi += &format!(
                "specialize \"terraform_data.{resource}\" {{\n  field \"input\" {{\n    {said}\n  }}\n}}\n"
            );
        }
        for v in self.modules.iter().take(1).flat_map(|m| &m.variables) {
            if let Some(u) = &v.universe {
                phi += &format!("variable \"{}\" {{\n  universe = [{}]\n}}\n", v.name, u.join(", "));
            }
            if let Some(bins) = &v.bins {
                phi += &format!("variable \"{}\" {{\n  bins = {bins:?}\n}}\n", v.name);
            }
        }
        self.listed_data(0, "", &mut phi);
        if self.reads_data() {
            out.insert(STATE.into(), EMPTY_STATE.into());
        }
        if !self.workspaces.is_empty() {
            phi +=
                &format!("variable \"{WORKSPACE}\" {{\n  universe = [{}]\n}}\n", self.workspaces.join(", "));
        }
        self.environments(&mut phi, &mut out);
        out.insert("phi.hcl".into(), phi);
        out
    }

    /// The universes of what the data sources of a module and of those below it give.
    fn listed_data(&self, at: usize, prefix: &str, phi: &mut String) {
        for data in &self.modules[at].data {
            if let Some((output, values)) = &data.listed {
                *phi += &format!(
                    "variable \"{prefix}data.terraform_remote_state.{}.outputs.{output}\" {{\n  universe = [{}]\n}}\n",
                    data.name,
                    values.join(", ")
                );
            }
        }
        for call in self.modules[at].calls.iter().filter(|c| c.choice.is_none()) {
            self.listed_data(call.module, &format!("{prefix}module.{}.", call.name), phi);
        }
    }

    /// Whether a data source is read somewhere.
    pub fn reads_data(&self) -> bool {
        self.modules.iter().any(|m| !m.data.is_empty())
    }

    /// A variable file per environment, where a variable takes its values from them.
    fn environments(&self, phi: &mut String, out: &mut Files) {
        let given: Vec<&Variable> =
            self.modules[0].variables.iter().filter(|v| !v.environments.is_empty()).collect();
        let most = given.iter().map(|v| v.environments.len()).max().unwrap_or(0);
        for i in 0..most {
            let lines =
                given.iter().filter_map(|v| Some(format!("{} = {}\n", v.name, v.environments.get(i)?)));
            out.insert(format!("env/e{i}.tfvars").into(), lines.collect());
        }
        // Those below the root count anyway.
        let named = given.first().is_some_and(|v| v.name.len() % 2 == 0);
        let named = if most > 0 && named { "  environments = [\"env/*.tfvars\"]\n" } else { "" };
        let edited = if self.edited { "  edit = [\"mods/*\"]\n" } else { "" };
        if !named.is_empty() || self.edited {
            *phi += &format!("settings {{\n{named}{edited}}}\n");
        }
    }

    /// The tree as it is under an assignment of the root variables, with each `source` that is chosen written out.
    pub fn settled(&self, assignment: &BTreeMap<String, Option<String>>) -> Tree {
        let mut tree = self.clone();
        let Some((root, _)) = tree.modules.split_first_mut() else { return tree };
        for call in &mut root.calls {
            let Some(choice) = call.choice.take() else { continue };
            let given = assignment.get(&choice.variable).cloned().flatten();
            let default = root.variables.iter().find(|v| v.name == choice.variable);
            let value = given.or_else(|| default.and_then(|v| v.default.clone()));
            if value.as_ref() == Some(&choice.value) {
                call.module = choice.module;
            }
        }
        tree
    }

    /// Whether a `source` is chosen somewhere.
    pub fn chooses(&self) -> bool {
        self.modules.iter().flat_map(|m| &m.calls).any(|c| c.choice.is_some())
    }

    /// What a resource holds, rounded up where its number is cut into bins and it is one of the driven fields.
    pub fn rounded(&self, mark: &str, input: String, driven: &[&str]) -> String {
        let is_driven = |name: &str| driven.contains(&format!("terraform_data.{name}.input").as_str());
        let own = |name: &str| mark == format!("\"m0.{name}\"") && is_driven(name);
        let bins = self.binned.iter().find(|(name, _)| own(name));
        let number: Option<f64> = input.parse().ok();
        let up = bins.zip(number).and_then(|((_, bins), n)| bins.iter().find(|b| **b as f64 >= n));
        up.map_or(input, ToString::to_string)
    }

    /// The override file and the JSON file beside a module's own.
    fn siblings(&self, at: usize, main: &Path, out: &mut Files) {
        let module = &self.modules[at];
        let instead: Vec<String> = module
            .resources
            .iter()
            .filter(|r| r.overridden)
            .map(|r| {
                format!("resource \"terraform_data\" \"{}\" {{\n  input = {}\n}}\n", r.name, r.input.text())
            })
            .collect();
        if !instead.is_empty() {
            out.insert(main.with_file_name("main_override.tf"), instead.join("\n"));
        }
        let locals = module.locals.iter().filter(|l| in_json(l));
        let locals: serde_json::Map<String, serde_json::Value> =
            locals.map(|(k, e)| (k.clone(), format!("${{{}}}", e.text()).into())).collect();
        if !locals.is_empty() {
            let text = serde_json::json!({ "locals": locals }).to_string();
            out.insert(main.with_file_name("more.tf.json"), text);
        }
    }

    fn module_text(&self, at: usize) -> String {
        let module = &self.modules[at];
        let mut parts: Vec<String> = module.variables.iter().map(Variable::text).collect();
        let own: Vec<&(String, Expr)> = module.locals.iter().filter(|l| !in_json(l)).collect();
        if !own.is_empty() {
            let lines: Vec<String> = own.iter().map(|(k, e)| format!("  {k} = {}\n", e.text())).collect();
            parts.push(format!("locals {{\n{}}}\n", lines.concat()));
        }
        for data in &module.data {
            let outputs = data.outputs.iter().map(|(k, e)| format!("{k} = {}", e.text()));
            parts.push(format!(
                "data \"terraform_remote_state\" \"{}\" {{\n  backend = \"local\"\n  config = {{ path = \"{STATE}\" }}\n  defaults = {{\n    {}\n  }}\n}}\n",
                data.name,
                outputs.collect::<Vec<_>>().join("\n    ")
            ));
        }
        for call in &module.calls {
            let to = |module: usize| match at {
                0 => format!("\"./{}\"", Tree::folder(module)),
                _ => format!("\"../m{module}\""),
            };
            let from = match &call.choice {
                Some(c) => {
                    format!("var.{} == {} ? {} : {}", c.variable, c.value, to(c.module), to(call.module))
                }
                None => to(call.module),
            };
            let args: Vec<String> =
                call.args.iter().map(|(k, e)| format!("  {k} = {}\n", e.text())).collect();
            let repeat = repeat(&call.repeat);
            parts.push(format!(
                "module \"{}\" {{\n  source = {from}\n{repeat}{}{}}}\n",
                call.name,
                args.concat(),
                after(&call.after)
            ));
        }
        for r in &module.resources {
            let mark = format!("m{at}.{}", r.name);
            parts.push(format!(
                "resource \"terraform_data\" \"{}\" {{\n{}  input = {}\n  triggers_replace = \"{mark}\"\n{}}}\n",
                r.name,
                repeat(&r.repeat),
                if r.overridden { "\"not this\"".to_owned() } else { r.input.text() },
                after(&r.after)
            ));
        }
        for (name, value) in &module.outputs {
            parts.push(format!("output \"{name}\" {{\n  value = {}\n}}\n", value.text()));
        }
        parts.join("\n")
    }
}
