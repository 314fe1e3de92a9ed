//! A field of the configuration.

use crate::addr::FieldAddr;
use crate::config::phi::FieldDecl;
use crate::text::Sources;
use crate::trace::site::FieldSite;

/// A field and where it is defined.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its address.
    pub addr: FieldAddr,
    /// Its definition.
    pub site: FieldSite,
    /// The rest of its block in `phi.hcl`.
    pub said: Option<FieldDecl>,
}

impl Field {
    /// The field's expression, where its text can stand elsewhere in the module: not that of a JSON file.
    pub fn text(&self, sources: &Sources) -> Option<String> {
        let place = self.site.attr.value_place();
        let json = sources.get(place.file)?.path.extension().is_some_and(|e| e == "json");
        let text = sources.slice(place);
        match self.site.rest.as_slice() {
            _ if json || text.is_empty() => None,
            [] => Some(text.to_owned()),
            rest => Some(format!("({text}).{}", rest.join("."))),
        }
    }
}
