//! § 7 of the API: to messages of a run, and to the screen.

use crate::convert::{self, markdown_to_html};
use crate::model::{Build, Error, Key, Path, View};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::limits;
use crate::wasm::numbers::{count, whole};
use crate::wasm::options::{PAGE, tell_unknown};
use wasm_bindgen::prelude::*;

/// HTML of Markdown that somebody else wrote: raw HTML comes out as text, links lead to http,
/// https, mailto and # only. What is no string gives "". Throws `PartValidationError` (`limit`) where it
/// is too much for the module's memory, or too long for a string.
#[wasm_bindgen(js_name = renderMarkdown)]
pub fn render_markdown(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<String, JsValue> {
    let text = limits::text_of(text).map_err(|too_large| too_large.invalid())?;
    markdown_to_html(&text.unwrap_or_default()).map_err(|error| logged(&error))
}

/// The messages of a run (seed 004) that messages with parts are: a message a step, each result of a
/// tool as one of its own; `runId` is the session's id. Strings and objects are passed by reference.
/// Throws `PartValidationError` where the input is no array of messages with parts.
#[wasm_bindgen(js_name = toMessages, unchecked_return_type = "Message[]")]
pub fn to_messages(
    #[wasm_bindgen(unchecked_param_type = "WithParts[]")] input: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    match convert::run_messages(&Js::hold(input)) {
        Ok(made) => Ok(made.take()),
        Err(error) => Err(logged(&error)),
    }
}

type Show = fn(&Js, Option<u32>, &mut String) -> Result<(), Error>;

/// A message as text, `number` being its place in the transcript.
fn shown(message: &JsValue, number: &JsValue, show: Show) -> Result<String, JsValue> {
    let _scope = Scope::new();
    let mut out = String::new();
    let number = whole(number).map(count);
    match show(&Js::hold(message), number, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err(logged(&error)),
    }
}

/// A message with its parts as Markdown. `number` is its place in the transcript, for its heading.
/// Throws `PartValidationError` where it is no message with parts.
#[wasm_bindgen(js_name = messageToMarkdown)]
pub fn message_to_markdown(
    #[wasm_bindgen(unchecked_param_type = "WithParts")] message: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] number: &JsValue,
) -> Result<String, JsValue> {
    shown(message, number, convert::message_to_markdown)
}

/// A message with its parts as HTML for the page of `htmlPage`: everything in it is text, safe
/// Markdown, or an image that stands in the transcript. `number` is its place in the transcript.
/// Throws `PartValidationError` where it is no message with parts.
#[wasm_bindgen(js_name = messageToHtml)]
pub fn message_to_html(
    #[wasm_bindgen(unchecked_param_type = "WithParts")] message: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] number: &JsValue,
) -> Result<String, JsValue> {
    shown(message, number, convert::message_to_html)
}

/// The title of a page and the facts that stand below it.
fn heading(options: &JsValue) -> Result<(String, Vec<String>), JsValue> {
    /// A page has no use for more.
    const MOST: usize = 1000;
    /// Nor for more bytes of them.
    const LONGEST: usize = 1 << 26;
    let options = Js::hold(options);
    tell_unknown(&options, "the head of a page", PAGE);
    let title = options.get(Key::Title).text().map_or_else(String::new, Into::into);
    let (mut facts, mut length) = (Vec::<String>::new(), title.len());
    options.get(Key::Facts).each(MOST, &mut |_, fact| {
        if let Some(fact) = fact.text().filter(|_| length <= LONGEST) {
            length = length.saturating_add(fact.len());
            facts.push(fact.into());
        }
    });
    if length > LONGEST {
        let message = format!("the title and the facts are longer than {LONGEST} bytes");
        return Err(logged(&Error::rule("limit", &Path::ROOT, message)));
    }
    Ok((title, facts))
}

/// The beginning of a Markdown document: what `messageToMarkdown` gives for each message follows.
#[wasm_bindgen(js_name = markdownHead)]
pub fn markdown_head(
    #[wasm_bindgen(unchecked_param_type = "PageOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    let _scope = Scope::new();
    let (title, facts) = heading(options)?;
    let mut out = String::new();
    convert::markdown_head(&title, &facts, &mut out).map_err(|error| logged(&error))?;
    Ok(out)
}

/// A self-contained HTML page that executes nothing: what `messageToHtml` gives for each message
/// stands between its head and its foot.
#[wasm_bindgen(js_name = htmlPage, unchecked_return_type = "HtmlPage")]
pub fn html_page(
    #[wasm_bindgen(unchecked_param_type = "PageOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (title, facts) = heading(options)?;
    let (mut head, mut foot) = (String::new(), String::new());
    convert::page_head(&title, &facts, &mut head).map_err(|error| logged(&error))?;
    convert::page_foot(&mut foot);
    let page = Js::object().with(Key::Head, &Js::string(&head));
    Ok(page.with(Key::Foot, &Js::string(&foot)).take())
}

#[wasm_bindgen(typescript_custom_section)]
const PAGES: &str = r#"
/** What stands above the messages of a document. */
export interface PageOptions {
  title?: string;
  /** Each a line: when it was, how many messages, what it cost. */
  facts?: string[];
}
/** What stands before the messages of an HTML page, and behind them. */
export interface HtmlPage {
  head: string;
  foot: string;
}
"#;
