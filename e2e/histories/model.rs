//! What a random root module is made of, and what people keep beside it.

use std::collections::BTreeMap;

/// The values of the root variables in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vars {
    pub env: &'static str,
    pub tier: &'static str,
    pub on: bool,
    pub protect: bool,
}

impl Default for Vars {
    fn default() -> Vars {
        Vars { env: "dev", tier: "s", on: true, protect: false }
    }
}

impl Vars {
    /// As arguments of a command.
    pub fn args(&self) -> Vec<String> {
        vec![
            format!("-var=env={}", self.env),
            format!("-var=tier={}", self.tier),
            format!("-var=on={}", self.on),
            format!("-var=protect={}", self.protect),
        ]
    }

    /// As `terraform.tfvars`.
    pub fn file(&self) -> String {
        format!(
            "env     = \"{}\"\ntier    = \"{}\"\non      = {}\nprotect = {}\n",
            self.env, self.tier, self.on, self.protect
        )
    }
}

/// What `prevent_destroy` is for these values; nothing where it differs from key to key.
pub fn decided(protect: &str, vars: &Vars) -> Option<bool> {
    match protect {
        "var.protect" => Some(vars.protect),
        "var.env == \"prod\"" => Some(vars.env == "prod"),
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A value of a field, as expression of a few forms. The words are HCL literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Val {
    Lit(String),
    /// `var.env == "prod" ? A : B`
    Env(String, String),
    /// `{ prod = A, dev = B }[var.env]`
    EnvMap(String, String),
    /// `var.env == "prod" ? A : var.tier == "l" ? B : C`
    Two(String, String, String),
    /// `lookup({ … }, each.key, D)`; D where nothing is repeated by key.
    Key(Vec<(String, String)>, String),
    /// `each.key == K ? A : B`
    KeyIs(String, String, String),
    /// `each.value`
    Value,
    /// `var.v` of a module, `"root"` in the root.
    Arg,
    /// `local.pick`, which is a choice by `var.tier` in every module.
    Local,
}

/// How a declaration is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repeat {
    One,
    /// `count`, with how many there are at most.
    Count(&'static str, usize),
    /// `for_each` over a map (or a set, where the values are not looked at); the key that there is only `var.on`.
    Each {
        keys: Vec<(String, String)>,
        set: bool,
        sometimes: Option<String>,
    },
}

impl Repeat {
    /// The keys of all instances, as they stand in an address.
    pub fn keys(&self) -> Vec<String> {
        match self {
            Repeat::One => vec![String::new()],
            Repeat::Count(_, most) => (0..*most).map(|i| format!("[{i}]")).collect(),
            Repeat::Each { keys, .. } => keys.iter().map(|(k, _)| format!("[\"{k}\"]")).collect(),
        }
    }
}

/// What lets an apply fail halfway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Provisioner,
    Postcondition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Res {
    pub name: String,
    /// Names the declaration whatever its address; a part of the tag in its values.
    pub label: String,
    pub repeat: Repeat,
    pub v: Val,
    pub w: Option<Val>,
    /// What a change of replaces the object.
    pub triggers: Option<Val>,
    /// The tag is in `triggers_replace` instead of `input`.
    pub tag_replaces: bool,
    pub ignore: bool,
    pub protect: Option<String>,
    pub create_first: bool,
    pub trouble: Option<Trouble>,
    /// A service replaces it, while the form factor is on.
    pub served: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    pub label: String,
    /// The folder below `modules`.
    pub module: String,
    /// The folder where `var.env` is `prod`: the source is chosen.
    pub other: Option<String>,
    pub repeat: Repeat,
    pub v: Val,
}

impl Call {
    /// The modules that it may call.
    pub fn modules(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.module).chain(&self.other)
    }
}

/// A `moved` or `removed` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Moved(String, String),
    Forgotten(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub resources: Vec<Res>,
    pub calls: Vec<Call>,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Type,
    Name,
    Address,
    /// The address of a call, for its argument.
    Call,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub form: Form,
    /// The resource's label, or the call's; nothing where the form is a type.
    pub label: String,
    pub fields: Vec<&'static str>,
    pub at_resource: bool,
}

/// The sources: the root module is the one without a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    pub modules: BTreeMap<String, Body>,
    /// Without any there is no `phi.hcl`.
    pub pins: Vec<Pin>,
    pub edit_in_place: bool,
    /// Runs put the sources back by themselves: `keep = false`.
    pub not_kept: bool,
    /// There is a service.
    pub service: bool,
    /// Its form factor is on.
    pub factor: bool,
    /// For fresh names.
    pub made: usize,
}

impl Root {
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    /// The module and the index of a resource.
    pub fn resource(&self, label: &str) -> Option<(&str, usize)> {
        self.modules.iter().find_map(|(module, body)| {
            Some((module.as_str(), body.resources.iter().position(|r| r.label == label)?))
        })
    }

    pub fn call(&self, label: &str) -> Option<(&str, usize)> {
        self.modules.iter().find_map(|(module, body)| {
            Some((module.as_str(), body.calls.iter().position(|c| c.label == label)?))
        })
    }

    pub fn resource_mut(&mut self, label: &str) -> Option<&mut Res> {
        self.modules.values_mut().flat_map(|b| &mut b.resources).find(|r| r.label == label)
    }

    pub fn call_mut(&mut self, label: &str) -> Option<&mut Call> {
        self.modules.values_mut().flat_map(|b| &mut b.calls).find(|c| c.label == label)
    }

    /// The addresses of a module's instances, without keys: one for each path of calls.
    pub fn paths(&self, module: &str) -> Vec<String> {
        let mut out = self.all_paths(module);
        out.sort();
        out.dedup();
        out
    }

    fn all_paths(&self, module: &str) -> Vec<String> {
        if module.is_empty() {
            return vec![String::new()];
        }
        let mut out = Vec::new();
        for (caller, body) in &self.modules {
            for call in body.calls.iter().filter(|c| c.modules().any(|m| m == module)) {
                out.extend(self.all_paths(caller).into_iter().map(|p| format!("{p}module.{}.", call.name)));
            }
        }
        out
    }

    /// Whether a service replaces a resource, by its label.
    pub fn resource_served(&self, label: &str) -> bool {
        self.resources().any(|r| r.label == label && r.served)
    }

    /// All resources of all modules.
    pub fn resources(&self) -> impl Iterator<Item = &Res> {
        self.modules.values().flat_map(|b| &b.resources)
    }

    /// All calls in all modules.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.modules.values().flat_map(|b| &b.calls)
    }

    /// Whether Terraform alone takes the sources as they are.
    pub fn is_plain(&self) -> bool {
        self.resources().all(|r| r.protect.is_none()) && self.calls().all(|c| c.other.is_none())
    }

    /// Drops modules that nothing calls.
    pub fn sweep(&mut self) {
        loop {
            let called: Vec<String> =
                self.modules.values().flat_map(|b| &b.calls).flat_map(Call::modules).cloned().collect();
            let before = self.modules.len();
            self.modules.retain(|name, _| name.is_empty() || called.contains(name));
            if self.modules.len() == before {
                return;
            }
        }
    }
}
