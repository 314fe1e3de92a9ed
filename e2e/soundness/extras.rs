//! What a tree may have besides, in its root module: fields whose pins say more, chosen sources, data sources.

use super::generate::{Gen, Name, Scope, quote};
use super::model::{Call, Choice, Data, Expr, Module, Repeat, Resource, Said, Tree, Ty, Variable, node};

const BINS: [u64; 3] = [20, 50, 100];

impl Gen {
    /// A data source whose values are known only when it is read: good for conditions; or for any use, where they are listed.
    pub(super) fn data_source(&mut self, tree: &mut Tree, at: usize, scope: &mut Scope) {
        let name = self.fresh("d");
        let mut outputs = vec![("k".to_owned(), self.expr(&Ty::Str, 1, scope))];
        if self.rng.chance(60) {
            outputs.push(("j".to_owned(), self.expr(&Ty::Str, 1, scope)));
        }
        let mut names: Vec<Name> = Vec::new();
        for (output, _) in &outputs {
            let text = format!("data.terraform_remote_state.{name}.outputs.{output}");
            names.push(Name { text, ty: Ty::Str, keys: Vec::new(), open: true });
        }
        let mut listed = None;
        if self.rng.chance(50) {
            let words: Vec<String> = self.words(2).iter().map(|w| quote(w)).collect();
            let cond = self.bool(1, scope);
            let arms = words.iter().map(|w| Expr::leaf(Ty::Str, w.clone()));
            outputs[0].1 = node(Ty::Str, "(@ ? @ : @)", std::iter::once(cond).chain(arms).collect());
            (names[0].open, names[0].keys) = (false, words.clone());
            listed = Some((outputs[0].0.clone(), words));
        }
        tree.modules[at].data.push(Data { name, outputs, listed });
        scope.extend(names);
    }

    /// A call of one of two modules that differ in what their resources and outputs hold.
    pub(super) fn chosen(&mut self, tree: &mut Tree, call: &mut Call) {
        let fit = |v: &&Variable| v.ty.as_deref() == Some("string") && !v.sensitive && !v.inside.is_empty();
        let Some(v) = tree.modules[0].variables.iter().find(fit) else { return };
        let (variable, value) = (v.name.clone(), self.rng.pick(&v.inside).clone());
        if value == "null" {
            return;
        }
        let mut other: Module = tree.modules[call.module].clone();
        for r in &mut other.resources {
            if self.rng.chance(60) {
                r.input = self.literal(&r.input.ty.clone());
            }
        }
        for (name, e) in &mut other.outputs {
            if name.starts_with('o') && self.rng.chance(50) {
                *e = self.literal(&e.ty.clone());
            }
        }
        call.choice = Some(Choice { variable, value, module: tree.modules.len() });
        tree.modules.push(other);
    }

    /// A variable that only its field's pin lists values for.
    pub(super) fn listed_by_field(&mut self, tree: &mut Tree, scope: &Scope) {
        let mut v = Variable::named(self.fresh("v"));
        let values: Vec<String> = self.words(3).iter().map(|w| quote(w)).collect();
        v.ty = Some("string".into());
        (v.inside, v.outside) = (values.clone(), vec![quote("zzz")]);
        match self.rng.below(4) {
            0 => v.environments = values[..2].to_vec(),
            1 => v.default = Some(values[0].clone()),
            _ => {}
        }
        let own = Expr::leaf(Ty::Str, format!("var.{}", v.name));
        let input = match self.rng.below(3) {
            0 => {
                let cond = self.bool(1, scope);
                node(Ty::Str, "(@ ? @ : @)", vec![cond, own, Expr::leaf(Ty::Str, values[1].clone())])
            }
            _ => own,
        };
        self.said(tree, v, input, Said::Universe(values));
    }

    /// A number that is rounded up to bins where it reaches a driven field.
    pub(super) fn in_bins(&mut self, tree: &mut Tree, scope: &Scope) {
        let mut v = Variable::named(self.fresh("v"));
        v.ty = Some("number".into());
        v.inside = ["3", "20", "21", "50.5", "100"].map(String::from).to_vec();
        v.outside = vec!["101".into()];
        let own = Expr::leaf(Ty::Num, format!("var.{}", v.name));
        let input = match self.rng.below(3) {
            0 => {
                let cond = self.bool(1, scope);
                node(Ty::Num, "(@ ? @ : 50)", vec![cond, own])
            }
            _ => own,
        };
        if self.rng.chance(50) {
            v.bins = Some(BINS.to_vec());
            let name = self.resource(tree, v, input);
            tree.binned.push((name, BINS.to_vec()));
        } else {
            let name = self.said(tree, v, input, Said::Bins(BINS.to_vec()));
            tree.binned.push((name, BINS.to_vec()));
        }
    }

    fn said(&mut self, tree: &mut Tree, v: Variable, input: Expr, said: Said) -> String {
        let name = self.resource(tree, v, input);
        tree.said.push((name.clone(), said));
        name
    }

    fn resource(&mut self, tree: &mut Tree, v: Variable, input: Expr) -> String {
        let name = self.fresh("r");
        tree.modules[0].variables.push(v);
        let resource =
            Resource { name: name.clone(), input, repeat: Repeat::No, after: Vec::new(), overridden: false };
        tree.modules[0].resources.push(resource);
        name
    }
}
