use super::*;

fn version(product: Product, major: u64, minor: u64) -> Version {
    Version { product, major, minor, patch: 0, pre: String::new() }
}

#[test]
fn each_version_has_its_flags() {
    let terraform = |minor| version(Product::Terraform, 1, minor);
    let tofu = |minor| version(Product::OpenTofu, 1, minor);
    let has = |command, name, version: &Version| find(command, name, Some(version)).is_some();
    assert!(!has("test", "filter", &terraform(5)) && has("test", "filter", &terraform(6)));
    assert!(has("test", "junit-xml", &terraform(5)) && !has("test", "junit-xml", &terraform(7)));
    assert!(has("test", "junit-xml", &terraform(8)) && !has("test", "junit-xml", &tofu(12)));
    assert!(!has("plan", "exclude", &tofu(8)) && has("plan", "exclude", &tofu(9)));
    assert!(has("plan", "out", &terraform(5)) && !has("apply", "out", &terraform(5)));
    assert_eq!(find("plan", "deprecation", Some(&tofu(11))).unwrap().takes, Takes::Text);
    assert_eq!(find("plan", "deprecation", Some(&tofu(12))).unwrap().takes, Takes::Module);
    assert_eq!(versions_with("plan", "exclude"), "OpenTofu 1.9 or later");
    assert_eq!(versions_with("test", "junit-xml"), "Terraform before 1.6 or Terraform 1.8 or later");
    assert!(is_newer(&tofu(13)) && !is_newer(&tofu(12)));
    assert!(depends_on_version("plan", "exclude") && !depends_on_version("plan", "out"));
    assert!(!depends_on_version("plan", "nothing"));
}

#[test]
fn the_table_is_sound() {
    for (at, flag) in FLAGS.iter().enumerate() {
        assert!(!flag.commands.is_empty() && (flag.terraform.is_some() || flag.opentofu.is_some()));
        for other in FLAGS.iter().skip(at + 1).filter(|o| o.name == flag.name) {
            let both = flag.commands.iter().any(|c| other.commands.contains(c));
            let meet = |a: Option<Releases>, b: Option<Releases>| {
                a.zip(b).is_some_and(|(a, b)| a.holds(b.from) || b.holds(a.from))
            };
            let meet = meet(flag.terraform, other.terraform) || meet(flag.opentofu, other.opentofu);
            assert!(!(both && meet), "{} is there twice", flag.name);
        }
    }
}

#[test]
fn values_are_read_as_go_reads_them() {
    // Each was seen on Terraform 1.11.4, or follows from the documentation of strconv and time.
    let right = |takes: Takes, values: &[&str]| values.iter().all(|v| takes.wants(v).is_none());
    let wrong = |takes: Takes, values: &[&str]| values.iter().all(|v| takes.wants(v).is_some());
    assert!(right(Takes::Bool, &["1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false"]));
    assert!(wrong(Takes::Bool, &["", "maybe", "no", "tRue", " true"]));
    assert!(right(Takes::Number, &["0", "10", "+3", "0x10", "1_0", "010", "0b1", "0o7"]));
    assert!(wrong(Takes::Number, &["", "x", "-1", "1.5", "1__0", "_1", "09", "0x", "99999999999999999999"]));
    assert!(right(Takes::Duration, &["0", "3s", "1h30m", "1.5s", ".5s", "300ms", "-1m"]));
    assert!(wrong(Takes::Duration, &["", "5", "s", "5 s", "5sec", ".s", "1.2.3s"]));
    assert!(right(Takes::Setting, &["true", "false"]) && wrong(Takes::Setting, &["1", ""]));
    assert!(right(Takes::Module, &["module:all"]) && wrong(Takes::Module, &["all"]));
}
