//! Files: what one holds is the same wherever it is read.
//!
//! In: calls of functions that read files. Out: edges of roots that stand for a file, by its path as it is written. A file has two of them: its text, and what that
//! is read as, of which a part may be secret alone. Absent on purpose: what files hold.

use super::route::Route;
use super::shape::{Edge, Finder, Handing, Shape, whole};
use crate::addr::Target;
use crate::syntax::{Call, Expr, ExprKind, TemplatePart};

/// Functions that read a text as values, which have parts.
const DECODING: [&str; 3] = ["csvdecode", "jsondecode", "yamldecode"];

/// The call that an expression is.
fn called(expr: &Expr) -> Option<&Call> {
    match &expr.kind {
        ExprKind::Paren(inner) => called(inner),
        ExprKind::Call(call) => Some(call),
        _ => None,
    }
}

/// Returns true for the text of a file.
fn is_file(expr: &Expr) -> bool {
    called(expr).is_some_and(|call| matches!(&*call.name.text, "file" | "core::file"))
}

impl Finder<'_, '_> {
    /// The edges of a call that reads a file, or what one holds; nothing for any other call. `given`: those of all its arguments.
    pub(super) fn read_by(&mut self, name: &str, call: &Call, given: &Shape) -> Option<Shape> {
        if DECODING.contains(&name) {
            let read = call.args.first().filter(|arg| is_file(arg)).and_then(called)?;
            return Some(self.of_file(read, (Handing::Within, Handing::Same)));
        }
        let handing = match name {
            "file" => Handing::Same,
            "filebase64" => Handing::Changed,
            // What a template holds is around what it is given.
            "templatefile" => Handing::Within,
            _ => return None,
        };
        let mut all = whole(given.clone(), Handing::Within);
        all.extend(self.of_file(call, (handing, Handing::Within)));
        Some(all)
    }

    /// The edges of a file that a call names: from its text, and from what its text is read as, which has parts.
    fn of_file(&mut self, call: &Call, (text, read): (Handing, Handing)) -> Shape {
        let edge = |root, handing| Edge { to: Route::new(), root, from: Route::new(), handing };
        let mut found = Shape::new();
        if let Some(path) = call.args.first() {
            found.extend(self.file_at(path, "file").map(|root| edge(root, text)));
            found.extend(self.file_at(path, "contents of").map(|root| edge(root, read)));
        }
        found
    }

    /// The root that stands for what a file holds: one for all places that name it by the same path, or by the same name.
    fn file_at(&mut self, path: &Expr, what: &str) -> Option<usize> {
        let mut said = String::new();
        let is_path = self.add_path(path, &mut said);
        let mut names: Vec<&str> = Vec::new();
        for name in said.split('/').filter(|name| !matches!(*name, "" | ".")) {
            match name {
                ".." if names.last().is_some_and(|last| *last != "..") => drop(names.pop()),
                name => names.push(name),
            }
        }
        let begin = if said.starts_with('/') { "/" } else { "" };
        let path = format!("({what} {begin}{})", names.join("/"));
        // A file is the same one for all modules, and a name another one in each. The first module is as good as any for files.
        let module = if said.contains('$') { self.module } else { 0 };
        is_path.then(|| self.roots.number(module, Target::Local(path.into())))
    }

    /// Adds what is written of a path; false where that doesn't tell which it is.
    fn add_path(&self, path: &Expr, out: &mut String) -> bool {
        match &path.kind {
            ExprKind::String(text) => out.push_str(text),
            ExprKind::Paren(inner) => return self.add_path(inner, out),
            ExprKind::Template(template) => {
                return template.parts.iter().all(|part| match part {
                    TemplatePart::Literal(text, _) => {
                        out.push_str(text);
                        true
                    }
                    TemplatePart::Interpolation(inner, _) => self.add_path(inner, out),
                    TemplatePart::If { .. } | TemplatePart::For { .. } => false,
                });
            }
            ExprKind::GetAttr(inner, name) => match &inner.kind {
                ExprKind::Variable(root) if **root == *"path" => {
                    let own = self.roots.modules.get(self.module).filter(|_| *name.text == *"module");
                    let dir = own.map(|(_, module)| module.dir.to_string_lossy().into_owned());
                    out.push_str(dir.as_deref().filter(|dir| !dir.is_empty()).unwrap_or("."));
                }
                ExprKind::Variable(root) => {
                    out.push_str(&format!("${root}.{}", name.text));
                }
                _ => {
                    return self.add_path(inner, out) && {
                        out.push_str(&format!("$.{}", name.text));
                        true
                    };
                }
            },
            _ => return false,
        }
        true
    }
}
