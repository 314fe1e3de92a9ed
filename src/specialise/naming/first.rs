//! Scheme 1, frozen: what names were before. They stand in histories, and in states whose history is lost.

use super::hash::{digits, hashed};
use crate::value::{Data, Value};

/// A value as part of a name.
fn slug(value: &Value) -> String {
    let text = match &value.data {
        Data::Null => "null".to_owned(),
        Data::Bool(b) => b.to_string(),
        Data::Number(n) => n.to_string(),
        Data::String(s) => s.to_string(),
        Data::Unknown(_) | Data::Seq(_) | Data::Map(_) => format!("x{}", digits(std::slice::from_ref(value))),
    };
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !out.ends_with('_') {
            out.push(c);
        }
    }
    let out = out.trim_matches('_');
    match out.chars().next() {
        None => "empty".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("v{out}"),
        Some(_) => out.to_owned(),
    }
}

/// Returns true if a name may be that of a unit's copy whose differing fields have the values `some`, out of `all`.
pub(super) fn fits(copy: &str, unit: &str, some: &[Value], all: &[Value]) -> bool {
    let plain = some.iter().map(slug).collect::<Vec<_>>().join("_");
    [plain.clone(), format!("{plain}_{}", digits(some))]
        .iter()
        .any(|slug| hashed(copy, unit, slug, some, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_the_former_contract() {
        for (value, want) in [
            (Value::string("15.4"), "v15_4"),
            (Value::string("db.t3.micro"), "db_t3_micro"),
            (Value::string(""), "empty"),
            (Value::bool(true), "true"),
            (Value::number(16), "v16"),
            (Value::string("./modules/a"), "modules_a"),
        ] {
            assert_eq!(slug(&value), want);
        }
    }
}
