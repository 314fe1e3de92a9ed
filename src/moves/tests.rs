use super::*;
use crate::addr::{Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use std::collections::BTreeSet;

fn objects(list: &[&str]) -> Held {
    Held::objects(list.iter().map(|text| text.parse().unwrap()))
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
    state.objects.iter().map(|object| outcome.ends[object].to_string()).collect()
}

/// Objects and the modules around them are declared, and a call of the root without instances; all else is absent.
#[derive(Default)]
struct Listed(Vec<ObjectAddr>);

fn declared(list: &[&str]) -> Listed {
    Listed(objects(list).objects)
}

/// The call of [`Listed`] that has no instances.
const NONE: &str = "none";

impl Declared for Listed {
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition> {
        let mut all = self.0.iter().filter(|o| o.module.path() == *module && o.resource == *resource);
        Some(match all.next()?.key {
            None => Repetition::Single,
            Some(Key::Index(_)) => Repetition::Count,
            Some(Key::Name(_)) => Repetition::ForEach,
        })
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        self.module_instances(&module.path()).contains(module)
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        let calls = |o: &ObjectAddr| {
            o.module
                .0
                .strip_prefix(&*module.0)
                .is_some_and(|rest| rest.first().is_some_and(|(own, _)| &**own == name))
        };
        self.0.iter().any(calls) || module.0.is_empty() && name == NONE
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.0.iter().any(|o| o.module == *module && o.resource == *resource)
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        self.0.contains(object)
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        let all =
            self.0.iter().filter_map(|o| Some(ModuleInstance(o.module.0.get(..module.depth())?.to_vec())));
        let all: BTreeSet<ModuleInstance> = all.chain([ModuleInstance::default()]).collect();
        all.into_iter().filter(|instance| instance.path() == *module).collect()
    }
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
    let found = refusals(&statements(list), &Listed::default());
    let of = |refusal| match refusal {
        Refusal::Cycle { statements } => statements,
        other => panic!("{other}"),
    };
    found.into_iter().map(of).collect()
}

#[test]
fn an_instance_lies_within_its_call() {
    // The second has to come first by what it moves, and last by where it moves to.
    let both = ["module.m[1] -> module.n", "module.m -> module.n"];
    assert_eq!(cycles(&both), [["module.m[1] → module.n", "module.m[*] → module.n[*]"]]);
    assert_eq!(ends(&["module.m[1].t.a"], &both), ["module.m[1].t.a"]);
    // Where only the sources meet the instance goes first.
    let one = ["module.m -> module.n", "module.m[1] -> module.k"];
    assert_eq!(ends(&["module.m[1].t.a", "module.m.t.a"], &one), ["module.k.t.a", "module.n.t.a"]);
}

#[test]
fn chains_pass_on_whatever_the_order_of_the_blocks() {
    // The first step of a chain is the first to be tried, so what stands at the second is in its way.
    assert_eq!(ends(&["t.a", "t.b"], &["t.c -> t.d", "t.a -> t.b", "t.b -> t.c"]), ["t.a", "t.d"]);
    assert_eq!(ends(&["t.a"], &["t.c -> t.d", "t.b -> t.c", "t.a -> t.b"]), ["t.d"]);
    // A whole resource doesn't chain with an instance; one lies within the other.
    assert_eq!(ends(&["t.a[0]", "t.a[1]"], &["t.a -> t.b", "t.a[0] -> t.c"]), ["t.c", "t.b[1]"]);
    assert_eq!(ends(&["t.a[0]", "t.a[1]"], &["t.b[0] -> t.c", "t.a -> t.b"]), ["t.c", "t.b[1]"]);
}

#[test]
fn what_is_in_the_way_stays_and_blocks() {
    let state = objects(&["t.a", "t.b[0]", "module.m.t.a", "module.n.t.b", "module.m.module.k.t.a"]);
    let list = statements(&["t.a -> t.b", "module.m -> module.n"]);
    let outcome = apply(&state, &list);
    let shown: Vec<String> = outcome.blocked.iter().map(|b| format!("{} {}", b.actual, b.wanted)).collect();
    assert_eq!(shown, ["module.m module.n", "t.a t.b"]);
    // A module that holds nothing itself is not in the way, and each one below moves by itself.
    assert_eq!(outcome.ends[&state.objects[4]].to_string(), "module.n.module.k.t.a");
    assert_eq!(outcome.ends[&state.objects[2]], state.objects[2]);
    assert!(outcome.certain);
    // An instance goes beside others of the resource.
    assert_eq!(ends(&["t.a", "t.b[0]"], &["t.a -> t.b[1]"]), ["t.b[1]", "t.b[0]"]);
}

#[test]
fn moves_inside_of_a_module_that_moves() {
    // What leaves it goes first; what moves where it arrives goes after it, in the module's own blocks too.
    let list = ["module.m -> module.n", "module.m.t.a -> t.a", "n: t.b -> t.c", "module.n[0].t.d -> t.d"];
    let state = ["module.m.t.a", "module.m.t.b", "module.m[0].t.d"];
    assert_eq!(ends(&state, &list), ["t.a", "module.n.t.c", "t.d"]);
    // A module that gets a key alone: its own blocks come after.
    let list = ["m: t.a -> t.b", "module.m -> module.m[0]"];
    assert_eq!(ends(&["module.m.t.a"], &list), ["module.m[0].t.b"]);
    assert!(cycles(&list).is_empty());
    // One that the root declares is inside of both ends.
    assert_eq!(cycles(&["module.m.t.a -> module.m[0].t.b", "module.m -> module.m[0]"]).len(), 1);
}

#[test]
fn a_block_in_a_module_counts_in_all_its_instances() {
    let state = ["module.m[\"a.b\"].t.a", "module.m[\"]\"].module.k[1].t.a", "t.a"];
    let list = ["m: t.a -> t.b", "m.k: t.a -> t.a[0]"];
    let want = ["module.m[\"a.b\"].t.b", "module.m[\"]\"].module.k[1].t.a[0]", "t.a"];
    assert_eq!(ends(&state, &list), want);
}

#[test]
fn in_a_cycle_nothing_moves_at_all() {
    let list = ["t.a -> t.b", "t.b -> t.a", "t.c -> t.d"];
    assert_eq!(ends(&["t.a", "t.c"], &list), ["t.a", "t.c"]);
    assert_eq!(cycles(&list), [["t.a[*] → t.b[*]", "t.b[*] → t.a[*]"]]);
    let two = ["t.a -> t.b", "t.c -> t.d", "t.b -> t.a", "t.d -> t.e", "t.e -> t.c", "t.x -> t.y"];
    assert_eq!(cycles(&two).iter().map(Vec::len).sum::<usize>(), 5);
    assert_eq!(cycles(&two).len(), 2);
}

#[test]
fn counts_that_come_and_go_move_the_first() {
    let state = objects(&["t.a", "t.b[0]", "t.b[1]", "t.c", "module.m[1].t.a", "module.x.t.a"]);
    let declared = declared(&["t.a[0]", "t.b", "t.c[\"k\"]", "module.m[1].t.a[1]"]);
    let shown = |explicit: &[&str]| -> Vec<String> {
        let found = implied(&state, &statements(explicit), &declared);
        found.iter().map(|s| format!("{} -> {}", s.from, s.to)).collect()
    };
    let all = ["t.a -> t.a[0]", "t.b[0] -> t.b", "module.m[1].t.a -> module.m[1].t.a[0]"];
    assert_eq!(shown(&[]), all);
    // A statement that names the resource, with whatever key, leaves it to the user; one that names its module doesn't.
    assert_eq!(shown(&["t.a[5] -> t.z", "t.y -> t.b[1]", "module.m[1] -> module.k"]), all[2..]);
    assert_eq!(shown(&["m: t.a[5] -> t.z"]), all[..2]);
    let run = run(&state, &statements(&["t.c -> t.c[\"k\"]"]), &declared);
    assert_eq!(run.outcome.ends[&state.objects[3]].to_string(), "t.c[\"k\"]");
    assert_eq!(run.outcome.ends[&state.objects[0]].to_string(), "t.a[0]");
    assert!(run.refusals.is_empty() && run.statements.len() == 4);
}

#[test]
fn what_is_refused() {
    let declared = declared(&["t.a", "t.c[0]", "module.m[0].t.a"]);
    let shown = |list: &[&str]| -> Vec<String> {
        refusals(&statements(list), &declared).iter().map(ToString::to_string).collect()
    };
    assert_eq!(shown(&["t.a -> t.a"]), ["t.a moves to itself."]);
    assert_eq!(shown(&["t.a -> t.b"]), ["t.a moves to t.b, but is still declared."]);
    assert_eq!(shown(&["t.b -> t.a", "t.b -> t.d"]), ["t.b moves to t.a and to t.d."]);
    assert_eq!(shown(&["t.b -> t.a", "t.d -> t.a"]), ["Both t.b and t.d move to t.a."]);
    assert!(shown(&["t.b -> t.a", "t.b -> t.a", "t.c[1] -> t.c[0]"]).is_empty());
    // A call is declared even where no instance comes of it; an instance is not.
    assert_eq!(shown(&["module.none -> module.x"]).len(), 1);
    assert!(shown(&["module.none[0] -> module.x"]).is_empty());
    assert!(shown(&["t.c[1] -> t.x", "module.m[1] -> module.x"]).is_empty());
    assert_eq!(shown(&["t.c[0] -> t.x", "module.m[0] -> module.x"]).len(), 2);
    // A module without instances has nothing to refuse but a cycle; one with instances has it for each of them.
    assert!(shown(&["none: t.a -> t.a"]).is_empty());
    assert_eq!(shown(&["none: t.x -> t.y", "none: t.y -> t.x"]).len(), 1);
    assert_eq!(
        shown(&["m: t.a -> t.z"]),
        ["module.m[0].t.a moves to module.m[0].t.z, but is still declared."]
    );
    // A whole call and one instance don't contradict each other; nor do a resource and its instance.
    assert!(shown(&["t.b -> t.x", "t.b[0] -> t.y"]).is_empty());
}

#[test]
fn what_is_left_to_chance_is_said() {
    let certain = |state: &[&str], list: &[&str]| apply(&objects(state), &statements(list)).certain;
    let both = ["t.a -> t.c", "t.b -> t.c"];
    assert!(!certain(&["t.a", "t.b"], &both));
    // Stale statements do no harm.
    assert!(certain(&["t.a", "t.x"], &both));
    assert!(certain(&["t.b", "t.a[1]"], &["t.b -> t.c", "t.b -> t.c"]));
    assert!(!certain(&["t.a"], &["t.a -> t.b", "t.a -> t.c"]));
    // What arrives where the statement finds it again.
    assert!(!certain(&["module.m.t.a"], &["module.m -> module.m.module.m"]));
    assert!(certain(&["t.a"], &["module.m -> module.m.module.m"]));
    let many: Vec<String> = (0..8).map(|i| format!("t.s{i} -> t.target")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(certain(&["t.s3"], &many));
    assert!(!certain(&["t.s3", "t.s7"], &many));
    assert!(outcomes(&objects(&["t.s3", "t.s7"]), &statements(&many)).len() <= 1 + 2);
}

#[test]
fn ends_of_different_sorts_make_no_statement() {
    for (from, to) in [("t.a", "module.m"), ("module.m[0]", "t.a[0]")] {
        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
        assert!(Statement::new(ModulePath::ROOT, from, to).is_none());
    }
}

/// Chains of five for each of 600 instances, within a module that moves, among 10,000 objects.
#[test]
fn thousands_of_statements_are_no_matter() {
    let mut list = vec!["module.m -> module.n".to_owned()];
    for i in 0..600 {
        for step in 0..5 {
            list.push(format!("module.m[\"k{i}\"].t.a{step} -> module.m[\"k{i}\"].t.a{}", step + 1));
        }
    }
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let state = Held::objects((0..10_000).map(|i| format!("module.m[\"k{i}\"].t.a0").parse().unwrap()));
    let run = run(&state, &statements(&list), &Listed::default());
    assert!(run.outcome.certain && run.refusals.is_empty());
    assert_eq!(run.outcome.ends[&state.objects[599]].to_string(), "module.n[\"k599\"].t.a5");
    assert_eq!(run.outcome.ends[&state.objects[600]].to_string(), "module.n[\"k600\"].t.a0");
}
