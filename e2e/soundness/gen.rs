//! Random trees whose fields are finite by construction.

use super::model::{Call, Expr, Module, Repeat, Resource, Tree, Ty, Variable, node};
use super::rng::Rng;

/// What an expression may refer to.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    ty: Ty,
    /// Values that it can take, where they are known: keys of maps that it indexes.
    keys: Vec<String>,
    /// Not finite: only good for conditions.
    open: bool,
}

/// The names in reach of one place.
type Scope = Vec<Name>;

const WORDS: &[&str] = &["a", "b", "dev", "prod", "15.4", "true", "1", "x y"];

pub struct Gen {
    rng: Rng,
    serial: usize,
}

fn quote(s: &str) -> String {
    format!("\"{s}\"")
}

fn has(name: &str) -> bool {
    tf_phi::func::lookup(name).is_some()
}

/// A tree from a seed.
pub fn tree(seed: u64) -> Tree {
    let mut g = Gen { rng: Rng::new(seed), serial: 0 };
    let depth = *g.rng.pick(&[0, 1, 1, 2, 2, 3, 4]);
    let mut tree =
        Tree { modules: vec![Module::default()], pins: vec![("terraform_data".into(), "input".into())] };
    let root = g.root_variables();
    let scope = root.iter().map(|v| g.name_of(v)).collect();
    tree.modules[0].variables = root;
    g.body(&mut tree, 0, depth, scope);
    if g.rng.chance(30) {
        // Only some of them are driven; the others come along.
        let resource = tree.modules.iter().flat_map(|m| &m.resources).next().map(|r| r.name.clone());
        if let Some(name) = resource {
            tree.pins = vec![(format!("terraform_data.{name}"), "input".into())];
        }
    }
    tree
}

impl Gen {
    fn fresh(&mut self, prefix: &str) -> String {
        self.serial += 1;
        format!("{prefix}{}", self.serial)
    }

    fn words(&mut self, n: usize) -> Vec<String> {
        let start = self.rng.below(WORDS.len());
        (0..n).map(|i| WORDS[(start + i) % WORDS.len()].to_owned()).collect()
    }

    fn root_variables(&mut self) -> Vec<Variable> {
        let n = 1 + self.rng.below(3);
        (0..n).map(|_| self.root_variable()).collect()
    }

    fn root_variable(&mut self) -> Variable {
        let mut v = Variable::named(self.fresh("v"));
        let words = 2 + self.rng.below(2);
        let words = self.words(words);
        let quoted: Vec<String> = words.iter().map(|w| quote(w)).collect();
        let other = quote("zzz");
        let name = v.name.clone();
        match self.rng.below(12) {
            0 | 1 if has("contains") => {
                v.ty = Some("string".into());
                v.validations.push(format!("contains([{}], var.{name})", quoted.join(", ")));
                (v.inside, v.outside) = (quoted, vec![other]);
            }
            0..=2 => {
                v.ty = Some("string".into());
                let any: Vec<String> = quoted.iter().map(|w| format!("var.{name} == {w}")).collect();
                v.validations.push(any.join(" || "));
                (v.inside, v.outside) = (quoted, vec![other]);
            }
            3 | 4 => {
                v.ty = self.rng.chance(80).then(|| "string".into());
                v.universe = Some(quoted.clone());
                (v.inside, v.outside) = (quoted, vec![other]);
            }
            5 | 6 => {
                v.ty = Some("bool".into());
                v.inside = vec!["true".into(), "false".into()];
                if self.rng.chance(20) {
                    v.default = Some("null".into());
                }
            }
            7 => {
                v.ty = Some("string".into());
                v.default = Some(quoted[0].clone());
                v.outside = vec![other, quoted[1].clone()];
                // Where it is pinned, only its default counts.
                v.inside = quoted;
            }
            8 | 9 => {
                // Open: only compared.
                v.ty = Some("string".into());
                v.inside = quoted;
                v.inside.push(other);
            }
            10 => {
                v.ty = Some("number".into());
                v.inside = vec!["1".into(), "5".into(), "30".into()];
            }
            _ => {
                v.ty = Some("number".into());
                v.universe = Some(vec!["1".into(), "2".into(), "15".into()]);
                (v.inside, v.outside) = (v.universe.clone().unwrap_or_default(), vec!["7".into()]);
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
        v
    }

    fn name_of(&mut self, v: &Variable) -> Name {
        let finite = !v.validations.is_empty() || v.universe.is_some() || v.ty.as_deref() == Some("bool");
        let ty = match v.ty.as_deref() {
            Some("bool") => Ty::Bool,
            Some("number") => Ty::Num,
            _ => Ty::Str,
        };
        // A default alone is finite too, but only while nothing compares with other values.
        let open = !finite && v.default.is_none();
        Name { text: format!("var.{}", v.name), ty, keys: v.inside.clone(), open }
    }

    /// Fills a module: locals, calls, resources, outputs.
    fn body(&mut self, tree: &mut Tree, at: usize, depth: usize, mut scope: Scope) {
        for _ in 0..self.rng.below(4) {
            let (ty, d) = (self.any_type(), 1 + self.rng.below(3));
            let e = self.expr(&ty, d, &scope);
            let name = self.fresh("l");
            self.offer(&mut scope, format!("local.{name}"), &ty);
            tree.modules[at].locals.push((name, e));
        }
        if depth > 0 {
            for _ in 0..=usize::from(self.rng.chance(30)) {
                self.call(tree, at, depth, &mut scope);
            }
        }
        let resources = if depth == 0 { 1 + self.rng.below(2) } else { self.rng.below(2) };
        let mut attributes = Vec::new();
        for _ in 0..resources {
            let ty = if self.rng.chance(75) { Ty::Str } else { self.any_type() };
            let d = 1 + self.rng.below(3);
            let input = self.expr(&ty, d, &scope);
            let name = self.fresh("r");
            let repeat = match self.rng.below(20) {
                0 => Repeat::Count(self.count(&scope)),
                1 => Repeat::ForEach("{ k1 = \"e1\", k2 = \"e2\" }".into()),
                _ => Repeat::No,
            };
            if repeat == Repeat::No {
                attributes.push((format!("terraform_data.{name}.input"), ty.clone()));
            }
            tree.modules[at].resources.push(Resource { name, input, repeat });
        }
        for _ in 0..1 + self.rng.below(2) {
            let ty = self.any_type();
            let e = self.expr(&ty, 1, &scope);
            let name = self.fresh("o");
            tree.modules[at].outputs.push((name, e));
        }
        for (text, ty) in attributes {
            if self.rng.chance(40) {
                let name = self.fresh("t");
                tree.modules[at].outputs.push((name, Expr::leaf(ty, text)));
            }
        }
    }

    fn count(&mut self, scope: &Scope) -> Expr {
        let cond = self.bool(1, scope);
        node(Ty::Num, "@ ? 1 : 0", vec![cond])
    }

    /// A call of a new module, or of one that is there.
    fn call(&mut self, tree: &mut Tree, at: usize, depth: usize, scope: &mut Scope) {
        let calls = &tree.modules[at].calls;
        let again = self.rng.chance(25).then(|| calls.last().map(|c| c.module)).flatten();
        let module = match again {
            Some(module) => module,
            None => {
                let module = tree.modules.len();
                tree.modules.push(Module::default());
                let variables: Vec<(Variable, Name)> =
                    (0..1 + self.rng.below(3)).map(|_| self.parameter(scope)).collect();
                let inner = variables.iter().map(|v| v.1.clone()).collect();
                tree.modules[module].variables = variables.into_iter().map(|v| v.0).collect();
                self.body(tree, module, depth - 1, inner);
                module
            }
        };
        let parameters = tree.modules[module].variables.clone();
        let mut args = Vec::new();
        let repeat = match self.rng.below(16) {
            0 => Repeat::Count(self.count(scope)),
            1 => Repeat::ForEach("{ k1 = \"e1\", k2 = \"e2\" }".into()),
            _ => Repeat::No,
        };
        for p in &parameters {
            if p.default.is_some() && self.rng.chance(50) {
                continue;
            }
            let ty = parse_type(p);
            let open = p.name.starts_with("open");
            let value = if open {
                let names: Vec<&Name> = scope.iter().filter(|n| n.ty == ty).collect();
                if names.is_empty() {
                    self.literal(&ty)
                } else {
                    Expr::leaf(ty.clone(), self.rng.pick(&names).text.clone())
                }
            } else if p.validations.is_empty() {
                if matches!(repeat, Repeat::ForEach(_)) && ty == Ty::Str && self.rng.chance(50) {
                    Expr::leaf(Ty::Str, self.rng.word(&["each.key", "each.value", "\"${each.key}-q\""]))
                } else {
                    let d = 1 + self.rng.below(3);
                    self.expr(&ty, d, scope)
                }
            } else {
                let one = quote(&p.inside[0]);
                let two = quote(&p.inside[1]);
                let cond = self.bool(1, scope);
                node(Ty::Str, &format!("@ ? {one} : {two}"), vec![cond])
            };
            args.push((p.name.clone(), value));
        }
        let name = self.fresh("c");
        let outputs: Vec<(String, Ty)> =
            tree.modules[module].outputs.iter().map(|(k, e)| (k.clone(), e.ty.clone())).collect();
        for (output, ty) in outputs {
            let text = match &repeat {
                Repeat::No => format!("module.{name}.{output}"),
                Repeat::ForEach(_) => format!("module.{name}[\"k1\"].{output}"),
                Repeat::Count(_) => continue,
            };
            if output.starts_with('t') {
                // What a resource holds is not known in time: it only passes through.
                if self.rng.chance(50) {
                    let out = self.fresh("t");
                    tree.modules[at].outputs.push((out, Expr::leaf(ty, text)));
                }
            } else {
                self.offer(scope, text, &ty);
            }
        }
        tree.modules[at].calls.push(Call { name, module, args, repeat });
    }

    /// A variable of a called module.
    fn parameter(&mut self, scope: &Scope) -> (Variable, Name) {
        let opens: Vec<&Name> = scope.iter().filter(|n| n.open).collect();
        if !opens.is_empty() && self.rng.chance(30) {
            let from = (*self.rng.pick(&opens)).clone();
            let mut v = Variable::named(self.fresh("open"));
            v.ty = Some(from.ty.text());
            let name = Name { text: format!("var.{}", v.name), ..from };
            return (v, name);
        }
        let ty = self.any_type();
        let mut v = Variable::named(self.fresh("p"));
        v.ty = Some(ty.text());
        let mut keys = Vec::new();
        match self.rng.below(10) {
            0 if matches!(ty, Ty::Str) => {
                v.inside = self.words(2);
                keys = v.inside.iter().map(|w| quote(w)).collect();
                v.validations =
                    vec![format!("var.{} == {} || var.{} == {}", v.name, keys[0], v.name, keys[1])];
            }
            1 | 2 => v.default = Some(self.literal(&ty).text()),
            3 if ty == Ty::Str => {
                v.default = Some("\"dflt\"".into());
                v.nullable = Some(false);
            }
            4 if ty == Ty::Str && self.rng.chance(30) => v.default = Some("null".into()),
            _ => {}
        }
        let text = format!("var.{}", v.name);
        (v, Name { text, ty, keys, open: false })
    }

    /// Adds a name and what can be reached through it.
    fn offer(&mut self, scope: &mut Scope, text: String, ty: &Ty) {
        match ty {
            Ty::Obj(attrs) => {
                for (k, t) in attrs {
                    self.offer(scope, format!("{text}.{k}"), t);
                }
            }
            Ty::Map(t) if !text.contains('[') => {
                scope.push(Name {
                    text: format!("{text}[\"k1\"]"),
                    ty: (**t).clone(),
                    keys: Vec::new(),
                    open: false,
                });
            }
            Ty::List(t) if has("try") => {
                let text = format!("try({text}[0], {})", self.literal(t).text());
                scope.push(Name { text, ty: (**t).clone(), keys: Vec::new(), open: false });
            }
            _ => {}
        }
        scope.push(Name { text, ty: ty.clone(), keys: Vec::new(), open: false });
    }

    fn any_type(&mut self) -> Ty {
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

    fn literal(&mut self, ty: &Ty) -> Expr {
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
    fn expr(&mut self, ty: &Ty, d: usize, scope: &Scope) -> Expr {
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

    fn leaf(&mut self, ty: &Ty, scope: &Scope) -> Expr {
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
        ]
        .into_iter()
        .filter(|(f, _)| has(f))
        .filter(|(f, _)| *f != "coalesce" || matches!(ty, Ty::Str | Ty::Num | Ty::Bool))
        .filter(|(f, _)| *f != "flatten" || !matches!(ty, Ty::List(_)))
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
    fn bool(&mut self, d: usize, scope: &Scope) -> Expr {
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
}

/// The type that a parameter was made with.
fn parse_type(v: &Variable) -> Ty {
    let text = v.ty.clone().unwrap_or_default();
    let all = [
        Ty::Str,
        Ty::Num,
        Ty::Bool,
        Ty::List(Box::new(Ty::Str)),
        Ty::Map(Box::new(Ty::Str)),
        Ty::Obj(vec![("a".into(), Ty::Str), ("n".into(), Ty::Num)]),
        Ty::Obj(vec![("a".into(), Ty::Obj(vec![("b".into(), Ty::Str)])), ("c".into(), Ty::Bool)]),
        Ty::Map(Box::new(Ty::Obj(vec![("a".into(), Ty::Str)]))),
    ];
    all.into_iter().find(|t| t.text() == text).unwrap_or(Ty::Str)
}
