use super::*;

const FILLER: &str = "variable \"a\" {\n  type = string\n}\n\nvariable \"b\" {\n  type = string\n}\n\nvariable \"c\" {\n  type = string\n}\n\n\
    variable \"d\" {\n  type = string\n}\n\nvariable \"e\" {\n  type = string\n}\n\nvariable \"f\" {\n  type = string\n}\n\nvariable \"g\" {\n  \
    type = string\n}\n\nvariable \"h\" {\n  type = string\n}\n\nvariable \"i\" {\n  type = string\n}\n\nvariable \"j\" {\n  type = string\n}\n\n";

/// What is written for copies that end in these texts: the shared text, and each copy's own; nothing where none is shared.
fn written(ends: &[&str]) -> Vec<(String, Vec<String>)> {
    let filler =
        |end: &str| if end.contains('\r') { FILLER.replace('\n', "\r\n") } else { FILLER.to_owned() };
    let texts: Vec<String> = ends.iter().map(|end| filler(end).repeat(6) + end).collect();
    let paths: Vec<PathBuf> = (0..ends.len()).map(|i| PathBuf::from(format!("m-{i}/main.tf"))).collect();
    let copies: Vec<(&PathBuf, &str)> = paths.iter().zip(texts.iter().map(String::as_str)).collect();
    let groups = Group::of(&copies);
    let written = groups.iter().filter_map(|group| group.written(Path::new("m/main.tf")));
    written.map(|(shared, own)| (shared.replace(FILLER, ""), own)).collect()
}

fn one(ends: &[&str]) -> (String, Vec<String>) {
    let mut all = written(ends);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

const HEAD: &str = "# phi: what this copy has of its own in main.tf, which copies share\n";

#[test]
fn an_argument_of_a_resource() {
    let text = |version: &str, port: &str| {
        format!(
            "resource \"r\" \"x\" {{\n  name    = var.a # why\n  version = {version}\n  port    = {port}\n}}\n"
        )
    };
    let (shared, own) = one(&[&text("\"1\"", "1"), &text("\"22\"", "1"), &text("\"1\"", "33")]);
    let want = "# phi: version, port are set in the phi_override.tf of each copy\nresource \"r\" \"x\" {\n  name    = var.a # why\n  \
                version = local.set_in_phi_override_tf\n  port    = local.set_in_phi_override_tf\n}\n";
    assert_eq!(shared, want);
    let part = |version: &str, port: &str| {
        format!("{HEAD}resource \"r\" \"x\" {{\n  version = {version}\n  port    = {port}\n}}\n")
    };
    assert_eq!(own, [part("\"1\"", "1"), part("\"22\"", "1"), part("\"1\"", "33")]);
}

#[test]
fn blocks_of_all_kinds() {
    let text = |a: &str, b: &str| {
        format!(
            "locals {{\n  x = {a}\n  y = 1\n}}\n\nmodule \"m\" {{\n  source = \"./m-{b}\"\n  size   = {a}\n}}\n\ndata \"d\" \"x\" {{\n  \
             count = {a}\n}}\n\noutput \"o\" {{\n  value       = [{a},\n    {b}]\n  description = \"d\"\n}}\n"
        )
    };
    let (shared, own) = one(&[&text("1", "2"), &text("3", "4")]);
    assert!(
        shared.contains("  source = \"./set-in-phi_override.tf\"\n  size   = local.set_in_phi_override_tf\n"),
        "{shared}"
    );
    assert!(shared.contains("# phi: x is set in the phi_override.tf of each copy\nlocals {\n"), "{shared}");
    let want = "locals {\n  x = 3\n}\n\nmodule \"m\" {\n  source = \"./m-4\"\n  size   = 3\n}\n\ndata \"d\" \"x\" {\n  count = 3\n}\n\n\
                output \"o\" {\n  value = [3,\n  4]\n}\n";
    assert_eq!(own[1], format!("{HEAD}{want}"));
}

#[test]
fn heredocs_and_line_ends() {
    let text = |a: &str| format!("resource \"r\" \"x\" {{\n  a = <<-E\n    {a}\n  E\n  b = 1\n}}\n");
    let (shared, own) = one(&[&text("1"), &text("2")]);
    assert!(
        shared.ends_with("resource \"r\" \"x\" {\n  a = local.set_in_phi_override_tf\n  b = 1\n}\n"),
        "{shared}"
    );
    assert_eq!(own[1], format!("{HEAD}resource \"r\" \"x\" {{\n  a = <<-E\n    2\n  E\n}}\n"));
    let (shared, own) = one(&[&text("1").replace('\n', "\r\n"), &text("2").replace('\n', "\r\n")]);
    assert!(shared.contains("each copy\r\nresource"), "{shared}");
    assert!(!own[0].replace("\r\n", "").contains('\n'), "{:?}", own[0]);
}

#[test]
fn what_an_override_file_can_not_say() {
    let differ = |one: &str, other: &str| {
        let block = |body: &str| format!("resource \"r\" \"x\" {{\n  a = 1\n{body}}}\n");
        written(&[&block(one), &block(other)])
    };
    for (one, other) in [
        ("  b = 1\n", ""),
        ("  b = 1\n", "  c = 1\n"),
        ("  n {\n    b = 1\n  }\n", "  n {\n    b = 2\n  }\n"),
        (
            "  lifecycle {\n    prevent_destroy = true\n  }\n",
            "  lifecycle {\n    prevent_destroy = false\n  }\n",
        ),
        ("  provider = p.a\n", "  provider = p.b\n"),
        ("  depends_on = [r.a]\n", "  depends_on = [r.b]\n"),
        ("  b = 1\n  # one\n", "  b = 2\n  # two\n"),
        ("}\n\nresource \"r\" \"y\" {\n", "}\n\nresource \"r\" \"z\" {\n"),
        (
            "}\n\nmodule \"m\" {\n  source  = \"a/b/c\"\n  version = \"1\"\n",
            "}\n\nmodule \"m\" {\n  source  = \"a/b/d\"\n  version = \"1\"\n",
        ),
        (
            "}\n\nmodule \"m\" {\n  source  = \"a/b/c\"\n  version = \"1\"\n",
            "}\n\nmodule \"m\" {\n  source  = \"a/b/c\"\n  version = \"2\"\n",
        ),
        ("}\n\nvariable \"z\" {\n  default = 1\n", "}\n\nvariable \"z\" {\n  default = 2\n"),
        (
            "}\n\noutput \"z\" {\n  value     = 1\n  sensitive = true\n",
            "}\n\noutput \"z\" {\n  value     = 1\n  sensitive = false\n",
        ),
        ("}\n\nprovider \"z\" {\n  region = 1\n", "}\n\nprovider \"z\" {\n  region = 2\n"),
    ] {
        assert_eq!(differ(one, other), [], "{one} {other}");
    }
}

#[test]
fn texts_of_another_form_are_groups_of_their_own() {
    let text = |a: &str, more: &str| format!("resource \"r\" \"x\" {{\n  a = {a}\n{more}}}\n");
    let more = "  b = 1\n";
    let found = written(&[
        &text("1", more),
        &text("2", ""),
        &text("3", more),
        &text("4", ""),
        &text("5", "  c = 1\n"),
    ]);
    let copies: Vec<usize> = found.iter().map(|(_, own)| own.len()).collect();
    assert_eq!(copies, [2, 2]);
    assert_eq!(written(&[&text("1", ""), &text("1", "")]), []);
}

#[test]
fn a_short_file_stays_whole() {
    let text = |a: &str| format!("resource \"r\" \"x\" {{\n  a = {a}\n}}\n");
    let (one, other) = (text("1"), text("2"));
    let paths = [PathBuf::from("m-1/main.tf"), PathBuf::from("m-2/main.tf")];
    let copies: Vec<(&PathBuf, &str)> = vec![(&paths[0], &one), (&paths[1], &other)];
    let found = Group::of(&copies);
    assert_eq!(found.len(), 1);
    assert!(found[0].written(Path::new("m/main.tf")).is_none());
    // What is typed as a comment doesn't count.
    let long = format!("{}{one}", "# c\n\n".repeat(40));
    let longer = format!("{}{other}", "# c\n\n".repeat(40));
    let copies: Vec<(&PathBuf, &str)> = vec![(&paths[0], &long), (&paths[1], &longer)];
    assert!(Group::of(&copies)[0].written(Path::new("m/main.tf")).is_none());
}
