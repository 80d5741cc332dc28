//! What a page hides by attributes.

use super::attributes::Attributes;
use super::references::decode;

/// Does the element say that it is not shown? By `hidden` (but not `hidden="until-found"`, which a search
/// brings up), or by `display: none` or `visibility: hidden` in its `style`.
pub(super) fn is_hidden(attributes: &Attributes<'_>) -> bool {
    let (mut hidden, mut style) = (None, None);
    for (name, value) in attributes.clone() {
        if name.eq_ignore_ascii_case("hidden") {
            hidden.get_or_insert(value);
        } else if name.eq_ignore_ascii_case("style") {
            style.get_or_insert(value);
        }
    }
    hidden.is_some_and(|value| !value.trim().eq_ignore_ascii_case("until-found"))
        || style.is_some_and(hides)
}

/// Do these declarations hide? Of one property the last counts, one that is `!important` before others.
fn hides(raw: &str) -> bool {
    let mut style = String::new();
    decode(raw, true, &mut style);
    style.make_ascii_lowercase();
    let mut declarations = String::new();
    let mut rest = &*style;
    while let Some((before, comment)) = rest.split_once("/*") {
        declarations.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
    }
    declarations.push_str(rest);
    // Of display and visibility: whether it hides, and whether that is important.
    let mut found = [(false, false); 2];
    for declaration in declarations.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let (value, important) = match value.split_once('!') {
            Some((value, mark)) => (value.trim(), mark.trim() == "important"),
            None => (value.trim(), false),
        };
        let (place, hides) = match property.trim() {
            "display" => (0, value == "none"),
            "visibility" => (1, matches!(value, "hidden" | "collapse")),
            _ => continue,
        };
        if let Some(found) = found.get_mut(place)
            && !value.is_empty()
            && (important || !found.1)
        {
            *found = (hides, important);
        }
    }
    found.iter().any(|(hides, _)| *hides)
}
