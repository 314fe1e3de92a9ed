use super::*;
use crate::config::{Overlay, load};
use crate::host::memory::MemoryHost;

const MAIN: &str = "variable \"s\" {\n  type = string\n}\nvariable \"l\" {\n  type = list(string)\n}\nvariable \"u\" {}\n\
                    variable \"d\" {\n  default = 1\n}\n";

fn run(files: &[(&str, &str)], env: &[(&str, &str)], args: &[VarArg]) -> (Vec<String>, Vec<String>) {
    let mut host = MemoryHost::new(files.iter().copied().chain([("main.tf", MAIN)]));
    for (k, v) in env {
        host.env.insert((*k).into(), (*v).into());
    }
    let (mut config, issues) = load(&host, Path::new("."));
    assert!(issues.is_empty(), "{issues:?}");
    let overlay = Overlay::new();
    let (values, issues) = collect(View { host: &host, overlay: &overlay }, &mut config, args);
    let shown = values.iter().map(|(name, v)| {
        let text = match &v.given {
            Given::Unknown => unreachable!("no deployment"),
            Given::Expr(e) => config.sources.slice(e.place()).to_owned(),
            Given::Value(v) => format!("{:?}", v.data),
        };
        format!("{name} = {text} from {}", v.origin)
    });
    (shown.collect(), issues.iter().map(|i| format!("{:?} {}", i.severity, i.why)).collect())
}

#[test]
fn later_sources_win() {
    let files = [
        ("terraform.tfvars", "s = \"a\"\nu = 1\n"),
        ("terraform.tfvars.json", "{\"s\": \"${b}\"}"),
        ("b.auto.tfvars", "s = \"c\""),
        ("a.auto.tfvars.json", "{\"s\": \"d\", \"//\": 1}"),
        ("x.tfvars", "s = \"x\""),
    ];
    let env = [("TF_VAR_s", "env"), ("TF_VAR_l", "[\"e\"]"), ("TF_VAR_other", "x")];
    let (values, issues) = run(&files, &env, &[]);
    assert_eq!(issues, Vec::<String>::new());
    assert_eq!(
        values,
        [
            "l = [\"e\"] from the environment variable TF_VAR_l",
            "s = \"c\" from b.auto.tfvars",
            "u = 1 from terraform.tfvars"
        ]
    );
    let args = [VarArg::File("x.tfvars".into()), VarArg::Var("s=1=2".into())];
    assert_eq!(run(&files, &env, &args).0[1], "s = String(\"1=2\") from the command line");
    let args = [VarArg::Var("s=1".into()), VarArg::File("x.tfvars".into())];
    assert_eq!(run(&files, &env, &args).0[1], "s = \"x\" from x.tfvars");
    assert_eq!(run(&files[1..2], &[], &[]).0, ["s = String(\"${b}\") from terraform.tfvars.json"]);
}

#[test]
fn undeclared_and_malformed() {
    let issues = |files: &[(&str, &str)], args: &[&str]| {
        let args: Vec<_> = args.iter().map(|a| VarArg::Var((*a).into())).collect();
        run(files, &[], &args).1
    };
    assert!(issues(&[], &["zz=1"])[0].starts_with("Error A variable named \"zz\""));
    assert!(issues(&[], &["s"])[0].contains("equals sign"));
    assert!(issues(&[], &["s =1"])[0].contains("trailing space"));
    assert!(issues(&[], &["l=["])[0].contains("var.l"));
    assert!(issues(&[("terraform.tfvars", "zz = 1")], &[])[0].starts_with("Warning"));
    assert!(issues(&[("terraform.tfvars", "b {}")], &[])[0].contains("not allowed"));
    assert!(issues(&[("terraform.tfvars", "a = ")], &[])[0].starts_with("Error"));
    assert!(issues(&[("terraform.tfvars.json", "[]")], &[])[0].contains("one object"));
    assert_eq!(run(&[], &[], &[VarArg::File("no.tfvars".into())]).1.len(), 1);
}

#[test]
fn what_has_no_value() {
    let host = MemoryHost::new([("main.tf", MAIN), ("terraform.tfvars", "s = 1")]);
    let (mut config, _) = load(&host, Path::new("."));
    let overlay = Overlay::new();
    let (values, _) = collect(View { host: &host, overlay: &overlay }, &mut config, &[]);
    let names: Vec<_> = unset(&config, &values).iter().map(|v| v.name.to_string()).collect();
    assert_eq!(names, ["l", "u"]);
}

#[test]
fn environments_by_path_and_pattern() {
    let host = MemoryHost::new([
        ("main.tf", MAIN),
        ("env/prod.tfvars", "s = \"p\""),
        ("env/dev.tfvars", "s = \"d\""),
        ("env/deep/x.tfvars", "s = \"x\""),
        ("one.tfvars", "s = 1"),
    ]);
    let (mut config, _) = load(&host, Path::new("."));
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    let place = crate::text::Place { file: crate::text::SourceId(0), span: crate::text::Span::default() };
    let mut paths = |patterns: &[&str]| {
        let patterns: Vec<_> = patterns.iter().map(|p| ((*p).to_owned(), place)).collect();
        let (all, issues) = environments(view, &mut config, Some(&patterns));
        (all.read.iter().map(|e| e.path.display().to_string()).collect::<Vec<_>>(), issues.len())
    };
    assert_eq!(paths(&["env/*.tfvars"]), (vec!["env/dev.tfvars".into(), "env/prod.tfvars".into()], 0));
    assert_eq!(paths(&["env/**/*.tfvars", "one.tfvars", "./one.tfvars"]).0.len(), 4);
    assert_eq!(paths(&["nope/*.tfvars", "no.tfvars", "a[.tfvars"]), (Vec::new(), 3));
    let nested = format!("{}a{}.tfvars", "{".repeat(300), "}".repeat(300));
    assert_eq!(paths(&[&nested]), (Vec::new(), 1));
}

#[test]
fn variable_files_below_the_root() {
    let host = MemoryHost::new([
        ("main.tf", MAIN),
        ("terraform.tfvars", "s = \"t\""),
        ("x.auto.tfvars.json", "{ \"s\": \"j\" }"),
        ("env/eu/prod.tfvars", "s = \"p\""),
        (".hidden.tfvars", "s = \"h\""),
        (".terraform/x.tfvars", "s = \"m\""),
        ("modules/m/main.tf", ""),
        ("modules/m/x.tfvars", "s = \"other\""),
        ("modules/m/deeper/x.tfvars", "s = \"other\""),
        ("tests/a.tftest.hcl", ""),
        ("tests/x.tfvars", "s = \"test\""),
        ("notes.tfvars.txt", "s = \"no\""),
        ("broken.tfvars", "s = ["),
    ]);
    let (mut config, _) = load(&host, Path::new("."));
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    let (all, issues) = environments(view, &mut config, None);
    let paths: Vec<String> = all.read.iter().map(|e| e.path.display().to_string()).collect();
    assert_eq!(paths, ["env/eu/prod.tfvars", "terraform.tfvars", "x.auto.tfvars.json"]);
    assert!(
        matches!(issues.as_slice(), [one] if !one.is_error() && one.why.contains("broken.tfvars")),
        "{issues:?}"
    );
    assert_eq!(all.passed_over, [Path::new("broken.tfvars")]);
    assert!(environments(view, &mut config, Some(&[])).0.read.is_empty());
}

#[test]
fn what_git_ignores_does_not_count() {
    let all = [
        "a.tfvars",
        "b.tfvars",
        "env/c.tfvars",
        "env/keep.tfvars",
        "env/own/d.tfvars",
        "gone/e.tfvars",
        "a/b/f.tfvars",
    ];
    let counted = |lists: &[(&'static str, &'static str)]| {
        let files = all.iter().map(|f| (*f, "s = \"x\"")).chain(lists.iter().copied());
        let host = MemoryHost::new(files.chain([("main.tf", MAIN)]));
        let (mut config, _) = load(&host, Path::new("."));
        let overlay = Overlay::new();
        let (found, issues) = environments(View { host: &host, overlay: &overlay }, &mut config, None);
        assert!(issues.is_empty(), "{issues:?}");
        found.read.iter().map(|e| e.path.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(counted(&[]).len(), all.len());
    assert_eq!(counted(&[(".gitignore", "*.tfvars\n")]), Vec::<String>::new());
    assert_eq!(counted(&[(".gitignore", "*.tfvars\n!keep.tfvars\n")]), ["env/keep.tfvars"]);
    assert_eq!(counted(&[(".gitignore", "/a.tfvars\n/env/\ngone\na/**/f.tfvars\n")]), ["b.tfvars"]);
    // An inner list goes before an outer one, but nothing in an excluded folder comes back.
    let inner = counted(&[
        (".gitignore", "*.tfvars\ngone/\n"),
        ("env/own/.gitignore", "!d.tfvars\n"),
        ("gone/.gitignore", "!*\n"),
    ]);
    assert_eq!(inner, ["env/own/d.tfvars"]);
}
