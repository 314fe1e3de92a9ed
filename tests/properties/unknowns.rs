//! What is known although parts are unknown has to be so for every value of these parts.

use crate::harness::{admits, covers, evaluate_text, shown};
use crate::holes::{Holed, holed, kept, texts};
use std::collections::BTreeMap;
use std::sync::Arc;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::{Mark, Refinements, Type, Value};

/// An unknown that a value is one of the possible values of, in several degrees of knowledge.
fn unknowns(value: &Value) -> Vec<Value> {
    let mut all = vec![Value::dynamic(), Value::unknown(value.ty.clone())];
    if value.is_null() {
        return all.into_iter().map(|unknown| unknown.with_marks(&value.marks)).collect();
    }
    all.push(Value::unknown_not_null(value.ty.clone()));
    let length = value.length().map(|n| n as u64).filter(|_| value.ty.is_collection());
    let refined = [
        Refinements {
            not_null: true,
            prefix: value.as_str().and_then(|s| s.chars().next()).map(|c| Arc::from(c.to_string())),
            min: value.as_number().map(|n| (n.clone(), true)),
            min_len: length,
            ..Refinements::default()
        },
        Refinements {
            max: value.as_number().map(|n| (n.clone(), true)),
            max_len: length.map(|n| n + 1),
            min_len: length,
            ..Refinements::default()
        },
    ];
    all.extend(refined.into_iter().map(|r| Value::unknown_refined(value.ty.clone(), r)));
    all.into_iter().map(|unknown| unknown.with_marks(&value.marks_deep())).collect()
}

/// Values by type, a few of each.
type Pool = BTreeMap<String, Vec<Value>>;

fn pool(all: &[Holed]) -> Pool {
    let mut pool = Pool::new();
    for value in all.iter().flat_map(|h| h.values.values()) {
        let of = pool.entry(value.ty.to_string()).or_default();
        if of.len() < 40 && !of.contains(value) {
            of.push(value.clone());
        }
    }
    pool
}

/// Others that the unknown may be.
fn others(unknown: &Value, own: &Value, pool: &Pool, salt: usize) -> Vec<Value> {
    let mut found = vec![own.clone()];
    let same = pool.get(&own.ty.to_string()).map_or(&[][..], Vec::as_slice);
    for i in 0..same.len() {
        let other = &same[(i + salt) % same.len()];
        if found.len() < 3 && admits(unknown, other) && other.marks_deep() == own.marks_deep() {
            found.push(other.clone());
        }
    }
    let null = Value::null(own.ty.clone()).with_marks(&own.marks_deep());
    if admits(unknown, &null) {
        found.push(null);
    }
    if unknown.ty == Type::Dynamic {
        found.extend(
            [Value::null(Type::Dynamic), Value::string("é"), Value::number(3)]
                .map(|v| v.with_marks(&own.marks_deep())),
        );
    }
    found
}

/// Whether a part that is known isn't sensitive, but will be. Of unknown ones `try` takes the mark, as Terraform's does.
fn loses_a_mark(vague: &Value, sure: &Value) -> bool {
    if !vague.is_known() || vague.marks.has(Mark::Sensitive) {
        return false;
    }
    sure.marks.has(Mark::Sensitive) || vague.parts().zip(sure.parts()).any(|(a, b)| loses_a_mark(a, b))
}

#[test]
fn unknown_parts_never_give_a_wrong_answer() {
    let number = |name: &str, default: usize| std::env::var(name).map_or(default, |v| v.parse().expect(name));
    let rounds = number("TF_PHI_PROPERTY_ROUNDS", 1);
    let seed = number("TF_PHI_PROPERTY_SEED", 1) as u64;
    let all: Vec<Holed> = on_big_stack(|| {
        let texts = texts(500 * rounds, seed);
        let made = (0..rounds)
            .flat_map(|round| texts.iter().filter_map(move |t| holed(t, round as u64 + (seed - 1) * 1000)));
        kept().into_iter().chain(made).collect()
    });
    let pool = pool(&all);
    let (mut known, mut compared) = (0, 0);
    let mut wrong = Vec::new();
    on_big_stack(|| {
        'holes: for (salt, holed) in all.iter().enumerate() {
            for (name, own) in &holed.values {
                for unknown in unknowns(own) {
                    let mut values = holed.values.clone();
                    values.insert(name.clone(), unknown.clone());
                    let vague = evaluate_text(&holed.text, &values);
                    if matches!(&vague, Err(e) if e.limit) {
                        continue;
                    }
                    for other in others(&unknown, own, &pool, salt) {
                        values.insert(name.clone(), other.clone());
                        let sure = evaluate_text(&holed.text, &values);
                        let fine = match (&vague, &sure) {
                            (_, Err(e)) if e.limit => continue,
                            (Err(_), sure) => sure.is_err(),
                            (Ok(vague), Ok(sure)) => covers(vague, sure) && !loses_a_mark(vague, sure),
                            (Ok(_), Err(_)) => true,
                        };
                        compared += 1;
                        known += usize::from(matches!((&vague, &sure), (Ok(v), Ok(_)) if v.is_known()));
                        if !fine && wrong.len() < 400 {
                            wrong.push(format!(
                                "{}\n  {name} = {} gives {}\n  {name} = {} gives {}",
                                holed.text,
                                shown(&Ok(unknown.clone())),
                                shown(&vague),
                                shown(&Ok(other)),
                                shown(&sure)
                            ));
                            continue 'holes;
                        }
                    }
                }
            }
        }
    });
    println!("{compared} comparisons, {known} of them with something known");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(known > 2000, "only {known} of {compared}");
}
