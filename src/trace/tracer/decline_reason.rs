//! Why no answer is given where Terraform might give one.
//!
//! An evaluation that is declined says what kind of thing stood in the way, and has a sentence of its own. What can be
//! done about it depends on the kind.

use crate::eval::EvalError;
use crate::func::Obstacle;
use crate::issue::Code;
use crate::text::Place;
use crate::trace::Reason;

/// The reason of an evaluation that was declined: of the expression that is `said`, where it stands in a file.
pub(in crate::trace) fn reason(error: &EvalError, place: Option<Place>, said: Option<&str>) -> Reason {
    of_obstacle(error, place, said).of_error()
}

fn of_obstacle(error: &EvalError, place: Option<Place>, said: Option<&str>) -> Reason {
    let message = bare(&error.message);
    match error.obstacle {
        Obstacle::Outside => {
            let why = format!("{message}: what it holds may change, or differ from machine to machine.");
            Reason::new(Code::Undecodable, why, place).fix(
                "Copy what is needed into the module's own folder and read it there, as in \
                 `file(\"${path.module}/NAME\")`; or pass the value in as a variable whose values are listed.",
                "",
            )
        }
        Obstacle::Version => {
            let of_null = message.contains("null");
            let why = format!(
                "versions of Terraform differ in what {} gives{}: {}.",
                said.map_or_else(|| "this".to_owned(), |text| format!("`{text}`")),
                if of_null { " where a value is null" } else { "" },
                message.trim_end_matches('.')
            );
            Reason::new(Code::PlanStability, why, place).fix(
                match of_null {
                    true => {
                        "Exclude null: give each variable that decides here its type and `nullable = false`, or put a \
                         value in its place with `coalesce(...)`."
                    }
                    false => "Write it in a way that all versions take alike; docs/language.md says where they differ.",
                },
                "",
            )
        }
        Obstacle::Unsupported => {
            let what = said.map_or_else(String::new, |text| format!("`{text}` is "));
            let why =
                format!("{what}not evaluated by tf-phi, though Terraform may have an answer: {message}.");
            Reason::new(Code::UnknownFunction, why, place).fix(
                "Write the value as a literal or by other means, or pass it in as a variable whose values are listed; \
                 docs/language.md lists what is not evaluated.",
                "",
            )
        }
        Obstacle::Unknown => {
            let what = said.map_or_else(|| "this".to_owned(), |text| format!("an error of `{text}`"));
            let why = format!("whether {what} counts depends on what isn't known: {message}.");
            Reason::new(Code::NoUniverse, why, place)
                .fix("Correct the error, or list the values of the variables that decide.", "")
        }
        Obstacle::Size => too_large(message, place),
    }
}

/// The reason that the work has become too much.
pub(in crate::trace) fn too_large(what: &str, place: Option<Place>) -> Reason {
    let why = format!("bounded, but too large to specialize: {}.", what.trim_end_matches('.'));
    Reason::new(Code::TooLarge, why, place).fix(
        "Narrow what it depends on, with a `validation` block or a `universe` in `phi.hcl` that lists fewer values; or \
         write the value as a literal.",
        "",
    )
}

/// The part of a message that says what is the matter, without Terraform's words around it.
fn bare(message: &str) -> &str {
    let mut rest = message.trim();
    for head in ["Operation failed: ", "Error during operation: ", "Error in function call: "] {
        rest = rest.strip_prefix(head).unwrap_or(rest);
    }
    if let Some((_, tail)) =
        rest.strip_prefix("Call to function \"").and_then(|r| r.split_once("\" failed: "))
    {
        rest = tail;
    }
    rest.trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::concrete::Concrete;
    use crate::eval::standalone::Nothing;
    use crate::eval::{Asked, Bindings, eval};
    use crate::func::{Context, NoSurroundings, TerraformVersions, Work};
    use crate::syntax::parse_expr;
    use crate::text::SourceId;

    fn said(message: &str, obstacle: Obstacle) -> Reason {
        reason(&EvalError::new(message).declined_for(obstacle), None, None)
    }

    #[test]
    fn names_what_stands_in_the_way() {
        let text = "Error in function call: Call to function \"file\" failed: /etc/hostname lies outside the configuration.";
        let outside = said(text, Obstacle::Outside);
        assert_eq!(outside.code, Code::Undecodable);
        assert!(outside.why.starts_with("/etc/hostname lies outside the configuration: "), "{}", outside.why);
        assert_eq!(said("argument must not be null.", Obstacle::Version).code, Code::PlanStability);
        assert_eq!(said("No such key.", Obstacle::Unknown).code, Code::NoUniverse);
        let corner = said("YAML directives are not supported", Obstacle::Unsupported);
        assert_eq!(corner.code, Code::UnknownFunction);
        assert!(corner.why.starts_with("not evaluated by tf-phi, "), "{}", corner.why);
        let size = said("too many steps.", Obstacle::Size);
        assert_eq!(
            (size.code, size.why.as_str()),
            (Code::TooLarge, "bounded, but too large to specialize: too many steps.")
        );
    }

    /// Those who decline say why, through every layer.
    #[test]
    fn obstacles_are_passed_on() {
        let outside = Asked { outside: NoSurroundings, version: TerraformVersions::ANY };
        let obstacle = |text: &str| {
            let context = Context { outside: &outside, work: &Work::default() };
            let mut domain = Concrete { resolver: Nothing, context };
            let outcome = eval(&mut domain, SourceId(0), &parse_expr(text).unwrap(), &Bindings::default());
            outcome.map_err(|e| (e.limit, e.obstacle)).unwrap_err()
        };
        for (text, want) in [
            ("try(true || null, 1)", Obstacle::Version),
            ("element([1, 2], -1)", Obstacle::Version),
            ("upper(format(\"%v\", null))", Obstacle::Version),
            ("contains([1], null)", Obstacle::Version),
            ("merge({a = 1}, true ? null : {a = 1})", Obstacle::Version),
            ("[for x in [1] : file(\"a.txt\")]", Obstacle::Outside),
            ("[cidrsubnet(\"10.0.0.0/8\", 8, -1)]", Obstacle::Unsupported),
            ("regex(\"(?i)[à-ÿ]\", \"a\")", Obstacle::Unsupported),
            ("setproduct(range(1000), range(1000))", Obstacle::Size),
            (
                "can([for t in [\"$${[for a in range(1000) : [for b in range(1000) : 1]]}\"] : templatestring(t, {})])",
                Obstacle::Size,
            ),
        ] {
            assert_eq!(obstacle(text), (true, want), "{text}");
        }
    }
}
