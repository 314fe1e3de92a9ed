//! Names of specializations: a public contract, `naming = 1` in the records.
//!
//! `<name>_<slug>`; the slug of `15.4` is `v15_4`, of `db.t3.micro` is `db_t3_micro`; joint values are joined with `_`; a
//! clash, or more than 40 characters, ends in six hex digits of a hash of the values. A folder's name of more than 100 bytes ends
//! in such digits, too.

use crate::value::{Data, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The scheme's number in records.
pub const SCHEME: u32 = 1;

/// The longest name that is left as it is.
const LONGEST: usize = 40;

/// The longest name of a folder that is left as it is, in bytes.
const LONGEST_FOLDER: usize = 100;

/// A value as part of a name.
pub fn slug(value: &Value) -> String {
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

/// Six hex digits of a hash of some values.
fn digits(values: &[Value]) -> String {
    let text: Vec<String> = values.iter().map(|v| json::encode(v).unwrap_or_default()).collect();
    let kinds: Vec<String> = values.iter().map(|v| v.ty.to_string()).collect();
    hex6(&format!("{}\n{}", kinds.join("\n"), text.join("\n")))
}

/// Six hex digits of a hash of a text.
pub fn hex6(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(3).map(|b| format!("{b:02x}")).collect()
}

/// Slugs of the branches of one unit, in order, each different from the others.
pub fn slugs(branches: &[Vec<Value>]) -> Vec<String> {
    let plain: Vec<String> =
        branches.iter().map(|values| values.iter().map(slug).collect::<Vec<_>>().join("_")).collect();
    // File systems that ignore case must not make two folders one.
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    for slug in &plain {
        *alike.entry(slug.to_ascii_lowercase()).or_default() += 1;
    }
    plain
        .iter()
        .zip(branches)
        .map(|(slug, values)| {
            let same = alike.get(&slug.to_ascii_lowercase()).copied().unwrap_or(0);
            if same > 1 { format!("{slug}_{}", digits(values)) } else { slug.clone() }
        })
        .collect()
}

/// A unit's name for a branch, unlike any that is `taken`.
pub fn name(unit: &str, slug: &str, values: &[Value], taken: &dyn Fn(&str) -> bool) -> String {
    let plain = format!("{unit}_{slug}");
    if plain.chars().count() <= LONGEST && !taken(&plain) {
        return plain;
    }
    let end = digits(values);
    let kept: String = plain.chars().take(LONGEST - end.len() - 1).collect();
    format!("{}_{end}", kept.trim_end_matches('_'))
}

/// Whether a name may be that of a unit's copy with these values, of which any may be the same in all copies.
pub fn fits(copy: &str, unit: &str, values: &[Value]) -> bool {
    let all = 1_u32.checked_shl(u32::try_from(values.len()).unwrap_or(u32::MAX)).unwrap_or(0);
    (1..all).any(|set| {
        let some: Vec<Value> =
            values.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, v)| v.clone()).collect();
        let plain = some.iter().map(slug).collect::<Vec<_>>().join("_");
        [plain.clone(), format!("{plain}_{}", digits(&some))].iter().any(|slug| {
            let plain = format!("{unit}_{slug}");
            let free: &dyn Fn(&str) -> bool = &|_| false;
            let taken: &dyn Fn(&str) -> bool = &|name| name == plain;
            // A hash is of all values, a slug of those that differ.
            [free, taken]
                .iter()
                .any(|taken| [&*some, values].iter().any(|hashed| name(unit, slug, hashed, taken) == copy))
        })
    })
}

/// A folder's name for a branch, short enough for every file system, which may take no more than 255 bytes.
pub fn folder(module: &str, slug: &str) -> String {
    let plain = format!("{module}-{}", slug.replace('_', "-"));
    if plain.len() <= LONGEST_FOLDER {
        return plain;
    }
    let end = hex6(&plain);
    let fits = |at: &usize| *at + 1 + end.len() <= LONGEST_FOLDER;
    let cut = plain.char_indices().map(|(at, _)| at).take_while(fits).last().unwrap_or(0);
    format!("{}-{end}", plain.get(..cut).unwrap_or_default().trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_the_contract() {
        assert_eq!(slug(&Value::string("15.4")), "v15_4");
        assert_eq!(slug(&Value::string("db.t3.micro")), "db_t3_micro");
        assert_eq!(slug(&Value::string("")), "empty");
        assert_eq!(slug(&Value::bool(true)), "true");
        assert_eq!(slug(&Value::number(16)), "v16");
        assert_eq!(slug(&Value::string("./modules/a")), "modules_a");
    }

    #[test]
    fn clashes_and_length_end_in_a_hash() {
        let both = slugs(&[vec![Value::string("a.b")], vec![Value::string("a-b")]]);
        assert!(both.iter().all(|s| s.starts_with("a_b_") && s.len() == 10), "{both:?}");
        assert_ne!(both[0], both[1]);
        let values = [Value::string("x".repeat(60))];
        let long = name("database", &slug(&values[0]), &values, &|_| false);
        assert_eq!(long.len(), 40);
        assert_ne!(name("db", "a", &[Value::string("a")], &|name| name == "db_a"), "db_a");
        assert_eq!(folder("postgres", "v15_4"), "postgres-v15-4");
        let long = ["x", "y"].map(|end| folder("ä", &format!("{}{end}", "é".repeat(200))));
        assert!(long[0].len() <= 100 && long[0] != long[1], "{long:?}");
        let values = [Value::string("15.4"), Value::string("db.t3")];
        let hashed = name("db", "v15_4_db_t3", &values, &|name| name == "db_v15_4_db_t3");
        for copy in ["db_v15_4", "db_db_t3", "db_v15_4_db_t3", &hashed] {
            assert!(fits(copy, "db", &values), "{copy}");
        }
        assert!(
            !fits("db_backup", "db", &values) && !fits("db_backup", "db", &[]) && !fits("db", "db", &values)
        );
    }
}
