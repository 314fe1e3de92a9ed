//! What reading back finds: edits made by hand, some of which mean something else than what stood there.

use super::absent::Absent;
use super::back::misread;
use super::named::Facts;
use super::stand_ins::{Joined, Reread};
use crate::addr::{ModulePath, Referent};
use crate::config::load;
use crate::graph;
use crate::host::memory::MemoryHost;
use crate::specialise::residual::FileEdits;
use crate::specialise::unit::UnitName;
use crate::specialise::unit::join::Shape;
use crate::text::Edit;
use crate::value::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Returns true if a text in place of another one in an argument's value is found to mean something else.
fn is_fault(argument: &str, old: &str, new: &str, shape: Shape) -> bool {
    let main = format!(
        "variable \"v\" {{\n  type = string\n}}\nvariable \"n\" {{\n  type = number\n}}\n{}\n",
        argument.replacen("@", old, 1)
    );
    let (config, _) = load(&MemoryHost::new([("main.tf", main.as_str())]), Path::new("."));
    let module = config.root().unwrap();
    let file = module.files[0].source;
    let start = main.rfind(old).unwrap();
    let span = crate::text::Span::new(start, start + old.len());
    let edits: FileEdits = [(file, vec![Edit { span, text: new.to_owned() }].into())].into();
    let value = |name: &str| match name {
        "v" => Some(Value::string("15.4")),
        "n" => Some(Value::number(2)),
        _ => None,
    };
    let uses = graph::uses(module);
    let (path, absent) = (ModulePath::ROOT, Absent::default());
    let facts = Facts { config: &config, path: &path, module, uses: &uses, value: &value, absent: &absent };
    let unit = UnitName::of(&Referent::Call(Arc::from("m"), None)).unwrap();
    let copies = ["m_a", "m_b", "m_c"].map(|name| unit.called(name)).to_vec();
    let joined = BTreeMap::from([(unit, Joined { copies, shape })]);
    !misread(&Reread { facts: &facts, dir: None, locals: &BTreeMap::new(), joined }, &edits).is_empty()
}

#[test]
fn a_difference_in_type_alone_is_a_fault_where_it_is_seen() {
    let output = "output \"o\" {\n  value = @\n}";
    let input = "resource \"terraform_data\" \"x\" {\n  input = @\n}";
    let count = "resource \"terraform_data\" \"x\" {\n  count = @\n}";
    let each = "resource \"terraform_data\" \"x\" {\n  for_each = @\n}";
    let local = "locals {\n  x = @\n}";
    for (argument, old, new, fault) in [
        (output, "var.n", "2", false),
        (output, "var.n", "\"2\"", true),
        (output, "[var.v]", "tolist([\"15.4\"])", true),
        (output, "{ a = var.v }", "tomap({ a = \"15.4\" })", true),
        (output, "var.v == \"a\" ? null : var.v", "\"15.4\"", false),
        (input, "[var.n, 1]", "[2, 1]", false),
        (input, "[var.n, 1]", "[\"2\", 1]", true),
        (local, "var.v", "15.4", true),
        (output, "jsonencode(var.v)", "jsonencode(15.4)", true),
        (output, "toset([var.n, \"2\"])", "toset([\"2\"])", false),
        (output, "type(var.n)", "type(\"2\")", false),
        (output, "var.v == \"15.4\"", "15.4 == \"15.4\"", true),
        (output, "[var.n] == [2]", "tolist([2]) == [2]", true),
        // An interpolation alone is the value itself.
        (output, "\"${var.n}\"", "\"2\"", true),
        (output, "\"a${var.n}\"", "\"a2\"", false),
        (count, "var.n", "\"2\"", false),
        (count, "var.n", "3", true),
        (each, "[var.v]", "tolist([\"15.4\"])", false),
        (each, "{ a = var.n }", "tomap({ a = 2 })", false),
        (each, "{ a = var.n }", "{ a = \"2\" }", true),
        (each, "{ a = var.n }", "{ b = 2 }", true),
    ] {
        assert_eq!(is_fault(argument, old, new, Shape::Single), fault, "{argument} {old} {new}");
    }
}

#[test]
fn a_join_that_means_something_else_is_a_fault() {
    let output = "output \"o\" {\n  value = @\n}";
    let text = "output \"o\" {\n  value = \"<${@}>\"\n}";
    let all = "one(concat(module.m_a[*].o, module.m_b[*].o, module.m_c[*].o))";
    for (argument, old, new, shape, fault) in [
        (output, "module.m.o", all, Shape::Single, false),
        (text, "module.m.o", all, Shape::Single, false),
        (
            text,
            "module.m.o",
            "one(concat(module.m_a[*].o, module.m_b[*].p, module.m_c[*].p))",
            Shape::Single,
            true,
        ),
        (output, "module.m.o", "one(concat(module.m_a[*].o, module.m_b[*].o))", Shape::Single, true),
        (
            output,
            "module.m.o",
            "concat(module.m_a[*].o, module.m_b[*].o, module.m_c[*].o)",
            Shape::Single,
            true,
        ),
        (
            output,
            "module.m.o",
            "one(concat(module.m_a[*].q, module.m_b[*].q, module.m_c[*].q))",
            Shape::Single,
            true,
        ),
        (output, "module.m.o", "module.m.o", Shape::Single, true),
        (output, "module.m[*].o", "concat(module.m_a, module.m_b, module.m_c)[*].o", Shape::List, false),
        (output, "module.m[1].o", "concat(module.m_a, module.m_b, module.m_c)[1].o", Shape::List, false),
        (output, "module.m[1].o", "concat(module.m_a, module.m_b, module.m_c)[0].o", Shape::List, true),
        (output, "module.m[*].o", "merge(module.m_a, module.m_b, module.m_c)[*].o", Shape::List, true),
        (
            output,
            "module.m[\"key\"].o",
            "merge(module.m_a, module.m_b, module.m_c)[\"key\"].o",
            Shape::Map,
            false,
        ),
        (output, "module.m[\"key\"].o", "merge(module.m_a, module.m_b)[\"key\"].o", Shape::Map, true),
        (
            output,
            "[for k, m in module.m : m.o]",
            "[for k, m in merge(module.m_a, module.m_b, module.m_c) : m.o]",
            Shape::Map,
            false,
        ),
        (output, "[for k, m in module.m : m.o]", "[for k, m in module.m_a : m.o]", Shape::Map, true),
    ] {
        assert_eq!(is_fault(argument, old, new, shape), fault, "{argument} {old} {new}");
    }
}
