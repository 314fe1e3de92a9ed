//! The domain of identities, for one place to stand. Each value that the tracer knows is taken from it.

use crate::addr::Target;
use crate::eval::{At, Domain, Element, EvalError, Op, Step};
use crate::trace::identity::assemble::{elements, is_true};
use crate::trace::{Frame, Guarded, Identity, Term};
use crate::value::{Data, Type, Value};
use std::sync::Arc;

/// Reads what expressions are.
pub(in crate::trace) struct Reader<'t, 'a> {
    /// The place.
    pub frame: Frame<'t, 'a>,
    /// The declaration in whose block it stands, which `each` and `count` belong to.
    pub target: Option<Target>,
    /// The number of iterations around over what isn't known.
    pub depth: usize,
}

impl<'a> Reader<'_, 'a> {
    /// The same place with the tracer borrowed again.
    pub fn again(&mut self) -> Reader<'_, 'a> {
        Reader { frame: self.frame.again(), target: self.target.clone(), depth: self.depth }
    }

    /// The element that stands for each one of a collection which isn't known.
    fn any_of(&self, collection: &Identity) -> [Identity; 2] {
        let depth = self.depth;
        let of = |what: &str| {
            let kind = format!("{what} at {depth}");
            Identity::made(&kind, std::slice::from_ref(collection), |terms| match terms {
                [of] => format!("{what} of {}", of.text),
                _ => what.to_owned(),
            })
        };
        [of("key"), of("element")]
    }

    /// Both arms are known: the one that Terraform takes, as it converts it.
    fn chosen(&mut self, parts: [&Value; 3], cond_at: At, at: At) -> Option<Identity> {
        let [cond, then, otherwise] = parts.map(|value| Guarded::of(value.clone()));
        let guarded = self.frame.conditional(
            cond,
            cond_at,
            &mut |_| then.clone(),
            &mut |_| otherwise.clone(),
            [true; 2],
            at,
        );
        self.frame.tracer.only_of(&guarded, at).ok().map(Identity::Known)
    }
}

/// The kind of value beside the arm that is taken, which may convert it.
fn kind_of(arm: &Identity) -> String {
    match arm {
        Identity::Known(value) => value.ty.to_string(),
        Identity::Object(_) => "object".to_owned(),
        Identity::Tuple(_) => "tuple".to_owned(),
        Identity::Open(_) | Identity::Untold => "any".to_owned(),
    }
}

impl Domain for Reader<'_, '_> {
    type V = Identity;

    fn known(&mut self, value: Value, _: At) -> Identity {
        Identity::Known(value)
    }

    fn spend(&mut self, _: At) -> Option<Identity> {
        self.frame.tracer.effort.work += 1;
        self.frame.tracer.exhausted().then_some(Identity::Untold)
    }

    fn fail(&mut self, error: EvalError) -> Identity {
        if error.limit { Identity::Untold } else { Identity::leaf("fails", &error.message) }
    }

    fn reference(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Identity, usize) {
        self.referred(root, steps, at)
    }

    fn apply(&mut self, op: &Op<'_>, args: Vec<Identity>, at: At) -> Identity {
        self.applied(op, args, at)
    }

    fn conditional(
        &mut self,
        cond: Identity,
        cond_at: At,
        then: &mut dyn FnMut(&mut Self) -> Identity,
        otherwise: &mut dyn FnMut(&mut Self) -> Identity,
        _: [bool; 2],
        at: At,
    ) -> Identity {
        let (then, otherwise) = (then(self), otherwise(self));
        let Some(yes) = is_true(&cond) else {
            return Identity::made("conditional", &[cond, then, otherwise], |terms| match terms {
                [cond, then, otherwise] => format!("{} ? {} : {}", cond.text, then.text, otherwise.text),
                _ => String::new(),
            });
        };
        let (taken, other) = if yes { (then, otherwise) } else { (otherwise, then) };
        if let (Identity::Known(cond), Identity::Known(a), Identity::Known(b)) = (&cond, &taken, &other) {
            let arms = if yes { [cond, a, b] } else { [cond, b, a] };
            return self.chosen(arms, cond_at, at).unwrap_or(Identity::Untold);
        }
        let is_secret = cond.value().is_some_and(|value| value.marks_deep().is_secret());
        let alike = |a: &Identity, b: &Identity| a.term().zip(b.term()).is_some_and(|(a, b)| a == b);
        match &taken {
            _ if !is_secret && alike(&taken, &other) => taken,
            Identity::Object(_) | Identity::Tuple(_) if !is_secret => taken,
            // Of two unknown arms either is converted to the type of both; of one that is known, to its type.
            _ => {
                let kind =
                    format!("arm beside {}{}", kind_of(&other), if is_secret { ", secret" } else { "" });
                Identity::made(&kind, &[taken], |terms| match terms {
                    [taken] => taken.text.to_string(),
                    _ => String::new(),
                })
            }
        }
    }

    fn only_if(&mut self, cond: Identity, part: &mut dyn FnMut(&mut Self) -> Identity, _: At) -> Identity {
        match is_true(&cond) {
            Some(false) => Identity::Known(Value::null(Type::Dynamic)),
            _ => part(self),
        }
    }

    fn unknown_call(&mut self, name: &str, args: Vec<Identity>, _: At) -> Identity {
        Identity::made(&format!("call {name}"), &args, |terms| {
            let all: Vec<&str> = terms.iter().map(|term| &*term.text).collect();
            format!("{name}({})", all.join(", "))
        })
    }

    fn splat(
        &mut self,
        source: Identity,
        each: &mut dyn FnMut(&mut Self, Identity) -> Identity,
        _: At,
    ) -> Identity {
        let items = match &source {
            Identity::Tuple(items) => items.to_vec(),
            Identity::Object(_) => vec![source],
            Identity::Known(value) if value.is_null() => Vec::new(),
            Identity::Known(value) if matches!(value.data, Data::Seq(_)) => {
                elements(&source).into_iter().flatten().map(|(_, element)| element).collect()
            }
            Identity::Known(_) => vec![source],
            Identity::Untold => return Identity::Untold,
            Identity::Open(_) => {
                let [_, element] = self.any_of(&source);
                self.depth += 1;
                let each = each(self, element);
                self.depth -= 1;
                return Identity::made("splat", &[source, each], |terms| match terms {
                    [_, each] => format!("[{}]", each.text),
                    _ => String::new(),
                });
            }
        };
        Identity::Tuple(items.into_iter().map(|item| each(self, item)).collect::<Vec<_>>().into())
    }

    fn iterate(
        &mut self,
        collection: Identity,
        each: &mut dyn FnMut(&mut Self, Element<Identity>) -> [Identity; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Identity {
        let Some(all) = elements(&collection) else {
            let [key, value] = self.any_of(&collection);
            self.depth += 1;
            let triple = each(self, Element { key, value, count: 1 });
            self.depth -= 1;
            return over_any(&collection, triple, assemble);
        };
        let count = all.len();
        let mut triples = Vec::with_capacity(count * 3);
        for (key, value) in all {
            triples.extend(each(self, Element { key: Identity::Known(key), value, count }));
            if self.frame.tracer.exhausted() {
                return Identity::Untold;
            }
        }
        self.applied(assemble, triples, at)
    }
}

/// What a `for` gives over a collection that isn't known.
fn over_any(collection: &Identity, [cond, key, value]: [Identity; 3], assemble: &Op<'_>) -> Identity {
    let kind = match assemble {
        Op::ForTuple => "for tuple over",
        Op::ForObject { group: false } => "for object over",
        Op::ForObject { group: true } => "for groups over",
        Op::ForTemplate => "for text over",
        _ => return Identity::Untold,
    };
    Identity::made(kind, &[collection.clone(), cond, key, value], |terms: &[Arc<Term>]| match terms {
        [of, _, _, value] => format!("for {}: {}", of.text, value.text),
        _ => String::new(),
    })
}
