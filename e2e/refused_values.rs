//! A value that the variable's own `validation` refuses, once something is applied: each command says what Terraform would say, nothing is
//! written, and nobody is sent to edit state.

use crate::support::{Ran, Scratch};

/// A tree that is applied, and a value that one of its rules refuses.
struct Case {
    files: &'static [(&'static str, &'static str)],
    given: &'static str,
    /// What has to be said.
    says: &'static [&'static str],
}

const OTHER: (&str, &str) = ("other.tf", "resource \"terraform_data\" \"other\" {\n}\n");
const INPUT: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");

const TEXT: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "size" {
  type    = string
  default = "small"
  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "Small or large."
  }
}
resource "terraform_data" "db" {
  input = var.size
}
"#,
        ),
        INPUT,
        OTHER,
    ],
    given: "-var=size=smal",
    says: &["var.size is \"smal\"", "Small or large.", "main.tf:4"],
};

const NUMBER: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "count_of" {
  type    = number
  default = 1
  validation {
    condition     = var.count_of >= 1 && var.count_of <= 3 && floor(var.count_of) == var.count_of
    error_message = "One to three, not ${var.count_of}."
  }
}
resource "terraform_data" "db" {
  input = var.count_of * 2
}
"#,
        ),
        INPUT,
        OTHER,
    ],
    given: "-var=count_of=7",
    says: &["var.count_of is 7", "One to three, not 7.", "main.tf:4"],
};

const BOOL: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "protect" {
  type    = bool
  default = false
  validation {
    condition     = !var.protect
    error_message = "Not yet."
  }
}
variable "size" {
  type    = string
  default = "a"
  validation {
    condition     = contains(["a", "b"], var.size)
    error_message = "a or b."
  }
}
resource "terraform_data" "db" {
  lifecycle {
    prevent_destroy = var.protect || var.size == "b"
  }
}
"#,
        ),
        OTHER,
    ],
    given: "-var=protect=true",
    says: &["var.protect is true", "Not yet.", "main.tf:4"],
};

/// Where `phi.hcl` lists other values, too, nobody is told to list one that is refused.
const ATTRIBUTE: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "of" {
  type    = object({ size = string })
  default = { size = "a" }
  validation {
    condition     = contains(["a", "b"], var.of.size)
    error_message = "a or b, not ${var.of.size}."
  }
}
resource "terraform_data" "db" {
  input = var.of.size
}
"#,
        ),
        (
            "phi.hcl",
            "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\nvariable \"of.size\" {\n  universe = [\"a\", \"b\"]\n}\n",
        ),
        OTHER,
    ],
    given: "-var=of={size=\"c\"}",
    says: &["var.of is ", "a or b, not c.", "main.tf:4"],
};

const KEYS: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "names" {
  type    = set(string)
  default = ["a"]
  validation {
    condition     = alltrue([for name in var.names : contains(["a", "b"], name)])
    error_message = "a and b alone."
  }
}
variable "protect" {
  type    = bool
  default = false
}
resource "terraform_data" "db" {
  for_each = var.names
  lifecycle {
    prevent_destroy = each.key == "b" && var.protect
  }
}
"#,
        ),
        OTHER,
    ],
    given: "-var=names=[\"a\",\"c\"]",
    says: &["var.names is ", "a and b alone.", "main.tf:4"],
};

/// A rule that is an error with the value.
const NULL: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "size" {
  type    = string
  default = "a"
  validation {
    condition     = contains(["a", "b"], var.size) && length(var.size) == 1
    error_message = "a or b."
  }
}
resource "terraform_data" "db" {
  input = var.size
}
"#,
        ),
        INPUT,
        OTHER,
        ("null.tfvars", "size = null\n"),
    ],
    given: "-var-file=null.tfvars",
    says: &["var.size is null, as null.tfvars gives it", "Its rule is an error with that", "main.tf:4"],
};

const SOURCE: Case = Case {
    files: &[
        (
            "main.tf",
            r#"variable "kind" {
  type    = string
  default = "x"
  validation {
    condition     = contains(["x", "y"], var.kind)
    error_message = "x or y."
  }
}
module "m" {
  source = "./m/${var.kind}"
}
"#,
        ),
        ("m/x/main.tf", "resource \"terraform_data\" \"x\" {\n}\n"),
        ("m/y/main.tf", "resource \"terraform_data\" \"y\" {\n}\n"),
        OTHER,
    ],
    given: "-var=kind=z",
    says: &["var.kind is \"z\"", "x or y.", "main.tf:4"],
};

/// The commands that know a run's values.
const COMMANDS: &[&[&str]] = &[
    &["plan", "-input=false"],
    &["plan", "-refresh-only"],
    &["plan", "-destroy"],
    &["plan", "--ephemeral"],
    &["apply", "-auto-approve"],
    &["refresh"],
    &["console"],
    &["verify"],
];

fn said(ran: &Ran) -> String {
    format!("{}{}", ran.stdout, ran.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Applies a tree, and gives the value to each command.
fn refuses(case: &Case, keep: bool, commands: &[&[&str]]) {
    let scratch = Scratch::with(case.files);
    if !keep {
        let known = case.files.iter().find(|(path, _)| *path == "phi.hcl").map_or("", |(_, text)| text);
        scratch.write("phi.hcl", &format!("{known}settings {{\n  keep = false\n}}\n"));
    }
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let before = scratch.everything();
    for command in commands {
        let words: Vec<&str> = command.iter().copied().chain([case.given]).collect();
        let ran = scratch.tf_phi(&words).expect(1);
        let said = said(&ran);
        assert!(said.contains("Invalid value for variable"), "{words:?}: {said}");
        for words in case.says {
            assert!(said.contains(words), "{words}: {said}");
        }
        for wrong in ["state mv", "would be destroyed", "isn't among the values"] {
            assert!(!said.contains(wrong), "{wrong}: {said}");
        }
        assert_eq!(scratch.everything(), before, "{words:?}");
    }
    // Nothing of it stays.
    scratch.tf_phi(&["plan", "-input=false", "-detailed-exitcode"]).expect(0);
}

#[test]
fn a_text_that_its_rule_refuses_is_said_by_each_command() {
    refuses(&TEXT, true, COMMANDS);
    refuses(&TEXT, false, COMMANDS);
}

#[test]
fn values_of_each_kind_that_a_rule_refuses_are_said() {
    for case in [&NUMBER, &BOOL, &ATTRIBUTE, &KEYS] {
        refuses(case, true, COMMANDS);
    }
}

#[test]
fn a_rule_that_is_an_error_with_the_value_is_said() {
    let scratch = Scratch::with(NULL.files);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", NULL.given]).expect(1);
    let said = said(&ran);
    for words in NULL.says {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("would be destroyed") && !said.contains("state mv"), "{said}");
    assert_eq!(scratch.everything(), before);
}

#[test]
fn a_refused_value_that_chooses_a_source_is_said() {
    refuses(&SOURCE, true, COMMANDS);
    refuses(&SOURCE, false, &[&["plan", "-input=false", "--no-copies"], &["apply", "-auto-approve"]]);
}

/// A narrowed run doesn't ask the rules of what it doesn't need, and neither does Terraform.
#[test]
fn a_narrowed_run_goes_on_without_a_variable_that_it_does_not_need() {
    let scratch = Scratch::with(KEYS.files);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-target=terraform_data.other", KEYS.given]).expect(0);
    assert!(said(&ran).contains("No changes."), "{}", said(&ran));
    let ran = scratch.tf_phi(&["plan", "-input=false", "-target=terraform_data.db", KEYS.given]).expect(1);
    assert!(said(&ran).contains("a and b alone."), "{}", said(&ran));
    // What has a copy for each value has none for this one.
    let scratch = Scratch::with(TEXT.files);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-target=terraform_data.other", TEXT.given]).expect(1);
    let said = said(&ran);
    assert!(said.contains("Small or large.") && !said.contains("state mv"), "{said}");
}
