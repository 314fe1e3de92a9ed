//! Functions on marks: `sensitive` and its like.
//!
//! Sources of the semantics: Terraform `funcs/sensitive.go`, `funcs/conversion.go`, `ephemeral/marshal.go`.

use crate::func::args::arg;
use crate::func::{Context, FuncError, Function, Param, Returns, Run, Want};
use crate::value::{Data, Mark, Type, Value};
use std::sync::Arc;

const ANYTHING: &[Param] = &[Param::new("value", Want::Any).null().unknown().dynamic().marked()];

const fn on_marks(name: &'static str, body: Run, doc: &'static str) -> Function {
    let returns = Returns::Computed(|args| Ok(arg(args, 0)?.ty.clone()));
    Function::new(name, ANYTHING, returns, body, doc).nullable()
}

pub(super) const FUNCTIONS: &[Function] = &[
    on_marks(
        "sensitive",
        |_, args, _| Ok(arg(args, 0)?.clone().with_mark(Mark::Sensitive)),
        "The value, marked as sensitive. Terraform docs: sensitive.",
    )
    .total(),
    on_marks(
        "nonsensitive",
        |context, args, _| {
            let (value, marks) = arg(args, 0)?.clone().unmark();
            if !marks.has(Mark::Sensitive) {
                context.declined_before(8, "a value that isn't sensitive is an error here")?;
            }
            Ok(value.with_marks(&marks.filter(|m| !matches!(m, Mark::Sensitive | Mark::Declared))))
        },
        "The value, no longer marked as sensitive. Terraform docs: nonsensitive.",
    )
    .total(),
    on_marks(
        "ephemeralasnull",
        |_, args, _| Ok(without_ephemeral(arg(args, 0)?)),
        "The value with null for everything ephemeral. Terraform docs: ephemeralasnull.",
    )
    .since(10),
    Function::truth(
        "issensitive",
        ANYTHING,
        is_sensitive,
        "Whether the value is marked as sensitive. Terraform docs: issensitive.",
    )
    .total()
    .since(8)
    .nullable(),
];

fn is_sensitive(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    let declared = value.has_mark(Mark::Declared) && !value.has_mark(Mark::Sensitive);
    if declared && context.decided_since(13, "an output that is declared sensitive is so from 1.13 on")? {
        return Ok(Value::bool(true));
    }
    // Of an unknown of no known type, a mark may be that of a part.
    let gathered = !value.is_known() && value.ty == Type::Dynamic;
    Ok(if value.has_mark(Mark::Sensitive) && !gathered {
        // Where the mark comes from isn't known here.
        context
            .declined_before(10, "what a sensitive condition chooses, or stands beside, isn't sensitive")?;
        Value::bool(true)
    } else if value.is_known() {
        Value::bool(false)
    } else {
        Value::unknown(Type::Bool).with_marks(&value.marks.origins())
    })
}

fn without_ephemeral(value: &Value) -> Value {
    if value.has_mark(Mark::Ephemeral) {
        let marks = value.marks.filter(|m| m != Mark::Ephemeral);
        let ty = value.ty.clone();
        return if value.is_known() { Value::null(ty) } else { Value::unknown(ty) }.with_marks(&marks);
    }
    let data = match &value.data {
        Data::Seq(elements) => Data::Seq(elements.iter().map(without_ephemeral).collect()),
        Data::Map(entries) => {
            Data::Map(Arc::new(entries.iter().map(|(k, v)| (k.clone(), without_ephemeral(v))).collect()))
        }
        other => other.clone(),
    };
    Value { ty: value.ty.clone(), data, marks: value.marks.clone() }
}
