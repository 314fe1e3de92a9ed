//! The roles of folders: root module, module, Stack, component.

/// How a folder is read. The same folder may be called in more than one way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Role {
    /// As a module.
    #[default]
    Module,
    /// As a component's root module.
    Component,
    /// As a Stack.
    Stack,
}

impl Role {
    /// That of the folder behind a call, by its name.
    pub fn of_call(name: &str) -> Role {
        match name.split_once('.').map(|(word, _)| word) {
            Some("component") => Role::Component,
            Some("stack") => Role::Stack,
            _ => Role::Module,
        }
    }
}
