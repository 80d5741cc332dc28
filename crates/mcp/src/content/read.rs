//! A whole result.

use super::item::{ContentHead, ContentParts};
use super::item_list::ItemReader;
use super::pieces::Utf16Units;
use super::structured::{StructuredPlace, for_model, is_mirrored};
use apex_parts_model::view::is_blank;
use std::iter::zip;

const NO_RESULT: &str = "The MCP server sent no result.";
const NEEDS_INPUT: &str = "The MCP server asked for further input, which this host does not give.";
const NO_ITEMS: &str = "The content that the MCP server sent is not a list of items.";
const NO_OUTPUT: &str = "(no output)";
const NO_MESSAGE: &str = "The MCP tool reported an error without a message.";

/// What a result is for a model. `items` has one item a line, as JSON; `structured` is compact JSON.
#[must_use]
pub fn read_content(head: &ContentHead, items: &str, structured: Option<&str>) -> ContentParts {
    let mut reader = ItemReader::new(head);
    let list = if head.is_read { "/contents" } else { "/content" };
    let failed = if !head.is_object {
        reader.error("MC-1", "", "the result is not an object");
        Some(NO_RESULT)
    } else if head.needs_input {
        reader.error("MC-2", "/resultType", "the server asked for further input");
        Some(NEEDS_INPUT)
    } else if !head.has_content && !head.is_absent && structured.is_none() {
        reader.error("MC-1", list, "the content is not a list of items");
        Some(NO_ITEMS)
    } else {
        None
    };
    if let Some(output) = failed {
        return ContentParts { output: output.to_owned(), is_error: true, ..reader.parts };
    }
    if !(head.has_content || head.is_absent && structured.is_some()) {
        reader.warn("MC-1", list, "the result has no list of items");
    }
    for (rule, path, what) in &head.replaced {
        reader.warn(rule, path, &**what);
    }
    for (index, json) in items.lines().enumerate() {
        reader.item(json, index);
    }
    if head.left_out > 0 {
        let note = format!("{} more items left out", head.left_out);
        reader.warn("MC-7", "", &*note);
        reader.piece(&format!("[{note}]"), "");
    }
    if let Some(json) = structured {
        place(&mut reader, json);
    }
    let is_error = head.is_error && !head.is_read;
    finish(reader, head, is_error)
}

fn place(reader: &mut ItemReader<'_>, json: &str) {
    let place = if is_blank(&reader.pieces.output) {
        reader.pieces.output.clear();
        StructuredPlace::Only
    } else if is_mirrored(json, &reader.pieces.output) {
        StructuredPlace::Mirrored
    } else {
        StructuredPlace::Appended
    };
    if place != StructuredPlace::Mirrored {
        reader.piece(&for_model(json), "/structuredContent");
    }
    reader.parts.structured = Some(place);
    if place == StructuredPlace::Only {
        // What they would be is blank, and not in the output.
        reader.ranges.fill((0, 0));
    }
}

/// Cuts the output, and says where in it the resources are.
fn finish(mut reader: ItemReader<'_>, head: &ContentHead, is_error: bool) -> ContentParts {
    if is_blank(&reader.pieces.output) {
        reader.pieces.output.clear();
        reader.pieces.output.push_str(if is_error { NO_MESSAGE } else { NO_OUTPUT });
        reader.ranges.fill((0, 0));
        reader.end_problems();
        return ContentParts { output: reader.pieces.output, is_error, ..reader.parts };
    }
    let left_out = reader.pieces.cut(head.max_output);
    if left_out > 0 {
        reader.warn("MC-7", "", format!("the text is too long: {left_out} bytes left out"));
    }
    reader.end_problems();
    let (mut output, mut parts) = (reader.pieces.output, reader.parts);
    let mut units = Utf16Units::default();
    for (resource, (start, end)) in zip(&mut parts.resources, reader.ranges) {
        let Some(source) = &mut resource.source else { continue };
        if start == end {
            continue;
        }
        let (start, end) = (start.min(output.len()), end.min(output.len()));
        source.value = output.get(start..end).unwrap_or_default().to_owned();
        source.start = units.before(&output, start);
        source.end = units.before(&output, end);
    }
    if left_out > 0 {
        output.push_str(&format!("\n[{left_out} bytes left out]"));
    }
    ContentParts { output, is_error, ..parts }
}

#[cfg(test)]
mod tests;
