use super::*;
use crate::config::{Overlay, load};
use crate::host::memory::MemoryHost;

fn phi(text: &str) -> (PhiConfig, Vec<String>) {
    let host = MemoryHost::new([("phi.hcl", text)]);
    let overlay = Overlay::new();
    let mut sources = Sources::default();
    let (phi, issues) = read(View { host: &host, overlay: &overlay }, Path::new(""), &mut sources);
    let lines = issues.iter().map(|i| format!("{}: {}", sources.span_text(i.place.unwrap()), i.why));
    (phi, lines.collect())
}

const WHOLE: &str = r#"
settings {
  branches     = 8
  depth        = 3
  environments = ["env/*.tfvars"]
  terraform    = "tofu"
  keep         = false
  edit         = ["modules/*"]
}
specialize "aws_db_instance" {
  fields = ["engine_version", "storage.size"]
  at     = "resource"
}
specialize "module.database" {
  field "size" { bins = [20, 100] }
}
variable "disk" {
  bins = [8, 64.5]
}
variable "instance_size" {
  universe = ["small", "large", null, -1, true, ["a"], { k = "v" }, "small"]
}
form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  services     = ["cloudnative-pg"]
}
service "cloudnative-pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/cloudnative-pg"
  field "engine_version" {
    universe = ["14.9", "15.4"]
  }
  field "allocated_storage" { bins = [20, 100, 1000] }
  outputs = { address = "host", port = "port" }
}
"#;

#[test]
fn reads_the_whole_language() {
    let (phi, issues) = phi(WHOLE);
    assert_eq!(issues, Vec::<String>::new());
    assert_eq!((phi.settings.branches, phi.settings.depth, phi.settings.keep), (8, 3, false));
    assert_eq!(phi.settings.environments.as_ref().unwrap()[0].0, "env/*.tfvars");
    assert_eq!(phi.settings.edit[0].0, "modules/*");
    assert_eq!(phi.specialize.len(), 2);
    assert_eq!((phi.specialize[0].at, phi.specialize[1].at), (Some(SplitAt::Resource), None));
    assert_eq!(phi.specialize[0].label, PinLabel::Type("aws_db_instance".into()));
    assert_eq!(phi.specialize[0].fields[1].field.to_string(), "storage.size");
    assert_eq!(phi.specialize[1].fields[0].bins.as_ref().unwrap().len(), 2);
    assert!(matches!(&phi.specialize[1].label, PinLabel::Address(a) if a.to_string() == "module.database"));
    assert_eq!(phi.variables["instance_size"].universe.as_ref().unwrap().len(), 7);
    let service = &phi.services["cloudnative-pg"];
    assert_eq!(&*service.replaces.0, "aws_db_instance");
    assert_eq!(service.fields[1].bins.as_ref().unwrap().len(), 3);
    assert_eq!(&*service.outputs["address"].0, "host");
    assert_eq!(&*phi.form_factors["on-prem"].services[0].0, "cloudnative-pg");
}

#[test]
fn no_file_gives_the_defaults() {
    let host = MemoryHost::default();
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    let (phi, issues) = read(view, Path::new(""), &mut Sources::default());
    assert!(issues.is_empty() && phi.source.is_none());
    assert_eq!((phi.settings.branches, phi.settings.depth, phi.settings.keep), (16, 20, true));
}

#[test]
fn says_what_is_wrong_and_where() {
    let (_, issues) = phi("settings {\n  branchs = 3\n}\n");
    assert_eq!(
        issues,
        ["phi.hcl:2: There is no argument \"branchs\" in a settings block. Did you mean \"branches\"?"]
    );
    let (_, issues) = phi("varable \"x\" {\n}\n");
    assert!(issues[0].ends_with("Did you mean \"variable\"?"), "{issues:?}");
    let (_, issues) = phi("variable \"x\" {\n  universe = [var.y]\n}\n");
    assert_eq!(issues, ["phi.hcl:2: \"universe\" takes a list of literals."]);
    let (_, issues) = phi("variable \"x\" {\n  universe = []\n}\nvariable \"x\" {\n}\n");
    assert_eq!(issues.len(), 2, "{issues:?}");
    let (_, issues) = phi("settings {\n  keep = \"yes\"\n  depth = -1\n}\n");
    assert_eq!(issues.len(), 2, "{issues:?}");
    let (_, issues) = phi("form_factor \"f\" {\n  services = [\"vlkey\"]\n}\nservice \"valkey\" {\n}\n");
    assert!(issues.iter().any(|i| i.ends_with("Did you mean \"valkey\"?")), "{issues:?}");
    assert!(issues.iter().any(|i| i.contains("needs the argument \"replaces\"")), "{issues:?}");
    let (_, issues) = phi("specialize \"a.b.c\" {\n  fields = [\"\"]\n}\nspecialize {\n}\n");
    assert_eq!(issues.len(), 3, "{issues:?}");
    let (_, issues) =
        phi("variable \"x\" {\n  universe = [1]\n  bins = [1]\n}\nvariable \"y\" {\n  bins = [2, 1]\n}\n");
    assert_eq!(issues.len(), 2, "{issues:?}");
    let (_, issues) = phi("variable \"x\" {\n}\nvariable \"y\" {\n  bin = [1]\n  universe = [1]\n}\n");
    assert_eq!(issues.len(), 2, "{issues:?}");
    let both = "specialize \"a\" {\n  fields = [\"x\"]\n  field \"x\" {\n    bin = [1]\n  }\n}\n";
    let (_, issues) = phi(both);
    assert!(issues.iter().any(|i| i.ends_with("Did you mean \"bins\"?")), "{issues:?}");
    assert!(issues.iter().any(|i| i.contains("already a field block \"x\"")), "{issues:?}");
    let (_, issues) = phi("a = 1\nvariable \"x\" {\n");
    assert_eq!(issues.len(), 1, "{issues:?}");
}

#[test]
fn dangling_names_are_found_in_the_configuration() {
    let text = "variable \"enviroment\" {\n  universe = [1]\n}\nspecialize \"aws_db_instnce\" {\n  fields = [\"a\"]\n}\n\
                specialize \"module.a\" {\n  fields = [\"sise\"]\n}\nspecialize \"module.b\" {\n  fields = [\"x\"]\n}\n";
    let host = MemoryHost::new([
        ("phi.hcl", text),
        ("main.tf", "variable \"environment\" {}\nmodule \"a\" {\n  source = \"./m\"\n}\n"),
        ("m/main.tf", "variable \"size\" {}\nresource \"aws_db_instance\" \"app\" {}\n"),
    ]);
    let (mut config, issues) = load(&host, Path::new("."));
    assert!(issues.is_empty(), "{issues:?}");
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    let (phi, issues) = read(view, Path::new(""), &mut config.sources);
    assert!(issues.is_empty(), "{issues:?}");
    let found: Vec<String> = check(&phi, &config).into_iter().map(|i| i.why).collect();
    assert_eq!(found.len(), 4, "{found:?}");
    for near in ["environment", "aws_db_instance", "size"] {
        assert!(found.iter().any(|w| w.ends_with(&format!("Did you mean \"{near}\"?"))), "{near}: {found:?}");
    }
}

#[test]
fn what_data_sources_give_is_named_by_its_address() {
    let labels = [
        ("data.aws_region.here.name", None),
        ("module.a.data.aws_region.here.name", None),
        ("data.aws_region.her.name", Some("Did you mean \"data.aws_region.here\"?")),
        ("data.aws_region.here", Some("an attribute of a data source")),
        ("data.aws_region.all.name", Some("is repeated")),
        ("module.b.data.aws_region.here.name", Some("There is no module")),
        ("terraform.worksace", Some("an attribute of a data source")),
    ];
    for (label, expected) in labels {
        let text = format!("variable \"{label}\" {{\n  universe = [\"a\"]\n}}\n");
        let main = "data \"aws_region\" \"here\" {}\ndata \"aws_region\" \"all\" {\n  count = 2\n}\nmodule \"a\" {\n  \
                    source = \"./m\"\n}\n";
        let host = MemoryHost::new([
            ("phi.hcl", text.as_str()),
            ("main.tf", main),
            ("m/main.tf", "data \"aws_region\" \"here\" {}\n"),
        ]);
        let (mut config, issues) = load(&host, Path::new("."));
        assert!(issues.is_empty(), "{issues:?}");
        let overlay = Overlay::new();
        let (phi, issues) = read(View { host: &host, overlay: &overlay }, Path::new(""), &mut config.sources);
        assert!(issues.is_empty(), "{issues:?}");
        let found: Vec<String> = check(&phi, &config).into_iter().map(|i| i.why).collect();
        match expected {
            None => assert_eq!(found, Vec::<String>::new(), "{label}"),
            Some(part) => assert!(found.len() == 1 && found[0].contains(part), "{label}: {found:?}"),
        }
    }
}

#[test]
fn a_place_is_one_of_two() {
    let said = |at: &str| phi(&format!("specialize \"a\" {{\n  fields = [\"x\"]\n  at     = {at}\n}}\n")).1;
    assert_eq!(said("\"call\""), Vec::<String>::new());
    let why = "phi.hcl:3: \"at\" takes \"call\" or \"resource\".";
    assert_eq!(said("\"resurce\""), [format!("{why} Did you mean \"resource\"?")]);
    assert_eq!(said("\"module\""), [why]);
    assert_eq!(said("1"), ["phi.hcl:3: \"at\" takes a string in quotes."]);
}

/// The folders that are edited in place, and what is wrong with `edit`.
fn edited(patterns: &str, more: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let text = format!("settings {{\n  edit = {patterns}\n}}\n");
    let main =
        "module \"a\" {\n  source = \"./modules/a\"\n}\nmodule \"up\" {\n  source = \"../shared\"\n}\n";
    let inner = "module \"b\" {\n  source = \"./b\"\n}\n";
    let files = [
        ("phi.hcl", text.as_str()),
        ("main.tf", main),
        ("modules/a/main.tf", inner),
        ("modules/a/b/main.tf", ""),
    ];
    let host =
        MemoryHost::new(files.into_iter().chain([("../shared/main.tf", "")]).chain(more.iter().copied()));
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    let (mut config, _) = load(&host, Path::new(""));
    let (phi, issues) = read(view, Path::new(""), &mut config.sources);
    assert!(issues.is_empty(), "{issues:?}");
    let (folders, issues) = editable(view, &phi, &config);
    (folders.iter().map(|f| paths::shown(f)).collect(), issues.into_iter().map(|i| i.why).collect())
}

#[test]
fn modules_below_the_root_are_edited() {
    let none = Vec::<String>::new();
    assert_eq!(edited("[\"modules/*\"]", &[]), (vec!["modules/a".to_owned()], none.clone()));
    assert_eq!(
        edited("[\"**\"]", &[]),
        (vec!["modules/a".to_owned(), "modules/a/b".to_owned()], none.clone())
    );
    assert_eq!(
        edited("[\"other/*\"]", &[]),
        (none.clone(), none.clone()),
        "what a pattern names may be still to come"
    );
    assert_eq!(edited("[]", &[]), (none.clone(), none));
    let why = "The root calls no local module below it in \"modules/aa\". Did you mean \"modules/a\"?";
    assert_eq!(edited("[\"modules/aa\"]", &[]).1, [why]);
    let why = "The root calls no local module below it in \"../shared\".";
    assert_eq!(edited("[\"../shared\"]", &[]).1, [why]);
}

#[test]
fn a_module_that_another_root_below_calls_is_not() {
    let other = ("examples/x/main.tf", "module \"a\" {\n  source = \"../../modules/a\"\n}\n");
    let (folders, issues) = edited("[\"modules/*\"]", &[other]);
    assert_eq!((folders, issues.len()), (Vec::new(), 1));
    assert!(issues[0].starts_with("examples/x/main.tf calls it"), "{issues:?}");
    let same = ("modules/a/tests/x.tf", "module \"b\" {\n  source = \"../b\"\n}\n");
    assert!(edited("[\"modules/a\"]", &[same]).1.is_empty(), "it calls another one");
}

#[test]
fn behind_module_stands_a_source() {
    let (_, issues) = phi("form_factor \"f\" {\n  drops = [\"aws_eip\", \"module:\"]\n}\n");
    let why = "Behind \"module:\" stands the source of the calls: \"module:terraform-aws-modules/rds/aws\".";
    assert_eq!(issues, [format!("phi.hcl:2: {why}")]);
    let (_, issues) = phi(
        "service \"s\" {\n  replaces = \"module:\"\n  module = \"./s\"\n  drops = { \"module:\" = \"Why.\" }\n}\n",
    );
    assert_eq!(issues, [format!("phi.hcl:4: {why}"), format!("phi.hcl:2: {why}")]);
    let (phi, issues) = phi("form_factor \"f\" {\n  drops = [\"module:./vpc\"]\n}\n");
    assert!(issues.is_empty() && phi.names_modules(&phi.form_factors["f"]), "{issues:?}");
}

/// Such a name would stand in names of folders, and on lines of its own in what is printed.
#[test]
fn form_factors_and_services_have_names() {
    for kind in ["form_factor", "service"] {
        for name in ["f\\n::error::pwned", "a/b", "..", "", "a b", "\u{202e}x"] {
            let (phi, issues) = phi(&format!("{kind} \"{name}\" {{\n  services = []\n}}\n"));
            assert!(
                issues.iter().any(|i| i.contains("Its name may hold letters")),
                "{kind} {name}: {issues:?}"
            );
            assert!(phi.form_factors.is_empty() && phi.services.is_empty());
        }
    }
    let (phi, issues) = phi("form_factor \"on-prem_2\" {\n  services = []\n}\n");
    assert!(phi.form_factors.len() == 1 && issues.is_empty(), "{issues:?}");
}
