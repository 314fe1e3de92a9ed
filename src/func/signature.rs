//! The registration of a function.

use super::{Context, EvalError, FuncError};
use crate::value::{Type, Value};
use std::sync::Arc;

/// A type that a parameter asks for or a function returns; `const`-friendly.
#[derive(Clone, Copy, Debug)]
pub enum Want {
    /// Any type at all; no conversion.
    Any,
    /// string
    String,
    /// number
    Number,
    /// bool
    Bool,
    /// list(T)
    List(&'static Want),
    /// set(T)
    Set(&'static Want),
    /// map(T)
    Map(&'static Want),
}

impl Want {
    /// The type to convert an argument to.
    pub fn ty(&self) -> Type {
        match self {
            Want::Any => Type::Dynamic,
            Want::String => Type::String,
            Want::Number => Type::Number,
            Want::Bool => Type::Bool,
            Want::List(t) => Type::List(Arc::new(t.ty())),
            Want::Set(t) => Type::Set(Arc::new(t.ty())),
            Want::Map(t) => Type::Map(Arc::new(t.ty())),
        }
    }
}

impl Want {
    /// Returns true if it is a text, or holds texts.
    pub fn holds_text(&self) -> bool {
        match self {
            Want::String => true,
            Want::Any | Want::Number | Want::Bool => false,
            Want::List(t) | Want::Set(t) | Want::Map(t) => t.holds_text(),
        }
    }
}

/// A parameter, and which special values it lets through to the function's body (as go-cty's `function.Parameter`).
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name that error messages use.
    pub name: &'static str,
    /// The type to which arguments are converted.
    pub want: Want,
    /// True if null reaches the body. Otherwise null is an error.
    pub null: bool,
    /// True if unknown values reach the body. Otherwise the result is unknown.
    pub unknown: bool,
    /// True if values of unknown type reach the body. Otherwise the result's type is unknown.
    pub dynamic: bool,
    /// True if marks reach the body. Otherwise they are removed deeply and put on the result.
    pub marked: bool,
}

impl Param {
    /// A parameter that lets nothing special through.
    pub const fn new(name: &'static str, want: Want) -> Param {
        Param { name, want, null: false, unknown: false, dynamic: false, marked: false }
    }

    /// Null reaches the body.
    #[must_use]
    pub const fn null(mut self) -> Param {
        self.null = true;
        self
    }

    /// Unknown values reach the body.
    #[must_use]
    pub const fn unknown(mut self) -> Param {
        self.unknown = true;
        self
    }

    /// Values of unknown type reach the body.
    #[must_use]
    pub const fn dynamic(mut self) -> Param {
        self.dynamic = true;
        self
    }

    /// Marks reach the body.
    #[must_use]
    pub const fn marked(mut self) -> Param {
        self.marked = true;
        self
    }
}

/// The type of a function's result.
#[derive(Clone, Copy)]
pub enum Returns {
    /// Always the same.
    Fixed(Want),
    /// Worked out from the (unmarked, perhaps unknown) arguments.
    Computed(fn(&[Value]) -> Result<Type, FuncError>),
}

/// A computation on converted arguments, for the result type that [`Returns`] gave.
pub type Run = fn(&Context<'_>, &[Value], &Type) -> Result<Value, FuncError>;

/// A computation on outcomes.
pub type LazyBody = fn(&[Result<Value, EvalError>]) -> Result<Value, FuncError>;

/// The computation of a function.
#[derive(Clone, Copy)]
pub enum Body {
    /// Takes converted arguments.
    Plain(Run),
    /// Takes unconverted outcomes, including errors: `try` and `can`.
    Lazy(LazyBody),
    /// Takes the first argument, and a type from the expression of the second: `convert`.
    Typed,
}

/// A kind of collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A set.
    Set,
    /// A map or an object.
    Map,
}

/// The arguments of a function that are converted to a type that they, or their parts, have in common. If such an
/// argument holds something of an unknown type, the type of the result isn't known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joins {
    /// None.
    None,
    /// Lists, sets and maps; tuples and objects keep their parts as they are.
    Collections,
    /// All.
    All,
}

impl Joins {
    /// Returns true if an argument leaves the type of the result open.
    pub fn left_open_by(self, arg: &Value) -> bool {
        match self {
            Joins::None => false,
            Joins::Collections => arg.ty.is_collection() && arg.is_untyped(),
            Joins::All => arg.is_untyped(),
        }
    }
}

/// Says if a function always gives the same result for the same arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    /// Depends on its arguments alone.
    Pure,
    /// Depends on files besides, or on where Terraform runs.
    Files,
    /// Differs from run to run.
    Unstable,
}

/// Looking at a file takes as long as so many expressions.
const LOOK: u64 = 64;

/// The registration of a function: everything that is known of it.
pub struct Function {
    /// The name without the `core::` prefix.
    pub name: &'static str,
    /// Positional parameters.
    pub params: &'static [Param],
    /// The parameter that all further arguments belong to.
    pub variadic: Option<Param>,
    /// The result's type.
    pub returns: Returns,
    /// True if the result is never null (a refinement of unknown results).
    pub not_null: bool,
    /// The computation.
    pub body: Body,
    /// Says if results repeat.
    pub purity: Purity,
    /// The arguments that are converted to a common type.
    pub joins: Joins,
    /// The cost of a call besides walks over its arguments, as a number of expressions.
    pub cost: u64,
    /// The number of bytes of its arguments that take as long as an expression; 0 where they take no longer than a walk over them.
    pub bytes_at_once: u64,
    /// The minor version of Terraform 1 that has it first; 0 for those that all versions have which are of interest.
    pub since: u32,
    /// True if it never fails for arguments that have the types of their parameters and aren't null.
    pub total: bool,
    /// The kind of collection that the result always is, if it follows from the name alone.
    pub gives: Option<Kind>,
    /// True if it decodes a text. The tracer computes it only for arguments that are known as a whole.
    pub decodes: bool,
    /// True if its result is a text that is unknown whenever an argument is.
    pub keeps_text: bool,
    /// True if the elements of its result are those of its arguments, so that references may stand there.
    pub hands_on: bool,
    /// One line of documentation, with the source of the semantics: a line of `docs/functions.md`.
    pub doc: &'static str,
}

impl Function {
    /// A pure function without variadic parameter whose result is never null: what most are.
    pub const fn new(
        name: &'static str,
        params: &'static [Param],
        returns: Returns,
        run: Run,
        doc: &'static str,
    ) -> Function {
        Function::special(name, params, returns, Body::Plain(run), doc)
    }

    /// The same whose result is a text.
    pub const fn text(name: &'static str, params: &'static [Param], run: Run, doc: &'static str) -> Function {
        Function::new(name, params, Returns::Fixed(Want::String), run, doc)
    }

    /// The same whose result is a number.
    pub const fn number(
        name: &'static str,
        params: &'static [Param],
        run: Run,
        doc: &'static str,
    ) -> Function {
        Function::new(name, params, Returns::Fixed(Want::Number), run, doc)
    }

    /// The same whose result is a bool.
    pub const fn truth(
        name: &'static str,
        params: &'static [Param],
        run: Run,
        doc: &'static str,
    ) -> Function {
        Function::new(name, params, Returns::Fixed(Want::Bool), run, doc)
    }

    /// The same with a computation of another kind.
    pub const fn special(
        name: &'static str,
        params: &'static [Param],
        returns: Returns,
        body: Body,
        doc: &'static str,
    ) -> Function {
        Function {
            name,
            params,
            variadic: None,
            returns,
            not_null: true,
            body,
            purity: Purity::Pure,
            joins: Joins::None,
            cost: 0,
            bytes_at_once: 0,
            since: 0,
            total: false,
            gives: None,
            decodes: false,
            keeps_text: false,
            hands_on: false,
            doc,
        }
    }

    /// Declares the arguments that are converted to a common type.
    #[must_use]
    pub const fn joins(self, joins: Joins) -> Function {
        Function { joins, ..self }
    }

    /// Declares the cost of a call, as a number of expressions.
    #[must_use]
    pub const fn costs(self, expressions: u64) -> Function {
        Function { cost: expressions, ..self }
    }

    /// Declares how many bytes of its arguments take as long as an expression: a millionth of a second, where the text is as bad as it may be.
    #[must_use]
    pub const fn costs_for_each(self, bytes: u64) -> Function {
        Function { bytes_at_once: bytes, ..self }
    }

    /// The cost of a call besides walks over its arguments, as a number of expressions.
    pub fn cost(&self) -> u64 {
        if self.purity == Purity::Files { self.cost + LOOK } else { self.cost }
    }

    /// Returns true if it writes an argument as text.
    pub fn writes(&self, at: usize) -> bool {
        let param = self.params.get(at).or(self.variadic.as_ref());
        matches!(self.returns, Returns::Fixed(want) if want.holds_text())
            || param.is_some_and(|p| p.want.holds_text())
    }

    /// Declares that Terraform has it since version 1.`minor`.
    #[must_use]
    pub const fn since(self, minor: u32) -> Function {
        Function { since: minor, ..self }
    }

    /// Declares the parameter for all further arguments.
    #[must_use]
    pub const fn variadic(self, param: Param) -> Function {
        Function { variadic: Some(param), ..self }
    }

    /// Declares that the result may be null.
    #[must_use]
    pub const fn nullable(self) -> Function {
        Function { not_null: false, ..self }
    }

    /// Returns true if no value that it gives is null. Terraform doesn't promise that of every function's unknown result, so that
    /// [`Function::not_null`] may still be false.
    pub const fn is_never_null(&self) -> bool {
        self.not_null || matches!(self.returns, Returns::Fixed(Want::Bool | Want::Number | Want::String))
    }

    /// Declares that the result depends on files, or on where Terraform runs.
    #[must_use]
    pub const fn on_files(self) -> Function {
        Function { purity: Purity::Files, ..self }
    }

    /// Declares that every run gives another result.
    #[must_use]
    pub const fn unstable(self) -> Function {
        Function { purity: Purity::Unstable, ..self }
    }

    /// See [`Function::total`].
    #[must_use]
    pub const fn total(self) -> Function {
        Function { total: true, ..self }
    }

    /// Always gives this kind of collection.
    #[must_use]
    pub const fn gives(self, kind: Kind) -> Function {
        Function { gives: Some(kind), ..self }
    }

    /// See [`Function::decodes`].
    #[must_use]
    pub const fn decodes(self) -> Function {
        Function { decodes: true, ..self }
    }

    /// See [`Function::keeps_text`].
    #[must_use]
    pub const fn keeps_text(self) -> Function {
        Function { keeps_text: true, ..self }
    }

    /// See [`Function::hands_on`].
    #[must_use]
    pub const fn hands_on(self) -> Function {
        Function { hands_on: true, ..self }
    }
}
