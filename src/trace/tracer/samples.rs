//! Literals of a type, for fixes whose reader puts values of their own in their place.

use crate::config::Variable;
use crate::value::Type;

/// Returns what to paste into `phi.hcl` to list two values of each variable.
pub(in crate::trace) fn universes_of(all: &[&Variable]) -> String {
    let listed = |v: &&Variable| {
        let (a, b) = (sample(&v.ty, false), sample(&v.ty, true));
        format!("variable \"{}\" {{\n  universe = [{a}, {b}]\n}}", v.name)
    };
    all.iter().map(listed).collect::<Vec<_>>().join("\n\n")
}

/// Returns one of two literals of a type, to fill in if the user's own values aren't known.
pub(in crate::trace) fn sample(ty: &Type, second: bool) -> String {
    let within = |ty: &Type| sample(ty, second);
    match ty {
        Type::Number => if second { "2" } else { "1" }.to_owned(),
        Type::Bool => (!second).to_string(),
        Type::List(item) | Type::Set(item) => format!("[{}]", within(item)),
        Type::Map(item) => format!("{{ key = {} }}", within(item)),
        Type::Tuple(items) => format!("[{}]", items.iter().map(within).collect::<Vec<_>>().join(", ")),
        Type::Object(object) => {
            let needed = object.attrs.iter().filter(|(name, _)| !object.optional.contains(*name));
            let attributes = needed.map(|(name, ty)| format!("{name} = {}", within(ty)));
            format!("{{ {} }}", attributes.collect::<Vec<_>>().join(", "))
        }
        _ => if second { "\"second\"" } else { "\"first\"" }.to_owned(),
    }
}
