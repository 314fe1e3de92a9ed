//! What a function takes is bounded, whatever its arguments are: charged work grows as these do, and no single call takes more memory than an evaluation may.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod functions;

use cap::Cap;
use functions::{args_of, growing, run};
use std::alloc::System;
use std::sync::{Arc, Mutex, PoisonError};
use tf_phi::func::lookup;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::{Number, Type, Value};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Other tests take memory, too.
static ALONE: Mutex<()> = Mutex::new(());

/// The bytes that one evaluation may make, and as much again for what a call needs while it makes them.
const MOST: usize = 2 * (128 << 20);

/// Calls that would make far more than they may.
fn calls() -> Vec<(&'static str, Vec<Value>)> {
    const LONG: usize = 16 << 20;
    let s = |text: &str| Value::string(text);
    let string = |text: String| Value::string(text);
    let long = string("x".repeat(LONG));
    let shared = Value::list(Type::String, vec![string("x".repeat(LONG / 2)); 100]);
    let many = Value::list(Type::String, (0..20_000).map(|n| string(n.to_string())).collect());
    let numbers = Value::list(Type::Number, (0..20_000).map(|n| Value::number(Number::from(n))).collect());
    let keyed = Value::map(many.ty.clone(), (0..300).map(|n| (Arc::from(format!("k{n}")), many.clone())));
    let times = |value: &Value| vec![value.clone(); 300];
    vec![
        ("split", vec![s(""), long.clone()]),
        ("split", vec![s("x"), long.clone()]),
        ("jsondecode", vec![string(format!("[{}0]", "0,".repeat(LONG / 4)))]),
        ("yamldecode", vec![string("-\n".repeat(LONG / 8))]),
        ("csvdecode", vec![string("a,".repeat(LONG / 4))]),
        ("jsonencode", vec![shared.clone()]),
        ("yamlencode", vec![shared.clone()]),
        ("format", vec![s("%#v"), shared.clone()]),
        ("join", vec![s(","), shared]),
        ("formatlist", vec![s("%s%s"), many.clone(), long.clone()]),
        ("strrev", vec![long]),
        ("transpose", vec![keyed]),
        ("setunion", [times(&many), times(&numbers)].concat()),
        ("setsubtract", vec![many.clone(), numbers.clone()]),
        ("concat", [times(&many), times(&numbers)].concat()),
        ("setproduct", vec![many.clone(), many.clone()]),
        ("flatten", vec![Value::list(many.ty.clone(), vec![many; 300])]),
        ("range", vec![Value::number(Number::from(1_i64 << 40))]),
    ]
}

#[test]
fn what_a_call_takes_is_bounded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    on_big_stack(|| {
        let mut failures = Vec::new();
        for (name, args) in calls() {
            let (before, peak) = (ALLOCATOR.allocated(), ALLOCATOR.max_allocated());
            let (found, _) = run(lookup(name).unwrap(), &args);
            let after = ALLOCATOR.max_allocated();
            // A call that stays below what another one took took less.
            if after > peak && after - before > MOST {
                let shown: String = found.err().unwrap_or_default().chars().take(80).collect();
                failures.push(format!("{name}: {} MiB: {shown}", (after - before) >> 20));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    });
}

/// What is slower than a walk is charged so, in sixteenths of a part for each byte.
#[test]
fn slow_functions_are_charged_by_the_byte() {
    for (name, least) in
        [("sha256", 1), ("jsondecode", 12), ("yamldecode", 24), ("base64gzip", 256), ("sort", 4)]
    {
        let function = lookup(name).unwrap();
        let (found, units) = on_big_stack(|| run(function, &args_of(function, 1 << 14)));
        assert!(found.is_ok() && units >= least * (1 << 14) / 16, "{name}: {units} {found:?}");
    }
}

#[test]
fn charged_work_grows_as_arguments_do() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    on_big_stack(|| {
        let mut failures = Vec::new();
        for function in growing() {
            let units = |bytes: usize| run(function, &args_of(function, bytes)).1;
            let [one, two, four] = [1 << 14, 1 << 15, 1 << 16].map(units);
            let (first, second) = (two.saturating_sub(one), four.saturating_sub(two));
            let each = function.bytes_at_once;
            let least = (12_u64 << 14).checked_div(each).unwrap_or(0);
            // The least charge is a unit for 256 bytes. Twice as much more costs nearly twice as much more.
            if first < least.max((1 << 14) / 256) || second * 10 < first * 17 {
                let (found, _) = run(function, &args_of(function, 1 << 14));
                failures.push(format!("{}: {one} {two} {four} {:?}", function.name, found.err()));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    });
}

/// Equal values are found by what they hold, and not by comparing each with each.
#[test]
fn many_objects_are_looked_up() {
    let object = |n: i64| {
        Value::object([("a", Value::number(Number::from(n))), ("b", Value::tuple(vec![Value::bool(true)]))])
    };
    let list = |all: Vec<Value>| Value::list(all[0].ty.clone(), all);
    let sized = |count: i64| list((0..count).map(|n| object(n / 2)).collect());
    let of = |name: &str, args: &[Value]| on_big_stack(|| run(lookup(name).unwrap(), args));
    for name in ["distinct", "setsubtract", "setintersection", "matchkeys"] {
        let args = |count: i64| match name {
            "distinct" => vec![sized(count)],
            "matchkeys" => vec![sized(count), sized(count), sized(count)],
            _ => vec![sized(count), sized(count)],
        };
        let ((small, few), (large, many)) = (of(name, &args(4_000)), of(name, &args(16_000)));
        assert!(small.is_ok() && large.is_ok(), "{name}: {small:?}");
        assert!(many < 5 * few, "{name}: {few} {many}");
    }
    let (found, _) = of("distinct", &[sized(16_000)]);
    let first: Vec<Value> = (0..8_000).map(object).collect();
    assert_eq!(found, Ok(list(first)), "the first of each, in order");
    // Fractions of one whole part are compared with each other, and charged for it.
    let fractions = |count: i64| {
        let one = |n: i64| Value::number(Number::parse(&format!("0.{n:05}1")).unwrap());
        Value::list(Type::Number, (0..count).map(one).collect())
    };
    let ((_, few), (_, many)) = (of("distinct", &[fractions(500)]), of("distinct", &[fractions(1_000)]));
    assert!(many > 3 * few, "{few} {many}");
    assert!(of("distinct", &[fractions(16_000)]).0.is_err());
}
