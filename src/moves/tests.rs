use super::*;
use crate::addr::ModulePath;

fn objects(list: &[&str]) -> Vec<ObjectAddr> {
    list.iter().map(|text| text.parse().unwrap()).collect()
}

/// `scope: from -> to`, the scope as names with dots.
fn statement(text: &str) -> Statement {
    let (scope, rest) = text.split_once(':').unwrap_or(("", text));
    let (from, to) = rest.split_once("->").unwrap();
    let names = scope.split('.').map(str::trim).filter(|name| !name.is_empty());
    let scope = ModulePath(names.map(Into::into).collect());
    Statement::new(scope, from.trim().parse().unwrap(), to.trim().parse().unwrap()).unwrap()
}

fn statements(list: &[&str]) -> Vec<Statement> {
    list.iter().map(|text| statement(text)).collect()
}

fn ends(state: &[&str], list: &[&str]) -> Vec<String> {
    let state = objects(state);
    let outcome = apply(&state, &statements(list));
    assert!(outcome.certain);
    state.iter().map(|object| outcome.ends[object].to_string()).collect()
}

#[test]
fn a_key_at_one_end_makes_both_ends_instances() {
    assert_eq!(ends(&["t.a", "t.a[1]"], &["t.a -> t.b[0]"]), ["t.b[0]", "t.a[1]"]);
    assert_eq!(ends(&["t.a", "t.a[1]"], &["t.a -> t.b"]), ["t.b", "t.b[1]"]);
    let both = ["module.m.t.a", "module.m[1].module.n.t.a"];
    assert_eq!(ends(&both, &["module.m -> module.k"]), ["module.k.t.a", "module.k[1].module.n.t.a"]);
    assert_eq!(ends(&both, &["module.m -> module.k[0]"]), ["module.k[0].t.a", both[1]]);
}

/// The text of the statements of each cycle.
fn cycles(list: &[&str]) -> Vec<Vec<String>> {
    let found = refusals(&statements(list), &Instances::default());
    let of = |refusal| match refusal {
        Refusal::Cycle { statements } => statements,
        other => panic!("{other}"),
    };
    found.into_iter().map(of).collect()
}

#[test]
fn an_instance_lies_within_its_call() {
    // Seed 1000028: the second has to come first by what it moves, and last by where it moves to.
    let both = ["module.m[1] -> module.n", "module.m -> module.n"];
    assert_eq!(cycles(&both), [["module.m[1] → module.n", "module.m[*] → module.n[*]"]]);
    assert_eq!(ends(&["module.m[1].t.a"], &both), ["module.m[1].t.a"]);
    // Where only the sources meet the instance goes first.
    let one = ["module.m -> module.n", "module.m[1] -> module.k"];
    assert_eq!(ends(&["module.m[1].t.a", "module.m.t.a"], &one), ["module.k.t.a", "module.n.t.a"]);
}
