//! Random expressions of a type, over the names in reach.

use super::generate::{Gen, Name, Scope, WORDS, has, quote};
use super::model::{Expr, Ty, node};

impl Gen {
    pub(super) fn any_type(&mut self) -> Ty {
        match self.rng.below(16) {
            0..=7 => Ty::Str,
            8 => Ty::Num,
            9 | 10 => Ty::Bool,
            11 => Ty::List(Box::new(Ty::Str)),
            12 => Ty::Map(Box::new(Ty::Str)),
            13 => Ty::Obj(vec![("a".into(), Ty::Str), ("n".into(), Ty::Num)]),
            14 => Ty::Obj(vec![("a".into(), Ty::Obj(vec![("b".into(), Ty::Str)])), ("c".into(), Ty::Bool)]),
            _ => Ty::Map(Box::new(Ty::Obj(vec![("a".into(), Ty::Str)]))),
        }
    }

    pub(super) fn literal(&mut self, ty: &Ty) -> Expr {
        let text = match ty {
            Ty::Str => quote(self.rng.word(WORDS)),
            Ty::Num => (self.rng.word(&["0", "1", "2", "15.4", "1.50", "1e2", "-3"])).into(),
            Ty::Bool => (self.rng.word(&["true", "false"])).into(),
            Ty::List(t) => {
                let items: Vec<String> = (0..1 + self.rng.below(2)).map(|_| self.literal(t).text()).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Map(t) => format!("{{ k1 = {}, k2 = {} }}", self.literal(t).text(), self.literal(t).text()),
            Ty::Obj(attrs) => {
                let attrs: Vec<String> =
                    attrs.iter().map(|(k, t)| format!("{k} = {}", self.literal(t).text())).collect();
                format!("{{ {} }}", attrs.join(", "))
            }
        };
        Expr::leaf(ty.clone(), text)
    }

    /// A finite expression.
    pub(super) fn expr(&mut self, ty: &Ty, d: usize, scope: &Scope) -> Expr {
        if d == 0 {
            return self.leaf(ty, scope);
        }
        let d = d - 1;
        match self.rng.below(10) {
            0 => return self.leaf(ty, scope),
            1 | 2 => {
                let cond = self.bool(d.min(2), scope);
                let (a, b) = (self.expr(ty, d, scope), self.expr(ty, d, scope));
                return node(ty.clone(), "(@ ? @ : @)", vec![cond, a, b]);
            }
            3 => return self.keyed(ty, d, scope),
            4 => {
                // Through a wrapping that is taken off again.
                let e = self.expr(ty, d, scope);
                let other = self.literal(&Ty::Str);
                return match self.rng.below(4) {
                    0 => node(ty.clone(), "{ w = @, z = @ }.w", vec![e, other]),
                    1 => node(ty.clone(), "[@, @][0]", vec![e, other]),
                    2 => node(ty.clone(), "[for x in [@] : x][0]", vec![e]),
                    _ => node(ty.clone(), "([{ q = @ }][*].q)[0]", vec![e]),
                };
            }
            5 => {
                if let Some(e) = self.generic_call(ty, d, scope) {
                    return e;
                }
            }
            _ => {}
        }
        match ty {
            Ty::Str => self.string(d, scope),
            Ty::Num => self.number(d, scope),
            Ty::Bool => self.finite_bool(d, scope),
            Ty::List(t) => self.list(t, d, scope),
            Ty::Map(t) => self.map(t, d, scope),
            Ty::Obj(attrs) => {
                let parts = attrs.iter().map(|(_, t)| self.expr(t, d, scope)).collect();
                let pattern: Vec<String> = attrs.iter().map(|(k, _)| format!("{k} = @")).collect();
                node(ty.clone(), &format!("{{ {} }}", pattern.join(", ")), parts)
            }
        }
    }

    pub(super) fn leaf(&mut self, ty: &Ty, scope: &Scope) -> Expr {
        let names: Vec<&Name> = scope.iter().filter(|n| n.ty == *ty && !n.open).collect();
        if !names.is_empty() && self.rng.chance(75) {
            return Expr::leaf(ty.clone(), self.rng.pick(&names).text.clone());
        }
        if *ty == Ty::Str && self.rng.chance(1) {
            return Expr::leaf(Ty::Str, "null");
        }
        self.literal(ty)
    }

    /// A choice by a key.
    fn keyed(&mut self, ty: &Ty, d: usize, scope: &Scope) -> Expr {
        let with: Vec<&Name> = scope.iter().filter(|n| n.ty == Ty::Str && !n.keys.is_empty()).collect();
        if with.is_empty() {
            let cond = self.bool(1, scope);
            let (a, b) = (self.expr(ty, d, scope), self.expr(ty, d, scope));
            return node(ty.clone(), "{ yes = @, no = @ }[@ ? \"yes\" : \"no\"]", vec![a, b, cond]);
        }
        let key = (*self.rng.pick(&with)).clone();
        let mut parts = Vec::new();
        let mut entries = Vec::new();
        let mut keys: Vec<String> = key.keys.iter().filter(|k| *k != "null").cloned().collect();
        let lookup = has("lookup");
        let all = keys.len() == key.keys.len();
        if (lookup || has("try")) && (!all || self.rng.chance(40)) {
            keys.truncate(keys.len().max(2) - 1);
        }
        let short = keys.len() < key.keys.len();
        for k in &keys {
            entries.push(format!("{k} = @"));
            parts.push(self.expr(ty, d.min(1), scope));
        }
        let map = format!("{{ {} }}", entries.join(", "));
        let null = key.keys.iter().any(|k| k == "null");
        if lookup && !null && ((short && !has("try")) || self.rng.chance(60)) {
            parts.push(self.literal(ty));
            return node(ty.clone(), &format!("lookup({map}, {}, @)", key.text), parts);
        }
        if short && has("try") {
            parts.push(self.literal(ty));
            return node(ty.clone(), &format!("try({map}[{}], @)", key.text), parts);
        }
        node(ty.clone(), &format!("{map}[{}]", key.text), parts)
    }

    /// Functions that give what they get.
    fn generic_call(&mut self, ty: &Ty, d: usize, scope: &Scope) -> Option<Expr> {
        let patterns: Vec<(&str, &str)> = [
            ("try", "try(@, @)"),
            ("try", "try({ u = @ }.missing, @)"),
            ("coalesce", "coalesce(null, @, @)"),
            ("coalesce", "coalesce(@, @)"),
            ("element", "element([@, @], 3)"),
            ("one", "one([@])"),
            ("jsondecode", "jsondecode(jsonencode({ a = @ })).a"),
            ("merge", "merge({ a = @ }, { a = @ }).a"),
            ("lookup", "lookup({ a = @, b = @ }, \"b\", null)"),
            ("values", "values({ a = @ })[0]"),
            ("flatten", "flatten([[@]])[0]"),
            ("concat", "concat([@], [@])[1]"),
            ("reverse", "reverse([@, @])[0]"),
            ("nonsensitive", "nonsensitive(sensitive(@))"),
            ("zipmap", "zipmap([\"a\"], [@]).a"),
            ("can", "(can(@) ? @ : @)"),
            ("values", "values({ for x in [\"b\", \"a\"] : x => @ })[1]"),
            ("merge", "merge({ a = @ }, { for x in [@] : \"b\" => x }).b"),
            ("flatten", "[for x in [{ g = \"h\", v = @ }] : x.v if x.g != \"i\"][0]"),
            ("keys", "{ for x in [{ g = \"h\", v = @ }, { g = \"h\", v = @ }] : x.g => x.v... }[\"h\"][1]"),
            ("one", "one([for x in [@, @] : x][*])"),
            ("index", "[@, @][index([\"p\", \"q\"], \"q\")]"),
        ]
        .into_iter()
        .filter(|(f, _)| has(f))
        .filter(|(f, _)| *f != "coalesce" || matches!(ty, Ty::Str | Ty::Num | Ty::Bool))
        .filter(|(f, _)| *f != "flatten" || !matches!(ty, Ty::List(_)))
        .filter(|(f, p)| !(*f == "one" && p.contains("for")))
        .filter(|(f, _)| !matches!(*f, "element" | "jsondecode") || !matches!(ty, Ty::Map(_) | Ty::List(_)))
        .collect();
        if patterns.is_empty() {
            return None;
        }
        let pattern = self.rng.pick(&patterns).1;
        let n = pattern.matches('@').count();
        let parts = (0..n).map(|_| self.expr(ty, d, scope)).collect();
        Some(node(ty.clone(), pattern, parts))
    }

    fn string(&mut self, d: usize, scope: &Scope) -> Expr {
        let s = Ty::Str;
        let calls: Vec<(&str, &str)> = [
            ("upper", "upper(@)"),
            ("lower", "lower(@)"),
            ("title", "title(@)"),
            ("format", "format(\"%s-%s\", @, @)"),
            ("format", "format(\"v%v\", @)"),
            ("join", "join(\"/\", [@, @])"),
            ("split", "split(\"-\", @)[0]"),
            ("replace", "replace(@, \"a\", \"b\")"),
            ("trimspace", "trimspace(@)"),
            ("substr", "substr(@, 0, 1)"),
            ("tostring", "tostring(@)"),
            ("trimprefix", "trimprefix(@, \"a\")"),
            ("jsonencode", "jsonencode(@)"),
            ("element", "element(split(\",\", \"x,y,${@}\"), 2)"),
            ("regex", "regex(\"^.\", \"q${@}\")"),
            ("md5", "md5(@)"),
            ("strrev", "strrev(@)"),
            ("base64encode", "base64encode(@)"),
            ("coalescelist", "coalescelist([], [@])[0]"),
            ("sort", "sort([@, @])[0]"),
            ("templatestring", "<<-EOT\n  a ${@}\n    b\n  EOT\n"),
            ("templatestring", "<<EOT\n%{ for x in [@, @] ~}\n- ${x}\n%{ endfor ~}\nEOT\n"),
            ("templatestring", "chomp(<<-EOT\n    %{~ if @ == \"a\" ~}\n  one\n    %{~ endif }\n  EOT\n)"),
            ("keys", "join(\",\", keys({ (@) = 1, zz = 2 }))"),
            ("join", "join(\",\", [for x in [@, @] : x if x != \"a\"])"),
            ("join", "join(\"-\", toset([@, @]))"),
            ("lookup", "lookup({ a = @ }, @, @)"),
            ("try", "try({ a = @, prod = \"w\" }[@], @)"),
            ("trimsuffix", "trimsuffix(@, \"b\")"),
            ("regexall", "join(\"\", regexall(\"[a-z]\", @))"),
            ("format", "format(\"%q\", @)"),
            ("join", "\"%{ for x in [@, @] }${x},%{ endfor }\""),
        ]
        .into_iter()
        .filter(|(f, _)| has(f))
        .collect();
        match self.rng.below(12) {
            0..=2 => {
                let a = self.expr(&s, d, scope);
                node(s, self.rng.word(&["\"${@}-x\"", "\"p${@}\"", "\"${@}\""]), vec![a])
            }
            3 => {
                let (a, b) = (self.expr(&s, d, scope), self.expr(&Ty::Num, d.min(1), scope));
                node(s, "\"${@}:${@}\"", vec![a, b])
            }
            4 => {
                let (c, a) = (self.bool(1, scope), self.expr(&s, d, scope));
                node(s, "\"%{ if @ }${@}%{ else }none%{ endif }\"", vec![c, a])
            }
            5 => {
                // Arms of two types meet as text.
                let c = self.bool(1, scope);
                let (a, b) = (self.expr(&Ty::Num, d, scope), self.expr(&s, d, scope));
                node(s, "(@ ? @ : @)", vec![c, a, b])
            }
            6 if self.rng.chance(25) => {
                let (c, a) = (self.bool(1, scope), self.expr(&s, d, scope));
                node(s, "(@ ? null : @)", vec![c, a])
            }
            7 => {
                let a = self.expr(&Ty::Bool, d, scope);
                node(s, "\"is ${@}\"", vec![a])
            }
            _ if !calls.is_empty() => {
                let pattern = self.rng.pick(&calls).1;
                let parts = (0..pattern.matches('@').count()).map(|_| self.expr(&s, d, scope)).collect();
                node(s, pattern, parts)
            }
            _ => self.keyed(&s, d, scope),
        }
    }

    fn number(&mut self, d: usize, scope: &Scope) -> Expr {
        let n = Ty::Num;
        match self.rng.below(6) {
            0 | 1 => {
                let (a, b) = (self.expr(&n, d, scope), self.literal(&n));
                node(n, self.rng.word(&["(@ + @)", "(@ * @)", "(@ - @)"]), vec![a, b])
            }
            2 if has("length") => {
                let a = self.expr(&Ty::List(Box::new(Ty::Str)), d, scope);
                node(n, "length(@)", vec![a])
            }
            3 if has("max") => {
                let (a, b) = (self.expr(&n, d, scope), self.literal(&n));
                node(n, self.rng.word(&["max(@, @)", "min(@, @)"]), vec![a, b])
            }
            4 if has("tonumber") => {
                let a = self.literal(&n);
                node(n, "tonumber(\"${@}\")", vec![a])
            }
            _ => {
                let a = self.expr(&n, d, scope);
                node(n, "(-@)", vec![a])
            }
        }
    }

    fn list(&mut self, t: &Ty, d: usize, scope: &Scope) -> Expr {
        let list = Ty::List(Box::new(t.clone()));
        let calls: Vec<(&str, &str)> = [
            ("concat", "concat([@], [@])"),
            ("compact", "compact([@, \"\"])"),
            ("distinct", "distinct([@, @])"),
            ("tolist", "tolist([@, @])"),
            ("slice", "slice([@, @], 0, 1)"),
            ("keys", "values({ k = @ })"),
        ]
        .into_iter()
        .filter(|(f, _)| has(f) && (*f != "compact" || *t == Ty::Str))
        .collect();
        match self.rng.below(6) {
            0 => {
                let (a, b, e) =
                    (self.expr(t, d, scope), self.expr(t, d, scope), self.expr(&Ty::Bool, d.min(1), scope));
                node(list, "[for x in [@, @] : x if @]", vec![a, b, e])
            }
            1 if *t == Ty::Str => {
                let (a, b) = (self.expr(t, d, scope), self.expr(t, d, scope));
                node(list, "[for i, x in [@, @] : \"${i}-${x}\"]", vec![a, b])
            }
            2 => {
                let (a, b) = (self.expr(t, d, scope), self.expr(t, d, scope));
                node(list, "[for k, v in { b = @, a = @ } : v]", vec![a, b])
            }
            3 if !calls.is_empty() => {
                let pattern = self.rng.pick(&calls).1;
                let parts = (0..pattern.matches('@').count()).map(|_| self.expr(t, d, scope)).collect();
                node(list, pattern, parts)
            }
            4 => {
                let (a, b) = (self.expr(t, d, scope), self.expr(t, d, scope));
                node(list, "[{ y = @ }, { y = @ }][*].y", vec![a, b])
            }
            _ => {
                let (a, b) = (self.expr(t, d, scope), self.expr(t, d, scope));
                node(list, "[@, @]", vec![a, b])
            }
        }
    }

    fn map(&mut self, t: &Ty, d: usize, scope: &Scope) -> Expr {
        let map = Ty::Map(Box::new(t.clone()));
        let (a, b) = (self.expr(t, d, scope), self.expr(t, d, scope));
        match self.rng.below(5) {
            0 => node(map, "{ for i, x in [@, @] : \"k${i + 1}\" => x }", vec![a, b]),
            1 if has("merge") => node(map, "merge({ k1 = @ }, { k2 = @ })", vec![a, b]),
            2 if has("tomap") => node(map, "tomap({ k1 = @, k2 = @ })", vec![a, b]),
            3 => node(map, "{ for k, v in { k1 = @, k2 = @ } : k => v }", vec![a, b]),
            _ => node(map, "{ k1 = @, k2 = @ }", vec![a, b]),
        }
    }

    fn finite_bool(&mut self, d: usize, scope: &Scope) -> Expr {
        self.bool(d, scope)
    }

    /// A condition; it may ask open names.
    pub(super) fn bool(&mut self, d: usize, scope: &Scope) -> Expr {
        let b = Ty::Bool;
        if d > 0 && self.rng.chance(45) {
            let d = d - 1;
            let x = self.bool(d, scope);
            return match self.rng.below(5) {
                0 => node(b, "!@", vec![node(Ty::Bool, "(@)", vec![x])]),
                1 | 2 => {
                    let y = self.bool(d, scope);
                    node(b, "(@ && @)", vec![x, y])
                }
                3 => {
                    let y = self.bool(d, scope);
                    node(b, "(@ || @)", vec![x, y])
                }
                _ => {
                    let (y, z) = (self.bool(d, scope), self.bool(d, scope));
                    node(b, "(@ ? @ : @)", vec![x, y, z])
                }
            };
        }
        if d > 0 && self.rng.chance(6) {
            return self.of_collections(d - 1, scope);
        }
        let usable: Vec<&Name> =
            scope.iter().filter(|n| matches!(n.ty, Ty::Str | Ty::Num | Ty::Bool)).collect();
        if usable.is_empty() || self.rng.chance(5) {
            return self.literal(&b);
        }
        let name = (*self.rng.pick(&usable)).clone();
        let key = |g: &mut Gen| {
            if name.keys.is_empty() || g.rng.chance(10) {
                quote(g.rng.word(WORDS))
            } else {
                g.rng.pick(&name.keys).clone()
            }
        };
        let text = match name.ty {
            Ty::Bool => name.text.clone(),
            Ty::Num => {
                let op = self.rng.word(&["<", ">", "<=", ">=", "==", "!="]);
                let to = self.rng.word(&["1", "2", "10", "15", "5"]);
                format!("{} {op} {to}", name.text)
            }
            _ => match self.rng.below(8) {
                0 | 1 => format!("{} != {}", name.text, key(self)),
                2 if has("contains") => {
                    let (x, y) = (key(self), key(self));
                    format!("contains([{x}, {y}], {})", name.text)
                }
                3 => format!("{} == null", name.text),
                4 if has("can") && has("regex") => format!("can(regex(\"^[a-d]\", {}))", name.text),
                5 if has("startswith") && !name.open => format!("startswith({}, \"a\")", name.text),
                6 if has("length") && !name.open => format!("length({}) > 2", name.text),
                _ => format!("{} == {}", name.text, key(self)),
            },
        };
        let text = if text.contains(' ') && !text.ends_with(')') { format!("({text})") } else { text };
        Expr::leaf(b, text)
    }

    /// A condition on collections, some of which are lists or tuples depending on whether another arm fails.
    fn of_collections(&mut self, d: usize, scope: &Scope) -> Expr {
        let (b, list) = (Ty::Bool, Ty::List(Box::new(Ty::Str)));
        let texts: Vec<&Name> = scope.iter().filter(|n| n.ty == Ty::Str).collect();
        let text = match texts.is_empty() {
            true => quote("a,b"),
            false => self.rng.pick(&texts).text.clone(),
        };
        let patterns: Vec<(&str, String)> = [
            ("split", format!("((@ ? [] : split(\",\", {text})) == [])")),
            ("split", format!("((@ ? split(\"-\", {text}) : [\"a\"]) == [\"a\"])")),
            ("split", format!("(length(@ ? [\"a\", \"b\"] : split(\"-\", {text})) > 1)")),
            ("split", format!("((@ ? {{}} : {{ for x in split(\",\", {text}) : x => x... }}) == {{}})")),
            ("jsonencode", format!("(jsonencode(@ ? [] : [upper({text})]) == \"[]\")")),
            ("contains", "contains([[\"a\"], @ ? [] : [\"a\"]], [])".to_owned()),
        ]
        .into_iter()
        .filter(|(f, _)| has(f))
        .collect();
        if patterns.is_empty() || self.rng.chance(30) {
            let (x, y) = (self.expr(&list, d.min(1), scope), self.expr(&list, d.min(1), scope));
            return node(b, "(@ == @)", vec![x, y]);
        }
        let pattern = self.rng.pick(&patterns).1.clone();
        let cond = self.bool(d, scope);
        node(b, &pattern, vec![cond])
    }
}
