//! Random Terraform trees as data: expressions that can be shrunk, and the text they make.

use std::collections::BTreeMap;
use std::path::PathBuf;

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
    pub validations: Vec<String>,
    /// Its `universe` in `phi.hcl`.
    pub universe: Option<Vec<String>>,
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
            validations: Vec::new(),
            universe: None,
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

/// A module call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub name: String,
    pub module: usize,
    pub args: Vec<(String, Expr)>,
    pub repeat: Repeat,
}

/// A `terraform_data`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    pub name: String,
    pub input: Expr,
    pub repeat: Repeat,
}

/// A module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    pub variables: Vec<Variable>,
    pub locals: Vec<(String, Expr)>,
    pub calls: Vec<Call>,
    pub resources: Vec<Resource>,
    pub outputs: Vec<(String, Expr)>,
}

/// A tree; the first module is the root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    pub modules: Vec<Module>,
    /// (label, field)
    pub pins: Vec<(String, String)>,
}

fn repeat(r: &Repeat) -> String {
    match r {
        Repeat::No => String::new(),
        Repeat::Count(e) => format!("  count = {}\n", e.text()),
        Repeat::ForEach(e) => format!("  for_each = {}\n", e.text()),
    }
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
                if !used.contains(&call.module) {
                    used.push(call.module);
                }
            }
            next += 1;
        }
        for at in used {
            let path = if at == 0 { "main.tf".to_owned() } else { format!("{}/main.tf", Tree::folder(at)) };
            out.insert(path.into(), self.module_text(at));
        }
        let mut phi = String::new();
        for (label, field) in &self.pins {
            phi += &format!("specialize \"{label}\" {{\n  fields = [\"{field}\"]\n}}\n");
        }
        for v in self.modules.iter().take(1).flat_map(|m| &m.variables) {
            if let Some(u) = &v.universe {
                phi += &format!("variable \"{}\" {{\n  universe = [{}]\n}}\n", v.name, u.join(", "));
            }
        }
        self.environments(&mut phi, &mut out);
        out.insert("phi.hcl".into(), phi);
        out
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
        if most > 0 {
            *phi += "settings {\n  environments = [\"env/*.tfvars\"]\n}\n";
        }
    }

    fn module_text(&self, at: usize) -> String {
        let module = &self.modules[at];
        let mut parts: Vec<String> = module.variables.iter().map(Variable::text).collect();
        if !module.locals.is_empty() {
            let lines: Vec<String> =
                module.locals.iter().map(|(k, e)| format!("  {k} = {}\n", e.text())).collect();
            parts.push(format!("locals {{\n{}}}\n", lines.concat()));
        }
        for call in &module.calls {
            let to = if at == 0 {
                format!("./{}", Tree::folder(call.module))
            } else {
                format!("../m{}", call.module)
            };
            let args: Vec<String> =
                call.args.iter().map(|(k, e)| format!("  {k} = {}\n", e.text())).collect();
            let repeat = repeat(&call.repeat);
            parts.push(format!(
                "module \"{}\" {{\n  source = \"{to}\"\n{repeat}{}}}\n",
                call.name,
                args.concat()
            ));
        }
        for r in &module.resources {
            let mark = format!("m{at}.{}", r.name);
            parts.push(format!(
                "resource \"terraform_data\" \"{}\" {{\n{}  input = {}\n  triggers_replace = \"{mark}\"\n}}\n",
                r.name,
                repeat(&r.repeat),
                r.input.text()
            ));
        }
        for (name, value) in &module.outputs {
            parts.push(format!("output \"{name}\" {{\n  value = {}\n}}\n", value.text()));
        }
        parts.join("\n")
    }
}
