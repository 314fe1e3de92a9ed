//! Calls that Terraform refuses whatever it is given: each thing that may be wrong with one of two modules, by each way in which a call comes to it.

use std::fmt;

/// Something that is wrong with the module in `modules/b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing is.
    Nothing,
    /// The folder isn't there.
    Missing,
    /// It holds no file.
    Empty,
    /// A file in it can't be parsed.
    Unparsable,
    /// It has no variable that the call sets.
    Argument,
    /// It has no configuration, but another file.
    Readme,
    /// It has a variable without a default that the call doesn't set.
    Required,
    /// It has no output that something refers to.
    Output,
    /// It asks for a provider configuration that the call doesn't pass.
    Providers,
    /// The call has a version, which is for registries alone.
    Version,
}

pub const FAULTS: [Fault; 10] = [
    Fault::Nothing,
    Fault::Missing,
    Fault::Empty,
    Fault::Unparsable,
    Fault::Argument,
    Fault::Readme,
    Fault::Required,
    Fault::Output,
    Fault::Providers,
    Fault::Version,
];

impl Fault {
    /// Returns true if nobody can read the module.
    pub fn is_unreadable(self) -> bool {
        matches!(self, Fault::Missing | Fault::Empty | Fault::Unparsable)
    }

    /// What it is called.
    pub fn summary(self) -> &'static str {
        match self {
            Fault::Nothing => "",
            Fault::Missing => "Unreadable module directory",
            Fault::Empty => "No configuration files",
            Fault::Unparsable => "Syntax error",
            Fault::Argument | Fault::Readme => "Unsupported argument",
            Fault::Required => "Missing required argument",
            Fault::Output => "Unsupported attribute",
            Fault::Providers => "Missing required provider configuration",
            Fault::Version => "Invalid registry module source address",
        }
    }
}

/// A way in which a call comes to its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Literal,
    Variable,
    Local,
    EachKey,
    Conditional,
}

pub const SOURCES: [Source; 5] =
    [Source::Literal, Source::Variable, Source::Local, Source::EachKey, Source::Conditional];

/// One pair.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub fault: Fault,
    pub source: Source,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} by {:?}", self.fault, self.source)
    }
}

/// All pairs.
pub fn cases() -> Vec<Case> {
    let of = |fault| SOURCES.iter().map(move |source| Case { fault, source: *source });
    FAULTS.into_iter().flat_map(of).collect()
}

const VARIABLE: &str = "variable \"kind\" {\n  type = string\n  validation {\n    condition     = contains([\"a\", \"b\"], \
                        var.kind)\n    error_message = \"No.\"\n  }\n}\n";
const MODULE: &str = "variable \"size\" {}\noutput \"out\" {\n  value = \"x\"\n}\nresource \"terraform_data\" \"x\" {\n  input = \
                      var.size\n}\n";
const ALIASES: &str = "terraform {\n  required_providers {\n    terraform = {\n      source                = \
                       \"terraform.io/builtin/terraform\"\n      configuration_aliases = [terraform.x]\n    }\n  }\n}\n";

impl Case {
    /// The files. A folder of no file holds nothing.
    pub fn files(self) -> Vec<(&'static str, String)> {
        let mut files = vec![
            ("main.tf", self.root()),
            ("modules/a/main.tf", MODULE.to_owned()),
            ("env/dev.tfvars", "kind = \"b\"\n".to_owned()),
            ("env/prod.tfvars", "kind = \"a\"\n".to_owned()),
        ];
        match self.fault {
            Fault::Missing | Fault::Empty => {}
            Fault::Readme => files.push(("modules/b/README.md", "Nothing.\n".to_owned())),
            _ => files.push(("modules/b/main.tf", self.module())),
        }
        files
    }

    fn root(self) -> String {
        let source = match self.source {
            Source::Literal => "\"./modules/b\"",
            Source::Variable => "\"./modules/${var.kind}\"",
            Source::Local => "local.from",
            Source::EachKey => "\"./modules/${each.key}\"",
            Source::Conditional => "var.kind == \"a\" ? \"./modules/a\" : \"./modules/b\"",
        };
        let (keys, of) = match self.source {
            Source::EachKey => ("  for_each = toset([\"a\", \"b\"])\n", "module.m[\"b\"]"),
            _ => ("", "module.m"),
        };
        let local = match self.source {
            Source::Local => "locals {\n  from = \"./modules/${var.kind}\"\n}\n",
            _ => "",
        };
        let version = if self.fault == Fault::Version { "  version = \"1.0\"\n" } else { "" };
        format!(
            "{VARIABLE}{local}module \"m\" {{\n{keys}  source = {source}\n{version}  size = 1\n}}\noutput \"out\" {{\n  value = {of}.out\n}}\n"
        )
    }

    /// The module in `modules/b`.
    fn module(self) -> String {
        match self.fault {
            Fault::Unparsable => format!("{MODULE}resource {{\n"),
            Fault::Argument => MODULE.replace("variable \"size\" {}\n", "").replace("var.size", "2"),
            Fault::Required => format!("variable \"more\" {{}}\n{MODULE}"),
            Fault::Output => MODULE.replace("\"out\"", "\"other\""),
            Fault::Providers => format!("{ALIASES}{MODULE}"),
            _ => MODULE.to_owned(),
        }
    }
}
