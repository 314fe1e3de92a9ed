//! Operations on what is known in part.

use super::domain::Reader;
use crate::eval::{At, Op};
use crate::func::{self, Function, Purity};
use crate::syntax::UnaryOp;
use crate::trace::identity::assemble::{self, elements, key_of};
use crate::trace::{Decl, Guarded, Identity, InstanceId, Known, Term};
use crate::value::{Data, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Functions that say where Terraform runs. Two readings on one machine have one answer.
const OF_PLACE: [&str; 2] = ["abspath", "pathexpand"];

/// Objects and lists have no more parts in all.
const MOST_PARTS: usize = 1 << 16;

impl Reader<'_, '_> {
    pub(super) fn applied(&mut self, op: &Op<'_>, args: Vec<Identity>, at: At) -> Identity {
        let made = self.operated(op, args, at);
        let mut left = MOST_PARTS;
        // Where parts are shared, what is made of them may be far larger than what they take.
        let fits = !matches!(made, Identity::Object(_) | Identity::Tuple(_)) || made.fits(&mut left);
        self.frame.tracer.effort.work += (MOST_PARTS - left) / 8;
        if fits { made } else { Identity::Untold }
    }

    fn operated(&mut self, op: &Op<'_>, mut args: Vec<Identity>, at: At) -> Identity {
        if args.iter().any(|arg| matches!(arg, Identity::Untold)) {
            return Identity::Untold;
        }
        if args.iter().all(|arg| arg.value().is_some()) {
            return self.computed(op, &args, at);
        }
        let folded = match (op, args.as_slice()) {
            (Op::Unwrap, [only]) => Some(only.clone()),
            (Op::Tuple, items) => Some(Identity::Tuple(items.to_vec().into())),
            (Op::Object { .. }, items) => assemble::object(items),
            (Op::GetAttr(name), [of]) => attribute(of, name).or_else(|| self.follow_argument(of, name)),
            (Op::Index, [of, key]) => element(of, key),
            (Op::ForTuple, triples) => assemble::for_tuple(triples),
            (Op::ForObject { group }, triples) => assemble::for_object(triples, *group),
            (Op::ForTemplate, triples) => {
                let texts: Vec<Identity> =
                    triples.chunks_exact(3).filter_map(|t| t.get(2).cloned()).collect();
                Some(assemble::template(&texts))
            }
            (Op::Template, pieces) => Some(assemble::template(pieces)),
            (Op::Custom(_) | Op::SplatFinish(_), _) => Some(Identity::Untold),
            _ => None,
        };
        if let Some(folded) = folded {
            return folded;
        }
        if let Op::Call(function, expand) = op {
            let expand = *expand && !spread(&mut args);
            return self.called_with(function, expand, args, at);
        }
        self.made_of(op, &args, at)
    }

    /// The argument of a resource that an attribute shows.
    fn follow_argument(&mut self, of: &Identity, name: &str) -> Option<Identity> {
        let Identity::Open(term) = of else { return None };
        let object = term.object.as_ref().filter(|object| self.frame.tracer.sets(object, name))?.clone();
        let found = self.declared(InstanceId(object.module), Decl::Argument(object, name.into()));
        Some(found).filter(|found| found.value().is_none_or(|value| !value.is_null()))
    }

    /// What an operation gives of known values.
    fn computed(&mut self, op: &Op<'_>, args: &[Identity], at: At) -> Identity {
        let values = args.iter().filter_map(Identity::value).map(|v| Guarded::of(v.clone())).collect();
        let guarded = self.frame.operate(op, values, at);
        match self.frame.tracer.only_of(&guarded, at) {
            Ok(value) => Identity::Known(value),
            Err(known) => match (failed(&known), op) {
                (Some(failed), _) => failed,
                (None, Op::Call(function, _))
                    if reads_files(function) && !self.reads_machine(function, args) =>
                {
                    Identity::Untold
                }
                (None, _) => self.made_of(op, args, at),
            },
        }
    }

    /// Returns true if a function reads one file, which lies in no revision of the tree: a change doesn't reach it.
    fn reads_machine(&self, function: &Function, args: &[Identity]) -> bool {
        let reads_one = function.name.starts_with("file") && function.name != "fileset";
        let path = args.first().and_then(Identity::value).and_then(Value::as_str);
        reads_one && path.is_some_and(|path| self.frame.tracer.inputs.outside.is_of_machine(path))
    }

    fn called_with(
        &mut self,
        function: &Function,
        expand: bool,
        mut args: Vec<Identity>,
        at: At,
    ) -> Identity {
        let folded = match (function.name, args.as_slice()) {
            _ if expand => None,
            ("merge", all) => merged(all),
            ("concat", all) => joined(all),
            ("try", [first @ Identity::Known(_), ..]) => Some(first.clone()),
            ("length", [of]) => elements(of).map(|all| Identity::Known(Value::number(all.len() as u64))),
            _ => None,
        };
        if let Some(folded) = folded {
            return folded;
        }
        if function.name == "templatefile"
            && let Some((path, _)) = args.split_first()
            && let Some(file) = func::lookup("file")
        {
            let text = self.applied(&Op::Call(file, false), vec![path.clone()], at);
            // What the text itself reads isn't known.
            let is_plain = text.value().and_then(Value::as_str).is_some_and(|text| !text.contains("file"));
            if !is_plain {
                return Identity::Untold;
            }
            args.push(text);
            return Identity::made("templatefile", &args, |terms| words("templatefile", terms.get(..2)));
        }
        if reads_files(function) {
            return Identity::Untold;
        }
        let kind = format!("call {}{}", function.name, if expand { "..." } else { "" });
        Identity::made(&kind, &args, |terms| words(function.name, Some(terms)))
    }

    /// The operation as a term.
    fn made_of(&self, op: &Op<'_>, args: &[Identity], at: At) -> Identity {
        let text = |terms: &[Arc<Term>]| match (op, terms) {
            (Op::Unary(op), [a]) => format!("{}{}", symbol(*op), a.text),
            (Op::Binary(op), [a, b]) => format!("{} {} {}", a.text, op.symbol(), b.text),
            (Op::GetAttr(name), [of]) => format!("{}.{name}", of.text),
            (Op::Index, [of, key]) => format!("{}[{}]", of.text, key.text),
            (Op::Call(function, _), all) => words(function.name, Some(all)),
            (_, all) => words("…", Some(all)),
        };
        let kind = match op {
            Op::Unary(op) => format!("unary {}", symbol(*op)),
            Op::Binary(op) => format!("binary {}", op.symbol()),
            Op::GetAttr(name) => format!("attribute {name}"),
            Op::Index => "index".to_owned(),
            Op::Call(function, expand) => {
                format!("call {}{}", function.name, if *expand { "..." } else { "" })
            }
            Op::Convert(_) => format!("convert {}", self.frame.text(at)),
            Op::Object { .. } => "object of keys".to_owned(),
            Op::ForTuple => "for tuple".to_owned(),
            Op::ForObject { group } => format!("for object {group}"),
            Op::Unwrap | Op::Tuple | Op::Template | Op::ForTemplate | Op::SplatFinish(_) | Op::Custom(_) => {
                return Identity::Untold;
            }
        };
        Identity::made(&kind, args, text)
    }
}

fn reads_files(function: &Function) -> bool {
    function.purity == Purity::Files && !OF_PLACE.contains(&function.name)
}

fn words(name: &str, terms: Option<&[Arc<Term>]>) -> String {
    let all: Vec<&str> = terms.unwrap_or_default().iter().map(|term| &*term.text).collect();
    format!("{name}({})", all.join(", "))
}

/// Puts the elements of the last argument in its place; false where they aren't known.
fn spread(args: &mut Vec<Identity>) -> bool {
    let Some(all) = args.last().and_then(elements) else { return false };
    args.pop();
    args.extend(all.into_iter().map(|(_, element)| element));
    true
}

pub(super) fn attribute(of: &Identity, name: &str) -> Option<Identity> {
    match of {
        Identity::Object(attrs) => Some(attrs.get(name).cloned().unwrap_or_else(|| missing(name))),
        _ => None,
    }
}

fn element(of: &Identity, key: &Identity) -> Option<Identity> {
    match (of, key) {
        (Identity::Object(attrs), key) => {
            let key = key_of(key)?;
            Some(attrs.get(&key).cloned().unwrap_or_else(|| missing(&key)))
        }
        (Identity::Tuple(items), Identity::Known(key)) => {
            let at = key.as_number()?.as_usize()?;
            Some(items.get(at).cloned().unwrap_or_else(|| missing(&at.to_string())))
        }
        // One of what is known, under a key that isn't.
        _ => None,
    }
}

fn missing(name: &str) -> Identity {
    Identity::leaf("missing", name)
}

fn merged(all: &[Identity]) -> Option<Identity> {
    let mut attrs = BTreeMap::new();
    for one in all {
        match one {
            Identity::Known(value) if value.is_null() => {}
            Identity::Known(value) if !matches!(value.data, Data::Map(_)) => return None,
            _ => {
                for (key, element) in elements(one)? {
                    attrs.insert(key.as_str().map(Arc::from)?, element);
                }
            }
        }
    }
    Some(Identity::Object(Arc::new(attrs)))
}

fn joined(all: &[Identity]) -> Option<Identity> {
    let mut items = Vec::new();
    for one in all {
        match one {
            Identity::Object(_) => return None,
            Identity::Known(value) if !matches!(value.data, Data::Seq(_)) => return None,
            _ => items.extend(elements(one)?.into_iter().map(|(_, element)| element)),
        }
    }
    Some(Identity::Tuple(items.into()))
}

fn symbol(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::Not => "!",
    }
}

/// An error of Terraform's.
pub(super) fn failed(known: &Known) -> Option<Identity> {
    match known {
        Known::Failed(error) if !error.limit => Some(Identity::leaf("fails", &error.message)),
        Known::Failed(_) | Known::Open(_) | Known::Value(_) => None,
    }
}
