//! Small trees that several tests use, each with the assignments between which it can be flipped.

use crate::support::Scratch;

/// A tree and the `-var` arguments of its assignments, one for each branch and perhaps more.
pub struct Tree {
    pub name: &'static str,
    pub files: &'static [(&'static str, &'static str)],
    pub folder: &'static str,
    pub assignments: &'static [&'static [&'static str]],
}

impl Tree {
    /// A copy of its own, initialised.
    pub fn scratch(&self) -> Scratch {
        let scratch = self.raw();
        scratch.init();
        scratch
    }

    /// A copy of its own.
    pub fn raw(&self) -> Scratch {
        if self.folder.is_empty() { Scratch::with(self.files) } else { Scratch::copy_of(self.folder) }
    }
}

/// The running example: a module call, two branches.
pub const POSTGRES: Tree = Tree {
    name: "postgres",
    files: &[],
    folder: "examples/postgres",
    assignments: &[&["-var=customer_env=prod"], &["-var=customer_env=dev"]],
};

/// A variable without default over a universe of three.
pub const UNIVERSE: Tree = Tree {
    name: "universe",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "instance_size" { type = string }

module "db" {
  source = "./db"
  size   = var.instance_size
}

output "db" { value = module.db.size }
"#,
        ),
        (
            "db/main.tf",
            r#"variable "size" { type = string }
resource "terraform_data" "db" { input = var.size }
resource "terraform_data" "reader" { input = terraform_data.db.output }
output "size" { value = terraform_data.db.output }
"#,
        ),
        (
            "phi.hcl",
            r#"specialize "terraform_data.db" {
  fields = ["input"]
}
variable "instance_size" {
  universe = ["small", "medium", "large"]
}
"#,
        ),
    ],
    assignments: &[
        &["-var=instance_size=small"],
        &["-var=instance_size=medium"],
        &["-var=instance_size=large"],
    ],
};

/// A resource with the choice beside it, two branches.
pub const RESOURCE: Tree = Tree {
    name: "resource",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "big" { type = bool }

resource "terraform_data" "vm" {
  input = var.big ? "large" : "small"
}

resource "terraform_data" "after" {
  input      = terraform_data.vm.output
  depends_on = [terraform_data.vm]
}

output "vm" { value = terraform_data.vm.output }
"#,
        ),
        ("phi.hcl", "specialize \"terraform_data.vm\" {\n  fields = [\"input\"]\n}\n"),
    ],
    assignments: &[&["-var=big=true"], &["-var=big=false"]],
};

/// A resource with a three-way choice beside it, three values.
pub const RESOURCE_THREE: Tree = Tree {
    name: "resource-three",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "env" { type = string }

resource "terraform_data" "vm" {
  input = var.env == "prod" ? "large" : (var.env == "stage" ? "medium" : "small")
}

resource "terraform_data" "after" {
  input = terraform_data.vm.output
}
"#,
        ),
        ("phi.hcl", "specialize \"terraform_data.vm\" {\n  fields = [\"input\"]\n}\n"),
    ],
    assignments: &[&["-var=env=prod"], &["-var=env=stage"], &["-var=env=anything"]],
};

/// Three paths, two of which share a value; two variables.
pub const SHARED: Tree = Tree {
    name: "shared",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "env" { type = string }
variable "region" { type = string }

module "node" {
  source = "./node"
  size = var.env == "prod" ? "m5.xlarge" : (
    var.region == "us-east-1" ? "m5.xlarge" : "t3.small"
  )
  tags = { env = var.env }
}

output "size" { value = "is ${module.node.size}" }
"#,
        ),
        (
            "node/main.tf",
            r#"variable "size" { type = string }
variable "tags" { type = map(string) }

resource "terraform_data" "vm" { input = var.size }
resource "terraform_data" "tags" { input = var.tags }

output "size" { value = terraform_data.vm.output }
"#,
        ),
        ("phi.hcl", "specialize \"terraform_data.vm\" {\n  fields = [\"input\"]\n}\n"),
    ],
    assignments: &[
        &["-var=env=prod", "-var=region=eu"],
        &["-var=env=dev", "-var=region=us-east-1"],
        &["-var=env=dev", "-var=region=eu"],
    ],
};

/// A choice at the call and another one beside the resource inside.
pub const NESTED: Tree = Tree {
    name: "nested",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "env" { type = string }
variable "big" { type = bool }

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
  big     = var.big
}

output "db" { value = module.db.name }
"#,
        ),
        (
            "db/main.tf",
            r#"variable "release" { type = string }
variable "big" { type = bool }

resource "terraform_data" "db" {
  input = {
    release = var.release
    size    = var.big ? "large" : "small"
  }
}

resource "terraform_data" "cache" {
  input = var.big ? "r6" : "t3"
}

output "name" { value = "${terraform_data.db.id == "" ? "" : "db"}-${terraform_data.cache.output}" }
"#,
        ),
        (
            "phi.hcl",
            r#"specialize "terraform_data.db" {
  fields = ["input.release"]
}
specialize "terraform_data.cache" {
  fields = ["input"]
}
"#,
        ),
    ],
    assignments: &[
        &["-var=env=prod", "-var=big=true"],
        &["-var=env=prod", "-var=big=false"],
        &["-var=env=dev", "-var=big=true"],
        &["-var=env=dev", "-var=big=false"],
    ],
};

/// A call that is repeated by its own.
pub const REPEATED: Tree = Tree {
    name: "repeated",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "env" { type = string }

module "db" {
  source   = "./db"
  for_each = toset(["a", "b"])
  release  = var.env == "prod" ? "15.4" : "14.9"
}

output "a" { value = module.db["a"].release }
"#,
        ),
        (
            "db/main.tf",
            r#"variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
output "release" { value = terraform_data.db.output }
"#,
        ),
        ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
    ],
    assignments: &[&["-var=env=prod"], &["-var=env=dev"]],
};

/// A value that nothing narrows: there is no branch to take.
pub const UNBOUNDED: Tree = Tree {
    name: "unbounded",
    folder: "",
    files: &[
        (
            "main.tf",
            r#"variable "postgres_version" { type = string }

resource "terraform_data" "app" {
  input = var.postgres_version
}
"#,
        ),
        ("phi.hcl", "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n"),
    ],
    assignments: &[&["-var=postgres_version=15.4"]],
};
