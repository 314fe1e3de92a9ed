//! The arm of a conditional that a driven value takes.
//!
//! Terraform converts both arms to one type, so that an arm alone may be another value than the conditional. It is the same where
//! the other arm is null or fails, or where the common type is its own; else it is converted in the text, or by the place.
//! Source of the semantics: HCL's `ConditionalExpr.Value`, and `src/value/unify.rs`.

use super::named::{By, Folder, Named};
use super::place::Place;
use super::types::{Kind, element_of};
use crate::eval::is_fixed;
use crate::syntax::{Expr, ExprKind, TemplatePart};
use crate::text::SourceId;
use crate::value::unify::unify;
use crate::value::{Data, Type};

/// What is left of a conditional.
pub(super) enum Left<'e> {
    /// One of the arms, what stands in front of it, and its place.
    Arm(&'e Expr, &'static str, Place),
    /// Null.
    Text(&'static str),
}

impl Folder<'_> {
    /// Returns the arm that a conditional takes, with what converts it, if that has the conditional's value.
    pub(super) fn arm<'e>(
        &self,
        test: &Expr,
        yes: &'e Expr,
        no: &'e Expr,
        file: SourceId,
        place: Place,
    ) -> Option<Left<'e>> {
        let Data::Bool(truth) = self.value(test, file, &mut By::default())?.data else { return None };
        let (taken, other) = if truth { (yes, no) } else { (no, yes) };
        let plain = |place| Some(Left::Arm(taken, "", place));
        // The value of an arm that fails is of no known type: the other one is not converted.
        if self.is_dynamic_failure(other, file) {
            return plain(place);
        }
        self.refill();
        // Whatever its elements are, no text of the taken one changes beside them.
        let text = Some(Kind::Of(Type::set(Type::String)));
        if place == Place::Iterates && is_call_of(other, "toset") && self.kind(taken, file) == text {
            return plain(place);
        }
        self.refill();
        // An arm that fails is of no type; nothing may be written out for the one that it should have had.
        let is_declared = |e: &Expr| {
            matches!(self.name_of(e, file), Some(Named::Typed(_) | Named::Value(_) | Named::Local(_)))
        };
        let sure = is_fixed(other, &is_declared);
        let other = self.kind(other, file);
        if other == Some(Kind::Null) {
            return plain(place);
        }
        self.refill();
        let own = match self.kind(taken, file) {
            Some(Kind::Null) if !sure && place != Place::Converts => return None,
            Some(Kind::Null) => return self.null(other, place),
            own => own,
        };
        let (Some(Kind::Of(own)), Some(Kind::Of(other))) = (own, &other) else {
            // A number becomes a text and is read as a number again; what isn't primitive is an error beside what is.
            let primitive = matches!(&other, Some(Kind::Of(ty)) if ty.is_primitive());
            if primitive && place == Place::Converts {
                return plain(place);
            }
            // Beside a text it becomes one, or that is an error here and there.
            let text = sure && other == Some(Kind::Of(Type::String)) && self.kind(taken, file).is_none();
            let fits = text && (truth || self.closing(taken, file).is_some());
            return fits.then_some(Left::Arm(taken, "tostring(", Place::Any));
        };
        let pair = if truth { [own.clone(), other.clone()] } else { [other.clone(), own.clone()] };
        let unified = unify(&pair, true).filter(|unified| !unified.open)?.ty;
        if unified == own {
            return plain(place);
        }
        if place == Place::Converts && is_free_of_sets(&own) && is_free_of_sets(&unified) {
            return plain(place);
        }
        if place == Place::Iterates && iterates_alike(&own, &unified) {
            return plain(place);
        }
        let front = converted(&own, &unified)
            .filter(|_| sure)
            .filter(|_| truth || self.closing(taken, file).is_some())?;
        Some(Left::Arm(taken, front, Place::Any))
    }

    /// Returns the null that is taken, which has the other arm's type.
    fn null<'e>(&self, other: Option<Kind>, place: Place) -> Option<Left<'e>> {
        let text = match (place, other) {
            (Place::Converts, _) | (_, Some(Kind::Null)) => "null",
            (_, Some(Kind::Of(Type::String))) => "tostring(null)",
            (_, Some(Kind::Of(Type::Number))) => "tonumber(null)",
            (_, Some(Kind::Of(Type::Bool))) => "tobool(null)",
            _ => return None,
        };
        Some(Left::Text(text))
    }

    /// Returns what stands in a template of one interpolation, which has its value; another expression as it is. A name whose value is
    /// put in keeps its marks, since they go with it.
    pub(super) fn unwrapped<'e>(&self, expr: &'e Expr, file: SourceId) -> &'e Expr {
        let is_put_in =
            |inner: &Expr| is_path(inner) || matches!(self.name_of(inner, file), Some(Named::Value(_)));
        match &expr.kind {
            ExprKind::Template(template) => match template.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] if !template.heredoc && !is_put_in(inner) => {
                    self.unwrapped(inner, file)
                }
                _ => expr,
            },
            _ => expr,
        }
    }

    /// Returns the last character of an expression if no other edit is made there.
    pub(super) fn closing(&self, expr: &Expr, file: SourceId) -> Option<char> {
        match &expr.kind {
            ExprKind::Tuple(_) => Some(']'),
            ExprKind::Object(_) => Some('}'),
            ExprKind::Paren(_) | ExprKind::Call(_) => Some(')'),
            ExprKind::GetAttr(_, name) => {
                let last = name.text.chars().last().filter(char::is_ascii);
                last.filter(|_| matches!(self.name_of(expr, file), Some(Named::Typed(_) | Named::Local(_))))
            }
            _ => None,
        }
    }

    /// Returns true if an expression fails in such a way that HCL knows no type of it.
    fn is_dynamic_failure(&self, expr: &Expr, file: SourceId) -> bool {
        let form = match &expr.kind {
            ExprKind::Paren(inner) => return self.is_dynamic_failure(inner, file),
            ExprKind::GetAttr(..) | ExprKind::Index(..) | ExprKind::LegacyIndex(..) => true,
            ExprKind::Splat(_) | ExprKind::Call(_) => true,
            _ => false,
        };
        form && self.fails(expr, file)
    }
}

/// Returns true for `path.module` and its like.
fn is_path(expr: &Expr) -> bool {
    let ExprKind::GetAttr(base, _) = &expr.kind else { return false };
    matches!(&base.kind, ExprKind::Variable(root) if &**root == "path")
}

fn is_call_of(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Call(call) if &*call.name.text == name)
}

/// Returns true if a type holds no set, whose elements would be sorted and made different.
fn is_free_of_sets(ty: &Type) -> bool {
    !matches!(ty, Type::Set(_) | Type::Dynamic) && ty.children().all(is_free_of_sets)
}

/// Returns true if the same elements are iterated over in the same order, under the same keys.
fn iterates_alike(own: &Type, unified: &Type) -> bool {
    let kept = match (own, unified) {
        (Type::Tuple(all), Type::List(element)) => all.iter().all(|ty| *ty == **element),
        (Type::Object(object), Type::Map(element)) => object.attrs.iter().all(|(_, ty)| *ty == **element),
        _ => false,
    };
    kept && is_free_of_sets(unified)
}

/// Returns the call that converts a value of one type to another, up to its argument.
fn converted(own: &Type, unified: &Type) -> Option<&'static str> {
    let same = |element: &Type| element_of(own).as_ref() == Some(element);
    match (own, unified) {
        (own, Type::String) if own.is_primitive() => Some("tostring("),
        (Type::Tuple(_), Type::List(element)) if same(element) => Some("tolist("),
        (Type::Tuple(_), Type::Set(element)) if same(element) => Some("toset("),
        (Type::Object(_), Type::Map(element)) if same(element) => Some("tomap("),
        _ => None,
    }
}
