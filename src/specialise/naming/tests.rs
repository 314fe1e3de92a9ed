use super::*;
use crate::value::{Type, Value};
use proptest::prelude::*;

fn said(field: &str, value: Value) -> Said {
    Said { field: field.into(), value }
}

fn texts(items: &[&str]) -> Value {
    Value::tuple(items.iter().map(Value::string).collect())
}

#[test]
fn slugs_are_the_contract() {
    let object =
        |entries: &[(&str, &str)]| Value::object(entries.iter().map(|(k, v)| (*k, Value::string(v))));
    for (field, value, want) in [
        ("engine_version", Value::string("15.4"), "v15_4"),
        ("instance_class", Value::string("db.t3.micro"), "db_t3_micro"),
        ("size", Value::number(16), "v16"),
        ("size", Value::number(-5), "minus_5"),
        ("provider", Value::string("aws.us"), "aws_us"),
        ("prevent_destroy", Value::bool(true), "prevent_destroy_true"),
        ("prevent_destroy", Value::bool(false), "prevent_destroy_false"),
        ("engine", Value::null(Type::String), "engine_null"),
        ("engine", Value::string(""), "engine_empty"),
        ("source", Value::string("./modules/a"), "a"),
        ("source", Value::string("../../postgres/"), "postgres"),
        ("source", Value::string("git::https://h.example/net.git//vpc?ref=v1.2"), "vpc_ref_v1_2"),
        ("source", Value::string("terraform-aws-modules/vpc/aws"), "terraform_aws_modules_vpc_aws"),
        ("cidr", Value::string("10.0.0.0/16"), "v10_0_0_0_16"),
        ("providers", object(&[("aws", "aws.us")]), "aws_us"),
        ("tags", object(&[("tier", "gold")]), "tier_gold"),
        ("ignore_changes", texts(&["tags", "engine_version"]), "tags_engine_version"),
        ("ignore_changes", texts(&[]), "ignore_changes_empty"),
        ("flags", Value::tuple(vec![Value::bool(true), Value::bool(false)]), "flags_true_false"),
    ] {
        assert_eq!(joint(&[said(field, value)]), want);
    }
    let long = joint(&[said("zones", texts(&["eu-central-1a", "eu-central-1b", "eu-central-1c"]))]);
    assert!(long.starts_with("eu_central_1a_") && long.len() == 20, "{long}");
    let other = joint(&[said("name", Value::string("日本"))]);
    assert!(other.starts_with('x') && other.len() == 7, "{other}");
    let both = [said("a", Value::string("x")), said("b", Value::string("x"))];
    assert_eq!(joint(&both), "x");
}

#[test]
fn clashes_and_length_end_in_a_hash() {
    let of = |text: &str| vec![said("f", Value::string(text))];
    let both = slugs(&[of("a.b"), of("a-b")]);
    assert!(both.iter().all(|s| s.starts_with("a_b_") && s.len() == 10), "{both:?}");
    assert_ne!(both[0], both[1]);
    let long = of(&"x".repeat(60));
    assert_eq!(name("database", &joint(&long), &long, &|_| false).len(), 40);
    assert_ne!(name("db", "a", &of("a"), &|name| name == "db_a"), "db_a");
    assert_eq!(folder("postgres", "v15_4"), "postgres-v15-4");
    let long = ["x", "y"].map(|end| folder("ä", &format!("{}{end}", "é".repeat(200))));
    assert!(long[0].len() <= 100 && long[0] != long[1], "{long:?}");
}

#[test]
fn names_of_every_scheme_are_known_again() {
    let all = [
        said("engine_version", Value::string("15.4")),
        said("protected", Value::bool(true)),
        said("zones", texts(&["a", "b"])),
    ];
    let first = digits(&[texts(&["a", "b"])]);
    for copy in [
        "db_v15_4",
        "db_protected_true",
        "db_true",
        "db_v15_4_true",
        "db_v15_4_protected_true_a_b",
        &format!("db_x{first}"),
    ] {
        assert!(fits(copy, "db", &all), "{copy}");
    }
    let taken = name("db", "v15_4_protected_true_a_b", &all, &|name| name == "db_v15_4_protected_true_a_b");
    assert!(fits(&taken, "db", &all), "{taken}");
    for copy in ["db_backup", "db", "db_false", "db_protected_false", "db_protected"] {
        assert!(!fits(copy, "db", &all) && !fits(copy, "db", &[]), "{copy}");
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[aA1._/ é-]{0,6}".prop_map(Value::string),
        "(\\./|https://)[ab/?]{0,6}".prop_map(Value::string),
        any::<bool>().prop_map(Value::bool),
        (-3..3i64).prop_map(Value::number),
        Just(Value::null(Type::String)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(2, 8, 4, |inner| {
        let entries = prop::collection::btree_map("[aA.]{1,3}", inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::tuple),
            entries.prop_map(Value::object),
        ]
    })
}

/// Branches of two fields, each different from the others.
fn branches() -> impl Strategy<Value = Vec<Vec<Said>>> {
    let branch = (value(), value()).prop_map(|(a, b)| vec![said("first", a), said("second", b)]);
    prop::collection::vec(branch, 1..8).prop_map(|all| {
        let mut out: Vec<Vec<Said>> = Vec::new();
        for one in all {
            if !out.contains(&one) {
                out.push(one);
            }
        }
        out
    })
}

proptest! {
    #[test]
    fn slugs_tell_all_branches_apart(branches in branches()) {
        let slugs = slugs(&branches);
        prop_assert_eq!(&slugs, &super::slugs(&branches));
        let folders: std::collections::BTreeSet<String> =
            slugs.iter().map(|slug| folder("m", slug).to_ascii_lowercase()).collect();
        prop_assert_eq!(folders.len(), branches.len(), "{:?}", slugs);
        let names: Vec<String> =
            slugs.iter().zip(&branches).map(|(slug, said)| name("unit", slug, said, &|_| false)).collect();
        for (at, own) in names.iter().enumerate() {
            prop_assert!(own.len() <= 40 && !own.ends_with('_') && !own.contains("__"), "{}", own);
            prop_assert!(own.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{}", own);
            prop_assert!(!names.iter().skip(at + 1).any(|other| other == own), "{:?}", names);
            prop_assert!(fits(own, "unit", &branches[at]), "{} is not known again", own);
        }
    }

    #[test]
    fn a_branch_keeps_its_slug_whatever_stands_beside_it(branches in branches()) {
        // Unless two would clash, a name hangs on its own values alone.
        let together = slugs(&branches);
        for (slug, said) in together.iter().zip(&branches) {
            let alone = joint(said);
            prop_assert!(*slug == alone || slug.starts_with(&format!("{alone}_")), "{} {}", slug, alone);
        }
    }
}
