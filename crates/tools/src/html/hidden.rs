//! What a page hides by attributes.

use super::attributes::Attributes;
use super::references::decode;
use apex_parts_json::float::parse;

/// Does the element say that it is not shown? By `hidden` (but not `hidden="until-found"`, which a search
/// brings up), or by its `style`: see [`hides`].
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

/// The properties that are looked at, in the order of [`StyleValues`].
const PROPERTIES: [&str; 9] =
    ["display", "visibility", "opacity", "font-size", "position", "clip", "left", "right", "top"];
/// Where an element has one of these, it may be shown later.
const CHANGES: [&str; 4] = ["transform", "transition", "animation", "will-change"];

/// What a style gives each of the [`PROPERTIES`]; empty for none.
#[derive(Default)]
struct StyleValues<'a> {
    values: [&'a str; PROPERTIES.len()],
    is_important: [bool; PROPERTIES.len()],
    /// Is it one of an element that moves, or changes with time?
    changes: bool,
}

impl<'a> StyleValues<'a> {
    /// Reads declarations. Of one property the last counts, one that is `!important` before others.
    fn read(declarations: &'a str) -> StyleValues<'a> {
        let mut style = StyleValues::default();
        for declaration in declarations.split(';') {
            let Some((property, value)) = declaration.split_once(':') else { continue };
            let (value, important) = match value.split_once('!') {
                Some((value, mark)) => (value.trim(), mark.trim() == "important"),
                None => (value.trim(), false),
            };
            let property = property.trim();
            let bare = property.strip_prefix("-webkit-").unwrap_or(property);
            let is_change = |name: &&str| {
                bare.strip_prefix(*name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            style.changes |= CHANGES.iter().any(is_change) && value != "none";
            let place = PROPERTIES.iter().position(|name| *name == property);
            let Some(place) = place.filter(|_| !value.is_empty()) else { continue };
            if let (Some(old), Some(was_important)) =
                (style.values.get_mut(place), style.is_important.get_mut(place))
                && (important || !*was_important)
            {
                (*old, *was_important) = (value, important);
            }
        }
        style
    }

    fn hides(&self) -> bool {
        let [display, visibility, opacity, size, position, clip, left, right, top] = self.values;
        let is_out = || [left, right, top].into_iter().any(is_far);
        let is_placed = matches!(position, "absolute" | "fixed");
        let is_unseen = || {
            matches!(visibility, "hidden" | "collapse")
                || is_zero(opacity)
                || is_zero(size)
                || is_out()
                || (is_placed && clips_all(clip))
        };
        display == "none" || (!self.changes && is_unseen())
    }
}

/// The number that a value begins with, and its unit.
fn amount(value: &str) -> Option<(f64, &str)> {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let unit = value.trim_start_matches(is_of_number);
    let number = value.strip_suffix(unit)?;
    Some((parse(number)?, unit))
}

/// Is it zero, in any unit?
fn is_zero(value: &str) -> bool {
    let is_unit = |unit: &str| unit == "%" || unit.chars().all(|c| c.is_ascii_lowercase());
    amount(value).is_some_and(|(number, unit)| number == 0.0 && is_unit(unit))
}

/// Is it so far to the left or above that no page shows it?
fn is_far(value: &str) -> bool {
    amount(value).is_some_and(|(number, unit)| match unit {
        "px" | "pt" => number <= -999.0,
        "em" | "rem" | "vw" | "vh" | "%" => number <= -99.0,
        _ => false,
    })
}

/// Does `rect(…)` leave no more than a point of an element?
fn clips_all(value: &str) -> bool {
    let inner = value.strip_prefix("rect(").and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner else { return false };
    let edges: Vec<f64> = inner
        .split([',', ' '])
        .filter(|edge| !edge.is_empty())
        .map_while(|edge| amount(edge).map(|(number, _)| number))
        .collect();
    let [top, right, bottom, left] = *edges else { return false };
    bottom - top <= 1.0 || right - left <= 1.0
}

/// Do the declarations of a `style` hide: `display: none`, or, unless the element moves or changes with time,
/// `visibility: hidden`, no opacity, letters without a size, a place far outside the page, or `clip: rect(…)` of nothing?
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
    StyleValues::read(&declarations).hides()
}
