use super::*;

fn words(line: &str) -> Vec<String> {
    let words = line.split(' ').map(OsString::from).collect();
    words::normalised(words).unwrap().into_iter().map(|w| w.into_string().unwrap()).collect()
}

#[test]
fn the_table_is_sound() {
    program().debug_assert();
    for spec in COMMANDS {
        assert!(!spec.about.is_empty() && !spec.about.ends_with('.'), "{}", spec.name);
    }
}

#[test]
fn terraforms_arguments_stay_in_order_behind_ours() {
    assert_eq!(
        words("plan -var --dry-run -out=x --dry-run -target t.a --format json -- --dry-run").join(" "),
        "plan --dry-run --format json -- -var --dry-run -out=x -target t.a -- --dry-run"
    );
    assert_eq!(words("plan"), ["plan"]);
    assert_eq!(words("plan -out x -help").join(" "), "plan --help");
    assert_eq!(words("apply --terraform /t saved.plan").join(" "), "apply --terraform /t -- saved.plan");
}

#[test]
fn one_dash_or_two() {
    assert_eq!(words("-chdir=a trace -var x=1 -json").join(" "), "--chdir=a trace --var x=1 --json");
    assert_eq!(words("--chdir=a trace -expr -x").join(" "), "--chdir=a trace --expr -x");
    assert_eq!(
        words("plan -dry-run -var -ephemeral -format=json -form-factor x -out=y").join(" "),
        "plan --dry-run --format=json --form-factor x -- -var -ephemeral -out=y"
    );
    assert_eq!(words("-version"), ["--version"]);
    assert!(words::normalised(vec!["-chdir".into(), "a".into(), "plan".into()]).is_err());
}
