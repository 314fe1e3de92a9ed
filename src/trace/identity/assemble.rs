//! Parts put together: objects, lists, texts, and the results of a `for`.

use super::{Identity, Term};
use crate::func::hidden::word;
use crate::value::{Data, Type, Value, convert};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A text has no more pieces, and these no more bytes. Texts within texts double.
const MOST_PIECES: usize = 512;
const MOST_BYTES: usize = 1 << 20;

/// An object of keys and values in turn; nothing where a key isn't known.
pub(in crate::trace) fn object(args: &[Identity]) -> Option<Identity> {
    let mut attrs = BTreeMap::new();
    for pair in args.chunks_exact(2) {
        let [key, value] = pair else { continue };
        attrs.insert(key_of(key)?, value.clone());
    }
    Some(Identity::Object(Arc::new(attrs)))
}

/// The elements that a `for` keeps; nothing where that isn't known.
pub(in crate::trace) fn for_tuple(args: &[Identity]) -> Option<Identity> {
    let mut out = Vec::new();
    for triple in args.chunks_exact(3) {
        let [cond, _, value] = triple else { continue };
        if is_true(cond)? {
            out.push(value.clone());
        }
    }
    Some(Identity::Tuple(out.into()))
}

/// The entries that a `for` keeps; nothing where that isn't known, or two have one key.
pub(in crate::trace) fn for_object(args: &[Identity], group: bool) -> Option<Identity> {
    let mut grouped: BTreeMap<Arc<str>, Vec<Identity>> = BTreeMap::new();
    for triple in args.chunks_exact(3) {
        let [cond, key, value] = triple else { continue };
        if is_true(cond)? {
            grouped.entry(key_of(key)?).or_default().push(value.clone());
        }
    }
    let mut attrs = BTreeMap::new();
    for (key, mut values) in grouped {
        let value = match group {
            true => Identity::Tuple(values.into()),
            false if values.len() == 1 => values.pop()?,
            false => return None,
        };
        attrs.insert(key, value);
    }
    Some(Identity::Object(Arc::new(attrs)))
}

/// A text of pieces. Texts within it are a part of it, and what is known side by side is one piece.
pub(in crate::trace) fn template(args: &[Identity]) -> Identity {
    let mut pieces: Vec<Identity> = Vec::new();
    let mut bytes = 0;
    for arg in args {
        let inner = match arg {
            Identity::Open(term) => term.pieces.clone(),
            _ => None,
        };
        match inner {
            Some(inner) => inner.iter().for_each(|piece| push(&mut pieces, piece.clone())),
            None => push(&mut pieces, arg.clone()),
        }
        bytes += size_of_texts(&pieces);
        if pieces.len() > MOST_PIECES || bytes > MOST_BYTES {
            return Identity::Untold;
        }
    }
    let made = Identity::made("template", &pieces, |terms| {
        let text = |(piece, term): (&Identity, &Arc<Term>)| match piece {
            Identity::Known(value) if word(&value.marks).is_none() => {
                value.as_str().unwrap_or_default().to_owned()
            }
            _ => format!("${{{}}}", term.text),
        };
        format!("\"{}\"", pieces.iter().zip(terms).map(text).collect::<String>())
    });
    match made {
        Identity::Open(term) => {
            Identity::Open(Arc::new(Term { pieces: Some(pieces.into()), ..Term::clone(&term) }))
        }
        other => other,
    }
}

fn size_of_texts(pieces: &[Identity]) -> usize {
    pieces.iter().filter_map(|piece| piece.value()?.as_str()).map(str::len).sum()
}

fn push(pieces: &mut Vec<Identity>, piece: Identity) {
    let text = |of: &Identity| {
        let value = convert::convert(of.value()?, &Type::String).ok()?;
        (!value.is_null()).then_some(value)
    };
    let Some(new) = text(&piece) else { return pieces.push(piece) };
    let joined = pieces.last().and_then(&text).and_then(|last| {
        let marks = last.marks.union(&new.marks);
        Some(Value::string(format!("{}{}", last.as_str()?, new.as_str()?)).with_marks(&marks))
    });
    match joined {
        Some(joined) => {
            pieces.pop();
            pieces.push(Identity::Known(joined));
        }
        None => pieces.push(Identity::Known(new)),
    }
}

/// A key as an object has it.
pub(in crate::trace) fn key_of(key: &Identity) -> Option<Arc<str>> {
    let value = convert::convert(key.value()?, &Type::String).ok()?;
    value.as_str().map(Arc::from)
}

/// What a condition is.
pub(in crate::trace) fn is_true(cond: &Identity) -> Option<bool> {
    convert::convert(&cond.value()?.clone().unmark().0, &Type::Bool).ok()?.as_bool()
}

/// The elements of a collection with their keys; nothing where there may be others.
pub(in crate::trace) fn elements(of: &Identity) -> Option<Vec<(Value, Identity)>> {
    match of {
        Identity::Object(attrs) => Some(attrs.iter().map(|(k, v)| (Value::string(k), v.clone())).collect()),
        Identity::Tuple(items) => {
            Some((0u64..).zip(items.iter()).map(|(i, v)| (Value::number(i), v.clone())).collect())
        }
        Identity::Known(value) => {
            let (plain, marks) = value.clone().unmark();
            let is_set = matches!(plain.ty, Type::Set(_));
            matches!(plain.data, Data::Seq(_) | Data::Map(_)).then_some(())?;
            let own = |v: &Value| v.clone().with_marks(&marks);
            let one = |(key, element): (Value, &Value)| {
                let key = if is_set { element.clone() } else { key };
                (key, Identity::Known(own(element)))
            };
            Some(plain.elements().map(one).collect())
        }
        Identity::Open(_) | Identity::Untold => None,
    }
}
