//! Translation of other dialects' functions, by the table `functions_foreign.tsv`.

use crate::diagnostic::{Code, Diagnostic};
use crate::read::ReadDialect;
use crate::tree::{Expr, FunctionCall, SqlSpan};

use super::tables::{self, Meaning};
use super::{internal, refused, strings, template, walk};

/// A call translated into the tree's vocabulary.
pub(super) fn lowered(call: FunctionCall, from: ReadDialect) -> Result<Expr, Diagnostic> {
    if let Some(expr) = strings::from_end(&call, from) {
        return Ok(expr);
    }
    strings::check_start(&call, from)?;
    let meaning = tables::foreign(&call.name, Some(call.arguments.len()), from);
    with_meaning(call, meaning, from)
}

/// A call of a dialect translated by a row of a table.
pub(super) fn with_meaning(
    mut call: FunctionCall,
    meaning: Option<Meaning>,
    from: ReadDialect,
) -> Result<Expr, Diagnostic> {
    let name = call.name.clone();
    let span = call.span;
    let placed = |fault: Diagnostic| Diagnostic { span, ..fault };
    let expr = match meaning {
        Some(Meaning::Refused(reason)) => return Err(placed(refused(reason))),
        Some(Meaning::Name(known)) => {
            known.clone_into(&mut call.name);
            call.into()
        }
        Some(Meaning::Template(text)) => match template::filled(text, &call) {
            Some(expr) => expr,
            None => return Err(placed(refused(format!("{name} with this clause")))),
        },
        None if tables::is_special(&name, from) => return Err(placed(unknown(&name, from))),
        None => call.into(),
    };
    let mut expr = expr;
    walk::check_size(&mut expr).map_err(placed)?;
    walk::expr(&mut internal::Internal { from }, &mut expr).map_err(placed)?;
    walk::check_size(&mut expr).map_err(placed)?;
    Ok(expr)
}

/// The call that a bare name stands for, such as Oracle's `sysdate`.
pub(super) fn bare(name: &str, place: SqlSpan, from: ReadDialect) -> Option<Expr> {
    match tables::foreign(name, None, from)? {
        Meaning::Template(text) => {
            template::filled(text, &FunctionCall { span: place, ..FunctionCall::new(name, vec![]) })
        }
        Meaning::Name(_) | Meaning::Refused(_) => None,
    }
}

fn unknown(name: &str, from: ReadDialect) -> Diagnostic {
    let dialect = tables::dialect_name(from);
    let message = format!("the function {name} of {dialect} cannot be translated");
    Diagnostic::new(Code::Unsupported, message, SqlSpan::default())
}
