//! Random trees whose fields are finite by construction: modules, calls, resources, and what they are repeated over.

use super::model::{Call, Expr, Module, Repeat, Resource, Tree, Ty, Variable, WORKSPACE, node};
use super::rng::Rng;

/// What an expression may refer to.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub ty: Ty,
    /// Values that it can take, where they are known: keys of maps that it indexes.
    pub keys: Vec<String>,
    /// Not finite: only good for conditions.
    pub open: bool,
}

/// The names in reach of one place.
pub(super) type Scope = Vec<Name>;

pub(super) const WORDS: &[&str] = &["a", "b", "dev", "prod", "15.4", "true", "1", "x y"];

pub struct Gen {
    pub(super) rng: Rng,
    pub(super) serial: usize,
    /// The variables of the module at hand that are objects with the attributes a, n and b.
    objects: Vec<String>,
}

pub(super) fn quote(s: &str) -> String {
    format!("\"{s}\"")
}

pub(super) fn has(name: &str) -> bool {
    tf_phi::func::lookup(name).is_some()
}

/// A tree from a seed.
pub fn tree(seed: u64) -> Tree {
    let mut g = Gen { rng: Rng::new(seed), serial: 0, objects: Vec::new() };
    let depth = *g.rng.pick(&[0, 1, 1, 2, 2, 3, 4]);
    let mut tree = Tree { pins: vec![("terraform_data".into(), "input".into())], ..Tree::default() };
    tree.modules.push(Module::default());
    let root = g.root_variables();
    let mut scope = Scope::new();
    if g.rng.chance(12) {
        tree.workspaces = ["default", "prod", "dev"].iter().map(|w| quote(w)).collect();
        tree.workspaces.truncate(2 + g.rng.below(2));
        let keys = tree.workspaces.clone();
        scope.push(Name { text: WORKSPACE.into(), ty: Ty::Str, keys, open: false });
    }
    for v in &root {
        let name = g.name_of(v);
        match &name.ty {
            Ty::Obj(_) => {
                g.objects.push(name.text.clone());
                g.offer(&mut scope, name.text.clone(), &name.ty);
            }
            _ => scope.push(name),
        }
        if v.ty.as_deref() == Some("any") {
            scope.pop();
            for part in ["a", "b"] {
                let text = format!("var.{}.{part}", v.name);
                let keys = vec![quote("p"), quote("q")];
                scope.push(Name { text, ty: Ty::Str, keys, open: true });
            }
        }
    }
    tree.modules[0].variables = root;
    if g.rng.chance(8) {
        g.data_source(&mut tree, 0, &mut scope);
    }
    let outer = scope.clone();
    g.body(&mut tree, 0, depth, scope);
    if g.rng.chance(10) {
        g.listed_by_field(&mut tree, &outer);
    }
    if g.rng.chance(8) {
        g.in_bins(&mut tree, &outer);
    }
    if g.rng.chance(30) {
        // Only some of them are driven; the others come along.
        let resource = tree.modules.iter().flat_map(|m| &m.resources).next().map(|r| r.name.clone());
        if let Some(name) = resource {
            tree.pins = vec![(format!("terraform_data.{name}"), "input".into())];
        }
    }
    tree.at_resource = g.rng.chance(40);
    tree.edited = g.rng.chance(25);
    tree
}

impl Gen {
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.serial += 1;
        format!("{prefix}{}", self.serial)
    }

    pub(super) fn words(&mut self, n: usize) -> Vec<String> {
        let start = self.rng.below(WORDS.len());
        (0..n).map(|i| WORDS[(start + i) % WORDS.len()].to_owned()).collect()
    }

    fn name_of(&mut self, v: &Variable) -> Name {
        let listed = !v.validations.is_empty() || v.universe.is_some() || !v.environments.is_empty();
        let finite = listed || v.ty.as_deref() == Some("bool");
        let ty = match v.ty.as_deref() {
            Some("bool") => Ty::Bool,
            Some("number") => Ty::Num,
            Some("list(string)") => Ty::List(Box::new(Ty::Str)),
            Some("map(string)") => Ty::Map(Box::new(Ty::Str)),
            Some(object) if object.starts_with("object") => {
                Ty::Obj(vec![("a".into(), Ty::Str), ("n".into(), Ty::Num), ("b".into(), Ty::Bool)])
            }
            _ => Ty::Str,
        };
        // A default alone is finite too, but only while nothing compares with other values.
        let open = !finite && v.default.is_none();
        Name { text: format!("var.{}", v.name), ty, keys: v.inside.clone(), open }
    }

    /// Fills a module: locals, calls, resources, outputs.
    fn body(&mut self, tree: &mut Tree, at: usize, depth: usize, mut scope: Scope) {
        if at > 0 && self.rng.chance(5) {
            self.data_source(tree, at, &mut scope);
        }
        for _ in 0..self.rng.below(4) {
            let (ty, d) = (self.any_type(), 1 + self.rng.below(3));
            let e = self.expr(&ty, d, &scope);
            let json = self.rng.chance(8);
            let name = self.fresh(if json { "j" } else { "l" });
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
            let (repeat, inner) =
                if self.rng.chance(20) { self.repeat(&scope) } else { (Repeat::No, scope.clone()) };
            let input = self.expr(&ty, d, &inner);
            let name = self.fresh("r");
            if repeat == Repeat::No {
                attributes.push((format!("terraform_data.{name}.input"), ty.clone()));
            }
            let after = self.after(&tree.modules[at], 8);
            let overridden = self.rng.chance(6);
            tree.modules[at].resources.push(Resource { name, input, repeat, after, overridden });
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

    /// What a declaration may wait for: something that stands before it.
    fn after(&mut self, module: &Module, percent: usize) -> Vec<String> {
        if !self.rng.chance(percent) {
            return Vec::new();
        }
        let calls = module.calls.iter().map(|c| format!("module.{}", c.name));
        let all: Vec<String> =
            calls.chain(module.resources.iter().map(|r| format!("terraform_data.{}", r.name))).collect();
        if all.is_empty() { Vec::new() } else { vec![self.rng.pick(&all).clone()] }
    }

    /// What a declaration is repeated over, and the names in reach inside it.
    fn repeat(&mut self, scope: &Scope) -> (Repeat, Scope) {
        let mut inner = scope.clone();
        let keys = [quote("k1"), quote("k2")];
        let mut name = |text: &str, ty: Ty, keys: &[String]| {
            inner.push(Name { text: text.into(), ty, keys: keys.to_vec(), open: false });
        };
        let map = Ty::Map(Box::new(Ty::Str));
        let texts = |ty: &Ty| {
            let names = scope.iter().filter(|n| n.ty == *ty && !n.open);
            names.map(|n| n.text.clone()).collect::<Vec<_>>()
        };
        let (lists, maps) = (texts(&Ty::List(Box::new(Ty::Str))), texts(&map));
        let over = match self.rng.below(14) {
            9 | 10 if !lists.is_empty() => {
                name("each.value", Ty::Str, &[quote("a"), quote("b")]);
                Expr::leaf(map, format!("toset({})", self.rng.pick(&lists)))
            }
            11 | 12 if !maps.is_empty() => {
                name("each.value", Ty::Str, &[quote("a"), quote("b")]);
                Expr::leaf(map, self.rng.pick(&maps).clone())
            }
            13 if !lists.is_empty() => {
                let list = self.rng.pick(&lists).clone();
                name("count.index", Ty::Num, &["0".into(), "1".into()]);
                return (Repeat::Count(Expr::leaf(Ty::Num, format!("length({list})"))), inner);
            }
            0 | 1 => {
                let cond = self.bool(1, scope);
                return (Repeat::Count(node(Ty::Num, "@ ? 1 : 0", vec![cond])), inner);
            }
            2 => {
                name("count.index", Ty::Num, &["0".into(), "1".into()]);
                return (Repeat::Count(Expr::leaf(Ty::Num, "2")), inner);
            }
            3 => {
                name("each.value", Ty::Str, &keys);
                Expr::leaf(map, "toset([\"k1\", \"k2\"])")
            }
            4 | 5 => {
                name("each.value.s", Ty::Str, &[]);
                name("each.value.n", Ty::Num, &[]);
                let (a, b, n) =
                    (self.expr(&Ty::Str, 1, scope), self.expr(&Ty::Str, 1, scope), self.literal(&Ty::Num));
                node(map, "{ k1 = { s = @, n = @ }, k2 = { s = @, n = 2 } }", vec![a, n, b])
            }
            6 => {
                name("each.value", Ty::Str, &[quote("e1"), quote("e2"), quote("e3")]);
                let cond = self.bool(1, scope);
                node(map, "@ ? tomap({ k1 = \"e1\", k2 = \"e2\" }) : tomap({ k1 = \"e3\" })", vec![cond])
            }
            7 => {
                name("each.value", Ty::Str, &[quote("K1"), quote("K2")]);
                let cond = self.bool(1, scope);
                node(map, "{ for k in [\"k1\", \"k2\"] : k => upper(k) if k == \"k1\" || @ }", vec![cond])
            }
            _ => {
                name("each.value", Ty::Str, &[quote("e1"), quote("e2")]);
                Expr::leaf(map, "{ k1 = \"e1\", k2 = \"e2\" }")
            }
        };
        name("each.key", Ty::Str, &keys);
        (Repeat::ForEach(over), inner)
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
                let mut inner = Scope::new();
                let mut objects = Vec::new();
                for (v, name) in &variables {
                    match v.name.starts_with("obj") {
                        true => {
                            objects.push(name.text.clone());
                            self.offer(&mut inner, name.text.clone(), &name.ty);
                        }
                        false => inner.push(name.clone()),
                    }
                }
                tree.modules[module].variables = variables.into_iter().map(|v| v.0).collect();
                let around = std::mem::replace(&mut self.objects, objects);
                self.body(tree, module, depth - 1, inner);
                self.objects = around;
                module
            }
        };
        let parameters = tree.modules[module].variables.clone();
        let (repeat, mut inner) =
            if self.rng.chance(25) { self.repeat(scope) } else { (Repeat::No, scope.clone()) };
        if repeat != Repeat::No {
            // So that what differs from key to key is often chosen.
            let own: Scope = inner.split_off(scope.len());
            inner = own.iter().cycle().take(own.len() * (1 + scope.len() / 3)).cloned().collect();
            inner.extend(scope.iter().cloned());
        }
        let args = self.arguments(&parameters, &inner, scope);
        let name = self.fresh("c");
        let outputs: Vec<(String, Ty)> =
            tree.modules[module].outputs.iter().map(|(k, e)| (k.clone(), e.ty.clone())).collect();
        for (output, ty) in outputs {
            let many = Ty::List(Box::new(ty.clone()));
            let (text, ty) = match (&repeat, self.rng.below(4)) {
                (Repeat::No, _) => (format!("module.{name}.{output}"), ty),
                (Repeat::ForEach(e), 1..) if !e.text().contains("k1 =") => {
                    (format!("[for m in module.{name} : m.{output}]"), many)
                }
                (Repeat::ForEach(_), 0) => (format!("values(module.{name})[*].{output}"), many),
                (Repeat::ForEach(_), 1) => (format!("[for m in module.{name} : m.{output}]"), many),
                (Repeat::ForEach(_), _) => (format!("module.{name}[\"k1\"].{output}"), ty),
                (Repeat::Count(_), 0) => (format!("[for m in module.{name} : m.{output}]"), many),
                (Repeat::Count(_), 1) => (format!("module.{name}[*].{output}"), many),
                (Repeat::Count(_), _) => {
                    let other = self.literal(&ty).text();
                    (format!("try(module.{name}[0].{output}, {other})"), ty)
                }
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
        let after = self.after(&tree.modules[at], 5);
        let mut call = Call { name, module, choice: None, args, repeat, after };
        if at == 0 && self.rng.chance(10) {
            self.chosen(tree, &mut call);
        }
        tree.modules[at].calls.push(call);
    }

    /// What a call passes; variables that may hold anything get a name as it is.
    fn arguments(&mut self, parameters: &[Variable], inner: &Scope, scope: &Scope) -> Vec<(String, Expr)> {
        let mut args = Vec::new();
        for p in parameters {
            if p.default.is_some() && self.rng.chance(50) {
                continue;
            }
            if p.name.starts_with("obj") {
                let whole = match self.objects.is_empty() {
                    true => "{ a = \"x\" }".to_owned(),
                    false => self.rng.pick(&self.objects.clone()).clone(),
                };
                args.push((p.name.clone(), Expr::leaf(Ty::Str, whole)));
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
                let d = 1 + self.rng.below(3);
                self.expr(&ty, d, inner)
            } else {
                let one = quote(&p.inside[0]);
                let two = quote(&p.inside[1]);
                let cond = self.bool(1, inner);
                node(Ty::Str, &format!("@ ? {one} : {two}"), vec![cond])
            };
            args.push((p.name.clone(), value));
        }
        args
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
        if !self.objects.is_empty() && self.rng.chance(40) {
            return self.object_parameter();
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

    /// One that takes an object as it is, with other types or with defaults.
    fn object_parameter(&mut self) -> (Variable, Name) {
        let mut v = Variable::named(self.fresh("obj"));
        let (ty, n) = self
            .rng
            .pick(&[
                ("object({ a = string, n = optional(number), b = optional(bool, true) })", Ty::Num),
                ("object({ a = string, n = number, b = bool })", Ty::Num),
                ("object({ a = string, n = optional(string, \"dn\"), b = optional(bool) })", Ty::Str),
                ("object({ a = optional(string, \"da\"), n = optional(number, 7), b = bool })", Ty::Num),
                ("any", Ty::Num),
            ])
            .clone();
        v.ty = Some(ty.into());
        let attrs = vec![("a".into(), Ty::Str), ("n".into(), n), ("b".into(), Ty::Bool)];
        (
            v.clone(),
            Name { text: format!("var.{}", v.name), ty: Ty::Obj(attrs), keys: Vec::new(), open: false },
        )
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
