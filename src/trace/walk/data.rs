//! Data sources: terms, as far as they are read before anything is applied. Where `phi.hcl` lists the values of an
//! attribute, these are its universe, and a `postcondition` keeps others out.

use super::reach::resource_before;
use super::refer::depends_on_itself;
use super::undeclared;
use crate::addr::{FieldAddr, ModulePath, ResourceAddr, Target};
use crate::cond::{Domain as TermDomain, FormulaId};
use crate::config::{In, Resource};
use crate::eval::{At, Bindings, Step, eval};
use crate::issue::Code;
use crate::syntax::traversal;
use crate::syntax::{Attribute, Body, Expr, ExprKind};
use crate::text::{Place, SourceId};
use crate::trace::{Frame, Guarded, Home, Iteration, Reason, Subject, TermInfo, Tracer, Universe};
use crate::value::{Marks, Type, Value};
use std::sync::Arc;

/// The reason why no condition can be added to a data source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unheld {
    /// It is declared in JSON.
    Json,
    /// An override file changes it.
    Overridden,
    /// It needs this managed resource, or what this module gives, which can't be read: Terraform would wait with it.
    Behind(String),
}

impl Frame<'_, '_> {
    /// A data source: stable from plan to plan unless something it needs is known only after apply. Gives how many of the
    /// steps the value takes in: more than the name's where the values of one of its attributes are listed.
    pub fn data(
        &mut self,
        addr: &ResourceAddr,
        steps: &[Step<'_>],
        named: usize,
        at: At,
    ) -> (Guarded, usize) {
        let Some(module) = self.module() else { return (Guarded::of(Value::dynamic()), named) };
        let Some(resource) = module.resource_seen(addr, at.place()) else {
            return (self.fail_here(&undeclared::no_resource(module, addr), at), named);
        };
        if let Some(reason) = self.taint_of(addr, resource, at) {
            return (self.nothing(reason), named);
        }
        let scope = self.path();
        let mut info = TermInfo {
            ty: Type::Dynamic,
            home: Some(Home { scope: scope.clone(), text: addr.to_string().into() }),
            variables: Default::default(),
            subject: None,
            place: Some(at.place()),
        };
        // What one instance of a repeated module reads is another value than what the next one reads.
        let of = if self.tracer.instances.is_keyed(self.instance) {
            self.instance.0.to_string()
        } else {
            String::new()
        };
        let key = format!("{scope}#{of}|{addr}");
        if let Some((key, taken)) = self.listed_attribute(&key, steps.get(named..).unwrap_or_default())
            && let Some((subject, universe)) = self.tracer.listed_data(&key)
        {
            let text = key.split_once('|').map_or(&*key, |(_, text)| text);
            info.home = Some(Home { scope, text: text.into() });
            info.subject = subject;
            return (self.tracer.over_universe(&key, info, &universe, &Marks::NONE, at), named + taken);
        }
        let value = self.tracer.symbol(&key, TermDomain::Open, info, &Marks::NONE).1;
        (Guarded::of(value), named)
    }

    /// The first of the attributes behind a data source whose values are listed: its term's key, and how many steps it takes.
    fn listed_attribute(&self, data: &str, steps: &[Step<'_>]) -> Option<(String, usize)> {
        let mut key = data.to_owned();
        for (at, step) in steps.iter().enumerate() {
            let Step::Attr(name) = step else { return None };
            key.push('.');
            key.push_str(&name.text);
            if self.tracer.listed_data(&key).is_some() {
                return Some((key, at + 1));
            }
        }
        None
    }

    /// The same, found once; a data source that needs itself is none that could be read.
    fn taint_of(&mut self, addr: &ResourceAddr, resource: &Resource, at: At) -> Option<Reason> {
        let key = (self.instance, addr.clone());
        if let Some(known) = self.tracer.memo.taints.get(&key) {
            return known.clone();
        }
        if self.tracer.scope.nesting >= self.tracer.inputs.limits.nesting {
            return Some(self.tracer.nested_too_deep(at));
        }
        self.tracer.memo.taints.insert(key.clone(), Some(depends_on_itself(&format!("{addr} → {addr}"), at)));
        let found = self.nested(|frame| frame.taint(resource, at));
        self.tracer.memo.taints.insert(key, found.clone());
        found
    }

    /// Returns the reason why a data source is read only during apply, if it is.
    fn taint(&mut self, resource: &Resource, at: At) -> Option<Reason> {
        let apply_time = |text: String, place| {
            Reason::new(
                Code::ApplyTimeValue,
                format!(
                    "selector depends on an apply-time value: `{}` is read during apply, because {text}.",
                    resource.addr
                ),
                Some(place),
            )
            .fix("Choose by a variable or a local; or take away what makes it wait, so that it is read before.", "")
        };
        if let Some(on) = &resource.depends_on
            && waits(on)
        {
            return Some(apply_time("it has `depends_on`".to_owned(), on.place()));
        }
        if let Some((call, on)) = self.waiting_call() {
            return Some(apply_time(format!("`{call}`, in which it stands, has `depends_on`"), on));
        }
        for value in self.needed(resource) {
            if let Some(reason) = self.tracer.reason_among(&value, Code::ApplyTimeValue) {
                let place = reason.place.unwrap_or(at.place());
                let needs = match &reason.culprit {
                    Some(culprit) => format!("it needs `{culprit}`, which is known only after apply"),
                    None => "what it needs is known only after apply".to_owned(),
                };
                let found = apply_time(needs, place);
                return Some(Reason { culprit: reason.culprit.clone(), ..found });
            }
            // What a module gives that can't be read might be known only after apply.
            let unread = [Code::NotInstalled, Code::Unsupported, Code::Cycle, Code::TooDeep];
            if let Some(reason) = unread.into_iter().find_map(|c| self.tracer.reason_among(&value, c)) {
                return Some((*reason).clone());
            }
        }
        None
    }

    /// The arguments of a data source, and all that the conditions in its `lifecycle` name: Terraform (measured, 1.11)
    /// waits for what they refer to as for a `depends_on`. `self` is what was read.
    fn needed(&mut self, resource: &Resource) -> Vec<Guarded> {
        let (mut arguments, mut rules) = (Vec::new(), Vec::new());
        for block in resource.decl.blocks() {
            attributes_of(block.file, &block.body, &mut arguments);
            for inner in block.body.blocks() {
                let out = if &*inner.kind.text == "lifecycle" { &mut rules } else { &mut arguments };
                attributes_within(block.file, &inner.body, out);
            }
        }
        let nothing = Guarded::of(Value::null(Type::Dynamic));
        let mut frame = self.again();
        frame.iteration = Iteration {
            key: Some(nothing.clone()),
            value: Some(nothing.clone()),
            index: Some(nothing),
            exists: None,
        };
        let mut out: Vec<Guarded> =
            arguments.iter().map(|(file, e)| eval(&mut frame, *file, e, &Bindings::default())).collect();
        for (file, rule) in rules {
            for name in traversal::variables(rule).iter().filter(|name| &*name.root.text != "self") {
                let steps: Vec<Step<'_>> = name.names().map(Step::Attr).collect();
                let at = At::new(Place { file, span: name.span });
                out.push(frame.refer(&name.root.text, &steps, at).0);
            }
        }
        out
    }

    /// The call around this module that has `depends_on`, which holds for everything in it.
    fn waiting_call(&self) -> Option<(crate::addr::ModulePath, crate::text::Place)> {
        let mut path = self.path();
        while let Some((outer, name)) = path.parent() {
            let call = self.tracer.inputs.config.at(&outer).and_then(|m| m.call(&name));
            if let Some(on) = call.and_then(|c| c.depends_on.as_ref()).filter(|on| waits(on)) {
                return Some((path, on.place()));
            }
            path = outer;
        }
        None
    }
}

/// Returns true if a `depends_on` names anything.
fn waits(on: &In<Attribute>) -> bool {
    !matches!(&on.expr.kind, ExprKind::Tuple(items) if items.is_empty())
}

/// A `provider` names a configuration of one, and no value.
fn attributes_of<'b>(file: SourceId, body: &'b Body, out: &mut Vec<(SourceId, &'b Expr)>) {
    out.extend(body.attributes().filter(|a| &*a.name.text != "provider").map(|a| (file, &a.expr)));
}

/// Every argument's expression in a body, nested blocks included.
fn attributes_within<'b>(file: SourceId, body: &'b Body, out: &mut Vec<(SourceId, &'b Expr)>) {
    attributes_of(file, body, out);
    body.blocks().for_each(|b| attributes_within(file, &b.body, out));
}

impl Tracer<'_> {
    /// The universe of the attribute of a data source that a term's key names, and what a postcondition would hold to it.
    ///
    /// A key is `MODULE#INSTANCE|data.TYPE.NAME.ATTRIBUTE…`, as derived terms are named.
    pub(in crate::trace) fn listed_data(&self, key: &str) -> Option<(Option<Subject>, Universe)> {
        if !self.inputs.lists_data {
            return None;
        }
        let label = self.attribute_of_data(key)?;
        let universe = self.universe_of(&label.to_string())?;
        let Target::Resource(named) = &label.target else { return None };
        let plain = self.unheld_for(&label.module, named).is_none();
        Some((plain.then(|| Subject::Data(Arc::new(label))), universe))
    }

    /// The reason why no condition can be added to a data source.
    fn unheld_for(&self, path: &ModulePath, data: &ResourceAddr) -> Option<Unheld> {
        let decl = &self.inputs.config.at(path)?.resources.get(data)?.decl;
        if decl.json {
            return Some(Unheld::Json);
        }
        if !decl.overrides.is_empty() {
            return Some(Unheld::Overridden);
        }
        resource_before(self.inputs.config, path, data).map(Unheld::Behind)
    }

    /// The first attribute of a data source on which conditions depend, whose values are listed and which nothing can hold to
    /// them; and why not.
    pub fn unheld(&self, whens: impl IntoIterator<Item = FormulaId>) -> Option<(FieldAddr, Unheld)> {
        let terms = whens.into_iter().flat_map(|when| self.formulas.terms(when).to_vec());
        let mut found = terms.filter_map(|term| {
            let key = self.formulas.key(term);
            let (subject, _) = self.listed_data(key)?;
            let label = self.attribute_of_data(key).filter(|_| subject.is_none())?;
            let Target::Resource(named) = &label.target else { return None };
            let why = self.unheld_for(&label.module, named)?;
            Some((label, why))
        });
        found.next()
    }

    /// The attribute that a term's key names, where its data source is not repeated.
    pub(in crate::trace) fn attribute_of_data(&self, key: &str) -> Option<FieldAddr> {
        let (of, rest) = key.split_once('|').filter(|(_, rest)| rest.starts_with("data."))?;
        let (module, _) = of.split_once('#')?;
        self.listable(if module.is_empty() { rest.to_owned() } else { format!("{module}.{rest}") })
    }

    /// The first attribute of a data source that an expression for a term names, where its data source is not repeated.
    pub(in crate::trace) fn attribute_of_data_in(&self, home: &Home) -> Option<FieldAddr> {
        let expr = crate::syntax::parse_expr(&home.text).ok()?;
        let named =
            crate::syntax::traversal::variables(&expr).into_iter().filter(|v| &*v.root.text == "data");
        let attributes = |v: crate::syntax::traversal::Traversal| {
            home.text.get(v.span.range().start..v.names().last()?.span.range().end)
        };
        named.filter_map(attributes).find_map(|text| self.listable(home.scope.address_of(text)))
    }

    /// An attribute whose values `phi.hcl` may list, by its address.
    pub(in crate::trace) fn listable(&self, label: String) -> Option<FieldAddr> {
        let addr: FieldAddr = label.parse().ok().filter(|a: &FieldAddr| !a.path.is_empty())?;
        let Target::Resource(named) = &addr.target else { return None };
        let found = self.inputs.config.at(&addr.module)?.resources.get(named)?;
        (found.count.is_none() && found.for_each.is_none()).then_some(addr)
    }
}
