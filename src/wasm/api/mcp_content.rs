//! What `ts/mcp/content.ts` asks of results of servers of the Model Context Protocol. Not part of the API.

use crate::wasm::handle::Scope;
use crate::wasm::host::{Problems, new_id, set};
use apex_parts_mcp::content::{ContentHead, ContentResource, read_content};
use apex_parts_model::Report;
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

/// What a result is: its head as JSON, its items as lines of JSON, its structured content as JSON, "" if it has
/// none. Files are referred to by number.
#[wasm_bindgen(js_name = toolsMcpContent, skip_typescript)]
#[must_use]
pub fn tools_mcp_content(head: &str, items: &str, structured: &str) -> JsValue {
    let head = ContentHead::read(head);
    let structured = Some(structured).filter(|json| !json.is_empty());
    let parts = read_content(&head, items, structured);
    let _scope = Scope::new();
    let mut problems = Problems::new();
    for problem in parts.problems {
        problems.report(problem);
    }
    let object = Object::new();
    set(&object, "output", &parts.output.into());
    set(&object, "isError", &parts.is_error.into());
    set(&object, "attachments", &files(&head, &parts.attachments));
    set(&object, "resources", &files(&head, &parts.resources));
    let links = parts.links.iter().map(|link| {
        let made = Object::new();
        set(&made, "uri", &(&*link.uri).into());
        for (name, value) in [("name", &link.name), ("mime", &link.mime)] {
            if let Some(value) = value {
                set(&made, name, &(&**value).into());
            }
        }
        JsValue::from(made)
    });
    set(&object, "links", &links.collect::<Array>().into());
    if let Some(place) = parts.structured {
        set(&object, "structured", &place.as_str().into());
    }
    if parts.invisible > 0 {
        #[allow(clippy::cast_precision_loss)] // no result has 2^53 characters
        set(&object, "invisible", &JsValue::from_f64(parts.invisible as f64));
    }
    set(&object, "problems", &problems.list().take());
    object.into()
}

/// Files without their ids; `data` is the number of the base64 whose URL is wanted.
fn files(head: &ContentHead, files: &[ContentResource]) -> JsValue {
    let list = files.iter().map(|file| {
        let object = Object::new();
        set(&object, "mime", &(&*file.mime).into());
        set(&object, "filename", &(&*file.filename).into());
        if file.url.is_empty() {
            #[allow(clippy::cast_precision_loss)] // no result has 2^53 files
            set(&object, "data", &JsValue::from_f64(file.data as f64));
        } else {
            set(&object, "url", &(&*file.url).into());
        }
        if let Some(source) = &file.source {
            let text = Object::new();
            set(&text, "value", &(&*source.value).into());
            #[allow(clippy::cast_precision_loss)]
            for (name, at) in [("start", source.start), ("end", source.end)] {
                set(&text, name, &JsValue::from_f64(at as f64));
            }
            let from = Object::new();
            set(&from, "type", &"resource".into());
            set(&from, "clientName", &(&*head.client).into());
            set(&from, "uri", &(&*source.uri).into());
            set(&from, "text", &text.into());
            set(&object, "source", &from.into());
        }
        JsValue::from(object)
    });
    list.collect::<Array>().into()
}

/// A new id of a part.
#[wasm_bindgen(js_name = toolsMcpNewId, skip_typescript)]
#[must_use]
pub fn tools_mcp_new_id() -> String {
    new_id()
}
