//! What stands behind fields that nobody computes: those that end in an error on both sides, and those of a workspace that nothing names.
//!
//! In: the configurations of a base and of a head, which variables are given otherwise, which files differ. Out: whether all that a field is made of is
//! written alike. Invariant: from syntax alone, as it stands there, so that what is alike gives the same whatever the workspace is, and whatever the
//! files hold that the tree lacks. Absent on purpose: values.

use super::Assigned;
use super::origins::{Origins, Side};
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::{In, Module};
use crate::func;
use crate::syntax::{Attribute, Expr, ExprKind, TemplatePart, TraversalStep, traversal, walk};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Functions of files that say where Terraform runs.
const OF_PLACE: [&str; 2] = ["abspath", "pathexpand"];

/// Functions that evaluate a text.
const OF_TEMPLATES: [&str; 2] = ["templatefile", "templatestring"];

/// How the names of files end that are read as configuration.
const CONFIGURATION: [&str; 6] = [".tf", ".tf.json", ".tofu", ".tofu.json", ".tfvars", ".tfvars.json"];

/// So many declarations are looked at for all fields together. What isn't looked at counts as written otherwise.
const MOST_LOOKS: usize = 4_000_000;

/// The files that a call may read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reads {
    /// Those of this name, in whatever folder.
    Named(String),
    /// Those whose names end like this.
    Ending(String),
    /// Any but what is read as configuration.
    Any,
    /// Any, a file of data that is named like a configuration among them.
    All,
}

impl Reads {
    /// Returns true if it may be this file.
    pub fn may_be(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match self {
            Reads::Named(own) => name == own,
            Reads::Ending(end) => name.ends_with(end.as_str()),
            // What stands in a configuration is compared as such.
            Reads::Any => !CONFIGURATION.iter().any(|end| name.ends_with(end)),
            Reads::All => true,
        }
    }

    /// What a call of a function of files reads, by its first argument.
    fn of(function: &str, path: Option<&Expr>) -> Reads {
        let last = match path.map(|path| &path.kind) {
            _ if matches!(function, "fileset" | "fileexists") => return Reads::Any,
            Some(ExprKind::String(text)) => text.rsplit('/').next().map(|name| (name, true)),
            Some(ExprKind::Template(template)) => match template.parts.last() {
                Some(TemplatePart::Literal(text, _)) => match text.rsplit_once('/') {
                    Some((_, name)) => Some((name, true)),
                    None => Some((&**text, false)),
                },
                _ => None,
            },
            _ => None,
        };
        match last {
            Some(("" | "." | "..", _)) => Reads::Any,
            Some((name, true)) => Reads::Named(name.to_owned()),
            Some((end, false)) => Reads::Ending(end.to_owned()),
            None => Reads::Any,
        }
    }
}

/// An argument of which only the text is compared, though names in it stand for values.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The part that it is in, as a difference would name it.
    pub part: String,
    /// The module that it stands in.
    pub module: ModulePath,
    /// The argument.
    pub attr: In<Attribute>,
}

/// What stands behind a field.
#[derive(Clone, Default, Debug)]
struct Reach {
    /// True if anything of it is written otherwise.
    is_edited: bool,
    /// True if that is more than its layout.
    is_reworded: bool,
    /// True if the workspace is a part of it.
    has_workspace: bool,
    reads: BTreeSet<Reads>,
    /// True if it may read files whose names don't stand there.
    may_read_all: bool,
    /// The root variables.
    variables: BTreeSet<Arc<str>>,
}

/// One declaration on the way.
#[derive(Default)]
struct Stands {
    own: Reach,
    behind: Vec<FieldAddr>,
}

/// What differs besides the text in an environment.
struct Given {
    variables: BTreeSet<Arc<str>>,
    is_workspace_open: bool,
    /// The variables that are given a value, where nobody named the environment: a run may give any other one another value than its default.
    unnamed: Option<BTreeSet<Arc<str>>>,
}

/// Says which fields are not shown to be equal, though both sides read alike.
pub struct Doubts<'d, 'c> {
    origins: &'d Origins<'c>,
    is_changed: &'d mut dyn FnMut(&Reads) -> bool,
    given: BTreeMap<Arc<str>, Given>,
    edited: HashSet<FieldAddr>,
    stands: HashMap<FieldAddr, Arc<Stands>>,
    reached: HashMap<String, Arc<Reach>>,
    files: HashMap<Reads, bool>,
    looks: usize,
}

impl<'d, 'c> Doubts<'d, 'c> {
    /// Of two sides, with what they give to variables, and with what says whether files differ.
    pub fn new(
        origins: &'d Origins<'c>,
        [base, head]: [&[Assigned]; 2],
        is_changed: &'d mut dyn FnMut(&Reads) -> bool,
    ) -> Doubts<'d, 'c> {
        let before: BTreeMap<&str, &Assigned> = base.iter().map(|env| (&*env.name, env)).collect();
        let given = head.iter().filter_map(|env| {
            let old = before.get(&*env.name)?;
            let variables = env.given_otherwise(old);
            let unnamed = (!env.is_named).then(|| env.gives.clone());
            Some((env.name.clone(), Given { variables, is_workspace_open: env.is_workspace_open, unnamed }))
        });
        Doubts {
            origins,
            is_changed,
            given: given.collect(),
            edited: edited(&origins.base, &origins.head),
            stands: HashMap::new(),
            reached: HashMap::new(),
            files: HashMap::new(),
            looks: 0,
        }
    }

    /// Returns true if nobody can say whether a field differs that reads alike on both sides in an environment. `has_error`: true if it ends
    /// in an error on both.
    pub fn is_open(&mut self, env: &str, field: &str, has_error: bool) -> bool {
        if !has_error && !self.is_workspace_open(env) {
            return false;
        }
        let reach = self.reach(field);
        (has_error || reach.has_workspace) && self.differs(env, &reach)
    }

    /// Returns true if a field of which nobody can say what it is made of isn't shown to be made of the same: where something behind it may
    /// differ, or where it may read any file and one differs.
    pub fn is_open_untold(&mut self, env: &str, field: &str) -> bool {
        let reach = self.reach(field);
        (reach.may_read_all && self.is_file_changed(&Reads::All)) || self.differs(env, &reach)
    }

    /// Returns true if anything of a field is edited that has no value on either side in an environment that nobody named, and if it hangs on
    /// a variable of which the default alone says so: in a run that gives it another value, there may be an instance.
    pub fn is_unseen(&mut self, env: &str, field: &str) -> bool {
        let Some(given) = self.given.get(env).and_then(|given| given.unnamed.clone()) else { return false };
        let reach = self.reach(field);
        reach.is_reworded && !reach.variables.is_subset(&given)
    }

    /// Returns true if how often a declaration is there hangs on a workspace that nothing names.
    pub fn hangs_on_workspace(&mut self, env: &str, repetition: &str) -> bool {
        self.is_workspace_open(env) && self.reach(repetition).has_workspace
    }

    /// The parts of which the text is alike in an environment, and something that it names isn't.
    pub fn mentioned(&mut self, env: &str, all: &[Mention]) -> Vec<String> {
        let mut out = BTreeSet::new();
        for Mention { part, module, attr } in all {
            let named = self.origins.head.names_in(module, &attr.expr).into_iter();
            let values = named.filter(|node| !matches!(node.target, Target::Resource(_)));
            let reach = self.follow(values.collect());
            if self.differs(env, &reach) {
                out.insert(part.clone());
            }
        }
        out.into_iter().collect()
    }

    fn is_workspace_open(&self, env: &str) -> bool {
        self.given.get(env).is_some_and(|given| given.is_workspace_open)
    }

    fn differs(&mut self, env: &str, reach: &Reach) -> bool {
        reach.is_edited
            || self.given.get(env).is_some_and(|given| !given.variables.is_disjoint(&reach.variables))
            || reach.reads.iter().any(|reads| self.is_file_changed(reads))
    }

    fn is_file_changed(&mut self, reads: &Reads) -> bool {
        if let Some(known) = self.files.get(reads) {
            return *known;
        }
        let is_changed = (self.is_changed)(reads);
        self.files.insert(reads.clone(), is_changed);
        is_changed
    }

    fn reach(&mut self, field: &str) -> Arc<Reach> {
        if let Some(known) = self.reached.get(field) {
            return known.clone();
        }
        let (head, base) = (&self.origins.head.names, &self.origins.base.names);
        let node = head.get(field).or_else(|| base.get(field)).cloned();
        let reach = Arc::new(node.map(|node| self.follow(vec![node])).unwrap_or_default());
        self.reached.insert(field.to_owned(), reach.clone());
        reach
    }

    fn follow(&mut self, from: Vec<FieldAddr>) -> Reach {
        let mut out = Reach::default();
        let mut seen: HashSet<FieldAddr> = from.iter().cloned().collect();
        let mut open = from;
        while let Some(next) = open.pop() {
            self.looks += 1;
            if self.looks > MOST_LOOKS {
                out.is_edited |= !self.edited.is_empty();
                break;
            }
            let stands = self.look_at(&next);
            out.is_edited |= stands.own.is_edited;
            out.is_reworded |= stands.own.is_reworded;
            out.has_workspace |= stands.own.has_workspace;
            out.may_read_all |= stands.own.may_read_all;
            out.reads.extend(stands.own.reads.iter().cloned());
            out.variables.extend(stands.own.variables.iter().cloned());
            open.extend(stands.behind.iter().filter(|one| seen.insert((*one).clone())).cloned());
        }
        out
    }

    fn look_at(&mut self, node: &FieldAddr) -> Arc<Stands> {
        if let Some(known) = self.stands.get(node) {
            return known.clone();
        }
        let mut stands = Stands::default();
        stands.own.is_edited = self.edited.contains(node);
        stands.own.is_reworded =
            stands.own.is_edited && self.origins.head.text(node) != self.origins.base.text(node);
        if let (Target::Variable(name), true) = (&node.target, node.module.is_root()) {
            stands.own.variables.insert(name.clone());
        }
        for side in [&self.origins.head, &self.origins.base] {
            if let Some(attr) = side.attribute(node) {
                read(&attr.expr, &mut stands.own);
            }
            for block in side.fields.get(node).into_iter().flat_map(|field| &field.site.dynamics) {
                let each = block.body.attribute("for_each");
                each.into_iter().for_each(|each| read(&each.expr, &mut stands.own));
            }
            stands.behind.extend(side.behind(node));
            stands.behind.extend(around(side, &node.module));
            stands.behind.extend(find_passed(side, node));
        }
        let stands = Arc::new(stands);
        self.stands.insert(node.clone(), stands.clone());
        stands
    }
}

/// How often the modules around are there, and where they come from.
fn around(side: &Side<'_>, module: &ModulePath) -> Vec<FieldAddr> {
    let mut out = Vec::new();
    let mut inner = module.clone();
    while let Some((outer, call)) = inner.parent() {
        let target = Target::Call(call.name.into());
        out.extend(side.repeated.get(&(outer.clone(), target.clone())).into_iter().flatten().cloned());
        let source = FieldAddr { module: outer.clone(), target, path: FieldPath(vec!["source".into()]) };
        out.extend(side.fields.contains_key(&source).then_some(source));
        inner = outer;
    }
    out
}

/// What is passed to a module that isn't there: its outputs may be made of all of that.
fn find_passed<'s>(side: &'s Side<'_>, node: &'s FieldAddr) -> impl Iterator<Item = FieldAddr> + 's {
    let is_source =
        matches!(node.target, Target::Call(_)) && node.path.0.first().is_some_and(|name| &**name == "source");
    let all = is_source.then(|| side.fields.keys()).into_iter().flatten();
    all.filter(|own| own.module == node.module && own.target == node.target).cloned()
}

/// Notes the workspace, and the files that an expression reads.
fn read(expr: &Expr, reach: &mut Reach) {
    let is_workspace = |name: &traversal::Traversal| {
        let step = name.steps.first();
        matches!(&*name.root.text, "terraform" | "tofu")
            && matches!(step, Some(TraversalStep::Attr(step)) if &*step.text == "workspace")
    };
    reach.has_workspace |= traversal::variables(expr).iter().any(is_workspace);
    walk::walk(expr, &mut |expr| {
        if let ExprKind::Call(call) = &expr.kind {
            let own = func::lookup(&call.name.text).map_or("", |function| function.name);
            if func::looks_at_files(own) && !OF_PLACE.contains(&own) {
                let reads = Reads::of(own, call.args.first());
                reach.may_read_all |= reads == Reads::Any;
                reach.reads.insert(reads);
            }
            // The text may read files by itself.
            reach.may_read_all |= OF_TEMPLATES.contains(&own);
        }
        true
    });
}

/// What is written otherwise on the two sides.
fn edited(base: &Side<'_>, head: &Side<'_>) -> HashSet<FieldAddr> {
    let all: HashSet<FieldAddr> = [base, head].into_iter().flat_map(nodes).collect();
    all.into_iter().filter(|node| text(base, node) != text(head, node)).collect()
}

/// All declarations and fields.
fn nodes(side: &Side<'_>) -> Vec<FieldAddr> {
    let mut all: Vec<FieldAddr> = side.fields.keys().cloned().collect();
    for (path, id) in &side.config.paths {
        let Some(module) = side.config.module(*id) else { continue };
        let of = |target| FieldAddr { module: path.clone(), target, path: FieldPath::default() };
        all.extend(module.locals.keys().map(|name| of(Target::Local(name.clone()))));
        all.extend(module.variables.keys().map(|name| of(Target::Variable(name.clone()))));
    }
    all
}

/// What stands there, to the letter but for ends of lines. Of a variable its type is a part.
fn text(side: &Side<'_>, node: &FieldAddr) -> Option<String> {
    let written = |attr: &In<Attribute>| side.config.sources.slice(attr.value_place()).replace("\r\n", "\n");
    let value = side.attribute(node).map(written);
    match &node.target {
        Target::Variable(name) => {
            let module: &Module = side.config.at(&node.module)?;
            let variable = module.variables.get(name)?;
            let ty = variable.type_attr.as_ref().map(written);
            Some(format!("{ty:?} {value:?} {}", variable.nullable))
        }
        _ => value,
    }
}
