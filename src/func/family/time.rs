//! Functions on points in time, written as in RFC 3339.
//!
//! Deliberately absent: time zones beyond fixed offsets, and the clock.
//! Sources of the semantics: go-cty `stdlib/datetime.go`, Terraform's `datetime.go`, Go's `time`.

use crate::func::args::{string, text};
use crate::func::go_compat::time::{duration, format, rfc3339};
use crate::func::{Context, FuncError, Function, Param, Want};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "formatdate",
        &[Param::new("format", Want::String), Param::new("time", Want::String)],
        |_, args, _| {
            let time = rfc3339::strict(text(args, 1)?).map_err(|e| FuncError { arg: Some(1), ..e })?;
            string(format::format(text(args, 0)?, &time)?)
        },
        "A point in time by a pattern. Terraform docs: formatdate; go-cty FormatDateFunc.",
    ),
    Function::text(
        "timeadd",
        &[Param::new("timestamp", Want::String), Param::new("duration", Want::String)],
        |_, args, _| {
            let time = rfc3339::strict(text(args, 0)?)?;
            string(time.after(duration::nanoseconds(text(args, 1)?)?)?.to_text())
        },
        "A point in time, so much later. Terraform docs: timeadd; go-cty TimeAddFunc.",
    )
    .nullable(),
    Function::number(
        "timecmp",
        &[Param::new("timestamp_a", Want::String), Param::new("timestamp_b", Want::String)],
        |context, args, _| {
            let (a, b) = (instant(context, args, 0)?, instant(context, args, 1)?);
            Ok(Value::number(a.cmp(&b) as i64))
        },
        "-1, 0 or 1 as the first is earlier, the same or later. Terraform docs: timecmp.",
    ),
];

fn instant(context: &Context<'_>, args: &[Value], i: usize) -> Result<i128, FuncError> {
    let read = rfc3339::lax(text(args, i)?);
    if read.is_err() {
        // Measured on 1.6, 1.8 and 1.9, which take `+25:00`.
        context.declined_before(10, "more time zones are taken")?;
    }
    read.map(|time| time.instant()).map_err(|e| FuncError { arg: Some(i), ..e })
}
