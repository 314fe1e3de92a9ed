//! Random trees with driven meta-arguments, written as the user writes them and with values by hand.

use crate::rng::Rng;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The variables of a root module, and the values that a run gives to them.
#[derive(Clone, Debug)]
pub struct Values {
    pub a: bool,
    pub b: bool,
    pub kind: &'static str,
}

impl Values {
    pub fn random(rng: &mut Rng) -> Values {
        Values { a: rng.chance(50), b: rng.chance(50), kind: ["small", "large"][rng.below(2)] }
    }

    /// As options of the command line.
    pub fn words(&self) -> Vec<String> {
        vec![format!("-var=a={}", self.a), format!("-var=b={}", self.b), format!("-var=kind={}", self.kind)]
    }
}

const VARIABLES: &str = "variable \"a\" { type = bool }\nvariable \"b\" { type = bool }\nvariable \"kind\" {\n  type = string\n}\n\
                         locals {\n  both = var.a && var.b\n  keep = { small = var.b, large = true }\n}\n";

/// An expression that gives a bool, in the root module.
fn truth(rng: &mut Rng, depth: usize) -> String {
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => "var.a".to_owned(),
        1 => "var.b".to_owned(),
        2 => "var.kind == \"large\"".to_owned(),
        3 => "local.both".to_owned(),
        4 => "local.keep[var.kind]".to_owned(),
        5 => format!("!({})", truth(rng, depth - 1)),
        6 => format!("({} && {})", truth(rng, depth - 1), truth(rng, depth - 1)),
        7 => format!("(\n      {} ? {} : true\n    )", truth(rng, depth - 1), truth(rng, depth - 1)),
        _ => format!("contains([\"small\", {}], var.kind)", ["\"none\"", "\"large\""][rng.below(2)]),
    }
}

/// What a resource says of its lifecycle, in the words of its module: each is an expression that gives a bool.
#[derive(Clone, Debug, Default)]
struct Lifecycle {
    prevent: Option<String>,
    before: Option<String>,
    ignore: Option<String>,
}

impl Lifecycle {
    fn random(rng: &mut Rng, word: &mut dyn FnMut(&mut Rng) -> String) -> Lifecycle {
        let mut some = |percent: usize| rng.chance(percent).then(|| word(rng));
        Lifecycle { prevent: some(60), before: some(30), ignore: some(30) }
    }

    /// `value` gives the literal of an expression; nothing for the user's text.
    fn text(&self, value: &dyn Fn(&str) -> Option<String>) -> String {
        let plain = |expr: &String| value(expr).unwrap_or_else(|| expr.clone());
        let mut out = String::new();
        if let Some(expr) = &self.prevent {
            writeln!(out, "    prevent_destroy = {} # kept", plain(expr)).unwrap();
        }
        if let Some(expr) = &self.before {
            writeln!(out, "    create_before_destroy = {}", plain(expr)).unwrap();
        }
        if let Some(expr) = &self.ignore {
            let text = match value(expr).as_deref() {
                None => format!("({expr}) ? [input] : []"),
                Some("true") => "[input]".to_owned(),
                Some(_) => "[]".to_owned(),
            };
            writeln!(out, "    ignore_changes = {text}").unwrap();
        }
        format!("  lifecycle {{\n{out}  }}\n")
    }
}

#[derive(Clone, Debug)]
struct Resource {
    name: String,
    input: String,
    /// `count`, `for_each`, or nothing.
    repeated: &'static str,
    lifecycle: Lifecycle,
    provisioner: bool,
}

impl Resource {
    fn random(rng: &mut Rng, name: String, word: &mut dyn FnMut(&mut Rng) -> String) -> Resource {
        let inputs = [
            "\"one\"",
            "var.on",
            "path.module",
            "path.cwd == abspath(path.root)",
            "basename(abspath(path.module))",
        ];
        Resource {
            name,
            input: inputs[rng.below(inputs.len())].to_owned(),
            repeated: ["", "", "", "  count = 2\n", "  for_each = toset([\"x\", \"y\"])\n"][rng.below(5)],
            lifecycle: Lifecycle::random(rng, word),
            provisioner: rng.chance(15),
        }
    }

    fn text(&self, value: &dyn Fn(&str) -> Option<String>) -> String {
        let Resource { name, input, repeated, .. } = self;
        let made = match self.provisioner {
            true => "  provisioner \"local-exec\" {\n    command = \"true > ${path.module}/made.txt\"\n  }\n",
            false => "",
        };
        let lifecycle = self.lifecycle.text(value);
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n{repeated}  input = {input}\n{made}{lifecycle}}}\n"
        )
    }
}

/// A module below the root, which knows one variable, `on`.
#[derive(Clone, Debug)]
struct Module {
    name: String,
    resources: Vec<Resource>,
    /// The argument for a module further in, in this module's words.
    inner: Option<String>,
}

/// A call of a module in the root.
#[derive(Clone, Debug)]
struct Call {
    name: String,
    module: usize,
    on: String,
    repeated: &'static str,
}

/// A configuration.
#[derive(Clone, Debug)]
pub struct Tree {
    resources: Vec<Resource>,
    modules: Vec<Module>,
    calls: Vec<Call>,
    chosen: bool,
}

const INNER: &str = "variable \"on\" {\n  type = bool\n}\nresource \"terraform_data\" \"deep\" {\n  input = path.module\n  lifecycle {\n    \
                     prevent_destroy = PREVENT\n  }\n}\n";

fn inner_words(rng: &mut Rng) -> String {
    ["var.on", "!var.on", "(var.on || false)"][rng.below(3)].to_owned()
}

impl Tree {
    pub fn random(rng: &mut Rng) -> Tree {
        let resources = (0..1 + rng.below(3))
            .map(|at| Resource::random(rng, format!("r{at}"), &mut |rng| truth(rng, 2)))
            .map(|resource| Resource { input: resource.input.replace("var.on", "var.kind"), ..resource })
            .collect();
        let modules: Vec<Module> = (0..1 + rng.below(2))
            .map(|at| Module {
                name: format!("m{at}"),
                resources: (0..1 + rng.below(2))
                    .map(|at| Resource::random(rng, format!("d{at}"), &mut inner_words))
                    .collect(),
                inner: rng.chance(40).then(|| inner_words(rng)),
            })
            .collect();
        let calls = (0..1 + rng.below(3))
            .map(|at| Call {
                name: format!("c{at}"),
                module: rng.below(modules.len()),
                on: truth(rng, 1),
                repeated: ["", "", "  count = 2\n", "  for_each = toset([\"k\"])\n"][rng.below(4)],
            })
            .collect();
        Tree { resources, modules, calls, chosen: rng.chance(60) }
    }

    /// Changes something; gives what.
    pub fn edit(&mut self, rng: &mut Rng) -> &'static str {
        match rng.below(5) {
            0 => {
                let at = rng.below(self.resources.len());
                self.resources[at].input = format!("\"edited {}\"", rng.below(9));
                "another input"
            }
            1 => {
                let at = rng.below(self.resources.len());
                self.resources[at].lifecycle = Lifecycle::random(rng, &mut |rng| truth(rng, 2));
                "another lifecycle"
            }
            2 => {
                let at = rng.below(self.calls.len());
                self.calls[at].on = truth(rng, 1);
                "another argument"
            }
            3 if self.calls.len() > 1 => {
                self.calls.pop();
                "a call goes"
            }
            _ => {
                self.chosen = !self.chosen;
                "a chosen source comes or goes"
            }
        }
    }

    /// The expressions in words of the root module that Terraform has to be asked for.
    pub fn questions(&self) -> Vec<String> {
        let own = self
            .resources
            .iter()
            .flat_map(|r| [&r.lifecycle.prevent, &r.lifecycle.before, &r.lifecycle.ignore]);
        let mut out: Vec<String> = own.flatten().cloned().collect();
        out.extend(self.calls.iter().map(|call| call.on.clone()));
        out
    }

    /// The files as the user has them.
    pub fn files(&self) -> BTreeMap<String, String> {
        let none = |_: &str| None;
        let mut out = BTreeMap::new();
        for module in &self.modules {
            let dir = format!("modules/{}", module.name);
            out.insert(format!("{dir}/main.tf"), module.text(&none, "./inner"));
            if module.inner.is_some() {
                out.insert(format!("{dir}/inner/main.tf"), INNER.replace("PREVENT", "var.on"));
            }
        }
        out.insert(
            "main.tf".to_owned(),
            self.root(
                &none,
                &|call| format!("./modules/{}", self.modules[call.module].name),
                "./kinds/${var.kind}",
            ),
        );
        self.kinds(&mut out);
        out.insert("phi.hcl".to_owned(), "settings {\n  copies = false\n}\n".to_owned());
        out
    }

    /// The files with values by hand: a folder for each call, in which `path.module` is what it is in the user's tree.
    pub fn by_hand(&self, answers: &BTreeMap<String, bool>, kind: &str) -> BTreeMap<String, String> {
        let asked = |expr: &str| Some(answers[expr].to_string());
        let mut out = BTreeMap::new();
        for call in &self.calls {
            let (module, on) = (&self.modules[call.module], answers[&call.on]);
            let own = |expr: &str| Some(within(expr, on).to_string());
            let there = |text: String, dir: &str| {
                text.replace("abspath(path.module)", &format!("\"/{dir}\""))
                    .replace("path.module", &format!("\"{dir}\""))
                    .replace("${\"", "${path.root}/${\"")
            };
            let dir = format!("modules/{}", module.name);
            out.insert(format!("hand/{}/main.tf", call.name), there(module.text(&own, "./inner"), &dir));
            if let Some(inner) = &module.inner {
                let text = INNER.replace("PREVENT", &within(inner, on).to_string());
                out.insert(format!("hand/{}/inner/main.tf", call.name), there(text, &format!("{dir}/inner")));
            }
        }
        out.insert(
            "main.tf".to_owned(),
            self.root(&asked, &|call| format!("./hand/{}", call.name), &format!("./kinds/{kind}")),
        );
        self.kinds(&mut out);
        out
    }

    fn kinds(&self, out: &mut BTreeMap<String, String>) {
        for kind in ["small", "large"].into_iter().filter(|_| self.chosen) {
            let text = format!("resource \"terraform_data\" \"{kind}\" {{\n  input = path.module\n}}\n");
            out.insert(format!("kinds/{kind}/main.tf"), text);
        }
    }

    fn root(
        &self,
        value: &dyn Fn(&str) -> Option<String>,
        source: &dyn Fn(&Call) -> String,
        chosen: &str,
    ) -> String {
        let mut out = VARIABLES.to_owned();
        self.resources.iter().for_each(|resource| out.push_str(&resource.text(value)));
        for call in &self.calls {
            let Call { name, on, repeated, .. } = call;
            writeln!(out, "module \"{name}\" {{\n  source = \"{}\"\n{repeated}  on = {on}\n}}", source(call))
                .unwrap();
        }
        if self.chosen {
            writeln!(out, "module \"chosen\" {{\n  source = \"{chosen}\"\n}}").unwrap();
        }
        out
    }
}

/// The console's root module: the variables and locals alone.
pub fn console() -> &'static str {
    VARIABLES
}

/// An expression in a module's words, of which each is one of three forms.
fn within(expr: &str, on: bool) -> bool {
    if expr.starts_with('!') { !on } else { on }
}

impl Module {
    fn text(&self, value: &dyn Fn(&str) -> Option<String>, inner: &str) -> String {
        let mut out = "variable \"on\" {\n  type = bool\n}\n".to_owned();
        self.resources.iter().for_each(|resource| out.push_str(&resource.text(value)));
        if let Some(on) = &self.inner {
            writeln!(out, "module \"inner\" {{\n  source = \"{inner}\"\n  on = {on}\n}}").unwrap();
        }
        out
    }
}
