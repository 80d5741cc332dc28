//! § 7 of the API: conversion to messages of a run, Markdown and HTML.

use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::limits;
use crate::wasm::numbers::{count, whole};
use crate::wasm::options::{PAGE, log_unknown, unreadable};
use apex_parts_convert::markdown_to_html;
use apex_parts_model::{Build, Error, Key, Path, View};
use wasm_bindgen::prelude::*;

/// Converts untrusted Markdown to safe HTML: raw HTML is shown as text, and links are kept for http,
/// https, mailto and # only. Gives "" if `text` is not a string. Throws `PartValidationError` (`limit`) if
/// it is too large for the module's memory, or the HTML too long for a string.
///
/// ```js
/// renderMarkdown("*Hi* <b>"); // "<p><em>Hi</em> &lt;b&gt;</p>\n"
/// ```
///
/// @param text - Markdown, from anywhere.
/// @returns HTML that may be put into a page.
#[wasm_bindgen(js_name = renderMarkdown)]
pub fn render_markdown(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<String, JsValue> {
    let text = limits::text_of(text).map_err(|too_large| too_large.invalid())?;
    markdown_to_html(&text.unwrap_or_default()).map_err(|error| logged(&error))
}

/// Converts the given messages with parts, of whatever sessions they are, to the messages of a run: one message for
/// each step and one for each tool result; `runId` is the session's id. Strings and objects are passed by reference. Throws
/// `PartValidationError` if the input is not an array of messages with parts.
///
/// ```js
/// const [sessionID, messageID] = [generateMessageId(), generateMessageId()];
/// const info = createUserMessage({ id: messageID, sessionID, agent: "build", providerID: "p", modelID: "m" });
/// const parts = [createTextPart({ sessionID, messageID, text: "Hi" })];
/// toMessages([{ info, parts }]).map((message) => message.parts); // [[{ kind: "text", payload: { text: "Hi" } }]]
/// ```
///
/// @param input - The messages with their parts, in order.
/// @returns The messages of a run.
#[wasm_bindgen(js_name = toMessages, unchecked_return_type = "Message[]")]
pub fn to_messages(
    #[wasm_bindgen(unchecked_param_type = "WithParts[]")] input: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    match apex_parts_convert::run_messages(&Js::hold(input)) {
        Ok(made) => Ok(made.take()),
        Err(error) => Err(logged(&error)),
    }
}

type Show = fn(&Js, Option<u32>, &mut String) -> Result<(), Error>;

/// A message as text; `number` is its index in the transcript.
fn render(message: &JsValue, number: &JsValue, show: Show) -> Result<String, JsValue> {
    let _scope = Scope::new();
    let mut out = String::new();
    let number = whole(number).map(count);
    match show(&Js::hold(message), number, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err(logged(&error)),
    }
}

/// Converts one message with parts to Markdown: for a whole file, call it for the messages of each of its `sessions`.
/// `number` is its index in the transcript, shown in its
/// heading. Throws `PartValidationError` if the argument is not a message with parts.
///
/// ```js
/// const [sessionID, messageID] = [generateMessageId(), generateMessageId()];
/// const info = createUserMessage({ id: messageID, sessionID, agent: "build", providerID: "p", modelID: "m" });
/// const parts = [createTextPart({ sessionID, messageID, text: "Hi" })];
/// messageToMarkdown({ info, parts }).includes("Hi"); // true
/// ```
///
/// @param message - A message with its parts.
/// @param number - The index of the message in its transcript, from 0; no number is shown if left out.
/// @returns Markdown that ends in a line feed.
#[wasm_bindgen(js_name = messageToMarkdown)]
pub fn message_to_markdown(
    #[wasm_bindgen(unchecked_param_type = "WithParts")] message: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] number: &JsValue,
) -> Result<String, JsValue> {
    render(message, number, apex_parts_convert::message_to_markdown)
}

/// Converts one message with parts to HTML for the page of `htmlPage`: for a whole file, call it for the messages of
/// each of its `sessions`. It contains only text, safe Markdown and images embedded in the transcript. `number` is its index in the transcript. Throws
/// `PartValidationError` if the argument is not a message with parts.
///
/// ```js
/// const [sessionID, messageID] = [generateMessageId(), generateMessageId()];
/// const info = createUserMessage({ id: messageID, sessionID, agent: "build", providerID: "p", modelID: "m" });
/// const parts = [createTextPart({ sessionID, messageID, text: "Hi" })];
/// messageToHtml({ info, parts }).includes("<p>Hi</p>"); // true
/// ```
///
/// @param message - A message with its parts.
/// @param number - The index of the message in its transcript, from 0; no number is shown if left out.
/// @returns An HTML fragment.
#[wasm_bindgen(js_name = messageToHtml)]
pub fn message_to_html(
    #[wasm_bindgen(unchecked_param_type = "WithParts")] message: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] number: &JsValue,
) -> Result<String, JsValue> {
    render(message, number, apex_parts_convert::message_to_html)
}

/// The title of a page and the lines below it.
fn heading(options: &JsValue) -> Result<(String, Vec<String>), JsValue> {
    /// The most lines that are taken.
    const MOST: usize = 1000;
    /// The most bytes of the title and the lines.
    const LONGEST: usize = 1 << 26;
    let options = Js::hold(options);
    log_unknown(&options, "the head of a page", PAGE);
    if let Some(why) = unreadable(&options, &[Key::Title, Key::Facts]) {
        return Err(logged(&Error::rule("schema", &Path::ROOT, why)));
    }
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

/// The head of a Markdown document, followed by the result of `messageToMarkdown` for each message. Throws
/// `PartValidationError` (`limit`) if the title and the facts are longer than 64 MiB.
///
/// ```js
/// markdownHead({ title: "A run", facts: ["2 messages"] }).startsWith("# A run"); // true
/// ```
///
/// @param options - The title and the lines below it.
/// @returns Markdown.
#[wasm_bindgen(js_name = markdownHead)]
pub fn markdown_head(
    #[wasm_bindgen(unchecked_param_type = "PageOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    let _scope = Scope::new();
    let (title, facts) = heading(options)?;
    let mut out = String::new();
    apex_parts_convert::markdown_head(&title, &facts, &mut out).map_err(|error| logged(&error))?;
    Ok(out)
}

/// The head and the foot of a self-contained HTML page without scripts; the result of `messageToHtml` for
/// each message goes between them. Throws as `markdownHead` does.
///
/// ```js
/// const { head, foot } = htmlPage({ title: "A run" });
/// head.includes("<title>A run</title>") && foot.includes("</html>"); // true
/// ```
///
/// @param options - The title and the lines below it.
/// @returns The text before the messages, and that after them.
#[wasm_bindgen(js_name = htmlPage, unchecked_return_type = "HtmlPage")]
pub fn html_page(
    #[wasm_bindgen(unchecked_param_type = "PageOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (title, facts) = heading(options)?;
    let (mut head, mut foot) = (String::new(), String::new());
    apex_parts_convert::page_head(&title, &facts, &mut head).map_err(|error| logged(&error))?;
    apex_parts_convert::page_foot(&mut foot);
    let page = Js::object().with(Key::Head, &Js::string(&head));
    Ok(page.with(Key::Foot, &Js::string(&foot)).take())
}

#[wasm_bindgen(typescript_custom_section)]
const PAGES: &str = declared(include_str!("../types/pages.d.ts"));
