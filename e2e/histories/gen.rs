//! Random root modules.

use super::edits::{Edit, other_label};
use super::model::{Body, Call, Form, Pin, Repeat, Res, Root, Trouble, Val, Vars};
use super::rng::Rng;

const PLAIN: &[&str] = &["\"15.4\"", "\"14.9\"", "\"16.2\"", "\"17.2\""];
const ODD: &[&str] =
    &["null", "\"null\"", "\"\"", "true", "\"true\"", "1", "\"1\"", "false", "1.5", "\"a b\""];

pub fn literal(rng: &mut Rng) -> String {
    if rng.chance(12) { rng.word(ODD) } else { rng.word(PLAIN) }.to_owned()
}

pub fn vars(rng: &mut Rng) -> Vars {
    Vars {
        env: rng.word(&["dev", "prod"]),
        tier: rng.word(&["s", "s", "l"]),
        on: rng.chance(65),
        protect: rng.chance(25),
    }
}

/// A value for something that is repeated like this.
pub fn value(rng: &mut Rng, repeat: &Repeat, in_module: bool) -> Val {
    let (a, b, c) = (literal(rng), literal(rng), literal(rng));
    if let Repeat::Each { keys, set, .. } = repeat
        && rng.chance(60)
    {
        let key = rng.pick(keys).0.clone();
        return match rng.below(3) {
            0 => Val::Key(keys.iter().map(|(k, _)| (k.clone(), literal(rng))).collect(), c),
            1 if !set => Val::Value,
            _ => Val::KeyIs(key, a, b),
        };
    }
    if in_module && rng.chance(55) {
        return Val::Arg;
    }
    match rng.below(10) {
        0 => Val::Lit(a),
        1 | 2 => Val::EnvMap(a, b),
        3 | 4 => Val::Two(a, b, c),
        5 => Val::Local,
        _ => Val::Env(a, b),
    }
}

pub fn repeat(rng: &mut Rng) -> Repeat {
    match rng.below(10) {
        0..=3 => Repeat::One,
        4..=5 => {
            let forms = [
                ("2", 2),
                ("1", 1),
                ("var.on ? 1 : 0", 1),
                ("var.on ? 2 : 1", 2),
                ("var.env == \"prod\" ? 2 : 1", 2),
            ];
            let (text, most) = *rng.pick(&forms);
            Repeat::Count(text, most)
        }
        _ => {
            let names = ["a", "b", "c", "d"];
            let keys: Vec<_> = (0..1 + rng.below(3)).map(|i| (names[i].to_owned(), literal(rng))).collect();
            let sometimes = rng.chance(25).then(|| rng.pick(&keys).0.clone());
            Repeat::Each { keys, set: rng.chance(45), sometimes }
        }
    }
}

pub fn protect(rng: &mut Rng, repeat: &Repeat) -> String {
    match repeat {
        Repeat::Each { keys, set, .. } if rng.chance(60) => {
            if !set && rng.chance(60) {
                format!("each.value == {}", keys[0].1)
            } else {
                format!("each.key == \"{}\"", keys[0].0)
            }
        }
        _ => rng.word(&["var.protect", "var.protect", "var.env == \"prod\"", "true"]).to_owned(),
    }
}

pub fn resource(rng: &mut Rng, root: &mut Root, in_module: bool) -> Res {
    let name = root.fresh("r");
    let repeat = repeat(rng);
    let v = value(rng, &repeat, in_module);
    Res {
        label: name.clone(),
        name,
        v,
        w: rng.chance(25).then(|| value(rng, &repeat, in_module)),
        triggers: rng.chance(15).then(|| value(rng, &repeat, in_module)),
        tag_replaces: rng.chance(20),
        ignore: rng.chance(5),
        protect: rng.chance(14).then(|| protect(rng, &repeat)),
        create_first: rng.chance(5),
        trouble: rng.chance(5).then_some(Trouble::Provisioner),
        served: false,
        repeat,
    }
}

/// A module call carries nothing of a resource's lifecycle, and so a service stands in for resources without one.
pub fn serve(rng: &mut Rng, root: &mut Root) {
    root.service = true;
    root.factor = true;
    for res in root.modules.values_mut().flat_map(|b| &mut b.resources) {
        unburden(res);
        res.served = rng.chance(75);
    }
}

pub fn unburden(res: &mut Res) {
    (res.ignore, res.protect, res.create_first, res.trouble) = (false, None, false, None);
}

/// A module that is called instead of another one in some runs: what differs within.
pub fn choice(rng: &mut Rng, root: &mut Root, call: &Call) -> (String, Vec<Edit>) {
    let name = root.fresh("mod");
    let mut edits = Vec::new();
    for res in root.modules[&call.module].resources.clone() {
        let label = other_label(&res.label, &name);
        match rng.below(10) {
            0..=4 => edits.push(Edit::Rename(label, root.fresh("r"), rng.chance(85))),
            5 | 6 => edits.push(Edit::Value(label, value(rng, &res.repeat, true))),
            7 => edits.push(Edit::Repeat(label, repeat(rng), rng.chance(80))),
            _ => {}
        }
    }
    (name, edits)
}

fn call(rng: &mut Rng, root: &mut Root, module: &str, in_module: bool) -> Call {
    let name = root.fresh("m");
    let repeat = if rng.chance(65) { Repeat::One } else { repeat(rng) };
    let v = value(rng, &repeat, in_module);
    Call { label: name.clone(), name, module: module.to_owned(), other: None, repeat, v }
}

pub fn root(rng: &mut Rng) -> Root {
    let mut root = Root::default();
    root.modules.insert(String::new(), Body::default());
    for _ in 0..rng.below(3) {
        let res = resource(rng, &mut root, false);
        root.modules.get_mut("").unwrap().resources.push(res);
    }
    if rng.chance(60) || root.modules[""].resources.is_empty() {
        module(rng, &mut root);
    }
    let service = rng.chance(12);
    // None stands in for what a chosen module declares.
    let share = if service { 0 } else { 25 };
    let called: Vec<Call> = root.modules[""].calls.iter().filter(|_| rng.chance(share)).cloned().collect();
    for call in called {
        let chosen = choice(rng, &mut root, &call);
        Edit::Choose(call.label.clone(), Some(chosen)).apply(&mut root);
    }
    root.edit_in_place = rng.chance(8);
    if service {
        serve(rng, &mut root);
    }
    root.not_kept = rng.chance(12);
    root.pins = pins(rng, &root);
    root
}

/// A module, perhaps with one within, and one or two calls of it.
fn module(rng: &mut Rng, root: &mut Root) {
    let name = root.fresh("mod");
    let mut body = Body::default();
    for _ in 0..1 + rng.below(2) {
        body.resources.push(resource(rng, root, true));
    }
    if rng.chance(30) {
        let inner = root.fresh("mod");
        let res = resource(rng, root, true);
        root.modules.insert(inner.clone(), Body { resources: vec![res], ..Body::default() });
        body.calls.push(call(rng, root, &inner, true));
    }
    root.modules.insert(name.clone(), body);
    for _ in 0..1 + usize::from(rng.chance(30)) {
        let call = call(rng, root, &name, false);
        root.modules.get_mut("").unwrap().calls.push(call);
    }
}

/// Some of the resources are pinned.
pub fn pins(rng: &mut Rng, root: &Root) -> Vec<Pin> {
    let fields = |rng: &mut Rng| match rng.below(6) {
        0 => vec!["input.v", "input.w"],
        1 => vec!["input.w", "triggers_replace.r"],
        2 => vec!["input.v", "triggers_replace.r"],
        _ => vec!["input.v"],
    };
    // A pin of the type would be one of what the service makes, too.
    if !root.service && rng.chance(20) {
        let at_resource = rng.chance(15);
        return vec![Pin { form: Form::Type, label: String::new(), fields: vec!["input.v"], at_resource }];
    }
    let mut out = Vec::new();
    for res in root.modules.values().flat_map(|b| &b.resources) {
        if rng.chance(70) {
            let form = if rng.chance(60) { Form::Name } else { Form::Address };
            let label = res.label.clone();
            out.push(Pin { form, label, fields: fields(rng), at_resource: rng.chance(10) });
        }
    }
    for call in root.modules.values().flat_map(|b| &b.calls) {
        if rng.chance(12) {
            let label = call.label.clone();
            out.push(Pin { form: Form::Call, label, fields: vec!["v"], at_resource: false });
        }
    }
    out
}
