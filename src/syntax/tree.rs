//! The tree: files, bodies, expressions.

use crate::text::Span;
use crate::value::Number;
pub use crate::value::ops::{BinaryOp, UnaryOp};
use std::sync::Arc;

/// A parsed file's body.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The whole body's span (for a block: between the braces).
    pub span: Span,
    /// Attributes and blocks in source order.
    pub items: Vec<Item>,
}

/// An attribute or a block; declarations share them.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name = expr`
    Attribute(Arc<Attribute>),
    /// `type "label" { … }`
    Block(Arc<Block>),
}

/// `name = expr`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The bytes from the name to the end of the expression, without comments.
    pub span: Span,
    /// The name.
    pub name: Ident,
    /// The value.
    pub expr: Expr,
}

/// A block with its labels.
#[derive(Clone, Debug)]
pub struct Block {
    /// The bytes from the type to the closing brace.
    pub span: Span,
    /// The block type.
    pub kind: Ident,
    /// The labels, decoded.
    pub labels: Vec<Ident>,
    /// The body between the braces.
    pub body: Body,
    /// The opening brace's byte to one past the closing brace.
    pub braces: Span,
    /// True if the block is written on one line (`{}` or `{ a = 1 }`).
    pub one_line: bool,
}

/// A name and where it stands. For a quoted label or key the span includes the quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// Decoded text.
    pub text: Arc<str>,
    /// Its bytes.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Bytes in the file.
    pub span: Span,
    /// The kind of expression.
    pub kind: ExprKind,
}

/// The forms of expression (HCL native syntax). Large ones are boxed: most of a tree are names.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number literal, exact.
    Number(Arc<Number>),
    /// A quoted string or heredoc without interpolation or directive, decoded.
    String(Arc<str>),
    /// A quoted template or heredoc with at least one interpolation or directive.
    Template(Template),
    /// `[a, b]`
    Tuple(Vec<Expr>),
    /// `{ k = v }`
    Object(Vec<ObjectItem>),
    /// The root name of a traversal: `var` in `var.x`.
    Variable(Arc<str>),
    /// `e.name`
    GetAttr(Box<Expr>, Ident),
    /// `e[key]`
    Index(Box<Expr>, Box<Expr>),
    /// `e.0`
    LegacyIndex(Box<Expr>, Box<Number>),
    /// `e.*.a.b` (attribute-only) or `e[*].a[0]` (full), with the traversal applied to each element.
    Splat(Box<Splat>),
    /// `( e )`
    Paren(Box<Expr>),
    /// `-e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `name(a, b...)`
    Call(Box<Call>),
    /// `[for …]`, `{for …}`
    For(Box<For>),
}

/// A function call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name; namespaced ones as `provider::aws::arn_parse`.
    pub name: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// True if the last argument is expanded with `...`.
    pub expand_final: bool,
}

/// A splat expression.
#[derive(Clone, Debug)]
pub struct Splat {
    /// The collection that is iterated.
    pub source: Expr,
    /// `[*]` rather than `.*`.
    pub full: bool,
    /// The place of `.*` or `[*]`.
    pub marker: Span,
    /// The steps after it, applied to each element.
    pub each: Vec<SplatStep>,
}

/// A step applied to each element of a splat.
#[derive(Clone, Debug)]
pub enum SplatStep {
    /// `.name`
    Attr(Ident),
    /// `[key]`
    Index(Expr),
    /// `.0`
    LegacyIndex(Number, Span),
    /// A splat within a full splat (`a[*].b[*].c`), applied to what the steps before give of each element.
    Splat(Box<InnerSplat>),
}

/// A splat among the steps of a full splat.
#[derive(Clone, Debug)]
pub struct InnerSplat {
    /// `[*]` rather than `.*`.
    pub full: bool,
    /// The place of `.*` or `[*]`.
    pub marker: Span,
    /// The steps after it; a full one has all that follow.
    pub each: Vec<SplatStep>,
}

/// An item of an object constructor.
#[derive(Clone, Debug)]
pub struct ObjectItem {
    /// The key.
    pub key: ObjectKey,
    /// The value.
    pub value: Expr,
    /// True if a second item with this key is an error, as beside computed keys in JSON. If false, the last item
    /// counts.
    pub once: bool,
}

/// A key of an object constructor.
#[derive(Clone, Debug)]
pub enum ObjectKey {
    /// A bare identifier: the name itself.
    Name(Ident),
    /// Any other expression (quoted keys included).
    Expr(Expr),
}

impl ObjectKey {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            ObjectKey::Name(key) => key.span,
            ObjectKey::Expr(key) => key.span,
        }
    }

    /// Returns true if it is this constant key.
    pub fn is(&self, name: &str) -> bool {
        match self {
            ObjectKey::Name(key) => *key.text == *name,
            ObjectKey::Expr(key) => matches!(&key.kind, ExprKind::String(text) if **text == *name),
        }
    }
}

/// A template's parts.
#[derive(Clone, Debug)]
pub struct Template {
    /// The parts in order; strip markers and heredoc indentation already applied to the literals.
    pub parts: Vec<TemplatePart>,
    /// True if it is a heredoc.
    pub heredoc: bool,
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Literal text, decoded.
    Literal(Arc<str>, Span),
    /// `${ e }`; the span includes the delimiters.
    Interpolation(Expr, Span),
    /// `%{ if c }…%{ else }…%{ endif }`
    If {
        /// The condition.
        condition: Expr,
        /// Parts where it holds.
        then: Vec<TemplatePart>,
        /// Parts where it doesn't.
        otherwise: Vec<TemplatePart>,
        /// The whole directive.
        span: Span,
    },
    /// `%{ for k, v in c }…%{ endfor }`
    For {
        /// Key name, where two names are given.
        key: Option<Ident>,
        /// Value name.
        value: Ident,
        /// The collection that is iterated.
        collection: Expr,
        /// Parts for each element.
        body: Vec<TemplatePart>,
        /// The whole directive.
        span: Span,
    },
}

/// A for expression.
#[derive(Clone, Debug)]
pub struct For {
    /// Key name, where two names are given.
    pub key: Option<Ident>,
    /// Value name.
    pub value: Ident,
    /// The collection that is iterated.
    pub collection: Expr,
    /// The result's key (`{for … : key => value}`); `None` gives a tuple.
    pub result_key: Option<Expr>,
    /// The result's value.
    pub result: Expr,
    /// `...` after the value: group by key.
    pub group: bool,
    /// `if cond`
    pub condition: Option<Expr>,
}

impl BinaryOp {
    /// Returns the operator as it is written.
    pub fn symbol(self) -> &'static str {
        self.written().0
    }

    /// Binding strength, from 1 (`||`) to 6 (`*`), as HCL's specification orders them.
    pub fn precedence(self) -> u8 {
        self.written().1
    }

    fn written(self) -> (&'static str, u8) {
        match self {
            BinaryOp::Or => ("||", 1),
            BinaryOp::And => ("&&", 2),
            BinaryOp::Equal => ("==", 3),
            BinaryOp::NotEqual => ("!=", 3),
            BinaryOp::Greater => (">", 4),
            BinaryOp::GreaterEqual => (">=", 4),
            BinaryOp::Less => ("<", 4),
            BinaryOp::LessEqual => ("<=", 4),
            BinaryOp::Add => ("+", 5),
            BinaryOp::Subtract => ("-", 5),
            BinaryOp::Multiply => ("*", 6),
            BinaryOp::Divide => ("/", 6),
            BinaryOp::Modulo => ("%", 6),
        }
    }
}

impl Body {
    /// The attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &Arc<Attribute>> {
        self.items.iter().filter_map(|i| match i {
            Item::Attribute(a) => Some(a),
            Item::Block(_) => None,
        })
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &Arc<Block>> {
        self.items.iter().filter_map(|i| match i {
            Item::Block(b) => Some(b),
            Item::Attribute(_) => None,
        })
    }

    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Arc<Attribute>> {
        self.attributes().find(|a| &*a.name.text == name)
    }

    /// The blocks of that type.
    pub fn blocks_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Arc<Block>> {
        self.blocks().filter(move |b| &*b.kind.text == kind)
    }
}

impl Block {
    /// A label's text, or nothing.
    pub fn label(&self, at: usize) -> Option<&str> {
        self.labels.get(at).map(|l| &*l.text)
    }
}
