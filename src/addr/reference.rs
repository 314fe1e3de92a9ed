//! Resolves the names in a traversal: which declaration it refers to.
//!
//! The rules are those of Terraform's reference syntax (its `addrs` package): the root name decides, then a fixed number
//! of attribute steps; the rest is a path into the value. Works on names alone, so that it serves parsed
//! expressions, address text and JSON alike.

use super::{Key, Mode, ResourceAddr, call_prefix, in_a_row};
use std::fmt;
use std::sync::Arc;

/// One step of a traversal after its root name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// `.name`
    Attr(&'a str),
    /// `[key]` with a constant key, and `.0`.
    Index(Key),
    /// A splat or an index by an expression: there Terraform's traversal ends.
    Other,
}

/// `path.module`, `path.root`, `path.cwd`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PathAttr {
    /// The folder of the module.
    Module,
    /// The folder of the root module.
    Root,
    /// The folder Terraform was started in.
    Cwd,
}

/// The thing that a reference names.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Referent {
    /// `var.x`
    Variable(Arc<str>),
    /// `local.x`
    Local(Arc<str>),
    /// `module.m`, or with a key `module.m["k"]`, as a whole.
    Call(Arc<str>, Option<Key>),
    /// `module.m.out`, `module.m["k"].out`
    Output {
        /// The call.
        call: Arc<str>,
        /// The instance, where a constant key is given.
        key: Option<Key>,
        /// The output.
        name: Arc<str>,
    },
    /// `t.n`, `data.t.n`, `ephemeral.t.n`; keys are left to the steps that follow.
    Resource(ResourceAddr),
    /// `each.key`
    EachKey,
    /// `each.value`
    EachValue,
    /// `count.index`
    CountIndex,
    /// `self`
    SelfValue,
    /// `path.…`
    Path(PathAttr),
    /// `terraform.workspace`
    Workspace,
    /// `terraform.applying`
    Applying,
}

impl fmt::Display for Referent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key_text = |key: &Option<Key>| key.as_ref().map(Key::to_string).unwrap_or_default();
        match self {
            Referent::Variable(n) => in_a_row(f, ["var.", n]),
            Referent::Local(n) => in_a_row(f, ["local.", n]),
            Referent::Call(n, key) => write!(f, "{}{n}{}", call_prefix(n), key_text(key)),
            Referent::Output { call, key, name } => {
                write!(f, "{}{call}{}.{name}", call_prefix(call), key_text(key))
            }
            Referent::Resource(r) => fmt::Display::fmt(r, f),
            Referent::EachKey => f.write_str("each.key"),
            Referent::EachValue => f.write_str("each.value"),
            Referent::CountIndex => f.write_str("count.index"),
            Referent::SelfValue => f.write_str("self"),
            Referent::Path(PathAttr::Module) => f.write_str("path.module"),
            Referent::Path(PathAttr::Root) => f.write_str("path.root"),
            Referent::Path(PathAttr::Cwd) => f.write_str("path.cwd"),
            Referent::Workspace => f.write_str("terraform.workspace"),
            Referent::Applying => f.write_str("terraform.applying"),
        }
    }
}

/// The referent of a traversal, and the number of steps that belong to its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The declaration that is referred to.
    pub referent: Referent,
    /// The number of steps after the root name that belong to the name. The rest is a path into the value.
    pub consumed: usize,
}

/// The reason why a traversal refers to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefError {
    /// Terraform's heading, as `Invalid reference`.
    pub summary: String,
    /// The sentence.
    pub detail: String,
    /// The number of steps after the root name that were read before the fault.
    pub at: usize,
}

impl fmt::Display for RefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.summary, self.detail)
    }
}

fn invalid<T>(detail: impl Into<String>, at: usize) -> Result<T, RefError> {
    Err(RefError { summary: "Invalid reference".into(), detail: detail.into(), at })
}

impl Reference {
    /// Resolves `root` and the steps after it.
    ///
    /// # Errors
    /// Returns an error if Terraform would say "Invalid reference" or "Reserved symbol name". A `self`, `each` or `count` that
    /// stands where it isn't allowed is not an error here: that depends on the surroundings.
    pub fn parse(root: &str, steps: &[Step<'_>]) -> Result<Reference, RefError> {
        let known = steps.iter().position(|s| *s == Step::Other).unwrap_or(steps.len());
        let steps = steps.get(..known).unwrap_or(steps);
        match root {
            "var" => single(root, steps).map(|n| named(Referent::Variable(n.into()))),
            "local" => single(root, steps).map(|n| named(Referent::Local(n.into()))),
            "each" | "count" | "path" | "terraform" => builtin(root, single(root, steps)?).map(named),
            "self" => Ok(Reference { referent: Referent::SelfValue, consumed: 0 }),
            "module" => module(single(root, steps)?, steps),
            "data" => prefixed(Mode::Data, root, steps),
            "resource" => prefixed(Mode::Managed, root, steps),
            "ephemeral" => prefixed(Mode::Ephemeral, root, steps),
            "template" | "lazy" | "arg" => Err(RefError {
                summary: "Reserved symbol name".into(),
                detail: format!(
                    "The symbol name \"{root}\" is reserved for use in a future Terraform version. If you are using a \
                     provider that already uses this as a resource type name, add the prefix \"resource.\" to force \
                     interpretation as a resource type name."
                ),
                at: 0,
            }),
            _ => match steps.first() {
                Some(Step::Attr(name)) => Ok(named(Referent::Resource(ResourceAddr::managed(root, *name)))),
                _ => invalid(must_follow(Mode::Managed), 0),
            },
        }
    }
}

fn named(referent: Referent) -> Reference {
    Reference { referent, consumed: 1 }
}

fn must_follow(mode: Mode) -> String {
    let what = match mode {
        Mode::Managed => "a resource type",
        Mode::Data => "a data source",
        Mode::Ephemeral => "an ephemeral resource type",
    };
    format!(
        "A reference to {what} must be followed by at least one attribute access, specifying the resource name."
    )
}

/// The one attribute that has to follow a root such as `var`.
fn single<'a>(root: &str, steps: &[Step<'a>]) -> Result<&'a str, RefError> {
    match steps.first() {
        Some(Step::Attr(name)) => Ok(name),
        None => invalid(
            format!(
                "The \"{root}\" object cannot be accessed directly. Instead, access one of its attributes."
            ),
            0,
        ),
        Some(_) => invalid(format!("The \"{root}\" object does not support this operation."), 0),
    }
}

fn builtin(root: &str, name: &str) -> Result<Referent, RefError> {
    let supported = match (root, name) {
        ("each", "key") => return Ok(Referent::EachKey),
        ("each", "value") => return Ok(Referent::EachValue),
        ("count", "index") => return Ok(Referent::CountIndex),
        ("path", "module") => return Ok(Referent::Path(PathAttr::Module)),
        ("path", "root") => return Ok(Referent::Path(PathAttr::Root)),
        ("path", "cwd") => return Ok(Referent::Path(PathAttr::Cwd)),
        ("terraform", "workspace") => return Ok(Referent::Workspace),
        ("terraform", "applying") => return Ok(Referent::Applying),
        ("each", _) => {
            "The supported attributes are each.key and each.value, the current key and value pair of the \"for_each\" \
             attribute set."
        }
        ("count", _) => {
            "The only supported attribute is count.index, which is the index of each instance of a resource block that \
             has the \"count\" argument set."
        }
        ("path", _) => "The supported attributes are path.cwd, path.module, and path.root.",
        _ => {
            "The only supported attribute is terraform.workspace, the name of the currently-selected workspace."
        }
    };
    let detail = format!("The \"{root}\" object does not have an attribute named \"{name}\". {supported}");
    Err(RefError { summary: format!("Invalid \"{root}\" attribute"), detail, at: 1 })
}

fn module(call: &str, steps: &[Step<'_>]) -> Result<Reference, RefError> {
    let call: Arc<str> = call.into();
    let (key, after) = match steps.get(1) {
        Some(Step::Index(key)) => (Some(key.clone()), 2),
        _ => (None, 1),
    };
    match steps.get(after) {
        None => Ok(Reference { referent: Referent::Call(call, key), consumed: after }),
        Some(Step::Attr(name)) => Ok(Reference {
            referent: Referent::Output { call, key, name: Arc::from(*name) },
            consumed: after + 1,
        }),
        Some(_) => invalid("Module instance objects do not support this operation.", after),
    }
}

fn prefixed(mode: Mode, root: &str, steps: &[Step<'_>]) -> Result<Reference, RefError> {
    let what = match mode {
        Mode::Data => "the data source type and the resource name",
        Mode::Managed => "the resource type and the resource name",
        Mode::Ephemeral => "the ephemeral resource type and the resource name",
    };
    match steps {
        [] | [_] => {
            invalid(format!("The \"{root}\" object must be followed by two attribute names: {what}."), 0)
        }
        [Step::Attr(kind), Step::Attr(name), ..] => Ok(Reference {
            referent: Referent::Resource(ResourceAddr {
                mode,
                kind: Arc::from(*kind),
                name: Arc::from(*name),
            }),
            consumed: 2,
        }),
        [Step::Attr(_), ..] => invalid(must_follow(mode), 1),
        _ => {
            let object = if mode == Mode::Managed { "resource" } else { root };
            invalid(format!("The \"{object}\" object does not support this operation."), 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(root: &str, names: &[&'static str]) -> Result<Reference, RefError> {
        let steps: Vec<_> = names
            .iter()
            .map(|n| match n.parse::<i64>() {
                Ok(i) => Step::Index(Key::Index(i)),
                Err(_) if *n == "*" => Step::Other,
                Err(_) => Step::Attr(n),
            })
            .collect();
        Reference::parse(root, &steps)
    }

    fn show(root: &str, names: &[&'static str]) -> String {
        let r = parse(root, names).unwrap();
        format!("{} {}", r.referent, r.consumed)
    }

    #[test]
    fn names_what_terraform_names() {
        assert_eq!(show("var", &["x", "y"]), "var.x 1");
        assert_eq!(show("module", &["m"]), "module.m 1");
        assert_eq!(show("module", &["m", "0"]), "module.m[0] 2");
        assert_eq!(show("module", &["m", "0", "out", "a"]), "module.m[0].out 3");
        assert_eq!(show("module", &["m", "out", "0"]), "module.m.out 2");
        assert_eq!(show("module", &["m", "*", "out"]), "module.m 1");
        assert_eq!(show("data", &["t", "n", "0", "id"]), "data.t.n 2");
        assert_eq!(show("resource", &["t", "n"]), "t.n 2");
        assert_eq!(show("aws_x", &["n", "id"]), "aws_x.n 1");
        assert_eq!(show("self", &["id"]), "self 0");
        assert_eq!(show("path", &["module"]), "path.module 1");
        assert_eq!(show("terraform", &["workspace"]), "terraform.workspace 1");
    }

    #[test]
    fn errors_read_as_terraforms() {
        assert!(
            parse("foo", &[])
                .unwrap_err()
                .detail
                .starts_with("A reference to a resource type must be followed")
        );
        assert!(parse("var", &[]).unwrap_err().detail.contains("cannot be accessed directly"));
        assert!(parse("data", &["t"]).unwrap_err().detail.contains("two attribute names"));
        assert!(parse("data", &["t", "0"]).unwrap_err().detail.starts_with("A reference to a data source"));
        assert_eq!(parse("each", &["x"]).unwrap_err().summary, "Invalid \"each\" attribute");
        assert_eq!(parse("lazy", &["x"]).unwrap_err().summary, "Reserved symbol name");
    }
}
