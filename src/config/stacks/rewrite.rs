//! Expressions of a Stack as expressions of a module.
//!
//! `component.net` and `stack.net` become `module."component.net"` and `module."stack.net"`: the same nodes with the same places, so
//! that whatever quotes them quotes the file. What no Stack has (`data`, `path`, resources) is an error here, since a module would
//! take it for something. Absent on purpose: whether what is named exists.

use crate::addr::STACK_CALLS;
use crate::config::decode::Ctx;
use crate::func::looks_at_files;
use crate::syntax::walk::PartMut;
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind, Ident, Item};
use crate::text::Span;
use std::sync::Arc;

/// Names that begin a reference in every expression of a Stack.
const SCOPE: [&str; 6] = ["var", "local", "component", "stack", "each", "terraform"];

/// A component or an embedded stack that an expression names.
pub(super) struct Named {
    /// The name of the call, as `component.net`.
    pub call: Arc<str>,
    /// The place of the name.
    pub span: Span,
}

/// Rewrites the expressions of one file.
pub(super) struct Rewriter<'c> {
    pub ctx: &'c mut Ctx,
    pub named: Vec<Named>,
    /// The type and the name of configurations of providers that components are handed.
    pub handed: Vec<(Ident, Ident)>,
    /// True if what is rewritten is repeated, so that there is an `each`.
    repeated: bool,
    bound: Vec<Arc<str>>,
}

impl<'c> Rewriter<'c> {
    pub fn new(ctx: &'c mut Ctx) -> Rewriter<'c> {
        Rewriter { ctx, named: Vec::new(), handed: Vec::new(), repeated: false, bound: Vec::new() }
    }

    /// Goes on with the arguments of a block, which is repeated where it has `for_each`.
    pub fn within(&mut self, block: &Block) {
        self.repeated = block.body.attribute("for_each").is_some();
    }

    /// A block with all that is in it, but for arguments of these names.
    pub fn block(&mut self, block: &Block, but: &[&str]) -> Arc<Block> {
        Arc::new(Block { body: self.body(&block.body, but), ..block.clone() })
    }

    fn body(&mut self, body: &Body, but: &[&str]) -> Body {
        let item = |item: &Item| match item {
            Item::Attribute(attr) if but.contains(&&*attr.name.text) => item.clone(),
            Item::Attribute(attr) => Item::Attribute(self.attribute(attr)),
            Item::Block(block) => Item::Block(self.block(block, but)),
        };
        Body { span: body.span, items: body.items.iter().map(item).collect() }
    }

    /// An argument.
    pub fn attribute(&mut self, attr: &Attribute) -> Arc<Attribute> {
        let mut attr = attr.clone();
        self.expr(&mut attr.expr);
        Arc::new(attr)
    }

    /// An expression.
    pub fn expr(&mut self, expr: &mut Expr) {
        if let Some(call) = called(expr).filter(|(word, _)| !self.bound.iter().any(|b| b == word)) {
            self.call(expr, &call.1);
            return;
        }
        if let ExprKind::Variable(name) = &expr.kind {
            self.root(&name.clone(), expr.span);
        }
        expr.each_part_mut(&mut |part, names| {
            let PartMut::Expr(inner) = part else { return };
            let outside = self.bound.len();
            self.bound.extend_from_slice(names);
            self.expr(inner);
            self.bound.truncate(outside);
        });
        // Paths in a Stack's own files count from where Terraform happens to run, which isn't the Stack's folder.
        if let ExprKind::Call(call) = &mut expr.kind
            && looks_at_files(&call.name.text)
        {
            call.args.first_mut().into_iter().for_each(elsewhere);
        }
    }

    /// `component.net`, or what follows it.
    fn call(&mut self, expr: &mut Expr, name: &Ident) {
        let ExprKind::GetAttr(base, attr) = &mut expr.kind else { return };
        let ExprKind::Variable(word) = &mut base.kind else { return };
        let call: Arc<str> = format!("{word}.{}", name.text).into();
        self.named.push(Named { call: call.clone(), span: base.span.to(name.span) });
        *word = "module".into();
        attr.text = call;
    }

    /// The name that a reference begins with.
    fn root(&mut self, name: &Arc<str>, span: Span) {
        if self.bound.contains(name) {
            return;
        }
        if &**name == "each" && !self.repeated {
            let why = "There is an \"each\" only in blocks with a for_each argument.";
            self.ctx.invalid(span, "Invalid 'each' reference", why);
            return;
        }
        if SCOPE.contains(&&**name) && !STACK_CALLS.contains(&&**name) {
            return;
        }
        let (summary, why) = match STACK_CALLS.contains(&&**name) {
            true => (
                "Invalid reference",
                format!("\"{name}\" must be followed by a name, as in \"{name}.main\"."),
            ),
            false => (
                "Reference to unknown symbol",
                format!(
                    "There is no symbol \"{name}\" defined in the current scope: expressions of a Stack know var, local, \
                         component, stack and, under for_each, each."
                ),
            ),
        };
        self.ctx.invalid(span, summary, why);
    }
}

/// Makes a path one that nothing is known of, as `path.cwd` is.
fn elsewhere(path: &mut Expr) {
    let root = Expr { span: path.span, kind: ExprKind::Variable("path".into()) };
    path.kind = ExprKind::GetAttr(Box::new(root), Ident { text: "cwd".into(), span: path.span });
}

/// The word and the name of `component.net` and `stack.net`.
pub(super) fn called(expr: &Expr) -> Option<(Arc<str>, Ident)> {
    let ExprKind::GetAttr(base, name) = &expr.kind else { return None };
    let ExprKind::Variable(word) = &base.kind else { return None };
    STACK_CALLS.contains(&&**word).then(|| (word.clone(), name.clone()))
}
