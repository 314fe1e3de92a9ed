//! What people change in sources between two runs.

use super::model::{Body, Call, Pin, Repeat, Res, Root, Statement, Trouble, Val};

#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    Value(String, Val),
    Second(String, Option<Val>),
    Triggers(String, Option<Val>),
    Ignore(String, bool),
    Protect(String, Option<String>),
    CreateFirst(String, bool),
    Trouble(String, Option<Trouble>),
    /// Other repetition, of a resource or a call; with `moved` blocks from key to key.
    Repeat(String, Repeat, bool),
    /// Another key; with a `moved` block.
    Key(String, String, String, bool),
    /// Another name, of a resource or a call; with a `moved` block.
    Rename(String, String, bool),
    /// A resource of the root goes into a new module: the module's and the call's name.
    Into(String, String, String, bool),
    /// A resource of a module that is called once goes to the root.
    OutOf(String, bool),
    /// The declaration goes; with a `removed` block that destroys nothing.
    Drop(String, bool),
    Add(Box<Res>),
    /// Another call of a module.
    Again(String, String, String),
    /// The source of a call is chosen: a copy of its module with these edits within; or chosen no more.
    Choose(String, Option<(String, Vec<Edit>)>),
    /// A service replaces a resource, or doesn't.
    Serve(String, bool),
    /// The form factor is on, or off.
    Factor(bool),
    Pins(Vec<Pin>),
    /// Runs leave the tree specialised, or put the sources back: `keep`.
    Keep(bool),
    /// Modules are edited in place, or copied.
    InPlace(bool),
    /// `moved` and `removed` blocks go.
    Tidy,
}

impl Edit {
    /// What it is, for a table of failures.
    pub fn name(&self) -> String {
        let text = format!("{self:?}");
        let word = text.split('(').next().unwrap_or_default();
        let with = match self {
            Edit::Repeat(_, _, with)
            | Edit::Key(_, _, _, with)
            | Edit::Rename(_, _, with)
            | Edit::Into(_, _, _, with)
            | Edit::OutOf(_, with) => [" unmoved", " moved"][usize::from(*with)],
            Edit::Drop(_, forget) => ["", " forgotten"][usize::from(*forget)],
            Edit::Factor(on) | Edit::Serve(_, on) | Edit::Keep(on) | Edit::InPlace(on) => {
                [" off", " on"][usize::from(*on)]
            }
            Edit::Choose(_, None) => " no more",
            Edit::Choose(_, Some((_, edits))) if edits.iter().any(|e| e.name() == "Rename moved") => {
                " moved inside"
            }
            Edit::Pins(pins) if pins.is_empty() => " none",
            _ => "",
        };
        format!("{word}{with}")
    }

    /// Changes the sources; false, and nothing is changed, where the edit means nothing there.
    pub fn apply(&self, root: &mut Root) -> bool {
        let before = root.clone();
        let done = self.change(root).is_some() && *root != before;
        root.sweep();
        if !done {
            *root = before;
            return false;
        }
        // The names that the edit brought are not given again.
        root.made += 10;
        true
    }

    fn change(&self, root: &mut Root) -> Option<()> {
        match self {
            Edit::Value(label, val) => match root.resource_mut(label) {
                Some(res) => res.v = val.clone(),
                None => root.call_mut(label)?.v = val.clone(),
            },
            Edit::Second(label, val) => root.resource_mut(label)?.w = val.clone(),
            Edit::Triggers(label, val) => root.resource_mut(label)?.triggers = val.clone(),
            Edit::Ignore(label, ignore) => root.resource_mut(label)?.ignore = *ignore,
            Edit::Protect(label, protect) => root.resource_mut(label)?.protect = protect.clone(),
            Edit::CreateFirst(label, first) => root.resource_mut(label)?.create_first = *first,
            Edit::Trouble(label, trouble) => root.resource_mut(label)?.trouble = *trouble,
            Edit::Repeat(label, to, moved) => repeat(root, label, to, *moved)?,
            Edit::Key(label, from, to, moved) => key(root, label, from, to, *moved)?,
            Edit::Rename(label, to, moved) => rename(root, label, to, *moved)?,
            Edit::Into(label, module, call, moved) => into(root, label, module, call, *moved)?,
            Edit::OutOf(label, moved) => out_of(root, label, *moved)?,
            Edit::Drop(label, forget) => leave(root, label, *forget)?,
            Edit::Add(res) => {
                if root.resource(&res.label).is_some() {
                    return None;
                }
                root.modules.get_mut("")?.resources.push((**res).clone());
            }
            Edit::Again(module, name, label) => {
                if !root.modules.contains_key(module) || root.call(label).is_some() {
                    return None;
                }
                root.modules.get_mut("")?.calls.push(Call {
                    name: name.clone(),
                    label: label.clone(),
                    module: module.clone(),
                    other: None,
                    repeat: Repeat::One,
                    v: Val::Env("\"16.2\"".to_owned(), "\"14.9\"".to_owned()),
                });
            }
            Edit::Choose(label, None) => root.call_mut(label)?.other = None,
            Edit::Choose(label, Some((name, edits))) => choose(root, label, name, edits)?,
            Edit::Serve(label, on) => root.resource_mut(label)?.served = *on,
            Edit::Factor(on) => root.factor = *on,
            Edit::Pins(pins) => root.pins.clone_from(pins),
            Edit::Keep(keep) => root.not_kept = !keep,
            Edit::InPlace(edited) => root.edit_in_place = *edited,
            Edit::Tidy => root.modules.values_mut().for_each(|b| b.statements.clear()),
        }
        Some(())
    }
}

/// A declaration's module and address there, without keys.
fn place(root: &Root, label: &str) -> Option<(String, String)> {
    if let Some((module, i)) = root.resource(label) {
        return Some((
            module.to_owned(),
            format!("terraform_data.{}", root.modules[module].resources[i].name),
        ));
    }
    let (module, i) = root.call(label)?;
    Some((module.to_owned(), format!("module.{}", root.modules[module].calls[i].name)))
}

fn repetition<'r>(root: &'r mut Root, label: &str) -> Option<&'r mut Repeat> {
    if root.resource(label).is_some() {
        return root.resource_mut(label).map(|r| &mut r.repeat);
    }
    root.call_mut(label).map(|c| &mut c.repeat)
}

fn body<'r>(root: &'r mut Root, module: &str) -> Option<&'r mut Body> {
    root.modules.get_mut(module)
}

fn moved(root: &mut Root, module: &str, from: String, to: String) -> Option<()> {
    body(root, module)?.statements.push(Statement::Moved(from, to));
    Some(())
}

fn repeat(root: &mut Root, label: &str, to: &Repeat, with: bool) -> Option<()> {
    let (module, address) = place(root, label)?;
    let old = std::mem::replace(repetition(root, label)?, to.clone());
    for (from, to) in old.keys().iter().zip(to.keys()).filter(|(from, to)| with && *from != to) {
        moved(root, &module, format!("{address}{from}"), format!("{address}{to}"))?;
    }
    Some(())
}

fn key(root: &mut Root, label: &str, from: &str, to: &str, with: bool) -> Option<()> {
    let (module, address) = place(root, label)?;
    let Repeat::Each { keys, sometimes, .. } = repetition(root, label)? else { return None };
    if keys.iter().any(|(k, _)| k == to) {
        return None;
    }
    keys.iter_mut().find(|(k, _)| k == from)?.0 = to.to_owned();
    if sometimes.as_deref() == Some(from) {
        *sometimes = Some(to.to_owned());
    }
    if with {
        moved(root, &module, format!("{address}[\"{from}\"]"), format!("{address}[\"{to}\"]"))?;
    }
    Some(())
}

fn rename(root: &mut Root, label: &str, to: &str, with: bool) -> Option<()> {
    let (module, from) = place(root, label)?;
    let taken = body(root, &module)?;
    if taken.resources.iter().any(|r| r.name == to) || taken.calls.iter().any(|c| c.name == to) {
        return None;
    }
    match root.resource_mut(label) {
        Some(res) => to.clone_into(&mut res.name),
        None => to.clone_into(&mut root.call_mut(label)?.name),
    }
    let (_, address) = place(root, label)?;
    if with {
        moved(root, &module, from, address)?;
    }
    Some(())
}

fn into(root: &mut Root, label: &str, module: &str, call: &str, with: bool) -> Option<()> {
    let ("", at) = root.resource(label)? else { return None };
    if root.modules.contains_key(module) || root.call(call).is_some() {
        return None;
    }
    let res = body(root, "")?.resources.remove(at);
    let from = format!("terraform_data.{}", res.name);
    let to = format!("module.{call}.terraform_data.{}", res.name);
    root.modules.insert(module.to_owned(), Body { resources: vec![res], ..Body::default() });
    body(root, "")?.calls.push(Call {
        name: call.to_owned(),
        label: call.to_owned(),
        module: module.to_owned(),
        other: None,
        repeat: Repeat::One,
        v: Val::Env("\"15.4\"".to_owned(), "\"14.9\"".to_owned()),
    });
    if with { moved(root, "", from, to) } else { Some(()) }
}

fn out_of(root: &mut Root, label: &str, with: bool) -> Option<()> {
    let (module, at) = root.resource(label).map(|(m, i)| (m.to_owned(), i))?;
    let [path] = root.paths(&module).try_into().ok()?;
    let once = |c: &&Call| c.module == module && c.other.is_none() && c.repeat == Repeat::One;
    if module.is_empty() || !root.modules[""].calls.iter().any(|c| once(&c)) {
        return None;
    }
    let mut res = body(root, &module)?.resources.remove(at);
    let from = format!("{path}terraform_data.{}", res.name);
    if root.modules[""].resources.iter().any(|r| r.name == res.name) {
        res.name = root.fresh("out");
    }
    let to = format!("terraform_data.{}", res.name);
    body(root, "")?.resources.push(res);
    if with { moved(root, "", from, to) } else { Some(()) }
}

/// A copy of the called module, whose declarations have labels of their own, and edits within it.
fn choose(root: &mut Root, label: &str, name: &str, edits: &[Edit]) -> Option<()> {
    let call = root.call_mut(label)?;
    if call.other.is_some() {
        return None;
    }
    call.other = Some(name.to_owned());
    let module = call.module.clone();
    let mut copy = root.modules.get(&module)?.clone();
    if root.modules.contains_key(name) {
        return None;
    }
    let labels = copy.resources.iter_mut().map(|r| &mut r.label);
    for label in labels.chain(copy.calls.iter_mut().map(|c| &mut c.label)) {
        *label = other_label(label, name);
    }
    root.modules.insert(name.to_owned(), copy);
    for edit in edits {
        edit.change(root)?;
    }
    Some(())
}

/// The label of a declaration in the copy of a module.
pub fn other_label(label: &str, module: &str) -> String {
    format!("{}~{module}", label.split('~').next().unwrap_or_default())
}

fn leave(root: &mut Root, label: &str, forget: bool) -> Option<()> {
    let (module, address) = place(root, label)?;
    let body = body(root, &module)?;
    body.resources.retain(|r| r.label != label);
    body.calls.retain(|c| c.label != label);
    if forget {
        body.statements.push(Statement::Forgotten(address));
    }
    Some(())
}
