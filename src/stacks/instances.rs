//! The instances of a Stack's components, embedded Stacks and providers, under the values of one deployment.
//!
//! In: a tracer with the deployment's values. Out: keys, and the values of expressions in one instance; or an issue. It is an error
//! if keys are only known after apply: a Stack can wait for them, a root module can't.

use super::words::{Each, is_scalar};
use crate::addr::{FieldAddr, FieldPath, Key, ModulePath, Target};
use crate::config::{Config, In};
use crate::issue::{Code, Issue};
use crate::pipeline::{ERROR_OF_SECRET, PART_OF_SECRET, Secrets, Touched};
use crate::syntax::{Attribute, Expr};
use crate::text::Place;
use crate::trace::site::FieldSite;
use crate::trace::{Known, Standing, Tracer};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A module and one of its instances.
#[derive(Clone)]
pub(super) struct Spot {
    pub path: ModulePath,
    pub standing: Standing,
}

/// The instances of a declaration with their keys.
pub(super) type Keyed = Vec<(Option<Arc<str>>, Standing)>;

/// Reads keys and values of instances from the tracer.
pub(super) struct Asking<'t, 'a> {
    pub tracer: &'t mut Tracer<'a>,
    /// `each.value`, as an expression that stands in a file.
    pub each_value: FieldSite,
    /// What isn't to be written out.
    pub kept_back: KeptBack<'a>,
}

/// What isn't to be written out of a Stack's values: secrets, and what a run gives instead of HCP.
pub(super) struct KeptBack<'a> {
    pub config: &'a Config,
    /// The secrets of the Stack.
    pub secrets: &'a Secrets,
    /// What these have a part in.
    pub touched: &'a Touched,
    /// The same, with what marks make secret and what a run gives.
    pub values: Secrets,
    /// The declarations that were asked for.
    pub known: FxHashMap<(ModulePath, Target), bool>,
}

impl KeptBack<'_> {
    /// Returns true if `each.value` of a declaration isn't to be written out.
    fn is_value(&mut self, path: &ModulePath, target: &Target) -> bool {
        let (values, config) = (&self.values, self.config);
        let found = self.known.entry((path.clone(), target.clone()));
        *found.or_insert_with(|| values.are_in_each_value(config, path, target))
    }
}

impl Asking<'_, '_> {
    /// Returns the instances of a declaration in one instance of its module, with their keys.
    ///
    /// # Errors
    /// Returns an error if they can't be told, or come from a secret: a key is written out as a name.
    pub fn keys(&mut self, spot: &Spot, target: &Target, place: Place) -> Result<Keyed, Issue> {
        if self.kept_back.secrets.hides_instances(&spot.path, target) {
            let summary = format!("the keys of {} come from a secret", shown(spot, target));
            let why =
                "In a root module each instance is a call of its own, and its key is a part of the name.";
            let fix = "Repeat it over what is none, and take the secret from a map by its key.";
            return Err(Issue::error(Code::Unsupported, summary, why).at(place).fix(fix, ""));
        }
        let found = self.tracer.standings(std::slice::from_ref(&spot.standing), target);
        let touched = self.kept_back.touched;
        let over = FieldAddr {
            module: spot.path.clone(),
            target: target.clone(),
            path: FieldPath::from_text("for_each"),
        };
        let touched = Some(touched).filter(|touched| touched.has(&over));
        let what = || format!("the instances of {}", shown(spot, target));
        let found = found.map_err(|known| unknown(known, &what(), place, touched))?;
        let one = |standing: Standing| match &standing.key {
            Some(Key::Name(name)) => (Some(name.clone()), standing),
            Some(Key::Index(_)) | None => (None, standing),
        };
        Ok(found.into_iter().map(one).collect())
    }

    /// Returns the module that one instance of a call leads to.
    pub fn inside(
        &mut self,
        spot: &Spot,
        name: &Arc<str>,
        key: Option<&Arc<str>>,
        place: Place,
    ) -> Result<Spot, Issue> {
        let path = spot.path.child(name.clone());
        let wanted = spot.standing.module.child(name.clone(), key.cloned().map(Key::Name));
        let all = self.tracer.module_standings(&path).map_err(|known| {
            unknown(known, &format!("the instances of {path}"), place, Some(self.kept_back.touched))
        })?;
        let standing = all.into_iter().find(|s| s.module == wanted);
        let lost = || Issue::error(Code::Unsupported, format!("{wanted} can't be told apart"), "").at(place);
        Ok(Spot { path, standing: standing.ok_or_else(lost)? })
    }

    /// Returns the value of an argument in one instance of a declaration.
    pub fn value(
        &mut self,
        path: &ModulePath,
        target: &Target,
        standing: &Standing,
        attr: In<Attribute>,
    ) -> Known {
        let place = attr.value_place();
        self.known(path, target, standing, &FieldSite::new(attr, place, Vec::new()))
    }

    /// Returns the value of a part of an argument in one instance of a declaration.
    pub fn part(
        &mut self,
        path: &ModulePath,
        target: &Target,
        standing: &Standing,
        (of, expr): (&In<Attribute>, &Expr),
    ) -> Known {
        let attr = Attribute { expr: expr.clone(), ..(*of.node).clone() };
        self.value(path, target, standing, In::new(of.file, attr))
    }

    /// Returns the meaning of `each` in an instance; `None` if the instance has no key. `otherwise` is the expression to use if
    /// `each.value` can't be written as a literal.
    pub fn each(
        &mut self,
        path: &ModulePath,
        target: &Target,
        standing: &Standing,
        otherwise: String,
    ) -> Option<Each> {
        let Some(Key::Name(key)) = &standing.key else { return None };
        let site = self.each_value.clone();
        let value = match self.known(path, target, standing, &site) {
            Known::Value(value)
                if value.marks_deep().is_empty()
                    && is_scalar(&value)
                    && !self.kept_back.is_value(path, target) =>
            {
                Some(value)
            }
            _ => None,
        };
        Some(Each { key: key.clone(), value, otherwise })
    }

    fn known(&mut self, path: &ModulePath, target: &Target, standing: &Standing, site: &FieldSite) -> Known {
        let addr =
            FieldAddr { module: path.clone(), target: target.clone(), path: FieldPath::from_text("inputs") };
        let found = self.tracer.known(&addr, site, standing).into_iter().next();
        found.map_or_else(|| Known::Value(Value::null(crate::value::Type::Dynamic)), |(_, known)| known)
    }
}

fn shown(spot: &Spot, target: &Target) -> String {
    FieldAddr { module: spot.path.clone(), target: target.clone(), path: FieldPath::default() }.to_string()
}

/// Returns the issue that says why a value can't be written as a literal. `touched`: what secrets have a part in, where one may have one in it.
pub(super) fn unknown(known: Known, what: &str, place: Place, touched: Option<&Touched>) -> Issue {
    let touched = touched.filter(|touched| !touched.is_empty());
    match known {
        Known::Failed(error) if touched.is_some_and(|touched| touched.is_told_in_error(&error.message)) => {
            Issue::error(Code::Invalid, format!("{what} can't be told"), format!("There, {ERROR_OF_SECRET}."))
                .at(error.place.unwrap_or(place))
        }
        Known::Failed(error) => {
            let text = error.message.to_string();
            let (summary, why) = text.split_once(": ").unwrap_or(("Invalid expression", &text));
            Issue::error(Code::Invalid, summary, why).at(error.place.unwrap_or(place))
        }
        Known::Open(reason) => {
            let is_told = |touched: &Touched| reason.has_error || touched.is_quoted_in(&reason.why);
            let why = format!(
                "A root module needs {what} before plan, where a Stack may wait for an apply: {}",
                if touched.is_some_and(is_told) { PART_OF_SECRET } else { &reason.why }
            );
            Issue::error(reason.code, format!("{what} can't be told before plan"), why)
                .at(reason.place.unwrap_or(place))
        }
        Known::Value(_) => Issue::error(Code::Invalid, format!("{what} can't be told"), "").at(place),
    }
}
