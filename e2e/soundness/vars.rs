//! Random root variables: every way of saying which values are meant.

use super::generate::{Gen, has, quote};
use super::model::Variable;

impl Gen {
    pub(super) fn root_variables(&mut self) -> Vec<Variable> {
        let n = 1 + self.rng.below(3);
        (0..n).map(|_| self.root_variable()).collect()
    }

    fn root_variable(&mut self) -> Variable {
        let mut v = Variable::named(self.fresh("v"));
        match self.rng.below(22) {
            0..=3 => self.listed(&mut v),
            4 | 5 => self.in_phi(&mut v),
            6..=8 => self.truth(&mut v),
            9 | 10 => {
                let words = self.quoted();
                v.ty = Some("string".into());
                v.default = Some(words[0].clone());
                v.outside = vec![quote("zzz"), words[1].clone()];
                // Where it is pinned, only its default counts.
                v.inside = words;
            }
            11 | 12 => {
                // Open: only compared.
                v.ty = Some("string".into());
                v.inside = self.quoted();
                v.inside.push(quote("zzz"));
                if self.rng.chance(30) {
                    // Of no type: its parts are only compared.
                    v.ty = Some("any".into());
                    let object = |(a, b)| format!("{{ a = \"{a}\", b = \"{b}\" }}");
                    v.inside = [("p", "q"), ("q", "p"), ("p", "p")].map(object).to_vec();
                }
            }
            13 => {
                v.ty = Some("number".into());
                v.inside = vec!["1".into(), "5".into(), "30".into()];
            }
            14 | 15 => self.numbers(&mut v),
            16 => {
                // Of the environments.
                v.ty = Some("string".into());
                v.environments = self.quoted();
                v.inside = v.environments.clone();
                v.outside = vec![quote("zzz")];
            }
            17 | 18 => self.object(&mut v),
            _ if self.rng.chance(40) => {
                v.ty = Some("map(string)".into());
                let values = match self.rng.chance(50) {
                    true => ["{}", "{ k1 = \"a\" }", "{ k1 = \"b\", k2 = \"a\" }"],
                    false => ["{ k1 = \"c\" }", "{ k1 = \"a\" }", "{ k1 = \"b\", k2 = \"a\" }"],
                };
                self.collected(&mut v, values.map(String::from).to_vec());
                v.outside.push("{ k1 = \"zz\", k9 = \"a\" }".into());
            }
            _ => {
                v.ty = Some("list(string)".into());
                v.universe = Some(vec!["[]".into(), "[\"a\"]".into(), "[\"a\", \"b\"]".into()]);
                v.inside = v.universe.clone().unwrap_or_default();
                v.outside = vec!["[\"zz\"]".into(), "[\"b\", \"zz\", \"a\"]".into()];
            }
        }
        if v.universe.is_some() && self.rng.chance(25) {
            v.default = Some(v.inside[0].clone());
        }
        if v.ty.as_deref() == Some("string") && self.rng.chance(15) {
            match self.rng.below(3) {
                0 => v.nullable = Some(false),
                1 if v.universe.is_some() => {
                    v.universe.iter_mut().for_each(|u| u.push("null".into()));
                    v.inside.push("null".into());
                }
                _ => v.outside.push("null".into()),
            }
        }
        // Its values may stand nowhere, so only what chooses by it is finite.
        v.sensitive = v.ty.as_deref() == Some("bool") && self.rng.chance(10);
        v
    }

    fn truth(&mut self, v: &mut Variable) {
        v.ty = Some("bool".into());
        v.inside = vec!["true".into(), "false".into()];
        match self.rng.below(5) {
            0 => v.default = Some("null".into()),
            1 => v.default = Some("true".into()),
            2 => v.nullable = Some(false),
            _ => {}
        }
        if v.nullable.is_none() && v.default.as_deref() != Some("null") {
            v.outside = vec!["null".into()];
        }
        if v.nullable.is_none() && self.rng.chance(20) {
            let null = v.default.as_deref() == Some("null");
            let listed: Vec<String> = vec!["true".into(), if null { "null" } else { "false" }.into()];
            let listed = if !null && self.rng.chance(30) { listed[1..].to_vec() } else { listed };
            v.outside = ["true", "false", "null"].map(String::from).to_vec();
            v.outside.retain(|value| !listed.contains(value));
            if v.default.as_ref().is_some_and(|d| !listed.contains(d)) {
                v.default = None;
            }
            (v.inside, v.universe) = (listed.clone(), Some(listed));
        }
    }

    fn quoted(&mut self) -> Vec<String> {
        let n = 2 + self.rng.below(2);
        self.words(n).iter().map(|w| quote(w)).collect()
    }

    /// Texts that validation blocks list, in one of the forms that are read.
    fn listed(&mut self, v: &mut Variable) {
        let words = self.quoted();
        let (name, list) = (v.name.clone(), words.join(", "));
        let other = quote("zzz");
        let equal: Vec<String> = words.iter().map(|w| format!("var.{name} == {w}")).collect();
        let plain: Vec<&str> = words.iter().map(|w| w.trim_matches('"')).collect();
        let pattern = plain.join("|").replace('.', "\\\\.");
        v.ty = Some("string".into());
        v.validations = match self.rng.below(13) {
            9 => vec![format!("var.{name} != null && contains([{list}], var.{name})")],
            10 => vec![format!("alltrue([contains([{list}, \"q\"], var.{name}), var.{name} != \"q\"])")],
            11 => vec![format!("contains([{list}, \"long word\"], var.{name}) && length(var.{name}) < 6")],
            12 => vec![
                format!("!contains([\"q\"], var.{name})"),
                format!("contains([\"q\", {list}], var.{name})"),
            ],
            0 | 1 if has("contains") => vec![format!("contains([{list}], var.{name})")],
            2 => vec![format!("can(regex(\"^({pattern})$\", var.{name}))")],
            3 => vec![format!("anytrue([{}])", equal.join(", "))],
            4 => {
                vec![format!("contains([{list}, \"extra\"], var.{name})"), format!("var.{name} != \"extra\"")]
            }
            5 => vec![format!("contains([{list}, \"q\"], var.{name}) && !contains([\"q\"], var.{name})")],
            6 => vec![format!("can(index([{list}], var.{name}))")],
            7 => vec![format!(
                "lookup({{ {} }}, var.{name}, false)",
                words.iter().map(|w| format!("{w} = true")).collect::<Vec<_>>().join(", ")
            )],
            _ => vec![equal.join(" || ")],
        };
        (v.inside, v.outside) = (words, vec![other]);
    }

    fn in_phi(&mut self, v: &mut Variable) {
        let words = self.quoted();
        v.ty = self.rng.chance(80).then(|| "string".into());
        v.universe = Some(words.clone());
        (v.inside, v.outside) = (words, vec![quote("zzz")]);
    }

    fn numbers(&mut self, v: &mut Variable) {
        let name = v.name.clone();
        v.ty = Some("number".into());
        match self.rng.below(3) {
            0 => {
                v.universe = Some(vec!["1".into(), "2".into(), "15".into()]);
                (v.inside, v.outside) = (v.universe.clone().unwrap_or_default(), vec!["7".into()]);
            }
            1 => {
                v.validations = vec![
                    format!("var.{name} >= 1 && var.{name} < 4"),
                    format!("floor(var.{name}) == var.{name}"),
                ];
                v.inside = vec!["1".into(), "2".into(), "3".into()];
                v.outside = vec!["4".into(), "1.5".into(), "0".into()];
            }
            _ => {
                v.validations = vec![format!("contains([1, 2, 5], var.{name})")];
                v.inside = vec!["1".into(), "2".into(), "5".into()];
                v.outside = vec!["4".into()];
            }
        }
    }

    /// An object; some of its attributes are optional.
    fn object(&mut self, v: &mut Variable) {
        v.ty = Some("object({ a = string, n = optional(number), b = optional(bool, true) })".into());
        let values = ["{ a = \"x\" }", "{ a = \"y\", n = 5 }", "{ a = \"x\", b = false }"].map(String::from);
        self.collected(v, values.to_vec());
        v.outside.push("{ a = \"z\" }".into());
        // Each attribute is listed, the whole isn't.
        v.outside.push("{ a = \"y\", b = false }".into());
    }

    /// Values of a collection, by whatever may list them.
    fn collected(&mut self, v: &mut Variable, values: Vec<String>) {
        v.inside = values.clone();
        match self.rng.below(6) {
            0 | 1 => v.universe = Some(values),
            2 => v.environments = values,
            3 | 4 => {
                v.default = Some(values[0].clone());
                v.environments = values[1..].to_vec();
            }
            _ => {
                // Pinned, or held by the attributes that fields need.
                v.default = Some(values[0].clone());
                v.inside.truncate(1);
                v.outside = values[1..].to_vec();
            }
        }
    }
}
